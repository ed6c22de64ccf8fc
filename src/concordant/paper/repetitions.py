"""A run: repetitions of studies, computed once and kept."""

import csv
import io
import multiprocessing
import os
import signal
import threading
import warnings
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

import concordant as cc
from concordant.execution.engine import deaf_children
from concordant.files import FileError, write_text_atomically
from concordant.kernels.announcing import told_of_compiling
from concordant.paper.real_data_studies import chance, random_starts, real_data
from concordant.paper.simulations import (
    bias_experiment,
    first_simulation,
    pd_tables,
    second_simulation,
)
from concordant.paper.store import Task, keep, kept_lines, make_ready, sweep
from concordant.paper.study_rows import COLUMNS, Key, Row, repetition_seeds

Values = dict[str, dict[Key, NDArray[np.float64]]]

_INTERVAL = 0.2  # seconds between two looks whether to go on


class Study(NamedTuple):
    """An experiment, from a seed to rows; a task has some seconds of repetitions."""

    repetition: Callable[[int], list[Row]]
    per_task: int
    is_random: bool = True


STUDIES = {
    "bias": Study(bias_experiment, 25),
    "simulation-1": Study(first_simulation, 10),
    "simulation-2": Study(second_simulation, 4),
    "pd": Study(pd_tables, 5),
    "real-data": Study(real_data, 1, is_random=False),
    "starts": Study(random_starts, 20),
    "chance": Study(chance, 25),
}


def run_studies(
    names: Iterable[str],
    out: Path,
    *,
    n_repetitions: int = 1000,
    seed: int = 0,
    n_jobs: int = 1,
    resume: bool = False,
    on_progress: Callable[[str, int, int], None] | None = None,
    on_remark: Callable[[str], None] = warnings.warn,
) -> Values:
    """
    Repeat studies and write their tidy tables.

    Parameters
    ----------
    names : iterable of str
        Which studies.
    out : Path
        The folder that gets ``<study>.csv`` for each, and ``repetitions`` with what
        `resume` needs.
    n_repetitions : int, default=1000
        How often each study that depends on chance is repeated.
    seed : int, default=0
        What chance depends on.
    n_jobs : int, default=1
        How many processes; it changes no number.
    resume : bool, default=False
        Whether to keep the repetitions that an earlier run in `out` finished.
    on_progress : callable, optional
        Called with a study at work, the repetitions of all studies that are done, and
        their number, also between two of them while other processes work; what it
        raises ends the run.
    on_remark : callable, default=warnings.warn
        Called once for each study with clusterings that did not converge, in words.

    Returns
    -------
    dict from str to dict
        For each study the values over repetitions by data set, setting and index.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from concordant.paper import run_studies
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     values = run_studies(["bias"], pathlib.Path(folder), n_repetitions=2)
    >>> [len(repetitions) for repetitions in values["bias"].values()]
    [2, 2, 2, 2, 2, 2]
    """
    folder = out / "repetitions"
    make_ready(folder, {"seed": seed, "version": cc.__version__}, resume=resume)
    sweep(out)
    plan = {name: _tasks(name, folder, n_repetitions, seed) for name in names}
    totals = {
        name: sum(len(task.seeds) for task in tasks) for name, tasks in plan.items()
    }
    done = dict.fromkeys(plan, 0)
    missing: list[Task] = []
    for name, tasks in plan.items():
        for task in tasks:
            if task.path.exists():
                kept_lines(task)  # refuses what is damaged, before new work begins
                done[name] += len(task.seeds)
            else:
                missing.append(task)
    troubled = dict.fromkeys(plan, 0)

    def tell() -> None:
        if on_progress is not None:
            at_work = (name for name, total in totals.items() if done[name] < total)
            on_progress(next(at_work, ""), sum(done.values()), sum(totals.values()))

    tell()
    try:
        with closing(_run(missing, n_jobs, tell)) as finished:
            for task, n_troubled in finished:
                troubled[task.study] += n_troubled
                done[task.study] += len(task.seeds)
                tell()
    finally:
        sweep(folder)  # a process that ended with this one may have been writing
    for name, n_troubled in troubled.items():
        if n_troubled:
            on_remark(
                f"{name}: in {n_troubled} of {totals[name]} repetitions a clustering "
                "did not converge, or some of its centres coincide; the values are "
                "those it ended with"
            )
    return {name: _collect(folder / name, tasks, out) for name, tasks in plan.items()}


def _run(
    tasks: list[Task], n_jobs: int, on_wait: Callable[[], None]
) -> Generator[tuple[Task, int], None, None]:
    """
    Compute tasks, and yield each with its number of repetitions with a warning.

    Every process uses one thread, so that results do not depend on `n_jobs`. Closing
    the iterator early (Ctrl-C) or dying ends the other processes at once: each listens
    on a pipe whose other end only this process holds. `on_wait` is called some times
    per second while other processes work; what it raises ends them.
    """
    n_jobs = min(n_jobs, len(tasks))
    if n_jobs <= 1:
        with threadpool_limits(1):
            for task in tasks:
                yield task, _compute(task)
        return
    context = multiprocessing.get_context("spawn")
    listener, lifeline = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(n_jobs, context, _prepare, (listener,))
    try:
        with deaf_children():
            waiting = {pool.submit(_compute, task): task for task in tasks}
        while waiting:
            finished, _ = wait(waiting, _INTERVAL, FIRST_COMPLETED)
            for done in finished:
                yield waiting.pop(done), done.result()
            on_wait()
    except BaseException:
        lifeline.close()
        raise
    finally:
        pool.shutdown(cancel_futures=True)
        lifeline.close()
        listener.close()


def _prepare(listener: Connection) -> None:
    """Leave Ctrl-C to the process that started this one, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, args=(listener,), daemon=True).start()
    threadpool_limits(1)


def _end_with_parent(listener: Connection) -> None:
    listener.poll(None)
    os._exit(1)


def _compute(task: Task) -> int:
    """Compute and keep repetitions; return the number of those with a warning."""
    rows: list[Row] = []
    n_troubled = 0
    with told_of_compiling(lambda: None):
        for seed in task.seeds:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always", UserWarning)  # that of convergence
                rows += STUDIES[task.study].repetition(seed)
            n_troubled += bool(caught)
    keep(task, rows)
    return n_troubled


def _tasks(name: str, folder: Path, n_repetitions: int, seed: int) -> list[Task]:
    """Cut repetitions into tasks that depend on neither jobs nor what is done."""
    study = STUDIES[name]
    seeds = repetition_seeds(seed, name, n_repetitions if study.is_random else 1)
    return [
        Task(folder, name, first, seeds[first : first + study.per_task])
        for first in range(0, len(seeds), study.per_task)
    ]


def _collect(
    kept: Path, tasks: list[Task], out: Path
) -> dict[Key, NDArray[np.float64]]:
    """Write the tidy table of a study and give its values by what they are of."""
    text = "".join(map(kept_lines, tasks))
    values: dict[Key, list[float]] = {}
    for _, data_set, setting, index, value, _ in csv.reader(io.StringIO(text)):
        values.setdefault((data_set, setting, index), []).append(float(value))
    n_repetitions = sum(len(task.seeds) for task in tasks)
    if any(len(found) != n_repetitions for found in values.values()):
        raise FileError(
            f"{kept}: not all repetitions have the same rows; remove "
            "this folder, or leave out --resume to start anew"
        )
    write_text_atomically(out / f"{kept.name}.csv", ",".join(COLUMNS) + "\n" + text)
    return {key: np.array(repetitions) for key, repetitions in values.items()}
