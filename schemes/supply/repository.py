"""Schemes for repositories: git, svn, svn+ssh, and rsync (RFC 5781)."""

from __future__ import annotations

from urlsm.components.parts import Parts, segments, server
from urlsm.components.value import Components
from urlsm.schemes.contract import PathParts
from urlsm.schemes.generic import Scheme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

    from typing_extensions import TypeVar

__all__ = ["Git", "GitParts", "Rsync", "RsyncParts", "Svn", "SvnSsh"]


class GitParts(Parts):
    """A repository on a Git server.

    Attributes:
        host: the host, decoded, in lower case, without brackets; None if absent or empty
        port: the port; None if absent
        path: the path as written, including "?" and everything after it
        segments: the segments of the path, decoded
        user_dir: the user after "~" in the first segment; None if absent

    Example:
        >>> import urlsm
        >>> urlsm.parts("git://git.example/~ann/project.git", "git").user_dir
        'ann'
    """

    host: str | None = None
    port: int | None = None
    path: str = ""
    segments: tuple[str, ...] = ()
    user_dir: str | None = None


class RsyncParts(PathParts):
    """A file or folder on an rsync server.

    Attributes:
        module: the module, taken from the first segment of the path; None if it is empty, which requests a list of all
            modules

    Example:
        >>> import urlsm
        >>> urlsm.parts("rsync://rsync.example/module/path/", "rsync").module
        'module'
    """

    module: str | None = None


if TYPE_CHECKING:
    R = TypeVar("R", bound=Parts, default=PathParts, covariant=True)
else:
    R = PathParts


class Repository(Scheme[R]):
    authority = "required"
    host = "required"
    query = "forbidden"
    host_may_pass_for_option = True
    _port_may_be_path = True


class Git(Repository[GitParts]):
    names: ClassVar[tuple[str, ...]] = ("git",)
    title = "Git repository served by git daemon"
    reference = "git documentation, gitprotocol-pack"
    example = "git://git.example.org/~user/project.git"
    default_port: ClassVar[int | None] = 9418
    userinfo = "forbidden"  # the protocol does not authenticate
    path = "required"
    query = "allowed"
    # in a request, NUL and "host=" follow pathname = *( %x01-ff ). With line breaks in the path, other requests have
    # been forged (CVE-2021-40330)
    forbidden_escapes = "\0\r\n"

    def read_parts(self, components: Components) -> GitParts:
        _, _, host, port = server(components)
        path = components.path or ""
        if components.query is not None:  # git reads a query as part of the repository's name
            path += "?" + components.query
        names = segments(path)
        user = names[0][1:] if names and names[0].startswith("~") else None
        return GitParts(host, port, path, names, user)

    def write_parts(self, parts: Any) -> str:
        names = ("~" + parts.user_dir,) if parts.segments is None and parts.user_dir is not None else parts.segments
        return self.composed_authority(host=parts.host, port=parts.port) + self.composed_path(parts.path, names)


class Svn(Repository):
    names: ClassVar[tuple[str, ...]] = ("svn",)
    title = "Subversion repository served by svnserve"
    reference = "Version Control with Subversion, repository URLs"
    example = "svn://svn.example.com/repos/trunk"
    default_port: ClassVar[int | None] = 3690

    def normalize(self, components: Components) -> Components:
        """Normalise, and remove every "/" at the end of the path, as the client does."""
        components = super().normalize(components)
        return components if components.host is None else components.replace(path=(components.path or "").rstrip("/"))


class SvnSsh(Svn):
    names: ClassVar[tuple[str, ...]] = ("svn+ssh",)
    title = "Subversion repository over SSH"
    example = "svn+ssh://user@svn.example.com/repos/trunk"
    default_port: ClassVar[int | None] = 22


class Rsync(Repository[RsyncParts]):
    names: ClassVar[tuple[str, ...]] = ("rsync",)
    title = "Files on an rsync daemon"
    reference = "RFC 5781 section 2"
    example = "rsync://rsync.example.org/module/path/"
    default_port: ClassVar[int | None] = 873

    def read_parts(self, components: Components) -> RsyncParts:
        path = components.path or ""
        names = segments(path)
        return RsyncParts(*server(components), path, names, names[0] or None if names else None)

    def write_parts(self, parts: Any) -> str:
        names = (parts.module,) if parts.segments is None and parts.module else parts.segments
        authority = self.composed_authority(parts.username, parts.password, parts.host, parts.port)
        return authority + self.composed_path(parts.path, names)
