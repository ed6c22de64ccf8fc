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

from concordant.execution.run import Run
from concordant.kernels.compiling import kernel
from concordant.measures.adjusted import Score
from concordant.measures.tables.pair_table import PairTable
from concordant.nulls.expectation import Expectation
from concordant.pairs.pair_terms import PairTerms
from concordant.sums.contingency import Contingency
from concordant.sums.products import Products


def disagreeing(table: PairTable) -> float:
    return (table.b + table.c) / (table.a + table.b + table.c + table.d)


def largest_cell(table: Contingency) -> Score:
    return Score(float(table.cells.max() / table.cells.sum()), 0.0)


def largest_share(P, Q):
    import concordant as cc

    return cc.compare(P, Q, indices=["largest"])["largest"]


def squares(sums: Products) -> Score:
    return Score(sums.squares_both / sums.n_objects, 0.0)


def small(P, Q, terms: PairTerms, run: Run) -> Expectation:
    return Expectation(terms.discordance.value / 4.0, 0.0)


def smallest(P, Q, terms: PairTerms, run: Run) -> Expectation:
    return Expectation(terms.discordance.value / 100.0, 0.0)


def nothing_joined(sums: Products) -> PairTable:
    n = sums.n_objects
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


def hamacher(x, y):
    return x * y / max(x + y - x * y, 1e-300)
"""

CATALOGUE = """
from concordant.catalogue import families, indices, nulls, values
from concordant.catalogue.records import ALWAYS
from concordant.catalogue.terms import Term

families.STATISTICS["disagreeing"] = families.StatisticRecord(
    "disagreeing", "Share of disagreement", "disagr.", "Pairs apart.",
    "additions:disagreeing", best=0.0,
)
indices.INDICES["largest"] = indices.IndexRecord(
    "largest", "Largest cell", "largest", "The share of the largest cell.",
    "additions:largest_cell", (Term("contingency"),), laws=ALWAYS, by_default=True,
    function="additions:largest_share",
)
indices.INDICES["squares"] = indices.IndexRecord(
    "squares", "Squares", "squares", "Products of squares.", "additions:squares",
    (Term("products"),), laws=ALWAYS,
)
for name in ("small", "smallest"):
    nulls.NULLS[name] = nulls.NullRecord(
        name, name, "Nearly nothing is left to chance.", f"additions:{name}",
        lowest=-5.0,
    )
