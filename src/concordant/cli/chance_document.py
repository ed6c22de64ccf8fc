"""A test of the agreement of two partitions becomes a document."""

from concordant.cli.comparison_document import described, reading_lines
from concordant.cli.document import Document, Sheet
from concordant.cli.inputs import Described
from concordant.inference import ConcordanceTest
from concordant.partition.alignment import Align
from concordant.wording import count

_VERSION = 1
_WORDS = (
    "index",
    "alternative",
    "method",
    "is_exact",
    "stopped_early",
    "null_moments",
)


def chance_document(
    P: Described, Q: Described, align: Align, result: ConcordanceTest
) -> Document:
    """Make a document of a test; the same input gives the same bytes."""
    matched = "id" if align == "index" else "position"
    content = result.to_dict()
    return Document(
        json={
            "schema": "concordant/test",
            "version": _VERSION,
            "P": described(P),
            "Q": described(Q),
            "n_objects": result.n_objects,
            "matched_by": matched,
            **content,
        },
        header=("quantity", "value"),
        rows=[item for item in content.items() if item[0] not in _WORDS],
        lines=[
            *_told("P", P),
            *_told("Q", Q),
            f"{count(result.n_objects, 'object')}, matched by {matched}",
            "",
            *result.sentences(),
        ],
        sheets=[_sheet(result)],
    )


def _told(name: str, partition: Described) -> list[str]:
    clusters = count(partition.n_clusters, "cluster")
    return [
        f"{name}: {partition.name} ({partition.kind}, {clusters})",
        *reading_lines(partition),
    ]


def _sheet(result: ConcordanceTest) -> Sheet:
    row = (
        result.heading,
        f"{result.statistic:z.6f}",
        f"{result.null_mean:z.6f}",
        f"{result.null_sd:.6f}",
        f"{result.zscore:z.2f}",
        f"{result.pvalue:.4g}",
    )
    return Sheet(("index", "value", "by chance", "sd", "z", "p-value"), [row])
