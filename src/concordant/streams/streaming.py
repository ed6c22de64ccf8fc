"""A comparison of two partitions whose objects come a chunk at a time."""

from collections.abc import Iterable, Iterator, Sequence, Sized
from typing import Any

import numpy as np

from concordant.comparison import Comparison
from concordant.door import checked
from concordant.errors import Argument, InputTypeError
from concordant.execution.engine import Threads
from concordant.execution.progress import Telling, visible
from concordant.streams.accumulator import Accumulator, Kinds
from concordant.underflow import tiny_is_zero


@checked
@tiny_is_zero
def stream(
    chunks: Iterable[tuple[object, object]],
    *,
    kinds: Kinds = (None, None),
    families: Sequence[str] | None = None,
    tol: float | None = None,
    random_state: int | np.random.Generator | None = None,
    n_jobs: int | None = None,
    progress: Telling = None,
) -> Comparison:
    """
    Compare two partitions of more objects than fit in memory.

    Parameters
    ----------
    chunks : iterable of pairs (P_chunk, Q_chunk)
        Two partitions of the same objects, a part of all objects at a time: labels, or
        memberships with the same columns in all chunks. Chunks of 10^5 to 10^6 objects
        are best.
    kinds : tuple of two {"crisp", "fuzzy", "possibilistic", "overlapping"} or None
        What P and Q are; found from the first chunk by default. Say ``"fuzzy"`` if the
        first memberships may happen to be zeros and ones.
    families : sequence of str, optional
        The families of which tables are wanted, see `Accumulator`.
    tol : float, optional
        If NDC and ACI require pairs of objects, the half width of the 95 % confidence
        interval of ACI that an estimate is to reach, if the objects that are kept in
        memory allow; ``error`` says what it reached. By default there is no estimate.
    random_state : int, numpy.random.Generator or None, default=None
        Source of the samples of objects and of their pairs.
    n_jobs : int, optional
        How many chunks are summed at a time, on threads: None for 1, -1 for all cores.
        The result is the same to the last bit.
    progress : callable or bool, optional
        Called as ``progress(done, total, None)`` with the number of objects seen; the
        total is 0, as it is not known. True draws a bar.

    Returns
    -------
    Comparison
        With NDC and ACI if either partition is crisp, or if both have two clusters,
        and the tables of families that need no pairs. The error of NDC and ACI is
        certified, and does not grow with the number of objects. With `tol` there are
        NDC and ACI of any two fuzzy partitions, as estimates: ``method`` is
        ``"sampled-objects"`` then, unless all objects could be kept.

    Notes
    -----
    One pass, O(n K log n) time; memory for some chunks and some 20 MB per cluster, and
    with `tol` for up to 2^20 objects, whose memberships take 256 MiB at most, and for a
    sample of their pairs: some 1.2 GB in all for so many objects in 4 and 4 clusters.

    See Also
    --------
    Accumulator : The same a chunk at a time, to be merged, saved and loaded.

    Examples
    --------
    >>> import concordant as cc
    >>> P = [[0.9, 0.1], [0.8, 0.2], [0.2, 0.8], [0.3, 0.7]]
    >>> Q = [0, 0, 1, 1]
    >>> chunks = ((P[i : i + 2], Q[i : i + 2]) for i in (0, 2))
    >>> round(cc.stream(chunks).concordance.aci, 6)
    0.425532
    """
    accumulator = Accumulator(
        kinds=kinds, families=families, tol=tol, random_state=random_state
    )
    with visible(progress, seconds=0.0) as tell:
        for _ in summed(accumulator, chunks, Threads(n_jobs)):
            if tell is not None:
                tell(accumulator.n_objects, 0, None)
    return accumulator.result(n_jobs=n_jobs)


def summed(
    accumulator: Accumulator, chunks: Iterable[tuple[object, object]], engine: Threads
) -> Iterator[int]:
    """Add chunks to an accumulator, and yield the number of objects after each."""
    numbered = ((*_pair(chunk), number) for number, chunk in enumerate(chunks))
    # The first tells the kinds, which the others must know.
    for P_chunk, Q_chunk, _ in numbered:
        accumulator.update(P_chunk, Q_chunk)
        del P_chunk, Q_chunk
        yield accumulator.n_objects
        break
    for part in engine.run(accumulator.part, (), numbered):
        yield accumulator.merge(part).n_objects


def _pair(chunk: Any) -> tuple[object, object]:
    """Refuse what is no pair of parts of P and Q."""
    if isinstance(chunk, tuple | list) and len(chunk) == 2:
        return chunk[0], chunk[1]
    is_sized = isinstance(chunk, Sized) and not isinstance(chunk, str | bytes)
    size = f" of {len(chunk)}" if is_sized else ""
    raise InputTypeError(
        Argument("chunks"),
        " must be pairs (P_chunk, Q_chunk) of the same objects, found "
        f"{type(chunk).__name__}{size}; for two whole partitions, pass [(P, Q)]",
    )
