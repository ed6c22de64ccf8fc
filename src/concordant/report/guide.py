"""How to read each statistic and each family, in a sentence."""

#: What a statistic is called, and how to read it.
STATISTICS = {
    "rand": (
        "Rand",
        "The share of pairs on which the partitions agree; it is high for many "
        "unrelated partitions too.",
    ),
    "adjusted_rand": (
        "Adjusted Rand",
        "The Rand index in the form of Hubert and Arabie, for crisp partitions 0 by "
        "chance and 1 for the same; for fuzzy ones no family has both, and ACI has.",
    ),
    "jaccard": (
        "Jaccard",
        "Of the pairs that either partition joins, the share that both join.",
    ),
    "fowlkes_mallows": (
        "Fowlkes-Mallows",
        "Of the pairs that one partition joins, the share that the other joins too: "
        "the geometric mean over both directions.",
    ),
    "mirkin": (
        "Mirkin",
        "Twice the number of pairs on which the partitions disagree: a distance, 0 for "
        "the same, that grows with the square of the number of objects.",
    ),
    "dice": (
        "Dice",
        "Of the pairs that one partition joins, the share that the other joins too: "
        "the harmonic mean over both directions.",
    ),
}

#: How a family decides to what degree a pair of objects is together.
FAMILIES = {
    "crisp": "A pair is together or apart, and pairs are counted.",
    "campello": (
        "A pair is together as far as one cluster holds both objects, and apart as far "
        "as two clusters hold one each; a fuzzy partition does not reach 1 with itself."
    ),
    "frigui": (
        "A pair is together to the degree of the inner product of its memberships; a "
        "fuzzy partition does not reach 1 with itself."
    ),
    "brouwer": (
        "A pair is together to the degree of the cosine of its memberships; a fuzzy "
        "partition does not reach 1 with itself."
    ),
    "anderson": (
        "The soft cross-table of the clusters is read as if it were one of counts; a "
        "fuzzy partition does not reach 1 with itself, and values can leave the range "
        "from 0 to 1."
    ),
    "huellermeier": (
        "A pair is as similar as its memberships are, and partitions agree as far as "
        "they find it equally similar; every partition reaches 1 with itself, and with "
        "the product the Rand index is NDC."
    ),
}
