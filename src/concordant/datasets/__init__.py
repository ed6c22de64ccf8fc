"""Real data sets with known classes."""

from concordant.datasets.uci import Dataset, load_uci

__all__ = ["Dataset", "load_uci"]
