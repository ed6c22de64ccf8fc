"""Work that is interrupted goes on from its checkpoint, to the same bits."""

import errno
import hashlib
import io
import os
import random
import signal
import subprocess
import sys
import time
import zipfile
from functools import partial

import numpy as np
import pytest
from command_line import environment
from once import wait_until

import concordant as cc
from concordant.execution import checkpoint
from concordant.files import FileError
from concordant.storage.archive import Archive, read_archive, write_archive

N = 2600


def content(file, kind="concordant checkpoint", version=checkpoint._VERSION):
    with read_archive(file, kind, version) as found:
        return found


def pair(n=N, seed=0):
    rng = np.random.default_rng(seed)
    U = rng.dirichlet([0.5, 0.5, 1], size=n)
    return U, 0.5 * (U + rng.dirichlet([1, 1, 1], size=n))


def crowded(n=N):
    """Memberships that one grid is too coarse for."""
    rng = np.random.default_rng(1)
    U = np.full((n, 3), 1 / 3) + 1e-9 * rng.standard_normal((n, 3))
    U[:, 2] = 1.0 - U[:, 0] - U[:, 1]
    U[0] = [1.0, 0.0, 0.0]
    return U, U[rng.permutation(n)]


JOBS = {
    "all pairs": (cc.concordance, pair, {"method": "binned"}),
    "several passes": (cc.concordance, crowded, {"method": "binned"}),
    "a sample": (
        cc.concordance,
        pair,
        {"method": "sampled", "tol": 2e-3, "random_state": 7},
    ),
    "campello": (cc.pair_table, pair, {"family": "campello"}),
    "all at once": (cc.compare, pair, {}),
    "a sampled table": (
        cc.pair_table,
        pair,
        {"family": "campello", "tol": 2e-3, "random_state": 7},
    ),
}


class StopWorkError(Exception):
    pass


def interrupting(after):
    """Make a progress callback that ends the work when it is called so often."""
    calls = 0

    def progress(done, total, estimate):
        nonlocal calls
        calls += 1
        if calls > after:
            raise StopWorkError

    return progress


@pytest.fixture
def talkative(monkeypatch):
    monkeypatch.setattr("concordant.execution.progress._INTERVAL", 0.0)


@pytest.mark.parametrize("name", JOBS)
def test_interrupted_work_goes_on_to_the_same_bits(name, talkative, tmp_path):
    function, data, options = JOBS[name]
    P, Q = data()
    file = tmp_path / "work.ckpt"
    fresh, resumed = [], []

    def telling(told):
        return lambda done, total, estimate: told.append(done)

    expected = function(P, Q, progress=telling(fresh), **options)
    for n_jobs in (1, 2, 1):
        with pytest.raises(StopWorkError):
            function(
                P,
                Q,
                checkpoint=file,
                n_jobs=n_jobs,
                progress=interrupting(after=1),
                **options,
            )
    found = function(
        P,
        Q,
        checkpoint=file,
        progress=telling(resumed),
        **options,
    )
    assert found == expected
    assert resumed == fresh[6:]  # three times two parts were done before
    assert function(P, Q, checkpoint=file, **options) == expected


def test_work_without_interruption_keeps_its_result(tmp_path):
    P, Q = pair()
    file = tmp_path / "work.ckpt"
    first = cc.compare(P, Q, checkpoint=file)
    calls = []
    second = cc.compare(
        P, Q, checkpoint=file, progress=lambda *told: calls.append(told)
    )
    assert second == first
    assert not calls


def test_a_smaller_tolerance_goes_on_with_the_same_sample(tmp_path):
    P, Q = pair()
    file = tmp_path / "work.ckpt"
    how = {"method": "sampled", "random_state": 3}
    coarse = cc.concordance(P, Q, tol=5e-3, checkpoint=file, **how)
    fine = cc.concordance(P, Q, tol=5e-4, checkpoint=file, **how)
    assert fine == cc.concordance(P, Q, tol=5e-4, **how)
    assert coarse.n_pairs < fine.n_pairs


def test_other_data_are_refused(tmp_path):
    P, Q = pair()
    file = tmp_path / "work.ckpt"
    cc.concordance(P, Q, method="binned", checkpoint=file)
    before = file.read_bytes()
    for other in (pair(seed=5), (Q, P), (P[:-1], Q[:-1])):
        with pytest.raises(FileError, match="a checkpoint of other data"):
            cc.concordance(*other, method="binned", checkpoint=file)
    assert file.read_bytes() == before


def test_a_sample_must_be_the_same_one(tmp_path):
    P, Q = pair()
    for random_state in (None, np.random.default_rng(0)):
        with pytest.raises(ValueError, match="random_state to be a whole number"):
            cc.concordance(
                P,
                Q,
                method="sampled",
                tol=0.01,
                random_state=random_state,
                checkpoint=tmp_path / "c",
            )


