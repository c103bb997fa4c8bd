"""Whether a path leaves the part of a site that a rule allows, for any reader."""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlsm.security.plain import climbs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["any_segment_climbs", "leaves", "plainer"]

_PASSES = 4  # the number of times that a path is decoded before the rest counts as climbing; like join_within
# of the octets that a URL's path may have, and of "/", the backslash and "%"
_ESCAPE = re.compile("%(2[1456789A-Fa-f]|3[0-9A-BDabd]|40|[46][1-9A-Fa-f]|[57][0-9Aa]|5[CcFf]|7[Ee])")
_DOT = re.compile(r"/(?:(?:\.|%2[Ee])(?:/|$))+")
_SLASHES = re.compile("//+")
_PATHS = ("target", "path", "href", "whole")  # texts with a path


def any_segment_climbs(path: str) -> bool:
    """Return whether any reader sees a step up in a segment."""
    return any(climbs(segment, _PASSES) for segment in path.split("/"))


def plainer(path: str) -> Iterator[str]:
    """Yield the path as programs see it that decode it once, twice ..., or that take "//" for "/". RFC 3986 section
    6.2.2.2: an escape of an unreserved octet is the same as the octet; many servers also decode "/", other signs, and
    escapes of escapes. No segment "." is left, which no URL has."""
    for k in range(_PASSES + 1):
        if "//" in path:
            yield _SLASHES.sub("/", path)
        if k == _PASSES:
            return
        decoded = _ESCAPE.sub(lambda found: chr(int(found[1], 16)), path).replace("\\", "/")
        decoded = _DOT.sub("/", decoded)
        if decoded == path:
            return
        path = decoded
        yield path


def leaves(path: str, checks: tuple[Any, ...]) -> bool:
    """Return whether a path, which these checks of a rule match, climbs out of the rule's prefix or "*" for any
    reader."""
    return any(_leaves(path, program, kind) for kind, program in checks if kind in _PATHS)


def _leaves(path: str, program: tuple[Any, ...], kind: str) -> bool:
    found = _in_path(program, kind)
    begun = [None] if found is None else list(_beginnings(found, b""))
    if not begun:
        return False  # the rule's author wrote the whole path
    literal = None
    if None not in begun:
        texts = [text.decode("latin-1") for text in begun if text is not None]
        literal = max((text for text in texts if path.startswith(text)), key=len, default=None)
    if literal is None:
        return any_segment_climbs(path)
    if literal.endswith("/"):
        return climbs(path[len(literal) :], _PASSES)
    # the prefix ends within a segment: the whole segment is the directory that holds what is behind its "/"
    segment, _, behind = path[len(literal) :].partition("/")
    escape = segment.find("%")
    return (
        climbs(path[literal.rfind("/") + 1 :], _PASSES)
        or climbs(behind, _PASSES)
        or (escape >= 0 and climbs(segment[escape:], _PASSES))  # to some the escape is a "/"
    )


def _in_path(program: tuple[Any, ...], kind: str) -> tuple[Any, ...] | None:
    """Return the part of a program that begins with the path. None if a "*" before it may hold slashes, so it is not
    certain where the path begins."""
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
    """Yield the literals behind which the path is free to the end, one for each choice of the program; None where
    something is written behind a free part, so that a step up leaves what is written. Nothing if no part is free."""
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
    """Return whether a piece certainly does not match a slash."""
    if isinstance(piece, bytes):
        return b"/" not in piece
    if piece[0] == "in":
        return ord("/") not in piece[1]
    if piece[0] == "or":
        return all(_is_within_segment(inner) for program in piece[1] for inner in program)
    return piece[0] == "times" and all(map(_is_within_segment, piece[1]))
