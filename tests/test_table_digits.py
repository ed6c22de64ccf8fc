"""Cardinalities are what the definitions give for memberships as they stand."""

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
import reference

import concordant as cc
from concordant.catalogue.terms import Term
from concordant.compute import gather
from concordant.execution.run import Run


def rationals(U):
    return [[Fraction(float(x)) for x in row] for row in U]


def root(x):
    """The square root of a rational, to 600 bits."""
    return Fraction(math.isqrt((x.numerator << 1200) // x.denominator), 1 << 600)


def from_bonds(U, V, *, cosine):
    sums = [Fraction(0)] * 4
    sides = []
    for rows in (rationals(U), rationals(V)):
        lengths = [root(sum(x * x for x in row)) if cosine else 1 for row in rows]
        sides.append((rows, lengths))
    for i, j in combinations(range(len(U)), 2):
        g, h = (
            sum(x * y for x, y in zip(rows[i], rows[j], strict=True))
            / (lengths[i] * lengths[j])
            for rows, lengths in sides
        )
        terms = g * h, g * (1 - h), (1 - g) * h, (1 - g) * (1 - h)
        sums = [total + term for total, term in zip(sums, terms, strict=True)]
    return sums


def anderson(U, V):
    n = len(U)
    u, v = (list(zip(*rationals(rows), strict=True)) for rows in (U, V))
    N = [[sum(x * y for x, y in zip(p, q, strict=True)) for q in v] for p in u]
    total = sum(map(sum, N))
    N = [[entry * n / total for entry in row] for row in N]
    cells = sum(entry**2 for row in N for entry in row)
    rows = sum(sum(row) ** 2 for row in N)
    columns = sum(sum(column) ** 2 for column in zip(*N, strict=True))
    sums = cells - n, rows - cells, columns - cells, n**2 + cells - rows - columns
    return [x / 2 for x in sums]


def campello(U, V):
    """The definition with the product as t-norm."""
    sums = [Fraction(0)] * 4
    for i, j in combinations(range(len(U)), 2):
        v, x, y, z = (
            max(
                a * b
                for k, a in enumerate(M[i])
                for m, b in enumerate(M[j])
                if (k == m) == same
            )
            for M in (rationals(U), rationals(V))
            for same in (True, False)
        )
        terms = v * y, v * z, x * y, x * z
        sums = [total + term for total, term in zip(sums, terms, strict=True)]
    return sums


DEFINITIONS = {
    "frigui": lambda U, V: from_bonds(U, V, cosine=False),
    "brouwer": lambda U, V: from_bonds(U, V, cosine=True),
    "anderson": anderson,
}
STYLES = ("sums off", "float32", "negative", "too full", "near crisp", "close")


def memberships(rng, style, n, K):
    U = rng.dirichlet(np.ones(K), n)
    own, following = np.arange(n), rng.integers(K, size=n)
    some = rng.uniform(0, 9e-6, n)
    match style:
        case "sums off":
            return U * (1 + rng.uniform(-1e-6, 1e-6, (n, 1)))
        case "float32":
            scores = np.exp(8 * rng.normal(size=(n, K)).astype(np.float32))
            return np.float64(scores / scores.sum(axis=1, keepdims=True))
        case "negative":
            U = np.eye(K)[following]
            U[own, following] += some
            U[own, (following + 1) % K] -= some
            return U
        case "too full":
            return np.eye(K)[following] * (1 + some)[:, None]
        case "near crisp":
            U = np.eye(K)[following] + 10.0 ** -rng.integers(3, 16) * U
            return U / U.sum(axis=1, keepdims=True)
        case _:
            U = U[0] + 10.0 ** -rng.integers(3, 14) * (U - U[0])
            return U / U.sum(axis=1, keepdims=True)


def cardinalities(table):
    return [table.a, table.b, table.c, table.d]


@pytest.mark.parametrize("family", DEFINITIONS)
@pytest.mark.parametrize("style", STYLES)
def test_tables_of_products_are_exact_up_to_the_rounding_of_all_pairs(family, style):
    rng = np.random.default_rng(STYLES.index(style))
    for n, K, other in ((2, 2, style), (9, 3, "near crisp"), (25, 12, "sums off")):
        U, V = memberships(rng, style, n, K), memberships(rng, other, n, 4)
        table = cc.pair_table(U, V, family=family)
        truth = DEFINITIONS[family](U, V)
        for found, exact in zip(cardinalities(table), truth, strict=True):
            assert abs(Fraction(found) - exact) <= 4e-15 * n * (n - 1) / 2
        if min(truth) >= 0:
            assert 0 <= table.rand <= 1


STATED = {
    "frigui": DEFINITIONS["frigui"],
    "anderson": anderson,
    "campello/min": lambda U, V: reference.campello(rationals(U), rationals(V)),
    "campello/product": campello,
    "huellermeier/product": lambda U, V: reference.huellermeier(
        rationals(U), rationals(V)
    ),
}
EDGES = ("one cluster", "alike", "rounded", "singletons")


def at_an_edge(rng, style, n, K):
    shares = rng.dirichlet(np.ones(K), n)
    match style:
        case "one cluster":
            shares *= 10.0 ** -rng.integers(3, 17)
            shares[:, 0] = 0.0
            shares[:, 0] = 1.0 - shares.sum(axis=1)
        case "alike":
            shares = np.tile(shares[0], (n, 1))
        case "rounded":
            shares = np.round(shares, 2)
        case "singletons":
            shares = np.eye(n) + 1e-10 * rng.dirichlet(np.ones(n), n)
            shares /= shares.sum(axis=1, keepdims=True)
    return shares


@pytest.mark.parametrize("table", STATED)
@pytest.mark.parametrize("style", [*STYLES, *EDGES])
def test_statistics_of_fuzzy_tables_state_an_error_that_holds(table, style):
    rng = np.random.default_rng([*STYLES, *EDGES].index(style))
    family, _, t_norm = table.partition("/")
    make = memberships if style in STYLES else at_an_edge
    for n, K in ((2, 2), (4, 3), (7, 2)):
        U, V = (make(rng, style, n, K) for _ in range(2))
        if cc.Partition(U).kind == cc.Partition(V).kind == "crisp":
            continue
        found = cc.compare(
            U,
            V,
            indices=["rand", "adjusted_rand"],
            families=[family],
            t_norm=t_norm or None,
        )
        a, b, c, d = STATED[table](U, V)
        by_chance = (a + b) * (b + d) + (a + c) * (c + d)
        differ = (b + c) * (a + b + c + d)
        exact = {
            "rand": (a + d) / (a + b + c + d),
            "adjusted_rand": 1 - differ / by_chance if by_chance else Fraction(1),
        }
        for name, truth in exact.items():
            value, error = found.scores[f"{table}/{name}"]
            assert error == math.inf or abs(Fraction(value) - truth) <= error
            assert error < 1e-11 or name == "adjusted_rand" or family == "anderson"


def test_crisp_tables_are_exact_and_brouwers_error_is_not_known():
    U, q = np.array([[0.5, 0.5], [0.2, 0.8], [0.9, 0.1]]), [0, 0, 1]
    scores = cc.compare(q, [0, 1, 1], indices=["adjusted_rand"]).scores
    assert scores["crisp/adjusted_rand"].error == 0.0
    scores = cc.compare(U, q, indices=["rand"], families=["brouwer"]).scores
    assert scores["brouwer/rand"].error is None


def test_a_membership_above_1_makes_frigui_pass_the_number_of_pairs():
    U = np.eye(2)[[0, 0, 0]] * (1 + 9e-6)
    table = cc.pair_table(U, [0, 0, 0], family="frigui")
    assert table.a > 3
    assert table.c == pytest.approx(3 * (1 - (1 + 9e-6) ** 2), rel=1e-9)
    assert table.b == pytest.approx(0, abs=1e-14)


def test_a_cardinality_slightly_below_0_is_not_taken_for_rounding():
    U = np.eye(3)[[0, 0, 1, 1, 2, 2]]
    U[[0, 2], [1, 2]] -= 1e-11
    table = cc.pair_table(U, U[:, ::-1], family="frigui")
    exact = [*map(float, DEFINITIONS["frigui"](U, U[:, ::-1]))]
    assert min(exact) < -9e-12
    assert cardinalities(table) == pytest.approx(exact, rel=0, abs=1e-13)


@pytest.mark.parametrize("spread", [1e-3, 1e-8, 1e-12])
def test_brouwer_keeps_its_digits_where_all_directions_are_nearly_the_same(spread):
    rng = np.random.default_rng(0)
    rows = [0.2, 0.3, 0.5] + spread * rng.normal(size=(2, 20, 3))
    U, V = rows / rows.sum(axis=2, keepdims=True)
    table = cc.pair_table(U, V, family="brouwer")
    _, b, c, d = DEFINITIONS["brouwer"](U, V)
    assert abs(Fraction(table.b) / b - 1) < 1e-13
    assert abs(Fraction(table.c) / c - 1) < 1e-13
    assert abs(Fraction(table.d) / d - 1) < 1e-13


def test_brouwer_is_1_for_constant_partitions_whatever_the_constant():
    for row in ([0.1, 0.2, 0.7], [1 / 3, 1 / 3, 1 / 3]):
        table = cc.pair_table([row] * 50, [row[::-1]] * 50, family="brouwer")
        assert cardinalities(table) == [50 * 49 / 2, 0.0, 0.0, 0.0]


def test_brouwer_takes_memberships_whose_squares_vanish():
    rng = np.random.default_rng(0)
    U, V = rng.random((2, 30, 3))
    scales = 10.0 ** rng.integers(-300, 0, (30, 1))
    scaled = cc.Partition(U * scales, kind="possibilistic")
    expected = cc.pair_table(
        cc.Partition(U, kind="possibilistic"),
        cc.Partition(V, kind="possibilistic"),
        family="brouwer",
    )
    table = cc.pair_table(
        scaled, cc.Partition(V, kind="possibilistic"), family="brouwer"
    )
    assert cardinalities(table) == pytest.approx(cardinalities(expected), rel=1e-13)


@pytest.mark.parametrize("method", ["sorted", "binned"])
@pytest.mark.parametrize("K", [2, 3])
def test_campello_takes_negative_memberships_as_they_are(method, K):
    rng = np.random.default_rng(K)
    U, V = memberships(rng, "negative", 14, K), memberships(rng, "negative", 14, 2)
    term, run = Term("table", "campello", "product"), Run(method=method)
    table = gather(cc.Partition(U), cc.Partition(V), [term], run)[term]
    for found, exact in zip(cardinalities(table), campello(U, V), strict=True):
        assert abs(Fraction(found) - exact) <= 1e-15 * abs(exact)


def test_streams_tell_that_memberships_are_above_1_in_some_chunk():
    U = np.vstack([np.full((3, 2), 0.5), np.eye(2)[[0, 0, 0]] * (1 + 9e-6)])
    V = np.vstack([np.full((3, 2), 0.5), np.eye(2)[[0, 0, 0]]])
    accumulator = cc.Accumulator(kinds=("fuzzy", "fuzzy"), families=["frigui"])
    for half in (slice(3), slice(3, None)):
        accumulator.update(U[half], V[half])
    found = accumulator.result().tables["frigui"]
    exact = DEFINITIONS["frigui"](U, V)
    assert cardinalities(found) == pytest.approx([*map(float, exact)], rel=1e-14)


def test_fowlkes_mallows_has_the_sign_of_a():
    table = cc.pair_table([[0.5, 0.5]] * 2, [[0.5, 0.5]] * 2, family="anderson")
    a, b, c = table.a, table.b, table.c
    assert a < 0
    if (a + b) * (a + c) > 0:
        assert table.fowlkes_mallows == pytest.approx(
            a / math.sqrt((a + b) * (a + c)), rel=1e-15
        )
    for a, b, c in ((-2.0, 1.0, 1.5), (-2.0, 3.0, 4.0), (2.0, 1.0, 3.0)):
        expected = a / math.sqrt((a + b) * (a + c))
        found = cc.PairTable(a, b, c, 1.0, "anderson").fowlkes_mallows
        assert found == pytest.approx(expected, rel=1e-15)
    assert math.isnan(cc.PairTable(-2.0, 3.0, 1.0, 1.0).fowlkes_mallows)


def test_crisp_numbers_are_correctly_rounded():
    rng = np.random.default_rng(0)
    for _ in range(100):
        n = int(rng.integers(2, 200))
        labels_p, labels_q = (rng.integers(rng.integers(1, 7), size=n) for _ in "pq")
        table, found = (
            cc.pair_table(labels_p, labels_q),
            cc.concordance(labels_p, labels_q),
        )
        a, b, c, d = cardinalities(table)
        m = a + b + c + d
        discordance = Fraction(b + c, m)
        expected = Fraction((a + b) * (b + d) + (a + c) * (c + d), m * m)
        aci = 1 - discordance / expected if expected else Fraction(1)
        assert found.discordance == float(discordance)
        assert found.expected_discordance == float(expected)
        assert found.aci == table.adjusted_rand == float(aci)
        if a + b > 0 and a + c > 0:
            square = Fraction(a * a, (a + b) * (a + c))
            assert table.fowlkes_mallows == float(root(square))
        counted = cc.Accumulator().update(labels_p, labels_q).result().concordance
        assert counted == found
