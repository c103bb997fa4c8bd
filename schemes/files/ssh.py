"""ssh and sftp (draft-ietf-secsh-scp-sftp-ssh-uri-04). They have parameters in the user information and after the
path."""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlsm.components.parts import decode, lower, segments, server
from urlsm.components.value import Components
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import GENERIC_PATH, USERINFO, Characters, normal_escapes
from urlsm.schemes.contract import P, PathParts
from urlsm.schemes.fields import TYPECODES, Parameters
from urlsm.schemes.generic import Scheme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

    from urlsm._words import Component
__all__ = ["Sftp", "SftpParts", "Ssh", "SshParts"]

_SCP = re.compile(  # neither user nor host begins with "-": a program might take it for an option
    r"(?:(?P<user>[^@/:\[\]-][^@/:\[\]]*)@)?"
    r"(?:\[(?P<bracketed>[^\[\]/@-][^\[\]/@]*)\]|(?P<host>[^\[\]/:@-][^\[\]/:@]*)):(?P<path>.+)",
    re.DOTALL,
)
_Params = tuple[tuple[str, str | None], ...]
_LOGIN = USERINFO - ";"  # ";" is a delimiter, which "must be escaped when [it] appear[s] in other uses"
_PARAMETERS = Parameters(separator=",")
_NO_PARAMETER = re.compile("[^A-Za-z0-9-]+")
_REWRITTEN = re.compile(r"%3B([A-Za-z0-9-]+=[A-Za-z0-9-]*(?:,[A-Za-z0-9-]+=[A-Za-z0-9-]*)*)\Z")


class SshParts(PathParts):
    """A user and a path on an SSH server.

    Attributes:
        connection_params: the parameters in the user information, as (name, value) pairs, as written
        fingerprint: the fingerprint of the server's key; None if absent

    Example:
        >>> import urlsm
        >>> urlsm.parts("ssh://ann@host.example:2222", "ssh").port
        2222
    """

    connection_params: _Params = ()
    fingerprint: str | None = None


class SftpParts(SshParts):
    """A file or folder on an SFTP server.

    The path includes the parameters, but the segments do not.

    Attributes:
        params: the parameters after ";" in the path, as (name, value) pairs, decoded; a value is None if there is no
            "="
        typecode: "a" (text), "i" (bytes) or "d" (a folder), in lower case; None if absent

    Example:
        >>> import urlsm
        >>> urlsm.parts("sftp://ann@host.example/~/notes.txt;type=a", "sftp").typecode
        'a'
    """

    params: _Params = ()
    typecode: str | None = None


