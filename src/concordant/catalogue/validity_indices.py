"""Indices of a partition and its data."""

from dataclasses import dataclass
from typing import Literal

from concordant.catalogue.records import Record, by_name

_GATHERED = "hardened; a is the mean distance to the others of one's cluster, b the "
_GATHERED += "least mean distance to those of another, s = (b - a) / max(a, b)"


@dataclass(frozen=True)
class ValidityRecord(Record):
    """
    An index of a partition and its data, which is best where it is highest or lowest.

    Its formula is the function of its name in ``choosing.validity_formulas``. In
    `definition` are the objects x_i and their mean, the memberships u_ik, the centres
    h_k, the fuzzifier m, d_ik^2 = |x_i - h_k|^2, and gap = min |h_k - h_l|^2.
    """

    title: str
    best: Literal["highest", "lowest"]
    definition: str
    source: str  # a key of the bibliography

    @property
    def formula(self) -> str:
        """Where its formula is: ``formula(fit)``."""
        return f".choosing.validity_formulas:{self.name}"


#: Indices of a partition and its data, by name.
VALIDITY = by_name(
    ValidityRecord(
        "pc", "partition coefficient", "highest", "sum u_ik^2 / n", "bezdek-1974"
    ),
    ValidityRecord(
        "mpc",
        "modified partition coefficient",
        "highest",
        "1 - K / (K - 1) (1 - pc)",
        "dave-1996",
    ),
    ValidityRecord(
        "pe",
        "partition entropy, in nats",
        "lowest",
        "-sum u_ik ln u_ik / n",
        "bezdek-1974",
    ),
    ValidityRecord(
        "xb", "Xie and Beni", "lowest", "sum u_ik^m d_ik^2 / (n gap)", "xie-1991"
    ),
    ValidityRecord(
        "fs",
        "Fukuyama and Sugeno",
        "lowest",
        "sum u_ik^m (d_ik^2 - |h_k - mean|^2)",
        "fukuyama-1989",
    ),
    ValidityRecord(
        "kwon",
        "Kwon",
        "lowest",
        "(sum u_ik^2 d_ik^2 + sum |h_k - mean|^2 / K) / gap",
        "kwon-1998",
    ),
    ValidityRecord(
        "kwon2",
        "Kwon, Kim and Son",
        "lowest",
        "w1 (w2 sum u_ik^(2^sqrt(m / 2)) d_ik^2 + sum |h_k - mean|^2 / "
        "max |h_k - mean|^2 + w3) / (gap + 1 / K + 1 / K^(m - 1)), with "
        "w1 = (n - K + 1) / n, w2 = (K / (K - 1))^sqrt(2), w3 = n K / (n - K + 1)^2",
        "kwon-2021",
    ),
    ValidityRecord(
        "tang",
        "Tang, Sun and Sun",
        "lowest",
        "(sum u_ik^2 d_ik^2 + 2 sum_(k<l) |h_k - h_l|^2 / (K (K - 1))) / (gap + 1 / K)",
        "tang-2005",
    ),
    ValidityRecord(
        "pbm",
        "Pakhira, Bandyopadhyay and Maulik",
        "highest",
        "(sum |x_i - mean| / (K sum u_ik^m d_ik) max |h_k - h_l|)^2",
        "pakhira-2004",
    ),
    ValidityRecord(
        "pcaes",
        "partition coefficient and exponential separation",
        "highest",
        "sum_k (sum_i u_ik^2 / u - exp(-min_(l) |h_k - h_l|^2 / b)), u the least "
        "sum_i u_ik^2, b the mean squared distance of the centres from their mean",
        "wu-2005",
    ),
    ValidityRecord(
        "fhv",
        "fuzzy hypervolume",
        "lowest",
        "sum_k sqrt(det C_k), C_k the covariance about h_k with weights u_ik^m",
        "gath-1989",
    ),
    ValidityRecord(
        "silhouette",
        "silhouette",
        "highest",
        f"mean s of the partition {_GATHERED}",
        "rousseeuw-1987",
    ),
    ValidityRecord(
        "silhouette_squared",
        "silhouette, squared distances",
        "highest",
        "as silhouette, of squared distances",
        "rousseeuw-1987",
    ),
    ValidityRecord(
        "fuzzy_silhouette",
        "fuzzy silhouette",
        "highest",
        "mean s weighted by the largest less the second largest membership",
        "campello-2006",
    ),
    ValidityRecord(
        "fuzzy_silhouette_squared",
        "fuzzy silhouette, squared distances",
        "highest",
        "as fuzzy_silhouette, of squared distances",
        "campello-2006",
    ),
)
