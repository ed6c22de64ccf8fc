"""Families of pair tables, their statistics, and other sums over pairs."""

from dataclasses import KW_ONLY, dataclass
from typing import Literal

from concordant.catalogue.records import (
    ALWAYS,
    ANY_KIND,
    NOT_POSSIBILISTIC,
    Cost,
    Kind,
    Law,
    MeasureRecord,
    Record,
    by_name,
)
from concordant.catalogue.terms import Term
from concordant.catalogue.values import T_NORMS, VALUES

Family = Literal["crisp", "campello", "frigui", "brouwer", "anderson", "huellermeier"]


@dataclass(frozen=True)
class OfPairsRecord(Record):
    """
    Sums over pairs, made of `values` of P and then of Q.

    ``kernel(*values, width)`` adds up over a block of pairs with so many shifts, or, if
    `of_objects`, ``kernel(*columns, i0, rows, first, width)`` from what values are
    computed from; ``cardinalities(*values)`` tells what each pair adds, by NumPy.
    """

    _: KW_ONLY
    values: tuple[str, ...] = ()
    kernel: str = ""
    of_objects: bool = False
    cardinalities: str = ""

    def values_for(self, t_norm: str | None) -> tuple[tuple[str, str | None], ...]:
        """List the values that it is made of, with their t-norms, if they have one."""
        return tuple(
            (name, t_norm if VALUES[name].with_t_norm else None) for name in self.values
        )


@dataclass(frozen=True)
class FamilyRecord(OfPairsRecord):
    """
    A definition of a, b, c and d: ``formula(*terms)`` on sums over objects.

    A sum over pairs has `values` instead, and what a pair adds to each of the four is
    from 0 to 1. A family with a choice of t-norms has ``kernel(t)`` and
    ``cardinalities(*values, t)`` with t on arrays. ``rounding(P, Q)`` bounds how far
    what a pair adds may be off, beside the rounding of sums.
    """

    title: str = ""
    reading: str = ""  # how it decides to what degree a pair is together
    formula: str = ""
    rounding: str = ""
    terms: tuple[Term, ...] = ()  # see `SUMS`
    kinds: tuple[Kind, ...] = NOT_POSSIBILISTIC
    check: str = ""  # refuses some partitions of these kinds: ``check(P, Q)``
    t_norm: str = ""  # the default, if there is a choice
    laws: frozenset[Law] = ALWAYS

    @property
    def cost(self) -> Cost:
        """What its time goes with."""
        return "pairs" if self.values else "objects"

    @property
    def t_norms(self) -> tuple[str, ...]:
        """The t-norms that there are for it, the default first."""
        names = (name for name, t in T_NORMS.items() if self.name in t.families)
        return tuple(sorted(names, key=lambda name: name != self.t_norm))


@dataclass(frozen=True)
class PairSumsRecord(OfPairsRecord):
    """
    Sums over pairs that are no a, b, c and d: the fields of `sums`, a named tuple.

    Of two crisp partitions, ``of_crisp(table)`` gives them.
    """

    sums: str
    of_crisp: str


@dataclass(frozen=True)
class StatisticRecord(MeasureRecord):
    """A formula on a pair table: ``formula(table)``."""

    kinds: tuple[Kind, ...] = ANY_KIND
    options: tuple[str, ...] = ("family", "t_norm")
    draws: tuple[str, ...] = ("tol", "random_state")
    error: str = ""  # ``error(table)`` bounds how far it may be off


FAMILIES = by_name(
    FamilyRecord(
        name="crisp",
        title="crisp",
        reading="A pair is together or apart, and pairs are counted.",
        formula=".measures.tables.crisp:crisp",
        terms=(Term("counts"),),
        kinds=("crisp",),
        laws=ALWAYS | {"reflexive", "within range"},
    ),
    FamilyRecord(
        name="campello",
        title="Campello",
        reading="A pair is together as far as one cluster holds both objects, and "
        "apart as far as two clusters hold one each; a fuzzy partition does not reach "
        "1 with itself.",
        values=("shared", "apart"),
        kernel=".kernels.with_t_norms:campello",
        of_objects=True,
        cardinalities=".measures.tables.campello:cardinalities",
        rounding=".measures.tables.campello:rounding",
        kinds=ANY_KIND,
        t_norm="min",
        laws=ALWAYS | {"within range"},
    ),
    FamilyRecord(
        name="frigui",
        title="Frigui",
        reading="A pair is together to the degree of the inner product of its "
        "memberships; a fuzzy partition does not reach 1 with itself.",
        formula=".measures.tables.frigui:frigui",
        terms=(Term("products"),),
        laws=ALWAYS | {"within range"},
    ),
    FamilyRecord(
        name="brouwer",
        title="Brouwer",
        reading="A pair is together to the degree of the cosine of its memberships; a "
        "fuzzy partition does not reach 1 with itself.",
        formula=".measures.tables.brouwer:brouwer",
        terms=(Term("directions"),),
        kinds=ANY_KIND,
        check=".sums.products:check_directions",
        laws=ALWAYS | {"within range"},
    ),
    FamilyRecord(
        name="anderson",
        title="Anderson",
        reading="The soft cross table of the clusters is read as if it held counts; a "
        "fuzzy partition does not reach 1 with itself, and values can leave the range "
        "from 0 to 1.",
        formula=".measures.tables.anderson:anderson",
        terms=(Term("products"),),
        kinds=ANY_KIND,
    ),
    FamilyRecord(
        name="huellermeier",
        title="Hüllermeier",
        reading="A pair is as similar as its memberships are, and partitions agree "
        "to the degree that they find it equally similar; every partition "
        "reaches 1 with itself, and with the product the Rand index is NDC.",
        values=("l1",),
        kernel=".kernels.with_t_norms:huellermeier",
        cardinalities=".measures.tables.huellermeier:cardinalities",
        rounding=".measures.tables.huellermeier:rounding",
        t_norm="product",
        laws=ALWAYS | {"reflexive", "within range"},
    ),
)

