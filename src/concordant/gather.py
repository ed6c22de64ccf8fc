"""What is wanted of two partitions becomes terms, each computed once."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from concordant.catalogue import (
    FAMILIES,
    NULLS,
    OF_PAIRS,
    PAIR_SUMS,
    TERMS,
    loaded,
    pair_sums,
    parts_of,
    table_of,
    term_of_value,
)
from concordant.execution.run import Run
from concordant.families.crisp import crisp_table
from concordant.families.defined import defined_table, family_table
from concordant.families.pair_table import PairTable
from concordant.formulas.adjusted import (
    Concordance,
    Discordance,
    adjusted,
    no_pairs,
    of_crisp_table,
    of_one_value,
)
from concordant.nulls.expectation import Expectation
from concordant.partition.partition import Partition
from concordant.terms.distribution import Bounded
from concordant.terms.object_sums import object_terms
from concordant.terms.pair_terms import PairTerms, Wanted
from concordant.terms.side import Side
from concordant.ways import check_kinds, terms_of_pairs


def gather(
    P: Partition, Q: Partition, wanted: Iterable[str], run: Run
) -> Mapping[str, Any]:
    """
    Compute terms of two aligned partitions, each once.

    Terms are ``"concordance"`` (a `Concordance`), ``"discordance"`` (a `Discordance`:
    NDC without its expectation, for less), the same of a named value, under
    permutations, as ``"concordance (inner)"``, the names of tables, as `table_name`
    gives them (each a `PairTable`), and the terms of objects that the catalogue lists.
    All sums over pairs come from one visit. A term has the same bits whatever else is
    wanted, but for the error of the discordance, which is smaller beside a concordance.
    """
    names = tuple(dict.fromkeys(wanted))
    # Two crisp partitions have one table, by whatever name.
    tables = {
        name: defined_table(P, Q, *table)
        for name in names
        if (table := table_of(name)) is not None
    }
    if "object means" in names and run.store is None:
        run = replace(run, store={})  # means of objects take the same distributions
    # These, which may be refused, come before the visit, and means of objects after.
    early = [name for name in names if name in TERMS and name != "object means"]
    found = {name: loaded(TERMS[name])(P, Q, run) for name in early}
    terms = _pair_terms(P, Q, names, tuple(dict.fromkeys(tables.values())), run)
    of_families = (
        term for table in tables.values() for term in FAMILIES[parts_of(table)[0]].terms
    )
    found |= object_terms(P, Q, dict.fromkeys((*names, *of_families)), run)
    if "object means" in names:
        found["object means"] = loaded(TERMS["object means"])(P, Q, run)
    for name, (term, value, null) in _agreements(names, run).items():
        own = terms if terms is None else terms.others[value]
        if term == "discordance":
            found[name] = discordance_of_terms(own)
        elif term == "distributions":
            found[name] = None if own is None else own.distributions
        else:
            of_value = replace(run, similarity=value)
            found[name] = _concordance(P, Q, own, of_value, null)
    sums = {name: name for name in names if name in PAIR_SUMS}
    for name, defined in {**tables, **sums}.items():
        found[name] = _table(P, Q, defined, terms, found)
    return {name: found[name] for name in names}


def gathered_concordance(P: Partition, Q: Partition, run: Run) -> Concordance:
    """Return NDC, its expectation and ACI of aligned partitions."""
    found: Concordance = gather(P, Q, ("concordance",), run)["concordance"]
    return found


def null_of(run: Run) -> str:
    """Return the name of the model of chance; ``method="permutations"`` is one too."""
    return "sampled-permutations" if run.method == "permutations" else run.null


def _pair_terms(
    P: Partition,
    Q: Partition,
    names: tuple[str, ...],
    tables: tuple[str, ...],
    run: Run,
) -> PairTerms | None:
    """Compute what is wanted of the pairs, if there are any and it needs them."""
    of_pairs = tuple(name for name in tables if FAMILIES[name.partition(" ")[0]].values)
    if not P.kind == Q.kind == "crisp":
        of_pairs += tuple(name for name in names if name in PAIR_SUMS)
    agreements = _agreements(names, run)
    if OF_PAIRS & {*names}:
        check_kinds(P, Q)
    if P.n_objects < 2 or not (agreements or of_pairs):
        return None
    needs: dict[str, bool] = {}
    for term, value, null in agreements.values():
        needed = term == "concordance" and NULLS[null].needs_distributions
        needed = needed or term == "distributions" or needs.get(value, False)
        needs[value] = needed
    asked = [Wanted(value, True, need) for value, need in needs.items()]
    wanted, *others = asked or [Wanted(run.similarity)]
    wanted = wanted._replace(tables=of_pairs, others=tuple(others))
    terms = terms_of_pairs(P, Q, wanted, run)
    return replace(terms, others={**terms.others, wanted.value: terms})


def _agreements(names: Iterable[str], run: Run) -> dict[str, tuple[str, str, str]]:
    """Return terms, their values and models of chance, those of the run first."""
    found = {}
    for name in sorted(names, key=lambda name: name not in OF_PAIRS):
        if name in OF_PAIRS:
            found[name] = name, run.similarity, null_of(run)
        elif (of_value := term_of_value(name)) is not None:
            found[name] = *of_value, "permutations"
    return found


def _concordance(
    P: Partition, Q: Partition, terms: PairTerms | None, run: Run, name: str
) -> Concordance:
    """Return ACI under a model of chance."""
    if terms is None:
        found = no_pairs(P.n_objects)
    elif terms.method == "crisp" and name == "permutations":
        found = of_crisp_table(terms.tables["crisp"], P.n_objects)
    else:
        expected: Expectation = loaded(NULLS[name].formula)(P, Q, terms, run)
        found = concordance_of_terms(terms, expected, name)
    found = replace(found, similarity=run.similarity, null=name)
    if found.error >= 1.0 and NULLS[name].permutes:
        sides = Side(P, run.similarity), Side(Q, run.similarity)
        found = of_one_value(found, *(side.only_value for side in sides))
    return found


def concordance_of_terms(
    terms: PairTerms, expected: Expectation, null: str = "permutations"
) -> Concordance:
    """Return ACI from the terms of pairs and E[d] under a model of chance."""
    record = NULLS[null]
    method = terms.method
    if null == "sampled-permutations":
        method = "permutations"
    elif null != "permutations":
        method = f"{method}, null {null}{expected.note}"
    return adjusted(
        terms,
        Bounded(expected.value, expected.error),
        lowest=record.lowest,
        permuted=record.permutes,
        method=method,
        n_permutations=expected.n_permutations,
    )


def discordance_of_terms(terms: PairTerms | None) -> Discordance:
    """Return d from the terms of pairs, 0 if there are none."""
    if terms is None or terms.discordance is None:
        return Discordance(0.0, 0.0, "no pairs")
    return Discordance(*terms.discordance, terms.method)


def _table(
    P: Partition, Q: Partition, name: str, terms: PairTerms | None, sums: dict[str, Any]
) -> PairTable:
    """Return a table, or other sums over pairs, which crisp ones have by theirs."""
    if terms is not None and name in terms.tables:
        return terms.tables[name]
    family, t_norm = parts_of(name)
    record = pair_sums(family)
    if record.values and P.n_objects < 2:
        return PairTable(0.0, 0.0, 0.0, 0.0, family, t_norm)
    if family in FAMILIES:
        return family_table(name, sums)
    found: PairTable = loaded(record.formula)(crisp_table(P, Q))
    return found
