"""
A million objects, a chunk at a time
====================================

Comparing memberships with labels needs no pairs of objects: one pass is enough, and
memory does not grow. An accumulator gives its result at any time.
"""

import matplotlib.pyplot as plt
import numpy as np

import concordant as cc

rng = np.random.default_rng(0)
accumulator = cc.Accumulator()
seen, found, errors = [], [], []
for chunk in range(20):
    P = rng.dirichlet([0.5, 0.5, 0.5], size=50_000)
    # Half-way through the stream, the labels begin to follow the memberships less.
    reliable = 0.9 if chunk < 10 else 0.5
    random_labels = rng.integers(3, size=len(P))
    labels = np.where(rng.random(len(P)) < reliable, P.argmax(axis=1), random_labels)
    accumulator.update(P, labels)
    aci = accumulator.result().scores["aci"]
    seen.append(accumulator.n_objects)
    found.append(aci.value)
    errors.append(aci.error)
print(f"{seen[-1]:,} objects, ACI {found[-1]:.6f}, certified error {errors[-1]:.0e}")

# %%
# The error is a bound on what the summary loses, far too small to be drawn.

figure, ax = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
ax.plot(np.array(seen) / 1e6, found, "o-")
ax.set_xlabel("million objects seen")
ax.set_ylabel("ACI so far")
