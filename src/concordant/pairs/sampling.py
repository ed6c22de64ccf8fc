"""Samples of pairs in which every object stands equally often, and their errors."""

import math
from collections.abc import Iterator, Sequence
from numbers import Real

import numpy as np

from concordant.errors import Argument, InputError, InputTypeError, Setting
from concordant.pairs.bands import Band

#: The half width that a sample is to reach if nothing is said.
DEFAULT_TOL = 1e-3
#: The 97.5 % quantile of the normal distribution.
Z95 = 1.959963984540054
#: Pairs that are counted as seen though they were not, with the largest deviation.
UNSEEN = 3.0

_FEWEST = 32  # groups before the first look: a spread needs that many
_FIRST = 2048  # objects that each of these has then
_MOST_SHIFTS = 64  # shifts of a group; inner loops run over these
_MANY_GROUPS = 256  # so many at least, if there are enough shifts
_GROWTH = 1.25  # how many more groups before the next look
_NEARLY_ALL = 0.8  # of the groups: then all are taken
# The normal quantile's terms in 1 / degrees for Student's, of first to fourth order.
_STUDENT = (2.37227, 2.82250, 2.55585, 1.58953)


class Groups:
    """
    All pairs of n objects in groups of neighbouring shifts, in random order.

    Each of the first groups begins at another part of the circle of objects; in a whole
    group every object stands equally often, but for that of the shift n / 2, the last.
    """

    def __init__(self, n: int, rng: np.random.Generator) -> None:
        self._n = n
        self.n_all = n * (n - 1) // 2
        self.width = max(1, min(_MOST_SHIFTS, (n - 1) // 2 // _MANY_GROUPS))
        self._firsts = np.arange(1, (n + 1) // 2, self.width)
        rng.shuffle(self._firsts)
        if n % 2 == 0:
            self._firsts = np.append(self._firsts, n // 2)

    def __len__(self) -> int:
        return len(self._firsts)

    def bands(self, number: int, start: int, stop: int) -> list[Band]:
        """List the pairs of some of the objects of a group, as many as these are."""
        n, first = self._n, int(self._firsts[number])
        if 2 * first == n:  # which meets every pair twice
            begin, half, width = 0, n // 2, 1
            start, stop = min(start, half), min(stop, half)
        else:
            begin = number * n // _FEWEST % n
            width = min(self.width, (n + 1) // 2 - first)
        i0, i1 = begin + start, begin + stop
        within = (i0, min(i1, n)), (max(i0 - n, 0), i1 - n)
        return [Band(a, b, first, width) for a, b in within if a < b]

    def n_pairs(self, count: int) -> int:
        """Count the pairs of the first groups when they are whole."""
        n = self._n
        bands = (band for g in range(count) for band in self.bands(g, 0, n))
        return sum(band.n_pairs for band in bands)


def looks(n_groups: int, n: int) -> Iterator[tuple[int, int]]:
    """
    List when the error is looked at: after how many groups of how many objects each.

    The first groups get twice as many objects each time until they have all n; then
    there are a quarter more groups, as every look is a chance to stop too early. After
    four fifths of all follow all.
    """
    groups, objects = float(_FEWEST), min(_FIRST, n)
    while groups < _NEARLY_ALL * n_groups:
        yield int(groups), objects
        if objects == n:
            groups *= _GROWTH
        objects = min(2 * objects, n)
    yield n_groups, n


def tasks_of_looks(n_groups: int, n: int) -> Iterator[list[tuple[int, int, int]]]:
    """List what is new at each look: group, first object and the one after the last."""
    begun = has = 0
    for groups, objects in looks(n_groups, n):
        starts = [has if group < begun else 0 for group in range(groups)]
        yield [(g, start, objects) for g, start in enumerate(starts) if start < objects]
        begun, has = groups, objects


def student_quantile(degrees: int) -> float:
    """Return the 97.5 % quantile of Student's distribution, to three digits."""
    if degrees == 1:
        return math.tan(0.475 * math.pi)
    if degrees == 2:
        return 0.95 * math.sqrt(2.0 / (1.0 - 0.95**2))
    return Z95 + sum(term / float(degrees) ** k for k, term in enumerate(_STUDENT, 1))


def half_width(
    residuals: Sequence[float],
    weights: Sequence[int],
    total: int,
    largest: float,
    times: float = 1.0,
) -> float:
    """
    Return the half width of a 95 % confidence interval from the spread between groups.

    `residuals` tell how far the estimate from each group is from that of all, `weights`
    how many of the `total` pairs it has; `largest` is how far a single pair can be from
    the mean of all. By Student's t, and smaller the fewer pairs are unseen.
    The spread says nothing of pairs that are too rare to be seen. Therefore three
    pairs more are counted, of the largest deviation: if none of N random pairs is of
    some kind, then with 95 % confidence less than a share of 3 / N is. Where an object
    comes with several pairs, that holds of objects, and they count so many `times`.
    """
    w = np.asarray(weights, dtype=np.float64)
    seen = float(w.sum())
    degrees = len(w) - 1
    unseen = max(0.0, 1.0 - seen / total)
    if degrees < 1 or unseen == 0.0:
        return 0.0 if unseen == 0.0 else math.inf
    # Roots of sums of squares, none of which becomes 0 for being small.
    spread = math.hypot(*(w / seen * residuals)) * math.sqrt(1.0 + 1.0 / degrees)
    of_unseen = math.sqrt(UNSEEN) * times * largest / seen
    return student_quantile(degrees) * math.sqrt(unseen) * math.hypot(spread, of_unseen)


def check_tol(tol: float | None, method: str) -> None:
    """Refuse a tolerance that is no positive number, or goes with no sample."""
    if tol is None:
        return
    if isinstance(tol, bool) or not isinstance(tol, Real):
        raise InputTypeError(Argument("tol"), f" must be a number, found {tol!r}")
    if not 0.0 < tol < math.inf:
        raise InputError(Argument("tol"), f" must be positive, found {tol}")
    if method not in ("auto", "sampled"):
        raise InputError(
            Argument("tol"),
            " goes with ",
            Setting("method", "sampled", "auto"),
            ", not with ",
            Setting("method", method),
        )
