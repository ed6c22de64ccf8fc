"""What is looked up in the catalogue: names, what is defined, and code to load."""

from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from importlib.util import resolve_name
from typing import Any

from concordant.catalogue.families import FAMILIES, STATISTICS
from concordant.catalogue.indices import INDICES
from concordant.catalogue.records import MeasureRecord
from concordant.catalogue.terms import SUMS, Term
from concordant.catalogue.values import T_NORMS

_PACKAGE = __name__.partition(".")[0]


def families_of_kinds(*kinds: str) -> tuple[str, ...]:
    """List the families that are defined for partitions of some kinds."""
    return tuple(
        name
        for name, record in FAMILIES.items()
        if all(kind in record.kinds for kind in kinds)
    )


def sum_behind(term: Term, *kinds: str) -> str | None:
    """Return the sum over objects that a term follows from; None if there is none."""
    record = SUMS.get(term.what)
    names = () if record is None else record.of or (record.name,)
    return next((name for name in names if {*kinds} <= {*SUMS[name].kinds}), None)


def tables_of_family(family: str) -> tuple[Term, ...]:
    """List the tables of a family, one for each t-norm."""
    t_norms: tuple[str | None, ...] = FAMILIES[family].t_norms or (None,)
    return tuple(Term("table", family, t_norm) for t_norm in t_norms)


def table_named(name: str) -> Term | None:
    """Return the table that people and files call so; None if there is no such."""
    tables = (table for family in FAMILIES for table in tables_of_family(family))
    return next((table for table in tables if str(table) == name), None)


def score_name(statistic: str, family: str, t_norm: str | None) -> str:
    """Name a statistic of a table: ``"frigui/rand"`` or ``"campello/min/rand"``."""
    return "/".join(filter(None, (family, t_norm, statistic)))


def heading_of(name: str) -> str:
    """Return what stands above the values of an index or a statistic."""
    return measure(name).heading


def measure(name: str) -> MeasureRecord:
    """Return the record of an index or a statistic."""
    return INDICES.get(name) or STATISTICS[name]


def record_of(index: object) -> MeasureRecord | None:
    """Return the record of an index or a statistic, by its name or its function."""
    if isinstance(index, str):
        return INDICES.get(index) or STATISTICS.get(index)
    name = getattr(index, "__name__", "")
    if functions().get(name, "") != getattr(index, "__module__", None):
        return None
    return next(one for one in _measures() if one.function.endswith(f":{name}"))


def functions() -> dict[str, str]:
    """Return the modules of the public functions of indices, by their names."""
    told = (record.function.partition(":") for record in _measures() if record.function)
    return {name: resolve_name(module, _PACKAGE) for module, _, name in told}


def _measures() -> tuple[MeasureRecord, ...]:
    return *INDICES.values(), *STATISTICS.values()


def applied(
    formula: str, needs: Iterable[Term], terms: Mapping[Term, Any], **options: Any
) -> Any:
    """Call a formula with the terms that it needs."""
    return loaded(formula)(*(terms[term] for term in needs), **options)


@cache
def kernel_of(formula: str, t_norm: str | None) -> Any:
    """Return a kernel, the one with a t-norm if it has a choice."""
    found = loaded(formula)
    return found if t_norm is None else found(loaded(T_NORMS[t_norm].function))


@cache
def loaded(formula: str) -> Any:
    """Import what ``"module:name"`` tells; of a property, what computes it."""
    module, _, name = formula.partition(":")
    found: Any = import_module(module, _PACKAGE)
    for part in name.split("."):
        found = getattr(found, part)
    return found.fget if isinstance(found, property) else found
