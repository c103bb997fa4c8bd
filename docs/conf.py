"""Sphinx's settings: python -m sphinx docs site (after pip install '.[docs]') builds the pages."""

import sys
from pathlib import Path

import urlsm

sys.path.insert(0, str(Path(__file__).parent))

project = "urlsm"
release = version = urlsm.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton"]
extensions += ["signatures", "reference"]  # in this folder: types from the stubs, and the pages made from the code
napoleon_numpy_docstring = False
copybutton_prompt_text = r">>> |\.\.\. |\$ "  # what is copied has neither prompts nor output
copybutton_prompt_is_regexp = True
html_theme = "furo"
html_title = "urlsm"
html_copy_source = False
html_show_copyright = False
autodoc_member_order = "bysource"
myst_heading_anchors = 2
suppress_warnings = ["myst.xref_missing", "ref.python"]  # there are two classes URL
