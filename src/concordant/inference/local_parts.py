"""Parts of the discordance, each with what chance would give."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Parts:
    """
    The discordance of some parts, by object, by cluster or by pair of clusters.

    Parameters
    ----------
    names : tuple of arrays
        What the parts are called, one array for each axis.
    weights : ndarray
        The share of each part in d: ``d = sum of weights * discordance``.
    chance_weights : ndarray
        Its share in E[d]: ``E[d] = sum of chance_weights * expected``. They are the
        weights, but for pairs of clusters: by chance, clusters of sizes N_k and N_l
        have N_k N_l / n objects in common.
    discordance : ndarray
        The mean of ``|E_P - E_Q|`` over the pairs of the objects of a part; NaN where
        it is empty.
    expected : ndarray
        The same by chance; NaN for empty clusters.
    standard_errors : ndarray
        Of `discordance`, where pairs were sampled, else 0. Those of clusters are upper
        bounds, as all objects were compared with the same others.
    """

    names: tuple[NDArray[Any], ...]
    weights: Vector
    chance_weights: Vector
    discordance: Vector
    expected: Vector
    standard_errors: Vector

    @property
    def aci(self) -> Vector:
        """
        The local ACI, 1 - discordance / expected.

        1 where both are 0, NaN where a part is empty.
        """
        ratio = np.where(self.discordance == 0.0, 0.0, np.nan)
        np.divide(self.discordance, self.expected, out=ratio, where=self.expected > 0.0)
        return np.asarray(1.0 - ratio)

    @property
    def total(self) -> float:
        """The sum of weights times discordance: d."""
        return _sum(self.weights, self.discordance)

    @property
    def total_expected(self) -> float:
        """The sum of chance weights times expected: E[d]."""
        return _sum(self.chance_weights, self.expected)

    def rows(self) -> Iterator[dict[str, Any]]:
        """
        Give the numbers of one part after the other.

        Yields
        ------
        dict
            ``names``, and the fields and `aci` as floats.
        """
        aci = self.aci
        for where in np.ndindex(self.weights.shape):
            yield {
                "names": tuple(
                    _plain(names[i]) for names, i in zip(self.names, where, strict=True)
                ),
                "weight": float(self.weights[where]),
                "chance_weight": float(self.chance_weights[where]),
                "discordance": float(self.discordance[where]),
                "expected": float(self.expected[where]),
                "aci": float(aci[where]),
                "standard_error": float(self.standard_errors[where]),
            }


def _sum(weights: Vector, values: Vector) -> float:
    there = weights > 0.0
    return math.fsum(weights[there] * values[there])


def _plain(name: Any) -> Any:
    return name.item() if isinstance(name, np.generic) else name
