"""What stands in a cell whose value is missing."""

_MISSING = frozenset(
    {
        "",
        "?",  # Weka
        "#n/a",
        "#na",
        "+nan",
        "-nan",
        "1.#ind",
        "1.#qnan",
        "-1.#ind",
        "-1.#qnan",
        "<na>",
        "missing",  # Julia
        "n/a",
        "na",
        "nan",
        "nat",
        "none",
        "null",
    }
)


def means_missing(cell: str) -> bool:
    """
    Tell whether a cell says that its value is missing.

    An empty cell does, ``NA``, ``NaN``, ``None``, ``NULL``, ``?`` and the like, in
    capitals or not.

    Examples
    --------
    >>> from concordant.files.missing import means_missing
    >>> [means_missing(cell) for cell in ("NA", "-nan", " ", "0", "nano")]
    [True, True, True, False, False]
    """
    return len(cell) < 64 and cell.strip().casefold() in _MISSING
