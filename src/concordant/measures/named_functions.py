"""Functions of indices: those of the paper, and those of scikit-learn's users."""

import re
from collections.abc import Callable, Iterator
from inspect import Parameter, Signature, getdoc
from textwrap import fill, indent
from typing import Any, NamedTuple

from concordant.catalogue.index_options import OPTIONS
from concordant.catalogue.lookups import measure
from concordant.measures.one_index import score


class _Told(NamedTuple):
    """What the documentation of a function says, beside its parameters."""

    name: str
    summary: str
    formula: str
    returns: str
    reference: str
    examples: str


_LABELS = "([0, 0, 1, 0], [0, 1, 1, 0])"
_FUNCTIONS = {
    "adjusted_concordance_index": _Told(
        "aci",
        "Return the agreement of two partitions, corrected for chance.",
        "``ACI = (NDC - E[NDC]) / (1 - E[NDC])``, with the exact expectation over all "
        "permutations of the objects, or under another model of chance.",
        "At most 1; higher is better. It is 1 if every pair is exactly as similar in P "
        "as in Q, 0 on average for unrelated partitions if the objects of one are "
        "exchangeable, and for crisp partitions it is the adjusted Rand index of "
        "Hubert and Arabie.",
        "D'Ambrosio, Amodio, Iorio, Pandolfo, Siciliano (2021), Journal of "
        "Classification 38, 112-128.",
        ">>> cc.adjusted_concordance_index([0, 0, 1, 1], [1, 1, 0, 0])\n1.0\n"
        ">>> P = [[0.9, 0.1], [0.8, 0.2], [0.2, 0.8], [0.3, 0.7]]\n"
        ">>> round(cc.adjusted_concordance_index(P, [0, 0, 1, 1]), 6)\n0.425532",
    ),
    "normalized_degree_of_concordance": _Told(
        "ndc",
        "Return the mean agreement of two partitions on their pairs of objects.",
        "``NDC = 1 - mean over i < j of |E_P(i, j) - E_Q(i, j)|``, with "
        "``E(i, j) = 1 - |u_i - u_j| / 2`` in the L1 norm, or the inner product of u_i "
        "and u_j.",
        "From 0 to 1; higher is better. It is 1 if and only if every pair is exactly "
        "as similar in P as in Q, and for crisp partitions it is the Rand index.",
        "Hüllermeier, Rifqi, Henzgen, Senge (2012), IEEE Transactions on Fuzzy Systems "
        "20(3).",
        f">>> cc.normalized_degree_of_concordance{_LABELS}\n0.5",
    ),
    "rand_index": _Told(
        "rand",
        "Return the share of pairs on which two partitions agree.",
        "``(a + d) / (a + b + c + d)`` of a `pair_table`.",
        "From 0 to 1; higher is better. With the default family it is the normalized "
        "degree of concordance, and 1 if and only if every pair is exactly as similar "
        "in P as in Q.",
        "Rand (1971), Journal of the American Statistical Association 66, 846-850.",
        f">>> cc.rand_index{_LABELS}\n0.5",
    ),
    "adjusted_rand_index": _Told(
        "adjusted_rand",
        "Return the adjusted Rand index of Hubert and Arabie, from a pair table.",
        "``2 (ad - bc) / (b² + c² + 2ad + (a + d)(b + c))`` of a `pair_table`.",
        "At most 1 for crisp partitions; higher is better. Over all permutations of "
        "the objects the mean is 0 for the families *crisp*, *frigui* and *brouwer*, "
        "and not for the others. For fuzzy families the formula is the same, but it "
        "does not correct for chance as `adjusted_concordance_index` does.",
        "Hubert, Arabie (1985), Journal of Classification 2, 193-218.",
        f">>> cc.adjusted_rand_index{_LABELS}\n0.0",
    ),
    "jaccard_index": _Told(
        "jaccard",
        "Return the share of joined pairs that are joined in both partitions.",
        "``a / (a + b + c)`` of a `pair_table`.",
        "From 0 to 1; higher is better.",
        "Jaccard (1912), New Phytologist 11, 37-50.",
        f">>> cc.jaccard_index{_LABELS}\n0.25",
    ),
    "fowlkes_mallows_index": _Told(
        "fowlkes_mallows",
        "Return the geometric mean of precision and recall of joined pairs.",
        "``a / sqrt((a + b)(a + c))`` of a `pair_table`.",
        "From 0 to 1; higher is better. It is 1 if neither partition joins any pair.",
        "Fowlkes, Mallows (1983), Journal of the American Statistical Association 78, "
        "553-569.",
        ">>> cc.fowlkes_mallows_index([0, 0, 1, 1], [1, 1, 0, 0])\n1.0",
    ),
    "mirkin_metric": _Told(
        "mirkin",
        "Return the number of ordered pairs on which two partitions disagree.",
        "``2 (b + c)`` of a `pair_table`.",
        "A distance from 0 to n (n - 1); lower is better.",
        "Mirkin (1996), Mathematical Classification and Clustering, Kluwer.",
        f">>> cc.mirkin_metric{_LABELS}\n6.0",
    ),
    "dice_coefficient": _Told(
        "dice",
        "Return the harmonic mean of precision and recall of joined pairs.",
        "``2a / (2a + b + c)`` of a `pair_table`.",
        "From 0 to 1; higher is better.",
        "Dice (1945), Ecology 26, 297-302.",
        f">>> cc.dice_coefficient{_LABELS}\n0.4",
    ),
    "normalized_mutual_information": _Told(
        "nmi",
        "Return the mutual information of two partitions, divided by a mean entropy.",
        "The cells of U'V, divided by their sum, are read as the joint distribution of "
        "a cluster of P and a cluster of Q.",
        "From 0 (clusters are independent) to 1. For crisp partitions it is the "
        "classical index, and 1 for equal ones; a fuzzy partition does not reach 1 "
        "with itself. It is 1 if both partitions have only one cluster that is not "
        "empty, and 0 if only one has. It is not corrected for chance.",
        "Lei, Bezdek, Chan, Vinh, Romano, Bailey (2014), IEEE Symposium on "
        "Computational Intelligence and Data Mining, 24-31.",
        ">>> P, Q = [0, 0, 1, 1], [0, 0, 1, 2]\n"
        ">>> round(cc.normalized_mutual_information(P, Q), 6)\n0.8\n"
        '>>> round(cc.normalized_mutual_information(P, Q, average="min"), 6)\n1.0',
    ),
    "adjusted_mutual_information": _Told(
        "ami",
        "Return the mutual information of two partitions, corrected for chance.",
        "``AMI = (I - E[I]) / (H - E[I])``, where H is the mean of both entropies and "
        "E[I] the mean of I over all permutations of the objects of one partition. For "
        "crisp partitions E[I] is exact. For fuzzy ones it follows from the second "
        "moments of the cells of U'V, with a bound of what higher moments add, some "
        "1 / n²; where that bound is above 1e-6, random permutations are drawn, and "
        "the smaller error counts.",
        "At most 1, which the same crisp partition reaches; 0 is chance level. A fuzzy "
        "partition does not reach 1 with itself. ``compare(P, Q, "
        'indices="ami").scores["ami"].error`` says how far off it may be.',
        "Vinh, Epps, Bailey (2010), Journal of Machine Learning Research 11, "
        "2837-2854.",
        ">>> round(cc.adjusted_mutual_information([0, 0, 1, 1], [0, 0, 1, 2]), 6)\n"
        "0.571429",
    ),
}
#: Keywords beside the options of an index, which `score` describes, with annotations.
_HOW = {
    "tol": "float | None",
    "n_jobs": "int | None",
    "engine": "object",
    "random_state": "int | np.random.Generator | None",
    "match_by": "MatchBy",
}
#: Type and meaning of the parameters of `score`, by name, as its documentation has them.
_SAID = {
    name: (kind, " ".join(says.split()))
    for name, kind, says in re.findall(
        r"^(\w+) : (.+)\n((?: {4}.+\n)+)", getdoc(score) or "", re.MULTILINE
    )
}


