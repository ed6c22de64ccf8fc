"""How many clusters: partitions are judged by the data that they are of."""
