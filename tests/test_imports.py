"""Importing the package is cheap and pulls in nothing heavy."""

import json
import subprocess
import sys

import pytest

import concordant as cc

HEAVY = ["numba", "dask", "sklearn", "matplotlib", "pandas", "scipy", "pyarrow"]
HEAVY += ["click", "jinja2", "rich"]
PACKAGES = ["cluster", "datasets", "files", "inference", "plot", "report"]


def run(code):
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    )
    return json.loads(done.stdout)


def test_modules_are_imported_when_a_name_of_theirs_is_used():
    steps = run(
        "import sys, json, concordant as cc\n"
        f"heavy = [*{HEAVY}, 'numpy', *('concordant.' + name for name in {PACKAGES})]\n"
        "def loaded(): return [m for m in heavy if m in sys.modules]\n"
        "steps = [loaded()]; cc.inference; steps.append(loaded())\n"
        f"names = [getattr(cc, name).__name__ for name in {PACKAGES}]\n"
        "print(json.dumps([*steps, names]))"
    )
    assert steps[:2] == [[], ["concordant.inference"]]
    assert steps[2] == [f"concordant.{name}" for name in PACKAGES]


@pytest.mark.parametrize("package", [cc, cc.inference], ids=["cc", "inference"])
def test_every_public_name_is_found(package):
    for name in package.__all__:
        assert getattr(package, name).__name__.removeprefix("concordant.") == name
    assert {*package.__all__} <= {*dir(package)}
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = package.nothing


def test_what_is_asked_most_is_a_name_of_the_package():
    from concordant import inference

    for name in (
        *("concordance_test", "confidence_interval"),
        *("difference_test", "local_concordance"),
    ):
        assert getattr(cc, name) is getattr(inference, name)


def test_reading_small_files_pulls_in_no_heavy_library(tmp_path):
    path = tmp_path / "P.csv"
    path.write_text("id,label\n" + "".join(f"{i},{i % 3}\n" for i in range(5000)))
    loaded = run(
        "import sys, json, concordant as cc\n"
        f"cc.read_partition({str(path)!r})\n"
        f"print(json.dumps([m for m in {HEAVY} if m in sys.modules]))"
    )
    assert loaded == []


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
