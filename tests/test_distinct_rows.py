"""Tables of few distinct rows, in memory and in streams."""

import itertools

import numpy as np
import pytest

import concordant as cc
from concordant.agreement import beyond_one, few_rows
from concordant.partition import distinct_rows as rows_of
from concordant.streams import class_columns
from concordant.streams.row_counts import RowCounts


def rounded(rng, n, K, digits=2):
    """Draw rows that sum to up to K / 2 units of the last digit more or less than 1."""
    unit = 10.0**-digits
    U = rng.dirichlet(np.full(K, 0.3), size=n).round(digits)
    steps = np.rint((1.0 - U.sum(axis=1)) / unit) + rng.integers(-1, 2, size=n)
    main = U.argmax(axis=1)
    U[np.arange(n), main] = np.minimum(U[np.arange(n), main] + steps * unit, 1.0)
    return U.round(digits)


def sides(rng, name, n):
    if name == "two and two clusters":
        return rounded(rng, n, 2), rounded(rng, n, 2)
    labels = np.array(["a", "b", "c", "d"])[rng.integers(4, size=n)]
    U = rounded(rng, n, 3)
    return (U, labels) if name == "fuzzy and crisp" else (labels, U)


SIDES = ("two and two clusters", "fuzzy and crisp", "crisp and fuzzy")


def numbers(found):
    return found.discordance, found.expected_discordance, found.aci


@pytest.mark.parametrize("factor", [rows_of._FACTOR, np.uint64(0)])
def test_distinct_rows_are_found_whatever_their_numbers(factor, monkeypatch):
    monkeypatch.setattr(rows_of, "_FACTOR", factor)  # with 0 all have the same
    rng = np.random.default_rng(3)
    columns = rng.integers(-1, 3, size=(3, 200)) / 4.0
    columns[columns == 0.0] *= rng.choice([-1.0, 1.0], size=(columns == 0.0).sum())
    expected, which, counts = np.unique(
        columns + 0.0, axis=1, return_inverse=True, return_counts=True
    )
    found = rows_of.distinct_rows(columns)
    np.testing.assert_array_equal(found.columns, expected)
    np.testing.assert_array_equal(found.counts, counts)
    np.testing.assert_array_equal(found.which, which)
    assert not np.signbit(found.columns[found.columns == 0.0]).any()
    again = rows_of.distinct_rows(columns, np.full(200, 7))
    np.testing.assert_array_equal(again.counts, 7 * counts)
    k = len(counts)
    assert rows_of.few_distinct_rows(columns, k - 1) is None
    few = rows_of.few_distinct_rows(columns, k)
    np.testing.assert_array_equal(few.columns, expected)


def test_many_distinct_rows_are_seen_from_some_of_them():
    columns = np.random.default_rng(0).random((2, 1000))
    assert rows_of.few_distinct_rows(columns, 100) is None
    assert rows_of.few_distinct_rows(columns, 1000) is not None


@pytest.mark.parametrize("name", SIDES)
def test_few_rows_give_what_all_pairs_give(name):
    P, Q = sides(np.random.default_rng(5), name, 600)
    expected = cc.concordance(P, Q, method="sorted")
    method = "two-clusters" if name == SIDES[0] else "fuzzy-crisp"
    for found in (
        cc.concordance(P, Q, method=method),
        cc.stream(
            zip(np.array_split(P, 7), np.array_split(Q, 7), strict=True)
        ).concordance,
    ):
        assert found.is_exact
        assert found.method == method
        assert numbers(found) == pytest.approx(numbers(expected), rel=0, abs=1e-12)


def test_few_rows_are_symmetric_and_the_same_for_objects_in_any_order():
    rng = np.random.default_rng(6)
    P, Q = sides(rng, SIDES[0], 500)
    found = cc.concordance(P, Q, method="two-clusters")
    assert cc.concordance(Q, P, method="two-clusters") == found
    order = rng.permutation(500)
    assert cc.concordance(P[order], Q[order], method="two-clusters") == found


@pytest.mark.parametrize("name", SIDES)
def test_too_many_rows_leave_an_error_that_contains_the_truth(name, monkeypatch):
    P, Q = sides(np.random.default_rng(7), name, 900)
    expected = cc.concordance(P, Q, method="sorted")
    monkeypatch.setattr(few_rows, "_MOST_SORTED", 20)
    monkeypatch.setattr(beyond_one, "_MOST_ROWS", 20)
    monkeypatch.setattr(class_columns, "_MOST_ROWS", 20)
    method = "two-clusters" if name == SIDES[0] else "fuzzy-crisp"
    for found in (
        cc.concordance(P, Q, method=method),
        cc.stream([(P[:400], Q[:400]), (P[400:], Q[400:])]).concordance,
    ):
        assert not found.is_exact
        assert abs(found.aci - expected.aci) <= found.error


