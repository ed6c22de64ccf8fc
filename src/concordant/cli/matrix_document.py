"""The comparison of many partitions becomes a document."""

from collections.abc import Sequence
from itertools import chain

from concordant.catalogue import heading_of
from concordant.cli.comparison_document import described, reading_lines
from concordant.cli.document import Cell, Document, Sheet
from concordant.cli.inputs import Given
from concordant.cli.measuring_many import Pairs
from concordant.comparison import Wanted
from concordant.partition.alignment import Align
from concordant.printing import short
from concordant.wording import count

_VERSION = 2


def matrix_document(
    given: Sequence[Given],
    align: Align,
    pairs: Pairs,
    wanted: Wanted,
    shown: Sequence[str],
) -> Document:
    """
    Make a document of the indices of all pairs.

    Parameters
    ----------
    given : sequence of k Given
        The partitions.
    align : {"index", "position"}
        How objects were matched.
    pairs : Pairs
        What was computed.
    wanted : Wanted
        By which family and t-norm.
    shown : sequence of str
        The indices to tell of.

    Returns
    -------
    Document
        Which depends on nothing else: the same input gives the same bytes.
    """
    matched = "id" if align == "index" else "position"
    with_table = bool(wanted.statistics)
    return Document(
        json={
            "schema": "concordant/matrix",
            "version": _VERSION,
            "matched_by": matched,
            "partitions": [described(g.described) for g in given],
            "family": _family(wanted) if with_table else None,
            "t_norm": wanted.t_norm if with_table else None,
            "values": {name: pairs.values[name].tolist() for name in shown},
            "errors": {
                name: pairs.errors[name].tolist()
                for name in shown
                if name in pairs.errors
            },
        },
        header=("P", "Q", *shown),
        rows=_rows(given, pairs, shown),
        lines=[
            f"{len(given)} partitions of {_objects(given)}, matched by {matched}",
            *chain.from_iterable(
                (f"{number}: {_sentence(g)}", *reading_lines(g.described))
                for number, g in enumerate(given, start=1)
            ),
        ],
        sheets=[_sheet(name, pairs, wanted) for name in shown],
    )


def _family(wanted: Wanted) -> str | None:
    return wanted.families[0] if wanted.families else None


def _rows(
    given: Sequence[Given], pairs: Pairs, shown: Sequence[str]
) -> list[list[Cell]]:
    return [
        [P.name, given[j].name, *(float(pairs.values[name][i, j]) for name in shown)]
        for i, P in enumerate(given)
        for j in range(i + 1, len(given))
    ]


def _objects(given: Sequence[Given]) -> str:
    sizes = sorted({g.partition.n_objects for g in given})
    least, most = sizes[0], sizes[-1]
    return count(most, "object") if least == most else f"{least} to {most} objects"


def _sentence(given: Given) -> str:
    partition = given.partition
    return f"{given.name} ({partition.kind}, {count(partition.n_clusters, 'cluster')})"


def _sheet(name: str, pairs: Pairs, wanted: Wanted) -> Sheet:
    values = pairs.values[name].tolist()
    numbers = [str(number) for number in range(1, len(values) + 1)]
    title = heading_of(name)
    if name in wanted.statistics:
        t_norm = f", {wanted.t_norm}" if wanted.t_norm else ""
        title = f"{title} ({_family(wanted)}{t_norm})"
    return Sheet(
        (title, *numbers),
        [
            (number, *map(short, row))
            for number, row in zip(numbers, values, strict=True)
        ],
    )
