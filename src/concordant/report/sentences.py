"""Numbers in the words of the report."""

import math

from concordant.formulas.adjusted import Concordance

_LARGE = 1e5  # from where on decimals do not matter
_HUGE = 1e10  # from where on digits are too many
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def number(value: float, digits: int = 4) -> str:
    """
    Write a number for people to read.

    Parameters
    ----------
    value : float
        Any number.
    digits : int, default=4
        How many decimals.

    Returns
    -------
    str
        With a true minus sign; a dash if there is no value.

    Examples
    --------
    >>> from concordant.report.sentences import number
    >>> number(0.41666), number(1234567.0), number(1.5e12), number(float("nan"))
    ('0.4167', '1,234,567', '1.500 × 10¹²', '–')
    """
    if math.isnan(value):
        return "\u2013"
    if abs(value) >= _HUGE:
        mantissa, _, exponent = f"{value:.3e}".partition("e")
        text = f"{mantissa} \u00d7 10{str(int(exponent)).translate(_RAISED)}"
    elif abs(value) >= _LARGE:
        text = f"{value:,.0f}"
    else:
        text = f"{value:z.{digits}f}"
    return text.replace("-", "\u2212")


def error_of(result: Concordance) -> str:
    """
    Say how far ACI may be from its exact value.

    Parameters
    ----------
    result : Concordance
        With the error.

    Returns
    -------
    str
        A phrase.
    """
    if result.is_exact:
        return "exact"
    size = f"{result.error:.1e}" if result.error < 5e-5 else f"{result.error:.4f}"
    of_sample = error_is_of_sample(result)
    return f"± {size} " + ("with 95 % confidence" if of_sample else "at most")


def error_is_of_sample(result: Concordance) -> bool:
    """Tell whether ACI is an estimate from some of all pairs or permutations."""
    pairs = result.n_objects * (result.n_objects - 1) // 2
    return result.n_permutations is not None or result.n_pairs < pairs


def verdict(result: Concordance) -> str:
    """
    Say what ACI means.

    Parameters
    ----------
    result : Concordance
        The result.

    Returns
    -------
    str
        A sentence or two.
    """
    d, expected = result.discordance, result.expected_discordance
    if expected == 0.0:
        return "Both partitions find every pair of objects equally similar."
    if d == 0.0:
        return (
            "The partitions find every pair of objects equally similar: no difference."
        )
    share = d / expected
    size = f"{share:.0%}" if share >= 0.01 else "less than 1%"
    told = (
        f"The similarities of two objects differ by {number(d, 3)} on average, where "
        f"unrelated partitions of this shape would differ by {number(expected, 3)}"
    )
    if share > 1.0:
        return f"{told}: more than by chance."
    return f"{told}: {size.replace('%', ' %')} of what chance would give."
