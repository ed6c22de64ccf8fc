"""What is declared in the catalogue appears everywhere, and nothing else changes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from command_line import environment

MODULE = """
import numpy as np

from concordant.families.pair_table import PairTable
from concordant.kernels.compiling import kernel
from concordant.formulas.adjusted import Score
from concordant.nulls.expectation import Expectation


def disagreeing(table):
    return (table.b + table.c) / (table.a + table.b + table.c + table.d)


def largest_cell(terms):
    table = terms["contingency"]
    return Score(float(table.cells.max() / table.cells.sum()), 0.0)


def largest_share(P, Q):
    import concordant as cc

    return cc.compare(P, Q, indices=["largest"])["largest"]


def squares(terms):
    sums = terms["products"]
    return Score(sums.squares_both / sums.n_objects, 0.0)


def small(P, Q, terms, run):
    return Expectation(terms.discordance.value / 4.0, 0.0)


def smallest(P, Q, terms, run):
    return Expectation(terms.discordance.value / 100.0, 0.0)


def nothing_joined(terms):
    n = terms["products"].n_objects
    return PairTable(0.0, 0.0, 0.0, float(n * (n - 1) // 2), "void")


def equally_far(x, y):
    far = np.abs(x - y)
    return 1.0 - far, np.maximum(y - x, 0.0), np.maximum(x - y, 0.0), 0.0 * far


@kernel
def add_equally_far(x, y, width):
    a = b = c = 0.0
    for t in range(x.size):
        a += 1.0 - abs(x[t] - y[t])
        b += max(y[t] - x[t], 0.0)
        c += max(x[t] - y[t], 0.0)
    return a, b, c, 0.0


def reach(divided):
    return (divided.largest_difference,) * 4


def hamacher(x, y):
    return x * y / max(x + y - x * y, 1e-300)
"""

CATALOGUE = """
from concordant import catalogue as c

c.STATISTICS["disagreeing"] = c.StatisticRecord(
    "disagreeing", "Share of disagreement", "disagr.", "Pairs apart.",
    "additions:disagreeing", best=0.0,
)
c.INDICES["largest"] = c.IndexRecord(
    "largest", "Largest cell", "largest", "The share of the largest cell.",
    "additions:largest_cell", ("contingency",), laws=c._ALWAYS, by_default=True,
    function="additions:largest_share",
)
c.INDICES["squares"] = c.IndexRecord(
    "squares", "Squares", "squares", "Products of squares.", "additions:squares",
    ("products",), laws=c._ALWAYS,
)
for name in ("small", "smallest"):
    c.NULLS[name] = c.NullRecord(
        name, name, "Nearly nothing is left to chance.", f"additions:{name}",
        lowest=-5.0,
    )
c.T_NORMS["hamacher"] = c.TNormRecord(
    "hamacher", "additions:hamacher", ("campello", "huellermeier")
)
c.FAMILIES["void"] = c.FamilyRecord(
    "void", "Void", "No pair is together.", "additions:nothing_joined",
    terms=("products",), laws=c._ALWAYS,
)
c.FAMILIES["equal"] = c.FamilyRecord(
    "equal", "Equal", "Pairs are equally far.", values=("l1",),
    kernel="additions:add_equally_far", cardinalities="additions:equally_far",
    reach="additions:reach", laws=c._ALWAYS | {"reflexive"},
)
"""

STUB = str(Path(__file__).parents[1] / ".ci" / "stub.py")
PROGRAM = (
    f"STUB = {STUB!r}\n"
    + CATALOGUE
    + """
import json, runpy, sys
import numpy as np
from click.testing import CliRunner
from concordant.cli import main

printed = {}
for words in json.load(sys.stdin):
    result = CliRunner().invoke(main, words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    printed[" ".join(words)] = result.stdout
import concordant as cc

P, Q = np.load("P.npy"), np.load("Q.npy")
printed["function"] = cc.largest_share(P, Q)
printed["listed"] = ["largest_share" in names for names in (cc.__all__, dir(cc))]
printed["stub"] = runpy.run_path(STUB)["stub"]()
printed["indices"] = [index.name for index in cc.indices()]
rng = np.random.default_rng(1)
U, V = rng.dirichlet([1, 1, 1], 600), rng.dirichlet([1, 1, 1], 600)
ways = ({}, {"method": "sampled", "tol": 1e-3, "random_state": 0})
for n in (400, 600):
    tables = [cc.pair_table(U[:n], V[:n], family="equal", **way) for way in ways]
    ndc = cc.normalized_degree_of_concordance(U[:n], V[:n])
    printed[f"equal {n}"] = [ndc, *(table.rand for table in tables)]
import reference
import registry
from additions import hamacher

reference.T_NORMS["hamacher"] = hamacher
few = U[:60], V[:60]
for family in ("campello", "huellermeier"):
    printed[family] = [getattr(reference, family)(*few, "hamacher")]
    for method in ("exact", "sampled"):
        table = cc.pair_table(*few, family=family, t_norm="hamacher", method=method)
        printed[family].append([table.a, table.b, table.c, table.d])
one, other = registry.scores(P, Q), registry.scores(Q, P)
laws = registry.that("symmetric"), registry.that("reflexive")
printed["symmetric"] = {x: one[x] == other[x] for x in laws[0]}
printed["reflexive"] = {x: registry.scores(P, P)[x] for x in laws[1] if "equal" in x}
json.dump(printed, sys.stdout)
"""
)

STREAMS = (
    CATALOGUE
    + """
import json, sys
import concordant as cc, numpy as np

printed = {}
P, Q = np.load("P.npy"), np.load("Q.npy")
for name, p, q in (("fuzzy", P, Q), ("crisp", P.argmax(axis=1), Q.argmax(axis=1))):
    sums = cc.Accumulator(indices=["squares", "largest"])
    sums = sums.update(p[:9], q[:9]).update(p[9:], q[9:]).result()
    whole = cc.compare(p, q, indices="all")
    printed[name] = [[k, v.value, whole[k]] for k, v in sums.scores.items()]
json.dump(printed, sys.stdout)
"""
)


COMMANDS = (
    "compare P.npy Q.npy --json",
    "compare P.npy Q.npy",
    "compare P.npy Q.npy --json --index all",
    "compare --help",
    "matrix P.npy Q.npy R.npy --json --index largest",
    "compare P.npy Q.npy --json --index aci --null small",
    "compare P.npy Q.npy --json --index aci --null smallest",
    "report P.npy Q.npy --out page.html",
)


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run a program in a process whose catalogue has more."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    for name in ("P", "Q", "R"):
        np.save(f"{name}.npy", rng.dirichlet([1, 1, 1], 20))
    (tmp_path / "additions.py").write_text(MODULE)

    def run(program):
        (tmp_path / "program.py").write_text(program)
        done = subprocess.run(
            [sys.executable, "program.py"],
            input=json.dumps([command.split() for command in COMMANDS]),
            env=environment() | {"PYTHONPATH": os.pathsep.join(sys.path)},
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        return json.loads(done.stdout)

    return run


def test_a_statistic_an_index_families_a_t_norm_and_a_null_are_additions(run, tmp_path):
    printed = run(PROGRAM)
    document = json.loads(printed["compare P.npy Q.npy --json"])
    scores = {(s["index"], s["family"], s["t_norm"]): s for s in document["scores"]}
    found = {(index, family) for index, family, _ in scores}
    assert {("largest", None), ("disagreeing", "frigui"), ("rand", "equal")} <= found
    assert ("squares", None) not in found  # which is not computed by default
    everything = json.loads(printed["compare P.npy Q.npy --json --index all"])["scores"]
    assert {"squares", "largest", "rand"} <= {score["index"] for score in everything}
    assert scores["rand", "void", None]["value"] == 1.0
    ndc = scores["ndc", None, None]["value"]
    assert scores["rand", "equal", None]["value"] == pytest.approx(ndc, abs=1e-12)
    text = printed["compare P.npy Q.npy"]
    assert all(word in text for word in ("largest", "disagr.", "void", "equal"))
    assert "aci, ndc, " in (usage := printed["compare --help"].replace("\n", ""))
    for name in ("largest", "disagreeing", "void", "equal", "hamacher", "small"):
        assert name in usage.replace(" ", "")
    values = json.loads(printed["matrix P.npy Q.npy R.npy --json --index largest"])[
        "values"
    ]
    assert np.shape(values["largest"]) == (3, 3)
    assert printed["function"] == scores["largest", None, None]["value"]
    assert printed["listed"] == [True, True]
    assert "from additions import (\n    largest_share,\n)" in printed["stub"]
    assert {"largest", "squares", "disagreeing"} <= {*printed["indices"]}
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    for word in ("The share of the largest cell.", "Pairs apart.", "No pair is"):
        assert word in page
    # All at once, by its kernel, and from a sample.
    for n in (400, 600):
        ndc, whole, sampled = printed[f"equal {n}"]
        assert whole == pytest.approx(ndc, abs=1e-12)
        assert sampled == pytest.approx(ndc, abs=1e-2)
    for family in ("campello", "huellermeier"):
        by_definition, *found = printed[family]
        assert found == [pytest.approx(by_definition, rel=1e-12)] * 2
    assert all(printed["symmetric"].values())
    assert {"largest", "void/rand", "equal/rand"} <= {*printed["symmetric"]}
    assert printed["reflexive"]["equal/rand"] == 1.0
    # Each null has a range of its own.
    for null, lowest in (("small", -3.0), ("smallest", -5.0)):
        command = f"compare P.npy Q.npy --json --index aci --null {null}"
        (aci,) = json.loads(printed[command])["scores"]
        assert aci["value"] == pytest.approx(lowest, abs=1e-12)


def test_what_sums_over_objects_give_is_in_streams_by_its_record(run):
    printed = run(STREAMS)
    for name, added in (
        ("fuzzy", ["squares", "largest", "void/rand"]),
        ("crisp", ["squares", "largest"]),
    ):
        found = {index: values for index, *values in printed[name]}
        assert {*added} <= {*found}
        for streamed, whole in found.values():
            assert streamed == pytest.approx(whole, rel=1e-9, abs=1e-12)
