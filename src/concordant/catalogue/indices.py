"""Indices of two partitions."""

from dataclasses import dataclass
from math import inf

from concordant.catalogue.records import (
    ALWAYS,
    ANY_KIND,
    FREE_SUMS,
    Cost,
    MeasureRecord,
    by_name,
)
from concordant.catalogue.terms import CONCORDANCE, DISCORDANCE, Term


@dataclass(frozen=True)
class IndexRecord(MeasureRecord):
    """
    A formula on terms: ``formula(*terms)`` gives a `Score`.

    If rows of memberships need not sum to 1, that may be another one, of other terms.
    """

    terms: tuple[Term, ...]
    free_formula: str = ""
    free_terms: tuple[Term, ...] = ()
    check: str = ""  # refuses some partitions of these kinds: ``check(P, Q)``
    by_default: bool = False  # whether `compare` computes it unasked
    of_crisp: str | None = None  # the statistic that it is of two crisp partitions
    changes: str = ""  # if an object is left out, for each, from means over its pairs

    @property
    def cost(self) -> Cost:
        """What its time goes with."""
        return "pairs" if any(term.is_of_pairs for term in self.terms) else "objects"

    def made_for(self, *kinds: str) -> tuple[str, tuple[Term, ...]]:
        """Return the formula for partitions of some kinds, and the terms it takes."""
        if FREE_SUMS & {*kinds} and self.free_formula:
            return self.free_formula, self.free_terms
        return self.formula, self.terms


