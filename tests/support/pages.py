"""The examples of a page of the docs."""

from __future__ import annotations

import doctest
import re


def blocks(text: str, language: str) -> list[str]:
    """Return the fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


def recipes(text: str) -> dict[str, str]:
    """Return the last block of each section whose title is one word, by the title in lower case. Sections without a
    block have no recipe."""
    sections = re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", text, flags=re.MULTILINE | re.DOTALL)
    found = {title.lower(): blocks(section, "py") for title, section in sections}
    return {title: made[-1] for title, made in found.items() if made}


def run_examples(name: str, source: str, known: dict[str, object] | None = None) -> None:
    """Run a doctest. known: the names that it may use without an import. An example that says which extra it needs is
    left out where that is not installed."""
    examples = doctest.DocTestParser().get_doctest(source, dict(known or {}), name, name, 0)
    said: list[str] = []
    doctest.DocTestRunner(verbose=False).run(examples, out=said.append)
    said = [
        each for each in said if not re.search(r"^\s*ModuleNotFoundError: .* pip install 'urlsm\[", each, re.MULTILINE)
    ]
    assert not said, "".join(said)
