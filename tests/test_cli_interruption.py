"""A signal ends a command with one line, and leaves no file that is not finished."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from command_line import environment
from once import LONG, wait_until

LINE = "concordant: interrupted\n"
AMID_WORK = {
    "compare, JSON": "compare P.npy Q.npy --out out.json",
    "compare, CSV, two threads": "compare P.npy Q.npy --out out.csv --jobs 2",
    "agreement": "agreement P.npy Q.npy --out out.json --plot out.svg --index rand"
    " --family campello",
    "modes": "modes P.npy Q.npy --out means --plot out.pdf",
    "report": "report P.npy Q.npy --out out.html",
    "cluster": "cluster Q.npy --k 9 --tol 0 --starts 1000000 --max-iter 1000000"
    " --out out.csv",
    "stability": "stability Q.npy --k 2:9 --starts 50 --resamples 1000 --out out.json",
}
OFTEN = ("compare, CSV, two threads", "agreement", "cluster")
AT_ANY_MOMENT = {
    "compare, long": "compare P.npy Q.npy --out out.json",
    "compare, short": "compare P.csv Q.csv --out out.json",
    "compare, two threads, checkpoint": "compare P.npy Q.npy --jobs 2"
    " --checkpoint work.ckpt",
    "reproduce, one process": "reproduce bias --jobs 1",
    "reproduce, two processes": "reproduce bias --jobs 2",
}


@pytest.fixture(scope="module")
def memberships():
    """Draw memberships whose pairs take long to visit."""
    return np.random.default_rng(0).dirichlet([1.0, 1.0, 1.0], 60_000)


@pytest.fixture
def folder(tmp_path, memberships):
    """Make a folder of partitions, two of them large."""
    for name in "PQ":
        np.save(tmp_path / f"{name}.npy", memberships)
        np.savetxt(tmp_path / f"{name}.csv", memberships[:200], delimiter=",")
    return tmp_path


def pressed(folder, words, ready, number=signal.SIGINT, disposition=signal.SIG_DFL):
    """
    Run a command and send a signal to its processes, as a terminal does, once ready.

    Return its exit code, what it wrote, and the names of files that it left.
    """
    given = {path.name for path in folder.iterdir()}
    with subprocess.Popen(
        [sys.executable, "-m", "concordant", *words.split()],
        cwd=folder,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # A shell may have started the tests with Ctrl-C ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, disposition),
    ) as started:
        ready(started)
        if started.poll() is None:
            os.killpg(started.pid, number)
        stdout, stderr = started.communicate(timeout=LONG)
    left = {path.name for path in folder.rglob("*") if path.is_file()} - given
    return started.returncode, stdout, stderr, left


def fed(pipe, data):
    """Write the input of a command to a pipe, and give it a moment to begin."""
    os.mkfifo(pipe)

    def ready(started):
        with open(pipe, "wb") as stream:  # opens when the command opens it
            stream.write(data)
        time.sleep(1.0)
        assert started.poll() is None

    return ready


@pytest.mark.parametrize(
    "command",
    [
        name if name in OFTEN else pytest.param(name, marks=pytest.mark.long)
        for name in AMID_WORK
    ],
)
def test_long_work_is_interrupted(folder, command):
    (folder / "Q.npy").unlink()
    ready = fed(folder / "Q.npy", (folder / "P.npy").read_bytes())
    found = pressed(folder, AMID_WORK[command], ready)
    assert found == (130, "", LINE, set())


def test_waiting_for_input_is_interrupted(tmp_path):
    ready = fed(tmp_path / "P.csv", b"0\n1\n")
    assert pressed(tmp_path, "compare P.csv -", ready) == (130, "", LINE, set())


@pytest.mark.parametrize("command", AT_ANY_MOMENT)
@pytest.mark.parametrize("moment", [pytest.param(0.2, marks=pytest.mark.long), 1.0])
def test_ctrl_c_at_any_moment_gives_one_line_and_no_file(folder, command, moment):
    code, stdout, stderr, left = pressed(
        folder, AT_ANY_MOMENT[command], lambda started: time.sleep(moment)
    )
    # A run and a checkpoint keep what is done, each file whole.
    kept = {name for name in left if name.endswith(".csv.gz")}
    kept |= {"settings.json", "work.ckpt"}
    interrupted = (code, stdout, stderr) == (130, "", LINE) and left <= kept
    # On a busy machine Python itself may not have started, or all be done.
    done = code == 0 and stderr == ""
    not_begun = "concordant" not in stderr and not left
    assert interrupted or done or not_begun, (code, stdout, stderr, left)


def test_ctrl_c_in_a_callback_is_told_once():
    """An import has such callbacks; what they raise nobody can catch."""
    script = """
import os, signal, weakref
from concordant.cli.faults import check_not_stopped, obey_signals
class Object: pass
obey_signals()
thing = Object()
watch = weakref.ref(thing, lambda gone: os.kill(os.getpid(), signal.SIGINT))
other = weakref.ref(thing, lambda gone: 1 / 0)
del thing
try:
    check_not_stopped()
except KeyboardInterrupt:
    print("stopped")
"""
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=environment(),
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (130, "stopped\n")
    assert "ZeroDivisionError" in done.stderr
    assert "KeyboardInterrupt" not in done.stderr


def test_a_signal_to_terminate_is_told_as_one(tmp_path):
    code, stdout, stderr, left = pressed(
        tmp_path,
        AT_ANY_MOMENT["reproduce, two processes"],
        lambda started: wait_until(lambda: [*tmp_path.rglob("settings.json")]),
        signal.SIGTERM,
    )
    assert (code, stdout, stderr) == (143, "", "concordant: terminated\n")
    assert not [name for name in left if name.endswith(".tmp")]


def test_a_command_that_ignores_ctrl_c_goes_on(folder):
    code, stdout, stderr, _ = pressed(
        folder,
        "compare P.csv Q.csv",
        lambda started: time.sleep(0.3),
        disposition=signal.SIG_IGN,
    )
    assert (code, stderr) == (0, "")
    assert stdout.startswith("P.csv and Q.csv are exactly alike for every pair of ")
    assert stdout.endswith("200 objects, matched by position\n")
