"""The papers' definitions as plain loops: the oracle, never optimised."""

import math
from fractions import Fraction
from itertools import combinations, permutations, product

import mpmath

_DIGITS = 60  # of the roots and logarithms of fractions
_NOTHING = Fraction(1, 10**50)  # what is lost of these, by far

T_NORMS = {
    "min": min,
    "product": lambda x, y: x * y,
    "lukasiewicz": lambda x, y: max(x + y - 1, 0),
}


def sum_of(values):
    """Add up fractions exactly, and other numbers with one rounding."""
    values = list(values)
    return math.fsum(values) if float in map(type, values) else sum(values)


def _of_fractions(function, x):
    with mpmath.workdps(_DIGITS):
        y = function(mpmath.mpf(x.numerator) / x.denominator)
    return Fraction(*y.as_integer_ratio())


def root(x):
    if x < 0 or not isinstance(x, Fraction):
        return math.sqrt(x)
    return _of_fractions(mpmath.sqrt, x)


def log(x):
    """The logarithm; of a fraction with all its digits, however near to 1 that is."""
    if not isinstance(x, Fraction):
        return math.log(x)
    if abs(x - 1) < Fraction(1, 2):
        return _of_fractions(mpmath.log1p, x - 1)
    return _of_fractions(mpmath.log, x)


def pairs(n):
    return combinations(range(n), 2)


def dissimilarities(U):
    """D(i, j): half the L1 distance of memberships."""
    return [
        sum_of(abs(a - b) for a, b in zip(U[i], U[j], strict=True)) / 2
        for i, j in pairs(len(U))
    ]


def discordance(U, V):
    x, y = dissimilarities(U), dissimilarities(V)
    return sum_of(abs(a - b) for a, b in zip(x, y, strict=True)) / len(x)


def expected_discordance(U, V):
    """The mean over all permutations: every pair meets every pair equally often."""
    x, y = dissimilarities(U), dissimilarities(V)
    return sum_of(abs(a - b) for a in x for b in y) / len(x) ** 2


def aci(U, V):
    expected = expected_discordance(U, V)
    return 1 if expected == 0 else 1 - discordance(U, V) / expected


def crisp(labels_p, labels_q):
    counts = {(True, True): 0, (True, False): 0, (False, True): 0, (False, False): 0}
    for i, j in pairs(len(labels_p)):
        counts[labels_p[i] == labels_p[j], labels_q[i] == labels_q[j]] += 1
    return tuple(counts.values())


def _sums(degrees):
    return tuple(sum_of(column) for column in zip(*degrees, strict=True))


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
            default=0,
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
    return sum_of(a * b for a, b in zip(x, y, strict=True))


def frigui(U, V):
    return _from_bonds(U, V, _inner)


def brouwer(U, V):
    def cosine(x, y):
        inner = _inner(x, y)
        square = inner * inner / (_inner(x, x) * _inner(y, y))
        return root(square) if inner > 0 else -root(square)

    return _from_bonds(U, V, cosine)


def anderson(U, V):
    n = len(U)
    N = [[_inner(u, v) for v in zip(*V, strict=True)] for u in zip(*U, strict=True)]
    total = sum_of(sum_of(row) for row in N)
    N = [[entry * n / total for entry in row] for row in N]
    cells = sum_of(entry**2 for row in N for entry in row)
    rows = sum_of(sum_of(row) ** 2 for row in N)
    columns = sum_of(sum_of(column) ** 2 for column in zip(*N, strict=True))
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
                max(E_P - E_Q, 0),
                max(E_Q - E_P, 0),
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
    return a / root((a + b) * (a + c))


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
        sum_of(abs(a - b) for a, b in zip(U[i], U[j], strict=True)) / 2
        for j in range(len(U))
        if j != i
    ]


def _mean(values):
    values = list(values)
    return sum_of(values) / len(values)


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
    total = sum_of(weights)
    if total == 0.0:
        return math.nan
    return sum_of(w * v for w, v in zip(weights, values, strict=True)) / total


