"""Terms of pairs without visiting any: where a partition is crisp, or has two clusters."""
