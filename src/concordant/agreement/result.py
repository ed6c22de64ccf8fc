"""The concordance of two partitions: NDC, its expectation, ACI, and their errors."""

from dataclasses import dataclass

#: The relative error of E[d] that algorithms with a certified error aim at.
RELATIVE_ERROR = 1e-9


@dataclass(frozen=True)
class Concordance:
    """
    How far two partitions agree on their pairs of objects.

    Parameters
    ----------
    discordance : float
        d, the mean of ``|E_P - E_Q|`` over all pairs.
    expected_discordance : float
        E[d], its mean over all permutations of the objects.
    aci : float
        The adjusted concordance index, 1 - d / E[d].
    discordance_error, expected_discordance_error, error : float
        How far each may be from its exact value: 0 for exact algorithms (up to
        rounding), a certified bound for binned ones, the half width of the 95 %
        confidence interval for estimates.
    n_objects : int
        n.
    n_pairs : int
        How many pairs of objects were visited or are accounted for.
    method : str
        The algorithm that gave it.
    n_permutations : int, optional
        How many permutations the expectation is averaged over, if it is.
    """

    discordance: float
    expected_discordance: float
    aci: float
    discordance_error: float
    expected_discordance_error: float
    error: float
    n_objects: int
    n_pairs: int
    method: str
    n_permutations: int | None = None

    @property
    def ndc(self) -> float:
        """The normalized degree of concordance, 1 - d, from 0 to 1."""
        return 1.0 - self.discordance

    @property
    def expected(self) -> float:
        """The expectation of the NDC, 1 - E[d]."""
        return 1.0 - self.expected_discordance

    @property
    def ndc_error(self) -> float:
        """How far `ndc` may be from its exact value."""
        return self.discordance_error

    @property
    def expected_error(self) -> float:
        """How far `expected` may be from its exact value."""
        return self.expected_discordance_error


def assemble(
    discordance: float,
    expected_discordance: float,
    *,
    n_objects: int,
    method: str,
    excess: float | None = None,
    discordance_error: float = 0.0,
    expected_discordance_error: float = 0.0,
    n_pairs: int | None = None,
    n_permutations: int | None = None,
) -> Concordance:
    """
    Put ACI and its error together from d and E[d].

    Parameters
    ----------
    discordance, expected_discordance : float
        d and E[d].
    n_objects : int
        n.
    method : str
        The algorithm that gave them.
    excess : float, optional
        E[d] - d, where the algorithm has it without cancellation.
    discordance_error, expected_discordance_error : float, default=0
        Bounds of their errors.
    n_pairs : int, optional
        The pairs that were visited; all by default.
    n_permutations : int, optional
        How many permutations E[d] is averaged over.

    Returns
    -------
    Concordance
        With ACI = 1 where E[d] = 0: then all similarities, of P and of Q, are one and
        the same number.
    """
    # Rows may sum to 1 + 1e-5, so that d can pass 1 by as little.
    d, expected = min(discordance, 1.0), min(expected_discordance, 1.0)
    if expected == 0.0:
        aci, error = 1.0, 0.0
    else:
        aci = 1.0 - d / expected if excess is None else excess / expected
        # |d / E - d' / E'| for the worst d' and E' within their errors
        lowest = expected - expected_discordance_error
        error = (
            (discordance_error + (1.0 - aci) * expected_discordance_error) / lowest
            if lowest > 0.0
            else float("inf")
        )
    return Concordance(
        discordance=d,
        expected_discordance=expected,
        aci=aci,
        discordance_error=discordance_error,
        expected_discordance_error=expected_discordance_error,
        error=error,
        n_objects=n_objects,
        n_pairs=n_objects * (n_objects - 1) // 2 if n_pairs is None else n_pairs,
        method=method,
        n_permutations=n_permutations,
    )
