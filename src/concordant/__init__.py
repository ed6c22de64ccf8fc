"""How far two clusterings agree when either or both are fuzzy, corrected for chance."""

from concordant.agreement import (
    adjusted_concordance_index,
    concordance,
    normalized_degree_of_concordance,
)
from concordant.agreement.result import Concordance
from concordant.comparison import Comparison, compare
from concordant.differences import ObjectDiscordance, object_discordance
from concordant.families import pair_table
from concordant.indices import (
    adjusted_rand_index,
    dice_coefficient,
    fowlkes_mallows_index,
    jaccard_index,
    mirkin_metric,
    rand_index,
)
from concordant.partition import Partition
from concordant.tables import PairTable

__version__ = "0.1.0"

__all__ = [
    "Comparison",
    "Concordance",
    "ObjectDiscordance",
    "PairTable",
    "Partition",
    "adjusted_concordance_index",
    "adjusted_rand_index",
    "compare",
    "concordance",
    "dice_coefficient",
    "fowlkes_mallows_index",
    "jaccard_index",
    "mirkin_metric",
    "normalized_degree_of_concordance",
    "object_discordance",
    "pair_table",
    "rand_index",
]
