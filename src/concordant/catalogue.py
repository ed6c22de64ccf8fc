"""What there is: families, statistics, indices and models of chance, declared once."""

from dataclasses import dataclass
from typing import Literal

TNorm = Literal["min", "product", "lukasiewicz"]
Family = Literal["crisp", "campello", "frigui", "brouwer", "anderson", "huellermeier"]


@dataclass(frozen=True)
class FamilyTraits:
    """What a family takes."""

    t_norms: tuple[TNorm, ...] = ()  # the first is the default
    fuzzy: bool = True
    possibilistic: bool = False


FAMILIES: dict[Family, FamilyTraits] = {
    "crisp": FamilyTraits(fuzzy=False),
    "campello": FamilyTraits(t_norms=("min", "product"), possibilistic=True),
    "frigui": FamilyTraits(),
    "brouwer": FamilyTraits(possibilistic=True),
    "anderson": FamilyTraits(possibilistic=True),
    "huellermeier": FamilyTraits(t_norms=("product", "min", "lukasiewicz")),
}


def table_name(family: Family, t_norm: TNorm | None) -> str:
    """Name a table: ``"family"``, or ``"family (t-norm)"`` where it has a choice."""
    return family if t_norm is None else f"{family} ({t_norm})"


def families_of_kinds(*kinds: str) -> tuple[Family, ...]:
    """List the families that are defined for partitions of some kinds."""
    return tuple(
        family
        for family, traits in FAMILIES.items()
        if (traits.fuzzy or {*kinds} == {"crisp"})
        and (traits.possibilistic or "possibilistic" not in kinds)
    )


#: The families and t-norms of all tables, by name.
TABLES: dict[str, tuple[Family, TNorm | None]] = {
    table_name(family, t_norm): (family, t_norm)
    for family, traits in FAMILIES.items()
    for t_norm in traits.t_norms or (None,)
}
