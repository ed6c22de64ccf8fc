"""One HTML page about two partitions."""

from concordant.report.page import render_report, write_report

__all__ = ["render_report", "write_report"]
