"""A plug-in of three schemes, on the bases of families: a database, a name, and a URL around another."""

from __future__ import annotations

import re
from typing import Any

from urlsm import Components
from urlsm.schemes import PCHAR, Cluster, Field, Name, Parameters, Parts, Scheme, Section


class Tarn(Cluster):
    names = ("tarn",)
    title = "TarnDB connection"
    reference = "TarnDB, connection URLs"
    example = "tarn://user:secret@db1.example:7071,db2.example/shop?timeout=5"
    default_port = 7070
    host = "required"
    parameters = Parameters(Field("timeout", "number", repeat="forbid"), named=False, plus=True)


class ShelfmarkParts(Parts):
    """Where a book stands: the library, in lower case, and its mark there, decoded."""

    library: str | None = None
    mark: str | None = None


class Shelfmark(Name[ShelfmarkParts]):
    names = ("shelfmark",)
    title = "Place of a book in a library"
    reference = "the libraries' agreement"
    example = "shelfmark:dk:PR4879.L2"
    sections = (
        Section("library", grammar=re.compile("[A-Za-z]{2,8}"), fold=True),
        Section("mark", PCHAR + "/", before=":"),
    )


class MirrorParts(Parts):
    """target: the URL that the mirror shows, as written."""

    target: str


class Mirror(Scheme[MirrorParts]):
    names = ("mirror",)
    title = "A page, by way of the mirror"
    reference = "the mirror's manual"
    example = "mirror:https://example.org/a"
    authority = query = fragment = "forbidden"
    hierarchical = False

    def read_parts(self, components: Components) -> MirrorParts:
        return MirrorParts(components.path or "")

    def nested(self, components: Components) -> list[str]:
        return [components.path] if components.path else []

    def write_parts(self, parts: Any) -> str:
        return str(parts.target)
