"""xmpp (RFC 5122)."""

from __future__ import annotations

from collections.abc import Iterator

from urlsm.components.parts import Parts, decode, read_host
from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import HOST, UNRESERVED
from urlsm.schemes.fields import Parameters
from urlsm.schemes.generic import Scheme, is_ip_literal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

    from urlsm._words import Component
__all__ = ["Xmpp", "XmppParts"]

NODE = UNRESERVED + "!$()*+,;="  # nodeallow
RESOURCE = UNRESERVED + "!$&'()*+,:;="  # resallow
_PAIRS = Parameters(separator=";", named=False, equals=True, names=UNRESERVED, values=UNRESERVED)


class XmppParts(Parts):
    """A person or a service on Jabber (XMPP), and the action to perform.

    Names are not prepared with nodeprep and resourceprep. Prepare them before you compare them.

    Attributes:
        account: the account to log in with, as node@host; None for the program's default account
        username: the contact's name, decoded; None if absent
        host: the contact's server, decoded, in lower case; None if absent
        resource: the contact's resource (device), decoded; None if absent
        query_type: the action, such as "message"; None if absent
        query_params: the parameters of the action as (name, value) pairs, decoded; a value is None if there is no "="

    Example:
        >>> import urlsm
        >>> urlsm.parts("xmpp:support@example.com?message;subject=Hi", "xmpp").query_type
        'message'
    """

    account: str | None = None
    username: str | None = None
    host: str | None = None
    resource: str | None = None
    query_type: str | None = None
    query_params: tuple[tuple[str, str | None], ...] = ()

    @property
    def jid(self) -> str | None:
        """The contact's address, [node@]host[/resource]; None if there is none."""
        if self.host is None:
            return None
        node = "" if self.username is None else f"{self.username}@"
        return node + self.host + ("" if self.resource is None else f"/{self.resource}")


class Xmpp(Scheme[XmppParts]):
    """xmppuri = "xmpp" ":" hierxmpp [ "?" querycomp ] [ "#" fragment ]; hierxmpp = authpath / pathxmpp;
    authpath = "//" authxmpp [ "/" pathxmpp ]; authxmpp = nodeid "@" host;
    pathxmpp = [ nodeid "@" ] host [ "/" resid ]"""

    names: ClassVar[tuple[str, ...]] = ("xmpp",)
    title = "XMPP entity"
    reference = "RFC 5122 section 2.2"
    example = "xmpp://guest@example.com/support@example.com/desk?message;subject=Hello%20World"
    hierarchical = False
    password = "forbidden"
    host = "required"
    port = "forbidden"
    userinfo_characters = NODE
    query_fields: ClassVar[Parameters | None] = _PAIRS
    joined: ClassVar[tuple[str, ...]] = ("{host}/{resource}",)
    in_text = "dotted"

    def read_parts(self, components: Components) -> XmppParts:
        account = None
        if components.host is not None:
            account = ("" if components.username is None else decode(components.username) + "@") + read_host(
                components.host
            )
        _, node, host, resource = _address(components)
        action, semicolon, pairs = (components.query or "").partition(";")
        return XmppParts(
            account,
            None if node is None else decode(node),
            read_host(host) or None,
            None if resource is None else decode(resource),
            None if components.query is None else decode(action),
            _PAIRS.read(pairs) if semicolon else (),
        )

    def userinfo_violations(self, components: Components) -> Iterator[Violation]:
        if not components.username:
            yield self.violation(
                "username-missing", "userinfo", (components.span("userinfo") or components.span("host") or (0, 0))[0]
            )
        yield from super().userinfo_violations(components)

    def host_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().host_violations(components)
        yield from self.at_violations(components, "host", *(components.span("host") or (0, 0)))

    def at_violations(self, components: Components, component: Component, start: int, end: int) -> Iterator[Violation]:
        """Yield a violation if text[start:end] contains an escaped "@". A domain cannot contain "@", and in the decoded
        account the last "@" would end the node."""
        at = components.text.find("%40", start, end)
        if at >= 0:
            yield self.violation("host-invalid", component, at)

    def path_violations(self, components: Components) -> Iterator[Violation]:
        start, node, host, resource = _address(components)
        if components.host is not None and not components.path:
            return
        if node is not None:
            if not node:
                yield self.violation("username-missing", "path", start)
            yield from self.faults(components, "path", start, start + len(node), NODE)
            start += len(node) + 1
        end = start + len(host)
        if not host:
            yield self.violation("host-missing", "path", start)
        elif host[0] != "[":
            yield from self.faults(components, "path", start, end, self.host_characters, "host-invalid")
            yield from self.at_violations(components, "path", start, end)
        elif not is_ip_literal(host):
            yield self.violation("ip-literal-invalid", "path", start)
        if resource is not None:
            yield from self.faults(components, "path", end + 1, end + 1 + len(resource), RESOURCE)

    def query_violations(self, components: Components) -> Iterator[Violation]:
        """Yield the violations of querycomp = querytype [ *pair ]; pair = ";" key "=" value."""
        where = components.span("query")
        if where is None:
            return
        action, semicolon, _ = components.text[slice(*where)].partition(";")
        after = where[0] + len(action)
        yield from self.faults(components, "query", where[0], after, UNRESERVED)
        if semicolon:
            yield from _PAIRS.violations(self, components, "query", after + 1, where[1])

    def normalize(self, components: Components) -> Components:
        normal = super().normalize(components)
        _, node, host, resource = _address(normal)
        path = "/" if normal.host is not None and normal.path else ""
        path += ("" if node is None else f"{node}@") + self.normal_host(host)
        return normal.replace(path=path + ("" if resource is None else f"/{resource}"))

    def equivalent(self, a: Components, b: Components) -> bool:
        """Return whether the decoded parts are equal. A fragment "MUST be ignored" by a client that does not know it
        (section 2.6)."""
        return self.read_parts(a) == self.read_parts(b)

    def write_parts(self, parts: Any) -> str:
        written = ""
        if parts.account is not None:
            node, at, host = parts.account.rpartition("@")
            written = "//" + NODE.encode(node) + at + _written_host(host)
        if any(part is not None for part in (parts.username, parts.host, parts.resource)):
            written += "/" if parts.account is not None else ""
            written += "" if parts.username is None else NODE.encode(parts.username) + "@"
            written += _written_host(parts.host or "")
            written += "" if parts.resource is None else "/" + RESOURCE.encode(parts.resource)
        if parts.query_type is not None or parts.query_params:
            written += "?" + UNRESERVED.encode(parts.query_type or "")
            if parts.query_params:
                written += ";" + _PAIRS.write(parts.query_params)
        return written


def _address(c: Components) -> tuple[int, str | None, str, str | None]:
    """Return (start, node, host, resource) of the address in the path, as written."""
    start, _ = c.span("path") or (0, 0)
    path = c.path or ""
    if c.host is not None and path:
        start, path = start + 1, path[1:]
    address, slash, resource = path.partition("/")
    node, at, host = address.rpartition("@")
    return start, node if at else None, host, resource if slash else None


def _written_host(host: str) -> str:
    return f"[{host}]" if ":" in host and is_ip_literal(f"[{host}]") else HOST.encode(host)
