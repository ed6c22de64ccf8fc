"""What all records of the catalogue have in common, and the words that they use."""

from dataclasses import KW_ONLY, dataclass
from typing import Literal, TypeVar

Kind = Literal["crisp", "fuzzy", "possibilistic", "overlapping"]
#: What becomes of objects that belong to no cluster; "column" is for memberships.
Noise = Literal["cluster", "singletons", "drop", "column"]
#: Kinds whose rows need not sum to 1.
FREE_SUMS = frozenset({"possibilistic", "overlapping"})
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

ALWAYS: frozenset[Law] = frozenset(
    ("symmetric", "order of clusters", "order of objects", "empty clusters")
)
NOT_POSSIBILISTIC: tuple[Kind, ...] = ("crisp", "fuzzy")
ANY_KIND: tuple[Kind, ...] = ("crisp", "fuzzy", "possibilistic", "overlapping")


@dataclass(frozen=True)
class Record:
    """
    What is declared, by its name.

    Its functions are told as ``"module:name"``, where the package stands for a module
    that begins with a dot, and loaded when they are used.
    """

    name: str


R = TypeVar("R", bound=Record)


def by_name(*records: R) -> dict[str, R]:
    """Return records by their names."""
    return {record.name: record for record in records}


@dataclass(frozen=True)
class MeasureRecord(Record):
    """What an index of partitions and a statistic of a pair table have in common."""

    title: str
    heading: str  # in tables
    reading: str
    formula: str
    _: KW_ONLY
    kinds: tuple[Kind, ...] = NOT_POSSIBILISTIC
    range: tuple[float | None, float | None] = (0.0, 1.0)
    best: float = 1.0
    laws: frozenset[Law] = ALWAYS | {"reflexive", "within range"}
    also: tuple[str, ...] = ()  # what else people call it
    options: tuple[str, ...] = ()  # see `OPTIONS`
    draws: tuple[str, ...] = ()  # which of `tol` and `random_state` matter
    same_as: str = ""  # an index of the same value, of crisp and fuzzy partitions
    function: str = ""  # of the public interface

    @property
    def cost(self) -> Cost:
        """What its time goes with, at best."""
        return "objects"

    @property
    def is_distance(self) -> bool:
        """Whether partitions that agree better have lower values."""
        return self.best == self.range[0]
