"""Two crisp partitions: exact integers from the contingency table."""

import numpy as np

from concordant.families.crisp import crisp_table
from concordant.partition.partition import Partition
from concordant.terms.distribution import Bounded, Distribution
from concordant.terms.pair_terms import PairTerms


def crisp_terms(P: Partition, Q: Partition) -> PairTerms:
    """Return d, the distributions and the table of two crisp partitions, in O(n)."""
    table = crisp_table(P, Q)
    a, b, c, d = (int(x) for x in (table.a, table.b, table.c, table.d))
    m = a + b + c + d
    both = of_counts(a + b, c + d), of_counts(a + c, b + d)
    found = Bounded((b + c) / m, 0.0)
    return PairTerms(P.n_objects, "crisp", m, found, both, {"crisp": table})


def of_counts(together: int, apart: int) -> Distribution:
    """Return the distribution of values of which so many are 0, and so many 1."""
    found = [(value, n) for value, n in ((0.0, together), (1.0, apart)) if n > 0]
    values, counts = zip(*found, strict=True)
    return Distribution.of_values(np.array(values), np.array(counts, dtype=np.int64))
