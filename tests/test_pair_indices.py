"""Indices that are sums over pairs, against their definitions and known values."""

from fractions import Fraction
from itertools import combinations, combinations_with_replacement, permutations
from unittest import mock

import numpy as np
import pytest
import reference
from oracle import inner_truth
from partitions import compared_by

import concordant as cc
from concordant.catalogue.indices import INDICES

TOY = (
    [[0.29, 0.71], [0.79, 0.21], [0.41, 0.59], [0.88, 0.12]],
    [[0.94, 0.06], [0.05, 0.95], [0.53, 0.47], [0.89, 0.11]],
)


def cases(number=500, seed=0, least=2, most=9):
    """Draw small partitions, fuzzy and crisp ones, soft and nearly crisp ones."""
    rng = np.random.default_rng(seed)
    for _ in range(number):
        n = int(rng.integers(least, most))
        sides = []
        for _ in range(2):
            U = rng.dirichlet(np.full(rng.integers(1, 5), rng.choice([0.1, 1, 5])), n)
            U /= U.sum(axis=1, keepdims=True)
            if rng.random() < 0.25:
                U = np.eye(U.shape[1])[U.argmax(axis=1)]
            sides.append(U)
        yield sides


def of_any_kind(rng, n):
    """Draw a partition of any kind, memberships and all."""
    K = int(rng.integers(1, 5))
    match int(rng.integers(5)):
        case 0:
            return cc.Partition(rng.random((n, K)), kind="possibilistic")
        case 1:
            return cc.Partition(rng.random((n, K)) < 0.5, kind="overlapping")
        case 2:
            tiny = 10.0 ** -rng.integers(1, 9) * rng.random((n, K))
            return cc.Partition(0.5 + tiny / 4, kind="possibilistic")
        case 3:
            return cc.Partition(rng.dirichlet(np.ones(K), n))
    return cc.Partition(rng.integers(K, size=n))


def fractions(X):
    return [[Fraction(x) for x in row] for row in X.tolist()]


def exact_generalized_rand(P, Q):
    """GRI and AGRI in fractions."""

    def degrees(X):
        rows = [[Fraction(x) for x in row] for row in X.memberships.tolist()]
        pairs = list(combinations(rows, 2))
        J = [sum(a * b for a, b in zip(u, v, strict=True)) for u, v in pairs]
        T = [sum(u) * sum(v) for u, v in pairs]
        return J, [t - x for t, x in zip(T, J, strict=True)], sum(T)

    (J, S, T), (H, R, W) = degrees(P), degrees(Q)
    most, m = max(T, W), len(J)
    if most == 0:
        return Fraction(1), Fraction(1)
    both = (J, H), (S, R)
    value = sum(min(a, b) for x, y in both for a, b in zip(x, y, strict=True)) / most
    chance = sum(min(a, b) for x, y in both for a in x for b in y) / most / m
    return value, (value - chance) / (1 - chance) if chance != 1 else Fraction(1)


@pytest.mark.parametrize("way", ["sorted", "binned"])
def test_the_generalized_rand_index_of_any_kinds_is_within_its_error(way):
    rng = np.random.default_rng(1)
    for _ in range(200 if way == "sorted" else 30):
        n = int(rng.integers(2, 9))
        P, Q = of_any_kind(rng, n), of_any_kind(rng, n)
        if not {P.kind, Q.kind} & {"possibilistic", "overlapping"}:
            continue
        found = compared_by(way, P, Q, indices=["gri", "agri"]).scores
        for name, true in zip(found, exact_generalized_rand(P, Q)[::-1], strict=True):
            value, error = found[name]
            assert abs(Fraction(value) - true) <= Fraction(error), (name, P, Q)
        again = compared_by(way, Q, P, indices=["gri", "agri"]).scores
        assert again == found
        assert cc.score(P, P, "agri") == 1.0


