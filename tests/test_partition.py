"""What a Partition can be made from, and what it refuses."""

import copy
import pickle
import re
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st

import concordant as cc
from concordant import Partition, plot
from concordant.execution.run import generator
from concordant.paper import (
    make_bias_experiment,
    make_first_simulation,
    make_random_set,
    make_second_simulation,
)

FUZZY = np.array([[0.25, 0.75], [0.5, 0.5], [1.0, 0.0], [0.125, 0.875]])
LABELS = np.array([3, 1, 3, -2, 1])


@pytest.mark.parametrize(
    "labels",
    [
        [3, 1, 3, -2, 1],
        (3, 1, 3, -2, 1),
        LABELS.astype(np.int8),
        LABELS.astype(np.int64),
        LABELS.astype(np.float32),
        LABELS.astype(object),
        np.asfortranarray(np.column_stack([LABELS, LABELS]))[:, 0],
        np.repeat(LABELS, 2)[::2],
        pd.Series(LABELS),
        pd.Series(LABELS, dtype="Int64"),
        pd.Series(LABELS, dtype="category"),
        pd.Categorical(LABELS),
        pd.Index(LABELS),
        pl.Series(LABELS),
        [Fraction(3), Fraction(1), Fraction(3), Fraction(-2), Fraction(1)],
    ],
    ids=lambda x: f"{type(x).__module__.partition('.')[0]}-{type(x).__name__}",
)
def test_integer_labels_of_any_container(labels):
    partition = Partition(labels)
    assert partition.kind == "crisp"
    assert partition.n_objects == len(partition) == 5
    assert partition.n_clusters == 3
    assert partition.labels.tolist() == [2, 1, 2, 0, 1]
    assert partition.clusters.tolist() == [-2, 1, 3]


@pytest.mark.parametrize(
    ("labels", "clusters"),
    [
        (["b", "a", "b"], ["a", "b"]),
        (np.array(["b", "a", "b"]), ["a", "b"]),
        (np.array([b"b", b"a", b"b"]), [b"a", b"b"]),
        (pd.Series(["b", "a", "b"]), ["a", "b"]),
        (pd.Series(["b", "a", "b"], dtype="string"), ["a", "b"]),
        (pd.Series(["b", "a", "b"], dtype="category"), ["a", "b"]),
        (pl.Series(["b", "a", "b"]), ["a", "b"]),
        (pl.Series(["b", "a", "b"], dtype=pl.Categorical), ["a", "b"]),
        ([True, False, True], [False, True]),
        (np.array([True, False, True]), [False, True]),
        (pd.Series([True, False, True], dtype="boolean"), [False, True]),
        (range(1, -1, -1), [0, 1]),
        ([2**70, 5, 2**70], [5, 2**70]),
        (np.array([2**63 + 1, 0, 2**63 + 1], dtype=np.uint64), [0, 2**63 + 1]),
        ([-(2**62), 2**62, -(2**62)], [-(2**62), 2**62]),
        # NumPy would make doubles of these, of which two are the same.
        ([2**63 + 1, 2**63, -5], [-5, 2**63, 2**63 + 1]),
        ([np.uint64(2**63 + 1), 2**63, np.int8(-5)], [-5, 2**63, 2**63 + 1]),
        (pa.array(["b", "a", "b"]), ["a", "b"]),
        (pa.array(["b", "a", "b"]).dictionary_encode(), ["a", "b"]),
    ],
)
def test_labels_of_other_types_are_numbered_in_sorted_order(labels, clusters):
    partition = Partition(labels)
    assert partition.clusters.tolist() == clusters
    given = np.asarray(labels, dtype=object).tolist()
    assert [clusters[code] for code in partition.labels] == given


@settings(max_examples=30, deadline=None)
@given(
    st.lists(
        st.text(st.characters(exclude_characters="\0"), max_size=3)
        | st.sampled_from(["", "a", "a ", "a\0b", "\ud800", "\U00010000", "\uffff"]),
        min_size=1,
    )
)
def test_text_is_numbered_as_a_sort_would_number_it(labels):
    clusters, codes = np.unique(np.array(labels), return_inverse=True)
    objects = np.array(labels, dtype=object)
    scalars = np.array([np.str_(label) for label in labels] + [None], dtype=object)[:-1]
    wide = np.array(labels, dtype="U9")
    for given_as, kind in (
        (labels, clusters.dtype),
        (tuple(labels), clusters.dtype),
        (objects, clusters.dtype),
        (scalars, clusters.dtype),
        (np.array(labels), clusters.dtype),
        (wide, wide.dtype),
        (wide.astype(">U9"), np.dtype(">U9")),
    ):
        partition = Partition(given_as)
        assert partition.clusters.dtype == kind
        assert partition.clusters.tolist() == clusters.tolist()
        assert partition.labels.tolist() == codes.tolist()
        assert partition.labels.dtype == np.min_scalar_type(len(clusters) - 1)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.binary(max_size=3).map(lambda x: x.rstrip(b"\0")), min_size=1))
def test_bytes_are_numbered_as_a_sort_would_number_them(labels):
    clusters, codes = np.unique(np.array(labels), return_inverse=True)
    for given_as in (labels, np.array(labels)):
        partition = Partition(given_as)
        assert partition.clusters.dtype == clusters.dtype
        assert partition.clusters.tolist() == clusters.tolist()
        assert partition.labels.tolist() == codes.tolist()


def test_text_of_a_class_of_its_own_is_taken_as_text():
    class Colour(StrEnum):
        RED = "red"
        BLUE = "blue"

    class Loud(str):
        __slots__ = ()

        def __hash__(self):
            return 0

    for labels in ([Colour.RED, Colour.BLUE], [Loud("red"), "blue"]):
        partition = Partition(labels)
        assert partition.clusters.tolist() == ["blue", "red"]
        assert {*map(type, partition.clusters.tolist())} == {str}
        assert partition.labels.tolist() == [1, 0]


