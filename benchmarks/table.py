"""Puts the figures in bench.json into the documentation."""

import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
#: The pages that hold figures.
PAGES = ("docs/performance.md", "docs/figures.md")

Result = dict[str, Any]
Row = dict[str, Any]
Cells = tuple[str, ...]

_AGAINST = (
    "workload",
    "against",
    "ours, s (cores)",
    "theirs, s (cores)",
    "times faster",
)
_ALONE = ("workload", "s (cores)", "figure", "memory added, MB")
_ALL = (
    "workload / counterpart",
    "ours, s",
    "cores",
    "counterpart, s",
    "cores",
    "times faster, or figure",
    "memory added, MB",
)
#: Headings of columns that hold words; numbers are set flush right.
_TEXT = {"workload", "workload / counterpart", "against", "what", "figures"}


def tables(result: Result) -> dict[str, str]:
    """
    Make the tables, in Markdown.

    Parameters
    ----------
    result : dict
        What `python -m benchmarks` wrote to bench.json.

    Returns
    -------
    dict from str to str
        By name: *against* has the first workload for each counterpart of a part,
        *alone* what was timed without one, *numbers* what is no time, and *all* has
        everything.
    """
    made: dict[str, tuple[Cells, Callable[[Result], Iterator[Cells]]]] = {
        "against": (_AGAINST, _against),
        "alone": (_ALONE, _alone),
        "numbers": (("what", "figures"), _numbers),
        "all": (_ALL, _all),
    }
    return {
        name: _table(result["machine"], headings, rows(result))
        for name, (headings, rows) in made.items()
    }


def filled(page: str, contents: dict[str, str], mark: str = "bench") -> str:
    """
    Replace what stands between the markers of a page.

    Parameters
    ----------
    page : str
        Markdown with ``<!-- bench: name -->`` and ``<!-- /bench -->``, once or more.
    contents : dict from str to str
        What is to stand between them, by name.
    mark : str
        The word in the markers.

    Returns
    -------
    str
        The new page.

    Raises
    ------
    ValueError
        If there are no markers.
    """
    block = re.compile(rf"(<!-- {mark}: (\w+) -->\n).*?(<!-- /{mark} -->)", re.DOTALL)
    new, found = block.subn(lambda m: f"{m[1]}\n{contents[m[2]]}\n\n{m[3]}", page)
    if not found:
        raise ValueError(f"found no block <!-- {mark}: name -->")
    return new


def main(source: Path) -> None:
    """
    Rewrite the pages.

    Parameters
    ----------
    source : Path
        The file bench.json.
    """
    contents = tables(json.loads(source.read_text(encoding="utf-8")))
    for name in PAGES:
        path = ROOT / name
        page = filled(path.read_text(encoding="utf-8"), contents)
        path.write_text(page, encoding="utf-8")
        print(path)


def _table(machine: str, headings: Cells, rows: Iterator[Cells]) -> str:
    under = ("---" if name in _TEXT else "--:" for name in headings)
    lines = (f"| {' | '.join(cells)} |" for cells in (headings, under, *rows))
    return "\n".join((f"On {machine}:", "", *lines))


def _against(result: Result) -> Iterator[Cells]:
    for rows in result["parts"].values():
        seen: set[str] = set()
        for row in rows:
            workload, _, counterpart = row["workload"].partition(" / ")
            if row["peer_s"] is None or counterpart in seen:
                continue
            seen.add(counterpart)
            times = _time(row, "ours"), _time(row, "peer")
            yield workload, counterpart, *times, _number(row["ratio"])


def _alone(result: Result) -> Iterator[Cells]:
    for row in _rows(result):
        if row["peer_s"] is None and row["ours_s"] is not None:
            figures = _number(row["ratio"]), _number(row["peak_mb"] or None)
            yield row["workload"], _time(row, "ours"), *figures


def _numbers(result: Result) -> Iterator[Cells]:
    """Figures of one workload, told apart after its last colon, share a line."""
    lines: dict[str, list[str]] = {}
    for row in _rows(result):
        if row["peer_s"] is None and row["ours_s"] is None:
            workload, colon, unit = row["workload"].rpartition(": ")
            figure = _number(row["ratio"])
            if colon:
                lines.setdefault(workload, []).append(f"{unit} {figure}")
            else:
                lines.setdefault(row["workload"], []).append(figure)
    for workload, figures in lines.items():
        yield workload, "; ".join(figures)


def _all(result: Result) -> Iterator[Cells]:
    for row in _rows(result):
        times = []
        for who in ("ours", "peer"):
            cores = row[f"{who}_cores"]
            times += [_number(row[f"{who}_s"]), "" if cores is None else f"{cores:.1f}"]
        figures = _number(row["ratio"]), _number(row["peak_mb"] or None)
        yield row["workload"], *times, *figures


def _rows(result: Result) -> Iterator[Row]:
    for rows in result["parts"].values():
        yield from rows


def _time(row: Row, who: str) -> str:
    cores = row[f"{who}_cores"]
    seconds = _number(row[f"{who}_s"])
    return seconds if cores is None else f"{seconds} ({cores:.1f})"


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.3g}"


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "bench.json"))
