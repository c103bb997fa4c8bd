"""A plug-in: a scheme that urlsm does not know, and one that it knows otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from urlsm import Components, Violation
from urlsm.schemes import PCHAR, Parts, Scheme, decode


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


class Shelf(Scheme[ShelfParts]):
    """s3://shelf/book: an owner's own reading of a scheme that is built in."""

    names = ("s3",)
    title = "Shelf and book"
    reference = "the house rules"
    example = "s3://crime/The%20Moonstone"
    authority = "required"
    query = "forbidden"

    def read_parts(self, components: Components) -> ShelfParts:
        return ShelfParts(components.host or "", decode((components.path or "")[1:]) or None)

    def violations(self, components: Components) -> Iterator[Violation]:
        yield from super().violations(components)
        if components.host == "poison":
            yield self.violation(
                "shelf-locked", "host", (components.span("host") or (0, 0))[0], message="a locked shelf"
            )

    def write_parts(self, parts: Any) -> str:
        return f"//{parts.shelf}" + ("" if parts.book is None else "/" + PCHAR.encode(parts.book))
