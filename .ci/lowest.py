"""Print the lowest versions that pyproject.toml allows, as requirements for pip.

    python .ci/lowest.py [EXTRA]...

Each requirement of the package, and of the extras named, becomes a pin at its lower
bound: ``"scipy>=1.11"`` is ``scipy==1.11``. One without a lower bound is an error.
"""

import re
import sys
import tomllib
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"

_BOUND = re.compile(r"([A-Za-z0-9._-]+(?:\[[^\]]+\])?)\s*(?:>=|==)\s*([0-9][0-9.]*)")


def lowest(requirement: str) -> str:
    """Pin a requirement at its lower bound."""
    found = _BOUND.fullmatch(requirement.strip())
    if found is None:
        raise ValueError(
            f"{requirement!r} is no name with one lower bound, such as 'numpy>=1.26'"
        )
    return f"{found[1]}=={found[2]}"


def lowest_versions(*extras: str) -> list[str]:
    """Pin what the package requires, and what it does with some extras."""
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    wanted = list(project["dependencies"])
    for extra in extras:
        wanted += project["optional-dependencies"][extra]
    return [lowest(requirement) for requirement in wanted]


if __name__ == "__main__":
    print("\n".join(lowest_versions(*sys.argv[1:])))
