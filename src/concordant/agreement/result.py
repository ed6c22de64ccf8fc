"""The concordance of two partitions: NDC, its expectation, ACI, and their errors."""

import math
from dataclasses import dataclass

from concordant.printing import html_lines, html_table, size_of_error, table_lines

#: The relative error of E[d] that algorithms with a certified error aim at.
RELATIVE_ERROR = 1e-9

# An error of ACI that needs not be mentioned.
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Concordance:
    """
    How far two partitions agree on their pairs of objects.

    Parameters
    ----------
    discordance : float
        d, the mean of ``|E_P - E_Q|`` over all pairs. Memberships are used as they
        are: where rows sum to slightly more than 1, so may d.
    expected_discordance : float
        E[d], its mean over all permutations of the objects.
    aci : float
        The adjusted concordance index, 1 - d / E[d].
    discordance_error, expected_discordance_error, error : float
        How far each may be from its exact value: a certified bound, which contains the
        rounding of the algorithm, or the half width of the 95 % confidence interval
        for estimates.
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
        return max(0.0, 1.0 - self.discordance)

    @property
    def expected(self) -> float:
        """The expectation of the NDC, 1 - E[d], from 0 to 1."""
        return max(0.0, 1.0 - self.expected_discordance)

    @property
    def is_exact(self) -> bool:
        """Whether ACI is exact up to rounding: within 1e-12."""
        return self.error <= _ROUNDING

    @property
    def ndc_error(self) -> float:
        """How far `ndc` may be from its exact value."""
        return self.discordance_error

    @property
    def expected_error(self) -> float:
        """How far `expected` may be from its exact value."""
        return self.expected_discordance_error

    def __str__(self) -> str:
        return "\n".join((self._title(), *table_lines(_HEADER, self._rows())))

    def _repr_html_(self) -> str:
        return html_lines(self._title(), ()) + html_table(_HEADER, self._rows())

    def _title(self) -> str:
        pairs = f"{self.n_pairs} pairs" if self.n_pairs != 1 else "1 pair"
        how = f"{self.n_objects} objects, {pairs}, method {self.method}"
        if self.n_permutations is None:
            return f"Concordance of {how}"
        return f"Concordance of {how}, {self.n_permutations} permutations"

    def _rows(self) -> list[tuple[str, str, str]]:
        rows = (
            ("ACI", self.aci, self.error),
            ("NDC", self.ndc, self.ndc_error),
            ("expected NDC", self.expected, self.expected_error),
        )
        return [(name, f"{x:z.6f}", size_of_error(error)) for name, x, error in rows]


_HEADER = ("index", "value", "error")


@dataclass(frozen=True)
class Discordance:
    """d alone, the mean of |E_P - E_Q| over all pairs, without what chance gives."""

    discordance: float
    discordance_error: float
    method: str

    @property
    def ndc(self) -> float:
        """The normalized degree of concordance, 1 - d, from 0 to 1."""
        return max(0.0, 1.0 - self.discordance)

    @property
    def ndc_error(self) -> float:
        """How far `ndc` may be from its exact value."""
        return self.discordance_error


def discordance_of(result: Concordance) -> Discordance:
    """Take d out of a concordance."""
    return Discordance(result.discordance, result.discordance_error, result.method)


def scaled_back(d: float, error: float, exponent: int, method: str) -> Discordance:
    """Give d of dissimilarities that were multiplied by a power of two."""
    d = math.ldexp(max(d, 0.0), -exponent)
    return Discordance(d, _unscaled(error, exponent), method)


# By the triangle inequality |x_s - y_s| is at most |x_s - y_t| + |y_t - x_r| +
# |x_r - y_s|, and each of the three has the mean E[d] over all r, s and t: d <= 3 E[d].
_LEAST_ACI = -2.0


def assemble(
    discordance: float,
    expected_discordance: float,
    *,
    n_objects: int,
    method: str,
    discordance_error: float = 0.0,
    expected_discordance_error: float = 0.0,
    constant: bool = False,
    differing: bool = False,
    exponent: int = 0,
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
    discordance_error, expected_discordance_error : float, default=0
        Bounds of their errors.
    constant : bool, default=False
        Whether P or Q says the same of all pairs. Then every permutation gives the same
        d, which is E[d], and agreement is as by chance: ACI is 0.
    differing : bool, default=False
        Whether one of the two does and the other does not, so that E[d] is not 0
        however small it is.
    exponent : int, default=0
        The power of two by which all dissimilarities were multiplied.
    n_pairs : int, optional
        The pairs that were visited; all by default.
    n_permutations : int, optional
        How many permutations E[d] is averaged over.

    Returns
    -------
    Concordance
        With ACI = 1 where E[d] = 0: then all similarities, of P and of Q, are one and
        the same number. Where E[d] is not known to be positive, nothing is known of
        ACI but that it lies between -2 and 1, and the error says so.
    """
    # No rounding can make these negative.
    d, expected = max(discordance, 0.0), max(expected_discordance, 0.0)
    lowest = expected - expected_discordance_error
    if expected == expected_discordance_error == 0.0:
        aci, error = 1.0, 0.0
    else:
        aci, error = 1.0 if d == 0.0 and not differing else 0.0, math.inf
        if expected > 0.0 and not constant:
            aci = min(max(1.0 - d / expected, _LEAST_ACI), 1.0)
        if lowest > 0.0:
            # |d / E - d' / E'| for the worst d' and E' within their errors, and the
            # rounding of the quotient
            worst = discordance_error + (1.0 - aci) * expected_discordance_error
            error = worst / lowest + (1.0 + abs(1.0 - aci)) * 2.0**-53
        error = min(error, max(1.0 - aci, aci - _LEAST_ACI))
    return Concordance(
        discordance=math.ldexp(d, -exponent),
        expected_discordance=math.ldexp(expected, -exponent),
        aci=aci,
        discordance_error=_unscaled(discordance_error, exponent),
        expected_discordance_error=_unscaled(expected_discordance_error, exponent),
        error=error,
        n_objects=n_objects,
        n_pairs=n_objects * (n_objects - 1) // 2 if n_pairs is None else n_pairs,
        method=method,
        n_permutations=n_permutations,
    )


def _unscaled(error: float, exponent: int) -> float:
    """Give the bound of a number that was multiplied by a power of two."""
    # The least doubles have few digits: dividing loses up to one unit.
    lost = 2.0**-1074 if exponent else 0.0
    return math.ldexp(error, -exponent) + lost
