"""Long work is kept in a file now and then, and goes on from there."""

import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from concordant.errors import Argument, FileError, InputError
from concordant.storage.archive import (
    Archive,
    read_archive,
    starting_with,
    write_archive,
)
from concordant.wording import called, first_line

_KIND = "concordant checkpoint"
_VERSION = 7
_INTERVAL = 5.0  # seconds between two writes


class HasColumns(Protocol):
    """What work is done on: a partition, of which only the memberships matter."""

    def columns(self) -> NDArray[np.float64]:
        """Give the memberships, one cluster per row."""


class Job:
    """
    Long work with a name, whose state can be kept in a file.

    Other jobs on the same data share the file; without one nothing is kept. `kept` is
    the state in which an earlier run left the job.
    """

    def __init__(self, path: Path | None, name: str, data: str) -> None:
        self._path = path
        self._name = name
        self._data = data
        self._next = time.monotonic() + _INTERVAL
        self._warned = False
        self._is_changing = False
        self._jobs = {} if path is None else self._read(path)
        self.kept = self._jobs.get(name)
        if path is not None:
            self._replace(path)  # what cannot be written is told before the work

    @contextmanager
    def resuming(self) -> Iterator[None]:
        """Take up the state; what cannot be one is the fault of the file."""
        try:
            yield
        except (ValueError, LookupError, TypeError, ArithmeticError) as error:
            source = called(self._path or "-")
            raise FileError(
                f"{source}: a foreign or damaged checkpoint ({first_line(error)}); "
                "give another file, or remove this one to start anew"
            ) from error

    @contextmanager
    def keeping(self, state: Callable[[], Archive]) -> Iterator[None]:
        """Keep the state when the work within ends, however it does."""
        try:
            yield
        finally:
            self._write(state)

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Change the state; if that is cut short, the state is kept no more."""
        self._is_changing = True
        yield
        self._is_changing = False

    def offer(self, state: Callable[[], Archive]) -> None:
        """Keep the state if it is time again."""
        if time.monotonic() >= self._next:
            self._write(state)

    def _read(self, path: Path) -> dict[str, Archive]:
        """Read the jobs in the file, by name."""
        if not path.exists():
            return {}
        if not path.is_file() and not path.is_dir():
            raise FileError(f"{called(path)}: is not a file that can be replaced")
        try:
            with read_archive(path, _KIND, _VERSION) as content:
                if content.facts["data"] != self._data:
                    raise FileError(f"{called(path)}: a checkpoint of other data")
                jobs = content.facts["jobs"].items()
                return {
                    name: _job(content, number, facts)
                    for number, (name, facts) in enumerate(jobs)
                }
        except FileError as error:
            raise FileError(
                error.message,
                "; give another file, or remove this one to start anew",
            ) from error

    def _write(self, state: Callable[[], Archive]) -> None:
        if self._path is None or self._is_changing:
            return
        try:
            self._jobs[self._name] = state()
            self._replace(self._path)
        except FileError as error:
            self._warn(error)
        self._next = time.monotonic() + _INTERVAL

    def _replace(self, path: Path) -> None:
        facts = {name: job.facts for name, job in self._jobs.items()}
        arrays = {
            f"{number}/{key}": array
            for number, job in enumerate(self._jobs.values())
            for key, array in job.arrays.items()
        }
        content = Archive({"data": self._data, "jobs": facts}, arrays)
        write_archive(path, _KIND, _VERSION, content)

    def _warn(self, error: FileError) -> None:
        """Say once that nothing is kept: the work itself can go on."""
        if not self._warned:
            warnings.warn(
                f"checkpoint {error}; the work continues, and the last one is kept",
                RuntimeWarning,
                stacklevel=2,
            )
        self._warned = True


def _job(content: Archive, number: int, facts: dict[str, Any]) -> Archive:
    """Take one job out of a file."""
    if not isinstance(facts, dict):
        raise TypeError("a foreign or damaged file")
    return Archive(facts, starting_with(f"{number}/", content.arrays))


def open_job(
    checkpoint: str | PathLike[str] | None,
    name: str,
    partitions: Sequence[HasColumns],
) -> Job:
    """Begin a job, or go on with it as the file says."""
    if checkpoint is None:
        return Job(None, name, "")
    return Job(Path(checkpoint), name, _fingerprint(partitions))


def open_sample(
    checkpoint: str | PathLike[str] | None,
    name: str,
    partitions: Sequence[HasColumns],
    random_state: object,
) -> Job:
    """Begin or resume a job on a sample of pairs, which `random_state` must tell."""
    if checkpoint is not None and not isinstance(random_state, int | np.integer):
        raise InputError(
            Argument("checkpoint"),
            " needs ",
            Argument("random_state"),
            " to be a whole number for a sample, so that the next call draws the same "
            f"one, found {random_state!r}",
        )
    return open_job(checkpoint, f"{name}, sample {random_state}", partitions)


def _fingerprint(partitions: Sequence[HasColumns]) -> str:
    import hashlib

    digest = hashlib.blake2b(digest_size=16)
    for partition in partitions:
        columns = partition.columns()
        digest.update(f"{columns.shape};".encode())
        digest.update(columns.data)
    return digest.hexdigest()
