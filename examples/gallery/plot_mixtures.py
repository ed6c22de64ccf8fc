"""
Gaussian mixtures and known classes
===================================

Which shape of covariance recovers the three cultivars in the wine data best, and is the
difference more than luck?
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_wine
from sklearn.mixture import GaussianMixture
from sklearn.preprocessing import StandardScaler

from concordant.inference import confidence_interval, difference_test

wine = load_wine()
X = StandardScaler().fit_transform(wine.data)

posteriors, intervals = {}, {}
for shape in ("spherical", "diag", "tied", "full"):
    model = GaussianMixture(3, covariance_type=shape, reg_covar=1e-2, random_state=0)
    posteriors[shape] = model.fit(X).predict_proba(X)
    intervals[shape] = confidence_interval(posteriors[shape], wine.target)
    print(f"{shape:<10} ACI {intervals[shape].estimate:.3f}")

# %%
# The bars are 95 % confidence intervals. They overlap, but that does not settle the
# matter: all four models are judged on the same wines.

figure, ax = plt.subplots(figsize=(6.4, 3.4), layout="constrained")
values = [interval.estimate for interval in intervals.values()]
below = [interval.estimate - interval.low for interval in intervals.values()]
above = [interval.high - interval.estimate for interval in intervals.values()]
ax.errorbar(values, list(intervals), xerr=(below, above), fmt="o", capsize=4)
ax.set_xlabel("ACI with the cultivars")
ax.set_xlim(right=1)
ax.margins(y=0.2)

# %%
# The paired test compares two models wine by wine. Even between the best and the worst
# of the four, the difference may be due to luck.

best, worst = (
    pick(intervals, key=lambda s: intervals[s].estimate) for pick in (max, min)
)
print(f"P: {best}, Q: {worst}")
print(difference_test(posteriors[best], posteriors[worst], wine.target))
