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
    An option of some indices: one of the `choices`, or what `kind` says.

    It `settles` with which table or terms an index is computed, by the run or the
    keywords of a table, or it is an argument of the formula.
    """

    _: KW_ONLY
    default: object
    settles: Literal["table", "run", "terms", "formula"]
    annotation: str  # for type checkers
    told: str  # its type and default, for documentation
    reading: str
    choices: tuple[str, ...] = ()
    kind: Literal["choice", "flag", "share"] = "choice"


OPTIONS = by_name(
    OptionRecord(
        "family",
        default=None,
        settles="table",
        annotation="Family | None",
        told="str, optional",
        reading='The definition of a, b, c and d, see `pair_table`: ``"huellermeier"`` '
        "by default, the classical one if both partitions are crisp.",
        choices=tuple(FAMILIES),
    ),
    OptionRecord(
        "t_norm",
        default=None,
        settles="table",
        annotation="str | None",
        told='{"min", "product", "lukasiewicz"}, optional',
        reading="The t-norm, if the family has a choice.",
        choices=tuple(T_NORMS),
    ),
    OptionRecord(
        "similarity",
        default="l1",
        settles="run",
        annotation="Similarity",
        told='{"l1", "inner"}, default="l1"',
        reading="The similarity of a pair of objects; see `concordance`.",
        choices=("l1", "inner"),
    ),
    OptionRecord(
        "null",
        default="permutations",
        settles="run",
        annotation="str",
        told='str, default="permutations"',
        reading="The model of chance; see `concordance`.",
        choices=tuple(NULLS),
    ),
    OptionRecord(
        "clip",
        default=False,
        settles="formula",
        annotation="bool",
        told="bool, default=False",
        reading="Whether a negative value is set to 0, as the paper allows.",
        kind="flag",
    ),
    OptionRecord(
        "average",
        default="arithmetic",
        settles="formula",
        annotation='Literal["arithmetic", "geometric", "min", "max"]',
        told='{"arithmetic", "geometric", "min", "max"}, default="arithmetic"',
        reading="Which mean of the two entropies mutual information is divided by, or "
        "the smaller or larger of them.",
        choices=("arithmetic", "geometric", "min", "max"),
    ),
    OptionRecord(
        "alpha",
        default=0.9,
        settles="terms",
        annotation="float",
        told="float, default=0.9",
        reading="How often the walk goes on, between 0 and 1.",
        kind="share",
    ),
    OptionRecord(
        "distance",
        default="euclidean",
        settles="terms",
        annotation='Literal["euclidean", "manhattan", "cosine"]',
        told='{"euclidean", "manhattan", "cosine"}, default="euclidean"',
        reading="The distance of the memberships that the matching minimizes.",
        choices=("euclidean", "manhattan", "cosine"),
    ),
)
