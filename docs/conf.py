"""Sphinx's settings: python -m sphinx docs site (after pip install '.[docs]') builds the pages."""

import sys
from pathlib import Path

import urlsm

sys.path.insert(0, str(Path(__file__).parent))

project = "urlsm"
release = version = urlsm.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "signatures"]
napoleon_numpy_docstring = False
html_theme = "furo"
html_title = "urlsm"
html_copy_source = False
html_show_copyright = False
autodoc_member_order = "bysource"
myst_heading_anchors = 2
suppress_warnings = ["myst.xref_missing", "ref.python"]  # there are two classes URL