def test_a_sample_of_pairs_of_free_sums_is_refused():
    P = cc.Partition(np.random.default_rng(0).random((9, 2)), kind="possibilistic")
    with pytest.raises(ValueError, match="takes all pairs of objects; leave out tol"):
        compared_by("sampled", P, P, indices=["agri"])


def test_covers_hold_zeros_and_ones_and_say_what_they_are():
    P = cc.Partition([[True, True], [False, True], [False, False]], kind="overlapping")
    assert (P.kind, P.shape) == ("overlapping", (3, 2))
    assert repr(P) == "Partition(overlapping, 3 objects, 2 clusters)"
    assert P[:2].kind == "overlapping"
    with pytest.raises(
        ValueError, match=r"found 0.5 in row 1, column 0.*possibilistic"
    ):
        cc.Partition([[1, 1], [0.5, 1]], kind="overlapping")
    with pytest.raises(ValueError, match="holds labels"):
        cc.Partition([0, 1], kind="overlapping")
    with pytest.raises(ValueError, match='kind="overlapping" is for memberships that'):
        cc.Partition([[1, 1, 0], [0, 1, 0], [1, 1, 1]])


@pytest.mark.parametrize("kind", ["overlapping", "possibilistic"])
@pytest.mark.parametrize("how", [{"normalize": True}, {"noise": "column"}])
def test_rows_that_need_not_sum_to_one_are_not_made_to(kind, how):
    with pytest.raises(ValueError, match="rows that need not; leave out one"):
        cc.Partition([[1, 1], [0, 1]], kind=kind, **how)


@pytest.mark.parametrize("name", INDICES)
def test_an_index_refuses_kinds_that_it_does_not_list(name):
    P = cc.Partition([[1, 1], [0, 1], [1, 0]], kind="overlapping")
    if "overlapping" in INDICES[name].kinds:
        assert cc.compare(P, P, indices=[name])[name] == INDICES[name].best
    else:
        with pytest.raises(ValueError, match="is not defined for overlapping"):
            cc.compare(P, [0, 0, 1], indices=[name])


def test_the_adjusted_generalized_rand_index_of_the_paper():
    assert cc.score(*TOY, "agri") == pytest.approx(-0.051902, abs=5e-7)
    assert cc.score(*TOY, "gri") == pytest.approx(0.753867, abs=5e-7)


@pytest.mark.parametrize("n", [40, 600])
@pytest.mark.parametrize("kind", ["fuzzy", "with a crisp one", "crisp"])
def test_indices_of_inner_products_are_the_concordance_by_these(n, kind):
    rng = np.random.default_rng(n)
    P, Q = rng.dirichlet([1] * 3, n), rng.dirichlet([0.3] * 4, n)
    P, Q = {
        "fuzzy": (P, Q),
        "with a crisp one": (P, Q.argmax(axis=1)),
        "crisp": (P.argmax(axis=1), Q.argmax(axis=1)),
    }[kind]
    inner = cc.concordance(P, Q, similarity="inner")
    found = cc.compare(P, Q, indices=["aci", "ndc", "agri", "gri"])
    assert found.scores["agri"] == (inner.aci, inner.error)
    assert found["gri"] == inner.ndc
    assert found.concordance == cc.concordance(P, Q)
    for threads in (2, 3):
        again = cc.compare(P, Q, indices=["agri", "gri"], n_jobs=threads)
        assert again.scores["agri"] == found.scores["agri"]
    beside = cc.compare(P, Q, indices=["agri", "ndc"], similarity="inner")
    assert beside.scores["agri"] == found.scores["agri"]
    if n < 100:
        true = inner_truth(np.asarray(P), np.asarray(Q))
        assert abs(found["agri"] - true.aci) <= found.scores["agri"].error + 2.0**-52


