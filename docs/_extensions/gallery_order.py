"""The order of the examples: first ideas, then kinds of data, then size."""

LESSONS = (
    "hardening",
    "where",
    "chance",
    "many_clusterings",
    "many_runs",
    "stability",
    "mixtures",
    "topics",
    "hdbscan",
    "single_cells",
    "image",
    "from_r",
    "sampling",
    "stream",
)


def lesson(name: str) -> int:
    """Give the place of the file plot_name.py; one that has none is an error."""
    return LESSONS.index(str(name).removeprefix("plot_").removesuffix(".py"))
