"""
What there is, declared once: families, statistics, indices and models of chance.

Everything that lists them reads it: the command line and its completion, headings,
documents and their schemas, the report, the documentation and the tests of laws. It
imports nothing but the standard library, and formulas are loaded when they are used.
"""

from dataclasses import KW_ONLY, dataclass
from functools import cache
from importlib import import_module
from math import inf
from typing import Any, Literal, TypeVar

Kind = Literal["crisp", "fuzzy", "possibilistic", "overlapping"]
#: What becomes of objects that belong to no cluster; "column" is for memberships.
Noise = Literal["cluster", "singletons", "drop", "column"]
#: Kinds whose rows need not sum to 1.
FREE_SUMS = frozenset({"possibilistic", "overlapping"})
#: Values of pairs whose mean difference d is: half the L1 distance, 1 - inner product.
Similarity = Literal["l1", "inner"]
Family = Literal["crisp", "campello", "frigui", "brouwer", "anderson", "huellermeier"]
#: What time goes with: the number of objects, or of pairs of objects.
Cost = Literal["objects", "pairs"]
#: What is true of an index whatever the partitions; tests look for exceptions.
Law = Literal[
    "symmetric",  # P and Q may be exchanged, to the last bit
    "reflexive",  # a partition, fuzzy or not, has the best value with itself
    "order of clusters",  # does not matter
    "order of objects",  # does not matter
    "empty clusters",  # change nothing
    "within range",  # for partitions whose rows sum to 1
]

_PACKAGE = __name__.partition(".")[0]
_ALWAYS: frozenset[Law] = frozenset(
    ("symmetric", "order of clusters", "order of objects", "empty clusters")
)
_NOT_POSSIBILISTIC: tuple[Kind, ...] = ("crisp", "fuzzy")
_ANY_KIND: tuple[Kind, ...] = ("crisp", "fuzzy", "possibilistic", "overlapping")


@dataclass(frozen=True)
class Record:
    """
    What is declared, by its name.

    Its functions are told as ``"module:name"``, where the package stands for a module
    that begins with a dot, and loaded when they are used.
    """

    name: str


R = TypeVar("R", bound=Record)


def _by_name(*records: R) -> dict[str, R]:
    return {record.name: record for record in records}


@dataclass(frozen=True)
class ValueRecord(Record):
    """
    A value of a pair of objects, which one partition gives.

    ``columns(P)`` returns what it is computed from; ``kernel(columns, i0, rows, first,
    width, out)`` fills in the values of a block of pairs, and ``of_windows(ones,
    others, out)`` does so by NumPy. If there is one for each t-norm t, these are
    ``kernel(t)``, and ``of_windows(ones, others, t, out)`` with t on arrays.
    """

    columns: str
    of_windows: str
    kernel: str = ""
    with_t_norm: bool = False
    of_crisp: str = ""  # the mean difference of two crisp partitions, without pairs
    fills_up: Literal["zeros", "last"] = "zeros"  # rows that kernels take in fours


