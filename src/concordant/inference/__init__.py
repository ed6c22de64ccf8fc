"""Tests, intervals, and where two partitions differ."""
