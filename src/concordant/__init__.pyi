# Written by `make stub` from __init__.py and catalogue.py.
from concordant import (
    cluster,
    datasets,
    files,
    inference,
    plot,
    report,
)
from concordant.comparison import (
    Comparison,
)
from concordant.families.pair_table import (
    PairTable,
)
from concordant.files.partitions import (
    read_partition,
    read_partitions,
)
from concordant.formulas.adjusted import (
    Concordance,
)
from concordant.inference import (
    concordance_test,
    confidence_interval,
    difference_test,
    local_concordance,
)
from concordant.influence.differences import (
    ObjectDiscordance,
    object_discordance,
)
from concordant.many.agreeing import (
    Agreement,
    agreement,
)
from concordant.many.aligned import (
    AlignedClusters,
    align_clusters,
)
from concordant.many.averaging import (
    Consensus,
    consensus,
)
from concordant.measures.comparing import (
    compare,
)
from concordant.measures.concordance import (
    adjusted_concordance_index,
    concordance,
    normalized_degree_of_concordance,
)
from concordant.measures.element_centric import (
    element_centric_scores,
    element_centric_similarity,
)
from concordant.measures.fuzzy_rand import (
    fuzzy_adjusted_rand_index,
)
from concordant.measures.fuzzy_wallace import (
    WallaceTable,
    wallace,
    wallace_completeness,
    wallace_homogeneity,
)
from concordant.measures.generalized_rand import (
    adjusted_generalized_rand_index,
    generalized_rand_index,
    omega_index,
)
from concordant.measures.hardenings import (
    Hardenings,
    random_hardenings,
)
from concordant.measures.listing import (
    indices,
)
from concordant.measures.matched import (
    match_clusters,
)
from concordant.measures.mutual_information import (
    adjusted_mutual_information,
    normalized_mutual_information,
)
from concordant.measures.pair_tables import (
    pair_table,
)
from concordant.measures.statistics import (
    adjusted_rand_index,
    dice_coefficient,
    fowlkes_mallows_index,
    jaccard_index,
    mirkin_metric,
    rand_index,
)
from concordant.partition.noise import (
    NoiseLabelWarning,
)
from concordant.partition.partition import (
    Partition,
)
from concordant.streams.accumulator import (
    Accumulator,
)
from concordant.streams.streaming import (
    stream,
)
from concordant.terms.matching import (
    Matching,
)
from concordant.version import (
    __version__ as __version__,
)

__all__ = [
    "Accumulator",
    "Agreement",
    "AlignedClusters",
    "Comparison",
    "Concordance",
    "Consensus",
    "Hardenings",
    "Matching",
    "NoiseLabelWarning",
    "ObjectDiscordance",
    "PairTable",
    "Partition",
    "WallaceTable",
    "adjusted_concordance_index",
    "adjusted_generalized_rand_index",
    "adjusted_mutual_information",
    "adjusted_rand_index",
    "agreement",
    "align_clusters",
    "cluster",
    "compare",
    "concordance",
    "concordance_test",
    "confidence_interval",
    "consensus",
    "datasets",
    "dice_coefficient",
    "difference_test",
    "element_centric_scores",
    "element_centric_similarity",
    "files",
    "fowlkes_mallows_index",
    "fuzzy_adjusted_rand_index",
    "generalized_rand_index",
    "indices",
    "inference",
    "jaccard_index",
    "local_concordance",
    "match_clusters",
    "mirkin_metric",
    "normalized_degree_of_concordance",
    "normalized_mutual_information",
    "object_discordance",
    "omega_index",
    "pair_table",
    "plot",
    "rand_index",
    "random_hardenings",
    "read_partition",
    "read_partitions",
    "report",
    "stream",
    "wallace",
    "wallace_completeness",
    "wallace_homogeneity",
]