@pytest.mark.parametrize("last", ["a\0", np.str_("a\0"), b"a\0"])
def test_text_that_ends_in_a_nul_is_refused_wherever_it_stands(last):
    first = b"a" if isinstance(last, bytes) else "a"
    for labels in ([first, last], [last, first], [last, last]):
        with pytest.raises(ValueError, match="must not end in a NUL character"):
            Partition(labels)


def test_categories_that_no_object_has_are_left_out():
    labels = pd.Categorical(["x", "z", "x"], categories=["z", "y", "x"])
    partition = Partition(labels)
    assert partition.clusters.tolist() == ["z", "x"]
    assert partition.labels.tolist() == [1, 0, 1]


@pytest.mark.parametrize(
    ("labels", "error", "message"),
    [
        ([0, 1, None], ValueError, "must not be missing, found None at position 2"),
        (["a", None], ValueError, "must not be missing, found None at position 1"),
        ([0.0, np.nan], ValueError, "must not be missing, found nan at position 1"),
        (np.array([0.0, np.inf]), ValueError, "whole numbers or text, found inf"),
        (pd.Series([1, pd.NA], dtype="Int64"), ValueError, "must not be missing"),
        (pd.Series([pd.NaT, pd.NaT]), TypeError, "datetime"),
        (pd.Categorical(["a", None]), ValueError, "must not be missing, .* position 1"),
        (pl.Series([1, None]), ValueError, "missing"),
        (np.array([0.2, 0.8]), ValueError, "whole numbers or text, found 0.2 at"),
        ([0.5, 1.5], ValueError, "memberships are passed as a matrix"),
        ([1, "1"], TypeError, r"mix int and str \(at position 1\)"),
        ([1, True], TypeError, "mix int and bool"),
        (["a", b"a"], TypeError, r"mix str and bytes \(at position 1\)"),
        (["a", "b", 1, 2], TypeError, r"mix str and int \(at position 2\)"),
        (["a", 1, None], ValueError, "must not be missing, found None at position 2"),
        ([1, np.bool_(True)], TypeError, "mix int and bool"),
        (["a", np.nan], ValueError, "must not be missing, found nan at position 1"),
        (["a", pd.NA], ValueError, "must not be missing, found <NA> at position 1"),
        ([1j, 2j], TypeError, "must be integers, text or booleans, found complex"),
        (np.array([1j]), TypeError, "must be integers, text or booleans"),
        (["a\0", "a"], ValueError, "NUL"),
        ([object(), object()], TypeError, "found object"),
        ([], ValueError, "has no objects"),
        (np.array([]), ValueError, "has no objects"),
        (pd.Categorical([]), ValueError, "has no objects"),
        ("abc", ValueError, "abc: no such file"),
        (b"abc", TypeError, "found bytes"),
        ({1, 2}, TypeError, "found set"),
        ({"a": 1}, TypeError, "found dict"),
        ((x for x in [1, 2]), TypeError, "pass a list or an array"),
        (None, TypeError, "found NoneType"),
        (3, TypeError, "found int"),
        (np.array(3), ValueError, "found 0 dimensions"),
        (np.zeros((2, 2, 2)), ValueError, "found 3 dimensions"),
        (np.ma.array([1, 2], mask=[0, 1]), ValueError, "masked"),
        ([1, np.ma.masked], ValueError, "must not be missing"),
        ([np.ma.masked, 1], ValueError, "must not be missing"),
        ([np.array(1), np.array(2)], TypeError, "found ndarray"),
        (pl.Series([[0.5, 0.5], [0.2, 0.8]]), TypeError, "found ndarray"),
        (pa.array([1, None]), ValueError, "must not be missing"),
        (pa.array(["a", None]), ValueError, "must not be missing"),
        (np.array(["2020-01-01"], dtype="M8[D]"), TypeError, "datetime64"),
    ],
)
def test_labels_that_are_refused(labels, error, message):
    with pytest.raises(error, match=message) as caught:
        Partition(labels)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "matrix",
    [
        FUZZY,
        FUZZY.tolist(),
        [tuple(row) for row in FUZZY],
        [np.array(row) for row in FUZZY],
        FUZZY.astype(np.float32),
        FUZZY.astype(np.float16),
        FUZZY.astype(np.longdouble),
        FUZZY.astype(object),
        [[Decimal(str(x)).__float__() for x in row] for row in FUZZY],
        [[Fraction(x) for x in row] for row in FUZZY],
        np.asfortranarray(FUZZY),
        np.repeat(np.repeat(FUZZY, 2, axis=0), 3, axis=1)[::2, ::3],
        FUZZY[::-1][::-1],
        FUZZY.astype(">f8"),
        pd.DataFrame(FUZZY),
        pd.DataFrame(FUZZY, dtype="Float64"),
        pl.DataFrame(FUZZY),
        scipy.sparse.csr_matrix(FUZZY),
        scipy.sparse.coo_array(FUZZY),
        np.matrix(FUZZY),
    ],
    ids=lambda x: f"{type(x).__module__.partition('.')[0]}-{type(x).__name__}",
)
def test_memberships_of_any_container(matrix):
    partition = Partition(matrix)
    assert partition.kind == "fuzzy"
    assert (partition.n_objects, partition.n_clusters) == (4, 2)
    assert partition.memberships.dtype == np.float64
    assert (partition.memberships == FUZZY).all()
    assert cc.adjusted_concordance_index(
        matrix, LABELS[:4]
    ) == cc.adjusted_concordance_index(FUZZY, LABELS[:4])