def test_other_values_share_the_visit_of_a_sample():
    rng = np.random.default_rng(5)
    P, Q = rng.dirichlet([1] * 3, 500), rng.dirichlet([1] * 3, 500)
    how = {"tol": 0.01, "random_state": 1}
    both = compared_by("sampled", P, Q, indices=["aci", "agri"], **how)
    how["method"] = "sampled"
    inner = cc.concordance(P, Q, similarity="inner", **how)
    assert tuple(both.scores["agri"]) == (inner.aci, inner.error)
    assert both["aci"] == cc.concordance(P, Q, **how).aci
    exact = cc.score(P, Q, "agri")
    assert abs(both["agri"] - exact) <= 1.5 * both.scores["agri"].error
    assert 0.0 < both.scores["agri"].error <= 0.01


def test_an_index_of_inner_products_is_adjusted_for_permutations_whatever_the_null():
    rng = np.random.default_rng(6)
    P, Q = rng.dirichlet([1] * 3, 30), rng.dirichlet([1] * 3, 30)
    found = compared_by("permutations", P, Q, indices=["aci", "agri"])
    assert found["agri"] == cc.score(P, Q, "agri")
    assert found.concordance.n_permutations == 1000


@pytest.mark.parametrize("way", ["sorted", "binned"])
def test_omega_agrees_with_its_definition_and_is_within_its_error(way):
    rng = np.random.default_rng(7)
    for _ in range(500 if way == "sorted" else 40):
        n = int(rng.integers(2, 9))
        P, Q = of_any_kind(rng, n), of_any_kind(rng, n)
        value, error = compared_by(way, P, Q, indices=["omega"]).scores["omega"]
        true = reference.omega(P.memberships.tolist(), Q.memberships.tolist())
        if np.isfinite(error) and error < 1e-3:
            assert abs(value - true) <= error + 1e-9, (P, Q)
        assert cc.score(P, P, "omega") == 1.0


def test_omega_of_covers_counts_pairs_that_share_equally_many_clusters():
    rng = np.random.default_rng(8)
    for n in (10, 500):
        A, B = rng.random((n, 3)) < 0.4, rng.random((n, 5)) < 0.4
        P, Q = (cc.Partition(side, kind="overlapping") for side in (A, B))
        i = np.triu_indices(n, 1)
        x, y = ((X.astype(int) @ X.T.astype(int))[i] for X in (A, B))
        agreed = (x == y).mean()
        by_chance = sum((x == k).mean() * (y == k).mean() for k in range(6))
        right = (agreed - by_chance) / (1 - by_chance)
        assert cc.score(P, Q, "omega") == pytest.approx(right, abs=1e-12)


def test_omega_of_exchanged_covers_has_the_same_bits():
    rng = np.random.default_rng(21)
    for n in (2, 3, 6, 9) * 10:
        P = cc.Partition(rng.random((n, 3)) < 0.5, kind="overlapping")
        Q = cc.Partition(rng.random((n, 2)), kind="possibilistic")
        one, other = (
            cc.compare(*pair, indices=["omega"]).scores for pair in ((P, Q), (Q, P))
        )
        assert one == other


def test_wallace_indices_of_pairs_that_are_hardly_held_are_within_their_error():
    P = np.array([[0.9, 0.1], [0.2, 0.8]])
    for least in (0.0, 1e-310, 1e-170, 1e-17, 1e-15, 1e-9, 1e-3):
        Q = np.array([[1 - least, least, 0.0], [least, 0.0, 1 - least]])
        for name, sides in (
            ("wallace_q", (P, Q)),
            ("wallace_p", (Q, P)),
        ):
            value, error = cc.compare(*sides, indices=[name]).scores[name]
            true = reference.index(name, *sides)
            assert error is not None
            assert abs(Fraction(value) - true) <= Fraction(min(error, 1.0))
            assert error < 1e-4 or least not in (0.0, 1e-9, 1e-3)