@dataclass(frozen=True)
class FamilyRecord(Record):
    """
    A definition of a, b, c and d: ``formula(terms)`` on sums over objects.

    A sum over pairs names the values that it is made of instead, of P and then of Q:
    ``kernel(*values, width)`` adds up over a block of pairs with so many shifts, or, if
    `of_objects`, ``kernel(*columns, i0, rows, first, width)`` from what values are
    computed from; ``cardinalities(*values)`` tells what each pair adds, by NumPy, and
    ``reach(strata)`` how far that can differ between pairs that are sampled. A family
    with a choice of t-norms has ``kernel(t)``, ``cardinalities(*values, t)`` with t on
    arrays, and ``reach(strata, record)`` of a `TNormRecord`.
    """

    title: str = ""
    reading: str = ""  # how it decides to what degree a pair is together
    formula: str = ""
    values: tuple[str, ...] = ()
    kernel: str = ""
    of_objects: bool = False
    cardinalities: str = ""
    reach: str = ""
    terms: tuple[str, ...] = ()  # see `SUMS`
    kinds: tuple[Kind, ...] = _NOT_POSSIBILISTIC
    t_norm: str = ""  # the default, if there is a choice
    laws: frozenset[Law] = _ALWAYS
    source: str = ""  # a key of the bibliography

    def values_for(self, t_norm: str | None) -> tuple[str, ...]:
        """List the values that a table with a t-norm is made of."""
        return tuple(
            f"{name} ({t_norm})" if VALUES[name].with_t_norm else name
            for name in self.values
        )

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
class TNormRecord(Record):
    """
    A t-norm of two numbers, ``function(x, y)``, in arithmetic, `min` and `max` alone.

    Kernels are compiled with it, and NumPy takes it for arrays. It changes by no more
    than its arguments do together; `by_largest`: than the one that changes more.
    """

    function: str
    families: tuple[str, ...]  # that take it
    by_largest: bool = False


@dataclass(frozen=True)
class MeasureRecord(Record):
    """What an index of partitions and a statistic of a pair table have in common."""

    title: str
    heading: str  # in tables
    reading: str
    formula: str
    _: KW_ONLY
    range: tuple[float | None, float | None] = (0.0, 1.0)
    best: float = 1.0
    laws: frozenset[Law] = _ALWAYS | {"reflexive", "within range"}
    function: str = ""  # of the public interface; ":name" is beside the formula
    source: str = ""


@dataclass(frozen=True)
class StatisticRecord(MeasureRecord):
    """A formula on a pair table: ``formula(table)``."""

    has_error: bool = False  # whether a sample of pairs tells that of the table


@dataclass(frozen=True)
class IndexRecord(MeasureRecord):
    """A formula on terms: ``formula(terms)`` gives a `Score`."""

    terms: tuple[str, ...]  # see `SUMS` and `concordant.gather`
    free_terms: tuple[str, ...] = ()  # instead of these, if rows need not sum to 1
    kinds: tuple[Kind, ...] = _NOT_POSSIBILISTIC
    by_default: bool = False  # whether `compare` computes it unasked
    changes: str = ""  # if an object is left out, for each, from means over its pairs

    @property
    def cost(self) -> Cost:
        """What its time goes with."""
        return "pairs" if any(map(_is_of_pairs, self.terms)) else "objects"

    def terms_for(self, *kinds: str) -> tuple[str, ...]:
        """List the terms that it follows from, of partitions of some kinds."""
        return (FREE_SUMS & {*kinds} and self.free_terms) or self.terms


@dataclass(frozen=True)
class SumRecord(Record):
    """
    A sum over objects, or a view on one: ``view(terms)``.

    ``chunks(K, L)`` returns a `Summary`, to which chunks of objects are added,
    ``whole(P, Q, engine)``, or the method ``of`` of its class, the sum for two
    partitions.
    Where all objects are at hand, ``finer(P, Q, terms, run)`` may tell more than a view
    does.
    """

    chunks: str = ""
    whole: str = ""
    kinds: tuple[Kind, ...] = _ANY_KIND
    view: str = ""
    of: tuple[str, ...] = ()  # sums, of which the first that is defined is viewed
    finer: str = ""


@dataclass(frozen=True)
class NullRecord(Record):
    """
    A model of chance: what d would be if the partitions were unrelated.

    ``formula(P, Q, terms, run)`` returns E[d] as an `Expectation`, from the terms of
    pairs, with distributions if it needs these. ACI is at least `lowest` under it; None
    if there is no bound. Where it only permutes what there is, ACI is 0 if one
    partition says the same of all pairs. ``influence(P, Q, means, run)`` returns what
    each object contributes to E[d] as an `Influence`, from `ObjectMeans`; without it
    there is no interval under this model.
    """

    title: str
    reading: str
    formula: str
    needs_distributions: bool = False
    lowest: float | None = None
    permutes: bool = False
    symmetric: bool = True  # whether P and Q may be exchanged
    influence: str = ""
    source: str = ""


