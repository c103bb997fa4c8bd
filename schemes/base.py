"""The contract that handlers fulfil, and what it says of a scheme that keeps to RFC 3986."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from ipaddress import AddressValueError, IPv6Address
from types import SimpleNamespace
from typing import Any, ClassVar

from urlsm.components import Components, split
from urlsm.errors import SchemeError
from urlsm.schemes.characters import (
    FRAGMENT,
    GENERIC_PATH,
    HOST,
    PCHAR,
    QUERY,
    UNRESERVED,
    USERINFO,
    Characters,
    normal_escapes,
)
from urlsm.values import Parts, decode, lower, segments, server
from urlsm.violations import RULES, Violation

__all__ = ["HierarchicalParts", "PathParts", "Scheme", "ServerParts", "remove_dot_segments"]


class ServerParts(Parts):
    """Who is asked, and where. username and password are decoded, "" where they stand empty; host is decoded, in lower
    case, without brackets, None where absent or empty; port is as written, None where absent or empty."""

    username: str | None = None
    password: str | None = None
    host: str | None = None
    port: int | None = None


class PathParts(ServerParts):
    """And the path as written, and its decoded segments: () of "", ("",) of "/"."""

    path: str = ""
    segments: tuple[str, ...] = ()


class HierarchicalParts(PathParts):
    """And the query as written. What a handler without parts of its own makes."""

    query: str | None = None


_CHOICES = {  # what a trait may say
    "authority": ("required", "optional", "forbidden"),
    "userinfo": ("allowed", "deprecated", "forbidden"),
    "password": ("allowed", "deprecated", "forbidden"),
    "host": ("required", "optional"),
    "port": ("allowed", "forbidden"),
    "path": ("allowed", "required", "root"),
    "query": ("allowed", "forbidden"),
    "fragment": ("allowed", "ignored", "forbidden"),
}
_TRAITS = (
    *("title", "reference", "example", "default_port", "special", "hierarchical", *_CHOICES),
    *("empty_path_is_root", "host_kind", "host_may_pass_for_option"),
)


class Scheme:
    """What one scheme, or a few that differ in name only, means. A handler is an instance of a subclass, without state.

    Its traits say what may stand where; a subclass overrides them, and those of the methods refine, violations,
    normalize, equivalent and compose (which build calls) that its scheme has otherwise. Handlers see components split
    by RFC 3986 (or RFC 1738) from str.
    """

    names: ClassVar[tuple[str, ...]] = ()  # in lower case
    title: ClassVar[str] = "any scheme"
    reference: ClassVar[str] = "RFC 3986"
    example: ClassVar[str] = "scheme://host/path?query#fragment"

    default_port: ClassVar[int | None] = None
    special: ClassVar[bool] = False  # parsed as http is (URL Standard); takes effect by urlsm.register only
    hierarchical: ClassVar[bool] = True  # "/", "." and ".." in the path mean what RFC 3986 says
    authority: ClassVar[str] = "optional"
    userinfo: ClassVar[str] = "allowed"
    password: ClassVar[str] = "deprecated"
    host: ClassVar[str] = "optional"  # in an authority; optional: it may be empty
    port: ClassVar[str] = "allowed"
    path: ClassVar[str] = "allowed"  # root: "" or "/" only
    query: ClassVar[str] = "allowed"
    fragment: ClassVar[str] = "allowed"
    empty_path_is_root: ClassVar[bool] = False  # after an authority, "" means "/"
    host_kind: ClassVar[str] = "reg-name"  # or a name for people of what a subclass checks instead
    host_may_pass_for_option: ClassVar[bool] = False  # it ends up on command lines: warn of a leading "-"
    forbidden_escapes: ClassVar[str] = ""  # of "\0", "\r", "\n": refused also as escapes, wherever they stand

    unreserved: ClassVar[Characters] = UNRESERVED  # an escape of one means the same as it
    userinfo_characters: ClassVar[Characters] = USERINFO
    host_characters: ClassVar[Characters] = HOST
    path_characters: ClassVar[Characters] = GENERIC_PATH
    query_characters: ClassVar[Characters] = QUERY
    fragment_characters: ClassVar[Characters] = FRAGMENT

    strict: ClassVar[type[Scheme] | None] = None  # the scheme in RFC 1738's own grammar, where it has one
    parts_type: ClassVar[type[Parts]] = HierarchicalParts

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if not isinstance(cls.names, tuple):
            raise TypeError(f"{cls.__name__}.names is a tuple of str, not {type(cls.names).__name__}")
        for trait, choices in _CHOICES.items():
            if getattr(cls, trait) not in choices:
                raise ValueError(f"{cls.__name__}.{trait} is one of {', '.join(choices)}, not {getattr(cls, trait)!r}")

    # --- what a subclass may say differently ---

    def refine(self, c: Components) -> Parts:
        """The parts of components: lenient, so that of all texts that look like it something can be read.

        Raises SchemeError where a part cannot be read at all (see refusal).
        """
        path = c.path or ""
        return HierarchicalParts(*server(c), path, segments(path), c.query)

    def violations(self, c: Components) -> Iterator[Violation]:
        """Every rule that components break, in any order; see violation. Warnings among them."""
        yield from self.scheme_violations(c)
        yield from self.authority_violations(c)
        yield from self.path_violations(c)
        yield from self.query_violations(c)
        yield from self.fragment_violations(c)

    def normalize(self, c: Components) -> Components:
        """The normal form of components (RFC 3986 sections 6.2.2 and 6.2.3, as far as the traits let it): never changes
        what the scheme calls significant; normal forms are their own normal form."""
        return self.normal_form(c, self.unreserved)

    def normal_form(self, c: Components, unreserved: Characters, dots: bool = True) -> Components:
        """normalize's work, as the traits have it: escapes of unreserved characters are decoded; dots: dot segments
        go."""
        changes: dict[str, str | None] = {
            name: normal_escapes(value, decoded)
            for name, decoded in (
                # no delimiter of RFC 3986 has a meaning in these but the first ":"
                ("username", self.userinfo_characters - ":?"),
                ("password", self.userinfo_characters - "?"),
                ("path", unreserved),
                ("query", unreserved),
                ("fragment", unreserved),
            )
            if (value := getattr(c, name)) is not None
        }
        if c.scheme is not None:
            changes["scheme"] = lower(c.scheme)
        path = changes.get("path") or ""
        if dots and self.hierarchical and c.scheme is not None and path.startswith("/"):
            # what dots remove may be a bad escape that kept others from being decoded
            path = remove_dot_segments(normal_escapes(remove_dot_segments(path), unreserved))
            if c.host is None and path.startswith("//"):
                path = "/." + path  # would read as an authority
        if self.empty_path_is_root and c.host is not None and not path:
            path = "/"
        changes["path"] = path
        if c.host is not None:
            changes["host"] = self.normal_host(c.host)
            # "[::1]:80" has a port; "a:1:80" is no host and port, and has to stay as it is
            plain = ":" not in c.host or (c.host.startswith("[") and c.host.endswith("]"))
            if c.port is not None and plain and (not c.port or c.port.lstrip("0") == str(self.default_port)):
                changes["port"] = None
            elif c.port is not None and c.port.isdigit():
                changes["port"] = c.port.lstrip("0") or "0"
        return c.replace(**changes)

    def normal_host(self, host: str) -> str:
        """Letters in lower case, escaped ones too; the hexadecimal digits of the escapes that stay in upper case."""
        if decode(host).startswith("/"):  # a socket's path: case counts
            return normal_escapes(host)
        if not host.startswith("["):
            host = normal_escapes(host, self.host_characters)
        return _ESCAPE.sub(lambda escape: escape[0].upper(), lower(host))

    def equivalent(self, a: Components, b: Components) -> bool:
        """Do the two mean the same? This is the handler of both; by default other schemes mean other things."""
        first, second = self.normalize(a), self.normalize(b)
        if self.fragment == "ignored":
            return first.replace(fragment=None) == second.replace(fragment=None)
        return first == second

    def compose(self, p: Any) -> str:
        """What follows "scheme:" for parts, each of them encoded; build checks it. p has every field of parts_type as
        an attribute, None where it was not given."""
        return self.composed_authority(p) + self.composed_path(p) + ("" if p.query is None else "?" + p.query)

    # --- build, and what it needs ---

    def build(self, *, scheme: str | None = None, fragment: str | None = None, **parts: Any) -> str:
        """The URL that refine makes these parts of: their inverse. Text is encoded where its place cannot hold it.

        Args:
            scheme: where the handler serves several. fragment: as written. parts: fields of parts_type, where what is
                not given is absent.

        Raises:
            SchemeError: the URL would break a rule. ValueError: it would not read back as these parts. TypeError: no
                such part.
        """
        fields = self.parts_type._fields
        for name in parts:
            if name not in fields:
                raise TypeError(f"no part {name!r}; there are: {', '.join(fields)}")
        name = scheme if scheme is not None else self.names[0] if self.names else ""
        if self.names and lower(name) not in self.names and {*lower(name).split("+")}.isdisjoint(self.names):
            raise ValueError(f"{name!r} is none of this handler's schemes: {', '.join(self.names)}")
        text = f"{name}:{self.compose(SimpleNamespace(**{**dict.fromkeys(fields), **parts}))}"
        if fragment is not None:
            text += "#" + fragment
        c = split(text, "rfc3986")
        if c.scheme != name:
            raise ValueError(f"no scheme can be called {name!r}")
        for violation in self.violations(c):
            if violation.severity == "error":
                raise SchemeError(violation, text)
        found = self.refine(c)
        for name, value in parts.items():
            if value is not None and not _same(value, found[name]):
                said = "" if name == "password" else f": {value!r} would read back as {found[name]!r}"
                raise ValueError(f"{name} cannot be this here{said}")
        return text

    def composed_authority(self, p: Any) -> str:
        """ "//" and the authority of ServerParts; nothing where none is given and none is required."""
        username, password, host, port = (
            getattr(p, name, None) for name in ("username", "password", "host", "port")
        )  # no handler need have them all
        if self.authority != "required" and all(part is None for part in (username, password, host, port)):
            return ""
        written = "//"
        if username is not None or password is not None:
            written += (self.userinfo_characters - ":").encode(username or "")
            written += "@" if password is None else f":{self.userinfo_characters.encode(password)}@"
        if host is not None:
            literal = ":" in host and is_ip_literal(f"[{host}]")
            written += f"[{host}]" if literal else self.host_characters.encode(host)
        return written if port is None else f"{written}:{port}"

    def composed_path(self, p: Any) -> str:
        """The path as given, or of its segments."""
        if p.path is not None:
            return str(p.path)
        characters = Characters("".join([c for c in self.path_characters.allowed if c in PCHAR]))
        return "/" + "/".join([characters.encode(segment) for segment in p.segments]) if p.segments else ""

    # --- violations, component by component ---

    def violation(
        self, code: str, component: str, position: int, severity: str = "error", message: str | None = None
    ) -> Violation:
        """A violation of a rule of urlsm.violations, or of one of the handler's own, which needs a message."""
        text = message if message is not None else RULES[code].message
        return Violation(code, component, position, severity, self.reference, text)

    def refusal(self, c: Components, code: str, component: str, position: int) -> SchemeError:
        """The error to raise where a part cannot be read."""
        return SchemeError(self.violation(code, component, position), c.text)

    def faults(
        self,
        c: Components,
        component: str,
        start: int,
        end: int,
        characters: Characters,
        code: str = "character-not-allowed",
    ) -> Iterator[Violation]:
        """Every character of text[start:end] that may not stand there, bad escapes, and forbidden ones. code: of the
        characters."""
        text = c.text
        for fault, position in characters.faults(text, start, end):
            yield self.violation(code if fault == "character-not-allowed" else fault, component, position)
        for octet in self.forbidden_escapes if component != "fragment" else "":  # a fragment goes nowhere
            for escape in re.finditer(f"(?i:%{ord(octet):02x})+", text[start:end]):
                fault = "nul-encoded" if octet == "\0" else "line-break-encoded"
                yield self.violation(fault, component, start + escape.start())

    def scheme_violations(self, c: Components) -> Iterator[Violation]:
        """scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )"""
        if c.scheme is not None:
            fault = re.search(r"^[^a-zA-Z]|[^a-zA-Z0-9+.-]", c.scheme)
            if fault is not None:
                yield self.violation("character-not-allowed", "scheme", (c.span("scheme") or (0, 0))[0] + fault.start())

    def authority_violations(self, c: Components) -> Iterator[Violation]:
        if c.host is None:
            if self.authority == "required":
                yield self.violation("authority-missing", "authority", after_scheme(c))
        elif self.authority == "forbidden":
            yield self.violation("authority-not-allowed", "authority", after_scheme(c))
        else:
            yield from self.userinfo_violations(c)
            yield from self.host_violations(c)
            yield from self.port_violations(c)

    def userinfo_violations(self, c: Components) -> Iterator[Violation]:
        where = c.span("userinfo")
        if where is None:
            return
        if self.userinfo == "forbidden":
            yield self.violation("userinfo-not-allowed", "userinfo", where[0])
        elif self.userinfo == "deprecated":
            yield self.violation("userinfo-deprecated", "userinfo", where[0], "warning")
        elif c.password is not None:
            colon = where[0] + len(c.username or "")
            if self.password == "forbidden":
                yield self.violation("password-not-allowed", "userinfo", colon)
            elif self.password == "deprecated" and c.password:
                yield self.violation("password-deprecated", "userinfo", colon, "warning")
        yield from self.userinfo_faults(c, *where)

    def userinfo_faults(self, c: Components, start: int, end: int) -> Iterator[Violation]:
        yield from self.faults(c, "userinfo", start, end, self.userinfo_characters)

    def host_violations(self, c: Components) -> Iterator[Violation]:
        start, end = c.span("host") or (0, 0)
        host = c.text[start:end]
        if not host:
            if self.host == "required":
                yield self.violation("host-missing", "host", start)
        elif host[0] == "[":
            if not is_ip_literal(host):
                yield self.violation("ip-literal-invalid", "host", start)
        else:
            yield from self.faults(c, "host", start, end, self.host_characters, "host-invalid")
        if self.host_may_pass_for_option and decode(host[:3]).startswith("-"):
            yield self.violation("host-leading-hyphen", "host", start, "warning")

    def port_violations(self, c: Components) -> Iterator[Violation]:
        if c.port is not None:
            start, end = c.span("port") or (0, 0)
            if self.port == "forbidden":
                yield self.violation("port-not-allowed", "port", start - 1)
            else:
                yield from self.number_violations(c, start, end)

    def number_violations(self, c: Components, start: int, end: int) -> Iterator[Violation]:
        """Of text[start:end] as a port."""
        port = c.text[start:end]
        wrong = re.search("[^0-9]", port)
        if wrong is not None:
            yield self.violation("port-invalid", "port", start + wrong.start())
        elif len(port.lstrip("0")) > 5 or int(port.lstrip("0") or "0") > 0xFFFF:
            yield self.violation("port-out-of-range", "port", start)

    def path_violations(self, c: Components) -> Iterator[Violation]:
        start, end = c.span("path") or (0, 0)
        path = c.text[start:end]
        if self.path == "required" and not path:
            yield self.violation("path-missing", "path", start)
        elif self.path == "root" and path not in ("", "/"):
            yield self.violation("path-not-allowed", "path", start + path.startswith("/"))
        if c.scheme is None and c.host is None and ":" in path.partition("/")[0]:
            # path-noscheme: "a colon character in the first path segment" would end a scheme
            yield self.violation("character-not-allowed", "path", start + path.index(":"))
        yield from self.faults(c, "path", start, end, self.path_characters)

    def query_violations(self, c: Components) -> Iterator[Violation]:
        where = c.span("query")
        if where is not None:
            if self.query == "forbidden":
                yield self.violation("query-not-allowed", "query", where[0] - 1)
            yield from self.faults(c, "query", *where, self.query_characters)

    def fragment_violations(self, c: Components) -> Iterator[Violation]:
        where = c.span("fragment")
        if where is not None:
            if self.fragment == "forbidden":
                yield self.violation("fragment-not-allowed", "fragment", where[0] - 1)
            elif self.fragment == "ignored":
                yield self.violation("fragment-ignored", "fragment", where[0] - 1, "warning")
            yield from self.faults(c, "fragment", *where, self.fragment_characters)

    # --- about the handler ---

    def under(self, dialect: str, scheme: str) -> Scheme:
        """The handler of a scheme's grammar in a dialect: itself, RFC 1738's where it has one, or RFC 2396's."""
        if dialect == "rfc2396":
            from urlsm.schemes.rfc2396 import Rfc2396

            return Rfc2396(self)
        return self.strict() if dialect == "rfc1738" and self.strict is not None and self.is_of_1738(scheme) else self

    def is_of_1738(self, scheme: str) -> bool:
        """Has RFC 1738 a grammar of this very scheme? (https and http+unix inherit from http, and have none.)"""
        return self.strict is not None and lower(scheme) in self.strict.names

    def traits(self) -> dict[str, Any]:
        """What it says of its scheme: the traits that are texts, numbers or truth values, by name."""
        return {name: getattr(self, name) for name in _TRAITS}

    def __repr__(self) -> str:
        return f"<{type(self).__qualname__} handler of {', '.join(self.names) or 'any scheme'}>"


