"""Every code block of README and documentation runs and prints what it shows."""

import importlib.util
import json
import re
from itertools import pairwise
from pathlib import Path

import pytest
from once import copied_workers

import concordant as cc

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```([^`\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def fences(page):
    """Give language, content and place of each block, directives left out."""
    text = page.read_text(encoding="utf-8")
    for match in FENCE.finditer(text):
        if not match[1].startswith("{"):
            yield match[1], match[2], match.span()


def examples(page):
    """Give each block of Python with what is shown below it, or None."""
    text = page.read_text(encoding="utf-8")
    blocks = [*fences(page), ("", "", (len(text), len(text)))]
    for (language, code, span), (after, shown, next_span) in pairwise(blocks):
        if language == "python":
            follows = after == "text" and not text[span[1] : next_span[0]].strip()
            line = text[: span[0]].count("\n") + 1
            yield "\n" * line + code, shown if follows else None


def name(page):
    return page.name


GONE = re.compile(
    r"\b(fuzzy_adjusted_rand_index|(adjusted_)?generalized_rand_index\(|omega_index"
    r"|element_centric_similarity|wallace_(homogeneity|completeness)|\balign=|--align"
    r"|concordant matrix|concordant/matrix)"
)


@pytest.mark.parametrize("page", [*PAGES, ROOT / "docs/api/index.rst"], ids=name)
def test_no_page_names_what_is_gone(page):
    text = page.read_text(encoding="utf-8")
    assert not GONE.search(text)
    for public in re.findall(r"\bcc\.([A-Za-z_]+)", text):
        assert hasattr(cc, public), public


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(p, marks=pytest.mark.long) if p.name == "how_many.md" else p
        for p in PAGES
        if [*examples(p)]
    ],
    ids=name,
)
def test_blocks_of_python_print_what_the_page_shows(
    page, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    namespace = {"__name__": "__main__"}
    with copied_workers():
        for code, shown in examples(page):
            exec(compile(code, page.name, "exec"), namespace)
            printed = capsys.readouterr().out
            if shown is not None:
                assert printed == shown


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_block_is_of_a_kind_that_is_run(page):
    """Console blocks are run by test_cli_documentation, text is what Python prints."""
    shown = sum(text is not None for _, text in examples(page))
    languages = [language for language, *_ in fences(page)]
    allowed = {"python", "text", "sh"}
    if page.name == "command_line.md":
        allowed.add("console")
    assert {*languages} <= allowed
    assert languages.count("text") == shown


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_commands_in_shell_blocks_exist(page):
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    for language, code, _ in fences(page):
        if language == "sh":
            for line in code.splitlines():
                words = line.split("#")[0].split()
                if words[:3] == ["pip", "install", "."]:
                    assert words[3:] in ([], ["&&", "python", "examples/demo.py"])
                else:
                    assert words[0] == "make"
                    assert words[1] in targets


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_formulas_are_read_as_such(page):
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.M | re.S)
    text = re.sub(r"`[^`\n]*`", "", text)
    for formula in re.findall(r"(?<!\$)\$([^$]+)\$(?!\$)", text):
        # Markdown ends the paragraph there, and begins a list, heading or quotation.
        assert not re.search(r"\n\s*([-+*#>]|\d+[.)])\s", formula), formula
    # Without braces Docutils takes all digits that follow as the numerator.
    assert not re.search(r"\\[dt]?frac\s*[^{\s]", text)


def test_no_line_is_lost_as_a_comment():
    """MyST takes a line that begins with a percent sign as one."""
    for page in (*PAGES, ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md"):
        assert not re.search(r"^\s*%", page.read_text("utf-8"), re.M), page.name


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_linked_files_exist(page):
    for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
        assert (page.parent / target).exists(), target


def test_pages_can_be_read_without_being_built():
    """Except for lists of pages, and copies of pages that lie elsewhere."""
    for page in PAGES:
        directives = re.findall(r"^```\{(\w+)\}", page.read_text("utf-8"), re.M)
        copies = page.name in ("changelog.md", "contributing.md")
        assert {*directives} <= {"include" if copies else "toctree"}, page.name


@pytest.mark.long
def test_tables_and_schemas_are_current(monkeypatch):
    """`make tables` writes them anew."""
    monkeypatch.syspath_prepend(ROOT)
    tables = importlib.import_module("docs.tables.__main__")
    for name, text in tables.contents():
        assert (ROOT / "docs" / name).read_text("utf-8") == text, name


@pytest.fixture(scope="module")
def table():
    path = ROOT / "benchmarks" / "table.py"
    spec = importlib.util.spec_from_file_location("table", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def row(workload, ours, peer, ratio, memory):
    return {
        "workload": workload,
        "ours_s": ours,
        "ours_cores": None if ours is None else 1.96,
        "peer_s": peer,
        "peer_cores": None if peer is None else 1.0,
        "ratio": ratio,
        "target": "",
        "met": None,
        "peak_mb": memory,
    }


RESULT = {
    "machine": "a machine",
    "parts": {
        "contests": [
            row("one / other", 0.125, 1234.5, 9876.0, 3.25),
            row("one again / other", 0.25, 1234.5, 5000.0, 3.25),
            row("two / third", 0.125, 1.0, 8.0, None),
        ],
        "growth": [row("growth", 0.5, None, 1.25, None)],
        "numbers": [
            row("stream: seconds", None, None, 4.0, None),
            row("stream: MB", None, None, 300.0, None),
            row("share", None, None, 0.95, None),
        ],
    },
}


def test_figures_go_between_the_markers(table, tmp_path, monkeypatch):
    monkeypatch.setattr(table, "ROOT", tmp_path)
    (tmp_path / "docs").mkdir()
    for page in table.PAGES:
        (tmp_path / page).write_text((ROOT / page).read_text("utf-8"), "utf-8")
    (tmp_path / "bench.json").write_text(json.dumps(RESULT))
    for _ in range(2):  # the second time nothing changes
        table.main(tmp_path / "bench.json")
        page, figures = ((tmp_path / name).read_text("utf-8") for name in table.PAGES)
        assert "\nOn a machine:\n\n| workload" in page
        against = "| one | other | 0.125 (2.0) | 1234 (1.0) | 9876 |\n"
        assert against + "| two | third | 0.125 (2.0) | 1 (1.0) | 8 |\n\n<!--" in page
        assert "| growth | 0.5 (2.0) | 1.25 |  |\n\n<!-- /bench -->" in page
        assert "| stream | seconds 4; MB 300 |\n| share | 0.95 |\n\n<!--" in page
        assert page.count("On a machine") == 3
        assert figures.count("On a machine") == 1
        for line in (
            "| one / other | 0.125 | 2.0 | 1234 | 1.0 | 9876 | 3.25 |\n",
            "| growth | 0.5 | 2.0 |  |  | 1.25 |  |\n",
            "| share |  |  |  |  | 0.95 |  |\n",
        ):
            assert line in figures


def test_a_page_without_markers_is_refused(table):
    with pytest.raises(ValueError, match="found no block"):
        table.filled("nothing here", {"all": "figures"})
