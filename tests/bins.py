"""Bins as they are for any memberships, also where those of a lattice would do."""

from typing import Any
from unittest import mock

import concordant as cc
from concordant.agreement import computing


def in_bins(P: Any, Q: Any, **options: Any) -> cc.Concordance:
    """Give the concordance by bins that know nothing of multiples of 1 / D."""
    with mock.patch.object(computing, "both_on_lattices", return_value=False):
        return cc.concordance(P, Q, method="binned", **options)
