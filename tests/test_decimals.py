"""Decimal numbers are read many at a time, to the bit as Python reads one."""

from decimal import Context, Decimal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concordant.files import decimals
from concordant.files.decimals import matrix_of

CELL = (
    st.from_regex(r"[0-9]\.[0-9]{1,24}", fullmatch=True)
    | st.floats(0.0, 1.0).map(repr)
    | st.floats().map(repr)
    | st.from_regex(r"[+-]?[0-9]{0,3}\.?[0-9]{0,30}(e[+-]?[0-9]{1,3})?", fullmatch=True)
    | st.text(
        st.characters(max_codepoint=127, exclude_characters=',\r\n"_'), max_size=9
    )
)


def assert_read_as_python_does(cells, width=1):
    text = "".join(
        ",".join(cells[i : i + width]) + "\n" for i in range(0, len(cells), width)
    )
    found = matrix_of(text.encode(), ",", width)
    try:
        expected = np.array([float(cell.encode()) for cell in cells])
    except ValueError:
        assert found is None
        return
    assert found.shape == (len(cells) // width, width)
    assert found.tobytes() == expected.tobytes()


@settings(max_examples=60, deadline=None)
@given(st.lists(CELL, min_size=1, max_size=8))
def test_any_cell_is_read_as_python_reads_it(cells):
    assert_read_as_python_does(cells)


@pytest.mark.parametrize("digits", range(1, 25))
def test_any_number_of_digits_is_rounded_correctly(monkeypatch, digits):
    monkeypatch.setattr(decimals, "_BLOCK", 1000)
    rng = np.random.default_rng(digits)
    numbers = rng.integers(0, 10, (400, digits + 1)).astype(str)
    numbers[::2, 0] = "0"
    numbers[::3, 1 : 1 + digits // 2] = "0"
    cells = [f"{row[0]}.{''.join(row[1:])}" for row in numbers]
    assert_read_as_python_does(cells, width=5)


@pytest.mark.parametrize("digits", [15, 16, 17, 18, 19, 20, 21, 22, 23])
def test_numbers_near_the_middle_of_two_doubles_are_rounded_correctly(digits):
    rng = np.random.default_rng(digits)
    powers = 2.0 ** -np.arange(0, 40)
    drawn = np.concatenate((rng.random(300), powers, powers * (1 - 2.0**-53), [0.0]))
    exact = Context(prec=200)
    cells = []
    for low in drawn.tolist():
        middle = exact.divide(
            exact.add(Decimal(low), Decimal(float(np.nextafter(low, 2.0)))), Decimal(2)
        )
        for unit in (-1, 0, 1):
            near = exact.add(middle, Decimal(unit).scaleb(-digits, exact))
            cell = f"{near.quantize(Decimal(1).scaleb(-digits), context=exact):f}"
            cells.append(cell.removeprefix("-"))
    # Of few digits a middle is met exactly: 1 + 2^-53 takes more, 2^-k fewer.
    cells += [f"{Decimal(2) ** -k:f}"[: digits + 2] for k in range(1, 40)]
    assert_read_as_python_does(cells)


def test_exact_ties_go_to_the_even_double():
    # Whole numbers N + 1/2 above 2^52 are middles, and divided by ten they are not.
    cells = [f"{k}.5" for k in range(10)] + ["9.007199254740993", "4.5035996273704965"]
    assert_read_as_python_does(cells)


@pytest.mark.parametrize("block", [1, 10, 1 << 18])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", " ", "|"])
def test_blocks_of_lines_are_put_together(monkeypatch, block, delimiter):
    monkeypatch.setattr(decimals, "_BLOCK", block)
    rng = np.random.default_rng(0)
    numbers = rng.random((30, 3))
    lines = [delimiter.join(map(repr, row)) + "\n" for row in numbers.tolist()]
    found = matrix_of("".join(lines).encode(), delimiter, 3)
    assert found.tobytes() == numbers.tobytes()
    for wrong in ("0.5\n", "\n", delimiter.join(["0.5"] * 4) + "\n", "0.5" * 3 + "\n"):
        for place in (0, 7, 30):
            text = "".join([*lines[:place], wrong, *lines[place:]])
            assert matrix_of(text.encode(), delimiter, 3) is None


def test_blanks_and_tabs_of_any_number_divide_cells():
    text = b"  0.25 \t 0.75\n1\t0 \n \t-0.5   1e3\n"
    assert matrix_of(text, " ", 2).tolist() == [[0.25, 0.75], [1.0, 0.0], [-0.5, 1e3]]
    assert matrix_of(text + b" \n", " ", 2) is None
    # As many cells as there should be, but not in each line.
    assert matrix_of(b"0.5\n0.5 0.5 0.5\n", " ", 2) is None
    assert matrix_of(b"0.5\n0.5,0.5,0.5\n", ",", 2) is None


def test_quotients_of_which_rounding_is_not_sure_are_read_one_by_one(monkeypatch):
    cells = [*map(repr, np.random.default_rng(1).random(50).tolist()), "0.5", "0.0"]
    monkeypatch.setattr(decimals, "_MARGIN", 2.0**-50)
    assert not decimals._quotients(np.array([1], np.uint64), np.array([1e1]))[1].any()
    assert_read_as_python_does(cells)
