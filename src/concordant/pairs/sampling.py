"""Samples of pairs in which every object stands equally often, and their errors."""

import math
from collections.abc import Iterator, Sequence
from numbers import Real

import numpy as np

from concordant.errors import Argument, InputError, InputTypeError, Setting
from concordant.pairs.bands import Band, bands_of_shifts

#: The half width that a sample is to reach if nothing is said.
DEFAULT_TOL = 1e-3
#: The 97.5 % quantile of the normal distribution.
Z95 = 1.959963984540054
#: Pairs that are counted as seen though they were not, with the largest deviation.
UNSEEN = 3.0

_FEWEST = 24  # groups before the first look: a spread needs that many
_MOST_SHIFTS = 64  # shifts of a group; inner loops run over these
_MANY_GROUPS = 256  # so many at least, if there are enough shifts
_GROWTH = 1.25  # how many more groups before the next look
_NEARLY_ALL = 0.8  # of the groups: then all are taken
# The normal quantile's terms in 1 / degrees for Student's, of first to fourth order.
_STUDENT = (2.37227, 2.82250, 2.55585, 1.58953)


def groups(n: int, rng: np.random.Generator) -> list[list[Band]]:
    """
    Split all pairs into groups of neighbouring shifts, in random order.

    In each group every object stands equally often, but for the group of the shift
    n / 2, which is the last.
    """
    last, width = (n - 1) // 2, shifts_of_group(n)
    starts = np.arange(1, last + 1, width)
    rng.shuffle(starts)
    listed = [
        list(bands_of_shifts(n, first, min(width, last + 1 - first)))
        for first in starts.tolist()
    ]
    return [*listed, list(bands_of_shifts(n, n // 2, 1))] if n % 2 == 0 else listed


def shifts_of_group(n: int) -> int:
    """Tell how many shifts of n objects make a group."""
    return max(1, min(_MOST_SHIFTS, (n - 1) // 2 // _MANY_GROUPS))


def looks(n_groups: int) -> Iterator[int]:
    """
    List after how many groups the error is looked at.

    They grow by a quarter each time, as every look is a chance to stop too early; after
    four fifths of all follow all.
    """
    look = float(_FEWEST)
    while look < _NEARLY_ALL * n_groups:
        yield int(look)
        look *= _GROWTH
    yield n_groups


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
) -> float:
    """
    Return the half width of a 95 % confidence interval from the spread between groups.

    `residuals` tell how far the estimate from each group is from that of all, `weights`
    how many of the `total` pairs it has; `largest` is how far a single pair can be from
    the mean of all. By Student's t, and smaller the fewer pairs are unseen.
    The spread says nothing of pairs that are too rare to be seen. Therefore three
    pairs more are counted, of the largest deviation: if none of N random pairs is of
    some kind, then with 95 % confidence less than a share of 3 / N is.
    """
    w = np.asarray(weights, dtype=np.float64)
    seen = float(w.sum())
    degrees = len(w) - 1
    unseen = max(0.0, 1.0 - seen / total)
    if degrees < 1 or unseen == 0.0:
        return 0.0 if unseen == 0.0 else math.inf
    # Roots of sums of squares, none of which becomes 0 for being small.
    spread = math.hypot(*(w / seen * residuals)) * math.sqrt(1.0 + 1.0 / degrees)
    of_unseen = math.sqrt(UNSEEN) * largest / seen
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
