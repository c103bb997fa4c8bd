"""Sphinx's settings: python -m sphinx docs site (after pip install '.[docs]') builds the pages."""

import urlsm

project = "urlsm"
release = version = urlsm.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
html_theme = "furo"
html_title = "urlsm"
html_copy_source = False
html_show_copyright = False
autodoc_member_order = "bysource"
myst_heading_anchors = 2
suppress_warnings = ["myst.xref_missing", "ref.python"]  # there are two classes URL


def as_text(app, what, name, obj, options, lines):
    """Docstrings are plain text: a "*" in them is one."""
    lines[:] = [line.replace("*", r"\*") for line in lines]


def setup(app):
    app.connect("autodoc-process-docstring", as_text, priority=100)
