"""The handler for any scheme, according to RFC 3986: it checks the grammar, normalises URLs and builds them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from types import SimpleNamespace

from urlsm.components.parts import Parts, decode, lower, read_parts, server
from urlsm.components.value import Components, split
from urlsm.errors import SchemeError
from urlsm.errors.rules import RULES, Violation
from urlsm.schemes.characters import PCHAR, UNRESERVED, Characters, lower_letters, normal_escapes
from urlsm.schemes.contract import Contract, HierarchicalParts, P
from urlsm.schemes.fields import QueryParams, pairs_of, part_of, read_as

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal

    from urlsm._words import Component, Severity
    from urlsm.url.value import StrOrURL

    _Grammar = Literal["rfc3986", "rfc3987", "rfc2396", "rfc1738"]

__all__ = ["Scheme", "Unknown", "after_scheme", "is_ip_literal", "remove_dot_segments"]


_SEEN = HierarchicalParts._fields  # the fields that Scheme.write_parts writes


class Scheme(Contract[P]):
    """The base class of all scheme handlers. It can itself handle any scheme (RFC 3986).

    Write `class Lamp(Scheme[LampParts])` for a scheme whose parts are a `LampParts`. Set the traits that differ,
    override methods where traits are not enough, and pass the class to `urlsm.register`. A handler has no state. The
    page "Traits, methods and base classes of a scheme" lists the traits and methods.

    Example:
        >>> from urlsm.schemes import Scheme, ServerParts
        >>> class Lamp(Scheme[ServerParts]):
        ...     names = ("lamp",)
        >>> Lamp().parts("lamp://hall").host
        'hall'
    """

    # --- the methods of the contract ---

    if not TYPE_CHECKING:
        read_parts = read_parts  # a compiled function, because URL.parts calls it

    def violations(self, components: Components) -> Iterator[Violation]:
        """Yield a violation for every rule that a URL breaks, component by component. The traits set the rules.

        Args:
            components: the URL, split according to RFC 3986 (or RFC 1738).
        """
        yield from self.scheme_violations(components)
        yield from self.authority_violations(components)
        yield from self.path_violations(components)
        yield from self.query_violations(components)
        yield from self.fragment_violations(components)

    def normalize(self, components: Components) -> Components:
        """Normalise a URL according to RFC 3986 sections 6.2.2 and 6.2.3, as far as the traits allow.

        Args:
            components: the URL, split according to RFC 3986 (or RFC 1738).
        """
        return self.normal_form(components, self.unreserved)

    def normal_form(self, components: Components, unreserved: Characters, dots: bool = True) -> Components:
        """Normalise a URL according to the traits.

        In the authority, only RFC 3986's unreserved characters are decoded.

        Args:
            components: the URL, split according to RFC 3986 (or RFC 1738).
            unreserved: the characters whose escapes are decoded after the authority.
            dots: whether to remove dot segments.
        """
        changes: dict[str, str | None] = {
            name: normal_escapes(value, UNRESERVED if name in ("username", "password") else unreserved)
            for name in ("username", "password", "path", "query", "fragment")
            if (value := getattr(components, name)) is not None
        }
        if components.scheme is not None:
            changes["scheme"] = lower(components.scheme)
        path = changes.get("path") or ""
        if dots and self.hierarchical and components.scheme is not None and path.startswith("/"):
            # a bad escape prevents decoding; if it was in a segment that is now removed, the rest can be decoded
            path = remove_dot_segments(normal_escapes(remove_dot_segments(path), unreserved))
        if self.empty_path_is_root and components.host is not None and not path:
            path = "/"
        changes["path"] = path
        if components.host is not None:
            changes["host"] = self.normal_host(components.host)
            # "[::1]:80" is a host and a port; "a:1:80" is not, so it stays as it is
            plain = ":" not in components.host or (components.host.startswith("[") and components.host.endswith("]"))
            if plain and components.port is not None and self.says_nothing(components.port, components.scheme):
                changes["port"] = None
            elif components.port is not None and components.port.isdigit():
                changes["port"] = components.port.lstrip("0") or "0"
        return components.replace(**changes)

    def says_nothing(self, port: str, scheme: str | None) -> bool:
        """Return whether a port is empty or the default port of the scheme.

        Args:
            port: the port as written.
            scheme: the scheme of the URL.
        """
        default = self.default_port_of(scheme or "")
        return not port or (default is not None and port.lstrip("0") == str(default))

    def normal_host(self, host: str) -> str:
        """Decode escaped letters, put the host in lower case, and put the digits of other escapes in upper case.

        The path of a socket keeps its case. So does any host if the trait host_case is "keep".

        Args:
            host: the host as written.
        """
        if not host.startswith("["):
            host = normal_escapes(host)
        if decode(host).startswith("/"):  # the path of a socket: case matters
            return host
        return host if self.host_case == "keep" and not host.startswith("[") else lower_letters(host)

    def server(self, components: Components) -> tuple[str | None, str | None, str | None, int | None]:
        """Return the decoded user name, password and host, and the port. An empty host or port is None.

        Args:
            components: the URL, split according to RFC 3986 (or RFC 1738).

        Raises:
            SchemeError: the port is not a number.
        """
        found = server(components)
        if self.host_case == "fold" or not components.host or components.host.startswith("["):
            return found
        return *found[:2], decode(components.host), found[3]

    def query_params(self, components: Components) -> QueryParams:
        """Return the parameters of the query as (name, value) pairs, decoded and in order.

        Args:
            components: the URL, split according to RFC 3986 (or RFC 1738).
        """
        return self.parameters.read(components.query) if self.parameters is not None and components.query else ()

    def parts_of_query(self, components: Components) -> dict[str, Any]:
        """Return the parts that are query parameters, each converted as its `Field` defines.

        The parameter "max-age" becomes the part max_age. An absent parameter gets the default of its `Field`, or else
        the default in parts_type, or else None. The part query_params contains all parameters.

        Args:
            components: the URL, split according to RFC 3986 (or RFC 1738).

        Example:
            >>> import urlsm
            >>> from urlsm.schemes import Field, Parameters, Parts, Scheme
            >>> class LampParts(Parts):
            ...     host: str | None = None
            ...     max_age: int = 60
            >>> class Lamp(Scheme[LampParts]):
            ...     parameters = Parameters(Field("max-age", "number"))
            >>> Lamp().parts_of_query(urlsm.split("lamp://hall?max-age=7"))
            {'max_age': 7}
        """
        table = self.query_fields or self.parameters
        fields = self.parts_type._fields
        found: dict[str, Any] = {} if table is None else {"query_params": self.query_params(components)}
        read = {} if table is None or not components.query else table.values_of(components.query)
        for field in () if table is None else table.known.values():
            name = part_of(field)
            default = self.parts_type._defaults.get(name) if field.default is None else read_as(field, field.default)
            found[name] = read.get(field.name, default)
        return {name: found[name] for name in fields if name in found}

    def equivalent(self, a: Components, b: Components) -> bool:
        """Return whether two URLs have equal normal forms or, with the trait equal_by_parts, equal parts.

        A fragment that the scheme ignores is not compared.

        Args:
            a: the first URL, split according to RFC 3986 (or RFC 1738).
            b: the second URL.
        """
        first, second = self.normalize(a), self.normalize(b)
        if self.equal_by_parts:
            return self.same_parts(first, second) and (self.fragment != "allowed" or first.fragment == second.fragment)
        if self.fragment == "ignored":
            return first.replace(fragment=None) == second.replace(fragment=None)
        return first == second

    def same_parts(self, a: Components, b: Components) -> bool:
        """Return whether two normal forms have equal parts. If one has no parts, compare the normal forms themselves.

        Args:
            a: the first normal form.
            b: the second normal form.
        """
        try:
            return self.read_parts(a) == self.read_parts(b)
        except SchemeError:
            return a.replace(scheme=b.scheme) == b

    def write_parts(self, parts: Any) -> str:
        """Return the authority, path and query. Components without a field in parts_type are left out.

        If no query is given and `read_parts` is not overridden, the query comes from `composed_query`.

        Args:
            parts: an object that has every field of parts_type as an attribute. A field that was not given is None.
        """
        given = {name: getattr(parts, name, None) for name in _SEEN}
        query = given.pop("query")
        if query is None and type(self).read_parts is Scheme.read_parts:
            query = self.composed_query(parts)
        path = self.composed_path(given.pop("path"), given.pop("segments"))
        return self.composed_authority(**given) + path + ("" if query is None else f"?{query}")

    def composed_query(self, parts: Any) -> str | None:
        """Return the part query_params, or else the parts that are query parameters, as a query without its "?".

        Return None if there are no parameters.

        Args:
            parts: an object that has every field of parts_type as an attribute.
        """
        table = self.query_fields or self.parameters
        pairs = getattr(parts, "query_params", None)
        if table is None:
            return None
        if pairs is None:
            given = [(field, getattr(parts, part_of(field), None)) for field in table.known.values()]
            pairs = [pair for field, value in given if part_of(field) not in _SEEN for pair in pairs_of(field, value)]
        return table.write(pairs) if pairs else None

    # --- parts and build ---

    def parts(self, url: StrOrURL, *, dialect: _Grammar = "rfc3986") -> P:
        """Return the parts of a URL with one of this handler's schemes, as an instance of parts_type.

        The handler need not be registered. The generic handler for unknown schemes accepts any scheme.

        Args:
            url: the URL. An object key in a str or bytes is read exactly as written. In a URL object, it is read as
                URL.parts reads it.
            dialect: "rfc3986" (the current standard of the scheme), "rfc3987" (for IRIs), "rfc1738" or "rfc2396" (the
                grammar of that RFC).

        Raises:
            SchemeError: the URL has no scheme, has a scheme that this handler does not serve, or breaks a rule.
            ValueError: the dialect does not exist.
            TypeError: url is not str, bytes or URL.

        Example:
            >>> import urlsm
            >>> urlsm.handler("s3").parts("s3://my-bucket/a/b.csv").key
            'a/b.csv'
        """
        from urlsm.meaning.questions import parts_by

        return parts_by(self, url, dialect)

    def serves(self, scheme: str) -> bool:
        """Return whether a scheme is one of this handler's names, alone or joined to others with "+".

        Args:
            scheme: the scheme, in any case.
        """
        return not self.names or any(f"+{own}+" in f"+{lower(scheme)}+" for own in self.names)

    def build(self, *, scheme: str | None = None, fragment: str | None = None, **parts: Any) -> str:
        """Build a URL from its parts. Characters that are not allowed in a component are percent-encoded.

        Args:
            scheme: the scheme to use, if the handler serves several; None for its first name.
            fragment: the fragment as written; None for no fragment.
            **parts: values for the fields of parts_type. A field that you do not pass is absent.

        Raises:
            SchemeError: the URL would break a rule.
            ValueError: the URL would not read back as these parts, or the handler does not serve the scheme.
            TypeError: parts_type has no field with this name.

        Example:
            >>> import urlsm
            >>> urlsm.handler("mailto").build(recipients=["ann@ex.com"], headers=[("subject", "Hi & bye")])
            'mailto:ann@ex.com?subject=Hi%20%26%20bye'
        """
        fields = self.parts_type._fields
        for name in parts:
            if name not in fields:
                raise TypeError(f"{self.parts_type.__name__} has no field {name!r}: its fields are {', '.join(fields)}")
        given = SimpleNamespace(**{**dict.fromkeys(fields), **parts})
        name = scheme if scheme is not None else self.composed_scheme(given)
        if not self.serves(name):
            raise ValueError(f"scheme must be one of {', '.join(self.names)}, not {name!r}")
        text = f"{name}:{self.write_parts(given)}"
        if fragment is not None:
            text += "#" + fragment
        c = split(text, dialect="rfc3986")
        if c.scheme != name:
            raise ValueError(f"invalid scheme {name!r}")
        for violation in self.violations(c):
            if violation.severity == "error":
                raise SchemeError(violation, text)
        found = self.read_parts(c)
        for name, value in parts.items():
            if value is not None and not _same(value, found[name]):
                said = "" if name == "password" else f": {value!r} would read back as {found[name]!r}"
                raise ValueError(f"this URL cannot contain the {name} as given{said}")
        return text

    def composed_scheme(self, parts: Any) -> str:
        """Return the scheme to use if none was passed to `build`: the first name.

        Args:
            parts: the parts that were passed to `build`.
        """
        return self.names[0] if self.names else ""

    def composed_authority(
        self,
        username: str | None = None,
        password: str | None = None,
        host: str | None = None,
        port: int | None = None,
    ) -> str:
        """Return "//" and the authority; "" if none of its parts is given and the scheme does not require an authority.

        Args:
            username: the decoded user name.
            password: the decoded password.
            host: the decoded host, without brackets.
            port: the port.
        """
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

    def composed_path(self, path: str | None = None, segments: Iterable[str] | None = None) -> str:
        """Return the path unchanged, or a path built from segments.

        Args:
            path: the path as written.
            segments: the decoded segments.
        """
        if path is not None:
            return str(path)
        characters = Characters("".join([c for c in self.path_characters.allowed if c in PCHAR]))
        return "/" + "/".join([characters.encode(segment) for segment in segments]) if segments else ""

    # --- violations, component by component ---

    _port_may_be_path = False  # True: what seems a port may be a path, because scp and git write "host:path"

    def violation(
        self,
        code: str,
        component: Component,
        position: int,
        severity: Severity = "error",
        message: str | None = None,
        reference: str | None = None,
    ) -> Violation:
        """Return a violation of a rule: one of this handler's `rules`, or a rule common to all schemes.

        Args:
            code: the name of the rule.
            component: the component that breaks it.
            position: the index of the character in components.text.
            severity: "error", or "warning" if the URL is valid but unwise.
            message: a message that replaces the rule's own; required if there is no rule with this code.
            reference: the document that defines the rule; None for the handler's reference.
        """
        if message is None:
            message = self.rules[code] if code in self.rules else RULES[code].message
        return Violation(code, component, position, severity, reference or self.reference, message)

    def refusal(self, components: Components, code: str, component: Component, position: int) -> SchemeError:
        """Return the error to raise in `read_parts` if a part cannot be read.

        Args:
            components: the URL.
            code: the name of the rule that the URL breaks.
            component: the component that breaks it.
            position: the index of the character in components.text.
        """
        return SchemeError(self.violation(code, component, position), components.text)

    def faults(
        self,
        components: Components,
        component: Component,
        start: int,
        end: int,
        characters: Characters,
        code: str = "character-not-allowed",
    ) -> Iterator[Violation]:
        """Yield a violation for each run of characters that are not allowed, and for each malformed or forbidden
        percent-escape.

        Args:
            components: the URL.
            component: the component that contains the part.
            start: where the part begins in components.text.
            end: where the part ends.
            characters: the characters that the part may contain unescaped.
            code: the name of the rule for characters that are not allowed.
        """
        text = components.text
        for fault, position in characters.faults(text, start, end):
            yield self.violation(code if fault == "character-not-allowed" else fault, component, position)
        for octet in self.forbidden_escapes if component != "fragment" else "":  # no server gets the fragment
            for escape in re.finditer(f"(?i:%{ord(octet):02x})+", text[start:end]):
                fault = "nul-encoded" if octet == "\0" else "line-break-encoded"
                yield self.violation(fault, component, start + escape.start())

    def lexical_faults(
        self, components: Components, start: int, end: int, wrong: re.Pattern[str], component: Component = "path"
    ) -> Iterator[Violation]:
        """Yield a violation for each run of forbidden characters in part of a URL where escapes are not allowed.

        Args:
            components: the URL.
            start: where the part begins in components.text.
            end: where the part ends.
            wrong: a pattern that matches what the part cannot contain.
            component: the component that contains the part.
        """
        for fault in wrong.finditer(components.text, start, end):
            yield self.violation("character-not-allowed", component, fault.start())

    def scheme_violations(self, components: Components) -> Iterator[Violation]:
        """Yield the violations in the scheme, which must be a letter followed by letters, digits, "+", "-" and ".".

        A "_" in the name of a driver (SQLAlchemy's "oracle+cx_oracle") is only a warning.

        Args:
            components: the URL.
        """
        if components.scheme is None:
            return
        start = (components.span("scheme") or (0, 0))[0]
        drivers = self.takes_underscore(lower(components.scheme))
        fault = re.search(
            r"^[^a-zA-Z]|[^a-zA-Z0-9+._-]" if drivers else r"^[^a-zA-Z]|[^a-zA-Z0-9+.-]", components.scheme
        )
        if fault is not None:
            yield self.violation("character-not-allowed", "scheme", start + fault.start())
        elif drivers and "_" in components.scheme:
            message = 'RFC 3986 does not allow "_" in a scheme: only some programs accept it'
            yield self.violation(
                "character-not-allowed", "scheme", start + components.scheme.index("_"), "warning", message
            )

    def authority_violations(self, components: Components) -> Iterator[Violation]:
        """Yield the violations in the authority, according to the scheme's traits.

        Args:
            components: the URL.
        """
        if components.host is None:
            if self.authority == "required":
                yield self.violation("authority-missing", "authority", after_scheme(components))
        elif self.authority == "forbidden":
            yield self.violation("authority-not-allowed", "authority", after_scheme(components))
        else:
            yield from self.userinfo_violations(components)
            yield from self.host_violations(components)
            yield from self.port_violations(components)

    def userinfo_violations(self, components: Components) -> Iterator[Violation]:
        """Yield the violations in the user information, according to the scheme's traits.

        Args:
            components: the URL.
        """
        where = components.span("userinfo")
        if where is None:
            return
        if self.userinfo == "forbidden":
            yield self.violation("userinfo-not-allowed", "userinfo", where[0])
        elif self.userinfo == "deprecated":
            yield self.violation("userinfo-deprecated", "userinfo", where[0], "warning")
        elif components.password is not None:
            colon = where[0] + len(components.username or "")
            if self.password == "forbidden":
                yield self.violation("password-not-allowed", "userinfo", colon)
            elif self.password == "deprecated" and components.password:
                yield self.violation("password-deprecated", "userinfo", colon, "warning")
        yield from self.userinfo_faults(components, *where)

    def userinfo_faults(self, components: Components, start: int, end: int) -> Iterator[Violation]:
        """Yield a violation for everything in the user information that is not allowed there.

        Args:
            components: the URL.
            start: where the user information begins in components.text.
            end: where it ends.
        """
        yield from self.faults(components, "userinfo", start, end, self.userinfo_characters)

    def host_violations(self, components: Components) -> Iterator[Violation]:
        """Yield the violations in the host, according to the scheme's traits.

        Args:
            components: the URL.
        """
        start, end = components.span("host") or (0, 0)
        host = components.text[start:end]
        if host:
            yield from self.host_faults(components, host, start, end)
        elif self.host == "required":
            yield self.violation("host-missing", "host", start)
        if self.host_may_pass_for_option and decode(host[:3]).startswith("-"):
            yield self.violation("host-leading-hyphen", "host", start, "warning")

    def host_faults(self, components: Components, host: str, start: int, end: int) -> Iterator[Violation]:
        """Yield the violations in a host that is not empty.

        Args:
            components: the URL.
            host: the host as written.
            start: where it begins in components.text.
            end: where it ends.
        """
        if host[0] != "[":
            yield from self.faults(components, "host", start, end, self.host_characters, "host-invalid")
        elif not is_ip_literal(host):
            yield self.violation("ip-literal-invalid", "host", start)

    def port_violations(self, components: Components) -> Iterator[Violation]:
        """Yield the violations in the port, according to the scheme's traits.

        Args:
            components: the URL.
        """
        if components.port is not None:
            start, end = components.span("port") or (0, 0)
            if self.port == "forbidden":
                yield self.violation("port-not-allowed", "port", start - 1)
            else:
                yield from self.number_violations(components, start, end)

    def number_violations(self, components: Components, start: int, end: int) -> Iterator[Violation]:
        """Yield the violations in a port that the scheme allows: it must be a number up to 65535.

        Args:
            components: the URL.
            start: where the port begins in components.text.
            end: where it ends.
        """
        port = components.text[start:end]
        wrong = re.search("[^0-9]", port)
        if wrong is not None:
            begins_path = wrong.start() == 0 and self._port_may_be_path
            yield self.violation("port-invalid", "port", start + wrong.start(), message=_SCP if begins_path else None)
        elif len(port.lstrip("0")) > 5 or int(port.lstrip("0") or "0") > 0xFFFF:
            # "port = *DIGIT" allows any number, but TCP and UDP have 16 bits for a port
            yield self.violation("port-out-of-range", "port", start, reference="RFC 6335 section 6")

    def path_violations(self, components: Components) -> Iterator[Violation]:
        """Yield the violations in the path, according to the scheme's traits.

        Args:
            components: the URL.
        """
        start, end = components.span("path") or (0, 0)
        path = components.text[start:end]
        if self.path == "required" and not path:
            yield self.violation("path-missing", "path", start)
        elif self.path == "root" and path not in ("", "/"):
            yield self.violation("path-not-allowed", "path", start + path.startswith("/"))
        if components.scheme is None and components.host is None and ":" in path.partition("/")[0]:
            # path-noscheme: "a colon character in the first path segment" would end a scheme
            yield self.violation("character-not-allowed", "path", start + path.index(":"))
        yield from self.faults(components, "path", start, end, self.path_characters)

    def query_violations(self, components: Components) -> Iterator[Violation]:
        """Yield the violations in the query, according to the scheme's traits and the table `parameters`.

        Args:
            components: the URL.
        """
        where = components.span("query")
        if where is not None:
            if self.query == "forbidden":
                yield self.violation("query-not-allowed", "query", where[0] - 1)
            yield from self.faults(components, "query", *where, self.query_characters)
            if self.parameters is not None and where[0] < where[1]:
                yield from self.parameters.violations(self, components, "query", *where)

    def fragment_violations(self, components: Components) -> Iterator[Violation]:
        """Yield the violations in the fragment, according to the scheme's traits.

        Args:
            components: the URL.
        """
        where = components.span("fragment")
        if where is not None:
            if self.fragment == "forbidden":
                yield self.violation("fragment-not-allowed", "fragment", where[0] - 1)
            elif self.fragment == "ignored":
                yield self.violation("fragment-ignored", "fragment", where[0] - 1, "warning")
            yield from self.faults(components, "fragment", *where, self.fragment_characters)

    # --- about the handler ---

    def under(self, dialect: str, scheme: str) -> Scheme[Any]:
        """Return the handler for a scheme in a dialect: this handler, or a handler for the grammar of another RFC.

        Args:
            dialect: "rfc3986", "rfc3987", "rfc1738" or "rfc2396".
            scheme: the scheme of the URL.
        """
        if dialect == "rfc3987":
            from urlsm.schemes.rfc3987 import Rfc3987

            return Rfc3987(self)
        if dialect == "rfc2396":
            from urlsm.schemes.rfc2396 import Rfc2396

            return Rfc2396(self)
        if dialect == "rfc1738":
            from urlsm.schemes.rfc1738 import GenericUrl

            return self.strict() if self.strict is not None and self.is_of_1738(scheme) else GenericUrl(self)
        return self

    def takes_underscore(self, scheme: str) -> bool:
        """Return whether a scheme may contain "_": it must be one of the handler's names, alone or with a driver.

        Args:
            scheme: the scheme, in lower case.
        """
        dialect = scheme.partition("+")[0]
        return scheme in self.names or (self.owns_plus and dialect in self.names)

    def is_of_1738(self, scheme: str) -> bool:
        """Return whether RFC 1738 defines a grammar for a scheme. It defines none for https or http+unix.

        Args:
            scheme: the scheme, in any case.
        """
        return self.strict is not None and lower(scheme) in self.strict.names

    def default_port_of(self, scheme: str) -> int | None:
        """Return the default port of a scheme; None for "a+b" if the handler serves b, because its port is unknown.

        Args:
            scheme: the scheme, in any case.

        Example:
            >>> import urlsm
            >>> https = urlsm.handler("https")
            >>> https.default_port_of("https"), https.default_port_of("https+unix")
            (443, None)
        """
        name = lower(scheme)
        owned = name in self.names or (self.owns_plus and name.partition("+")[0] in self.names)
        return self.default_port if owned else None


Scheme.__module__ = "urlsm.schemes"


class Unknown(Scheme):
    """An unknown scheme. Its hosts may be case-sensitive, and "." in its path may be a name, so the normal form keeps
    both as they are, although RFC 3986 section 6.2.2 would change them."""

    hierarchical = False
    host_case = "keep"

    def read_parts(self, components: Components) -> HierarchicalParts:
        found: HierarchicalParts = read_parts(self, components)  # type: ignore[assignment]
        host = components.host
        return found if not host or host == lower(host) else found.__replace__(host=self.server(components)[2])


def after_scheme(c: Components) -> int:
    """Return where the text after "scheme:" begins in c.text."""
    where = c.span("scheme")
    return 0 if where is None else where[1] + 1


_SCP = 'the port is not a number: write "/" for the ":" if a path begins here, or leave out the scheme, as for scp'
_FUTURE = re.compile(r"\[[vV][0-9A-Fa-f]+\.[A-Za-z0-9\-._~!$&'()*+,;=:]+\]")


def is_ip_literal(host: str) -> bool:
    """Return whether a host that begins with "[" is an IP-literal = "[" ( IPv6address / IPvFuture ) "]" (RFC 3986
    section 3.2.2). Since RFC 9844 an IP-literal has no zone identifier."""
    if not host.endswith("]") or "%" in host:
        return False
    if host[1:2] in ("v", "V"):
        return _FUTURE.fullmatch(host) is not None
    from ipaddress import AddressValueError, IPv6Address

    try:
        IPv6Address(host[1:-1])
    except AddressValueError:
        return False
    return True


def remove_dot_segments(path: str) -> str:
    """Remove dot segments from a path that begins with "/", according to RFC 3986 section 5.2.4."""
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
    """Return whether a part reads back as it was given. Case is ignored, and a list equals a tuple."""
    if isinstance(given, str) and isinstance(read, str):
        return given == read or lower(given) == lower(read)
    if isinstance(given, (list, tuple)) and isinstance(read, tuple):
        return len(given) == len(read) and all(map(_same, given, read))
    if isinstance(given, Mapping) and isinstance(read, Parts):
        return dict(given) == dict(read)
    return bool(given == read)
