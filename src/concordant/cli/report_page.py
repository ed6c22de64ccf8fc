"""The page of the command `report`."""

from collections.abc import Sequence

import concordant as cc
from concordant.cli.faults import fault_of
from concordant.cli.inputs import Given
from concordant.cli.progress_bar import Tell, step
from concordant.partition.alignment import Align, aligned
from concordant.report import render_report


def report_page(
    given: Sequence[Given], align: Align, jobs: int | None, tell: Tell
) -> str:
    """Make the HTML of the report about two partitions; a third one is the truth."""
    P, Q, *rest = given
    for other in rest:
        _check_truth(P, other, align)
    names = (P.name, Q.name)
    try:
        p, q = aligned(P.partition, Q.partition, align=align)
        comparison = cc.compare(
            p, q, n_jobs=jobs, random_state=0, progress=step(tell, 0, 1, "comparing")
        )
        tell(0.99, "drawing")
        return render_report(
            P.partition,
            Q.partition,
            truth=rest[0].partition if rest else None,
            names=names,
            truth_name=rest[0].name if rest else "",
            align=align,
            comparison=comparison,
            readings=[one.understood.sentence(one.n_rows) for one in given],
            n_jobs=jobs,
        )
    except (ValueError, TypeError, MemoryError) as error:
        raise fault_of(error, names) from error


def _check_truth(P: Given, truth: Given, align: Align) -> None:
    """Refuse a truth that is not about the objects of P, in its own name."""
    try:
        aligned(P.partition, truth.partition, align=align)
    except ValueError as error:
        raise fault_of(error, [P.name, truth.name]) from error
