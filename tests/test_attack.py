"""The search for wrong numbers finds nothing, and would."""

import ast
import inspect
import sys
from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from itertools import combinations
from pathlib import Path

import attack
import claims
import numpy as np
import oracle
import pytest
import thresholds
from corpus import DRAWN, labels, soft, tiny
from test_layers import MODULES

import concordant as cc


def test_no_claim_is_broken(capfd):
    """As `make attack` does for longer, and with seeds that nobody knows."""
    status = attack.main(["--seed=1", "--cases=2", "--seconds=300"])
    assert status == 0, capfd.readouterr().out


def reads(module, name):
    """Tell whether a function of a module reads a constant when it is called."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return any(
        isinstance(inner, ast.Name) and inner.id == name
        for node in ast.walk(ast.parse(inspect.getsource(module)))
        if isinstance(node, functions)
        for inner in ast.walk(node)
    )


def homes(name, modules):
    """Find where a constant is defined that modules read."""
    for module in modules:
        tree = ast.parse(inspect.getsource(import_module(module)))
        found = [
            node.module
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
            and name in [alias.name for alias in node.names]
        ]
        yield found[0] if found else module


@pytest.mark.parametrize(("name", "value", "modules"), thresholds.LOWER)
def test_a_lowered_threshold_is_lowered_wherever_it_is_read(name, value, modules):
    (home,) = {*homes(name, modules)}
    inside = [f"concordant.{module}" for module in MODULES if "__" not in module]
    takers = {
        module
        for module in inside
        if name in Path(MODULES[module.removeprefix("concordant.")]).read_text()
        and {*homes(name, [module])} == {home}
        and reads(import_module(module), name)
    }
    assert {*modules} == takers
    assert {getattr(import_module(module), name) for module in modules} != {value}


def definition(P, Q):
    """Compute d and E[d] as plain loops over fractions."""
    x, y = (
        [
            sum(abs(Fraction(a) - Fraction(b)) for a, b in zip(u, v, strict=True)) / 2
            for u, v in combinations(side.tolist(), 2)
        ]
        for side in (P, Q)
    )
    d = sum(abs(a - b) for a, b in zip(x, y, strict=True)) / len(x)
    return d, sum(abs(a - b) for a in x for b in y) / len(x) ** 2


@pytest.mark.parametrize("make", DRAWN, ids=lambda make: make.__name__)
def test_the_oracle_is_exact(make):
    rng = np.random.default_rng(0)
    for other in (soft, tiny, make):
        n, K, L = (int(rng.integers(2, 7)) for _ in range(3))
        P, Q = make(rng, n, K), other(rng, n, L)
        P, Q = (np.eye(9)[side] if side.ndim == 1 else side for side in (P, Q))
        true = oracle.truth(P, Q)
        assert (true.discordance, true.expected) == definition(P, Q)
        assert sum(true.of_objects) / n == true.discordance


def test_digits_that_the_oracle_drops_are_within_what_it_says(monkeypatch):
    rng = np.random.default_rng(0)
    P, Q = soft(rng, 40, 3), tiny(rng, 40, 3)
    P[:, 0] += P[:, 1]
    P[:, 1] = 1e-200 * rng.random(40)
    exact = oracle.truth(P, Q)
    monkeypatch.setattr(oracle, "_FEW_PAIRS", 1)
    monkeypatch.setattr(oracle, "_MOST_DIGITS", 2)
    cut = oracle.truth(P, Q)
    assert exact.cut == 0 < cut.cut < Fraction(1, 10**30)
    assert 0 < abs(cut.discordance - exact.discordance) <= cut.cut
    assert 0 < abs(cut.expected - exact.expected) <= cut.cut


def test_labels_and_memberships_have_one_truth():
    rng = np.random.default_rng(0)
    y = labels(rng, 30, 4)
    U = soft(rng, 30, 3)
    assert oracle.truth(y, U).aci == oracle.truth(np.eye(6)[y], U).aci


@pytest.mark.parametrize("number", ["discordance", "expected_discordance", "aci"])
def test_a_number_that_is_off_by_more_than_it_says_is_found(number, monkeypatch):
    right = cc.concordance

    def wrong(*pair, **options):
        found = right(*pair, **options)
        off = getattr(found, f"{number}_error" if number != "aci" else "error")
        return replace(found, **{number: getattr(found, number) - 1e-14 - 2 * off})

    rng = np.random.default_rng(0)
    P, Q = soft(rng, 20, 3), soft(rng, 20, 4)
    tally = claims.Tally()
    assert list(claims.broken_claims(P, Q, rng, tally)) == []
    monkeypatch.setattr(cc, "concordance", wrong)
    found = list(claims.broken_claims(P, Q, rng, tally))
    assert any(line.startswith("sorted: ") and "off by" in line for line in found)


def test_a_clean_pair_that_changes_is_found(monkeypatch):
    rng = np.random.default_rng(0)
    pair = soft(rng, 20, 3), soft(rng, 20, 4)
    clean = attack.CleanPairs()
    assert list(clean.changed(*pair)) == []
    right = attack.in_bins
    monkeypatch.setattr(attack, "in_bins", lambda *two: replace(right(*two), aci=0.5))
    assert len(list(clean.changed(*pair))) == 4


def test_a_crash_is_told_with_its_seed(capfd):
    code = "import os; print('at 7', flush=True); os.abort()"
    search = attack.Search(seed=1)
    search.go_on([sys.executable, "-c", code])
    assert (search.seed, search.found) == (7, 1)
    told = capfd.readouterr().out
    assert told.startswith("seed 7: ")
    assert "the interpreter ended with -6" in told
