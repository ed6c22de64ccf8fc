"""Numbers, names and tables as people read them, in a terminal and in a notebook."""

import html
import math
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

_LARGE = 1e5  # has no decimals
_HUGE = 2.0**53  # is no count that a double holds
_LONG = 1e10  # has too many digits
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_SHORT_NAME = 22  # characters
_MOST_ROWS = 15  # of a long table, at its head and at its end
_WIDEST = 120  # characters of a table, unless six columns of numbers take more


def short(value: float) -> str:
    """Return a number with four decimals, or none if it is as large as counts of pairs.

    What is 0 in four decimals has no sign.
    """
    if math.isnan(value):
        return "-"
    if abs(value) < _LARGE:
        return f"{value:z.4f}"
    return f"{value:.0f}" if abs(value) <= _HUGE else f"{value:.4g}"


def number(value: float, digits: int = 4) -> str:
    """Return a number for a page: a true minus sign, a dash if it is not defined."""
    if math.isnan(value):
        return "\u2013"
    if abs(value) >= _LONG:
        mantissa, _, exponent = f"{value:.3e}".partition("e")
        text = f"{mantissa} \u00d7 10{str(int(exponent)).translate(_RAISED)}"
    elif abs(value) >= _LARGE:
        text = f"{value:,.0f}"
    else:
        text = f"{value:z.{digits}f}"
    return text.replace("-", "\u2212")


def size_of_error(error: float) -> str:
    """Return the size of an error: two digits, 0 if there is none."""
    return f"{error:.1e}" if error else "0"


def printed(name: object) -> str:
    r"""
    Return a name as text in which every character is to be seen.

    Control characters are shown by their pictures, and what is no character by U+FFFD.
    """
    return "".join(_seen(character) for character in str(name)) or "(no name)"


def shortened(name: object, most: int = _SHORT_NAME) -> str:
    """Return a name as text of at most `most` characters, if cut, with an ellipsis."""
    text = printed(name)
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _seen(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    category = unicodedata.category(character)
    return "\ufffd" if category in ("Cc", "Cs") else character


def table_lines(
    header: Sequence[str], rows: Sequence[Sequence[str]], *, n_texts: int = 1
) -> list[str]:
    """Return the lines of a table: texts to the left, numbers to the right.

    Of many columns, there are the first and the last.
    """
    cells = _narrowed([[*header], *([*row] for row in rows)], n_texts)
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = []
    for row in cells:
        padded = (
            f"{cell:<{width}}" if place < n_texts else f"{cell:>{width}}"
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        lines.append("  ".join(padded).rstrip())
    rule = "-" * (sum(widths) + 2 * (len(widths) - 1))
    return [lines[0], rule, *lines[1:]] if any(header) else [rule, *lines[1:]]


def _narrowed(cells: list[list[str]], n_texts: int) -> list[list[str]]:
    widths = [max(map(len, column)) + 2 for column in zip(*cells, strict=True)]
    numbers = widths[n_texts:]
    if sum(widths) - 2 <= _WIDEST:
        return cells
    most = (_WIDEST - sum(widths[:n_texts]) - len("...")) // max(numbers, default=1)
    at_each_end = max(most // 2, 3)
    if len(numbers) - 2 * at_each_end <= 1:
        return cells
    first, last = n_texts + at_each_end, len(widths) - at_each_end
    return [[*row[:first], "...", *row[last:]] for row in cells]


def cut(rows: Sequence[Sequence[str]]) -> list[Sequence[str]]:
    """Return rows, of many the first and the last, and how many are between."""
    n_hidden = len(rows) - 2 * _MOST_ROWS
    if n_hidden <= 1:
        return [*rows]
    between = [f"... {n_hidden} more", *[""] * (len(rows[0]) - 1)]
    return [*rows[:_MOST_ROWS], between, *rows[-_MOST_ROWS:]]


class Shown(NamedTuple):
    """What a result shows: a title, lines, a table with its heading, and a note."""

    title: str
    lines: Sequence[str] = ()
    header: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    note: str = ""
    n_texts: int = 1
    below: "Sequence[Shown]" = ()

    def text(self) -> str:
        """Return it as lines, with the tables below after an empty one."""
        text = [self.title] if self.title else []
        text += [f"  {line}" for line in self.lines]
        if self.header:
            text += [""] if self.lines else []
            text += table_lines(self.header, cut(self.rows), n_texts=self.n_texts)
        text += [self.note] if self.note else []
        for other in self.below:
            text += ["", other.text()]
        return "\n".join(text)

    def html(self) -> str:
        """Return it as part of a page."""
        title, lines, header, rows, note, n_texts, below = self
        table = html_table(header, rows, n_texts=n_texts) if header else ""
        head = html_lines(title, lines) if title else ""
        small = f"<p><small>{html.escape(note)}</small></p>" if note else ""
        return head + table + small + "".join(other.html() for other in below)


class Readable:
    """A result that shows the same to people in a terminal and in a notebook."""

    __slots__ = ()

    def _shown(self) -> Shown:
        raise NotImplementedError

    def _title(self) -> str:
        return self._shown().title

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._title()})"

    def __str__(self) -> str:
        return self._shown().text()

    def _repr_html_(self) -> str:
        return self._shown().html()


def html_lines(title: str, lines: Sequence[str]) -> str:
    """Return a paragraph of a title and lines."""
    below = "".join(f"<br>{html.escape(line)}" for line in lines)
    return f"<p><b>{html.escape(title)}</b>{below}</p>"


def html_table(
    header: Sequence[str], rows: Sequence[Sequence[str]], *, n_texts: int = 1
) -> str:
    """Return a table whose first column names the rows, with texts to the left."""
    head = _html_row(header, "th", n_texts) if any(header) else "<tr></tr>"
    body = "".join(_html_row(row, "td", n_texts) for row in rows)
    table = f"<table><thead>{head}</thead><tbody>{body}</tbody></table>"
    return f'<div style="overflow-x:auto">{table}</div>'


def _html_row(cells: Sequence[str], tag: str, n_texts: int) -> str:
    row = ""
    for place, cell in enumerate(cells):
        name = tag if place else "th"
        styles = ["text-align:left"] if place < n_texts else []
        styles += [] if place else ["white-space:nowrap"]
        style = f' style="{";".join(styles)}"' if styles else ""
        row += f"<{name}{style}>{html.escape(cell)}</{name}>"
    return f"<tr>{row}</tr>"