T_NORMS = _by_name(
    TNormRecord(
        "min",
        ".values.t_norms:minimum",
        families=("campello", "huellermeier"),
        by_largest=True,
    ),
    TNormRecord("product", ".values.t_norms:product", ("campello", "huellermeier")),
    TNormRecord("lukasiewicz", ".values.t_norms:lukasiewicz", ("huellermeier",)),
)

VALUES = _by_name(
    *(
        ValueRecord(
            name,
            columns=f".values.{name}:columns",
            of_windows=f".values.{name}:of_windows",
            kernel=f".kernels.pair_values:{kernel}",
            of_crisp=of_crisp,
        )
        for name, kernel, of_crisp in (
            ("l1", "l1", ""),
            ("inner", "inner", ""),
            ("element", "inner", ".shortcuts.random_walks:of_crisp"),
            ("outer", "outer", ""),
        )
    ),
    *(
        ValueRecord(
            name,
            columns=f".values.t_norms:{columns}",
            of_windows=f".values.t_norms:{name}",
            with_t_norm=True,
            fills_up="last",
        )
        for name, columns in (("shared", "memberships"), ("apart", "ends"))
    ),
)

FAMILIES = _by_name(
    FamilyRecord(
        name="crisp",
        title="crisp",
        reading="A pair is together or apart, and pairs are counted.",
        formula=".families.crisp:crisp",
        terms=("counts",),
        kinds=("crisp",),
        laws=_ALWAYS | {"reflexive", "within range"},
        source="hubert-arabie-1985",
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
        cardinalities=".families.campello:cardinalities",
        reach=".families.campello:reach",
        kinds=_ANY_KIND,
        t_norm="min",
        laws=_ALWAYS | {"within range"},
        source="campello-2007",
    ),
    FamilyRecord(
        name="frigui",
        title="Frigui",
        reading="A pair is together to the degree of the inner product of its "
        "memberships; a fuzzy partition does not reach 1 with itself.",
        formula=".families.frigui:frigui",
        terms=("products",),
        laws=_ALWAYS | {"within range"},
        source="frigui-2007",
    ),
    FamilyRecord(
        name="brouwer",
        title="Brouwer",
        reading="A pair is together to the degree of the cosine of its memberships; a "
        "fuzzy partition does not reach 1 with itself.",
        formula=".families.brouwer:brouwer",
        terms=("directions",),
        kinds=_ANY_KIND,
        laws=_ALWAYS | {"within range"},
        source="brouwer-2009",
    ),
    FamilyRecord(
        name="anderson",
        title="Anderson",
        reading="The soft cross table of the clusters is read as if it held counts; a "
        "fuzzy partition does not reach 1 with itself, and values can leave the range "
        "from 0 to 1.",
        formula=".families.anderson:anderson",
        terms=("products",),
        kinds=_ANY_KIND,
        source="anderson-2010",
    ),
    FamilyRecord(
        name="huellermeier",
        title="Hüllermeier",
        reading="A pair is as similar as its memberships are, and partitions agree "
        "to the degree that they find it equally similar; every partition "
        "reaches 1 with itself, and with the product the Rand index is NDC.",
        values=("l1",),
        kernel=".kernels.with_t_norms:huellermeier",
        cardinalities=".families.huellermeier:cardinalities",
        reach=".families.huellermeier:reach",
        t_norm="product",
        laws=_ALWAYS | {"reflexive", "within range"},
        source="huellermeier-2012",
    ),
)

