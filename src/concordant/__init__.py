"""How far two clusterings agree when either or both are fuzzy, corrected for chance."""

from concordant.version import __version__ as __version__

# The public names with their modules, beside the functions of indices and statistics,
# which the catalogue tells. `make stub` writes them to __init__.pyi for type checkers.
# They are imported when they are first used: the command line answers --help without
# NumPy, whose import takes longer than all the rest.
_PACKAGES = ("cluster", "datasets", "files", "inference", "plot", "report")
_HOMES = {
    "Accumulator": "concordant.streams.accumulator",
    "Agreement": "concordant.many.agreeing",
    "AlignedClusters": "concordant.many.aligned",
    "Comparison": "concordant.comparison",
    "Concordance": "concordant.formulas.adjusted",
    "Consensus": "concordant.many.averaging",
    "Hardenings": "concordant.measures.hardenings",
    "Matching": "concordant.terms.matching",
    "NoiseLabelWarning": "concordant.partition.noise",
    "ObjectDiscordance": "concordant.influence.differences",
    "PairTable": "concordant.families.pair_table",
    "Partition": "concordant.partition.partition",
    "agreement": "concordant.many.agreeing",
    "align_clusters": "concordant.many.aligned",
    "compare": "concordant.measures.comparing",
    "concordance": "concordant.measures.concordance",
    "concordance_test": "concordant.inference",
    "confidence_interval": "concordant.inference",
    "consensus": "concordant.many.averaging",
    "difference_test": "concordant.inference",
    "element_centric_scores": "concordant.measures.element_centric",
    "indices": "concordant.measures.listing",
    "local_concordance": "concordant.inference",
    "match_clusters": "concordant.measures.matched",
    "object_discordance": "concordant.influence.differences",
    "pair_table": "concordant.measures.pair_tables",
    "random_hardenings": "concordant.measures.hardenings",
    "read_partition": "concordant.files.partitions",
    "WallaceTable": "concordant.measures.fuzzy_wallace",
    "wallace": "concordant.measures.fuzzy_wallace",
    "read_partitions": "concordant.files.partitions",
    "stream": "concordant.streams.streaming",
}


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name == "__all__":
        return sorted((*_PACKAGES, *_homes()))
    if name in _PACKAGES:
        return import_module(f"{__name__}.{name}")
    home = _HOMES.get(name) or _homes().get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def _homes() -> dict[str, str]:
    """Return the modules of all public names."""
    from concordant.catalogue import functions

    return _HOMES | functions()


def __dir__() -> list[str]:
    return sorted({*globals(), *_PACKAGES, *_homes()})
