"""All scores by name, and which laws each of them obeys, as the catalogue declares."""

import concordant as cc
from concordant.catalogue.families import FAMILIES
from concordant.catalogue.families import STATISTICS as RECORDS
from concordant.catalogue.indices import INDICES
from concordant.catalogue.lookups import score_name
from concordant.catalogue.records import Law
from concordant.catalogue.terms import OF_PAIRS

FUZZY_FAMILIES = {
    name: record.t_norms or (None,)
    for name, record in FAMILIES.items()
    if "fuzzy" in record.kinds
}

STATISTICS = {
    "rand": cc.rand_index,
    "adjusted_rand": cc.adjusted_rand_index,
    "jaccard": cc.jaccard_index,
    "fowlkes_mallows": cc.fowlkes_mallows_index,
    "mirkin": cc.mirkin_metric,
    "dice": cc.dice_coefficient,
}


def scores(P, Q):
    """Give all scores of two partitions, by name; crisp ones have one table for all."""
    found = cc.compare(P, Q, indices="all", families="all").scores
    crisp = {name: f"crisp/{name.rpartition('/')[2]}" for name in SCORES}
    return {
        name: found[name if name in found else crisp[name]].value for name in SCORES
    }


#: The names of scores of fuzzy partitions, with the laws that are declared for each.
SCORES: dict[str, frozenset[Law]] = {name: INDICES[name].laws for name in INDICES}
for _family, _t_norms in FUZZY_FAMILIES.items():
    for _t_norm in _t_norms:
        for _statistic, _record in RECORDS.items():
            _name = score_name(_statistic, _family, _t_norm)
            SCORES[_name] = FAMILIES[_family].laws & _record.laws


def that(law):
    """List the scores for which a law is declared."""
    return [name for name, laws in SCORES.items() if law in laws]


def record_of(name):
    """Give the record of an index, or of the statistic of a score."""
    return INDICES.get(name) or RECORDS[name.rpartition("/")[2]]


# Where matrices are multiplied, their shape may change the order of sums.
BY_PRODUCTS = [
    name
    for name in SCORES
    if name.partition("/")[0] in ("frigui", "brouwer", "anderson")
    or (name in INDICES and not OF_PAIRS & {*INDICES[name].terms})
]

# On crisp input.
CLASSICAL = (
    {name: name.rpartition("/")[2] for name in SCORES if name not in INDICES}
    | {"ndc": "rand", "aci": "adjusted_rand", "gri": "rand", "agri": "adjusted_rand"}
    | {"omega": "adjusted_rand", "credal_j": "rand", "credal_b": "rand"}
)
