"""
How many clusters? Ask which are stable
=======================================

A number of clusters that suits the data gives much the same clusters when other
objects are drawn. So cluster two resamples, let both say where each object belongs, and
compare.
"""

from sklearn.datasets import make_blobs

import concordant as cc
from concordant.cluster import FuzzyCMeans

X, _ = make_blobs(120, centers=4, cluster_std=1.1, random_state=3)
fcm = FuzzyCMeans(fuzzifier=1.5)
found = cc.stability(fcm, X, n_clusters=range(2, 6), random_state=0)
print(found)

# %%
# ACI alone does not choose: data without structure, too, are clustered alike to some
# extent, and more for some numbers of clusters than for others. The bands show such
# data, and the curve counts where it leaves both of them.

found.plot()
