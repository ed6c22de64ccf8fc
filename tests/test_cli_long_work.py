"""Long comparisons go on from a checkpoint, and run on a cluster."""

import json
import re
import signal
import subprocess
import sys

import numpy as np
import pytest
from command_line import environment, fault_of, output_of, process
from once import LONG, cpu_seconds, wait_until

import concordant


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    rng = np.random.default_rng(0)
    for name in ("P", "Q", "R"):
        np.save(folder / f"{name}.npy", rng.dirichlet([1, 1, 1], 2000))
        np.save(folder / f"big_{name}.npy", rng.dirichlet([1] * 6, 16_000))
    return folder


def test_a_checkpoint_holds_all_tables(files, tmp_path):
    words = ["compare", files / "P.npy", files / "Q.npy", "--json"]
    plain = output_of(*words)
    kept = tmp_path / "work.ckpt"
    assert output_of(*words, "--checkpoint", kept) == plain
    assert output_of(*words, "--checkpoint", kept, "--jobs", 2) == plain
    other = ["compare", files / "P.npy", files / "R.npy", "--checkpoint", kept]
    assert "a checkpoint of other data" in fault_of(*other)
    kept.write_bytes(kept.read_bytes()[:-1])
    assert "cut short or damaged" in fault_of(*words, "--checkpoint", kept)
    nowhere = tmp_path / "no" / "work.ckpt"
    assert "no directory" in fault_of(*words, "--checkpoint", nowhere)


@pytest.mark.parametrize("python", [[], ["-W", "error"]])
def test_a_full_disk_amid_the_work_is_told_in_one_line(python, files, tmp_path):
    kept = tmp_path / "work.ckpt"
    code = f"""
import errno, os, sys
from concordant.cli import main
from concordant.execution import checkpoint
checkpoint._INTERVAL = 0.0
synced = os.fsync
def full(number):
    if os.path.exists({str(kept)!r}):  # which was written before the work
        raise OSError(errno.ENOSPC, "No space left on device")
    synced(number)
os.fsync = full
main(sys.argv[1:])
"""
    words = ["compare", files / "P.npy", files / "Q.npy", "--json", "--index", "aci"]
    ended = subprocess.run(
        [sys.executable, *python, "-c", code, *map(str, words), "--checkpoint", kept],
        env=environment(),
        capture_output=True,
        text=True,
    )
    assert ended.stderr == (
        f"concordant: checkpoint {kept}: cannot be written: no space left on device; "
        "the work continues, and the last one is kept\n"
    )
    assert (ended.returncode, ended.stdout) == (0, output_of(*words))


@pytest.mark.parametrize("n_handles", [24, 32])
def test_workers_for_which_handles_are_too_few_are_told(n_handles, files):
    resource = pytest.importorskip("resource")
    most = (n_handles, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
    ended = process(
        *("compare", files / "P.npy", files / "Q.npy", "--dask", "local:2"),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, most),
        capture_output=True,
        text=True,
    )
    assert (ended.returncode, ended.stdout) == (2, "")
    assert re.fullmatch(
        r"concordant: local:2: the workers cannot be started \(.*[Tt]oo many open "
        r"files.*\); fewer of them need less, and --jobs 2 uses threads, .*\n",
        ended.stderr,
    )


def test_ctrl_c_keeps_what_is_done(files, tmp_path):
    kept = tmp_path / "work.ckpt"
    words = ["compare", files / "big_P.npy", files / "big_Q.npy", "--index", "aci"]
    words = [*map(str, [*words, "--json", "--checkpoint", kept])]
    with subprocess.Popen(
        [sys.executable, "-m", "concordant", *words],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as started:
        wait_until(kept.exists)
        empty = kept.stat().st_size
        # On a busy machine seconds may pass without any work.
        enough = cpu_seconds(started.pid) + 0.3
        wait_until(lambda: cpu_seconds(started.pid) >= enough)
        started.send_signal(signal.SIGINT)
        stdout, stderr = started.communicate(timeout=LONG)
    assert (stdout, stderr) == ("", "concordant: interrupted\n")
    assert started.returncode == 130
    assert kept.stat().st_size > empty
    plain = output_of(*words[:-2])
    assert output_of(*words) == plain
    assert json.loads(plain)["concordance"]["method"] == "binned"


def test_workers_of_this_machine(files):
    words = ["compare", files / "P.npy", files / "Q.npy", "--json"]
    assert output_of(*words, "--dask", "local:2") == output_of(*words)
    words = ["agreement", files / "P.npy", files / "Q.npy", files / "R.npy", "--csv"]
    assert output_of(*words, "--dask", "local:1") == output_of(*words)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--dask", "local:none"], "local:N needs a number of workers"),
        (["--dask", "127.0.0.1:1", "--jobs", "2"], "leave it out with --dask"),
        (["--dask", "nowhere"], "no Dask scheduler answers at 'nowhere'"),
        (["--stream", "--dask", "local:2"], "--dask"),
        (["--stream", "--checkpoint", "work.ckpt"], "--checkpoint"),
    ],
)
def test_what_cannot_be_is_told_in_one_line(options, message, files):
    assert message in fault_of("compare", files / "P.npy", files / "Q.npy", *options)


def test_without_dask_the_extra_is_named(files, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delitem(sys.modules, "concordant.execution.dask_workers", raising=False)
    monkeypatch.delattr(concordant, "distributed", raising=False)
    words = ["compare", files / "P.npy", files / "Q.npy", "--json"]
    told = fault_of(*words, "--dask", "local:2")
    assert told == "Dask is not installed: pip install 'dask[array]' distributed"
    assert output_of(*words)
