"""Sums of a stream are written to a file, and checked when they are read."""

import hashlib
import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.files.errors import FileError, called, first_line
from concordant.files.source import opened
from concordant.files.writing import write_bytes_atomically

_MAGIC = b"concordant stream "
_VERSION = 1
_LINE = 32  # bytes of the first line; a digest of as many follows
_HEADER = "header"


def save_state(
    path: str | Path, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
) -> None:
    """
    Write a file.

    Parameters
    ----------
    path : str or Path
        Where to.
    header : mapping
        What JSON can hold.
    arrays : mapping of str to ndarray
        Arrays of numbers.

    Notes
    -----
    A line with the format and its version, the SHA-256 of the rest, and an archive of
    ``.npy`` arrays, of which the first is the header.
    """
    content = io.BytesIO()
    text = json.dumps(header, separators=(",", ":")).encode("ascii")
    np.savez_compressed(
        content,
        allow_pickle=False,
        **{_HEADER: np.frombuffer(text, dtype=np.uint8), **arrays},
    )
    data = content.getvalue()
    digest = hashlib.sha256(data).digest()
    write_bytes_atomically(path, _first_line(_VERSION) + digest + data)


@contextmanager
def load_state(
    path: str | Path,
) -> Iterator[tuple[dict[str, Any], dict[str, NDArray[Any]]]]:
    """
    Read a file, and blame it for what goes wrong with its content.

    Parameters
    ----------
    path : str or Path
        Where from.

    Yields
    ------
    tuple
        The header and the arrays.

    Raises
    ------
    FileError
        If it is not what `save_state` wrote.
    """
    with opened(path) as stream:
        data = stream.read()
    source = called(path)
    content = _checked(data, source)
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        header = json.loads(arrays.pop(_HEADER).tobytes())
        yield header, arrays
    except FileError:
        raise
    except (ValueError, TypeError, KeyError, OSError, zipfile.BadZipFile) as error:
        raise FileError(
            f"{source}: not the sums of a stream ({first_line(error)})"
        ) from error


def _first_line(version: int) -> bytes:
    return (_MAGIC + str(version).encode("ascii")).ljust(_LINE - 1) + b"\n"


def _checked(data: bytes, source: str) -> bytes:
    """Give what follows the first line and the digest."""
    line, digest, content = data[:_LINE], data[_LINE : 2 * _LINE], data[2 * _LINE :]
    if not line.startswith(_MAGIC):
        raise FileError(
            f"{source}: not the sums of a stream, as Accumulator.save writes them"
        )
    if line != _first_line(_VERSION):
        found = line.removeprefix(_MAGIC).decode("ascii", "replace").strip()
        raise FileError(
            f"{source}: of version {found!r} of the format, where this program reads "
            f"version {_VERSION}"
        )
    if hashlib.sha256(content).digest() != digest:
        raise FileError(f"{source}: is cut short or damaged")
    return content
