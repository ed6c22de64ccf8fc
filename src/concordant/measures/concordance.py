"""NDC, its expectation and ACI, computed by the algorithm that suits."""

import dataclasses
from os import PathLike

import numpy as np

from concordant.catalogue.terms import CONCORDANCE
from concordant.catalogue.values import Similarity
from concordant.comparison import Wanted
from concordant.compute import Method, gathered_concordance
from concordant.door import checked
from concordant.execution.progress import Telling
from concordant.measures.adjusted import Concordance
from concordant.measures.asked_run import asked_run
from concordant.partition.alignment import MatchBy, aligned
from concordant.streams.dask_arrays import on_chunks
from concordant.underflow import tiny_is_zero

_ACI = Wanted(indices=("aci",))


@checked
@tiny_is_zero
def concordance(
    P: object,
    Q: object,
    *,
    method: Method = "auto",
    tol: float | None = None,
    similarity: Similarity = "l1",
    null: str = "permutations",
    n_jobs: int | None = None,
    engine: object = None,
    random_state: int | np.random.Generator | None = None,
    n_permutations: int = 1000,
    clip: bool = False,
    match_by: MatchBy = "position",
    checkpoint: str | PathLike[str] | None = None,
    progress: Telling = None,
) -> Concordance:
    """
    Measure how far two partitions agree, and how far they would by chance.

    d is the mean over all pairs of ``|E_P - E_Q|``, NDC = 1 - d and
    ACI = 1 - d / E[d], where E[d] is the mean of d over all permutations of the
    objects. E is the similarity of a pair: ``1 - |u_i - u_j| / 2`` in the L1 norm, or
    the inner product of the memberships, with which NDC and ACI are the generalized
    Rand index of Horta and Campello and its adjusted form (13GRI, 13AGRI).

    Parameters
    ----------
    P, Q : Partition, or anything one can be made from
        Two partitions of the same n objects, crisp or fuzzy: labels of length n, or
        memberships of shape (n, K) and (n, L).
    method : str, default="auto"
        ``"auto"`` computes all three exactly, up to an error that the result states, by
        the algorithm that suits the partitions; it samples if `tol` is given, all pairs
        would have to be visited, and a sample is quicker. ``"sampled"`` estimates them
        from as many pairs as `tol` requires; if these are nearly all, the result is
        exact. ``"permutations"`` averages E[d] over permutations of the similarities,
        as the paper does: all m! of them for m <= 8 pairs, `n_permutations` random ones
        otherwise. An algorithm can also be forced by its name: ``"crisp"``,
        ``"fuzzy-crisp"``, ``"two-clusters"``, ``"sorted"`` or ``"binned"``.
    tol : float, optional
        The half width that the 95 % confidence interval of ACI is to have, if pairs are
        sampled; 1e-3 for ``method="sampled"`` by default. Up to 20 000 objects all
        pairs are visited unless ``method="sampled"``.
    similarity : {"l1", "inner"}, default="l1"
        The similarity of a pair of objects: one minus half the L1 distance of the
        memberships, or their inner product.
    null : str, default="permutations"
        The model of chance that E[d] is taken from: all permutations of the objects,
        or memberships drawn from a Dirichlet distribution, ``"dirichlet-flat"``,
        ``"dirichlet-symmetric"`` or ``"dirichlet-fitted"``; with the suffix
        ``-one-sided`` P stays as it is, and only Q is drawn.
    n_jobs : int, optional
        Number of threads: None for 1 (or what ``joblib.parallel_config`` says), -1 for
        all cores. The result is the same to the last bit.
    engine : dask.distributed.Client or Engine, optional
        Where the work is done instead of on threads of this machine: on the workers of
        a Dask client, which is not closed. The result is the same to the last bit.
    random_state : int, numpy.random.Generator or None, default=None
        Source of the samples and permutations.
    n_permutations : int, default=1000
        How many random permutations.
    clip : bool, default=False
        Whether a negative ACI is set to 0, as the paper allows.
    match_by : {"position", "id", "common"}, default="position"
        How objects are matched: by position, by ids, or only those with common ids.
    checkpoint : str or path, optional
        A file to which the work on all pairs is saved every few seconds and when it is
        interrupted. A call with the same data and settings resumes from there. For a
        sample, `random_state` must be a whole number. What needs no such work, such as
        up to 450 objects or a crisp partition, writes no file.
    progress : callable or bool, optional
        Called as ``progress(done, total, estimate)``, with how many pairs have been
        visited and the ACI so far, which for a sample has an ``error``. True
        draws a bar, and False neither draws nor warns. By default, work of more than
        about ten seconds draws a bar in a terminal, and in a notebook that has
        ipywidgets; elsewhere a `LongWorkWarning` says how long all pairs will take, if
        that is more than about a minute.

    Returns
    -------
    Concordance
        The numbers, their errors, and the method used.

    Raises
    ------
    ValueError
        If a partition is possibilistic: E is defined for rows that sum to 1.

    Notes
    -----
    With fewer than two objects there is no pair to disagree on, and NDC and ACI are 1.
    If one partition says the same about every pair (one cluster, all singletons, equal
    rows), ACI is 0, as the other can agree with it only by chance; if both do and their
    similarities are equal, it is 1.

    Two crisp partitions take O(n), a fuzzy and a crisp one O(n K log n), two fuzzy
    ones into two clusters O(n log n), all others O(n² (K + L)) time; memory is
    O(n (K + L)).

    References
    ----------
    D'Ambrosio, Amodio, Iorio, Pandolfo, Siciliano (2021), Journal of Classification
    38, 112-128; Horta and Campello (2015), Journal of Machine Learning Research 16,
    2949-2997.

    Examples
    --------
    The fuzzy example of the paper:

    >>> import concordant as cc
    >>> P = [[0.29, 0.71], [0.79, 0.21], [0.41, 0.59], [0.88, 0.12]]
    >>> Q = [[0.94, 0.06], [0.05, 0.95], [0.53, 0.47], [0.89, 0.11]]
    >>> result = cc.concordance(P, Q)
    >>> round(result.ndc, 6), round(result.expected, 6), round(result.aci, 6)
    (0.636667, 0.697222, -0.2)

    The same with inner products, 13GRI and 13AGRI:

    >>> result = cc.concordance(P, Q, similarity="inner")
    >>> round(result.ndc, 6), round(result.expected, 6), round(result.aci, 6)
    (0.753867, 0.766011, -0.051902)
    """
    run = asked_run(
        method=method,
        tol=tol,
        similarity=similarity,
        null=null,
        n_permutations=n_permutations,
        n_jobs=n_jobs,
        engine=engine,
        random_state=random_state,
        checkpoint=checkpoint,
        progress=progress,
    )
    summed = on_chunks(run, P, Q, _ACI, match_by)
    data = (P, Q) if summed is None else summed.data
    if data is not None:
        p, q = aligned(*data, match_by=match_by)
        found = gathered_concordance(p, q, run)
    elif summed is not None:
        found = summed.terms[CONCORDANCE]
    return dataclasses.replace(found, aci=0.0) if clip and found.aci < 0.0 else found
