"""Which algorithm computes a concordance, from the kinds and sizes of partitions."""

from typing import Literal

from concordant.agreement.lattices import lattice_of
from concordant.agreement.result import RELATIVE_ERROR, Concordance
from concordant.agreement.sorted_pairs import bytes_to_sort
from concordant.agreement.two_clusters import has_two_clusters
from concordant.partition.partition import Partition

#: The algorithms that are exact, or have a certified error.
Algorithm = Literal[
    "crisp", "fuzzy-crisp", "two-clusters", "sorted", "lattice", "binned"
]

#: Those that visit all pairs.
VISITING = ("sorted", "lattice", "binned")

#: Bytes that sorting may take if nothing else is said: those of 1448 objects, for whom
#: it takes a quarter of the time of bins in a new process, which must load compiled
#: code, and twice as long in later calls.
DEFAULT_BUDGET = 1 << 26

# Errors, in relation to E[d], that are tolerated where sorting all pairs is quick, and
# where visiting all pairs takes long, and bounds are nearly always far too large.
_NEGLIGIBLE = 1e-12
_SMALL = 1e-6
_MANY = 50_000  # objects whose pairs take longer to visit than one waits
_LONG = 3 * 10**10  # pairs times clusters that take about half a minute


def choose(P: Partition, Q: Partition, memory_budget: int) -> Algorithm:
    """
    Choose the fastest algorithm whose error is negligible.

    Parameters
    ----------
    P, Q : Partition
        Crisp or fuzzy partitions of the same objects.
    memory_budget : int
        Bytes that sorting may take.

    Returns
    -------
    str
        Its name.
    """
    if P.kind == Q.kind == "crisp":
        return "crisp"
    if "crisp" in (P.kind, Q.kind):
        return "fuzzy-crisp"
    if both_have_two_clusters(P, Q):
        return "two-clusters"
    return visit_pairs(P, Q, memory_budget)


def visit_pairs(
    P: Partition, Q: Partition, memory_budget: int
) -> Literal["sorted", "lattice", "binned"]:
    """Choose an algorithm that visits all pairs."""
    if fits(P, memory_budget):
        return "sorted"
    return "lattice" if both_on_lattices(P, Q) else "binned"


def is_precise(result: Concordance, P: Partition, memory_budget: int) -> bool:
    """
    Tell whether a result will do, or all pairs should be visited as they are after all.

    Parameters
    ----------
    result : Concordance
        Of a fuzzy and a crisp partition, of two clusters each, or of lattices.
    P : Partition
        One of the partitions.
    memory_budget : int
        Bytes that sorting may take.

    Returns
    -------
    bool
        Whether its error is small, in relation to E[d], or visiting all pairs takes
        longer than one likes to wait.
    """
    if many_objects(P) and result.method != "lattice":
        return True
    if fits(P, memory_budget):
        tolerated = _NEGLIGIBLE
    elif result.method == "fuzzy-crisp":
        tolerated = _SMALL
    else:
        tolerated = RELATIVE_ERROR
    worst = max(result.discordance_error, result.expected_discordance_error)
    return worst <= tolerated * result.expected_discordance


def both_have_two_clusters(P: Partition, Q: Partition) -> bool:
    """Tell whether both are fuzzy, with two clusters that are not empty."""
    return has_two_clusters(P) and has_two_clusters(Q)


def both_on_lattices(P: Partition, Q: Partition) -> bool:
    """Tell whether memberships of both are multiples of fractions 1 / D."""
    return lattice_of(P) is not None and lattice_of(Q) is not None


def many_objects(P: Partition) -> bool:
    """Tell whether visiting all pairs takes longer than one likes to wait."""
    return P.n_objects > _MANY


def fits(P: Partition, memory_budget: int) -> bool:
    """Tell whether all dissimilarities can be sorted within a memory budget."""
    return bytes_to_sort(P.n_objects) <= memory_budget


def takes_long(P: Partition, Q: Partition) -> bool:
    """Tell whether visiting all pairs takes more than about half a minute."""
    m = P.n_objects * (P.n_objects - 1) // 2
    return m * (P.n_clusters + Q.n_clusters) > _LONG
