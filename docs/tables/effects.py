"""How ACI depends on n, K and the fuzzifier, as tables and a picture."""

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

import concordant as cc
from concordant.cluster import FuzzyCMeans
from concordant.datasets import load_uci
from concordant.inference import confidence_interval, null_moments

SEED = 0
CLUSTERS = (2, 3, 4, 5, 6)
FUZZIFIERS = (1.1, 1.5, 2.0, 2.5, 3.0)
SIZES = (30, 100, 300, 1000, 3000)
MOVED = 0.2  # of all objects, put anywhere
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9")
MARKERS = "osD^v"


def fuzzifiers():
    """Return the ACI of fuzzy C-means of Iris and the species, by K and m."""
    iris = load_uci("iris")
    found = {}
    for K in CLUSTERS:
        for m in FUZZIFIERS:
            model = FuzzyCMeans(K, fuzzifier=m, random_state=SEED).fit(iris.data)
            found[K, m] = cc.adjusted_concordance_index(model, iris.target)
    return found


def _by_fuzzifier(found):
    yield "| clusters | " + " | ".join(f"m = {m:g}" for m in FUZZIFIERS) + " |"
    yield "|--:|" + "--:|" * len(FUZZIFIERS)
    for K in CLUSTERS:
        cells = (f"{found[K, m]:.2f}" for m in FUZZIFIERS)
        yield f"| {K} | " + " | ".join(cells) + " |"


def _by_size():
    """Compare three equal classes with a copy in which a fifth was put anywhere."""
    yield "| objects | ACI | 95 % interval | half its width | null sd |"
    yield "|--:|--:|--:|--:|--:|"
    rng = np.random.default_rng(SEED)
    for n in SIZES:
        truth = np.arange(n) % 3
        moved = rng.random(n) < MOVED
        found = np.where(moved, rng.integers(3, size=n), truth)
        interval = confidence_interval(found, truth)
        chance = null_moments(found, truth)
        half = (interval.high - interval.low) / 2
        cells = (
            str(n),
            f"{interval.estimate:.2f}",
            f"{interval.low:.2f} to {interval.high:.2f}",
            f"{half:.3f}",
            f"{chance.aci_sd:.4f}",
        )
        yield f"| {' | '.join(cells)} |"


def draw(path):
    """Draw the table of fuzzifiers, as an SVG."""
    found = fuzzifiers()
    figure = Figure(figsize=(6.4, 3.6), layout="constrained", facecolor="white")
    ax = figure.subplots()
    for K, color, marker in zip(CLUSTERS, COLORS, MARKERS, strict=True):
        values = [found[K, m] for m in FUZZIFIERS]
        ax.plot(FUZZIFIERS, values, color=color, marker=marker, label=f"K = {K}")
    ax.set_xlabel("fuzzifier m")
    ax.set_ylabel("ACI with the species")
    ax.set_ylim(0, 1)
    ax.legend(frameon=False, ncols=len(CLUSTERS), loc="upper center", fontsize="small")
    with mpl.rc_context({"svg.hashsalt": "effects"}):  # the same bytes each time
        figure.savefig(path, metadata={"Date": None})


TABLES = {"sizes": _by_size, "fuzzifiers": lambda: _by_fuzzifier(fuzzifiers())}