INDICES = by_name(
    IndexRecord(
        name="aci",
        title="Adjusted concordance index",
        heading="ACI",
        reading="Agreement corrected for chance: 1 for equal partitions, 0 by chance.",
        formula=".measures.adjusted:aci",
        terms=(CONCORDANCE,),
        by_default=True,
        range=(-2.0, 1.0),
        changes=".inference.leave_one_out:changes_of_aci",
        of_crisp="adjusted_rand",
        options=("similarity", "null", "clip"),
        draws=("tol", "random_state"),
        function=".measures.named_functions:adjusted_concordance_index",
    ),
    IndexRecord(
        name="ndc",
        title="Normalized degree of concordance",
        heading="NDC",
        reading="Mean agreement on a pair of objects; it is often high for unrelated "
        "partitions as well.",
        formula=".measures.adjusted:ndc",
        terms=(DISCORDANCE,),
        by_default=True,
        changes=".inference.leave_one_out:changes_of_ndc",
        of_crisp="rand",
        also=("frand",),
        options=("similarity",),
        draws=("tol", "random_state"),
        function=".measures.named_functions:normalized_degree_of_concordance",
    ),
    IndexRecord(
        name="expected",
        title="Expected NDC",
        heading="expected NDC",
        reading="The NDC that chance gives: its mean over all permutations of the "
        "objects of one partition.",
        formula=".measures.adjusted:expected",
        terms=(CONCORDANCE,),
        by_default=True,
        laws=ALWAYS | {"within range"},
        also=("expected_ndc",),
        options=("similarity", "null"),
        draws=("tol", "random_state"),
    ),
    IndexRecord(
        name="agri",
        title="Adjusted generalized Rand index",
        heading="AGRI",
        reading="Agreement on the inner products of memberships, corrected for chance: "
        "1 for equal partitions, 0 by chance, the adjusted Rand index for crisp "
        "partitions.",
        formula=".measures.adjusted:aci",
        terms=(Term("concordance", "inner"),),
        free_formula=".measures.generalized_rand:free_agri",
        free_terms=(
            Term("concordance", "inner"),
            Term("concordance", "outer"),
            Term("row products"),
        ),
        kinds=ANY_KIND,
        range=(-2.0, 1.0),
        of_crisp="adjusted_rand",
        also=("13agri",),
    ),
    IndexRecord(
        name="gri",
        title="Generalized Rand index",
        heading="GRI",
        reading="Mean agreement on the inner products of memberships; it is often high "
        "for unrelated partitions as well.",
        formula=".measures.adjusted:ndc",
        terms=(Term("discordance", "inner"),),
        free_formula=".measures.generalized_rand:free_gri",
        free_terms=(
            Term("discordance", "inner"),
            Term("discordance", "outer"),
            Term("row products"),
        ),
        kinds=ANY_KIND,
        of_crisp="rand",
        also=("13gri",),
    ),
    *(
        IndexRecord(
            name=f"credal_{distance}",
            title=f"Credal Rand index with {title}",
            heading=f"credal Rand {distance}",
            reading=f"One minus the mean {title} between what the partitions say about "
            "a pair, as belief functions; for crisp and fuzzy partitions, whose masses "
            "lie on single clusters, it is the generalized Rand index.",
            formula=".measures.adjusted:ndc",
            terms=(Term("discordance", "inner"),),
            same_as="gri",
            of_crisp="rand",
        )
        for distance, title in (("j", "Jousselme distance"), ("b", "belief distance"))
    ),
    IndexRecord(
        name="omega",
        title="Omega index",
        heading="omega",
        reading="For covers, the share of pairs that are together in the same number "
        "of clusters in both, corrected for chance; for other memberships, "
        "how close the inner products are, which for crisp and fuzzy "
        "partitions is the adjusted generalized Rand index.",
        formula=".measures.adjusted:aci",
        terms=(Term("concordance", "inner"),),
        free_formula=".measures.generalized_rand:omega",
        free_terms=(
            Term("pair sums", "omega"),
            Term("concordance", "inner"),
            Term("distributions", "inner"),
        ),
        range=(-2.0, 1.0),
        kinds=ANY_KIND,
        of_crisp="adjusted_rand",
        also=("omega_index",),
        same_as="agri",
    ),
    IndexRecord(
        name="element_centric",
        title="Element-centric similarity",
        heading="element-centric",
        reading="How alike the random walks over clusters that start from the same "
        "object are, on average; it is not corrected for chance.",
        formula=".measures.element_centric:element_centric",
        terms=(Term("discordance", "element"), Term("own affinities")),
        free_formula=".measures.element_centric:of_mean_score",
        free_terms=(Term("mean score"),),
        kinds=("crisp", "fuzzy", "overlapping"),
        check=".measures.element_centric:check_walk",
        also=("elsim", "ecs"),
        options=("alpha",),
    ),
    *(
        IndexRecord(
            name=f"wallace_{side.lower()}",
            title=f"Fuzzy Wallace index of {side} in {other}",
            heading=f"Wallace of {side}",
            reading="How far the partitions agree, on average, on the similarity of a "
            f"pair that {side} holds together: for crisp partitions the share of the "
            f"pairs within a cluster of {side} that are within a cluster of {other}; "
            "it is often high for unrelated partitions as well.",
            formula=f".measures.fuzzy_wallace:of_{side.lower()}",
            terms=(Term("pair sums", "wallace"), Term("lost weights")),
            laws=ALWAYS - {"symmetric"} | {"reflexive", "within range"},
        )
        for side, other in ("PQ", "QP")
    ),
    IndexRecord(
        name="nmi",
        title="Normalized mutual information",
        heading="NMI",
        reading="How much the clusters of one partition tell about those of the other, "
        "as a share of their mean entropy; it is not corrected for chance, and a fuzzy "
        "partition does not reach 1 with itself.",
        formula=".measures.mutual_information:nmi",
        terms=(Term("contingency"),),
        laws=ALWAYS | {"within range"},
        also=("normalized_mutual_info_score",),
        options=("average",),
        function=".measures.named_functions:normalized_mutual_information",
    ),
    IndexRecord(
        name="fri",
        title="Fuzzy Rand index of Andrews, Browne and Hvingelby",
        heading="FRI",
        reading="Agreement of the inner products of memberships, each partition's "
        "scaled to be as close to 1 as possible; it is often high for "
        "unrelated partitions as well.",
        formula=".measures.fuzzy_rand:fri",
        terms=(Term("bonds"),),
        range=(None, 1.0),
        of_crisp="rand",
    ),
    IndexRecord(
        name="fari",
        title="Fuzzy adjusted Rand index",
        heading="FARI",
        reading="FRI corrected for chance: 1 for equal partitions, 0 by chance; it "
        "depends on the last digits of memberships where all are near 1/K.",
        formula=".measures.fuzzy_rand:fari",
        terms=(Term("bonds"),),
        range=(None, 1.0),
        of_crisp="adjusted_rand",
    ),
    IndexRecord(
        name="mutual_information",
        title="Mutual information",
        heading="mutual inf.",
        reading="How much the clusters of one partition tell about those of the other, "
        "in nats.",
        formula=".measures.mutual_information:mutual_information",
        terms=(Term("contingency"),),
        range=(0.0, None),
        best=inf,
        laws=ALWAYS | {"within range"},
        also=("mi", "mutual_info", "mutual_info_score"),
    ),
    IndexRecord(
        name="vi",
        title="Variation of information",
        heading="VI",
        reading="How much of each partition the other leaves unexplained, in nats: a "
        "distance, 0 for equal crisp partitions.",
        formula=".measures.mutual_information:vi",
        terms=(Term("contingency"),),
        range=(0.0, None),
        best=0.0,
        laws=ALWAYS | {"within range"},
    ),
    IndexRecord(
        name="homogeneity",
        title="Homogeneity",
        heading="homogeneity",
        reading="The share of the entropy of P that the clusters of Q explain: 1 if "
        "each of them holds objects of one cluster of P.",
        formula=".measures.mutual_information:homogeneity",
        terms=(Term("contingency"),),
        laws=ALWAYS - {"symmetric"} | {"within range"},
        also=("hom", "homogeneity_score"),
    ),
    IndexRecord(
        name="completeness",
        title="Completeness",
        heading="completeness",
        reading="The share of the entropy of Q that the clusters of P explain: 1 if "
        "the objects of each of them are in one cluster of Q.",
        formula=".measures.mutual_information:completeness",
        terms=(Term("contingency"),),
        laws=ALWAYS - {"symmetric"} | {"within range"},
        also=("com", "completeness_score"),
    ),
    IndexRecord(
        name="v_measure",
        title="V-measure",
        heading="V-measure",
        reading="The harmonic mean of homogeneity and completeness, which is NMI.",
        formula=".measures.mutual_information:nmi",
        terms=(Term("contingency"),),
        laws=ALWAYS | {"within range"},
        also=("v", "v_measure_score"),
        same_as="nmi",
    ),
    IndexRecord(
        name="purity",
        title="Purity",
        heading="purity",
        reading="The share of the objects that belong to the main cluster of P in "
        "their cluster of Q; it grows with the number of clusters of Q.",
        formula=".measures.mutual_information:purity",
        terms=(Term("contingency"),),
        laws=ALWAYS - {"symmetric"} | {"within range"},
    ),
    IndexRecord(
        name="ami",
        title="Adjusted mutual information",
        heading="AMI",
        reading="Mutual information corrected for chance: 0 by chance, 1 for equal "
        "crisp partitions; a fuzzy partition does not reach 1 with itself.",
        formula=".measures.mutual_information:ami",
        terms=(Term("contingency"), Term("expected information")),
        range=(None, 1.0),
        laws=ALWAYS - {"order of objects"} | {"within range"},
        also=("adjusted_mutual_info_score",),
        draws=("random_state",),
        function=".measures.named_functions:adjusted_mutual_information",
    ),
    IndexRecord(
        name="hardened_ari",
        title="Adjusted Rand index of random labels",
        heading="ARI of random labels",
        reading="The mean adjusted Rand index when each object's cluster is drawn from "
        "its memberships; a fuzzy partition does not reach 1 with itself.",
        formula=".measures.hardenings:hardened_ari",
        terms=(Term("hardened"),),
        range=(None, 1.0),
        laws=frozenset({"symmetric", "empty clusters", "within range"}),
        of_crisp="adjusted_rand",
        draws=("random_state",),
    ),
    IndexRecord(
        name="matched",
        title="Agreement after matching the clusters",
        heading="matched",
        reading="How near the memberships are once each cluster has been paired with "
        "its counterpart, by the Euclidean distance: G' of CLUMPP.",
        formula=".measures.matched:matched",
        terms=(Term("matching"),),
        options=("distance",),
    ),
)
