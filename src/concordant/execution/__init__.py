"""How work is done: threads, Dask, checkpoints, progress."""
