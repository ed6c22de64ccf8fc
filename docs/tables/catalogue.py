"""Tables and JSON schemas that follow from the catalogue."""

import json
from pathlib import Path

from concordant.catalogue.families import FAMILIES, STATISTICS
from concordant.catalogue.indices import INDICES
from concordant.catalogue.validity_indices import VALIDITY
from concordant.catalogue.values import T_NORMS
from concordant.measures.listing import range_of

#: Laws that nearly all indices and families obey, and what those do that do not.
LAWS = {
    "order of clusters": "depends on the order of the clusters",
    "order of objects": "depends on the order of the objects",
    "empty clusters": "depends on empty clusters",
    "within range": "can leave its range",
}


def _indices():
    yield "| name | what it is | range | kinds | time grows with the number of |"
    yield "|---|---|---|---|---|"
    for record in INDICES.values():
        kinds = ", ".join(record.kinds)
        yield (
            f"| `{record.name}` | {record.title}. {record.reading} "
            f"| {range_of(record)} | {kinds} | {record.cost} |"
        )
    for record in STATISTICS.values():
        yield (
            f"| `{record.name}` | {record.title}, of a pair table. {record.reading} "
            f"| {range_of(record)} | by family | by family |"
        )


def _families():
    yield "| family | how | kinds | t-norms | time grows with the number of |"
    yield "|---|---|---|---|---|"
    for record in FAMILIES.values():
        yield (
            f"| `{record.name}` | {record.reading} | {', '.join(record.kinds)} "
            f"| {', '.join(record.t_norms) or '-'} | {record.cost} |"
        )


def _laws():
    yield "| index or family | exception |"
    yield "|---|---|"
    for record in (*INDICES.values(), *FAMILIES.values()):
        broken = [text for law, text in LAWS.items() if law not in record.laws]
        if broken:
            yield f"| `{record.name}` | {'; '.join(broken)} |"


TABLES = {"indices": _indices, "families": _families, "laws": _laws}


#: Lists of names that a schema may ask for.
NAMES = {
    "indices": [*INDICES, *STATISTICS],
    "families": [*FAMILIES],
    "families or null": [*FAMILIES, None],
    "t-norms or null": [*T_NORMS, None],
    "validity": [*VALIDITY],
}


def _named(part):
    listed = part.get("enum")
    return part | {"enum": NAMES[listed]} if isinstance(listed, str) else part


def schemas():
    """Return the JSON schemas of the commands that write JSON, by file name."""
    for file in sorted((Path(__file__).parent / "schemas").glob("*.json")):
        schema = json.loads(file.read_text("utf-8"), object_hook=_named)
        yield file.name, json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
