"""One function for each statistic of a pair table."""

from concordant.catalogue import Family
from concordant.families.pair_table import PairTable
from concordant.measures.pair_tables import pair_table
from concordant.partition.alignment import Align


def rand_index(
    P: object,
    Q: object,
    *,
    family: Family | None = None,
    t_norm: str | None = None,
    n_jobs: int | None = None,
    engine: object = None,
    align: Align = "position",
) -> float:
    """
    Return the share of pairs on which two partitions agree.

    (a + d) / (a + b + c + d).

    Parameters
    ----------
    P, Q : Partition, or anything one can be made from
        Two partitions of the same n objects: labels of length n, or memberships of
        shape (n, K) and (n, L).
    family : str, optional
        The definition of a, b, c and d, see `pair_table`: ``"huellermeier"`` by
        default, the classical one if both partitions are crisp.
    t_norm : {"min", "product", "lukasiewicz"}, optional
        The t-norm, if the family has a choice.
    n_jobs : int, optional
        Number of threads; see `pair_table`.
    engine : dask.distributed.Client, optional
        Where to run the work instead; see `pair_table`.
    align : {"position", "index", "common"}, default="position"
        How objects are matched: by position, by ids (a pandas index too), or only
        those whose ids are on both sides.

    Returns
    -------
    float
        From 0 to 1; higher is better. With the default family it is the normalized
        degree of concordance, and 1 if and only if every pair is exactly as similar in
        P as in Q.

    Examples
    --------
    >>> import concordant as cc
    >>> cc.rand_index([0, 0, 1, 0], [0, 1, 1, 0])
    0.5
    """
    return _table(P, Q, family, t_norm, n_jobs, engine, align).rand


def adjusted_rand_index(
    P: object,
    Q: object,
    *,
    family: Family | None = None,
    t_norm: str | None = None,
    n_jobs: int | None = None,
    engine: object = None,
    align: Align = "position",
) -> float:
    """
    Return the adjusted Rand index of Hubert and Arabie, from the four cardinalities.

    2 (ad - bc) / (b² + c² + 2ad + (a + d)(b + c)).

    Parameters
    ----------
    P, Q : Partition, or anything one can be made from
        Two partitions of the same n objects: labels of length n, or memberships of
        shape (n, K) and (n, L).
    family : str, optional
        The definition of a, b, c and d, see `pair_table`: ``"huellermeier"`` by
        default, the classical one if both partitions are crisp.
    t_norm : {"min", "product", "lukasiewicz"}, optional
        The t-norm, if the family has a choice.
    n_jobs : int, optional
        Number of threads; see `pair_table`.
    engine : dask.distributed.Client, optional
        Where to run the work instead; see `pair_table`.
    align : {"position", "index", "common"}, default="position"
        How objects are matched: by position, by ids (a pandas index too), or only
        those whose ids are on both sides.

    Returns
    -------
    float
        At most 1 for crisp partitions; higher is better. Over all permutations of the
        objects the mean is 0 for the families *crisp*, *frigui* and *brouwer*, and not
        for the others.
        For fuzzy families the formula is the same, but it does not correct for chance
        as `adjusted_concordance_index` does.

    Examples
    --------
    >>> import concordant as cc
    >>> cc.adjusted_rand_index([0, 0, 1, 0], [0, 1, 1, 0])
    0.0
    """
    return _table(P, Q, family, t_norm, n_jobs, engine, align).adjusted_rand


def jaccard_index(
    P: object,
    Q: object,
    *,
    family: Family | None = None,
    t_norm: str | None = None,
    n_jobs: int | None = None,
    engine: object = None,
    align: Align = "position",
) -> float:
    """
    Return the share of joined pairs that are joined in both partitions.

    a / (a + b + c).

    Parameters
    ----------
    P, Q : Partition, or anything one can be made from
        Two partitions of the same n objects: labels of length n, or memberships of
        shape (n, K) and (n, L).
    family : str, optional
        The definition of a, b, c and d, see `pair_table`: ``"huellermeier"`` by
        default, the classical one if both partitions are crisp.
    t_norm : {"min", "product", "lukasiewicz"}, optional
        The t-norm, if the family has a choice.
    n_jobs : int, optional
        Number of threads; see `pair_table`.
    engine : dask.distributed.Client, optional
        Where to run the work instead; see `pair_table`.
    align : {"position", "index", "common"}, default="position"
        How objects are matched: by position, by ids (a pandas index too), or only
        those whose ids are on both sides.

    Returns
    -------
    float
        From 0 to 1; higher is better.

    Examples
    --------
    >>> import concordant as cc
    >>> cc.jaccard_index([0, 0, 1, 0], [0, 1, 1, 0])
    0.25
    """
    return _table(P, Q, family, t_norm, n_jobs, engine, align).jaccard


