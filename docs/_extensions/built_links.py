"""Links to files of the repository lead to the pages that are built from them.

In the repository, `../examples/gallery/plot_where.py` and `../CHANGELOG.md` are there
to be read; in the manual each has a page.
"""

import re

from sphinx.application import Sphinx

_LINKS = {
    r"\.\./examples/gallery/README\.rst": "gallery/index",
    r"\.\./examples/gallery/(plot_\w+)\.py": r"gallery/\1",
    r"\.\./CHANGELOG\.md": "changelog.md",
    r"\.\./CONTRIBUTING\.md": "contributing.md",
}


def _redirect(app: Sphinx, page: str, source: list[str]) -> None:
    for link, built in _LINKS.items():
        source[0] = re.sub(rf"(?<=\]\(){link}(?=\))", built, source[0])


def setup(app: Sphinx) -> dict[str, bool]:
    """Redirect the links of each page as it is read."""
    app.connect("source-read", _redirect)
    return {"parallel_read_safe": True}
