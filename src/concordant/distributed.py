"""The workers of a Dask client as an engine."""

from concordant.execution.dask_workers import Cluster, ClusterError

__all__ = ["Cluster", "ClusterError"]
