"""All permutations of the objects: the model of chance that ACI has by default."""

from concordant.execution.run import Run
from concordant.nulls.expectation import Expectation
from concordant.partition.partition import Partition
from concordant.terms.distribution import expected_difference
from concordant.terms.pair_terms import PairTerms

# By the triangle inequality |x_s - y_s| is at most |x_s - y_t| + |y_t - x_r| +
# |x_r - y_s|, and each of the three has the mean E[d] over all r, s and t: d is at most
# 3 E[d], and ACI at least -2, which the record in the catalogue states.


def expectation(P: Partition, Q: Partition, terms: PairTerms, run: Run) -> Expectation:
    """Return E[d] over all n! permutations of the objects of one partition."""
    return expectation_of_terms(terms)


def expectation_of_terms(terms: PairTerms) -> Expectation:
    """
    Return E[d] over all n! permutations of the objects of one partition.

    Every pair of one partition meets every pair of the other equally often, so that it
    is the mean of |x - y| over all values x of P and y of Q.
    """
    if terms.expected is not None:
        return Expectation(*terms.expected)
    if terms.distributions is None:
        raise ValueError("E[d] over permutations needs the distributions of both sides")
    return Expectation(*expected_difference(*terms.distributions))
