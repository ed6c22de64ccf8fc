"""Importing the package is cheap and pulls in nothing heavy."""

import json
import subprocess
import sys

import pytest

import concordant as cc

HEAVY = ["numba", "dask", "sklearn", "matplotlib", "pandas", "scipy", "pyarrow"]
HEAVY += ["click", "jinja2", "rich"]


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


def test_import_waits_with_numpy_until_a_name_is_used():
    loaded = run(
        "import sys, json, concordant; before = 'numpy' in sys.modules\n"
        "concordant.Partition; print(json.dumps([before, 'numpy' in sys.modules]))"
    )
    assert loaded == [False, True]


def test_every_public_name_is_found():
    for name in cc.__all__:
        assert getattr(cc, name).__name__.removeprefix("concordant.") == name
    assert {*cc.__all__} <= {*dir(cc)}
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = cc.nothing  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "name", ["cluster", "datasets", "files", "inference", "plot", "report"]
)
def test_packages_are_imported_when_they_are_first_used(name):
    loaded = run(
        "import sys, json, concordant as cc\n"
        f"before = 'concordant.{name}' in sys.modules\n"
        f"print(json.dumps([before, cc.{name}.__name__, '{name}' in dir(cc)]))"
    )
    assert loaded == [False, f"concordant.{name}", True]


def test_what_is_asked_most_is_a_name_of_the_package():
    from concordant import inference

    for name in (
        *("concordance_test", "confidence_interval"),
        *("difference_test", "local_concordance"),
    ):
        assert getattr(cc, name) is getattr(inference, name)


def test_small_comparisons_pull_in_no_heavy_library():
    loaded = run(
        "import sys, json, numpy as np, concordant as cc\n"
        "rng = np.random.default_rng(0)\n"
        "U, V = rng.dirichlet([1, 1, 1], 450), rng.dirichlet([1, 1, 1], 450)\n"
        "cc.compare(U, V); cc.compare(U, np.arange(450) % 3)\n"
        "cc.compare(np.round(U, 2), np.round(V, 2))\n"
        f"print(json.dumps([m for m in {HEAVY} if m in sys.modules]))"
    )
    assert loaded == []


def test_inference_imports_its_modules_when_a_name_is_used():
    loaded = run(
        "import sys, json, concordant.inference as inference\n"
        "before = 'numpy' in sys.modules; inference.confidence_interval\n"
        f"heavy = [m for m in {HEAVY} if m in sys.modules]\n"
        "print(json.dumps([before, heavy]))"
    )
    assert loaded == [False, []]


def test_every_name_of_inference_is_found():
    from concordant import inference

    for name in inference.__all__:
        assert getattr(inference, name).__name__ == name
    assert {*inference.__all__} <= {*dir(inference)}
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = inference.nothing
