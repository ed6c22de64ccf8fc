"""Pictures of two partitions, as Matplotlib axes.

Every function draws on the axes that it is given as `ax`, or on those of a new figure
that belongs to nobody else: `pyplot` and its global state are not touched.
"""

from concordant.plot.by_permutations import null_distribution
from concordant.plot.density import joint_density
from concordant.plot.differing_objects import differing_objects
from concordant.plot.dots import families
from concordant.plot.matrices import similarity_matrices
from concordant.plot.numbered_cells import cross_table
from concordant.plot.overview import overview
from concordant.plot.stacks import memberships

__all__ = [
    "cross_table",
    "differing_objects",
    "families",
    "joint_density",
    "memberships",
    "null_distribution",
    "overview",
    "similarity_matrices",
]
