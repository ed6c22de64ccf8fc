"""What was asked of two partitions, computed: scores by name, and how they print."""

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from concordant.catalogue import (
    FAMILIES,
    FREE_SUMS,
    INDICES,
    STATISTICS,
    T_NORMS,
    families_of_kinds,
    loaded,
    parts_of,
    score_name,
    table_of,
    tables_of_family,
)
from concordant.chance_result import ConcordanceTest
from concordant.errors import Argument, InputError, Message, Setting, Wordings
from concordant.families.defined import check_t_norm
from concordant.families.pair_table import PairTable
from concordant.formulas.adjusted import Concordance, Score, said_of_setting
from concordant.influence.interval import (
    ConfidenceInterval,
    check_level,
    interval_of_score,
)
from concordant.partition.noise import levels_to_the_caller
from concordant.partition.partition import Partition
from concordant.printing import Readable, Shown, short, size_of_error
from concordant.wording import check_choice, count, pandas_for

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure

#: What ACI means.
READING = "1: perfect agreement, 0: chance level"

#: What is said of tables of two crisp partitions.
ALL_AGREE = "all families agree on crisp partitions"

#: What a record tells of an interval.
INTERVAL = ("standard_error", "low", "high", "level")

_SHOWN = 1e-9  # an error below is not seen in six decimals
_FEW_TABLES = 4  # of more, one for each family is printed
_MOST_NAMES = 5  # that are proposed for one that there is not


@dataclass(frozen=True)
class Wanted:
    """
    What is asked of two partitions.

    `indices` are names of the catalogue, of indices and of statistics; None means those
    that the catalogue computes by default and those of `besides`. `families` and
    `t_norm` restrict the tables that statistics are computed from; None means all that
    are defined for the partitions. `interval` is the level of confidence intervals, or
    None; `test` is whether a permutation test is made.
    """

    indices: tuple[str, ...] | None = None
    families: tuple[str, ...] | None = None
    t_norm: str | None = None
    interval: float | None = None
    test: bool = False
    besides: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in self.indices or ():
            check_choice("indices", name, (*INDICES, *STATISTICS), optional=False)
        for family in self.families or ():
            check_choice("families", family, tuple(FAMILIES), optional=False)
            check_t_norm(family, self.t_norm)
        check_choice("t_norm", self.t_norm, tuple(T_NORMS))
        if self.interval is not None:
            check_level(self.interval, "interval")
        for name, asked in (("interval", self.interval), ("test", self.test or None)):
            if asked is not None and not self.with_interval:
                names = (name for name, record in INDICES.items() if record.changes)
                raise InputError(Argument(name), " is for ", Setting("indices", *names))

    @property
    def with_interval(self) -> tuple[str, ...]:
        """The wanted indices that have an interval without resampling, and a test."""
        return tuple(name for name in self.all_indices if INDICES[name].changes)

    @property
    def statistics(self) -> tuple[str, ...]:
        """The statistics of tables that are wanted."""
        return tuple(name for name in STATISTICS if self._is_wanted(name))

    @property
    def all_indices(self) -> tuple[str, ...]:
        """The indices that are wanted, defined or not."""
        return tuple(name for name in INDICES if self._is_wanted(name))

    def indices_for(self, *kinds: str) -> tuple[str, ...]:
        """List the indices that are wanted and defined, or were asked for by name."""
        return tuple(
            name
            for name in self.all_indices
            if self.indices is not None
            or all(kind in INDICES[name].kinds for kind in kinds)
        )

    def tables_for(self, *kinds: str) -> tuple[str, ...]:
        """List the names of the tables that statistics are computed from."""
        if not self.statistics:
            return ()
        if {*kinds} == {"crisp"}:
            return ("crisp",)
        families = families_of_kinds(*kinds) if self.families is None else self.families
        return tuple(
            name
            for family in families
            for name, (_, t_norm) in tables_of_family(family).items()
            if self.t_norm in (None, t_norm)
        )

    def without_pair_tables(self, *kinds: str) -> "tuple[Wanted, tuple[str, ...]]":
        """Leave out families that are sums over pairs, and name their tables."""
        families = families_of_kinds(*kinds)
        kept = tuple(name for name in families if not FAMILIES[name].values)
        tables = self.tables_for(*kinds)
        less = replace(self, families=kept)
        return less, tuple(
            name for name in tables if name not in less.tables_for(*kinds)
        )

    def terms_for(self, *kinds: str) -> tuple[str, ...]:
        """List the terms that all of it follows from."""
        of_indices = (INDICES[x].terms_for(*kinds) for x in self.indices_for(*kinds))
        terms = [term for terms in of_indices for term in terms]
        if self.interval is not None:
            terms.append("object means")
        return tuple(dict.fromkeys((*terms, *self.tables_for(*kinds))))

    def _is_wanted(self, name: str) -> bool:
        if self.indices is not None:
            return name in self.indices
        by_default = name in STATISTICS or INDICES[name].by_default
        return by_default or name in self.besides


