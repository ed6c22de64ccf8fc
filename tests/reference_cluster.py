"""Fuzzy C-means and PD-clustering as their papers write them, in plain loops."""

import math


def distance(x, c):
    return math.sqrt(sum((a - b) ** 2 for a, b in zip(x, c, strict=True)))


def fuzzy_memberships(X, centers, m):
    rows = []
    for x in X:
        d = [distance(x, c) for c in centers]
        rows.append(
            [1.0 / sum((d_k / d_l) ** (2.0 / (m - 1.0)) for d_l in d) for d_k in d]
        )
    return rows


def fuzzy_objective(X, centers, m):
    memberships = fuzzy_memberships(X, centers, m)
    return sum(
        u**m * distance(x, c) ** 2
        for x, row in zip(X, memberships, strict=True)
        for u, c in zip(row, centers, strict=True)
    )


def fuzzy_step(X, centers, m):
    memberships = fuzzy_memberships(X, centers, m)
    return [
        weighted_mean(X, [row[k] ** m for row in memberships])
        for k in range(len(centers))
    ]


def pd_memberships(X, centers):
    rows = []
    for x in X:
        inverse = [1.0 / distance(x, c) for c in centers]
        rows.append([i / sum(inverse) for i in inverse])
    return rows


def pd_objective(X, centers):
    memberships = pd_memberships(X, centers)
    return sum(
        p**2 * distance(x, c)
        for x, row in zip(X, memberships, strict=True)
        for p, c in zip(row, centers, strict=True)
    )


def pd_step(X, centers):
    memberships = pd_memberships(X, centers)
    return [
        weighted_mean(
            X,
            [
                row[k] ** 2 / distance(x, c)
                for x, row in zip(X, memberships, strict=True)
            ],
        )
        for k, c in enumerate(centers)
    ]


def weighted_mean(X, weights):
    total = sum(weights)
    return [
        sum(w * x[j] for w, x in zip(weights, X, strict=True)) / total
        for j in range(len(X[0]))
    ]