def test_read_only_and_memory_mapped_arrays_are_read(tmp_path):
    frozen = FUZZY.copy()
    frozen.flags.writeable = False
    np.save(tmp_path / "p.npy", FUZZY)
    mapped = np.load(tmp_path / "p.npy", mmap_mode="r")
    for matrix in (frozen, mapped):
        assert (Partition(matrix).memberships == FUZZY).all()
    labels = LABELS.copy()
    labels.flags.writeable = False
    assert Partition(labels).n_clusters == 3


def test_inputs_are_never_changed():
    rng = np.random.default_rng(0)
    U, V = rng.dirichlet([1, 1, 1], size=20), rng.dirichlet([1, 1], size=20)
    labels = rng.integers(-1, 3, size=20)
    hard = Partition(labels, noise="cluster")
    before = U.copy(), V.copy(), labels.copy()
    cc.compare(U, V)
    cc.compare(U, hard)
    cc.concordance(U, V, method="permutations", n_permutations=3)
    Partition(labels, noise="singletons")
    for now, then in zip((U, V, labels), before, strict=True):
        assert (now == then).all()


def test_a_partition_does_not_follow_its_input():
    U = FUZZY.copy()
    partition = Partition(U)
    U[:] = 0.5
    assert (partition.memberships == FUZZY).all()


def test_a_partition_is_immutable():
    partition = Partition(FUZZY)
    with pytest.raises(AttributeError, match="immutable"):
        partition.kind = "crisp"
    with pytest.raises(ValueError, match="read-only"):
        partition.memberships[0, 0] = 1.0
    with pytest.raises(ValueError, match="read-only"):
        Partition(LABELS).labels[0] = 0
    with pytest.raises(ValueError, match="read-only"):
        Partition(LABELS).memberships[0, 0] = 0


@pytest.mark.parametrize("data", [FUZZY, LABELS, pd.Series(LABELS)])
def test_copies_and_pickles_are_equal(data):
    partition = Partition(data)
    for twin in (
        copy.copy(partition),
        copy.deepcopy(partition),
        pickle.loads(pickle.dumps(partition)),
        Partition(partition),
    ):
        assert repr(twin) == repr(partition)
        assert (twin.memberships == partition.memberships).all()
        with pytest.raises(ValueError, match="read-only"):
            twin.memberships[0, 0] = 0.5


@pytest.mark.parametrize(
    ("matrix", "error", "message"),
    [
        (FUZZY.T, ValueError, "its columns do, so pass the transpose"),
        (
            [[0.33, 0.9, 0.2, 0.1], [0.33, 0.1, 0.5, 0.2], [0.33, 0.01, 0.3, 0.7]],
            ValueError,
            "its columns do, so pass the transpose",
        ),
        ([[0.5, 0.4], [0.5, 0.5]], ValueError, 'row 0 sums to 0.9; .*noise="column"'),
        ([[0.5, 0.6], [0.5, 0.5]], ValueError, "row 0 sums to 1.1; .*normalize=True"),
        ([[0.5, 0.5], [1.5, -0.5]], ValueError, "found 1.5 in row 1, column 0"),
        ([[0.5, 0.5], [np.nan, 1]], ValueError, "found nan in row 1, column 0"),
        ([[0.5, 0.5], [np.inf, 0]], ValueError, "found inf in row 1, column 0"),
        ([[0.5, 0.5], [0.1]], ValueError, "row 0 has 2 entries, row 1 has 1"),
        ([[0.5, 0.5], 3], ValueError, "row 0 has 2 entries, row 1 has 1"),
        ([[0.5, 0.5], np.ma.array([0.5, 0.5], mask=[0, 1])], ValueError, "masked"),
        ([["a", "b"], ["c", "d"]], TypeError, "must be numbers"),
        ([[0.5, "b"], [0.5, 0.5]], TypeError, "must be numbers"),
        ([[0.5, None], [0.5, 0.5]], TypeError, "found None in row 0, column 1"),
        ([[1j, 0], [0, 1]], TypeError, "must be numbers, found 1j in row 0, column 0"),
        (np.zeros((0, 3)), ValueError, "has no objects"),
        (np.zeros((3, 0)), ValueError, "has no clusters"),
        ([[0], [1], [2]], ValueError, r"labels, pass numpy.asarray\(data\)\[:, 0\]"),
        (np.array([[0], [1], [1]]), ValueError, r"column of labels, pass data\[:, 0\]"),
        (pd.DataFrame({"x": [0, 2]}), ValueError, r"labels, pass data.iloc\[:, 0\]"),
        (np.array([["0.5", "0.5"]]), TypeError, r"pass numpy.asarray\(data, float\)"),
        (np.array([[1, 1], [0, 1]]), ValueError, "sum to 1 within 1e-05, row 0 sums"),
        (
            pd.DataFrame({"x": [1, 0], "y": ["a", "b"]}),
            TypeError,
            r"found 'a' in row 0, column 'y'; .* pass data.set_index\('y'\)",
        ),
        (
            pl.DataFrame({"x": [1, 0], "y": ["a", "b"]}),
            TypeError,
            r"column 'y'; .* pass Partition\(data.drop\('y'\), ids=data\['y'\]\)",
        ),
        (pd.DataFrame({"x": [1, None], "y": [0.0, 1]}), ValueError, "found nan in row"),
        (scipy.sparse.csr_matrix([[0.5, 0.2]]), ValueError, "must sum to 1"),
        (
            [[30, 70], [33.3, 66.6]],
            ValueError,
            "found 30 .* if they are percentages",
        ),
        (
            [[30, 70], [33, 66], [5, 40]],
            ValueError,
            "found 30 in row 0, column 0; if a column holds .*; if they are weights",
        ),
        (
            [[0, 1, 2] * 33],
            ValueError,
            r"row of labels, pass numpy.asarray\(data\)\[0\]",
        ),
        ([[5.1, 3.5], [4.9, 3.0]], ValueError, "concordant.cluster is for data"),
        ([[130, -30], [50, 50]], ValueError, "found 130 in row 0, column 0$"),
        (np.log(FUZZY[:2]), ValueError, r"logarithms .*: pass numpy.exp\(data\)"),
        ([[1, 0.5, 0.2], [0.5, 1, 0.3], [0.2, 0.3, 1]], ValueError, "similarities of"),
        ([[1, 1, 0], [0, 1, 1], [1, 0, 1]], ValueError, 'kind="overlapping" is for'),
        ([[0.2, 0.8, 1], [0.5, 0.5, 1]], ValueError, "the last column, .* a weight"),
        ([[0.2, 0.8, 3], [0.5, 0.5, 7]], ValueError, "the last column, .* a weight"),
        ([[1, 0.2, 0.8], [2, 0.5, 0.5]], ValueError, "if its first column holds ids"),
        (
            [[0.25, 0.75, 0.02], [0.5, 0.46, 0.05]],  # not one more than memberships
            ValueError,
            "within 0.015, as they are rounded to 2 digits, row 0 sums to 1.02; P",
        ),
        ([[1e308, 1e308]], ValueError, r"found 1e\+308 in row 0, column 0"),
        ([[0.33, 0.66], [1e300, 0.0]], ValueError, r"found 1e\+300 in row 1"),
    ],
)
def test_memberships_that_are_refused(matrix, error, message):
    with pytest.raises(error, match=message) as caught:
        Partition(matrix)
    assert "\n" not in str(caught.value)


