"""Times next to packages of R, where R and they are installed; nothing is fetched."""

import shutil
import subprocess
from collections.abc import Iterator
from itertools import product

from benchmarks.contest import contest
from benchmarks.row import Row

#: Functions of each package; what of ours is timed next to them, by contender and name.
INDICES = {"FARI": ("aci", "fari"), "fclust": ("RI.F", "ARI.F")}
OURS = {
    "FARI": ("ACI", "aci_on_one_core", ["fuzzy"]),
    "fclust": ("table of Campello with labels", "campello_with_labels", []),
}
SIZES = (1000, 4000)
K = 3


def with_r() -> Iterator[Row]:
    """Measure at some sizes, or say in one line what is missing."""
    absent = missing()
    if absent:
        print(f"not compared with R: {' and '.join(absent)} not installed")
    for package in () if "Rscript" in absent else sorted(INDICES.keys() - absent):
        name, contender, options = OURS[package]
        for index, n in product(INDICES[package], SIZES):
            ours, peer = contest(
                [contender, n, K, *options],
                ["in_r", f"{package}::{index}", n, K],
                rounds=2,
            )
            text = f"{name}, n={n}, K={K}, one core / {index} of R's {package}"
            yield Row.faster(text, ours, peer, None)


def missing() -> list[str]:
    """
    Find what is not installed.

    Returns
    -------
    list of str
        ``"Rscript"``, or names of packages; empty if all is there.
    """
    if shutil.which("Rscript") is None:
        return ["Rscript"]
    names = ", ".join(f"'{name}'" for name in INDICES)
    code = f"cat(setdiff(c({names}), rownames(installed.packages())), sep='\\n')"
    found = subprocess.run(
        ["Rscript", "--vanilla", "-e", code],
        check=True,
        capture_output=True,
        text=True,
    )
    return found.stdout.split()
