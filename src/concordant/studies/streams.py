"""Independent streams of random numbers, one per thing that chance decides."""

import numpy as np


def repetition_seeds(seed: int, study: str, n_repetitions: int) -> list[int]:
    """
    Give each repetition of a study its own seed.

    Parameters
    ----------
    seed : int
        The seed of the whole run, not negative.
    study : str
        The name of the study, so that studies do not share streams.
    n_repetitions : int
        How many.

    Returns
    -------
    list of int
        The first of them are the same for any number of repetitions. They are below
        2^53, so that a reader of numbers as doubles does not change them.

    Examples
    --------
    >>> from concordant.studies.streams import repetition_seeds
    >>> repetition_seeds(0, "bias", 3)[:2] == repetition_seeds(0, "bias", 2)
    True
    """
    root = np.random.SeedSequence([seed, *study.encode("ascii")])
    return [_number(child) for child in root.spawn(n_repetitions)]


def spawned(seed: int, n_streams: int) -> list[np.random.Generator]:
    """
    Open streams that depend on a repetition's seed alone.

    Parameters
    ----------
    seed : int
        The seed of the repetition.
    n_streams : int
        How many.

    Returns
    -------
    list of numpy.random.Generator
        Independent of each other.
    """
    children = np.random.SeedSequence(seed).spawn(n_streams)
    return [np.random.default_rng(child) for child in children]


def small_seed(rng: np.random.Generator) -> int:
    """
    Draw a seed of the size that scikit-learn takes.

    Parameters
    ----------
    rng : numpy.random.Generator
        Where it comes from.

    Returns
    -------
    int
        Below 2^32.
    """
    return int(rng.integers(2**32))


def _number(child: np.random.SeedSequence) -> int:
    return int(child.generate_state(1, dtype=np.uint64)[0]) >> 11
