"""Importing the package is cheap and pulls in nothing heavy."""

import json
import subprocess
import sys

HEAVY = ["numba", "dask", "sklearn", "matplotlib", "pandas", "scipy", "pyarrow"]


def run(code):
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    )
    return json.loads(done.stdout)


def test_import_pulls_in_no_heavy_library():
    loaded = run(
        "import sys, json, concordant;"
        f"print(json.dumps([m for m in {HEAVY} if m in sys.modules]))"
    )
    assert loaded == []


def test_small_comparisons_pull_in_no_heavy_library():
    loaded = run(
        "import sys, json, numpy as np, concordant as cc\n"
        "rng = np.random.default_rng(0)\n"
        "U, V = rng.dirichlet([1, 1, 1], 200), rng.dirichlet([1, 1, 1], 200)\n"
        "cc.compare(U, V); cc.compare(U, np.arange(200) % 3)\n"
        f"print(json.dumps([m for m in {HEAVY} if m in sys.modules]))"
    )
    assert loaded == []