def test_a_late_bad_row_is_named():
    U = np.full((20_000, 2), 0.5)
    U[19_000] = [0.5, 0.4]
    with pytest.raises(ValueError, match="row 19000 sums to 0.9"):
        Partition(U)
    U[19_000] = [-0.5, 1.5]
    with pytest.raises(ValueError, match="found -0.5 in row 19000, column 0"):
        Partition(U)


def test_errors_name_the_argument():
    with pytest.raises(ValueError, match="rows of Q must sum to 1"):
        cc.compare([0, 1], [[0.5, 0.2], [0.5, 0.2]])
    with pytest.raises(ValueError, match=r"pass P\[:, 0\]"):
        cc.rand_index(np.array([[0], [2]]), [0, 1])


def test_a_float32_softmax_passes():
    rng = np.random.default_rng(0)
    logits = rng.normal(scale=5, size=(1000, 300)).astype(np.float32)
    exps = np.exp(logits)
    U = exps / exps.sum(axis=1, keepdims=True)
    assert U.dtype == np.float32
    assert Partition(U).kind == "fuzzy"


def test_a_matrix_of_zeros_and_ones_is_crisp_and_keeps_labels_only():
    matrix = np.array([[0, 1, 0], [0, 1, 0], [1, 0, 0]])
    for data in (matrix, matrix.astype(bool), scipy.sparse.csr_matrix(matrix)):
        partition = Partition(data)
        assert partition.kind == "crisp"
        assert partition.n_clusters == 3
        assert partition.labels.tolist() == [1, 1, 0]
        assert (partition.memberships == matrix).all()


def test_column_names_are_the_clusters():
    pairs = [("a", 1), ("a", 2)]
    frame = pd.DataFrame(FUZZY, columns=pd.MultiIndex.from_tuples(pairs))
    assert Partition(frame).clusters.tolist() == pairs
    assert Partition(pd.DataFrame(FUZZY, columns=["a", "b"])).clusters.tolist() == [
        "a",
        "b",
    ]
    assert Partition(FUZZY).clusters.tolist() == [0, 1]


def test_one_column_of_ones_is_one_cluster():
    assert Partition(np.ones((4, 1))).kind == "crisp"
    assert cc.adjusted_concordance_index(np.ones((4, 1)), [0, 0, 0, 0]) == 1.0


def test_noise_labels():
    labels = [0, -1, 2, -1, 0]
    assert Partition(labels, noise="cluster").clusters.tolist() == [-1, 0, 2]
    singles = Partition(labels, noise="singletons")
    assert singles.labels.tolist() == [0, 2, 1, 3, 0]
    assert singles.clusters.tolist() == [0, 2, "noise 0", "noise 1"]
    dropped = Partition(labels, noise="drop")
    assert dropped.n_objects == 3
    assert dropped.labels.tolist() == [0, 1, 0]
    assert Partition([0, 1], noise="drop").n_objects == 2
    categorical = Partition(pd.Categorical([5, -1, 5]), noise="drop")
    assert categorical.labels.tolist() == [0, 0]


def test_the_label_minus_one_is_warned_of_unless_it_was_settled():
    labels = [0, -1, 2, -1, 0]
    with pytest.warns(
        cc.NoiseLabelWarning, match='of data contain -1, .* noise="drop"'
    ):
        assert Partition(labels).n_clusters == 3
    with pytest.warns(cc.NoiseLabelWarning, match="of Q contain -1") as caught:
        cc.rand_index([0, 0, 1, 1, 0], labels)
    assert [warning.filename for warning in caught] == [__file__]
    for policy in ("cluster", "singletons", "drop"):
        Partition(labels, noise=policy)
    for others in ([0, -2, 1], ["-1", "0"], [True, False]):
        assert Partition(others).remarks == ()


@pytest.mark.parametrize(
    ("noise", "said"),
    [
        ("cluster", "2 objects with the label -1 are counted as a cluster"),
        ("singletons", "2 objects with the label -1 are clusters of their own"),
        ("drop", "2 objects with the label -1 are left out"),
    ],
)
def test_remarks_say_what_became_of_noise(noise, said):
    (remark,) = Partition([0, -1, 2, -1, 0], noise=noise).remarks
    assert remark.startswith(said)


