"""A run: repetitions of studies, computed once and kept."""

import csv
import io
import warnings
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import concordant as cc
from concordant.files import FileError, write_text_atomically
from concordant.kernels.announcing import told_of_compiling
from concordant.paper.processes import run_tasks
from concordant.paper.real_data_studies import chance, random_starts, real_data
from concordant.paper.simulations import (
    bias_experiment,
    first_simulation,
    pd_tables,
    second_simulation,
)
from concordant.paper.store import Store, sweep
from concordant.paper.study_rows import COLUMNS, Key, Row, repetition_seeds

Values = dict[str, dict[Key, NDArray[np.float64]]]


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


class Task(NamedTuple):
    """Repetitions of a study that are computed and kept together."""

    folder: Path
    study: str
    first: int
    seeds: list[int]


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
        Called with the study, the repetitions done and all of them, also between two
        of them while other processes work; what it raises ends the run.
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
    store = Store(out / "repetitions")
    store.open({"seed": seed, "version": cc.__version__}, resume=resume)
    sweep(out)
    plan = {name: _tasks(name, store, n_repetitions, seed) for name in names}
    done = dict.fromkeys(plan, 0)
    totals = {
        name: sum(len(task.seeds) for task in tasks) for name, tasks in plan.items()
    }
    missing: list[Task] = []
    for name, tasks in plan.items():
        for task in tasks:
            if store.has(name, task.first, task.seeds):
                done[name] += len(task.seeds)
            else:
                missing.append(task)
    troubled = dict.fromkeys(plan, 0)

    def tell_all() -> None:
        if on_progress is not None:
            for name, total in totals.items():
                on_progress(name, done[name], total)

    tell_all()
    try:
        with closing(run_tasks(compute, missing, n_jobs, tell_all)) as finished:
            for task, n_troubled in finished:
                troubled[task.study] += n_troubled
                done[task.study] += len(task.seeds)
                tell_all()
    finally:
        sweep(store.folder)  # a process that ended with this one may have been writing
    for name, n_troubled in troubled.items():
        if n_troubled:
            on_remark(
                f"{name}: in {n_troubled} of {totals[name]} repetitions a clustering "
                "did not converge, or some of its centres coincide; the values are "
                "those it ended with"
            )
    return {name: _collect(name, tasks, store, out) for name, tasks in plan.items()}


def compute(task: Task) -> int:
    """Compute and keep repetitions; return the number of those with a warning."""
    rows: list[Row] = []
    n_troubled = 0
    with told_of_compiling(lambda: None):
        for seed in task.seeds:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always", UserWarning)  # that of convergence
                rows += STUDIES[task.study].repetition(seed)
            n_troubled += bool(caught)
    Store(task.folder).write(task.study, task.first, len(task.seeds), rows)
    return n_troubled


def _tasks(name: str, store: Store, n_repetitions: int, seed: int) -> list[Task]:
    """Cut repetitions into tasks that depend on neither jobs nor what is done."""
    study = STUDIES[name]
    seeds = repetition_seeds(seed, name, n_repetitions if study.is_random else 1)
    return [
        Task(store.folder, name, first, seeds[first : first + study.per_task])
        for first in range(0, len(seeds), study.per_task)
    ]


def _collect(
    name: str, tasks: list[Task], store: Store, out: Path
) -> dict[Key, NDArray[np.float64]]:
    """Write the tidy table of a study and give its values by what they are of."""
    text = "".join(store.lines(name, task.first, task.seeds) for task in tasks)
    values: dict[Key, list[float]] = {}
    for _, data_set, setting, index, value, _ in csv.reader(io.StringIO(text)):
        values.setdefault((data_set, setting, index), []).append(float(value))
    n_repetitions = sum(len(task.seeds) for task in tasks)
    if any(len(found) != n_repetitions for found in values.values()):
        raise FileError(
            f"{store.folder / name}: not all repetitions have the same rows; remove "
            "this folder, or leave out --resume to start anew"
        )
    write_text_atomically(out / f"{name}.csv", ",".join(COLUMNS) + "\n" + text)
    return {key: np.array(repetitions) for key, repetitions in values.items()}
