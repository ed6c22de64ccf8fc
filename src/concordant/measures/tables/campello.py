"""
Pairs by t-norms of memberships (Campello 2007).

With V = max_k t(u_ik, u_jk) and X = max_{k != l} t(u_ik, u_jl), and Y, Z likewise for
Q: a = sum of t(V, Y), b = sum of t(V, Z), c = sum of t(X, Y), d = sum of t(X, Z), over
all pairs i < j; a + b + c + d is less than the number of pairs.
"""

from concordant.arrays import Vector
from concordant.pairs.values.t_norms import OnArrays
from concordant.partition.partition import Partition


def cardinalities(
    shared_p: Vector, apart_p: Vector, shared_q: Vector, apart_q: Vector, t: OnArrays
) -> tuple[Vector, Vector, Vector, Vector]:
    """Return what each pair adds to a, b, c and d, from its degrees in P and Q."""
    return (
        t(shared_p, shared_q),
        t(shared_p, apart_q),
        t(apart_p, shared_q),
        t(apart_p, apart_q),
    )


def rounding(P: Partition, Q: Partition) -> float:
    """Bound how far what a pair adds is off beside what is relative to the sums."""
    fuzzy = [X.columns() for X in (P, Q) if X.kind != "crisp"]
    # Below 0 by rounding, so that sums cancel; and products too small for their digits.
    negative = max(max(0.0, -float(columns.min())) for columns in fuzzy)
    return 2.0**-42 * negative + 2.0**-1070
