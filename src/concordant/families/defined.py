"""The table of any family that is defined for two partitions."""

from typing import get_args

from concordant.catalogue import FAMILIES, Family, TNorm, families_of_kinds, table_name
from concordant.errors import Argument, Data, InputError, Keyword, Setting, Wordings
from concordant.execution.checkpoint import Job, open_job, open_sample
from concordant.execution.progress import Watch
from concordant.execution.run import Run
from concordant.families.anderson import anderson_table
from concordant.families.brouwer import brouwer_table
from concordant.families.campello import campello_table
from concordant.families.crisp import crisp_table
from concordant.families.frigui import frigui_table
from concordant.families.huellermeier import huellermeier_table
from concordant.families.pair_table import PairTable
from concordant.pairs.sampling import DEFAULT_TOL
from concordant.partition.partition import Partition
from concordant.terms.visited_pairs import Sampling
from concordant.wording import check_choice, either


def family_table(
    P: Partition, Q: Partition, family: Family | None, t_norm: TNorm | None, run: Run
) -> PairTable:
    """Give the table of one family, the crisp one if both partitions are crisp."""
    check_choice("family", family, get_args(Family))
    both_crisp = P.kind == Q.kind == "crisp"
    if family is None:
        family = "crisp" if both_crisp else "huellermeier"
    check_t_norm(family, t_norm)
    if both_crisp:
        return crisp_table(P, Q)
    _check_kinds(P, Q, family)
    watch = Watch(run.progress, P.n_objects * (P.n_objects - 1) // 2)
    sampling = None
    if run.samples:
        sampling = Sampling(DEFAULT_TOL if run.tol is None else run.tol, run.rng)

    def begin(t_norm: TNorm) -> Job:
        name = table_name(family, t_norm)
        if sampling is None:
            return open_job(run.checkpoint, name, (P, Q))
        return open_sample(run.checkpoint, name, (P, Q), run.random_state)

    match family:
        case "campello":
            t_norm = t_norm or "min"
            job = begin(t_norm)
            return campello_table(P, Q, t_norm, run.engine, watch, sampling, job)
        case "frigui":
            return frigui_table(P, Q, run.engine)
        case "brouwer":
            return brouwer_table(P, Q, run.engine)
        case "anderson":
            return anderson_table(P, Q, run.engine)
        case _:
            t_norm = t_norm or "product"
            job = begin(t_norm)
            return huellermeier_table(P, Q, t_norm, run.engine, watch, sampling, job)


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
        raise InputError(
            Setting("family", family), " has no t-norm; leave out ", Keyword("t_norm")
        )
    raise InputError(
        Argument("t_norm"),
        f" must be {either(choices)} for ",
        Setting("family", family),
        f", found {t_norm!r}",
    )


def _check_kinds(P: Partition, Q: Partition, family: Family) -> None:
    allowed = families_for(P, Q)
    if family in allowed:
        return
    name, kind = ("P", P.kind) if P.kind != "crisp" else ("Q", Q.kind)
    if family == "crisp":
        raise InputError(
            Setting("family", "crisp"),
            " needs crisp partitions, but ",
            Data(name),
            f" is {kind}",
            Wordings("; .harden() takes each object's largest membership", ""),
        )
    name = "P" if P.kind == "possibilistic" else "Q"
    raise InputError(
        Setting("family", family),
        " is not defined for possibilistic partitions, and ",
        Data(name),
        f" is one; use {either(allowed)}",
    )