@pytest.mark.parametrize("kind", ["fuzzy", "crisp", "overlapping"])
def test_element_centric_similarity_of_each_object_agrees_with_its_definition(kind):
    rng = np.random.default_rng(10)
    for _ in range(100):
        n = int(rng.integers(1, 6))
        U, V = rng.dirichlet([1] * 3, n), rng.dirichlet([0.3] * 2, n)
        if kind == "crisp":
            U, V = np.eye(3)[U.argmax(axis=1)], np.eye(2)[V.argmax(axis=1)]
        if kind == "overlapping":
            U, V = U.max(axis=1, keepdims=True) * 0.3 <= U, V > 0.4
            V[:, 0] |= ~V.any(axis=1)
        P, Q = (cc.Partition(X, kind=kind) for X in (U, V))
        right = reference.element_scores(*(X.astype(float).tolist() for X in (U, V)))
        found = cc.element_centric_scores(P, Q)
        assert found == pytest.approx(right, abs=1e-12)
        name = "element_centric"
        overall, error = cc.compare(P, Q, indices=[name]).scores[name]
        assert error is not None
        assert overall == pytest.approx(np.mean(right), abs=error + 1e-15)
        assert error < 1e-10


def test_crisp_element_centric_similarity_is_that_of_clusim():
    clustering = pytest.importorskip("clusim.clustering")
    sim = pytest.importorskip("clusim.sim")
    rng = np.random.default_rng(12)
    for n in (2, 9, 40):
        p, q = rng.integers(4, size=n), rng.integers(3, size=n)
        theirs = sim.element_sim(
            *(clustering.Clustering().from_membership_list(x.tolist()) for x in (p, q)),
            alpha=0.9,
        )
        assert cc.score(p, q, "element_centric") == pytest.approx(theirs, abs=1e-12)


def test_many_crisp_objects_take_no_pairs():
    rng = np.random.default_rng(13)
    p, q = rng.integers(50, size=200_000), rng.integers(3, size=200_000)
    names = [name for name, record in INDICES.items() if record.cost == "pairs"]
    found = cc.compare(p, q, indices=names)
    assert found["omega"] == pytest.approx(found["agri"], abs=1e-15)


@pytest.mark.parametrize("kinds", [("crisp", "fuzzy"), ("overlapping", "crisp")])
def test_two_ways_through_the_pairs_agree(kinds):
    rng = np.random.default_rng(18)
    labels, cover = rng.integers(3, size=460), rng.random((460, 2)) < 0.6
    cover[:, 0] |= ~cover.any(axis=1)
    of_kind = {
        "crisp": cc.Partition(labels),
        "fuzzy": cc.Partition(rng.dirichlet([1] * 4, 460)),
        "overlapping": cc.Partition(cover, kind="overlapping"),
    }
    P, Q = (of_kind[kind] for kind in kinds)
    names = [
        name
        for name, record in INDICES.items()
        if record.cost == "pairs" and {*kinds} <= {*record.kinds}
    ]
    found = cc.compare(P, Q, indices=names).scores
    at_once = compared_by("sorted", P, Q, indices=names).scores
    for name in names:
        errors = [scores[name].error or 1e-12 for scores in (found, at_once)]
        assert abs(found[name].value - at_once[name].value) <= sum(errors), name


@pytest.mark.parametrize("name", ["element_centric", "wallace_q"])
def test_what_takes_all_pairs_refuses_a_sample(name):
    rng = np.random.default_rng(19)
    P, Q = rng.dirichlet([1] * 2, 40), rng.dirichlet([1] * 2, 40)
    with pytest.raises(ValueError, match="takes all pairs"):
        compared_by("sampled", P, Q, indices=[name])


def test_what_is_no_walk_is_refused():
    P = cc.Partition([[1, 0], [0, 0]], kind="overlapping")
    with pytest.raises(ValueError, match="object 1 of P belongs to no cluster"):
        cc.score(P, [0, 1], "element_centric")
    with pytest.raises(ValueError, match="needs memberships of 0 or more, and Q has"):
        cc.element_centric_scores([0, 1], [[1.0, 0.0], [1 + 1e-7, -1e-7]])
    negative = [[1 + 9e-6, -9e-6]] * 3  # whose sum has no root, of which NumPy warns
    with pytest.raises(ValueError, match="of 0 or more, and P has -9e-06"):
        cc.compare(negative, negative, indices=["element_centric"])
    assert "of 0 or more, and P has -9e-06" in str(
        cc.compare(negative, negative, indices="all")
    )
    with pytest.raises(ValueError, match="alpha must lie between 0 and 1"):
        cc.element_centric_scores([0, 1], [0, 1], alpha=1.0)


