"""Where random numbers come from: what users pass as `random_state`."""

import numpy as np

from concordant.errors import Argument, InputError, InputTypeError, Message

_EXPECTED = Message(
    Argument("random_state"),
    " must be a whole number from 0 on, a numpy.random.Generator or None",
)


def generator(random_state: object) -> np.random.Generator:
    """Return the generator of random numbers that a user's value stands for."""
    found = f", found {random_state!r}"
    if isinstance(random_state, bool | np.bool_):
        raise InputTypeError(_EXPECTED, found)
    try:
        return np.random.default_rng(random_state)  # type: ignore[arg-type]
    except TypeError as error:
        raise InputTypeError(_EXPECTED, found) from error
    except ValueError as error:
        raise InputError(_EXPECTED, found) from error