def matched(U, V, distance="euclidean"):
    """The best agreement over all one-to-one matchings of clusters, by trying all."""
    n, size = len(U), max(len(U[0]), len(V[0]))
    columns_p = [[row[k] if k < len(row) else 0 for row in U] for k in range(size)]
    columns_q = [[row[k] if k < len(row) else 0 for row in V] for k in range(size)]
    found = []
    for order in permutations(range(size)):
        both = [
            (x, y)
            for k, column in zip(order, columns_p, strict=True)
            for x, y in zip(column, columns_q[k], strict=True)
        ]
        if distance == "euclidean":
            apart = sum_of((x - y) ** 2 for x, y in both)
            found.append(1 - root(apart / (2 * n)))
        elif distance == "manhattan":
            found.append(1 - sum_of(abs(x - y) for x, y in both) / (2 * n))
        else:
            lengths = (
                sum_of(x * x for x, _ in both),
                sum_of(y * y for _, y in both),
            )
            inner = sum_of(x * y for x, y in both)
            found.append(inner / root(lengths[0] * lengths[1]))
    return max(found)


def fuzzy_rand(U, V):
    """FRI and FARI, with n x n matrices and their mean over all permutations."""
    n = len(U)

    def scaled(M):
        A = [[_inner(x, y) for y in M] for x in M]
        total = sum_of(sum_of(row) for row in A)
        square = sum_of(x * x for row in A for x in row)
        return [[x * total / square for x in row] for row in A]

    A, B = scaled(U), scaled(V)
    pairs = n * (n - 1)

    def entries(M):
        return [x for row in M for x in row]

    a, b = entries(A), entries(B)
    both = sum_of(x * y for x, y in zip(a, b, strict=True))
    neither = sum_of((1 - x) * (1 - y) for x, y in zip(a, b, strict=True))
    fri = (both + neither - n) / pairs
    on_p, on_q = (sum_of(M[i][i] for i in range(n)) for M in (A, B))
    off_p, off_q = sum_of(a) - on_p, sum_of(b) - on_q
    mean = on_p * on_q / n + off_p * off_q / pairs
    expected = (2 * mean - sum_of(a) - sum_of(b) + n * n - n) / pairs
    return fri, _adjusted(fri, expected)


def inner_products(U):
    return [
        sum_of(a * b for a, b in zip(U[i], U[j], strict=True)) for i, j in pairs(len(U))
    ]


def omega(U, V):
    """Pairs with equal inner products, or nearly, corrected for chance."""
    x, y = inner_products(U), inner_products(V)
    d = sum_of(min(abs(a - b), 1) for a, b in zip(x, y, strict=True)) / len(x)
    expected = sum_of(min(abs(a - b), 1) for a in x for b in y) / len(x) ** 2
    return 1 if expected == 0 else 1 - d / expected


def wallace(U, V, t_norm="product"):
    """Of pairs that each cluster of Q holds, and overall: value, and that by chance."""
    t = T_NORMS[t_norm]
    x, y = dissimilarities(U), dissimilarities(V)
    found, totals = [], [0, 0, 0]
    for c in range(len(V[0])):
        weights = [t(V[i][c], V[j][c]) for i, j in pairs(len(V))]
        each = [
            sum_of(w * (1 - abs(a - b)) for a, b, w in zip(x, y, weights, strict=True)),
            sum_of(
                w * (1 - sum_of(abs(a - b) for a in x) / len(x))
                for b, w in zip(y, weights, strict=True)
            ),
            sum_of(weights),
        ]
        totals = [a + b for a, b in zip(totals, each, strict=True)]
        found.append(each)
    return [(a / w, e / w) if w > 0.0 else (1.0, 1.0) for a, e, w in (*found, totals)]


def element_scores(U, V, alpha=Fraction(9, 10)):
    """Personalised PageRank (1 - alpha) (I - alpha W)^-1, from each object."""

    def affinities(B):
        n, K = len(B), len(B[0])
        columns = [sum_of(row[k] for row in B) for k in range(K)]

        def step(i, j):
            there = (k for k in range(K) if columns[k] > 0)
            walk = sum_of(B[i][k] * B[j][k] / columns[k] for k in there)
            return walk / sum_of(B[i])

        return _solved(
            [[(i == j) - alpha * step(i, j) for j in range(n)] for i in range(n)],
            [[(1 - alpha) * (i == j) for j in range(n)] for i in range(n)],
        )

    return [
        1 - sum_of(abs(a - b) for a, b in zip(p, q, strict=True)) / (2 * alpha)
        for p, q in zip(affinities(U), affinities(V), strict=True)
    ]


