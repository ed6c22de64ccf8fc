"""Streams give what is computed in memory, within the error that they state."""

import pickle
from itertools import pairwise

import numpy as np
import oracle
import pytest
import reference
from hypothesis import given, settings
from hypothesis import strategies as st
from partitions import STYLES, memberships

import concordant as cc
from concordant.catalogue.indices import INDICES
from concordant.catalogue.terms import SUMS, Term
from concordant.files import FileError
from concordant.pairs import two_clusters
from concordant.storage.archive import read_archive, write_archive
from concordant.streams import sketch

FUZZY = STYLES[:-1]
SEEDS = st.integers(0, 2**32 - 1)
few = settings(max_examples=settings.default.max_examples // 10)


def drawn(seed, sides=("fuzzy", "labels")):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 80))
    pair = []
    for side in sides:
        if side == "labels":
            pair.append(3 * rng.integers(-1, int(rng.integers(1, 12)), size=n))
        elif side == "text":
            pair.append(rng.choice([*"abcdefg"], size=n))
        else:
            K = 2 if side == "two" else int(rng.integers(2, 5))
            pair.append(memberships(rng, n, K, str(rng.choice(FUZZY))))
    return (*pair, rng)


def chunks(P, Q, rng, most=5):
    cuts = np.sort(rng.integers(0, len(P) + 1, size=int(rng.integers(0, most))))
    bounds = [0, *cuts.tolist(), len(P)]
    return [(P[i:j], Q[i:j]) for i, j in pairwise(bounds) if j > i]


def kinds(*pair):
    return tuple("fuzzy" if np.ndim(side) == 2 else "crisp" for side in pair)


def part(P, Q, **options):
    return cc.Accumulator(kinds=kinds(P, Q), **options).update(P, Q)


def saved(accumulator, folder):
    accumulator.save(folder / "sums")
    return (folder / "sums").read_bytes()


def assert_within(found, truth, slack=1e-13):
    for name in ("discordance", "expected_discordance"):
        error = getattr(found, f"{name}_error") + getattr(truth, f"{name}_error")
        assert abs(getattr(found, name) - getattr(truth, name)) <= error + slack, name
    if truth.expected_discordance > 1e-6:
        assert abs(found.aci - truth.aci) <= found.error + truth.error + 1e-9


ALL_SIDES = [
    ("fuzzy", "labels"),
    ("text", "fuzzy"),
    ("labels", "text"),
    ("two", "two"),
]


@pytest.mark.parametrize("limit", [1 << 18, 40, 8])
@pytest.mark.parametrize("sides", ALL_SIDES)
@few
@given(seed=SEEDS)
def test_a_stream_is_within_its_error_of_the_comparison_in_memory(limit, sides, seed):
    P, Q, rng = drawn(seed, sides)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sketch, "MOST_CELLS", limit)
        found = cc.stream(chunks(P, Q, rng), kinds=kinds(P, Q))
    crisp = kinds(P, Q) == ("crisp", "crisp")
    families = None if crisp else ["frigui", "brouwer", "anderson"]
    truth = cc.compare(P, Q, families=families)
    assert_within(found.concordance, truth.concordance)
    assert found.tables.keys() == truth.tables.keys()
    n = len(P)
    for name, table in found.tables.items():
        for entry in "abcd":
            expected = getattr(truth.tables[name], entry)
            assert getattr(table, entry) == pytest.approx(expected, abs=1e-11 * n * n)


@few
@given(seed=SEEDS)
def test_a_stream_agrees_with_the_definition(seed):
    P, labels, rng = drawn(seed)
    P, labels = P[:20], labels[:20]
    V = np.equal.outer(labels, np.unique(labels)).astype(float)
    found = cc.stream(chunks(P, labels, rng), kinds=kinds(P, labels)).concordance
    assert found.discordance == pytest.approx(reference.discordance(P, V), abs=1e-12)
    expected = reference.expected_discordance(P, V)
    assert found.expected_discordance == pytest.approx(expected, abs=1e-12)


