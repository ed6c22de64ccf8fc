"""Functions of indices: those of the paper, and those of scikit-learn's users."""

import re
from collections.abc import Callable, Iterator
from functools import wraps
from inspect import Parameter, Signature, getdoc
from textwrap import fill, indent
from typing import Any

from concordant.catalogue.index_options import OPTIONS
from concordant.catalogue.lookups import measure
from concordant.measures.concordance import concordance
from concordant.measures.one_index import score

#: Keywords beside the options of an index, which `score` describes, with annotations.
_HOW = {
    "tol": "float | None",
    "n_jobs": "int | None",
    "engine": "object",
    "random_state": "int | np.random.Generator | None",
    "match_by": "MatchBy",
}
#: Type and meaning of the parameters of `score`, from its documentation.
_SAID = {
    name: (kind, " ".join(says.split()))
    for name, kind, says in re.findall(
        r"^(\w.*) : (.+)\n((?: {4}.+\n)+)", getdoc(score) or "", re.MULTILINE
    )
}


def _named(index: str) -> Callable[[Callable[..., float]], Callable[..., float]]:
    """Give the function of an index the keywords that its record tells."""
    signature = _signature(index)
    names = [*signature.parameters]

    def named(function: Callable[..., float]) -> Callable[..., float]:
        @wraps(function)
        def call(P: object, Q: object, **keywords: Any) -> float:
            if unknown := [each for each in keywords if each not in names]:
                raise TypeError(
                    f"{function.__name__}() got an unexpected keyword argument "
                    f"'{unknown[0]}'; it takes {', '.join(names[2:])}"
                )
            return function(P, Q, **keywords)

        told = "\n".join(_parameters(names[2:]))
        section = f"Parameters\n----------\n{told}\n\nReturns\n"
        call.__doc__ = (getdoc(function) or "").replace("Returns\n", section, 1)
        call.__signature__ = signature  # type: ignore[attr-defined]
        return call

    return named


