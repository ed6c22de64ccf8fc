"""A first row that may be a heading or an object."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from concordant.errors import FileError, Message

if TYPE_CHECKING:
    from concordant.files.table import Table


class UnsettledHeadingError(FileError):
    """
    The first row of a table may name the columns or be an object.

    There are `n_rows` rows, that one included; `settled` gives the table when it is
    told whether that row is a heading.
    """

    def __init__(
        self, message: Message, n_rows: int, settled: "Callable[[bool], Table]"
    ) -> None:
        super().__init__(message)
        self.n_rows = n_rows
        self.settled = settled
