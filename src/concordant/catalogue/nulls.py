"""Models of chance."""

from dataclasses import dataclass

from concordant.catalogue.records import Record, by_name


@dataclass(frozen=True)
class NullRecord(Record):
    """
    A model of chance: what d would be if the partitions were unrelated.

    ``formula(P, Q, terms, run)`` returns E[d] as an `Expectation`, from the terms of
    pairs, with distributions if it needs these. ACI is at least `lowest` under it; None
    if there is no bound. Where it only permutes what there is, ACI is 0 if one
    partition says the same of all pairs. ``influence(P, Q, means, run)`` returns what
    each object contributes to E[d] as an `Influence`, from `ObjectMeans`; without it
    there is no interval under this model.
    """

    title: str
    reading: str
    formula: str
    needs_distributions: bool = False
    lowest: float | None = None
    permutes: bool = False
    symmetric: bool = True  # whether P and Q may be exchanged
    influence: str = ""


NULLS = by_name(
    NullRecord(
        name="permutations",
        title="permutations of the objects",
        reading="The objects of one partition are permuted in all n! ways.",
        formula=".nulls.permutations:expectation",
        needs_distributions=True,
        lowest=-2.0,
        permutes=True,
        influence=".nulls.permutations:influence",
    ),
    NullRecord(
        name="sampled-permutations",
        title="random permutations of the similarities",
        reading="The similarities of one partition are permuted at random, as often as "
        "`n_permutations` says.",
        formula=".nulls.sampled_permutations:expectation",
        permutes=True,
    ),
    *(
        NullRecord(
            name=f"dirichlet-{model}{suffix}",
            title=f"{model} Dirichlet distribution of {who}",
            reading=f"The memberships of each object of {who} are drawn from a "
            f"Dirichlet distribution: {which}.",
            formula=f".nulls.dirichlet:{model}{suffix.replace('-', '_')}",
            needs_distributions=bool(suffix),
            symmetric=not suffix,
        )
        for model, which in (
            ("flat", "all rows are equally likely"),
            (
                "symmetric",
                "the one of maximum likelihood with the same mean in all clusters",
            ),
            ("fitted", "the one of maximum likelihood"),
        )
        for suffix, who in (("", "both partitions"), ("-one-sided", "Q"))
    ),
)