class Scores(dict[str, Score]):
    """Scores by name, which propose names that are near to one that there is not."""

    def __missing__(self, name: str) -> Score:
        """Return the score of a former name, or of a statistic of the only table."""
        if not isinstance(name, str):
            raise KeyError(f"scores have names, found {name!r}")
        statistic, _, table = name.partition(", ")
        parts = table_of(table)
        new = "" if parts is None else score_name(statistic, *parts)
        if new in self:
            told, levels = f'"{name}" is now called "{new}"', levels_to_the_caller()
            warnings.warn(f"the score {told}", DeprecationWarning, stacklevel=levels)
            return self[new]
        found = [key for key in self if key.rpartition("/")[2] == name]
        if len(found) == 1:
            return self[found[0]]
        if not found:
            from difflib import get_close_matches

            found = get_close_matches(name.lower(), self, _MOST_NAMES)
        proposed = ", ".join(f'"{key}"' for key in found[:_MOST_NAMES])
        hint = f"did you mean {proposed}? " if proposed else ""
        raise KeyError(f'no score "{name}"; {hint}list(comparison) has all names')


@dataclass(frozen=True, repr=False)
class Comparison(Readable, Mapping[str, float]):
    """
    Indices of two partitions, by name.

    ``comparison["aci"]`` is the value of one and ``dict(comparison)`` has all; the
    headline is also ``comparison.aci``, ``.ndc``, ``.interval`` and ``.pvalue``.

    Parameters
    ----------
    kinds : tuple of str
        The kinds of P and Q.
    n_clusters : tuple of int
        K and L.
    n_objects : int
        The number of objects, n.
    scores : mapping of str to Score
        Value and error by name: ``"aci"``, ``"ndc"``, ``"expected"`` and the other
        indices of `concordant.indices`, and for the statistics of pair tables
        ``"family/statistic"`` or ``"family/t-norm/statistic"``, as
        ``"campello/min/rand"``.
    tables : mapping of str to PairTable
        By ``"family"``, or ``"family (t-norm)"`` where it has a choice. Two crisp
        partitions have one, ``"crisp"``, on which all families agree.
    concordance : Concordance or None
        NDC and ACI with d, E[d] and the algorithm that gave them; None if neither was
        asked for, for possibilistic partitions, and where a stream cannot give it.
    left_out : tuple of str
        Indices that were wanted, but are not defined for these kinds, or take more than
        the one pass of a stream; and tables that nobody asked for by name and for which
        all of very many pairs would have to be visited.
    partitions : tuple of two Partitions, optional
        P and Q themselves, as `plot` needs them.
    intervals : mapping of str to ConfidenceInterval
        By the name of the index, ``"aci"`` and ``"ndc"``; empty unless `compare` was
        asked for them by ``interval=``.
    test : ConcordanceTest, optional
        The permutation test, if `compare` was asked for it by ``test=True``.
    similarity : {"l1", "inner"}
        The similarity of a pair of objects on which NDC and ACI are based.
    null : str
        The model of chance that ACI is adjusted for.
    """

    kinds: tuple[str, str]
    n_clusters: tuple[int, int]
    n_objects: int
    scores: Scores
    tables: Mapping[str, PairTable]
    concordance: Concordance | None = None
    left_out: tuple[str, ...] = ()
    partitions: tuple[Partition, Partition] | None = field(default=None, compare=False)
    intervals: Mapping[str, ConfidenceInterval] = field(default_factory=dict)
    test: ConcordanceTest | None = None
    similarity: str = "l1"
    null: str = "permutations"

    def __getitem__(self, name: str) -> float:
        """
        Return the value of an index.

        Parameters
        ----------
        name : str
            One of `scores`; a statistic needs no table if there is only one.

        Returns
        -------
        float
            Its value.
        """
        return self.scores[name].value

    def __iter__(self) -> Iterator[str]:
        return iter(self.scores)

    def __len__(self) -> int:
        return len(self.scores)

    @property
    def aci(self) -> float:
        """The adjusted concordance index: 1 is perfect agreement, 0 chance level."""
        return self._headline("aci")

    @property
    def ndc(self) -> float:
        """The normalized degree of concordance."""
        return self._headline("ndc")

    def _headline(self, name: str) -> float:
        if name in self.scores:
            return self.scores[name].value
        why = self.why_no_concordance or f'"{name}" is not among indices='
        raise AttributeError(f"the comparison has no {name.upper()}: {why}")

    @property
    def interval(self) -> ConfidenceInterval:
        """The confidence interval of ACI, or of NDC where that alone was asked for."""
        if not self.intervals:
            raise AttributeError(
                "the comparison has no interval; ask for one with "
                "compare(P, Q, interval=0.95)"
            )
        return next(iter(self.intervals.values()))

    @property
    def n_groups(self) -> int | None:
        """The number of groups that intervals are over; None if over objects."""
        return self.interval.n_groups if self.intervals else None

    @property
    def pvalue(self) -> float:
        """The p-value of the permutation test."""
        if self.test is None:
            raise AttributeError(
                "the comparison has no p-value; ask for one with compare(P, Q, "
                "test=True)"
            )
        return self.test.pvalue

    @property
    def statistics(self) -> tuple[str, ...]:
        """The statistics of pair tables that there are scores of."""
        there = {name.rpartition("/")[2] for name in self.scores}
        return tuple(name for name in STATISTICS if name in there)

    def of_table(self, statistic: str, table: str) -> float:
        """Return the value of a statistic of one of `tables`."""
        return self.scores[score_name(statistic, *parts_of(table))].value

    @property
    def shown_tables(self) -> tuple[str, ...]:
        """The tables that are printed: one of each family, if there are many."""
        if len(self.tables) <= _FEW_TABLES:
            return tuple(self.tables)
        first = {parts_of(name)[0]: name for name in reversed([*self.tables])}
        return tuple(name for name in self.tables if name in first.values())

    @property
    def shown_statistics(self) -> tuple[str, ...]:
        """The statistics that are printed: of many tables, the bounded ones."""
        if len(self.tables) <= _FEW_TABLES:
            return self.statistics
        bounded = (x for x in self.statistics if STATISTICS[x].range[1] is not None)
        return tuple(bounded) or self.statistics

    def said_of_more(self, where: str) -> str:
        """Say how many scores of tables are not printed; empty if all are."""
        n_shown = len(self.shown_tables) * len(self.shown_statistics)
        n_more = len(self.tables) * len(self.statistics) - n_shown
        return f"{count(n_more, 'more score')} in {where}" if n_more else ""

    @property
    def why_no_concordance(self) -> str:
        """Why NDC or ACI was left out; empty if neither was."""
        if not {"aci", "ndc"} & {*self.left_out}:
            return ""
        if FREE_SUMS & {*self.kinds}:
            kind = next(kind for kind in self.kinds if kind in FREE_SUMS)
            return f"NDC and ACI are not defined for {kind} partitions"
        return (
            "NDC and ACI of two fuzzy partitions take all pairs, not one pass, unless "
            "both have two clusters"
        )

    @property
    def why_no_tables(self) -> str:
        """Why tables were left out, and how to get them; empty if none was."""
        return str(self._said_of_tables())

    def _said_of_tables(self) -> Message:
        tables = (parts_of(name) for name in self.left_out if table_of(name))
        families = [*dict.fromkeys(family for family, _ in tables)]
        if not families:
            return Message()
        m = self.n_objects * (self.n_objects - 1) // 2
        return Message(
            f"{' and '.join(families)} left out, as they take all {m:.1e} pairs of "
            "objects; ",
            Wordings(f"families={families}", f"--family {','.join(families)}"),
            " computes them, ",
            Setting("tol", 0.001),
            " estimates them from a sample of pairs",
        )

    def _notes(self) -> list[Message]:
        """Say what was left out and why, and what is true of all tables."""
        agree = ALL_AGREE if "crisp" in self.tables else ""
        notes = self.why_no_concordance, self._said_of_tables(), agree
        return [Message(note) for note in notes if str(note)]

    def to_dict(self) -> dict[str, Any]:
        """
        Return everything as lists and dictionaries of plain Python numbers.

        Returns
        -------
        dict
            ``n_objects``, ``P`` and ``Q`` with ``kind`` and ``n_clusters``,
            ``similarity`` and ``null``,
            ``scores`` as a list of records with ``index``, ``family``, ``t_norm``,
            ``value`` and ``error`` (and the interval, see `records`), ``tables`` as a
            list with the cardinalities, ``concordance``, ``left_out`` and, if there are
            such, ``n_groups`` and ``test``. The command line prints the same as JSON.
        """
        content = {
            "n_objects": self.n_objects,
            "P": {"kind": self.kinds[0], "n_clusters": self.n_clusters[0]},
            "Q": {"kind": self.kinds[1], "n_clusters": self.n_clusters[1]},
            "similarity": self.similarity,
            "null": self.null,
            "scores": self.records(),
            "tables": [asdict(table) for table in self.tables.values()],
            "concordance": self.concordance and asdict(self.concordance),
            "left_out": list(self.left_out),
        }
        if self.n_groups is not None:
            content["n_groups"] = self.n_groups
        return content if self.test is None else content | {"test": self.test.to_dict()}

    def records(self) -> list[dict[str, Any]]:
        """
        List the scores.

        Returns
        -------
        list of dict
            With ``index``, ``family``, ``t_norm``, ``value`` and ``error``; family and
            t-norm are None where there is none. If there are intervals, also with
            ``standard_error``, ``low``, ``high`` and ``level``, None for scores that
            have none.
        """
        found = []
        for name, score in self.scores.items():
            *table, index = name.split("/")
            family, t_norm, *_ = (*table, None, None)
            record = {"index": index, "family": family, "t_norm": t_norm}
            record |= score._asdict()
            if self.intervals:
                interval = self.intervals.get(name)
                record |= {part: getattr(interval, part, None) for part in INTERVAL}
            found.append(record)
        return found

    def to_frame(self) -> "pandas.DataFrame":
        """
        Return the scores as a data frame.

        Returns
        -------
        pandas.DataFrame
            One row per score, with the columns ``index``, ``family``, ``t_norm``,
            ``value`` and ``error``, and those of intervals, if there are any; see
            `records`. ``frame.pivot_table("value", ["family", "t_norm"],
            "index", dropna=False)`` has a column for each statistic.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        pd = pandas_for("to_frame()", "; to_dict() does without")
        frame: pandas.DataFrame = pd.DataFrame.from_records(self.records())
        return frame

    def plot(self, *, names: tuple[str, str] = ("P", "Q")) -> "Figure":
        """
        Draw the main pictures of the two partitions.

        Parameters
        ----------
        names : tuple of two str, default=("P", "Q")
            What the partitions are called.

        Returns
        -------
        matplotlib.figure.Figure
            ACI, the similarity matrices, the memberships, the cross-table, the
            objects that differ most, the joint density of the similarities and the
            statistics by family; see `concordant.plot` for each.

        Raises
        ------
        ValueError
            If the comparison was made without its partitions.
        """
        from concordant.plot import overview

        return overview(self, names=names)

    def __repr__(self) -> str:
        scores = ", ".join(
            f"{name}={short(score.value)}"
            for name, score in self.scores.items()
            if name in INDICES
        )
        about = f"{count(self.n_objects, 'object')}, {' and '.join(self.kinds)}"
        return f"Comparison({about}{', ' if scores else ''}{scores})"

    def _shown(self) -> Shown:
        p, q = (
            f"{kind} partition into {count(clusters, 'cluster')}"
            for kind, clusters in zip(self.kinds, self.n_clusters, strict=True)
        )
        about = said_of_setting(self.similarity, self.null)
        title = f"{count(self.n_objects, 'object')}: {p} against {q}{about}"
        named = zip("PQ", self.partitions or (), strict=False)
        remarks = [f"{name}: {remark}" for name, P in named for remark in P.remarks]
        lines = [*self.headline(), *remarks, *map(str, self._notes())]
        if not self.tables:
            return Shown(title, lines)
        return Shown(
            title, lines, *self.table_of_families(), self.said_of_more("to_frame()")
        )

    def headline(self) -> list[str]:
        """
        Say what the indices and the test are, in a line each, with aligned values.

        Returns
        -------
        list of str
            Such as ``"ACI 0.5231, 95 % confidence interval 0.4930 to 0.5532"``, with
            errors that are seen in the digits shown.
        """
        scores = {x: s for x, s in self.scores.items() if x in INDICES}
        headings = [INDICES[name].heading for name in scores]
        values = [f"{score.value:z.6f}" for score in scores.values()]
        width, digits = (max(map(len, x), default=0) for x in (headings, values))
        lines = []
        for heading, value, (name, score) in zip(
            headings, values, scores.items(), strict=True
        ):
            line = f"{heading:<{width}} {value:>{digits}}"
            if score.error is not None and score.error > _SHOWN:
                line += f" within {size_of_error(score.error)}"
            if name in self.intervals:
                line += f", {self.intervals[name].phrase()}"
                if self.n_groups is not None:
                    line += f" over {self.n_groups} groups"
            lines.append(line + (f"  ({READING})" if name == "aci" else ""))
        return lines if self.test is None else [*lines, self.test.phrase()]

    def table_of_families(self) -> tuple[list[str], list[list[str]]]:
        """
        Return the printed table: a row for each family, a column for each statistic.

        Returns
        -------
        tuple of list of str and list of rows
            The headings and the cells; of samples of pairs with their errors.
        """
        names, tables = self.shown_statistics, self.shown_tables
        header = ["family", *(STATISTICS[name].heading for name in names)]
        rows = [
            [table, *(short(self.of_table(name, table)) for name in names)]
            for table in tables
        ]
        errors = [self.tables[table].error for table in tables]
        if any(self.tables[table].n_sampled is not None for table in tables):
            header.append("error")
            for row, error in zip(rows, errors, strict=True):
                row.append("" if error is None else size_of_error(error))
        return header, rows


def compared(
    kinds: tuple[str, str],
    n_clusters: tuple[int, int],
    n_objects: int,
    wanted: Wanted,
    terms: Mapping[str, Any],
    partitions: tuple[Partition, Partition] | None = None,
    left_out: tuple[str, ...] = (),
) -> Comparison:
    """Put scores together from terms; what lacks its terms is left out."""
    scores = Scores()
    for name in wanted.indices_for(*kinds):
        if all(term in terms for term in INDICES[name].terms_for(*kinds)):
            scores[name] = loaded(INDICES[name].formula)(terms)
    tables = {name: terms[name] for name in wanted.tables_for(*kinds) if name in terms}
    for name, table in tables.items():
        for statistic in wanted.statistics:
            record = STATISTICS[statistic]
            error = table.error if record.has_error else None
            value = loaded(record.formula)(table)
            scores[score_name(statistic, *parts_of(name))] = Score(value, error)
    intervals = {}
    if wanted.interval is not None and "object means" in terms:
        intervals = {
            name: interval_of_score(
                name, scores[name].value, terms["object means"], wanted.interval
            )
            for name in wanted.with_interval
        }
    return Comparison(
        kinds=kinds,
        n_clusters=n_clusters,
        n_objects=n_objects,
        scores=scores,
        tables=tables,
        concordance=terms.get("concordance"),
        left_out=(
            *(name for name in wanted.all_indices if name not in scores),
            *left_out,
        ),
        partitions=partitions,
        intervals=intervals,
    )
