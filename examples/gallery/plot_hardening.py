"""
What hardening hides
====================

Fuzzy C-means and PD-clustering give nearly the same labels to the flowers of Iris, and
very different memberships.
"""

import matplotlib.pyplot as plt

import concordant as cc
import concordant.plot
from concordant.cluster import FuzzyCMeans, PDClustering
from concordant.datasets import load_uci

X = load_uci("iris").data
fcm = cc.Partition(FuzzyCMeans(3, random_state=0).fit(X))
pdc = cc.Partition(PDClustering(3, random_state=0).fit(X))
hardened = cc.adjusted_rand_index(fcm.harden(), pdc.harden())
print(f"ARI of the hardened partitions {hardened:.4f}")
print(f"ACI of the fuzzy partitions    {cc.adjusted_concordance_index(fcm, pdc):.4f}")

# %%
# In the similarity matrices the blocks are the same. Between the blocks the right one
# is darker: no two flowers there are completely apart.

names = ("fuzzy C-means", "PD-clustering")
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4.2), layout="constrained")
concordant.plot.similarity_matrices(fcm, pdc, ax=(left, right), names=names)

# %%
# Every pair of flowers, by how similar the two are in one clustering and in the other.
# On the diagonal the clusterings agree.

figure, ax = plt.subplots(figsize=(5, 4.4), layout="constrained")
concordant.plot.joint_density(fcm, pdc, ax=ax, names=names, random_state=0)

# %%
# The memberships show why: those of PD-clustering are far from 0 and 1.

figure, axes = plt.subplots(2, 1, figsize=(9, 5), layout="constrained")
concordant.plot.memberships(fcm, ax=axes[0], name=names[0])
concordant.plot.memberships(pdc, ax=axes[1], name=names[1])
