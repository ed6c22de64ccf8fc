"""How far two clusterings agree when either or both are fuzzy, corrected for chance."""

from concordant.version import __version__ as __version__

# The public names with their modules, by the questions that they answer, before the
# functions of indices, which the catalogue tells. `make stub` writes them to
# __init__.pyi for type checkers. They are imported when they are first used: the
# command line answers --help without NumPy, whose import takes longer than the rest.
_QUESTIONS = {
    "How far do two clusterings agree?": {
        "compare": "concordant.measures.comparing",
        "score": "concordant.measures.one_index",
    },
    "Is it chance, how sure, is one better?": {
        "concordance_test": "concordant.inference",
        "confidence_interval": "concordant.inference",
        "difference_test": "concordant.inference",
    },
    "Where do they differ?": {
        "local_concordance": "concordant.inference",
        "match_clusters": "concordant.measures.matched",
        "wallace": "concordant.measures.fuzzy_wallace",
        "object_discordance": "concordant.inference.differences",
    },
    "What do many runs say?": {
        "agreement": "concordant.many.agreeing",
        "align_clusters": "concordant.many.aligned",
        "consensus": "concordant.many.consensus",
    },
    "How many clusters are there?": {
        "stability": "concordant.many.resampling",
        "validity": "concordant.choosing.judging",
    },
    "Too large for memory or one machine?": {
        "stream": "concordant.streams.accumulator",
        "Accumulator": "concordant.streams.accumulator",
    },
    "Data": {
        "Partition": "concordant.partition.partition",
        "read_partition": "concordant.files.partitions",
        "read_partitions": "concordant.files.partitions",
        "InputError": "concordant.errors",
        "FileError": "concordant.errors",
        "NoiseLabelWarning": "concordant.partition.noise",
    },
    "Other indices": {
        "indices": "concordant.measures.listing",
        "concordance": "concordant.measures.concordance",
        "pair_table": "concordant.measures.pair_tables",
        "element_centric_scores": "concordant.measures.element_centric",
        "random_hardenings": "concordant.measures.hardenings",
    },
}
_PACKAGES = ("inference", "files", "cluster", "datasets", "plot", "report")
# What functions return, which nobody needs to make.
_RESULTS = {
    "Comparison": "concordant.comparison",
    "Concordance": "concordant.measures.adjusted",
    "PairTable": "concordant.measures.tables.pair_table",
    "Matching": "concordant.sums.matching",
    "WallaceTable": "concordant.measures.fuzzy_wallace",
    "Hardenings": "concordant.measures.hardenings",
    "ObjectDiscordance": "concordant.inference.differences",
    "Agreement": "concordant.many.agreeing",
    "AlignedClusters": "concordant.many.aligned",
    "Consensus": "concordant.many.averaging",
    "PointEstimate": "concordant.many.point_estimate",
    "CredibleBall": "concordant.many.point_estimate",
    "Stability": "concordant.many.levels",
    "Validity": "concordant.choosing.judging",
}


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name == "__all__":
        return [*_homes(), *_PACKAGES]
    if name in _PACKAGES:
        return import_module(f"{__name__}.{name}")
    home = (_homes() | _RESULTS).get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def _homes() -> dict[str, str]:
    """Return the modules of all public names but results, in the order of questions."""
    from concordant.catalogue.lookups import functions

    asked = {
        name: home for names in _QUESTIONS.values() for name, home in names.items()
    }
    return asked | functions()


def __dir__() -> list[str]:
    return sorted({*globals(), *_PACKAGES, *_homes(), *_RESULTS})
