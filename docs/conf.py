"""How the documentation is built: `make docs`."""

import sys
from pathlib import Path

import concordant
from concordant.kernels.announcing import told_of_compiling

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

project = "concordant"
author = "The concordant developers"
project_copyright = author
release = version = concordant.__version__

# The folder that a clone lies in may have a space in its name; no link has.
suppress_warnings = ["sphinx_gallery.space_in_filename"]
extensions = [
    "built_links",
    "dead_links",
    "mathml",
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["_build"]
templates_path = ["_templates"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
default_role = "py:obj"

autosummary_generate = True
# Concordance and concordance are one file where case does not count.
autosummary_filename_map = {"concordant.Concordance": "concordant.Concordance-class"}
autodoc_typehints = "none"
numpydoc_show_class_members = False

# What examples print does not depend on which loops were compiled before.
silent = told_of_compiling(lambda: None)
silent.__enter__()
sphinx_gallery_conf = {
    "examples_dirs": "../examples/gallery",
    "gallery_dirs": "gallery",
    "backreferences_dir": None,
    "capture_repr": (),
    "download_all_examples": False,
    "min_reported_time": 60,
    "write_computation_times": False,
    "show_signature": False,
    "within_subsection_order": "gallery_order.lesson",
}

html_theme = "pydata_sphinx_theme"
html_title = "concordant"
html_static_path = ["_static"]
html_css_files = ["style.css"]
html_math_renderer = "mathml"
# These have no pages below them to list at the side.
html_sidebars = {page: [] for page in ("index", "mathematics", "search", "genindex")}
html_show_sourcelink = False
html_theme_options = {
    "header_links_before_dropdown": 5,
    "show_prev_next": True,
    "show_toc_level": 2,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}
