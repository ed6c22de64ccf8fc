"""The Dask cluster that a command is to run on."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace

from concordant.cli.faults import Fault
from concordant.cli.interruption import unwound
from concordant.cli.measuring import Asked


@contextmanager
def running_on(dask: str | None, asked: Asked) -> Iterator[Asked]:
    """
    Connect to a scheduler, or start N workers for "local:N", and leave it at the end.

    Ctrl-C waits for that, and for work that keeps what it has done.
    """
    if dask is None:
        with unwound() if asked.algorithm["checkpoint"] else nullcontext():
            yield asked
        return
    try:
        from concordant.execution.dask_workers import connected
    except ImportError as error:
        raise Fault(f"--dask: {error}") from error
    with unwound(), connected(dask) as client:
        yield replace(asked, algorithm={**asked.algorithm, "engine": client})
