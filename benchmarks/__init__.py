"""Fixed workloads, timed."""