def test_remarks_name_the_choices_that_nobody_made():
    with pytest.warns(cc.NoiseLabelWarning):
        (remark,) = Partition([0, -1, 2]).remarks
    assert remark.startswith("1 object with the label -1 is counted as a cluster")
    assert 'noise="drop"' in remark
    assert 'noise="singletons"' in remark


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (["x", "x ", "y"], "labels 'x' and 'x ' differ only by white space"),
        ([" x", "y", "x"], "labels ' x' and 'x' differ only by white space"),
        (pd.Categorical(["x\t", "x"]), "labels 'x' and 'x\\t' differ only by white"),
        (["a", "NA", "b"], "the label 'NA' is text, and a cluster like any other"),
        (np.array(["a", np.nan, "b"]), "the label 'nan' is text"),
        (["a", "", "b"], "the label '' is text"),
        (pl.Series(["a", "None"]), "the label 'None' is text"),
    ],
)
def test_remarks_tell_of_labels_that_may_not_be_meant(labels, said):
    partition = Partition(labels)
    (remark,) = partition.remarks
    assert remark.startswith(said)
    assert partition.n_clusters == len({*labels})


def test_remarks_go_along_with_copies_and_parts():
    partition = Partition([0, -1, 2, -1, 0], noise="drop")
    for twin in (
        copy.copy(partition),
        pickle.loads(pickle.dumps(partition)),
        Partition(partition),
        partition.take(np.array([0, 2])),
    ):
        assert twin.remarks == partition.remarks
    rounded = Partition([[0.33, 0.66], [0.5, 0.5]])
    assert rounded.harden().remarks == rounded.remarks


def test_dropped_objects_are_dropped_from_the_other_side_too():
    p = Partition([0, -1, 1, -1, 0, 1], noise="drop")
    assert cc.rand_index(p, [0, 0, 1, 1, 0, 0]) == cc.rand_index(
        [0, 1, 0, 1], [0, 1, 0, 0]
    )
    q = Partition([0, 0, 1, 1, -1, 0], noise="drop")
    assert cc.compare(p, q).n_objects == 3
    fuzzy = np.column_stack([np.linspace(0, 1, 6), 1 - np.linspace(0, 1, 6)])
    assert cc.compare(fuzzy, p).n_objects == 4
    with pytest.raises(ValueError, match="P has 6 objects and Q has 4"):
        cc.rand_index(p, [0, 1, 0, 1])
    with pytest.raises(ValueError, match="no object is left"):
        cc.rand_index(
            Partition([0, -1], noise="drop"), Partition([-1, 0], noise="drop")
        )


@pytest.mark.parametrize(
    ("data", "options", "message"),
    [
        (["a", "b"], {"noise": "drop"}, "for integer labels, .* are text"),
        ([True, False], {"noise": "drop"}, "for integer labels, .* are bool"),
        ([-1, -1], {"noise": "drop"}, "every label of data is -1"),
        ([0, 1], {"noise": "column"}, 'is for memberships, .* "singletons" or "drop"'),
        (FUZZY, {"noise": "drop"}, "is for labels, but data holds memberships"),
        ([0, 1], {"noise": "other"}, 'noise must be "cluster", .* or "column"'),
        ([0, 1], {"kind": "other"}, 'kind must be "crisp", "fuzzy", "possibil'),
        ([0, 1], {"kind": "fuzzy"}, "data is crisp, not fuzzy"),
        (FUZZY, {"kind": "crisp"}, "data is fuzzy, not crisp; call .harden()"),
        ([0, 1], {"kind": "possibilistic"}, "holds labels, which are crisp"),
        (Partition([0, 1]), {"kind": "fuzzy"}, "is a Partition"),
        (Partition([0, 1]), {"noise": "drop"}, "is a Partition"),
        ([[0.9, 0.9]], {"noise": "column"}, "must not sum to more than 1"),
    ],
)
def test_options_that_are_refused(data, options, message):
    with pytest.raises(ValueError, match=message):
        Partition(data, **options)


def test_missing_mass_can_become_one_more_cluster():
    soft = np.array([[0.1, 0.041], [0.5, 0.5], [0.0, 0.0]])
    partition = Partition(soft, noise="column")
    assert partition.kind == "fuzzy"
    assert partition.n_clusters == 3
    assert partition.memberships[:, 2] == pytest.approx([0.859, 0, 1])
    named = Partition(pd.DataFrame(soft, columns=["a", "b"]), noise="column")
    assert named.clusters.tolist() == ["a", "b", "noise"]
    with pytest.raises(ValueError, match="found nan"):
        Partition([[np.nan, 0.5]], noise="column")


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("digits", [2, 3, 4])
@pytest.mark.parametrize("K", [2, 3, 7, 40])
def test_rounded_memberships_are_used_as_they_are(dtype, digits, K):
    exact = np.random.default_rng(K).dirichlet(np.ones(K), size=200)
    U = np.round(exact, digits).astype(dtype)
    U[0, :2] = [1.0, 10.0**-digits]
    U[0, 2:] = 0.0
    partition = Partition(U)
    assert partition.kind == "fuzzy"
    assert (partition.memberships == U).all()
    (remark,) = partition.remarks
    assert remark.startswith(f"memberships are rounded to {digits} digits: rows sum to")
    assert "used as they are" in remark
    # What arithmetic leaves of multiples is as good as the nearest doubles.
    for same in (U - 1.0 + 1.0, np.rint(U * 10**digits) * 10.0**-digits):
        assert Partition(same).remarks == (remark,)


