"""Formulas of indices of a partition and its data; see `VALIDITY`."""

import math
from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import cdist

from concordant.arrays import Matrix, Positions, Vector
from concordant.execution.single_thread import single_blas_thread
from concordant.kept import kept

_TOUCHING = 2.0**-30  # of the spread: centres this near coincide, as in FuzzyCMeans
_SINGULAR = 2.0**-40  # an eigenvalue of correlations that is rounding
_STEEPEST = 1000.0  # power of two that a double holds
_BLOCK = 1 << 22  # distances that are held at once


class UndefinedError(Exception):
    """An index of a partition is not defined, for the reason told."""


@dataclass(frozen=True, eq=False)
class Fit:
    """
    Objects and K centres, both about the objects' mean, and K x n memberships.

    Silhouettes are those of the objects in `sample`.
    """

    X: Matrix
    U: Matrix
    centers: Matrix
    fuzzifier: float
    sample: Positions

    @property
    def n(self) -> int:
        """The number of objects."""
        return len(self.X)

    @property
    def K(self) -> int:
        """The number of clusters."""
        return len(self.U)

    @kept
    def squares(self) -> Matrix:
        """The K x n squared distances of objects from centres."""
        return np.asarray(cdist(self.centers, self.X, "sqeuclidean"))

    @kept
    def weights(self) -> Matrix:
        """The memberships to the power of the fuzzifier."""
        return np.asarray(self.U**self.fuzzifier)

    @kept
    def within(self) -> float:
        """The sum of u^2 d^2."""
        return float((self.U**2 * self.squares).sum())

    @kept
    def from_mean(self) -> Vector:
        """The squared distances of centres from the mean of the objects."""
        return np.asarray((self.centers**2).sum(axis=1))

    @kept
    def between(self) -> Matrix:
        """The squared distances of centres from one another, infinite to themselves."""
        self.check_several()
        found = cdist(self.centers, self.centers, "sqeuclidean")
        np.fill_diagonal(found, np.inf)
        return np.asarray(found)

    @property
    def of_pairs(self) -> Vector:
        """The squared distances of the pairs of centres."""
        return np.asarray(self.between[np.triu_indices(self.K, 1)])

    def is_nothing(self, square: float) -> bool:
        """Return whether a squared distance is 0 but for rounding."""
        return square <= _TOUCHING**2 * float((self.X**2).sum()) / self.n

    @property
    def gap(self) -> float:
        """The least of them, which is not 0."""
        gap = float(self.between.min())
        if self.is_nothing(gap):
            raise UndefinedError(
                "two centres coincide, and their distance is divided by; "
                "take fewer clusters, or a lower fuzzifier"
            )
        return gap

    def check_several(self) -> None:
        """Refuse a single cluster."""
        if self.K == 1:
            raise UndefinedError("a single cluster has no other to be apart from")

    @kept
    def silhouettes(self) -> tuple[Vector, Vector]:
        """How much nearer objects are to their cluster, by distances and squares."""
        X, labels = self.X[self.sample], self.U[:, self.sample].argmax(axis=0)
        is_in = np.eye(self.K)[labels]
        sizes = is_in.sum(axis=0)
        if (sizes > 0.0).sum() < 2:
            raise UndefinedError(
                "all objects have their largest membership in the same cluster; "
                "take another partition, or a lower fuzzifier"
            )
        widths: tuple[list[Vector], list[Vector]] = ([], [])
        step = 1 + _BLOCK // len(X)
        for first in range(0, len(X), step):
            squares = cdist(X[first : first + step], X, "sqeuclidean")
            own = is_in[first : first + step]
            for found, away in zip(widths, (np.sqrt(squares), squares), strict=True):
                with single_blas_thread():  # its threads would change bits
                    sums = np.dot(away, is_in)
                found.append(_widths(sums, own, sizes))
        plain, squared = map(np.concatenate, widths)
        return plain, squared

    @kept
    def leads(self) -> Vector:
        """How much larger the largest membership is than the second."""
        self.check_several()
        second, first = np.partition(self.U[:, self.sample], self.K - 2, axis=0)[-2:]
        if not (first > second).any():
            raise UndefinedError(
                "every object belongs to two clusters alike; lower the fuzzifier"
            )
        return np.asarray(first - second)


def _widths(sums: Matrix, own: Matrix, sizes: Vector) -> Vector:
    """Return silhouettes from sums of distances by cluster: 0 if alone in one."""
    counts = sizes - own
    means = np.where(counts > 0.0, sums / np.maximum(counts, 1.0), np.inf)
    a = means[own > 0.0]
    b = np.where(own > 0.0, np.inf, means).min(axis=1)
    longer = np.maximum(a, b)
    fine = np.isfinite(a) & (longer > 0.0)
    return np.asarray(np.where(fine, b - a, 0.0) / np.where(fine, longer, 1.0))


def pc(fit: Fit) -> float:
    """Return the mean sum of squared memberships."""
    return float((fit.U**2).sum()) / fit.n


