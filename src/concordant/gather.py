"""What is wanted of two partitions becomes terms, each computed once."""

from collections.abc import Iterable, Mapping
from typing import Any

from concordant.agreement.computing import computed_concordance
from concordant.catalogue import TERMS, loaded, table_of
from concordant.execution.run import Run
from concordant.families.defined import family_table
from concordant.partition.partition import Partition


def gather(
    P: Partition, Q: Partition, wanted: Iterable[str], run: Run
) -> Mapping[str, Any]:
    """
    Compute terms of two aligned partitions, each once.

    Terms are ``"concordance"`` (a `Concordance`), ``"discordance"`` (NDC alone), the
    names of tables, as `table_name` gives them (each a `PairTable`), and those that the
    catalogue lists as terms of objects.
    """
    found: dict[str, Any] = {}
    for name in wanted:
        table = table_of(name)
        if table is not None:
            found[name] = family_table(P, Q, *table, run)
        elif name in TERMS:
            found[name] = loaded(TERMS[name])(P, Q, run)
        elif "concordance" not in found:
            found["concordance"] = computed_concordance(P, Q, run)
    if "concordance" in found:
        found["discordance"] = found["concordance"]
    return found
