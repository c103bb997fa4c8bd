"""mailto (RFC 6068)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from urlsm.components.parts import Parts, decode, lower
from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.octets.text import utf8
from urlsm.schemes.characters import ESCAPE, UNRESERVED, lower_letters
from urlsm.schemes.contact import LINE_BREAK, Contact
from urlsm.schemes.fields import Parameters
from urlsm.schemes.rfc1738 import XCHAR, Rfc1738

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

    from urlsm._words import Component
__all__ = ["Mailto", "MailtoParts", "StrictMailto"]

QCHAR = UNRESERVED + "!$'()*+,;:@"  # qchar = unreserved / pct-encoded / some-delims
ADDRESSES = QCHAR - ";"  # "at least "&", ";", and "=" also have to be percent-encoded" (section 2, rule 1)
_ADDRESS = ADDRESSES - ",@"
_NAME = QCHAR - ":"
_VALUE = QCHAR - "+"  # "+" "MAY be encoded as %2B" (section 5); some programs read it as a space
_HEADERS = Parameters(fold=True, names=_NAME, values=_VALUE)


class MailtoParts(Parts):
    """An email message to write.

    MIME encoded words are not decoded. See RFC 6068 section 2.

    Attributes:
        recipients: the addresses in the path and in "to" fields, decoded
        headers: the other fields as (name, value) pairs, decoded and in order, with names in lower case; "body" is the
            text of the message

    Example:
        >>> import urlsm
        >>> urlsm.parts("mailto:ann@example.com?subject=caf%C3%A9", "mailto").recipients
        ('ann@example.com',)
    """

    recipients: tuple[str, ...] = ()
    headers: tuple[tuple[str, str], ...] = ()

    @property
    def cc(self) -> tuple[str, ...]:
        """The addresses of the "cc" fields."""
        return self.addresses("cc")

    @property
    def bcc(self) -> tuple[str, ...]:
        """The addresses of the "bcc" fields."""
        return self.addresses("bcc")

    @property
    def subject(self) -> str | None:
        """The subject; None if absent."""
        return self.header("subject")

    @property
    def body(self) -> str | None:
        """The text of the message, with CR LF line breaks; None if absent."""
        return self.header("body")

    def header(self, name: str) -> str | None:
        """Return the value of the first header field with this name; None if there is none.

        Args:
            name: the name, in upper or lower case.

        Example:
            >>> import urlsm
            >>> urlsm.parts("mailto:ann@ex.com?In-Reply-To=x", "mailto").header("in-reply-to")
            'x'
        """
        return next((value for found, value in self.headers if found == lower(name)), None)

    def addresses(self, name: str) -> tuple[str, ...]:
        """Return the addresses in the header fields with this name, split at commas outside quotation marks.

        Args:
            name: the name, in upper or lower case.

        Example:
            >>> import urlsm
            >>> urlsm.parts("mailto:?cc=ann@ex.com,bob@ex.com", "mailto").addresses("cc")
            ('ann@ex.com', 'bob@ex.com')
        """
        return tuple([address for found, value in self.headers if found == lower(name) for address in _split(value)])


_LISTED = re.compile(r'(?:"(?:[^"\\]|\\.)*"?|[^,"])+', re.DOTALL)


class AddrSpec:
    """A grammar for decoded addresses: local part, "@", domain. The local part and the domain each have a second
    pattern, which matches a valid beginning; `fault` uses it to find the position of a fault."""

    def __init__(self, local: str, begun_local: str, domain: str, begun_domain: str) -> None:
        self.whole: re.Pattern[str] = re.compile(f"(?:{local})@(?:{domain})")
        self.begun: re.Pattern[str] = re.compile(f"(?:(?:{local})@(?:{begun_domain})|{begun_local})")

    def fault(self, written: str) -> int | None:
        """Return the position at which an address, as written, stops being valid; None if it is valid."""
        address = decode(written)
        if self.whole.fullmatch(address):
            return None
        begun = self.begun.match(address)
        return _place(written, address[: begun.end() if begun else 0])


def _place(written: str, begin: str, place: int = 0) -> int:
    """Return where the decoded text `begin` ends in the written text, where it begins at `place`."""
    for character in begin:
        place += 3 * len(utf8(character)) if ESCAPE.match(written, place) else 1
    return place


# RFC 5322 with the limits of RFC 6068 section 2: white space must be quoted; there are no comments and no obsolete
# syntax; characters beyond ASCII must be UTF-8
_ATOM = r"[^\0- \x7f()<>@,;:\\\".\[\]\ud800-\udfff]+"
_DOT_ATOM = rf"{_ATOM}(?:\.{_ATOM})*"
_QUOTED = r'"(?:[^\0- \x7f"\\\ud800-\udfff]|\\[\t -~])*'
_LITERAL = r"\[[!-Z^-~]*"
ADDR_SPEC = AddrSpec(
    rf'{_DOT_ATOM}|{_QUOTED}"',
    rf'(?:{_DOT_ATOM}\.?|{_QUOTED}"?)?',
    rf"{_DOT_ATOM}|{_LITERAL}\]",
    rf"(?:{_DOT_ATOM}\.?|{_LITERAL}\]?)?",
)

_FIELD_NAME = re.compile("[^!-9;-~]")  # a character that no header field's name may hold (RFC 5322 section 3.6.8)
_BREAK_OF_BODY = re.compile("%0[Dd]%0[Aa]|(%0[ADad])")
# "Originator fields like From and Date, fields related to routing, trace fields, and MIME header fields MUST be
# ignored" (section 3); RFC 5322 section 3.6.2 lists more originator fields
_UNSAFE = re.compile(
    "from|sender|reply-to|date|apparently-to|received|return-path|mime-version|resent-.*|content-.*", re.DOTALL
)


class Mailto(Contact[MailtoParts]):
    """mailtoURI = "mailto:" [ to ] [ hfields ]; to = addr-spec *("," addr-spec );
    hfields = "?" hfield *( "&" hfield ); hfield = hfname "=" hfvalue"""

    names: ClassVar[tuple[str, ...]] = ("mailto",)
    title = "Electronic mail"
    reference = "RFC 6068 section 2"
    example = "mailto:joe@example.com,ann@example.com?subject=caf%C3%A9&body=At%20five%3F%0D%0AJoe"
    path_characters = ADDRESSES
    query_characters = QCHAR
    forbidden_escapes = "\0"  # a message cannot hold NUL (RFC 5322 section 3.5)
    query_fields: ClassVar[Parameters | None] = _HEADERS
    in_text = "mailbox"
    rules: ClassVar[dict[str, str]] = {
        "mailto-address-missing": "an address is missing",
        "mailto-address-invalid": "the mail address is not valid",
        "mailto-header-injection": "this line break would begin another header field",
        "mailto-body-line-break": "a line break in the body must be written as %0D%0A",
        "mailto-header-unsafe": "a mail client must ignore this header field in a link",
    }

    def read_parts(self, components: Components) -> MailtoParts:
        path = components.path if components.host is None else self.address(components)
        if not path:
            recipients: tuple[str, ...] = ()
        elif "," in path:
            recipients = tuple([decode(address) for address in path.split(",") if address])
        else:
            recipients = (decode(path),)
        query = components.query
        if not query:
            return MailtoParts(recipients, ())
        headers = [_header(field) for field in query.split("&") if field]
        if any(name == "to" for name, _ in headers):
            recipients += tuple([address for name, value in headers if name == "to" for address in _split(value)])
            headers = [header for header in headers if header[0] != "to"]
        return MailtoParts(recipients, tuple(headers))

    def path_violations(self, components: Components) -> Iterator[Violation]:
        start, end = components.span("path") or (0, 0)
        yield from self.faults(components, "path", start, end, self.path_characters)
        if start == end:
            return
        for address in components.text[start:end].split(","):
            if LINE_BREAK.search(address):
                yield from self.break_violations("path", start, address)
            else:
                yield from self.address_violations(start, address, ADDR_SPEC)
            start += len(address) + 1

    def address_violations(self, start: int, address: str, grammar: AddrSpec) -> Iterator[Violation]:
        fault = grammar.fault(address)
        if fault is not None:
            yield self.violation("mailto-address-invalid", "path", start + fault)

    def receiver_violations(self, start: int, value: str) -> Iterator[Violation]:
        """Yield the violations of a "to" field. Its addresses mean the same as addresses in the path (section 2), but
        they may have names: "Ann <ann@example.com>"."""
        decoded = decode(value)
        seen = place = 0
        for found in _LISTED.finditer(decoded):
            address = found[0].strip()
            within = address[address.rfind("<") + 1 : -1] if address.endswith(">") and "<" in address else address
            if address and not ADDR_SPEC.whole.fullmatch(within):
                begin = found.end() - len(found[0].lstrip())
                seen, place = begin, _place(value, decoded[seen:begin], place)
                yield self.violation("mailto-address-invalid", "query", start + place)

    def break_violations(self, component: Component, start: int, written: str) -> Iterator[Violation]:
        """Yield a violation for each line break, because it would begin another header field (section 7)."""
        for found in LINE_BREAK.finditer(written):
            yield self.violation("mailto-header-injection", component, start + found.start())

    def query_violations(self, components: Components) -> Iterator[Violation]:
        where = components.span("query")
        if where is None:
            return
        seen = set()
        for start, name, value in _HEADERS.within(components.text, *where):
            yield from self.name_violations(components, start, name)
            folded = lower(decode(name))
            if folded in seen:  # "SHOULD NOT use the same <hfname> multiple times"
                yield self.violation("parameter-duplicate", "query", start, "warning")
            seen.add(folded)
            start += len(name)
            if value is None:
                yield self.violation("parameter-value-missing", "query", start)
                continue
            start += 1
            yield from self.faults(components, "query", start, start + len(value), QCHAR)
            if folded == "body":
                yield from self.body_violations(start, value)
            else:
                if folded == "to" and not LINE_BREAK.search(value):
                    yield from self.receiver_violations(start, value)
                yield from self.break_violations("query", start, value)

    def body_violations(self, start: int, body: str) -> Iterator[Violation]:
        """Yield the violations of: "Line breaks in the body of a message MUST be encoded with %0D%0A" (section 5)."""
        for found in _BREAK_OF_BODY.finditer(body):
            if found[1]:
                yield self.violation("mailto-body-line-break", "query", start + found.start())

    def name_violations(self, components: Components, start: int, name: str) -> Iterator[Violation]:
        """Yield the violations of <hfname>, the encoding "of an RFC 5322 header field name"."""
        if not name:
            yield self.violation("parameter-name-missing", "query", start)
        yield from self.faults(components, "query", start, start + len(name), QCHAR)
        decoded = decode(name)
        wrong = _FIELD_NAME.search(decoded)
        if LINE_BREAK.search(name):
            yield from self.break_violations("query", start, name)
        elif wrong is not None and wrong[0] != "\0":
            yield self.violation("character-not-allowed", "query", start + _place(name, decoded[: wrong.start()]))
        if _UNSAFE.fullmatch(lower(decoded)):
            yield self.violation("mailto-header-unsafe", "query", start, "warning")

    def normalize(self, components: Components) -> Components:
        """Normalise according to RFC 3986, and lowercase the domains of addresses and the names of fields."""
        normal = super().normalize(components)
        path = normal.path if normal.host is not None else ",".join(map(_lower_domain, (normal.path or "").split(",")))
        return normal.replace(path=path, query=None if normal.query is None else _HEADERS.normal(normal.query))

    def equivalent(self, a: Components, b: Components) -> bool:
        """Return whether two URLs mean the same message. For example, <mailto:a,b>, <mailto:?to=a,b> and
        <mailto:a?to=b> mean the same (section 2). The case of a domain does not matter (RFC 5321 section 2.4)."""
        if a.host is not None or b.host is not None:
            return super().equivalent(a, b)
        return _meaning(self.read_parts(a)) == _meaning(self.read_parts(b))

    def build(
        self,
        *,
        scheme: str | None = None,
        fragment: str | None = None,
        cc: str | Iterable[str] = (),
        bcc: str | Iterable[str] = (),
        subject: str | None = None,
        body: str | None = None,
        **parts: Any,
    ) -> str:
        """Return the URL for a message in any language: build(recipients="joe@example.com", subject="Café", body="At
        five?").

        Args:
            recipients: one or more addresses, such as "user@bücher.example" and '"not@me"@example.org'. headers: (name,
                value) pairs, or a dict; they are used unchanged. cc, bcc: one or more addresses; they become fields
                after the headers. subject: the subject. body: the text of the message, whose line breaks, "\\n",
                "\\r\\n" or "\\r", are "encoded with %0D%0A" (section 5). scheme, fragment: see Scheme.build.

        Raises:
            SchemeError: an address is malformed, or a field other than "body" contains a line break, which would begin
                another field. TypeError: an address is not a str. ValueError: see Scheme.build.
        """
        recipients, headers = parts.get("recipients"), parts.get("headers")
        pairs = [*headers.items()] if isinstance(headers, Mapping) else [*(headers or ())]
        of_to = [value for name, value in pairs if lower(name) == "to"]
        if recipients is not None or of_to:
            listed = () if recipients is None else _listed("recipients", recipients)
            parts["recipients"] = (*listed, *(address for value in of_to for address in _split(value)))
            pairs = [pair for pair in pairs if lower(pair[0]) != "to"]
        for name, addresses in (("cc", cc), ("bcc", bcc)):
            value = ",".join(_listed(name, addresses))
            if value:
                pairs.append((name, value))
        if subject is not None:
            pairs.append(("subject", subject))
        if body is not None:
            pairs.append(("body", re.sub("\r\n?|\n", "\r\n", body)))
        if headers is not None or pairs:
            parts["headers"] = pairs
        return super().build(scheme=scheme, fragment=fragment, **parts)

    def write_parts(self, parts: Any) -> str:
        written = []
        for address in parts.recipients or ():
            local, at, domain = address.rpartition("@")
            written.append(_ADDRESS.encode(local) + at + _ADDRESS.encode(domain))
        query = _HEADERS.composed(parts.headers)
        return ",".join(written) + query


def _listed(name: str, addresses: str | Iterable[str]) -> tuple[str, ...]:
    """Return a tuple of the addresses. addresses: one or more addresses."""
    listed = (addresses,) if isinstance(addresses, (str, bytes)) else tuple(addresses)
    for address in listed:
        if not isinstance(address, str):
            raise TypeError(f"{name} must be addresses of type str, not {type(address).__name__}")
    return listed


def _header(field: str) -> tuple[str, str]:
    name, _, value = field.partition("=")
    return lower(decode(name)), decode(value)


def _split(value: str) -> list[str]:
    """Return the addresses in a field. Commas separate them, except within quotation marks."""
    return [address for listed in _LISTED.findall(value) if (address := listed.strip())]


def _meaning(parts: MailtoParts) -> tuple[list[str], list[tuple[str, str | list[str]]]]:
    """Return the recipients and the headers, with each domain in one spelling."""
    headers = [
        (name, list(map(_folded, _split(value))) if name in ("cc", "bcc") else value) for name, value in parts.headers
    ]
    return list(map(_folded, parts.recipients)), headers


def _folded(address: str) -> str:
    from urlsm.unicode.idna import domain_to_ascii

    local, at, domain = address.rpartition("@")
    try:
        domain = domain_to_ascii(domain)
    except ValueError:
        domain = lower(domain)
    return local + at + domain


def _lower_domain(address: str) -> str:
    """Return an address, as written, with its domain in lower case, because "a@B" is "a@b" (RFC 5321 section 2.4)."""
    local, at, domain = address.rpartition("@")
    return local + at + lower_letters(domain) if at else address


# RFC 822 section 6.1: local-part = word *("." word); domain = sub-domain *("." sub-domain)
_ATOM_822 = r"[^\0- \x7f-\U0010ffff()<>@,;:\\\".\[\]]+"
_QUOTED_822 = r'"(?:[^\r"\\\x80-\U0010ffff]|\\[\0-\x7f])*'
_LITERAL_822 = r"\[(?:[^\r\[\\\]\x80-\U0010ffff]|\\[\0-\x7f])*"
_WORD, _SUB_DOMAIN = rf'(?:{_ATOM_822}|{_QUOTED_822}")', rf"(?:{_ATOM_822}|{_LITERAL_822}\])"
ADDR_SPEC_822 = AddrSpec(
    rf"{_WORD}(?:\.{_WORD})*",
    rf"(?:{_WORD}\.)*(?:{_WORD}|{_QUOTED_822})?",
    rf"{_SUB_DOMAIN}(?:\.{_SUB_DOMAIN})*",
    rf"(?:{_SUB_DOMAIN}\.)*(?:{_SUB_DOMAIN}|{_LITERAL_822})?",
)


class StrictMailto(Rfc1738[MailtoParts], Mailto):
    """mailtourl = "mailto:" encoded822addr; encoded822addr = 1*xchar, "the encoding of an <addr-spec>" (RFC 822)"""

    def read_parts(self, components: Components) -> MailtoParts:
        return MailtoParts((decode(components.path or ""),), ())

    def path_violations(self, components: Components) -> Iterator[Violation]:
        start, end = components.span("path") or (0, 0)
        yield from self.faults(components, "path", start, end, XCHAR)
        if start == end:
            yield self.violation("mailto-address-missing", "path", start)
        else:
            yield from self.address_violations(start, components.text[start:end], ADDR_SPEC_822)


Mailto.strict = StrictMailto
