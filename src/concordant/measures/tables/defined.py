"""The table of any family that is defined for two partitions."""

from concordant.catalogue.families import FAMILIES
from concordant.catalogue.lookups import families_of_kinds
from concordant.catalogue.records import FREE_SUMS
from concordant.catalogue.terms import CRISP_TABLE, Term
from concordant.catalogue.values import T_NORMS
from concordant.errors import Argument, Data, InputError, Keyword, Setting, Wordings
from concordant.partition.partition import Partition
from concordant.wording import check_choice, either


def defined_table(P: Partition, Q: Partition, table: Term) -> Term:
    """Return a table, the crisp one if both partitions are crisp, or refuse it."""
    if P.kind == Q.kind == "crisp":
        return CRISP_TABLE
    family, allowed = table.of, families_of_kinds(P.kind, Q.kind)
    if family in allowed:
        return table
    name, kind = ("P", P.kind) if P.kind != "crisp" else ("Q", Q.kind)
    if family == "crisp":
        raise InputError(
            Setting("family", "crisp"),
            " needs crisp partitions, but ",
            Data(name),
            f" is {kind}",
            Wordings("; .harden() takes each object's largest membership", ""),
        )
    name, kind = ("P", P.kind) if P.kind in FREE_SUMS else ("Q", Q.kind)
    raise InputError(
        Setting("family", family),
        f" is not defined for {kind} partitions, and ",
        Data(name),
        f" is one; use {either(allowed)}",
    )


def check_t_norm(family: str, t_norm: str | None) -> None:
    """Refuse a t-norm that a family does not take."""
    check_choice("t_norm", t_norm, tuple(T_NORMS))
    choices = FAMILIES[family].t_norms
    if t_norm is None or t_norm in choices:
        return
    if not choices:
        raise InputError(
            Setting("family", family), " has no t-norm; leave out ", Keyword("t_norm")
        )
    raise InputError(
        Argument("t_norm"),
        f" must be {either(choices)} for ",
        Setting("family", family),
        f", found {t_norm!r}",
    )