def adversaries():
    """Memberships close together, near-crisp, rounded, tiny; rows beyond 1."""
    rng = np.random.default_rng(20)
    U = rng.dirichlet(np.ones(2), size=60)
    crisp = np.eye(2)[rng.integers(2, size=60)]
    tiny = np.array([1.0, 0.0]) + np.outer(rng.random(60), [0, 1e-309])
    yield "close", 0.5 + 1e-8 * (U - 0.5)
    yield "very close", 0.5 + 2.0**-52 * np.rint(8 * U)
    yield "near-crisp", (1 - 1e-6) * crisp + 1e-6 * U
    yield "rounded", np.stack((np.round(U[:, 0], 2), 1 - np.round(U[:, 0], 2)), axis=1)
    yield "1e-309", tiny
    yield "beyond 1", U * (1 + 1e-6 * rng.random((60, 1)))
    yield "single", U.astype(np.float32).astype(np.float64)
    yield "alike", np.full((60, 2), 0.5)


ADVERSARIES = dict(adversaries())


@pytest.mark.parametrize("limit", [1 << 18, 20, 3])
@pytest.mark.parametrize("name", ADVERSARIES)
def test_no_error_is_broken_by_exact_fractions(limit, name, monkeypatch):
    P = ADVERSARIES[name]
    monkeypatch.setattr(sketch, "MOST_CELLS", limit)
    monkeypatch.setattr(two_clusters, "_CELLS", (1 << 10, 1 << 12))
    labels = np.random.default_rng(21).integers(3, size=len(P))
    shuffled = P[np.random.default_rng(22).permutation(len(P))]
    for Q in (labels, np.zeros_like(labels), shuffled, P):
        true = oracle.truth(P, Q)
        for pair in ((P, Q), (Q, P)):
            parts = [tuple(side[i::2] for side in pair) for i in range(2)]
            found = cc.stream(parts, kinds=kinds(*pair), families=()).concordance
            oracle.assert_within_errors(found, true)


@few
@given(seed=SEEDS)
def test_crisp_streams_are_equal_to_the_comparison_in_memory(seed):
    P, Q, rng = drawn(seed, ("labels", "text"))
    found, truth = cc.stream(chunks(P, Q, rng)), cc.compare(P, Q)
    assert found.concordance == truth.concordance
    assert found.tables == truth.tables


@pytest.mark.parametrize("limit", [1 << 18, 16])
@pytest.mark.parametrize("sides", [*ALL_SIDES, ("fuzzy", "fuzzy")])
@settings(max_examples=10, deadline=None)
@given(seed=SEEDS)
def test_merging_is_associative_and_commutative_to_the_bit(
    tmp_path_factory, limit, sides, seed
):
    P, Q, _ = drawn(seed, sides)
    folder = tmp_path_factory.mktemp("sums")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sketch, "MOST_CELLS", limit)
        a, b, c = [
            part(P[i::3], Q[i::3]) if len(P) > i else cc.Accumulator() for i in range(3)
        ]
        copies = [pickle.loads(pickle.dumps(x)) for x in (a, b, c)]
        left = saved(a.merge(b).merge(c), folder)
        one, two, three = copies
        right = saved(
            cc.Accumulator(kinds=kinds(P, Q)).merge(three).merge(two.merge(one)), folder
        )
    assert left == right


@pytest.mark.parametrize("sides", [ALL_SIDES[0], ALL_SIDES[2], ALL_SIDES[3]])
@settings(max_examples=settings.default.max_examples // 25)
@given(seed=SEEDS)
def test_any_chunking_gives_the_same_bits_of_counts_and_cells(sides, seed):
    P, Q, rng = drawn(seed, sides)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sketch, "MOST_CELLS", 20)
        results = [
            cc.stream(chunks(P, Q, rng, most), kinds=kinds(P, Q), families=())
            for most in (1, 4, 30)
        ]
    assert results[0].to_dict() == results[1].to_dict() == results[2].to_dict()


def test_threads_do_not_change_a_bit():
    rng = np.random.default_rng(0)
    P, Q = rng.dirichlet(np.ones(3), size=5000), rng.integers(4, size=5000)
    parts = [(P[i : i + 500], Q[i : i + 500]) for i in range(0, 5000, 500)]
    one, two = (cc.stream(parts, n_jobs=n_jobs) for n_jobs in (1, 2))
    assert one.to_dict() == two.to_dict()


def test_merging_does_not_change_the_other():
    one = part(np.array([[0.5, 0.5], [1.0, 0.0]]), [2, 1])
    other = part(np.array([[0.25, 0.75], [0.0, 1.0]]), [3, 1])
    before = other.result().to_dict()
    one.merge(other)
    one.update([[0.5, 0.5]], [9])
    assert other.result().to_dict() == before
    assert (one.n_objects, one.n_chunks) == (5, 3)


