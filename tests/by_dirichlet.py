"""E[d] of partitions that are drawn from Dirichlet distributions, by simulation."""

from typing import Any, NamedTuple

import mpmath
import numpy as np
from numpy.typing import NDArray

Rng = np.random.Generator
Matrix = NDArray[np.float64]

_DIGITS = 80
_DRAWS = 1 << 17
_CONCENTRATED = 1e6  # parameters from which on a gamma distribution is normal
_NEARLY_CRISP = 1e-4  # parameters that are all below draw labels


class Estimate(NamedTuple):
    """A mean, and its standard error."""

    value: float
    error: float


def drawn_expectation(P: Matrix, Q: Matrix, null: str, rng: Rng) -> Estimate:
    """Draw the memberships of Q, and of P unless the null model is one-sided."""
    model, one_sided = null.split("-")[1], null.endswith("one-sided")
    sides = [_values(P, "given" if one_sided else model, rng), _values(Q, model, rng)]
    apart = abs(sides[0] - sides[1])
    return Estimate(apart.mean(), apart.std() / np.sqrt(_DRAWS))


def _values(matrix: Matrix, model: str, rng: Rng) -> Any:
    """Draw dissimilarities of pairs of objects."""
    used = matrix[:, (matrix != 0.0).any(axis=0)]
    n, K = used.shape
    if model == "given":
        i = rng.integers(n, size=_DRAWS)
        j = (i + rng.integers(1, n, size=_DRAWS)) % n
        return 0.5 * abs(matrix[i] - matrix[j]).sum(axis=1)
    shares = used.mean(axis=0).clip(0.0)
    if model == "symmetric":
        shares = np.ones(K)
    parameters = [mpmath.mpf(1)] * K
    if model != "flat":
        parameters = _fitted(used, model) if used.min() > 0.0 and K > 1 else []
    if K == 1 or not parameters or max(parameters) < _NEARLY_CRISP:
        labels = rng.choice(K, size=(2, _DRAWS), p=shares / shares.sum())
        return (labels[0] != labels[1]).astype(np.float64)
    rows = _rows(parameters, rng), _rows(parameters, rng)
    return 0.5 * abs(rows[0] - rows[1]).sum(axis=1)


def _rows(parameters: list[Any], rng: Rng) -> Matrix:
    """Draw rows less their mean, of which even the last digits vary as they should."""
    total = mpmath.fsum(parameters)
    if total == mpmath.inf:
        return np.zeros((_DRAWS, len(parameters)))
    a, p = (np.array([float(x / y) for x in parameters]) for y in (1, total))
    if float(total) < _CONCENTRATED:
        logs = np.log(rng.standard_gamma(a + 1.0, (_DRAWS, a.size)))
        logs += np.log(rng.random((_DRAWS, a.size))) / a
        rows = np.exp(logs - logs.max(axis=1, keepdims=True))
        return np.asarray(rows / rows.sum(axis=1, keepdims=True))
    many = a > _CONCENTRATED
    away = np.empty((_DRAWS, a.size))
    away[:, many] = np.sqrt(a[many]) * rng.normal(size=(_DRAWS, many.sum()))
    away[:, ~many] = rng.standard_gamma(a[~many], (_DRAWS, (~many).sum())) - a[~many]
    sums = away.sum(axis=1, keepdims=True)
    rows = (away - p * sums) / (float(total) + sums)
    largest = a.argmax()
    rows[:, largest] = 0.0
    rows[:, largest] = -rows.sum(axis=1)
    return rows


def _fitted(matrix: Matrix, model: str) -> list[Any]:
    """Return the parameters of the largest likelihood, by Newton's method (Minka)."""
    K = matrix.shape[1]
    with mpmath.workdps(_DIGITS):
        rows = [[mpmath.mpf(x) for x in row] for row in matrix.tolist()]
        rows = [[x / mpmath.fsum(row) for x in row] for row in rows]
        columns = [*zip(*rows, strict=True)]
        means = [mpmath.fsum(column) / len(column) for column in columns]
        logs = [
            mpmath.fsum(map(mpmath.log, column)) / len(column) for column in columns
        ]
        if model == "symmetric":
            means, logs = [mpmath.mpf(1) / K] * K, [mpmath.fsum(logs) / K] * K
        lost = mpmath.fsum(
            m * (mpmath.log(m) - g) for m, g in zip(means, logs, strict=True)
        )
        if lost < mpmath.mpf(10) ** -60:
            return [mpmath.inf] * K
        a = [max(m * (K - 1) / (2 * lost), mpmath.mpf("1e-3")) for m in means]
        for _ in range(200):
            steps = _steps(a, logs)
            before = _likelihood(a, logs)
            while min(x + e for x, e in zip(a, steps, strict=True)) <= 0 or (
                _likelihood([x + e for x, e in zip(a, steps, strict=True)], logs)
                < before
            ):
                steps = [e / 2 for e in steps]
            a = [x + e for x, e in zip(a, steps, strict=True)]
            if max(abs(e / x) for x, e in zip(a, steps, strict=True)) < 1e-12:
                return a
    raise ArithmeticError("no maximum of the likelihood was found")


def _steps(a: list[Any], logs: list[Any]) -> list[Any]:
    s = mpmath.fsum(a)
    slopes = [
        mpmath.psi(0, s) - mpmath.psi(0, x) + g for x, g in zip(a, logs, strict=True)
    ]
    curves = [mpmath.psi(1, x) for x in a]
    both = [x / y for x, y in zip(slopes, curves, strict=True)]
    left = 1 / mpmath.psi(1, s) - mpmath.fsum(1 / x for x in curves)
    common = mpmath.fsum(both) / left
    return [x + common / y for x, y in zip(both, curves, strict=True)]


def _likelihood(a: list[Any], logs: list[Any]) -> Any:
    parts = [x * g - mpmath.loggamma(x) for x, g in zip(a, logs, strict=True)]
    return mpmath.loggamma(mpmath.fsum(a)) + mpmath.fsum(parts)
