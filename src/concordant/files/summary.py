"""How a file is to be read, and how it was."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal, get_args

from concordant.errors import Argument, InputTypeError
from concordant.wording import check_choice, check_count, count

Missing = Literal["drop"]

_ONE = "the name or number of a column"
_SEVERAL = "a list of names or numbers of columns"

_DELIMITERS = {
    "\t": "tabs",
    ";": "semicolons",
    ",": "commas",
    "|": "vertical bars",
    " ": "blanks",
}


@dataclass(frozen=True)
class Reading:
    """What was said about how to read a file, by the names of `read_partition`."""

    id_column: str | int | None = None
    delimiter: str | None = None
    header: bool | None = None
    array: str | None = None
    skip: int = 0
    encoding: str | None = None
    column: str | int | None = None
    columns: Sequence[str | int] | None = None
    transpose: bool = False
    missing: Missing | None = None
    labels_as_text: bool = False
    run: int | None = None
    ids: str | Path | None = None

    def __post_init__(self) -> None:
        check_choice("missing", self.missing, get_args(Missing))
        check_count("skip", self.skip, at_least=0)
        if self.run is not None:
            check_count("run", self.run)
        columns = self.columns
        listed = isinstance(columns, Sequence) and not isinstance(columns, str)
        for name, is_so, what in (
            ("id_column", isinstance(self.id_column, str | int | None), _ONE),
            ("column", isinstance(self.column, str | int | None), _ONE),
            ("columns", listed or columns is None, _SEVERAL),
        ):
            if not is_so:
                found = f" must be {what}, found {getattr(self, name)!r}"
                raise InputTypeError(Argument(name), found)


@dataclass(frozen=True)
class ReadSummary:
    """
    What a reader decided about a file.

    Parameters
    ----------
    form : str
        The format, by its name in `concordant formats`.
    compression : {"gzip", "bzip2", "xz", "zstd"} or None
        How it was compressed.
    encoding : str or None
        How the characters of a text file were encoded.
    delimiter : str or None
        What separates the cells of a text file, ``" "`` for any number of blanks; None
        if each line is one cell, and in other formats.
    decimal : {".", ","} or None
        The decimal mark of a text file; None if no number has one.
    percent : bool
        Whether numbers of a text file are percentages.
    heading : bool or None
        Whether the first row of a text file names the columns.
    ids : str or None
        The column that holds the ids.
    columns : tuple of str
        The columns that hold the labels or memberships.
    holds : {"labels", "memberships"} or None
        What these are; None for other tables.
    transposed : bool
        Whether rows were taken as columns.
    run : int or None
        Which run was read, of a file that may hold several.
    """

    form: str
    compression: str | None = None
    encoding: str | None = None
    delimiter: str | None = None
    decimal: str | None = None
    percent: bool = False
    heading: bool | None = None
    ids: str | None = None
    columns: tuple[str, ...] = ()
    holds: str | None = None
    transposed: bool = False
    run: int | None = None

    def sentence(self, n_objects: int) -> str:
        """
        Return a sentence on what was understood of a file of so many objects.

        Examples
        --------
        >>> from concordant.files.summary import ReadSummary
        >>> columns = ("x", "y")
        >>> csv = ReadSummary("text", delimiter=",", heading=True, columns=columns)
        >>> csv.sentence(150)
        '150 objects, 2 columns of memberships, commas, heading, no ids'
        """
        known = (None, "utf-8", "text", "npy", "npz", "parquet", "arrow")
        labels = self.holds == "labels"
        width = count(len(self.columns), "column")
        parts = {
            count(n_objects, "object"): True,
            f"labels from {_quoted([*self.columns, ''][0])}": labels,
            f"{width} of memberships": not labels,
            f"run {self.run}": self.run is not None,
            "transposed": self.transposed,
            self.form: self.form not in known,
            self.compression: self.compression,
            self.encoding: self.encoding not in known,
            _DELIMITERS.get(str(self.delimiter), repr(self.delimiter)): self.delimiter,
            "decimal commas": self.decimal == ",",
            "percentages": self.percent,
            "heading": self.heading,
            "no heading": self.heading is False,
            "no ids": self.ids is None,
            f"ids from {_quoted(self.ids or '')}": self.ids is not None,
        }
        return ", ".join(str(part) for part, is_so in parts.items() if is_so)

    def to_dict(self) -> dict[str, str | int | bool | list[str] | None]:
        """Return what was understood as JSON has it."""
        facts = asdict(self)
        return {"format": facts.pop("form"), **facts, "columns": [*self.columns]}


def _quoted(name: str) -> str:
    shown = name if name.isprintable() else repr(name)[1:-1]
    return f"`{shown if len(shown) <= 36 else shown[:36] + '...'}`"
