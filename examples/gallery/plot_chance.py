"""
Could it be chance?
===================

Forty objects and a weak relation: a permutation test says whether there is any at all.
"""

import matplotlib.pyplot as plt
import numpy as np

import concordant.plot
from concordant.inference import concordance_test, null_moments

rng = np.random.default_rng(1)
P = rng.dirichlet([1, 1, 1], size=40)
noise = rng.dirichlet([1, 1, 1], size=40)
related = 0.35 * P + 0.65 * noise

for name, Q in (("related", related), ("unrelated", noise)):
    result = concordance_test(P, Q, random_state=0)
    print(f"{name:<10} ACI {result.statistic:+.3f}, p = {result.pvalue:.4f}")

# %%
# The histogram shows ACI after shuffling the objects of one partition.

figure, ax = plt.subplots(figsize=(6.4, 3.8), layout="constrained")
concordant.plot.null_distribution(concordance_test(P, related, random_state=0), ax=ax)

# %%
# The mean and standard deviation of that distribution need no shuffling at all.

chance = null_moments(P, related)
print(f"closed form: standard deviation {chance.aci_sd:.4f}, z = {chance.zscore:.2f}")
