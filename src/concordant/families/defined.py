"""The table of any family that is defined for two partitions."""

from collections.abc import Callable
from typing import get_args

from concordant.catalogue import (
    FAMILIES,
    TABLES,
    Family,
    TNorm,
    families_of_kinds,
    table_name,
)
from concordant.execution.engine import Engine
from concordant.families.anderson import anderson_table
from concordant.families.brouwer import brouwer_table
from concordant.families.campello import CAMPELLO_REACHES, campello_table
from concordant.families.crisp import crisp_table
from concordant.families.frigui import frigui_table
from concordant.families.huellermeier import huellermeier_reach, huellermeier_table
from concordant.families.pair_table import PairTable
from concordant.partition.partition import Partition
from concordant.terms.sampled_tables import Reach
from concordant.wording import check_choice, either

#: The tables of pairs, where these are few, by the names of their families.
OF_FEW: dict[str, Callable[[Partition, Partition, TNorm], PairTable]] = {
    "campello": campello_table,
    "huellermeier": huellermeier_table,
}


def defined_table(
    P: Partition, Q: Partition, family: Family | None, t_norm: TNorm | None
) -> str:
    """Name the table of one family, the crisp one if both partitions are crisp."""
    check_choice("family", family, get_args(Family))
    both_crisp = P.kind == Q.kind == "crisp"
    if family is None:
        family = "crisp" if both_crisp else "huellermeier"
    check_t_norm(family, t_norm)
    if both_crisp:
        return "crisp"
    _check_kinds(P, Q, family)
    choices = FAMILIES[family].t_norms
    return table_name(family, t_norm or choices[0] if choices else None)


def table_of_objects(
    P: Partition, Q: Partition, family: Family, engine: Engine
) -> PairTable:
    """Give a table that takes no pairs."""
    match family:
        case "frigui":
            return frigui_table(P, Q, engine)
        case "brouwer":
            return brouwer_table(P, Q, engine)
        case "anderson":
            return anderson_table(P, Q, engine)
        case _:
            return crisp_table(P, Q)


def reach_of(name: str) -> Reach:
    """Tell how far the cardinalities of a table can differ between two pairs."""
    family, t_norm = TABLES[name]
    if family == "campello" and t_norm is not None:
        return CAMPELLO_REACHES[t_norm]
    return huellermeier_reach


def families_for(P: Partition, Q: Partition) -> tuple[Family, ...]:
    """
    List the families that are defined for two partitions.

    Parameters
    ----------
    P, Q : Partition
        The partitions.

    Returns
    -------
    tuple of str
        In the order of `FAMILIES`.
    """
    return families_of_kinds(P.kind, Q.kind)


def check_t_norm(family: Family, t_norm: TNorm | None) -> None:
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


def _check_kinds(P: Partition, Q: Partition, family: Family) -> None:
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
