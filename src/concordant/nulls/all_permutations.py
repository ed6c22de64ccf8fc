"""All permutations of the objects: the expectation that ACI has by default."""

from dataclasses import replace

from concordant.agreement.computing import computed_concordance
from concordant.execution.run import Run
from concordant.nulls.expectation import Expectation
from concordant.partition.partition import Partition


def expectation(P: Partition, Q: Partition, run: Run) -> Expectation:
    """Give E[d] over all n! permutations, by the algorithm that suits."""
    found, _ = computed_concordance(P, Q, replace(run, null="permutations"))
    return Expectation(found.expected_discordance, found.expected_discordance_error)
