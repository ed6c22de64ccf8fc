"""Errors that hold their message in parts, for Python or for the command line."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

# Arguments of functions that are called the same on the command line.
_SAME = (
    "alternative array checkpoint column columns delimiter draws encoding family "
    "fuzzifier groups header ids index interval kind labels-as-text loss max-clusters "
    "missing method noise normalize null order reference run similarity skip "
    "stop-after strata t-norm test threshold tol transpose width"
)
#: What the arguments of functions are called on the command line, which has no others.
OPTIONS = {option.replace("-", "_"): f"--{option}" for option in _SAME.split()} | {
    "alpha": "--alpha",
    "families": "--family",
    "id_column": "--id",
    "indices": "--index",
    "n_clusters": "--k",
    "n_jobs": "--jobs",
    "n_permutations": "--permutations",
    "n_references": "--sets",
    "n_resamples": "--resamples",
    "random_state": "--seed",
}

_MADE_UP = ("array", "id_column", "ids")  # whose values users choose, who may write all


@dataclass(frozen=True)
class Argument:
    """The name of an argument: ``n_jobs``, on the command line ``--jobs``."""

    name: str

    def __str__(self) -> str:
        return self.name

    def on_command_line(self, names: Sequence[str]) -> str:
        """Return the option, or the argument where there is none."""
        return OPTIONS.get(self.name, str(self))


@dataclass(frozen=True)
class Keyword(Argument):
    """An argument that is to be given or left out: ``kind=``, or ``--kind``."""

    def __str__(self) -> str:
        return f"{self.name}="


@dataclass(frozen=True, init=False)
class Setting:
    """
    An argument with the values to choose from.

    ``noise="drop"`` is ``--noise drop``, ``header=False`` is ``--no-header``, and
    ``method="sampled" or "auto"`` is ``--method sampled or auto``.
    """

    name: str
    values: tuple[object, ...]

    def __init__(self, name: str, *values: object) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "values", values)

    def __str__(self) -> str:
        as_is = self.name in _MADE_UP
        shown = [
            f'"{value}"' if isinstance(value, str) and not as_is else repr(value)
            for value in self.values
        ]
        return f"{self.name}={listed(shown)}"

    def on_command_line(self, names: Sequence[str]) -> str:
        """Return the option with its values, where it takes any."""
        option = OPTIONS.get(self.name)
        if option is None:
            return str(self)
        first = self.values[0]  # 0 and 1 are equal to False and True
        if isinstance(first, bool):
            return option if first else f"--no-{option.removeprefix('--')}"
        show = repr if self.name in _MADE_UP else str
        return f"{option} {listed([show(value) for value in self.values])}"


@dataclass(frozen=True)
class Data(Argument):
    """Partitions ``P`` and ``Q``, or data ``X``: on the command line, their files."""

    def on_command_line(self, names: Sequence[str]) -> str:
        """Return the file of P, Q or X, if these are known."""
        return dict(zip("PQX", names, strict=False)).get(self.name, self.name)


@dataclass(frozen=True)
class Wordings:
    """What Python and the command line say in different words, one perhaps in none."""

    python: "Piece"
    command_line: "Piece"

    def __str__(self) -> str:
        return str(self.python)

    def on_command_line(self, names: Sequence[str]) -> str:
        """Return the words for the command line."""
        return Message(self.command_line).on_command_line(names)


@dataclass(frozen=True, init=False)
class Message:
    """A text in pieces, of which some stand for arguments, data or remedies."""

    pieces: "tuple[Piece, ...]"

    def __init__(self, *pieces: "Piece") -> None:
        flat: list[Piece] = []
        for piece in pieces:
            flat.extend(piece.pieces if isinstance(piece, Message) else [piece])
        object.__setattr__(self, "pieces", tuple(flat))

    def __str__(self) -> str:
        return "".join(map(str, self.pieces))

    def on_command_line(self, names: Sequence[str] = ()) -> str:
        """Return it with options for arguments, and the files `names` for P and Q."""
        return "".join(
            piece if isinstance(piece, str) else piece.on_command_line(names)
            for piece in self.pieces
        )


Piece = str | Argument | Setting | Wordings | Message


class WordedError(Exception):
    """An error that is made from the pieces of its message."""

    def __init__(self, *pieces: Piece) -> None:
        self.message = Message(*pieces)
        super().__init__(str(self.message))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self.message.pieces


class InputError(WordedError, ValueError):
    """What a user gave is refused."""


class InputTypeError(WordedError, TypeError):
    """What a user gave is of no type that is taken; made as `InputError`."""


class InputMemoryError(WordedError, MemoryError):
    """What a user wants takes more memory than there is; made as `InputError`."""


class FileError(InputError):
    """
    A file cannot be read, written or understood.

    Its message is one line that says where (file, line, column, counted from 1 as an
    editor does) and what.
    """


class MembershipError(InputError):
    """
    Memberships that are refused, and where they stand.

    The value is the membership in a cluster, or if `column` is None the sum of a row.
    """

    def __init__(self, place: tuple[int, int | None, float], *pieces: Piece) -> None:
        super().__init__(*pieces)
        self.row, self.column, self.value = self.place = place

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.place, *self.message.pieces)


class WorkWarning(RuntimeWarning):
    """What goes wrong with the work is told, and the work goes on."""


def message_of(error: BaseException) -> Message:
    """Return the message of any error, in parts if it has them."""
    if isinstance(error, WordedError):
        return error.message
    return Message(str(error))


def listed(choices: Sequence[str]) -> str:
    """List choices as 'a, b or c'."""
    *most, last = choices
    return f"{', '.join(most)} or {last}" if most else last
