"""What people call an index."""

import re
from difflib import get_close_matches
from functools import cache

from concordant.catalogue.families import STATISTICS
from concordant.catalogue.indices import INDICES
from concordant.errors import Argument, InputError, InputTypeError, Wordings
from concordant.wording import either


def index_named(argument: str, given: object, *others: str) -> str:
    """
    Return the name of the index or statistic that people call so, in any case.

    `others` may be said instead of one; an unknown name is refused with the nearest.
    """
    if not isinstance(given, str):
        what = f" must be the name of an index, found {given!r:.60}"
        raise InputTypeError(Argument(argument), what)
    spellings = {name: name for name in others} | _spellings()
    found = spellings.get(_plain(given))
    if found is not None:
        return found
    near = get_close_matches(_plain(given), spellings)
    hint = proposed(*dict.fromkeys(spellings[name] for name in near))
    raise InputError(
        Argument(argument),
        " must be a name that ",
        Wordings("concordant.indices() lists", "concordant compare --help lists"),
        f", found {given!r:.60}{hint}",
    )


def proposed(*names: str) -> str:
    """Ask whether one of the names was meant; empty if there is none."""
    return f"; did you mean {either(names)}?" if names else ""


def _plain(name: str) -> str:
    """Return a name without case, blanks and hyphens."""
    return re.sub(r"\W+", "_", name.strip().lower())


@cache
def _spellings() -> dict[str, str]:
    """Return the names of all indices by what people call them."""
    records = (*INDICES.values(), *STATISTICS.values())
    names = {
        _plain(spelling): record.name
        for record in reversed(records)
        for spelling in (
            record.title,
            record.heading,
            record.function.rpartition(":")[2] or record.name,
            *record.also,
        )
    }
    return names | {record.name: record.name for record in records}
