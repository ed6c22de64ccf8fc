"""All pairs of many partitions become a picture."""

from collections.abc import Sequence
from pathlib import Path

from concordant.catalogue import heading_of
from concordant.cli.measuring_many import Pairs
from concordant.files import write_bytes_atomically


def write_picture(path: str, pairs: Pairs, names: Sequence[str], *, index: str) -> None:
    """
    Draw all pairs of many partitions, NDC among what was computed, into a file.

    The suffix of the file tells the format; `index` is what the heat map shows.
    """
    from concordant.plot.many import many_partitions
    from concordant.plot.picture import picture

    figure = many_partitions(
        pairs.values[index], 1.0 - pairs.values["ndc"], names, title=heading_of(index)
    )
    form = Path(path).suffix.casefold().removeprefix(".")
    write_bytes_atomically(path, picture(figure, form))