DAMAGES = {
    "emptied": lambda data: b"",
    "cut in half": lambda data: data[: len(data) // 2],
    "cut to its first line": lambda data: data[:64],
    "flipped": lambda data: data[:200] + bytes([data[200] ^ 1]) + data[201:],
    "something else": lambda data: b"P,Q\n" * 100,
    "of another version": lambda data: data.replace(
        b"checkpoint %d" % checkpoint._VERSION, b"checkpoint 7"
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_refused_with_what_to_do_and_left(damage, tmp_path):
    P, Q = pair(500)
    file = tmp_path / "work.ckpt"
    cc.concordance(P, Q, checkpoint=file)
    damaged = DAMAGES[damage](file.read_bytes())
    file.write_bytes(damaged)
    with pytest.raises(FileError, match="give another file, or remove this one to sta"):
        cc.concordance(P, Q, checkpoint=file)
    assert file.read_bytes() == damaged


def test_archives_are_checked(tmp_path):
    file = tmp_path / "archive"
    write_archive(file, "thing", 2, Archive({"x": 2**200}, {"y": np.arange(3)}))
    facts, arrays = content(file, "thing", 2)
    assert facts == {"x": 2**200}
    assert arrays["y"].tolist() == [0, 1, 2]
    with pytest.raises(FileError, match="not a concordant checkpoint"):
        content(file, "concordant checkpoint")
    with pytest.raises(FileError, match="a thing of version '2', where this release"):
        content(file, "thing", 3)
    with pytest.raises(FileError, match="is a directory"):
        content(tmp_path, "thing")


def test_no_archive_is_unpickled(tmp_path):
    file = tmp_path / "archive"
    objects = np.array([{}], dtype=object)
    with pytest.raises(ValueError, match="Object arrays cannot be saved"):
        write_archive(file, "thing", 2, Archive({}, {"y": objects}))
    inner = io.BytesIO()
    np.savez(inner, facts=np.frombuffer(b"{}", np.uint8), y=objects)
    data = inner.getvalue()
    head = b"thing 2".ljust(63) + b"\n"
    file.write_bytes(head + hashlib.sha256(data).digest() + data)
    with pytest.raises(FileError, match="not a thing .Object arrays cannot be loaded"):
        content(file, "thing", 2)


def test_a_member_that_is_no_array_is_refused(talkative, tmp_path):
    file = tmp_path / "work.ckpt"
    again, _ = interrupted(file)
    whole = file.read_bytes()
    inner = io.BytesIO(whole[96:])
    with zipfile.ZipFile(inner, "a") as archive:
        archive.writestr("0/0/counts", b"no array")
    data = inner.getvalue()
    file.write_bytes(whole[:64] + hashlib.sha256(data).digest() + data)
    with pytest.raises(
        FileError, match="not a concordant check.* .'0/0/counts' is no array"
    ):
        again()


def interrupted(file):
    """Interrupt a comparison; return it as a function, and what its file holds."""
    P, Q = pair()
    again = partial(cc.concordance, P, Q, method="binned", checkpoint=file)
    with pytest.raises(StopWorkError):
        again(progress=interrupting(after=3))
    return again, content(file)


def test_a_place_that_cannot_be_written_is_told_before_the_work(tmp_path):
    P, Q = pair()
    with pytest.raises(FileError, match="cannot be written: no directory"):
        cc.concordance(P, Q, method="binned", checkpoint=tmp_path / "no" / "c")
    with pytest.raises(FileError, match="is a directory"):
        cc.concordance(P, Q, method="binned", checkpoint=tmp_path)


def test_a_full_disk_is_told_and_ends_nothing(talkative, monkeypatch, tmp_path):
    monkeypatch.setattr(checkpoint, "_INTERVAL", 0.0)
    P, Q = pair()
    file = tmp_path / "work.ckpt"
    with pytest.raises(StopWorkError):
        cc.concordance(
            P, Q, method="binned", checkpoint=file, progress=interrupting(after=3)
        )
    before = content(file).facts
    calls = 0

    def full(descriptor):
        nonlocal calls
        calls += 1
        if calls > 1:  # the first is that of the beginning
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.warns(RuntimeWarning, match="no space left.*continues"):
        found = cc.concordance(P, Q, method="binned", checkpoint=file)
    assert found == cc.concordance(P, Q, method="binned")
    assert content(file).facts == before
    assert [path.name for path in tmp_path.iterdir()] == ["work.ckpt"]


WORK = """
import sys
from concordant.cli import main
from concordant.execution import checkpoint
checkpoint._INTERVAL = 0.0
main(sys.argv[1:])
"""


def work(*words):
    return subprocess.Popen(
        [sys.executable, "-c", WORK, *map(str, words)],
        env=environment(),
        stdout=subprocess.PIPE,
        text=True,
    )


def n_done(file):
    if not file.exists():
        return 0
    jobs = content(file).facts["jobs"]
    return next(iter(jobs.values()))["n_done"] if jobs else 0


def goes_on(process, file, done):
    return n_done(file) > done or process.poll() is not None


@pytest.mark.long
@pytest.mark.parametrize(("command", "k"), [("compare", 2), ("agreement", 3)])
def test_killed_at_random_moments(tmp_path, command, k):
    rng = random.Random(0)
    file = tmp_path / "work.ckpt"
    names = [tmp_path / f"{number}.npy" for number in range(k)]
    for number, name in enumerate(names):
        drawn = np.random.default_rng(number)
        np.save(name, drawn.dirichlet([1] * 4, size=9000))
    words = [command, *names, "--index", "aci", "--json", "--jobs", 2, "--checkpoint"]
    done = 0
    for _ in range(3):
        process = work(*words, file)
        wait_until(partial(goes_on, process, file, done))
        time.sleep(rng.random() * 0.05)  # in the midst of work, or of writing it
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert n_done(file) >= done
        done = n_done(file)
    assert done > 0
    resumed, _ = work(*words, file).communicate()
    whole, _ = work(*words, tmp_path / "other.ckpt").communicate()
    assert resumed == whole
    assert "aci" in whole
