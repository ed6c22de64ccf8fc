"""Inner loops, compiled by Numba: no kernel calls one of another module."""
