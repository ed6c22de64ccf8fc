"""Whether data lie in chunks on a cluster, where one pass over them may be enough."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from concordant.execution.engine import Engine

if TYPE_CHECKING:
    from concordant.comparison import Comparison


def is_dask_array(data: object) -> bool:
    """
    Tell whether data is a Dask array, without importing Dask.

    Parameters
    ----------
    data : object
        Anything.

    Returns
    -------
    bool
        Whether it is one.
    """
    return hasattr(data, "to_delayed") and hasattr(data, "numblocks")


def one_pass_on_chunks(
    engine: Engine, P: object, Q: object, families: Sequence[str], align: str
) -> "Comparison | None":
    """
    Compare Dask arrays where their chunks are, if one pass over them is enough.

    Parameters
    ----------
    engine : Engine
        Where the work is done.
    P, Q : object
        What the caller gave.
    families : sequence of str
        The families of which tables are wanted; if it is empty, the concordance is.
    align : {"position", "index"}
        How objects are matched.

    Returns
    -------
    Comparison or None
        None if neither is a Dask array, the work is not done on a cluster, or it takes
        all pairs.
    """
    lie_in_chunks = is_dask_array(P) or is_dask_array(Q)
    if not lie_in_chunks or align != "position" or not hasattr(engine, "client"):
        return None
    from concordant.streams.dask_arrays import (
        one_pass,  # which stands on the indices themselves
    )

    return one_pass(engine, P, Q, families)
