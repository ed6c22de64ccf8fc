"""
Many clusterings at once
========================

Fuzzy C-means of Iris with two to six clusters, and the species, all against all.
"""

import matplotlib.pyplot as plt
import numpy as np

import concordant as cc
from concordant.cluster import FuzzyCMeans
from concordant.datasets import load_uci
from concordant.plot.many import partition_map, similarity_heat_map

iris = load_uci("iris")
partitions = {"species": cc.Partition(iris.target)}
for k in range(2, 7):
    model = FuzzyCMeans(k, random_state=0).fit(iris.data)
    partitions[f"{k} clusters"] = cc.Partition(model)

size = len(partitions)
aci, ndc = np.eye(size), np.eye(size)
for i, P in enumerate(partitions.values()):
    for j, Q in enumerate(partitions.values()):
        result = cc.concordance(P, Q)
        aci[i, j], ndc[i, j] = result.aci, result.ndc

# %%
# Similar partitions are neighbours. The species are nearest to three clusters.

names = list(partitions)
figure, ax = plt.subplots(figsize=(6.4, 5.4), layout="constrained")
similarity_heat_map(aci, names, distances=1 - ndc, ax=ax)

# %%
# 1 - NDC obeys the triangle inequality, so the partitions can be drawn as points.

figure, ax = plt.subplots(figsize=(6.4, 5), layout="constrained")
partition_map(1 - ndc, names, ax=ax)
