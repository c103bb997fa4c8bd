"""data (RFC 2397): a media type, and the data itself."""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterable, Iterator

from urlsm.components.parts import Parts, decode, decode_bytes, lower
from urlsm.components.value import Components, split
from urlsm.errors import SchemeError
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import ALPHA, DIGIT, QUERY, Characters
from urlsm.schemes.fields import Parameters, QueryParams, with_lower_name
from urlsm.schemes.generic import Scheme, after_scheme
from urlsm.schemes.web.media_type import normal_media_type
from urlsm.url.value import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

    from urlsm.url.value import StrOrURL

__all__ = ["Data", "DataParts", "Fetched"]


def _one_of(octets: Iterable[int]) -> str:
    """Return a pattern that matches the two hexadecimal digits of any of these bytes."""
    return f"(?i:{'|'.join([f'{octet:02x}' for octet in octets])})"


# the characters of a token (RFC 2045: all but spaces, controls and ()<>@,;:\"/[]?= ) that a URL holds unescaped
_TOKEN = Characters(ALPHA + DIGIT + "!$&'*+-._~")
_TYPE = _TOKEN + "/"
_IN_TOKENS = _TOKEN + "#%^`{|}"
_NOT_IN_TOKEN = re.compile(f"[()/:=?@]|%{_one_of(octet for octet in range(256) if chr(octet) not in _IN_TOKENS)}")
# a value may also be an escaped quoted string (RFC 2397 section 3), but must not hold what would end a header field
_NOT_IN_VALUE = re.compile("[()/:=?@]|%0[0ADad]")
_QUOTED_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_FAULTS_OF_ESCAPES = {"%00": "nul-encoded", "%0A": "line-break-encoded", "%0D": "line-break-encoded"}

_PARAMETERS = Parameters(separator=";")
_BASE64 = (ALPHA + DIGIT + "+/").encode()
_NO_BASE64_DIGIT = re.compile(f"[^A-Za-z0-9+/%]|%(?!{_one_of(_BASE64)})")
_PADDING = re.compile("=|%3[Dd]")
_ESCAPED_BASE64 = "%62ase64"  # the normal form of a parameter whose name decodes to "base64"
_WHITE_SPACE = b" \t\n\f\r"
_ENDS_WITH_BASE64 = re.compile("; *(?i:base64)\\Z")

_ESCAPES = [chr(octet) if chr(octet) in QUERY else f"%{octet:02X}" for octet in range(256)]
_DEFAULT_TYPE = "text/plain"
_DEFAULT_PARAMS = (("charset", "US-ASCII"),)


class DataParts(Parts):
    """Data in the URL itself (data URI), according to RFC 2397.

    `urlsm.handler("data").fetched` returns the data as a browser reads it.

    Attributes:
        media_type: the media type, decoded, in lower case
        params: the parameters of the media type as (name, value) pairs, decoded, with names in lower case; a value is
            None if there is no "="
        is_base64: whether the data is written in base64
        data: the data, decoded

    Example:
        >>> import urlsm
        >>> urlsm.parts("data:text/plain;base64,SGk=", "data").data
        b'Hi'
    """

    media_type: str = _DEFAULT_TYPE
    params: QueryParams = ()
    is_base64: bool = False
    data: bytes = b""


class Fetched(Parts):
    """What a browser reads from a data URI.

    Attributes:
        media_type: the media type with its parameters, as browsers write it
        body: the data, decoded

    Example:
        >>> import urlsm
        >>> urlsm.handler("data").fetched("data:,a%20note").body
        b'a note'
    """

    media_type: str
    body: bytes


