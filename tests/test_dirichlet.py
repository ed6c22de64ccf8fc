"""Models of chance that draw memberships from Dirichlet distributions."""

import math
from fractions import Fraction

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

import concordant as cc
from concordant.nulls import dirichlet
from concordant.nulls.dirichlet import Law, _law, _mean_value, _values, _with_drawn

A, B, C = (0.98, 0.01, 0.01), (0.01, 0.98, 0.01), (0.01, 0.01, 0.98)
#: The toy clusterings of DeWolfe and Andrews (2025).
UNEQUAL = np.array([A] * 6 + [B, A, C])
EQUAL = np.array([A] * 3 + [B] * 3 + [C] * 3)
FUZZY = np.array(
    [
        *((0.34, 0.33, 0.33), (0.36, 0.32, 0.32), (0.40, 0.25, 0.35)),
        *((0.33, 0.34, 0.33), (0.32, 0.32, 0.36), (0.25, 0.40, 0.35)),
        *((0.33, 0.33, 0.34), (0.32, 0.32, 0.36), (0.35, 0.40, 0.25)),
    ]
)
LABELS = EQUAL.argmax(axis=1)


@pytest.fixture(autouse=True)
def fewer_points(monkeypatch):
    """Let errors be some four times as large, in a sixteenth of the time."""
    monkeypatch.setattr(dirichlet, "_POWERS", (6, 8))


@pytest.mark.parametrize(
    ("P", "Q", "null", "published"),
    [
        (EQUAL, FUZZY, "dirichlet-flat", -2.0448),
        (FUZZY, LABELS, "dirichlet-flat", -2.1407),
        (FUZZY, EQUAL, "dirichlet-flat-one-sided", -1.0595),
        (EQUAL, FUZZY, "dirichlet-flat-one-sided", -0.3186),
        (UNEQUAL, EQUAL, "dirichlet-symmetric", -0.3971),
        (FUZZY, UNEQUAL, "dirichlet-symmetric-one-sided", 0.2113),
        (UNEQUAL, FUZZY, "dirichlet-symmetric-one-sided", 0.0130),
        (UNEQUAL, EQUAL, "dirichlet-fitted", -0.3791),
        (FUZZY, EQUAL, "dirichlet-fitted-one-sided", -0.3396),
        (UNEQUAL, LABELS, "dirichlet-fitted-one-sided", 0.0462),
    ],
)
def test_published_values_hold_within_their_monte_carlo_error(P, Q, null, published):
    found = cc.concordance(P, Q, null=null)
    assert found.aci == pytest.approx(published, abs=0.004 + found.error)
    assert found.error < 0.03
    assert found.method.partition(", null ")[2].startswith(null)
    assert str(found).count(", null ") == 1


def drawn_by_chance(rng, alpha, size, similarity):
    x, y = (rng.dirichlet(alpha, size) for _ in range(2))
    return (
        np.abs(x - y).sum(axis=1) / 2 if similarity == "l1" else 1 - (x * y).sum(axis=1)
    )


@pytest.mark.parametrize("similarity", ["l1", "inner"])
def test_random_draws_lie_within_the_stated_error(similarity):
    rng = np.random.default_rng(1)
    P, Q = rng.dirichlet([1.0, 2.0, 0.5], size=30), rng.dirichlet([3.0, 0.2], size=30)
    laws = [_law(cc.Partition(X), "fitted", "P") for X in (P, Q)]
    x, y = (drawn_by_chance(rng, law.parameters, 400_000, similarity) for law in laws)
    found = cc.concordance(P, Q, null="dirichlet-fitted", similarity=similarity)
    spread = 4 * np.std(np.abs(x - y)) / math.sqrt(len(x))
    mean, error = found.expected_discordance, found.expected_discordance_error
    assert abs(np.abs(x - y).mean() - mean) <= error + spread
    assert error < 0.01
    one_sided = cc.concordance(
        P, Q, null="dirichlet-fitted-one-sided", similarity=similarity
    )
    i, j = np.triu_indices(30, 1)
    fixed = (
        np.abs(P[i] - P[j]).sum(axis=1) / 2
        if similarity == "l1"
        else 1 - (P[i] * P[j]).sum(axis=1)
    )
    mean = np.abs(fixed[:, np.newaxis] - y[:4000]).mean()
    assert one_sided.expected_discordance == pytest.approx(mean, abs=0.02)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20))
def test_ten_million_draws_lie_within_the_stated_error(seed):
    rng = np.random.default_rng(seed)
    n, sizes = int(rng.integers(5, 40)), rng.choice([2, 3, 4, 8], size=2)
    P, Q = (rng.dirichlet(10.0 ** rng.uniform(-1.5, 1.5, size=K), n) for K in sizes)
    similarity = str(rng.choice(["l1", "inner"]))
    model = ("flat", "symmetric", "fitted")[seed % 3]
    found = cc.concordance(P, Q, null=f"dirichlet-{model}", similarity=similarity)
    laws = [_law(cc.Partition(X), model, "P") for X in (P, Q)]
    assert not any(law.is_crisp for law in laws)
    total = squares = 0.0
    for _ in range(20):
        x, y = (
            drawn_by_chance(rng, law.parameters, 500_000, similarity) for law in laws
        )
        total += np.abs(x - y).mean() / 20
        squares += ((x - y) ** 2).mean() / 20
    spread = 5 * math.sqrt((squares - total**2) / 1e7)
    off = abs(total - found.expected_discordance)
    assert off <= found.expected_discordance_error + spread


