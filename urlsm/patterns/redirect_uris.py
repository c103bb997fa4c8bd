"""The syntax "redirect-uri": the URIs to which an authorization server may send a code, compared byte for byte.

RFC 6749 section 3.1.2.3 and RFC 9700 section 2.1 require an exact match. There are three exceptions: the case of scheme
and host is ignored (RFC 3986 section 6.2.2.1); a loopback address over http may have any port (RFC 8252 section 7.3),
and so may "localhost" (RFC 9700 section 2.1); and an empty path means "/" (RFC 9110 section 4.2.3). Nothing else is
normalised: URIs that differ in white space, dot segments or escapes do not match.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from urlsm.machine.driver import SPECIAL
from urlsm.patterns.errors import PatternError
from urlsm.patterns.rule import Rule, joined
from urlsm.patterns.syntax import Syntax, host_key
from urlsm.security.comparison import is_ambiguous
from urlsm.security.disguise import climbs
from urlsm.url.value import try_parse

__all__ = ["SYNTAX"]

_PARTS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):(?://([^/?#]*))?([^?#]*)((?:\?[^#]*)?)", re.DOTALL)
_SCRIPTS = frozenset(("about", "blob", "data", "file", "filesystem", "javascript", "vbscript", "view-source"))
_DIGIT = ("in", b"0123456789")
_LABEL = ("times", (("in", b"abcdefghijklmnopqrstuvwxyz0123456789-_"),), 1, None, True)
_LOOPBACK = frozenset(("127.0.0.1", "[::1]", "localhost"))
_PASSES = 4  # how often a text is decoded, as in climbing.py
_HEX = b"0123456789abcdefABCDEF"
# a segment may hold RFC 3986's pchar, and escapes of any octet but control characters, ".", "/", "%" and "\"
_WRITTEN = bytes(set(range(0x21, 0x7F)) - set(b'"#%/<>?[\\]^`{|}'))
_ESCAPED = (
    "or",
    tuple((b"%" + bytes((high,)), ("in", low)) for high, low in (
        (0x32, b"012346789aAbBcCdD"),  # all but %25 ("%"), %2E (".") and %2F ("/")
        (0x33, _HEX), (0x34, _HEX), (0x35, b"0123456789aAbBdDeEfF"), (0x36, _HEX), (0x37, b"0123456789aAbBcCdDeE"),
        *((octet, _HEX) for octet in b"89abcdefABCDEF"),
    )),
)  # fmt: skip
_REST = ("times", (("or", ((("in", _WRITTEN),), (_ESCAPED,))),), 0, None, True)
_NOT_A_DOT = ("or", ((("in", _WRITTEN.replace(b".", b"")),), (_ESCAPED,)))
# a segment that is neither "." nor ".."
_SEGMENT = ("or", ((("times", (b".",), 0, 2, True), _NOT_A_DOT, _REST), (b"...", _REST)))


def folded(text: str) -> bytes | None:
    """Return the bytes to compare: the text with its scheme and host in lower case. Return None if the text is not an
    absolute URI."""
    found = _PARTS.match(text)
    if found is None or not text.isascii():
        return None
    end = found.end(2) if found[2] is not None else found.end(1)
    return (text[:end].lower() + text[end:]).encode()


def reads(text: str, options: dict[str, Any]) -> bytes | None:
    """Return the bytes to compare. Return None for a URI that no pattern may match. Such a URI is not absolute, or has
    user information, a fragment or a character that is not allowed in a URI, or has a host or port that programs read
    differently. With `wildcards`, this also applies to a URI whose last path segment some program reads as ".."."""
    octets = folded(text)
    if octets is None or "#" in text or not text.isprintable() or " " in text:
        return None
    found = _PARTS.fullmatch(text)
    if found is None or (found[2] is not None and "@" in found[2]):
        return None
    if found[1].lower() in SPECIAL and (is_ambiguous(text) or try_parse(text) is None):
        return None
    # "*" may match the last segment, and no reader may take that for "..". So "..;x", "..%20" and full-width dots are
    # refused
    if options["wildcards"] and found is not None and not found[4] and climbs(found[3].rpartition("/")[2], _PASSES):
        return None
    return octets


def rules(pattern: str, options: dict[str, Any]) -> Iterator[Rule]:
    found = _PARTS.fullmatch(pattern)
    if found is None:
        at = pattern.find("#")
        code, said = (
            ("fragment", "a redirect URI has no fragment")
            if at >= 0
            else ("relative", "a redirect URI must be absolute: write https://host/path")
        )
        raise PatternError(code, said, pattern, max(at, 0))
    scheme, authority, path, query = found.groups()
    scheme = scheme.lower()
    if scheme in _SCRIPTS:
        raise PatternError(
            "script", f"{scheme}: URLs run or show their own content, so no client may register one", pattern
        )
    if authority is None and (scheme in SPECIAL or (not path and not query)):
        raise PatternError("relative", "a redirect URI must be absolute: write https://host/path", pattern)
    if authority is not None and "@" in authority:
        raise PatternError("userinfo", "remove the user information before the host", pattern, found.start(2))
    if not pattern.isascii() or not pattern.isprintable() or " " in pattern or "\\" in pattern:
        raise PatternError(
            "not-a-uri",
            "a redirect URI may contain only printable ASCII characters, without spaces or backslashes",
            pattern,
        )
    stars = pattern.count("*")
    if stars and not options["wildcards"]:
        raise PatternError(
            "wildcard",
            "* needs the option wildcards=True (RFC 9700 section 4.1.1 advises against it)",
            pattern,
            pattern.find("*"),
        )
    plain = pattern.replace("*", "star") if stars else pattern
    url = try_parse(plain)
    if url is None:
        raise PatternError("not-a-url", "this is not a valid URL", pattern)
    if scheme in SPECIAL and any(s in (".", "..") for s in re.sub("%2[eE]", ".", path).split("/")):
        raise PatternError(
            "dot-segments",
            'remove the "." or ".." segment: clients resolve it first, so this never matches',
            pattern,
            found.start(3),
        )
    if scheme in SPECIAL and not path and not query:
        path = "/"  # RFC 9110 section 4.2.3: an empty path is "/"
    if scheme in SPECIAL:
        host_key(url.host or "", pattern, found.start(2))  # it has no empty label
    host = (authority or "").lower()
    name = host if host.endswith("]") or ":" not in host else host.rpartition(":")[0]
    program: list[Any] = [f"{scheme}:{'' if authority is None else '//'}".encode()]
    if "*" in host:
        from urlsm.crawler.sites import registrable_domain

        if not name.startswith("*.") or host.count("*") > 1:
            raise PatternError(
                "wildcard",
                "* must be the whole first label of the host, as in https://*.example.com/",
                pattern,
                found.start(2) + host.find("*"),
            )
        if registrable_domain(name[2:]) is None:
            raise PatternError(
                "public-suffix", "this is a public suffix: anyone can register a name below it", pattern, found.start(2)
            )
        program += (_LABEL, host[1:].encode())
    elif name in _LOOPBACK and scheme == "http":
        program += (name.encode(), ("optional", (b":", ("times", (_DIGIT,), 1, 5, True)), True))
    else:
        program.append(host.encode())
    if "*" in query or path.count("*") > 1 or ("*" in path and not path.endswith("/*")):
        raise PatternError("wildcard", "* must be the whole last segment of the path", pattern, pattern.rfind("*"))
    if "*" in path:
        if query:
            raise PatternError("wildcard", "nothing may follow *", pattern, found.start(4))
        program += (path[:-1].encode(), _SEGMENT)
    else:
        program.append(path.encode() + query.encode())
    if scheme in SPECIAL and path == "/" and not query:  # the URI is the same with and without "/"
        program[-1] = b""
        program.append(("optional", (b"/",), True))
    yield Rule(checks=(("target", (*joined(program), "$")),))


SYNTAX = Syntax("redirect-uri", rules=rules, options={"wildcards": False}, reads=reads)
