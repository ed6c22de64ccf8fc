"""One index of two partitions, by its name."""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

import numpy as np

from concordant.catalogue.families import STATISTICS
from concordant.catalogue.index_options import OPTIONS
from concordant.catalogue.lookups import loaded, measure
from concordant.catalogue.records import MeasureRecord
from concordant.comparison import Wanted
from concordant.errors import InputError, InputTypeError, listed
from concordant.measures.comparing import compare_wanted
from concordant.measures.pair_tables import pair_table
from concordant.naming import index_named, proposed
from concordant.partition.alignment import MatchBy
from concordant.underflow import tiny_is_zero
from concordant.wording import check_choice, check_flag, check_share


@tiny_is_zero
def score(
    P: object,
    Q: object,
    index: str = "aci",
    *,
    tol: float | None = None,
    n_jobs: int | None = None,
    engine: object = None,
    random_state: int | np.random.Generator | None = None,
    match_by: MatchBy = "position",
    **options: Any,
) -> float:
    """
    Return one index of two partitions, by its name.

    Parameters
    ----------
    P, Q : Partition, or anything one can be made from
        Two partitions of the same n objects: labels of length n, or memberships of
        shape (n, K) and (n, L).
    index : str, default="aci"
        The name of an index or statistic, as `indices` lists them, in any case; what
        it is often called, such as ``"ari"``, is understood too.
    tol : float, optional
        The half width that the 95 % confidence interval of an estimate from a sample of
        pairs is to have; see `concordance`. By default all pairs are visited.
    n_jobs : int, optional
        Number of threads; see `concordance`. The result is the same to the last bit.
    engine : dask.distributed.Client or Engine, optional
        Where to run the work instead; see `concordance`.
    random_state : int, numpy.random.Generator or None, default=None
        Source of what is drawn: samples of pairs, permutations, labels.
    match_by : {"position", "id", "common"}, default="position"
        How objects are matched: by position, by ids (a pandas index too), or only
        those whose ids are on both sides.
    **options
        Options of the index: `family` and `t_norm` of the statistics of pair tables
        (see `pair_table`), `similarity`, `null` and `clip` of ACI (see `concordance`),
        `similarity` of NDC, `average` of NMI, `alpha` of the element-centric similarity
        (see `element_centric_scores`), `distance` of ``"matched"`` (see
        `match_clusters`).

    Returns
    -------
    float
        Its value; ``compare(P, Q, indices=[...])`` gives its error too.

    Raises
    ------
    ValueError, TypeError
        If there is no such index, which names the nearest, the index has no such
        option, is not defined for these partitions or cannot be told from their digits.

    Examples
    --------
    >>> import concordant as cc
    >>> P = [[0.9, 0.1], [0.8, 0.2], [0.2, 0.8], [0.3, 0.7]]
    >>> round(cc.score(P, [0, 0, 1, 1]), 6)
    0.425532
    >>> cc.score([0, 0, 1, 0], [0, 1, 1, 0], "ARI")
    0.0
    >>> round(cc.score(P, [0, 0, 1, 1], "rand", family="campello", t_norm="min"), 6)
    0.75

    Inner products of memberships, also where these need not sum to 1, and covers:

    >>> round(cc.score(P, [0, 0, 1, 1], "agri"), 6)
    0.327945
    >>> P = cc.Partition([[1, 0], [1, 1], [0, 1], [0, 1]], kind="overlapping")
    >>> Q = cc.Partition([[1, 0], [1, 0], [0, 1], [0, 1]], kind="overlapping")
    >>> round(cc.score(P, Q, "omega"), 6)
    0.4
    """
    name = index_named("index", index)
    record = measure(name)
    _check_options(record, options)
    how: dict[str, Any] = {"tol": tol, "n_jobs": n_jobs, "engine": engine}
    how["random_state"] = random_state
    if name in STATISTICS:
        table = pair_table(P, Q, match_by=match_by, **how, **options)
        return float(loaded(record.formula)(table))
    wanted = Wanted((name,), options=options)
    how |= {"match_by": match_by, "argument": "", **wanted.settling("run")}
    found = compare_wanted(P, Q, wanted, keeps=False, **how).scores[name]
    if found.error is not None and record.range == (0.0, 1.0) and found.error >= 1.0:
        raise InputError(
            f"{record.title[:1].lower()}{record.title[1:]} cannot be told from the "
            "digits of these memberships; set those that are tiny to 0"
        )
    return found.value


def _check_options(record: MeasureRecord, options: Mapping[str, Any]) -> None:
    """Refuse options that an index does not have, and values that they do not take."""
    for key, value in options.items():
        if key not in record.options:
            hint = proposed(*get_close_matches(key, record.options))
            has = f"takes {listed([*record.options])}" if record.options else "has none"
            raise InputTypeError(
                f'{key} is no option of the index "{record.name}", which {has}{hint}'
            )
        option = OPTIONS[key]
        if option.choices:
            check_choice(key, value, option.choices, optional=option.default is None)
        elif isinstance(option.default, bool):
            check_flag(key, value)
        else:
            check_share(key, value)
