"""tag (RFC 4151), acct (RFC 7565), cid and mid (RFC 2392), ipn (RFC 9758)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlsm.components.parts import Parts, lower
from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import ALPHA, DIGIT, HOST, PCHAR, UNRESERVED, Characters
from urlsm.schemes.generic import Scheme
from urlsm.schemes.names.name import Name, Section

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["Acct", "AcctParts", "Cid", "CidParts", "Ipn", "Mid", "MidParts", "Tag", "TagParts"]

_IPN = re.compile(r"(?:(?:(?:0|[1-9][0-9]*)\.){1,2}|!\.)(?:0|[1-9][0-9]*)")
_DATE = re.compile("[0-9]{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12][0-9]|3[01]))?)?")


class TagParts(Parts):
    """A name whose uniqueness its creator guarantees (tag URI).

    All fields are as written: "%61" and "a" are different tags.

    Attributes:
        authority: the creator's domain or mail address; None if absent
        date: a date on which the creator owned the domain or address, such as "2001" or "2001-09-15"; None if absent
        specific: the creator's name for the resource, including "?" and everything after it; None if absent

    Example:
        >>> import urlsm
        >>> urlsm.parts("tag:example.com,2001:a/b", "tag").date
        '2001'
    """

    authority: str | None = None
    date: str | None = None
    specific: str | None = None


class Tag(Name[TagParts]):
    """tagURI = "tag:" taggingEntity ":" specific [ "#" fragment ]; taggingEntity = authorityName "," date. Tags are
    compared character by character (section 2.4)."""

    names: ClassVar[tuple[str, ...]] = ("tag",)
    title = "Name based on a domain and a date"
    reference = "RFC 4151 section 2"
    example = "tag:timothy@hpl.hp.com,2001:web/externalHome"
    query = "allowed"
    in_text = r"[A-Za-z0-9._@-]{1,255},[0-9]{4}(?:-[0-9]{2}){0,2}:[^\x00-\x20\"<>`]"
    equal_by_parts = False
    # "tags are equal if, and only if, they are character-by-character identical"
    unreserved: ClassVar[Characters] = Characters("")
    sections: ClassVar[tuple[Section, ...]] = (
        Section("authority", Characters(ALPHA + DIGIT + "-._@"), grammar=re.compile(r"[^@]+(?:@[^@]+)?")),
        Section("date", Characters(DIGIT + "-"), ",", grammar=_DATE),
        Section("specific", PCHAR + "/", ":", optional=True),
    )

    def read_parts(self, components: Components) -> TagParts:
        authority, date, specific = [text for _, _, text in self.cut(components)]
        query = "" if components.query is None else f"?{components.query}"
        return TagParts(authority, date, specific if specific is None else specific + query)

    def normalize(self, components: Components) -> Components:
        """Lowercase the scheme. Nothing else changes."""
        return components if components.scheme is None else components.replace(scheme=lower(components.scheme))

    def write_parts(self, parts: Any) -> str:
        return f"{parts.authority or ''},{parts.date or ''}:{parts.specific or ''}"

    def path_violations(self, components: Components) -> Iterator[Violation]:
        """Yield the violations in the path. The section `specific` may be empty, but the ":" before it is required."""
        *_, (_, at, specific) = self.cut(components)
        for violation in super().path_violations(components):
            if not (violation.code == "name-section-missing" and violation.position == at and specific == ""):
                yield violation
        if specific is None and self.cut(components)[1][2] is not None:
            yield self.violation("name-section-missing", "path", (components.span("path") or (0, 0))[1])


class AcctParts(Parts):
    """An account on a server, for WebFinger.

    Attributes:
        username: the user name, decoded; None if absent
        host: the server, decoded, in lower case; None if absent

    Example:
        >>> import urlsm
        >>> urlsm.parts("acct:ann@example.com", "acct").host
        'example.com'
    """

    username: str | None = None
    host: str | None = None


class Acct(Name[AcctParts]):
    """acctURI = "acct" ":" userpart "@" host; userpart = unreserved / sub-delims 0*( unreserved / pct-encoded /
    sub-delims )"""

    names: ClassVar[tuple[str, ...]] = ("acct",)
    title = "Account on a host"
    reference = "RFC 7565 section 7"
    example = "acct:juliet%40capulet.example@shoppingsite.example"
    fragment = "ignored"
    in_text = "mailbox"
    sections: ClassVar[tuple[Section, ...]] = (
        Section("username", HOST),
        Section("host", HOST, "@", from_end=True, fold=True),
    )

    def read_parts(self, components: Components) -> AcctParts:
        username, host = dict(super().read_parts(components)).values()
        return AcctParts(username, host if host is None else lower(host))


class MidParts(Parts):
    """An email message, or a part of one.

    Attributes:
        message_id: the message ID, decoded; None if absent
        content_id: the content ID of the part, decoded; None if absent

    Example:
        >>> import urlsm
        >>> urlsm.parts("mid:960830.1639@example.com", "mid").message_id
        '960830.1639@example.com'
    """

    message_id: str | None = None
    content_id: str | None = None


class CidParts(Parts):
    """A part of the email message that contains the URL.

    Attributes:
        content_id: the content ID of the part, decoded; None if absent

    Example:
        >>> import urlsm
        >>> urlsm.parts("cid:logo@example.com", "cid").content_id
        'logo@example.com'
    """

    content_id: str | None = None


_ADDR_SPEC = UNRESERVED + "!$&'*+=@;:,()"


class Cid(Name[CidParts]):
    """url = "cid" ":" content-id; content-id = url-addr-spec"""

    names: ClassVar[tuple[str, ...]] = ("cid",)
    title = "Part of this message"
    reference = "RFC 2392 section 2"
    example = "cid:foo4%25foo1@bar.net"
    fragment = "ignored"
    in_text = "mailbox"
    sections: ClassVar[tuple[Section, ...]] = (Section("content_id", _ADDR_SPEC),)


class Mid(Name[MidParts]):
    """url = "mid" ":" message-id [ "/" content-id ]"""

    names: ClassVar[tuple[str, ...]] = ("mid",)
    title = "Message, or part of one"
    reference = "RFC 2392 section 2"
    example = "mid:960830.1639@XIson.com/partA.960830.1639@XIson.com"
    fragment = "ignored"
    in_text = "mailbox"
    joined: ClassVar[tuple[str, ...]] = ("{message_id}/{content_id}",)
    sections: ClassVar[tuple[Section, ...]] = (
        Section("message_id", _ADDR_SPEC),
        Section("content_id", _ADDR_SPEC, "/", optional=True),
    )


class Ipn(Scheme):
    """ipn-hier-part = [ allocator "." ] node "." service / "!." service"""

    names: ClassVar[tuple[str, ...]] = ("ipn",)
    title = "Numbered endpoint in the Bundle Protocol"
    reference = "RFC 9758 section 4"
    example = "ipn:977000.100.1"
    authority = query = "forbidden"
    hierarchical = False
    in_text = r"[0-9]{1,19}\.[0-9]{1,19}"
    rules: ClassVar[dict[str, str]] = {
        "ipn-number-invalid": "an endpoint must be two or three numbers separated by dots, without leading zeros",
    }

    def path_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().path_violations(components)
        if not _IPN.fullmatch(components.path or ""):
            yield self.violation("ipn-number-invalid", "path", (components.span("path") or (0, 0))[0])
