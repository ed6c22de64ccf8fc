"""Two partitions in one pass over the objects: summaries that merge."""
