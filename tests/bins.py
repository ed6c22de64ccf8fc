"""The concordance of any value of pairs, also in cells that know of no multiples."""

from typing import Any
from unittest import mock

import concordant as cc
from concordant.catalogue.terms import CONCORDANCE
from concordant.compute import gather
from concordant.execution.engine import Threads
from concordant.execution.run import Run
from concordant.pairs import side


def by_value(
    P: Any, Q: Any, similarity: str, n_jobs: int = 1, **options: Any
) -> cc.Concordance:
    """Return the concordance by a similarity that need not be that of ACI."""
    run = Run(engine=Threads(n_jobs), similarity=similarity, **options)
    found: cc.Concordance = gather(
        cc.Partition(P), cc.Partition(Q), (CONCORDANCE,), run
    )[CONCORDANCE]
    return found


def in_bins(P: Any, Q: Any, similarity: str = "l1", **options: Any) -> cc.Concordance:
    """Return the concordance by cells that know nothing of multiples of 1 / D."""
    with mock.patch.object(side, "multiples_of", return_value=None):
        return by_value(P, Q, similarity, method="binned", **options)
