"""sip and sips (RFC 3261 section 19.1). The path contains a user, a server and parameters; header fields follow it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlsm.components.parts import decode, lower
from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import ALPHA, DIGIT, LABEL, MARKED, Characters, normal_escapes
from urlsm.schemes.contact import DOMAIN_NAME, LINE_BREAK, PARAMETER, Contact
from urlsm.schemes.contract import ServerParts
from urlsm.schemes.fields import Parameters, QueryParams, read_number
from urlsm.schemes.generic import after_scheme, is_ip_literal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["Sip", "SipParts", "Sips"]

USER = MARKED + "&=+$,;?/"
PASSWORD = MARKED + "&=+$,"
HEADER = MARKED + "[]/?:+$"  # hnv-unreserved
_HOST = Characters(ALPHA + DIGIT + "-.")

# hostport uri-parameters [ headers ]
_SERVER = re.compile(
    r"(?P<host>\[[^\]]*\][^:;?]*|[^:;?]*)(?::(?P<port>[^;?]*))?(?:;(?P<params>[^?]*))?(?:\?(?P<headers>.*))?", re.DOTALL
)
_BEGUN_HOST = re.compile(rf"(?:{LABEL}\.)*(?:{LABEL})?")
_IPV4 = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}")
_TTL = re.compile("[0-9]{1,3}")  # ttl = 1*3DIGIT ; 0 to 255

_PARAMETERS = Parameters(
    separator=";",
    fold=True,
    filled=True,  # pvalue = 1*paramchar
    repeat="forbid",  # "any given parameter-name MUST NOT appear more than once"
    names=PARAMETER,
    values=PARAMETER,
)
_HEADERS = Parameters(fold=True, equals=True, names=HEADER, values=HEADER)  # header = hname "=" hvalue

Pieces = dict[str, tuple[int, str]]

# "A user, ttl, or method uri-parameter appearing in only one URI never matches". The same goes for maddr, and for
# transport: "sip:bob@biloxi.com" does not match "sip:bob@biloxi.com;transport=udp" (section 19.1.4)
_NEVER_IGNORED = {"user", "ttl", "method", "maddr", "transport"}


class SipParts(ServerParts):
    """A person or a device to call over SIP.

    A port that is not a number is None.

    Attributes:
        transport: the transport in lower case, such as "tcp"; None if absent
        params: the parameters as (name, value) pairs, decoded, with names in lower case; a value is None if there is no
            "="
        headers: the header fields as (name, value) pairs, decoded, with names in lower case; "body" is the message body

    Example:
        >>> import urlsm
        >>> urlsm.parts("sip:ann@example.com;transport=tcp", "sip").transport
        'tcp'
    """

    transport: str | None = None
    params: tuple[tuple[str, str | None], ...] = ()
    headers: tuple[tuple[str, str], ...] = ()

    def header(self, name: str) -> str | None:
        """Return the value of the first header field with this name; None if there is none.

        Args:
            name: the name, in upper or lower case.

        Example:
            >>> import urlsm
            >>> urlsm.parts("sip:ann@ex.com?Subject=Hi", "sip").header("subject")
            'Hi'
        """
        return next((value for found, value in self.headers if found == lower(name)), None)


class Sip(Contact[SipParts]):
    """SIP-URI = "sip:" [ userinfo ] hostport uri-parameters [ headers ]"""

    names: ClassVar[tuple[str, ...]] = ("sip",)
    title = "Session initiation"
    reference = "RFC 3261 section 19.1"
    example = "sip:alice@atlanta.example:5070;transport=tcp?subject=project%20x&priority=urgent"
    default_port: ClassVar[int | None] = 5060
    host = "required"
    host_kind = "hostname, IPv4address or IPv6reference"
    query_fields: ClassVar[Parameters | None] = _HEADERS
    in_text = "dotted"
    password_in_path = True
    rules: ClassVar[dict[str, str]] = {
        "sip-ttl-invalid": "ttl must be a number from 0 to 255",
        "sip-transport-unreliable": "sips needs a reliable transport, which udp is not",
    }

    def read_parts(self, components: Components) -> SipParts:
        pieces = _pieces(components)
        username, password = (decode(pieces[name][1]) if name in pieces else None for name in ("username", "password"))
        params = _params(pieces)
        transport = dict(params).get("transport")
        return SipParts(
            username,
            password,
            lower(pieces["host"][1].removeprefix("[").removesuffix("]")) or None,
            read_number(pieces["port"][1]) if "port" in pieces else None,
            None if transport is None else lower(transport),
            params,
            _headers(pieces),
        )

    def hosts(self, components: Components) -> Iterator[tuple[int, str]]:
        pieces = _pieces(components)
        yield pieces["host"]
        start = after_scheme(components) + 2 * (components.host is not None)
        user, sign, server = components.text[start:].partition("@")
        if sign and (found := _SERVER.fullmatch(server)):  # some readers take the first "@" as the end of the user
            yield start + len(user) + 1 + found.start("host"), found["host"]
        if "params" in pieces:
            start, params = pieces["params"]
            for at, name, value in _PARAMETERS.within(components.text, start, start + len(params)):
                if value and _PARAMETERS.key(name) == "maddr":  # "overriding any address derived from the host field"
                    yield at + len(name) + 1, value

    def path_violations(self, components: Components) -> Iterator[Violation]:
        """Yield the violations in the path and the query together. They cannot be separated, because the user may
        contain "?", which also begins the header fields."""
        pieces = _pieces(components)
        if "username" in pieces:
            yield from self.user_violations(components, pieces)
        start, host = pieces["host"]
        fault = _host_fault(host)
        if fault is not None:
            yield self.violation(fault[0], "host", start + fault[1])
        if "port" in pieces:
            start, port = pieces["port"]
            if port:
                yield from self.number_violations(components, start, start + len(port))
            else:  # port = 1*DIGIT
                yield self.violation("port-invalid", "port", start)
        if "params" in pieces:
            yield from self.params_violations(components, *pieces["params"])
        if "headers" in pieces:
            yield from self.headers_violations(components, *pieces["headers"])

    def query_violations(self, components: Components) -> Iterator[Violation]:
        return iter(())

    def user_violations(self, components: Components, pieces: Pieces) -> Iterator[Violation]:
        start, username = pieces["username"]
        if not username:  # "If the @ sign is present, the user field MUST NOT be empty"
            yield self.violation("username-missing", "userinfo", start)
        yield from self.faults(components, "userinfo", start, start + len(username), USER)
        if "password" in pieces:
            start, password = pieces["password"]
            if password:
                yield self.violation("password-deprecated", "userinfo", start - 1, "warning")
            yield from self.faults(components, "userinfo", start, start + len(password), PASSWORD)

    def params_violations(self, components: Components, start: int, params: str) -> Iterator[Violation]:
        yield from _PARAMETERS.violations(self, components, "path", start, start + len(params), self.known_violations)

    def known_violations(self, at: int, name: str, written: str | None) -> Iterator[Violation]:
        """Yield the violations of the rules for single parameters in section 19.1.1."""
        value = decode(written or "")
        if _PARAMETERS.key(name) == "ttl" and not (_TTL.fullmatch(value) and int(value) <= 255):
            yield self.violation("sip-ttl-invalid", "path", at + len(name) + (written is not None))

    def headers_violations(self, components: Components, start: int, headers: str) -> Iterator[Violation]:

        def further(at: int, name: str, value: str | None) -> Iterator[Violation]:
            for found in LINE_BREAK.finditer(f"{name}={value or ''}"):
                if found.start() < len(name) or _HEADERS.key(name) != "body":  # a line break would begin another field
                    yield self.violation("line-break-encoded", "query", at + found.start())

        yield from _HEADERS.violations(self, components, "query", start, start + len(headers), further)

    def normalize(self, components: Components) -> Components:
        """Normalise according to RFC 3986, and lowercase the host and the names of parameters and header fields. A
        default port is kept (section 19.1.4)."""
        normal = super().normalize(components)
        if components.host is not None:
            return normal
        text = {name: text for name, (_, text) in _pieces(components).items()}
        # escapes in the host "MUST NOT" be decoded (section 19.1.2)
        text |= {name: normal_escapes(text[name]) for name in text.keys() - {"host", "port"}}
        path = ""
        if "username" in text:
            path = text["username"] + (f":{text['password']}" if "password" in text else "") + "@"
        path += lower(text["host"]) + (f":{text['port']}" if "port" in text else "")
        if "params" in text:
            path += ";" + _PARAMETERS.normal(text["params"])
        if "headers" in text:
            path += "?" + _HEADERS.normal(text["headers"])
        if components.query is None:
            return normal.replace(path=path)
        path, _, query = path.partition("?")
        return normal.replace(path=path, query=query)

    def equivalent(self, a: Components, b: Components) -> bool:
        """Return whether a and b match according to section 19.1.4. This is not an equivalence relation: a may match b,
        and b may match c, even if a does not match c.

        User information, Call-ID and body are case-sensitive; everything else is not. A port, a header field, or one of
        the parameters user, ttl, method, maddr and transport must be in both URIs or in neither. Any other parameter is
        compared only if it is in both. Values are compared after decoding, because a delimiter within a component is
        always escaped.
        """
        if a.host is not None or b.host is not None:
            return super().equivalent(a, b)
        if lower(a.scheme or "") != lower(b.scheme or ""):
            return False
        one, other = _pieces(a), _pieces(b)
        if _address(one) != _address(other) or _compared_headers(one) != _compared_headers(other):
            return False
        params, others = ({name: value and lower(value) for name, value in _params(it)} for it in (one, other))
        return all(
            params[name] == others[name] if name in params and name in others else name not in _NEVER_IGNORED
            for name in params.keys() | others.keys()
        )

    def write_parts(self, parts: Any) -> str:
        written = ""
        if parts.username is not None or parts.password is not None:
            written = USER.encode(parts.username or "")
            if written.startswith("//"):  # an unescaped "//" would begin an authority
                written = "%2F" + written[1:]
            written += ("" if parts.password is None else ":" + PASSWORD.encode(parts.password)) + "@"
        host = parts.host or ""
        written += f"[{host}]" if ":" in host else _HOST.encode(host)
        if parts.port is not None:
            written += f":{parts.port}"
        params = parts.params
        if params is None and parts.transport is not None:
            params = (("transport", parts.transport),)
        if params:
            written += ";" + _PARAMETERS.write(params)
        return written + _HEADERS.composed(parts.headers)


class Sips(Sip):
    """SIPS-URI = "sips:" [ userinfo ] hostport uri-parameters [ headers ]"""

    names: ClassVar[tuple[str, ...]] = ("sips",)
    title = "Session initiation over TLS"
    example = "sips:alice@atlanta.example?subject=project%20x&priority=urgent"
    default_port: ClassVar[int | None] = 5061

    def known_violations(self, at: int, name: str, written: str | None) -> Iterator[Violation]:
        yield from super().known_violations(at, name, written)
        if _PARAMETERS.key(name) == "transport" and lower(decode(written or "")) == "udp":
            # "For a SIPS URI, the transport parameter MUST indicate a reliable transport"
            yield self.violation("sip-transport-unreliable", "path", at + len(name) + 1)


def _pieces(c: Components) -> Pieces:
    """Return the pieces of a SIP URI by name, each with its position in c.text: "username", "password", "host"
    (always), "port", "params", "headers". The last "@" ends the user information. A "//" at the beginning, which should
    not be there, is skipped."""
    start = after_scheme(c) + 2 * (c.host is not None)
    fragment = c.span("fragment")
    text = c.text[start : None if fragment is None else fragment[0] - 1]
    pieces = {}
    userinfo, at, server = text.rpartition("@")
    if at:
        username, colon, password = userinfo.partition(":")
        pieces["username"] = start, username
        if colon:
            pieces["password"] = start + len(username) + 1, password
        start += len(userinfo) + 1
    if found := _SERVER.fullmatch(server):  # the pattern matches any text
        pieces |= {
            name: (start + found.start(name), piece) for name, piece in found.groupdict().items() if piece is not None
        }
    return pieces


def _host_fault(host: str) -> tuple[str, int] | None:
    """Return the code and the position of the fault if the text is not host = hostname / IPv4address /
    IPv6reference."""
    if not host:
        return "host-missing", 0
    if host[0] == "[":
        return None if is_ip_literal(host) else ("ip-literal-invalid", 0)
    if DOMAIN_NAME.fullmatch(host) or _IPV4.fullmatch(host):
        return None
    begun = _BEGUN_HOST.match(host)
    end = begun.end() if begun else 0
    # if all of it was matched, the fault is a toplabel that begins with a digit
    return "host-invalid", end if end < len(host) else host.rstrip(".").rfind(".") + 1


def _params(pieces: Pieces) -> QueryParams:
    return _PARAMETERS.read(pieces["params"][1]) if "params" in pieces else ()


def _headers(pieces: Pieces) -> tuple[tuple[str, str], ...]:
    found = _HEADERS.read(pieces["headers"][1]) if "headers" in pieces else ()
    return tuple([(name, value or "") for name, value in found])


def _address(pieces: Pieces) -> tuple[str | None, ...]:
    user = [decode(pieces[name][1]) if name in pieces else None for name in ("username", "password")]
    port = pieces["port"][1].lstrip("0") if "port" in pieces else None
    return *user, lower(pieces["host"][1]), port


def _compared_headers(pieces: Pieces) -> list[tuple[str, str]]:
    """Return the header fields, sorted by name, with values in lower case, except where case matters (section
    7.3.1)."""
    headers = sorted(_headers(pieces), key=lambda header: header[0])
    return [(name, value if name in ("body", "call-id") else lower(value)) for name, value in headers]