def _named(name: str, told: _Told) -> Callable[..., float]:
    """Make the function of an index, from its record."""

    def function(P: object, Q: object, **keywords: Any) -> float:
        if unknown := [each for each in keywords if each not in signature.parameters]:
            raise TypeError(
                f"{name}() got an unexpected keyword argument '{unknown[0]}'; it takes "
                f"{', '.join([*signature.parameters][2:])}"
            )
        return score(P, Q, told.name, **keywords)

    signature = _signature(told.name)
    function.__signature__ = signature  # type: ignore[attr-defined]
    function.__name__ = function.__qualname__ = name
    function.__doc__ = _documentation(told, signature)
    return function


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


def _documentation(told: _Told, signature: Signature) -> str:
    """Return a docstring as numpydoc has it."""
    parameters = "\n".join(_parameters([*signature.parameters][2:]))
    parts = (
        f"\n{told.summary}",
        fill(told.formula, 84, break_on_hyphens=False),
        f"Parameters\n----------\n{parameters}",
        f"Returns\n-------\nfloat\n{_indented(told.returns)}",
        f"References\n----------\n{fill(told.reference, 84)}",
        f"Examples\n--------\n>>> import concordant as cc\n{told.examples}",
    )
    return indent("\n\n".join(parts), "    ") + "\n    "


def _parameters(names: list[str]) -> Iterator[str]:
    yield "P, Q : Partition, or anything one can be made from"
    yield _indented(
        "Two partitions of the same n objects: labels of length n, or memberships of "
        "shape (n, K) and (n, L)."
    )
    for name in names:
        option = OPTIONS.get(name)
        type_, says = (
            (option.told, option.reading) if option else _SAID.get(name, ("", ""))
        )
        yield f"{name} : {type_}"
        yield _indented(says)


def _indented(text: str) -> str:
    return indent(fill(text, 80, break_on_hyphens=False), "    ")


globals().update({name: _named(name, told) for name, told in _FUNCTIONS.items()})
