"""What the library claims of two partitions, held against the exact truth."""

import logging
import math
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from itertools import pairwise
from typing import Any, get_args

import numpy as np
import reference
from bins import by_value, in_bins
from by_dirichlet import drawn_expectation
from numpy.typing import NDArray
from oracle import (
    Numbers,
    Truth,
    inner_truth,
    truth,
)
from registry import FUZZY_FAMILIES

import concordant as cc
from concordant.catalogue.families import STATISTICS
from concordant.catalogue.indices import INDICES
from concordant.catalogue.lookups import score_name
from concordant.catalogue.nulls import NULLS
from concordant.catalogue.records import FREE_SUMS
from concordant.measures.adjusted import Concordance
from concordant.measures.mutual_information import Average
from concordant.nulls.sampled_permutations import FEW_PAIRS
from concordant.pairs.two_clusters import has_two_clusters
from concordant.streams.dask_arrays import LoadedHereWarning
from concordant.sums.matching import Distance

Rng = np.random.Generator
Data = NDArray[Any]
Call = Callable[[], Concordance]

#: What may be lost beside the error that is stated, in proportion to E[d].
ROUNDING = Fraction(4e-15)

_LEAST = Fraction(2) ** -1070  # sixteen of the least doubles
_VERY_FEW_OBJECTS = 8  # for whose pairs fractions do not take long
_FEW_OBJECTS = 24  # whose tables plain loops count
_SOME_OBJECTS = 120  # whose discordance is computed one by one
_MANY_OBJECTS = 300  # for whose pairs permutations take long
_ON_WORKERS = 0.02  # of all cases, as a scheduler takes its time
# How many half widths of a 95 % interval no estimate is off by chance: not even from 24
# groups of pairs, while 5 permutations say next to nothing.
_ESTIMATES = {"sampled": 6.0, "permutations": 1e9}
_INNER = ("gri", "credal_j", "credal_b")  # from 0 on, as NDC
_NO_NEGATIVE = ("element_centric", "hardened_ari")
_UNIT = Fraction(2.0**-52)  # what may be lost beside an error, if numbers are near 1
_UNSTATED = Fraction(1, 10**6)  # the error of a function that states none
_FEW_MEMBERSHIPS = 400  # to which a distribution is fitted soon
_SURE = 6.0  # standard errors of a simulation
_SCALES = (1.0, 1e-4, 1e-8, 1e-16, 1e-100)  # of possibilistic memberships


@dataclass
class Tally:
    """How many intervals of samples held the truth: in the long run 95 of 100."""

    covered: int = 0
    intervals: int = 0


def broken_claims(P: Data, Q: Data, rng: Rng, tally: Tally) -> Iterator[str]:
    """Say what does not hold of two partitions: nothing, one hopes."""
    may_refuse = min(_least(P), _least(Q)) < 0.0
    try:
        p, q = cc.Partition(P), cc.Partition(Q)
    except ValueError as error:
        if not may_refuse:
            yield f"refused: {error}"
        return
    true = truth(P, Q)
    for name, call in _concordances(P, Q, p, q, rng):
        found, told = _tried(name, call, true, tally)
        yield from told
        if found is None:
            continue
        if name == "auto":
            yield from (f"auto: {what}" for what in _undocumented(found, p, q, true))
        if name in ("auto", "binned", "cells"):
            again = partial(cc.concordance, method=name)
            again = in_bins if name == "cells" else again
            yield from (f"{name}: {what}" for what in _other_bits(found, P, Q, again))
    if true.n_objects <= _SOME_OBJECTS:
        yield from _wrong_inner_products(P, Q, rng, tally)
    exact = _wrong_objects, _wrong_pair_indices, _wrong_tables, _wrong_wallace_tables
    drawn = _wrong_scores, _wrong_means, _wrong_nulls
    for others, given in [*((f, true) for f in exact), *((f, rng) for f in drawn)]:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                warnings.simplefilter("ignore", ResourceWarning)
                yield from list(others(P, Q, given))
        except Exception as error:
            yield f"{others.__name__}: {type(error).__name__}: {error}"


