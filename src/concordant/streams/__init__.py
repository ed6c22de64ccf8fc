"""Comparisons of partitions that do not fit in memory, in one pass over the objects."""

from concordant.streams.accumulator import Accumulator
from concordant.streams.streaming import stream

__all__ = ["Accumulator", "stream"]
