"""How much memory the machine has."""

import os


def memory() -> int | None:
    """
    Tell how much memory the machine has.

    Returns
    -------
    int or None
        Bytes; None if the system does not say.
    """
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return None
