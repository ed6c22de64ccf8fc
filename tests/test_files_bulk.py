"""Many cells at a time are read as one by one, to the bit."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concordant.errors import FileError
from concordant.files import bulk, read_partition, text
from concordant.files.formats import read_columns
from concordant.files.table import (
    Column,
    Reading,
    are_booleans,
    as_number,
    means_missing,
)
from concordant.partition.ids import are_distinct

CELLS = [
    *("1", "0.5", ".5", "5.", "1e5", "1E-5", "-0", "+1.5", "1e400", "1e-400", "1e+05"),
    *(
        "4.9e-324",
        "2.2250738585072011e-308",
        "9" * 400,
        "0." + "3" * 400,
        "0x10",
        "1d5",
    ),
    *("0x10", "1d5", "nan", "NaN", "-nan", "+nan", "nan(1)", "inf", "Infinity", "-inf"),
    *("1_0", "0x1p3", "0.1f", "1L", "1j", "1e", "e5", "--1", "1.2.3", "1e 5", " 0.5"),
    *("0.5 ", "٣", "\uff11", "\x0b1", "1\x0c", "\u00a01", "1\u2003", "", "NA", "None"),
    *("true", "True", "1,5", "5%", "5 %", "NULL", "#N/A", "a", '"0.5"', '"', "\r"),
]


@pytest.fixture
def parser(monkeypatch):
    """Look at few lines first, and note what pandas read of the others."""
    monkeypatch.setattr(text, "_SAMPLE", 5)
    monkeypatch.setattr(bulk, "_BLOCK", 20)
    calls = []
    real = text._in_bulk

    def watched(*args):
        found = real(*args)
        calls.append(found is not None)
        return found

    monkeypatch.setattr(text, "_in_bulk", watched)
    return calls


def canonical(numbers):
    """Give bits, those of NaN apart, of which there are many."""
    return np.where(np.isnan(numbers), np.nan, numbers).tobytes()


def read_in_both_ways(path, monkeypatch):
    found = []
    for worth in (1, 1 << 60):
        monkeypatch.setattr(text, "_WORTH", worth)
        try:
            table = read_columns(path, Reading(header=False))
        except FileError as error:
            found.append(str(error))
            continue
        found.append(
            (
                table.understood,
                [*table.lines],
                [
                    [column.cell(i) for i in range(table.n_objects)]
                    for column in table.columns
                    if not column.is_mostly_numbers
                ],
                [canonical(column.numbers) for column in table.columns],
                [column.missing.tolist() for column in table.columns],
            )
        )
    return found


@pytest.mark.parametrize("delimiter", [",", "\t", " "])
def test_any_cell_is_read_the_same_by_both(tmp_path, monkeypatch, parser, delimiter):
    path = tmp_path / "u.txt"
    for cell in CELLS:
        for rows in (
            [("0.25", "0.75")] * 8 + [(cell, "1")] + [("0.5", "0.5")] * 3,
            [("a", "0.75")] * 8 + [("b", cell)] + [("c", "0.5")] * 3,
            [("a", "7")] * 8 + [(cell, "007")] + [("b", "8")] * 3,
            [("a", "b")] * 8 + [("b", cell)] + [("c", "0.5")] * 3,
            [(f"{k}", "b") for k in range(8)] + [(cell, "a")] + [("9", "a")] * 3,
        ):
            lines = "".join(delimiter.join(row) + "\n" for row in rows)
            path.write_text(lines, newline="")
            one, other = read_in_both_ways(path, monkeypatch)
            if cell.strip() == "" or cell == '"':
                one, other = one[:30], other[:30]
            assert one == other, cell
    assert sum(parser) > 20


@pytest.mark.parametrize("written", ["{!r}", "{:.17g}", "{:.25e}", "{:.3g}"])
@pytest.mark.parametrize("delimiter", [",", "\t", " "])
def test_any_number_is_read_the_same_by_both(
    tmp_path, monkeypatch, parser, written, delimiter
):
    rng = np.random.default_rng(0)
    bits = rng.integers(0, 2**63, (500, 3)).view(np.float64)
    numbers = np.where(rng.random(bits.shape) < 0.5, bits, rng.random(bits.shape))
    numbers[~np.isfinite(numbers)] = 0.5
    path = tmp_path / "u.txt"
    rows = ([written.format(float(x)) for x in row] for row in numbers)
    path.write_text("".join(delimiter.join(row) + "\n" for row in rows))
    one, other = read_in_both_ways(path, monkeypatch)
    assert one == other
    assert parser[0]


@pytest.mark.parametrize(
    "end", ["", "\n", "\n\n\n", "\r\n", "\n \n", "0.5\n", "\n\n1,2\n"]
)
def test_the_end_of_a_file_is_the_same_for_both(tmp_path, monkeypatch, parser, end):
    path = tmp_path / "u.csv"
    for row in ("0.5,0.5", "3", "x,0.5,0.5"):
        path.write_text("\n".join([row] * 12) + end, newline="")
        one, other = read_in_both_ways(path, monkeypatch)
        assert one == other


@pytest.mark.parametrize("other", ["0,5", "0.5", "1.0", "1", "5%", "x"])
@pytest.mark.parametrize("one", ["0,5", "0.5", "1.0", "1"])
def test_decimal_marks_are_looked_at_across_columns(
    tmp_path, monkeypatch, parser, one, other
):
    path = tmp_path / "u.csv"
    for row in (f"{one};{other}", f"{one};{other};1", f"1;{one};{other}"):
        path.write_text("\n".join([row] * 12) + "\n")
        bulk_read, careful = read_in_both_ways(path, monkeypatch)
        if "1.0" in row and not isinstance(careful, str):
            bulk_read, careful = bulk_read[1:], careful[1:]  # what is understood
        assert bulk_read == careful


def test_a_heading_of_words_above_numbers_is_found(tmp_path, monkeypatch, parser):
    path = tmp_path / "u.csv"
    for words in ("a,b", "nan,b", "NA,b", "true,b", "1,b"):
        path.write_text("\n".join([words, *["0.25,0.75"] * 12, ""]))
        found = []
        for worth in (1, 1 << 60):
            monkeypatch.setattr(text, "_WORTH", worth)
            try:
                found.append(read_columns(path, Reading()).understood)
            except FileError as error:
                found.append(str(error))
        assert found[0] == found[1], words


@pytest.mark.parametrize("word", ["x", "true"])
def test_a_word_far_below_in_a_column_of_zeros_and_ones_is_told(
    tmp_path, monkeypatch, parser, word
):
    monkeypatch.setattr(text, "_WORTH", 1)
    path = tmp_path / "u.csv"
    path.write_text("a,b\n" + "0,1\n1,0\n" * 9 + f"{word},1\n")
    with pytest.raises(FileError, match=f"line 20, column 1 .'a'.: found '{word}'"):
        read_partition(path, column="a")
    labels = read_partition(path, column="a", labels_as_text=True)
    assert labels.clusters.tolist() == ["0", "1", word]


def test_missing_values_of_a_large_file_are_left_out(tmp_path, monkeypatch, parser):
    monkeypatch.setattr(text, "_WORTH", 1)
    path = tmp_path / "u.csv"
    path.write_text("0.25,0.75\nnan,0.5\n" * 9 + "NA,0.5\n0.5,0.5\n")
    assert read_partition(path, missing="drop").n_objects == 10
    assert parser == [True]


def test_a_delimiter_that_is_not_of_ascii_is_one(tmp_path, monkeypatch, parser):
    path = tmp_path / "u.csv"
    path.write_text("0.25§0.75\n" * 12)
    monkeypatch.setattr(text, "_WORTH", 1)
    table = read_columns(path, Reading(delimiter="§", header=False))
    assert table.matrix().tolist() == [[0.25, 0.75]] * 12


def test_a_quoted_cell_that_goes_on_below_the_first_lines_is_one(
    tmp_path, monkeypatch, parser
):
    path = tmp_path / "u.csv"
    rows = [f"a{i},0.25,0.75" for i in range(4)] + ['"b\nc",0.5,0.5', "d,0.25,0.75"]
    path.write_text("\n".join(rows) + "\n")
    monkeypatch.setattr(text, "_WORTH", 1)
    assert read_partition(path).ids.tolist()[4:] == ["b\nc", "d"]
    assert parser == [False]


OF_TEXT = [
    '"a"',
    '"a;b"',
    *('""', '""a', '"a"b', 'a"', 'a"b', '"a""b"', '"a" ', ' "a"', '"a', '"a\nb"'),
    *("#a", "\ta", "a\t", " a ", "\u00a0a", "é", "\ufeffa", "01", "+1", "-0", "1.0"),
    *("x" * 140_000, "a\rb", "a\0b"),
]


@pytest.mark.parametrize("delimiter", [",", "\t", " ", "none"])
@pytest.mark.parametrize("cell", OF_TEXT)
def test_any_text_is_read_the_same_by_both(
    tmp_path, monkeypatch, parser, cell, delimiter
):
    path, mark = tmp_path / "u.txt", "," if delimiter == "none" else delimiter
    for rows in (
        [("a", "b")] * 8 + [(cell, "b")] + [("b", "a")] * 5,
        [("a", "b")] * 8 + [("b", cell)] + [("b", "a")] * 5,
        [(f"n{k}", "1") for k in range(8)] + [(cell, "0")] + [("a", "1")] * 5,
    ):
        lines = "".join(mark.join(row) + "\n" for row in rows)
        path.write_text(lines, newline="", encoding="utf-8")
        found = []
        for worth in (1, 1 << 60):
            monkeypatch.setattr(text, "_WORTH", worth)
            reading = Reading(header=False, delimiter=delimiter, id_column=0)
            try:
                table = read_columns(path, reading)
            except FileError as error:
                found.append(str(error))
                continue
            columns = [column.spread(column.cells) for column in table.columns]
            each = [column.tolist() for column in columns]
            found.append((table.understood, table.lines.tolist(), each))
        assert found[0] == found[1]


@pytest.mark.parametrize(
    ("heading", "row"),
    [
        ("label", "{label}"),
        ("label", "cluster {label}"),
        ("id,label", "{i},{label}"),
        ("id,label", "object{i},{label}.0"),
        ("id,label", '"object {i}","{label}, it is"'),
        ("id,a,b", "{i},0.{i}1,0.5"),
        ("a,b,label", "0.{i}1,0.5,{label}"),
        ("id,a,b", "{i},{label},1"),
    ],
)
def test_ids_labels_and_memberships_are_read_in_bulk(
    tmp_path, monkeypatch, parser, heading, row
):
    path = tmp_path / "u.csv"
    rows = (row.format(i=i, label=i % 3) for i in range(20))
    path.write_text("\n".join([heading, *rows, ""]))
    found = []
    for worth in (1, 1 << 60):
        monkeypatch.setattr(text, "_WORTH", worth)
        named = "label" if "label" in heading else None
        how = {"kind": None if named else "possibilistic", "column": named}
        if heading.endswith("a,b") and "0." not in row:
            how = {"column": "a"}
        P = read_partition(path, **how)
        ids = None if P.ids is None else P.ids.tolist()
        found.append((P.memberships.tolist(), P.clusters.tolist(), ids, P.remarks))
    assert found[0] == found[1]
    assert parser == [True, False]


def test_only_blocks_in_doubt_are_left_to_the_reader_of_rows(
    tmp_path, monkeypatch, parser
):
    path = tmp_path / "u.csv"
    rows = [f"object{i},{'xyz'[i % 3]}" for i in range(30)]
    rows[12], rows[20] = 'a "quoted" object,x', '"two\nlines",y'
    path.write_text("\n".join(["id,label", *rows, "", ""]))
    before, real = [], bulk.read_in_bulk

    def watched(*args):
        careful = args[-1]

        def noted(block, n_before):
            before.append(n_before)
            return careful(block, n_before)

        return real(*[*args[:-1], noted])

    monkeypatch.setattr(bulk, "_BLOCK", 40)
    monkeypatch.setattr(text, "read_in_bulk", watched)
    monkeypatch.setattr(text, "_WORTH", 1)
    table = read_columns(path, Reading())
    ids, _ = table.columns
    assert ids.cells.tolist() == [row.split(",")[0].strip('"') for row in rows]
    assert table.lines.tolist() == [*range(2, 23), *range(24, 33)]
    assert parser == [True]
    assert 0 < len(before) < 4


def test_a_percentage_in_the_first_lines_of_a_large_file_is_one(
    tmp_path, monkeypatch, parser
):
    monkeypatch.setattr(text, "_WORTH", 1)
    path = tmp_path / "u.csv"
    for first in ("a,b\n50%,0.5\n", "50%,0.5\n"):
        path.write_text(first + "0.25,0.75\n" * 20)
        P = read_partition(path, missing="drop")
        assert P.n_objects == 21
        assert P.rows(0, 2).tolist() == [[0.5, 0.5], [0.25, 0.75]]


def test_a_cell_after_an_empty_one_in_quotes_is_refused_in_a_large_file_too(
    tmp_path, monkeypatch, parser
):
    path = tmp_path / "u.csv"
    path.write_text("a,b\n" + "0.25,0.75\n" * 9 + '""0.25,0.75\n')
    monkeypatch.setattr(text, "_WORTH", 1)
    with pytest.raises(FileError, match="line 11: not a row of cells"):
        read_partition(path)


WORDS = st.one_of(
    st.sampled_from(
        [*CELLS, "obj1", "n1", "inf1", "nan(1)", "missing", "true", "a\nb"]
    ),
    st.text(max_size=6),
)


@given(st.lists(WORDS), st.sampled_from(".,"))
def test_many_cells_are_the_numbers_that_each_is(cells, mark):
    one_by_one = [as_number(cell, mark) for cell in cells]
    if are_booleans(cells):
        one_by_one = [float(cell.strip().casefold() == "true") for cell in cells]
    is_ascii = "".join(cells).isascii() and "\0" not in "".join(cells)
    for kind in (object, str) if cells and is_ascii else (object,):
        column = Column(1, None, np.array(cells, kind), mark)
        assert canonical(column.values) == canonical(np.array(one_by_one, float))
        assert column.is_distinct == (len({*cells}) == len(cells))
        assert column.texts().tolist() == [cell.strip(" \xa0") for cell in cells]
    names = {*range(len(cells))} - {*column.telling.tolist()}
    for cell in (cells[at] for at in names):
        assert math.isnan(as_number(cell))
        assert not means_missing(cell, True)
        assert not are_booleans([cell])


def test_values_of_the_same_hash_are_distinct():
    assert hash(-1) == hash(-2)
    assert are_distinct([-1, -2])
    assert not are_distinct([-1, -2, -1])


@pytest.mark.parametrize("worth", [1, 1 << 60])
@pytest.mark.parametrize("end", ["\r", "\r\n", "\n"])
def test_a_large_file_is_read_to_its_end_whatever_ends_its_lines(
    tmp_path, monkeypatch, parser, worth, end
):
    monkeypatch.setattr(text, "_WORTH", worth)
    path = tmp_path / "u.csv"
    rows = ["id,label", *(f"n{i},{i % 3}" for i in range(30))]
    path.write_bytes(end.join([*rows, ""]).encode())
    assert read_partition(path).n_objects == 30


@pytest.mark.parametrize("at", [3, 4, 5, 6])
def test_an_empty_line_where_the_first_lines_end_repeats_no_object(
    tmp_path, monkeypatch, parser, at
):
    path = tmp_path / "u.txt"
    labels = [str(i % 3) for i in range(30)]
    labels[at] = ""
    path.write_text("\n".join([*labels, ""]))
    found = read_partition(path, header=False, missing="drop")
    assert found.n_objects == 29
    monkeypatch.setattr(text, "_WORTH", 1)
    again = read_partition(path, header=False, missing="drop")
    assert (again, again.remarks) == (found, found.remarks)


@pytest.mark.parametrize("delimiter", [*",;\t |", "none"])
def test_tables_of_odd_cells_in_quotes_or_not_are_read_the_same_by_both(
    tmp_path, monkeypatch, parser, delimiter
):
    rng = np.random.default_rng(0)
    odd = [*OF_TEXT[:20], "a,b", "a;b", "a\nb", "", "NA", "50%", "1,5", "  a", "é" * 41]
    usual = ["0.5", "0.25"], ["a", "b"], ["été", "λ"], [f"n{i}" for i in range(60)]
    path = tmp_path / "u.txt"
    for _ in range(60):
        is_quoted, n_columns = rng.random() < 0.5, int(rng.integers(1, 4))
        pools = [usual[k] for k in rng.integers(4, size=n_columns)]
        rows = []
        for _ in range(int(rng.integers(8, 30))):
            row = [str(rng.choice(odd if rng.random() < 0.02 else x)) for x in pools]
            row = [f'"{cell}"' for cell in row] if is_quoted else row
            rows.append((delimiter if delimiter != "none" else ",").join(row))
        end = str(rng.choice(["\n", "\r\n"]))
        path.write_text(end.join([*rows, ""]), "utf-8", newline="")
        monkeypatch.setattr(bulk, "_BLOCK", int(rng.choice([20, 100, 400])))
        one, other = read_in_both_ways(path, monkeypatch)
        assert one == other
    assert sum(parser) > 10
