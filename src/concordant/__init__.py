"""How far two clusterings agree when either or both are fuzzy, corrected for chance."""

from concordant.version import __version__ as __version__

TYPE_CHECKING = False  # without importing typing, which takes longer than all of this
if TYPE_CHECKING:
    from concordant import cluster, datasets, files, inference, plot, report
    from concordant.comparison import Comparison
    from concordant.families.pair_table import PairTable
    from concordant.files.partitions import read_partition
    from concordant.formulas.adjusted import Concordance
    from concordant.inference import (
        concordance_test,
        confidence_interval,
        difference_test,
        local_concordance,
    )
    from concordant.influence.differences import ObjectDiscordance, object_discordance
    from concordant.measures.comparing import compare
    from concordant.measures.concordance import (
        adjusted_concordance_index,
        concordance,
        normalized_degree_of_concordance,
    )
    from concordant.measures.listing import indices
    from concordant.measures.pair_tables import pair_table
    from concordant.measures.statistics import (
        adjusted_rand_index,
        dice_coefficient,
        fowlkes_mallows_index,
        jaccard_index,
        mirkin_metric,
        rand_index,
    )
    from concordant.partition.noise import NoiseLabelWarning
    from concordant.partition.partition import Partition
    from concordant.streams.accumulator import Accumulator
    from concordant.streams.streaming import stream

__all__ = [
    "Accumulator",
    "Comparison",
    "Concordance",
    "NoiseLabelWarning",
    "ObjectDiscordance",
    "PairTable",
    "Partition",
    "adjusted_concordance_index",
    "adjusted_rand_index",
    "cluster",
    "compare",
    "concordance",
    "concordance_test",
    "confidence_interval",
    "datasets",
    "dice_coefficient",
    "difference_test",
    "files",
    "fowlkes_mallows_index",
    "indices",
    "inference",
    "jaccard_index",
    "local_concordance",
    "mirkin_metric",
    "normalized_degree_of_concordance",
    "object_discordance",
    "pair_table",
    "plot",
    "rand_index",
    "read_partition",
    "report",
    "stream",
]

# Names and packages are imported when they are first used: the command line answers
# --help without NumPy, whose import takes longer than all the rest.
_PACKAGES = ("cluster", "datasets", "files", "inference", "plot", "report")
_HOMES = {
    "concordant.measures.concordance": (
        "adjusted_concordance_index",
        "concordance",
        "normalized_degree_of_concordance",
    ),
    "concordant.formulas.adjusted": ("Concordance",),
    "concordant.comparison": ("Comparison",),
    "concordant.files.partitions": ("read_partition",),
    "concordant.measures.comparing": ("compare",),
    "concordant.measures.listing": ("indices",),
    "concordant.influence.differences": ("ObjectDiscordance", "object_discordance"),
    "concordant.inference": (
        "concordance_test",
        "confidence_interval",
        "difference_test",
        "local_concordance",
    ),
    "concordant.measures.pair_tables": ("pair_table",),
    "concordant.measures.statistics": (
        "adjusted_rand_index",
        "dice_coefficient",
        "fowlkes_mallows_index",
        "jaccard_index",
        "mirkin_metric",
        "rand_index",
    ),
    "concordant.partition.noise": ("NoiseLabelWarning",),
    "concordant.partition.partition": ("Partition",),
    "concordant.streams.accumulator": ("Accumulator",),
    "concordant.streams.streaming": ("stream",),
    "concordant.families.pair_table": ("PairTable",),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name in _PACKAGES:
        return import_module(f"{__name__}.{name}")
    home = _HOME.get(name) or _homes_of_indices().get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def _homes_of_indices() -> dict[str, str]:
    """Return the modules of the functions of indices, by their names."""
    from concordant.catalogue import INDICES

    places = (record.function.split(":") for record in INDICES.values())
    return {name: module for module, *names in places for name in names}


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