def test_remarks_tell_the_least_and_the_largest_sum():
    U = [[0.333, 0.333, 0.333], [0.335, 0.665, 0.0], [0.5, 0.5, 0.001]]
    (remark,) = Partition(U).remarks
    assert "rows sum to 0.999 to 1.001 " in remark


def test_rounding_does_not_excuse_more_than_it_can_do():
    limit = [[0.33, 0.66], [0.55, 0.46]]  # 0.99 and 1.01
    assert len(Partition(limit).remarks) == 1
    for beyond in (
        [[0.33, 0.65], [0.5, 0.5]],
        [[0.5, 0.52], [0.5, 0.5]],
        [[0.33, 0.66], [0.123, 0.877]],  # three digits: 0.001 at most
        [[0.33, 0.66], [1 / 3, 2 / 3]],  # not rounded
        [[0.3, 0.3, 0.3], [1.0, 0.0, 0.0]],  # one digit is no rounding
        [[0.5, 0.48], [0.5, 0.5]],
    ):
        with pytest.raises(ValueError, match=r"normalize=True\) divides each row"):
            Partition(beyond)
    with pytest.raises(ValueError, match="within 0.01, as they are rounded to 2 dig"):
        Partition([[0.5, 0.52], [0.5, 0.5]])


@pytest.mark.parametrize("row", [[0.0, 0.0], [1.0, 1.0]])
def test_zeros_and_ones_are_not_taken_for_rounded_however_many_clusters(row):
    U = np.eye(300)
    U[7, :2] = row
    U[7, 7] = 0.0
    with pytest.raises(ValueError, match="row 7 sums to"):
        Partition(U)


def test_rows_are_divided_by_their_sums_if_asked():
    U = np.array([[0.3, 0.3, 0.3], [0.2, 0.2, 0.7], [0.5, 0.5, 0.0]])
    partition = Partition(U, normalize=True)
    assert partition.kind == "fuzzy"
    assert (partition.memberships == U / U.sum(axis=1, keepdims=True)).all()
    (remark,) = partition.remarks
    assert remark == (
        "rows were divided by their sums, from 0.9 to 1.1; the largest change of a "
        "membership is 0.0636"
    )
    fine = Partition([[0.5, 0.5], [0.25, 0.75]], normalize=True)
    (remark,) = fine.remarks
    assert remark.endswith("from 1 to 1; the largest change of a membership is 0")


def test_percentages_can_be_normalized():
    partition = Partition([[100, 0], [25, 75], [33, 66]], normalize=True)
    np.testing.assert_allclose(
        partition.memberships[1:], [[0.25, 0.75], [1 / 3, 2 / 3]]
    )
    assert Partition([[100, 0], [0, 100]], normalize=True).kind == "crisp"


@pytest.mark.parametrize(
    ("data", "options", "error", "message"),
    [
        ([0, 1], {}, ValueError, "for memberships, but data holds labels"),
        ([[0.0, 0.0], [0.5, 0.5]], {}, ValueError, "row 0 sums to 0"),
        ([[0.5, 0.5], [np.nan, 0.5]], {}, ValueError, "row 1 sums to nan"),
        ([[0.5, 0.5], [np.inf, 0.5]], {}, ValueError, "row 1 sums to inf"),
        ([[0.5, 0.5], [1e308, 1e308]], {}, ValueError, "row 1 sums to inf"),
        ([[0.5, 0.5], [-1.0, 2.0]], {}, ValueError, "between 0 and 1, found -1 in row"),
        (np.array([[1], [2]]), {}, ValueError, r"one cluster; .* pass data\[:, 0\]"),
        (FUZZY, {"kind": "possibilistic"}, ValueError, "leave out one of them"),
        (FUZZY, {"noise": "column"}, ValueError, "leave out one of them"),
        (Partition(FUZZY), {}, ValueError, "is a Partition already"),
        (FUZZY, {"normalize": "yes"}, TypeError, "must be True or False, found 'yes'"),
    ],
)
def test_what_cannot_be_normalized_is_refused(data, options, error, message):
    with pytest.raises(error, match=message):
        Partition(data, **{"normalize": True, **options})


def test_possibilistic_memberships_need_not_sum_to_1():
    U = [[0.9, 0.9], [0.1, 0.0], [0.0, 1.0]]
    partition = Partition(U, kind="possibilistic")
    assert partition.kind == "possibilistic"
    for family in ("anderson", "brouwer", "campello"):
        assert np.isfinite(cc.pair_table(partition, [0, 1, 1], family=family).rand)
    for family in ("frigui", "huellermeier"):
        with pytest.raises(ValueError, match='P is one; use "campello", "brouwer"'):
            cc.pair_table(partition, [0, 1, 1], family=family)
        with pytest.raises(ValueError, match="Q is one"):
            cc.pair_table([0, 1, 1], partition, family=family)
    with pytest.raises(ValueError, match="not defined for possibilistic .* P is one"):
        cc.concordance(partition, [0, 1, 1])
    with pytest.raises(ValueError, match="between 0 and 1"):
        Partition([[1.5, 0.2]], kind="possibilistic")


def test_possibilistic_objects_without_any_cluster():
    empty = Partition([[0.0, 0.0], [0.5, 1.0]], kind="possibilistic")
    with pytest.raises(ValueError, match="object 0 of Q belongs to no cluster"):
        cc.pair_table([0, 1], empty, family="brouwer")
    nothing = Partition(np.zeros((2, 2)), kind="possibilistic")
    with pytest.raises(ValueError, match="contingency table is empty"):
        cc.pair_table(nothing, [0, 1], family="anderson")