@pytest.mark.parametrize("most", [1 << 16, 60])
@pytest.mark.parametrize("name", SIDES)
def test_parts_merged_in_any_order_give_the_same_file(
    name, most, monkeypatch, tmp_path
):
    monkeypatch.setattr(class_columns, "_MOST_ROWS", most)
    rng = np.random.default_rng(8)
    P, Q = sides(rng, name, 120)
    Q, P = (side[np.argsort(Q if Q.ndim == 1 else Q[:, 0])] for side in (Q, P))
    bounds = (0, 1, 30, 31, 90, 120)
    pieces = [slice(*ends) for ends in itertools.pairwise(bounds)]
    kinds = tuple("crisp" if side.ndim == 1 else "fuzzy" for side in (P, Q))
    for number, piece in enumerate(pieces):
        part = cc.Accumulator(kinds=kinds, families=()).update(P[piece], Q[piece])
        part.save(tmp_path / str(number))
    files, found = set(), set()
    for order in ([0, 1, 2, 3, 4], [4, 2, 0, 3, 1], [3, 4, 1, 0, 2]):
        whole = cc.Accumulator(kinds=kinds, families=())
        for number in order:
            whole.merge(cc.Accumulator.load(tmp_path / str(number)))
        found.add(whole.result().concordance)
        whole.save(tmp_path / "whole")
        files.add((tmp_path / "whole").read_bytes())
        assert cc.Accumulator.load(tmp_path / "whole").result().concordance in found
    assert len(files) == len(found) == 1
    if most > 1000:
        (one,) = found
        assert one.is_exact
        expected = cc.concordance(P, Q, method="sorted")
        assert numbers(one) == pytest.approx(numbers(expected), rel=0, abs=1e-12)


def test_nothing_is_kept_of_memberships_that_are_not_rounded():
    rng = np.random.default_rng(9)
    U, labels = rng.dirichlet(np.ones(3), size=300), rng.integers(3, size=300)
    counted = RowCounts(4, 1 << 16)
    counted.add(rounded(rng, 100, 3).T, labels=labels[:100])
    assert counted.kept() is not None
    counted.add(U.T, labels=labels)
    assert counted.kept() is None
    late = np.vstack((rounded(rng, 100, 3), U))  # beyond the objects looked at first
    counted = RowCounts(4, 1 << 16)
    counted.add(late.T, labels=np.zeros(400, dtype=int))
    assert counted.kept() is None


def spoilt(rows, counts):
    infinite, unordered, fewer = rows.copy(), rows[:, ::-1], counts.copy()
    infinite[0, -1] = np.inf
    fewer[0] += 1
    negative = counts.copy()
    negative[:2] += -negative[0], negative[0]
    yield {"rows": infinite, "counts": counts}
    yield {"rows": unordered, "counts": counts}
    yield {"rows": rows, "counts": fewer}
    yield {"rows": rows, "counts": negative}
    yield {"rows": rows[:-1], "counts": counts}
    yield {"rows": rows.astype(np.float32), "counts": counts}
    yield {"rows": rows, "counts": counts.astype(np.float64)}
    yield {"rows": rows, "counts": counts[:, np.newaxis]}


def test_rows_that_cannot_be_are_refused():
    counted = RowCounts(4, 1 << 16)
    rng = np.random.default_rng(10)
    counted.add(rounded(rng, 50, 3).T, labels=rng.integers(3, size=50))
    arrays = counted.arrays()
    again = RowCounts(4, 1 << 16)
    again.restore(arrays, 50)
    np.testing.assert_array_equal(again.kept().rows, arrays["rows"])
    for damaged in spoilt(**arrays):
        with pytest.raises(ValueError, match="rows"):
            RowCounts(4, 1 << 16).restore(damaged, 50)


@pytest.mark.parametrize("label", [-1.0, 0.5, 3.0, 1.0])
def test_rows_of_other_classes_are_refused(label):
    rng = np.random.default_rng(11)
    columns = class_columns.ClassColumns(3, 3, crisp_first=False)
    labels = np.repeat([0, 1, 2], 10)
    columns.add(cc.Partition(rounded(rng, 30, 3)), cc.Partition(labels))
    arrays = columns.arrays()
    arrays["rows"] = arrays["rows"].copy()
    arrays["rows"][-1, -1] = label if arrays["rows"][-1, -1] != label else 0.0
    with pytest.raises(ValueError, match="rows"):
        class_columns.ClassColumns(3, 3, crisp_first=False).restore(arrays)
