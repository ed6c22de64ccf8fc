"""Python and the command line take the same things and give the same numbers."""

import json

import numpy as np
import pytest
from command_line import fault_of, output_of

import concordant as cc

RNG = np.random.default_rng(8)
DATA = {
    "fuzzy": RNG.dirichlet([1.0] * 3, 40),
    "other": RNG.dirichlet([0.3] * 4, 40),
    "two": RNG.dirichlet([1.0] * 2, 40),
    "labels": RNG.integers(3, size=40),
    "more": RNG.integers(5, size=40),
}
PAIRS = [("fuzzy", "other"), ("fuzzy", "labels"), ("two", "two"), ("labels", "more")]
# What Python is told, and the words for the command line.
SETTINGS = [
    ({}, []),
    ({"families": "all"}, ["--family", "all"]),
    ({"indices": "all"}, ["--index", "all"]),
    ({"indices": ["aci"]}, ["--index", "aci"]),
    ({"indices": ["nmi", "ndc"]}, ["--index", "nmi", "--index", "ndc"]),
    ({"indices": ["rand"], "t_norm": "min"}, ["--index", "rand", "--t-norm", "min"]),
    (
        {"families": ["frigui", "campello"]},
        ["--family", "frigui", "--family", "campello"],
    ),
    ({"tol": 0.2}, ["--tol", "0.2"]),
    ({"n_jobs": 2}, ["--jobs", "2"]),
    ({"null": "permutations"}, ["--null", "permutations"]),
    ({"interval": 0.95}, ["--interval"]),
    ({"interval": 0.9, "indices": ["ndc"]}, ["--index", "ndc", "--interval", "0.9"]),
    ({"interval": 95.0}, ["--interval", "95"]),
    ({"interval": 0.9, "indices": ["nmi"]}, ["--index", "nmi", "--interval=0.9"]),
    ({"interval": 0.9, "tol": 0.2}, ["--interval", "0.9", "--tol", "0.2"]),
    ({"families": ["crisp"]}, ["--family", "crisp"]),
    (
        {"families": ["brouwer"], "t_norm": "min"},
        ["--family", "brouwer", "--t-norm", "min"],
    ),
]


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, data in DATA.items():
        np.save(f"{name}.npy", data)


@pytest.mark.parametrize(("settings", "words"), SETTINGS, ids=lambda x: str(x))
@pytest.mark.parametrize(("p", "q"), PAIRS)
def test_the_same_settings_give_the_same_or_are_refused(p, q, settings, words):
    command = ["compare", f"{p}.npy", f"{q}.npy", *words]
    try:
        expected = cc.compare(DATA[p], DATA[q], random_state=0, **settings).to_dict()
    except ValueError:
        assert "\n" not in fault_of(*command).strip()
        return
    document = json.loads(output_of(*command, "--json"))
    for part in ("scores", "tables", "concordance", "n_objects"):
        assert document[part] == expected[part]
