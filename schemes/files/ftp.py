"""ftp (RFC 1738 section 3.2, in the syntax of RFC 3986). The path contains the arguments of FTP commands (RFC 959)."""

from __future__ import annotations

from collections.abc import Iterator

from urlsm.components.parts import lower, segments, server
from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import GENERIC_PATH, Characters
from urlsm.schemes.contract import PathParts
from urlsm.schemes.fields import TYPECODES
from urlsm.schemes.generic import Scheme
from urlsm.schemes.rfc1738 import FSEGMENT, Rfc1738

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["Ftp", "FtpParts", "StrictFtp"]


class FtpParts(PathParts):
    """A file or folder on an FTP server.

    The path includes ";type=", but the segments do not.

    Attributes:
        typecode: "a" (text), "i" (bytes) or "d" (a folder), from ";type="; None if absent

    Example:
        >>> import urlsm
        >>> urlsm.parts("ftp://ftp.example/pub/notes.txt;type=a", "ftp").typecode
        'a'
    """

    typecode: str | None = None

    def steps(self) -> tuple[tuple[str, str], ...]:
        """Return the FTP commands to send after the login, with their arguments, in order (RFC 1738 section 3.2.2).

        Each segment except the last becomes a CWD command. The last one is fetched with RETR, after TYPE if there is a
        typecode. If the typecode is "d" or the last segment is empty, NLST lists the folder. Encode the arguments as
        UTF-8 with surrogateescape.

        Raises:
            ValueError: an argument contains a line break, which would end the command.

        Example:
            >>> import urlsm
            >>> urlsm.parts("ftp://ftp.example/pub/a.txt;type=i", "ftp").steps()
            (('CWD', 'pub'), ('TYPE', 'I'), ('RETR', 'a.txt'))
        """
        for segment in self.segments:
            if "\r" in segment or "\n" in segment:
                raise ValueError(f"an argument of an FTP command cannot contain a line break: {segment!r}")
        *directories, name = self.segments or ("",)
        steps = [("CWD", directory) for directory in directories]
        if self.typecode == "d" or not name:
            steps.append(("NLST", name))
        else:
            if self.typecode is not None:
                steps.append(("TYPE", self.typecode.upper()))
            steps.append(("RETR", name))
        return tuple(steps)


class Ftp(Scheme[FtpParts]):
    names: ClassVar[tuple[str, ...]] = ("ftp",)
    title = "File transfer"
    reference = "RFC 1738 section 3.2"
    example = "ftp://user@ftp.example.org/pub/notes.txt;type=a"
    default_port: ClassVar[int | None] = 21
    special = True
    authority = "required"
    host = "required"
    query = "forbidden"
    empty_path_is_root = True
    forbidden_escapes = "\r\n"  # RFC 959: "any of the 128 ASCII characters except <CR> and <LF>"
    # "the characters "/" and ";" are reserved and must be encoded"
    path_characters: ClassVar[Characters] = GENERIC_PATH - ";"
    rules: ClassVar[dict[str, str]] = {
        "ftp-type-unknown": "the type must be a, i or d",
    }

    def read_parts(self, components: Components) -> FtpParts:
        path = components.path or ""
        typecode = read_type(path)
        return FtpParts(*server(components), path, segments(path if typecode is None else path[:-7]), typecode)

    def path_violations(self, components: Components) -> Iterator[Violation]:
        """Yield the violations of the rule [ "/" fpath [ ";type=" ftptype ]]."""
        start, end = components.span("path") or (0, 0)
        path = components.text[start:end]
        names, semicolon, last = path.rpartition(";")
        if semicolon and lower(last[:5]) == "type=" and "/" not in last:
            if read_type(path) is None:
                yield self.violation("ftp-type-unknown", "path", end - len(last) + 5)
            end = start + len(names)
        yield from self.faults(components, "path", start, end, self.path_characters)

    def normalize(self, components: Components) -> Components:
        components = super().normalize(components)
        path = components.path or ""
        typecode = read_type(path)
        return components if typecode is None else components.replace(path=f"{path[:-7]};type={typecode}")

    def write_parts(self, parts: Any) -> str:
        written = super().write_parts(parts)
        if parts.path is not None or parts.typecode is None:
            return written
        return f"{written}{'' if parts.segments else '/'};type={parts.typecode}"


def read_type(path: str) -> str | None:
    """Return the typecode if a path ends with ";type=" and a known typecode, otherwise None."""
    return _TYPES.get(path[-7:].lower())  # no letter beyond ASCII becomes one of these letters by lower()


_TYPES = {f";type={code}": code for code in TYPECODES}


class StrictFtp(Rfc1738[FtpParts], Ftp):
    """ftpurl = "ftp://" login [ "/" fpath [ ";type=" ftptype ]]; fsegment = *[ uchar | "?" | ":" | "@" | "&" | "=" ]"""

    path_characters: ClassVar[Characters] = FSEGMENT + "/"


Ftp.strict = StrictFtp
