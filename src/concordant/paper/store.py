"""Finished repetitions on disk, whole or not at all."""

import csv
import gzip
import io
import json
import zlib
from collections import Counter
from dataclasses import astuple
from pathlib import Path
from typing import NamedTuple

from concordant.files import FileError, write_bytes_atomically, write_text_atomically
from concordant.paper.study_rows import Row
from concordant.wording import called, first_line

_ASIDE = f".{'[0-9a-f]' * 16}.tmp"  # of a write that was cut short
_DIGITS = "[0-9]" * 6
_PARTS = f"*/{_DIGITS}-{_DIGITS}.csv.gz"


class Task(NamedTuple):
    """Repetitions of a study, computed together and kept in one compressed file."""

    folder: Path
    study: str
    first: int
    seeds: list[int]

    @property
    def path(self) -> Path:
        """Where they are kept."""
        end = self.first + len(self.seeds)
        return self.folder / self.study / f"{self.first:06}-{end:06}.csv.gz"


def make_ready(folder: Path, settings: dict[str, object], *, resume: bool) -> None:
    """Make a folder ready for a run; what is kept must have the same settings."""
    folder.mkdir(parents=True, exist_ok=True)
    sweep(folder)
    note = folder / "settings.json"
    text = json.dumps(settings, sort_keys=True) + "\n"
    if resume:
        _check_settings(note, text)
    else:
        for part in [*folder.glob(_PARTS)]:
            part.unlink()
    write_text_atomically(note, text)


def _check_settings(note: Path, text: str) -> None:
    """Refuse to go on with repetitions that may be others."""
    if note.exists():
        found = note.read_text(encoding="utf-8", errors="replace")
        said = f"these repetitions were computed with {found.strip()!r}, not"
    elif next(note.parent.glob(_PARTS), None) is not None:
        found, said = "", "it is missing; nothing says that the repetitions are of"
    else:
        return
    if found != text:
        raise FileError(
            f"{called(note)}: {said} {text.strip()!r}; leave out --resume to start anew"
        )


def keep(task: Task, rows: list[Row]) -> None:
    """Keep the rows of a task's repetitions."""
    task.path.parent.mkdir(exist_ok=True)
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(map(astuple, rows))
    data = gzip.compress(text.getvalue().encode("utf-8"), mtime=0)
    write_bytes_atomically(task.path, data)


def kept_lines(task: Task) -> str:
    """Return the rows as lines of CSV; refuse those that are not whole."""
    data = task.path.read_bytes()
    try:
        text = gzip.decompress(data).decode("utf-8")
        n_rows = Counter(seed for *_, seed in csv.reader(io.StringIO(text)))
        if [*n_rows] != [*map(str, task.seeds)] or len({*n_rows.values()}) > 1:
            raise ValueError("not all rows of these repetitions")
    except (OSError, EOFError, ValueError, csv.Error, zlib.error) as error:
        raise FileError(
            f"{called(task.path)}: a part of a run that is cut short or damaged "
            f"({first_line(error)}); remove it, and --resume computes it again"
        ) from error
    return text


def sweep(folder: Path) -> None:
    """Remove what writes that were cut short left in a folder and its folders."""
    for path in [*folder.glob(_ASIDE), *folder.glob(f"*/{_ASIDE}")]:
        path.unlink(missing_ok=True)