def _solved(A, B):
    """The X with A X = B, by elimination without pivots, as A is dominant."""
    rows = [[*a, *b] for a, b in zip(A, B, strict=True)]
    n = len(rows)
    for i in range(n):
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for k in range(n):
            if k != i:
                factor = rows[k][i]
                both = zip(rows[k], rows[i], strict=True)
                rows[k] = [x - factor * y for x, y in both]
    return [row[n:] for row in rows]


def generalized_rand(U, V):
    """13GRI and its expectation: J = u_i.u_j, S = (sum u_i) (sum u_j) - J."""

    def degrees(M):
        sums = [sum_of(row) for row in M]
        J = inner_products(M)
        T = [sums[i] * sums[j] for i, j in pairs(len(M))]
        return J, [t - x for t, x in zip(T, J, strict=True)], sum_of(T)

    (J, S, T), (H, R, W) = degrees(U), degrees(V)
    m = len(J)
    most = max(T, W)
    agreeing = sum_of(
        min(a, b) for x, y in ((J, H), (S, R)) for a, b in zip(x, y, strict=True)
    )
    by_chance = sum_of(min(a, b) for x, y in ((J, H), (S, R)) for a in x for b in y) / m
    return agreeing / most, by_chance / most


def information(U, V):
    """
    Indices of the soft contingency table, by name; entropies of 1e-12 are 0 of floats.

    Memberships may be slightly below 0, by rounding; cells that are count as 0.
    """
    N = [
        [max(0, _inner(u, v)) for v in zip(*V, strict=True)]
        for u in zip(*U, strict=True)
    ]
    total = sum_of(sum_of(row) for row in N)
    joint = [[x / total for x in row] for row in N]
    p = [sum_of(row) for row in joint]
    q = [sum_of(column) for column in zip(*joint, strict=True)]
    h_p, h_q = _entropy(p), _entropy(q)
    mutual = sum_of(
        x * log(x / (p[k] * q[m]))
        for k, row in enumerate(joint)
        for m, x in enumerate(row)
        if x > 0
    )
    nothing = 0 if isinstance(total, Fraction) else 1e-12

    def share(entropy):
        return mutual / entropy if entropy > nothing else 1

    return {
        "mutual_information": mutual,
        "vi": h_p + h_q - 2 * mutual,
        "nmi": share((h_p + h_q) / 2),
        "v_measure": share((h_p + h_q) / 2),
        "homogeneity": share(h_p),
        "completeness": share(h_q),
        "purity": sum_of(max(column) for column in zip(*joint, strict=True)),
    }


def _entropy(shares):
    return -sum_of(x * log(x) for x in shares if x > 0)


def nmi(U, V, average):
    """Mutual information as a share of any mean of both entropies."""
    found = information(U, V)
    mutual, both = found["mutual_information"], found["vi"]
    shares = found["homogeneity"], found["completeness"]
    if mutual == 0:
        return int(both == 0)
    if average == "arithmetic":
        return found["nmi"]
    if average == "geometric":
        return root(shares[0] * shares[1])
    return max(shares) if average == "min" else min(shares)


def adjusted_information(U, V):
    """AMI by all permutations of the objects."""

    def of(V):
        found = information(U, V)
        return found["mutual_information"], found["vi"]

    mutual, variation = of(V)
    chance = [of(order)[0] for order in permutations(V)]
    expected = sum_of(chance) / len(chance)
    most = mutual + variation / 2 - expected
    return (mutual - expected) / most if most > _NOTHING else 1


