"""Why a row of text cannot be divided into cells."""

import csv
from collections.abc import Iterable

NO_END = "a quoted cell has no end"
GOES_ON = "a quoted cell goes on after its quote"
CARRIAGE_RETURN = "a carriage return within the line; lines end with LF or CRLF"


class UndividedRowError(csv.Error):
    """
    A row whose quotes or line ends are not those of CSV, and why.

    The reason is in words for a user.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def why_undivided(lines: Iterable[str], delimiter: str) -> str:
    """
    Say why Python's strict reader of CSV refused a row, which it tells by text only.

    The lines are those of the row, up to the one that was refused. The states are those
    of the reader: at the start of a cell, in a bare cell, in quotes, behind the closing
    quote, behind the end of the line.
    """
    state, length, longest = "start", 0, csv.field_size_limit()
    for line in lines:
        if state != "quoted":
            state, length = "start", 0
        for character in line:
            if state == "start" and character == '"':
                state = "quoted"
                continue
            if state == "quoted" and character == '"':
                state = "closed"
            elif state == "closed" and character == '"':
                state = "quoted"
            elif state != "quoted" and character in "\r\n":
                state = "ended"
            elif state == "ended":
                return CARRIAGE_RETURN
            elif state != "quoted" and character == delimiter:
                state, length = "start", 0
            elif state == "closed":
                return GOES_ON
            elif state == "start" and character != " ":
                state = "bare"
            length += state in ("bare", "quoted")
            if length > longest:
                return f"a cell of more than {longest} characters"
    return NO_END
