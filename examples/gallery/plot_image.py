"""
Two segmentations of a picture
==============================

Every pixel belongs to several regions to some degree. Fuzzy C-means on two descriptions
of the colours gives two such segmentations: do they agree, and where do they not?
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_sample_image

import concordant as cc
from concordant.cluster import FuzzyCMeans

picture = load_sample_image("china.jpg")[::9, ::9] / 255
height, width, _ = picture.shape
pixels = picture.reshape(-1, 3)
brightness = pixels.mean(axis=1, keepdims=True)
hue = (pixels + 0.05) / (pixels + 0.05).sum(axis=1, keepdims=True)

by_color = FuzzyCMeans(3, random_state=0).fit(pixels)
by_hue = FuzzyCMeans(3, random_state=0).fit(np.hstack([0.3 * brightness, hue]))
result = cc.concordance(by_color, by_hue)
print(f"{len(pixels)} pixels, ACI {result.aci:.3f} (NDC {result.ndc:.3f})")

# %%
# Each pixel has its own discordance, so the difference can be drawn as a picture. The
# darker a pixel, the more differently the two segmentations treat it.

values = cc.object_discordance(by_color, by_hue).values
figure, axes = plt.subplots(2, 2, figsize=(9, 6), layout="constrained")
strongest = (by_color.memberships_, by_hue.memberships_)
panels = (
    ("picture", picture, {}),
    ("discordance", values.reshape(height, width), {"cmap": "Blues"}),
    *(
        (title, U.max(axis=1).reshape(height, width), {"cmap": "Blues"})
        for title, U in zip(
            ("largest membership, by colour", "largest membership, by hue"),
            strongest,
            strict=True,
        )
    ),
)
for ax, (title, image, options) in zip(axes.flat, panels, strict=True):
    shown = ax.imshow(image, **options)
    if options:
        figure.colorbar(shown, ax=ax)
    ax.set_title(title)
    ax.set_axis_off()
