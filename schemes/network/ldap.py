"""ldap (RFC 4516) and ldaps, which has the same syntax."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from urlsm.components.parts import Parts, decode, lower, server
from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import GENERIC_PATH, QUERY
from urlsm.schemes.generic import Scheme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["Ldap", "LdapParts", "Ldaps"]

EVERYTHING = "(objectClass=*)"  # the default filter (RFC 4516 section 3)
SCOPES = ("base", "one", "sub")

# RFC 4512 sections 1.4 and 2.5: oid = descr / numericoid; attributedescription = oid *( ";" option )
_NUMBER = "(?:0|[1-9][0-9]*)"
_OID = rf"(?:[A-Za-z][A-Za-z0-9-]*|{_NUMBER}(?:\.{_NUMBER})+)"
_ATTRIBUTE = rf"{_OID}(?:;[A-Za-z0-9-]+)*"

_SELECTOR = re.compile(rf"{_ATTRIBUTE}|[*+]")  # RFC 4511 section 4.5.1.8; "+" is RFC 3673's
_EXTYPE = re.compile(_OID)

# RFC 4514 section 3: attributeType "=" ( hexstring / string ), which ends at "," or "+" or at the end of the text. A
# string neither begins nor ends with an unescaped space, and does not begin with an unescaped "#"
_PAIR = r'\\(?:[\\ #="+,;<>]|[0-9A-Fa-f]{2})'
_STRING = rf'(?![ #])(?:[^\0"+,;<>\\]*{_PAIR})*(?:[^\0"+,;<>\\]*[^\0"+,;<>\\ ])?'
_RDN_PART = re.compile(rf"{_OID}=(?:#(?:[0-9A-Fa-f]{{2}})+|{_STRING})([,+]|\Z)")

# RFC 4515 section 3; only the value after "=" may hold "*" (present, substring)
_VALUE = r"[^\0()*\\]*(?:\\[0-9A-Fa-f]{2}[^\0()*\\]*)*"
_PATTERN = r"[^\0()\\]*(?:\\[0-9A-Fa-f]{2}[^\0()\\]*)*"
_RULE = rf"(?::[dD][nN])?:{_OID}:={_VALUE}"
_ITEM = rf"{_ATTRIBUTE}(?:={_PATTERN}|[~<>]={_VALUE}|(?::[dD][nN])?:={_VALUE}|{_RULE})|{_RULE}"
_FILTER = re.compile(rf"\((?:([&|!])|(?:{_ITEM})\))|\)")


class LdapParts(Parts):
    """A search in an LDAP directory.

    Absent fields have the defaults of RFC 4516 section 3. The escapes of RFC 4514 and RFC 4515 are not decoded.

    Attributes:
        host: the host, decoded, in lower case, without brackets; None if absent or empty
        port: the port; None if absent
        dn: the distinguished name at which the search starts, decoded
        attributes: the attributes to return; () for all
        scope: the scope of the search: "base", "one" or "sub"
        filter: the search filter, decoded
        extensions: the extensions as (type, value or None, is critical) triples

    Example:
        >>> import urlsm
        >>> urlsm.parts("ldap://ldap.example/o=Acme?mail?sub?(cn=Ann)", "ldap").filter
        '(cn=Ann)'
    """

    host: str | None = None
    port: int | None = None
    dn: str = ""
    attributes: tuple[str, ...] = ()
    scope: str = "base"
    filter: str = EVERYTHING
    extensions: tuple[tuple[str, str | None, bool], ...] = ()


class Ldap(Scheme[LdapParts]):
    names: ClassVar[tuple[str, ...]] = ("ldap",)
    title = "Directory search"
    reference = "RFC 4516 section 2"
    example = (
        "ldap://ldap.example.net/o=University%20of%20Michigan,c=US?postalAddress?sub?(cn=Babs%20Jensen)?!e-bindname"
    )
    default_port: ClassVar[int | None] = 389
    hierarchical = False
    authority = "required"
    userinfo = "forbidden"
    empty_path_is_root = True  # "ldap://ldap.example.net" and "ldap://ldap.example.net/" are equivalent (section 4)
    forbidden_escapes = "\0"  # "the extensions component [...] may contain null bytes. No other component may" (2.1)
    rules: ClassVar[dict[str, str]] = {
        "ldap-dn-invalid": "the distinguished name is not valid",
        "ldap-attribute-invalid": "the attribute is not valid",
        "ldap-scope-unknown": "the scope must be base, one or sub",
        "ldap-filter-invalid": "the filter is not valid",
        "ldap-extension-invalid": "the extension is not valid",
    }

    def read_parts(self, components: Components) -> LdapParts:
        _, _, host, port = server(components)
        attributes, scope, search, extensions = _fields(components.query)
        return LdapParts(
            host,
            port,
            decode((components.path or "").removeprefix("/")),
            tuple([decode(attribute) for attribute in attributes.split(",")]) if attributes else (),
            lower(decode(scope)) or "base",
            decode(search) or EVERYTHING,
            tuple([_extension(extension) for extension in extensions.split(",")]) if extensions else (),
        )

    def normalize(self, components: Components) -> Components:
        """Normalise according to RFC 3986, lowercase the scope, and remove each "?" that is followed only by empty
        fields. A field with its default value is kept, because documents may define another default (RFC 4516 section
        3)."""
        components = super().normalize(components)
        if components.query is None or components.query.count("?") > 3:
            return components
        attributes, scope, search, extensions = _fields(components.query)
        return components.replace(query="?".join([attributes, lower(scope), search, extensions]).rstrip("?") or None)

    def equivalent(self, a: Components, b: Components) -> bool:
        """Return whether a and b request the same search after decoding, with the defaults of section 3. Names of
        attributes and extensions are case-insensitive. The order of attributes does not matter."""
        return self._meaning(a) == self._meaning(b)

    def _meaning(self, c: Components) -> tuple[object, ...]:
        c = self.normalize(c).replace(scheme=self.names[0])
        attributes, scope, search, extensions = _fields(c.query)
        search = re.sub(r"\([A-Za-z0-9.;-]+", lambda name: lower(name[0]), decode(search) or EVERYTHING)
        return (
            c.replace(path="", query=None),
            decode(c.path or ""),
            {lower(decode(attribute)) for attribute in (attributes or "*").split(",")},
            scope or "base",
            search,
            [(lower(name), value, critical) for name, value, critical in map(_extension, extensions.split(","))],
        )

    def write_parts(self, parts: Any) -> str:
        field = QUERY - "?"
        fields = [
            ",".join([(field - ",").encode(attribute) for attribute in parts.attributes or ()]),
            "" if parts.scope in (None, "base") else field.encode(parts.scope),
            "" if parts.filter in (None, EVERYTHING) else field.encode(parts.filter),
            ",".join(
                [
                    ("!" if critical else "")
                    + (field - "!,=").encode(name)
                    + ("" if value is None else "=" + (field - ",").encode(value))
                    for name, value, critical in parts.extensions or ()
                ]
            ),
        ]
        query = "?".join(fields).rstrip("?")
        path = "/" + (GENERIC_PATH - "/").encode(parts.dn or "")
        return self.composed_authority(host=parts.host, port=parts.port) + path + (query and "?" + query)

    @staticmethod
    def filter_value(text: str) -> str:
        """Escape a string as a value for a filter (RFC 4515 section 3), so that it cannot change the filter.

        Args:
            text: the value, which may come from an untrusted user.

        Example:
            >>> import urlsm
            >>> print("(cn=" + urlsm.handler("ldap").filter_value("*)(uid=*") + ")")
            (cn=\\2a\\29\\28uid=\\2a)
        """
        return re.sub(r"[\0()*\\]", lambda character: f"\\{ord(character[0]):02x}", text)

    @staticmethod
    def dn_value(text: str) -> str:
        """Escape a string as an attribute value in a distinguished name (RFC 4514 section 2.4).

        Args:
            text: the value.

        Example:
            >>> import urlsm
            >>> print("cn=" + urlsm.handler("ldap").dn_value("Lee, Ann"))
            cn=Lee\\, Ann
        """
        escaped = re.sub(r'^[ #]|["+,;<>\\]| \Z', r"\\\g<0>", text)
        return escaped.replace("\0", "\\00")

    # --- violations ---

    def path_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().path_violations(components)
        start, end = components.span("path") or (0, 0)
        path = components.text[start:end]
        if not path and components.query is not None:  # by [SLASH dn [QUESTION ...]], a query needs a "/"
            yield self.violation("path-missing", "path", start)
        elif not _is_dn(decode(path.removeprefix("/"))):
            yield self.violation("ldap-dn-invalid", "path", start + path.startswith("/"))

    def query_violations(self, components: Components) -> Iterator[Violation]:
        """Yield the violations of [attributes] [QUESTION [scope] [QUESTION [filter] [QUESTION extensions]]]."""
        start, end = components.span("query") or (0, 0)
        if components.query is None:
            return
        fields = components.text[start:end].split("?")
        starts = [start]
        for field in fields:
            starts.append(starts[-1] + len(field) + 1)
        for violation in super().query_violations(components):
            if violation.code != "nul-encoded" or len(fields) < 4 or violation.position < starts[3]:
                yield violation
        if fields[0]:
            yield from self.list_violations(fields[0], starts[0], _is_selector, "ldap-attribute-invalid")
        if len(fields) > 1 and lower(decode(fields[1])) not in ("", *SCOPES):
            yield self.violation("ldap-scope-unknown", "query", starts[1])
        if len(fields) > 2 and fields[2] and not _is_filter(decode(fields[2])):
            yield self.violation("ldap-filter-invalid", "query", starts[2])
        if len(fields) > 3:
            yield from self.list_violations(fields[3], starts[3], _is_extension, "ldap-extension-invalid")
        if len(fields) > 4:
            yield self.violation("character-not-allowed", "query", starts[4] - 1)

    def list_violations(
        self, field: str, position: int, is_item: Callable[[str], object], code: str
    ) -> Iterator[Violation]:
        for text in field.split(","):
            if not is_item(text):
                yield self.violation(code, "query", position)
            position += len(text) + 1


class Ldaps(Ldap):
    names: ClassVar[tuple[str, ...]] = ("ldaps",)
    title = "Directory search over TLS"
    example = "ldaps://ldap.example.net/dc=example,dc=net?cn,mail?one?(uid=jensen)"
    default_port: ClassVar[int | None] = 636


def _fields(query: str | None) -> list[str]:
    """Return attributes, scope, filter and extensions, as written. A field that is left out is ""."""
    fields = (query or "").split("?", 3)
    return fields + [""] * (4 - len(fields))


def _extension(text: str) -> tuple[str, str | None, bool]:
    """Return (type, value or None, critical) of extension = [EXCLAMATION] extype [EQUALS exvalue], decoded."""
    name, equals, value = text.removeprefix("!").partition("=")
    return decode(name), decode(value) if equals else None, text.startswith("!")


def _is_selector(text: str) -> bool:
    return _SELECTOR.fullmatch(decode(text)) is not None


def _is_extension(text: str) -> bool:
    return _EXTYPE.fullmatch(_extension(text)[0]) is not None


def _is_dn(text: str) -> bool:
    position = 0
    while text:
        part = _RDN_PART.match(text, position)
        if part is None:
            return False
        if not part[1]:
            break
        position = part.end()
    return True


def _is_filter(text: str) -> bool:
    """Return whether the text is exactly one filter. The function is not recursive, because filters may be nested a
    million deep."""
    position = 0
    operators = [""]  # the operators of the open filters; the first stands for the text itself
    counts = [0]  # for each open filter, the number of filters in it
    while position < len(text):
        token = _FILTER.match(text, position)
        if token is None:
            return False
        position = token.end()
        if token[0] == ")":
            if len(operators) == 1 or (operators.pop() == "!" and counts[-1] != 1):
                return False
            counts.pop()
            continue
        counts[-1] += 1
        if counts[-1] > 1 and operators[-1] not in ("&", "|"):
            return False
        if token[1]:
            operators.append(token[1])
            counts.append(0)
    return counts == [1]
