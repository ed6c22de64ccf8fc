"""All indices by name, and which laws each of them obeys."""

import concordant as cc

FUZZY_FAMILIES = {
    "campello": ("min", "product"),
    "frigui": (None,),
    "brouwer": (None,),
    "anderson": (None,),
    "huellermeier": ("product", "min", "lukasiewicz"),
}

STATISTICS = {
    "rand": cc.rand_index,
    "adjusted_rand": cc.adjusted_rand_index,
    "jaccard": cc.jaccard_index,
    "fowlkes_mallows": cc.fowlkes_mallows_index,
    "mirkin": cc.mirkin_metric,
    "dice": cc.dice_coefficient,
}


def _score(index, family, t_norm):
    return lambda P, Q: index(P, Q, family=family, t_norm=t_norm)


SCORES = {
    "ndc": cc.normalized_degree_of_concordance,
    "aci": cc.adjusted_concordance_index,
}
for _family, _t_norms in FUZZY_FAMILIES.items():
    for _t_norm in _t_norms:
        for _statistic, _index in STATISTICS.items():
            _name = f"{_statistic}-{_family}" + (f"-{_t_norm}" if _t_norm else "")
            SCORES[_name] = _score(_index, _family, _t_norm)

# A score of a partition with itself is 1 (mirkin: 0), bit for bit: b = c = 0 in every
# table of huellermeier.
REFLEXIVE = ["ndc", "aci"] + [name for name in SCORES if "huellermeier" in name]
NOT_REFLEXIVE = [name for name in SCORES if name not in REFLEXIVE]

# Bit for bit: no sum depends on which partition comes first.
SYMMETRIC = list(SCORES)

# Up to rounding, as sums change their order.
INVARIANT_TO_ORDER_OF_CLUSTERS = list(SCORES)
INVARIANT_TO_ORDER_OF_OBJECTS = list(SCORES)

# Bit for bit where a column of zeros adds nothing but zeros; where matrices are
# multiplied, their shape may change the order of sums.
INVARIANT_TO_EMPTY_CLUSTERS = list(SCORES)
BY_PRODUCTS = [
    name for name in SCORES if name.split("-")[-1] in ("frigui", "brouwer", "anderson")
]

# On crisp input.
CLASSICAL = {name: name.split("-")[0] for name in SCORES} | {
    "ndc": "rand",
    "aci": "adjusted_rand",
}
