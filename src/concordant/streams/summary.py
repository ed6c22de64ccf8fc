"""Sums over objects from which NDC and ACI follow, and which add up."""

from typing import Protocol

from concordant.agreement.result import Concordance
from concordant.terms.object_sums import Summary


class Agreement(Summary, Protocol):
    """What NDC and ACI follow from."""

    @property
    def n_objects(self) -> int:
        """The number of objects seen so far."""

    def concordance(self) -> Concordance:
        """Return the concordance of two objects or more."""