def _tried(
    name: str, call: Call, true: Truth | Numbers, tally: Tally
) -> tuple[Concordance | None, list[str]]:
    """Return a concordance, and what is wrong with it or with how it came about."""
    try:
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            warnings.simplefilter("ignore", ResourceWarning)
            warnings.simplefilter("ignore", LoadedHereWarning)
            found = call()
    except Exception as error:
        return None, [f"{name}: {type(error).__name__}: {error}"]
    if "sampled" in name and not (true.cut or _saw_all(found, true)):
        tally.intervals += 1
        tally.covered += abs(Fraction(found.aci) - true.aci) <= found.error
    told = [f"warns that {warning.message}" for warning in warned]
    told += [*_impossible(found), *_wrong(found, true, name)]
    return found, [f"{name}: {what}" for what in told]


def _wrong_inner_products(P: Data, Q: Data, rng: Rng, tally: Tally) -> Iterator[str]:
    """Tell what does not hold of inner products in the place of L1 similarities."""
    true, seed = inner_truth(P, Q), int(rng.integers(1 << 31))
    for method in ("sorted", "sampled", "auto", "binned"):
        name = f"inner product, {method}"
        how: dict[str, Any] = {"similarity": "inner"}
        if method == "sampled":
            how |= {"tol": 0.01, "random_state": seed}
        again = partial(by_value, method=method, **how)
        if method == "binned" and rng.random() < 0.5:
            again = partial(in_bins, **how)
        found, told = _tried(name, partial(again, P, Q), true, tally)
        yield from told
        if found is not None and method in ("auto", "binned"):
            yield from (f"{name}: {what}" for what in _other_bits(found, P, Q, again))


def _wrong_scores(P: Data, Q: Data, rng: Rng) -> Iterator[str]:
    """Tell which scores are further off than they say, of each kind of partition."""
    for kind, sides in _of_kinds(P, Q, rng):
        partitions = [cc.Partition(side, kind=kind) for side in sides]
        U, V = map(_memberships, sides)
        found = cc.compare(*partitions, indices=_names(U, V, partitions))
        right = _right_scores(U, V, found)
        for name, (value, error) in found.scores.items():
            of = f"{kind or 'given'} {name}"
            if name in INDICES and error is None:
                yield f"{of} states no error"
            if error is not None and right[name] is not None:
                yield from _off(of, value, right[name], error, _UNIT)


def _names(U: Data, V: Data, partitions: list[cc.Partition]) -> list[str]:
    """List the indices whose definition is quick, and the statistics."""
    kinds = {partition.kind for partition in partitions}
    names = [
        name
        for name, record in INDICES.items()
        if kinds <= {*record.kinds} and reference.is_quick(name, U, V)
    ]
    if min(U.min(), V.min()) < 0.0:
        names = [name for name in names if name not in _NO_NEGATIVE]
    return [*names, *(STATISTICS if reference.is_quick("", U, V) else ())]


def _right_scores(U: Data, V: Data, found: cc.Comparison) -> dict[str, Any]:
    free = bool(FREE_SUMS & {*found.kinds})
    names = [name for name in found.scores if name in INDICES]
    right = {name: reference.index(name, U, V, free) for name in names}
    for table in found.tables.values():
        for name, value in reference.statistics(
            table.family, table.t_norm, U, V
        ).items():
            right[score_name(name, table.family, table.t_norm)] = value
    return right


def _of_kinds(P: Data, Q: Data, rng: Rng) -> Iterator[tuple[Any, list[Data]]]:
    """Give the partitions as they are, and made into covers and possibilistic ones."""
    yield None, [P, Q]
    if len(P) > _SOME_OBJECTS:
        return
    U, V = (np.maximum(_memberships(side), 0.0) for side in (P, Q))
    yield "overlapping", [0.5 * M.max(axis=1, keepdims=True) <= M for M in (U, V)]
    shares = np.arange(1, len(U) + 1)[:, np.newaxis] / len(U)
    scales = rng.choice(_SCALES, size=2)
    if rng.random() < 0.5:
        scales[1] = scales[0]
    sides = [np.minimum(U * shares, 1.0), np.minimum(V, 1.0)]
    yield "possibilistic", [M * c for M, c in zip(sides, scales, strict=True)]


def _least(partition: Data) -> float:
    return float(partition.min()) if partition.ndim == 2 else 0.0


