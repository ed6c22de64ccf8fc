"""One partition for many, by what is lost if it stands for them."""

from collections.abc import Sequence
from typing import Literal, TypedDict, Unpack, get_args, overload

import numpy as np

from concordant.arrays import Vector
from concordant.catalogue.records import FREE_SUMS
from concordant.errors import Argument, InputError, InputTypeError, Setting, Wordings
from concordant.execution.run import generator
from concordant.many.averaging import Consensus, Distance, averaged, by_comembership
from concordant.many.distinct_draws import Loss
from concordant.many.given import given_partitions, spoken
from concordant.many.point_estimate import PointEstimate, estimated
from concordant.partition.alignment import MatchBy
from concordant.underflow import tiny_is_zero
from concordant.wording import check_choice, check_count

_MOST_WEIGHT = 1e304  # of all partitions together, which leaves room for products

#: Which axis of an array holds the draws.
DrawsAxis = Literal["rows", "columns"]


class _Settings(TypedDict, total=False):
    """What `consensus` takes beside the partitions and the loss."""

    n_clusters: int | None
    max_clusters: int | None
    weights: Sequence[float] | None
    draws: DrawsAxis | None
    random_state: int | np.random.Generator | None
    names: Sequence[str] | None
    match_by: MatchBy


@overload
def consensus(
    partitions: object, *, loss: Distance = ..., **settings: Unpack[_Settings]
) -> Consensus: ...


@overload
def consensus(
    partitions: object, *, loss: Loss, **settings: Unpack[_Settings]
) -> PointEstimate: ...


@tiny_is_zero
def consensus(
    partitions: object,
    *,
    loss: Distance | Loss = "euclidean",
    n_clusters: int | None = None,
    max_clusters: int | None = None,
    weights: Sequence[float] | None = None,
    draws: DrawsAxis | None = None,
    random_state: int | np.random.Generator | None = None,
    names: Sequence[str] | None = None,
    match_by: MatchBy = "position",
) -> Consensus | PointEstimate:
    """
    Find one partition for many: for runs of a program, or for draws of a posterior.

    Parameters
    ----------
    partitions : sequence or mapping of partitions, data frame, path, or matrix
        As in `agreement`, or a matrix of labels whose axis `draws` names.
    loss : {"euclidean", "comembership", "binder", "vi", "aci"}, default="euclidean"
        What is lost. The first two give memberships M with the least sum of w_b d_b²
        over partitions U_b. By ``"euclidean"``, d_b is ``||U_b - M||_F`` with the
        clusters of U_b in the order that makes it least, so that M is the mean of the
        memberships after one joint relabelling, as CLUMPP averages runs. By
        ``"comembership"`` it is ``||U_b U_b' - M M'||_F``, which needs no order of the
        clusters.

        The others give labels whose expected loss over draws is least: ``"binder"`` is
        (1 - Rand) (n - 1) / n, ``"vi"`` the variation of information in bits, ``"aci"``
        1 - ACI, for crisp draws 1 - ARI. Draws may be soft, except for ``"vi"``; two
        objects are then together by the inner product of their memberships for
        ``"binder"``, and by the similarity of ACI for ``"aci"``.
    n_clusters : int, optional
        The number of clusters for ``"comembership"``; by default the largest among the
        partitions, which ``"euclidean"`` always has.
    max_clusters : int, optional
        The largest number of clusters for ``"binder"``, ``"vi"`` and ``"aci"``; any by
        default.
    weights : sequence of k float, optional
        w_b, 1 by default.
    draws : {"rows", "columns"}, optional
        Whether each row of a matrix of labels is a partition, or each column.
    random_state : int, numpy.random.Generator or None, default=None
        Source of random starts and moves, except for ``"euclidean"``.
    names : sequence of k str, optional
        What the partitions are called; see `agreement`.
    match_by : {"position", "id", "common"}, default="position"
        How objects are matched; see `agreement`. Objects that one partition drops as
        noise are left out of all.

    Returns
    -------
    Consensus or PointEstimate
        For the first two a `Consensus`, whose ``.remarks`` tell if the partitions fall
        into several modes, whose mean is none of them. For the others a
        `PointEstimate` with ``.partition``, ``.expected_loss``, ``.ball()`` and
        ``.similarity(i, j)``.

    Raises
    ------
    ValueError, TypeError
        As for `agreement`, for impossible `n_clusters`, `max_clusters` and `weights`,
        and for partitions that the loss is not defined for.

    Notes
    -----
    ``"euclidean"`` takes what `align_clusters` does. ``"comembership"`` takes
    projected gradients from the Euclidean mean, from up to ten of the partitions and
    from ten random starts, of which the best is returned: O(n K L) a step for L
    clusters in all partitions together, without any n x n matrix.

    Labels are found by a search: from the best of some draws, from cuts of the tree of
    average linkage of how often two objects are together (of up to 4000 objects, by
    500 draws), and from single objects if these are few, one object after the other is
    moved to its best cluster, clusters are merged and split until nothing improves, and
    this is repeated from changes of the best. Equal draws count once, with their
    number. A round over all objects takes O(n B K) for K clusters; for ``"aci"`` of
    soft draws O(n² L) for L clusters in all draws together.

    References
    ----------
    Hornik (2005), Journal of Statistical Software 14(12); Gordon, Vichi (2001),
    Psychometrika 66(2); Jakobsson, Rosenberg (2007), Bioinformatics 23(14); Wade,
    Ghahramani (2018), Bayesian Analysis 13(2).

    Examples
    --------
    >>> import concordant as cc
    >>> runs = [[[0.9, 0.1], [0.2, 0.8]], [[0.1, 0.9], [0.6, 0.4]]]
    >>> found = cc.consensus(runs)
    >>> found.partition.memberships.round(6).tolist()
    [[0.9, 0.1], [0.3, 0.7]]
    >>> round(found.criterion, 6)
    0.04
    >>> draws = [[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1]]
    >>> cc.consensus(draws, loss="vi").partition.labels.tolist()
    [0, 0, 1, 1]
    """
    check_choice("loss", loss, (*get_args(Distance), *get_args(Loss)), optional=False)
    check_choice("draws", draws, get_args(DrawsAxis))
    counts = {"n_clusters": n_clusters, "max_clusters": max_clusters}
    for name, number in counts.items():
        if number is not None:
            check_count(name, number)
    rng = generator(random_state)
    given = given_partitions(_each(partitions, draws), names, match_by)
    members = given.on_same_objects(match_by)
    w = _checked(weights, len(members))
    for member, name in zip(members, given.names, strict=True):
        if loss != "euclidean" and member.kind in FREE_SUMS:
            raise InputError(
                Setting("loss", loss),
                f" needs rows that sum to 1, and {spoken(name)} is {member.kind}; use ",
                Setting("loss", "euclidean"),
            )
    if loss != "euclidean" and loss != "comembership":
        if n_clusters is not None:
            _refuse("n_clusters", "comembership")
        return estimated(members, given.names, loss, w, max_clusters, rng)
    if max_clusters is not None:
        _refuse("max_clusters", "binder", "vi", "aci")
    most = max(member.n_clusters for member in members)
    if loss == "comembership":
        return by_comembership(members, given.names, w, n_clusters or most, rng)
    if n_clusters not in (None, most):
        raise InputError(
            Setting("loss", "euclidean"),
            f" gives as many clusters as the partition that has most, {most}, found ",
            Wordings(f"n_clusters={n_clusters}", f"--k {n_clusters}"),
            "; leave it out, or use ",
            Setting("loss", "comembership"),
        )
    return averaged(members, given.names, w)


