"""Creates examples for lint: a string that a program matches, and a URL that a rule matches."""

from __future__ import annotations

from urlsm.machine.driver import SPECIAL
from urlsm.patterns.rule import BELOW, NO_PORT, Rule
from urlsm.url.value import URL, try_parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["address_of", "sample_of", "sample_url"]

_LIKED = b"xa1/-"  # octets that look natural in an example


def sample_of(program: tuple[Any, ...], *, fewest: bool = False) -> bytes:
    """Return a string that the program matches. fewest: whether to leave out optional parts."""
    return b"".join([_sample(piece, fewest) for piece in program])


def _sample(piece: Any, fewest: bool) -> bytes:
    if isinstance(piece, bytes):
        return bytes(piece)
    if piece in ("*", "?"):
        return b"x"
    if piece == "$":
        return b""
    kind = piece[0]
    if kind == "in":
        return bytes((next((octet for octet in _LIKED if octet in piece[1]), min(piece[1], default=0x78)),))
    if kind == "or":
        return sample_of(piece[1][0], fewest=fewest)
    if kind == "times":
        count: int = piece[2] if fewest else max(piece[2], piece[3] != 0)
        return sample_of(piece[1], fewest=fewest) * count
    if kind == "group":
        return sample_of(piece[2], fewest=fewest)
    return b"" if fewest else sample_of(piece[1])  # kind is "optional"


def _escaped(octets: bytes) -> str:
    """Return the text of bytes as it is written in a URL."""
    return "".join([chr(octet) if octet < 0x80 else f"%{octet:02X}" for octet in octets])


def address_of(key: bytes) -> str:
    """Return the host that a key represents, in normal form: a name, or the first address of a network."""
    if not key or key[0] >= 8:
        return key.decode("latin-1")
    if key[0] == 4:
        return ".".join(map(str, key[2:6]))
    return "[" + ":".join(f"{key[k]:02x}{key[k + 1]:02x}" for k in range(2, 18, 2)) + "]"


def sample_url(rule: Rule, *, fewest: bool = False) -> URL | None:
    """Return a typical URL for a rule, or None. If any URL matches the rule, this one does, unless the rule has two
    checks for the same text."""
    texts = {kind: _escaped(sample_of(program, fewest=fewest)) for kind, program in reversed(rule.checks)}
    for kind in ("whole", "href"):
        if kind in texts:
            return try_parse(texts[kind])
    scheme = rule.schemes[0] if rule.schemes else texts.get("protocol", "https")
    host = texts.get("hostname", "")
    if rule.host is not None:
        name = address_of(rule.host[1])
        if rule.host[0] == BELOW and host.endswith(f".{name}") and host != f"x.{name}":
            pass  # keep the host of a check, which says more than the rule's host
        elif not host.startswith("["):  # [::ffff:1.2.3.4] has the key of 1.2.3.4, so keep the brackets
            host = f"www.{name}" if rule.host[0] == BELOW else name
        if texts.get("hostname", "").endswith(".") and not host.endswith("."):
            host += "."  # keys have no dot at the end
    port = "" if rule.ports is None or rule.ports[0][0] == NO_PORT else f":{rule.ports[0][0]}"
    port = f":{texts['port']}" if texts.get("port") else port
    user, password = texts.get("username", ""), texts.get("password", "")
    credentials = f"{user}:{password}@" if user or password else ""
    target = texts.get("target", texts.get("path", "/"))
    query = texts.get("query", "?" + texts["search"] if texts.get("search") else "")
    # if the program begins with a star, the sample has no "?"
    query = f"?{query}" if query and query[0] != "?" else query
    fragment = "#" + texts["hash"] if texts.get("hash") else ""
    without_host = scheme not in SPECIAL and "hostname" in texts  # the hostname is empty, as in "about:*"
    opaque = texts.keys() & {"target", "path"} and not target.startswith("/")
    if rule.host is None and not host and (without_host or opaque):
        return try_parse(f"{scheme}:{target}{query}{fragment}")
    if not host and scheme != "file":
        host = "host.example"
    return try_parse(f"{scheme}://{credentials}{host}{port}{target}{query}{fragment}")
