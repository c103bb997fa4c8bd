"""The examples of a page of the docs."""

from __future__ import annotations

import doctest
import re


def blocks(text: str, language: str) -> list[str]:
    """Return the fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


def run_examples(name: str, source: str, known: dict[str, object] | None = None) -> None:
    """Run a doctest. known: the names that it may use without an import."""
    examples = doctest.DocTestParser().get_doctest(source, dict(known or {}), name, name, 0)
    said: list[str] = []
    doctest.DocTestRunner(verbose=False).run(examples, out=said.append)
    assert not said, "".join(said)
