"""Facts and arrays in one file, whose kind, version and bytes are checked."""

import io
import json
import zipfile
import zlib
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from concordant.files.errors import FileError, called, first_line
from concordant.files.writing import write_bytes_atomically

_FACTS = "facts.json"
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    KeyError,
    TypeError,
    ValueError,
    NotImplementedError,
    RuntimeError,
    EOFError,
)
_TIME = (1980, 1, 1, 0, 0, 0)  # the same content gives the same bytes


class Archive(NamedTuple):
    """
    What a file holds.

    Parameters
    ----------
    facts : dict
        What JSON can say.
    arrays : dict of ndarray
        Numbers, by name.
    """

    facts: dict[str, Any]
    arrays: dict[str, NDArray[Any]]


def write_archive(path: Path, kind: str, version: int, content: Archive) -> None:
    """
    Write a file whole or not at all.

    Parameters
    ----------
    path : Path
        The file; one that is there is replaced.
    kind : str
        What the file is.
    version : int
        The version of its form.
    content : Archive
        What it holds.
    """
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
        head = {"kind": kind, "version": version, "facts": content.facts}
        _add(file, _FACTS, json.dumps(head).encode("utf-8"))
        for name, array in content.arrays.items():
            data = io.BytesIO()
            np.save(data, array, allow_pickle=False)
            _add(file, f"{name}.npy", data.getvalue())
    write_bytes_atomically(path, stream.getvalue())


def read_archive(path: Path, kind: str, version: int) -> Archive:
    """
    Read a file that `write_archive` wrote.

    Parameters
    ----------
    path : Path
        The file.
    kind : str
        What it must be.
    version : int
        The version that its form must have.

    Returns
    -------
    Archive
        What it holds.

    Raises
    ------
    FileError
        If it cannot be read, is something else, of another version, or damaged.
    """
    try:
        with zipfile.ZipFile(path) as file:
            head = json.loads(file.read(_FACTS))
            found = head["kind"], head["version"]
            facts = head["facts"] if found == (kind, version) else {}
            arrays = _arrays(file) if found == (kind, version) else {}
    except OSError as error:
        raise FileError(f"{called(path)}: cannot be read: {error.strerror}") from error
    except _DAMAGE as error:
        raise FileError(
            f"{called(path)}: no {kind}, or damaged: {first_line(error)}"
        ) from error
    if found[0] != kind:
        raise FileError(f"{called(path)}: a {found[0]}, not a {kind}")
    if found[1] != version:
        raise FileError(
            f"{called(path)}: a {kind} of version {found[1]}, where this release of "
            f"concordant reads version {version}"
        )
    return Archive(facts, arrays)


def _add(file: zipfile.ZipFile, name: str, data: bytes) -> None:
    info = zipfile.ZipInfo(name, _TIME)
    info.compress_type = zipfile.ZIP_DEFLATED
    file.writestr(info, data)


def _arrays(file: zipfile.ZipFile) -> dict[str, NDArray[Any]]:
    return {
        name.removesuffix(".npy"): np.load(
            io.BytesIO(file.read(name)), allow_pickle=False
        )
        for name in file.namelist()
        if name != _FACTS
    }
