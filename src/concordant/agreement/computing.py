"""The concordance of two partitions, by the algorithm that suits."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Literal

from concordant.agreement.binned_pairs import binned_pairs, visited_discordance
from concordant.agreement.crisp_crisp import crisp_crisp
from concordant.agreement.fuzzy_crisp import fuzzy_crisp
from concordant.agreement.kept_distributions import from_kept_distributions
from concordant.agreement.lattice_pairs import lattice_pairs
from concordant.agreement.lattices import MOST as MOST_DENOMINATOR
from concordant.agreement.lattices import lattice_of
from concordant.agreement.plan import (
    DEFAULT_BUDGET,
    VISITING,
    Algorithm,
    both_have_two_clusters,
    both_on_lattices,
    choose,
    fits,
    is_precise,
    takes_long,
    visit_pairs,
)
from concordant.agreement.result import (
    Concordance,
    Discordance,
    assemble,
    discordance_of,
)
from concordant.agreement.sampled_pairs import sampled_pairs
from concordant.agreement.sampling_costs import SampleCosts
from concordant.agreement.sorted_pairs import (
    bytes_to_sort,
    sorted_discordance,
    sorted_pairs,
)
from concordant.agreement.two_clusters import two_clusters
from concordant.catalogue import NULLS, loaded
from concordant.errors import Data, InputError, Setting, Wordings
from concordant.execution.checkpoint import open_job, open_sample
from concordant.execution.progress import Progress, Watch, visible
from concordant.execution.run import Run
from concordant.nulls.expectation import Expectation
from concordant.nulls.permutations import permutations
from concordant.pairs.sampling import DEFAULT_TOL
from concordant.partition.partition import Partition
from concordant.terms.table_sums import NO_TABLES, Sums, WantedTables

Method = Literal[
    "auto",
    "exact",
    "sampled",
    "permutations",
    "crisp",
    "fuzzy-crisp",
    "two-clusters",
    "sorted",
    "lattice",
    "binned",
]

#: What computes it.
Chosen = Algorithm | Literal["sampled"]

_HINT = (
    "visiting all {pairs:.1e} pairs; an estimate with its error takes a fraction of "
    "the time: tol=1e-3"
)


def computed_concordance(
    P: Partition, Q: Partition, run: Run, tables: WantedTables = NO_TABLES
) -> tuple[Concordance, dict[str, Sums]]:
    """
    Give NDC, its expectation and ACI of aligned partitions.

    The sums of tables come along where all pairs are visited for them anyway.
    """
    check_kinds(P, Q)
    if P.n_objects < 2:
        return assemble(0.0, 0.0, n_objects=P.n_objects, method="no pairs"), {}
    if run.null != "permutations":
        return _against(P, Q, run, tables)
    if run.method == "permutations":
        h = run.n_permutations
        return permutations(P, Q, n_permutations=h, rng=run.rng), {}
    algorithm = _algorithm(P, Q, run)
    with _watched(P, Q, algorithm, run.progress) as watch:
        if algorithm == "sampled":
            result = _sampled(P, Q, run, watch)
            if result is not None:
                return result, {}
            algorithm = choose(P, Q, _budget(run))
        result = _without_pairs(P, Q, algorithm, run)
        if result is not None:
            return result, {}
        visiting = _visiting(P, Q, algorithm, run)
        if visiting == "sorted":
            return sorted_pairs(P, Q), {}
        result = _on_lattices(P, Q, run, watch) if visiting == "lattice" else None
        if result is not None:
            return result, {}
        if run.keep:
            found = from_kept_distributions(P, Q, run.engine, watch, tables)
            if found is not None:
                return found
        job = open_job(run.checkpoint, _job_name("concordance", tables), (P, Q))
        return binned_pairs(P, Q, run.engine, watch, job, tables)


def _against(
    P: Partition, Q: Partition, run: Run, tables: WantedTables
) -> tuple[Concordance, dict[str, Sums]]:
    """Compare d with what another model of chance gives."""
    usual = replace(run, null="permutations")
    found, sums = computed_concordance(P, Q, usual, tables)
    expected: Expectation = loaded(NULLS[run.null].formula)(P, Q, run)
    result = assemble(
        found.discordance,
        expected.value,
        n_objects=P.n_objects,
        method=f"{found.method}, null {run.null}",
        discordance_error=found.discordance_error,
        expected_discordance_error=expected.error,
        n_pairs=found.n_pairs,
        n_permutations=expected.n_permutations,
    )
    return result, sums


def computed_discordance(
    P: Partition, Q: Partition, run: Run, tables: WantedTables = NO_TABLES
) -> tuple[Discordance, dict[str, Sums]]:
    """Give NDC alone, with the bits of `computed_concordance`; tables likewise."""
    if P.n_objects < 2 or run.samples or run.method == "permutations":
        result, sums = computed_concordance(P, Q, run, tables)
        return discordance_of(result), sums
    check_kinds(P, Q)
    algorithm = _algorithm(P, Q, run)
    with _watched(P, Q, algorithm, run.progress) as watch:
        # These take no pairs for what chance gives either.
        found = _without_pairs(P, Q, algorithm, run)
        if found is not None:
            return discordance_of(found), {}
        visiting = _visiting(P, Q, algorithm, run)
        if visiting == "sorted":
            return sorted_discordance(P, Q), {}
        found = _on_lattices(P, Q, run, watch) if visiting == "lattice" else None
        if found is not None:
            return discordance_of(found), {}
        job = open_job(run.checkpoint, _job_name("discordance", tables), (P, Q))
        return visited_discordance(P, Q, run.engine, watch, job, tables)


def _job_name(name: str, tables: WantedTables) -> str:
    return ", ".join((name, *tables.names))


def planned(P: Partition, Q: Partition, run: Run) -> Run:
    """
    Ask for no sample where all pairs are visited sooner.

    Where a sample is asked for by its name, that is only if it takes all pairs anyway.
    """
    if not run.samples or P.n_objects < 2 or not P.kind == Q.kind == "fuzzy":
        return run
    algorithm = choose(P, Q, _budget(run))
    tol, costs = _tol(run), SampleCosts.of(P, Q, algorithm)
    if run.method == "sampled":
        all_pairs = costs.takes_all(P, Q, tol)
    else:
        all_pairs = algorithm in VISITING and not costs.pays(P, Q, tol)
    return replace(run, tol=None, method="auto") if all_pairs else run


def _tol(run: Run) -> float:
    return DEFAULT_TOL if run.tol is None else float(run.tol)


def _sampled(P: Partition, Q: Partition, run: Run, watch: Watch) -> Concordance | None:
    """Estimate it, unless all pairs are visited sooner, or were, and can be sorted."""
    most_groups = math.inf
    if run.method == "auto":
        exact = choose(P, Q, _budget(run))
        most_groups = SampleCosts.of(P, Q, exact).most_groups
    found = sampled_pairs(
        P,
        Q,
        tol=_tol(run),
        rng=run.rng,
        engine=run.engine,
        watch=watch,
        job=open_sample(run.checkpoint, "concordance", (P, Q), run.random_state),
        most_groups=most_groups,
    )
    if found is None:
        return None
    saw_all = found.n_pairs == P.n_objects * (P.n_objects - 1) // 2
    return None if saw_all and fits(P, _budget(run)) else found


def check_kinds(P: Partition, Q: Partition) -> None:
    """Refuse possibilistic partitions, whose similarities are not defined."""
    for name, partition in (("P", P), ("Q", Q)):
        if partition.kind == "possibilistic":
            raise InputError(
                "the concordance is not defined for possibilistic partitions, and ",
                Data(name),
                " is one; use ",
                Wordings("pair_table", "--index rand"),
                " with ",
                Setting("family", "anderson", "brouwer", "campello"),
            )


def _algorithm(
    P: Partition,
    Q: Partition,
    run: Run,
) -> Chosen:
    """Turn what the caller asked for into the name of an algorithm that can do it."""
    method, memory_budget = run.method, run.memory_budget
    if method in ("auto", "exact"):
        algorithm = choose(P, Q, _budget(run))
        if run.tol is not None and algorithm in VISITING:
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
        "lattice": (
            method != "lattice" or both_on_lattices(P, Q),
            "memberships that are multiples of some 1 / D, with D up to "
            f"{MOST_DENOMINATOR}, in both partitions",
        ),
    }
    met, what = needs.get(method, (True, ""))
    if not met:
        raise InputError(
            Setting("method", method),
            f" needs {what}; ",
            Setting("method", "auto"),
            " chooses",
        )
    if method == "sorted" and memory_budget is not None and not fits(P, memory_budget):
        raise InputError(
            Setting("method", "sorted"),
            f" takes {bytes_to_sort(P.n_objects)} bytes for {P.n_objects} objects, "
            f"more than memory_budget={memory_budget}; ",
            Setting("method", "binned"),
            " takes less",
        )
    return method  # type: ignore[return-value]


@contextmanager
def _watched(
    P: Partition, Q: Partition, algorithm: str, progress: Progress | None
) -> Iterator[Watch]:
    m = P.n_objects * (P.n_objects - 1) // 2
    long = algorithm in ("lattice", "binned", "sampled") and takes_long(P, Q)
    hint = _HINT.format(pairs=m) if algorithm in ("lattice", "binned") else ""
    with visible(progress, long=long, hint=hint) as tell:
        yield Watch(tell, m)


def _without_pairs(
    P: Partition, Q: Partition, algorithm: Chosen, run: Run
) -> Concordance | None:
    """Give what takes no pairs, unless it takes them or is not precise enough."""
    match algorithm:
        case "crisp":
            return crisp_crisp(P, Q)
        case "fuzzy-crisp" if Q.kind == "crisp":
            result = fuzzy_crisp(P, Q, run.engine)
        case "fuzzy-crisp":
            result = fuzzy_crisp(Q, P, run.engine)
        case "two-clusters":
            result = two_clusters(P, Q, run.engine)
        case _:
            return None
    if run.method == algorithm or is_precise(result, P, _budget(run)):
        return result
    return None


def _visiting(P: Partition, Q: Partition, algorithm: Chosen, run: Run) -> str:
    """Tell how all pairs are visited; the bins of lattices are their multiples."""
    if run.method == "binned" and both_on_lattices(P, Q):
        return "lattice"
    return algorithm if algorithm in VISITING else visit_pairs(P, Q, _budget(run))


def _on_lattices(
    P: Partition, Q: Partition, run: Run, watch: Watch
) -> Concordance | None:
    """Visit all pairs in integers, unless that is not precise enough."""
    p, q = lattice_of(P), lattice_of(Q)
    if p is None or q is None:
        return None
    job = open_job(run.checkpoint, "concordance, lattice", (P, Q))
    result = lattice_pairs(p, q, run.engine, watch, job)
    if run.method == "lattice" or is_precise(result, P, _budget(run)):
        return result
    return None


def _budget(run: Run) -> int:
    return DEFAULT_BUDGET if run.memory_budget is None else run.memory_budget
