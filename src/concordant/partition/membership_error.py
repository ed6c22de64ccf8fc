"""What is wrong with a membership matrix, and where."""

from typing import Any


class MembershipError(ValueError):
    """
    Memberships that are refused, and where they stand.

    Parameters
    ----------
    message : str
        What is wrong, and what to do.
    row : int
        The object.
    column : int or None
        The cluster, or None if it is the sum of the row that is wrong.
    value : float
        The membership, or the sum.
    """

    def __init__(
        self, message: str, row: int, column: int | None, value: float
    ) -> None:
        super().__init__(message)
        self.row, self.column, self.value = row, column, value

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (*self.args, self.row, self.column, self.value)
