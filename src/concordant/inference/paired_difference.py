"""Whether one partition is closer to a reference than another is."""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from concordant.catalogue import Similarity
from concordant.execution.engine import Threads
from concordant.execution.run import Run
from concordant.formulas.adjusted import said_of_setting
from concordant.inference.chosen_index import IndexLike, OfPairs, chosen_index
from concordant.influence.groups import group_codes
from concordant.influence.interval import (
    WithInterval,
    check_level,
    check_null,
    check_objects,
    check_similarity,
    decimals,
    over_what,
    printed_index,
)
from concordant.influence.jackknife import Jackknife
from concordant.partition.alignment import Align, aligned, along
from concordant.partition.partition import Partition
from concordant.ways import check_sums
from concordant.wording import check_choice

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
        How far the estimate typically is from the difference in the population.
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
    n_groups : int or None
        Number of groups that were left out in turn; None if objects were.
    similarity : {"l1", "inner"}
        The similarity of a pair of objects that ACI and NDC are about.
    null : str
        The model of chance that ACI is adjusted for.
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
    n_groups: int | None = None
    similarity: str = "l1"
    null: str = "permutations"

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
            f" paired jackknife over {over_what(self.n_objects, self.n_groups)}"
            f"{said_of_setting(self.similarity, self.null)})"
        )


def _probability(p: float) -> str:
    return "< 0.0001" if p < 1e-4 else f"= {p:.4f}"


def difference_test(
    P: object,
    Q: object,
    reference: object,
    *,
    index: IndexLike = "aci",
    similarity: Similarity = "l1",
    null: str = "permutations",
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    groups: object = None,
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
    similarity : {"l1", "inner"}, default="l1"
        The similarity of a pair that ACI and NDC are about; see `concordance`.
    null : str, default="permutations"
        The model of chance that ACI is adjusted for; see `confidence_interval`.
    level : float, default=0.95
        Of the confidence interval of the difference.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        What speaks against equality: any difference, P being closer, or Q being closer.
    groups : array of n labels, or True, optional
        Groups that were sampled, rather than objects; see `confidence_interval`.
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
    The test uses Student's t with n - 1 degrees of freedom, or G - 1 with G groups, and
    the jackknife standard error of the difference, whose bias is subtracted. The time
    is that of two calls of `confidence_interval`. At a level of 5 % it rejected 6 % of
    1000 data sets of 100 and of 200 objects with P and Q equally close to the
    reference. Do not expect this if both are nearly equal to the reference, so that a
    handful of objects decides.

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
    check_similarity(similarity, of_pairs=isinstance(chosen, OfPairs))
    check_null(null)
    level = check_level(level)
    engine = Threads(n_jobs)
    p, q = aligned(P, Q, align=align, engine=engine)
    r = along(p, Partition._named(reference, "reference", engine), "reference", align)
    codes = group_codes(groups, "groups", p, q, align)
    run = Run(engine=engine, similarity=similarity, null=null, groups=codes, store={})
    check_objects(p, q, "a test of a difference", codes)
    check_sums("a test of a difference", reference=r)
    values = chosen.value(p, r, run), chosen.value(q, r, run)
    changes = chosen.changes(p, r, run) - chosen.changes(q, r, run)
    sizes = None if codes is None else np.bincount(codes)
    found = Jackknife.of(values[0] - values[1], changes, sizes)
    low, high = found.interval(level, None)
    return DifferenceTest(
        estimate=found.estimate,
        low=low,
        high=high,
        pvalue=found.p_value(alternative),
        standard_error=found.standard_error,
        values=values,
        level=level,
        alternative=alternative,
        index=chosen.name,
        n_objects=p.n_objects,
        n_groups=None if sizes is None else len(sizes),
        similarity=similarity,
        null=null,
    )
