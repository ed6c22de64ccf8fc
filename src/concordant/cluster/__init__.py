"""Clusterings that are fuzzy from the outset, as scikit-learn estimators."""

from concordant.cluster.distance_partition import distance_partition
from concordant.cluster.fuzzy_c_means import FuzzyCMeans
from concordant.cluster.pd_clustering import PDClustering

__all__ = ["FuzzyCMeans", "PDClustering", "distance_partition"]
