"""The concordance of two partitions, by the algorithm that suits."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from concordant.agreement.binned_pairs import binned_pairs
from concordant.agreement.crisp_crisp import crisp_crisp
from concordant.agreement.fuzzy_crisp import fuzzy_crisp
from concordant.agreement.plan import (
    DEFAULT_BUDGET,
    Algorithm,
    both_have_two_clusters,
    choose,
    fits,
    is_precise,
    takes_long,
    visit_pairs,
)
from concordant.agreement.result import Concordance, assemble
from concordant.agreement.sampled_pairs import sampled_pairs
from concordant.agreement.sorted_pairs import bytes_to_sort, sorted_pairs
from concordant.agreement.two_clusters import two_clusters
from concordant.execution.checkpoint import open_job, open_sample
from concordant.execution.progress import Progress, Watch, visible
from concordant.execution.run import Run
from concordant.nulls.permutations import permutations
from concordant.pairs.sampling import DEFAULT_TOL
from concordant.partition.partition import Partition

Method = Literal[
    "auto",
    "exact",
    "sampled",
    "permutations",
    "crisp",
    "fuzzy-crisp",
    "two-clusters",
    "sorted",
    "binned",
]

_HINT = (
    "visiting all {pairs:.1e} pairs; an estimate with its error takes a fraction of "
    "the time: tol=1e-3"
)


def computed_concordance(P: Partition, Q: Partition, run: Run) -> Concordance:
    """Give NDC, its expectation and ACI of aligned partitions."""
    check_kinds(P, Q)
    if P.n_objects < 2:
        return assemble(0.0, 0.0, n_objects=P.n_objects, method="no pairs")
    if run.method == "permutations":
        return permutations(P, Q, n_permutations=run.n_permutations, rng=run.rng)
    algorithm = _algorithm(P, Q, run)
    with _watched(P, Q, algorithm, run.progress) as watch:
        if algorithm != "sampled":
            return _by(P, Q, algorithm, run, watch)
        return sampled_pairs(
            P,
            Q,
            tol=DEFAULT_TOL if run.tol is None else float(run.tol),
            rng=run.rng,
            engine=run.engine,
            watch=watch,
            job=open_sample(run.checkpoint, "concordance", (P, Q), run.random_state),
        )


def check_kinds(P: Partition, Q: Partition) -> None:
    """Refuse possibilistic partitions, whose similarities are not defined."""
    for name, partition in (("P", P), ("Q", Q)):
        if partition.kind == "possibilistic":
            raise ValueError(
                f"the concordance is not defined for possibilistic partitions, and "
                f'{name} is one; use pair_table with family="anderson", "brouwer" or '
                '"campello"'
            )


def _algorithm(
    P: Partition,
    Q: Partition,
    run: Run,
) -> Algorithm | Literal["sampled"]:
    """Turn what the caller asked for into the name of an algorithm that can do it."""
    method, memory_budget = run.method, run.memory_budget
    if method in ("auto", "exact"):
        algorithm = choose(P, Q, _budget(run))
        if run.tol is not None and algorithm in ("sorted", "binned"):
            return "sampled"
        return algorithm
    if method == "sampled":
        return "sampled"
    kinds = sorted((P.kind, Q.kind))
    needs = {
        "crisp": (kinds == ["crisp", "crisp"], "two crisp partitions"),
        "fuzzy-crisp": (kinds == ["crisp", "fuzzy"], "a fuzzy and a crisp partition"),
        "two-clusters": (
            both_have_two_clusters(P, Q),
            "two fuzzy partitions into two clusters each",
        ),
    }
    met, what = needs.get(method, (True, ""))
    if not met:
        raise ValueError(f'method={method!r} needs {what}; method="auto" chooses')
    if method == "sorted" and memory_budget is not None and not fits(P, memory_budget):
        raise ValueError(
            f'method="sorted" takes {bytes_to_sort(P.n_objects)} bytes for '
            f"{P.n_objects} objects, more than memory_budget={memory_budget}; "
            'method="binned" takes less'
        )
    return method  # type: ignore[return-value]


@contextmanager
def _watched(
    P: Partition, Q: Partition, algorithm: str, progress: Progress | None
) -> Iterator[Watch]:
    m = P.n_objects * (P.n_objects - 1) // 2
    long = algorithm in ("binned", "sampled") and takes_long(P, Q)
    hint = _HINT.format(pairs=m) if algorithm == "binned" else ""
    with visible(progress, long=long, hint=hint) as tell:
        yield Watch(tell, m)


def _by(
    P: Partition,
    Q: Partition,
    algorithm: Algorithm,
    run: Run,
    watch: Watch,
) -> Concordance:
    engine = run.engine
    match algorithm:
        case "crisp":
            return crisp_crisp(P, Q)
        case "fuzzy-crisp" if Q.kind == "crisp":
            result = fuzzy_crisp(P, Q, engine)
        case "fuzzy-crisp":
            result = fuzzy_crisp(Q, P, engine)
        case "two-clusters":
            result = two_clusters(P, Q, engine)
    if algorithm in ("fuzzy-crisp", "two-clusters"):
        if run.method == algorithm or is_precise(result, P, _budget(run)):
            return result
        algorithm = visit_pairs(P, _budget(run))
    if algorithm == "sorted":
        return sorted_pairs(P, Q)
    job = open_job(run.checkpoint, "concordance", (P, Q))
    return binned_pairs(P, Q, engine, watch, job)


def _budget(run: Run) -> int:
    return DEFAULT_BUDGET if run.memory_budget is None else run.memory_budget
