"""Rows are divided by their sums, and what that changed is told."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.errors import InputError, MembershipError, Message, Setting

_BLOCK = 8192  # rows


def normalized(array: NDArray[Any], name: str) -> tuple[NDArray[np.float64], Message]:
    """Divide the rows of an n x K array by their sums, and remark on the change."""
    n, n_clusters = array.shape
    if n_clusters == 1:
        raise InputError(
            Setting("normalize", True),
            f" would make all memberships of {name} 1, as it has one cluster; if it is "
            f"a column of labels, pass {name}[:, 0]",
        )
    out = np.empty((n, n_clusters))
    low, high, change = np.inf, -np.inf, 0.0
    for start in range(0, n, _BLOCK):
        rows = np.ascontiguousarray(array[start : start + _BLOCK], dtype=np.float64)
        with np.errstate(over="ignore", invalid="ignore"):
            sums = rows.sum(axis=1)
        fine = np.isfinite(rows).all(axis=1) & (sums > 0.0) & (sums < np.inf)
        if not fine.all():
            row = int(np.argmin(fine))
            raise MembershipError(
                Message(
                    f"rows of {name} cannot be divided by their sums: row "
                    f"{start + row} sums to {sums[row]:g}"
                ),
                start + row,
                None,
                float(sums[row]),
            )
        divided = out[start : start + _BLOCK]
        np.divide(rows, sums[:, None], out=divided)
        low, high = min(low, float(sums.min())), max(high, float(sums.max()))
        change = max(change, float(np.abs(divided - rows).max()))
    if change == 0.0:
        changed = Setting("normalize", True), " changed nothing"
        return out, Message("rows sum to 1: ", *changed)
    return out, Message(
        f"rows were divided by their sums, from {low:.6g} to {high:.6g}; the largest "
        f"change of a membership is {change:.3g}"
    )
