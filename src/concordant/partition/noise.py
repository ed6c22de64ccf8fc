"""Objects with the label -1, by which density-based clusterings mark noise."""

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue.records import Noise
from concordant.errors import InputError, Message, Setting
from concordant.partition.labels import are_integers, smallest, type_name
from concordant.wording import count, levels_to_the_caller

#: By which density-based clusterings mark noise.
NOISE_LABEL = -1

_CHOICE = (
    Message("; ", Setting("noise", "drop"), " leaves noise out, "),
    Message(Setting("noise", "singletons"), " makes each a cluster of its own"),
)


class NoiseLabelWarning(UserWarning):
    """
    Labels contain -1, and `noise` does not say how to treat these objects.

    Density-based clusterings (DBSCAN, HDBSCAN, OPTICS) mark noise by the label -1. It
    counts as a cluster like any other, as in scikit-learn's metrics, unless
    ``Partition(..., noise=...)`` says otherwise; ``noise="cluster"`` says that this is
    meant.
    """


@dataclass(frozen=True)
class Settled:
    """
    Labels whose noise was dealt with, and a remark if there was any.

    `codes` are n cluster numbers, `clusters` their names, and `kept` the positions that
    are left, None for all.
    """

    codes: NDArray[np.unsignedinteger[Any]]
    clusters: NDArray[Any]
    kept: NDArray[np.intp] | None = None
    remarks: tuple[Message, ...] = ()


def settle_noise(
    codes: NDArray[np.unsignedinteger[Any]],
    clusters: NDArray[Any],
    name: str,
    noise: Noise | None,
) -> Settled:
    """Deal with the integer label -1, where None is "cluster" that nobody chose."""
    if not are_integers(clusters):
        if noise in (None, "cluster"):
            return Settled(codes, clusters)
        raise InputError(
            Setting("noise", noise),
            f" is for integer labels, where -1 marks noise, but the labels of {name} "
            f"are {type_name(clusters)}",
        )
    where = np.flatnonzero(clusters == NOISE_LABEL)
    if where.size == 0:
        return Settled(codes, clusters)
    is_noise = codes == where[0]
    n_noise = int(np.count_nonzero(is_noise))
    be = "is" if n_noise == 1 else "are"
    labelled = f"{count(n_noise, 'object')} with the label -1 {be}"
    if noise in (None, "cluster"):
        counted = f"{labelled} counted as a cluster like any other"
        remark = Message(counted, *(_CHOICE if noise is None else ()))
        return Settled(codes, clusters, None, (remark,))
    # With the label -1 taken out, codes above it move down by one.
    rest = codes.astype(np.int64) - (codes > where[0])
    clusters = np.delete(clusters, where)
    if noise == "drop":
        kept = np.flatnonzero(~is_noise)
        if kept.size == 0:
            raise InputError(f"every label of {name} is -1: no object is left")
        remark = Message(f"{labelled} left out, as noise")
        rest = smallest(rest[kept], len(clusters))
        return Settled(rest, clusters, kept, (remark,))
    rest[is_noise] = len(clusters) + np.arange(n_noise)
    names = np.append(clusters.astype(object), [f"noise {i}" for i in range(n_noise)])
    own = "a cluster of its own" if n_noise == 1 else "clusters of their own"
    remark = Message(f"{labelled} {own}, as noise")
    return Settled(smallest(rest, len(names)), names, None, (remark,))


def warn_of_noise(name: str) -> None:
    """Warn of the label -1, in the line of the caller that is outside this package."""
    # Without their number: of many chunks of one stream the same is said once.
    warnings.warn(
        f"labels of {name} contain -1, which often marks noise; it is counted as "
        'a cluster like any other; pass Partition(..., noise="cluster") if that is '
        'meant, noise="drop" to leave these objects out, or noise="singletons" to make '
        "each a cluster of its own",
        NoiseLabelWarning,
        stacklevel=levels_to_the_caller(),
    )
