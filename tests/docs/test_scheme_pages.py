"""The handlers that the pages on schemes define keep the contract of handlers."""

import re
from pathlib import Path

import pytest
from support.pages import blocks

from urlsm.schemes import Scheme
from urlsm.testing import check_handler

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = ("add-a-scheme.md", "scheme-parts.md", "scheme-traits.md")


def handlers(page):
    """Return the handlers of a page: the classes of its examples, without the lines that only show results."""
    names: dict[str, object] = {}
    for block in blocks((DOCS / page).read_text(encoding="utf-8"), "python"):
        lines = [line[4:] for line in block.split("\n") if line[:4] in (">>> ", "... ", "...")]
        statements, taken = [], False
        for line in lines:
            if not line.startswith((" ", ")")):
                taken = re.match(r"(class|def|from|import) |[A-Z]+ = ", line) is not None
            if taken:
                statements.append(line)
        exec("\n".join(statements), names)
    return {name: made for name, made in names.items() if isinstance(made, type) and getattr(made, "names", ())}


@pytest.mark.parametrize("page", PAGES)
def test_the_handlers_of_a_page(page):
    found = {name: made for name, made in handlers(page).items() if issubclass(made, Scheme)}
    assert found
    for made in found.values():
        check_handler(made, linear=False)