@pytest.mark.parametrize(
    ("similarity", "exact"),
    # |X - Y| with X and Y differences, or products, of uniform numbers.
    [("l1", 4 / 15), ("inner", 5 / 27)],
)
def test_flat_memberships_in_two_clusters_have_the_exact_expectation(similarity, exact):
    law = Law((1.0, 1.0))
    [(value, error)] = _with_drawn(law, law, similarity)
    assert abs(value - exact) <= error < 1e-5


@pytest.mark.parametrize("similarity", ["l1", "inner"])
@pytest.mark.parametrize("n_laws", [10, pytest.param(60, marks=pytest.mark.long)])
def test_two_clusters_have_the_mean_of_the_closed_form(similarity, n_laws):
    rng = np.random.default_rng(4)
    for _ in range(n_laws):
        parameters = sorted((10.0 ** rng.uniform(-4, 6, size=2)).tolist())
        law = Law((parameters[0], parameters[1]))
        [found] = _values(law, similarity, 0, 2)
        exact, error = _mean_value(law, similarity)
        assert abs(found.average - exact) <= found.displacement + error
        assert found.displacement < 1e-5


def test_a_side_of_two_clusters_is_drawn_beside_one_of_three():
    two, three = Law((0.5, 2.0)), Law((1.0, 1.0, 3.0))
    found = [_with_drawn(*laws, "l1") for laws in ((two, three), (three, two))]
    assert [len(draws) for draws in found] == [16, 16]
    means = [np.mean([value for value, _ in draws]) for draws in found]
    assert means[0] == pytest.approx(means[1], abs=2e-3)


@pytest.mark.parametrize("similarity", ["l1", "inner"])
def test_labels_beside_memberships_have_a_closed_form(similarity):
    rng = np.random.default_rng(5)
    alpha = [0.3, 1.0, 4.0]
    y = drawn_by_chance(rng, alpha, 400_000, similarity)
    [(value, error)] = _with_drawn(
        Law((0.25, 0.75), is_crisp=True), Law(tuple(alpha)), similarity
    )
    apart = 1 - 0.25**2 - 0.75**2
    mean = apart + (1 - 2 * apart) * y.mean()
    assert value == pytest.approx(mean, abs=4 * y.std() / math.sqrt(len(y)))
    assert error < 1e-13


@pytest.mark.parametrize("model", ["flat", "symmetric", "fitted"])
def test_drawing_both_is_symmetric_to_the_last_bit(model):
    rng = np.random.default_rng(2)
    P, Q = rng.dirichlet([1, 1, 1], size=12), rng.dirichlet([0.1, 1], size=12)
    one, other = (
        cc.concordance(*pq, null=f"dirichlet-{model}") for pq in ((P, Q), (Q, P))
    )
    assert one.aci == other.aci
    assert cc.concordance(P, P, null=f"dirichlet-{model}").aci == 1.0


def test_parameters_have_the_largest_likelihood():
    from scipy.special import digamma

    rng = np.random.default_rng(3)
    for alpha in ([0.05, 0.1], [1.0, 2.0, 3.0], [300.0, 1.0, 20.0], [0.01] * 4):
        U = rng.dirichlet(alpha, size=200)
        if (U == 0.0).any():
            continue
        logs = np.log(U).mean(axis=0)
        found = np.array(_law(cc.Partition(U), "fitted", "P").parameters)
        slope = digamma(found.sum()) - digamma(found) + np.sort(logs)
        assert np.abs(slope).max() < 1e-6 * np.abs(logs).max()
        one = _law(cc.Partition(U), "symmetric", "P").parameters
        slope = digamma(sum(one)) - digamma(one[0]) + logs.mean()
        assert abs(slope) < 1e-6 * np.abs(logs).max()


