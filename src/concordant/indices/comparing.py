"""Everything about two partitions."""

from collections.abc import Sequence
from os import PathLike
from typing import get_args

import numpy as np

from concordant.catalogue import FAMILIES, Family, table_name
from concordant.comparison import Comparison
from concordant.execution.engine import Threads, chosen_engine, leaving_nothing
from concordant.execution.progress import Progress
from concordant.execution.randomness import generator
from concordant.execution.run import Run
from concordant.families.defined import families_for
from concordant.gather import gather
from concordant.indices.pair_tables import TableMethod
from concordant.pairs.sampling import check_tol
from concordant.partition.alignment import Align, aligned
from concordant.wording import check_choice


@leaving_nothing
def compare(
    P: object,
    Q: object,
    *,
    families: Sequence[Family] | None = None,
    method: TableMethod = "auto",
    tol: float | None = None,
    n_jobs: int | None = None,
    engine: object = None,
    random_state: int | np.random.Generator | None = None,
    align: Align = "position",
    checkpoint: str | PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """
    Compare two partitions by every family and statistic, NDC and ACI.

    Parameters
    ----------
    P, Q : Partition, or what one can be made from
        Two partitions of the same n objects: labels of length n, or memberships of
        shape (n, K) and (n, L).
    families : sequence of str, optional
        Which families, see `pair_table`; all that are defined for P and Q by default.
    method : {"auto", "exact", "sampled"}, default="auto"
        Whether all pairs are visited where that is needed, or as many as `tol` takes;
        ``"auto"`` samples only if `tol` is given.
    tol : float, optional
        The half width of 95 % confidence intervals that samples are to reach.
    n_jobs : int, optional
        How many threads, see `concordance`.
    engine : dask.distributed.Client, optional
        Where the work is done instead, see `concordance`.
    random_state : int, numpy.random.Generator or None, default=None
        Where samples come from.
    align : {"position", "index"}, default="position"
        How objects are matched: by position, or by their ids (a pandas index too).
    checkpoint : str or path, optional
        A file that keeps the work on all pairs, see `concordance`.
    progress : callable, optional
        Told, as ``progress(done, total, estimate)``, how far each part of the work is.

    Returns
    -------
    Comparison
        Which prints as a table, in a notebook too.

    Examples
    --------
    >>> import concordant as cc
    >>> P = [[0.9, 0.1], [0.8, 0.2], [0.2, 0.8], [0.3, 0.7]]
    >>> comparison = cc.compare(P, [0, 0, 1, 1])
    >>> round(comparison.concordance.aci, 6)
    0.425532
    >>> round(comparison.tables["campello (min)"].adjusted_rand, 6)
    0.470588
    """
    check_choice("method", method, get_args(TableMethod), optional=False)
    check_tol(tol, method)
    rng = generator(random_state)  # is refused even if no sample is drawn
    runner = chosen_engine(engine, n_jobs)
    p, q = aligned(P, Q, align=align, engine=Threads(n_jobs))
    for partition in (p, q):
        partition._own()  # they are kept
    names = []
    for family in families_for(p, q) if families is None else families:
        check_choice("families", family, get_args(Family), optional=False)
        t_norms = FAMILIES[family].t_norms or (None,)
        names += [table_name(family, t_norm) for t_norm in t_norms]
    run = Run(
        engine=runner,
        method=method,
        tol=tol,
        rng=rng,
        random_state=random_state,
        checkpoint=checkpoint,
        progress=progress,
    )
    possible = "possibilistic" not in (p.kind, q.kind)
    found = gather(p, q, (*names, *(("concordance",) if possible else ())), run)
    return Comparison(
        kinds=(p.kind, q.kind),
        n_clusters=(p.n_clusters, q.n_clusters),
        n_objects=p.n_objects,
        concordance=found.get("concordance"),
        tables={name: found[name] for name in names},
        partitions=(p, q),
    )
