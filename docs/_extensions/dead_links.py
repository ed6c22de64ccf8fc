"""Links of the built pages that lead nowhere, as warnings."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from sphinx.application import Sphinx
from sphinx.util.logging import getLogger

#: What a link to doi.org looks like.
DOI = re.compile(r"https://doi\.org/10\.\d{4,9}/[-._;()/:A-Za-z0-9]+")
_LINKS = {"href", "src"}


class _Page(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in _LINKS and value:
                self.links.append(value)
            elif value and (name == "id" or (tag, name) == ("a", "name")):
                self.anchors.add(value)


def dead_links(folder: Path) -> Iterator[tuple[Path, str]]:
    """Give each page with a link to a file or an anchor that is not there."""
    folder = folder.resolve()
    static = folder / "_static"  # templates of the theme, which are no pages
    paths = (path for path in folder.rglob("*.html") if static not in path.parents)
    pages = {path: _Page(path.read_text("utf-8")) for path in sorted(paths)}
    for path, page in pages.items():
        for link in page.links:
            if not _leads_somewhere(path, link, pages):
                yield path.relative_to(folder), link


def _leads_somewhere(path: Path, link: str, pages: dict[Path, _Page]) -> bool:
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return parts.netloc != "doi.org" or bool(DOI.fullmatch(unquote(link)))
    target = path
    if parts.path:
        target = (path.parent / unquote(parts.path)).resolve()
    if not parts.fragment or parts.fragment == "top" or target not in pages:
        return target.exists()
    return unquote(parts.fragment) in pages[target].anchors


def _warn(app: Sphinx, exception: Exception | None) -> None:
    if exception is None and app.builder.format == "html":
        for page, link in dead_links(Path(app.outdir)):
            getLogger(__name__).warning("%s: a dead link, %s", page, link)


def setup(app: Sphinx) -> dict[str, bool]:
    """Look when all pages are written."""
    app.connect("build-finished", _warn)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
