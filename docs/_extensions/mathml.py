"""Formulas as MathML, which browsers show without a script or the network."""

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator


def visit_math(self: HTML5Translator, node: nodes.math) -> None:
    """Write a formula in a line of text."""
    self.body.append(tex2mathml(node.astext()))
    raise nodes.SkipNode


def visit_displayed_math(self: HTML5Translator, node: nodes.math_block) -> None:
    """Write a formula that stands by itself."""
    self.body.append(f'<div class="formula">{tex2mathml(node.astext(), as_block=True)}')
    self.body.append("</div>")
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx of the renderer."""
    app.add_html_math_renderer(
        "mathml", (visit_math, None), (visit_displayed_math, None)
    )
    return {"parallel_read_safe": True, "parallel_write_safe": True}