def test_threads_change_no_bit_of_an_index_of_pairs():
    rng = np.random.default_rng(14)
    P, Q = rng.dirichlet([1] * 3, 500), rng.dirichlet([1] * 4, 500)
    names = [name for name, record in INDICES.items() if record.cost == "pairs"]
    one = cc.compare(P, Q, indices=names).scores
    assert cc.compare(P, Q, indices=names, n_jobs=3).scores == one
    scores = cc.element_centric_scores(P, Q)
    assert (cc.element_centric_scores(P, Q, n_jobs=2) == scores).all()


@pytest.mark.parametrize("t_norm", ["product", "min", "lukasiewicz"])
def test_the_table_of_wallace_indices_agrees_with_its_definition(t_norm):
    for U, V in cases(number=170, seed=15):
        table = cc.wallace(U, V, t_norm=t_norm)
        P, Q = cc.Partition(U), cc.Partition(V)
        U, V = P.memberships.tolist(), Q.memberships.tolist()
        right = reference.wallace(V, U, t_norm) + reference.wallace(U, V, t_norm)
        assert len(table.rows) == len(right)
        for row, (value, expected) in zip(table.rows, right, strict=True):
            if row.weight > 1e-9:
                assert row.value == pytest.approx(value, abs=1e-9)
                assert row.expected == pytest.approx(expected, abs=1e-9)
            if row.error < 1e-3 and row.weight > 1e-3 and expected < 1.0:
                true = (value - expected) / (1 - expected)
                assert abs(row.adjusted - true) <= row.error + 1e-12 / (1 - expected)


def test_pairs_that_a_cluster_hardly_holds_are_within_the_error_of_the_table():
    P = np.array([[1 - 2e-17, 2e-17], [2e-17, 1.0], [0.3, 0.7]])
    for least in (1e-17, 1e-170, 1e-310):
        Q = np.array([[1.0, least], [least, 1.0], [0.5, 0.5]])
        for t_norm, t in reference.T_NORMS.items():
            table = cc.wallace(P, Q, t_norm=t_norm)
            V = [[Fraction(x) for x in row] for row in Q.tolist()]
            held = [t(V[i][0], V[j][0]) for i, j in reference.pairs(3)]
            x, y = reference.dissimilarities(P), reference.dissimilarities(Q)
            apart = [Fraction(abs(a - b)) for a, b in zip(x, y, strict=True)]
            by_chance = [Fraction(sum(abs(a - b) for a in x)) / 3 for b in y]
            d, e = (
                sum(w * z for w, z in zip(held, values, strict=True))
                for values in (apart, by_chance)
            )
            row = next(row for row in table.rows if row.index == "wallace_q")
            true = 1 - d / e if sum(held) else Fraction(1)
            assert abs(Fraction(row.adjusted) - true) <= min(row.error, 9) + 1e-12


@pytest.mark.parametrize("t_norm", ["product", "min", "lukasiewicz"])
def test_the_table_of_the_least_memberships_is_within_its_error(t_norm):
    rng = np.random.default_rng(20)
    for _ in range(80):
        n, sides = int(rng.integers(2, 6)), []
        for K in rng.integers(1, 5, size=2):
            U = np.eye(K)[rng.integers(K, size=n)]
            least = rng.choice([5e-324, 1e-310, 1e-200, 1e-100], size=U.shape)
            sides.append(U + least * rng.integers(4, size=U.shape) * (U == 0.0))
        table = cc.wallace(*sides, t_norm=t_norm)
        U, V = ([[Fraction(x) for x in row] for row in M.tolist()] for M in sides)
        right = reference.wallace(V, U, t_norm) + reference.wallace(U, V, t_norm)
        for row, (value, expected) in zip(table.rows, right, strict=True):
            true = 1 - (1 - value) / (1 - expected) if expected < 1 else 1
            assert abs(Fraction(row.adjusted) - true) <= min(row.error, 1e9) + 2**-50