def credal(U, V, distance):
    """Denoeux's Rand index: what U and V say of pairs are belief functions."""
    frame = "together", "apart"
    subsets = [{frame[0]}, {frame[1]}, {*frame}]

    def masses(M):
        found = []
        for i, j in pairs(len(M)):
            together = _inner(M[i], M[j])
            found.append((together, 1 - together, 0))
        return found

    def jousselme(m):
        products = (
            m[a] * m[b] * Fraction(len(A & B), len(A | B))
            for a, A in enumerate(subsets)
            for b, B in enumerate(subsets)
        )
        return math.sqrt(sum_of(products) / 2)

    def belief(m):
        return (
            sum_of(
                abs(sum_of(m[b] for b, B in enumerate(subsets) if B <= A))
                for A in subsets
            )
            / 2
        )

    measure = {"j": jousselme, "b": belief}[distance]
    return 1 - _mean(
        measure([a - b for a, b in zip(m, w, strict=True)])
        for m, w in zip(masses(U), masses(V), strict=True)
    )


def hardened(U, V, statistic="adjusted_rand"):
    """The mean statistic of all labels, each with its probability."""
    if statistic in ("rand", "mirkin"):  # linear in the pairs that are together
        return _value(statistic, frigui(_scaled(U), _scaled(V)))

    def drawn(M):
        for labels in product(*([k for k, x in enumerate(row) if x > 0] for row in M)):
            yield math.prod(row[k] for row, k in zip(M, labels, strict=True)), labels

    both = product(drawn(_scaled(U)), drawn(_scaled(V)))
    return sum_of(
        w * v * _value(statistic, map(Fraction, crisp(p, q))) for (w, p), (v, q) in both
    )


def _value(statistic, table):
    """A statistic of a table: 1 if it is 0 / 0, and None if it has no value."""
    a, b, c, d = table
    if statistic == "adjusted_rand" and b == c == 0:
        return 1
    joined = a + b, a + c
    if statistic == "fowlkes_mallows" and 0 in joined and a == 0:
        return int(joined[0] == joined[1])
    try:
        return STATISTICS[statistic](a, b, c, d)
    except ZeroDivisionError:
        return 1 if (a + d if statistic == "rand" else a) == 0 else None
    except ValueError:
        return None  # the root of a number below 0


def _inner_agreement(U, V):
    """13GRI of rows that sum to 1, and its expectation."""
    x, y = inner_products(U), inner_products(V)
    return (
        1 - _mean(abs(a - b) for a, b in zip(x, y, strict=True)),
        1 - _mean(abs(a - b) for a in x for b in y),
    )


def _scaled(M):
    return [[x / sum_of(row) for x in row] for row in M]


def _adjusted(value, expected):
    return 1 if expected == 1 else (value - expected) / (1 - expected)


#: Definitions from the soft contingency table.
INFORMATION = tuple(information([[1.0]], [[1.0]]))

STATISTICS = {
    "rand": rand,
    "adjusted_rand": adjusted_rand,
    "jaccard": jaccard,
    "fowlkes_mallows": fowlkes_mallows,
    "mirkin": mirkin,
    "dice": dice,
}

#: The definition of each index of the catalogue, of rows that sum to 1.
INDICES = {
    "aci": aci,
    "ndc": lambda U, V: max(0, 1 - discordance(U, V)),
    "expected": lambda U, V: max(0, 1 - expected_discordance(U, V)),
    "agri": lambda U, V: _adjusted(*_inner_agreement(U, V)),
    "gri": lambda U, V: _inner_agreement(U, V)[0],
    "credal_j": lambda U, V: credal(U, V, "j"),
    "credal_b": lambda U, V: credal(U, V, "b"),
    "omega": lambda U, V: _adjusted(*_inner_agreement(U, V)),
    "element_centric": lambda U, V: _mean(element_scores(_scaled(U), _scaled(V))),
    "wallace_q": lambda U, V: wallace(U, V)[-1][0],
    "wallace_p": lambda U, V: wallace(V, U)[-1][0],
    **{name: lambda U, V, name=name: information(U, V)[name] for name in INFORMATION},
    "ami": adjusted_information,
    "fri": lambda U, V: fuzzy_rand(U, V)[0],
    "fari": lambda U, V: fuzzy_rand(U, V)[1],
    "hardened_ari": hardened,
    "matched": matched,
}

