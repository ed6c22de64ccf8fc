"""What was computed of one partition alone, kept with it as long as there is room."""

import threading
from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

_ROOM = 1 << 24  # bytes of one partition


class KeptTerms:
    """
    Read-only arrays by name, of no more than 16 MiB; the largest is dropped first.

    Two threads may compute the same array, which gives the same bits. A copy of the
    partition, and one that is unpickled, begins with none.
    """

    def __init__(self) -> None:
        self._arrays: dict[str, NDArray[Any]] = {}
        self._lock = threading.Lock()

    def kept(self, name: str) -> NDArray[Any] | None:
        """Give an array, if it is here."""
        with self._lock:
            return self._arrays.get(name)

    def get(self, name: str, computed: Callable[[], NDArray[Any]]) -> NDArray[Any]:
        """Give an array, computed now if it is not here."""
        kept = self.kept(name)
        if kept is not None:
            return kept
        array = computed()
        array.flags.writeable = False
        with self._lock:
            self._arrays[name] = array
            while sum(kept.nbytes for kept in self._arrays.values()) > _ROOM:
                largest = max(self._arrays, key=lambda key: self._arrays[key].nbytes)
                del self._arrays[largest]
        return array