def test_the_table_of_many_objects_is_within_its_error_and_the_same_on_threads():
    rng = np.random.default_rng(16)
    P, Q = rng.dirichlet([1] * 3, 500), rng.dirichlet([1] * 2, 500)
    table = cc.wallace(P, Q)
    assert cc.wallace(P, Q, n_jobs=2) == table
    assert table.of_q.value == pytest.approx(cc.score(P, Q, "wallace_q"))
    assert table.of_p.value == pytest.approx(cc.score(P, Q, "wallace_p"))
    with mock.patch("concordant.pairs.at_once.FEW_OBJECTS", 1000):
        exact = cc.wallace(P, Q)
    for row, right in zip(table.rows, exact.rows, strict=True):
        assert abs(row.adjusted - right.adjusted) <= row.error + right.error
        assert row.error < 1e-5
    by_labels = cc.wallace(P, Q.argmax(axis=1)).of_q
    assert by_labels.error < 1e-9


def test_wallace_indices_of_two_objects_do_not_depend_on_the_order_of_clusters():
    rng = np.random.default_rng(12)
    P = 1e-20 * rng.random((2, 5))
    P[:, 4] = 1.0
    for order in permutations(range(5)):
        for row in cc.wallace(P, P[:, order], t_norm="min").rows:
            assert (row.value, row.expected, row.adjusted) == (1.0, 1.0, 1.0)
            assert row.error == 0.0


def test_wallace_indices_are_zero_on_average_over_all_permutations():
    rng = np.random.default_rng(17)
    P, Q = rng.dirichlet([1] * 2, 5), rng.dirichlet([1] * 3, 5)
    tables = [cc.wallace(P, Q[list(order)]) for order in permutations(range(5))]
    for number, row in enumerate(tables[0].rows):
        mean = np.mean([table.rows[number].adjusted for table in tables])
        assert mean == pytest.approx(0.0, abs=1e-13), row


def test_a_table_of_wallace_indices_prints_and_becomes_a_frame():
    table = cc.wallace([[0.9, 0.1], [0.2, 0.8], [0.4, 0.6]], ["a", "a", "b"])
    assert table.to_frame().shape == (6, 7)
    assert "of P in Q" in str(table)
    assert "<table" in table._repr_html_()
    assert repr(table).startswith("WallaceTable(product, of P in Q 0")
    with pytest.raises(ValueError, match="t_norm must be"):
        cc.wallace([0, 1], [0, 1], t_norm="max")
    with pytest.raises(ValueError, match="^Fuzzy Wallace index of P in Q is not def"):
        cc.wallace(cc.Partition([[1.0, 1.0]], kind="overlapping"), [0])
    assert all(row.adjusted == 1.0 for row in cc.wallace([0], [0]).rows)


def test_products_of_rows_that_are_too_small_for_doubles_state_an_error():
    tiny = 1e-170 * np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 1.0]])
    P = cc.Partition(tiny, kind="possibilistic")
    Q = cc.Partition(tiny[[0, 2, 1, 3]], kind="possibilistic")
    large = (cc.Partition(1e170 * p.memberships, kind="possibilistic") for p in (P, Q))
    found = cc.compare(P, Q, indices=["gri", "agri"]).scores
    for name, true in cc.compare(*large, indices=["gri", "agri"]).scores.items():
        assert abs(found[name].value - true.value) <= found[name].error


ALIKE = (
    *(
        np.tile(row, (6, 1))
        for row in ([0.3, 0.7], [0.7, 0.3], [0.5, 0.5], [0.2, 1e-20])
    ),
    *(np.full((6, K), value) for K, value in ((3, 0.0), (2, 1.0), (2, 1e-170))),
    np.array([[0.3, 0.7, 1e-20]] * 6),
    np.eye(6),
)