def test_many_classes_and_many_values_keep_an_honest_error(monkeypatch):
    monkeypatch.setattr(sketch, "MOST_CELLS", 256)
    rng = np.random.default_rng(1)
    P, Q = rng.dirichlet(np.ones(3), size=4000), rng.integers(1000, size=4000)
    found = cc.stream([(P[:999], Q[:999]), (P[999:], Q[999:])], families=()).concordance
    assert 0 < found.error < 1e-2
    assert_within(found, cc.concordance(P, Q))


def test_values_that_repeat_are_exact():
    rng = np.random.default_rng(2)
    P = rng.multinomial(64, [0.2, 0.3, 0.5], size=3000) / 64
    Q = rng.integers(3, size=3000)
    found, truth = cc.stream([(P, Q)]).concordance, cc.concordance(P, Q)
    assert found.error < 1e-13  # of rounding alone
    assert found.aci == pytest.approx(truth.aci, rel=1e-12)


@pytest.mark.parametrize("limit", [1 << 18, 500])
def test_nearly_equal_memberships_with_an_outlier_are_honest(monkeypatch, limit):
    monkeypatch.setattr(sketch, "MOST_CELLS", limit)
    rng = np.random.default_rng(3)
    U = 1 / 3 + 1e-9 * rng.random((2000, 3))
    U[0] = [1, 0, 0]
    U /= U.sum(axis=1, keepdims=True)
    labels = rng.integers(2, size=2000)
    found = cc.stream([(U, labels)], kinds=("fuzzy", None)).concordance
    truth = cc.concordance(U, labels)
    assert_within(found, truth, slack=1e-16)
    assert found.error < 1e-6


@pytest.mark.parametrize("limit", [1 << 18, 300, 30])
def test_two_clusters_keep_their_bound(monkeypatch, limit):
    monkeypatch.setattr(sketch, "MOST_CELLS", limit)
    rng = np.random.default_rng(4)
    columns = {
        "even": lambda: rng.random(150),
        "at both ends": lambda: rng.beta(0.3, 0.3, 150),
        "nearly crisp": lambda: np.clip(
            rng.integers(2, size=150) + 1e-3 * rng.normal(size=150), 0, 1
        ),
        "rounded": lambda: np.round(rng.random(150), 2),
        "close": lambda: 0.5 + 1e-12 * rng.random(150),
        "outlier": lambda: np.append(0.5 + 1e-9 * rng.random(149), 0.0),
    }
    for name, column in columns.items():
        P, Q = (np.stack([u, 1 - u], axis=1) for u in (column(), column()))
        found = cc.stream([(P, Q)], kinds=("fuzzy", "fuzzy"), families=()).concordance
        truth = cc.concordance(P, Q, method="sorted")
        assert found.method == "two-clusters"
        for what in ("discordance", "expected_discordance"):
            off = abs(getattr(found, what) - getattr(truth, what))
            assert off <= getattr(found, f"{what}_error") + 1e-15, (name, what)


@pytest.mark.parametrize("row", [[1e-9, 1 - 1e-9], [1e-300, 1.0], [1e-9, 0.2, 0.8]])
def test_objects_that_are_all_alike_are_exact_to_the_last_digit(row, tmp_path):
    P, one = np.full((9, len(row)), row), np.zeros(9, int)
    rng = np.random.default_rng(0)
    pairs = [(P, one), (one, P)]
    if len(row) == 2:
        pairs += [(P, P), (P, np.full((9, 2), [0.77, 0.23]))]
    for p, q in pairs:
        parts = [part(*both) for both in chunks(p, q, rng)]
        merged = parts[0]
        for other in parts[1:]:
            merged.merge(other)
        merged.save(tmp_path / "sums")
        again = cc.Accumulator.load(tmp_path / "sums")
        found = [accumulator.result().concordance for accumulator in (merged, again)]
        known = cc.concordance(p, q)
        for each in found:
            assert (each.aci, each.error) == (known.aci, known.error) == (1.0, 0.0)
    other = P.copy()
    other[0] = other[0, ::-1]
    assert cc.stream([(other, one)]).concordance.aci == 0.0


def test_one_object_and_none():
    one = cc.Accumulator(kinds=("fuzzy", None)).update([[0.5, 0.5]], [0]).result()
    assert one.concordance == cc.concordance([[0.5, 0.5]], [0])
    with pytest.raises(ValueError, match="no chunk was given"):
        cc.stream([])