def test_crisp_family_on_fuzzy_input_points_to_harden():
    with pytest.raises(ValueError, match=r"P is fuzzy; .harden\(\)"):
        cc.rand_index(FUZZY, [0, 1, 0, 1], family="crisp")
    with pytest.raises(ValueError, match="Q is fuzzy"):
        cc.rand_index([0, 1, 0, 1], FUZZY, family="crisp")
    hard = Partition(FUZZY).harden()
    assert hard.labels.tolist() == [1, 0, 0, 1]  # a tie goes to the first
    assert hard.harden() is hard
    assert cc.rand_index(hard, [1, 0, 0, 1], family="crisp") == 1.0


def test_a_fuzzy_partition_has_no_labels():
    with pytest.raises(ValueError, match=r"has no labels; .harden\(\)"):
        _ = Partition(FUZZY).labels


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"family": "rand"}, 'family must be "crisp", "campello"'),
        ({"family": "frigui", "t_norm": "min"}, "has no t-norm"),
        ({"family": "campello", "t_norm": "lukasiewicz"}, 'must be "min" or "product"'),
        ({"t_norm": "max"}, 't_norm must be "min", "product" or "lukasiewicz"'),
        ({"match_by": "ids"}, 'match_by must be "position", "id" or "common"'),
        ({"match_by": None}, 'match_by must be "position", "id" or "common"'),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        cc.pair_table(FUZZY, FUZZY, **options)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"method": "fast"}, ValueError),
        ({"n_permutations": 0}, ValueError),
        ({"n_permutations": 2.5}, TypeError),
        ({"n_permutations": True}, TypeError),
        ({"method": "permutations", "random_state": "x"}, TypeError),
        ({"method": "permutations", "random_state": -1}, ValueError),
    ],
)
def test_bad_options_of_the_concordance_are_refused(options, error):
    with pytest.raises(error, match=rf"^{[*options][-1]} must be"):
        cc.concordance(np.tile(FUZZY, (2, 1)), np.tile(FUZZY, (2, 1)), **options)


RANDOM = {
    "concordance": lambda **how: cc.concordance([0, 1], [0, 1], **how),
    "pair_table": lambda **how: cc.pair_table([0, 1], [0, 1], **how),
    "compare": lambda **how: cc.compare([0, 1], [0, 1], families=(), **how),
    "object_discordance": lambda **how: cc.object_discordance([0, 1], [0, 1], **how),
    "joint_density": lambda **how: plot.joint_density([0, 1], [0, 1], **how),
    "differing_objects": lambda **how: plot.differing_objects([0, 1], [0, 1], **how),
    "concordance_test": lambda **how: cc.concordance_test([0, 1], [0, 1], **how),
    "confidence_interval": lambda **how: cc.confidence_interval(
        [0, 1, 0, 1, 0], [0, 1, 0, 1, 1], **how
    ),
    "random_hardenings": lambda **how: cc.random_hardenings(FUZZY, [0, 1] * 2, **how),
    "adjusted_mutual_information": lambda **how: cc.adjusted_mutual_information(
        FUZZY, FUZZY, **how
    ),
    "Accumulator": lambda **how: cc.Accumulator(**how),
    "consensus": lambda **how: cc.consensus([FUZZY, FUZZY], **how),
    "make_first_simulation": lambda **how: make_first_simulation(2, 1, **how),
    "make_second_simulation": lambda **how: make_second_simulation(2, **how),
    "make_random_set": lambda **how: make_random_set(2, **how),
    "make_bias_experiment": make_bias_experiment,
}


@pytest.mark.parametrize("name", RANDOM)
@pytest.mark.parametrize(
    ("random_state", "error"),
    [
        ("x", TypeError),
        (1.5, TypeError),
        (True, TypeError),
        (-1, ValueError),
        (np.random, TypeError),
        ([1, 2], TypeError),
        (np.arange(3), TypeError),
        (list, TypeError),
    ],
)
def test_a_random_state_that_is_none_is_refused_wherever_it_is_taken(
    name, random_state, error
):
    with pytest.raises(error, match="^random_state must be a whole number .* found"):
        RANDOM[name](random_state=random_state)


def test_all_sources_of_random_numbers_that_numpy_has_are_taken():
    for state in (np.int64(3), np.random.default_rng(3), np.random.SeedSequence(3)):
        expected = np.random.default_rng(state).bit_generator.state["bit_generator"]
        assert generator(state).bit_generator.state["bit_generator"] == expected
    assert generator(np.random.RandomState(3)).random() < 1.0
    assert generator(3).random() == generator(np.uint8(3)).random()


def test_a_random_state_that_holds_itself_is_refused():
    endless: list[object] = []
    endless.append(endless)
    with pytest.raises(TypeError, match="found list$"):
        generator(endless)


@pytest.mark.parametrize(
    ("n_jobs", "error"),
    [("x", TypeError), (1.5, TypeError), (True, TypeError), (0, ValueError)],
)
@pytest.mark.parametrize("name", ["concordance", "pair_table", "compare"])
def test_a_number_of_jobs_that_is_none_is_refused(name, n_jobs, error):
    with pytest.raises(error, match="^n_jobs must"):
        RANDOM[name](n_jobs=n_jobs)  # type: ignore[call-arg]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("order", ["C", "F"])
def test_a_large_matrix_is_refused_for_its_first_bad_row(dtype, order, monkeypatch):
    monkeypatch.setattr("concordant.partition.memberships._BLOCK", 16)
    rng = np.random.default_rng(0)
    Q = rng.dirichlet([1, 1, 1], size=1000)
    P = Q.astype(dtype, order=order)
    exact = cc.pair_table(P.astype(np.float64), Q, family="anderson")
    assert cc.pair_table(P, Q, family="anderson") == exact
    P[[300, 900]] /= 2
    with pytest.raises(ValueError, match="row 300 sums to 0"):
        cc.pair_table(P, Q, family="anderson")
    P[200, 1] = np.nan
    with pytest.raises(ValueError, match="found nan in row 200, column 1"):
        cc.pair_table(P, Q, family="anderson")


