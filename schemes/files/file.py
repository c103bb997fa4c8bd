"""file (RFC 8089): converts paths on this or another machine to URLs, and URLs to paths. It applies the rules of POSIX
or Windows on any platform."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath, PureWindowsPath

from urlsm.components.parts import Parts, lower, read_host, segments
from urlsm.components.value import Components, split
from urlsm.errors.rules import Violation
from urlsm.octets.objects import url_text
from urlsm.schemes.characters import UNRESERVED, Characters, normal_escapes
from urlsm.schemes.generic import Scheme
from urlsm.schemes.rfc1738 import FSEGMENT, Rfc1738

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

    from urlsm.url.value import StrOrURL

__all__ = ["File", "FileParts", "StrictFile"]


class FileParts(Parts):
    """A file on this computer or on another host.

    A drive counts as the beginning of the path, even where a host is expected (file://C:/x) or without a "/" before it
    (file:C:/x).

    Attributes:
        host: the host, decoded, in lower case, without brackets; None if absent or empty
        path: the path as written
        segments: the segments of the path, decoded
        is_local: whether the host is absent or "localhost"
        drive: the Windows drive in the first segment, such as "C:"; None if absent

    Example:
        >>> import urlsm
        >>> urlsm.parts("file:///C:/Users/Zo%C3%AB", "file").segments
        ('C:', 'Users', 'Zoë')
    """

    host: str | None = None
    path: str = ""
    segments: tuple[str, ...] = ()
    is_local: bool = True
    drive: str | None = None

    def to_path(self, *, windows: bool | None = None) -> str:
        """Return the path of the file for Windows or POSIX.

        Bytes that are not UTF-8 become lone surrogates ("surrogateescape"). On Windows, the path begins with a drive,
        or with the host as a UNC path (RFC 8089 appendix E). Without a drive or a host, it is on the current drive.

        Args:
            windows: whether the path is for Windows. None selects the platform that the program runs on.

        Raises:
            ValueError: the path is relative, is on another host (POSIX only), or contains a name that no file can have.

        Example:
            >>> import urlsm
            >>> urlsm.parts("file:///home/a%20b", "file").to_path(windows=False)
            '/home/a b'
        """
        if not self.path.startswith("/"):
            raise ValueError(f"not an absolute path: {self.path!r}")
        if _for_windows(windows):
            return self._windows_path()
        if not self.is_local:
            raise ValueError(f"the path is on the host {self.host!r}, not on this machine")
        for name in self.segments:
            if "/" in name or "\0" in name:
                raise ValueError(f"not a file name on POSIX: {name!r}")
        return "/" + "/".join(self.segments)

    def _windows_path(self) -> str:
        host = None if self.is_local else self.host
        names: Sequence[str] = self.segments
        if host is None and self.path.startswith("//"):  # appendix E.3.2: a UNC path follows the empty authority
            slashes = len(self.path) - len(self.path.lstrip("/"))
            host, *names = names[slashes - 1 :]
        if host is not None:
            return "\\\\" + "\\".join([host, *_share(host, names)])
        if self.drive is not None:
            return names[0][0] + ":\\" + "\\".join(_windows_names(names[1:]))
        return "\\" + "\\".join(_windows_names(names))


class File(Scheme[FileParts]):
    names: ClassVar[tuple[str, ...]] = ("file",)
    title = "File on a host"
    reference = "RFC 8089 section 2"
    example = "file:///home/me/r%C3%A9sum%C3%A9.txt"
    special = True
    userinfo = "forbidden"
    port = "forbidden"
    path = "required"
    query = "forbidden"
    in_text = "absolute"

    def read_parts(self, components: Components) -> FileParts:
        authority, path = components.authority, components.path or ""
        host = read_host(components.host) or None if components.host else None
        if authority and _DRIVE.fullmatch(authority):  # "if buffer is a Windows drive letter [...] set state to path"
            host, path = None, f"/{authority}{path}"
        elif authority is None and _DRIVE.fullmatch(path.partition("/")[0]):  # "file:c:/path" (appendix E.2)
            path = f"/{path}"
        names = segments(path)
        drive = names[0][0].upper() + ":" if names and _DRIVE.fullmatch(names[0]) else None
        return FileParts(host, path, names, host is None or host == "localhost", drive)

    def path_violations(self, components: Components) -> Iterator[Violation]:
        """Yield the violations of the rule path-absolute = "/" [ segment-nz *( "/" segment ) ]."""
        start, end = components.span("path") or (0, 0)
        if start < end and components.text[start] != "/":
            yield self.violation("path-not-absolute", "path", start)
        elif components.text.startswith("//", start, end):
            yield self.violation("path-double-slash", "path", start + 1)
        yield from super().path_violations(components)

    def normalize(self, components: Components) -> Components:
        """Return the normal form. If the path is absolute, the normal form has an authority; it is empty for this
        machine (section 2)."""
        path = components.path or ""
        if components.host is None and path.startswith("/"):
            components = components.replace(host="")
        components = super().normalize(components)
        # to a file system, "@", ":" and the sub-delims are ordinary characters
        components = components.replace(path=normal_escapes(components.path or "", self.path_characters - "/?"))
        if components.host == "localhost":
            components = components.replace(host="")
        if (components.path or "").startswith("//") and not path.startswith("//"):
            components = components.replace(path=f"/.{components.path}")  # a path with "//" would be read as UNC
        return components

    def write_parts(self, parts: Any) -> str:
        path = self.composed_path(parts.path, parts.segments)
        return (self.composed_authority(host=parts.host) or "//") + path

    def to_path(self, url: StrOrURL, *, windows: bool | None = None) -> str:
        """Return the path of the file that a URL identifies, like `FileParts.to_path`: the inverse of `from_path`.

        A drive that is written where a host is expected counts as the beginning of the path, as in the URL Standard.
        For Windows, a backslash is read as "/".

        Args:
            url: the URL.
            windows: whether the path is for Windows. None selects the platform that the program runs on.

        Raises:
            ValueError: the URL is not a file URL, it has a port, or no file can have this path.
            TypeError: url is not str, bytes or URL.

        Example:
            >>> import urlsm
            >>> urlsm.handler("file").to_path("file:///home/a%20b", windows=False)
            '/home/a b'
        """
        text = url_text(url)
        c = split(text.decode("utf-8", "surrogateescape") if isinstance(text, bytes) else text, dialect="rfc3986")
        if lower(c.scheme or "") != "file":
            raise ValueError(f"not a file URL: its scheme is {c.scheme!r}")
        if _for_windows(windows) and "\\" in c.text:
            end = len(c.text) - len(_AFTER_PATH.search(c.text)[0])  # type: ignore[index]
            c = split(c.text[:end].replace("\\", "/") + c.text[end:], dialect="rfc3986")
        if c.port is not None and not _DRIVE.fullmatch(c.authority or ""):
            raise ValueError("a file URL has no port")
        return self.read_parts(c).to_path(windows=windows)

    @staticmethod
    def from_path(path: str | bytes | os.PathLike[str] | os.PathLike[bytes], *, windows: bool | None = None) -> str:
        """Return the file URL for an absolute path.

        It equals the result of pathlib's as_uri wherever as_uri follows RFC 8089.

        A str is encoded as UTF-8 with surrogateescape. On Windows, "/" may replace a backslash. Several slashes at the
        beginning of a POSIX path count as one.

        Args:
            path: the path, as str, bytes or an object with __fspath__, such as a pathlib.Path.
            windows: whether it is a Windows path. None lets the class of a pathlib path decide, and otherwise selects
                the platform that the program runs on.

        Raises:
            ValueError: the path is relative, no file can have it, or it is a UNC path that has no share or is on
                localhost.
            UnicodeEncodeError: a surrogate does not represent a byte.

        Example:
            >>> import urlsm
            >>> urlsm.handler("file").from_path("/home/a b", windows=False)
            'file:///home/a%20b'
        """
        text = os.fspath(path)
        name = text.decode("utf-8", "surrogateescape") if isinstance(text, bytes) else text
        name.encode("utf-8", "surrogateescape")
        if windows is None and isinstance(path, (PurePosixPath, PureWindowsPath)):
            windows = isinstance(path, PureWindowsPath)
        if _for_windows(windows):
            return _windows_url(name)
        if not name.startswith("/"):
            raise ValueError(f"not an absolute path: {name!r}")
        if "\0" in name:
            raise ValueError(f"not a path on POSIX: {name!r}")
        return "file:///" + _PATH.encode(name.lstrip("/"))


_PATH = UNRESERVED + "/"
_DRIVE = re.compile("[A-Za-z][:|]")  # "|" in old URLs (appendix E.2.2)
_AFTER_PATH = re.compile(r"(?:[?#].*)?\Z", re.DOTALL)
_NO_WINDOWS_NAME = re.compile(r'[\x00-\x1f<>:"/\\|?*]')


def _for_windows(windows: bool | None) -> bool:
    return os.name == "nt" if windows is None else windows


def _windows_names(names: Sequence[str]) -> Sequence[str]:
    """Return the names unchanged. Raise ValueError for a name that no file can have; an empty name is allowed."""
    for name in names:
        if _NO_WINDOWS_NAME.search(name):
            raise ValueError(f"not a file name on Windows: {name!r}")
    return names


def _share(host: str, names: Sequence[str]) -> Sequence[str]:
    """Return the names that follow the host in a UNC path; the first is a share. Raise ValueError if a name or the host
    is not valid. (The hosts "." and "?" would mean devices.)"""
    if _NO_WINDOWS_NAME.search(host) or host in ("", ".", ".."):
        raise ValueError(f"not a server name on Windows: {host!r}")
    if not names or names[0] in ("", ".", ".."):
        raise ValueError(f"the path does not name a share on the server {host!r}")
    return _windows_names(names)


def _windows_url(path: str) -> str:
    path = path.replace("/", "\\")
    if path[:8].upper() == "\\\\?\\UNC\\":
        path = "\\\\" + path[8:]
    elif path.startswith("\\\\?\\") and _DRIVE.match(path, 4):
        path = path[4:]
    if path.startswith("\\\\"):
        host, *names = path[2:].split("\\")
        if lower(host) == "localhost":
            raise ValueError("the URL of a UNC path on localhost would name a path on this machine")
        share, *rest = _share(host, names)
        return "file://" + _PATH.encode("/".join([host, share, *(rest or [""])]))  # the root of a share is a directory
    if not re.match(r"[A-Za-z]:\\", path):
        raise ValueError(f"not an absolute path on Windows: {path!r}")
    return f"file:///{path[:2]}/" + _PATH.encode("/".join(_windows_names(path[3:].split("\\"))))


class StrictFile(Rfc1738[FileParts], File):
    """fileurl = "file://" [ host | "localhost" ] "/" fpath; fpath is as in ftp, so its segments may be empty"""

    authority = "required"
    path_characters: ClassVar[Characters] = FSEGMENT + "/"

    def path_violations(self, components: Components) -> Iterator[Violation]:
        for violation in super().path_violations(components):
            if violation.code != "path-double-slash":
                yield violation


File.strict = StrictFile