#: Sums over pairs that indices follow from, four each, as those of a family are. Of two
#: crisp partitions, ``formula(table)`` gives them.
PAIR_SUMS = _by_name(
    FamilyRecord(
        name="wallace",
        formula=".families.wallace:of_crisp",
        values=("l1", "inner"),
        kernel=".kernels.folds:wallace",
        cardinalities=".families.wallace:cardinalities",
    ),
    FamilyRecord(
        name="omega",
        formula=".families.omega:of_crisp",
        values=("inner",),
        kernel=".kernels.folds:omega",
        cardinalities=".families.omega:cardinalities",
        kinds=_ANY_KIND,
    ),
)

STATISTICS = _by_name(
    StatisticRecord(
        name="rand",
        title="Rand",
        heading="Rand",
        reading="The share of pairs on which the partitions agree; it is often high "
        "for unrelated partitions as well.",
        formula=".families.pair_table:PairTable.rand",
        has_error=True,
        function=".measures.statistics:rand_index",
        source="rand-1971",
    ),
    StatisticRecord(
        name="adjusted_rand",
        title="Adjusted Rand",
        heading="adj. Rand",
        reading="The Rand index in the form of Hubert and Arabie: for crisp partitions "
        "0 by chance and 1 for equal ones; for fuzzy partitions no family achieves "
        "both, but ACI does.",
        formula=".families.pair_table:PairTable.adjusted_rand",
        range=(None, 1.0),
        has_error=True,
        function=".measures.statistics:adjusted_rand_index",
        source="hubert-arabie-1985",
    ),
    StatisticRecord(
        name="jaccard",
        title="Jaccard",
        heading="Jaccard",
        reading="Of the pairs that either partition joins, the share that both join.",
        formula=".families.pair_table:PairTable.jaccard",
        function=".measures.statistics:jaccard_index",
        source="jaccard-1912",
    ),
    StatisticRecord(
        name="fowlkes_mallows",
        title="Fowlkes-Mallows",
        heading="Fowlkes-M.",
        reading="Of the pairs that one partition joins, the share that the other joins "
        "too: the geometric mean over both directions.",
        formula=".families.pair_table:PairTable.fowlkes_mallows",
        function=".measures.statistics:fowlkes_mallows_index",
        source="fowlkes-mallows-1983",
    ),
    StatisticRecord(
        name="mirkin",
        title="Mirkin",
        heading="Mirkin",
        reading="Twice the number of pairs on which the partitions disagree: a "
        "distance, 0 for equal partitions, that grows with the square of the number of "
        "objects.",
        formula=".families.pair_table:PairTable.mirkin",
        range=(0.0, None),
        best=0.0,
        function=".measures.statistics:mirkin_metric",
        source="mirkin-1996",
    ),
    StatisticRecord(
        name="dice",
        title="Dice",
        heading="Dice",
        reading="Of the pairs that one partition joins, the share that the other joins "
        "too: the harmonic mean over both directions.",
        formula=".families.pair_table:PairTable.dice",
        function=".measures.statistics:dice_coefficient",
        source="dice-1945",
    ),
)

