"""Write the public names of the package to its stub, for type checkers."""

from pathlib import Path

import concordant

STUB = Path(__file__).parents[1] / "src" / "concordant" / "__init__.pyi"


def stub() -> str:
    """Return the text of the stub."""
    homes: dict[str, str] = vars(concordant)["_homes"]()
    names: dict[str, list[str]] = {"concordant.version": ["__version__ as __version__"]}
    for name in concordant.__all__:
        names.setdefault(homes.get(name, "concordant"), []).append(name)
    lines = ["# Written by `make stub` from __init__.py and catalogue.py."]
    for module in sorted(names):
        listed = (f"    {name}," for name in names[module])
        lines += [f"from {module} import (", *listed, ")"]
    lines += ["", "__all__ = ["]
    lines += [*(f'    "{name}",' for name in concordant.__all__), "]", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    STUB.write_text(stub(), encoding="utf-8")
