"""What is known of one side of a stream: its kind and its clusters."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue.records import Kind
from concordant.errors import Data, InputError, InputTypeError, Message, Wordings
from concordant.partition.noise import NOISE_LABEL
from concordant.partition.partition import Partition
from concordant.partition.reading import as_array
from concordant.wording import count, shown

Label = bool | int | str | bytes

_LABELS = {bool: "booleans", int: "integers", str: "text", bytes: "bytes"}


@dataclass(frozen=True)
class StreamedSide:
    """
    The kind of one side, and its clusters so far.

    A crisp side has labels as `values`, of one type and ascending; of others `columns`
    are the names of the clusters, if they have any.
    """

    name: str
    kind: Kind
    n_clusters: int
    values: tuple[Label, ...] | None
    columns: tuple[str, ...] | None = None

    def united(self, other: "StreamedSide") -> "StreamedSide":
        """Return the side of two parts of a stream, or refuse what cannot be one."""
        if self.kind != other.kind:
            raise InputError(self._kinds_differ(other.kind))
        if self.values is None or other.values is None:
            if self.n_clusters != other.n_clusters:
                raise InputError(
                    Data(self.name),
                    f" has {count(other.n_clusters, 'cluster')} here and "
                    f"{self.n_clusters} before: all parts of a stream have the same "
                    "columns",
                )
            return self._with_columns_of(other)
        one, two = type(self.values[0]), type(other.values[0])
        if one is not two:
            raise InputTypeError(
                "labels of ",
                Data(self.name),
                f" are {_LABELS[two]} here and {_LABELS[one]} before; pass one type",
            )
        if self.values == other.values:
            return self
        values = tuple(sorted({*self.values, *other.values}))
        return StreamedSide(self.name, self.kind, len(values), values)

    def _with_columns_of(self, other: "StreamedSide") -> "StreamedSide":
        """Take the names of columns from either part; in both they must be the same."""
        if self.columns is None or other.columns is None:
            return self if other.columns is None else other
        for number, (one, two) in enumerate(
            zip(self.columns, other.columns, strict=True), start=1
        ):
            if one != two:
                raise InputError(
                    f"column {number} of ",
                    Data(self.name),
                    f" is called {shown(two)} here and {shown(one)} before: all parts "
                    "of a stream have the same columns, in the same order",
                )
        return self

    @property
    def holds_noise(self) -> bool:
        """Whether -1 is one of its labels."""
        return self.values is not None and NOISE_LABEL in self.values

    def numbers_in(self, whole: "StreamedSide") -> NDArray[np.intp] | None:
        """Return where labels stand in those of a longer stream; None if as before."""
        if whole.values is None or self.values is None or whole.values == self.values:
            return None
        where = {value: number for number, value in enumerate(whole.values)}
        return np.array([where[value] for value in self.values], dtype=np.intp)

    def to_json(self) -> dict[str, Any]:
        """Return it as what JSON can hold."""
        facts = {**vars(self), "type": None}
        if self.values is not None:
            facts["type"] = type(self.values[0]).__name__
            facts["values"] = [
                value.hex() if isinstance(value, bytes) else value
                for value in self.values
            ]
        return facts

    @classmethod
    def from_json(cls, given: dict[str, Any]) -> "StreamedSide":
        """Take what `to_json` returned."""
        facts = {name: given[name] for name in given if name != "type"}
        values, columns = facts["values"], facts["columns"]
        if given["type"] == "bytes":
            values = map(bytes.fromhex, values)
        facts["values"] = None if values is None else (*values,)
        facts["columns"] = None if columns is None else (*columns,)
        return cls(**facts)

    def _kinds_differ(self, other: Kind) -> Message:
        both = {self.kind, other}
        remedy = Wordings(
            "pass kinds= to say what they are", "say with --kind what they are"
        )
        if both == {"crisp", "fuzzy"}:
            place = '("fuzzy", None)' if self.name == "P" else '(None, "fuzzy")'
            among = "if crisp memberships are among fuzzy ones, "
            remedy = Wordings(f"{among}pass kinds={place}", f"{among}give --kind fuzzy")
        return Message(
            Data(self.name), f" is {other} here and {self.kind} before; ", remedy
        )


def seen(
    data: object, partition: Partition, name: str, kind: Kind | None
) -> tuple[Partition, StreamedSide]:
    """Return the kind and the clusters of one side of a chunk."""
    if kind == "fuzzy" and partition.kind == "crisp" and _is_matrix(data, partition):
        columns = partition.columns()
        partition = partition._replace(kind="fuzzy", codes=None, matrix=columns)
    values: tuple[Label, ...] | None = None
    names: tuple[str, ...] | None = None
    if partition.kind == "crisp":
        partition, values = _in_ascending_order(partition, name)
    elif partition._clusters is not None:
        names = tuple(map(str, partition._clusters.tolist()))
    return partition, StreamedSide(
        name, partition.kind, partition.n_clusters, values, names
    )


def _is_matrix(data: object, partition: Partition) -> bool:
    if not isinstance(data, Partition):
        return as_array(data, "data")[0].ndim == 2
    return partition._clusters is None or partition._clusters.dtype.kind == "O"


def _in_ascending_order(
    partition: Partition, name: str
) -> tuple[Partition, tuple[Label, ...]]:
    given = partition.clusters.tolist()
    types = {*map(type, given)}
    if len(types) != 1 or not types <= _LABELS.keys():
        found = " and ".join(sorted({kind.__name__ for kind in types}))
        raise InputTypeError(
            "labels of ",
            Data(name),
            f" must be integers, text or booleans, all of one type, found {found}",
        )
    values = sorted(given)
    if values == given:
        return partition, tuple(values)
    where = {value: number for number, value in enumerate(values)}
    numbers = np.array([where[value] for value in given])
    codes = numbers.astype(partition.labels.dtype)[partition.labels]
    return partition._replace(codes=codes), tuple(values)
