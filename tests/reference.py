"""The papers' definitions as plain loops: the oracle, never optimised."""

import math
from itertools import combinations, permutations

T_NORMS = {
    "min": min,
    "product": lambda x, y: x * y,
    "lukasiewicz": lambda x, y: max(x + y - 1, 0),
}


def pairs(n):
    return combinations(range(n), 2)


def dissimilarities(U):
    """D(i, j): half the L1 distance of memberships."""
    return [
        math.fsum(abs(a - b) for a, b in zip(U[i], U[j], strict=True)) / 2
        for i, j in pairs(len(U))
    ]


def discordance(U, V):
    x, y = dissimilarities(U), dissimilarities(V)
    return math.fsum(abs(a - b) for a, b in zip(x, y, strict=True)) / len(x)


def expected_discordance(U, V):
    """The mean over all permutations: every pair meets every pair equally often."""
    x, y = dissimilarities(U), dissimilarities(V)
    return math.fsum(abs(a - b) for a in x for b in y) / len(x) ** 2


def aci(U, V):
    expected = expected_discordance(U, V)
    return 1.0 if expected == 0.0 else 1.0 - discordance(U, V) / expected


def crisp(labels_p, labels_q):
    counts = {(True, True): 0, (True, False): 0, (False, True): 0, (False, False): 0}
    for i, j in pairs(len(labels_p)):
        counts[labels_p[i] == labels_p[j], labels_q[i] == labels_q[j]] += 1
    return tuple(counts.values())


def _sums(degrees):
    return tuple(math.fsum(column) for column in zip(*degrees, strict=True))


def campello(U, V, t_norm="min"):
    t = T_NORMS[t_norm]

    def same(M, i, j):
        return max(t(a, b) for a, b in zip(M[i], M[j], strict=True))

    def different(M, i, j):
        return max(
            (
                t(a, b)
                for k, a in enumerate(M[i])
                for l, b in enumerate(M[j])  # noqa: E741
                if k != l
            ),
            default=0.0,
        )

    degrees = []
    for i, j in pairs(len(U)):
        v, x = same(U, i, j), different(U, i, j)
        y, z = same(V, i, j), different(V, i, j)
        degrees.append((t(v, y), t(v, z), t(x, y), t(x, z)))
    return _sums(degrees)


def _from_bonds(U, V, bond):
    degrees = []
    for i, j in pairs(len(U)):
        g, h = bond(U[i], U[j]), bond(V[i], V[j])
        degrees.append((g * h, g * (1 - h), (1 - g) * h, (1 - g) * (1 - h)))
    return _sums(degrees)


def _inner(x, y):
    return math.fsum(a * b for a, b in zip(x, y, strict=True))


def frigui(U, V):
    return _from_bonds(U, V, _inner)


def brouwer(U, V):
    def cosine(x, y):
        return _inner(x, y) / math.sqrt(_inner(x, x) * _inner(y, y))

    return _from_bonds(U, V, cosine)


def anderson(U, V):
    n = len(U)
    N = [[_inner(u, v) for v in zip(*V, strict=True)] for u in zip(*U, strict=True)]
    total = math.fsum(math.fsum(row) for row in N)
    N = [[entry * n / total for entry in row] for row in N]
    cells = math.fsum(entry**2 for row in N for entry in row)
    rows = math.fsum(math.fsum(row) ** 2 for row in N)
    columns = math.fsum(math.fsum(column) ** 2 for column in zip(*N, strict=True))
    return (
        (cells - n) / 2,
        (rows - cells) / 2,
        (columns - cells) / 2,
        (n**2 + cells - rows - columns) / 2,
    )


def huellermeier(U, V, t_norm="product"):
    t = T_NORMS[t_norm]
    degrees = []
    for x, y in zip(dissimilarities(U), dissimilarities(V), strict=True):
        E_P, E_Q = 1 - x, 1 - y
        agreement = 1 - abs(E_P - E_Q)
        degrees.append(
            (
                t(agreement, t(E_P, E_Q)),
                max(E_P - E_Q, 0.0),
                max(E_Q - E_P, 0.0),
                t(agreement, 1 - t(E_P, E_Q)),
            )
        )
    return _sums(degrees)


def rand(a, b, c, d):
    return (a + d) / (a + b + c + d)


def adjusted_rand(a, b, c, d):
    denominator = b**2 + c**2 + 2 * a * d + (a + d) * (b + c)
    return 2 * (a * d - b * c) / denominator


def jaccard(a, b, c, d):
    return a / (a + b + c)


def fowlkes_mallows(a, b, c, d):
    return a / math.sqrt((a + b) * (a + c))


def mirkin(a, b, c, d):
    return 2 * (b + c)


def dice(a, b, c, d):
    return 2 * a / (2 * a + b + c)


def without(U, i):
    return [row for j, row in enumerate(U) if j != i]


