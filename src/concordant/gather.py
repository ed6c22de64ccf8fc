"""What is wanted of two partitions becomes terms, each computed once."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from concordant.agreement.band_sums import BandSums
from concordant.agreement.binned_pairs import visited_tables
from concordant.agreement.computing import (
    computed_concordance,
    computed_discordance,
    planned,
)
from concordant.agreement.result import Concordance, discordance_of
from concordant.catalogue import OF_PAIRS, TERMS, loaded, parts_of_table, table_of
from concordant.exact import rounded
from concordant.execution.checkpoint import open_job, open_sample
from concordant.execution.progress import Watch
from concordant.execution.randomness import generator
from concordant.execution.run import Run
from concordant.families.defined import defined_table, family_table, reach_of
from concordant.families.pair_table import PairTable
from concordant.pairs.sampling import DEFAULT_TOL
from concordant.partition.partition import Partition
from concordant.terms.sampled_tables import SampledTable, Sampling
from concordant.terms.table_sums import TABLES_OF_PAIRS, Sums, WantedTables


def gather(
    P: Partition, Q: Partition, wanted: Iterable[str], run: Run
) -> Mapping[str, Any]:
    """
    Compute terms of two aligned partitions, each once.

    Terms are ``"concordance"`` (a `Concordance`), ``"discordance"`` (a `Discordance`:
    NDC without its expectation, for less), the names of tables, as `table_name` gives
    them (each a `PairTable`), and the terms of objects that the catalogue lists. All
    sums over pairs are filled in one visit, unless they are sampled. A term has the
    same bits whatever else is wanted, but for the error of the discordance, which is
    smaller beside a concordance.
    """
    names = tuple(dict.fromkeys(wanted))
    run = replace(run, shared={})
    if OF_PAIRS & {*names}:
        run = planned(P, Q, run)
    asked = {name: table_of(name) for name in names}
    # Two crisp partitions have one table, by whatever name.
    defined = {
        name: defined_table(P, Q, *table)
        for name, table in asked.items()
        if table is not None
    }
    of_pairs = [name for name in defined.values() if name in TABLES_OF_PAIRS]
    together = WantedTables.of(P, Q, () if run.samples else of_pairs)
    found: dict[str, Any] = {
        name: loaded(TERMS[name])(P, Q, run) for name in names if name in TERMS
    }
    sums: dict[str, Sums] = {}
    if "concordance" in names:
        found["concordance"], sums = computed_concordance(P, Q, _drawn(run), together)
    if "discordance" in names and "concordance" in names:
        found["discordance"] = discordance_of(found["concordance"])
    elif "discordance" in names:
        found["discordance"], sums = computed_discordance(P, Q, _drawn(run), together)
    if not sums and together.names:
        sums = _visited(P, Q, together, run)
    tables: dict[str, PairTable] = {name: _table(name, sums[name]) for name in sums}
    for name in defined.values():
        if name in tables:
            continue
        if name in of_pairs and run.samples:
            tables[name] = _sampled(P, Q, name, _drawn(run))
        else:
            tables[name] = family_table(P, Q, name, run)
    found |= {name: tables[table] for name, table in defined.items()}
    return {name: found[name] for name in names}


def gathered_concordance(P: Partition, Q: Partition, run: Run) -> Concordance:
    """Give NDC, its expectation and ACI of aligned partitions."""
    found: Concordance = gather(P, Q, ("concordance",), run)["concordance"]
    return found


def _drawn(run: Run) -> Run:
    """Let each sample be drawn as if it were the only one."""
    if run.random_state is None:
        return run
    return replace(run, rng=generator(run.random_state))


def _table(name: str, sums: Sums) -> PairTable:
    a, b, c, d = map(rounded, sums)
    return PairTable(a, b, c, d, *parts_of_table(name))


def _visited(
    P: Partition, Q: Partition, wanted: WantedTables, run: Run
) -> dict[str, Sums]:
    job = open_job(run.checkpoint, ", ".join(wanted.names), (P, Q))
    return visited_tables(P, Q, run.engine, _watch(P, run), job, wanted)


def _sampled(P: Partition, Q: Partition, name: str, run: Run) -> PairTable:
    job = open_sample(run.checkpoint, name, (P, Q), run.random_state)
    table = SampledTable(
        name, P, Q, BandSums.of, reach_of(name), run.engine, _watch(P, run), job
    )
    tol = DEFAULT_TOL if run.tol is None else run.tol
    return table.estimate(Sampling(tol, run.rng))


def _watch(P: Partition, run: Run) -> Watch:
    return Watch(run.progress, P.n_objects * (P.n_objects - 1) // 2)