INDICES = _by_name(
    IndexRecord(
        name="aci",
        title="Adjusted concordance index",
        heading="ACI",
        reading="Agreement corrected for chance: 1 for equal partitions, 0 by chance.",
        formula=".formulas.adjusted:aci",
        terms=("concordance",),
        by_default=True,
        range=(-2.0, 1.0),
        function=".measures.concordance:adjusted_concordance_index",
        changes=".influence.leave_one_out:changes_of_aci",
        source="amodio-2015",
    ),
    IndexRecord(
        name="ndc",
        title="Normalized degree of concordance",
        heading="NDC",
        reading="Mean agreement on a pair of objects; it is often high for unrelated "
        "partitions as well.",
        formula=".formulas.adjusted:ndc",
        terms=("discordance",),
        by_default=True,
        function=".measures.concordance:normalized_degree_of_concordance",
        changes=".influence.leave_one_out:changes_of_ndc",
        source="huellermeier-2012",
    ),
    IndexRecord(
        name="expected",
        title="Expected NDC",
        heading="expected NDC",
        reading="The NDC that chance gives: its mean over all permutations of the "
        "objects of one partition.",
        formula=".formulas.adjusted:expected",
        terms=("concordance",),
        by_default=True,
        laws=_ALWAYS | {"within range"},
        source="amodio-2015",
    ),
    IndexRecord(
        name="agri",
        title="Adjusted generalized Rand index",
        heading="AGRI",
        reading="Agreement on the inner products of memberships, corrected for chance: "
        "1 for equal partitions, 0 by chance, the adjusted Rand index for crisp "
        "partitions.",
        formula=".measures.generalized_rand:agri",
        terms=("concordance (inner)",),
        free_terms=("concordance (inner)", "concordance (outer)", "row products"),
        kinds=_ANY_KIND,
        range=(-2.0, 1.0),
        function=":adjusted_generalized_rand_index",
        source="horta-campello-2015",
    ),
    IndexRecord(
        name="gri",
        title="Generalized Rand index",
        heading="GRI",
        reading="Mean agreement on the inner products of memberships; it is often high "
        "for unrelated partitions as well.",
        formula=".measures.generalized_rand:gri",
        terms=("discordance (inner)",),
        free_terms=("discordance (inner)", "discordance (outer)", "row products"),
        kinds=_ANY_KIND,
        function=":generalized_rand_index",
        source="horta-campello-2015",
    ),
    *(
        IndexRecord(
            name=f"credal_{distance}",
            title=f"Credal Rand index with {title}",
            heading=f"credal Rand {distance}",
            reading=f"One minus the mean {title} between what the partitions say about "
            "a pair, as belief functions; for crisp and fuzzy partitions, whose masses "
            "lie on single clusters, it is the generalized Rand index.",
            formula=".measures.generalized_rand:gri",
            terms=("discordance (inner)",),
            source="denoeux-2018",
        )
        for distance, title in (
            ("j", "Jousselme distance"),
            ("b", "belief distance"),
        )
    ),
    IndexRecord(
        name="omega",
        title="Omega index",
        heading="omega",
        reading="For covers, the share of pairs that are together in the same number "
        "of clusters in both, corrected for chance; for other memberships, "
        "how close the inner products are, which for crisp and fuzzy "
        "partitions is the adjusted generalized Rand index.",
        formula=".measures.generalized_rand:omega",
        terms=("concordance (inner)",),
        free_terms=("omega", "concordance (inner)", "distributions (inner)"),
        range=(-2.0, 1.0),
        kinds=_ANY_KIND,
        function=":omega_index",
        source="collins-dent-1988",
    ),
    IndexRecord(
        name="element_centric",
        title="Element-centric similarity",
        heading="element-centric",
        reading="How alike the random walks over clusters that start from the same "
        "object are, on average; it is not corrected for chance.",
        formula=".measures.element_centric:element_centric",
        terms=("discordance (element)", "own affinities"),
        free_terms=("mean score",),
        kinds=("crisp", "fuzzy", "overlapping"),
        function=":element_centric_similarity",
        source="gates-2019",
    ),
    *(
        IndexRecord(
            name=f"wallace_{name}",
            title=f"Fuzzy Wallace {name}",
            heading=f"Wallace {name[:4]}.",
            reading="How far the partitions agree, on average, on the similarity of a "
            f"pair that {side} holds together; it is often high for unrelated "
            "partitions as well.",
            formula=f".measures.fuzzy_wallace:{name}",
            terms=("wallace", "lost weights"),
            laws=_ALWAYS - {"symmetric"} | {"reflexive", "within range"},
            function=f":wallace_{name}",
            source="wallace-1983",
        )
        for name, side in (("homogeneity", "Q"), ("completeness", "P"))
    ),
    IndexRecord(
        name="nmi",
        title="Normalized mutual information",
        heading="NMI",
        reading="How much the clusters of one partition tell about those of the other, "
        "as a share of their mean entropy; it is not corrected for chance, and a fuzzy "
        "partition does not reach 1 with itself.",
        formula=".measures.mutual_information:nmi",
        terms=("contingency",),
        by_default=True,
        laws=_ALWAYS | {"within range"},
        function=":normalized_mutual_information",
        source="lei-2014",
    ),
    IndexRecord(
        name="fri",
        title="Fuzzy Rand index of Andrews, Browne and Hvingelby",
        heading="FRI",
        reading="Agreement of the inner products of memberships, each partition's "
        "scaled to be as close to 1 as possible; it is often high for "
        "unrelated partitions as well.",
        formula=".measures.fuzzy_rand:fri",
        terms=("bonds",),
        range=(None, 1.0),
        source="andrews-2022",
    ),
    IndexRecord(
        name="fari",
        title="Fuzzy adjusted Rand index",
        heading="FARI",
        reading="FRI corrected for chance: 1 for equal partitions, 0 by chance; it "
        "depends on the last digits of memberships where all are near 1/K.",
        formula=".measures.fuzzy_rand:fari",
        terms=("bonds",),
        range=(None, 1.0),
        function=":fuzzy_adjusted_rand_index",
        source="andrews-2022",
    ),
    IndexRecord(
        name="mutual_information",
        title="Mutual information",
        heading="mutual inf.",
        reading="How much the clusters of one partition tell about those of the other, "
        "in nats.",
        formula=".measures.mutual_information:mutual_information",
        terms=("contingency",),
        range=(0.0, None),
        best=inf,
        laws=_ALWAYS | {"within range"},
        source="lei-2014",
    ),
    IndexRecord(
        name="vi",
        title="Variation of information",
        heading="VI",
        reading="How much of each partition the other leaves unexplained, in nats: a "
        "distance, 0 for equal crisp partitions.",
        formula=".measures.mutual_information:vi",
        terms=("contingency",),
        range=(0.0, None),
        best=0.0,
        laws=_ALWAYS | {"within range"},
        source="meila-2007",
    ),
    IndexRecord(
        name="homogeneity",
        title="Homogeneity",
        heading="homogeneity",
        reading="The share of the entropy of P that the clusters of Q explain: 1 if "
        "each of them holds objects of one cluster of P.",
        formula=".measures.mutual_information:homogeneity",
        terms=("contingency",),
        laws=_ALWAYS - {"symmetric"} | {"within range"},
        source="rosenberg-hirschberg-2007",
    ),
    IndexRecord(
        name="completeness",
        title="Completeness",
        heading="completeness",
        reading="The share of the entropy of Q that the clusters of P explain: 1 if "
        "the objects of each of them are in one cluster of Q.",
        formula=".measures.mutual_information:completeness",
        terms=("contingency",),
        laws=_ALWAYS - {"symmetric"} | {"within range"},
        source="rosenberg-hirschberg-2007",
    ),
    IndexRecord(
        name="v_measure",
        title="V-measure",
        heading="V-measure",
        reading="The harmonic mean of homogeneity and completeness, which is NMI.",
        formula=".measures.mutual_information:nmi",
        terms=("contingency",),
        laws=_ALWAYS | {"within range"},
        source="rosenberg-hirschberg-2007",
    ),
    IndexRecord(
        name="purity",
        title="Purity",
        heading="purity",
        reading="The share of the objects that belong to the main cluster of P in "
        "their cluster of Q; it grows with the number of clusters of Q.",
        formula=".measures.mutual_information:purity",
        terms=("contingency",),
        laws=_ALWAYS - {"symmetric"} | {"within range"},
        source="zhao-karypis-2004",
    ),
    IndexRecord(
        name="ami",
        title="Adjusted mutual information",
        heading="AMI",
        reading="Mutual information corrected for chance: 0 by chance, 1 for equal "
        "crisp partitions; a fuzzy partition does not reach 1 with itself.",
        formula=".measures.mutual_information:ami",
        terms=("contingency", "expected information"),
        range=(None, 1.0),
        laws=_ALWAYS - {"order of objects"} | {"within range"},
        function=":adjusted_mutual_information",
        source="vinh-2010",
    ),
    IndexRecord(
        name="hardened_ari",
        title="Adjusted Rand index of random labels",
        heading="hardened ARI",
        reading="The mean adjusted Rand index when each object's cluster is drawn from "
        "its memberships; a fuzzy partition does not reach 1 with itself.",
        formula=".measures.hardenings:hardened_ari",
        terms=("hardened",),
        range=(None, 1.0),
        laws=frozenset({"symmetric", "empty clusters", "within range"}),
        source="campagner-2023",
    ),
    IndexRecord(
        name="matched",
        title="Agreement after matching the clusters",
        heading="matched",
        reading="How near the memberships are once each cluster has been paired with "
        "its counterpart, by the Euclidean distance: G' of CLUMPP.",
        formula=".measures.matched:matched",
        terms=("matching",),
        source="jakobsson-2007",
    ),
)

