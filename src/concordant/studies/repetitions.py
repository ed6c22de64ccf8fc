"""A run: repetitions of studies, computed once and kept."""

import csv
import io
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import concordant as cc
from concordant.files import FileError, write_text_atomically
from concordant.studies.processes import run_tasks
from concordant.studies.registry import STUDIES
from concordant.studies.rows import COLUMNS, Key
from concordant.studies.store import Store, sweep
from concordant.studies.streams import repetition_seeds

Values = dict[str, dict[Key, NDArray[np.float64]]]


class Task(NamedTuple):
    """
    Repetitions that are computed together.

    Parameters
    ----------
    folder : Path
        Where finished repetitions are kept.
    study : str
        The name of the study.
    first, last : int
        From which repetition to before which.
    seeds : tuple of int
        Their seeds.
    """

    folder: Path
    study: str
    first: int
    last: int
    seeds: tuple[int, ...]


def run_studies(
    names: Iterable[str],
    out: Path,
    *,
    n_repetitions: int = 1000,
    seed: int = 0,
    n_jobs: int = 1,
    resume: bool = False,
    on_progress: Callable[[str, int, int], None] | None = None,
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

    Returns
    -------
    dict from str to dict
        For each study the values over repetitions by data set, setting and index.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from concordant.studies import run_studies
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
    totals = {name: tasks[-1].last for name, tasks in plan.items()}
    tell = on_progress or (lambda study, done, total: None)
    missing: list[Task] = []
    for name, tasks in plan.items():
        for task in tasks:
            if store.has(name, task.first, task.seeds):
                done[name] += len(task.seeds)
            else:
                missing.append(task)
        tell(name, done[name], totals[name])
    try:
        running = run_tasks(
            compute, missing, n_jobs, lambda: _tell_all(tell, done, totals)
        )
        with closing(running) as finished:
            for task in finished:
                done[task.study] += len(task.seeds)
                tell(task.study, done[task.study], totals[task.study])
    finally:
        sweep(store.folder)  # a process that ended with this one may have been writing
    return {name: _collect(name, tasks, store, out) for name, tasks in plan.items()}


def _tell_all(
    tell: Callable[[str, int, int], None], done: dict[str, int], totals: dict[str, int]
) -> None:
    for name, total in totals.items():
        tell(name, done[name], total)


def compute(task: Task) -> None:
    """
    Compute and keep some repetitions of a study.

    Parameters
    ----------
    task : Task
        Which ones.
    """
    study = STUDIES[task.study]
    rows = [row for seed in task.seeds for row in study.repetition(seed)]
    Store(task.folder).write(task.study, task.first, task.last, rows)


def _tasks(name: str, store: Store, n_repetitions: int, seed: int) -> list[Task]:
    """Cut repetitions into tasks that depend on neither jobs nor what is done."""
    study = STUDIES[name]
    seeds = repetition_seeds(seed, name, n_repetitions if study.is_random else 1)
    return [
        Task(
            store.folder,
            name,
            first,
            min(first + study.per_task, len(seeds)),
            tuple(seeds[first : first + study.per_task]),
        )
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
    if any(len(found) != tasks[-1].last for found in values.values()):
        raise FileError(
            f"{store.folder / name}: not all repetitions have the same rows; remove "
            "this folder, or leave out --resume to start anew"
        )
    write_text_atomically(out / f"{name}.csv", ",".join(COLUMNS) + "\n" + text)
    return {key: np.array(repetitions) for key, repetitions in values.items()}
