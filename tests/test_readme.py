"""What README says of the package holds, and its links lead somewhere."""

import csv
import re
import sys
from pathlib import Path

import numpy as np
import pytest
from markdown_it import MarkdownIt
from test_documentation import examples

import concordant as cc
from concordant.catalogue.families import FAMILIES, STATISTICS
from concordant.catalogue.lookups import score_name
from concordant.cli import COMMANDS
from concordant.cluster import FuzzyCMeans, PDClustering
from concordant.datasets import load_uci
from concordant.report import render_report

HERE = Path(__file__).parent
ROOT = HERE.parent
README = ROOT / "README.md"
DOI = re.compile(r"https://doi\.org/10\.\d{4,9}/[-._;()/:A-Za-z0-9]+")


def sentences():
    """Give the sentences of README in order, tables and blocks of code left out."""
    tokens = MarkdownIt().enable("table").parse(README.read_text("utf-8"))
    within: list[str] = []
    for token in tokens:
        if token.nesting:
            if token.nesting > 0:
                within.append(token.type)
            else:
                within.pop()
        elif token.type == "inline" and not {"heading_open", "table_open"} & {*within}:
            text = " ".join(token.content.split())
            if not text.startswith("!["):
                yield from re.split(r"(?<=[.?!])(?<! al\.) +(?=[A-Z`\[])", text)


def links(sentence):
    return re.findall(r"\]\(((?:[^()\s]|\([^()]*\))+)\)", sentence)


def anchors(page):
    """Give the places on a page that a link can lead to."""
    headings = re.findall(r"^#+ +(.*)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", text).lower().replace(" ", "-") for text in headings}


def test_links_lead_somewhere():
    targets = [target for sentence in sentences() for target in links(sentence)]
    assert len(targets) > 20
    for target in targets:
        if target.startswith("https:"):
            assert DOI.fullmatch(target), target
        else:
            path, _, anchor = target.partition("#")
            assert (ROOT / path).exists(), target
            assert not anchor or anchor in anchors(ROOT / path), target


def test_the_figures_of_the_first_lines():
    """They are those that the examples print, which test_documentation runs."""
    *_, shown = (text for _, text in examples(README))
    aci, hardened = (
        float(re.search(pattern, shown)[1])
        for pattern in (r"ACI (\S+)", r"hardened: (\S+)")
    )
    opening = " ".join(README.read_text("utf-8").split("```")[0].split())
    found = re.search(r"of (\S+) once hardened, but an .* only (\S+) as", opening)
    assert [float(number) for number in found.groups()] == [
        pytest.approx(hardened, abs=0.005),
        pytest.approx(aci, abs=0.005),
    ]


def test_the_oldest_python_is_that_of_the_package():
    package = (ROOT / "pyproject.toml").read_text("utf-8")
    oldest = re.search(r'requires-python = ">=(.*)"', package)[1]
    assert f"needs Python {oldest} or newer" in README.read_text("utf-8")


def test_the_lowest_versions_are_those_of_the_package():
    package = (ROOT / "pyproject.toml").read_text("utf-8")
    (said,) = re.findall(
        r"lowest versions that it works with are ([^;]*);", README.read_text("utf-8")
    )
    named = re.findall(r"([\w-]+) ([\d.]*\d)", said)
    assert len(named) == 6
    for name, version in named:
        assert f'"{name.lower()}>={version}"' in package


def rules():
    """Give what each target of the Makefile needs, and what it runs."""
    text = (ROOT / "Makefile").read_text("utf-8").replace("\\\n", " ")
    found = re.findall(r"^([\w-]+):(?!=)(.*)\n((?:\t.*\n)*)", text, re.MULTILINE)
    needs: dict[str, str] = {}
    for target, needed, commands in found:
        needs[target] = needs.get(target, "") + f"{needed}\n{commands}"
    return needs


def test_each_command_of_make_sets_up_what_it_needs():
    made = {*re.findall(r"(?:^|`)make ([\w-]+)", README.read_text("utf-8"), re.M)}
    assert made >= {"demo", "test", "test-long", "dist", "docs", "bench"}
    for target in made:
        assert "$(READY)" in rules()[target], target
    makefile = (ROOT / "Makefile").read_text("utf-8")
    (setting_up,) = re.findall(
        r"^\$\(READY\):.*\n((?:\t.*\n)*)", makefile, re.MULTILINE
    )
    assert "-m venv .venv" in setting_up
    assert '-e ".[dev]"' in setting_up


