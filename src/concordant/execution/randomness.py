"""Where random numbers come from: what users pass as `random_state`."""

import numpy as np

from concordant.errors import Argument, InputError, InputTypeError, Message

_EXPECTED = Message(
    Argument("random_state"),
    " must be a whole number from 0 on, a numpy.random.Generator or None",
)


def generator(random_state: object) -> np.random.Generator:
    """
    Make a generator of random numbers of what a user passed.

    Parameters
    ----------
    random_state : int, numpy.random.Generator or None
        Or whatever else `numpy.random.default_rng` takes.

    Returns
    -------
    numpy.random.Generator
        The user's, or a new one.

    Raises
    ------
    TypeError, ValueError
        With what was found, if it is none of these.
    """
    found = f", found {random_state!r}"
    if isinstance(random_state, bool | np.bool_):
        raise InputTypeError(_EXPECTED, found)
    try:
        return np.random.default_rng(random_state)  # type: ignore[arg-type]
    except TypeError as error:
        raise InputTypeError(_EXPECTED, found) from error
    except ValueError as error:
        raise InputError(_EXPECTED, found) from error
