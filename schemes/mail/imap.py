"""imap (RFC 5092)."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from datetime import date

from urlsm.components.parts import Parts, decode, lower, server
from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.octets.records import NamedTuple
from urlsm.schemes.characters import UNRESERVED, Characters
from urlsm.schemes.generic import Scheme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["Imap", "ImapParts"]

ACHAR = UNRESERVED + "!$'()*+," + "&="  # achar, except for escapes
BCHAR = ACHAR + ":@/"

# icommand = enc-mailbox [uidvalidity] [ iuid [isection] [ipartial] [[expire] iurlauth] ], which sets the order
_ORDER = ("uidvalidity", "uid", "section", "partial", "expire", "urlauth")
_AFTER_SLASH = ("uid", "section", "partial")
_NAMES = re.compile(f"(?i:;(?:auth|{'|'.join(_ORDER)})=)")
_AUTH = re.compile("(?i:;AUTH=)")
_ESCAPED_AUTH = re.compile("(?i:%3BAUTH%3D)")

_USER = f"(?:[{re.escape(ACHAR.allowed)}]|%[0-9A-Fa-f]{{2}})+"
_ACCESS = re.compile(rf"(?i:submit\+|user\+){_USER}|(?i:authuser|anonymous)")
_MECHANISM = re.compile("[A-Za-z0-9.-]+")
_TOKEN = re.compile("[0-9A-Fa-f]{32,}")
_NUMBER = re.compile("0*[0-9]{1,10}")
_NZ_NUMBER = re.compile("[1-9][0-9]{0,9}")
_DATE_TIME = re.compile(  # RFC 3339 section 5.6
    r"([0-9]{4})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
    r"[Tt](?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:\.[0-9]+)?"
    r"(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
)


class ImapParts(Parts):
    """An IMAP server, mailbox, search, message or part of a message.

    A number that cannot be read is None. See RFC 5092 sections 4 to 6.

    Attributes:
        username: the user name, decoded; None if absent
        auth_mechanism: the authentication mechanism; "*" for any; None if absent
        host: the host, decoded, in lower case, without brackets; None if absent or empty
        port: the port; None if absent
        mailbox: the mailbox, decoded; None if absent
        uid_validity: the UIDVALIDITY value of the mailbox; None if absent
        search: an IMAP SEARCH program, decoded; None if absent
        uid: the unique identifier (UID) of a message; None if absent
        section: a part of the message, such as "1.2"; None if absent
        partial: the offset and the length, in bytes, of a range of the section; the length may be None
        expire: the time at which the URL expires, as written; None if absent
        urlauth_access: the access identifier, which says who may use the URL; None if absent
        urlauth_mechanism: the mechanism that signs the URL, in lower case; None if absent
        urlauth_token: the signature, in hexadecimal; None if absent

    Example:
        >>> import urlsm
        >>> urlsm.parts("imap://mail.example/INBOX/;UID=20", "imap").uid
        20
    """

    username: str | None = None
    auth_mechanism: str | None = None
    host: str | None = None
    port: int | None = None
    mailbox: str | None = None
    uid_validity: int | None = None
    search: str | None = None
    uid: int | None = None
    section: str | None = None
    partial: tuple[int, int | None] | None = None
    expire: str | None = None
    urlauth_access: str | None = None
    urlauth_mechanism: str | None = None
    urlauth_token: str | None = None

    def mailbox_bytes(self) -> bytes:
        """Return the mailbox in modified UTF-7, as IMAP4 requires (RFC 5092 section 8); b"" if there is none.

        Raises:
            UnicodeEncodeError: the mailbox is not valid UTF-8.

        Example:
            >>> import urlsm
            >>> urlsm.parts("imap://mail.example/Caf%C3%A9", "imap").mailbox_bytes()
            b'Caf&AOk-'
        """
        return re.sub("&|[^ -~]+", _modified_base64, self.mailbox or "").encode("ascii")

    def fetch_item(self) -> str:
        """Return the data item to request with UID FETCH (RFC 5092 section 6).

        Raises:
            ValueError: the section contains a character that would end the item or the command.

        Example:
            >>> import urlsm
            >>> urlsm.parts("imap://mail.example/INBOX/;UID=20/;SECTION=1.2", "imap").fetch_item()
            'BODY.PEEK[1.2]'
        """
        section = self.section or ""
        if re.search(r"[\0\r\n\]]", section):
            raise ValueError(f"not a section of a message: {section!r}")
        return f"BODY.PEEK[{section}]" + (f"<{_range(self.partial)}>" if self.partial else "")


class _Parameter(NamedTuple):
    """A parameter of the path: ";" name [ "=" value ]"""

    name: str  # in lower case
    value: str | None
    position: int  # where the ";" of the parameter is in the path
    slash_missing: bool  # whether the "/" that must precede this ";" is missing

    @property
    def name_position(self) -> int:
        """The position of the name; if there is no "=", the position of the ";"."""
        return self.position + (self.value is not None)

    @property
    def value_position(self) -> int:
        return self.position + 1 + len(self.name) + (self.value is not None)


class Imap(Scheme[ImapParts]):
    names: ClassVar[tuple[str, ...]] = ("imap",)
    title = "IMAP mailbox, message, part"
    reference = "RFC 5092 section 11"
    example = "imap://joe;AUTH=*@mail.example.org/INBOX;UIDVALIDITY=385759045/;UID=20/;SECTION=1.2/;PARTIAL=0.1024"
    default_port: ClassVar[int | None] = 143
    authority = "required"
    password = "forbidden"
    host = "required"
    empty_path_is_root = True  # imap://<iserver>[/] (section 4)
    forbidden_escapes = "\0\r\n"  # IMAP strings cannot hold NUL; CR LF ends a command
    userinfo_characters: ClassVar[Characters] = ACHAR + ";:"
    path_characters: ClassVar[Characters] = BCHAR + ";"
    query_characters = BCHAR
    rules: ClassVar[dict[str, str]] = {
        "imap-auth-missing": 'an authentication mechanism is missing after ";AUTH="',
        "imap-mailbox-missing": "the mailbox is missing",
        "imap-search-missing": "the search program is missing",
        "imap-number-invalid": "the number is missing, malformed or out of range",
        "imap-urlauth-invalid": "the URLAUTH expiry, access, mechanism or token is not valid",
    }

    def read_parts(self, components: Components) -> ImapParts:
        username, auth_mechanism = _login(components.username)
        _, _, host, port = server(components)
        mailbox, parameters = _command(components.path or "")
        values: dict[str, str] = {}
        for parameter in parameters:
            values.setdefault(parameter.name, parameter.value or "")
        access, _, verifier = values.get("urlauth", "").partition(":")
        mechanism, _, token = verifier.partition(":")
        return ImapParts(
            username=_decoded(username),
            auth_mechanism=_decoded(auth_mechanism),
            host=host,
            port=port,
            mailbox=_decoded(mailbox or None),
            uid_validity=_read(values.get("uidvalidity", "")),
            search=_decoded(components.query),
            uid=_read(values.get("uid", "")),
            section=_decoded(values.get("section")),
            partial=_read_range(values.get("partial", "")),
            expire=values.get("expire"),
            urlauth_access=_decoded(access) if "urlauth" in values else None,
            urlauth_mechanism=lower(mechanism) or None,
            urlauth_token=token or None,
        )

    def normalize(self, components: Components) -> Components:
        """Normalise according to RFC 3986, and write parameter names in upper case. A URL with URLAUTH does not change,
        because its token signs the URL."""
        signed = any(parameter.name == "urlauth" for parameter in _command(components.path or "")[1])
        return components if signed else self._normal(components)

    def _normal(self, c: Components) -> Components:
        normal = super().normalize(c)
        if any(self.command_violations(normal)) and not any(self.command_violations(c)):
            # the path would be empty without its dot segments (which no mailbox has, section 7), so they stay
            normal = self.normal_form(c, self.unreserved, dots=False)
        return normal.replace(path=_upper(normal.path), username=_upper(normal.username))

    def equivalent(self, a: Components, b: Components) -> bool:
        """Return whether the normal forms have the same parts. A URL contains a "%-encoded version of" what IMAP sends
        (section 11), so it does not matter which characters are escaped."""
        return self._meaning(a) == self._meaning(b)

    def _meaning(self, c: Components) -> object:
        c = self._normal(c).replace(scheme=self.names[0])
        if any(violation.severity == "error" for violation in self.violations(c)):
            return c
        return self.read_parts(c), c.fragment

    def write_parts(self, parts: Any) -> str:
        written = self.composed_authority(host=parts.host, port=parts.port)
        if parts.username is not None or parts.auth_mechanism is not None:
            mechanism = "" if parts.auth_mechanism is None else ";AUTH=" + ACHAR.encode(parts.auth_mechanism)
            written = f"//{ACHAR.encode(parts.username or '')}{mechanism}@{written[2:]}"
        written += "/" + BCHAR.encode(parts.mailbox or "")
        urlauth = [part for part in (parts.urlauth_mechanism, parts.urlauth_token) if part is not None]
        if parts.urlauth_access is not None:
            urlauth.insert(0, ACHAR.encode(parts.urlauth_access))
        for name, value in (
            (";UIDVALIDITY=", parts.uid_validity),
            ("/;UID=", parts.uid),
            ("/;SECTION=", None if parts.section is None else BCHAR.encode(parts.section)),
            ("/;PARTIAL=", None if parts.partial is None else _range(parts.partial)),
            (";EXPIRE=", parts.expire),
            (";URLAUTH=", ":".join(urlauth) if urlauth else None),
        ):
            if value is not None:
                written += f"{name}{value}"
        return written if parts.search is None else f"{written}?{BCHAR.encode(parts.search)}"

    # --- violations ---

    def userinfo_violations(self, components: Components) -> Iterator[Violation]:
        """Yield the violations of iuserinfo = enc-user [iauth] / [enc-user] iauth; iauth = ";AUTH=" ( "*" /
        enc-auth-type )."""
        yield from super().userinfo_violations(components)
        where = components.span("username")
        if where is None:
            return
        user, *parameters = components.text[slice(*where)].split(";")
        position = where[0] + len(user)
        if not user and not parameters:
            yield self.violation("username-missing", "userinfo", position)
        for k, parameter in enumerate(parameters):
            name, equals, value = parameter.partition("=")
            after = position + 1 + len(name) + len(equals)
            at = position + 1 if equals else position
            if lower(name) != "auth":
                yield self.violation("parameter-unknown", "userinfo", at)
            elif k > 0:
                yield self.violation("parameter-duplicate", "userinfo", at)
            elif not value:
                yield self.violation("imap-auth-missing", "userinfo", after)
            elif lower(value) == "%2a":
                message = 'write "*" (any mechanism) unescaped (section 3.2)'
                yield self.violation("imap-auth-missing", "userinfo", after, message=message)
            position += 1 + len(parameter)

    def path_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().path_violations(components)
        yield from self.command_violations(components)

    def command_violations(self, components: Components) -> Iterator[Violation]:
        """Yield the violations of icommand, which is the path: a wrong structure, or a query where none is allowed."""
        start, end = components.span("path") or (0, 0)
        path = components.text[start:end]
        mailbox, parameters = _command(path)
        if not mailbox and (parameters or components.query is not None):
            yield self.violation("imap-mailbox-missing", "path", start + path.startswith("/"))
        seen: set[str] = set()
        for parameter in parameters:
            name, value = parameter.name, parameter.value
            position = start + parameter.name_position
            if name not in _ORDER or parameter.slash_missing:
                yield self.violation("parameter-unknown", "path", position)
                continue
            if name in seen:
                yield self.violation("parameter-duplicate", "path", position)
            elif any(_ORDER.index(name) < _ORDER.index(other) for other in seen):
                yield self.violation("parameter-order", "path", position)
            elif name not in ("uidvalidity", "uid") and "uid" not in seen:
                message = "a message parameter requires /;UID= before it"
                yield self.violation("parameter-order", "path", position, message=message)
            seen.add(name)
            position = start + parameter.value_position
            if not value and (value is None or name == "section"):
                yield self.violation("parameter-value-missing", "path", position)
            else:
                yield from self.value_violations(name, value, position)
        if "expire" in seen and "urlauth" not in seen:
            yield self.violation("imap-urlauth-invalid", "path", end)
        if components.query is not None and seen - {"uidvalidity"}:  # imessagelist = imailbox-ref [ "?" enc-search ]
            yield self.violation("query-not-allowed", "query", end)

    def value_violations(self, name: str, value: str, position: int) -> Iterator[Violation]:
        if name == "expire":
            if not _is_date_time(value):
                yield self.violation("imap-urlauth-invalid", "path", position)
        elif name == "urlauth":
            yield from self.urlauth_violations(value, position)
        elif name != "section":
            # partial-range = number ["." nz-number]; the values of the other parameters are nz-number
            offset = name == "partial"
            for digits in value.split(".", 1) if offset else [value]:
                in_range = (_NUMBER if offset else _NZ_NUMBER).fullmatch(digits) and int(digits[-10:]) <= 0xFFFFFFFF
                if not in_range:
                    yield self.violation("imap-number-invalid", "path", position)
                position += len(digits) + 1
                offset = False

    def urlauth_violations(self, value: str, position: int) -> Iterator[Violation]:
        """Yield the violations of access ":" uauth-mechanism ":" enc-urlauth."""
        fields = value.split(":", 2)
        for grammar, field in zip((_ACCESS, _MECHANISM, _TOKEN), fields, strict=False):
            if not grammar.fullmatch(field):
                yield self.violation("imap-urlauth-invalid", "path", position)
            position += len(field) + 1
        if len(fields) < 3:
            yield self.violation("imap-urlauth-invalid", "path", position - 1)

    def query_violations(self, components: Components) -> Iterator[Violation]:
        for violation in super().query_violations(components):
            if violation.code != "line-break-encoded":  # a non-synchronizing literal has a line break (section 5)
                yield violation
        if components.query == "":
            yield self.violation("imap-search-missing", "query", (components.span("query") or (0, 0))[0])


def _login(username: str | None) -> tuple[str | None, str | None]:
    """Return enc-user and enc-auth-type, from the userinfo before a ":"."""
    if username is None:
        return None, None
    auth = _AUTH.search(username)
    if auth is None and not re.search("[;=]", username):
        auth = _ESCAPED_AUTH.search(username)  # the URL parser escapes ";" and "="
    if auth is None:
        return username, None
    return username[: auth.start()] or None, username[auth.end() :]


def _command(path: str) -> tuple[str, list[_Parameter]]:
    """Return the mailbox and the parameters. Each ";" begins a parameter, because neither a name nor a value can
    contain it."""
    position = int(path.startswith("/")) - 1
    pieces = path[position + 1 :].split(";")
    texts: list[str] = []
    found: list[_Parameter] = []
    slash = False  # whether "/" precedes the ";" of this piece
    for piece, following in zip(pieces, [*pieces[1:], ""], strict=True):
        slash_follows = piece.endswith("/") and _name(following) in _AFTER_SLASH
        text = piece[:-1] if slash_follows else piece
        if texts:
            name = _name(text)
            value = text[len(name) + 1 :] if "=" in text else None
            found.append(_Parameter(name, value, position, name in _AFTER_SLASH and not slash))
        texts.append(text)
        slash = slash_follows
        position += len(piece) + 1
    return texts[0], found


def _read(digits: str) -> int | None:
    return int(digits[-10:]) if _NUMBER.fullmatch(digits) else None


def _read_range(text: str) -> tuple[int, int | None] | None:
    offset, dot, length = text.partition(".")
    numbers = _read(offset), _read(length)
    return None if numbers[0] is None or (dot and numbers[1] is None) else (numbers[0], numbers[1])


def _name(text: str) -> str:
    return lower(text.partition("=")[0])


def _upper(text: str | None) -> str | None:
    """Return the text with the names of IMAP parameters in upper case."""
    return None if text is None else _NAMES.sub(lambda name: name[0].upper(), text)


def _is_date_time(text: str) -> bool:
    found = _DATE_TIME.fullmatch(text)
    if found is None:
        return False
    try:
        date(int(found[1]) or 2000, int(found[2]), int(found[3]))  # Python's years begin with 1
    except ValueError:
        return False
    return True


def _range(partial: tuple[int, int | None]) -> str:
    """Return the text of partial-range = number ["." nz-number]."""
    return ".".join([str(number) for number in partial if number is not None])


def _modified_base64(run: re.Match[str]) -> str:
    octets = b"" if run[0] == "&" else run[0].encode("utf-16-be")
    return f"&{b64encode(octets, b'+,').decode().rstrip('=')}-"


def _decoded(text: str | None) -> str | None:
    return None if text is None else decode(text)
