"""NDC, its expectation and ACI: one module per algorithm, and a plan that chooses."""