def _concordances(
    P: Data, Q: Data, p: cc.Partition, q: cc.Partition, rng: Rng
) -> Iterator[tuple[str, Call]]:
    """List the ways to get a concordance, those that leave bins behind last."""
    n, kinds = len(P), (p.kind, q.kind)
    seed = int(rng.integers(1 << 31))

    def by(method: str, **options: Any) -> tuple[str, Call]:
        return method, lambda: cc.concordance(P, Q, method=method, **options)

    if n <= _MANY_OBJECTS:
        yield by("permutations", n_permutations=5, random_state=seed)
    if kinds == ("crisp", "crisp"):
        yield by("crisp")
    elif "crisp" in kinds:
        yield by("fuzzy-crisp")
    elif has_two_clusters(p) and has_two_clusters(q):
        yield by("two-clusters")
    if "crisp" in kinds or (P.ndim == Q.ndim == 2 and P.shape[1] == Q.shape[1] == 2):
        chunks = _chunks(P, Q, rng)
        yield "stream", lambda: _streamed(chunks, kinds, rng)
    if rng.random() < _ON_WORKERS:
        yield "Dask arrays", lambda: _on_workers(P, Q, rng)
    yield by("sorted")
    yield by("sampled", tol=float(rng.choice([0.1, 0.01])), random_state=seed)
    yield by("binned", n_jobs=2)
    yield by("auto")
    if n > 1:
        yield "cells", lambda: in_bins(P, Q)


def _chunks(P: Data, Q: Data, rng: Rng) -> list[tuple[Data, Data]]:
    """Cut objects into some chunks, of which one may be empty."""
    cuts = np.sort(rng.integers(0, len(P) + 1, size=int(rng.integers(0, 5)))).tolist()
    return [(P[i:j], Q[i:j]) for i, j in pairwise([0, *cuts, len(P)])]


def _streamed(
    chunks: Sequence[tuple[Data, Data]], kinds: tuple[Any, Any], rng: Rng
) -> Concordance:
    """Merge accumulators of all chunks in any order."""
    parts = [cc.Accumulator(kinds=kinds).update(*chunk) for chunk in chunks]
    while len(parts) > 1:
        other = parts.pop(int(rng.integers(len(parts))))
        parts[int(rng.integers(len(parts)))].merge(other)
    found = parts[0].result().concordance
    assert found is not None
    return found


@cache
def _client() -> Any:
    """Give a scheduler with its workers on threads of this process."""
    from distributed import Client

    return Client(
        processes=False, n_workers=1, dashboard_address=":0", silence_logs=logging.ERROR
    )