#: What is another one if rows need not sum to 1.
OF_FREE_SUMS = {
    "agri": lambda U, V: _adjusted(*generalized_rand(U, V)),
    "gri": lambda U, V: generalized_rand(U, V)[0],
    "omega": omega,
    "element_centric": lambda U, V: _mean(element_scores(U, V)),
}


def exact(matrix):
    return [[Fraction(x) for x in row] for row in matrix.tolist()]


def index(name, U, V, free_sums=False):
    """The value of an index of two matrices: exact, or to 60 digits."""
    definitions = INDICES | (OF_FREE_SUMS if free_sums else {})
    return Fraction(definitions[name](exact(U), exact(V)))


def statistics(family, t_norm, U, V):
    """The statistics of a table of two matrices, likewise; None where there is none."""
    U, V = exact(U), exact(V)
    if family == "crisp":
        U, V = ([row.index(max(row)) for row in M] for M in (U, V))
    define = globals()[family]
    table = define(U, V, t_norm) if t_norm else define(U, V)
    table = [Fraction(x) for x in table]
    return {name: _value(name, table) for name in STATISTICS}


#: Definitions that take all pairs of pairs, or a matrix of all objects.
_SLOW = ("aci", "expected", "agri", "gri", "omega", "element_centric")
_SLOW += ("wallace_q", "wallace_p")


def is_quick(name, U, V):
    """Whether not too many orders of objects or clusters, or labels, are tried."""
    n, K, L = len(U), U.shape[1], V.shape[1]
    if name == "ami":
        return math.factorial(n) * K * L <= 3000
    if name == "matched":
        return math.factorial(max(K, L)) * n <= 1000
    if name == "hardened_ari":
        choices = [k for M in (U, V) for k in (M > 0).sum(axis=1).tolist()]
        return n <= 12 and math.prod(choices) <= 4096
    if name in _SLOW and n > 7:
        return False
    rows = n if name in (*INFORMATION, "nmi") else n * n
    return rows * K * L <= 6000


def _squared(x, y):
    return math.fsum((a - b) ** 2 for a, b in zip(x, y, strict=True))


def silhouettes(X, labels, away):
    """The silhouette of each object, by distances away(x, y); 0 if it is alone."""
    found = []
    for i, x in enumerate(X):
        means = {}
        for k in {*labels}:
            others = [y for j, y in enumerate(X) if j != i and labels[j] == k]
            if others:
                means[k] = math.fsum(away(x, y) for y in others) / len(others)
        a = means.pop(labels[i], None)
        b = min(means.values())
        found.append(0.0 if a is None or max(a, b) == 0 else (b - a) / max(a, b))
    return found


def volume(matrix):
    """The square root of a determinant, by elimination."""
    rows, product = [[*row] for row in matrix], 1.0
    for i, row in enumerate(rows):
        product *= row[i]
        for other in rows[i + 1 :]:
            factor = other[i] / row[i]
            other[:] = [b - factor * a for a, b in zip(row, other, strict=True)]
    return math.sqrt(product)


