"""The same tasks on the workers of a Dask client."""

import logging
import socket
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

from concordant.errors import InputError, InputTypeError, Keyword, Setting, WordedError
from concordant.execution.engine import Task, deaf_children
from concordant.wording import first_line

try:
    from distributed import Client, Future, LocalCluster, wait
    from distributed.comm import CommClosedError
    from distributed.scheduler import KilledWorker
except ImportError as missing:
    raise ImportError(
        "Dask is not installed: pip install 'dask[array]' distributed"
    ) from missing

R = TypeVar("R")

# What the scheduler says of a worker that ends while it gets the data.
_AMID_SENDING = (
    *(OSError, KeyError, ValueError, AssertionError),
    *(TimeoutError, CancelledError),
)
_SECONDS = 1.0  # that a task takes at least, if there is enough to do
_THREADS_PER_SECOND = 25  # more threads get longer tasks: so many end in a second
_PATIENCE = 10.0  # seconds without a scheduler, or without a first worker
_WORKERLESS = 60.0  # seconds between two looks whether there are workers
_RETRIES = 3  # of a task, and of sending data amid which a worker ends
_PAUSE = 0.2  # seconds in which a worker that ended is known to have
_LARGE = 1 << 16  # bytes from which on data are sent once, not with each task


class ClusterError(WordedError, RuntimeError):
    """The scheduler, the workers or what a task needs is gone."""


class _LostError(ClusterError):
    """Data or results went with the workers that held them."""


class DaskEngine:
    """
    Run tasks on the workers of a Dask client that the caller opened and closes.

    Parameters
    ----------
    client : distributed.Client
        The client.

    Notes
    -----
    Dask places the tasks and starts those of a worker that ended elsewhere. Data go to
    the workers once, and once more if all that held them ended. What is there of ours
    is released when the work ends.
    """

    def __init__(self, client: Any) -> None:
        _check(client)
        self.client: Client = client

    def run(
        self,
        function: Callable[..., R],
        data: Sequence[Any],
        tasks: Iterable[Task],
    ) -> Iterator[R]:
        """
        Yield ``function(*data, *task)`` for every task, in order.

        Parameters
        ----------
        function : callable
            A function of a module that the workers can import.
        data : sequence
            What every call gets first; each worker gets all of it once.
        tasks : iterable of tuple
            What each call gets beside; small.

        Yields
        ------
        object
            The results, in the order of the tasks.
        """
        waiting: deque[tuple[Task, Future]] = deque()
        most = 2 * self.n_threads()
        sent = self._scattered(data)

        def start(tasks: Iterable[Task]) -> None:
            for task in tasks:
                future = self.submit(function, *sent, *task, retries=_RETRIES)
                waiting.append((task, future))

        def next_result() -> R:
            for left in reversed(range(_RETRIES + 1)):
                try:
                    found: R = self.result(waiting[0][1])
                    break
                except _LostError:
                    if not left:
                        raise
                lost = [task for task, _ in waiting]
                waiting.clear()
                sent[:] = self._scattered(data)
                start(lost)
            waiting.popleft()
            return found

        try:
            for task in tasks:
                start([task])
                if len(waiting) >= most:
                    yield next_result()
            while waiting:
                yield next_result()
        finally:  # a traceback may keep this frame
            waiting.clear()
            sent.clear()

    def task_seconds(self) -> float:
        """Return how long a task should take: longer if there are many workers."""
        return max(_SECONDS, self.n_threads() / _THREADS_PER_SECOND)

    def submit(
        self, task: Callable[..., Any], *arguments: Any, retries: int = 0
    ) -> Future:
        """Start a task, with futures and small things as its arguments."""
        return self.client.submit(task, *arguments, pure=False, retries=retries)

    def result(self, future: Future) -> Any:
        """Wait for a result as long as there are workers."""
        self.wait(future)
        try:
            return future.result()
        except CommClosedError as error:  # amid the answer
            raise self._gone("is gone") from error
        except (KilledWorker, CancelledError) as error:
            if self.client.status != "running":
                raise self._gone("is gone") from error
            # A task that ends every worker ends others, too; data can be sent anew.
            kind = ClusterError if isinstance(error, KilledWorker) else _LostError
            what = f"lost workers, and their data or results: {first_line(error)}"
            raise self._gone(what, kind) from error
        finally:  # Dask keeps errors, whose tracebacks keep the future
            future.release()

    def wait(self, future: Future) -> None:
        """Wait until a task has ended, well or not, as long as there are workers."""
        while not future.done():
            try:
                wait(future, timeout=_WORKERLESS)
            except CancelledError:
                return
            except TimeoutError:
                if self.client.status == "running" and not self._threads():
                    raise self._gone("has no workers any more") from None

    def n_threads(self, patience: float | None = None) -> int:
        """Wait some seconds until there is a worker; return the number of threads."""
        if not self._threads():
            seconds = _PATIENCE if patience is None else patience
            try:
                self.client.wait_for_workers(1, timeout=seconds)
            except TimeoutError:
                raise ClusterError(
                    f"the Dask scheduler {self._address()} has no workers, and none "
                    f"came within {seconds:.0f} seconds; start some with: dask "
                    f"worker {self._address()}"
                ) from None
        return self._threads() or 1

    def _threads(self) -> int:
        workers = self.client.scheduler_info(n_workers=-1)["workers"].values()
        return sum(int(worker["nthreads"]) for worker in workers)

    def _scattered(self, data: Sequence[Any]) -> list[Any]:
        """Send what is large, once, and again if a worker ends meanwhile."""
        sent = list(data)
        large = [number for number, part in enumerate(data) if _is_large(part)]
        if not large:
            return sent
        for left in reversed(range(_RETRIES + 1)):
            self.n_threads(_WORKERLESS)
            try:
                futures = self.client.scatter([data[k] for k in large], hash=False)
                self.client.replicate(futures)
                break
            except _AMID_SENDING as error:
                if not left or self.client.status != "running":
                    what = f"could not be sent the data: {first_line(error)}"
                    raise self._gone(what) from error
                time.sleep(_PAUSE)
        for number, future in zip(large, futures, strict=True):
            sent[number] = future
        return sent

    def _address(self) -> str:
        return self.client.scheduler.addr if self.client.scheduler else ""

    def _gone(self, what: str, kind: type[ClusterError] = ClusterError) -> ClusterError:
        return kind(
            f"the Dask scheduler {self._address()} {what}; the logs of the workers say "
            "why, for example too little memory; with ",
            Keyword("checkpoint"),
            " the work resumes where it stopped",
        )


