"""Everything about two partitions in one object that prints well."""

import html
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from os import PathLike
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from concordant.agreement import concordance
from concordant.agreement.result import Concordance
from concordant.alignment import Align, aligned
from concordant.engine import Threads
from concordant.families import (
    FAMILIES,
    Family,
    TableMethod,
    families_for,
    pair_table,
    table_name,
)
from concordant.partition import Partition
from concordant.progress import Progress
from concordant.randomness import generator
from concordant.tables import STATISTICS, PairTable
from concordant.wording import check_choice, count

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure

_HEADINGS = {
    "rand": "Rand",
    "adjusted_rand": "adj. Rand",
    "jaccard": "Jaccard",
    "fowlkes_mallows": "Fowlkes-M.",
    "mirkin": "Mirkin",
    "dice": "Dice",
}


@dataclass(frozen=True)
class Comparison:
    """
    Every family and statistic, NDC and ACI of two partitions.

    Parameters
    ----------
    kinds : tuple of str
        The kinds of P and Q.
    n_clusters : tuple of int
        K and L.
    n_objects : int
        n.
    concordance : Concordance or None
        NDC and ACI; None for possibilistic partitions, and where a stream cannot give
        them.
    tables : mapping of str to PairTable
        By ``"family"``, or ``"family (t-norm)"`` where it has a choice.
    partitions : tuple of two Partitions, optional
        P and Q themselves, as `plot` needs them.
    """

    kinds: tuple[str, str]
    n_clusters: tuple[int, int]
    n_objects: int
    concordance: Concordance | None
    tables: Mapping[str, PairTable]
    partitions: tuple[Partition, Partition] | None = field(
        default=None, repr=False, compare=False
    )

    @property
    def why_no_concordance(self) -> str:
        """Why there is no NDC and no ACI, if there is none."""
        if "possibilistic" in self.kinds:
            return "NDC and ACI are not defined for possibilistic partitions"
        return (
            "NDC and ACI of two fuzzy partitions take all pairs, not one pass, unless "
            "both have two clusters"
        )

    def to_dict(self) -> dict[str, Any]:
        """
        Give everything as nested dictionaries of plain Python numbers.

        Returns
        -------
        dict
            With the keys ``n_objects``, ``P``, ``Q``, ``concordance`` and ``tables``.
        """
        return {
            "n_objects": self.n_objects,
            "P": {"kind": self.kinds[0], "n_clusters": self.n_clusters[0]},
            "Q": {"kind": self.kinds[1], "n_clusters": self.n_clusters[1]},
            "concordance": (
                None
                if self.concordance is None
                else {
                    "ndc": self.concordance.ndc,
                    "expected": self.concordance.expected,
                    **asdict(self.concordance),
                }
            ),
            "tables": {name: _row(table) for name, table in self.tables.items()},
        }

    def to_frame(self) -> "pandas.DataFrame":
        """
        Give the tables as a data frame.

        Returns
        -------
        pandas.DataFrame
            One row per family and t-norm, one column per cardinality and statistic.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        try:
            import pandas as pd
        except ImportError as error:
            raise ImportError(
                "to_frame() needs pandas: pip install pandas; to_dict() does without"
            ) from error
        rows = {name: _row(table) for name, table in self.tables.items()}
        return pd.DataFrame.from_dict(rows, orient="index").rename_axis("family")

    def plot(self, *, names: tuple[str, str] = ("P", "Q")) -> "Figure":
        """
        Draw what there is to see about the two partitions.

        Parameters
        ----------
        names : tuple of two str, default=("P", "Q")
            What the partitions are called.

        Returns
        -------
        matplotlib.figure.Figure
            The similarity matrices, the joint density of the similarities, the
            memberships and the statistics by family; see `concordant.plot` for each.

        Raises
        ------
        ValueError
            If the comparison was made without its partitions.
        """
        from concordant.plot import overview

        return overview(self, names=names)

    def __str__(self) -> str:
        lines = [self._title(), *(f"  {line}" for line in self._sentences()), ""]
        cells = [["family", *_HEADINGS.values()], *self._cells()]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        for row in cells:
            first, *numbers = row
            padded = (f"{x:>{w}}" for x, w in zip(numbers, widths[1:], strict=True))
            lines.append("  ".join((f"{first:<{widths[0]}}", *padded)))
        lines.insert(-len(self.tables), "-" * (sum(widths) + 2 * len(widths) - 2))
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{heading}</th>" for heading in _HEADINGS.values())
        body = "".join(
            f'<tr><th style="text-align:left">{html.escape(first)}</th>'
            + "".join(f"<td>{number}</td>" for number in numbers)
            + "</tr>"
            for first, *numbers in self._cells()
        )
        sentences = "<br>".join(html.escape(line) for line in self._sentences())
        return (
            f"<p><b>{html.escape(self._title())}</b><br>{sentences}</p>"
            f"<table><thead><tr><th>family</th>{head}</tr></thead>"
            f"<tbody>{body}</tbody></table>"
        )

    def _title(self) -> str:
        p, q = (
            f"{kind} partition into {count(clusters, 'cluster')}"
            for kind, clusters in zip(self.kinds, self.n_clusters, strict=True)
        )
        return f"{count(self.n_objects, 'object')}: {p} against {q}"

    def _sentences(self) -> list[str]:
        return [*self._agreement(), *self._remarks()]

    def _agreement(self) -> list[str]:
        result = self.concordance
        if result is None:
            return [self.why_no_concordance]
        within = f" within {result.error:.1e}" if result.error else ""
        return [
            f"ACI {result.aci:.6f}{within}  (1: the same, 0: as by chance)",
            f"NDC {result.ndc:.6f}, expected by chance {result.expected:.6f}",
        ]

    def _remarks(self) -> list[str]:
        """Tell what was decided when the partitions were made."""
        named = zip("PQ", self.partitions or (), strict=False)
        return [f"{name}: {remark}" for name, P in named for remark in P.remarks]

    def _cells(self) -> list[list[str]]:
        return [
            [name, *(_format(getattr(table, name_)) for name_ in STATISTICS)]
            for name, table in self.tables.items()
        ]


def compare(
    P: object,
    Q: object,
    *,
    families: Sequence[Family] | None = None,
    method: TableMethod = "auto",
    tol: float | None = None,
    n_jobs: int | None = None,
    engine: object = None,
    random_state: int | np.random.Generator | None = None,
    align: Align = "position",
    checkpoint: str | PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """
    Compare two partitions by every family and statistic, NDC and ACI.

    Parameters
    ----------
    P, Q : Partition, or what one can be made from
        Two partitions of the same n objects: labels of length n, or memberships of
        shape (n, K) and (n, L).
    families : sequence of str, optional
        Which families, see `pair_table`; all that are defined for P and Q by default.
    method : {"auto", "exact", "sampled"}, default="auto"
        Whether all pairs are visited where that is needed, or as many as `tol` takes;
        ``"auto"`` samples only if `tol` is given.
    tol : float, optional
        The half width of 95 % confidence intervals that samples are to reach.
    n_jobs : int, optional
        How many threads, see `concordance`.
    engine : dask.distributed.Client, optional
        Where the work is done instead, see `concordance`.
    random_state : int, numpy.random.Generator or None, default=None
        Where samples come from.
    align : {"position", "index"}, default="position"
        How objects are matched: by position, or by their ids (a pandas index too).
    checkpoint : str or path, optional
        A file that keeps the work on all pairs, see `concordance`.
    progress : callable, optional
        Told, as ``progress(done, total, estimate)``, how far each part of the work is.

    Returns
    -------
    Comparison
        Which prints as a table, in a notebook too.

    Examples
    --------
    >>> import concordant as cc
    >>> P = [[0.9, 0.1], [0.8, 0.2], [0.2, 0.8], [0.3, 0.7]]
    >>> comparison = cc.compare(P, [0, 0, 1, 1])
    >>> round(comparison.concordance.aci, 6)
    0.425532
    >>> round(comparison.tables["campello (min)"].adjusted_rand, 6)
    0.470588
    """
    generator(random_state)  # is refused even if no sample is drawn
    p, q = aligned(P, Q, align=align, engine=Threads(n_jobs))
    for partition in (p, q):
        partition._own()  # they are kept
    tables: dict[str, PairTable] = {}
    for family in families_for(p, q) if families is None else families:
        check_choice("families", family, get_args(Family), optional=False)
        for t_norm in FAMILIES[family].t_norms or (None,):
            tables[table_name(family, t_norm)] = pair_table(
                p,
                q,
                family=family,
                t_norm=t_norm,
                method=method,
                tol=tol,
                n_jobs=n_jobs,
                engine=engine,
                random_state=random_state,
                checkpoint=checkpoint,
                progress=progress,
            )
    possible = "possibilistic" not in (p.kind, q.kind)
    return Comparison(
        kinds=(p.kind, q.kind),
        n_clusters=(p.n_clusters, q.n_clusters),
        n_objects=p.n_objects,
        concordance=(
            concordance(
                p,
                q,
                method=method,
                tol=tol,
                n_jobs=n_jobs,
                engine=engine,
                random_state=random_state,
                checkpoint=checkpoint,
                progress=progress,
            )
            if possible
            else None
        ),
        tables=tables,
        partitions=(p, q),
    )


def _row(table: PairTable) -> dict[str, int | float]:
    cardinalities = {name: getattr(table, name) for name in "abcd"}
    return cardinalities | {name: getattr(table, name) for name in STATISTICS}


def _format(value: float) -> str:
    return f"{value:.4f}" if abs(value) < 1e5 else f"{value:.4g}"
