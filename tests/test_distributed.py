"""On a cluster the bits are those of threads, whatever happens to its workers."""

import asyncio
import gc
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import numpy as np
import pytest
from once import copied_workers, wait_until

import concordant as cc
from concordant.execution.engine import Threads
from concordant.pairs.fold_pairs import visit_tiles

distributed = pytest.importorskip("distributed", reason="Dask is not installed")

import dask.array as da  # noqa: E402
from distributed.comm import CommClosedError  # noqa: E402

from concordant.distributed import LoadedHereWarning  # noqa: E402
from concordant.execution import dask_workers as ours  # noqa: E402  (it needs Dask)


def pair(n, K=3, seed=0):
    rng = np.random.default_rng(seed)
    U = rng.dirichlet([0.5] * K, size=n)
    return U, 0.5 * (U + rng.dirichlet([1] * K, size=n))


@contextmanager
def local_cluster(n_workers):
    """Open a cluster, and close it when every worker that died has a successor."""
    with (
        copied_workers(),
        distributed.LocalCluster(
            n_workers=n_workers, threads_per_worker=1, dashboard_address=":0"
        ) as cluster,
    ):
        yield cluster
        wait_until(lambda: len(cluster.scheduler.workers) >= len(cluster.workers))


@pytest.fixture(autouse=True)
def no_endless_wait():
    """End a test that waits for what never comes."""

    def end(number, frame):
        raise RuntimeError("the cluster does not answer")

    before = signal.signal(signal.SIGALRM, end)
    signal.alarm(240)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture(scope="module")
def cluster():
    with local_cluster(2) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def client(cluster):
    with distributed.Client(cluster) as client:
        yield client


@pytest.fixture
def short_tasks(monkeypatch):
    monkeypatch.setattr(ours, "_SECONDS", 0.01)


@pytest.fixture
def send_all(monkeypatch):
    monkeypatch.setattr(ours, "_LARGE", 0)


U, V = pair(2701)
LABELS = np.random.default_rng(2).integers(4, size=2701)
TWO = np.random.default_rng(3).dirichlet([1, 1], size=(2, 2701))
CALLS = {
    "binned": lambda **how: cc.concordance(U, V, method="binned", **how),
    "sampled": lambda **how: cc.concordance(
        U, V, method="sampled", tol=3e-3, random_state=1, **how
    ),
    "fuzzy-crisp": lambda **how: cc.concordance(U, LABELS, **how),
    "two-clusters": lambda **how: cc.concordance(*TWO, **how),
    "crisp": lambda **how: cc.concordance(LABELS, LABELS[::-1], **how),
    "campello": lambda **how: cc.pair_table(U, V, family="campello", **how),
    "huellermeier": lambda **how: cc.pair_table(U, V, **how),
    "frigui": lambda **how: cc.pair_table(U, V, family="frigui", **how),
    "brouwer": lambda **how: cc.pair_table(U, V, family="brouwer", **how),
    "anderson": lambda **how: cc.pair_table(U, V, family="anderson", **how),
    "an index": lambda **how: cc.jaccard_index(U, V, **how),
    "aci": lambda **how: cc.adjusted_concordance_index(U, V, **how),
    "compare": lambda **how: cc.compare(U, V, families="all", **how),
    "interval": lambda **how: cc.compare(U, V, indices=["aci"], interval=0.9, **how),
    "many": lambda **how: cc.agreement([U, V, LABELS], **how).values.tolist(),
    "ndc": lambda **how: cc.normalized_degree_of_concordance(U, V, **how),
}


def places(first, last, bands):
    """Check that every pair of a band is what it should be."""
    return [
        (int(first[i]), int(last[i + s]))
        for band in bands
        for i in range(band.i0, band.i1)
        for s in range(band.first, band.first + band.width)
    ]


