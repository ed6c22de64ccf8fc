"""
Where do two clusterings differ?
================================

One number says how far two clusterings agree. The same number can be taken apart by
clusters and by objects.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

import concordant as cc
import concordant.plot
from concordant.cluster import FuzzyCMeans
from concordant.inference import local_concordance

wine = load_wine()
X = StandardScaler().fit_transform(wine.data)
P = cc.Partition(FuzzyCMeans(3, fuzzifier=1.4, random_state=0).fit(X))
Q = cc.Partition(FuzzyCMeans(4, fuzzifier=1.4, random_state=0).fit(X))
print(local_concordance(P, Q))

# %%
# The cross table sums the products of memberships, so that an object between two
# clusters counts in several cells. The percentages above are larger: there, an object
# stays in its cluster with the smaller of its two memberships.

figure, ax = plt.subplots(figsize=(5.2, 4), layout="constrained")
concordant.plot.cross_table(P, Q, ax=ax, names=("three clusters", "four clusters"))

# %%
# These are the wines that are treated most differently.

figure, ax = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
concordant.plot.differing_objects(P, Q, ax=ax)