class SecureShell(Scheme[P]):
    """The base class for ssh and sftp; it parses their authority."""

    default_port: ClassVar[int | None] = 22
    authority = "required"
    host = "required"
    query = "forbidden"
    host_may_pass_for_option = True
    userinfo_characters = _LOGIN
    _port_may_be_path = True

    def connection(self, components: Components) -> tuple[str | None, str | None, str | None, int | None, _Params]:
        """Return (username, password, host, port, connection parameters)."""
        username, password, host, port = server(components)
        if components.userinfo is None:
            return username, password, host, port, ()
        name, secret, params = split_info(components.userinfo)
        return decode(name), secret and decode(secret), host, port, _params(params or "")

    def userinfo_violations(self, components: Components) -> Iterator[Violation]:
        """Yield the violations of ssh-info = [ userinfo ] [";" c-param *("," c-param)], where the delimiters of
        c-params must be escaped in userinfo."""
        where = components.span("userinfo")
        if where is None:
            return
        start, end = where
        semicolon = components.text.find(";", start, end)
        stop = semicolon if semicolon >= 0 else end
        colon = components.text.find(":", start, stop)
        if 0 <= colon < stop - 1:
            yield self.violation("password-deprecated", "userinfo", colon, "warning")
        yield from self.faults(components, "userinfo", start, stop, self.userinfo_characters)
        if semicolon >= 0:
            fingerprints = 0
            for position, name, value in _PARAMETERS.within(components.text, semicolon + 1, end):
                yield from self.parameter_violations("userinfo", position, name, value)
                fingerprints += name == "fingerprint"
                if name == "fingerprint" and fingerprints > 1:  # "There MUST be only one"
                    yield self.violation("parameter-duplicate", "userinfo", position)

    def parameter_violations(
        self, component: Component, position: int, name: str, value: str | None
    ) -> Iterator[Violation]:
        """Yield the violations of paramname "=" paramvalue. Both are *( ALPHA / DIGIT / "-" ), so they may be empty and
        cannot contain escapes."""
        if value is None:
            if not name:
                yield self.violation("parameter-name-missing", component, position)
            yield self.violation("parameter-value-missing", component, position + len(name))
        for wrong in _NO_PARAMETER.finditer(name):
            yield self.violation("character-not-allowed", component, position + wrong.start())
        for wrong in _NO_PARAMETER.finditer(value or ""):
            yield self.violation("character-not-allowed", component, position + len(name) + 1 + wrong.start())

    def normalize(self, components: Components) -> Components:
        if components.userinfo is not None:
            name, secret, params = split_info(components.userinfo)
            if params is not None:
                components = components.replace(userinfo=f"{name if secret is None else f'{name}:{secret}'};{params}")
        return super().normalize(components)

    def write_parts(self, parts: Any) -> str:
        """Return the authority, with the connection parameters, and the path."""
        authority = self.composed_authority(parts.username, parts.password, parts.host, parts.port)
        params = parts.connection_params
        if not params and parts.fingerprint is not None:
            params = (("fingerprint", parts.fingerprint),)
        if params:
            login, _, address = authority[2:].rpartition("@")
            authority = f"//{login};{_written(params)}@{address}"
        return authority + self.composed_path(parts.path, parts.segments)


class Ssh(SecureShell[SshParts]):
    names: ClassVar[tuple[str, ...]] = ("ssh",)
    title = "Secure shell"
    reference = "draft-ietf-secsh-scp-sftp-ssh-uri-04 section 3"
    example = "ssh://user;fingerprint=ssh-dss-c1-b1-30-29-d7-b8-de-6c-97-77-10-d7-46-41-63-87@host.example.com:2222"
    fragment = "ignored"
    in_userinfo: ClassVar[tuple[str, ...]] = (
        "connection_params",
        "fingerprint",
    )

    def read_parts(self, components: Components) -> SshParts:
        username, password, host, port, params = self.connection(components)
        path = components.path or ""
        fingerprint = _first(params, "fingerprint")
        return SshParts(username, password, host, port, path, segments(path), params, fingerprint)

    def from_scp(self, text: str) -> str:
        """Return the URL for a location written as in scp and git commands.

        A path without a leading "/" is relative to the user's home directory. A port is written in brackets with the
        host ("[h:2222]:a.git"); in "h:2222/a.git" the number is a directory.

        Args:
            text: the location.

        Raises:
            ValueError: the text is a local path or has no host, or its user or host begins with "-", like an option.

        Example:
            >>> import urlsm
            >>> urlsm.handler("ssh").from_scp("git@github.com:team/a.git")
            'ssh://git@github.com/~/team/a.git'
        """
        found = _SCP.fullmatch(text)
        if found is None or "://" in text:
            raise ValueError(f"not a location on another host: {text!r}")
        host, port = found["host"], None
        if host is None:
            name, colon, digits = found["bracketed"].rpartition(":")
            one = colon and ":" not in name and digits.isascii() and digits.isdigit()
            host, port = (name, int(digits)) if one else (found["bracketed"], None)
        path = found["path"]
        if not path.startswith(("/", "~")):
            path = f"~/{path}"
        names = tuple(path.removeprefix("/").split("/"))
        return self.build(username=found["user"], host=host, port=port, segments=names)


