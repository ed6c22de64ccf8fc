"""Whether one partition is closer to a reference than another is."""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from concordant.execution.engine import Threads
from concordant.execution.run import Run
from concordant.inference.chosen_index import IndexLike, chosen_index
from concordant.influence.interval import (
    WithInterval,
    check_level,
    check_objects,
    decimals,
    printed_index,
)
from concordant.influence.jackknife import Jackknife, student_probability
from concordant.partition.alignment import Align, aligned
from concordant.partition.ids import keys, same_ids
from concordant.partition.partition import Partition
from concordant.wording import check_choice, count

Alternative = Literal["two-sided", "greater", "less"]


@dataclass(frozen=True, repr=False)
class DifferenceTest(WithInterval):
    """
    How much closer P is to a reference than Q is.

    Parameters
    ----------
    estimate : float
        The index of P and the reference less that of Q and the reference: positive if
        P is closer.
    low, high : float
        The ends of the confidence interval of the difference in the population.
    pvalue : float
        The probability of a difference at least as far from 0, in the direction of the
        alternative, if the two are equally close in the population.
    standard_error : float
        How far the estimate is from the difference in the population, typically.
    values : tuple of two float
        The index of P and of Q with the reference.
    level : float
        Of the interval.
    alternative : str
        ``"two-sided"``, ``"greater"`` or ``"less"``.
    index : str
        The name of the index.
    n_objects : int
        n.
    """

    estimate: float
    low: float
    high: float
    pvalue: float
    standard_error: float
    values: tuple[float, float]
    level: float
    alternative: str
    index: str
    n_objects: int

    def __repr__(self) -> str:
        d = decimals(self.standard_error)
        return (
            f"DifferenceTest({self.index} {self.estimate:+.{d}f}, {self.level:.4g}: "
            f"{self.ends()}, p {_probability(self.pvalue)})"
        )

    def __str__(self) -> str:
        d = decimals(self.standard_error)
        first, second = self.values
        side = "" if self.alternative == "two-sided" else f" ({self.alternative})"
        return (
            f"{printed_index(self.index)} with the reference: P {first:.{d}f}, "
            f"Q {second:.{d}f}; difference {self.estimate:+.{d}f}\n"
            f"({self.phrase()}, p {_probability(self.pvalue)}{side};\n"
            f" paired jackknife over {self.n_objects} objects)"
        )


def _probability(p: float) -> str:
    return "< 0.0001" if p < 1e-4 else f"= {p:.4f}"


def difference_test(
    P: object,
    Q: object,
    reference: object,
    *,
    index: IndexLike = "aci",
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    n_jobs: int | None = None,
    align: Align = "position",
) -> DifferenceTest:
    """
    Test whether P is closer to a reference than Q is.

    Both indices are computed on the same objects, so they vary together: leaving out an
    object changes both, and what counts is the standard error of their difference.

    Parameters
    ----------
    P, Q : Partition, or anything one can be made from
        Two partitions of the same n >= 4 objects, crisp or fuzzy.
    reference : Partition, or anything one can be made from
        The partition with which each of them is compared.
    index : {"aci", "ndc"} or callable, default="aci"
        The index, see `confidence_interval`; larger must be closer.
    level : float, default=0.95
        Of the confidence interval of the difference.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        What speaks against equality: any difference, P being closer, or Q being closer.
    n_jobs : int, optional
        Number of threads; see `concordance`.
    align : {"position", "index"}, default="position"
        How objects are matched: by position, or by their ids.

    Returns
    -------
    DifferenceTest
        The difference, its interval and the p-value. If no object makes a difference,
        p is 1.

    Raises
    ------
    ValueError
        If a partition is possibilistic, or the objects are not the same in all three.

    Notes
    -----
    The test uses Student's t with n - 1 degrees of freedom and the jackknife standard
    error of the difference, whose bias is subtracted. The time is that of two calls of
    `confidence_interval`. At a level of 5 % it rejected 6 % of 1000 data sets of 100
    and of 200 objects with P and Q equally close to the reference. Do not
    expect this if both are nearly equal to the reference, so that a handful of objects
    decides.

    Examples
    --------
    >>> import numpy as np
    >>> from concordant.inference import difference_test
    >>> rng = np.random.default_rng(0)
    >>> reference = rng.integers(3, size=200)
    >>> def noisy(share):
    ...     other = rng.random(200) < share
    ...     return np.where(other, rng.integers(3, size=200), reference)
    >>> print(difference_test(noisy(0.1), noisy(0.3), reference))
    ACI with the reference: P 0.7589, Q 0.4946; difference +0.2643
    (95 % confidence interval 0.1129 to 0.4155, p = 0.0007;
     paired jackknife over 200 objects)
    """
    check_choice("alternative", alternative, get_args(Alternative), optional=False)
    chosen = chosen_index(index)
    level = check_level(level)
    engine = Threads(n_jobs)
    run = Run(engine=engine, store={})
    p, q = aligned(P, Q, align=align, engine=engine)
    r = _along(p, Partition._named(reference, "reference", engine), align)
    check_objects(p, q, "a test of a difference")
    if r.kind == "possibilistic":
        raise ValueError(
            "a test of a difference is not defined for possibilistic partitions, and "
            "reference is one"
        )
    values = chosen.value(p, r, run), chosen.value(q, r, run)
    changes = chosen.changes(p, r, run) - chosen.changes(q, r, run)
    found = Jackknife.of(values[0] - values[1], changes)
    low, high = found.interval(level, None)
    return DifferenceTest(
        estimate=found.estimate,
        low=low,
        high=high,
        pvalue=_p_value(found, alternative),
        standard_error=found.standard_error,
        values=values,
        level=level,
        alternative=alternative,
        index=chosen.name,
        n_objects=p.n_objects,
    )


def _p_value(found: Jackknife, alternative: str) -> float:
    distance = found.estimate - found.bias
    if found.standard_error == 0.0:
        t = 0.0 if distance == 0.0 else float("inf") * distance
    else:
        t = distance / found.standard_error
    below = student_probability(t, found.n_objects - 1)
    above = student_probability(-t, found.n_objects - 1)
    if alternative == "two-sided":
        return min(1.0, 2.0 * min(below, above))
    if found.standard_error == distance == 0.0:
        return 1.0
    return above if alternative == "greater" else below


def _along(p: Partition, r: Partition, align: Align) -> Partition:
    """Put the objects of the reference in the order of those of P."""
    if p.n_objects != r.n_objects or r._kept is not None:
        dropped = (
            '; objects that noise="drop" leaves out of one must be left out of all '
            "three"
            if p._kept is not None or r._kept is not None
            else ""
        )
        raise ValueError(
            f"P and Q have {count(p.n_objects, 'object')} and reference has "
            f"{r.n_objects}: they must describe the same objects{dropped}"
        )
    if align == "position" and (
        p.ids is None or r.ids is None or same_ids(p.ids, r.ids)
    ):
        return r
    if p.ids is None or r.ids is None:
        raise ValueError(
            'align="index" needs a pandas index or ids= in all, but reference has none'
        )
    where = {key: i for i, key in enumerate(keys(r.ids))}
    order = [where.get(key, -1) for key in keys(p.ids)]
    if -1 in order or len(where) < len(order):
        raise ValueError(
            "the ids of P and reference differ, or some occur twice: all three must "
            "describe the same objects"
        )
    if align == "position":
        raise ValueError(
            "P and reference have the same ids in different orders; pass "
            'align="index" to match objects by id'
        )
    return r.take(np.array(order, dtype=np.intp))
