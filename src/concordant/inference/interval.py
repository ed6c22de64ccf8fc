"""Confidence intervals and their preconditions."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Vector
from concordant.catalogue.indices import INDICES
from concordant.catalogue.lookups import loaded
from concordant.catalogue.nulls import NULLS
from concordant.catalogue.terms import CONCORDANCE
from concordant.catalogue.values import SIMILARITIES
from concordant.compute import check_sums, null_of
from concordant.errors import Argument, InputError, Setting
from concordant.execution.run import Run
from concordant.execution.single_thread import single_blas_thread
from concordant.inference.leave_one_out import LeftOut
from concordant.measures.adjusted import said_of_setting
from concordant.partition.partition import Partition
from concordant.printing import html_lines
from concordant.wording import check_choice, check_share, count, is_number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ROUNDING = 1e-12
_UNITS = 1000  # of which a curvature is found
# Beyond these, the first order tells less than what corrects it.
_MOST_SHIFT, _MOST_CURVATURE = 1.0, 0.5
_LONGEST = 700.0  # a logarithm of what a double can hold

#: The number of the group of each object, if groups are left out.
Groups = NDArray[np.intp] | None
#: Computes an index of some objects.
IndexOf = Callable[[NDArray[np.bool_]], float]


class WithInterval:
    """What results with an interval have in common."""

    low: float
    high: float
    level: float
    standard_error: float

    def to_dict(self) -> dict[str, Any]:
        """
        Return everything as plain Python numbers and text.

        Returns
        -------
        dict
            By the names of the fields.
        """
        return dict(vars(self))

    def _repr_html_(self) -> str:
        first, *others = str(self).splitlines()
        return html_lines(first, [line.strip(" ();") for line in others])

    def phrase(self) -> str:
        """
        Say which interval it is.

        Returns
        -------
        str
            Such as ``"95 % confidence interval 0.5311 to 0.6861"``.
        """
        return f"{100 * self.level:.4g} % confidence interval {self.ends()}"

    def ends(self) -> str:
        """
        Say where it ends, to two digits of the standard error.

        Returns
        -------
        str
            Such as ``"0.5311 to 0.6861"``.
        """
        d = decimals(self.standard_error)
        return f"{self.low:.{d}f} to {self.high:.{d}f}"


@dataclass(frozen=True, repr=False)
class ConfidenceInterval(WithInterval):
    """
    A confidence interval for the population value of an index.

    Parameters
    ----------
    low, high : float
        The ends.
    estimate : float
        The index of the objects at hand, as its own function gives it.
    standard_error : float
        How far the estimate typically is from the population value: the standard
        deviation over samples of this size. It is not a numerical error, which is
        `Concordance.error`.
    bias : float
        By how much the index of such samples is too large on average, as estimated;
        it is not subtracted from `estimate`.
    level : float
        The share of samples whose interval is to contain the value.
    index : str
        The name of the index.
    n_objects : int
        The number of objects, n.
    n_groups : int or None
        Number of groups that were left out in turn; None if objects were.
    similarity : {"l1", "inner"}
        The similarity of a pair of objects that ACI and NDC are about.
    null : str
        The model of chance that ACI is adjusted for.
    """

    low: float
    high: float
    estimate: float
    standard_error: float
    bias: float
    level: float
    index: str
    n_objects: int
    n_groups: int | None = None
    similarity: str = "l1"
    null: str = "permutations"

    def plot(self, ax: "Axes | None" = None, **options: Any) -> "Axes":
        """
        Draw the interval on the scale of the index.

        Parameters
        ----------
        ax : Axes, optional
            Where to draw.
        **options
            As in `concordant.plot.confidence_interval`.

        Returns
        -------
        Axes
            With the picture.
        """
        from concordant.plot import confidence_interval

        return confidence_interval(self, ax=ax, **options)

    def __repr__(self) -> str:
        d = decimals(self.standard_error)
        groups = "" if self.n_groups is None else f" over {self.n_groups} groups"
        return (
            f"ConfidenceInterval({self.index} {self.estimate:.{d}f}, {self.level:.4g}: "
            f"{self.ends()}{groups})"
        )

    def __str__(self) -> str:
        d = decimals(self.standard_error)
        about = said_of_setting(self.similarity, self.null)
        over = over_what(self.n_objects, self.n_groups)
        bias = "no bias" if abs(self.bias) < _ROUNDING else f"bias {self.bias:+.1g}"
        return (
            f"{printed_index(self.index)} {self.estimate:.{d}f}, {self.phrase()}\n"
            f"(jackknife over {over}{about}; "
            f"standard error {self.standard_error:.3g}, {bias})"
        )


@dataclass(frozen=True)
class Jackknife:
    """
    An estimate, with what leaving out each object says of it.

    `acceleration` is a sixth of the skewness of its first-order part; `curvature` tells
    how it bends: where that part is x standard errors, it is x + curvature x² of them.
    """

    estimate: float
    bias: float
    standard_error: float
    n_parts: int
    acceleration: float = 0.0
    curvature: float = 0.0

    @classmethod
    def of(
        cls,
        estimate: float,
        changes: Vector,
        groups: Groups = None,
        error: float = 0.0,
        index_of: IndexOf | None = None,
    ) -> "Jackknife":
        """
        Take the changes of an estimate where each object, or group, is left out.

        What groups of unlike sizes change has a mean other than 0 even if there is no
        bias; weighted by what is left without them, it is the bias (Busing, Meijer and
        van der Leeden 1999). `error` is the half width of the 95 % interval of an
        estimate from some of the pairs. Without `index_of`, which computes the index of
        some objects, the distribution of the estimate is taken to be symmetric.
        """
        n = len(changes)
        sizes = np.ones(n, np.intp) if groups is None else np.bincount(groups)
        without = 1.0 - sizes / sizes.sum()
        bias = float((without * changes).sum())
        squares = float(np.square(changes - changes.mean()).sum())
        of_objects = math.sqrt(squares * (n - 1) / n)
        spread = math.hypot(of_objects, error / 1.96)
        pulls = bias * sizes / sizes.sum() - without * changes
        with single_blas_thread():
            length = float(np.linalg.norm(pulls))
        if index_of is None or not min(of_objects, length) > 0.0:
            return cls(estimate, bias, spread, n)
        part = of_objects / spread
        skewness = float(((pulls / length) ** 3).sum()) * part**3
        bend = _second_derivative(estimate, pulls, sizes, groups, index_of)
        curvature = _within(0.5 * bend * of_objects * part, _MOST_CURVATURE)
        return cls(estimate, bias, spread, n, skewness / 6.0, curvature)

    def interval(
        self, level: float, ends: tuple[float, float] = (-math.inf, math.inf)
    ) -> tuple[float, float]:
        """
        Return the interval, which ends at the worst and the best value at the latest.

        It is that of Student's t, corrected for bias, skewness and curvature to second
        order (the quadratic ABC of DiCiccio and Efron 1992).
        """
        from scipy.special import stdtrit

        t = -float(stdtrit(self.n_parts - 1, 0.5 - 0.5 * level))
        worst, best = ends
        low, high = (min(max(self._end(x), worst), best) for x in (-t, t))
        return low, high

    def confidence_interval(
        self,
        index: str,
        n_objects: int,
        level: float,
        run: Run,
        ends: tuple[float, float] = (-math.inf, math.inf),
    ) -> ConfidenceInterval:
        """Return the interval as users get it."""
        low, high = self.interval(level, ends)
        return ConfidenceInterval(
            low=low,
            high=high,
            estimate=self.estimate,
            standard_error=self.standard_error,
            bias=self.bias,
            level=level,
            index=index,
            n_objects=n_objects,
            n_groups=None if run.groups is None else self.n_parts,
            similarity=run.similarity,
            null=null_of(run),
        )

    def _end(self, t: float) -> float:
        """Return the end of the interval at a quantile."""
        if not self.standard_error > 0.0:
            return self.estimate - self.bias
        a, c = self.acceleration, self.curvature
        # How many standard errors the median of estimates is off, with its sign
        w = t + _within(a + c - self.bias / self.standard_error, _MOST_SHIFT)
        x = math.expm1(min(4.0 * a * w, _LONGEST)) / (4.0 * a) if a else w
        if c:  # a parabola, no further than to where it turns
            x = max(x, -0.5 / c) if c > 0.0 else min(x, -0.5 / c)
        return self.estimate + self.standard_error * (x + c * x * x)

    def p_value(self, alternative: str) -> float:
        """Return the probability, by Student's t, of an estimate as far from 0."""
        from scipy.special import stdtr

        distance, error = self._end(0.0), self.standard_error
        if distance == error == 0.0:
            return 1.0
        t = distance / error if error > 0.0 else math.copysign(math.inf, distance)
        below, above = (float(stdtr(self.n_parts - 1, x)) for x in (t, -t))
        both = {"less": below, "greater": above}
        return both.get(alternative, 2.0 * min(below, above))


