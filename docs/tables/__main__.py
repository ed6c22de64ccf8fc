"""Writes the tables, schemas and the picture of the pages: `make tables`."""

from pathlib import Path

from benchmarks.table import filled
from docs.tables import catalogue, effects, paper_data, properties

DOCS = Path(__file__).resolve().parents[1]
PAGES = {
    "indices.md": properties.TABLES | catalogue.TABLES,
    "reading.md": effects.TABLES,
    "chance.md": paper_data.TABLES,
}


def contents():
    """Return what each file should contain, by its path below this folder."""
    for name, tables in PAGES.items():
        made = {table: "\n".join(rows()) for table, rows in tables.items()}
        yield name, filled((DOCS / name).read_text("utf-8"), made, mark="table")
    for name, text in catalogue.schemas():
        yield f"schemas/{name}", text


if __name__ == "__main__":
    (DOCS / "schemas").mkdir(exist_ok=True)
    for name, text in contents():
        (DOCS / name).write_text(text, encoding="utf-8")
    effects.draw(DOCS / "_static" / "effects.svg")
