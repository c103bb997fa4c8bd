"""Finds out how programs that read a path ("readers", such as proxies and servers) may interpret it, and whether the
path leaves the part of a site that a rule allows in one of these interpretations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from string import hexdigits
from unicodedata import normalize

from urlsm.security.disguise import climbs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["any_segment_climbs", "leaves", "readings"]

_PASSES = 4  # how often a path is decoded; an escape that is left after that counts as climbing, as in safe_join
_OCTETS = {f"{a}{b}".encode(): bytes((int(f"{a}{b}", 16),)) for a in hexdigits for b in hexdigits}
_DOT = re.compile(r"/(?:(?:\.|%2[Ee])(?:/|$))+")
_SLASHES = re.compile("//+")
_AT_END = re.compile(rb"(?<![ \x0b\x0c\x1c-\x1f])[ \x0b\x0c\x1c-\x1f]+(?=/|\Z)")
# after the first octet of a sequence, some decoders accept any octets ("%c0%2f", CVE-2000-0884)
_OVERLONG = re.compile(
    rb"[\xc0\xc1][\0-\xff]|\xe0[\x80-\x81][\x80-\xbf]|\xf0\x80[\x80-\x81][\x80-\xbf]"
    rb"|\xf8\x80\x80[\x80-\x81][\x80-\xbf]|\xfc\x80\x80\x80[\x80-\x81][\x80-\xbf]"
)
_BEST_FIT = frozenset("\u2044\u2215\u2216\u00a5\u20a9")  # some code pages turn these into slashes and backslashes
# Default_Ignorable_Code_Point (UAX 44)
_IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_LONGEST_NORMALIZED = 4096  # in characters; normalising a longer row of combining marks would take too long
_PATHS = ("target", "path", "href", "whole")  # the kinds of checks whose text holds the path


def any_segment_climbs(path: str) -> bool:
    """Return whether any reader may read a segment of the path as ".."."""
    return any(climbs(segment, _PASSES) for segment in path.split("/"))


def readings(text: str, is_path: bool = True) -> Iterator[tuple[str, ...]]:
    """Yield a path or a query as programs see it after decoding it zero, one, two or more times.

    Each number of decodings gives two readings. The first leaves the bytes as they are. The second is what the most
    careless reader sees (the same reader as in urlsm.security.safe_join). This reader decodes overlong UTF-8 and "%u",
    and applies NFKC. It drops bytes that are not UTF-8, ignorable characters, tabs, line breaks, and white space at the
    end of a segment. In a path, "//" may be read as "/" and a backslash as a slash. "." segments are removed, because
    no URL in normal form has them.
    """
    octets = folded = text.encode("utf-8", "surrogatepass")
    for _ in range(_PASSES + 1):
        folded = _folded(folded)
        made = dict.fromkeys((octets.decode("utf-8", "ignore"), folded.decode("utf-8", "ignore")))
        if is_path:
            forms = [_DOT.sub("/", form.replace("\\", "/")) for form in made]
            made = dict.fromkeys([*forms, *[_SLASHES.sub("/", form) for form in forms]])
        yield tuple(made)
        before = octets, folded
        octets, folded = _unescaped(octets), _unescaped(folded)
        if before == (octets, folded):
            return


def _unescaped(octets: bytes) -> bytes:
    """Decode each escape like "%41" or "%u0041" once."""
    first, *pieces = octets.split(b"%")
    made = [first]
    for piece in pieces:
        octet = _OCTETS.get(piece[:2])
        if octet is not None:
            made += octet, piece[2:]
        elif piece[:1] == b"u" and piece[1:3] in _OCTETS and piece[3:5] in _OCTETS:
            made += chr(int(piece[1:5], 16)).encode("utf-8", "surrogatepass"), piece[5:]
        else:
            made += b"%", piece
    return b"".join(made)


def _folded(octets: bytes) -> bytes:
    """Return a text as the most careless reader sees it. This function drops and maps the same characters as
    security/disguise.pyx."""
    if not octets.isascii():
        octets = _OVERLONG.sub(_of_overlong, octets)
        text = octets.decode("utf-8", "ignore")
        text = "".join([c if c < "\x80" else _folded_char(c) for c in text])
        octets = (normalize("NFKC", text) if len(text) <= _LONGEST_NORMALIZED else text).encode()
    return _AT_END.sub(b"", octets.translate(None, b"\t\n\r"))


@lru_cache(4096)
def _folded_char(c: str) -> str:
    if c in _BEST_FIT:
        return "/"
    return "" if _IGNORABLE.match(c) else normalize("NFKC", c)


def _of_overlong(found: re.Match[bytes]) -> bytes:
    """Return the ASCII character that overlong UTF-8 encodes. If it encodes another character, return the bytes
    unchanged."""
    octets = found[0]
    size = len(octets)
    code = octets[0] & (0x7F >> size)
    for octet in octets[1:]:
        code = code << 6 | octet & 0x3F
    return bytes((code,)) if code < 0x80 else octets


def leaves(path: str, checks: tuple[Any, ...]) -> bool:
    """Return whether, for any reader, the path leaves the part that the rule's checks require: a prefix, or the text
    before a "*". The checks must match the path."""
    return any(_leaves(path, program, kind) for kind, program in checks if kind in _PATHS)


def _leaves(path: str, program: tuple[Any, ...], kind: str) -> bool:
    found = _in_path(program, kind)
    begun = [None] if found is None else list(_beginnings(found, b""))
    if not begun:
        return False  # the program fixes the whole path
    literal = None
    if None not in begun:
        texts = [text.decode("latin-1") for text in begun if text is not None]
        literal = max((text for text in texts if path.startswith(text)), key=len, default=None)
    if literal is None:
        return any_segment_climbs(path)
    if literal.endswith("/"):
        return climbs(path[len(literal) :], _PASSES)
    # the prefix ends within a segment: the path must stay below that segment, however the segment goes on
    segment, _, behind = path[len(literal) :].partition("/")
    escape = segment.find("%")
    return (
        climbs(path[literal.rfind("/") + 1 :], _PASSES)
        or climbs(behind, _PASSES)
        or (escape >= 0 and climbs(segment[escape:], _PASSES))  # some readers decode the escape to a "/"
    )


def _in_path(program: tuple[Any, ...], kind: str) -> tuple[Any, ...] | None:
    """Return the part of a program that matches the path. Return None if it is not certain where that part begins, for
    example because a piece before it could match a slash."""
    if kind in ("target", "path"):
        return program
    before = b""
    for k, piece in enumerate(program):
        if not isinstance(piece, bytes):
            if not _is_within_segment(piece):
                return None
            before += b"x"
            continue
        before += piece
        start = before.find(b"/", before.find(b"://") + 3) if b"://" in before else -1
        if start >= 0:
            return (before[start:], *program[k + 1 :])
    return None


def _beginnings(program: tuple[Any, ...], literal: bytes) -> Iterator[bytes | None]:
    """Yield each literal after which the program lets anything follow, for each of the program's choices. Yield None if
    the program goes on after such a free part: there ".." could lead out of what the rule allows. Yield nothing if the
    program has no free part."""
    for k, piece in enumerate(program):
        if piece == "$":
            return
        if isinstance(piece, bytes):
            literal += piece
            if b"?" in piece or b"#" in piece:
                return
            continue
        behind = program[k + 1 :]
        if behind not in ((), ("$",)) and not (isinstance(behind[0], bytes) and behind[0][:1] in (b"?", b"#")):
            yield None
        elif piece[0] in ("or", "group", "optional"):
            inner = piece[1] if piece[0] == "or" else (piece[2] if piece[0] == "group" else piece[1],)
            for choice in inner:
                yield from _beginnings((*choice, "$"), literal)
        else:
            yield literal
        return
    yield literal


def _is_within_segment(piece: Any) -> bool:
    """Return whether a piece certainly never matches a slash."""
    if isinstance(piece, bytes):
        return b"/" not in piece
    if piece[0] == "in":
        return ord("/") not in piece[1]
    if piece[0] == "or":
        return all(_is_within_segment(inner) for program in piece[1] for inner in program)
    return piece[0] == "times" and all(map(_is_within_segment, piece[1]))
