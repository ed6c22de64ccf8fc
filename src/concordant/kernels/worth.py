"""Whether compiled code is worth its import; Numba is not needed to tell."""

import sys

# Nanoseconds that it takes to import Numba, and to load what is compiled; and the
# latter alone.
_IMPORT = 5e8
_LOAD = 5e7

_spent = 0.0  # nanoseconds of work that was done without


def compiled_pays(nanoseconds: float) -> bool:
    """
    Tell whether work that takes so long by NumPy is left to compiled code.

    It is once all work of this process, done so or about to be, would take longer than
    the import, if there is none yet, and loading. Both give the same bits.
    """
    global _spent
    _spent += nanoseconds
    return _spent > (_LOAD if "numba" in sys.modules else _IMPORT)
