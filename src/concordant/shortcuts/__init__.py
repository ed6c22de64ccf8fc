"""Terms of pairs without a visit: a partition is crisp, or both have two clusters."""
