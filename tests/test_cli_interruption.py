"""Ctrl-C ends a command at once, with no output."""

import os
import signal
import subprocess
import sys
import time

import interrupts
import numpy as np
import pytest
from command_line import environment

INTERRUPTED = (130, "concordant: interrupted\n")


def interrupted(folder, words, ready):
    """Start a command, wait until it is at work, and press Ctrl-C."""
    with subprocess.Popen(
        [sys.executable, "-m", "concordant", *words],
        cwd=folder,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # a shell may have started the tests with Ctrl-C ignored
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as started:
        ready(started)
        started.send_signal(signal.SIGINT)
        stdout, stderr = started.communicate(timeout=120)
    assert stdout == ""
    return started.returncode, stderr


def feed(pipe, data):
    """Give a command its input by a pipe, and a moment to begin with it."""

    def ready(started):
        with open(pipe, "wb") as stream:  # opens when the command opens it
            stream.write(data)
        time.sleep(1.0)
        assert started.poll() is None

    return ready


@pytest.fixture
def big(tmp_path):
    """Give partitions whose pairs take long to visit, the second by a pipe."""
    memberships = np.random.default_rng(0).dirichlet([1.0, 1.0, 1.0], 60_000)
    np.save(tmp_path / "P.npy", memberships)
    os.mkfifo(tmp_path / "Q.npy")
    return tmp_path, feed(tmp_path / "Q.npy", (tmp_path / "P.npy").read_bytes())


@pytest.mark.parametrize("out", ["out.json", "out.csv"])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_long_comparison_is_interrupted(big, out, jobs):
    folder, ready = big
    words = ["compare", "P.npy", "Q.npy", "--out", out, "--jobs", jobs]
    assert interrupted(folder, words, ready) == INTERRUPTED
    assert {path.name for path in folder.iterdir()} == {"P.npy", "Q.npy"}


def test_a_long_matrix_is_interrupted(big):
    folder, ready = big
    words = ["matrix", "P.npy", "Q.npy", "--out", "out.json", "--plot", "out.svg"]
    words += ["--index", "rand", "--family", "campello"]
    assert interrupted(folder, words, ready) == INTERRUPTED
    assert {path.name for path in folder.iterdir()} == {"P.npy", "Q.npy"}


def test_a_long_report_is_interrupted(big):
    folder, ready = big
    words = ["report", "P.npy", "Q.npy", "--out", "out.html"]
    assert interrupted(folder, words, ready) == INTERRUPTED
    assert {path.name for path in folder.iterdir()} == {"P.npy", "Q.npy"}


def test_a_long_clustering_is_interrupted(big):
    folder, ready = big
    words = ["cluster", "Q.npy", "--k", "9", "--tol", "0", "--out", "out.csv"]
    words += ["--starts", "1000000", "--max-iter", "1000000"]
    assert interrupted(folder, words, ready) == INTERRUPTED
    assert {path.name for path in folder.iterdir()} == {"P.npy", "Q.npy"}


def test_waiting_for_input_is_interrupted(tmp_path):
    os.mkfifo(tmp_path / "P.csv")
    ready = feed(tmp_path / "P.csv", b"0\n1\n")
    assert interrupted(tmp_path, ["compare", "P.csv", "-"], ready) == INTERRUPTED


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    interrupts.write_data(folder)
    return folder


@pytest.mark.parametrize("command", interrupts.COMMANDS)
@pytest.mark.parametrize("moment", [0.2, 1.0])
def test_ctrl_c_at_any_moment_gives_one_line_and_no_file(data, command, moment):
    words, _ = interrupts.COMMANDS[command]
    found = interrupts.pressed(words, data, moment)
    # On a busy machine Python itself may not have started, or all be done.
    assert interrupts.outcome(*found) in ("interrupted", "done", "before us"), found


def test_a_signal_to_terminate_is_told_as_one(data):
    words, _ = interrupts.COMMANDS["reproduce, two processes"]
    code, stdout, stderr, left = interrupts.pressed(
        words, data, 0.5, signal.SIGTERM, after="settings.json"
    )
    assert (code, stdout, stderr) == (143, "", "concordant: terminated\n")
    assert not [name for name in left if name.endswith(".tmp")]


def test_a_command_that_ignores_ctrl_c_goes_on(data, tmp_path):
    with subprocess.Popen(
        [sys.executable, "-m", "concordant", "compare", "P.csv", "Q.csv"],
        cwd=data,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
    ) as started:
        time.sleep(0.3)
        started.send_signal(signal.SIGINT)
        stdout, stderr = started.communicate(timeout=120)
    assert (started.returncode, stderr) == (0, "")
    assert stdout.startswith("P: P.csv")
