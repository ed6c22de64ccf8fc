"""Pictures of partitions, the only place where Matplotlib is imported."""
