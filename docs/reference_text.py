"""Markdown for the generated pages: code that may contain any character, and tables."""

from __future__ import annotations

import re
from collections.abc import Iterable

WIDTH = 88  # columns of code on a page


def code(text: str) -> str:
    """Return text as inline code. Characters that a page cannot show are written as in a Python literal."""
    shown = "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)
    fence = "`" * (1 + max(map(len, re.findall("`+", shown)), default=0))
    space = " " if shown[:1] in ("`", " ") or shown[-1:] in ("`", " ") else ""
    return f"{fence}{space}{shown}{space}{fence}" if shown else '`""`'


def prose(text: str) -> str:
    """Return a message, or a sentence from a docstring, as Markdown that shows every character."""
    outside = re.split(r"(`[^`]*`)", " ".join(text.split()))
    return "".join(
        part if k % 2 else re.sub(r"([\\*_<>\[\]$]|(?<=\()https?://)", r"\\\1", part) for k, part in enumerate(outside)
    )


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table. A "|" in a cell is escaped, in code too, as GitHub and MyST require."""
    titles = list(head)
    lines = [titles, ["---"] * len(titles), *(list(row) for row in rows)]
    return "".join("| " + " | ".join(cell.replace("|", r"\|") for cell in line) + " |\n" for line in lines)


def sentence(text: str | None) -> str:
    """Return the first sentence of a docstring, as text."""
    first = " ".join((text or "").strip().partition("\n\n")[0].split())
    found = re.match(r".*?[.!?](?=\s|$)(?<!e\.g\.)(?<!i\.e\.)", first)
    return found[0] if found else first


def block(language: str, text: str) -> str:
    return f"```{language}\n{text.rstrip()}\n```\n"