def test_two_fuzzy_partitions_have_tables_and_say_why_no_more():
    rng = np.random.default_rng(5)
    P, Q = rng.dirichlet(np.ones(3), size=50), rng.dirichlet(np.ones(4), size=50)
    found = cc.stream([(P, Q)])
    assert found.concordance is None
    assert [*found.tables] == ["frigui", "brouwer", "anderson"]
    assert "take all pairs, not one pass" in str(found)
    assert "possibilistic" not in str(found)


def test_possibilistic_streams_have_the_tables_that_are_defined():
    rng = np.random.default_rng(6)
    P, Q = rng.random((40, 3)), rng.random((40, 2))
    both = ("possibilistic", "possibilistic")
    found = cc.stream([(P[:10], Q[:10]), (P[10:], Q[10:])], kinds=both)
    p, q = (cc.Partition(side, kind="possibilistic") for side in (P, Q))
    for name in ("brouwer", "anderson"):
        truth = cc.pair_table(p, q, family=name)
        assert found.tables[name].rand == pytest.approx(truth.rand, rel=1e-12)
    assert "not defined for possibilistic" in str(found)


def test_crisp_memberships_among_fuzzy_ones():
    fuzzy, crisp = [[0.5, 0.5], [0.25, 0.75]], [[1, 0], [0, 1]]
    later = cc.stream([(fuzzy, [0, 1]), (crisp, [1, 0])])
    said = cc.stream([(crisp, [1, 0]), (fuzzy, [0, 1])], kinds=("fuzzy", None))
    assert later.concordance == said.concordance
    with pytest.raises(
        ValueError, match=r'chunk 1: P is fuzzy.*kinds=\("fuzzy", None\)'
    ):
        cc.stream([(crisp, [1, 0]), (fuzzy, [0, 1])])


def test_categories_are_matched_by_value():
    pandas = pytest.importorskip("pandas")
    values = ["b", "a", "c", "a"]
    unordered = pandas.Categorical(values, categories=["c", "b", "a"])
    P = [0, 1, 1, 0]
    assert (
        cc.stream([(P, unordered), (P, values)]).to_dict()
        == cc.compare(P + P, values + values).to_dict()
    )


TWO = [[0.5, 0.5], [0.25, 0.75]]
THREE = [[0.5, 0.25, 0.25], [0.5, 0.5, 0.0]]


@pytest.mark.parametrize(
    ("first", "second", "error", "message"),
    [
        ((TWO, [0, 1]), (THREE, [0, 1]), ValueError, "chunk 1: P has 3 clusters here"),
        ((TWO, [0, 1]), (TWO, ["0", "1"]), TypeError, "chunk 1: labels of Q are text"),
        ((TWO, [0, 1]), (TWO, [False, True]), TypeError, "labels of Q are booleans"),
        ((TWO, [0, 1]), (TWO, [0]), ValueError, "chunk 1: P has 2 objects and Q has 1"),
        ((TWO, [0, 1]), (TWO, TWO), ValueError, "chunk 1: Q is fuzzy"),
        ((TWO, TWO), ([0, 1], TWO), ValueError, "chunk 1: P is crisp"),
        ((TWO, TWO), ([[2, 0], [0, 1]], TWO), ValueError, "chunk 1: memberships of P"),
    ],
)
def test_what_does_not_go_with_the_stream_is_refused(first, second, error, message):
    accumulator = cc.Accumulator().update(*first)
    before = accumulator.result().to_dict()
    with pytest.raises(error, match=message):
        accumulator.update(*second)
    assert accumulator.result().to_dict() == before


def test_columns_of_frames_stand_in_the_same_order_in_all_chunks(tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(TWO, columns=["a", "b"])
    cc.Accumulator().update(frame, [0, 1]).save(tmp_path / "sums")
    accumulator = cc.Accumulator.load(tmp_path / "sums")
    with pytest.raises(ValueError, match="column 1 of P is called 'b' here and 'a'"):
        accumulator.update(frame[["b", "a"]], [0, 1])
    plain = cc.Accumulator().update(TWO, [0, 1])
    assert accumulator.update(TWO, [0, 1]).n_objects == 4
    with pytest.raises(ValueError, match="column 1 of P is called 'a' here and 'b'"):
        plain.update(frame[["b", "a"]], [0, 1]).merge(accumulator)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: cc.Accumulator(kinds=("soft", None)), "kinds must be"),
        (lambda: cc.Accumulator(kinds=("fuzzy",)), "kinds must be two"),
        (lambda: cc.Accumulator(kinds=None), "kinds must be two"),
        (lambda: cc.Accumulator(families=3), "families must be a list of names"),
        (lambda: cc.Accumulator(indices=3), "indices must be a list of names"),
        (lambda: cc.Accumulator(families="rand"), "families must be"),
        (lambda: cc.Accumulator(indices="none"), "indices must be"),
        (lambda: cc.Accumulator(families=["rand"]), "families must be"),
        (lambda: part(TWO, [0, 1], families=["campello"]), "not one pass"),
        (lambda: part(TWO, [0, 1]).merge(part(THREE, [0, 1])), "P has 3 clusters"),
        (lambda: part(TWO, [0, 1]).merge(part(TWO, TWO)), "Q is fuzzy here"),
        (
            lambda: part(TWO, [0, 1]).merge(part(TWO, [0, 1], families=())),
            "different families",
        ),
        (
            lambda: cc.Accumulator(kinds=("crisp", None)).merge(part(TWO, [0, 1])),
            "P is fuzzy, not crisp",
        ),
    ],
)
def test_wrong_arguments_are_refused(make, message):
    with pytest.raises((ValueError, TypeError), match=message):
        make()


