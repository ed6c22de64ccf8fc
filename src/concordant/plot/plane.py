"""Points in the plane whose distances come near to given ones."""

import numpy as np
from numpy.typing import NDArray


def in_the_plane(
    distances: NDArray[np.float64],
) -> tuple[NDArray[np.float64], float]:
    """
    Place points by classical multidimensional scaling.

    With J = I - 1/k, the two largest eigenvalues of -J D² J / 2, where they are
    positive, and their eigenvectors give the coordinates.

    Parameters
    ----------
    distances : ndarray of shape (k, k)
        D, symmetric, with zeros on the diagonal.

    Returns
    -------
    tuple of an ndarray of shape (k, 2) and a float
        The points, and the share of the positive eigenvalues that the plane shows,
        from 0 to 1.

    Notes
    -----
    O(k³). Of the two directions that an axis may have, the one in which the point
    farthest from the middle has a positive coordinate is taken.

    References
    ----------
    Torgerson (1952), Psychometrika 17, 401-419.

    Examples
    --------
    >>> import numpy as np
    >>> from concordant.plot.plane import in_the_plane
    >>> points, share = in_the_plane(np.array([[0, 3, 4], [3, 0, 5], [4, 5, 0.0]]))
    >>> np.linalg.norm(points[1] - points[2]).round(9), round(share, 9)
    (np.float64(5.0), 1.0)
    """
    squares = distances**2
    centred = squares - squares.mean(axis=0)
    centred = -0.5 * (centred - centred.mean(axis=1, keepdims=True))
    values, vectors = np.linalg.eigh((centred + centred.T) / 2.0)
    values = np.maximum(values[::-1], 0.0)
    points = np.zeros((len(distances), 2))
    width = min(2, len(distances))
    points[:, :width] = vectors[:, ::-1][:, :width] * np.sqrt(values[:width])
    farthest = np.abs(points).argmax(axis=0)
    points *= np.where(points[farthest, [0, 1]] < 0.0, -1.0, 1.0)
    total = float(values.sum())
    return points, float(values[:2].sum()) / total if total > 0.0 else 1.0
