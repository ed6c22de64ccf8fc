"""The Run that a caller's keywords ask for, checked once."""

from os import PathLike
from typing import Any, get_args

from concordant.catalogue import NULLS, Similarity
from concordant.errors import InputError, Setting
from concordant.execution.engine import chosen_engine
from concordant.execution.progress import Progress
from concordant.execution.run import Run, generator
from concordant.pairs.sampling import check_tol
from concordant.ways import Method
from concordant.wording import check_choice, check_count


def asked_run(
    *,
    method: str = "auto",
    methods: tuple[str, ...] = get_args(Method),
    tol: float | None = None,
    similarity: Similarity = "l1",
    null: str = "permutations",
    n_permutations: int = 1000,
    memory_budget: int | None = None,
    n_jobs: int | None = None,
    engine: object = None,
    random_state: Any = None,
    checkpoint: str | PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Run:
    """Check what the caller said of how to work; `methods` are those to choose from."""
    check_choice("method", method, methods, optional=False)
    check_tol(tol, method)
    check_choice("similarity", similarity, get_args(Similarity), optional=False)
    check_choice("null", null, tuple(NULLS), optional=False)
    if method == "permutations" and not NULLS[null].permutes:
        raise InputError(
            Setting("null", null),
            " draws memberships, and ",
            Setting("method", "permutations"),
            " permutes objects; leave one of them out",
        )
    check_count("n_permutations", n_permutations)
    if memory_budget is not None:
        check_count("memory_budget", memory_budget)
    if random_state is not None:
        generator(random_state)  # which refuses what is none
    return Run(
        engine=chosen_engine(engine, n_jobs),
        method=method,
        tol=tol,
        similarity=similarity,
        null=null,
        random_state=random_state,
        n_permutations=n_permutations,
        memory_budget=memory_budget,
        checkpoint=checkpoint,
        progress=progress,
    )