def validity(X, U, m, H=None):
    """All indices of objects X, with n x K memberships U, fuzzifier m and centres H."""
    n, K, p = len(X), len(U[0]), len(X[0])
    rows, clusters, columns = range(n), range(K), range(p)
    mean = [math.fsum(x[j] for x in X) / n for j in columns]
    if H is None:
        totals = [math.fsum(u[k] ** m for u in U) for k in clusters]
        H = [
            [
                math.fsum(U[i][k] ** m * X[i][j] for i in rows) / totals[k]
                for j in columns
            ]
            for k in clusters
        ]
    middle = [math.fsum(h[j] for h in H) / K for j in columns]
    d2 = [[_squared(x, h) for h in H] for x in X]
    from_mean = [_squared(h, mean) for h in H]
    pairs = {(a, b): _squared(H[a], H[b]) for a, b in permutations(clusters, 2)}
    gap, both = min(pairs.values()), [(i, k) for i in rows for k in clusters]
    within = math.fsum(U[i][k] ** 2 * d2[i][k] for i, k in both)
    powered = math.fsum(U[i][k] ** m * d2[i][k] for i, k in both)
    pc = math.fsum(U[i][k] ** 2 for i, k in both) / n
    w1, w2 = (n - K + 1) / n, (K / (K - 1)) ** math.sqrt(2)
    w3, power = n * K / (n - K + 1) ** 2, 2 ** math.sqrt(m / 2)
    higher = math.fsum(U[i][k] ** power * d2[i][k] for i, k in both)
    above = w1 * (w2 * higher + math.fsum(from_mean) / max(from_mean) + w3)
    lengths = math.fsum(U[i][k] ** m * math.sqrt(d2[i][k]) for i, k in both)
    around = math.fsum(math.sqrt(_squared(x, mean)) for x in X)
    compact = [math.fsum(u[k] ** 2 for u in U) for k in clusters]
    b = math.fsum(_squared(h, middle) for h in H) / K
    nearest = [min(v for (k, _), v in pairs.items() if k == own) for own in clusters]
    covariances = [
        [
            [
                math.fsum(
                    u[k] ** m * (x[i] - h[i]) * (x[j] - h[j])
                    for x, u in zip(X, U, strict=True)
                )
                / math.fsum(u[k] ** m for u in U)
                for j in columns
            ]
            for i in columns
        ]
        for k, h in enumerate(H)
    ]
    labels = [u.index(max(u)) for u in U]
    plain = silhouettes(X, labels, math.dist)
    squared = silhouettes(X, labels, _squared)
    leads = [max(u) - sorted(u)[-2] for u in U]

    def weighted(widths):
        return math.fsum(w * s for w, s in zip(leads, widths, strict=True)) / math.fsum(
            leads
        )

    return {
        "pc": pc,
        "mpc": 1 - K / (K - 1) * (1 - pc),
        "pe": -math.fsum(U[i][k] * math.log(U[i][k]) for i, k in both if U[i][k]) / n,
        "xb": powered / (n * gap),
        "fs": powered - math.fsum(U[i][k] ** m * from_mean[k] for i, k in both),
        "kwon": (within + math.fsum(from_mean) / K) / gap,
        "kwon2": above / (gap + 1 / K + 1 / K ** (m - 1)),
        "tang": (within + math.fsum(pairs.values()) / (K * (K - 1))) / (gap + 1 / K),
        "pbm": (around / lengths * math.sqrt(max(pairs.values())) / K) ** 2,
        "pcaes": math.fsum(
            s / min(compact) - math.exp(-away / b)
            for s, away in zip(compact, nearest, strict=True)
        ),
        "fhv": math.fsum(map(volume, covariances)),
        "silhouette": _mean(plain),
        "silhouette_squared": _mean(squared),
        "fuzzy_silhouette": weighted(plain),
        "fuzzy_silhouette_squared": weighted(squared),
    }


def partitions_of(n):
    """Yield all partitions of n objects, clusters numbered as they are first seen."""
    if n == 0:
        yield ()
        return
    for labels in partitions_of(n - 1):
        for label in range(max(labels, default=-1) + 2):
            yield (*labels, label)


def expected_binder(labels, draws):
    """Return 2 / n² times the sum of |together - share of draws| over all pairs."""
    n = len(labels)
    total = 0.0
    for i in range(n):
        for j in range(i + 1, n):
            share = sum(float(U[i] @ U[j]) for U in draws) / len(draws)
            total += abs((labels[i] == labels[j]) - share)
    return 2.0 * total / n**2


def expected_vi(labels, draws):
    """Return the mean variation of information in bits: H(P|Q) + H(Q|P)."""
    n = len(labels)
    total = 0.0
    for U in draws:
        theirs = U.argmax(axis=1)
        for i in range(n):
            own = sum(labels[j] == labels[i] for j in range(n))
            other = sum(theirs[j] == theirs[i] for j in range(n))
            both = sum(
                labels[j] == labels[i] and theirs[j] == theirs[i] for j in range(n)
            )
            total += (math.log2(own / both) + math.log2(other / both)) / n
    return total / len(draws)
