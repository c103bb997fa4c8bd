"""irc, ircs and irc6 (draft-butcher-irc-url): a server, and a channel or a person on it."""

from __future__ import annotations

from collections.abc import Iterator

from urlsm.components.parts import decode, server
from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import FRAGMENT, PCHAR, Characters
from urlsm.schemes.contract import ServerParts
from urlsm.schemes.generic import Scheme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["Irc", "IrcParts"]

_PREFIXES = ("#", "&", "+", "!")  # the first characters of channels (RFC 2811 section 2.1)
_NAME = PCHAR - ","


class IrcParts(ServerParts):
    """A channel or a person on an IRC server.

    Attributes:
        channel: the channel with its prefix, decoded ("/python" means "#python"); None if absent
        nick: the person's nickname, decoded, if the flag is "isnick" or "isuser"; None if absent
        flags: the words after the name, decoded, in lower case
        query: the query as written, from which some programs read the channel's key; None if absent

    Example:
        >>> import urlsm
        >>> urlsm.parts("irc://irc.example/python", "irc").channel
        '#python'
    """

    channel: str | None = None
    nick: str | None = None
    flags: tuple[str, ...] = ()
    query: str | None = None


class Irc(Scheme[IrcParts]):
    """ "irc://" server [ ":" port ] [ "/" name *( "," flag ) ]; the "#" of a channel must be written as "%23", but most
    authors write "#"."""

    names: ClassVar[tuple[str, ...]] = ("irc", "ircs", "irc6")
    title = "Chat room"
    reference = "draft-butcher-irc-url"
    example = "irc://irc.example.org/%23channel"
    default_port: ClassVar[int | None] = 6667
    authority = "required"
    password = "allowed"
    hierarchical = False
    forbidden_escapes = "\r\n"  # a line break would end a command
    equal_by_parts = True
    fragment_characters: ClassVar[Characters] = FRAGMENT + "#"  # "##python" is also a channel
    rules: ClassVar[dict[str, str]] = {
        "irc-channel-unescaped": 'write the "#" of a channel as %23: programs may drop it as a fragment',
    }

    def read_parts(self, components: Components) -> IrcParts:
        name, *flags = _target(components).split(",")
        words = tuple([decode(flag).lower() for flag in flags])
        name = decode(name)
        if not name or not {"isnick", "isuser"}.isdisjoint(words):
            return IrcParts(*server(components), None, name or None, words, components.query)
        # a name with ":" gets no "#", because no channel has such a name (chanstring of RFC 2812)
        channel = name if name.startswith(_PREFIXES) or ":" in name else f"#{name}"
        return IrcParts(*server(components), channel, None, words, components.query)

    def default_port_of(self, scheme: str) -> int | None:
        return 6697 if scheme.lower() == "ircs" else super().default_port_of(scheme)

    def normalize(self, components: Components) -> Components:
        """Normalise. If the channel was written as a fragment, move it into the path."""
        if _is_in_fragment(components):
            name = (components.fragment or "").replace("#", "%23").replace("?", "%3F")
            components = components.replace(path=f"/%23{name}", fragment=None)
        return super().normalize(components)

    def fragment_violations(self, components: Components) -> Iterator[Violation]:
        if not _is_in_fragment(components):
            yield from super().fragment_violations(components)
            return
        start, end = components.span("fragment") or (1, 1)
        yield self.violation("irc-channel-unescaped", "fragment", start - 1, "warning")
        # the fragment goes to the server, so line breaks are faults, as in a path
        yield from self.faults(components, "path", start, end, self.fragment_characters)

    def write_parts(self, parts: Any) -> str:
        name = parts.nick if parts.channel is None else parts.channel
        flags = parts.flags if parts.flags is not None else ("isnick",) if parts.nick is not None else ()
        written = "" if name is None and not flags else "/" + _NAME.encode(name or "")
        written += "".join([f",{_NAME.encode(flag)}" for flag in flags])
        authority = self.composed_authority(parts.username, parts.password, parts.host, parts.port)
        return authority + written + ("" if parts.query is None else f"?{parts.query}")


def _is_in_fragment(c: Components) -> bool:
    """Return whether the channel name was written with an unescaped "#", so that it is the fragment."""
    return bool(c.fragment) and c.host is not None and c.query is None and (c.path or "") in ("", "/")


def _target(c: Components) -> str:
    """Return the name and its flags, as written."""
    return f"#{c.fragment}" if _is_in_fragment(c) else (c.path or "").removeprefix("/")
