"""How far two partitions agree, in words that stand for something measurable."""

import math
from typing import NamedTuple

from concordant.inference.chance_result import ConcordanceTest
from concordant.inference.interval import ConfidenceInterval, over_what
from concordant.measures.adjusted import Concordance, said_of_setting
from concordant.printing import size_of_error
from concordant.version import __version__
from concordant.wording import count

_FEWEST, _MOST = 3, 12  # decimals
_SEEN = 5e-4  # an error that changes the fewest decimals
_HALF = 0.5  # of what is possible: ACI is at most 1
_SMALL_P = 0.05  # below, chance is no explanation

#: Where ACI comes from, by the similarity of a pair.
_SOURCES = {
    "l1": "D'Ambrosio, Amodio, Iorio, Pandolfo and Siciliano 2021, "
    "doi:10.1007/s00357-020-09367-0",
    "inner": "Horta and Campello 2015, Journal of Machine Learning Research 16, "
    "2949-2997",
}


def decimals_of(error: float, digits: int) -> int:
    """Return how many decimals show so many digits of an error."""
    if not 0.0 < error < math.inf:
        return _FEWEST
    return min(max(digits - 1 - math.floor(math.log10(error)), 1), _MOST)


def written(value: float, decimals: int, error: float) -> str:
    """Return a number with some decimals, more if it would else be taken for 1."""
    text = f"{value:z.{decimals}f}"
    while float(text) == 1.0 and 1.0 - value > error and decimals < _MOST:
        decimals += 1
        text = f"{value:z.{decimals}f}"
    return text


def difference(value: float) -> str:
    """Return a mean difference with three decimals, or two digits if it is small."""
    return f"{value:.2g}" if 0.0 < value < _SEEN else f"{value:.3f}"


class InWords(NamedTuple):
    """What is said of the ACI of two partitions, with what was computed beside it."""

    names: tuple[str, str]
    found: Concordance
    interval: ConfidenceInterval | None = None
    test: ConcordanceTest | None = None

    @property
    def _both(self) -> str:
        return " and ".join(self.names)

    @property
    def _of_error(self) -> bool:
        """Whether the error is seen: an estimate's, or one that changes decimals."""
        found = self.found
        of_sample = found.is_estimate and not found.is_exact
        return of_sample or found.error >= _SEEN

    @property
    def decimals(self) -> int:
        """Three, or as many as the interval or the error supports."""
        if self.interval is not None:
            spread = self.interval.standard_error
            return max(_FEWEST, decimals_of(spread, 2))
        return decimals_of(self.found.error, 1) if self._of_error else _FEWEST

    def title(self) -> str:
        """Say who agrees how far."""
        if self.found.n_pairs == 0:
            return f"{self._both} cannot differ, as one object makes no pair: ACI 1"
        if self._alike:
            return f"{self._both} are exactly alike for every pair of objects: ACI 1"
        within = f" within {size_of_error(self.found.error)}" if self._of_error else ""
        return f"{self._both} {self._agree()}: ACI {self._aci}{within}"

    @property
    def _aci(self) -> str:
        return written(self.found.aci, self.decimals, self.found.error)

    @property
    def _alike(self) -> bool:
        """Whether every pair of objects is equally similar in both."""
        found = self.found
        return found.discordance == 0.0 and found.is_exact and not found.is_estimate

    def _agree(self) -> str:
        if math.isinf(self.found.error):
            return "agree, but how far beyond chance cannot be told"
        if self.found.aci <= self.found.error:
            return "agree no more than chance would give"
        if self.test is not None:
            beyond = self.test.pvalue <= _SMALL_P
        elif self.interval is not None:
            beyond = self.interval.low > 0.0
        else:
            return "agree more than chance would give on average"
        if not beyond:
            return "agree no more than chance may give"
        far = self.interval is not None and self.interval.low > _HALF
        return f"agree {'far ' if far else ''}more than chance would give"

    def _ends(self, name: str) -> str:
        """Say which interval there is, under this name."""
        found = self.interval
        assert found is not None
        low, high = (f"{x:z.{self.decimals}f}" for x in (found.low, found.high))
        over = "" if found.n_groups is None else f" over {found.n_groups} groups"
        return f"{100 * found.level:.4g} % {name} {low} to {high}{over}"

    def certainty(self) -> str:
        """Say how sure it is: interval and p-value; empty if neither is there."""
        told = [] if self.interval is None else [self._ends("interval")]
        if self.test is not None:
            told.append(f"p = {self.test.pvalue:.4g} (permutation test)")
        return "; ".join(told)

    def against_chance(self) -> str:
        """Say what ACI compares: the mean difference, and that by chance."""
        d, expected = self.found.discordance, self.found.expected_discordance
        return (
            f"mean difference of similarity {difference(d)}; unrelated partitions "
            f"would have {difference(expected)}"
        )

    def origin(self) -> str:
        """Say what an estimate comes from; empty if it is none."""
        found = self.found
        if not found.is_estimate:
            return ""
        if found.n_permutations is not None:
            drawn = count(found.n_permutations, "permutation")
            return f"chance estimated from {drawn}"
        pairs = found.n_objects * (found.n_objects - 1) / 2
        return (
            f"estimated from {found.n_pairs:.2g} of {pairs:.2g} pairs; the error holds "
            "with 95 % confidence"
        )

    def sentence(self) -> str:
        """Say it all in one sentence for a paper, with the source to cite."""
        found = self.found
        told = []
        if self.interval is not None:
            over = over_what(found.n_objects, self.interval.n_groups)
            ends = self._ends("confidence interval").partition(" over ")[0]
            told.append(f"{ends}, jackknife over {over}")
        if self.test is not None:
            n = self.test.n_permutations
            drawn = f" with {count(n, 'permutation')}" if n else ""
            told.append(f"p = {self.test.pvalue:.4g}, permutation test{drawn}")
        if self._of_error:
            sure = " with 95 % confidence" if found.is_estimate else ""
            told.append(f"within {size_of_error(found.error)}{sure}")
        certain = f" ({'; '.join(told)})" if told else ""
        how = self.origin() or f"exact, over all {count(found.n_pairs, 'pair')}"
        how = how.partition(";")[0] + said_of_setting(found.similarity, found.null)
        return (
            f"The adjusted concordance index of {self._both} was "
            f"{self._aci}{certain} for "
            f"{count(found.n_objects, 'object')} "
            f"({_SOURCES[found.similarity]}; {how}; concordant {__version__})."
        )
