"""The memberships M whose M M' is nearest to the co-memberships of many partitions."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]

_STEPS = 2000
_WINDOW = 8  # steps, of whose criteria the largest may not be passed
_ENOUGH = 1e-4  # of the decrease that the gradient promises
_LEAST, _MOST = 1e-10, 1e10  # steps along the gradient, of the first
_AT_REST = 1e-9  # the change of a membership by a step along the gradient


class Criterion:
    """
    The sum of w_b ||U_b U_b' - M M'||_F², with its gradient, without n x n matrices.

    It is W ||M'M||² - 2 sum w_b ||U_b'M||² + sum w_b ||U_b'U_b||², where W is the sum
    of the weights: with all U_b side by side, O(n K L) for L clusters in all.
    """

    def __init__(self, members: Iterable[Matrix], weights: Matrix) -> None:
        members = [*members]
        roots = np.sqrt(weights)
        self._all = np.hstack([w * U for w, U in zip(roots, members, strict=True)])
        self._weight = float(weights.sum())
        self._own = sum(
            float(w * np.square(U.T @ U).sum())
            for w, U in zip(weights, members, strict=True)
        )

    def at(self, M: Matrix) -> tuple[float, Matrix]:
        """Return the criterion and its gradient."""
        inner, across = M.T @ M, self._all.T @ M
        value = self._weight * np.square(inner).sum() - 2.0 * np.square(across).sum()
        gradient = 4.0 * (self._weight * (M @ inner) - self._all @ across)
        return float(value) + self._own, gradient

    def minimized(self, start: Matrix) -> tuple[float, Matrix]:
        """
        Return a local minimum over memberships whose rows sum to 1.

        Spectral projected gradients (Birgin, Martínez and Raydan 2000).
        """
        M = start
        value, gradient = self.at(M)
        best, recent = (value, M), [value]
        scale = 1.0 / max(float(np.abs(gradient).max()), 1e-300)
        unit = scale
        for _ in range(_STEPS):
            direction = in_simplex(M - scale * gradient) - M
            if np.abs(direction).max() <= _AT_REST * min(1.0, scale / unit):
                break
            slope = float((gradient * direction).sum())
            length = 1.0
            while True:
                trial = M + length * direction
                value, slopes = self.at(trial)
                allowed = max(recent) + _ENOUGH * length * slope
                if value <= allowed or length < _LEAST:
                    break
                length *= 0.5
            moved, turned = trial - M, slopes - gradient
            curved = float((moved * turned).sum())
            along = float(np.square(moved).sum())
            scale = along / curved if curved > 0.0 else _MOST * unit
            scale = min(max(scale, _LEAST * unit), _MOST * unit)
            M, gradient = trial, slopes
            recent = [*recent[1 - _WINDOW :], value]
            if value < best[0]:
                best = value, M
        return best


def in_simplex(rows: Matrix) -> Matrix:
    """Return the nearest rows that are not negative and sum to 1."""
    K = rows.shape[1]
    ordered = -np.sort(-rows, axis=1)
    excess = (np.cumsum(ordered, axis=1) - 1.0) / np.arange(1, K + 1)
    n_positive = (ordered > excess).sum(axis=1)
    cut = excess[np.arange(len(rows)), n_positive - 1]
    return np.asarray(np.maximum(rows - cut[:, None], 0.0))
