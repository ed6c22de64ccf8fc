"""Formulas as MathML, which browsers show without a script or the network."""

import re

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

# Bars around a term are no operators between terms, and take no space.
_BAR = re.compile(r"<mo(?: [^>]*)?>([|‖])</mo>")


def _mathml(tex: str, *, as_block: bool = False) -> str:
    made = tex2mathml(tex, as_block=as_block)
    return _BAR.sub(r'<mo stretchy="false" lspace="0" rspace="0">\1</mo>', made)


def visit_math(self: HTML5Translator, node: nodes.math) -> None:
    """Write a formula in a line of text."""
    self.body.append(_mathml(node.astext()))
    raise nodes.SkipNode


def visit_displayed_math(self: HTML5Translator, node: nodes.math_block) -> None:
    """Write a formula that stands by itself."""
    made = _mathml(node.astext(), as_block=True)
    # Those who use a keyboard reach it to scroll.
    self.body.append(f'<div class="formula" tabindex="0">{made}</div>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx of the renderer."""
    app.add_html_math_renderer(
        "mathml", (visit_math, None), (visit_displayed_math, None)
    )
    return {"parallel_read_safe": True, "parallel_write_safe": True}
