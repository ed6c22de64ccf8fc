"""Indices of a partition and its data."""

from typing import Literal

#: Where each index is best; its formula is in ``choosing.validity_formulas``.
VALIDITY: dict[str, Literal["highest", "lowest"]] = {
    "pc": "highest",
    "mpc": "highest",
    "pe": "lowest",
    "xb": "lowest",
    "fs": "lowest",
    "kwon": "lowest",
    "kwon2": "lowest",
    "tang": "lowest",
    "pbm": "highest",
    "pcaes": "highest",
    "fhv": "lowest",
    "silhouette": "highest",
    "silhouette_squared": "highest",
    "fuzzy_silhouette": "highest",
    "fuzzy_silhouette_squared": "highest",
}