def fowlkes_mallows_index(
    P: object,
    Q: object,
    *,
    family: Family | None = None,
    t_norm: str | None = None,
    n_jobs: int | None = None,
    engine: object = None,
    align: Align = "position",
) -> float:
    """
    Return the geometric mean of precision and recall of joined pairs.

    a / sqrt((a + b)(a + c)).

    Parameters
    ----------
    P, Q : Partition, or anything one can be made from
        Two partitions of the same n objects: labels of length n, or memberships of
        shape (n, K) and (n, L).
    family : str, optional
        The definition of a, b, c and d, see `pair_table`: ``"huellermeier"`` by
        default, the classical one if both partitions are crisp.
    t_norm : {"min", "product", "lukasiewicz"}, optional
        The t-norm, if the family has a choice.
    n_jobs : int, optional
        Number of threads; see `pair_table`.
    engine : dask.distributed.Client, optional
        Where to run the work instead; see `pair_table`.
    align : {"position", "index", "common"}, default="position"
        How objects are matched: by position, by ids (a pandas index too), or only
        those whose ids are on both sides.

    Returns
    -------
    float
        From 0 to 1; higher is better. It is 1 if neither partition joins any pair.

    Examples
    --------
    >>> import concordant as cc
    >>> cc.fowlkes_mallows_index([0, 0, 1, 1], [1, 1, 0, 0])
    1.0
    """
    return _table(P, Q, family, t_norm, n_jobs, engine, align).fowlkes_mallows


def mirkin_metric(
    P: object,
    Q: object,
    *,
    family: Family | None = None,
    t_norm: str | None = None,
    n_jobs: int | None = None,
    engine: object = None,
    align: Align = "position",
) -> float:
    """
    Return the number of ordered pairs on which two partitions disagree.

    2 (b + c).

    Parameters
    ----------
    P, Q : Partition, or anything one can be made from
        Two partitions of the same n objects: labels of length n, or memberships of
        shape (n, K) and (n, L).
    family : str, optional
        The definition of a, b, c and d, see `pair_table`: ``"huellermeier"`` by
        default, the classical one if both partitions are crisp.
    t_norm : {"min", "product", "lukasiewicz"}, optional
        The t-norm, if the family has a choice.
    n_jobs : int, optional
        Number of threads; see `pair_table`.
    engine : dask.distributed.Client, optional
        Where to run the work instead; see `pair_table`.
    align : {"position", "index", "common"}, default="position"
        How objects are matched: by position, by ids (a pandas index too), or only
        those whose ids are on both sides.

    Returns
    -------
    float
        A distance from 0 to n (n - 1); lower is better.

    Examples
    --------
    >>> import concordant as cc
    >>> cc.mirkin_metric([0, 0, 1, 0], [0, 1, 1, 0])
    6.0
    """
    return _table(P, Q, family, t_norm, n_jobs, engine, align).mirkin


def dice_coefficient(
    P: object,
    Q: object,
    *,
    family: Family | None = None,
    t_norm: str | None = None,
    n_jobs: int | None = None,
    engine: object = None,
    align: Align = "position",
) -> float:
    """
    Return the harmonic mean of precision and recall of joined pairs.

    2a / (2a + b + c).

    Parameters
    ----------
    P, Q : Partition, or anything one can be made from
        Two partitions of the same n objects: labels of length n, or memberships of
        shape (n, K) and (n, L).
    family : str, optional
        The definition of a, b, c and d, see `pair_table`: ``"huellermeier"`` by
        default, the classical one if both partitions are crisp.
    t_norm : {"min", "product", "lukasiewicz"}, optional
        The t-norm, if the family has a choice.
    n_jobs : int, optional
        Number of threads; see `pair_table`.
    engine : dask.distributed.Client, optional
        Where to run the work instead; see `pair_table`.
    align : {"position", "index", "common"}, default="position"
        How objects are matched: by position, by ids (a pandas index too), or only
        those whose ids are on both sides.

    Returns
    -------
    float
        From 0 to 1; higher is better.

    Examples
    --------
    >>> import concordant as cc
    >>> cc.dice_coefficient([0, 0, 1, 0], [0, 1, 1, 0])
    0.4
    """
    return _table(P, Q, family, t_norm, n_jobs, engine, align).dice


def _table(
    P: object,
    Q: object,
    family: Family | None,
    t_norm: str | None,
    n_jobs: int | None,
    engine: object,
    align: Align,
) -> PairTable:
    return pair_table(
        P,
        Q,
        family=family,
        t_norm=t_norm,
        n_jobs=n_jobs,
        engine=engine,
        align=align,
    )
