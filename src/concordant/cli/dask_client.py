"""The Dask cluster that a command is to run on."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace

from concordant.cli.faults import Fault
from concordant.cli.interruption import unwound
from concordant.cli.measuring import Wanted


@contextmanager
def running_on(dask: str | None, wanted: Wanted) -> Iterator[Wanted]:
    """
    Connect to a scheduler, or start N workers for "local:N", and leave it at the end.

    Ctrl-C waits for that, and for work that keeps what it has done.
    """
    if dask is None:
        with unwound() if wanted.algorithm["checkpoint"] else nullcontext():
            yield wanted
        return
    try:
        from concordant.execution.distributed import connected
    except ImportError as error:
        raise Fault(f"--dask: {error}") from error
    with unwound(), connected(dask) as client:
        yield replace(wanted, algorithm={**wanted.algorithm, "engine": client})
