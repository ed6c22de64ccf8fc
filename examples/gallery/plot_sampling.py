"""
As many pairs as it takes
=========================

An estimate that states its error looks at some of the pairs only: the smaller the error
you ask for, the more of them.
"""

import matplotlib.pyplot as plt
import numpy as np

import concordant as cc

rng = np.random.default_rng(0)
P = rng.dirichlet([0.5, 0.5, 0.5], size=20_000)
Q = 0.7 * P + 0.3 * rng.dirichlet([0.5, 0.5, 0.5], size=20_000)

exact = cc.concordance(P, Q)
results = [
    cc.concordance(P, Q, method="sampled", tol=tol, random_state=0)
    for tol in (2e-4, 1e-4, 6e-5, 4e-5)
]
print(f"exact: {exact.aci:.6f} from {exact.n_pairs:,} pairs")
for result in results:
    print(f"{result.aci:.6f} ± {result.error:.6f} from {result.n_pairs:,} pairs")

# %%
# The bars are 95 % confidence intervals, the line is the exact value.

figure, ax = plt.subplots(figsize=(6.4, 4), layout="constrained")
ax.axhline(exact.aci, color="tab:gray", linewidth=1)
ax.errorbar(
    [result.n_pairs / exact.n_pairs for result in results],
    [result.aci for result in results],
    yerr=[result.error for result in results],
    fmt="o",
    capsize=4,
)
ax.set_xscale("log")
ax.set_xlabel("share of all pairs")
ax.set_ylabel("ACI")
