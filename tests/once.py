"""Things that take long to make are made once for all processes that run tests."""

import os
import time
from pathlib import Path

LONG = 120.0  # seconds, for what takes less than ten where nothing else runs


def wait_until(condition):
    """Wait for something that will be so in a while."""
    end = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def cpu_seconds(pid):
    """Give the time for which the threads of a process have worked."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def copied_workers():
    """Let Dask copy workers from one process that has imported what takes seconds."""
    import dask

    return dask.config.set({"distributed.worker.multiprocessing-method": "forkserver"})


def made_once(tmp_path_factory, name, make):
    """Let the process that comes first make a folder's content; the others wait."""
    base = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent
    folder, done = base / name, base / f"{name}.done"
    try:
        folder.mkdir()
    except FileExistsError:
        wait_until(done.exists)
    else:
        make(folder)
        done.touch()
    return folder
