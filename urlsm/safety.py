"""For servers: may a redirect go there, does a reference stay below its base? By every dialect's reading at once."""

from __future__ import annotations

import re
from collections.abc import Iterable

from urlsm.comparison import READERS, View, folded_host, is_ambiguous, see, text_of
from urlsm.components import split
from urlsm.url import parse, resolve
from urlsm.values import decode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from urlsm.url import StrOrURL

__all__ = ["deviates", "is_safe_redirect", "join_within"]

_PORTS = {"http": 80, "https": 443}
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
# UTS 46 section 7: IDNA 2003 maps them to others, or to nothing, and IDNA 2008 keeps them
_DEVIATIONS = frozenset("ßς\u200c\u200d")
_PASSES = 4  # how often escapes are decoded before a path counts as a disguise
# what decoders that take overlong UTF-8 see in it, the octets as lone surrogates (CVE-2000-0884)
_OVERLONG = (("\udcc0\udcae", "."), ("\udcc0\udcaf", "/"), ("\udcc1\udc9c", "\\"))


def is_safe_redirect(target: StrOrURL, base: StrOrURL, allowed_hosts: Iterable[str] | str = ()) -> bool:
    """May a server at base redirect to target? Only if every dialect resolves it to one and the same allowed origin.

    Args:
        target: what the Location header would say: str, bytes or URL, absolute or relative. base: the server's own URL.
        allowed_hosts: hosts beside base's origin, over http and https, with a port ("host:8080") where it is not the
            scheme's default.

    Returns:
        False also for a target that is ambiguous by itself, for control characters and credentials in it, and for a
        host that is not written as itself (case aside): an IPv6 address that is not canonical, an IDN with characters
        that IDNA maps to others, or on whose mapping its versions differ ("faß.de"). Never raises because of what
        target holds.

    Raises:
        ParseError: base is no URL. TypeError: not a text.

    The class of CWE-601. RFC 3986 section 7.6; https://url.spec.whatwg.org/#security-considerations
    """
    target, base = text_of(target), text_of(base)
    parse(base)
    if _CONTROL.search(target) or is_ambiguous(target):
        return False
    origins = set()
    for dialect, (_, resolver) in READERS.items():
        try:
            view = see(dialect, resolver(base, target))
        except ValueError:
            return False
        if view.scheme not in _PORTS or view.host is None:
            return False
        origins.add((view.scheme, view.host, _PORTS[view.scheme] if view.port is None else view.port))
    if len(origins) != 1:
        return False
    origin = origins.pop()
    scheme, host, port = origin
    home = see("whatwg", base)
    if origin != (home.scheme, home.host, home.port or _PORTS.get(home.scheme or "")):
        hosts = (allowed_hosts,) if isinstance(allowed_hosts, str) else allowed_hosts
        if not {(host, None if port == _PORTS[scheme] else port), (host, port)} & {_allowed(entry) for entry in hosts}:
            return False
    written = split(READERS["rfc3986"][1](base, target), "rfc3986")
    if written.authority == split(base, "rfc3986").authority:
        return True
    return written.userinfo is None and _is_as_written(written.host or "", host)


def _allowed(entry: str) -> tuple[str | None, int | None]:
    """The host and port that an entry of allowed_hosts names."""
    if not isinstance(entry, str):
        raise TypeError(f"an allowed host is str, not {type(entry).__name__}")
    if entry.count(":") > 1 and not entry.startswith("["):
        return folded_host(f"[{entry}]"), None
    found = re.fullmatch(r"(.*):([0-9]{1,5})", entry)
    return (folded_host(found[1]), int(found[2])) if found else (folded_host(entry), None)


def deviates(host: str) -> bool:
    """Do the versions of IDNA make different domains of it?"""
    return not _DEVIATIONS.isdisjoint(host)


def _is_as_written(written: str, host: str) -> bool:
    """Does the folded host differ from the written one only in case and, of an IDN, in being ASCII?"""
    if written.isascii():
        return written.lower() == host
    from urlsm.idna import domain_to_unicode

    return not deviates(written) and written.lower() == domain_to_unicode(host)


def join_within(base: StrOrURL, ref: StrOrURL) -> str:
    """The text of the URL that ref is, relative to base, if it stays below base.

    Below: of base's origin, and in the directory of its path (up to the last "/"), whichever dialect resolves it, and
    however often who reads the path decodes it: escapes of dots, slashes and backslashes count as these, a segment's
    ";" ends it, "//" is "/".

    Args:
        base, ref: str, bytes or URL.

    Returns:
        what urlsm.resolve(base, ref) does: the URL Standard's normal form.

    Raises:
        ValueError: it does not stay there, by some dialect (ParseError: one of them is no URL there). TypeError: not a
            text.

    The class of CWE-22 and CWE-918. RFC 3986 sections 5.2 and 7.3.
    """
    base, ref = text_of(base), text_of(ref)
    joined = resolve(base, ref)
    for dialect, (_, resolver) in READERS.items():
        home, there = _seen(dialect, base), _seen(dialect, resolver(base, ref))
        if there.scheme is None and home.scheme is not None:
            continue  # urllib resolves the schemes of its lists only: a relative reference goes nowhere
        if (there.scheme, there.host, there.port) != (home.scheme, home.host, home.port):
            raise ValueError(f"the reference leaves the origin of its base ({dialect})")
        if not _is_below(there.path or "", home.path or ""):
            raise ValueError(f"the reference climbs above the path of its base ({dialect})")
    return joined


def _seen(dialect: str, text: str) -> View:
    view = see(dialect, text)
    if view.refusal is not None:
        raise ValueError(f"the dialect {dialect} refuses it: {view.refusal}")
    return view


def _is_below(path: str, base: str) -> bool:
    """Is a path in the directory of a base's path, as both are and after each decoding?"""
    for _ in range(_PASSES + 1):
        for merges in (False, True):
            place, directory = _steps(path, merges), _steps(base, merges)
            if not directory or len(place) < len(directory) or place[: len(directory) - 1] != directory[:-1]:
                return False
        decoded = _decoded(path), _decoded(base)
        if decoded == (path, base):
            return True
        path, base = decoded
    return False  # escapes of escapes of escapes: a disguise


def _decoded(path: str) -> str:
    path = decode(path)
    for octets, meant in _OVERLONG:
        path = path.replace(octets, meant)
    return path


def _steps(path: str, merges: bool) -> list[str]:
    """The segments of a path without dots, the last one "" if it ends in "/" or in dots. merges: "//" is "/", as in a
    file system. None at all: it climbs above its root, or a NUL ends it, for who passes it on to C."""
    if "\0" in path:
        return []
    steps: list[str] = []
    path = re.sub("[\t\n\r]", "", path).replace("\\", "/")
    *inner, last = path.removeprefix("/").split("/")
    for segment in (*inner, last):
        name = segment.partition(";")[0] if segment.startswith(".") else segment
        if name == ".." and not steps:
            return []
        if name == "..":
            steps.pop()
        elif name != "." and (segment or not merges):
            steps.append(segment)
    ends = last.partition(";")[0] if last.startswith(".") else last
    return [*steps, ""] if ends in (".", "..") or (merges and not last) else steps
