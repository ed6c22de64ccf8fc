"""Finished repetitions on disk, whole or not at all."""

import csv
import gzip
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

from concordant.files import FileError, write_bytes_atomically, write_text_atomically
from concordant.studies.rows import Row

_ASIDE = re.compile(r"\.[0-9a-f]{16}\.tmp")  # of a write that was cut short
_PART = re.compile(r"\d{6}-\d{6}\.csv\.gz")


class Store:
    """
    The repetitions of a run that are done.

    Parameters
    ----------
    folder : Path
        Where they are kept: a compressed file for each chunk of repetitions.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def open(self, settings: dict[str, object], *, resume: bool) -> None:
        """
        Make ready for a run.

        Parameters
        ----------
        settings : dict
            What repetitions depend on beside their number.
        resume : bool
            Whether to keep what is there, which must have the same settings.

        Raises
        ------
        FileError
            If what is there was computed with other settings.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        sweep(self.folder)
        note = self.folder / "settings.json"
        text = json.dumps(settings, sort_keys=True) + "\n"
        if resume and note.exists():
            found = note.read_text(encoding="utf-8")
            if found != text:
                raise FileError(
                    f"{note}: these repetitions were computed with {found.strip()}, "
                    f"not {text.strip()}; leave out --resume to start anew"
                )
        else:
            for part in self._parts():
                part.unlink()
        write_text_atomically(note, text)

    def has(self, study: str, first: int, last: int) -> bool:
        """Tell whether repetitions from `first` to before `last` are there."""
        return self._path(study, first, last).exists()

    def write(self, study: str, first: int, last: int, rows: list[Row]) -> None:
        """Keep the rows of repetitions from `first` to before `last`."""
        path = self._path(study, first, last)
        path.parent.mkdir(exist_ok=True)
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(
            (row.study, row.data_set, row.setting, row.index, row.value, row.seed)
            for row in rows
        )
        data = gzip.compress(text.getvalue().encode("utf-8"), mtime=0)
        write_bytes_atomically(path, data)

    def lines(self, study: str, first: int, last: int) -> str:
        """Give back the rows as lines of CSV, without a header."""
        data = self._path(study, first, last).read_bytes()
        return gzip.decompress(data).decode("utf-8")

    def _path(self, study: str, first: int, last: int) -> Path:
        return self.folder / study / f"{first:06}-{last:06}.csv.gz"

    def _parts(self) -> Iterator[Path]:
        for study in self.folder.iterdir():
            if study.is_dir():
                yield from (
                    part for part in study.iterdir() if _PART.fullmatch(part.name)
                )


def sweep(folder: Path) -> None:
    """
    Remove what writes that were cut short left behind.

    Parameters
    ----------
    folder : Path
        A folder that nobody writes to now; its folders are swept too.
    """
    for path in [*folder.glob(".*.tmp"), *folder.glob("*/.*.tmp")]:
        if _ASIDE.fullmatch(path.name):
            path.unlink(missing_ok=True)
