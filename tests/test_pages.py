"""The documentation as it is built: no warning, no dead link, for every screen."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from chromium import opened_browser
from once import made_once
from test_browser import VIOLATIONS, axe  # noqa: F401

ROOT = Path(__file__).parents[1]
EXTENSIONS = ROOT / "docs" / "_extensions"
PAGES = (
    "index.html",
    "guide.html",
    "reading.html",
    "mathematics.html",
    "performance.html",
    "api/index.html",
    "api/generated/concordant.compare.html",
    "gallery/index.html",
)


@pytest.fixture(scope="module")
def dead_links():
    pytest.importorskip("sphinx")
    sys.path.insert(0, str(EXTENSIONS))
    try:
        import dead_links
    finally:
        sys.path.remove(str(EXTENSIONS))
    return dead_links


@pytest.mark.parametrize(
    ("link", "dead"),
    [
        ("other.html", False),
        ("other.html#part", False),
        ("#here", False),
        ("#", False),
        ("file%20name.txt", False),
        ("https://example.org/whatever", False),
        ("https://doi.org/10.1016/0098-3004(84)90020-7", False),
        ("https://doi.org/10.1007/BF01908075", False),
        ("https://doi.org/doi:10.1007/BF01908075", True),
        ("https://doi.org/10.1007", True),
        ("missing.html", True),
        ("other.html#nothing", True),
        ("#nothing", True),
    ],
)
def test_dead_links_are_found(dead_links, tmp_path, link, dead):
    (tmp_path / "other.html").write_text('<p id="part">text</p>')
    (tmp_path / "file name.txt").write_text("")
    (tmp_path / "page.html").write_text(f'<p id="here"><a href="{link}">x</a></p>')
    found = list(dead_links.dead_links(tmp_path))
    assert found == ([(Path("page.html"), link)] if dead else [])


def test_pictures_that_are_not_there_are_found(dead_links, tmp_path):
    (tmp_path / "page.html").write_text('<img src="nothing.png" alt="">')
    assert list(dead_links.dead_links(tmp_path)) == [(Path("page.html"), "nothing.png")]


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Build from a copy of the folders, the examples without being run."""

    def build(to):
        for name in ("docs", "examples"):
            shutil.copytree(
                ROOT / name,
                to / name,
                ignore=shutil.ignore_patterns("_build", "generated", "gallery")
                if name == "docs"
                else None,
            )
        for name in ("CHANGELOG.md", "CONTRIBUTING.md"):
            shutil.copy(ROOT / name, to / name)
        command = "-m sphinx -W --keep-going -q -b html -D plot_gallery=0"
        done = subprocess.run(
            [sys.executable, *command.split(), to / "docs", to / "html"],
            capture_output=True,
            text=True,
            check=False,
        )
        (to / "errors.txt").write_text(done.stderr)

    return made_once(tmp_path_factory, "pages", build)


@pytest.mark.long
def test_it_is_built_without_a_warning(built):
    assert (built / "errors.txt").read_text() == ""


@pytest.fixture(scope="module")
def browser():
    with opened_browser() as browser:
        yield browser


@pytest.mark.long
@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_and_is_accessible(browser, built, axe, name):  # noqa: F811
    for width in (1400, 420):
        for scheme in ("light", "dark"):
            page = browser.new_page(
                viewport={"width": width, "height": 900}, color_scheme=scheme
            )
            page.goto((built / "html" / name).as_uri())
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            page.evaluate(axe)
            problems = page.evaluate(VIOLATIONS)
            assert problems == [], (width, scheme, json.dumps(problems, indent=1))
            page.close()


@pytest.mark.long
def test_mathematics_and_api_are_one_click_away_everywhere(browser, built):
    page = browser.new_page(viewport={"width": 1400, "height": 900})
    for name in PAGES:
        page.goto((built / "html" / name).as_uri())
        bar = page.locator(".bd-header")
        for text in ("Mathematics", "API"):
            assert bar.get_by_role("link", name=text, exact=True).is_visible(), name
    page.close()


@pytest.mark.long
def test_formulas_bring_their_font(browser, built):
    page = browser.new_page()
    page.goto((built / "html" / "mathematics.html").as_uri())
    page.evaluate("document.fonts.ready.then(() => true)")
    assert page.evaluate("document.fonts.check('16px \"STIX Two Math\"', 'x')")
    page.close()
