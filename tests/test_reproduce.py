"""The command that reproduces the paper: files, jobs, interruption, pages."""

import collections
import csv
import filecmp
import gzip
import os
import random
import re
import signal
import subprocess
import sys
import time
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from chromium import opened_browser
from click.testing import CliRunner
from once import LONG, made_once, wait_until

from concordant.cli import main
from concordant.cli.reproduce import NAMES
from concordant.paper.repetitions import STUDIES

CHEAP = ["bias", "chance"]
REPETITIONS = 52  # three tasks of each, the last of them cut short


def invoke(*arguments):
    return CliRunner().invoke(main, ["reproduce", *map(str, arguments)])


def run(*arguments):
    result = invoke(*arguments)
    assert result.exit_code == 0, result.output


@pytest.fixture
def start():
    """Start commands in processes that do not outlive the test."""
    started = []

    def begin(*arguments):
        process = subprocess.Popen(
            [sys.executable, "-m", "concordant", "reproduce", *map(str, arguments)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env={k: v for k, v in os.environ.items() if not k.startswith("COVERAGE")},
            # a shell may have started the tests with Ctrl-C ignored
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        started.append(process)
        return process

    yield begin
    for process in started:
        process.kill()
        process.wait()
        process.stderr.close()


def files(folder):
    return sorted(p.relative_to(folder) for p in folder.rglob("*") if p.is_file())


def assert_same(one, two):
    assert files(one) == files(two)
    _, different, errors = filecmp.cmpfiles(one, two, files(one), shallow=False)
    assert (different, errors) == ([], [])


def descendants(pid):
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
        except (OSError, IndexError):
            continue
        if parent == pid:
            child = int(stat.parent.name)
            found += [child, *descendants(child)]
    return found


def alive(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def assert_gone(pids):
    wait_until(lambda: not any(map(alive, pids)))


def times(folder, pattern="*.csv.gz"):
    """Give when files were written: the parts of a run, unless another pattern."""
    return {path: path.stat().st_mtime_ns for path in folder.rglob(pattern)}


def reproduced(tmp_path_factory, *arguments):
    """Give the folder of an undisturbed run of one job."""
    name = "-".join(map(str, ("reproduced", *arguments)))

    def reproduce(out):
        run(*arguments, "--jobs", 1, "--out", out)

    return made_once(tmp_path_factory, name, reproduce)


@pytest.fixture(scope="module")
def cheap(tmp_path_factory):
    return reproduced(tmp_path_factory, *CHEAP, "--repetitions", REPETITIONS)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return reproduced(tmp_path_factory, "--repetitions", 2)


def test_the_command_knows_every_study():
    assert tuple(STUDIES) == NAMES


@pytest.mark.long
def test_all_studies_give_the_same_bytes_for_any_number_of_jobs(whole, tmp_path):
    run("--repetitions", 2, "--jobs", 2, "--out", tmp_path)
    assert_same(whole, tmp_path)


@pytest.mark.long
def test_another_seed_gives_other_numbers(cheap, tmp_path):
    run("bias", "--repetitions", 2, "--jobs", 1, "--seed", 1, "--out", tmp_path)
    one, two = ((folder / "bias.csv").read_text() for folder in (cheap, tmp_path))
    assert one.splitlines()[0] == two.splitlines()[0]
    assert one.splitlines()[1] != two.splitlines()[1]


@pytest.mark.long
def test_tables_are_tidy(whole):
    for name in NAMES:
        with open(whole / f"{name}.csv", newline="") as stream:
            rows = list(csv.DictReader(stream))
        assert [*rows[0]] == ["study", "data set", "setting", "index", "value", "seed"]
        assert {row["study"] for row in rows} == {name}
        assert len({row["seed"] for row in rows}) == (1 if name == "real-data" else 2)
        keys = [tuple(row[k] for k in row if k != "value") for row in rows]
        assert len(set(keys)) == len(keys)
        assert all(float(row["value"]) <= 1e12 for row in rows)


@pytest.mark.long
def test_more_repetitions_go_on_from_fewer(cheap, tmp_path):
    run(*CHEAP, "--repetitions", 50, "--jobs", 1, "--out", tmp_path)
    first = times(tmp_path)
    more = (*CHEAP, "--repetitions", REPETITIONS, "--jobs", 1, "--out", tmp_path)
    run(*more, "--resume")
    assert len(first) == 4
    assert first.items() <= times(tmp_path).items()
    for name in ("bias.csv", "chance.csv", "reproduction.html"):
        assert (tmp_path / name).read_bytes() == (cheap / name).read_bytes()


def test_without_resume_everything_is_computed_anew(tmp_path):
    arguments = ("bias", "--repetitions", 2, "--jobs", 1, "--out", tmp_path)
    run(*arguments)
    (part,) = tmp_path.rglob("*.csv.gz")
    part.write_bytes(b"not what a run wrote")
    run(*arguments)
    assert part.read_bytes() != b"not what a run wrote"


def test_repetitions_of_another_seed_are_not_mixed_in(tmp_path):
    run("bias", "--repetitions", 2, "--jobs", 1, "--out", tmp_path)
    result = invoke("bias", "--seed", 1, "--out", tmp_path, "--resume")
    assert result.exit_code == 2
    assert "leave out --resume to start anew" in result.output


DAMAGES = {
    "emptied": lambda data: b"",
    "empty within": lambda data: gzip.compress(b""),
    "no archive": lambda data: b"no archive",
    "no text": lambda data: gzip.compress(b"\xff,\n"),
    "cut": lambda data: data[: len(data) // 2],
    "flipped": lambda data: data[:-6] + bytes([data[-6] ^ 1]) + data[-5:],
    "a row less": lambda data: gzip.compress(
        b"".join(gzip.decompress(data).splitlines(keepends=True)[:-1])
    ),
    "half a line less": lambda data: gzip.compress(gzip.decompress(data)[:-30]),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_part_is_named_with_what_to_do(damage, tmp_path):
    arguments = ("bias", "--repetitions", 2, "--jobs", 1, "--out", tmp_path)
    run(*arguments)
    table = (tmp_path / "bias.csv").read_bytes()
    (part,) = tmp_path.rglob("*.csv.gz")
    part.write_bytes(damage(part.read_bytes()))
    result = invoke(*arguments, "--resume")
    assert result.exit_code == 2
    start = f"concordant: {part}: a part of a run that is cut short or damaged ("
    assert result.output.startswith(start)
    assert result.output.endswith("); remove it, and --resume computes it again\n")
    assert result.output.count("\n") == 1
    part.unlink()
    run(*arguments, "--resume")
    assert (tmp_path / "bias.csv").read_bytes() == table


@pytest.mark.parametrize("note", [b"", b"\xff", b"{", None])
def test_damaged_settings_are_named_with_what_to_do(note, tmp_path):
    arguments = ("bias", "--repetitions", 2, "--jobs", 1, "--out", tmp_path)
    run(*arguments)
    path = tmp_path / "repetitions" / "settings.json"
    path.unlink()
    if note is not None:
        path.write_bytes(note)
    result = invoke(*arguments, "--resume")
    assert result.exit_code == 2
    assert result.output.startswith(f"concordant: {path}: ")
    assert result.output.endswith("leave out --resume to start anew\n")
    assert result.output.count("\n") == 1
    assert list(tmp_path.rglob("*.csv.gz"))


@pytest.mark.long
@pytest.mark.parametrize(("studies", "jobs"), [(CHEAP, 1), (["bias"], 3)])
def test_killed_at_random_moments_and_resumed_gives_the_same_bytes(
    studies, jobs, start, tmp_path, tmp_path_factory
):
    arguments = (*studies, "--repetitions", REPETITIONS)
    undisturbed = reproduced(tmp_path_factory, *arguments)
    arguments = (*arguments, "--jobs", jobs)
    moments = random.Random(jobs)
    amid_work = []
    # From when a part is written, or from when the run begins and its note is written.
    for pattern in ("*.csv.gz", "settings.json"):
        before = times(tmp_path, pattern)
        process = start(*arguments, "--out", tmp_path, "--resume")
        while times(tmp_path, pattern) == before and process.poll() is None:
            time.sleep(0.02)
        time.sleep(moments.uniform(0.0, 0.5))
        amid_work.append(process.poll() is None)
        children = descendants(process.pid)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert_gone(children)
    process = start(*arguments, "--out", tmp_path, "--resume")
    _, errors = process.communicate()
    assert process.returncode == 0, errors
    assert amid_work[0]
    assert_same(undisturbed, tmp_path)


@pytest.mark.parametrize("jobs", [pytest.param(1, marks=pytest.mark.long), 2])
def test_ctrl_c_is_obeyed_and_leaves_no_process_behind(jobs, start, tmp_path):
    process = start("bias", "--repetitions", 9999, "--jobs", jobs, "--out", tmp_path)
    wait_until(lambda: times(tmp_path) or process.poll() is not None)
    children = descendants(process.pid)
    assert len(children) >= (0 if jobs == 1 else jobs)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=LONG)
    assert process.returncode == 130
    assert errors == "concordant: interrupted\n"
    assert_gone(children)
    assert not list(tmp_path.rglob("*.tmp"))


def test_leftovers_of_a_killed_write_are_swept(tmp_path):
    for place in (tmp_path, tmp_path / "repetitions" / "bias"):
        place.mkdir(parents=True, exist_ok=True)
        (place / ".0123456789abcdef.tmp").write_text("half")
        (place / ".mine.tmp").write_text("kept")
    run("bias", "--repetitions", 1, "--jobs", 1, "--out", tmp_path)
    left = {path.name for path in tmp_path.rglob(".*")}
    assert left == {".mine.tmp"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["wine"], "'wine' is not one of 'bias'"),
        (["--jobs", "0"], "0 processes do nothing"),
        (["--repetitions", "0"], "0 is not in the range"),
        (["--seed", "-1"], "-1 is not in the range"),
    ],
)
def test_what_cannot_be_run_is_refused_in_a_line(arguments, message):
    result = invoke(*arguments)
    assert result.exit_code == 2
    assert message in result.output


def test_a_folder_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    out = tmp_path / "file" / "x"
    result = invoke("bias", "--repetitions", 1, "--out", out)
    assert result.exit_code == 2
    assert result.output.startswith(f"concordant: {out}")
    assert result.output.endswith(": not a directory\n")


class Page(HTMLParser):
    """What a page has: elements by name, ids, and texts of cells."""

    def __init__(self, text):
        super().__init__()
        self.elements = collections.defaultdict(list)
        self.open = []
        self.words = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements[tag].append(dict(attrs))
        self.open.append(tag)

    def handle_data(self, data):
        self.words.append(data)


@pytest.fixture(scope="module")
def page(whole):
    return Page((whole / "reproduction.html").read_text())


@pytest.mark.long
def test_the_page_shows_every_printed_number_with_a_verdict(whole, page):
    with open(whole / "verdicts.csv", newline="") as stream:
        stated = [row for row in csv.DictReader(stream) if row["stated"] == "yes"]
    assert len(stated) == 483
    words = [a["class"] for a in page.elements["span"] if a["class"].startswith("word")]
    assert len(words) == 483
    assert all(row["verdict"] for row in stated)
    assert all(row["reason"] for row in stated if row["verdict"] == "cannot be decided")


@pytest.mark.long
def test_figures_have_text_alternatives(page):
    svgs = page.elements["svg"]
    assert len(svgs) == 13  # nine tables, two heat maps, null, convergence
    assert all(svg["role"] == "img" for svg in svgs)
    assert len({svg["aria-label"] for svg in svgs}) == len(svgs)
    assert len(page.elements["figure"]) == len(page.elements["figcaption"]) == 13


@pytest.mark.long
def test_ids_are_unique_and_references_hit(whole, page):
    ids = [a["id"] for group in page.elements.values() for a in group if "id" in a]
    assert len(set(ids)) == len(ids)
    text = (whole / "reproduction.html").read_text()
    references = re.findall(r'(?:href="#|url\(#|labelledby=")([^")]+)', text)
    assert set(references) <= set(ids)


@pytest.mark.long
def test_the_page_needs_no_other_file(whole):
    text = (whole / "reproduction.html").read_text()
    assert "<script" not in text
    outside = {
        url
        for url in re.findall(r'(?:src|href)="([^"#][^"]*)"', text)
        if not url.startswith("data:")
    }
    assert outside == set()


@pytest.mark.long
def test_the_markdown_page_names_figures_that_stand_alone(whole):
    text = (whole / "reproduction.md").read_text()
    figures = re.findall(r"\]\((figures/[^)]+)\)", text)
    assert len(figures) == 13
    for figure in figures:
        root = ElementTree.parse(whole / figure).getroot()
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert "color: #1b2733" in root.attrib["style"]
    lines = [line for line in text.splitlines() if line.startswith("|")]
    assert len(lines) > 483


@pytest.fixture(scope="module")
def browser():
    with opened_browser() as browser:
        yield browser


@pytest.mark.long
@pytest.mark.parametrize("width", [1400, 420])
def test_a_browser_opens_the_page_from_disk_in_silence(width, whole, browser):
    tab = browser.new_page(viewport={"width": width, "height": 900})
    requests, complaints = [], []
    tab.on("request", lambda request: requests.append(request.url))
    tab.on("console", lambda message: complaints.append(message.text))
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    url = (whole / "reproduction.html").as_uri()
    tab.goto(url)
    assert requests == [url]
    assert complaints == []
    # Wide tables and figures scroll by themselves; the page does not.
    assert tab.evaluate("document.documentElement.scrollWidth") == width
    assert tab.locator("svg[role=img]").count() == 13
    # What is folded shows when it is opened.
    assert tab.locator("figure").first.is_hidden()
    tab.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert tab.evaluate("document.documentElement.scrollWidth") == width
    boxes = tab.evaluate(
        "[...document.querySelectorAll('figure svg')]"
        ".map(svg => svg.getBoundingClientRect().width)"
    )
    assert min(boxes) >= 860
    tab.close()


@pytest.mark.long
def test_the_page_is_dark_where_that_is_wanted(whole, browser):
    ground = "getComputedStyle(document.body).backgroundColor"
    tab = browser.new_page(color_scheme="dark")
    tab.goto((whole / "reproduction.html").as_uri())
    assert tab.evaluate(ground) == "rgb(18, 22, 28)"
    tab.emulate_media(color_scheme="light")
    assert tab.evaluate(ground) == "rgb(245, 247, 248)"
    tab.close()


@pytest.mark.long
def test_few_repetitions_are_no_failure(whole, page):
    text = " ".join(" ".join(page.words).split())
    assert "This is a quick look" in text
    within = re.search(r"(\d+) of 386 simulated values within", text)
    with open(whole / "verdicts.csv", newline="") as stream:
        stated = [row for row in csv.DictReader(stream) if row["stated"] == "yes"]
    assert within is not None
    assert 0 < int(within[1]) <= sum(row["inside"] == "yes" for row in stated)
    assert "repetitions, 200 needed" not in text
