"""The schemas of the JSON that commands print, as JSON Schema."""

import json
from importlib import resources
from typing import Any

from concordant.catalogue import FAMILIES, INDICES, STATISTICS, T_NORMS


def json_schema(command: str) -> dict[str, Any]:
    """Give the schema of a command, with the names that the catalogue lists."""
    file = resources.files("concordant.cli").joinpath("schemas", f"{command}.json")
    schema: dict[str, Any] = _with_names(json.loads(file.read_text(encoding="utf-8")))
    return schema


def _with_names(part: Any) -> Any:
    """Put lists of names where a schema says which list is meant."""
    names: dict[str, list[str | None]] = {
        "indices": [*INDICES, *STATISTICS],
        "families": [*FAMILIES],
        "families or null": [*FAMILIES, None],
        "t-norms or null": [*T_NORMS, None],
    }
    if isinstance(part, list):
        return [_with_names(item) for item in part]
    if not isinstance(part, dict):
        return part
    filled = {key: _with_names(value) for key, value in part.items()}
    if isinstance(part.get("enum"), str):
        filled["enum"] = names[part["enum"]]
    return filled
