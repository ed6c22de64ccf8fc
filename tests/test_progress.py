"""Long work is never silent: a bar, or a warning where nobody would see one."""

import sys
import warnings
from contextlib import nullcontext
from types import SimpleNamespace

import numpy as np
import pytest

import concordant as cc
from concordant.execution import progress
from concordant.execution.progress import LongWorkWarning
from concordant.wording import duration

RNG = np.random.default_rng(5)
U, V = RNG.dirichlet([1, 1, 1], size=600), RNG.dirichlet([1, 1], size=600)
CALLS = [
    cc.adjusted_concordance_index,
    cc.concordance,
    cc.compare,
    lambda P, Q: cc.compare(P, Q, families=["huellermeier"]),
]


@pytest.fixture
def long(monkeypatch):
    """Let everything be long."""
    monkeypatch.setattr(progress, "_BAR", 0.0)
    monkeypatch.setattr(progress, "_WARNING", 0.0)


@pytest.mark.parametrize("call", CALLS)
def test_long_work_that_nobody_sees_is_told_once_with_a_remedy(long, call):
    with pytest.warns(LongWorkWarning) as caught:
        call(U, V)
    (told,) = caught
    assert str(told.message) == (
        "visiting all 1.8e+05 pairs of objects will take about 0 seconds; "
        "compare(P, Q, tol=1e-3) estimates ACI from a sample of them, with its error, "
        "and n_jobs=-1 uses all cores"
    )
    assert told.filename == __file__


def test_short_work_and_what_needs_no_pairs_is_silent(long):
    labels = V.argmax(axis=1)
    cc.compare(U, labels)
    cc.compare(labels, labels)
    cc.compare(U[:100], V[:100])


def test_nothing_is_said_if_that_is_asked_for(long, capsys):
    cc.compare(U, V, progress=False)
    cc.agreement([U, V, U], progress=False)
    assert capsys.readouterr().err == ""


def test_a_terminal_shows_a_bar_and_the_forecast(long, monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    cc.concordance(U, V)
    shown = " ".join(capsys.readouterr().err.split())
    assert "visiting all 1.8e+05 pairs of objects will take about" in shown
    assert "tol=1e-3" in shown


def test_all_cores_are_advised_where_one_works(long):
    with pytest.warns(LongWorkWarning, match="its error$"):
        cc.concordance(U, V, n_jobs=2)


SQUARED = U**2 / (U**2).sum(axis=1, keepdims=True)
LONG_WORK = {
    "for 3 pairs of partitions will take about 0 seconds; checkpoint=": (
        lambda: cc.agreement([U, V, SQUARED])
    ),
    "comparing each of 600 objects with 20 others will take about 0 seconds$": (
        lambda: cc.local_concordance(U, V, n_partners=20)
    ),
    "testing with 99 permutations, if all are needed, will take about 0 seconds$": (
        lambda: cc.concordance_test(U, V.argmax(axis=1), n_permutations=99)
    ),
    "computing the index 20 times will take about 0 seconds$": (
        lambda: cc.confidence_interval(U[:20], V[:20], index=cc.rand_index)
    ),
}


@pytest.mark.parametrize("told", LONG_WORK)
def test_long_work_of_other_kinds_is_told_once(long, told):
    with pytest.warns(LongWorkWarning, match=told) as caught:
        LONG_WORK[told]()
    assert len(caught) == 1


def test_code_that_is_loaded_first_is_no_long_work(monkeypatch):
    clock = iter([0.0, 0.3, 1.0, 1.25, 2.0, 2.0625, 3.0, 3.5])
    monkeypatch.setattr(
        progress, "time", SimpleNamespace(monotonic=lambda: next(clock))
    )
    numbers = iter(range(5))
    assert progress.timed(lambda: next(numbers), 160) == (0, 10.0)
    assert progress.timed(lambda: next(numbers), 2) == (3, 1.0)  # short: once


def test_a_notebook_wraps_the_forecast(monkeypatch, capsys):
    rich = pytest.importorskip("rich.progress")
    jupyter = SimpleNamespace(is_jupyter=True)
    drawn = SimpleNamespace(add_task=lambda *_, **__: 0, update=lambda *_, **__: None)
    monkeypatch.setattr("rich.console.Console", lambda **_: jupyter)
    monkeypatch.setattr(rich, "Progress", lambda **_: nullcontext(drawn))
    with progress.bar("word " * 200) as tell:
        tell(1, 2, 0.5)
    assert capsys.readouterr().err == "word " * 200 + "\n"


def test_a_bar_is_drawn_if_it_is_asked_for(capsys):
    for call in (cc.concordance, cc.compare, lambda *x, **how: cc.agreement(x, **how)):
        call(U, V, progress=True)
        assert capsys.readouterr().err


def test_a_callback_is_called_and_no_bar_is_drawn(long, capsys):
    told = []
    cc.compare(U, V, progress=lambda *seen: told.append(seen))
    assert told[-1][:2] == (600 * 599 // 2,) * 2
    assert capsys.readouterr().err == ""


def test_a_notebook_with_widgets_shows_a_bar(monkeypatch):
    rich = pytest.importorskip("rich.console")
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace())
    monkeypatch.setattr(rich, "Console", lambda **_: SimpleNamespace(is_jupyter=True))
    for spec, seen in ((object(), True), (None, False)):
        monkeypatch.setattr(progress, "find_spec", lambda name, spec=spec: spec)
        assert progress._is_watched() is seen


@pytest.mark.parametrize(
    "call", [cc.compare, cc.concordance, lambda *x, **how: cc.stream([x], **how)]
)
def test_progress_is_a_function_or_a_flag(call):
    with warnings.catch_warnings(), pytest.raises(TypeError, match="progress must be"):
        call(U, V, progress="yes")


def test_times_are_said_in_whole_units():
    for seconds, said in (
        (1, "1 second"),
        (80, "80 seconds"),
        (91, "2 minutes"),
        (5000, "83 minutes"),
        (6600, "2 hours"),
    ):
        assert duration(seconds) == said
