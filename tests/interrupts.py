"""
Press Ctrl-C at random moments, and count what becomes of it.

    python tests/interrupts.py 200

A command must end with 130 and one line, and leave no file that it did not finish. The
interpreter itself takes some time before the first line of ours is run; what Ctrl-C
does in that time is Python's: its own traceback, or death by the signal, which a shell
reports as 130. Such ends are counted by themselves, with the latest moment at which
one was seen. A command that was done when Ctrl-C came ends with 0 and a whole file.
"""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import numpy as np
from command_line import environment
from once import LONG, wait_until

#: Words of a command, with seconds within which Ctrl-C comes.
COMMANDS = {
    "compare, long": (["compare", "P.npy", "Q.npy", "--out", "out.json"], 3.0),
    "compare, short": (["compare", "P.csv", "Q.csv", "--out", "out.json"], 0.8),
    "compare, two threads, checkpoint": (
        ["compare", "P.npy", "Q.npy", "--jobs", "2", "--checkpoint", "work.ckpt"],
        4.0,
    ),
    "reproduce, one process": (["reproduce", "bias", "--jobs", "1"], 5.0),
    "reproduce, two processes": (["reproduce", "bias", "--jobs", "2"], 7.0),
}
LINE = "concordant: interrupted\n"
_MODULE = [sys.executable, "-m", "concordant"]


def write_data(folder):
    """Write partitions, two of them so large that no command is done with them."""
    rng = np.random.default_rng(0)
    for name in "PQ":
        memberships = rng.dirichlet([1.0, 1.0, 1.0], 60_000)
        np.save(folder / f"{name}.npy", memberships)
        np.savetxt(folder / f"{name}.csv", memberships[:200], delimiter=",")


def pressed(words, data, seconds, number=signal.SIGINT, program=_MODULE, after=None):
    """
    Run a command and send a signal to its group of processes, as a terminal does.

    The seconds count from the start, or from when there is a file of the name `after`.

    Returns
    -------
    tuple
        Exit code, standard output, standard error, and files that are left over.
    """
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        for path in data.iterdir():
            (place / path.name).symlink_to(path)
        given = {path.name for path in data.iterdir()}
        with subprocess.Popen(
            [*program, *words],
            cwd=place,
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        ) as started:
            if after is not None:
                wait_until(lambda: started.poll() is not None or [*place.rglob(after)])
            time.sleep(seconds)
            if started.poll() is None:
                os.killpg(started.pid, number)
            stdout, stderr = started.communicate(timeout=LONG)
        left = {p.name for p in place.rglob("*") if p.is_file()} - given
        return started.returncode, stdout, stderr, left


def outcome(code, stdout, stderr, left):
    """Name what became of a command."""
    # A run and a checkpoint keep what is done, each file whole.
    kept = {n for n in left if n.endswith(".csv.gz")} | {"settings.json", "work.ckpt"}
    if code == 0 and stderr == "":
        return "done"
    if code == 130 and stderr == LINE and stdout == "" and left <= kept:
        return "interrupted"
    if "concordant" not in stderr and not left:
        return "before us"
    return "WRONG"


def main(n, program=_MODULE):
    rng = random.Random(0)
    print(f"{'':34}{'interrupted':>12}{'done':>6}{'before us':>11}{'WRONG':>7}", end="")
    print("   latest before us")
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        write_data(data)
        for name, (words, longest) in COMMANDS.items():
            counts, latest = Counter(), 0.0
            for _ in range(n // len(COMMANDS)):
                # Half of them while Python starts and imports.
                moment = rng.uniform(0.01, rng.choice([0.3, longest]))
                found = pressed(words, data, moment, program=program)
                kind = outcome(*found)
                counts[kind] += 1
                if kind == "before us":
                    latest = max(latest, moment)
                if kind == "WRONG":
                    print(f"{moment:.4f} s: {found}")
            wrong += counts["WRONG"]
            cells = (counts[kind] for kind in ("interrupted", "done", "before us"))
            print(f"{name:34}", *(f"{cell:>9}" for cell in cells), end="  ")
            print(f"{counts['WRONG']:>9}   {1000 * latest:.0f} ms", flush=True)
    return wrong


if __name__ == "__main__":
    count, *words = sys.argv[1:]
    sys.exit(main(int(count), words or _MODULE) > 0)