#: Terms that two fuzzy partitions have from all pairs, of the similarity of a run.
OF_PAIRS = frozenset({"concordance", "discordance"})

#: Terms that are sums over objects, from which families and indices follow.
SUMS = _by_name(
    SumRecord("products", chunks=".terms.products:MembershipSums"),
    SumRecord("directions", chunks=".terms.products:DirectionSums"),
    SumRecord(
        "counts",
        chunks=".terms.contingency:CountSums",
        whole=".terms.contingency:counts",
        kinds=("crisp",),
    ),
    SumRecord(
        "contingency",
        view=".terms.contingency:contingency",
        of=("counts", "products"),
    ),
    SumRecord("moments", chunks=".terms.products:MomentSums"),
    SumRecord("bonds", view=".formulas.bonds:bonds", of=("counts", "moments")),
    SumRecord(
        "expected information",
        view=".formulas.expected_information:expected_information",
        of=("counts", "products"),
        finer=".formulas.expected_information:by_permutations",
    ),
)

#: Other terms, ``formula(P, Q, run)``; those of pairs are filled in one visit.
TERMS: dict[str, str] = {
    "row products": ".values.outer:row_products",
    "own affinities": ".shortcuts.random_walks:own_affinities",
    "mean score": ".shortcuts.random_walks:mean_score",
    "lost weights": ".families.wallace:lost_weights",
    "object means": ".influence.leave_one_out:left_out_of_run",
    "hardened": ".measures.hardenings:hardened",
    "matching": ".terms.matching:matching_of_run",
}

