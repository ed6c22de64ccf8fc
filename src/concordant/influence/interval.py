"""An interval that holds the value of an index, and who may ask for one."""

import math
from dataclasses import dataclass
from numbers import Real
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue import INDICES, NULLS, Similarity, loaded
from concordant.errors import Argument, InputError, InputTypeError, Setting
from concordant.formulas.adjusted import said_of_setting
from concordant.influence.leave_one_out import LeftOut
from concordant.partition.partition import Partition
from concordant.printing import html_lines
from concordant.ways import check_sums
from concordant.wording import check_choice, count

Vector = NDArray[np.float64]

_ROUNDING = 1e-12
_METHODS = {
    "jackknife": "jackknife",
    "bootstrap": "BCa bootstrap",
    "percentile": "percentile bootstrap",
}


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
            Such as ``"95 % confidence interval 0.5250 to 0.6811"``.
        """
        return f"{100 * self.level:.4g} % confidence interval {self.ends()}"

    def ends(self) -> str:
        """
        Say where it ends, to two digits of the standard error.

        Returns
        -------
        str
            Such as ``"0.5250 to 0.6811"``.
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
    method : str
        ``"jackknife"``, ``"bootstrap"`` or ``"percentile"``.
    index : str
        The name of the index.
    n_objects : int
        The number of objects, n.
    n_resamples : int or None
        Number of samples drawn; None for the jackknife.
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
    method: str
    index: str
    n_objects: int
    n_resamples: int | None = None
    n_groups: int | None = None
    similarity: str = "l1"
    null: str = "permutations"

    def __repr__(self) -> str:
        d = decimals(self.standard_error)
        groups = "" if self.n_groups is None else f" over {self.n_groups} groups"
        return (
            f"ConfidenceInterval({self.index} {self.estimate:.{d}f}, {self.level:.4g}: "
            f"{self.ends()}, {self.method}{groups})"
        )

    def __str__(self) -> str:
        d = decimals(self.standard_error)
        drawn = "" if self.n_resamples is None else f", {self.n_resamples} resamples"
        about = said_of_setting(self.similarity, self.null)
        over = over_what(self.n_objects, self.n_groups)
        bias = "no bias" if abs(self.bias) < _ROUNDING else f"bias {self.bias:+.1g}"
        return (
            f"{printed_index(self.index)} {self.estimate:.{d}f}, {self.phrase()}\n"
            f"({_METHODS[self.method]} over {over}{drawn}{about}; "
            f"standard error {self.standard_error:.3g}, {bias})"
        )


@dataclass(frozen=True)
class Jackknife:
    """An estimate, with what leaving out each object says of it."""

    estimate: float
    bias: float
    standard_error: float
    n_parts: int

    @classmethod
    def of(
        cls,
        estimate: float,
        changes: Vector,
        sizes: NDArray[np.intp] | None = None,
        error: float = 0.0,
    ) -> "Jackknife":
        """
        Take the changes of an estimate where each object, or group, is left out.

        What groups of unlike `sizes` change has a mean other than 0 even if there is no
        bias; weighted by what is left without them, it is the bias (Busing, Meijer and
        van der Leeden 1999). `error` is the half width of the 95 % interval of an
        estimate from some of the pairs.
        """
        n = len(changes)
        mean = float(changes.mean())
        bias = (n - 1) * mean
        if sizes is not None:
            bias = float(((1.0 - sizes / sizes.sum()) * changes).sum())
        squares = float(np.square(changes - mean).sum())
        of_objects = math.sqrt(squares * (n - 1) / n)
        return cls(estimate, bias, math.hypot(of_objects, error / 1.96), n)

    def interval(
        self, level: float, ends: tuple[float, float] | None
    ) -> tuple[float, float]:
        """
        Return the interval by Student's t, centred at the estimate less its bias.

        If the index has a worst and a best value, `ends`, it is an interval of the
        logarithm of the distance from the best: that is less skew, and the interval
        does not pass the best value. It ends at the worst.
        """
        from scipy.special import stdtrit

        quantile = float(stdtrit(self.n_parts - 1, 0.5 + 0.5 * level))
        width = quantile * self.standard_error
        if ends is None or self.estimate >= ends[1]:
            centre = self.estimate - self.bias
            return centre - width, centre + width
        worst, best = ends
        distance = best - self.estimate
        shift, reach = self.bias / distance, width / distance
        furthest = math.log((best - worst) / distance)
        far, near = (min(shift + side * reach, furthest) for side in (1, -1))
        return best - distance * math.exp(far), best - distance * math.exp(near)

    def p_value(self, alternative: str) -> float:
        """Return the probability, by Student's t, of an estimate as far from 0."""
        from scipy.special import stdtr

        distance, error = self.estimate - self.bias, self.standard_error
        if distance == error == 0.0:
            return 1.0
        t = distance / error if error > 0.0 else math.copysign(math.inf, distance)
        below, above = (float(stdtr(self.n_parts - 1, x)) for x in (t, -t))
        both = {"less": below, "greater": above}
        return both.get(alternative, 2.0 * min(below, above))


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
    changes: Vector = loaded(record.changes)(left)
    low, high = record.range
    if "concordance" in record.terms:
        low = left.lowest  # which depends on the model of chance
    ends = None if low is None or high is None else (low, high)
    return jackknife_interval(
        index, estimate, changes, level, left.P.n_objects, left.sizes, ends, error
    )


def jackknife_interval(
    index: str,
    estimate: float,
    changes: Vector,
    level: float,
    n_objects: int,
    sizes: NDArray[np.intp] | None = None,
    ends: tuple[float, float] | None = None,
    error: float = 0.0,
) -> ConfidenceInterval:
    """
    Return the interval that follows from the changes where objects are left out.

    Or groups, with these `sizes`; see `Jackknife.of`.
    """
    found = Jackknife.of(estimate, changes, sizes, error)
    low, high = found.interval(level, ends)
    return ConfidenceInterval(
        low=low,
        high=high,
        estimate=estimate,
        standard_error=found.standard_error,
        bias=found.bias,
        level=level,
        method="jackknife",
        index=index,
        n_objects=n_objects,
        n_groups=None if sizes is None else len(sizes),
    )


def check_null(null: str) -> None:
    """Refuse a model of chance without the influence of an object on E[d]."""
    check_choice("null", null, tuple(NULLS), optional=False)
    if not NULLS[null].influence:
        raise InputError(
            f"there is no interval under the null model {null!r}, which does not say "
            "what an object contributes to the expectation; leave it out, or use ",
            Setting("null", "permutations"),
        )


def check_permuted(null: str, what: str) -> None:
    """Refuse a model of chance other than permutations of the objects."""
    check_choice("null", null, tuple(NULLS), optional=False)
    if null != "permutations":
        raise InputError(
            Argument("null"),
            f" must be permutations for {what}, which permutes objects, found {null!r}",
        )


def check_similarity(similarity: str, *, of_pairs: bool = True) -> None:
    """Refuse what is no similarity, and one for an index that is not of pairs."""
    check_choice("similarity", similarity, get_args(Similarity), optional=False)
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


def check_level(level: object, argument: str = "level") -> float:
    """Refuse a level that is no number between 0 and 1."""
    if isinstance(level, bool) or not isinstance(level, Real):
        raise InputTypeError(Argument(argument), f" must be a number, found {level!r}")
    if not 0.0 < float(level) < 1.0:
        hint = (
            f"; did you mean {float(level) / 100:g}?" if 1 < float(level) < 100 else ""
        )
        raise InputError(
            Argument(argument), f" must lie between 0 and 1, found {level}{hint}"
        )
    return float(level)