def test_a_partition_has_the_shape_and_the_items_of_its_matrix():
    matrix = np.array([[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]])
    P = cc.Partition(matrix, ids=["a", "b", "c"])
    assert P.shape == (3, 2)
    assert len(P) == 3
    assert (np.asarray(P) == matrix).all()
    assert np.asarray(P, dtype=np.float32).dtype == np.float32
    for part in (P[:2], P[[0, 1]], P[np.array([True, True, False])]):
        assert isinstance(part, cc.Partition)
        assert part.ids.tolist() == ["a", "b"]
        assert (part.memberships == matrix[:2]).all()
    assert P[::-1].ids.tolist() == ["c", "b", "a"]
    with pytest.raises(TypeError, match=r"P\[\[1\]\] is a partition of it alone"):
        P[1]
    with pytest.raises(IndexError):
        P[[7]]


def test_the_array_of_labels_is_that_of_their_memberships():
    P = cc.Partition(["x", "y", "x"])
    assert np.asarray(P).tolist() == [[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]
    assert np.array(P).flags.writeable
    assert P[1:].clusters.tolist() == ["x", "y"]


def test_partitions_are_equal_if_memberships_and_ids_are():
    matrix = [[0.9, 0.1], [0.2, 0.8]]
    P = cc.Partition(matrix)
    assert cc.Partition(matrix) == P
    assert cc.Partition([[0.9, 0.1], [0.3, 0.7]]) != P
    assert cc.Partition(matrix, ids=["a", "b"]) != P
    assert cc.Partition(matrix, ids=["a", "b"]) == cc.Partition(matrix, ids=["a", "b"])
    assert cc.Partition(matrix, ids=["a", "b"]) != cc.Partition(matrix, ids=["b", "a"])
    assert cc.Partition([0, 1]) == cc.Partition([[1, 0], [0, 1]])
    assert cc.Partition([0, 1]) != P
    assert matrix != P
    with pytest.raises(TypeError, match="unhashable"):
        hash(P)


@pytest.mark.parametrize(
    "data",
    [[[0.25, 0.75]] * 300, [0, 0], [[1 / 3, 2 / 3], [1 / 3 + 1e-9, 2 / 3 - 1e-9]]],
)
def test_a_collapsed_partition_says_so(data):
    (remark,) = cc.Partition(data).remarks
    assert remark == (
        "all objects have the same memberships: no cluster tells them apart"
    )
    assert remark in str(cc.compare(data, data))
    for other in ([0], [[0.25, 0.75]], [[0.2, 0.8]] * 999 + [[0, 1]]):
        assert cc.Partition(other).remarks == ()


def test_small_memberships_that_differ_have_not_collapsed():
    small = 1e-8 * np.array([[0.1, 0.9], [0.9, 0.1], [0.5, 0.2]])
    (remark,) = cc.Partition(np.full((3, 2), 1e-8), kind="possibilistic").remarks
    assert remark.startswith("all objects have the same memberships")
    assert cc.Partition(small, kind="possibilistic").remarks == ()


def test_the_added_cluster_is_called_noise():
    rows = [[0.5, 0.25], [1.0, 0.0]]
    assert Partition(rows, noise="column").clusters.tolist() == [0, 1, "noise"]
    named = Partition(rows, noise="column", clusters=["a", "b"])
    assert named.clusters.tolist() == ["a", "b", "noise"]
    (remark,) = named.remarks
    assert remark.endswith('at most 0.25, is the cluster "noise"')


def test_some_objects_are_a_partition_and_none_or_one_are_not():
    P = Partition([0, 1, 1])
    with pytest.raises(TypeError, match=r"P\[\[-1\]\] is a partition of it alone"):
        P[-1]
    assert P[[-1]].labels.tolist() == [1]
    with pytest.raises(ValueError, match="has no objects"):
        P[:0]
    for wrong in (None, [[0, 1]]):
        with pytest.raises(IndexError, match="takes a slice, or an array"):
            P[wrong]


@pytest.mark.parametrize("strength", [[0.5, 1.0, 0.25, 0.75], [11, 12, 13, 14]])
@pytest.mark.parametrize("labels", [[0, 1, 1, 0], [0, 1, 2, 0]])
def test_labels_beside_something_else_are_told_to_be_passed_alone(labels, strength):
    data = pd.DataFrame({"other": strength, "label": labels})
    with pytest.raises(ValueError, match="if a column holds labels") as caught:
        Partition(data)
    remedy = re.search(r"pass it alone, as (.*?);", str(caught.value))[1]
    assert Partition(eval(remedy)).clusters.tolist() == sorted({*labels})


@pytest.mark.parametrize("names", [{"a", "b", "c"}, 3])
def test_what_is_no_list_of_names_names_no_clusters(names):
    with pytest.raises(TypeError, match="clusters must be a list of names, found "):
        Partition([[0.5, 0.25, 0.25]], clusters=names)


def test_a_path_is_that_of_a_file_as_everywhere(tmp_path):
    path = tmp_path / "P.csv"
    path.write_text("0.9,0.1\n0.2,0.8\n")
    for where in (path, str(path)):
        made = cc.Partition(where)
        assert (made.memberships == cc.read_partition(path).memberships).all()
    assert cc.Partition(path, kind="possibilistic").kind == "possibilistic"
    with pytest.raises(cc.InputError, match="ids= is for data in memory"):
        cc.Partition(path, ids=[1, 2])
    with pytest.raises(cc.FileError, match="no such file"):
        cc.Partition("no-such-file.csv")
