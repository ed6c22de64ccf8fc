"""What is timed: each contender makes its data, then gives what to run."""

import atexit
import subprocess
import tempfile
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import concordant as cc
from concordant.files import read_partition, table_text

Run = Callable[[], object]
Matrix = NDArray[np.float64]


def memberships(n: int, K: int, style: str, seed: int) -> Matrix:
    """Draw memberships: anywhere, multiples of 1 / D, nearly crisp, mostly zeros."""
    rng = np.random.default_rng(seed)
    if style == "mostly zeros":
        U = rng.exponential(size=(n, K)) * (rng.random((n, K)) < 0.1)
        U[np.arange(n), rng.integers(K, size=n)] += 1e-3
        return np.asarray(U / U.sum(axis=1, keepdims=True))
    if style != "nearly crisp":
        U = rng.dirichlet(np.ones(K), size=n)
        if style.startswith("votes"):
            D = int(style.removeprefix("votes of "))
            return np.asarray(rng.multinomial(D, U) / D)
        if style.startswith("rounded"):
            return np.round(U, int(style.removeprefix("rounded to ")))
        return U
    U = np.eye(K)[rng.integers(K, size=n)] + 1e-3 * rng.random((n, K))
    return np.asarray(U / U.sum(axis=1, keepdims=True))


def labels(n: int, K: int, seed: int) -> NDArray[np.int64]:
    return np.random.default_rng(seed).integers(K, size=n)


def aci(n: int, K: int, style: str) -> Run:
    U, V = memberships(n, K, style, 1), memberships(n, K, style, 2)
    return lambda: cc.adjusted_concordance_index(U, V, n_jobs=-1)


def concordance(n: int, K: int) -> Run:
    U, V = memberships(n, K, "fuzzy", 1), memberships(n, K, "fuzzy", 2)
    return lambda: cc.concordance(U, V)


def compare(n: int, K: int) -> Run:
    U, V = memberships(n, K, "fuzzy", 1), memberships(n, K, "fuzzy", 2)
    return lambda: cc.compare(U, V)


def ndc(n: int, K: int) -> Run:
    U, V = memberships(n, K, "fuzzy", 1), memberships(n, K, "fuzzy", 2)
    return lambda: cc.normalized_degree_of_concordance(U, V)


def many_at_once(k: int, n: int) -> Run:
    """Compare every two of several partitions in one call."""
    given = [memberships(n, 3 + i % 3, "fuzzy", i) for i in range(k)]
    return lambda: cc.agreement([cc.Partition(U) for U in given])


def many_of_labels(k: int, n: int) -> Run:
    """Compare every two of several crisp partitions in one call."""
    given = [cc.Partition(labels(n, 4, i)) for i in range(k)]
    return lambda: cc.agreement(given)


def many_by_two(k: int, n: int) -> Run:
    """Compare every two of several partitions, one call for each."""
    given = [cc.Partition(memberships(n, 3 + i % 3, "fuzzy", i)) for i in range(k)]
    return lambda: float(
        sum(cc.concordance(P, Q).aci for P, Q in combinations(given, 2))
    )


def aci_on_one_core(n: int, K: int, style: str) -> Run:
    U, V = memberships(n, K, style, 1), memberships(n, K, style, 2)
    return lambda: cc.adjusted_concordance_index(U, V, n_jobs=1)


def interval(n: int, K: int, style: str) -> Run:
    from concordant.inference import confidence_interval

    U, V = memberships(n, K, style, 1), memberships(n, K, style, 2)
    return lambda: confidence_interval(U, V, n_jobs=-1)


def interval_with_labels(n: int, K: int) -> Run:
    from concordant.inference import confidence_interval

    U, y = memberships(n, K, "fuzzy", 1), labels(n, K, 2)
    return lambda: confidence_interval(U, y, n_jobs=-1)


def aci_on_workers(n: int, K: int, n_workers: int) -> Run:
    from distributed import Client, LocalCluster

    U, V = memberships(n, K, "fuzzy", 1), memberships(n, K, "fuzzy", 2)
    cluster = LocalCluster(
        n_workers=n_workers,
        threads_per_worker=1,
        dashboard_address=":0",
        silence_logs=50,
    )
    client = Client(cluster)
    return lambda: cc.adjusted_concordance_index(U, V, engine=client)


def pdist_twice(n: int, K: int, style: str) -> Run:
    from scipy.spatial.distance import pdist

    U, V = memberships(n, K, style, 1), memberships(n, K, style, 2)
    return lambda: (pdist(U, "cityblock"), pdist(V, "cityblock"))


