"""Lines of decimal numbers become arrays, many cells at a time."""

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Positions = NDArray[np.intp]
Words = NDArray[np.uint64]

_BLOCK = 1 << 18  # bytes of text
# Blanks around them: what is read beside a cell is there, and no cell's.
_BEFORE, _BEHIND = b" " * 24, b" "
_ZERO, _NINE, _POINT = ord("0"), np.uint8(9), ord(".")

# Eight digits are one word, the first of them in its lowest byte.
_ZEROS, _ABOVE_NINE, _SIGNS = (
    np.uint64(int.from_bytes(bytes([byte] * 8))) for byte in (_ZERO, 0x76, 0x80)
)
_EIGHT, _SIXTEEN, _HALF = np.uint64(8), np.uint64(16), np.uint64(32)
_PAIRS = np.uint64(0x000000FF000000FF)
_HUNDREDS = np.uint64(100 + (1_000_000 << 32))
_ONES = np.uint64(1 + (10_000 << 32))
# By how many of its last bytes are digits.
_LAST_BYTES = np.array([2**64 - (1 << 8 * (8 - k)) for k in range(9)], dtype=np.uint64)
_LAST_BYTES[0] = 0
_MOST_WHOLE = 17  # digits behind a point that has a digit other than 0 before it
_MOST_DIGITS = 22  # 10^22 is the largest power of ten that is a double
_WHOLE = np.array(
    [10**k if k <= _MOST_WHOLE else 0 for k in range(_MOST_DIGITS + 1)], dtype=np.uint64
)
_POWERS = np.array([float(10**k) for k in range(_MOST_DIGITS + 1)])
_MOST_LEADING = np.uint64(900)  # times 10^16 is below 2^63
_SPLITTER = 2.0**27 + 1.0
_MARGIN = 2.0**-75


def matrix_of(data: bytes, delimiter: str, width: int) -> Vector | None:
    """
    Read lines of `width` numbers each, all of ASCII and ended by LF.

    A blank as `delimiter` stands for any number of blanks and tabs. None if a line has
    another number of cells, or a cell is not a number as Python writes them.
    """
    matrices = []
    start = 0
    while start < len(data):
        stop = data.find(b"\n", start + _BLOCK) + 1 or len(data)
        block = _BEFORE + data[start:stop] + _BEHIND
        cells = _between(block, delimiter, width)
        if cells is None:
            return None
        try:
            matrices.append(_numbers(block, *cells).reshape(-1, width))
        except ValueError:
            return None
        start = stop
    return np.concatenate(matrices)


def _between(
    block: bytes, delimiter: str, width: int
) -> tuple[Positions, Positions] | None:
    """Tell where cells begin and end, if every line has as many."""
    text = np.frombuffer(block, dtype=np.uint8)[: -len(_BEHIND)]
    is_end = text == ord("\n")
    if delimiter != " ":
        ends = np.flatnonzero(is_end | (text == ord(delimiter)))
        if ends.size % width:
            return None
        ends_line = is_end[ends].reshape(-1, width)
        if ends_line[:, :-1].any() or not ends_line[:, -1].all():
            return None
        starts = np.empty_like(ends)
        starts[0] = len(_BEFORE)
        starts[1:] = ends[:-1] + 1
        return starts, ends
    is_blank = is_end | (text == ord(" ")) | (text == ord("\t"))
    edges = np.flatnonzero(is_blank[1:] != is_blank[:-1]) + 1
    starts, ends = edges[::2], edges[1::2]
    in_line = np.diff(np.searchsorted(starts, np.flatnonzero(is_end)), prepend=0)
    return (starts, ends) if (in_line == width).all() else None


def _numbers(block: bytes, starts: Positions, ends: Positions) -> Vector:
    """
    Read cells as numbers, correctly rounded; raises ValueError where one is none.

    A digit, a point and up to 22 digits are N / 10^k. Others are read one by one.
    """
    text = np.frombuffer(block, dtype=np.uint8)
    digits = ends - starts - 2
    leading = text[starts] - np.uint8(_ZERO)
    usual = (digits >= 1) & (digits <= _MOST_DIGITS) & (leading <= _NINE)
    usual &= (text[starts + 1] == _POINT) & ((leading == 0) | (digits <= _MOST_WHOLE))
    np.clip(digits, 0, _MOST_DIGITS, out=digits)
    words: Words = np.ndarray((len(block) - 7,), "<u8", block, strides=(1,))
    first, is_number = _eight_digits(words[ends - 24], digits - 16)
    usual &= is_number & (first < _MOST_LEADING)
    second, is_number = _eight_digits(words[ends - 16], digits - 8)
    usual &= is_number
    third, is_number = _eight_digits(words[ends - 8], digits)
    usual &= is_number
    whole = (first * np.uint64(10**8) + second) * np.uint64(10**8) + third
    whole += leading * _WHOLE[digits]
    numbers, is_sure = _quotients(whole, _POWERS[digits])
    for cell in np.flatnonzero(~(usual & is_sure)).tolist():
        numbers[cell] = float(block[starts[cell] : ends[cell]])
    return numbers


def _eight_digits(words: Words, n_digits: Positions) -> tuple[Words, NDArray[np.bool_]]:
    """Read the last bytes of words as whole numbers, and tell whether they are such."""
    words = (words ^ _ZEROS) & _LAST_BYTES[np.clip(n_digits, 0, 8)]
    is_number = ((words + _ABOVE_NINE) | words) & _SIGNS == 0
    words = words * np.uint64(10) + (words >> _EIGHT)
    high = (words & _PAIRS) * _HUNDREDS
    low = ((words >> _SIXTEEN) & _PAIRS) * _ONES
    return (high + low) >> _HALF, is_number


def _quotients(whole: Words, powers: Vector) -> tuple[Vector, NDArray[np.bool_]]:
    """
    Divide whole numbers below 2^63 by powers of ten, and tell where rounding is sure.

    Notes
    -----
    A number is h + l, two doubles; that is exact. So is the remainder of h divided by
    the power (Dekker 1971). With l added and divided again it is what q, the rounded
    quotient, lacks, up to a few units of 2^-53 of itself. The sum of both is rounded as
    the quotient is, unless the quotient lies within that of the middle between two
    doubles: a margin that is far larger must not change it.
    """
    high = (whole >> _HALF).astype(np.float64) * 2.0**32
    low = (whole & np.uint64(2**32 - 1)).astype(np.float64)
    h = high + low
    left = low - (h - high)
    q = h / powers
    a, b = _product(q, powers)
    more = (((h - a) - b) + left) / powers
    value = q + more
    lost = more - (value - q)
    margin = _MARGIN * value
    is_sure = (value + (lost + margin) == value) & (value + (lost - margin) == value)
    return value, is_sure


def _product(x: Vector, y: Vector) -> tuple[Vector, Vector]:
    """Give a product as the double next to it, and what rounding took off."""
    product = x * y
    (a, b), (c, d) = _halves(x), _halves(y)
    return product, ((a * c - product) + a * d + b * c) + b * d


def _halves(x: Vector) -> tuple[Vector, Vector]:
    """Split doubles into two of 26 digits each."""
    scaled = _SPLITTER * x
    high = scaled - (scaled - x)
    return high, x - high
