"""The many lines of a large text file are parsed by pandas."""

import csv
import io
from pathlib import Path
from typing import Any

import numpy as np

from concordant.files.gathering import Gathered

_WORTH = 1 << 20  # bytes from which on pandas is worth its import
_BLOCK = 1 << 22
_LONGEST_LINE = 1 << 24
_ROWS = 1 << 16  # that are parsed at a time
_MISSING = ("", "nan", "NaN", "NA", "N/A", "NULL", "null", "None", "<NA>")
_WORDS = (b"rue", b"RUE", b"alse", b"ALSE")


def is_worth_it(stream: io.BufferedReader) -> bool:
    """Return whether there is so much left to read."""
    here = stream.tell()
    size = stream.seek(0, io.SEEK_END) - here
    stream.seek(here)
    return size >= _WORTH


def add_in_bulk(
    gathered: Gathered,
    stream: io.BufferedReader,
    delimiter: str,
    before: int,
    path: Path | None,
) -> bool:
    """
    Add all lines from where a stream of UTF-8 stands, the number of which is `before`.

    They are read from `path` if the stream is that file, which is quicker. If anything
    about them is unusual, return False with the stream where it was: Python's reader
    takes them, or says what is wrong and where.
    """
    start = stream.tell()
    plain = delimiter.isascii()
    n_lines = _count_usual_lines(stream, delimiter, gathered) if plain else 0
    stream.seek(start)
    done = n_lines > 0 and _parsed(
        gathered, stream, delimiter, path, before if path else 0, n_lines
    )
    if not done:
        stream.seek(start)
    return done


def _count_usual_lines(
    stream: io.BufferedReader, delimiter: str, gathered: Gathered
) -> int:
    """Return the number of lines if all is plain and even, else 0."""
    mark = delimiter.encode()
    n_lines = n_marks = 0
    end = b"\n"
    # Short rows lack a number, or a mark where columns hold text.
    counts = bool(gathered.texts) and delimiter != " "
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
        n_marks += block.count(mark) if counts else 0
    n_lines += end != b"\n"
    return 0 if counts and n_marks != n_lines * (gathered.width - 1) else n_lines


def _parsed(
    gathered: Gathered,
    stream: io.BufferedReader,
    delimiter: str,
    path: Path | None,
    skip: int,
    n_lines: int,
) -> bool:
    import pandas as pd

    version = tuple(int(part) for part in pd.__version__.split(".")[:2])
    how: dict[str, Any] = {} if version >= (3, 1) else {"float_precision": "round_trip"}
    names = [*range(gathered.width)]
    gathered.reserve(n_lines)
    n_before, start, binary = gathered.n_rows, stream.tell(), False
    missing = {
        j: _MISSING[delimiter == " " :]
        for j, place in gathered.places.items()
        if np.isnan(gathered.numbers[place, 1:n_before]).any()
    }
    how |= {
        "sep": r"\s+" if delimiter == " " else delimiter,
        "decimal": gathered.mark or ".",
        "header": None,
        "names": names,
        "index_col": False,
        "dtype": {j: np.float64 if j in gathered.places else object for j in names},
        "na_filter": bool(missing),
        "keep_default_na": False,
        "na_values": missing,
        "skipinitialspace": True,
        "skip_blank_lines": False,
        "skiprows": skip,
        "quoting": csv.QUOTE_NONE,
        "encoding": "utf-8",
        "engine": "c",
        "compression": None,
        "chunksize": _ROWS,
    }
    try:
        with pd.read_csv(stream if path is None else path, **how) as frames:
            for frame in frames:
                columns = [frame[j].to_numpy() for j in names]
                if not all(
                    _is_plain({*columns[j]}, j in gathered.numeric)
                    for j in gathered.texts
                ):
                    return False
                gathered.add_parsed(columns)
                binary = binary or any(map(_is_binary, columns))
    except (ValueError, OverflowError):
        return False
    even = gathered.n_rows == n_before + n_lines
    return even and not (binary and _has_words(stream, start))


def _is_plain(cells: set[str], are_numbers: bool) -> bool:
    """Return whether no cell is empty, and no number has a mark to be looked at."""
    return "" not in cells and not (
        are_numbers and any(mark in cell for cell in cells for mark in ",.%")
    )


def _is_binary(column: Any) -> bool:
    return (
        column.dtype.kind == "f"
        and bool(np.isin(column[:1], (0.0, 1.0)))
        and bool(((column == 0.0) | (column == 1.0)).all())
    )


def _has_words(stream: io.BufferedReader, start: int) -> bool:
    """Return whether there are words that pandas takes for ones and zeros."""
    stream.seek(start)
    while block := stream.read(_BLOCK) + stream.readline(_LONGEST_LINE):
        if any(word in block for word in _WORDS):
            return True
    return False
