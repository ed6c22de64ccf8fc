"""The data sets of the first simulation, which the PD tables use too."""

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from concordant.datasets import Sample, make_first_simulation, make_random_set

DESCRIBED: Final = "as described"
SUGGESTED: Final = "as the numbers suggest"


class Drawn(NamedTuple):
    """
    A sample with its name.

    Parameters
    ----------
    name : str
        As in the paper's tables.
    design : str
        Of the third cluster's covariance: as described or as the numbers suggest.
    sample : Sample
        The data.
    """

    name: str
    design: str
    sample: Sample

    @property
    def n_clusters(self) -> int:
        """How many centres it was drawn from."""
        return len(self.sample.centers)


def first_data_sets(seed: int) -> Iterator[Drawn]:
    """
    Draw two to four centres with three covariances, and the random sets.

    Parameters
    ----------
    seed : int
        The seed of the repetition.

    Yields
    ------
    Drawn
        Those with three centres and a larger covariance under both designs, from the
        same random numbers; the designs agree on all others.

    Examples
    --------
    >>> from concordant.studies.first_data_sets import first_data_sets
    >>> len(list(first_data_sets(0)))
    14
    """
    seeds = iter(np.random.SeedSequence(seed).spawn(12))
    for n_centers in (2, 3, 4):
        for sigma in (1, 2, 3):
            child, name = next(seeds), f"{n_centers} centres, Sigma {sigma}"
            rng = np.random.default_rng(child)
            sample = make_first_simulation(n_centers, sigma, random_state=rng)
            yield Drawn(name, DESCRIBED, sample)
            if n_centers == 3 and sigma > 1:
                rng = np.random.default_rng(child)
                sample = make_first_simulation(
                    n_centers, sigma, third_cluster=SUGGESTED, random_state=rng
                )
                yield Drawn(name, SUGGESTED, sample)
    for n_centers in (2, 3, 4):
        rng = np.random.default_rng(next(seeds))
        sample = make_random_set(n_centers, random_state=rng)
        yield Drawn(f"random, {n_centers} centres", DESCRIBED, sample)
