"""http and https (RFC 9110 section 4.2), and schemes with the same syntax: shttp (RFC 2660), mms."""

from __future__ import annotations

from collections.abc import Iterator

from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import Characters
from urlsm.schemes.generic import Scheme
from urlsm.schemes.rfc1738 import HSEGMENT, Rfc1738

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar


__all__ = ["Http", "Https", "Mms", "Shttp", "StrictHttp"]


class Http(Scheme):
    names: ClassVar[tuple[str, ...]] = ("http",)
    title = "Hypertext transfer"
    reference = "RFC 9110 section 4.2"
    example = "http://www.example.org/a/b?c=d#e"
    default_port: ClassVar[int | None] = 80
    special = True
    authority = "required"
    host = "required"
    userinfo = "deprecated"  # "treat its presence as an error" if the URL is from an untrusted source (4.2.4)
    empty_path_is_root = True


class Https(Http):
    names: ClassVar[tuple[str, ...]] = ("https",)
    title = "Hypertext transfer over TLS"
    example = "https://www.example.org/a/b?c=d#e"
    default_port: ClassVar[int | None] = 443


class Shttp(Http):
    names: ClassVar[tuple[str, ...]] = ("shttp",)
    title = "Secure hypertext transfer"
    reference = "RFC 2660 section 6.2"
    example = "shttp://www.example.org/a"
    special = False


class Mms(Scheme):
    names: ClassVar[tuple[str, ...]] = ("mms",)
    title = "Microsoft media server"
    reference = "IANA, mms"
    example = "mms://media.example.org/film.asf"
    default_port: ClassVar[int | None] = 1755
    authority = "required"
    host = "required"
    empty_path_is_root = True


class StrictHttp(Rfc1738, Http):
    """httpurl = "http://" hostport [ "/" hpath [ "?" search ]]; hpath = hsegment *[ "/" hsegment ];
    search = *[ uchar | ";" | ":" | "@" | "&" | "=" ]"""

    example = "http://www.example.org/a/b?c=d"
    userinfo = "forbidden"
    query = "allowed"
    path_characters: ClassVar[Characters] = HSEGMENT + "/"
    query_characters = HSEGMENT

    def path_violations(self, components: Components) -> Iterator[Violation]:
        where = components.span("path")
        if where is not None and where[0] == where[1] and components.query is not None:
            yield self.violation("path-missing", "path", where[0])
        yield from super().path_violations(components)


Http.strict = StrictHttp
