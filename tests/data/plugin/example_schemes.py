"""A plug-in: a scheme that urlsm does not know, and one that it knows otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from urlsm.schemes import PCHAR, Components, Parts, Scheme, Violation, decode


class Gemini(Scheme):
    names = ("gemini",)
    title = "Gemini protocol"
    reference = "the Gemini protocol specification"
    example = "gemini://geminiprotocol.net/docs/"
    default_port = 1965
    authority = "required"
    host = "required"
    userinfo = "forbidden"
    fragment = "ignored"
    empty_path_is_root = True


class ShelfParts(Parts):
    """Where a book stands: the shelf, and the book on it, decoded."""

    shelf: str
    book: str | None = None


class Shelf(Scheme):
    """s3://shelf/book: an owner's own reading of a scheme that is built in."""

    names = ("s3",)
    title = "Shelf and book"
    reference = "the house rules"
    example = "s3://crime/The%20Moonstone"
    authority = "required"
    query = "forbidden"
    parts_type = ShelfParts

    def refine(self, c: Components) -> ShelfParts:
        return ShelfParts(c.host or "", decode((c.path or "")[1:]) or None)

    def violations(self, c: Components) -> Iterator[Violation]:
        yield from super().violations(c)
        if c.host == "poison":
            yield self.violation("shelf-locked", "host", (c.span("host") or (0, 0))[0], message="a locked shelf")

    def compose(self, p: Any) -> str:
        return f"//{p.shelf}" + ("" if p.book is None else "/" + PCHAR.encode(p.book))
