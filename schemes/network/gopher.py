"""gopher and Gopher+ (RFC 4266)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlsm.components.parts import Parts, decode, server
from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.octets.text import utf8
from urlsm.schemes.characters import GENERIC_PATH, Characters, normal_escapes
from urlsm.schemes.generic import Scheme
from urlsm.schemes.rfc1738 import HSEGMENT, XCHAR, Rfc1738

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["Gopher", "GopherParts", "StrictGopher"]

TAB = "%09"
_TYPE = re.compile("%[0-9A-Fa-f]{2}|.", re.DOTALL)
_NOT_UNASCII = re.compile("(?:%0[AaDd])+|(?:%00)+")


class GopherParts(Parts):
    """An item on a Gopher server.

    Attributes:
        host: the host, decoded, in lower case, without brackets; None if absent or empty
        port: the port; None if absent
        item_type: the type of the item, as one character; "1" is a directory
        selector: the string that identifies the item, decoded
        search: the words to search for, decoded; None if absent
        plus_string: the Gopher+ string, decoded; None if absent

    Example:
        >>> import urlsm
        >>> urlsm.parts("gopher://gopher.example/7/index%09words", "gopher").search
        'words'
    """

    host: str | None = None
    port: int | None = None
    item_type: str = "1"
    selector: str = ""
    search: str | None = None
    plus_string: str | None = None

    def request(self) -> bytes:
        """Return the bytes that a client sends to request the item (RFC 4266 sections 2.2 to 2.9).

        A Gopher+ string may contain more lines, so ask the user before you send one from an untrusted source.

        Raises:
            ValueError: the selector or search contains a tab, CR, LF or NUL, which would end the field (RFC 1436).

        Example:
            >>> import urlsm
            >>> urlsm.parts("gopher://gopher.example/1/news", "gopher").request().strip()
            b'/news'
        """
        fields = [self.selector]
        if self.search or (self.search is not None and self.plus_string is None):
            fields.append(self.search)
        for field in fields:
            if re.search("[\t\r\n\0]", field):
                raise ValueError("a selector or search cannot contain a tab, CR, LF or NUL")
        if self.plus_string is not None:
            fields.append(self.plus_string)
        line = utf8("\t".join(fields))
        return line if line.endswith(b"\r\n") else line + b"\r\n"


class Gopher(Scheme[GopherParts]):
    """gopher-path = <gophertype><selector> [ %09<search> [ %09<gopher+_string> ] ]. In it "no characters are reserved",
    not even "?", so the path and the query are read as one string."""

    names: ClassVar[tuple[str, ...]] = ("gopher",)
    title = "Gopher, Gopher+"
    reference = "RFC 4266 section 2"
    example = "gopher://gopher.example.org/7/index%09search%20words"
    default_port: ClassVar[int | None] = 70
    authority = "required"
    userinfo = "forbidden"
    host = "required"
    hierarchical = False
    empty_path_is_root = True
    path_characters: ClassVar[Characters] = GENERIC_PATH + "?"
    search_characters: ClassVar[Characters] = GENERIC_PATH + "?"
    joined: ClassVar[tuple[str, ...]] = ("/{item_type}{selector}",)
    rules: ClassVar[dict[str, str]] = {
        "gopher-type-missing": "the item type is missing before the tab",
        "gopher-selector-forbidden-octet": "a selector cannot contain CR, LF or NUL",
    }

    def read_parts(self, components: Components) -> GopherParts:
        _, _, host, port = server(components)
        path, query = components.path or "", components.query
        if query is not None:
            path = f"{path}?{query}"
        if path[:1] != "/":
            path = "/" + path
        if "%" not in path:
            return GopherParts(host, port, path[1:2] or "1", path[2:], None, None)
        item, *more = path[1:].split(TAB, 2)
        found = _TYPE.match(item)
        item_type = "1" if found is None else decode(found[0])
        selector = "" if found is None else decode(item[found.end() :])
        search, plus_string = [*map(decode, more), None, None][:2]
        return GopherParts(host, port, item_type, selector, search, plus_string)

    def path_violations(self, components: Components) -> Iterator[Violation]:
        start, end = components.span("path") or (0, 0)
        end = (components.span("query") or (0, end))[1]
        text = components.text
        if start < end and text[start] != "/":
            yield self.violation("path-not-absolute", "path", start)
        start += text.startswith("/", start, end)
        if text.startswith(TAB, start, end):
            yield self.violation("gopher-type-missing", "path", start)
        first = text.find(TAB, start, end)
        first = end if first < 0 else first
        second = text.find(TAB, first + 3, end)
        second = end if second < 0 else second
        yield from self.faults(components, "path", start, first, self.path_characters)
        for octet in _NOT_UNASCII.finditer(text, start, first):
            yield self.violation("gopher-selector-forbidden-octet", "path", octet.start())
        yield from self.faults(components, "path", first + 3, second, self.search_characters)
        for octet in _NOT_UNASCII.finditer(text, first + 3, second):  # a search is a "Word of UNASCII" (RFC 1436)
            code = "nul-encoded" if octet[0].startswith("%00") else "line-break-encoded"
            yield self.violation(code, "path", octet.start())
        # the Gopher+ string may have lines (RFC 4266 section 2.9)
        yield from self.faults(components, "path", second + 3, end, self.path_characters)

    def query_violations(self, components: Components) -> Iterator[Violation]:
        return iter(())  # the query belongs to the path

    def normalize(self, components: Components) -> Components:
        n = super().normalize(components)
        if n.host is None:
            return n
        whole = n.path or ""
        if n.query is not None:
            whole = f"{whole}?{n.query}"
        # needless escapes mean the same as the characters
        pieces = zip(
            whole.split(TAB, 2), (self.path_characters, self.search_characters, self.path_characters), strict=False
        )
        whole = TAB.join([normal_escapes(piece, characters) for piece, characters in pieces])
        if whole == "/1":  # "the delimiting "/" is also optional and the <gophertype> defaults to "1""
            whole = "/"
        if "?" in (n.path or ""):  # rfc1738, in which "?" does not end the path
            return n.replace(path=whole)
        path, mark, query = whole.partition("?")
        return n.replace(path=path, query=query if mark else None)

    def write_parts(self, parts: Any) -> str:
        encode = self.path_characters.encode
        path = encode("1" if parts.item_type is None else parts.item_type) + encode(parts.selector or "")
        if parts.search is not None or parts.plus_string is not None:
            path += TAB + encode(parts.search or "")
        if parts.plus_string is not None:
            path += TAB + encode(parts.plus_string)
        return f"{self.composed_authority(host=parts.host, port=parts.port)}/{'' if path == '1' else path}"


class StrictGopher(Rfc1738[GopherParts], Gopher):
    """gopherurl = "gopher://" hostport [ "/" [ gtype [ selector [ "%09" search [ "%09" gopher+_string ]]]]];
    gtype, selector and gopher+_string consist of xchar; search = *[ uchar | ";" | ":" | "@" | "&" | "=" ]"""

    path_characters = XCHAR
    search_characters = HSEGMENT


Gopher.strict = StrictGopher