def left_out_groups(index, U, V, groups):
    """The index without each group of objects."""
    found = []
    for group in sorted({*groups}):
        others = [i for i, g in enumerate(groups) if g != group]
        found.append(index([U[i] for i in others], [V[i] for i in others]))
    return found


def left_out(index, U, V):
    """The index without each of the objects."""
    return [index(without(U, i), without(V, i)) for i in range(len(U))]


def _to_others(U, i):
    return [
        math.fsum(abs(a - b) for a, b in zip(U[i], U[j], strict=True)) / 2
        for j in range(len(U))
        if j != i
    ]


def _mean(values):
    values = list(values)
    return math.fsum(values) / len(values)


def local_discordance(U, V):
    """d_i: the mean difference over the pairs of each object."""
    return [
        _mean(
            abs(a - b) for a, b in zip(_to_others(U, i), _to_others(V, i), strict=True)
        )
        for i in range(len(U))
    ]


def placed(U, V):
    """What d_i would be if object i of U stood where object s stands in V."""
    x, y = ([_to_others(M, i) for i in range(len(M))] for M in (U, V))
    return [[_mean(abs(a - b) for a in x_i for b in y_s) for y_s in y] for x_i in x]


def weighted_mean(weights, values):
    total = math.fsum(weights)
    if total == 0.0:
        return math.nan
    return math.fsum(w * v for w, v in zip(weights, values, strict=True)) / total


def discordance_without_copies(U, V, drawn, expected):
    """d or E[d] over the pairs of different objects among those drawn."""
    there = [(i, j) for i, j in combinations(drawn, 2) if i != j]

    def apart(M, i, j):
        return math.fsum(abs(a - b) for a, b in zip(M[i], M[j], strict=True)) / 2

    x, y = ([apart(M, i, j) for i, j in there] for M in (U, V))
    if expected:
        return _mean(abs(a - b) for a in x for b in y)
    return _mean(abs(a - b) for a, b in zip(x, y, strict=True))


def matched(U, V, distance="euclidean"):
    """The best agreement over all one-to-one matchings of clusters, by trying all."""
    n, size = len(U), max(len(U[0]), len(V[0]))
    columns_p = [[row[k] if k < len(row) else 0.0 for row in U] for k in range(size)]
    columns_q = [[row[k] if k < len(row) else 0.0 for row in V] for k in range(size)]
    found = []
    for order in permutations(range(size)):
        both = [
            (x, y)
            for k, column in zip(order, columns_p, strict=True)
            for x, y in zip(column, columns_q[k], strict=True)
        ]
        if distance == "euclidean":
            apart = math.sqrt(math.fsum((x - y) ** 2 for x, y in both))
            found.append(1 - apart / math.sqrt(2 * n))
        elif distance == "manhattan":
            found.append(1 - math.fsum(abs(x - y) for x, y in both) / (2 * n))
        else:
            lengths = (
                math.fsum(x * x for x, _ in both),
                math.fsum(y * y for _, y in both),
            )
            inner = math.fsum(x * y for x, y in both)
            found.append(inner / math.sqrt(lengths[0] * lengths[1]))
    return max(found)


def fuzzy_rand(U, V):
    """FRI and FARI, with n x n matrices and their mean over all permutations."""
    n = len(U)

    def scaled(M):
        A = [[_inner(x, y) for y in M] for x in M]
        total = math.fsum(math.fsum(row) for row in A)
        square = math.fsum(x * x for row in A for x in row)
        return [[x * total / square for x in row] for row in A]

    A, B = scaled(U), scaled(V)
    pairs = n * (n - 1)

    def entries(M):
        return [x for row in M for x in row]

    a, b = entries(A), entries(B)
    both = math.fsum(x * y for x, y in zip(a, b, strict=True))
    neither = math.fsum((1 - x) * (1 - y) for x, y in zip(a, b, strict=True))
    fri = (both + neither - n) / pairs
    on_p, on_q = (math.fsum(M[i][i] for i in range(n)) for M in (A, B))
    off_p, off_q = math.fsum(a) - on_p, math.fsum(b) - on_q
    mean = on_p * on_q / n + off_p * off_q / pairs
    expected = (2 * mean - math.fsum(a) - math.fsum(b) + n * n - n) / pairs
    return fri, (fri - expected) / (1 - expected) if expected < 1 else math.nan


def inner_products(U):
    return [
        math.fsum(a * b for a, b in zip(U[i], U[j], strict=True))
        for i, j in pairs(len(U))
    ]


def omega(U, V):
    """Pairs with equal inner products, or nearly, corrected for chance."""
    x, y = inner_products(U), inner_products(V)
    d = math.fsum(min(abs(a - b), 1.0) for a, b in zip(x, y, strict=True)) / len(x)
    expected = math.fsum(min(abs(a - b), 1.0) for a in x for b in y) / len(x) ** 2
    return 1.0 if expected == 0.0 else 1.0 - d / expected


