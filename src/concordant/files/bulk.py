"""The many lines of a large text file are parsed by pandas."""

import csv
import io
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from concordant.storage.source import size_of

_WORTH = 1 << 20  # bytes from which on pandas is worth its import
_BLOCK = 1 << 22
_LONGEST_LINE = 1 << 24
_ROWS = 1 << 16  # that are parsed at a time
_MISSING = ("", "nan", "NaN", "NA", "N/A", "NULL", "null", "None", "<NA>")


def add_in_bulk(
    stream: io.BufferedReader,
    path: Path | None,
    delimiter: str,
    mark: str | None,
    lines: Any,
    columns: Sequence[Any],
) -> bool:
    """
    Add all lines from where a stream of UTF-8 stands to the columns of those above.

    They are read from `path` if the stream is that file, which is quicker. If anything
    about them is unusual, return False: Python's reader takes them, or says what is
    wrong and where.
    """
    start = stream.tell()
    if size_of(stream) < _WORTH or not delimiter.isascii():
        return False
    n_lines = _count_usual_lines(stream, delimiter, len(columns))
    stream.seek(start)
    if n_lines == 0:
        return False
    import pandas as pd

    version = tuple(int(part) for part in pd.__version__.split(".")[:2])
    how: dict[str, Any] = {} if version >= (3, 1) else {"float_precision": "round_trip"}
    names = [*range(len(columns))]
    missing = {
        j: _MISSING[delimiter == " " :]
        for j, column in enumerate(columns)
        if not isinstance(column, list) and np.isnan(column).any()
    }
    how |= {
        "sep": r"\s+" if delimiter == " " else delimiter,
        "decimal": mark or ".",
        "header": None,
        "names": names,
        "index_col": False,
        "dtype": {j: object if isinstance(columns[j], list) else float for j in names},
        "na_filter": bool(missing),
        "keep_default_na": False,
        "na_values": missing,
        "skipinitialspace": True,
        "skip_blank_lines": False,
        "skiprows": 0 if path is None else lines[-1],
        "quoting": csv.QUOTE_NONE,
        "encoding": "utf-8",
        "engine": "c",
        "compression": None,
        "chunksize": _ROWS,
    }
    before = lines[-1]
    may_be_blank = delimiter == " " or len(columns) == 1
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # of rows that are too long
            with pd.read_csv(stream if path is None else path, **how) as frames:
                for frame in frames:
                    lines.extend(range(lines[-1] + 1, lines[-1] + 1 + len(frame)))
                    for j, column in enumerate(columns):
                        cells = frame[j].to_numpy()
                        if not isinstance(column, list):
                            column.frombytes(cells.tobytes())
                        elif may_be_blank and "" in {*map(str.strip, {*cells})}:
                            return False
                        else:
                            column.extend(cells.tolist())
    except (ValueError, OverflowError, Warning):
        return False
    return bool(lines[-1] == before + n_lines)


def _count_usual_lines(stream: io.BufferedReader, delimiter: str, width: int) -> int:
    """Return the number of lines if all is plain and even, else 0."""
    mark = delimiter.encode()
    n_lines = n_marks = 0
    end = b"\n"
    while block := stream.read(_BLOCK) + stream.readline(_LONGEST_LINE):
        end = block[-1:]
        if b'"' in block or b"\0" in block:
            return 0
        if b"\r" in block and block.count(b"\r") != block.count(b"\r\n"):
            return 0
        try:
            block.isascii() or block.decode("utf-8")
        except UnicodeDecodeError:
            return 0
        n_lines += block.count(b"\n")
        n_marks += block.count(mark)
    n_lines += end != b"\n"
    even = delimiter == " " or n_marks == n_lines * (width - 1)
    return n_lines if even else 0
