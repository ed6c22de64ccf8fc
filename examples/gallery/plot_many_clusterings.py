"""
Many clusterings at once
========================

Fuzzy C-means of Iris with two to six clusters, and the species, each with every other.
"""

import matplotlib.pyplot as plt

import concordant as cc
from concordant.cluster import FuzzyCMeans
from concordant.datasets import load_uci
from concordant.plot import agreement_heat_map
from concordant.plot.many import partition_map

iris = load_uci("iris")
partitions = {"species": cc.Partition(iris.target)}
for k in range(2, 7):
    model = FuzzyCMeans(k, random_state=0).fit(iris.data)
    partitions[f"K = {k}"] = cc.Partition(model)
aci = cc.agreement(partitions)
print(aci)

# %%
# In the heat map similar partitions are neighbours. The species are closest to the
# partition into three clusters.

figure, ax = plt.subplots(figsize=(6.4, 5.4), layout="constrained")
agreement_heat_map(aci, ax=ax)

# %%
# 1 - NDC obeys the triangle inequality, so it can be drawn as a distance between
# points, as far as two dimensions allow.

distances = 1 - cc.agreement(partitions, index="ndc").values
figure, ax = plt.subplots(figsize=(6.4, 5), layout="constrained")
partition_map(distances, list(partitions), ax=ax)
