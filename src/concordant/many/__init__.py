"""Many partitions of the same objects: how alike, how many kinds, which to keep."""