def test_labels_are_drawn_where_no_dirichlet_distribution_is_likeliest():
    found = cc.concordance(UNEQUAL, LABELS, null="dirichlet-fitted")
    assert found.method.endswith("(labels drawn for Q)")
    both = cc.concordance(LABELS, LABELS[::-1] // 2, null="dirichlet-fitted")
    assert both.expected_discordance_error < 1e-14
    # Of two labels each: apart with probability 2/3 and 4/9.
    expected = 2 / 3 * 5 / 9 + 1 / 3 * 4 / 9
    assert both.expected_discordance == pytest.approx(expected, abs=1e-14)


def test_memberships_that_are_all_the_same_are_drawn_as_they_are():
    constant = np.tile([0.2, 0.8], (9, 1))
    found = cc.concordance(constant, FUZZY, null="dirichlet-fitted")
    assert math.isfinite(found.aci)
    assert found.expected_discordance < 0.3


def test_an_interval_under_them_is_refused():
    with pytest.raises(ValueError, match="dirichlet-flat"):
        cc.compare(UNEQUAL, EQUAL, interval=0.95, null="dirichlet-flat")


def test_a_sample_of_pairs_with_a_fixed_side_is_refused():
    rng = np.random.default_rng(0)
    P, Q = rng.dirichlet([1, 1], size=600), rng.dirichlet([1, 1, 1], size=600)
    with pytest.raises(ValueError, match="takes all pairs of objects; leave out"):
        cc.concordance(
            P, Q, null="dirichlet-flat-one-sided", method="sampled", tol=0.01
        )


def test_a_fuzzy_side_beside_labels_stays_as_it_is():
    rng = np.random.default_rng(4)
    P, labels = rng.dirichlet([1, 1, 1], size=40), rng.integers(3, size=40)
    null = "dirichlet-flat-one-sided"
    beside_labels = cc.concordance(P, labels, null=null)
    beside_itself = cc.concordance(P, np.roll(P, 1, axis=0), null=null)
    assert beside_labels.expected_discordance == pytest.approx(
        beside_itself.expected_discordance, abs=1e-5
    )


def test_one_cluster_is_always_drawn_as_it_is():
    for null in ("dirichlet-flat", "dirichlet-flat-one-sided", "dirichlet-fitted"):
        found = cc.concordance([0] * 6, [0] * 6, null=null)
        assert (found.aci, found.error) == (1.0, 0.0)
        assert math.isfinite(cc.concordance([0] * 6, FUZZY[:6], null=null).aci)


def test_permuting_and_drawing_do_not_go_together():
    with pytest.raises(ValueError, match="leave one of them out"):
        cc.concordance(UNEQUAL, EQUAL, null="dirichlet-flat", method="permutations")


@pytest.mark.parametrize(
    "null",
    [f"dirichlet-{m}{s}" for m in ("symmetric", "fitted") for s in ("", "-one-sided")],
)
@pytest.mark.parametrize("K", [2, 3])
def test_memberships_that_hardly_vary_have_an_honest_error(null, K):
    rng = np.random.default_rng(K)
    noise = rng.normal(size=(2, 40, K))
    noise -= noise.mean(axis=2, keepdims=True)
    found = {
        scale: cc.concordance(*(1 / K + scale * noise), null=null)
        for scale in (1e-2, 1e-4, 1e-7, 1e-10, 1e-13)
    }
    for scale, one in found.items():
        off = 20 * (scale**2 + 1e-16 / scale)  # of the law, and of memberships
        assert abs(one.aci - found[1e-4].aci) <= one.error + found[1e-4].error + off
        assert one.error < 0.01 or scale < 1e-10
        assert one.error < 0.2


def test_threads_of_blas_change_no_bit_of_a_quadrature():
    rng = np.random.default_rng(0)
    P, Q = rng.dirichlet([3.0, 3.0], 60), rng.dirichlet([0.5, 0.5], 60)
    found = []
    for n_threads in (1, 2):
        with threadpool_limits(n_threads, user_api="blas"):
            found.append(cc.concordance(P, Q, null="dirichlet-fitted"))
    assert found[0] == found[1]


def test_uneven_parameters_that_are_large_are_drawn_to_their_own_digits():
    rng, size = np.random.default_rng(6), 200_000
    for a in ([0.5, 1e8], [2.0, 3.0, 9e7], [1e3, 4e7, 4e7], [7e5, 8e5]):
        law = Law(tuple(a))
        x, y, u, v = rng.dirichlet(a, (4, size))[:, :, :-1]  # the last has no digits
        one, other = (
            0.5 * (np.abs(d).sum(axis=1) + np.abs(d.sum(axis=1)))
            for d in (x - y, u - v)
        )
        exact, error = _mean_value(law, "l1")
        assert abs(one.mean() - exact) <= 5 * one.std() / math.sqrt(size)
        assert error < 1e-12 * exact
        draws = [value for value, _ in _with_drawn(law, law, "l1")]
        drawn, off = np.mean(draws), 8 * np.std(draws) + 0.01 * exact
        apart = np.abs(one - other)
        assert abs(apart.mean() - drawn) <= off + 5 * apart.std() / math.sqrt(size)
        assert off < 0.1 * exact


def test_the_mean_difference_of_nearly_equal_rows_has_all_its_digits():
    def beta(a):  # of a and a
        return Fraction(2 * math.factorial(a) ** 2, a * math.factorial(2 * a))

    for a in (1, 7, 99, 101, 2000):
        value, error = _mean_value(Law((float(a), float(a))), "l1")
        exact = 2 * beta(2 * a) / (a * beta(a) ** 2)
        assert abs(Fraction(value) - exact) <= Fraction(error)


def test_what_points_miss_is_part_of_the_error():
    law = Law((1e-6, 1e-6, 0.5))  # one object of many is not in the third cluster
    exact, _ = _mean_value(law, "l1")
    found = dirichlet._samples(law, "l1", 0, 3)
    for one in found:
        assert abs(one.average - exact) <= one.displacement
