"""What can be computed of two partitions, as a table."""

from typing import NamedTuple

from concordant.catalogue.families import STATISTICS
from concordant.catalogue.indices import INDICES
from concordant.catalogue.records import Cost, Kind, MeasureRecord
from concordant.printing import html_table, table_lines


class IndexInfo(NamedTuple):
    """What an index or a statistic is called, how it is read, and what it takes."""

    name: str
    title: str
    range: str
    kinds: tuple[Kind, ...]
    cost: Cost
    reading: str


class Listing(tuple[IndexInfo, ...]):
    """A list of indices that prints as a table, in a notebook too."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Listing({', '.join(entry.name for entry in self)})"

    def __str__(self) -> str:
        return "\n".join(table_lines(_HEADER, self._rows(), n_texts=len(_HEADER)))

    def _repr_html_(self) -> str:
        return html_table(_HEADER, self._rows(), n_texts=len(_HEADER))

    def _rows(self) -> list[list[str]]:
        return [
            [entry.name, entry.title, entry.range, ", ".join(entry.kinds), entry.cost]
            for entry in self
        ]


_HEADER = ("name", "title", "range", "kinds", "cost")


def indices() -> Listing:
    """
    List the indices and statistics that `compare` computes.

    Returns
    -------
    Listing
        A sequence with the ``name``, ``title``, ``range``, ``kinds``, ``cost`` (whether
        time grows with the number of objects or of pairs of objects) and ``reading`` of
        each; it prints as a table. Statistics are computed from a pair table, whose
        family determines kinds and cost; those listed are of the best family.

    Examples
    --------
    >>> import concordant as cc
    >>> cc.indices()[0].name, cc.indices()[0].range
    ('aci', '-2 to 1')
    >>> "adjusted_rand" in [index.name for index in cc.indices()]
    True
    """
    return Listing(
        IndexInfo(
            record.name,
            record.title,
            range_of(record),
            record.kinds,
            record.cost,
            record.reading,
        )
        for record in (*INDICES.values(), *STATISTICS.values())
    )


def range_of(record: MeasureRecord) -> str:
    """Say which values an index can have."""
    low, high = record.range
    if low is None:
        return "any" if high is None else f"up to {high:g}"
    return f"from {low:g}" if high is None else f"{low:g} to {high:g}"
