"""git+https, git+ssh, hg+https and the like, as pip reads them: the URL of a repository, a revision, and fields in the
fragment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from urlsm.components.parts import decode, driver_of, lower, server
from urlsm.components.value import Components, split
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import FRAGMENT, PCHAR
from urlsm.schemes.contract import ServerParts
from urlsm.schemes.fields import Field, Parameters, QueryParams
from urlsm.schemes.generic import Scheme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["TRANSPORTS", "Vcs", "VcsParts"]

TRANSPORTS: dict[str, tuple[str, ...]] = {
    "git": ("https", "ssh", "http", "file", "git"),
    "hg": ("https", "ssh", "http", "file", "static-http"),
    "bzr": ("https", "ssh", "http", "sftp", "ftp", "lp"),
    "svn": ("https", "http", "file", "svn"),  # svn+ssh is a scheme of Subversion itself
}
_PORTS = {"https": 443, "ssh": 22, "http": 80, "git": 9418, "static-http": 80, "sftp": 22, "ftp": 21, "svn": 3690}
ABOUT = {  # for urlsm.about
    "transports of repositories": {
        "tables": "TRANSPORTS _PORTS",
        "source": "pip, VCS Support; PEP 440",
        "url": "https://pip.pypa.io/en/stable/topics/vcs-support/",
        "date": "2026-11-21",
        "licence": "MIT",
        "used_by": "git+https and its like",
    },
}
_FIELDS = Parameters(
    Field("egg", repeat="forbid"),
    Field("subdirectory", repeat="forbid"),
    equals=True,
    repeat="forbid",
    names=FRAGMENT - "&=+",
    values=FRAGMENT - "&+",
)
_REVISION = PCHAR + "/"


class VcsParts(ServerParts):
    """A repository at a revision, in the form that pip and package managers use.

    The server and the user come from the repository URL.

    Attributes:
        vcs: the version control system: "git", "hg", "bzr" or "svn"
        url: the URL of the repository, without the revision
        revision: the branch, tag or commit, decoded; None if absent
        subdirectory: the folder in the repository; None if absent
        fields: the fields of the fragment as (name, value) pairs, decoded and in order

    Example:
        >>> import urlsm
        >>> urlsm.parts("git+https://github.com/a/b.git@v1.0#subdirectory=src", "git+https").revision
        'v1.0'
    """

    vcs: str = "git"
    url: str = ""
    revision: str | None = None
    subdirectory: str | None = None
    fields: QueryParams = ()


class Vcs(Scheme[VcsParts]):
    """vcs "+" transport "://" ... path [ "@" revision ] [ "#" fields ]"""

    names: ClassVar[tuple[str, ...]] = tuple(
        [f"{vcs}+{transport}" for vcs, transports in TRANSPORTS.items() for transport in transports]
    )
    title = "Repository, for installers"
    reference = "pip, VCS Support; PEP 440, direct references"
    reference_date = "2026-11-21"
    example = "git+https://git.example.org/team/project.git@v1.0#egg=project&subdirectory=src"
    authority = "required"
    password = "allowed"
    query = "allowed"
    host_may_pass_for_option = True
    _port_may_be_path = True
    joined: ClassVar[tuple[str, ...]] = ("{url}@{revision}",)
    rules: ClassVar[dict[str, str]] = {
        "vcs-transport-unknown": "installers do not support this transport",
        "vcs-revision-in-fragment": 'write the revision before the "#": here it is part of the field',
        "vcs-revision-empty": 'the revision after "@" is missing',
        "vcs-revision-option": 'the revision starts with "-": a program may read it as an option',
        "vcs-repository-missing": "the path of the repository is missing",
        "vcs-token-in-user": "the user name is an access token, which ends up in logs and lock files",
        "vcs-egg-deprecated": "egg is deprecated: write the package before the URL, as name @ url",
    }

    def read_parts(self, components: Components) -> VcsParts:
        c = components
        path, revision = _cut(c.path or "")
        vcs, _, transport = lower(c.scheme or "").partition("+")
        subdirectory = None
        fields = _FIELDS.read(c.fragment) if c.fragment else ()
        for name, value in fields:
            if name == "subdirectory":
                subdirectory = value
                break
        return VcsParts(
            *server(c),
            vcs,
            _url(transport, c, path),
            None if revision is None else decode(revision),
            subdirectory,
            fields,
        )

    def nested(self, components: Components) -> Iterable[str]:
        return (_url(driver_of(components) or "", components, _cut(components.path or "")[0]),)

    def default_port_of(self, scheme: str) -> int | None:
        """Return the default port of the transport, the text after "+" in the scheme."""
        return _PORTS.get(lower(scheme).partition("+")[2])

    def scheme_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().scheme_violations(components)
        vcs, _, transport = lower(components.scheme or "").partition("+")
        if transport not in TRANSPORTS.get(vcs, ()):
            place = (components.span("scheme") or (0, 0))[0] + len(vcs) + 1
            yield self.violation("vcs-transport-unknown", "scheme", place)

    def authority_violations(self, components: Components) -> Iterator[Violation]:
        if components.host is not None or driver_of(components) != "lp":  # pip's "bzr+lp:project" has no authority
            yield from super().authority_violations(components)

    def host_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().host_violations(components)
        if not components.host and driver_of(components) not in ("file", "lp"):
            yield self.violation("host-missing", "host", (components.span("host") or (0, 0))[0])

    def userinfo_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().userinfo_violations(components)
        if components.username:
            from urlsm.errors.masking import is_token

            if is_token(components.username):
                yield self.violation(
                    "vcs-token-in-user", "userinfo", (components.span("userinfo") or (0, 0))[0], "warning"
                )

    def path_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().path_violations(components)
        start, end = components.span("path") or (0, 0)
        path, revision = _cut(components.path or "")
        if path in ("", "/"):
            yield self.violation("vcs-repository-missing", "path", start)
        if revision == "":
            yield self.violation("vcs-revision-empty", "path", end)
        elif revision is not None and decode(revision[:3]).startswith("-"):
            yield self.violation("vcs-revision-option", "path", end - len(revision))

    def fragment_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().fragment_violations(components)
        where = components.span("fragment")
        if where is None or where[0] == where[1]:
            return

        def further(at: int, name: str, value: str | None) -> Iterator[Violation]:
            if name == "egg":
                yield self.violation("vcs-egg-deprecated", "fragment", at, "warning")
            if "@" in (value or ""):
                place = at + len(name) + 1 + (value or "").index("@")
                yield self.violation("vcs-revision-in-fragment", "fragment", place, "warning")

        yield from _FIELDS.violations(self, components, "fragment", *where, further)

    def normalize(self, components: Components) -> Components:
        """Normalise according to RFC 3986. If there is a revision, keep dot segments, because the revision may contain
        them."""
        return self.normal_form(components, self.unreserved, dots=_cut(components.path or "")[1] is None)

    def equivalent(self, a: Components, b: Components) -> bool:
        """Return whether the parts, including the fields of the fragment, are equal."""
        return self.same_parts(self.normalize(a), self.normalize(b))

    def composed_scheme(self, parts: Any) -> str:
        vcs, url = parts.vcs or "git", parts.url or ""
        return f"{vcs}+{url.partition(':')[0]}"

    def write_parts(self, parts: Any) -> str:
        rest = (parts.url or "").partition(":")[2]
        c = split(f"x:{rest}", dialect="rfc3986")
        query = "" if c.query is None else f"?{c.query}"
        written = rest[: len(rest) - len(query)]
        if parts.revision is not None:
            written += "@" + (_REVISION - "@").encode(parts.revision)
        fields = parts.fields
        if fields is None and parts.subdirectory is not None:
            fields = (("subdirectory", parts.subdirectory),)
        return written + query + (f"#{_FIELDS.write(fields)}" if fields else "")


def _url(transport: str, c: Components, path: str) -> str:
    """Return the URL of the repository, as written."""
    authority, query = c.authority, c.query
    before = transport + ":" if authority is None else f"{transport}://{authority}"
    return before + path if query is None else f"{before}{path}?{query}"


def _cut(path: str) -> tuple[str, str | None]:
    """Return the path of the repository, and the revision: the text after the last "@", as pip reads it. If only "/" or
    nothing precedes the "@", there is no revision."""
    before, at, revision = path.rpartition("@")
    if not at or before in ("", "/"):
        return path, None
    return before, revision