NULLS = _by_name(
    NullRecord(
        name="permutations",
        title="permutations of the objects",
        reading="The objects of one partition are permuted in all n! ways.",
        formula=".nulls.permutations:expectation",
        needs_distributions=True,
        lowest=-2.0,
        permutes=True,
        influence=".nulls.permutations:influence",
        source="amodio-2015",
    ),
    NullRecord(
        name="sampled-permutations",
        title="random permutations of the similarities",
        reading="The similarities of one partition are permuted at random, as often as "
        "`n_permutations` says.",
        formula=".nulls.sampled_permutations:expectation",
        permutes=True,
        source="amodio-2015",
    ),
    *(
        NullRecord(
            name=f"dirichlet-{model}{suffix}",
            title=f"{model} Dirichlet distribution of {who}",
            reading=f"The memberships of each object of {who} are drawn from a "
            f"Dirichlet distribution: {which}.",
            formula=f".nulls.dirichlet:{model}{suffix.replace('-', '_')}",
            needs_distributions=bool(suffix),
            symmetric=not suffix,
            source="dewolfe-andrews-2025",
        )
        for model, which in (
            ("flat", "all rows are equally likely"),
            (
                "symmetric",
                "the one of maximum likelihood with the same mean in all clusters",
            ),
            ("fitted", "the one of maximum likelihood"),
        )
        for suffix, who in (("", "both partitions"), ("-one-sided", "Q"))
    ),
)