#: Sums over pairs that indices follow from.
PAIR_SUMS = by_name(
    PairSumsRecord(
        name="wallace",
        sums=".measures.fuzzy_wallace:WallaceSums",
        of_crisp=".measures.fuzzy_wallace:of_crisp",
        values=("l1", "inner"),
        kernel=".kernels.folding:wallace",
        cardinalities=".measures.fuzzy_wallace:cardinalities",
    ),
    PairSumsRecord(
        name="omega",
        sums=".measures.generalized_rand:OmegaSum",
        of_crisp=".measures.generalized_rand:of_crisp",
        values=("inner",),
        kernel=".kernels.folding:omega",
        cardinalities=".measures.generalized_rand:cardinalities",
    ),
)

STATISTICS = by_name(
    StatisticRecord(
        name="rand",
        title="Rand",
        heading="Rand",
        reading="The share of pairs on which the partitions agree; it is often high "
        "for unrelated partitions as well.",
        formula=".measures.tables.pair_table:PairTable.rand",
        error=".measures.ratio:error_of_rand",
        also=("ri", "rand_score"),
        function=".measures.named_functions:rand_index",
    ),
    StatisticRecord(
        name="adjusted_rand",
        title="Adjusted Rand",
        heading="adj. Rand",
        reading="The Rand index in the form of Hubert and Arabie: for crisp partitions "
        "0 by chance and 1 for equal ones; for fuzzy partitions no family achieves "
        "both, but ACI does.",
        formula=".measures.tables.pair_table:PairTable.adjusted_rand",
        range=(None, 1.0),
        error=".measures.ratio:error_of_adjusted_rand",
        also=("ari", "adjusted_rand_score"),
        function=".measures.named_functions:adjusted_rand_index",
    ),
    StatisticRecord(
        name="jaccard",
        title="Jaccard",
        heading="Jaccard",
        reading="Of the pairs that either partition joins, the share that both join.",
        formula=".measures.tables.pair_table:PairTable.jaccard",
        function=".measures.named_functions:jaccard_index",
    ),
    StatisticRecord(
        name="fowlkes_mallows",
        title="Fowlkes-Mallows",
        heading="Fowlkes-M.",
        reading="Of the pairs that one partition joins, the share that the other joins "
        "too: the geometric mean over both directions.",
        formula=".measures.tables.pair_table:PairTable.fowlkes_mallows",
        also=("fm", "fmi", "fowlkes_mallows_score"),
        function=".measures.named_functions:fowlkes_mallows_index",
    ),
    StatisticRecord(
        name="mirkin",
        title="Mirkin",
        heading="Mirkin",
        reading="Twice the number of pairs on which the partitions disagree: a "
        "distance, 0 for equal partitions, that grows with the square of the number of "
        "objects.",
        formula=".measures.tables.pair_table:PairTable.mirkin",
        range=(0.0, None),
        best=0.0,
        function=".measures.named_functions:mirkin_metric",
    ),
    StatisticRecord(
        name="dice",
        title="Dice",
        heading="Dice",
        reading="Of the pairs that one partition joins, the share that the other joins "
        "too: the harmonic mean over both directions.",
        formula=".measures.tables.pair_table:PairTable.dice",
        also=("sorensen_dice",),
        function=".measures.named_functions:dice_coefficient",
    ),
)


def of_pairs(term: Term) -> OfPairsRecord:
    """Return the record of a table, or of other sums over pairs."""
    return FAMILIES[term.of] if term.what == "table" else PAIR_SUMS[term.of]
