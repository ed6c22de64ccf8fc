"""Everything about two partitions in one object that prints well."""

import html
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from concordant.agreement.result import Concordance
from concordant.families.pair_table import STATISTICS, PairTable
from concordant.partition.partition import Partition
from concordant.wording import count

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
        within = "" if result.is_exact else f" within {result.error:.1e}"
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


def _row(table: PairTable) -> dict[str, int | float]:
    cardinalities = {name: getattr(table, name) for name in "abcd"}
    return cardinalities | {name: getattr(table, name) for name in STATISTICS}


def _format(value: float) -> str:
    return f"{value:.4f}" if abs(value) < 1e5 else f"{value:.4g}"