def _refuse(name: str, *losses: str) -> None:
    leave = "; leave it out"
    raise InputError(Argument(name), " is for ", Setting("loss", *losses), leave)


def _each(given: object, draws: DrawsAxis | None) -> object:
    """Return the partitions of a matrix of labels, by the axis that was named."""
    if draws is None:
        if isinstance(given, np.ndarray) and given.ndim == 2:
            axes = Setting("draws", "rows"), " or ", Setting("draws", "columns")
            says = " is a matrix; ", *axes, " says what holds the labels of a partition"
            raise InputError(Argument("partitions"), *says)
        return given
    matrix = getattr(given, "to_numpy", lambda: given)()
    if not isinstance(matrix, np.ndarray) or matrix.ndim != 2:
        needs = " is for a matrix of labels or a data frame, found "
        shape = f" of shape {given.shape}" if isinstance(given, np.ndarray) else ""
        found = f"{type(given).__name__}{shape}; leave it out"
        raise InputTypeError(Setting("draws", draws), needs, found)
    if matrix is not given and draws == "columns":
        return given  # a data frame, whose index may hold ids
    return [*(matrix if draws == "rows" else matrix.T)]


def _checked(weights: Sequence[float] | None, k: int) -> Vector:
    if weights is None:
        return np.ones(k)
    try:
        found = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputTypeError(
            Argument("weights"), f" must be numbers, found {weights!r}"
        ) from None
    if found.shape != (k,):
        raise InputError(
            Argument("weights"),
            f" must be one number for each of {k} partitions, found shape "
            f"{found.shape}",
        )
    with np.errstate(over="ignore"):
        total = found.sum()
    if not total <= _MOST_WEIGHT or (found < 0.0).any() or not found.any():
        raise InputError(
            Argument("weights"),
            " must be finite and not negative, not all 0, and add up to "
            f"{_MOST_WEIGHT:g} at most, found {found.tolist()}",
        )
    return found
