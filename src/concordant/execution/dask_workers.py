"""The same tasks on the workers of a Dask client."""

import logging
import socket
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from concordant.errors import Keyword, Message, WordedError
from concordant.execution.children import deaf_children
from concordant.wording import first_line

try:
    from distributed import Client, Future, LocalCluster, wait
    from distributed.scheduler import KilledWorker
except ImportError as missing:
    raise ImportError(
        "Dask is not installed: pip install 'concordant[distributed]'"
    ) from missing

R = TypeVar("R")

_SECONDS = 1.2  # that a task takes at least, if there is enough to do
_THREADS_PER_SECOND = 25  # more threads get longer tasks: so many end in a second
_PATIENCE = 10.0  # seconds without a scheduler
_GLANCE = 2.0  # seconds between two looks whether it is there
_LOSSES = 8  # of workers with no task done in between, before work is given up
_STANDSTILL = 60.0  # seconds without a task done, before work is given up
_WORKERLESS = 60.0  # seconds without a worker, once there was one
_DEATHS = 4  # of workers that did a task, after which Dask lets it fail
_LARGE = 1 << 16  # bytes from which on an array is sent once, not with each task
_DEADLY = (
    "workers ended again and again, and no task was done in between, at last: {}; "
    "their logs say why: they had too little memory, or something ends them"
)


class ClusterError(WordedError, RuntimeError):
    """The scheduler or all that a task needs is gone."""


