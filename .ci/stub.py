"""Write the public names of the package to its stub, for type checkers."""

from inspect import signature
from pathlib import Path

import concordant

STUB = Path(__file__).parents[1] / "src" / "concordant" / "__init__.pyi"
#: Where functions are made, whose signatures type checkers do not see.
MADE = "concordant.measures.named_functions"
TYPES = {
    "concordant.catalogue.families": "Family",
    "concordant.catalogue.values": "Similarity",
    "concordant.partition.alignment": "MatchBy",
}


def stub() -> str:
    """Return the text of the stub."""
    homes: dict[str, str] = {
        **vars(concordant)["_homes"](),
        **vars(concordant)["_RESULTS"],
    }
    names: dict[str, list[str]] = {"concordant.version": ["__version__ as __version__"]}
    results = [*vars(concordant)["_RESULTS"]]
    for name in concordant.__all__:
        names.setdefault(homes.get(name, "concordant"), []).append(name)
    for name in results:
        names.setdefault(homes[name], []).append(f"{name} as {name}")
    made = names.pop(MADE, [])
    for module, name in TYPES.items():
        names.setdefault(module, []).append(name)
    lines = ["# Written by `make stub` from __init__.py and the catalogue."]
    lines += ["from typing import Literal", "", "import numpy as np", ""]
    for module in sorted(names):
        as_is = [f"    {name}," for name in sorted(names[module]) if " as " not in name]
        renamed = [[f"    {name},"] for name in sorted(names[module]) if " as " in name]
        for listed in filter(None, (*renamed, as_is)):
            lines += [f"from {module} import (", *listed, ")"]
    lines += [""] * bool(made)
    for name in made:
        lines += [f"def {name}(", *parameters(name), ") -> float: ..."]
    lines += ["", "__all__ = [  # noqa: RUF022"]
    lines += [*(f'    "{name}",' for name in concordant.__all__), "]", ""]
    return "\n".join(lines)


def parameters(name: str) -> list[str]:
    """Return the parameters of a function that is made, one in a line."""
    lines = []
    for each in signature(getattr(concordant, name)).parameters.values():
        if each.kind is each.KEYWORD_ONLY:
            if "    *," not in lines:
                lines.append("    *,")
            lines.append(f"    {each.name}: {each.annotation} = {each.default!r},")
        else:
            lines.append(f"    {each.name}: {each.annotation},")
    return [line.replace("'", '"') for line in lines]


if __name__ == "__main__":
    STUB.write_text(stub(), encoding="utf-8")