LABELS = [
    np.array([0, 5, -3, 2**60]),
    np.array(["a", "ß", "", "b"]),
    np.array([True, False, True, True]),
    np.array([b"a", b"\xff", b"c", b"a"]),
]


@pytest.mark.parametrize("labels", LABELS, ids=lambda labels: labels.dtype.kind)
@pytest.mark.parametrize("other", ["labels", "fuzzy", "two"])
def test_what_is_saved_goes_on_where_it_was(tmp_path, labels, other):
    rng = np.random.default_rng(7)
    Q = rng.integers(3, size=4) if other == "labels" else rng.dirichlet([1, 1, 1], 4)
    P = labels
    if other == "two":
        P, Q = rng.dirichlet([1, 1], 4), rng.dirichlet([1, 1], 4)
    accumulator = part(P, Q)
    accumulator.save(tmp_path / "sums")
    loaded = cc.Accumulator.load(tmp_path / "sums")
    assert loaded.result().to_dict() == accumulator.result().to_dict()
    assert (loaded.n_objects, loaded.n_chunks) == (4, 1)
    for both in (accumulator, loaded):
        both.update(P[::-1], Q)
    assert saved(loaded, tmp_path) == saved(accumulator, tmp_path)


def test_an_empty_accumulator_can_be_saved(tmp_path):
    cc.Accumulator(kinds=("fuzzy", None), families=["frigui"]).save(tmp_path / "sums")
    loaded = cc.Accumulator.load(tmp_path / "sums").update(TWO, [0, 1])
    assert [*loaded.result().tables] == ["frigui"]


def test_a_damaged_file_is_refused_in_one_line(tmp_path):
    path = tmp_path / "sums"
    content = saved(part(TWO, [0, 1]), tmp_path)
    rng = np.random.default_rng(8)
    damaged = [content[:length] for length in rng.integers(len(content), size=30)]
    for place in [*range(70), *rng.integers(len(content), size=60).tolist()]:
        flipped = bytearray(content)
        flipped[place] ^= 1 << int(rng.integers(8))
        damaged.append(bytes(flipped))
    for data in (*damaged, content + b"x", b"", b"PK\x03\x04"):
        path.write_bytes(data)
        with pytest.raises(FileError, match="sums: ") as caught:
            cc.Accumulator.load(path)
        assert "\n" not in str(caught.value)
    path.write_bytes(content.replace(b"stream 9 ", b"stream 8 "))
    with pytest.raises(FileError, match="of version '8'.*reads version 9"):
        cc.Accumulator.load(path)
    with pytest.raises(FileError, match="no such file"):
        cc.Accumulator.load(tmp_path / "none")


def changed(path, change):
    """Write a file whose checksum is right and whose content is not."""
    with read_archive(path, "concordant stream", 9) as content:
        change(*content)
    write_archive(path, "concordant stream", 9, content)


@pytest.mark.parametrize(
    "change",
    [
        lambda header, arrays: header.update(kinds=["soft", None]),
        lambda header, arrays: header.pop("families"),
        lambda header, arrays: header["sides"][1].update(n_clusters=3),
        lambda header, arrays: arrays.pop("pairs.largest"),
        lambda header, arrays: arrays.pop("pairs.keys0"),
        lambda header, arrays: arrays.update({"products.sums": np.ones((4, 4))}),
    ],
)
def test_a_file_that_cannot_be_is_refused(tmp_path, change):
    part(TWO, [0, 1]).save(tmp_path / "sums")
    changed(tmp_path / "sums", change)
    with pytest.raises(FileError, match="not a concordant stream"):
        cc.Accumulator.load(tmp_path / "sums")