def _within(value: float, most: float) -> float:
    return min(max(value, -most), most)


def _second_derivative(
    estimate: float,
    pulls: Vector,
    sizes: NDArray[np.intp],
    groups: Groups,
    index_of: IndexOf,
) -> float:
    """
    Return how an index bends as it changes, per unit of its first-order change.

    `pulls` are the parts of objects, or groups, in that. Some of those that raise the
    index are left out, and some of those that lower it, spread over their ranks: more
    would be a step too far, and fewer would not show. The two slopes differ by the
    curvature. Of many objects, some tell.
    """
    n, shares = len(pulls), sizes / sizes.sum()
    some = np.arange(0, n, -(-n // _UNITS))
    pulls = pulls - shares * (pulls[some].sum() / shares[some].sum())
    here = np.zeros(n, np.bool_)
    here[some] = True

    def value(units: NDArray[np.bool_]) -> float:
        return index_of(units if groups is None else units[groups])

    of_here = estimate if here.all() else value(here)
    least = _ROUNDING * np.abs(pulls[some]).max()
    steps, slopes = [], []
    for side in (pulls, -pulls):
        ranked = some[np.argsort(side[some], kind="stable")]
        kept = here.copy()
        kept[ranked[side[ranked] < -least][:: max(2, round(len(some) ** 0.25))]] = False
        step = float(pulls[kept].sum() / shares[kept].sum())
        if not side[kept].sum() > 0.0:
            return 0.0  # all are alike, but for rounding
        steps.append(step)
        slopes.append((value(kept) - of_here) / step)
    return 2.0 * (slopes[0] - slopes[1]) / (steps[0] - steps[1])


def over_what(n_objects: int, n_groups: int | None) -> str:
    """Say what a jackknife leaves out in turn."""
    objects = count(n_objects, "object")
    return objects if n_groups is None else f"{n_groups} groups of {objects}"


def decimals(standard_error: float) -> int:
    """Return the number of decimals that show two digits of the standard error."""
    if not standard_error > 0.0:
        return 4
    return min(max(4, 1 - math.floor(math.log10(standard_error))), 12)


def printed_index(name: str) -> str:
    """Write the name of an index as people know it."""
    return name.upper() if name in ("aci", "ndc") else name


def interval_of_score(
    index: str, estimate: float, left: LeftOut, level: float, error: float = 0.0
) -> ConfidenceInterval:
    """Return the interval of an index whose record tells what objects change in it."""
    record = INDICES[index]
    worst, best = record.range
    if CONCORDANCE in record.terms:  # its least value depends on the model of chance
        worst = NULLS[null_of(left.run)].lowest
    index_of, groups = partial(left.index_of, index), left.run.groups
    changes = loaded(record.changes)(left)
    found = Jackknife.of(estimate, changes, groups, error, index_of)
    ends = (-math.inf if worst is None else worst, math.inf if best is None else best)
    return found.confidence_interval(index, left.P.n_objects, level, left.run, ends)


def check_null(null: str) -> None:
    """Refuse a model of chance without the influence of an object on E[d]."""
    check_choice("null", null, tuple(NULLS), optional=False)
    if not NULLS[null].influence:
        raise InputError(
            f"there is no interval under the null model {null!r}, which does not say "
            "what an object contributes to the expectation; leave it out, or use ",
            Setting("null", "permutations"),
        )


def check_similarity(similarity: str, *, of_pairs: bool = True) -> None:
    """Refuse what is no similarity, and one for an index that is not of pairs."""
    check_choice("similarity", similarity, SIMILARITIES, optional=False)
    if similarity != "l1" and not of_pairs:
        raise InputError(
            Argument("similarity"),
            " is for ",
            Setting("index", "aci", "ndc"),
            "; leave it out",
        )


def check_objects(
    P: Partition, Q: Partition, what: str, groups: NDArray[np.intp] | None = None
) -> None:
    """Refuse partitions for which objects, or groups, cannot be taken for a sample."""
    check_sums(what, P=P, Q=Q)
    if P.n_objects < 4:
        raise InputError(f"{what} needs at least 4 objects, found {P.n_objects}")
    if groups is not None and groups.max() < 3:
        raise InputError(
            f"{what} needs at least 4 groups, found {groups.max() + 1}; without ",
            Argument("groups"),
            " it is about the objects",
        )


def check_level(level: Any, argument: str = "level") -> float:
    """Refuse a level that is no number between 0 and 1."""
    if is_number(level) and 1.0 < level < 100.0:
        # Who says 5 has the share of misses in mind.
        share = max(level, 100.0 - level) / 100.0
        what = f" must lie between 0 and 1, found {level}; did you mean {share:g}?"
        raise InputError(Argument(argument), what)
    check_share(argument, level)
    return float(level)
