"""A number with a bound of its error."""

from typing import NamedTuple

#: The largest relative error of one operation on doubles.
UNIT_ROUNDOFF = 2.0**-53
#: That of a sum of numbers that are not negative, each a product of a few: NumPy adds
#: runs of 128 in eight lanes, and these in a tree.
SUM_ROUNDOFF = 64 * UNIT_ROUNDOFF


class Bounded(NamedTuple):
    """A number, and how far it may be from the exact one."""

    value: float
    error: float
