"""Facts and arrays in one file, whose kind, version and bytes are checked."""

import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from concordant.errors import FileError
from concordant.storage.atomic import write_bytes_atomically
from concordant.storage.source import blaming, opened
from concordant.wording import called

Arrays = dict[str, NDArray[Any]]

_LINE = 64  # bytes of the first line, which names kind and version
_DIGEST = 32  # bytes of the digest behind it
_FACTS = "facts"


class Archive(NamedTuple):
    """What a file holds: facts that JSON can express, and arrays by name."""

    facts: dict[str, Any]
    arrays: Arrays


def write_archive(path: str | Path, kind: str, version: int, content: Archive) -> None:
    """
    Write a file whole or not at all: the same bytes for the same content.

    A line with kind and version, the SHA-256 of the rest, and an archive of ``.npy``
    arrays, one of which holds the facts as JSON.
    """
    # Imported when a file is written or read: every comparison imports this module.
    import hashlib
    import zipfile

    facts = json.dumps(content.facts, separators=(",", ":")).encode("ascii")
    arrays = {_FACTS: np.frombuffer(facts, dtype=np.uint8), **content.arrays}
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as file:
        for name, array in arrays.items():
            member = io.BytesIO()
            np.save(member, array, allow_pickle=False)
            info = zipfile.ZipInfo(f"{name}.npy")
            file.writestr(info, member.getvalue(), zipfile.ZIP_DEFLATED, 1)
    data = stream.getvalue()
    head = _first_line(kind, version) + hashlib.sha256(data).digest()
    write_bytes_atomically(path, head + data)


@contextmanager
def read_archive(path: str | Path, kind: str, version: int) -> Iterator[Archive]:
    """Read what `write_archive` wrote; blame the file for what goes wrong within."""
    import hashlib

    source = called(path)
    with opened(path) as stream:
        _check_line(stream.read(_LINE), source, kind, version)
        digest, content = stream.read(_DIGEST), stream.read()
    if hashlib.sha256(content).digest() != digest:
        raise FileError(f"{source}: a {kind} that is cut short or damaged")
    with blaming(source, f"not a {kind}"):
        with np.load(io.BytesIO(content), allow_pickle=False) as archive:
            arrays = {name: _array(archive[name], name) for name in archive.files}
        yield Archive(json.loads(arrays.pop(_FACTS).tobytes()), arrays)


def _array(member: object, name: str) -> NDArray[Any]:
    """Return a member of an archive, which NumPy gives as bytes if it is no array."""
    if not isinstance(member, np.ndarray):
        raise ValueError(f"{name!r} is no array")
    return member


def _first_line(kind: str, version: int) -> bytes:
    return f"{kind} {version}".ljust(_LINE - 1).encode("ascii") + b"\n"


def _check_line(line: bytes, source: str, kind: str, version: int) -> None:
    if not line.startswith(f"{kind} ".encode("ascii")):
        raise FileError(f"{source}: not a {kind}")
    if line != _first_line(kind, version):
        found = line.decode("ascii", "replace").removeprefix(kind).strip()
        raise FileError(
            f"{source}: a {kind} of version {found!r}, where this release of "
            f"concordant reads version {version}"
        )


def starting_with(start: str, arrays: Arrays) -> Arrays:
    """Return the arrays whose names start so, by the rest of their names."""
    return {
        name.removeprefix(start): array
        for name, array in arrays.items()
        if name.startswith(start)
    }


def checked(array: NDArray[Any], dtype: type, *shape: int | None) -> NDArray[Any]:
    """Return what a file kept if it is of this type and shape, None being any size."""
    fits = len(shape) == array.ndim and all(
        size in (None, found) for size, found in zip(shape, array.shape, strict=True)
    )
    if array.dtype != dtype or not fits:
        raise ValueError(f"an array of {array.dtype} with shape {array.shape}")
    return array
