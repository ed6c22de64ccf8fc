"""The report in a browser: it opens, sorts, fits and can be read by everybody."""

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from chromium import CHROMIUM, NEEDED, opened_browser
from once import made_once

import concordant as cc
from concordant.cluster import FuzzyCMeans, PDClustering
from concordant.datasets import load_uci
from concordant.report import write_report

AXE = "axe-core@4.10.3"
LARGEST = 3_000_000
# Only what is wrong leaves the browser: what is right is most of it, and slow to carry.
VIOLATIONS = """
axe.run(document, {resultTypes: ["violations"]}).then(found =>
  found.violations.map(rule => [rule.id, rule.nodes[0].html.slice(0, 200)]))
"""

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason=NEEDED)


@pytest.fixture(scope="module")
def browser():
    with opened_browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def axe(tmp_path_factory):
    """Fetch axe-core, which is a package of another language."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("needs npm to fetch axe-core")
    folder = tmp_path_factory.mktemp("axe")
    fetched = subprocess.run(
        [npm, "install", "--no-audit", "--no-fund", "--prefix", str(folder), AXE],
        capture_output=True,
        check=False,
    )
    if fetched.returncode:
        pytest.skip("axe-core could not be fetched from the npm registry")
    return (folder / "node_modules/axe-core/axe.min.js").read_text(encoding="utf-8")


def iris_report(path):
    iris = load_uci("iris")
    ids = [f"flower {i}" for i in range(150)]
    fcm, pd = (
        cc.Partition(method(3, random_state=0).fit(iris.data).memberships_, ids=ids)
        for method in (FuzzyCMeans, PDClustering)
    )
    write_report(
        fcm,
        pd,
        path,
        truth=iris.target_names[iris.target],
        names=("fuzzy C-means", "PD-clustering"),
        truth_name="species",
    )


def large_report(path):
    rng = np.random.default_rng(0)
    likely = 6.0 * np.eye(4)[rng.integers(4, size=6000)] + 0.5
    P = np.array([rng.dirichlet(alpha) for alpha in likely])
    Q = np.array([rng.dirichlet(alpha) for alpha in likely])
    write_report(P, Q, path, names=("first", "second"))


def odd_report(path):
    rng = np.random.default_rng(1)
    names = ["<script>alert(1)</script>", "\u05e9\u05dc\u05d5\u05dd", "\U0001f600" * 40]
    P = cc.Partition(
        rng.dirichlet([1, 1, 1], 30),
        ids=[f"{names[i % 3]} {i}" for i in range(30)],
        clusters=names,
    )
    write_report(
        P, [names[i % 3] for i in range(30)], path, names=(names[0], "x" * 300)
    )


REPORTS = {"iris": iris_report, "large": large_report, "odd": odd_report}


@pytest.fixture(scope="module", params=REPORTS)
def report(request, tmp_path_factory):
    write = REPORTS[request.param]
    name = f"report-{request.param}"
    folder = made_once(tmp_path_factory, name, lambda to: write(to / "report.html"))
    return folder / "report.html"


class Opened:
    """A page that remembers what it asked for and what it complained of."""

    def __init__(self, browser, path, **settings):
        self.page = browser.new_page(**settings)
        self.complaints, self.requests = [], []
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(Path(path).as_uri())

    def column(self, name):
        """Give the cells of one column of the table of objects."""
        return self.page.evaluate(
            """name => {
              const table = document.getElementById("object-table");
              const heads = [...table.tHead.rows[0].cells];
              const column = heads.findIndex(head => head.innerText.startsWith(name));
              return [...table.tBodies[0].rows].map(row => row.cells[column].innerText);
            }""",
            name,
        )

    def head(self, name):
        return self.page.locator("#object-table thead th").filter(has_text=name)


@pytest.fixture
def opened(browser, report):
    opened = Opened(browser, report, viewport={"width": 1400, "height": 900})
    yield opened
    opened.page.close()


def test_it_opens_with_no_complaint_and_no_request(opened, report):
    assert opened.complaints == []
    assert opened.requests == [report.as_uri()]
    assert opened.page.locator("svg.plot").count() == 6


def test_it_is_small(report):
    assert report.stat().st_size < LARGEST


def test_its_table_sorts_by_click(opened):
    first = opened.column("Discordance")
    values = [float(value.split()[0]) for value in first]
    assert values == sorted(values, reverse=True)
    head = opened.head("Discordance")
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    assert opened.column("Discordance") == first
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    values = [float(value.split()[0]) for value in opened.column("Discordance")]
    assert values == sorted(values)
    assert opened.page.locator("#object-table [aria-sort]").count() == 1


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_its_table_sorts_by_keyboard(opened, key):
    rank = opened.column("Rank")
    assert rank == [str(1 + i) for i in range(len(rank))]
    opened.head("Rank").get_by_role("button").focus()
    opened.page.keyboard.press(key)
    assert opened.head("Rank").get_attribute("aria-sort") == "descending"
    assert opened.column("Rank") == rank[::-1]
    opened.page.keyboard.press("Tab")
    opened.page.keyboard.press(key)
    names = opened.page.locator("#object-table tbody th").all_inner_texts()
    names = [name.partition(" (index ")[0] for name in names]
    numbers = [int(name.split()[-1]) for name in names]
    if len({name.rsplit(" ", 1)[0] for name in names if " " in name}) <= 1:
        assert numbers == sorted(numbers)  # as numbers, not as text


@pytest.mark.parametrize("width", [1400, 420])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_and_is_accessible(browser, report, axe, width, scheme):
    opened = Opened(
        browser,
        report,
        viewport={"width": width, "height": 900},
        color_scheme=scheme,
    )
    page = opened.page
    try:
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.evaluate(axe)
        problems = page.evaluate(VIOLATIONS)
        assert problems == [], json.dumps(problems, indent=1)
    finally:
        page.close()


def test_it_is_dark_where_that_is_wanted_and_light_on_paper(browser, report):
    ground = "getComputedStyle(document.body).backgroundColor"
    opened = Opened(browser, report, color_scheme="dark")
    try:
        assert opened.page.evaluate(ground) == "rgb(18, 22, 28)"
        opened.page.emulate_media(media="print")
        assert opened.page.evaluate(ground) == "rgb(255, 255, 255)"
        # At the end it would be a page of its own at times.
        assert not opened.page.locator("footer").is_visible()
        assert opened.page.locator("header .on-paper").is_visible()
        opened.page.set_viewport_size({"width": 700, "height": 1000})
        assert opened.page.evaluate("document.documentElement.scrollWidth") <= 700
    finally:
        opened.page.close()
