"""What was asked of two partitions, computed: scores by name, and how they print."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from difflib import get_close_matches
from functools import partial
from numbers import Integral
from typing import TYPE_CHECKING, Any, Literal, cast

from concordant.catalogue.families import FAMILIES, STATISTICS, StatisticRecord
from concordant.catalogue.index_options import OPTIONS
from concordant.catalogue.indices import INDICES
from concordant.catalogue.lookups import (
    applied,
    families_of_kinds,
    loaded,
    score_name,
    table_named,
    tables_of_family,
)
from concordant.catalogue.records import FREE_SUMS
from concordant.catalogue.terms import CONCORDANCE, CRISP_TABLE, OBJECT_MEANS, Term
from concordant.catalogue.values import T_NORMS
from concordant.door import checked
from concordant.errors import (
    Argument,
    InputError,
    InputTypeError,
    Message,
    Setting,
    Wordings,
)
from concordant.inference.chance_result import ConcordanceTest
from concordant.inference.interval import (
    ConfidenceInterval,
    check_level,
    interval_of_score,
)
from concordant.kept import kept
from concordant.measures.adjusted import Concordance, Score, said_of_setting
from concordant.measures.tables.defined import check_t_norm
from concordant.measures.tables.pair_table import PairTable
from concordant.naming import index_named, proposed
from concordant.partition.partition import Partition
from concordant.printing import Readable, Shown, short, size_of_error
from concordant.verdict import InWords
from concordant.wording import check_choice, count, pandas_for, shown

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: What makes a score of terms.
Formula = Callable[[Mapping[Term, Any]], Score]

#: What ACI means.
READING = "1: perfect agreement, 0: chance level"

#: What is said of tables of two crisp partitions.
ALL_AGREE = "all families agree on crisp partitions"

#: What a record tells of an interval.
INTERVAL = ("standard_error", "low", "high", "level")

_SHOWN = 5e-5  # an error below is not seen in four decimals
_FIRST = ("aci", "ndc", "expected")  # which the first lines tell
_FEW_TABLES = 4  # of more, one for each family is printed
_LEVEL = 0.95  # of an interval, if none is told
_FEWEST = 99  # permutations that can tell of a p-value of 0.01


@dataclass(frozen=True)
class Wanted:
    """
    What is asked of two partitions.

    `indices` are names of the catalogue, of indices and of statistics; None means those
    that the catalogue computes by default and those of `besides`. `families` are those
    of which there are tables, with the statistics that are named, or else with all;
    None means all that are defined for the partitions if a statistic is named, or else
    none. `t_norm` restricts the tables. `interval` is the level of confidence
    intervals, or None; `test` is whether a permutation test is made, or by how many
    permutations. `options` are those of the only index.
    """

    indices: tuple[str, ...] | None = None
    families: tuple[str, ...] | Literal["all"] | None = None
    t_norm: str | None = None
    interval: float | None = None
    test: bool | int = False
    besides: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.indices is not None:
            named = (index_named("indices", name) for name in self.indices)
            object.__setattr__(self, "indices", tuple(dict.fromkeys(named)))
        for family in self.families if isinstance(self.families, tuple) else ():
            check_choice("families", family, (*FAMILIES, "all"), optional=False)
            check_t_norm(family, self.t_norm)
        check_choice("t_norm", self.t_norm, tuple(T_NORMS))
        if self.t_norm is not None and not self.statistics:
            tables = Setting("families", "all")
            raise InputError(Argument("t_norm"), " is for tables; add ", tables)
        if self.interval is True or self.interval is False:
            object.__setattr__(self, "interval", _LEVEL if self.interval else None)
        if self.interval is not None:
            check_level(self.interval, "interval")
        object.__setattr__(self, "test", _checked_test(self.test))
        for name, asked in (("interval", self.interval), ("test", self.test or None)):
            if asked is not None and not self.with_interval:
                names = (name for name, record in INDICES.items() if record.changes)
                raise InputError(Argument(name), " is for ", Setting("indices", *names))

    @property
    def with_interval(self) -> tuple[str, ...]:
        """The wanted indices that have an interval without resampling, and a test."""
        return tuple(name for name in self.all_indices if INDICES[name].changes)

    @property
    def names_families(self) -> bool:
        """Whether families are asked for by name."""
        return isinstance(self.families, tuple)

    @kept
    def statistics(self) -> tuple[str, ...]:
        """The statistics that are asked for: those named, or of families all."""
        named = tuple(name for name in STATISTICS if name in (self.indices or ()))
        return named or (() if self.families is None else tuple(STATISTICS))

    def statistics_for(self, *kinds: str) -> tuple[str, ...]:
        """List the statistics that there are: by default those that cost nothing."""
        free = {*kinds} == {"crisp"} and self.indices is None
        return self.statistics or (tuple(STATISTICS) if free else ())

    def families_for(self, *kinds: str) -> tuple[str, ...]:
        """List the families of which there are tables, if there are statistics."""
        if self.names_families:
            return cast(tuple[str, ...], self.families)
        return families_of_kinds(*kinds)

    @kept
    def all_indices(self) -> tuple[str, ...]:
        """The indices that are wanted, defined or not."""
        if self.indices is not None:
            return tuple(name for name in INDICES if name in self.indices)
        return tuple(
            name
            for name, record in INDICES.items()
            if record.by_default or name in self.besides
        )

    def indices_for(self, *kinds: str) -> tuple[str, ...]:
        """List the indices that are wanted and defined, or were asked for by name."""
        return tuple(
            name
            for name in self.all_indices
            if self.indices is not None or {*kinds} <= {*INDICES[name].kinds}
        )

    def tables_for(self, *kinds: str) -> tuple[Term, ...]:
        """List the tables that statistics are computed from."""
        if not self.statistics_for(*kinds):
            return ()
        if {*kinds} == {"crisp"}:
            return (CRISP_TABLE,)
        return tuple(
            table
            for family in self.families_for(*kinds)
            for table in tables_of_family(family)
            if self.t_norm in (None, table.t_norm)
        )

    def only(self, indices: tuple[str, ...]) -> "Wanted":
        """Return what is wanted of some indices, and tables if a statistic is one."""
        if {*STATISTICS} & {*indices}:
            return replace(self, indices=indices)
        return replace(self, indices=indices, families=None, t_norm=None)

    def without(
        self, names: Collection[str], *kinds: str
    ) -> "tuple[Wanted, tuple[str, ...]]":
        """
        Leave out some indices and families, and name what that leaves out.

        Of families these are their tables.
        """
        families = self.families
        if self.statistics:
            of_kinds = self.families_for(*kinds)
            families = tuple(name for name in of_kinds if name not in names)
        less = replace(
            self,
            families=families,
            besides=tuple(name for name in self.besides if name not in names),
        )
        left_out = {*self.all_indices} - {*less.all_indices}
        tables = {*less.tables_for(*kinds)}
        return less, (
            *(name for name in self.all_indices if name in left_out),
            *(str(table) for table in self.tables_for(*kinds) if table not in tables),
        )

    def without_pair_tables(self, *kinds: str) -> "tuple[Wanted, tuple[str, ...]]":
        """Leave out families that are sums over pairs, and name their tables."""
        of_pairs = {name for name, record in FAMILIES.items() if record.values}
        return self.without(of_pairs, *kinds)

    def settling(self, what: str) -> dict[str, Any]:
        """Return the options that settle something, and not as they do by default."""
        return {
            key: value
            for key, value in self.options.items()
            if OPTIONS[key].settles == what and value != OPTIONS[key].default
        }

    def made(self, name: str, *kinds: str) -> tuple[str, tuple[Term, ...]]:
        """Return the formula of an index, and the terms that it takes."""
        # What options change is computed as where rows may sum to anything.
        is_changed = self.options and self.settling("terms")
        return INDICES[name].made_for(*(FREE_SUMS if is_changed else kinds))

    def terms_for(self, *kinds: str) -> tuple[Term, ...]:
        """List the terms that all of it follows from."""
        made = (self.made(name, *kinds) for name in self.indices_for(*kinds))
        terms = [term for _, terms in made for term in terms]
        if self.interval is not None:
            terms.append(OBJECT_MEANS)
        return tuple(dict.fromkeys((*terms, *self.tables_for(*kinds))))


def _checked_test(test: object) -> bool | int:
    """Refuse what is no flag, and no number of permutations that tells anything."""
    if type(test).__name__ in ("bool", "bool_"):
        return bool(test)
    what = f" must be True, False or a number of permutations from {_FEWEST} up, found "
    if not isinstance(test, Integral):
        raise InputTypeError(Argument("test"), what, shown(test))
    if int(test) < _FEWEST:
        raise InputError(Argument("test"), what, str(test))
    return int(test)


class Scores(dict[str, Score]):
    """Scores by name, which propose names that are near to one that there is not."""

    of_stream = False

    def __missing__(self, name: str) -> Score:
        """Return the score of a statistic of the only table, or propose others."""
        if not isinstance(name, str):
            raise KeyError(f"scores have names, found {name!r}")
        found = [key for key in self if key.rpartition("/")[2] == name]
        if len(found) == 1:
            return self[found[0]]
        if not found and (how := _computing(name)):
            if self.of_stream:  # whose chunks only an accumulator is told to keep
                how = f"cc.Accumulator({how.partition(' or ')[0]})"
            raise KeyError(f'"{name}" was not computed; {how} computes it')
        hint = proposed(*found[:5] or get_close_matches(name.lower(), self))
        raise KeyError(f'no score "{name}"{hint or ";"} list(comparison) has all names')


def _computing(name: str) -> str:
    """Return the argument of `compare` that computes a score; empty if none does."""
    if name in INDICES:
        return f'indices=["{name}"] or indices="all"'
    table, _, statistic = name.rpartition("/")
    family = table.partition("/")[0]
    if statistic not in STATISTICS or family not in ("", *FAMILIES):
        return ""
    return f'families=["{family}"]' if family else 'families="all"'


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
        By ``"family"``, or ``"family (t-norm)"`` where it has a choice; empty unless
        `compare` was asked for ``families=``. Two crisp partitions have one,
        ``"crisp"``, on which all families agree, and streams have all that take one
        pass, as their chunks are gone afterwards.
    concordance : Concordance or None
        NDC and ACI with d, E[d] and the algorithm that gave them; None if neither was
        asked for, for possibilistic partitions, and where a stream cannot give it.
    left_out : tuple of str
        Indices that were wanted, but are not defined for these partitions, or take more
        than the one pass of a stream; and tables that nobody asked for by name and that
        are not defined, or for which all of very many pairs would have to be visited.
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
    refused : mapping of str to Message
        Of the indices and families that were left out, why they are not defined for
        these partitions, though for others of their kinds.
    names : tuple of two str
        What P and Q are called where the comparison is shown.
    prints_tables : bool
        Whether `tables` were asked for, and are printed.
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
    refused: Mapping[str, Message] = field(default_factory=dict)
    names: tuple[str, str] = ("P", "Q")
    prints_tables: bool = False

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
        why = self.why_no_concordance or f'indices=["{name}"] computes it'
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
        found = self.tables[table]
        return self.scores[score_name(statistic, found.family, found.t_norm)].value

    @property
    def _shown_tables(self) -> tuple[str, ...]:
        """The tables that are printed: one of each family, if there are many."""
        if len(self.tables) <= _FEW_TABLES:
            return tuple(self.tables)
        names = reversed([*self.tables])
        first = {self.tables[name].family: name for name in names}
        return tuple(name for name in self.tables if name in first.values())

    @property
    def _shown_statistics(self) -> tuple[str, ...]:
        """The statistics that are printed: of many tables, the bounded ones."""
        if len(self.tables) <= _FEW_TABLES:
            return self.statistics
        bounded = (x for x in self.statistics if STATISTICS[x].range[1] is not None)
        return tuple(bounded) or self.statistics

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

    def _said_of_tables(self) -> Message:
        tables = filter(None, map(table_named, self.left_out))
        of_pairs = (table.of for table in tables if table.of not in self.refused)
        families = [*dict.fromkeys(of_pairs)]
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
        there = Setting("indices", "all"), Setting("families", "all")
        free = FREE_SUMS & {*self.kinds} and not self.scores
        remedy = ("; ", there[0], " and ", there[1], " compute what is") if free else ()
        agree = ALL_AGREE if self.prints_tables and "crisp" in self.tables else ""
        notes = (
            Message(self.why_no_concordance, *remedy),
            *self.why_refused,
            self._said_of_tables(),
            Message(agree),
        )
        return [note for note in notes if str(note)]

    @property
    def why_refused(self) -> list[Message]:
        """Why indices and families that others of these kinds have were left out."""
        titles = {name: record.title for name, record in (INDICES | FAMILIES).items()}
        return [
            Message(f"{titles[name]} left out: ", why)
            for name, why in self.refused.items()
        ]

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
            "tables": [
                asdict(table) | {"rounding": table.rounding and [*table.rounding]}
                for table in self.tables.values()
            ],
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

    def plot(self, ax: "Sequence[Axes] | None" = None, **options: Any) -> "Figure":
        """
        Draw the two partitions, and what was computed of them.

        Parameters
        ----------
        ax : sequence of Axes, optional
            Where to draw, one for each panel; on a new figure by default.
        **options
            ``names``, ``panels``, ``order`` and ``colors``, as in
            `concordant.plot.overview`: ``panels="all"`` draws all there are.

        Returns
        -------
        matplotlib.figure.Figure
            Memberships, the cross-table and, if they were asked for, the null
            distribution and the confidence interval.

        Raises
        ------
        ValueError
            If the comparison was made without its partitions.
        """
        from concordant.plot import overview

        names = options.pop("names", None) or self.names
        return overview(self, ax=ax, names=names, **options)

    def sentence(self) -> str:
        """
        Say what was found in a sentence for a paper.

        Returns
        -------
        str
            One line: ACI with its interval and p-value, if there are such, how they
            were obtained, and the reference to cite.

        Raises
        ------
        AttributeError
            If ACI was not computed.

        Examples
        --------
        >>> import concordant as cc
        >>> found = cc.compare([0, 0, 1, 1], [0, 0, 1, 2], names=("GMM", "species"))
        >>> found.sentence().partition(" (")[0]
        'The adjusted concordance index of GMM and species was 0.571 for 4 objects'
        """
        verdict = self._verdict
        if verdict is None:
            self._headline("aci")  # which says how to get it
        return cast(InWords, verdict).sentence()

    @property
    def _verdict(self) -> InWords | None:
        """What is said of ACI; None if it was not computed."""
        if "aci" not in self.scores or self.concordance is None:
            return None
        interval = self.intervals.get("aci")
        return InWords(self.names, self.concordance, interval, self.test)

    def __repr__(self) -> str:
        scores = ", ".join(
            f"{name}={short(score.value)}"
            for name, score in self.scores.items()
            if name in INDICES
        )
        about = f"{count(self.n_objects, 'object')}, {' and '.join(self.kinds)}"
        return f"Comparison({about}{', ' if scores else ''}{scores})"

    def _shown(self) -> Shown:
        return self.shown()

    @checked
    def shown(self, say: Callable[[Message], str] = str) -> Shown:
        """
        Return what is printed, in the words of Python or of the command line.

        Parameters
        ----------
        say : callable, default=str
            What makes text of a message.

        Returns
        -------
        Shown
            A title, lines and tables.
        """
        title, lines = " and ".join(self.names), [self._about()]
        if (verdict := self._verdict) is not None:
            title = verdict.title()
            certainty = [verdict.certainty(), verdict.origin()]
            lines = [*filter(None, certainty), *lines, verdict.against_chance()]
            lines += self._one_cluster()
        elif self.test is not None:
            lines.append(self.test.phrase())
        named = zip(self.names, self.partitions or (), strict=False)
        lines += [f"{name}: {remark}" for name, P in named for remark in P.remarks]
        lines += map(say, self._notes())
        indices = [name for name in self.scores if name in INDICES]
        told = verdict is not None and indices in (["aci"], [*_FIRST])
        tables = [self._indices()] if indices and not told else []
        if self.tables and self.prints_tables:
            tables.append(self._families(say))
        elif self.tables and "crisp" not in self.tables:
            lines.append(say(_more(len(self.tables) * len(self.statistics))))
        return Shown(title, lines, below=tables)

    def _about(self) -> str:
        """Say what was compared."""
        sides = zip(self.kinds, self.n_clusters, strict=True)
        p, q = (f"{kind}, {count(clusters, 'cluster')}" for kind, clusters in sides)
        setting = said_of_setting(self.similarity, self.null).replace(",", ";")
        return f"{count(self.n_objects, 'object')}; {p} against {q}{setting}"

    def _one_cluster(self) -> list[str]:
        """Say which partition tells no objects apart."""
        if self.n_clusters == (1, 1):
            return []
        return [
            f"{name} has one cluster, with which others agree by chance alone"
            for name, n_clusters in zip(self.names, self.n_clusters, strict=True)
            if n_clusters == 1
        ]

    def _heading(self, name: str) -> str:
        """Return what an index is called, with others that are the same number."""
        same = [x for x in self.scores if x != name and self._named_by(x) == name]
        also = f", also {', '.join(same)}" if same else ""
        return f"{INDICES[name].heading}{also}"

    def _named_by(self, name: str) -> str:
        """Return the score that is printed for one, which may be the same number."""
        record = INDICES.get(name)
        if record is None or record.same_as not in self.scores:
            return name
        return name if FREE_SUMS & {*self.kinds} else record.same_as

    def _indices(self) -> Shown:
        """Return the printed table of indices, with errors and intervals."""
        names = [x for x in self.scores if x in INDICES and self._named_by(x) == x]
        scores = [self.scores[name] for name in names]
        columns = {"index": [self._heading(name) for name in names]}
        columns["value"] = [short(score.value) for score in scores]
        errors = [score.error or 0.0 for score in scores]
        if any(error > _SHOWN for error in errors):
            seen = (size_of_error(x) if x > _SHOWN else "" for x in errors)
            columns["error"] = [*seen]
        if self.intervals:
            heading = f"{100 * self.interval.level:.4g} % interval"
            found = map(self.intervals.get, names)
            columns[heading] = [x.ends() if x else "" for x in found]
        return Shown("", header=[*columns], rows=[*zip(*columns.values(), strict=True)])

    def _families(self, say: Callable[[Message], str]) -> Shown:
        """Return the printed table: rows of families, columns of statistics."""
        names, tables = self._shown_statistics, self._shown_tables
        header = ["family", *(STATISTICS[name].heading for name in names)]
        rows = [
            [table, *(short(self.of_table(name, table)) for name in names)]
            for table in tables
        ]
        if any(self.tables[table].n_sampled is not None for table in tables):
            header.append("error")
            for row in rows:
                row.append(size_of_error(self.tables[row[0]].error))
        n_shown = len(names) * len(tables)
        n_more = len(self.statistics) * len(self.tables) - n_shown
        note = say(_more(n_more)) if n_more else ""
        return Shown("", header=header, rows=rows, note=note)


def _more(n_scores: int) -> Message:
    """Say where scores are that are not printed."""
    where = Wordings("to_frame()", "--json and --csv")
    return Message(f"{count(n_scores, 'more score')} in ", where)


def scores_of(
    wanted: Wanted, kinds: tuple[str, str], terms: Mapping[Term, Any]
) -> Scores:
    """Put scores together from terms; what lacks its terms is left out."""
    return Scores(
        (name, formula(terms))
        for name, (needs, formula) in formulas_of(wanted, kinds).items()
        if all(term in terms for term in needs)
    )


def formulas_of(
    wanted: Wanted, kinds: tuple[str, str]
) -> dict[str, tuple[tuple[Term, ...], Formula]]:
    """Return the terms that each score needs, and what makes it of all terms."""
    chosen = wanted.settling("formula")
    found: dict[str, tuple[tuple[Term, ...], Formula]] = {}
    for name in wanted.indices_for(*kinds):
        formula, needs = wanted.made(name, *kinds)
        found[name] = needs, partial(applied, formula, needs, **chosen)
    for table in wanted.tables_for(*kinds):
        for statistic in wanted.statistics_for(*kinds):
            key = score_name(statistic, table.of, table.t_norm)
            found[key] = (table,), partial(_of_table, STATISTICS[statistic], table)
    return found


def _of_table(told: StatisticRecord, table: Term, terms: Mapping[Term, Any]) -> Score:
    """Return a statistic of a table."""
    error = loaded(told.error)(terms[table]) if told.error else None
    return Score(loaded(told.formula)(terms[table]), error)


def compared(
    kinds: tuple[str, str],
    n_clusters: tuple[int, int],
    n_objects: int,
    wanted: Wanted,
    terms: Mapping[Term, Any],
    partitions: tuple[Partition, Partition] | None = None,
    left_out: tuple[str, ...] = (),
    **setting: Any,
) -> Comparison:
    """Put scores together from terms; what lacks its terms is left out."""
    scores = scores_of(wanted, kinds, terms)
    intervals = {}
    if wanted.interval is not None and OBJECT_MEANS in terms:
        intervals = {
            name: interval_of_score(
                name, scores[name].value, terms[OBJECT_MEANS], wanted.interval
            )
            for name in wanted.with_interval
        }
    return Comparison(
        kinds=kinds,
        n_clusters=n_clusters,
        n_objects=n_objects,
        scores=scores,
        tables={str(x): terms[x] for x in wanted.tables_for(*kinds) if x in terms},
        concordance=terms.get(CONCORDANCE),
        left_out=(
            *(name for name in wanted.all_indices if name not in scores),
            *left_out,
        ),
        partitions=partitions,
        intervals=intervals,
        prints_tables=bool(wanted.statistics),
        **setting,
    )
