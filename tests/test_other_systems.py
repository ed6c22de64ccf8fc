"""Values that other systems give for the same partitions."""

import csv
import math
from pathlib import Path

import numpy as np
import pytest

import concordant as cc

FOLDER = Path(__file__).parent / "data" / "other_systems"

OURS = {
    "NDC": cc.normalized_degree_of_concordance,
    "ACI": cc.adjusted_concordance_index,
    "credal_RI_c": lambda P, Q: cc.rand_index(P, Q, family="frigui"),
    "FRI": lambda P, Q: cc.compare(P, Q, indices=["fri"])["fri"],
    "FARI": lambda P, Q: cc.score(P, Q, "fari"),
    "agreement_NMI": lambda P, Q: cc.normalized_mutual_information(
        P, Q, average="geometric"
    ),
    # clue assigns each class of its first argument, not of the second.
    "agreement_purity": lambda P, Q: cc.compare(Q, P, indices=["purity"])["purity"],
    "vi": lambda P, Q: cc.compare(P, Q, indices=["vi"])["vi"] / math.log(2),  # bits
}
for index, names in {
    "vi": ("dissim_VI",),
    "nmi": ("normalized_mutual_info_score", "normalized_mi_score", "nmi"),
    "v_measure": ("v_measure_score",),
    "mutual_information": ("mi_score",),
    "ami": ("adjusted_mutual_info_score", "adjusted_mi_score", "adj_mi"),
}.items():
    for name in names:
        OURS[name] = lambda P, Q, i=index: cc.compare(P, Q, indices=[i])[i]
for index, names in {
    "credal_j": ("credal_RI_j",),
    "credal_b": ("credal_RI_b",),
    "omega": ("omega_index",),
    "element_centric": ("element_sim_alpha0.9",),
}.items():
    for name in names:
        OURS[name] = lambda P, Q, i=index: cc.compare(P, Q, indices=[i])[i]
for t_norm in ("product", "min", "lukasiewicz"):
    for letter, index in (("H", "of_q"), ("C", "of_p")):
        OURS[f"fuzzyW{letter}_{t_norm}"] = lambda P, Q, t=t_norm, i=index: (
            getattr(cc.wallace(P, Q, t_norm=t), i).value
        )
MATCHED = {
    "agreement_euclidean": "euclidean",
    "agreement_manhattan": "manhattan",
    "agreement_angle": "cosine",
}
#: What clue computes from memberships; it hardens them for all else.
SOFT = {*MATCHED, "dissim_VI"}
for name, distance in MATCHED.items():
    OURS[name] = lambda P, Q, d=distance: cc.match_clusters(P, Q, distance=d).agreement
for statistic, names in {
    cc.rand_index: ("RI", "rand_index", "rand_score", "agreement_Rand"),
    cc.adjusted_rand_index: (
        "ARI",
        "adjrand_index",
        "adjusted_rand_score",
        "agreement_cRand",
    ),
    cc.jaccard_index: ("jaccard_index", "agreement_Jaccard"),
    cc.fowlkes_mallows_index: (
        "fowlkes_mallows_index",
        "fowlkes_mallows_score",
        "fm_score",
        "agreement_FM",
    ),
}.items():
    for name in names:
        OURS[name] = statistic
for statistic, names in {
    cc.rand_index: ("RI.F", "Rand.F"),
    cc.adjusted_rand_index: ("ARI.F", "adjRand.F"),
    cc.jaccard_index: ("JACCARD.F", "Jaccard.F"),
}.items():
    for name in names:
        for theirs, t_norm in (("minimum", "min"), ("product", "product")):
            OURS[f"{name}_{theirs}"] = lambda P, Q, s=statistic, t=t_norm: s(
                P, Q, family="campello", t_norm=t
            )

# What they give and what we give. Of two equal partitions into one cluster every other
# system that answers gives 1. poem counts a cluster without pairs as one pair, and
# gives 0 where no pair is held together at all.
OTHERWISE = {
    ("c17_degenerate_onecluster_n6", "clusim", "adjrand_index"): (0.0, 1.0),
    ("c16_degenerate_uniform_vs_crisp_n6", "poem", "fuzzyWC_lukasiewicz"): (0.0, 1.0),
} | {
    ("c01_paper_crisp", "poem", f"fuzzyWC_{t_norm}"): (0.25, 1 / 3)
    for t_norm in ("product", "min", "lukasiewicz")
}


def rows():
    with (FOLDER / "values.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def read(case, side):
    return np.loadtxt(FOLDER / f"{case}_{side}.csv", delimiter=",", ndmin=2)


@pytest.mark.parametrize(
    "row", rows(), ids=lambda row: f"{row['case'][:3]}-{row['system']}-{row['index']}"
)
def test_agrees_to_nine_decimals(row):
    P, Q = (cc.Partition(read(row["case"], side)) for side in "PQ")
    if row["system"] == "clue" and row["index"] not in SOFT:
        P, Q = P.harden(), Q.harden()
    found = OURS[row["index"]](P, Q)
    theirs = float(row["value"].replace("NA", "nan"))
    key = (row["case"], row["system"], row["index"])
    if math.isnan(theirs):
        assert found in (0.0, 1.0)
    elif key in OTHERWISE:
        assert (theirs, found) == pytest.approx(OTHERWISE[key], abs=1e-12)
    else:
        assert found == pytest.approx(theirs, abs=1e-9)
