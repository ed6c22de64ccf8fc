"""NDC, its expectation and ACI, which is adjusted for chance, with their errors."""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from concordant.bounded import Bounded
from concordant.catalogue.nulls import NULLS
from concordant.measures.ratio import error_of_ratio
from concordant.measures.tables.pair_table import PairTable
from concordant.nulls.expectation import Expectation
from concordant.pairs.pair_terms import PairTerms
from concordant.printing import Readable, Shown, size_of_error
from concordant.wording import count

# An error of ACI that needs not be mentioned.
_ROUNDING = 1e-12


class Score(NamedTuple):
    """
    The value of an index, and how far it may be from the exact one.

    The error is None where it is not known.
    """

    value: float
    error: float | None


@dataclass(frozen=True)
class Concordance(Readable):
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
        The number of objects, n.
    n_pairs : int
        How many pairs of objects were visited or are accounted for.
    method : str
        The algorithm that gave it.
    n_permutations : int, optional
        How many permutations the expectation is averaged over, if it is.
    similarity : {"l1", "inner"}
        The similarity of a pair of objects on which it is based.
    null : str
        The model of chance that E[d] is taken from.
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
    similarity: str = "l1"
    null: str = "permutations"

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
    def is_estimate(self) -> bool:
        """Whether ACI is an estimate from some of all pairs or permutations."""
        pairs = self.n_objects * (self.n_objects - 1) // 2
        return self.n_permutations is not None or self.n_pairs < pairs

    @property
    def ndc_error(self) -> float:
        """How far `ndc` may be from its exact value."""
        return self.discordance_error

    @property
    def expected_error(self) -> float:
        """How far `expected` may be from its exact value."""
        return self.expected_discordance_error

    def _shown(self) -> Shown:
        sizes = count(self.n_objects, "object"), count(self.n_pairs, "pair")
        how = f"{', '.join(sizes)}, method {self.method}"
        if self.n_permutations is not None:
            how += f", {count(self.n_permutations, 'permutation')}"
        rows = (
            ("ACI", self.aci, self.error),
            ("NDC", self.ndc, self.ndc_error),
            ("expected NDC", self.expected, self.expected_error),
        )
        how += said_of_setting(self.similarity, "permutations")  # method has the null
        return Shown(
            f"Concordance of {how}",
            header=("index", "value", "error"),
            rows=[(name, f"{x:z.6f}", size_of_error(error)) for name, x, error in rows],
        )


def said_of_setting(similarity: str, null: str) -> str:
    """Return what is not usual of the value of a pair and the model of chance."""
    found = "" if similarity == "l1" else f", similarity {similarity}"
    usual = null in ("permutations", "sampled-permutations")
    return found if usual else f"{found}, null {null}"


def adjusted(
    terms: PairTerms,
    expected: Expectation,
    null: str = "permutations",
    similarity: str = "l1",
) -> Concordance:
    """
    Return d and E[d] with ACI = 1 - d / E[d], and a bound of its error.

    ACI is not below what the model of chance allows. If that permutes values and one
    partition says the same of all pairs, every permutation gives the same d and
    agreement is as by chance: ACI is 0. Where E[d] is 0, all values of P and of Q are
    one number, and ACI is 1. Where E[d] is not known to be positive, nothing is known
    of ACI but its range, and the error says so.
    """
    record, method = NULLS[null], terms.method
    if null == "sampled-permutations":
        method = "permutations"
    elif null != "permutations":
        method = f"{method}, null {null}{expected.note}"
    d, d_error = terms.discordance or Bounded(math.nan, math.inf)
    d, e = max(d, 0.0), max(expected.value, 0.0)
    constant = [F.is_constant for F in terms.distributions or ()]
    aci = 1.0 if d == 0.0 else 0.0
    if e == expected.error == 0.0:
        aci = 1.0
    elif any(constant) and record.permutes:
        aci = 1.0 if all(constant) and d <= d_error else 0.0
    elif e > 0.0:
        aci = min(1.0 - d / e, 1.0)
        aci = aci if record.lowest is None else max(aci, record.lowest)
    of_e = Bounded(expected.value, expected.error)
    error = error_of_ratio(aci, d_error, of_e._replace(value=e), record.lowest)
    is_estimated = of_e == terms.expected and e > expected.error
    if is_estimated and terms.ratio_error is not None:
        error = min(error, terms.ratio_error)
    return Concordance(
        discordance=d,
        expected_discordance=e,
        aci=aci,
        discordance_error=d_error,
        expected_discordance_error=expected.error,
        error=error,
        n_objects=terms.n_objects,
        n_pairs=terms.n_pairs,
        method=method,
        n_permutations=expected.n_permutations,
        similarity=similarity,
        null=null,
    )


def no_pairs(
    n_objects: int, similarity: str = "l1", null: str = "permutations"
) -> Concordance:
    """Return the concordance of fewer than two objects: nothing to disagree on."""
    found = 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, n_objects, 0, "no pairs"
    return Concordance(*found, similarity=similarity, null=null)


def of_one_value(
    found: Concordance, x: Fraction | None, y: Fraction | None
) -> Concordance:
    """
    Return what is exactly known if all pairs of P have the value x, and those of Q y.

    Every permutation gives the same d, so that ACI is 0, or 1 if the two are equal. If
    one is None, objects are not alike there, and alike in the other partition. By the
    L1 distance their values are then not all 0, as in the other: E[d] is positive.
    """
    if x is None or y is None:
        one_varies = x != y and found.similarity == "l1"
        return replace(found, aci=0.0, error=0.0) if one_varies else found
    d = float(abs(x - y))
    rounding = 2.0**-53 * d
    return replace(
        found,
        discordance=d,
        expected_discordance=d,
        aci=1.0 if x == y else 0.0,
        discordance_error=rounding,
        expected_discordance_error=rounding,
        error=0.0,
    )


def of_crisp_table(
    table: PairTable, n_objects: int, similarity: str = "l1"
) -> Concordance:
    """
    Return the concordance of two crisp partitions: ACI is the adjusted Rand index.

    d = (b + c) / m, E[d] = (A (m - B) + B (m - A)) / m² with A = a + b and B = a + c,
    and ACI = 1 - d / E[d] are ratios of integers, each rounded once.
    """
    a, b, c, d = (int(x) for x in (table.a, table.b, table.c, table.d))
    m = a + b + c + d
    in_p, in_q = a + b, a + c
    expected = in_p * (m - in_q) + in_q * (m - in_p)
    return Concordance(
        discordance=(b + c) / m,
        expected_discordance=expected / (m * m),
        aci=(expected - (b + c) * m) / expected if expected else 1.0,
        discordance_error=0.0,
        expected_discordance_error=0.0,
        error=0.0,
        n_objects=n_objects,
        n_pairs=m,
        method="crisp",
        similarity=similarity,
    )


def aci(found: Concordance, clip: bool = False) -> Score:
    """Return the adjusted concordance index, 1 - d / E[d]."""
    return Score(max(found.aci, 0.0) if clip else found.aci, found.error)


def ndc(d: Bounded) -> Score:
    """Return the normalized degree of concordance, 1 - d."""
    return Score(max(0.0, 1.0 - d.value), d.error)


def expected(found: Concordance) -> Score:
    """Return the expectation of the NDC, 1 - E[d]."""
    return Score(found.expected, found.expected_error)