@pytest.mark.parametrize("n", [2, 3, 4, 97, 300, 301])
def test_tiles_hold_every_pair_once(n, monkeypatch):
    monkeypatch.setattr("concordant.pairs.bands.HEIGHT", 37)
    monkeypatch.setattr("concordant.pairs.bands.WIDTH", 29)
    monkeypatch.setattr("concordant.pairs.fold_pairs._PAIRS_OF_TASK", 1)
    objects = np.arange(n)
    local = list(visit_tiles(Threads(1), places, (objects, objects), (), 0))
    pairs = [frozenset(pair) for _, part in local for pair in part]
    assert len({*pairs}) == len(pairs) == n * (n - 1) // 2
    assert list(visit_tiles(Threads(1), places, (objects, objects), (), 1)) == local[1:]


def test_the_number_of_workers_changes_no_bit(short_tasks):
    with local_cluster(3) as cluster, distributed.Client(cluster) as client:
        assert CALLS["binned"](engine=client) == CALLS["binned"]()


def test_a_worker_that_is_killed_and_one_that_joins(short_tasks, send_all, monkeypatch):
    monkeypatch.setattr("concordant.execution.progress._INTERVAL", 0.0)
    P, Q = pair(9000, K=6)
    expected = cc.concordance(P, Q, n_jobs=2)
    with local_cluster(2) as cluster, distributed.Client(cluster) as client:
        victim = next(iter(client.run(os.getpid).values()))
        told = []

        def progress(done, total, estimate):
            if not told:
                os.kill(victim, signal.SIGKILL)
                threading.Thread(target=cluster.scale, args=(3,)).start()
            told.append(done)

        found = cc.concordance(P, Q, engine=client, progress=progress)
        assert found == expected
        assert told[0] < told[-1]


def kill_workers(client):
    for pid in client.run(os.getpid).values():
        os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("amid", ["scatter", "replicate"])
def test_workers_that_end_while_they_get_the_data_cost_time_alone(
    amid, send_all, monkeypatch
):
    with local_cluster(1) as cluster, distributed.Client(cluster) as client:
        given = getattr(client, amid)
        tried = []

        def send(*data, **how):
            if not tried:
                kill_workers(client)
            tried.append(amid)
            return given(*data, **how)

        monkeypatch.setattr(client, amid, send)
        assert CALLS["binned"](engine=client) == CALLS["binned"]()
        # What was to be sent may as well have waited for the next worker.
        assert len(tried) > (1 if amid == "replicate" else 0)
        check_nothing_left(client)


def test_the_end_of_all_workers_that_hold_the_data_costs_time_alone(
    short_tasks, send_all, monkeypatch
):
    monkeypatch.setattr("concordant.execution.progress._INTERVAL", 0.0)
    P, Q = pair(9000, K=6)
    with local_cluster(1) as cluster, distributed.Client(cluster) as client:
        told = []

        def progress(done, total, estimate):
            if not told:
                kill_workers(client)
            told.append(done)

        found = cc.concordance(P, Q, engine=client, progress=progress)
        assert found == cc.concordance(P, Q)
        assert told[0] < told[-1]
        check_nothing_left(client)


def test_data_that_always_end_their_workers_are_given_up(monkeypatch):
    monkeypatch.setattr(ours, "_PAUSE", 0.0)
    with local_cluster(1) as cluster, distributed.Client(cluster) as client:

        def fail(*data, **how):
            raise CommClosedError("connection reset by peer")

        monkeypatch.setattr(client, "scatter", fail)
        with pytest.raises(ours.ClusterError, match="could not be sent the data: conn"):
            CALLS["binned"](engine=client)


def test_a_scheduler_that_goes_amid_its_answer_is_told(client):
    class Answer:
        def done(self):
            return True

        def release(self):
            pass

        def result(self):
            raise CommClosedError("connection reset by peer")

    with pytest.raises(ours.ClusterError, match="scheduler .* is gone; .* with ch"):
        ours.DaskEngine(client).result(Answer())


def test_a_task_whose_workers_always_die_is_given_up():
    with (
        local_cluster(1) as cluster,
        distributed.Client(cluster) as client,
        pytest.raises(
            ours.ClusterError, match="lost workers, and their data or results"
        ),
    ):
        list(ours.DaskEngine(client).run(os._exit, [1], [()]))


