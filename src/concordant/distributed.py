"""The workers of a Dask client as an engine."""

from concordant.execution.dask_workers import ClusterError, DaskEngine
from concordant.streams.dask_arrays import LoadedHereWarning

__all__ = ["ClusterError", "DaskEngine", "LoadedHereWarning"]
