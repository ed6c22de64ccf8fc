"""Long work is kept in a file now and then, and goes on from there."""

import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from concordant.errors import Argument, FileError, InputError, WorkWarning
from concordant.storage.archive import (
    Archive,
    read_archive,
    starting_with,
    write_archive,
)
from concordant.wording import called, first_line

_KIND = "concordant checkpoint"
_VERSION = 8
_INTERVAL = 5.0  # seconds between two writes
_REMEDY = "; give another file, or remove this one to start anew"


class Job:
    """
    Long work with a name, whose state can be kept in a file.

    Other jobs on the same data share the file; without one nothing is kept. `kept` is
    the state in which an earlier run left the job. Without a file `data` are not read.
    """

    def __init__(
        self,
        checkpoint: str | PathLike[str] | None,
        name: str,
        data: Iterable[NDArray[np.float64]],
    ) -> None:
        self._path = None if checkpoint is None else Path(checkpoint)
        self._name = name
        self._next = time.monotonic() + _INTERVAL
        self._is_changing = False
        self._jobs: dict[str, Archive] = {}
        if self._path is not None:
            is_known = self._path.is_file() or self._path.is_dir()
            if self._path.exists() and not is_known:
                fault = "is not a file that can be replaced"
                raise FileError(f"{called(self._path)}: {fault}")
            self._data = _fingerprint(data)
            with self.resuming():
                self._jobs = self._read(self._path)
            self._replace(self._path)  # what cannot be written is told before the work
        self.kept = self._jobs.get(name)

    @contextmanager
    def resuming(self) -> Iterator[None]:
        """Take up the state; what cannot be one is the fault of the file."""
        try:
            yield
        except FileError as error:
            raise FileError(error.message, _REMEDY) from error
        except (ValueError, LookupError, TypeError, ArithmeticError) as error:
            wrong = f"a foreign or damaged checkpoint ({first_line(error)})"
            raise FileError(f"{called(self._path or '-')}: {wrong}", _REMEDY) from error

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
        with read_archive(path, _KIND, _VERSION) as (facts, arrays):
            if facts["data"] != self._data:
                raise FileError(f"{called(path)}: a checkpoint of other data")
            return {
                name: Archive(job, starting_with(f"{number}/", arrays))
                for number, (name, job) in enumerate(facts["jobs"].items())
            }

    def _write(self, state: Callable[[], Archive]) -> None:
        if self._path is None or self._is_changing:
            return
        try:
            self._jobs[self._name] = state()
            self._replace(self._path)
        except FileError as error:
            warnings.warn(
                f"checkpoint {error}; the work continues, and the last one is kept",
                WorkWarning,
                stacklevel=2,
            )
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


def check_repeatable(random_state: object) -> None:
    """Refuse to keep a sample that the next call cannot draw."""
    if not isinstance(random_state, int | np.integer):
        raise InputError(
            Argument("checkpoint"),
            " needs ",
            Argument("random_state"),
            " to be a whole number for a sample, so that the next call draws the same "
            f"one, found {random_state!r}",
        )


def _fingerprint(data: Iterable[NDArray[np.float64]]) -> str:
    import hashlib

    digest = hashlib.blake2b(digest_size=16)
    for matrix in data:
        digest.update(f"{matrix.shape};".encode())
        digest.update(matrix.data)
    return digest.hexdigest()
