"""Numbers that compare two partitions: one module per index or close group."""
