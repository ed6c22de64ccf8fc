"""A comparison of two partitions becomes a document."""

from collections.abc import Mapping

from concordant.agreement.result import Concordance
from concordant.cli.document import Cell, Document, Json, Sheet
from concordant.cli.inputs import Described
from concordant.cli.measuring import Wanted
from concordant.comparison import Comparison
from concordant.families.pair_table import PairTable
from concordant.partition.alignment import Align
from concordant.wording import count

#: What people read in place of the names of indices.
HEADINGS = {
    "aci": "ACI",
    "ndc": "NDC",
    "expected": "expected NDC",
    "rand": "Rand",
    "adjusted_rand": "adj. Rand",
    "jaccard": "Jaccard",
    "fowlkes_mallows": "Fowlkes-M.",
    "mirkin": "Mirkin",
    "dice": "Dice",
}
_ERRORS = {"aci": "error", "ndc": "ndc_error", "expected": "expected_error"}
_WITH_ERROR = ("rand", "adjusted_rand")
_CARDINALITIES = ("a", "b", "c", "d")
_VERSION = 1


def comparison_document(
    P: Described, Q: Described, align: Align, comparison: Comparison, wanted: Wanted
) -> Document:
    """
    Make a document of a comparison.

    Parameters
    ----------
    P, Q : Described
        The partitions.
    align : {"index", "position"}
        How objects were matched.
    comparison : Comparison
        What was computed.
    wanted : Wanted
        What to tell of it.

    Returns
    -------
    Document
        Which depends on nothing else: the same input gives the same bytes.
    """
    agreement, tables = comparison.concordance, comparison.tables
    numbers = wanted.statistics
    if not wanted.indices:
        numbers = (*_CARDINALITIES, *numbers)
    matched = "id" if align == "index" else "position"
    return Document(
        json={
            "schema": "concordant/compare",
            "version": _VERSION,
            "P": described(P),
            "Q": described(Q),
            "n_objects": comparison.n_objects,
            "matched_by": matched,
            "concordance": (
                None if agreement is None else _agreement(agreement, wanted.agreements)
            ),
            "tables": [_table(table, numbers) for table in tables.values()],
        },
        header=("index", "family", "t_norm", "value", "error"),
        rows=[*_agreement_rows(agreement, wanted), *_table_rows(tables, numbers)],
        lines=[
            f"P: {_sentence(P)}",
            *reading_lines(P),
            f"Q: {_sentence(Q)}",
            *reading_lines(Q),
            f"{count(comparison.n_objects, 'object')}, matched by {matched}",
            *_remarks(comparison, wanted),
        ],
        sheets=[*_agreement_sheets(agreement, wanted), *_table_sheets(tables, wanted)],
    )


def described(partition: Described) -> dict[str, Json]:
    """
    Describe a partition in JSON.

    Parameters
    ----------
    partition : Described
        The partition.

    Returns
    -------
    dict
        Its file, kind and size, how it was read, and what was noticed.
    """
    return {
        "file": partition.name,
        "kind": partition.kind,
        "n_objects": partition.n_objects,
        "n_clusters": partition.n_clusters,
        "understood": partition.understood.to_dict(),
        "remarks": [*partition.remarks],
    }


def reading_lines(partition: Described) -> list[str]:
    """
    Say how a partition was read, and what was noticed.

    Parameters
    ----------
    partition : Described
        The partition.

    Returns
    -------
    list of str
        One line for each.
    """
    understood = partition.understood.sentence(partition.n_rows)
    return [f"   {line}" for line in (understood, *partition.remarks)]


def short(value: float) -> str:
    """
    Show a statistic to people.

    Parameters
    ----------
    value : float
        Any.

    Returns
    -------
    str
        Four decimals, or four digits if it is large.
    """
    return f"{value:.4f}" if abs(value) < 1e5 else f"{value:.4g}"


def _sentence(partition: Described) -> str:
    clusters = count(partition.n_clusters, "cluster")
    return f"{partition.name} ({partition.kind}, {clusters})"


def _remarks(comparison: Comparison, wanted: Wanted) -> list[str]:
    if comparison.concordance is None and wanted.agreements:
        return [comparison.why_no_concordance]
    return []


def _agreement(agreement: Concordance, names: tuple[str, ...]) -> dict[str, Json]:
    values: dict[str, Json] = {}
    for name in names:
        values[name] = getattr(agreement, name)
        values[f"{name}_error"] = getattr(agreement, _ERRORS[name])
    return values | {
        "method": agreement.method,
        "n_pairs": agreement.n_pairs,
        "n_permutations": agreement.n_permutations,
    }


def _table(table: PairTable, numbers: tuple[str, ...]) -> dict[str, Json]:
    values: dict[str, Json] = {name: getattr(table, name) for name in numbers}
    return {
        "family": table.family,
        "t_norm": table.t_norm,
        **values,
        "error": table.error,
        "n_sampled": table.n_sampled,
    }


def _agreement_rows(
    agreement: Concordance | None, wanted: Wanted
) -> list[tuple[Cell, ...]]:
    if agreement is None:
        return []
    return [
        (name, "", "", getattr(agreement, name), getattr(agreement, _ERRORS[name]))
        for name in wanted.agreements
    ]


def _table_rows(
    tables: Mapping[str, PairTable], numbers: tuple[str, ...]
) -> list[tuple[Cell, ...]]:
    return [
        (
            name,
            table.family,
            table.t_norm or "",
            getattr(table, name),
            table.error if name in _WITH_ERROR else "",
        )
        for table in tables.values()
        for name in numbers
    ]


def _agreement_sheets(agreement: Concordance | None, wanted: Wanted) -> list[Sheet]:
    if agreement is None:
        return []
    rows = [
        (
            HEADINGS[name],
            f"{getattr(agreement, name):.6f}",
            _error(getattr(agreement, _ERRORS[name])),
        )
        for name in wanted.agreements
    ]
    return [Sheet(("concordance", "value", "error"), rows)]


def _table_sheets(tables: Mapping[str, PairTable], wanted: Wanted) -> list[Sheet]:
    if not tables:
        return []
    sampled = any(table.n_sampled is not None for table in tables.values())
    header = ["family", *(HEADINGS[name] for name in wanted.statistics)]
    rows = []
    for title, table in tables.items():
        numbers = [short(getattr(table, name)) for name in wanted.statistics]
        rows.append([title, *numbers, *([_error(table.error)] if sampled else [])])
    return [Sheet([*header, *(["error"] if sampled else [])], rows)]


def _error(value: float) -> str:
    return f"{value:.1e}" if value else "0"
