"""The page about many partitions."""

import re
from pathlib import Path

import numpy as np
import pytest
from command_line import fault_of, output_of, run

import concordant as cc
from concordant.files import write_table
from concordant.report import render_agreement_report, write_agreement_report

NASTY = "<script>alert(1)</script>"


def planted(k=6, n=60, seed=0):
    """Return noisy runs of two solutions; every third one is of the second."""
    rng = np.random.default_rng(seed)
    solutions = rng.dirichlet([0.2] * 3, (2, n))
    runs = {}
    for number in range(1, k + 1):
        noisy = rng.gamma(40.0 * solutions[int(number % 3 == 0)] + 0.1)
        noisy /= noisy.sum(axis=1, keepdims=True)
        runs[f"run {number}"] = noisy[:, rng.permutation(3)]
    return runs


RUNS = planted()
GROUPS = [f"group_{i // 20}" for i in range(60)]


def plain(page):
    """Return the words of a page outside its pictures."""
    body = re.sub(r"<(style|script|svg).*?</\1>", "", page, flags=re.S)
    return " ".join(re.sub(r"<[^>]*>", " ", body).split())


def test_the_page_has_modes_pictures_and_all_pairs():
    found = cc.agreement(RUNS)
    page = render_agreement_report(
        found, threshold=0.5, groups=GROUPS, readings=["as it is"] * 6
    )
    text = plain(page)
    modes = found.modes(0.5)
    assert "2 modes of 6 partitions" in text
    assert "of a mode agree with ACI of at least 0.5. The largest mode has 4" in text
    assert f"they are {modes.range}." in text.replace("\u2212", "-")
    assert text.count(f"{modes[1].least:.4f}") == 4  # the least and the mean of two
    assert "Each was read as: as it is." in text
    assert page.count('<svg class="plot"') == 3  # all pairs, modes, partitions
    assert "group_2" in page
    for value in found.values[np.triu_indices(6, 1)]:
        assert f"{value:z.4f}".replace("-", "\u2212") in text
    for name in found.names:
        assert f"<bdi>{name}</bdi>" in page


def test_the_same_partitions_give_the_same_bytes(tmp_path):
    for name in ("one", "other"):
        copies = {key: run.copy() for key, run in RUNS.items()}
        write_agreement_report(cc.agreement(copies), tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


def test_one_mode_and_only_single_ones_are_said():
    same = cc.agreement({name: RUNS["run 1"] for name in "abc"})
    page = render_agreement_report(same)
    assert "All of them are one mode: any two agree with ACI of at least 0.95" in plain(
        page
    )
    assert page.count('<svg class="plot"') == 2
    single = plain(render_agreement_report(cc.agreement(RUNS)))
    assert "No two partitions agree with ACI of at least 0.95" in single


def test_kinds_numbers_of_clusters_and_ids_may_differ():
    ids = [f"object {i}" for i in range(60)]
    fuzzy = cc.Partition(RUNS["run 1"], ids=ids)
    turned = cc.Partition(RUNS["run 2"][::-1], ids=ids[::-1])
    crisp = cc.Partition([i % 5 for i in range(60)], ids=ids)
    found = cc.agreement([fuzzy, turned, crisp], match_by="id")
    groups = cc.Partition(GROUPS[::-1], ids=ids[::-1])
    text = plain(render_agreement_report(found, groups=groups))
    assert "60 objects, matched by id" in text
    assert "objects are ordered by group" in text


def test_ways_of_reading_are_told_once():
    readings = ["5 columns", "7 columns"] * 3
    text = plain(render_agreement_report(cc.agreement(RUNS), readings=readings))
    assert "1, 3, 5: 5 columns 2, 4, 6: 7 columns" in text
    assert text.count("7 columns") == 1


def test_names_are_escaped_and_not_run():
    found = cc.agreement(
        dict(zip([NASTY, "b", "x" * 300], RUNS.values(), strict=False))
    )
    page = render_agreement_report(found, groups=[NASTY] * 60, readings=[NASTY, "", ""])
    assert NASTY not in page
    assert page.count("<script>") == 1


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        (GROUPS[1:], "run 1 has 60 objects and groups has 59"),
        (RUNS["run 1"], "one label for each object"),
        (True, "these have none"),
    ],
)
def test_groups_of_other_objects_are_refused(groups, message):
    with pytest.raises(ValueError, match=message):
        render_agreement_report(cc.agreement(RUNS), groups=groups)


def test_what_is_no_agreement_by_aci_is_refused():
    with pytest.raises(TypeError, match="must be an Agreement, as cc.agreement makes"):
        render_agreement_report(RUNS)
    with pytest.raises(ValueError, match="is about ACI, and this is NDC"):
        render_agreement_report(cc.agreement(RUNS, index="ndc"))


def test_the_command_takes_more_than_two_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = []
    for number, memberships in enumerate(RUNS.values(), start=1):
        files.append(f"run{number}.3.Q")
        write_table(files[-1], memberships, names=["a", "b", "c"])
    Path("groups.txt").write_text("".join(f"{group}\n" for group in GROUPS))
    words = ("report", *files, "--threshold", 0.5, "--groups", "groups.txt")
    words += ("--out", "page.html")
    assert output_of(*words) == "page.html\n"
    page = Path("page.html").read_text(encoding="utf-8")
    assert "2 modes of 6 partitions" in plain(page)
    assert "group_2" in page
    output_of(*words[:-1], "again.html", "--jobs", 2)
    assert Path("again.html").read_text(encoding="utf-8") == page
    assert "these have none" in fault_of("report", *files, "--out", "x", "--groups")
    for refused, message in (
        ((*files, "--truth", files[0]), "--truth is for two files"),
        ((*files[:2], "--threshold", 0.9), "--threshold is for more than two"),
        ((*files, "--threshold", 95), "--threshold must be a number up to 1"),
        ((*files, "--threshold", "nan"), "--threshold must be a number up to 1"),
        (files[:1], "at least two files are needed"),
    ):
        done = run("report", *refused)
        assert done.exit_code == 2
        assert message in done.stderr


def test_objects_stand_in_one_order_in_all_pictures(monkeypatch):
    import concordant.report.agreement_page as page

    orders = []
    drawn = page.draw_structure

    def noted(ax, aligned, labels, groups, places, *colors):
        orders.append(places.tolist())
        drawn(ax, aligned, labels, groups, places, *colors)

    monkeypatch.setattr(page, "draw_structure", noted)
    page.render_agreement_report(cc.agreement(RUNS), threshold=0.5)
    assert len(orders) == 2
    assert orders[0] == orders[1]
