"""Millions of labels: exact counts, and no n x K matrix."""

import json
import subprocess
import sys
import tracemalloc

import numpy as np
import pytest

import concordant as cc

N = 10_000_000


def pairs(sizes):
    return sum(int(s) * (int(s) - 1) // 2 for s in sizes)


@pytest.mark.long
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "int32", "int64"])
def test_ten_million_labels_are_counted_exactly(dtype):
    rng = np.random.default_rng(1)
    p = rng.integers(7, size=N, dtype=dtype)
    q = rng.integers(5, size=N, dtype=dtype)
    table = cc.pair_table(p, q)
    contingency = np.bincount(p.astype(np.int64) * 5 + q, minlength=35).reshape(7, 5)
    together = pairs(contingency.ravel())
    in_p, in_q = pairs(contingency.sum(axis=1)), pairs(contingency.sum(axis=0))
    m = N * (N - 1) // 2
    assert (table.a, table.b, table.c) == (together, in_p - together, in_q - together)
    assert table.d == m - in_p - in_q + together
    assert abs(table.adjusted_rand) < 1e-6
    assert cc.adjusted_concordance_index(p, p) == 1.0


@pytest.mark.long
def test_ten_million_labels_cost_no_matrix():
    code = f"""
import json, resource, numpy as np, concordant as cc
labels = np.random.default_rng(0).integers(100, size={N}, dtype=np.int8)
other = labels[::-1].copy()
cc.adjusted_rand_index(labels[:1000], other[:1000])
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
before = peak()
cc.adjusted_rand_index(labels, other)
print(json.dumps(peak() - before))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    )
    added = json.loads(done.stdout)
    assert added < 100, f"{added:.0f} MB for labels that take 2 x 10 MB"


def test_labels_of_a_file_cost_no_matrix(tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text("label\n" + "".join(f"{i % 2000}\n" for i in range(10_000)))
    tracemalloc.start()
    P = cc.read_partition(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert P.shape == (10_000, 2000)
    assert peak < 20e6, f"{peak:.0f} bytes, of a matrix of {8 * 10_000 * 2000}"


@pytest.mark.parametrize("n", [100_000, 1_000_000])
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "int64"])
def test_products_of_counts_do_not_overflow(n, dtype):
    p = (np.arange(n) % 2).astype(dtype)
    q = (np.arange(n) % 4 // 2).astype(dtype)
    half = n // 2
    table = cc.pair_table(p, q)
    assert table.a + table.b == half * (half - 1)
    assert table.a + table.b + table.c + table.d == n * (n - 1) // 2
    assert table.adjusted_rand == pytest.approx(0, abs=1e-4)
    assert cc.pair_table(p, p).adjusted_rand == 1.0
