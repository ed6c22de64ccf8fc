"""All permutations of the objects: the model of chance that ACI has by default."""

from concordant.execution.run import Run
from concordant.nulls.expectation import Expectation, Influence, ObjectMeans
from concordant.pairs.distribution import expected_difference
from concordant.pairs.pair_terms import PairTerms
from concordant.partition.partition import Partition

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


def influence(P: Partition, Q: Partition, means: ObjectMeans, run: Run) -> Influence:
    """
    Return what each object contributes to E[d].

    An object has n - 1 of all m pairs, a share of r = 2 / n. E[d] is a mean over pairs
    of pairs, from which those are left out whose first, second, or both pairs hold the
    object. The changes are written so that nothing cancels.
    """
    expected = 0.5 * float(means.from_p.mean() + means.from_q.mean())
    share = 2.0 / len(means.discordance)
    once = (expected - means.from_p) + (expected - means.from_q)
    twice = means.between - expected
    return Influence(expected, share * (once + share * twice) / (1.0 - share) ** 2)
