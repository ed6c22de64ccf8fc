"""
How many clusters? Ask which are stable
=======================================

A number of clusters that suits the data gives much the same clusters when some of the
objects are left out. So fit on random halves, and compare the memberships of all
objects.
"""

from itertools import combinations

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_blobs

import concordant as cc
from concordant.cluster import FuzzyCMeans

X, _ = make_blobs(300, centers=4, cluster_std=1.1, random_state=3)
rng = np.random.default_rng(0)
halves = [rng.choice(len(X), len(X) // 2, replace=False) for _ in range(5)]

spread = {}
for k in range(2, 7):
    fits = [
        FuzzyCMeans(k, fuzzifier=1.5, random_state=0).fit(X[half]).predict_proba(X)
        for half in halves
    ]
    spread[k] = [cc.adjusted_concordance_index(P, Q) for P, Q in combinations(fits, 2)]
    print(f"{k} clusters: mean ACI {np.mean(spread[k]):.3f}")

# %%
# ACI is corrected for chance, so different numbers of clusters can be compared.
# NDC could not be: it rises with the number of clusters even for unrelated partitions.

figure, ax = plt.subplots(figsize=(6.4, 3.8), layout="constrained")
for k, values in spread.items():
    ax.plot(np.full(len(values), k), values, "o", color="tab:blue", alpha=0.4)
ax.plot(list(spread), [np.mean(values) for values in spread.values()], color="black")
ax.set_xticks(list(spread))
ax.set_xlabel("number of clusters")
ax.set_ylabel("ACI between fits on halves")
ax.set_ylim(top=1.02)
