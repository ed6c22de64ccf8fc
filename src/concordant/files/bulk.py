"""The many lines of a large text file are parsed by pandas."""

import io
import re
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from concordant.files.numbers import MISSING, as_numbers, means_missing
from concordant.storage.source import size_of

_WORTH = 1 << 20  # bytes from which on pandas is worth its import
_BLOCK = 1 << 22
_LONGEST_LINE = 1 << 24
_ROWS = 1 << 16  # that are parsed at a time
_MISSING = [word for each in MISSING for word in {each, each.upper(), each.title()}]


def read_in_bulk(
    stream: io.BufferedReader,
    path: Path | None,
    before: int,
    delimiter: str,
    mark: str | None,
    sample: Sequence[Sequence[str]],
    texts: set[int],
) -> list[Any] | None:
    """
    Return the columns of a table, of which a `sample` stands above the others.

    They are read from a stream of UTF-8 from where it stands, or from `path` if that is
    the same below so many lines (`before`), which is quicker. Columns that hold
    fractions in the sample become numbers; all others, and `texts`, stay text. None if
    anything is unusual: Python's reader takes such a file, or says what is wrong.
    """
    start = stream.tell()
    if size_of(stream) < _WORTH or not delimiter.isascii():
        return None
    floats = {
        j
        for j, (_, *cells) in enumerate(sample)
        if mark and j not in texts and _hold_fractions(cells, mark)
    }
    how = {
        "sep": r"\s+" if delimiter == " " else delimiter,
        "decimal": mark or ".",
        "header": None,
        "names": [*range(len(sample))],
        "index_col": False,
        "dtype": {j: float if j in floats else object for j, _ in enumerate(sample)},
        "keep_default_na": False,
        "skipinitialspace": True,
        "skip_blank_lines": False,
        "skiprows": 0 if path is None else before,
        "encoding": "utf-8",
        "engine": "c",
        "compression": None,
        "chunksize": _ROWS,
    }
    words = [word for word in _MISSING if word or delimiter != " "]
    # Most tables have no missing values, and are read in half the time without them.
    for missing in (None, dict.fromkeys(floats, words)):
        # Short rows lack a number, or a mark where columns hold text.
        counts = delimiter != " " and (missing or len(floats) < len(sample))
        stream.seek(start)
        n_lines = _count_usual_lines(stream, delimiter, len(sample) if counts else 0)
        stream.seek(start)
        columns = n_lines and _parsed(path or stream, floats, na_values=missing, **how)
        if columns and len(columns[0]) == n_lines:
            may_be_blank = delimiter == " " or len(columns) == 1
            for j, column in enumerate(columns):
                if j in floats:
                    above = as_numbers(sample[j], mark, percent=False)
                    columns[j] = np.concatenate([above, column])
                elif may_be_blank and "" in {*map(str.strip, {*column})}:
                    return None
                else:
                    columns[j] = [*sample[j], *column]
            return columns
    return None


def _parsed(file: Any, floats: set[int], **how: Any) -> list[Any]:
    """Return columns as pandas reads them, none if it cannot."""
    import pandas as pd

    version = tuple(int(part) for part in pd.__version__.split(".")[:2])
    if version < (3, 1):
        how["float_precision"] = "round_trip"
    columns: list[Any] = [[] for _ in how["names"]]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # rows that are too long
            how["na_filter"] = how["na_values"] is not None
            with pd.read_csv(file, **how) as frames:
                for frame in frames:
                    for j, column in enumerate(columns):
                        cells = frame[j].to_numpy()
                        column += [cells] if j in floats else cells.tolist()
    except (ValueError, OverflowError, Warning):
        return []
    return [np.concatenate(c) if j in floats else c for j, c in enumerate(columns)]


def _hold_fractions(cells: Sequence[str], mark: str) -> bool:
    """Return whether cells are numbers, some of them fractions, or missing."""
    numbers = as_numbers(cells, mark, percent=False)
    words = (cells[i] for i in np.flatnonzero(np.isnan(numbers)).tolist())
    known = numbers[np.isfinite(numbers)]
    fractions = 2 * known.size >= numbers.size and (known != np.floor(known)).any()
    return bool(fractions) and all(means_missing(word, True) for word in words)


def _count_usual_lines(stream: io.BufferedReader, delimiter: str, width: int) -> int:
    """Return the number of lines if all is plain, and of that width if any, else 0."""
    mark = delimiter.encode()
    # Quotes within a cell, which pandas takes as they come.
    odd = re.compile(rb'"(?<=[^"\n%b]")[^"\r\n%b]' % (re.escape(mark), re.escape(mark)))
    n_lines = n_marks = 0
    end = b"\n"
    while block := stream.read(_BLOCK) + stream.readline(_LONGEST_LINE):
        end = block[-1:]
        if b"\0" in block or (b'"' in block and odd.search(block)):
            return 0
        if b"\r" in block and block.count(b"\r") != block.count(b"\r\n"):
            return 0
        try:
            block.isascii() or block.decode("utf-8")
        except UnicodeDecodeError:
            return 0
        n_lines += block.count(b"\n")
        n_marks += block.count(mark) if width else 0
    n_lines += end != b"\n"
    return 0 if width and n_marks != n_lines * (width - 1) else n_lines
