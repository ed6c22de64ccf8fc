"""Iris by two fuzzy clusterings, compared with the species and with each other."""

from pathlib import Path

from rich.console import Console
from rich.table import Table

import concordant as cc
from concordant.cluster import FuzzyCMeans, PDClustering
from concordant.datasets import load_uci
from concordant.report import write_report

REPORT = Path(__file__).resolve().parent.parent / "demo" / "report.html"


def main() -> None:
    """Cluster, compare, print and write the report."""
    iris = load_uci("iris")
    species = iris.target_names[iris.target]
    fcm = FuzzyCMeans(n_clusters=3, random_state=0).fit(iris.data)
    pdc = PDClustering(n_clusters=3, random_state=0).fit(iris.data)
    console = Console(width=None if Console().is_terminal else 88)

    pairs = {
        ("fuzzy C-means", "species"): (fcm, species),
        ("PD-clustering", "species"): (pdc, species),
        ("fuzzy C-means", "PD-clustering"): (fcm, pdc),
    }
    table = Table(title="Iris: how far do the partitions agree?")
    table.add_column("partitions")
    for heading in ("ACI", "NDC", "NDC by chance", "ARI of hardened"):
        table.add_column(heading, justify="right")
    for both, (P, Q) in pairs.items():
        result = cc.concordance(P, Q)
        hardened = cc.adjusted_rand_index(
            cc.Partition(P).harden(), cc.Partition(Q).harden()
        )
        numbers = (result.aci, result.ndc, result.expected, hardened)
        table.add_row(" and ".join(both), *(f"{number:.4f}" for number in numbers))
    console.print(table)
    console.print("ACI: 1 is perfect agreement, 0 is chance level.\n")

    names = ("fuzzy C-means", "PD-clustering")
    comparison = cc.compare(
        fcm, pdc, families="all", interval=0.95, test=True, random_state=0, names=names
    )
    print(comparison)

    REPORT.parent.mkdir(exist_ok=True)
    write_report(
        cc.Partition(fcm),
        cc.Partition(pdc),
        REPORT,
        truth=species,
        names=names,
        truth_name="species",
        comparison=comparison,
    )
    print(f"\nReport: {REPORT}")


if __name__ == "__main__":
    main()
