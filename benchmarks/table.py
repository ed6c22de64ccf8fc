"""Puts the figures in bench.json into README and documentation."""

import json
import re
import sys
from itertools import chain
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
#: Where figures go, and whether only those that have a counterpart.
PAGES = {"README.md": True, "docs/performance.md": False}

_BLOCK = re.compile(r"(<!-- bench -->\n).*?(<!-- /bench -->)", re.DOTALL)
_HEADINGS = (
    "workload / counterpart",
    "ours, s",
    "cores",
    "counterpart, s",
    "cores",
    "times faster, or figure",
    "memory added, MB",
)


def table(result: dict[str, Any], *, counterparts_only: bool = False) -> str:
    """
    Make a Markdown table.

    Parameters
    ----------
    result : dict
        What `python -m benchmarks` wrote to bench.json.
    counterparts_only : bool, default=False
        Whether workloads without a counterpart are left out.

    Returns
    -------
    str
        The machine and one line per workload.
    """
    rows = [_HEADINGS, ("---", *["--:"] * (len(_HEADINGS) - 1))]
    for row in chain.from_iterable(result["parts"].values()):
        if counterparts_only and row["peer_s"] is None:
            continue
        cells = [row["workload"]]
        for who in ("ours", "peer"):
            cores = row[f"{who}_cores"]
            cells.append(_number(row[f"{who}_s"]))
            cells.append("" if cores is None else f"{cores:.1f}")
        cells += [_number(row["ratio"]), _number(row["peak_mb"] or None)]
        rows.append(tuple(cells))
    lines = (f"| {' | '.join(cells)} |" for cells in rows)
    return "\n".join((f"On {result['machine']}:", "", *lines))


def filled(page: str, content: str) -> str:
    """
    Replace what stands between the markers of a page.

    Parameters
    ----------
    page : str
        Markdown with ``<!-- bench -->`` and ``<!-- /bench -->``.
    content : str
        What is to stand between them.

    Returns
    -------
    str
        The new page.

    Raises
    ------
    ValueError
        If the markers do not stand there exactly once.
    """
    new, found = _BLOCK.subn(lambda m: f"{m[1]}\n{content}\n\n{m[2]}", page)
    if found != 1:
        raise ValueError(f"found {found} blocks <!-- bench -->, not one")
    return new


def main(source: Path) -> None:
    """
    Rewrite the pages.

    Parameters
    ----------
    source : Path
        The file bench.json.
    """
    result = json.loads(source.read_text(encoding="utf-8"))
    for name, counterparts_only in PAGES.items():
        path = ROOT / name
        content = table(result, counterparts_only=counterparts_only)
        page = filled(path.read_text(encoding="utf-8"), content)
        path.write_text(page, encoding="utf-8")
        print(path)


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.3g}"


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "bench.json"))
