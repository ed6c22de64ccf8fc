"""What is released: its versions, and what it requires at the least."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import concordant as cc

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / ".ci"))

from lowest import lowest, lowest_versions  # noqa: E402
from stub import STUB, stub  # noqa: E402
from versions import QUICK_TESTS, supported  # noqa: E402

KINDS = {".css", ".csv", ".gz", ".html", ".jinja", ".js", ".md", ".py", ".pyi"}
KINDS |= {".toml", ".txt", ".typed"}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_the_root_holds_what_is_released_and_nothing_else():
    git = ["git", "-C", str(ROOT), "ls-files"]
    if not (ROOT / ".git").exists():
        pytest.skip("not a checkout")
    files = subprocess.run(git, check=True, capture_output=True, text=True).stdout
    sdist = PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    always = {"LICENSE", "README.md", "pyproject.toml", ".gitignore"}
    found = {file.partition("/")[0] for file in files.splitlines()}
    released = {name.strip("/") for name in sdist}
    assert found == released | always | {".pre-commit-config.yaml"}


def test_the_package_holds_files_of_known_kinds_and_no_leftovers():
    package = ROOT / "src" / "concordant"
    files = [path for path in package.rglob("*") if path.is_file()]
    kinds = {path.suffix for path in files if "__pycache__" not in path.parts}
    assert kinds <= KINDS


def test_the_version_stands_in_one_place():
    assert re.fullmatch(r"\d+\.\d+\.\d+(rc\d+)?", cc.__version__)
    assert "version" not in PROJECT["project"]
    assert PROJECT["tool"]["hatch"]["version"]["path"] == "src/concordant/version.py"


@pytest.mark.parametrize(
    ("requirement", "pin"),
    [
        ("numpy>=1.26", "numpy==1.26"),
        ("dask[array] >= 2024.8", "dask[array]==2024.8"),
        ("fuzzy-c-means==0.0.6", "fuzzy-c-means==0.0.6"),
    ],
)
def test_requirements_are_pinned_at_their_lower_bounds(requirement, pin):
    assert lowest(requirement) == pin


@pytest.mark.parametrize("requirement", ["numpy", "numpy<3", "numpy>=1.26,<3"])
def test_a_requirement_without_one_lower_bound_is_refused(requirement):
    with pytest.raises(ValueError, match="no name with one lower bound"):
        lowest(requirement)


def test_everything_that_is_required_has_a_lowest_version():
    project = PROJECT["project"]
    assert len(lowest_versions()) == len(project["dependencies"])
    extras = project["optional-dependencies"]
    wanted = sum(map(len, (project["dependencies"], *extras.values())))
    assert len(lowest_versions(*extras)) == wanted


def test_the_stub_has_the_public_names():
    assert STUB.read_text(encoding="utf-8") == stub(), "make stub"


def test_the_reference_lists_every_public_name():
    pages = (ROOT / "docs" / "api" / "index.rst").read_text(encoding="utf-8")
    listed = {line.strip().rpartition(".")[2] for line in pages.splitlines()}
    packages = {"cluster", "datasets", "files", "inference", "plot", "report"}
    assert {*cc.__all__} - packages <= listed
    assert {*vars(cc)["_RESULTS"]} <= listed
    assert {*dir(cc.plot)} <= listed


def test_public_names_fit_in_the_head_and_pages_have_their_order():
    assert len(cc.__all__) <= 45
    assert not [name for name in cc.__all__ if name in vars(cc)["_RESULTS"]]
    text = (ROOT / "docs" / "api" / "index.rst").read_text(encoding="utf-8")
    lines = [line.strip() for line in text.splitlines()]
    listed = [name for name in lines if name in {*cc.__all__}]
    assert listed == [name for name in cc.__all__ if name in listed]
    questions = [line for line in lines if line.endswith("?")]
    assert questions == [line for line in vars(cc)["_QUESTIONS"] if line.endswith("?")]


def test_results_are_importable_names():
    for name in vars(cc)["_RESULTS"]:
        assert getattr(cc, name).__name__ == name
        assert name in dir(cc)


def test_supported_versions_begin_where_the_package_does():
    assert PROJECT["project"]["requires-python"] == f">={supported()[0]}"


def test_the_quick_selection_is_there():
    for name in QUICK_TESTS:
        assert (ROOT / "tests" / f"test_{name}.py").exists()