def mpc(fit: Fit) -> float:
    """Return the partition coefficient, from 0 for memberships 1/K to 1."""
    fit.check_several()
    return 1.0 - fit.K / (fit.K - 1) * (1.0 - pc(fit))


def pe(fit: Fit) -> float:
    """Return the mean entropy of memberships."""
    return float(-(fit.U * np.log(np.where(fit.U > 0.0, fit.U, 1.0))).sum()) / fit.n


def xb(fit: Fit) -> float:
    """Return the spread within clusters by the least distance of centres."""
    return float((fit.weights * fit.squares).sum() / (fit.n * fit.gap))


def fs(fit: Fit) -> float:
    """Return the spread within clusters less that of the centres."""
    return float((fit.weights * (fit.squares - fit.from_mean[:, None])).sum())


def kwon(fit: Fit) -> float:
    """Return XB with a penalty that does not vanish for many clusters."""
    return float((fit.within + fit.from_mean.mean()) / fit.gap)


def kwon2(fit: Fit) -> float:
    """Return the later index of Kwon."""
    n, K, m, from_mean = fit.n, fit.K, fit.fuzzifier, fit.from_mean
    gap = float(fit.between.min())
    if fit.is_nothing(float(from_mean.max())):
        raise UndefinedError("all centres are at the mean; lower the fuzzifier")
    w1 = (n - K + 1) / n
    w2 = (K / (K - 1)) ** math.sqrt(2.0)
    w3 = n * K / (n - K + 1) ** 2
    power = 2.0 ** min(math.sqrt(m / 2.0), _STEEPEST)
    within = (fit.U**power * fit.squares).sum()
    above = w1 * (w2 * within + from_mean.sum() / from_mean.max() + w3)
    return float(above / (gap + 1.0 / K + K ** (1.0 - m)))


def tang(fit: Fit) -> float:
    """Return XB with penalties above and below."""
    gap = float(fit.between.min())
    return float((fit.within + fit.of_pairs.mean()) / (gap + 1.0 / fit.K))


def pbm(fit: Fit) -> float:
    """Return how much nearer objects are to centres than to the mean, and how far."""
    farthest = math.sqrt(fit.of_pairs.max())
    within = float((fit.weights * np.sqrt(fit.squares)).sum())
    total = float(fit.weights.sum())
    if total == 0.0 or fit.is_nothing((within / total) ** 2):
        raise UndefinedError(
            "no object has a weight away from its centre; take fewer clusters, or a "
            "lower fuzzifier"
        )
    around = float(np.sqrt((fit.X**2).sum(axis=1)).sum())
    return (around / (fit.K * within) * farthest) ** 2


def pcaes(fit: Fit) -> float:
    """Return how compact and how far from the nearest other the clusters are."""
    compact = (fit.U**2).sum(axis=1)
    nearest = fit.between.min(axis=1)
    apart = float(((fit.centers - fit.centers.mean(axis=0)) ** 2).sum() / fit.K)
    if not compact.all():
        raise UndefinedError("a cluster is empty; leave it out")
    if fit.is_nothing(apart):
        raise UndefinedError("all centres coincide; lower the fuzzifier")
    shares = compact / compact.min() - np.exp(-nearest / apart)
    return float(shares.sum())


def fhv(fit: Fit) -> float:
    """Return the sum of the volumes of the clusters."""
    logs = []
    for u, h in zip(fit.U, fit.centers, strict=True):
        weights, away = (u / u.max()) ** fit.fuzzifier if u.any() else u, fit.X - h
        with single_blas_thread():  # its threads would change bits
            squares = np.dot((weights[:, None] * away).T, away)
            covariance = squares / (weights.sum() or 1.0)
            lengths = np.sqrt(covariance.diagonal())
            values = np.zeros(1)
            if lengths.all():
                values = np.linalg.eigvalsh(covariance / np.outer(lengths, lengths))
        if values[0] <= _SINGULAR * len(h):
            raise UndefinedError(
                "a cluster has no volume; leave out columns that are constant or "
                "follow from others, or take fewer clusters"
            )
        logs.append(0.5 * np.log(values).sum() + np.log(lengths).sum())
    volume = float(np.exp(np.logaddexp.reduce(logs)))
    if not 0.0 < volume < math.inf:
        raise UndefinedError("no double holds it; rescale the columns of X")
    return volume


def silhouette(fit: Fit) -> float:
    """Return the mean silhouette of the hardened partition."""
    return float(fit.silhouettes[0].mean())


def silhouette_squared(fit: Fit) -> float:
    """Return the same of squared distances."""
    return float(fit.silhouettes[1].mean())


def fuzzy_silhouette(fit: Fit) -> float:
    """Return the mean silhouette, of objects that belong to one cluster above all."""
    return float((fit.leads * fit.silhouettes[0]).sum() / fit.leads.sum())


def fuzzy_silhouette_squared(fit: Fit) -> float:
    """Return the same of squared distances."""
    return float((fit.leads * fit.silhouettes[1]).sum() / fit.leads.sum())
