"""What is declared in the catalogue appears everywhere, and nothing else changes."""

import json
import subprocess
import sys

import numpy as np
import pytest
from command_line import environment

MODULE = """
from concordant.families.pair_table import PairTable
from concordant.measures.scores import Score
from concordant.nulls.expectation import Expectation


def disagreeing(table):
    return (table.b + table.c) / (table.a + table.b + table.c + table.d)


def largest_cell(terms):
    table = terms["contingency"]
    return Score(float(table.cells.max() / table.cells.sum()), 0.0)


def squares(terms):
    sums = terms["products"]
    return Score(sums.squares_both / sums.n_objects, 0.0)


def half(P, Q, run):
    return Expectation(0.5, 0.0)


def nothing_joined(terms):
    n = terms["products"].n_objects
    return PairTable(0.0, 0.0, 0.0, float(n * (n - 1) // 2), "void")
"""

PROGRAM = """
import json, sys

from concordant import catalogue as c

c.STATISTICS["disagreeing"] = c.StatisticRecord(
    "disagreeing", "Share of disagreement", "disagr.", "Pairs apart.",
    "additions:disagreeing", best=0.0,
)
c.INDICES["largest"] = c.IndexRecord(
    "largest", "Largest cell", "largest", "The share of the largest cell.",
    "additions:largest_cell", ("contingency",),
)
c.INDICES["squares"] = c.IndexRecord(
    "squares", "Squares", "squares", "Products of squares.", "additions:squares",
    ("products",),
)
c.NULLS["half"] = c.NullRecord("half", "one half", "E[d] is 1/2.", "additions:half")
c.FAMILIES["void"] = c.FamilyRecord(
    "void", "Void", "No pair is together.", "additions:nothing_joined",
    ("products",),
)
from click.testing import CliRunner
from concordant.cli import main
printed = {}
for words in json.load(sys.stdin):
    result = CliRunner().invoke(main, words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    printed[" ".join(words)] = result.stdout
import concordant as cc, numpy as np
P, Q = np.load("P.npy"), np.load("Q.npy")
for name, p, q in (("fuzzy", P, Q), ("crisp", P.argmax(axis=1), Q.argmax(axis=1))):
    sums = cc.Accumulator(indices=["squares", "largest"])
    sums = sums.update(p[:9], q[:9]).update(p[9:], q[9:]).result()
    whole = cc.compare(p, q)
    printed[name] = [[k, v.value, whole[k]] for k, v in sums.scores.items()]
json.dump(printed, sys.stdout)
"""


COMMANDS = (
    "compare P.npy Q.npy --json",
    "compare P.npy Q.npy",
    "compare --help",
    "matrix P.npy Q.npy R.npy --json --index largest",
    "compare P.npy Q.npy --json --index aci --null half",
    "compare P.npy Q.npy --json --index ndc",
    "report P.npy Q.npy --out page.html",
)


@pytest.fixture
def printed(tmp_path, monkeypatch):
    """Give what commands print in a process whose catalogue has more."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    for name in ("P", "Q", "R"):
        np.save(f"{name}.npy", rng.dirichlet([1, 1, 1], 20))
    (tmp_path / "additions.py").write_text(MODULE)
    (tmp_path / "program.py").write_text(PROGRAM)

    done = subprocess.run(
        [sys.executable, "program.py"],
        input=json.dumps([command.split() for command in COMMANDS]),
        env=environment(),
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return json.loads(done.stdout)


def test_a_statistic_an_index_a_family_and_a_null_are_additions(printed, tmp_path):
    document = json.loads(printed["compare P.npy Q.npy --json"])
    scores = {(s["index"], s["family"], s["t_norm"]): s for s in document["scores"]}
    found = {(index, family) for index, family, _ in scores}
    assert {("largest", None), ("disagreeing", "frigui"), ("rand", "void")} <= found
    assert scores["rand", "void", None]["value"] == 1.0
    text = printed["compare P.npy Q.npy"]
    assert "largest" in text
    assert "disagr." in text
    assert "void" in text
    assert "[aci|ndc|" in (usage := printed["compare --help"].replace("\n", ""))
    for name in ("largest", "disagreeing", "void", "half"):
        assert name in usage.replace(" ", "")
    values = json.loads(printed["matrix P.npy Q.npy R.npy --json --index largest"])[
        "values"
    ]
    assert np.shape(values["largest"]) == (3, 3)
    (aci,) = json.loads(printed["compare P.npy Q.npy --json --index aci --null half"])[
        "scores"
    ]
    (ndc,) = json.loads(printed["compare P.npy Q.npy --json --index ndc"])["scores"]
    assert aci["value"] == pytest.approx(1 - (1 - ndc["value"]) / 0.5, abs=1e-12)
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    for word in ("The share of the largest cell.", "Pairs apart.", "No pair is"):
        assert word in page


def test_what_sums_over_objects_give_is_in_streams_by_its_record(printed):
    for name, added in (
        ("fuzzy", ["squares", "largest", "rand, void"]),
        ("crisp", ["squares", "largest"]),
    ):
        found = {index: values for index, *values in printed[name]}
        assert {*added} <= {*found}
        for streamed, whole in found.values():
            assert streamed == pytest.approx(whole, rel=1e-9, abs=1e-12)


def test_the_schema_of_json_lists_them():
    from concordant.catalogue import FAMILIES, INDICES, STATISTICS
    from concordant.cli.json_schema import json_schema

    items = json_schema("compare")["properties"]["scores"]["items"]["properties"]
    assert items["index"]["enum"] == [*INDICES, *STATISTICS]
    assert items["family"]["enum"] == [*FAMILIES, None]
    names = json_schema("matrix")["properties"]["values"]["propertyNames"]
    assert names["enum"] == [*INDICES, *STATISTICS]
