"""Draws the picture of the README: two fuzzy clusterings of Iris."""

from pathlib import Path

from matplotlib.figure import Figure

from concordant.cluster import FuzzyCMeans, PDClustering
from concordant.datasets import load_uci
from concordant.plot import joint_density, similarity_matrices
from concordant.plot.picture import picture

PICTURE = Path(__file__).resolve().parent.parent / "docs" / "_static" / "iris.png"


def main() -> None:
    """Cluster, draw and write the file."""
    X = load_uci("iris").data
    fcm = FuzzyCMeans(3, random_state=0).fit(X)
    pdc = PDClustering(3, random_state=0).fit(X)
    names = ("fuzzy C-means", "PD-clustering")
    figure = Figure(figsize=(12.6, 3.6), layout="constrained", facecolor="white")
    left, middle, right = figure.subplots(1, 3)
    similarity_matrices(fcm, pdc, ax=(left, middle), names=names)
    joint_density(fcm, pdc, ax=right, names=names, random_state=0)
    PICTURE.write_bytes(picture(figure, "png"))
    print(PICTURE)


if __name__ == "__main__":
    main()
