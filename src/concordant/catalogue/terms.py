"""Terms: what indices and families follow from, each computed once."""

from dataclasses import dataclass
from typing import NamedTuple

from concordant.catalogue.records import ANY_KIND, Kind, Record, by_name

#: Terms of one value of pairs: d with its expectation, d alone, what values there are.
_OF_VALUES = frozenset({"concordance", "discordance", "distributions"})


class Term(NamedTuple):
    """
    What indices follow from: `what` it is, of which value of pairs or which sums.

    ``Term("table", family, t_norm)`` is a `PairTable`; ``Term("pair sums", name)`` are
    one of `PAIR_SUMS`. A concordance or a discordance is that of the run's value and
    model of chance, or `of` a value and by permutations.
    """

    what: str
    of: str = ""
    t_norm: str | None = None

    def __str__(self) -> str:
        """Return what people and files call it, as ``"campello (min)"``."""
        is_named = self.what in ("table", "pair sums")
        name, of = (self.of, self.t_norm) if is_named else (self.what, self.of)
        return f"{name} ({of})" if of else name

    @property
    def is_of_values(self) -> bool:
        """Whether it is about the differences of one value of pairs."""
        return self.what in _OF_VALUES

    @property
    def is_of_pairs(self) -> bool:
        """Whether it is a sum over pairs; tables are if their family is."""
        return self.is_of_values or self.what == "pair sums"


CONCORDANCE = Term("concordance")
DISCORDANCE = Term("discordance")
#: Terms that two fuzzy partitions have from all pairs, of the similarity of a run.
OF_PAIRS = frozenset({CONCORDANCE, DISCORDANCE})
#: Of two crisp partitions.
CRISP_TABLE = Term("table", "crisp")
OBJECT_MEANS = Term("object means")


@dataclass(frozen=True)
class SumRecord(Record):
    """
    A sum over objects, or a view on one: ``view(sum)``.

    ``chunks(K, L)`` returns a `Summary`, to which chunks of objects are added, and
    ``chunks.of(P, Q, engine)`` the sum for two partitions.
    Where all objects are at hand, ``finer(P, Q, found, sum, run)`` may tell more than
    a view has found.
    """

    chunks: str = ""
    kinds: tuple[Kind, ...] = ANY_KIND
    view: str = ""
    of: tuple[str, ...] = ()  # sums, of which the first that is defined is viewed
    finer: str = ""


#: Terms that are sums over objects, from which families and indices follow.
SUMS = by_name(
    SumRecord("products", chunks=".sums.products:MembershipSums"),
    SumRecord("directions", chunks=".sums.products:DirectionSums"),
    SumRecord("counts", chunks=".sums.contingency:CountSums", kinds=("crisp",)),
    SumRecord(
        "contingency", view=".sums.contingency:contingency", of=("counts", "products")
    ),
    SumRecord("moments", chunks=".sums.products:MomentSums"),
    SumRecord("bonds", view=".measures.fuzzy_rand:bonds", of=("counts", "moments")),
    SumRecord(
        "expected information",
        view=".measures.expected_information:expected_information",
        of=("counts", "products"),
        finer=".measures.expected_information:by_permutations",
    ),
)

#: Other terms, ``formula(P, Q, run)``.
TERMS: dict[str, str] = {
    "row products": ".pairs.values.outer:row_products",
    "own affinities": ".measures.element_centric:own_affinities",
    "mean score": ".measures.element_centric:mean_score",
    "lost weights": ".measures.fuzzy_wallace:lost_weights",
    "object means": ".inference.leave_one_out:left_out_of_run",
    "hardened": ".measures.hardenings:hardened",
    "matching": ".sums.matching:matching_of_run",
}
