"""Values of pairs of objects, and t-norms, which some of them are made with."""

from dataclasses import dataclass
from typing import Literal, get_args

from concordant.catalogue.records import Record, by_name

#: Values of pairs whose mean difference d is: half the L1 distance, 1 - inner product.
Similarity = Literal["l1", "inner"]
SIMILARITIES: tuple[str, ...] = get_args(Similarity)


@dataclass(frozen=True)
class ValueRecord(Record):
    """
    A value of a pair of objects, which one partition gives.

    `defined` is a `PairValue`, which says what it is; ``kernel(columns, i0, rows,
    first, width, out)`` fills in the values of a block of pairs. If there is a value
    for each t-norm t, only ``columns(P)`` and ``of_windows(ones, others, t, out)`` are
    told, with t on arrays, and the kernels of families compute it.
    """

    defined: str
    kernel: str = ""
    with_t_norm: bool = False
    of_crisp: str = ""  # the mean difference of two crisp partitions, without pairs
    fills_up: Literal["zeros", "last"] = "zeros"  # rows that kernels take in fours

    @property
    def columns(self) -> str:
        """What values are computed from."""
        return f"{self.defined}.columns"

    @property
    def of_windows(self) -> str:
        """Values of some objects with others, by NumPy."""
        return f"{self.defined}.of_windows"


@dataclass(frozen=True)
class TNormRecord(Record):
    """
    A t-norm of two numbers, ``function(x, y)``, in arithmetic, `min` and `max` alone.

    Kernels are compiled with it, and NumPy takes it for arrays.
    """

    function: str
    families: tuple[str, ...]  # that take it


T_NORMS = by_name(
    TNormRecord(
        "min",
        ".pairs.values.t_norms:minimum",
        families=("campello", "huellermeier"),
    ),
    TNormRecord(
        "product", ".pairs.values.t_norms:product", ("campello", "huellermeier")
    ),
    TNormRecord("lukasiewicz", ".pairs.values.t_norms:lukasiewicz", ("huellermeier",)),
)

VALUES = by_name(
    *(
        ValueRecord(
            name,
            defined=f".pairs.values.{name}:{name.capitalize()}",
            kernel=f".kernels.pair_values:{kernel}",
            of_crisp=of_crisp,
        )
        for name, kernel, of_crisp in (
            ("l1", "l1", ""),
            ("inner", "inner", ""),
            ("element", "inner", ".measures.element_centric:of_crisp"),
            ("outer", "outer", ""),
        )
    ),
    *(
        ValueRecord(
            name,
            defined=f".pairs.values.t_norms:{name.capitalize()}",
            with_t_norm=True,
            fills_up="last",
        )
        for name in ("shared", "apart")
    ),
)
