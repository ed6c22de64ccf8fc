"""Kernels give the same without compilation, and work where nothing can be cached."""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import click
import numpy as np
import pytest

import concordant as cc
from concordant.cli import main
from concordant.cli.progress_bar import progress_bar
from concordant.kernels import compiling
from concordant.kernels.announcing import announce, told_of_compiling

CODE = """
import json, numpy as np, concordant as cc
from partitions import compared_by
from concordant.execution.run import Run
from concordant.catalogue.terms import CONCORDANCE
from concordant.compute import gather
rng = np.random.default_rng(0)
U, V = rng.dirichlet([1] * 3, 60), rng.dirichlet([1] * 8, 60)
W, Z = np.round(U, 3), rng.multinomial(255, [0.2, 0.3, 0.5], 60) / 255
S = np.eye(3)[U.argmax(axis=1)] + [1e-6, 0, -1e-6]
tables, found = [], []
for P, Q in ((U, V), (W, Z), (S, U)):
    tables += compared_by("binned", P, Q, families="all").tables.values()
    for value in ("l1", "inner"):
        run = Run(method="binned", similarity=value)
        both = cc.Partition(P), cc.Partition(Q)
        found.append(gather(*both, [CONCORDANCE], run)[CONCORDANCE])
values = [x for t in tables for x in (t.a, t.b, t.c, t.d)]
values += [x for c in found for x in (c.ndc, c.expected, c.aci)]
print(json.dumps(values))
"""


def run(code, **environment):
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent), **environment},
    )
    return json.loads(done.stdout)


@pytest.mark.long
@pytest.mark.parametrize(
    "settings",
    [
        {"NUMBA_DISABLE_JIT": "1"},
        {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""},
    ],
    ids=["without compilation", "on the plainest CPU"],
)
def test_kernels_give_the_same_bits(settings):
    assert run(CODE, **settings) == compiled_for_this_cpu()


@cache
def compiled_for_this_cpu():
    return run(CODE)


def test_an_unwritable_cache_still_works_with_a_warning_that_says_what_to_do():
    code = """
import warnings, json
import numpy as np
import concordant
from numba.core import caching
for locator in caching.CacheImpl._locator_classes:
    locator.from_function = classmethod(lambda *arguments: None)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    U = np.random.default_rng(0).dirichlet([1] * 3, 500)
    aci = concordant.adjusted_concordance_index(U, U[::-1])
texts = [str(w.message) for w in caught]
print(json.dumps([aci, [t for t in texts if "NUMBA_CACHE_DIR" in t]]))
"""
    aci, texts = run(code)
    U = np.random.default_rng(0).dirichlet([1] * 3, 500)
    assert aci == cc.adjusted_concordance_index(U, U[::-1])
    assert len(set(texts)) == 1
    assert "set NUMBA_CACHE_DIR to a folder" in texts[0]


def test_only_one_module_imports_numba():
    source = Path(__file__).parents[1] / "src" / "concordant"
    importers = [
        path.name
        for path in source.rglob("*.py")
        if "import numba" in path.read_text() or "from numba" in path.read_text()
    ]
    assert importers == ["compiling.py"]


def test_one_is_told_once_if_compiling_takes_long(monkeypatch):
    now, told = [0.0], []
    monkeypatch.setattr("numba.core.event.timer", lambda: now[0])
    watch = compiling.Stopwatch()
    with told_of_compiling(lambda: told.append(now[0])):
        for _ in range(3):  # functions that others call are compiled within these
            watch.on_start(None)
            now[0] += 0.5
            watch.on_start(None)
            now[0] += 0.4
            watch.on_end(None)
            watch.on_end(None)
            now[0] += 100.0  # work
        assert told == [pytest.approx(202.7)]
        watch.on_start(None)
        watch.on_end(None)
    assert len(told) == 1


def test_standard_error_is_told_if_nobody_asks(capsys):
    told = []
    with told_of_compiling(lambda: told.append("one")):
        announce()
    assert told == ["one"]
    assert capsys.readouterr().err == ""
    announce()
    assert told == ["one"]
    assert "compiling inner loops for this machine" in capsys.readouterr().err


@pytest.mark.parametrize(("watched", "quiet"), [(1, 0), (1, 1), (0, 0), (0, 1)])
def test_the_command_line_says_that_it_compiles(watched, quiet, capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: bool(watched))
    with click.Context(main) as ctx:
        ctx.params["quiet"] = bool(quiet)
        with progress_bar():
            announce()
    told = capsys.readouterr().err
    assert ("concordant: compiling inner loops" in told) == (watched and not quiet)
    assert told == "" or watched
