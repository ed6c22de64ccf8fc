"""The command that writes a report, and the demonstration."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from concordant.cli import main
from concordant.files import write_table

ROOT = Path(__file__).parent.parent
IDS = ["Ann", "Bob", "Cyd", "<i>Dan</i>", "\u05d0\u05d1"]
MEMBERSHIPS = np.array([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7], [0.2, 0.8], [0.5, 0.5]])


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_table("P.csv", MEMBERSHIPS, names=["x", "y"], ids=IDS)
    write_table("Q.csv", MEMBERSHIPS[::-1], names=["x", "y"], ids=IDS[::-1])
    Path("truth.csv").write_text(
        "id,class\n" + "".join(f"{key},{key > 'B'}\n" for key in IDS), encoding="utf-8"
    )
    return tmp_path


def run(*arguments):
    return CliRunner().invoke(main, ["report", *arguments], catch_exceptions=False)


def test_the_page_is_written_and_its_path_printed(folder):
    done = run("P.csv", "Q.csv")
    assert (done.exit_code, done.output) == (0, "report.html\n")
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "matched by id" in page
    assert "&lt;i&gt;Dan&lt;/i&gt;" not in page  # the files agree on every object
    assert "<h1><bdi>P</bdi>" in page


def test_the_truth_and_the_place_can_be_given(folder):
    done = run("P.csv", "Q.csv", "--truth", "truth.csv", "-o", "here.html", "--quiet")
    assert (done.exit_code, done.output) == (0, "")
    page = (folder / "here.html").read_text(encoding="utf-8")
    assert "Against <bdi>truth</bdi>" in page
    assert page.count("5 objects, 2 columns of memberships, commas, heading, ids") == 2
    assert "5 objects, labels from `class`, commas, heading, ids from `id`" in page


def test_the_same_files_give_the_same_bytes(folder):
    run("P.csv", "truth.csv", "-o", "one.html")
    run("P.csv", "truth.csv", "-o", "other.html", "--jobs", "2")
    assert Path("one.html").read_bytes() == Path("other.html").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["P.csv", "no.csv"], "no.csv: no such file"),
        (["P.csv", "short.csv"], "P.csv has 5 objects and short.csv has 2"),
        (
            ["P.csv", "Q.csv", "--truth", "short.csv"],
            "P.csv has 5 objects and short.csv has 2",
        ),
        (["P.csv", "Q.csv", "-o", "no/report.html"], "cannot be written"),
        (["P.csv", "Q.csv", "-o", "."], "is a directory"),
        (["P.csv", "Q.csv", "--jobs", "0"], "--jobs must not be 0"),
    ],
)
def test_what_is_wrong_is_one_line_and_nothing_is_written(folder, arguments, message):
    Path("short.csv").write_text("id,class\nAnn,1\nBob,2\n")
    before = {*folder.iterdir()}
    done = run(*arguments)
    assert done.exit_code == 2
    assert message in done.output
    assert done.output.count("\n") == 1
    assert {*folder.iterdir()} == before


def test_help_has_examples():
    done = run("--help")
    assert done.exit_code == 0
    assert "concordant report P.csv Q.csv" in done.output


def test_the_demonstration_writes_its_report(tmp_path, monkeypatch, capsys):
    place = ROOT / "examples" / "demo.py"
    spec = importlib.util.spec_from_file_location("demo", place)
    demo = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "demo", demo)
    spec.loader.exec_module(demo)
    monkeypatch.setattr(demo, "REPORT", tmp_path / "demo" / "report.html")
    demo.main()
    told = capsys.readouterr().out
    assert told.endswith(f"Report: {demo.REPORT}\n")
    assert "fuzzy C-means and species" in told
    assert demo.REPORT.stat().st_size > 100_000