def test_progress_is_told_of_the_objects():
    told = []
    cc.stream([(TWO, [0, 1])] * 3, progress=lambda *what: told.append(what))
    assert told == [(2, 0, None), (4, 0, None), (6, 0, None)]


@pytest.mark.parametrize("empty", [(), np.empty((0, 3)), np.empty(0, dtype=int)])
def test_a_chunk_without_objects_changes_nothing(empty):
    rng = np.random.default_rng(11)
    P, Q = rng.dirichlet(np.ones(3), size=40), rng.integers(3, size=40)
    whole = cc.Accumulator().update(P, Q)
    parted = cc.Accumulator().update(empty, empty)
    parted.update(P[:17], Q[:17]).update(empty, empty).update(P[17:], Q[17:])
    assert parted.result().concordance == whole.result().concordance
    with pytest.raises(ValueError, match="chunk 4: Q has no objects"):
        parted.update(P, empty)


def counted(groups, places, n_groups):
    order = np.lexsort((places, groups))
    sizes = np.bincount(groups, minlength=n_groups)
    return sketch.NestedCells.of(places[order], sizes)


@pytest.mark.parametrize("most", [8, 1 << 18])
def test_cells_are_the_same_however_numbers_are_counted(most, monkeypatch):
    """With more groups than one knew of, and by parts in any order."""
    monkeypatch.setattr(sketch, "MOST_CELLS", most)
    rng = np.random.default_rng(0)
    for n_groups in (1, 3, 300, 70_000):
        groups = rng.integers(n_groups, size=400)
        numbers = rng.choice([0.0, 1.0, -1e-9, 0.25, *rng.random(60)], 400)
        places, _ = sketch.places_of(numbers)
        known, codes = np.unique(groups, return_inverse=True)
        whole = counted(groups, places, n_groups)
        parts = [counted(codes[i::3], places[i::3], len(known)) for i in range(3)]
        both = sketch.NestedCells.merged(
            [sketch.NestedCells.merged(parts[1:]), parts[0]]
        )
        cells = both.regrouped(known, n_groups)
        assert cells.level == whole.level
        np.testing.assert_array_equal(cells.keys, whole.keys)
        np.testing.assert_array_equal(cells.sums, whole.sums)
        assert whole.sums[0].sum() == 400


@pytest.mark.parametrize(
    "kinds", [("fuzzy", "fuzzy"), ("fuzzy", "crisp"), ("crisp", "crisp")]
)
def test_streams_and_dask_arrays_have_every_index_that_is_one_pass(kinds):
    from dask import array

    names = [
        name
        for name, record in INDICES.items()
        if {*record.terms} <= {*map(Term, SUMS)}
    ]
    rng = np.random.default_rng(20)
    P, Q = (
        rng.dirichlet([0.5, 1, 2], 300)
        if kind == "fuzzy"
        else rng.integers(4, size=300)
        for kind in kinds
    )
    whole = cc.compare(P, Q, indices=names).scores
    sums = cc.Accumulator(kinds=kinds, indices=names)
    for start in range(0, 300, 70):
        sums.update(P[start : start + 70], Q[start : start + 70])
    on_dask = (array.from_array(X, (110, *X.shape[1:])) for X in (P, Q))
    for found in (sums.result(), cc.compare(*on_dask, indices=names)):
        assert {*names} <= {*found.scores}
        for name in names:
            value, error = found.scores[name]
            off = abs(value - whole[name].value)
            assert off <= error + whole[name].error, name


def test_an_accumulator_says_how_many_objects_it_has_seen():
    accumulator = cc.Accumulator()
    accumulator.update([0, 1, 1], [0, 0, 1])
    assert repr(accumulator) == "Accumulator(3 objects)"


def test_an_index_that_a_stream_left_out_is_had_by_the_advised_call():
    P, Q = [[0.9, 0.1], [0.2, 0.8], [0.4, 0.6]], [0, 1, 1]
    with pytest.raises(KeyError, match="computes it") as found:
        cc.stream([(P, Q)])["nmi"]
    advised = str(found.value).split("; ")[1].removesuffix(" computes it'")
    assert advised == 'cc.Accumulator(indices=["nmi"])'
    kept = cc.Accumulator(indices=["nmi"]).update(P, Q).result()
    assert kept["nmi"] == cc.normalized_mutual_information(P, Q)