values.T_NORMS["hamacher"] = values.TNormRecord(
    "hamacher", "additions:hamacher", ("campello", "huellermeier")
)
families.FAMILIES["void"] = families.FamilyRecord(
    "void", "Void", "No pair is together.", "additions:nothing_joined",
    terms=(Term("products"),), laws=ALWAYS,
)
families.FAMILIES["equal"] = families.FamilyRecord(
    "equal", "Equal", "Pairs are equally far.", values=("l1",),
    kernel="additions:add_equally_far", cardinalities="additions:equally_far",
    laws=ALWAYS | {"reflexive"},
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
    for method in ("auto", "sampled"):
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
    whole = cc.compare(p, q, indices="all", families="all")
    printed[name] = [[k, v.value, whole[k]] for k, v in sums.scores.items()]
json.dump(printed, sys.stdout)
"""
)


COMMANDS = (
    "compare P.npy Q.npy --json --family all",
    "compare P.npy Q.npy --family all",
    "compare P.npy Q.npy --json --family all --index all",
    "compare --help",
    "agreement P.npy Q.npy R.npy --json --index largest",
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
    document = json.loads(printed["compare P.npy Q.npy --json --family all"])
    scores = {(s["index"], s["family"], s["t_norm"]): s for s in document["scores"]}
    found = {(index, family) for index, family, _ in scores}
    assert {("largest", None), ("disagreeing", "frigui"), ("rand", "equal")} <= found
    assert ("squares", None) not in found  # which is not computed by default
    everything = json.loads(
        printed["compare P.npy Q.npy --json --family all --index all"]
    )["scores"]
    assert {"squares", "largest", "rand"} <= {score["index"] for score in everything}
    assert scores["rand", "void", None]["value"] == 1.0
    ndc = scores["ndc", None, None]["value"]
    assert scores["rand", "equal", None]["value"] == pytest.approx(ndc, abs=1e-12)
    text = printed["compare P.npy Q.npy --family all"]
    assert all(word in text for word in ("largest", "disagr.", "void", "equal"))
    assert "aci, ndc, " in (usage := printed["compare --help"].replace("\n", ""))
    for name in ("largest", "disagreeing", "void", "equal", "hamacher", "small"):
        assert name in usage.replace(" ", "")
    values = json.loads(printed["agreement P.npy Q.npy R.npy --json --index largest"])[
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


VALUES = """
import numpy as np

from concordant.kernels.compiling import kernel
from concordant.measures.adjusted import Concordance, Score
from concordant.pairs.values.pair_value import PairValue


class Farthest(PairValue):
    title = "the largest difference"

    @staticmethod
    def columns(P):
        return P.columns()

    @staticmethod
    def bounds(u):
        return 0.0, float((u.max(axis=1) - u.min(axis=1)).max())

    @staticmethod
    def rounding(u, mean):
        return 2.0**-53

    @staticmethod
    def of_windows(ones, others, out):
        out[...] = np.abs(others - ones[:, :, None]).max(axis=0)

    @staticmethod
    def unit_of(denominator, rows_sum_alike):
        return 1.0 / denominator

    @staticmethod
    def off_multiples(away):
        return away


@kernel
def farthest(u, i0, rows, first, width, out):
    for r in range(rows):
        for t in range(width):
            z = 0.0
            for k in range(u.shape[0]):
                z = max(z, abs(u[k, i0 + r] - u[k, i0 + r + first + t]))
            out[r * width + t] = z


class Squared(PairValue):
    title = "the squared difference"

    @staticmethod
    def columns(P):
        return P.columns()

    @staticmethod
    def bounds(u):
        return 0.0, float((np.abs(u).sum(axis=0) ** 2).max()) + 1e-12

    @staticmethod
    def rounding(u, mean):
        return 1e-15

    @staticmethod
    def of_windows(ones, others, out):
        out[...] = 0.5 * ((others - ones[:, :, None]) ** 2).sum(axis=0)


@kernel
def squared(u, i0, rows, first, width, out):
    for r in range(rows):
        for t in range(width):
            z = 0.0
            for k in range(u.shape[0]):
                z += (u[k, i0 + r] - u[k, i0 + r + first + t]) ** 2
            out[r * width + t] = 0.5 * z


def index(concordance: Concordance) -> Score:
    return Score(concordance.aci, concordance.error)
"""

OF_VALUES = """
import json

import numpy as np
from concordant.catalogue import indices, values
from concordant.catalogue.terms import Term
from scipy.spatial.distance import pdist

for name, metric in (("farthest", "chebyshev"), ("squared", "sqeuclidean")):
    values.VALUES[name] = values.ValueRecord(
        name, f"of_pairs:{name.capitalize()}", kernel=f"of_pairs:{name}",
    )
    indices.INDICES[f"by_{name}"] = indices.IndexRecord(
        f"by_{name}", name, name, f"By {name}.", "of_pairs:index",
        terms=(Term("concordance", name),), range=(-2.0, 1.0),
    )
import concordant as cc
from concordant import compute


def apart(x, y):
    # The mean of |x - y| over all x and all y, which ascend.
    below = np.searchsorted(y, x)
    up_to = np.concatenate(([0.0], np.cumsum(y)))
    sums = x * below - up_to[below] + (up_to[-1] - up_to[below])
    return (sums - x * (y.size - below)).mean() / y.size


rng, printed = np.random.default_rng(0), []
for n in (40, 600):
    for digits in (2, 15):
        U = rng.dirichlet([1, 1, 1], n).round(digits)
        V = np.roll(U, 1, axis=1) * 0.9 + 0.1 * rng.dirichlet([1, 1, 1], n)
        V = V.round(digits)
        U, V = (np.column_stack([X[:, :2], 1.0 - X[:, :2].sum(axis=1)]) for X in (U, V))
        for name, metric in (("farthest", "chebyshev"), ("squared", "sqeuclidean")):
            half = 0.5 if name == "squared" else 1.0
            x, y = (half * pdist(X, metric) for X in (U, V))
            expected = apart(x, np.sort(y))
            found = cc.compare(U, V, indices=[f"by_{name}"]).scores[f"by_{name}"]
            printed.append([n, name, 1 - np.abs(x - y).mean() / expected, *found])
refused = []
compute._FEW_TO_SAMPLE = 0
for name in ("farthest", "squared"):
    try:
        cc.compare(U, V, indices=[f"by_{name}"], tol=0.1)
    except ValueError as error:
        refused.append(str(error))
print(json.dumps([printed, refused]))
"""


def test_values_of_pairs_are_additions_with_a_grid_and_without(tmp_path):
    (tmp_path / "of_pairs.py").write_text(VALUES)
    (tmp_path / "program.py").write_text(OF_VALUES)
    done = subprocess.run(
        [sys.executable, "program.py"],
        cwd=tmp_path,
        env=environment()
        | {"PYTHONPATH": os.pathsep.join(map(str, [tmp_path, *sys.path]))},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    printed, refused = json.loads(done.stdout)
    assert len(printed) == 8
    for n, name, truth, value, error in printed:
        assert error < 1e-6
        # By every 97th value, chance is known to some digits only.
        assert value == pytest.approx(
            truth, abs=error + (1e-10 if n == 40 else 1e-3)
        ), name
    assert [text.partition(" takes all pairs")[0] for text in refused] == [
        "the largest difference",
        "the squared difference",
    ]