def _signature(index: str) -> Signature:
    record = measure(index)
    options = (OPTIONS[key] for key in record.options)
    annotated = {each.name: (each.annotation, each.default) for each in options}
    annotated |= {
        key: (annotation, "position" if key == "match_by" else None)
        for key, annotation in _HOW.items()
        if key in (*record.draws, "n_jobs", "engine", "match_by")
    }
    both = [
        Parameter(side, Parameter.POSITIONAL_OR_KEYWORD, annotation="object")
        for side in "PQ"
    ]
    keywords = [
        Parameter(key, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        for key, (annotation, default) in annotated.items()
    ]
    return Signature([*both, *keywords], return_annotation="float")


def _parameters(names: list[str]) -> Iterator[str]:
    for name in ("P, Q", *names):
        option = OPTIONS.get(name)
        said = (option.told, option.reading) if option else _SAID.get(name, ("", ""))
        yield f"{name} : {said[0]}"
        yield indent(fill(said[1], 80, break_on_hyphens=False), "    ")


@_named("aci")
def adjusted_concordance_index(P: object, Q: object, **options: Any) -> float:
    """
    Return the agreement of two partitions, corrected for chance.

    ``ACI = (NDC - E[NDC]) / (1 - E[NDC])``, with the exact expectation over all
    permutations of the objects, or under another model of chance.

    Returns
    -------
    float
        At most 1; higher is better. It is 1 if every pair is exactly as similar in P as
        in Q, 0 on average for unrelated partitions if the objects of one are
        exchangeable, and for crisp partitions it is the adjusted Rand index of Hubert
        and Arabie.

    References
    ----------
    D'Ambrosio, Amodio, Iorio, Pandolfo, Siciliano (2021), Journal of Classification 38,
    112-128.

    Examples
    --------
    >>> import concordant as cc
    >>> cc.adjusted_concordance_index([0, 0, 1, 1], [1, 1, 0, 0])
    1.0
    >>> P = [[0.9, 0.1], [0.8, 0.2], [0.2, 0.8], [0.3, 0.7]]
    >>> round(cc.adjusted_concordance_index(P, [0, 0, 1, 1]), 6)
    0.425532
    """
    return concordance(P, Q, **options).aci


@_named("ndc")
def normalized_degree_of_concordance(P: object, Q: object, **options: Any) -> float:
    """
    Return the mean agreement of two partitions on their pairs of objects.

    ``NDC = 1 - mean over i < j of |E_P(i, j) - E_Q(i, j)|``, with ``E(i, j) = 1 - |u_i
    - u_j| / 2`` in the L1 norm, or the inner product of u_i and u_j.

    Returns
    -------
    float
        From 0 to 1; higher is better. It is 1 if and only if every pair is exactly as
        similar in P as in Q, and for crisp partitions it is the Rand index.

    References
    ----------
    Hüllermeier, Rifqi, Henzgen, Senge (2012), IEEE Transactions on Fuzzy Systems 20(3).

    Examples
    --------
    >>> import concordant as cc
    >>> cc.normalized_degree_of_concordance([0, 0, 1, 0], [0, 1, 1, 0])
    0.5
    """
    return score(P, Q, "ndc", **options)


@_named("rand")
def rand_index(P: object, Q: object, **options: Any) -> float:
    """
    Return the share of pairs on which two partitions agree.

    ``(a + d) / (a + b + c + d)`` of a `pair_table`.

    Returns
    -------
    float
        From 0 to 1; higher is better. With the default family it is the normalized
        degree of concordance, and 1 if and only if every pair is exactly as similar in
        P as in Q.

    References
    ----------
    Rand (1971), Journal of the American Statistical Association 66, 846-850.

    Examples
    --------
    >>> import concordant as cc
    >>> cc.rand_index([0, 0, 1, 0], [0, 1, 1, 0])
    0.5
    """
    return score(P, Q, "rand", **options)


@_named("adjusted_rand")
def adjusted_rand_index(P: object, Q: object, **options: Any) -> float:
    """
    Return the adjusted Rand index of Hubert and Arabie, from a pair table.

    ``2 (ad - bc) / (b² + c² + 2ad + (a + d)(b + c))`` of a `pair_table`.

    Returns
    -------
    float
        At most 1 for crisp partitions; higher is better. Over all permutations of the
        objects the mean is 0 for the families *crisp*, *frigui* and *brouwer*, and not
        for the others. For fuzzy families the formula is the same, but it does not
        correct for chance as `adjusted_concordance_index` does.

    References
    ----------
    Hubert, Arabie (1985), Journal of Classification 2, 193-218.

    Examples
    --------
    >>> import concordant as cc
    >>> cc.adjusted_rand_index([0, 0, 1, 0], [0, 1, 1, 0])
    0.0
    """
    return score(P, Q, "adjusted_rand", **options)


@_named("jaccard")
def jaccard_index(P: object, Q: object, **options: Any) -> float:
    """
    Return the share of joined pairs that are joined in both partitions.

    ``a / (a + b + c)`` of a `pair_table`.

    Returns
    -------
    float
        From 0 to 1; higher is better.

    References
    ----------
    Jaccard (1912), New Phytologist 11, 37-50.

    Examples
    --------
    >>> import concordant as cc
    >>> cc.jaccard_index([0, 0, 1, 0], [0, 1, 1, 0])
    0.25
    """
    return score(P, Q, "jaccard", **options)


@_named("fowlkes_mallows")
def fowlkes_mallows_index(P: object, Q: object, **options: Any) -> float:
    """
    Return the geometric mean of precision and recall of joined pairs.

    ``a / sqrt((a + b)(a + c))`` of a `pair_table`.

    Returns
    -------
    float
        From 0 to 1; higher is better. It is 1 if neither partition joins any pair.

    References
    ----------
    Fowlkes, Mallows (1983), Journal of the American Statistical Association 78,
    553-569.

    Examples
    --------
    >>> import concordant as cc
    >>> cc.fowlkes_mallows_index([0, 0, 1, 1], [1, 1, 0, 0])
    1.0
    """
    return score(P, Q, "fowlkes_mallows", **options)


@_named("mirkin")
def mirkin_metric(P: object, Q: object, **options: Any) -> float:
    """
    Return the number of ordered pairs on which two partitions disagree.

    ``2 (b + c)`` of a `pair_table`.

    Returns
    -------
    float
        A distance from 0 to n (n - 1); lower is better.

    References
    ----------
    Mirkin (1996), Mathematical Classification and Clustering, Kluwer.

    Examples
    --------
    >>> import concordant as cc
    >>> cc.mirkin_metric([0, 0, 1, 0], [0, 1, 1, 0])
    6.0
    """
    return score(P, Q, "mirkin", **options)


@_named("dice")
def dice_coefficient(P: object, Q: object, **options: Any) -> float:
    """
    Return the harmonic mean of precision and recall of joined pairs.

    ``2a / (2a + b + c)`` of a `pair_table`.

    Returns
    -------
    float
        From 0 to 1; higher is better.

    References
    ----------
    Dice (1945), Ecology 26, 297-302.

    Examples
    --------
    >>> import concordant as cc
    >>> cc.dice_coefficient([0, 0, 1, 0], [0, 1, 1, 0])
    0.4
    """
    return score(P, Q, "dice", **options)


@_named("nmi")
def normalized_mutual_information(P: object, Q: object, **options: Any) -> float:
    """
    Return the mutual information of two partitions, divided by a mean entropy.

    The cells of U'V, divided by their sum, are read as the joint distribution of a
    cluster of P and a cluster of Q.

    Returns
    -------
    float
        From 0 (clusters are independent) to 1. For crisp partitions it is the classical
        index, and 1 for equal ones; a fuzzy partition does not reach 1 with itself. It
        is 1 if both partitions have only one cluster that is not empty, and 0 if only
        one has. It is not corrected for chance.

    References
    ----------
    Lei, Bezdek, Chan, Vinh, Romano, Bailey (2014), IEEE Symposium on Computational
    Intelligence and Data Mining, 24-31.

    Examples
    --------
    >>> import concordant as cc
    >>> P, Q = [0, 0, 1, 1], [0, 0, 1, 2]
    >>> round(cc.normalized_mutual_information(P, Q), 6)
    0.8
    >>> round(cc.normalized_mutual_information(P, Q, average="min"), 6)
    1.0
    """
    return score(P, Q, "nmi", **options)


@_named("ami")
def adjusted_mutual_information(P: object, Q: object, **options: Any) -> float:
    """
    Return the mutual information of two partitions, corrected for chance.

    ``AMI = (I - E[I]) / (H - E[I])``, where H is the mean of both entropies and E[I]
    the mean of I over all permutations of the objects of one partition. For crisp
    partitions E[I] is exact. For fuzzy ones it follows from the second moments of the
    cells of U'V, with a bound of what higher moments add, some 1 / n²; where that bound
    is above 1e-6, random permutations are drawn, and the smaller error counts.

    Returns
    -------
    float
        At most 1, which the same crisp partition reaches; 0 is chance level. A fuzzy
        partition does not reach 1 with itself. ``compare(P, Q,
        indices="ami").scores["ami"].error`` says how far off it may be.

    References
    ----------
    Vinh, Epps, Bailey (2010), Journal of Machine Learning Research 11, 2837-2854.

    Examples
    --------
    >>> import concordant as cc
    >>> round(cc.adjusted_mutual_information([0, 0, 1, 1], [0, 0, 1, 2]), 6)
    0.571429
    """
    return score(P, Q, "ami", **options)