def test_what_is_installed_is_what_readme_tells_to_install():
    """The wheel that `make dist` builds and the clone are tried by `make versions`."""
    dist, versions = (rules()[target] for target in ("dist", "versions"))
    assert re.search(r"-m build --outdir dist \.", dist)
    assert versions.split("\n")[0].split() == ["dist"]
    assert ".ci/versions.py dist/*.whl" in versions
    assert "```sh\npip install . && python examples/demo.py\n```" in README.read_text(
        "utf-8"
    )
    sys.path.insert(0, str(ROOT / ".ci"))
    try:
        import versions as tried
    finally:
        sys.path.remove(str(ROOT / ".ci"))
    packages = [trial.package for trial in tried.trials()]
    assert "" in packages  # the wheel
    assert str(ROOT) in packages


def test_five_families_have_six_statistics_each():
    fuzzy = {*FAMILIES} - {"crisp"}
    assert (len(fuzzy), len(STATISTICS)) == (5, 6)
    P = [[0.9, 0.1], [0.2, 0.8], [0.4, 0.6], [0.7, 0.3]]
    comparison = cc.compare(P, P[::-1], families="all")
    assert {name.split()[0] for name in comparison.tables} == fuzzy
    for table in comparison.tables.values():
        for statistic in STATISTICS:
            assert score_name(statistic, table.family, table.t_norm) in comparison


def test_the_commands_of_the_six_questions_are_those_of_the_command_line():
    section = README.read_text("utf-8").split("## Six questions")[1].split("\n## ")[0]
    rows = [line.split("|")[3] for line in section.splitlines() if line.startswith("|")]
    below = section.rpartition("|")[2]
    typed = re.findall(r"`([^`]*)`", " ".join([*rows[2:], below]))
    named = {words.removeprefix("concordant ").split()[0] for words in typed}
    assert named == {*COMMANDS} - {"reproduce"}


def test_both_clusterings_of_iris_find_the_same_blocks_with_other_certainty():
    """Each has one cluster of 50 flowers, and strongest memberships of its own."""
    data = load_uci("iris").data
    fcm, pdc = (
        method(3, random_state=0).fit(data).memberships_
        for method in (FuzzyCMeans, PDClustering)
    )
    together = np.zeros((3, 3), dtype=int)
    np.add.at(together, (fcm.argmax(axis=1), pdc.argmax(axis=1)), 1)
    assert together.max(axis=0).sum() > 0.95 * len(data)
    assert fcm.max(axis=1).mean() - pdc.max(axis=1).mean() > 0.15


def test_the_licence_is_that_of_the_package():
    package = (ROOT / "pyproject.toml").read_text("utf-8")
    licence = re.search(r'^license = "(.*)"', package, re.MULTILINE)[1]
    assert f"Licence: {licence}." in README.read_text("utf-8")


def test_the_picture_has_a_program():
    program = (ROOT / "examples" / "picture.py").read_text("utf-8")
    assert '"docs" / "_static" / "iris.png"' in program
    assert (ROOT / "docs" / "_static" / "iris.png").exists()


def test_twelve_systems_gave_values():
    path = ROOT / "tests" / "data" / "other_systems" / "values.csv"
    with path.open(newline="") as file:
        systems = {row["system"].partition(":")[0] for row in csv.DictReader(file)}
    assert len(systems) == 12


def test_versions_of_other_systems_are_those_that_are_run():
    """Those of Python that the constraints pin."""
    constraints = dict(
        line.split("==")
        for line in (ROOT / "constraints.txt").read_text("utf-8").split()
    )
    page = (ROOT / "docs" / "other_systems.md").read_text("utf-8")
    for name in ("scikit-fuzzy", "fuzzy-c-means", "clusim"):
        named = re.search(rf"{name} ([\d.]+)", page)[1]
        pinned = constraints[name]
        assert pinned == named or pinned.removesuffix(".0") == named


def test_figures_bear_out_what_is_said_of_speed():
    rows = (ROOT / "docs" / "figures.md").read_text("utf-8").splitlines()
    cells = [[cell.strip() for cell in row.split("|")] for row in rows]
    ours, theirs = (
        {
            row[1]: float(row[column])
            for row in cells
            if len(row) > 8 and row[4][:1].isdigit()
        }
        for column in (2, 4)
    )
    by_pairs = [name for name in ours if re.search(r"two fuzzy.*/ pdist twice", name)]
    assert by_pairs
    assert all(ours[name] < theirs[name] for name in by_pairs)
    assert ours["ACI, fuzzy and crisp, n=1e7, K=3 / sorting the columns"] < 5
    (sampled,) = (
        name for name in ours if name.startswith("ACI sampled, tol=1e-4, n=1e6")
    )
    assert ours[sampled] < 60


def test_citation_readme_manual_and_report_name_the_same_paper():
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    doi = re.search(r"^  doi: (\S+)", citation, re.MULTILINE)[1]
    assert f"https://doi.org/{doi}" in README.read_text("utf-8")
    assert f"https://doi.org/{doi}" in (ROOT / "docs/citing.md").read_text("utf-8")
    assert f"doi:{doi}" in render_report([0, 0, 1, 1], [0, 1, 1, 1])