def _on_workers(P: Data, Q: Data, rng: Rng) -> Concordance:
    """Let Dask hold both, in chunks that need not be those of the other."""
    import dask.array as da

    def chunked(side: Data) -> Any:
        rows = int(rng.integers(1 + len(side) // 4, len(side) + 1))
        return da.from_array(side, (rows, *side.shape[1:]))

    return cc.concordance(chunked(P), chunked(Q), engine=_client())


def _impossible(found: Concordance) -> Iterator[str]:
    """Tell what no partitions can give."""
    numbers = (found.discordance, found.expected_discordance, found.aci)
    errors = (found.ndc_error, found.expected_error, found.error)
    if not all(map(math.isfinite, numbers)):
        yield f"not finite: {numbers}"
    if not all(error >= 0.0 for error in errors):  # inf says that nothing is known
        yield f"errors {errors}"
    if not 0.0 <= found.ndc <= 1.0:
        yield f"NDC {found.ndc!r} outside [0, 1]"
    if not found.aci <= 1.0:
        yield f"ACI {found.aci!r} above 1"


def _wrong(found: Concordance, true: Truth | Numbers, name: str) -> Iterator[str]:
    """Tell which numbers are farther from the truth than they say."""
    d, expected = true.discordance, true.expected
    lost = _LEAST + true.cut
    rounding = ROUNDING * max(d, expected) + lost
    widths = 1.0 if _saw_all(found, true) else _ESTIMATES.get(found.method, 1.0)
    error = found.discordance_error * (widths if "sampled" in name else 1.0)
    yield from _off("d", found.discordance, d, error, rounding)
    error = found.expected_discordance_error * widths
    yield from _off("E[d]", found.expected_discordance, expected, error, rounding)
    rounding = ROUNDING + (2 * lost / expected if expected else 0)
    rounding *= max(Fraction(1), 1 - true.aci)
    yield from _off("ACI", found.aci, true.aci, found.error * widths, rounding)


def _saw_all(found: Concordance, true: Truth | Numbers) -> bool:
    """Tell whether an estimate had nothing left to estimate."""
    if found.method == "permutations":
        return true.n_pairs <= FEW_PAIRS
    return found.n_pairs == true.n_pairs


def _off(
    what: str, value: float, true: Fraction, error: float, rounding: Fraction
) -> Iterator[str]:
    if error == math.inf:
        return
    if not math.isfinite(value):
        yield f"{what} {value!r}, truth {float(true)!r}"
        return
    off = abs(Fraction(value) - true)
    if off > Fraction(error) + rounding * max(1, abs(true)):
        yield (
            f"{what} {value!r}, truth {float(true)!r}: off by {float(off):.1e}, "
            f"stated {error:.1e}"
        )


def _undocumented(
    found: Concordance, p: cc.Partition, q: cc.Partition, true: Truth
) -> Iterator[str]:
    """Tell where ACI is not exactly the 0 or 1 that is documented."""
    alike = [not true.cut and not side.any() for side in (true.x, true.y)]
    if any(alike) and true.expected and found.aci != 0.0:
        yield f"ACI {found.aci!r} with a partition in which all objects are alike"
    if all(alike) and found.aci != 1.0:
        yield f"ACI {found.aci!r} of two partitions in which all objects are alike"
    if p.kind == q.kind and p == q and (found.aci, found.ndc) != (1.0, 1.0):
        yield f"ACI {found.aci!r}, NDC {found.ndc!r} of a partition with itself"


def _other_bits(
    found: Concordance, P: Data, Q: Data, again: Callable[..., Concordance]
) -> Iterator[str]:
    """Tell where threads or the order of the partitions change a bit."""
    ways = {
        "on three threads": lambda: again(P, Q, n_jobs=3),
        "of Q and P": lambda: again(Q, P),
    }
    for which, call in ways.items():
        try:
            other = call()
        except Exception as error:
            yield f"{which}: {type(error).__name__}: {error}"
            continue
        if other != found:
            yield f"{which}: {other!r}, not {found!r}"


def _wrong_objects(P: Data, Q: Data, true: Truth) -> Iterator[str]:
    if true.n_objects > _SOME_OBJECTS:
        return
    values = cc.object_discordance(P, Q).values
    rounding = ROUNDING * true.largest + true.cut + _LEAST
    for i, (value, exact) in enumerate(zip(values, true.of_objects, strict=True)):
        if not 0.0 <= value <= 1.0 + 2e-5:
            yield f"object_discordance: {float(value)!r} of object {i}"
        found = list(_off(f"d_{i}", float(value), exact, 0.0, rounding))
        if found:
            yield f"object_discordance: {found[0]}"
            return


def _wrong_pair_indices(P: Data, Q: Data, true: Truth) -> Iterator[str]:
    """Hold indices of pairs that state an error against the truth."""
    if true.n_objects > _SOME_OBJECTS:
        return
    inner = inner_truth(P, Q)
    right = {"agri": inner.aci, "omega": inner.aci}
    right |= dict.fromkeys(_INNER, max(1 - inner.discordance, Fraction(0)))
    found = cc.compare(P, Q, indices=[*right]).scores
    for name, exact in right.items():
        value, error = found[name]
        yield from _off(name, value, exact, error or 0.0, Fraction(2.0**-52))
    if min(_least(P), _least(Q)) < 0.0:
        return
    value, error = cc.compare(P, Q, indices=["element_centric"]).scores[
        "element_centric"
    ]
    one_by_one = Fraction(float(cc.element_centric_scores(P, Q).mean()))
    yield from _off("element_centric", value, one_by_one, error or 0.0, Fraction(1e-12))


def _wrong_wallace_tables(P: Data, Q: Data, true: Truth) -> Iterator[str]:
    """Tell which rows of Wallace tables are further off than they say."""
    if true.n_objects > _VERY_FEW_OBJECTS:
        return
    U, V = (reference.exact(_memberships(side)) for side in (P, Q))
    for t_norm in reference.T_NORMS:
        right = reference.wallace(V, U, t_norm) + reference.wallace(U, V, t_norm)
        rows = cc.wallace(_memberships(P), _memberships(Q), t_norm=t_norm).rows
        for row, (value, expected) in zip(rows, right, strict=True):
            exact = 1 - (1 - value) / (1 - expected) if expected != 1 else 1
            name = f"Wallace table, {t_norm}, {row.index} of {row.cluster}"
            error = Fraction(2.0**-52)
            yield from _off(name, row.adjusted, Fraction(exact), row.error, error)


def _wrong_means(P: Data, Q: Data, rng: Rng) -> Iterator[str]:
    """Tell which functions that are no scores return what is too far off."""
    U, V = map(_memberships, (P, Q))
    if reference.is_quick("nmi", U, V):
        for average in get_args(Average):
            try:
                value = cc.normalized_mutual_information(P, Q, average=average)
            except ValueError as error:
                if "cannot be told from the digits" not in str(error):
                    raise
                continue
            truth = reference.nmi(reference.exact(U), reference.exact(V), average)
            yield from _off(f"NMI, {average}", value, truth, 0.0, _UNSTATED)
    if reference.is_quick("matched", U, V):
        for distance in get_args(Distance):
            found = cc.match_clusters(P, Q, distance=distance)
            truth = reference.matched(*map(reference.exact, (U, V)), distance=distance)
            name = f"matched, {distance}"
            yield from _off(name, found.agreement, truth, found.error, _UNIT)
    statistic = str(rng.choice([*STATISTICS]))
    linear = statistic in ("rand", "mirkin")
    if min(U.min(), V.min()) < 0.0:
        return
    if reference.is_quick("frigui" if linear else "hardened_ari", U, V):
        n_draws, seed = int(rng.choice([1, 2, 30, 200])), int(rng.integers(1 << 31))
        drawn = cc.random_hardenings(
            P, Q, index=statistic, n_draws=n_draws, random_state=seed
        )
        truth = reference.hardened(*map(reference.exact, (U, V)), statistic=statistic)
        name = f"{n_draws} hardenings, {statistic}"
        yield from _off(name, drawn.mean, truth, drawn.error, _UNIT)


def _wrong_nulls(P: Data, Q: Data, rng: Rng) -> Iterator[str]:
    """Hold E[d] of partitions that are drawn against a simulation."""
    U, V = map(_memberships, (P, Q))
    if rng.random() < 0.5 or U.size + V.size > _FEW_MEMBERSHIPS:
        return
    null = str(rng.choice([name for name in NULLS if name.startswith("dirichlet")]))
    found = cc.concordance(P, Q, null=null)
    value, error = drawn_expectation(U, V, null, rng)
    slack = Fraction(max(_SURE * error, 1e-140))  # whose squares are 0 in simulations
    stated = found.expected_discordance_error
    exact = Fraction(value)
    yield from _off(f"{null} E[d]", found.expected_discordance, exact, stated, slack)
    if value > _SURE * error:
        aci = 1 - Fraction(found.discordance) / exact
        slack *= (1 - aci) / (exact - slack)
        yield from _off(f"{null} ACI", found.aci, aci, found.error, slack + _UNIT)


def _wrong_tables(P: Data, Q: Data, true: Truth) -> Iterator[str]:
    """Compare tables with plain loops, which round as well."""
    if true.n_objects > _FEW_OBJECTS:
        return
    U, V = (_memberships(side).tolist() for side in (P, Q))
    kinds = cc.Partition(P).kind, cc.Partition(Q).kind
    streamed = cc.Accumulator(kinds=kinds).update(P, Q).result().tables
    for family, t_norms in FUZZY_FAMILIES.items():
        for t_norm in t_norms:
            define = getattr(reference, family)
            right = define(U, V, t_norm) if t_norm else define(U, V)
            rounding = 1e-13 * true.n_pairs
            if kinds == ("crisp", "crisp"):
                rounding = 0.0
                right = reference.crisp(np.argmax(U, 1), np.argmax(V, 1))
            tables = {"table": cc.pair_table(P, Q, family=family, t_norm=t_norm)}
            if family in streamed:
                tables["stream, table"] = streamed[family]
            for name, table in tables.items():
                found = (table.a, table.b, table.c, table.d)
                off = max(abs(x - y) for x, y in zip(found, right, strict=True))
                if not off <= rounding:
                    of = f"{name} {family} {t_norm or ''}"
                    yield f"{of}: {found}, off by {off:.1e} from {right}"


def _memberships(partition: Data) -> Data:
    if partition.ndim == 2:
        return partition.astype(np.float64)
    return (partition[:, np.newaxis] == np.unique(partition)).astype(np.float64)
