# Written by `make stub` from __init__.py and the catalogue.
from typing import Literal

import numpy as np

from concordant import (
    cluster,
    datasets,
    files,
    inference,
    plot,
    report,
)
from concordant.catalogue.families import (
    Family,
)
from concordant.catalogue.values import (
    Similarity,
)
from concordant.choosing.judging import (
    Validity as Validity,
)
from concordant.choosing.judging import (
    validity,
)
from concordant.comparison import (
    Comparison as Comparison,
)
from concordant.errors import (
    FileError,
    InputError,
)
from concordant.files.partitions import (
    read_partition,
    read_partitions,
)
from concordant.inference import (
    concordance_test,
    confidence_interval,
    difference_test,
    local_concordance,
)
from concordant.inference.differences import (
    ObjectDiscordance as ObjectDiscordance,
)
from concordant.inference.differences import (
    object_discordance,
)
from concordant.many.agreeing import (
    Agreement as Agreement,
)
from concordant.many.agreeing import (
    agreement,
)
from concordant.many.aligned import (
    AlignedClusters as AlignedClusters,
)
from concordant.many.aligned import (
    align_clusters,
)
from concordant.many.averaging import (
    Consensus as Consensus,
)
from concordant.many.consensus import (
    consensus,
)
from concordant.many.levels import (
    Stability as Stability,
)
from concordant.many.point_estimate import (
    CredibleBall as CredibleBall,
)
from concordant.many.point_estimate import (
    PointEstimate as PointEstimate,
)
from concordant.many.resampling import (
    stability,
)
from concordant.measures.adjusted import (
    Concordance as Concordance,
)
from concordant.measures.comparing import (
    compare,
)
from concordant.measures.concordance import (
    concordance,
)
from concordant.measures.element_centric import (
    element_centric_scores,
)
from concordant.measures.fuzzy_wallace import (
    WallaceTable as WallaceTable,
)
from concordant.measures.fuzzy_wallace import (
    wallace,
)
from concordant.measures.hardenings import (
    Hardenings as Hardenings,
)
from concordant.measures.hardenings import (
    random_hardenings,
)
from concordant.measures.listing import (
    indices,
)
from concordant.measures.matched import (
    match_clusters,
)
from concordant.measures.one_index import (
    score,
)
from concordant.measures.pair_tables import (
    pair_table,
)
from concordant.measures.tables.pair_table import (
    PairTable as PairTable,
)
from concordant.partition.alignment import (
    MatchBy,
)
from concordant.partition.noise import (
    NoiseLabelWarning,
)
from concordant.partition.partition import (
    Partition,
)
from concordant.streams.accumulator import (
    Accumulator,
    stream,
)
from concordant.sums.matching import (
    Matching as Matching,
)
from concordant.version import (
    __version__ as __version__,
)

def adjusted_concordance_index(
    P: object,
    Q: object,
    *,
    similarity: Similarity = "l1",
    null: str = "permutations",
    clip: bool = False,
    tol: float | None = None,
    n_jobs: int | None = None,
    engine: object = None,
    random_state: int | np.random.Generator | None = None,
    match_by: MatchBy = "position",
) -> float: ...
def normalized_degree_of_concordance(
    P: object,
    Q: object,
    *,
    similarity: Similarity = "l1",
    tol: float | None = None,
    n_jobs: int | None = None,
    engine: object = None,
    random_state: int | np.random.Generator | None = None,
    match_by: MatchBy = "position",
) -> float: ...
def normalized_mutual_information(
    P: object,
    Q: object,
    *,
    average: Literal["arithmetic", "geometric", "min", "max"] = "arithmetic",
    n_jobs: int | None = None,
    engine: object = None,
    match_by: MatchBy = "position",
) -> float: ...
def adjusted_mutual_information(
    P: object,
    Q: object,
    *,
    n_jobs: int | None = None,
    engine: object = None,
    random_state: int | np.random.Generator | None = None,
    match_by: MatchBy = "position",
) -> float: ...
def rand_index(
    P: object,
    Q: object,
    *,
    family: Family | None = None,
    t_norm: str | None = None,
    tol: float | None = None,
    n_jobs: int | None = None,
    engine: object = None,
    random_state: int | np.random.Generator | None = None,
    match_by: MatchBy = "position",
) -> float: ...
def adjusted_rand_index(
    P: object,
    Q: object,
    *,
    family: Family | None = None,
    t_norm: str | None = None,
    tol: float | None = None,
    n_jobs: int | None = None,
    engine: object = None,
    random_state: int | np.random.Generator | None = None,
    match_by: MatchBy = "position",
) -> float: ...
def jaccard_index(
    P: object,
    Q: object,
    *,
    family: Family | None = None,
    t_norm: str | None = None,
    tol: float | None = None,
    n_jobs: int | None = None,
    engine: object = None,
    random_state: int | np.random.Generator | None = None,
    match_by: MatchBy = "position",
) -> float: ...
def fowlkes_mallows_index(
    P: object,
    Q: object,
    *,
    family: Family | None = None,
    t_norm: str | None = None,
    tol: float | None = None,
    n_jobs: int | None = None,
    engine: object = None,
    random_state: int | np.random.Generator | None = None,
    match_by: MatchBy = "position",
) -> float: ...
def mirkin_metric(
    P: object,
    Q: object,
    *,
    family: Family | None = None,
    t_norm: str | None = None,
    tol: float | None = None,
    n_jobs: int | None = None,
    engine: object = None,
    random_state: int | np.random.Generator | None = None,
    match_by: MatchBy = "position",
) -> float: ...
def dice_coefficient(
    P: object,
    Q: object,
    *,
    family: Family | None = None,
    t_norm: str | None = None,
    tol: float | None = None,
    n_jobs: int | None = None,
    engine: object = None,
    random_state: int | np.random.Generator | None = None,
    match_by: MatchBy = "position",
) -> float: ...

__all__ = [  # noqa: RUF022
    "compare",
    "score",
    "concordance_test",
    "confidence_interval",
    "difference_test",
    "local_concordance",
    "match_clusters",
    "wallace",
    "object_discordance",
    "agreement",
    "align_clusters",
    "consensus",
    "stability",
    "validity",
    "stream",
    "Accumulator",
    "Partition",
    "read_partition",
    "read_partitions",
    "InputError",
    "FileError",
    "NoiseLabelWarning",
    "indices",
    "concordance",
    "pair_table",
    "element_centric_scores",
    "random_hardenings",
    "adjusted_concordance_index",
    "normalized_degree_of_concordance",
    "normalized_mutual_information",
    "adjusted_mutual_information",
    "rand_index",
    "adjusted_rand_index",
    "jaccard_index",
    "fowlkes_mallows_index",
    "mirkin_metric",
    "dice_coefficient",
    "inference",
    "files",
    "cluster",
    "datasets",
    "plot",
    "report",
]
