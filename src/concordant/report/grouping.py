"""The groups of the objects that partitions share."""

from collections.abc import Sequence

from concordant.errors import Argument, InputError
from concordant.partition.alignment import MatchBy, all_aligned
from concordant.partition.partition import Partition


def with_groups(
    partitions: Sequence[Partition],
    names: Sequence[str],
    match_by: MatchBy,
    groups: object,
) -> tuple[list[Partition], object]:
    """Return the partitions on the objects that all have, and the groups of these."""
    if groups is None or groups is True:
        return all_aligned([*partitions], [*names], match_by), groups
    given = Partition._named(groups, "groups", warn=False)
    if given.kind != "crisp":
        raise InputError(
            Argument("groups"),
            " must have one label for each object, found memberships in several",
        )
    *members, found = all_aligned([*partitions, given], [*names, "groups"], match_by)
    return members, found