def test_workers_that_end_for_good_are_told(monkeypatch):
    monkeypatch.setattr(ours, "_WORKERLESS", 0.5)
    with local_cluster(1) as cluster, distributed.Client(cluster) as client:
        found = ours.DaskEngine(client).run(time.sleep, [], [(0,), (60,)])
        assert next(found) is None
        cluster.scale(0)
        with pytest.raises(ours.ClusterError, match="has no workers any more; the"):
            next(found)


def start(what, file, *options):
    module = f"distributed.cli.dask_{what}"
    common = ["--no-dashboard", "--scheduler-file", str(file)]
    return subprocess.Popen(
        [sys.executable, "-m", module, *common, *options],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def test_the_scheduler_goes_and_the_checkpoint_stays(
    tmp_path, short_tasks, monkeypatch
):
    monkeypatch.setattr(ours, "_PATIENCE", 3.0)
    P, Q = pair(9000, K=6)
    file, work = tmp_path / "scheduler.json", tmp_path / "work.ckpt"
    scheduler = start("scheduler", file, "--host", "127.0.0.1", "--port", "0")
    worker = None
    try:
        wait_until(file.exists)
        worker = start("worker", file, "--no-nanny", "--nthreads", "1")
        gone = []

        def progress(done, total, estimate):
            if not gone:
                scheduler.kill()
                gone.append(time.monotonic())

        with distributed.Client(scheduler_file=str(file)) as client:
            client.wait_for_workers(1, timeout=120)
            with pytest.raises(
                ours.ClusterError, match="scheduler .* is gone; .* with ch"
            ):
                cc.concordance(P, Q, engine=client, checkpoint=work, progress=progress)
            assert time.monotonic() - gone[0] < 30  # a promise, not a measurement
    finally:
        for process in (scheduler, worker):
            if process is not None:
                process.kill()
                process.wait()
    told = []
    resumed = cc.concordance(
        P, Q, checkpoint=work, progress=lambda done, *_: told.append(done)
    )
    assert resumed == cc.concordance(P, Q)


def test_a_checkpoint_goes_on_elsewhere(client, tmp_path, short_tasks, monkeypatch):
    monkeypatch.setattr("concordant.execution.progress._INTERVAL", 0.0)
    P, Q = pair(9000)

    class StopWorkError(Exception):
        pass

    def interrupt(done, total, estimate):
        raise StopWorkError

    work = tmp_path / "work.ckpt"
    for engine in (client, None, client):
        with pytest.raises(StopWorkError):
            cc.concordance(P, Q, engine=engine, checkpoint=work, progress=interrupt)
    assert cc.concordance(P, Q, checkpoint=work) == cc.concordance(P, Q)


def test_a_scheduler_without_workers_is_told(monkeypatch):
    monkeypatch.setattr(ours, "_PATIENCE", 0.5)
    P = chunked(U, 500)
    with local_cluster(0) as cluster, distributed.Client(cluster) as client:
        calls = {**CALLS, "chunks": lambda **how: cc.concordance(P, LABELS, **how)}
        for name in ("binned", "sampled", "fuzzy-crisp", "campello", "chunks"):
            with pytest.raises(ours.ClusterError, match="has no workers, and none ca"):
                calls[name](engine=client)
            check_nothing_left(client)


def check_nothing_left(client):
    """Nothing of ours stays on the cluster, though the messages take a moment."""
    gc.collect()  # what tests before held in circles is not meant
    wait_until(lambda: not client.futures and not client.who_has())


@pytest.mark.parametrize("name", CALLS)
def test_every_index_has_the_bits_of_threads(name, client, short_tasks, send_all):
    assert CALLS[name](engine=client) == CALLS[name]()
    check_nothing_left(client)


class FaultError(Exception):
    pass


def fail(*_):
    raise FaultError


@pytest.mark.parametrize("name", ["binned", "sampled", "campello", "huellermeier"])
def test_nothing_is_left_on_the_cluster_after_a_fault(
    name, client, short_tasks, send_all, monkeypatch
):
    monkeypatch.setattr("concordant.execution.progress._INTERVAL", 0.0)
    with pytest.raises(FaultError):  # whose traceback keeps what is there until then
        CALLS[name](engine=client, progress=fail)
    check_nothing_left(client)


def test_what_the_caller_holds_on_the_cluster_stays(client):
    P = client.persist(chunked(U, 500))
    distributed.wait(P)
    before = {*client.futures}
    bad = LABELS.astype(float)
    bad[1] = np.nan
    assert cc.concordance(P, LABELS, engine=client) is not None
    with pytest.raises(ValueError, match="missing"):
        cc.concordance(P, chunked(bad, 500), engine=client)
    gc.collect()
    wait_until(lambda: {*client.futures} == before)
    assert all(client.who_has()[key] for key in before)
    assert (client.compute(P, sync=True) == U).all()


def test_a_client_that_cannot_be_waited_for_is_refused(cluster):
    gone = distributed.Client(cluster)
    gone.close()
    with pytest.raises(ValueError, match="engine is a Client that is closed"):
        cc.concordance([0, 1], [0, 1], engine=gone)
    for wrong in (cluster, "cluster"):
        with pytest.raises(TypeError, match="engine must be a dask.distributed.Client"):
            cc.concordance([0, 1], [0, 1], engine=wrong)
    with (
        distributed.Client(cluster) as client,
        pytest.raises(ValueError, match="n_jobs is for threads of this machine"),
    ):
        cc.concordance([0, 1], [0, 1], engine=client, n_jobs=2)

    async def call():
        async with distributed.Client(
            cluster.scheduler_address, asynchronous=True
        ) as client:
            with pytest.raises(ValueError, match="engine is an asynchronous Client"):
                cc.concordance([0, 1], [0, 1], engine=client)

    asyncio.run(call())


def test_addresses():
    for bad in ("local:", "local:0", "local:x"):
        with (
            pytest.raises(ours.ClusterError, match="needs a number of workers"),
            ours.connected(bad),
        ):
            pass
    with (
        pytest.raises(ours.ClusterError, match="no Dask scheduler answers"),
        ours.connected("nowhere"),
    ):
        pass


def chunked(data, size):
    return da.from_array(data, chunks=(size, *data.shape[1:]))


ARRAYS = {
    "fuzzy": U,
    "labels": LABELS,
    "text": np.array(["a", "b", "c", "d"])[LABELS],
    "zeros and ones": np.eye(4)[LABELS],
    "two": TWO[0],
    "other two": TWO[1],
}


@pytest.mark.parametrize(
    ("P", "Q"),
    [
        ("fuzzy", "labels"),
        ("labels", "fuzzy"),
        ("fuzzy", "zeros and ones"),
        ("labels", "text"),
        ("zeros and ones", "labels"),
        ("two", "other two"),
    ],
)
def test_dask_arrays_are_summed_where_they_are(P, Q, client):
    p, q = ARRAYS[P], ARRAYS[Q]
    expected = cc.concordance(p, q)
    found = []
    for sizes in ((700, 900), (2701, 300)):
        p_chunks, q_chunks = chunked(p, sizes[0]), chunked(q, sizes[1])
        found.append(cc.concordance(p_chunks, q_chunks, engine=client))
    assert found[0] == found[1]
    assert found[0].method == ("two-clusters" if P == "two" else expected.method)
    assert abs(found[0].aci - expected.aci) <= found[0].error + expected.error + 1e-12
    assert cc.concordance(chunked(p, 800), q, engine=client) == found[0]


def test_tables_of_dask_arrays(client):
    P, Q = chunked(U, 500), chunked(V, 800)
    for family in ("frigui", "brouwer", "anderson"):
        found = cc.pair_table(P, Q, family=family, engine=client)
        expected = cc.pair_table(U, V, family=family)
        assert found.rand == pytest.approx(expected.rand, rel=1e-12)
    with pytest.warns(LoadedHereWarning, match=r"campello \(min\) cannot be summed"):
        found = cc.pair_table(P, Q, family="campello", engine=client)
    assert found == cc.pair_table(U, V, family="campello")
    with pytest.warns(
        LoadedHereWarning,
        match=r"^P, Dask arrays of 0.0648 MB, are .* huellermeier \(product\) cannot",
    ):
        assert cc.rand_index(P, V, engine=client) == cc.rand_index(U, V)
    labels = chunked(LABELS, 400)
    found = cc.pair_table(labels, labels[::-1], family="campello", engine=client)
    assert found == cc.pair_table(LABELS, LABELS[::-1], family="campello")


def test_a_comparison_of_dask_arrays_sums_what_it_can_where_they_are(client):
    P, Q = chunked(U, 500), chunked(LABELS, 800)
    families = ["frigui", "anderson"]
    found = cc.compare(P, Q, families=families, engine=client)
    truth = cc.compare(U, LABELS, families=families)
    assert found.partitions is None
    assert found.concordance == cc.concordance(P, Q, engine=client)
    assert found.scores.keys() == truth.scores.keys()
    for name, score in truth.scores.items():
        assert found[name] == pytest.approx(score.value, rel=1e-9)
    assert found.n_clusters == truth.n_clusters


def test_a_comparison_that_needs_pairs_loads_dask_arrays_once(client, short_tasks):
    P = chunked(U, 500)
    with pytest.warns(LoadedHereWarning) as told:
        found = cc.compare(P, chunked(LABELS, 800), families="all", engine=client)
    assert len(told) == 1
    assert "P and Q, Dask arrays" in str(told[0].message)
    assert "campello (min)" in str(told[0].message)
    assert told[0].filename == __file__
    truth = cc.compare(U, LABELS, families="all")
    assert found.concordance == cc.concordance(P, LABELS, engine=client)
    assert found.scores.keys() == truth.scores.keys()
    for name, score in truth.scores.items():
        assert found[name] == pytest.approx(score.value, rel=1e-9)


def test_tables_that_take_long_do_not_load_dask_arrays(client, monkeypatch):
    monkeypatch.setattr("concordant.compute._LONG", 1000)
    found = cc.compare(
        chunked(U, 500), chunked(V, 800), indices=["rand"], engine=client
    )
    assert [*found.tables] == ["frigui", "brouwer", "anderson"]
    assert "campello (min)" in found.left_out


def test_noise_in_chunks_is_warned_of_once_and_here(client):
    labels = np.arange(60) % 4 - 1
    lazy = da.from_array(labels, chunks=20)
    with pytest.warns(cc.NoiseLabelWarning, match="of P contain -1") as caught:
        found = cc.concordance(lazy, LABELS[:60], engine=client)
    assert len(caught) == 1
    truth = cc.concordance(cc.Partition(labels, noise="cluster"), LABELS[:60])
    assert found == truth


def test_two_fuzzy_dask_arrays_take_all_pairs(client, short_tasks):
    P, Q = chunked(U, 500), chunked(V, 800)
    with pytest.warns(LoadedHereWarning, match="concordance cannot be summed"):
        assert cc.concordance(P, Q, engine=client) == cc.concordance(U, V)
    assert cc.concordance(P, Q) == cc.concordance(U, V)


def test_many_chunks_are_merged_in_a_tree(client):
    P = chunked(U, 30)
    found = cc.concordance(P, LABELS, engine=client)
    assert found == cc.concordance(da.from_array(U), LABELS, engine=client)


def test_masked_dask_arrays_are_refused(client):
    U, _ = pair(40)
    masked = da.ma.masked_greater(da.from_array(U, (10, 3)), U.max() - 1e-9)
    labels = np.arange(40) % 3
    for engine in (None, client):
        with pytest.raises(ValueError, match="masked entries"):
            cc.concordance(masked, labels, engine=engine)


def test_faults_of_dask_arrays(client):
    bad = U.copy()
    bad[1500] = 0.5
    with pytest.raises(ValueError, match="chunk 2: rows of P must sum to 1"):
        cc.concordance(chunked(bad, 600), LABELS, engine=client)
    P = chunked(U, 600)
    with pytest.raises(ValueError, match="P has 2701 objects and Q has 2700"):
        cc.concordance(P, LABELS[1:], engine=client)
    with pytest.raises(ValueError, match="chunks of unknown size; call its .comp"):
        cc.concordance(P[P[:, 0] > 0.5], LABELS, engine=client)
    with pytest.raises(ValueError, match="found 3 dimensions"):
        cc.concordance(P[:, :, None], LABELS, engine=client)
