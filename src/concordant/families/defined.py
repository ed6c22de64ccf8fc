"""The table of any family that is defined for two partitions."""

from typing import get_args

from concordant.catalogue import FAMILIES, TNorm, families_of_kinds, loaded
from concordant.execution.run import Run
from concordant.families.crisp import crisp_table
from concordant.families.pair_table import PairTable
from concordant.partition.partition import Partition
from concordant.wording import check_choice, either


def family_table(
    P: Partition, Q: Partition, family: str | None, t_norm: TNorm | None, run: Run
) -> PairTable:
    """Give the table of one family, the crisp one if both partitions are crisp."""
    check_choice("family", family, tuple(FAMILIES))
    both_crisp = P.kind == Q.kind == "crisp"
    if family is None:
        family = "crisp" if both_crisp else "huellermeier"
    check_t_norm(family, t_norm)
    if both_crisp:
        return crisp_table(P, Q)
    _check_kinds(P, Q, family)
    record = FAMILIES[family]
    if t_norm is None and record.t_norms:
        t_norm = record.t_norms[0]
    table: PairTable = loaded(record.formula)(P, Q, t_norm, run)
    return table


def families_for(P: Partition, Q: Partition) -> tuple[str, ...]:
    """List the families that are defined for two partitions."""
    return families_of_kinds(P.kind, Q.kind)


def check_t_norm(family: str, t_norm: TNorm | None) -> None:
    """Refuse a t-norm that a family does not take."""
    check_choice("t_norm", t_norm, get_args(TNorm))
    choices = FAMILIES[family].t_norms
    if t_norm is None or t_norm in choices:
        return
    if not choices:
        raise ValueError(f"family {family!r} has no t-norm; leave out t_norm=")
    raise ValueError(
        f"t_norm must be {either(choices)} for family {family!r}, found {t_norm!r}"
    )


def _check_kinds(P: Partition, Q: Partition, family: str) -> None:
    allowed = families_for(P, Q)
    if family in allowed:
        return
    name, kind = ("P", P.kind) if P.kind != "crisp" else ("Q", Q.kind)
    if family == "crisp":
        raise ValueError(
            f'family="crisp" needs crisp partitions, but {name} is {kind}; '
            ".harden() takes each object's largest membership"
        )
    name = "P" if P.kind == "possibilistic" else "Q"
    raise ValueError(
        f"family {family!r} is not defined for possibilistic partitions, and {name} is "
        f"one; use {either(allowed)}"
    )