class Data(Scheme[DataParts]):
    names: ClassVar[tuple[str, ...]] = ("data",)
    title = "Inline data"
    reference = "RFC 2397"
    example = "data:text/plain;charset=utf-8,a%20note"
    hierarchical = False
    authority = "forbidden"
    in_text = "media"
    rules: ClassVar[dict[str, str]] = {
        "data-comma-missing": 'the "," between media type and data is missing',
        "data-media-type-invalid": "the media type is not valid",
        "data-base64-invalid": "the data is not base64",
    }

    def read_parts(self, components: Components) -> DataParts:
        """Return the parts. Raise SchemeError if there is no "," or the base64 is malformed. White space in base64 is
        ignored."""
        start, comma, end = self._extent(components)
        if comma < 0:
            raise self.refusal(components, "data-comma-missing", "path", end)
        kind, written, is_base64 = self._head(components, start, comma)
        params = [(lower(decode(name)).strip(), value and _unquoted(decode(value))) for _, name, value in written]
        if not kind and not params:
            params = [*_DEFAULT_PARAMS]
        octets = decode_bytes(components.text[comma + 1 : end])
        if is_base64:
            octets = self._from_base64(components, comma + 1, end, octets)
        return DataParts(lower(decode(kind)).strip() or _DEFAULT_TYPE, tuple(params), is_base64, octets)

    def fetched(self, url: StrOrURL) -> Fetched:
        """Return what a browser reads from a data: URL according to the Fetch Standard, which differs from RFC 2397.

        Escapes in the media type are not decoded, ";base64" may have spaces around it, and an invalid media type is
        replaced by text/plain;charset=US-ASCII.

        Args:
            url: the URL.

        Raises:
            SchemeError: there is no ",", or the base64 is malformed.
            ParseError: url is not a valid URL.
            ValueError: the scheme of the URL is not data.

        Example:
            >>> import urlsm
            >>> urlsm.handler("data").fetched("data:text/html,a%20b").body
            b'a b'

        https://fetch.spec.whatwg.org/#data-url-processor
        """
        href = parse(url).href
        c = split(href, dialect="rfc3986")
        if c.scheme not in self.names:
            raise ValueError(f"not a data URL: its scheme is {c.scheme!r}")
        start, comma, end = self._extent(c)
        if comma < 0:
            raise self.refusal(c, "data-comma-missing", "path", end)
        kind = href[start:comma].strip(_WHITE_SPACE.decode())
        body = decode_bytes(href[comma + 1 : end])
        if base64 := _ENDS_WITH_BASE64.search(kind):
            kind = kind[: base64.start()]
            body = self._from_base64(c, comma + 1, end, body)
        if kind.startswith(";"):
            kind = _DEFAULT_TYPE + kind
        return Fetched(normal_media_type(kind) or "text/plain;charset=US-ASCII", body)

    def _extent(self, c: Components) -> tuple[int, int, int]:
        """Return where the media type begins, where the first "," is, and where the data ends. The data may contain
        "?"."""
        start, fragment = after_scheme(c), c.span("fragment")
        end = len(c.text) if fragment is None else fragment[0] - 1
        return start, c.text.find(",", start, end), end

    def _head(self, c: Components, start: int, comma: int) -> tuple[str, list[tuple[int, str, str | None]], bool]:
        """Return the type, the parameters, as Parameters.within yields them, and whether ";base64" follows them."""
        written = list(_PARAMETERS.within(c.text, start, comma))
        semicolon = c.text.find(";", start, comma)
        kind = c.text[start : comma if semicolon < 0 else semicolon]
        is_base64 = len(written) > 1 and written[-1][2] is None and lower(written[-1][1]) == "base64"
        return kind, written[1 : len(written) - is_base64], is_base64

    def _is_base64(self, c: Components) -> bool:
        start, comma, _ = self._extent(c)
        return self._head(c, start, comma)[2]

    def _from_base64(self, c: Components, start: int, end: int, octets: bytes) -> bytes:
        octets = octets.translate(None, _WHITE_SPACE)
        digits = octets.rstrip(b"=")
        missing = -len(digits) % 4
        if digits.translate(None, _BASE64) or missing == 3 or len(octets) - len(digits) not in (0, missing):
            raise self.refusal(c, "data-base64-invalid", "path", _base64_fault(c.text, start, end) or start)
        return binascii.a2b_base64(digits + b"=" * missing)

    def violations(self, components: Components) -> Iterator[Violation]:
        """Yield the violations of data:[type/subtype *(;attribute=value)][;base64],*urlchar."""
        yield from self.scheme_violations(components)
        yield from self.authority_violations(components)
        start, comma, end = self._extent(components)
        yield from self.faults(components, "path", start, end, QUERY)
        if comma < 0:
            yield self.violation("data-comma-missing", "path", end)
        else:
            kind, params, is_base64 = self._head(components, start, comma)
            if kind:
                yield from self._type_violations(kind, start)
            for at, name, value in params:
                yield from self._parameter_violations(at, name, value)
            fault = _base64_fault(components.text, comma + 1, end) if is_base64 else None
            if fault is not None:
                yield self.violation("data-base64-invalid", "path", fault)
        yield from self.fragment_violations(components)

    def _type_violations(self, kind: str, start: int) -> Iterator[Violation]:
        first, slash, second = kind.partition("/")
        if not slash:
            yield self.violation("data-media-type-invalid", "path", start)
            return
        for token, at in (first, start), (second, start + len(first) + 1):
            wrong = _NOT_IN_TOKEN.search(token)
            if not token or wrong is not None:
                yield self.violation("data-media-type-invalid", "path", at + (wrong.start() if wrong else 0))

    def _parameter_violations(self, start: int, name: str, value: str | None) -> Iterator[Violation]:
        if not name:
            yield self.violation("parameter-name-missing", "path", start)
            return
        for wrong in _NOT_IN_TOKEN.finditer(name):
            yield self.violation("character-not-allowed", "path", start + wrong.start())
        start += len(name) + (value is not None)  # past the "="
        if not value:
            yield self.violation("parameter-value-missing", "path", start)
            return
        for wrong in _NOT_IN_VALUE.finditer(value):
            code = _FAULTS_OF_ESCAPES.get(wrong[0].upper(), "character-not-allowed")
            yield self.violation(code, "path", start + wrong.start())

    def normalize(self, components: Components) -> Components:
        """Normalise, and lowercase the media type, the parameter names and "base64". The case of values and data does
        not change."""
        if components.host is not None:  # RFC 2397 reads an authority as type and data, whose case matters
            return components
        normal = super().normalize(components)
        start, comma, _ = self._extent(normal)
        if comma < 0:
            return normal
        *head, last = normal.text[start:comma].split(";")
        # "ba%73e64" is a parameter, although it decodes to "base64"
        if self._is_base64(normal) and not self._is_base64(components):
            last = _ESCAPED_BASE64
        written = ";".join(map(with_lower_name, [*head, last]))
        return split(normal.text[:start] + written + normal.text[comma:], dialect=components.dialect)

    def equivalent(self, a: Components, b: Components) -> bool:
        """Return whether the media types and the decoded bytes are equal, however they are written. A fragment does not
        matter, because it is not fetched (RFC 3986 section 6.1)."""
        try:
            first, second = self.read_parts(a), self.read_parts(b)
        except SchemeError:  # one of the URLs has no parts
            return super().equivalent(a, b)
        return (first.media_type, first.params, first.data) == (second.media_type, second.params, second.data)

    def build(
        self,
        data: bytes | bytearray | memoryview | None = None,
        /,
        *,
        scheme: str | None = None,
        fragment: str | None = None,
        **parts: Any,
    ) -> str:
        """Return the URL for data, as in build(b"a note", media_type="text/plain"). data may also be passed by name.
        For parameters and errors, see Scheme.build.

        Raises TypeError: data is passed twice or is not bytes.
        """
        if data is not None:
            if "data" in parts:
                raise TypeError("data was passed both by position and by name")
            parts["data"] = data
        return super().build(scheme=scheme, fragment=fragment, **parts)

    def write_parts(self, parts: Any) -> str:
        """Return the URL text for these parts. data: bytes, or an object with the buffer protocol. If is_base64 is not
        given, the shorter form is used."""
        data = b"" if parts.data is None else bytes(memoryview(parts.data))
        kind, params = parts.media_type, tuple(map(tuple, parts.params or ()))
        head = "" if kind is None else _TYPE.encode(kind)
        for name, value in params:
            head += ";" + _TOKEN.encode(name) + ("" if value is None else "=" + _TOKEN.encode(_quoted(value)))
        if (kind, params) == (_DEFAULT_TYPE, _DEFAULT_PARAMS):
            head = ""
        escaped = len(data.translate(None, QUERY.allowed.encode()))
        is_base64 = parts.is_base64
        if is_base64 is None:
            is_base64 = len(";base64") + 4 * ((len(data) + 2) // 3) < len(data) + 2 * escaped
        if is_base64:
            return f"{head};base64,{binascii.b2a_base64(data, newline=False).decode()}"
        return f"{head},{data.decode('latin-1').translate(_ESCAPES)}"


def _unquoted(value: str) -> str:
    """Return the content of a quoted string (RFC 822 section 3.3). Return any other value unchanged."""
    found = _QUOTED_STRING.fullmatch(value)
    return value if found is None else re.sub(r"(?s)\\(.)", r"\1", found[1])


def _quoted(value: str) -> str:
    """Return the text that _unquoted converts back to value: a quoted string if value is empty or looks like one,
    otherwise value itself."""
    if value and not _QUOTED_STRING.fullmatch(value):
        return value
    return '"' + re.sub(r'(["\\])', r"\\\1", value) + '"'


def _base64_fault(text: str, start: int, end: int) -> int | None:
    """Return where text[start:end], which may contain escapes, stops being base64; None if all of it is base64. Padding
    must be complete or left out."""
    other = _NO_BASE64_DIGIT.search(text, start, end)
    position = other.start() if other else end
    missing = -(position - start - 2 * text.count("%", start, position)) % 4
    found = 0
    while found < missing < 3 and (padding := _PADDING.match(text, position, end)):
        position = padding.end()
        found += 1
    return None if position == end and missing < 3 and found in (0, missing) else position
