"""
HDBSCAN, and what to do with noise
==================================

HDBSCAN leaves some objects without a cluster. Whether they count, and how, changes the
result, so you have to say what you mean.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import HDBSCAN
from sklearn.datasets import make_moons

import concordant as cc

rng = np.random.default_rng(0)
X, truth = make_moons(400, noise=0.09, random_state=0)
X = np.vstack([X, rng.uniform([-1.5, -1.0], [2.5, 1.5], size=(60, 2))])
truth = np.append(truth, np.full(60, 2))  # a class of their own: the background
model = HDBSCAN(min_cluster_size=15, copy=True).fit(X)

figure, ax = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
noise = model.labels_ < 0
x, y = X.T
for cluster, color in enumerate(("#3f90da", "#ffa90e")):
    own = model.labels_ == cluster
    ax.scatter(x[own], y[own], color=color, s=14, label=f"cluster {cluster}")
ax.scatter(x[noise], y[noise], color="tab:gray", marker="x", s=18, label="noise")
ax.legend(frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))

# %%
# The label -1 as a cluster like any other, each noise object as a cluster of its own,
# or noise left out on both sides:

for choice in ("cluster", "singletons", "drop"):
    partition = cc.Partition(model, noise=choice)
    aci = cc.adjusted_concordance_index(partition, truth)
    print(f"{choice:<11} ACI {aci:.3f}  ({partition.remarks[0]})")

# %%
# HDBSCAN also says how strongly an object belongs to its cluster. With
# ``noise="column"``, what is missing from 1 becomes a cluster of its own.

soft = np.zeros((len(X), model.labels_.max() + 1))
soft[~noise, model.labels_[~noise]] = model.probabilities_[~noise]
graded = cc.Partition(soft, noise="column")
print(f"graded      ACI {cc.adjusted_concordance_index(graded, truth):.3f}")
