"""Definitions of the four cardinalities a, b, c and d, one module each."""