def pdist_and_sort(n: int, K: int, style: str, sort: bool) -> Run:
    """Compute all distances in memory that is there, and sort them if that is asked."""
    from scipy.spatial.distance import pdist

    U, V = memberships(n, K, style, 1), memberships(n, K, style, 2)
    x, y = np.empty((2, n * (n - 1) // 2))

    def run() -> object:
        pdist(U, "cityblock", out=x)
        pdist(V, "cityblock", out=y)
        return (np.sort(x), np.sort(y), np.abs(x - y).mean()) if sort else None

    return run


def paper(n: int, K: int, style: str, permutations: int) -> Run:
    """Average over permutations of the similarities, as the paper says, in NumPy."""
    from scipy.spatial.distance import pdist

    U, V = memberships(n, K, style, 1), memberships(n, K, style, 2)
    rng = np.random.default_rng(0)

    def run() -> float:
        x, y = 1 - pdist(U, "cityblock") / 2, 1 - pdist(V, "cityblock") / 2
        ndc = 1 - np.abs(x - y).mean()
        means = [1 - np.abs(x - rng.permutation(y)).mean() for _ in range(permutations)]
        expected = np.mean(means)
        return float((ndc - expected) / (1 - expected))

    return run


def aci_with_labels(n: int, K: int) -> Run:
    U, y = memberships(n, K, "fuzzy", 1), labels(n, K, 2)
    return lambda: cc.adjusted_concordance_index(U, y, n_jobs=-1)


def aci_with_many_labels(n: int, K: int, n_classes: int) -> Run:
    U, y = memberships(n, K, "fuzzy", 1), labels(n, n_classes, 2)
    return lambda: cc.adjusted_concordance_index(U, y, n_jobs=1)


def sort_columns(n: int, K: int) -> Run:
    columns = memberships(n, K, "fuzzy", 1).T.copy()
    return lambda: [np.sort(column) for column in columns]


def aci_of_labels(n: int, K: int) -> Run:
    p, q = labels(n, K, 1), labels(n, K, 2)
    return lambda: cc.adjusted_concordance_index(p, q)


def sklearn_ari(n: int, K: int) -> Run:
    from sklearn.metrics import adjusted_rand_score

    p, q = labels(n, K, 1), labels(n, K, 2)
    return lambda: adjusted_rand_score(p, q)


def genieclust_ari(n: int, K: int) -> Run:
    from genieclust.compare_partitions import adjusted_rand_score

    p, q = labels(n, K, 1), labels(n, K, 2)
    return lambda: adjusted_rand_score(p, q)


def clusim_ari(n: int, K: int) -> Run:
    from clusim.clustering import Clustering
    from clusim.sim import adjrand_index

    p, q = (
        Clustering({i: [int(c)] for i, c in enumerate(labels(n, K, seed))})
        for seed in (1, 2)
    )
    return lambda: adjrand_index(p, q)


def texts(n: int, K: int, form: str) -> NDArray[Any]:
    """Draw labels of text, of fixed width or as objects."""
    words = np.array([f"cluster {k}" for k in range(K)])[labels(n, K, 1)]
    return words.astype(object) if form == "objects" else words


def partition_of_text(n: int, K: int, form: str) -> Run:
    given = texts(n, K, form)
    return lambda: cc.Partition(given)


def pandas_factorize(n: int, K: int, form: str) -> Run:
    import pandas

    given = texts(n, K, form)
    return lambda: pandas.factorize(given, sort=True)


def csv_of(form: str, n: int, K: int) -> Path:
    """Write labels, or memberships with all their digits, below a heading."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    path = Path(folder.name, "partition.csv")
    ids = [f"object{i}," if form.startswith("ids") else "" for i in range(n)]
    heading = "id," if form.startswith("ids") else ""
    if form.endswith("memberships"):
        heading += ",".join(f"cluster {k}" for k in range(K))
        rows = memberships(n, K, "fuzzy", 1).tolist()
        cells = [",".join(map(repr, row)) for row in rows]
    else:
        heading += "label"
        word = "cluster " if form.endswith("text labels") else ""
        cells = [f"{word}{label}" for label in labels(n, K, 1).tolist()]
    lines = (key + each for key, each in zip(ids, cells, strict=True))
    path.write_text("\n".join([heading, *lines, ""]))
    return path


def read_csv(form: str, n: int, K: int) -> Run:
    path = csv_of(form, n, K)
    return lambda: read_partition(path)


def pandas_read_csv(form: str, n: int, K: int) -> Run:
    import pandas

    path = csv_of(form, n, K)
    return lambda: pandas.read_csv(path)


def write_csv(n: int, K: int) -> Run:
    matrix, ids = memberships(n, K, "fuzzy", 1), [f"object{i}" for i in range(n)]
    names = [f"cluster {k}" for k in range(K)]
    return lambda: table_text(matrix, names=names, ids=ids)


def pandas_to_csv(n: int, K: int) -> Run:
    import pandas

    names = [f"cluster {k}" for k in range(K)]
    frame = pandas.DataFrame(memberships(n, K, "fuzzy", 1), columns=names)
    frame.insert(0, "id", [f"object{i}" for i in range(n)])
    return lambda: frame.to_csv(index=False)


def family(n: int, K: int, name: str) -> Run:
    U, V = memberships(n, K, "fuzzy", 1), memberships(n, K, "fuzzy", 2)
    return lambda: cc.pair_table(U, V, family=name, n_jobs=-1)  # type: ignore[arg-type]


def indices_of_partitions(n: int, K: int, names: list[str]) -> Run:
    P, Q = (cc.Partition(memberships(n, K, "fuzzy", seed)) for seed in (1, 2))
    return lambda: cc.compare(P, Q, indices=names)


def one_product(n: int, K: int) -> Run:
    U, V = memberships(n, K, "fuzzy", 1), memberships(n, K, "fuzzy", 2)
    return lambda: U.T @ V


def plain_campello(n: int, K: int) -> Run:
    """Write the definition of Campello in NumPy, K² matrices of n x n."""
    U, V = memberships(n, K, "fuzzy", 1), memberships(n, K, "fuzzy", 2)

    def relations(M: Matrix) -> tuple[Matrix, Matrix]:
        same, different = np.zeros((n, n)), np.zeros((n, n))
        for k in range(K):
            for other in range(K):
                degree = np.minimum.outer(M[:, k], M[:, other])
                target = same if k == other else different
                np.maximum(target, degree, out=target)
        return same, different

    def run() -> tuple[float, ...]:
        (v, x), (y, z) = relations(U), relations(V)
        upper = np.triu_indices(n, 1)
        return tuple(
            float(np.minimum(one, other)[upper].sum())
            for one, other in ((v, y), (v, z), (x, y), (x, z))
        )

    return run


def plain_huellermeier(n: int, K: int) -> Run:
    """Write the definition of Hüllermeier in NumPy, K matrices of n x n."""
    U, V = memberships(n, K, "fuzzy", 1), memberships(n, K, "fuzzy", 2)

    def similarity(M: Matrix) -> Matrix:
        return np.asarray(1 - np.abs(M[:, None, :] - M[None, :, :]).sum(axis=2) / 2)

    def run() -> tuple[float, ...]:
        upper = np.triu_indices(n, 1)
        x, y = similarity(U)[upper], similarity(V)[upper]
        agreement = 1 - np.abs(x - y)
        return (
            float((agreement * x * y).sum()),
            float(np.maximum(x - y, 0).sum()),
            float(np.maximum(y - x, 0).sum()),
            float((agreement * (1 - x * y)).sum()),
        )

    return run


def campello_with_labels(n: int, K: int) -> Run:
    U, y = memberships(n, K, "fuzzy", 1), labels(n, K, 2)
    return lambda: cc.pair_table(U, y, family="campello", n_jobs=1)


def in_r(index: str, n: int, K: int) -> Run:
    """Let a process of R compute an index whenever it is told to."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    files = []
    for name, array in (
        ("P", memberships(n, K, "fuzzy", 1)),
        ("Q", memberships(n, K, "fuzzy", 2)),
        ("labels", labels(n, K, 2) + 1),
    ):
        files.append(f"{folder.name}/{name}.csv")
        np.savetxt(files[-1], array, fmt="%.17g", delimiter=",")
    process = subprocess.Popen(
        ["Rscript", "--vanilla", str(Path(__file__).parent / "in_r.R"), index, *files],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )

    def run() -> None:
        told, answer = process.stdin, process.stdout
        if told is None or answer is None:
            raise RuntimeError("R has no standard input or output")
        told.write("go\n")
        told.flush()
        if answer.readline() != "done\n":
            raise RuntimeError(f"R ended with code {process.wait()}")

    return run


def sampled(n: int, K: int, tol: float) -> Run:
    U, V = memberships(n, K, "fuzzy", 1), memberships(n, K, "fuzzy", 2)
    return lambda: cc.concordance(U, V, tol=tol, n_jobs=-1, random_state=0)


def sampled_on_one_core(n: int, K: int, tol: float) -> Run:
    U, V = memberships(n, K, "fuzzy", 1), memberships(n, K, "fuzzy", 2)
    return lambda: cc.concordance(U, V, tol=tol, n_jobs=1, random_state=0)


def coverage(n: int, seeds: int) -> Run:
    """Count how often the 95 % interval of a sample holds the exact value."""
    U, V = memberships(n, 3, "fuzzy", 1), memberships(n, 4, "fuzzy", 2)
    exact = cc.concordance(U, V).aci

    def run() -> float:
        inside = 0
        for seed in range(seeds):
            found = cc.concordance(U, V, method="sampled", tol=2e-3, random_state=seed)
            inside += abs(found.aci - exact) <= found.error
        return inside / seeds

    return run


def permutation_test(n: int, K: int, permutations: int, n_jobs: int) -> Run:
    from concordant.inference import concordance_test

    U, V = memberships(n, K, "fuzzy", 1), memberships(n, K, "fuzzy", 2)
    return lambda: concordance_test(
        U, V, n_permutations=permutations, random_state=0, n_jobs=n_jobs
    )


def permutation_test_of_related(n: int, K: int, style: str, permutations: int) -> Run:
    """Test memberships against others near to them, or against their own labels."""
    from concordant.inference import concordance_test

    U, noise = memberships(n, K, "fuzzy", 1), memberships(n, K, "fuzzy", 2)
    V = U.argmax(axis=1) if style == "crisp" else 0.5 * (U + noise)
    return lambda: concordance_test(
        U, V, n_permutations=permutations, random_state=0, n_jobs=1
    )


def permutation_test_of_labels(n: int, K: int, permutations: int) -> Run:
    from concordant.inference import concordance_test

    a, b = labels(n, K, 1), labels(n, K, 2)
    return lambda: concordance_test(a, b, n_permutations=permutations, random_state=0)


def gathers(n: int, permutations: int) -> Run:
    """Bring one similarity vector in the order of permuted objects, in NumPy."""
    rng = np.random.default_rng(0)
    i, j = np.triu_indices(n, 1)
    place = np.empty((n, n), dtype=np.int64)
    place[i, j] = place[j, i] = np.arange(i.size)
    order = rng.permutation(n)
    similarities, permuted = rng.random(i.size), place[order[i], order[j]]

    def run() -> None:
        for _ in range(permutations):
            similarities[permuted]

    return run


def null_moments_of(n: int, K: int) -> Run:
    from concordant.inference import null_moments

    U, V = memberships(n, K, "fuzzy", 1), memberships(n, K, "fuzzy", 2)
    return lambda: null_moments(U, V, n_jobs=-1)


def null_moments_of_labels(n: int, K: int) -> Run:
    from concordant.inference import null_moments

    a, b = labels(n, K, 1), labels(n, K, 2)
    return lambda: null_moments(a, b)


def soft_ami(n: int, K: int) -> Run:
    P, Q = (cc.Partition(memberships(n, K, "fuzzy", seed)) for seed in (1, 2))
    return lambda: cc.compare(P, Q, indices="ami")


def aci_of_kept(n: int, K: int) -> Run:
    """Compare partitions that were made before."""
    P, Q = (cc.Partition(memberships(n, K, "fuzzy", seed)) for seed in (1, 2))
    return lambda: cc.adjusted_concordance_index(P, Q)


def wallace(n: int, K: int) -> Run:
    P, Q = (cc.Partition(memberships(n, K, "fuzzy", seed)) for seed in (1, 2))
    return lambda: cc.wallace(P, Q)


def random_hardenings(n: int, K: int) -> Run:
    U, V = memberships(n, K, "fuzzy", 1), memberships(n, K, "fuzzy", 2)
    return lambda: cc.random_hardenings(U, V, random_state=0)


def aci_by_dirichlet(n: int, K: int) -> Run:
    U, V = memberships(n, K, "fuzzy", 1), memberships(n, K, "fuzzy", 2)
    return lambda: cc.adjusted_concordance_index(U, V, null="dirichlet-fitted")


def local_parts(n: int, K: int) -> Run:
    U, V = memberships(n, K, "fuzzy", 1), memberships(n, K, "fuzzy", 2)
    return lambda: cc.local_concordance(U, V)


#: By name, all that make something to run.
CONTENDERS: dict[str, Callable[..., Run]] = {
    name: made
    for name, made in globals().items()
    if getattr(made, "__annotations__", {}).get("return") is Run
}
