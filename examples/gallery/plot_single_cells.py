"""
Cell types with cells in between
================================

Gene counts in cells, as in single-cell sequencing: three cell types, and cells on their
way from one to another. A hard clustering has to put those somewhere; a soft one need
not.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.decomposition import PCA
from sklearn.mixture import GaussianMixture

import concordant as cc
from concordant.cluster import FuzzyCMeans

rng = np.random.default_rng(0)
n_cells, n_genes = 900, 200
profiles = rng.gamma(0.6, 1.0, size=(3, n_genes))
# Two thirds of the cells are of one type; the others go from type 1 to type 2.
types = np.eye(3)[rng.integers(3, size=n_cells)]
progress = rng.random(n_cells)
between = rng.random(n_cells) < 1 / 3
types[between] = np.column_stack([0 * progress, 1 - progress, progress])[between]
depth = rng.lognormal(0.0, 0.3, size=n_cells)
counts = rng.poisson(depth[:, None] * (types @ profiles))

shares = counts / counts.sum(axis=1, keepdims=True)
coordinates = PCA(5, random_state=0).fit_transform(np.log1p(1e3 * shares))

# %%
# Three ways to cluster them, compared with the true degrees.

fits = {
    "fuzzy C-means, m = 2": FuzzyCMeans(3, random_state=0).fit(coordinates),
    "fuzzy C-means, m = 1.3": FuzzyCMeans(3, fuzzifier=1.3, random_state=0).fit(
        coordinates
    ),
}
partitions = {name: cc.Partition(fit) for name, fit in fits.items()}
mixture = GaussianMixture(3, random_state=0).fit(coordinates)
partitions["Gaussian mixture"] = cc.Partition(mixture.predict_proba(coordinates))
for name, P in partitions.items():
    aci = cc.adjusted_concordance_index(P, types)
    hardened = cc.adjusted_rand_index(P.harden(), cc.Partition(types).harden())
    print(f"{name:<24} ACI {aci:.3f}  hardened {hardened:.3f}")

# %%
# Which cells are treated differently? Mostly those in between, as expected.

P = partitions["fuzzy C-means, m = 1.3"]
values = cc.object_discordance(P, types).values
figure, axes = plt.subplots(1, 2, figsize=(9, 3.8), layout="constrained", sharey=True)
for ax, colors, title in (
    (axes[0], types[:, 2], "true degree of type 2"),
    (axes[1], values, "discordance of each cell"),
):
    points = ax.scatter(
        *coordinates[:, :2].T, c=colors, cmap="Blues", s=12, ec="gray", lw=0.3
    )
    figure.colorbar(points, ax=ax)
    ax.set_title(title)
    ax.set_xticks([])
    ax.set_yticks([])
