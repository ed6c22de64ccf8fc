"""One HTML page about two partitions, or about many."""

from concordant.report.agreement_page import (
    render_agreement_report,
    write_agreement_report,
)
from concordant.report.page import render_report, write_report

__all__ = [
    "render_agreement_report",
    "render_report",
    "write_agreement_report",
    "write_report",
]