def _check_answers(address: str) -> None:
    """Refuse a port that says nothing: a scheduler speaks first, and Dask waits."""
    scheme, _, place = address.rpartition("://")
    host, _, port = place.rpartition(":")
    if scheme not in ("", "tcp") or not port.isdecimal():
        return
    with socket.create_connection((host.strip("[]"), int(port)), _PATIENCE) as link:
        if not link.recv(1):
            raise OSError("closed without an answer")


@contextmanager
def connected(address: str) -> Iterator[Client]:
    """
    Open a client, and close it at the end.

    The address is that of a scheduler, or ``"local:N"`` for N workers of one thread
    each on this machine.
    """
    kind, _, number = address.partition(":")
    if kind == "local":
        if not number.isdecimal() or int(number) == 0:
            raise ClusterError(f"local:N needs a number of workers, found {address!r}")
        # What goes wrong comes as an error; workers log what is given up, too.
        logging.getLogger("asyncio").setLevel(logging.CRITICAL)
        try:
            with deaf_children():
                local = LocalCluster(
                    n_workers=int(number),
                    threads_per_worker=1,
                    dashboard_address=":0",
                    silence_logs=logging.CRITICAL,
                )
        except (OSError, RuntimeError) as error:
            raise ClusterError(
                f"{address}: the workers cannot be started "
                f"({first_line(_origin(error))}); fewer of them need less, and ",
                Setting("n_jobs", int(number)),
                " uses threads, which need no processes",
            ) from error
        try:
            with Client(local) as client:
                yield client
        finally:
            # Dask cannot stop a worker that it is just starting in the place of one
            # that died: such a worker ends with this process.
            with suppress(AssertionError):
                local.close()
        return
    try:
        _check_answers(address)
        client = Client(address, timeout=_PATIENCE)
    except (OSError, ValueError, TimeoutError) as error:
        raise ClusterError(f"no Dask scheduler answers at {address!r}") from error
    with client:
        yield client


def _origin(error: BaseException) -> BaseException:
    """Return the error that led to an error."""
    while (before := error.__cause__ or error.__context__) is not None:
        error = before
    return error


def _check(client: Any) -> None:
    """Refuse what is not a client that can be waited for."""
    if not isinstance(client, Client):
        raise InputTypeError(
            f"engine must be a dask.distributed.Client, found {type(client).__name__}"
        )
    if client.asynchronous:
        raise InputError(
            "engine is an asynchronous Client, which cannot be waited for; open one "
            "without asynchronous=True, and not from a coroutine"
        )
    if client.status in ("closing", "closed"):
        raise InputError(
            "engine is a Client that is closed; open another one, or leave out engine="
        )


def _is_large(data: Any) -> bool:
    parts = [*data.values()] if isinstance(data, dict) else data
    arrays = parts if isinstance(parts, list) else [parts]
    size = sum(getattr(array, "nbytes", 0) for array in arrays)
    return size >= _LARGE or hasattr(data, "n_objects")
