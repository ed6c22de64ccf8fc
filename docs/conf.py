"""How the documentation is built: `make docs`."""

import concordant

project = "concordant"
author = "The concordant developers"
project_copyright = author
release = version = concordant.__version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
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

sphinx_gallery_conf = {
    "examples_dirs": "../examples/gallery",
    "gallery_dirs": "gallery",
    "backreferences_dir": None,
    "download_all_examples": False,
    "min_reported_time": 60,
    "show_signature": False,
    "within_subsection_order": "FileNameSortKey",
}

html_theme = "pydata_sphinx_theme"
html_title = "concordant"
html_static_path = ["_static"]
html_show_sourcelink = False
html_theme_options = {
    "show_prev_next": True,
    "show_toc_level": 2,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}
