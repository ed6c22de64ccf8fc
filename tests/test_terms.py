"""Terms are made by the catalogue, and formulas take what their records declare."""

from inspect import signature
from typing import get_args, get_type_hints

import pytest

from concordant.bounded import Bounded
from concordant.catalogue.families import FAMILIES, PAIR_SUMS, STATISTICS
from concordant.catalogue.indices import INDICES
from concordant.catalogue.lookups import loaded, table_named, tables_of_family
from concordant.catalogue.nulls import NULLS
from concordant.catalogue.records import FREE_SUMS
from concordant.catalogue.terms import SUMS, TERMS, Term
from concordant.execution.run import Run
from concordant.measures.adjusted import Concordance, Score
from concordant.measures.tables.pair_table import PairTable
from concordant.nulls.expectation import Expectation
from concordant.pairs.distribution import Distribution
from concordant.pairs.pair_terms import PairTerms
from concordant.partition.partition import Partition

OF_PAIRS = {
    "concordance": Concordance,
    "discordance": Bounded,
    "distributions": tuple[Distribution, Distribution] | None,
    "table": PairTable,
}


def type_of_sum(name):
    """Give the type of a sum over objects, or of a view on one."""
    record = SUMS[name]
    made = record.view or f"{record.chunks}.{'of' if name == 'counts' else 'read'}"
    return get_type_hints(loaded(made))["return"]


def type_of(term):
    """Give the type of a term, by the function that computes it."""
    if term.what == "pair sums":
        return loaded(PAIR_SUMS[term.of].sums)
    if term.what in OF_PAIRS:
        return OF_PAIRS[term.what]
    if term.what in SUMS:
        return type_of_sum(term.what)
    return get_type_hints(loaded(TERMS[term.what]))["return"]


def hints_of(formula):
    """Give names and types of what a formula takes, and the type of what it returns."""
    said = signature(loaded(formula), eval_str=True)
    given = [each for each in said.parameters.values() if each.default is each.empty]
    return {each.name: each.annotation for each in given}, said.return_annotation


FORMULAS = {
    record.made_for(kind)
    for record in INDICES.values()
    for kind in ("fuzzy", *sorted(FREE_SUMS & {*record.kinds}))
}


@pytest.mark.parametrize(("formula", "terms"), sorted(FORMULAS, key=str))
def test_the_formula_of_an_index_takes_the_terms_of_its_record(formula, terms):
    hints, returned = hints_of(formula)
    assert returned is Score
    assert [*hints.values()] == [type_of(term) for term in terms]
    for name, term in zip(hints, terms, strict=True):
        alike = [other for other in terms if type_of(other) == type_of(term)]
        assert len(alike) == 1 or name == term.of  # which tells them apart


@pytest.mark.parametrize("record", [x for x in FAMILIES.values() if x.formula])
def test_the_formula_of_a_family_takes_the_terms_of_its_record(record):
    hints, returned = hints_of(record.formula)
    assert returned is PairTable
    assert [*hints.values()] == [type_of(term) for term in record.terms]


@pytest.mark.parametrize("record", [x for x in SUMS.values() if x.view])
def test_a_view_takes_each_of_the_sums_that_it_is_of(record):
    hints, returned = hints_of(record.view)
    (given,) = hints.values()
    assert {*get_args(given)} == {type_of_sum(name) for name in record.of}
    if record.finer:
        hints, finer = hints_of(record.finer)
        assert [*hints.values()] == [Partition, Partition, returned, given, Run]
        assert finer is returned


@pytest.mark.parametrize("record", PAIR_SUMS.values())
def test_pair_sums_are_numbers_by_name(record):
    sums = loaded(record.sums)
    assert {*get_type_hints(sums).values()} == {float}
    hints, returned = hints_of(record.of_crisp)
    assert ([*hints.values()], returned) == ([PairTable], sums)
    hints, parts = hints_of(record.cardinalities)
    assert len(hints) == 2 * len(record.values)
    assert len(get_args(parts)) == len(sums._fields)


@pytest.mark.parametrize("record", NULLS.values())
def test_the_formula_of_a_model_of_chance_takes_the_terms_of_pairs(record):
    hints, returned = hints_of(record.formula)
    assert [*hints.values()] == [Partition, Partition, PairTerms, Run]
    assert returned is Expectation


@pytest.mark.parametrize("record", STATISTICS.values())
def test_a_statistic_is_a_number_by_a_table(record):
    hints, returned = hints_of(record.formula)
    assert [*hints] == ["self"]
    assert record.formula.startswith(".measures.tables.pair_table:PairTable.")
    assert returned is float


def test_other_terms_are_functions_of_partitions_and_a_run():
    for formula in TERMS.values():
        hints, _ = hints_of(formula)
        assert [*hints.values()] == [Partition, Partition, Run]


def test_terms_are_equal_by_what_they_are_and_written_in_one_way():
    assert Term("concordance", "inner") == Term("concordance", "inner")
    assert len({Term("concordance"), Term("concordance", "inner")}) == 2
    said = {
        Term("concordance"): "concordance",
        Term("concordance", "inner"): "concordance (inner)",
        Term("pair sums", "omega"): "omega",
        Term("expected information"): "expected information",
        Term("table", "frigui"): "frigui",
        Term("table", "campello", "min"): "campello (min)",
    }
    assert {term: str(term) for term in said} == said


def test_tables_are_found_by_what_they_are_called():
    tables = [table for family in FAMILIES for table in tables_of_family(family)]
    assert [table_named(str(table)) for table in tables] == tables
    for name in ("campello", "campello (mean)", "wallace", "aci", ""):
        assert table_named(name) is None