def wallace(U, V, t_norm="product"):
    """Homogeneity of each cluster of Q and overall: value, and that by chance."""
    t = T_NORMS[t_norm]
    x, y = dissimilarities(U), dissimilarities(V)
    found, totals = [], [0.0, 0.0, 0.0]
    for c in range(len(V[0])):
        weights = [t(V[i][c], V[j][c]) for i, j in pairs(len(V))]
        each = [
            math.fsum(
                w * (1 - abs(a - b)) for a, b, w in zip(x, y, weights, strict=True)
            ),
            math.fsum(
                w * (1 - math.fsum(abs(a - b) for a in x) / len(x))
                for b, w in zip(y, weights, strict=True)
            ),
            math.fsum(weights),
        ]
        totals = [a + b for a, b in zip(totals, each, strict=True)]
        found.append(each)
    return [(a / w, e / w) if w > 0.0 else (1.0, 1.0) for a, e, w in (*found, totals)]


def element_scores(U, V, alpha=0.9, steps=600):
    """Personalised PageRank by power iteration, from each object."""

    def affinities(B):
        n, K = len(B), len(B[0])
        rows = [math.fsum(row) for row in B]
        columns = [math.fsum(row[k] for row in B) for k in range(K)]
        W = [
            [
                math.fsum(
                    B[i][k] / rows[i] * B[j][k] / columns[k]
                    for k in range(K)
                    if columns[k] > 0.0
                )
                for j in range(n)
            ]
            for i in range(n)
        ]
        found = []
        for i in range(n):
            p = [float(j == i) for j in range(n)]
            for _ in range(steps):
                p = [
                    (1 - alpha) * (j == i)
                    + alpha * sum(p[k] * W[k][j] for k in range(n))
                    for j in range(n)
                ]
            found.append(p)
        return found

    P, Q = affinities(U), affinities(V)
    return [
        1 - math.fsum(abs(a - b) for a, b in zip(p, q, strict=True)) / (2 * alpha)
        for p, q in zip(P, Q, strict=True)
    ]


def generalized_rand(U, V):
    """13GRI and its expectation: J = u_i.u_j, S = (sum u_i) (sum u_j) - J."""

    def degrees(M):
        sums = [math.fsum(row) for row in M]
        J = inner_products(M)
        T = [sums[i] * sums[j] for i, j in pairs(len(M))]
        return J, [t - x for t, x in zip(T, J, strict=True)], math.fsum(T)

    (J, S, T), (H, R, W) = degrees(U), degrees(V)
    m = len(J)
    most = max(T, W)
    agreeing = math.fsum(
        min(a, b) for x, y in ((J, H), (S, R)) for a, b in zip(x, y, strict=True)
    )
    by_chance = (
        math.fsum(min(a, b) for x, y in ((J, H), (S, R)) for a in x for b in y) / m
    )
    return agreeing / most, by_chance / most


def information(U, V):
    """
    Indices of the soft contingency table, by name; entropies of 1e-12 are 0.

    Memberships may be slightly below 0, by rounding; cells that are count as 0.
    """
    N = [
        [max(0.0, _inner(u, v)) for v in zip(*V, strict=True)]
        for u in zip(*U, strict=True)
    ]
    total = math.fsum(math.fsum(row) for row in N)
    joint = [[x / total for x in row] for row in N]
    p = [math.fsum(row) for row in joint]
    q = [math.fsum(column) for column in zip(*joint, strict=True)]
    mutual = math.fsum(
        x * math.log(x / (p[k] * q[m]))
        for k, row in enumerate(joint)
        for m, x in enumerate(row)
        if x > 0
    )
    h_p, h_q = (-math.fsum(x * math.log(x) for x in z if x > 0) for z in (p, q))
    return {
        "mutual_information": mutual,
        "vi": h_p + h_q - 2 * mutual,
        "nmi": 2 * mutual / (h_p + h_q) if h_p + h_q > 1e-12 else 1.0,
        "v_measure": 2 * mutual / (h_p + h_q) if h_p + h_q > 1e-12 else 1.0,
        "homogeneity": mutual / h_p if h_p > 1e-12 else 1.0,
        "completeness": mutual / h_q if h_q > 1e-12 else 1.0,
        "purity": math.fsum(max(column) for column in zip(*joint, strict=True)),
    }


def adjusted_information(U, V):
    """AMI by all permutations of the objects."""

    def of(V):
        found = information(U, V)
        return found["mutual_information"], found["vi"]

    mutual, variation = of(V)
    chance = [of(order)[0] for order in permutations(V)]
    expected = math.fsum(chance) / len(chance)
    return (mutual - expected) / (mutual + variation / 2 - expected)