class Sftp(SecureShell[SftpParts]):
    names: ClassVar[tuple[str, ...]] = ("sftp",)
    title = "File transfer over secure shell"
    reference = "draft-ietf-secsh-scp-sftp-ssh-uri-04 section 4"
    example = "sftp://user@host.example.com/~/notes.txt;type=a"
    path_characters: ClassVar[Characters] = GENERIC_PATH - ";"  # an unescaped ";" is a delimiter, as in userinfo
    in_userinfo: ClassVar[tuple[str, ...]] = (
        "connection_params",
        "fingerprint",
    )
    rules: ClassVar[dict[str, str]] = {
        "sftp-type-unknown": "the type must be a, i or d",
    }

    def read_parts(self, components: Components) -> SftpParts:
        username, password, host, port, connection_params = self.connection(components)
        path = components.path or ""
        names, _, written = path.partition(";")
        params = tuple([(decode(name), value and decode(value)) for name, value in _params(written)])
        typecode = lower(next((value for name, value in params if _is_type(name) and value), ""))
        return SftpParts(
            *(username, password, host, port, path, segments(names)),
            *(connection_params, _first(connection_params, "fingerprint")),
            *(params, typecode if typecode in TYPECODES else None),
        )

    def path_violations(self, components: Components) -> Iterator[Violation]:
        """Yield the violations of path [";" s-param *("," s-param)]; s-param = paramname "=" paramvalue."""
        start, end = components.span("path") or (0, 0)
        names, semicolon, written = components.text[start:end].partition(";")
        yield from self.faults(components, "path", start, start + len(names), self.path_characters)
        if semicolon:
            for position, name, value in _PARAMETERS.within(components.text, end - len(written), end):
                yield from self.parameter_violations("path", position, name, value)
                if _is_type(name) and value is not None and lower(value) not in TYPECODES:
                    yield self.violation("sftp-type-unknown", "path", position + len("type="))

    def normalize(self, components: Components) -> Components:
        """Return the RFC 3986 normal form, with the name "type" and the typecode in lower case, as in ftp."""
        normal = super().normalize(components)
        names, semicolon, written = (normal.path or "").partition(";")
        if not semicolon:
            return normal
        params = [
            field.lower() if _is_type(name) and value is not None and lower(value) in TYPECODES else field
            for field, (_, name, value) in zip(written.split(","), _PARAMETERS.within(written), strict=True)
        ]
        return normal.replace(path=f"{names};{','.join(params)}")

    def write_parts(self, parts: Any) -> str:
        written = super().write_parts(parts)
        params = parts.params
        if not params and parts.typecode is not None:
            params = (("type", parts.typecode),)
        if parts.path is not None or not params:
            return written
        return f"{written}{'' if parts.segments else '/'};{_written(params)}"


def split_info(userinfo: str) -> tuple[str, str | None, str | None]:
    """Return the user name, password and connection parameters, as written. The password or the parameters are None if
    the delimiter before them is missing.

    The URL parser escapes ";" and "=". So if there is no ";", a "%3B" is the delimiter, provided that all the text
    after it can be read as parameters.
    """
    login, semicolon, params = userinfo.partition(";")
    name, colon, secret = login.partition(":")
    if semicolon:
        return name, secret if colon else None, params
    if "%3" in userinfo:
        last = normal_escapes(secret, _LOGIN) if colon else normal_escapes(name, _LOGIN - ":")
        found = _REWRITTEN.search(last)
        if found is not None and [field for field, _ in _params(found[1])].count("fingerprint") < 2:
            last = last[: found.start()]
            return (name, last, found[1]) if colon else (last, None, found[1])
    return name, secret if colon else None, None


def _params(written: str) -> _Params:
    return tuple([(name, value) for _, name, value in _PARAMETERS.within(written)]) if written else ()


def _is_type(name: str) -> bool:
    return lower(name) == "type"


def _first(params: _Params, wanted: str) -> str | None:
    return next((value for name, value in params if name == wanted), None)


def _written(params: _Params) -> str:
    return ",".join([name if value is None else f"{name}={value}" for name, value in params])