def pair_sums(name: str) -> FamilyRecord:
    """Return the record of a family, or of other sums over pairs."""
    return FAMILIES.get(name) or PAIR_SUMS[name]


def _is_of_pairs(term: str) -> bool:
    """Return whether a term is a sum over pairs."""
    return term in OF_PAIRS or term in PAIR_SUMS or term_of_value(term) is not None


def parts_of(name: str) -> tuple[str, str | None]:
    """Take ``"shared (min)"`` apart: a name, and what it is of, if that is told."""
    name, _, of = name.removesuffix(")").partition(" (")
    return name, of or None


def term_of_value(name: str) -> tuple[str, str] | None:
    """Take ``"discordance (inner)"`` apart: a term of pairs, and of which value."""
    term, value = parts_of(name)
    known = term in OF_PAIRS or term == "distributions"
    return (term, value) if value and known else None


def families_of_kinds(*kinds: str) -> tuple[str, ...]:
    """List the families that are defined for partitions of some kinds."""
    return tuple(
        name
        for name, record in FAMILIES.items()
        if all(kind in record.kinds for kind in kinds)
    )


def sum_behind(term: str, *kinds: str) -> str | None:
    """Return the sum over objects that a term follows from; None if there is none."""
    names = (SUMS[term].of or (term,)) if term in SUMS else ()
    return next((name for name in names if {*kinds} <= {*SUMS[name].kinds}), None)


def table_name(family: str, t_norm: str | None) -> str:
    """Name a table: ``"family"``, or ``"family (t-norm)"`` where it has a choice."""
    return family if t_norm is None else f"{family} ({t_norm})"


def tables_of_family(family: str) -> dict[str, tuple[str, str | None]]:
    """Return the family and t-norm of each table of a family, by the table's name."""
    t_norms: tuple[str | None, ...] = pair_sums(family).t_norms or (None,)
    return {table_name(family, t_norm): (family, t_norm) for t_norm in t_norms}


def table_of(name: str) -> tuple[str, str | None] | None:
    """Return the family and t-norm of a table by its name; None if there is no such."""
    family, _ = parts_of(name)
    return tables_of_family(family).get(name) if family in FAMILIES else None


def score_name(statistic: str, family: str, t_norm: str | None) -> str:
    """Name a statistic of a table: ``"frigui/rand"`` or ``"campello/min/rand"``."""
    return "/".join(filter(None, (family, t_norm, statistic)))


def heading_of(name: str) -> str:
    """Return what stands above the values of an index or a statistic."""
    return (INDICES.get(name) or STATISTICS[name]).heading


def functions() -> dict[str, str]:
    """Return the modules of the public functions of indices, by their names."""
    found = {}
    for record in (*INDICES.values(), *STATISTICS.values()):
        module, _, name = record.function.partition(":")
        module = module or record.formula.partition(":")[0]
        if name:
            found[name] = f"{_PACKAGE}{module}" if module[0] == "." else module
    return found


def value_of(name: str) -> tuple[ValueRecord, str | None]:
    """Return what is known of a value, and its t-norm: ``"shared (min)"``."""
    kind, t_norm = parts_of(name)
    return VALUES[kind], t_norm


@cache
def kernel_of(formula: str, t_norm: str | None) -> Any:
    """Return a kernel, the one with a t-norm if it has a choice."""
    found = loaded(formula)
    return found if t_norm is None else found(loaded(T_NORMS[t_norm].function))


@cache
def loaded(formula: str) -> Any:
    """Import what ``"module:name"`` tells; of a property, what computes it."""
    module, _, name = formula.partition(":")
    found: Any = import_module(module, _PACKAGE)
    for part in name.split("."):
        found = getattr(found, part)
    return found.fget if isinstance(found, property) else found
