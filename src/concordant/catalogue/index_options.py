"""Options of indices: what `score` and the named functions take beside partitions."""

from dataclasses import KW_ONLY, dataclass
from typing import Literal

from concordant.catalogue.families import FAMILIES
from concordant.catalogue.nulls import NULLS
from concordant.catalogue.records import Record, by_name
from concordant.catalogue.values import T_NORMS


@dataclass(frozen=True)
class OptionRecord(Record):
    """
    An option of some indices: one of the `choices`, else a flag or a share.

    It `settles` with which table or terms an index is computed, by the run or the
    keywords of a table, or it is an argument of the formula.
    """

    _: KW_ONLY
    default: object
    settles: Literal["table", "run", "terms", "formula"]
    annotation: str  # for type checkers
    reading: str
    choices: tuple[str, ...] = ()

    @property
    def told(self) -> str:
        """Its type and default, for documentation."""
        named = ", ".join(f'"{choice}"' for choice in self.choices)
        kind = f"{{{named}}}" if named else type(self.default).__name__
        if self.default is None:
            return f"{kind}, optional"
        default = f'"{self.default}"' if named else self.default
        return f"{kind}, default={default}"


OPTIONS = by_name(
    OptionRecord(
        "family",
        default=None,
        settles="table",
        annotation="Family | None",
        reading='The definition of a, b, c and d, see `pair_table`: ``"huellermeier"`` '
        "by default, the classical one if both partitions are crisp.",
        choices=tuple(FAMILIES),
    ),
    OptionRecord(
        "t_norm",
        default=None,
        settles="table",
        annotation="str | None",
        reading="The t-norm, if the family has a choice.",
        choices=tuple(T_NORMS),
    ),
    OptionRecord(
        "similarity",
        default="l1",
        settles="run",
        annotation="Similarity",
        reading="The similarity of a pair of objects; see `concordance`.",
        choices=("l1", "inner"),
    ),
    OptionRecord(
        "null",
        default="permutations",
        settles="run",
        annotation="str",
        reading="The model of chance; see `concordance`.",
        choices=tuple(NULLS),
    ),
    OptionRecord(
        "clip",
        default=False,
        settles="formula",
        annotation="bool",
        reading="Whether a negative value is set to 0, as the paper allows.",
    ),
    OptionRecord(
        "average",
        default="arithmetic",
        settles="formula",
        annotation='Literal["arithmetic", "geometric", "min", "max"]',
        reading="Which mean of the two entropies mutual information is divided by, or "
        "the smaller or larger of them.",
        choices=("arithmetic", "geometric", "min", "max"),
    ),
    OptionRecord(
        "alpha",
        default=0.9,
        settles="terms",
        annotation="float",
        reading="How often the walk goes on, between 0 and 1.",
    ),
    OptionRecord(
        "distance",
        default="euclidean",
        settles="terms",
        annotation='Literal["euclidean", "manhattan", "cosine"]',
        reading="The distance of the memberships that the matching minimizes.",
        choices=("euclidean", "manhattan", "cosine"),
    ),
)
