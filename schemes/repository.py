"""What repositories are fetched from: git, svn, svn+ssh, and rsync (RFC 5781)."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, ClassVar

from urlsm.components import Components
from urlsm.schemes.base import PathParts, Scheme
from urlsm.values import Parts, segments, server

__all__ = ["Git", "GitParts", "Rsync", "RsyncParts", "Svn", "SvnSsh"]


class GitParts(Parts):
    """host and port as in all schemes; the path as written, with its "?", and its decoded segments; user_dir is the
    name after "~" in the first segment, None where that has no "~"."""

    host: str | None = None
    port: int | None = None
    path: str = ""
    segments: tuple[str, ...] = ()
    user_dir: str | None = None


class RsyncParts(PathParts):
    """module is the first segment, None where that is empty: the modules are listed then."""

    module: str | None = None


class Repository(Scheme):
    authority = "required"
    host = "required"
    query = "forbidden"
    host_may_pass_for_option = True
    parts_type: ClassVar[type[Parts]] = PathParts

    def refine(self, c: Components) -> Parts:
        path = c.path or ""
        return PathParts(*server(c), path, segments(path))

    def compose(self, p: Any) -> str:
        return self.composed_authority(p) + self.composed_path(p)


class Git(Repository):
    names = ("git",)
    title = "Git repository, by its daemon"
    reference = "git documentation, gitprotocol-pack"
    example = "git://git.example.org/~user/project.git"
    default_port = 9418
    userinfo = "forbidden"  # the protocol does no authentication
    path = "required"
    query = "allowed"
    # pathname = *( %x01-ff ), then NUL and host=; line breaks forged requests (CVE-2021-40330)
    forbidden_escapes = "\0\r\n"
    parts_type = GitParts

    def refine(self, c: Components) -> GitParts:
        _, _, host, port = server(c)
        path = c.path or ""
        if c.query is not None:  # to git, a character of the repository's name
            path += "?" + c.query
        names = segments(path)
        user = names[0][1:] if names and names[0].startswith("~") else None
        return GitParts(host, port, path, names, user)

    def composed_path(self, p: Any) -> str:
        names = ("~" + p.user_dir,) if p.segments is None and p.user_dir is not None else p.segments
        return super().composed_path(SimpleNamespace(path=p.path, segments=names))


class Svn(Repository):
    names = ("svn",)
    title = "Subversion repository, by svnserve"
    reference = "Version Control with Subversion, repository URLs"
    example = "svn://svn.example.com/repos/trunk"
    default_port = 3690

    def normalize(self, c: Components) -> Components:
        """A URL names a path, with or without "/" at its end: the client takes it away."""
        c = super().normalize(c)
        return c if c.host is None else c.replace(path=(c.path or "").rstrip("/"))


class SvnSsh(Svn):
    names = ("svn+ssh",)
    title = "Subversion repository, by secure shell"
    example = "svn+ssh://user@svn.example.com/repos/trunk"
    default_port = 22


class Rsync(Repository):
    names = ("rsync",)
    title = "Files of an rsync daemon"
    reference = "RFC 5781 section 2"
    example = "rsync://rsync.example.org/module/path/"
    default_port = 873
    parts_type = RsyncParts

    def refine(self, c: Components) -> RsyncParts:
        path = c.path or ""
        names = segments(path)
        return RsyncParts(*server(c), path, names, names[0] or None if names else None)

    def composed_path(self, p: Any) -> str:
        names = (p.module,) if p.segments is None and p.module else p.segments
        return super().composed_path(SimpleNamespace(path=p.path, segments=names))
