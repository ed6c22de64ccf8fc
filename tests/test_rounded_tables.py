"""Tables rounded to a few digits: the definitions for the numbers as they stand."""

import warnings
from itertools import cycle

import numpy as np
import pytest
import reference
from bins import in_bins
from registry import FUZZY_FAMILIES, STATISTICS

import concordant as cc
from concordant.streams.dask_arrays import LoadedHereWarning

DIGITS = (2, 3, 4)
SIDES = {
    "fuzzy and fuzzy": (3, 4),
    "two and two clusters": (2, 2),
    "fuzzy and crisp": (3, None),
    "crisp and fuzzy": (None, 4),
    "two clusters and crisp": (2, None),
}
TABLES = [(family, t) for family, t_norms in FUZZY_FAMILIES.items() for t in t_norms]


def table(rng, n, K, digits):
    """Draw rows that sum to 1 - K/2 to 1 + K/2 units of the last digit."""
    counts = np.rint(rng.dirichlet(np.full(K, 0.4), size=n) * 10**digits).astype(int)
    for row in counts:
        off = int(rng.integers(-(K // 2), K // 2 + 1))
        while row.sum() != 10**digits + off:
            k = rng.integers(K)
            step = 1 if row.sum() < 10**digits + off else -1
            row[k] = np.clip(row[k] + step, 0, 10**digits)
    if K > 2:  # two objects that share no cluster are then further apart than 1
        counts[:2] = 0
        counts[0, :2] = 5 * 10 ** (digits - 1), 5 * 10 ** (digits - 1) + 1
        counts[1, -1] = 10**digits
    low, high = counts[2:4]
    low[:], high[:] = 0, 0
    low[0], high[:2] = 10**digits - K // 2, (10**digits, K // 2)
    return counts / 10**digits


def sides(name, digits, n=24):
    """Give memberships of both sides, and what is passed for them."""
    rng = np.random.default_rng(digits)
    matrices, given = [], []
    for K in SIDES[name]:
        if K is None:
            labels = rng.integers(3, size=n)
            labels[:2] = 0, 1
            matrices.append(np.eye(3)[labels].tolist())
            given.append(labels)
        else:
            U = table(rng, n, K, digits)
            matrices.append(U.tolist())
            given.append(U)
    return matrices, given


def check_concordance(found, matrices, most=1e-12):
    d = reference.discordance(*matrices)
    expected = reference.expected_discordance(*matrices)
    for value, truth, error in (
        (found.discordance, d, found.ndc_error),
        (found.expected_discordance, expected, found.expected_error),
        (found.aci, reference.aci(*matrices), found.error),
    ):
        assert abs(value - truth) <= min(error + 4e-15, most)  # both are rounded
        assert error <= most


def check_table(found, matrices, family, t_norm):
    options = {} if t_norm is None else {"t_norm": t_norm}
    expected = getattr(reference, family)(*matrices, **options)
    n = len(matrices[0])
    for name, value in zip("abcd", expected, strict=True):
        off = abs(getattr(found, name) - value)
        assert off <= 1e-12 * n * (n - 1) / 2, name
    for name in STATISTICS:
        value = getattr(reference, name)(*expected)
        # Where the denominator is small, so are the digits that can be had.
        assert getattr(found, name) == pytest.approx(value, rel=1e-11, abs=1e-12), name


@pytest.mark.parametrize("digits", DIGITS)
@pytest.mark.parametrize("name", SIDES)
def test_the_tables_are_rounded_and_dissimilarities_pass_1(name, digits):
    matrices, given = sides(name, digits)
    for K, matrix, side in zip(SIDES[name], matrices, given, strict=True):
        if K is not None:
            sums = np.sum(matrix, axis=1)
            assert sums.min() < 1.0 - 0.9 * 10.0**-digits
            assert sums.max() > 1.0 + 0.9 * 10.0**-digits
            assert (max(reference.dissimilarities(matrix)) > 1.0) == (K > 2)
            (remark,) = cc.Partition(side).remarks
            assert remark.startswith(f"memberships are rounded to {digits} digits")


@pytest.mark.parametrize("digits", DIGITS)
@pytest.mark.parametrize(
    ("name", "method"),
    [
        *((name, method) for name in SIDES for method in ("auto", "sorted", "binned")),
        ("two and two clusters", "two-clusters"),
        ("fuzzy and crisp", "fuzzy-crisp"),
        ("crisp and fuzzy", "fuzzy-crisp"),
        ("two clusters and crisp", "fuzzy-crisp"),
    ],
)
def test_the_concordance_is_that_of_the_definition(name, method, digits):
    matrices, given = sides(name, digits)
    # Shortcuts state how much dissimilarities beyond 1, or uneven rows, may change.
    most = 1e-12 if method in ("auto", "sorted", "binned") else 2.0
    check_concordance(cc.concordance(*given, method=method), matrices, most)


@pytest.mark.parametrize("digits", DIGITS)
@pytest.mark.parametrize("name", SIDES)
def test_bins_that_know_of_no_lattice_are_within_their_error(name, digits):
    matrices, given = sides(name, digits)
    # They are made for 1e-9 of E[d].
    check_concordance(in_bins(*given), matrices, most=1e-6)


@pytest.mark.parametrize("digits", DIGITS)
@pytest.mark.parametrize("name", SIDES)
def test_all_permutations_give_the_expectation_of_the_definition(name, digits):
    matrices, given = sides(name, digits, n=4)
    found = cc.concordance(*given, method="permutations")
    assert max(found.ndc_error, found.expected_error) < 1e-13
    check_concordance(found, matrices)


@pytest.mark.parametrize("digits", DIGITS)
@pytest.mark.parametrize("name", SIDES)
def test_a_sample_of_all_pairs_gives_the_definition(name, digits):
    matrices, given = sides(name, digits)
    for tol in (None, 1e-14):
        found = cc.concordance(*given, method="sampled", tol=tol, random_state=0)
        assert found.n_pairs == 24 * 23 // 2
        check_concordance(found, matrices)


@pytest.mark.parametrize("digits", DIGITS)
@pytest.mark.parametrize(("family", "t_norm"), TABLES)
@pytest.mark.parametrize("name", SIDES)
def test_tables_are_those_of_the_definition(name, family, t_norm, digits):
    matrices, given = sides(name, digits)
    found = cc.pair_table(*given, family=family, t_norm=t_norm)
    check_table(found, matrices, family, t_norm)


@pytest.mark.parametrize("digits", DIGITS)
@pytest.mark.parametrize("name", SIDES)
def test_objects_are_as_discordant_as_by_the_definition(name, digits):
    matrices, given = sides(name, digits)
    P, Q = (np.array(matrix) for matrix in matrices)
    E_P, E_Q = (1.0 - 0.5 * np.abs(U[:, None] - U[None]).sum(axis=2) for U in (P, Q))
    expected = np.abs(E_P - E_Q).sum(axis=1) / (len(P) - 1)
    found = cc.object_discordance(*given)
    assert found.is_exact
    np.testing.assert_allclose(found.values, expected, rtol=0, atol=1e-12)


def check_one_pass(found, name, matrices):
    if name == "fuzzy and fuzzy":
        assert found.concordance is None
    else:  # rows that sum to more than 1, or not alike, cost digits
        check_concordance(found.concordance, matrices, most=0.2)
    for family in ("frigui", "brouwer", "anderson"):
        check_table(found.tables[family], matrices, family, None)


@pytest.mark.parametrize("digits", DIGITS)
@pytest.mark.parametrize("name", SIDES)
def test_a_stream_gives_what_the_definitions_give(name, digits):
    matrices, given = sides(name, digits)
    P, Q = given
    chunks = [(P[i : i + 7], Q[i : i + 7]) for i in range(0, len(P), 7)]
    check_one_pass(cc.stream(chunks), name, matrices)


@pytest.fixture(scope="module")
def client():
    distributed = pytest.importorskip("distributed", reason="Dask is not installed")
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=2, processes=False, dashboard_address=":0"
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.mark.parametrize(("name", "digits"), [*zip(SIDES, cycle(DIGITS), strict=False)])
def test_dask_gives_what_the_definitions_give(name, digits, client):
    import dask.array as da

    matrices, given = sides(name, digits)
    lazy = [
        da.from_array(side, chunks=(9,) if side.ndim == 1 else (9, 1)) for side in given
    ]
    check_concordance(cc.concordance(*given, engine=client), matrices)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LoadedHereWarning)
        check_concordance(cc.concordance(*lazy, engine=client), matrices, most=0.2)
    for family, (t_norm, *_) in FUZZY_FAMILIES.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", LoadedHereWarning)
            found = cc.pair_table(*lazy, family=family, t_norm=t_norm, engine=client)
        check_table(found, matrices, family, t_norm)