def test_partitions_that_say_the_same_of_all_pairs_agree_fully_or_as_by_chance():
    for U, V in combinations_with_replacement(ALIKE, 2):
        P, Q = (cc.Partition(X, kind="possibilistic") for X in (U, V))
        found = cc.compare(P, Q, indices=["gri", "agri", "omega"]).scores
        true = dict(zip(("gri", "agri"), exact_generalized_rand(P, Q), strict=True))
        true["omega"] = Fraction(reference.omega(*(fractions(X) for X in (U, V))))
        for name, (value, error) in found.items():
            assert abs(Fraction(value) - true[name]) <= Fraction(error), (U[0], V[0])
            assert error < 1e-12 or 1e-170 in (U.max(), V.max())


def test_small_memberships_lose_no_digits_of_inner_products():
    rng = np.random.default_rng(0)
    for scale in (1e-8, 1e-12, 1e-170):
        U, V = scale * rng.random((6, 2)), scale * rng.random((6, 3))
        P, Q = (cc.Partition(M, kind="possibilistic") for M in (U, V))
        exact = [[[Fraction(x) for x in row] for row in M.tolist()] for M in (U, V)]
        gri, expected = reference.generalized_rand(*exact)
        truth = {
            "gri": gri,
            "agri": 1 - (1 - gri) / (1 - expected),
            "omega": reference.omega(*exact),
        }
        found = cc.compare(P, Q, indices=[*truth, "rand"])
        for name, right in truth.items():
            value, error = found.scores[name]
            assert abs(Fraction(value) - right) <= error < 1e-12
        alone = cc.compare(P, Q, indices=["rand"])
        assert found.tables == alone.tables
        large = (cc.Partition(M / scale, kind="possibilistic") for M in (U, V))
        rand = cc.compare(*large, indices=["rand"])["anderson/rand"]
        assert found["anderson/rand"] == pytest.approx(rand, abs=1e-12)


def test_small_memberships_and_a_table_of_pairs_share_one_checkpoint(tmp_path):
    rng = np.random.default_rng(0)
    P, Q = (
        cc.Partition(1e-8 * rng.random((500, 2)), kind="possibilistic")
        for _ in range(2)
    )
    how = {"indices": ["gri", "rand"], "families": ["campello"]}
    plain = cc.compare(P, Q, **how)
    for _ in range(2):
        assert cc.compare(P, Q, **how, checkpoint=tmp_path / "pairs") == plain


@pytest.mark.parametrize("indices", ["all", None])
def test_what_an_object_in_no_cluster_has_no_value_of_is_left_out(indices):
    """It was refused whole."""
    P = cc.Partition([[1, 1], [0, 0], [0, 1], [1, 0]], kind="overlapping")
    Q = cc.Partition([[1, 0], [0, 1], [0, 1], [1, 1]], kind="overlapping")
    asked = ["brouwer"] if indices is None else ["element_centric", "brouwer"]
    for one, other, name in ((P, Q, "P"), (Q, P, "Q")):
        found = cc.compare(one, other, indices=indices, families="all")
        assert [*found.refused] == asked
        assert {*asked} <= {*found.left_out}
        assert "campello (min)" in found.tables
        assert "brouwer" not in found.tables
        said = f"Brouwer left out: object 1 of {name} belongs to no cluster"
        assert said in str(found)
        assert "pairs of objects" not in str(found)
    with pytest.raises(ValueError, match="belongs to no cluster"):
        cc.compare(P, Q, families=["brouwer"])
    with pytest.raises(ValueError, match="belongs to no cluster"):
        cc.compare(P, Q, indices=["element_centric"])
    assert cc.compare(P, Q, indices="all", families=["campello"]).left_out.count(
        "element_centric"
    )
    assert not cc.compare(Q, Q, indices=indices, families="all").refused
