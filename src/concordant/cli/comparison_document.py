"""A comparison of two partitions becomes a document."""

from typing import Any

from concordant.catalogue import INDICES, STATISTICS
from concordant.cli.document import Cell, Document, Json, Sheet
from concordant.cli.inputs import Described
from concordant.comparison import ALL_AGREE, INTERVAL, Comparison
from concordant.partition.alignment import Align
from concordant.printing import short, size_of_error
from concordant.wording import count

_VERSION = 2


def comparison_document(
    P: Described, Q: Described, align: Align, comparison: Comparison
) -> Document:
    """Make a document of a comparison: the same input gives the same bytes."""
    matched = "id" if align == "index" else "position"
    content = comparison.to_dict()
    return Document(
        json={
            "schema": "concordant/compare",
            "version": _VERSION,
            "P": described(P),
            "Q": described(Q),
            "n_objects": content["n_objects"],
            "matched_by": matched,
            "similarity": content["similarity"],
            "null": content["null"],
            "scores": content["scores"],
            "concordance": content["concordance"],
            "tables": content["tables"],
            "left_out": content["left_out"],
            **({"test": content["test"]} if comparison.test else {}),
        },
        header=_columns(comparison),
        rows=[_row(record) for record in content["scores"]],
        lines=[
            f"P: {_sentence(P)}",
            *reading_lines(P),
            f"Q: {_sentence(Q)}",
            *reading_lines(Q),
            f"{count(comparison.n_objects, 'object')}, matched by {matched}",
            *_remarks(comparison),
        ],
        sheets=[*_index_sheets(comparison), *_table_sheets(comparison)],
    )


def _columns(comparison: Comparison) -> tuple[str, ...]:
    """Give the columns of the CSV form: the keys of its records."""
    always = ("index", "family", "t_norm", "value", "error")
    return (*always, *(INTERVAL if comparison.intervals else ()))


def described(partition: Described) -> dict[str, Json]:
    """Describe a partition in JSON: its file, kind and size, and how it was read."""
    return {
        "file": partition.name,
        "kind": partition.kind,
        "n_objects": partition.n_objects,
        "n_clusters": partition.n_clusters,
        "understood": partition.understood.to_dict(),
        "remarks": [*partition.remarks],
    }


def reading_lines(partition: Described) -> list[str]:
    """Say how a partition was read, and what was noticed, in a line for each."""
    understood = partition.understood.sentence(partition.n_rows)
    return [f"   {line}" for line in (understood, *partition.remarks)]


def _row(record: dict[str, Any]) -> tuple[Cell, ...]:
    return tuple("" if cell is None else cell for cell in record.values())


def _sentence(partition: Described) -> str:
    clusters = count(partition.n_clusters, "cluster")
    return f"{partition.name} ({partition.kind}, {clusters})"


def _remarks(comparison: Comparison) -> list[str]:
    named = " ".join(f"--family {name}" for name in comparison.families_left_out)
    remarks = [
        comparison.why_no_concordance,
        comparison.said_of_tables(named, "--tol 0.001"),
        ALL_AGREE if "crisp" in comparison.tables else "",
        comparison.test.sentences()[2] if comparison.test else "",
        comparison.said_of_more("--json and --csv"),
    ]
    return [remark for remark in remarks if remark]


def _index_sheets(comparison: Comparison) -> list[Sheet]:
    header, rows = ["index", "value", "error"], []
    intervals = comparison.intervals
    if intervals:
        level = next(iter(intervals.values())).level
        header += ["standard error", f"{100 * level:.4g} % interval"]
    test = comparison.test
    header += ["p-value"] if test else []
    for name, score in comparison.scores.items():
        if name not in INDICES:
            continue
        row = [INDICES[name].heading, f"{score.value:z.6f}", _shown(score.error)]
        if name in intervals:
            row += [f"{intervals[name].standard_error:.2g}", intervals[name].ends()]
        elif intervals:
            row += ["", ""]
        if test:
            row.append(f"{test.pvalue:.4g}" if name == test.index else "")
        rows.append(row)
    return [Sheet(header, rows)] if rows else []


def _table_sheets(comparison: Comparison) -> list[Sheet]:
    tables = comparison.tables
    if not tables:
        return []
    sampled = any(table.n_sampled is not None for table in tables.values())
    names = comparison.shown_statistics
    header = ["family", *(STATISTICS[name].heading for name in names)]
    rows = []
    for title in comparison.shown_tables:
        numbers = [short(comparison.of_table(name, title)) for name in names]
        error = [_shown(tables[title].error)] if sampled else []
        rows.append([title, *numbers, *error])
    return [Sheet([*header, *(["error"] if sampled else [])], rows)]


def _shown(error: float | None) -> str:
    return "" if error is None else size_of_error(error)
