"""How far dissimilarities may be off because doubles are rounded."""

#: The largest relative error of one operation on doubles.
UNIT_ROUNDOFF = 2.0**-53


def of_dissimilarities(K: int, mean: float) -> float:
    """
    Bound the mean error of dissimilarities that are sums of K absolute differences.

    Parameters
    ----------
    K : int
        The number of clusters.
    mean : float
        The mean of the dissimilarities as computed.

    Returns
    -------
    float
        Each difference is rounded once and takes part in at most K - 1 additions of
        numbers that are not negative; one more unit covers products of these errors.
    """
    return (K + 1) * UNIT_ROUNDOFF * mean