class Cluster:
    """
    Run tasks on the workers of a Dask client that the caller opened and closes.

    Parameters
    ----------
    client : distributed.Client
        The client.

    Notes
    -----
    Dask places the tasks; measurements that led to this stand in ``docs/code.md``.
    Data go to the workers once. Should a worker end, its tasks are done by others,
    and what only it held is sent again. At the end, `release` removes what is left.
    """

    def __init__(self, client: Any) -> None:
        _check(client)
        self.client: Client = client
        self._ours: dict[str, Future | None] = {}
        self._borrowed: list[Future] = []
        self._had_workers = False
        self._losses = 0
        self._last_done = time.monotonic()

    def run(
        self,
        function: Callable[..., R],
        data: Sequence[Any],
        tasks: Iterable[tuple[Any, ...]],
        *,
        needs: Iterable[Sequence[int]] | None = None,
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
        needs : iterable of sequence of int, optional
            Which of the data each call gets, by number; by default all. Each of them
            then goes to one worker, and from there to those that need it.

        Yields
        ------
        object
            The results, in the order of the tasks.
        """
        sent = Sent(self, data, everywhere=needs is None)
        if needs is None:
            everything = range(len(data))
            calls = (Call(function, everything, task) for task in tasks)
        else:
            both = zip(needs, tasks, strict=True)
            calls = (Call(function, few, task) for few, task in both)
        return self._in_order(sent, calls)

    def task_seconds(self) -> float:
        """Tell how long a task should take: longer if there are many workers."""
        return max(_SECONDS, sum(self.threads().values()) / _THREADS_PER_SECOND)

    def _in_order(self, sent: "Sent", calls: Iterable["Call[R]"]) -> Iterator[R]:
        waiting: deque[tuple[Call[R], Future]] = deque()
        self.wait_for_workers()
        try:
            for call in calls:
                waiting.append((call, sent.submit(call)))
                if len(waiting) >= 2 * sum(self.threads().values()):
                    yield self._first_result(sent, waiting)
            while waiting:
                yield self._first_result(sent, waiting)
        finally:
            self.release()

    def submit(self, task: Callable[..., Any], *arguments: Any) -> Future:
        """
        Start a task that nobody else's result is taken for.

        Parameters
        ----------
        task : callable
            A function of a module.
        *arguments
            What it gets: futures, or small things.

        Returns
        -------
        distributed.Future
            Of its result.
        """
        key = f"{task.__name__.strip('_')}-{uuid.uuid4().hex}"
        self._ours[key] = None  # it may be there even if we are interrupted here
        future = self.client.submit(task, *arguments, key=key, pure=False)
        self._ours[key] = future
        return future

    def scattered(self, data: Any, *, everywhere: bool) -> Future:
        """Send data to one worker, or to all."""
        while True:
            key = f"data-{uuid.uuid4().hex}"
            self._ours[key] = None
            try:
                sent = self.client.scatter(
                    {key: data}, broadcast=everywhere, hash=False
                )
            except (OSError, KeyError, ValueError) as error:
                # Workers ended meanwhile; a part of it may be there.
                self.forget(key)
                self._note_loss(error, 1)
            else:
                self._ours[key] = future = sent[key]
                return future

    def borrowed(self, chunk: Any) -> Future:
        """Compute what is the caller's; it is left with the caller at the end."""
        future = self.client.compute(chunk)
        self._borrowed.append(future)
        return future

    def forget(self, *keys: str) -> None:
        """
        Remove tasks or data of ours from the cluster.

        They are released, not cancelled: a scheduler ends the connection of a client
        that cancels what it has released before.
        """
        for key in keys:
            future = self._ours.pop(key)
            if self.client.status != "closed":
                (future or Future(key, self.client)).release()

    def release(self) -> None:
        """Remove all that is ours from the cluster."""
        for future in self._borrowed:
            future.release()
        self._borrowed.clear()
        self.forget(*self._ours)

    def result(self, future: Future) -> Any:
        """
        Wait for a result as long as there is a scheduler.

        Parameters
        ----------
        future : distributed.Future
            What to wait for.

        Returns
        -------
        object
            The result.

        Raises
        ------
        ClusterError
            If the scheduler or what the task needs is gone.
        """
        try:
            return self._waited_for(future)
        except (KilledWorker, CancelledError) as error:
            self._check_scheduler()
            raise ClusterError(_DEADLY.format(first_line(error))) from error

    def wait(self, future: Future) -> None:
        """
        Wait until a task is done, well or not.

        Parameters
        ----------
        future : distributed.Future
            What to wait for.
        """
        while not future.done():
            with suppress(TimeoutError):
                wait(future, timeout=_GLANCE)
            self._check_scheduler()

    def threads(self) -> dict[str, int]:
        """
        Count the threads that the workers have now.

        Returns
        -------
        dict from str to int
            By the address of the worker; one nowhere if there is none yet.
        """
        workers = self.client.scheduler_info(n_workers=-1)["workers"]
        threads = {address: int(it["nthreads"]) for address, it in workers.items()}
        return threads or {"": 1}

    def _first_result(
        self, sent: "Sent", waiting: "deque[tuple[Call[R], Future]]"
    ) -> R:
        """Give the result of the task that waits longest, started anew if need be."""
        call, future = waiting[0]
        n_done = self._n_done(waiting)
        while True:
            try:
                result: R = self._waited_for(future)
            except (KilledWorker, CancelledError) as error:
                self.forget(future.key)
                if self._n_done(waiting) > n_done:  # others, in the meantime
                    n_done = self._n_done(waiting)
                    self._note_progress()
                self._note_loss(
                    error, _DEATHS if isinstance(error, KilledWorker) else 1
                )
                sent.repair()
                future = sent.submit(call)
                waiting[0] = call, future
            else:
                waiting.popleft()
                self.forget(future.key)
                self._note_progress()
                return result

    def _n_done(self, waiting: "deque[tuple[Call[R], Future]]") -> int:
        return sum(future.status == "finished" for _, future in waiting)

    def _note_progress(self) -> None:
        self._losses = 0
        self._last_done = time.monotonic()

    def _note_loss(self, error: Exception, n_workers: int) -> None:
        """Go on after workers ended, unless nothing is done any more."""
        self._check_scheduler()
        self._losses += n_workers
        since = time.monotonic() - self._last_done
        if self._losses >= _LOSSES and since >= _STANDSTILL:
            raise ClusterError(_DEADLY.format(first_line(error))) from error
        self.wait_for_workers(_WORKERLESS)

    def wait_for_workers(self, seconds: float | None = None) -> None:
        """
        Wait until there is a worker.

        Parameters
        ----------
        seconds : float, optional
            How long; by default as long as one waits where none was seen before.

        Raises
        ------
        ClusterError
            If there is none.
        """
        seconds = _PATIENCE if seconds is None else seconds
        end = time.monotonic() + seconds
        while "" in self.threads():
            self._check_scheduler()
            if time.monotonic() > end:
                raise ClusterError(self._why_nobody(f"{seconds:.0f} seconds"))
            time.sleep(0.1)
        self._had_workers = True

    def _why_nobody(self, time: str) -> Message:
        scheduler = f"the Dask scheduler {self._address()}"
        if self._had_workers:
            return Message(
                f"the workers of {scheduler} ended, and none came back within {time}; "
                "their logs say why; with ",
                Keyword("checkpoint"),
                " the work resumes where it was",
            )
        return Message(
            f"{scheduler} has no workers, and none came within {time}; start some, as "
            f"by: dask worker {self._address()}"
        )

    def _waited_for(self, future: Future) -> Any:
        """Wait for a result as long as there are the scheduler and workers."""
        while True:
            try:
                return future.result(timeout=_GLANCE)
            except TimeoutError:
                if future.status == "error":  # the task's own, or it came just now
                    return future.result()
                self._check_scheduler()
                self.wait_for_workers(_WORKERLESS)

    def _address(self) -> str:
        return self.client.scheduler.addr if self.client.scheduler else ""

    def _check_scheduler(self) -> None:
        end = time.monotonic() + _PATIENCE
        while self.client.status != "running":
            if time.monotonic() > end or self.client.status == "closed":
                raise ClusterError(
                    f"the Dask scheduler {self._address()} is gone; with ",
                    Keyword("checkpoint"),
                    " the work resumes where it was",
                )
            time.sleep(_GLANCE)


def _check_answers(address: str) -> None:
    """Refuse a port that says nothing: a scheduler speaks first, and Dask waits."""
    scheme, _, place = address.rpartition("://")
    host, _, port = place.rpartition(":")
    if scheme not in ("", "tcp") or not port.isdecimal():
        return
    with socket.create_connection((host.strip("[]"), int(port)), _PATIENCE) as link:
        if not link.recv(1):
            raise OSError("closed without a word")


@contextmanager
def connected(address: str) -> Iterator[Client]:
    """
    Open a client, and close it at the end.

    Parameters
    ----------
    address : str
        The address of a scheduler, or ``"local:N"`` for N workers of one thread each
        on this machine.

    Yields
    ------
    distributed.Client
        The client.

    Raises
    ------
    ClusterError
        If the address is none, or nobody answers.
    """
    kind, _, number = address.partition(":")
    if kind == "local":
        if not number.isdecimal() or int(number) == 0:
            raise ClusterError(f"local:N needs a number of workers, found {address!r}")
        with deaf_children():
            local = LocalCluster(
                n_workers=int(number),
                threads_per_worker=1,
                dashboard_address=":0",
                # What goes wrong comes as an error; workers log what is given up, too.
                silence_logs=logging.CRITICAL,
            )
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


@dataclass(frozen=True)
class Call(Generic[R]):
    """
    A task, with what it needs that was sent before.

    Parameters
    ----------
    function : callable
        A function of a module.
    needs : sequence of int
        What it gets first, by number.
    others : tuple
        What it gets beside; small.
    """

    function: Callable[..., R]
    needs: Sequence[int]
    others: tuple[Any, ...]


class Sent:
    """
    Data that were sent to workers once.

    Parameters
    ----------
    cluster : Cluster
        Who sends them.
    data : sequence
        What is sent; small things go along with each task instead.
    everywhere : bool
        Whether every worker gets all, or each block goes to one that passes it on.
    """

    def __init__(
        self, cluster: Cluster, data: Sequence[Any], *, everywhere: bool
    ) -> None:
        self._cluster = cluster
        self._data = data
        self._everywhere = everywhere
        self._futures: dict[int, Future] = {}

    def submit(self, call: Call[Any]) -> Future:
        """Start a task."""
        data = [self._sent(number) for number in call.needs]
        return self._cluster.submit(call.function, *data, *call.others)

    def repair(self) -> None:
        """Forget what was lost with a worker, so that it is sent again."""
        lost = {
            number: future
            for number, future in self._futures.items()
            if not self._is_there(future)
        }
        for number in lost:
            del self._futures[number]
        self._cluster.forget(*(future.key for future in lost.values()))

    def _is_there(self, future: Future) -> bool:
        if future.status != "finished":
            return False
        try:
            return bool(self._cluster.client.who_has([future]).get(future.key))
        except CancelledError:  # since the line before
            return False

    def _sent(self, number: int) -> Any:
        data = self._data[number]
        if not _is_large(data):
            return data
        if number not in self._futures:
            self._futures[number] = self._cluster.scattered(
                data, everywhere=self._everywhere
            )
        return self._futures[number]


def _check(client: Any) -> None:
    """Refuse what is not a client that can be waited for."""
    if not isinstance(client, Client):
        raise TypeError(
            f"engine must be a dask.distributed.Client, found {type(client).__name__}"
        )
    if client.asynchronous:
        raise ValueError(
            "engine is an asynchronous Client, which cannot be waited for; open one "
            "without asynchronous=True, and not from a coroutine"
        )
    if client.status in ("closing", "closed"):
        raise ValueError(
            "engine is a Client that is closed; open another one, or leave out engine="
        )


def _is_large(data: Any) -> bool:
    arrays = data if isinstance(data, list) else [data]
    size = sum(getattr(array, "nbytes", 0) for array in arrays)
    return size >= _LARGE or hasattr(data, "n_objects")
