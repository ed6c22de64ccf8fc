"""Pictures of two partitions and of many, as Matplotlib axes.

Every function draws on the axes that it is given as `ax`. Without them it draws on the
current axes if a figure is open in `pyplot`, as Matplotlib's own functions do, else on
a new figure. Where `pyplot` is in use, `plt.show()` shows it;
otherwise a notebook does.
"""

from concordant.plot.many import agreement_heat_map, stability_curve
from concordant.plot.overview import overview
from concordant.plot.posterior_draws import posterior
from concordant.plot.similarities import joint_density, similarity_matrices
from concordant.plot.stacks import memberships, structure
from concordant.plot.tables import (
    confidence_interval,
    cross_table,
    differing_objects,
    families,
    null_distribution,
)

__all__ = [
    "agreement_heat_map",
    "confidence_interval",
    "cross_table",
    "differing_objects",
    "families",
    "joint_density",
    "memberships",
    "null_distribution",
    "overview",
    "posterior",
    "similarity_matrices",
    "stability_curve",
    "structure",
]


def __dir__() -> list[str]:
    return __all__
