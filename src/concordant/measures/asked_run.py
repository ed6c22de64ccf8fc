"""The Run that a caller's keywords ask for, checked once."""

from collections.abc import Collection, Iterable, Mapping
from os import PathLike
from typing import Any, get_args

from concordant.catalogue.indices import INDICES
from concordant.catalogue.nulls import NULLS
from concordant.catalogue.terms import CONCORDANCE, OF_PAIRS, Term
from concordant.catalogue.values import SIMILARITIES, Similarity
from concordant.compute import Method
from concordant.errors import Argument, InputError, Setting
from concordant.execution.engine import chosen_engine
from concordant.execution.progress import Telling, check_progress
from concordant.execution.run import Run, generator
from concordant.pairs.sampling import check_tol
from concordant.wording import check_choice, check_count


def asked_run(
    *,
    indices: Collection[str] | None = None,
    method: str = "auto",
    methods: tuple[str, ...] = get_args(Method),
    tol: float | None = None,
    similarity: Similarity = "l1",
    null: str = "permutations",
    n_permutations: int = 1000,
    n_jobs: int | None = None,
    engine: object = None,
    random_state: Any = None,
    checkpoint: str | PathLike[str] | None = None,
    progress: Telling = None,
    options: Mapping[str, Any] | None = None,
) -> Run:
    """
    Check what the caller said of how to work; `methods` are those to choose from.

    If `indices` are all that is wanted, one of them must depend on what is said.
    """
    check_choice("method", method, methods, optional=False)
    check_tol(tol, method)
    check_choice("similarity", similarity, SIMILARITIES, optional=False)
    check_choice("null", null, tuple(NULLS), optional=False)
    if indices is not None and similarity != "l1":
        _check_dependence("similarity", indices, OF_PAIRS)
    if indices is not None and null != "permutations":
        _check_dependence("null", indices, {CONCORDANCE})
    if method == "permutations" and not NULLS[null].permutes:
        raise InputError(
            Setting("null", null),
            " draws memberships, and ",
            Setting("method", "permutations"),
            " permutes objects; leave one of them out",
        )
    check_count("n_permutations", n_permutations)
    check_progress(progress)
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
        checkpoint=checkpoint,
        progress=progress,
        options=options or {},
    )


def _check_dependence(
    argument: str, indices: Iterable[str], terms: Collection[Term]
) -> None:
    """Refuse an argument on which no index depends, as none is made of these terms."""
    names = [name for name, record in INDICES.items() if {*terms} & {*record.terms}]
    if not {*names} & {*indices}:
        raise InputError(
            Argument(argument), " is for ", Setting("indices", *names), "; leave it out"
        )
