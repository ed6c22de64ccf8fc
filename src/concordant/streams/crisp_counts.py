"""The agreement of two crisp partitions whose objects come in chunks."""

from concordant.agreement.crisp_crisp import crisp_crisp_from
from concordant.agreement.result import Concordance
from concordant.families.crisp import crisp
from concordant.terms.contingency import CountSums


class CrispCounts(CountSums):
    """Counts of objects in pairs of clusters, from which NDC and ACI follow."""

    @property
    def n_objects(self) -> int:
        """The number of objects that were counted."""
        return int(self.value().cells.sum())

    def concordance(self) -> Concordance:
        """Return the concordance of two objects or more."""
        return crisp_crisp_from(crisp({"counts": self.value()}), self.n_objects)
