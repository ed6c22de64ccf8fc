"""
Many runs of one method
=======================

Eight runs find two different solutions. How alike are they, how many solutions are
there, and what do the runs of one solution say taken together?
"""

import numpy as np

import concordant as cc
import concordant.plot

rng = np.random.default_rng(0)
solutions = rng.dirichlet([0.15] * 4, (2, 240))
groups = np.array(["north", "east", "south", "west"])[solutions[0].argmax(axis=1)]

runs = {}
for i in range(1, 9):
    noisy = rng.gamma(30 * solutions[int(i in (3, 6, 7))] + 0.1)
    noisy /= noisy.sum(axis=1, keepdims=True)
    runs[f"run {i}"] = noisy[:, rng.permutation(4)]
found = cc.agreement(runs)
print(found)

# %%
# Runs of the same solution agree; those of different ones agree no more than by chance.
# The modes are groups of runs of which any two agree with an ACI of at least a
# threshold, lower here than by default since the runs are noisy. They are framed in the
# heat map.

modes = found.modes(threshold=0.5)
print(modes)
found.plot(threshold=0.5)

# %%
# One joint relabelling of the clusters gives them the same colours in all runs.

concordant.plot.structure(runs, groups=groups)

# %%
# So have they in the averages of the modes, which ``concordant modes`` writes to files.

modes.plot(groups=groups)

# %%
# The consensus of a mode is closer to its solution than the best of its runs.

first = [runs[name] for name in modes[0].names]
nearest = cc.consensus(first)
best = max(cc.adjusted_concordance_index(run, solutions[0]) for run in first)
of_consensus = cc.adjusted_concordance_index(nearest.partition, solutions[0])
print(f"consensus {of_consensus:.3f}, best run {best:.3f}")
