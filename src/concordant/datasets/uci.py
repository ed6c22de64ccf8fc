"""The real data sets of the paper, from the UCI Machine Learning Repository."""

import csv
import gzip
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from concordant.door import checked
from concordant.wording import check_choice, pandas_for

if TYPE_CHECKING:
    import pandas as pd

Data = TypeVar("Data")
Target = TypeVar("Target")

NAMES = ("vehicle", "sonar", "pima", "iris", "ionosphere", "flags")


@dataclass(frozen=True, eq=False)
class Dataset(Generic[Data, Target]):
    """
    A data set with known classes.

    Parameters
    ----------
    data : ndarray or DataFrame of shape (n, p)
        The numeric features.
    target : ndarray or Series of shape (n,)
        The class of each object, as a position in `target_names`.
    target_names : ndarray of shape (C,)
        The names of the classes, sorted.
    feature_names : list of p str
        The names of the features.
    frame : DataFrame or None
        Features and target together; None for arrays.
    DESCR : str
        Where the data come from and how to cite them.
    """

    data: Data
    target: Target
    target_names: NDArray[np.str_]
    feature_names: list[str]
    frame: "pd.DataFrame | None"
    DESCR: str


@overload
def load_uci(
    name: str, *, as_frame: Literal[False] = False
) -> Dataset[NDArray[np.float64], NDArray[np.intp]]: ...


@overload
def load_uci(
    name: str, *, as_frame: Literal[True]
) -> "Dataset[pd.DataFrame, pd.Series[int]]": ...


@checked
def load_uci(name: str, *, as_frame: bool = False) -> Dataset[Any, Any]:
    """
    Load one of the six real data sets of the paper.

    Parameters
    ----------
    name : {"vehicle", "sonar", "pima", "iris", "ionosphere", "flags"}
        Which one.
    as_frame : bool, default=False
        Whether to return pandas objects instead of NumPy arrays.

    Returns
    -------
    Dataset
        With the attributes `data`, `target`, `target_names`, `feature_names`,
        `frame` and `DESCR`, as scikit-learn's loaders have them.

    Raises
    ------
    ValueError
        If there is no such data set.
    ImportError
        If frames are asked for and pandas is not installed.

    References
    ----------
    The paper, section "Comparing estimated and true fuzzy partitions".

    Examples
    --------
    >>> from concordant.datasets import load_uci
    >>> iris = load_uci("iris")
    >>> iris.data.shape
    (150, 4)
    >>> iris.target_names[iris.target[[0, 50, 100]]].tolist()
    ['setosa', 'versicolor', 'virginica']
    >>> load_uci("iris", as_frame=True).data.mean().round(3).tolist()
    [5.843, 3.057, 3.758, 1.199]
    """
    check_choice("name", name, NAMES, optional=False)
    folder = resources.files("concordant.datasets").joinpath("data")
    packed = folder.joinpath(f"{name}.csv.gz").read_bytes()
    header, *rows = csv.reader(gzip.decompress(packed).decode("ascii").splitlines())
    *feature_names, _ = header
    data: Any = np.array([row[:-1] for row in rows]).astype(np.float64)
    classes = np.array([row[-1] for row in rows])
    target_names, target = np.unique(classes, return_inverse=True)
    frame = None
    if as_frame:
        pd = pandas_for("as_frame=True", "; arrays do without")
        data = pd.DataFrame(data, columns=feature_names)
        frame = data.assign(target=target)
        target = frame["target"]
    source = folder.joinpath(f"{name}.txt").read_text(encoding="ascii")
    return Dataset(data, target, target_names, feature_names, frame, source)