def after_scheme(c: Components) -> int:
    """Where, in c.text, that begins which follows "scheme:"."""
    where = c.span("scheme")
    return 0 if where is None else where[1] + 1


_ESCAPE = re.compile("%[0-9A-Fa-f]{2}")
_FUTURE = re.compile(r"\[[vV][0-9A-Fa-f]+\.[A-Za-z0-9\-._~!$&'()*+,;=:]+\]")


def is_ip_literal(host: str) -> bool:
    """IP-literal = "[" ( IPv6address / IPvFuture ) "]" (RFC 3986 section 3.2.2). Since RFC 9844, no zone identifier."""
    if not host.endswith("]") or "%" in host:
        return False
    if host[1:2] in ("v", "V"):
        return _FUTURE.fullmatch(host) is not None
    try:
        IPv6Address(host[1:-1])
    except AddressValueError:
        return False
    return True


def remove_dot_segments(path: str) -> str:
    """RFC 3986 section 5.2.4, of a path that begins with "/"."""
    kept: list[str] = []
    for segment in path.split("/")[1:]:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    if path.endswith(("/.", "/..")):
        kept.append("")
    return "/" + "/".join(kept)


def _same(given: object, read: object) -> bool:
    """Does a part read back as given? Lists count as tuples; letters that the scheme folds, as equal."""
    if isinstance(given, str) and isinstance(read, str):
        return given == read or lower(given) == lower(read)
    if isinstance(given, (list, tuple)) and isinstance(read, tuple):
        return len(given) == len(read) and all(map(_same, given, read))
    if isinstance(given, Mapping) and isinstance(read, Parts):
        return dict(given) == dict(read)
    return bool(given == read)
