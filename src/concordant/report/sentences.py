"""Numbers in the words of the report."""

import math

from concordant.measures.adjusted import Concordance
from concordant.printing import size_of_error

_LARGE = 1e5  # from where on decimals do not matter
_HUGE = 1e10  # from where on digits are too many
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def number(value: float, digits: int = 4) -> str:
    """Return a number for people: a true minus sign, a dash if it is not defined."""
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
    """Return a phrase on how far ACI may be from its exact value."""
    if result.is_exact:
        return "exact"
    sure = "with 95 % confidence" if result.is_estimate else "at most"
    return f"± {size_of_error(result.error)} {sure}"
