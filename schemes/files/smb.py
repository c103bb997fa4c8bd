"""smb, also spelt cifs: a share on a Windows file server, and a file in it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlsm.components.parts import decode, segments
from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import PCHAR, USERINFO, Characters
from urlsm.schemes.contract import ServerParts
from urlsm.schemes.generic import Scheme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["Smb", "SmbParts"]

_ESCAPED = re.compile("%3[Bb]")


class SmbParts(ServerParts):
    """A file in a share on a Windows file server.

    Attributes:
        domain: the Windows domain, taken from the user information before ";" and decoded; None if absent
        share: the share, taken from the first segment of the path and decoded; None if the path is empty
        segments: the segments after the share, decoded

    Example:
        >>> import urlsm
        >>> urlsm.parts("smb://WORK;ann@files.example/share/docs/a.txt", "smb").share
        'share'
    """

    domain: str | None = None
    share: str | None = None
    segments: tuple[str, ...] = ()


class Smb(Scheme[SmbParts]):
    """ "smb://" [ [ domain ";" ] user [ ":" password ] "@" ] server [ ":" port ] [ "/" share [ "/" path ] ]"""

    names: ClassVar[tuple[str, ...]] = ("smb", "cifs")
    title = "Windows file share"
    reference = "IANA, smb"
    reference_date = "2026-11-23"
    example = "smb://WORK;user@server.example.org/share/docs/a.txt"
    default_port: ClassVar[int | None] = 445
    authority = host = "required"
    password = "allowed"
    query = "forbidden"
    equal_by_parts = True
    userinfo_characters: ClassVar[Characters] = USERINFO - ";"  # an unescaped ";" is a delimiter
    joined: ClassVar[tuple[str, ...]] = ("/{share}/{segments}",)
    rules: ClassVar[dict[str, str]] = {
        "smb-domain": 'other programs read the domain before ";" as part of the user name',
        "smb-share-missing": "the share is missing",
    }

    def read_parts(self, components: Components) -> SmbParts:
        _, password, host, port = self.server(components)
        domain, semicolon, user = _login(components.username or "")
        pieces = segments(components.path or "")
        return SmbParts(
            None if components.username is None else decode(user),
            password,
            host,
            port,
            decode(domain) if semicolon else None,
            pieces[0] if pieces else None,
            tuple(pieces[1:]),
        )

    def userinfo_faults(self, components: Components, start: int, end: int) -> Iterator[Violation]:
        yield from self.faults(components, "userinfo", start, end, USERINFO)
        if _login(components.username or "")[1]:
            yield self.violation("smb-domain", "userinfo", start, "warning")

    def path_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().path_violations(components)
        if components.host is not None and not (components.path or "").strip("/"):
            yield self.violation("smb-share-missing", "path", (components.span("path") or (0, 0))[0], "warning")

    def write_parts(self, parts: Any) -> str:
        written = "//"
        user = self.userinfo_characters - ":"
        if parts.domain is not None or parts.username is not None or parts.password is not None:
            written += "" if parts.domain is None else user.encode(parts.domain) + ";"
            written += user.encode(parts.username or "")
            written += "@" if parts.password is None else f":{self.userinfo_characters.encode(parts.password)}@"
        written += self.composed_authority(host=parts.host, port=parts.port).removeprefix("//")
        pieces = () if parts.share is None else (parts.share, *(parts.segments or ()))
        return written + "".join([f"/{PCHAR.encode(piece)}" for piece in pieces])


def _login(username: str) -> tuple[str, str, str]:
    """Return the domain, the ";" and the user. If there is no ";", the first "%3B" is the delimiter: the URL parser
    escapes ";", and a Windows user name cannot contain it."""
    domain, semicolon, user = username.rpartition(";")
    if semicolon:
        return domain, semicolon, user
    found = _ESCAPED.search(username)
    return ("", "", username) if found is None else (username[: found.start()], ";", username[found.end() :])
