"""The messages of URL.replace, with_query and build for combinations of components that no URL can have.

Only hosts, schemes and paths are quoted, because the other components may contain secrets.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches

from urlsm.errors import ParseError
from urlsm.errors.excerpt import printable
from urlsm.url.elsewhere import COMPONENTS
from urlsm.url.value import URL, can_parse, parse

__all__ = ["refusal", "unknown_component", "wrong_name", "wrong_query", "wrong_type", "wrong_value"]

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*")
_HOST_END = re.compile(r"[/?#@:\\\t\n\r]")  # a ":" within brackets does not end the host
_WIDTH = 80

_Asked = Mapping[str, bytes | str | int | None]


def unknown_component(name: object) -> str:
    """Return the message for an argument whose name is not the name of a component."""
    said = f"a URL has no component {name!r}"
    if name in COMPONENTS:
        return f"{said}. Did you mean {COMPONENTS[str(name)]}?"
    meant = get_close_matches(str(name), URL.__match_args__, 1)
    return f"{said}. Did you mean {meant[0]}?" if meant else f"{said}: it has {', '.join(URL.__match_args__)}"


def wrong_type(name: str, value: object) -> str:
    """Return the message for a component that is not a str."""
    return f"{name} must be str or None, not {type(value).__name__}"


def wrong_query(query: object, within: bool = False) -> str:
    """Return the message for an argument that is not a query or, if `within`, for an item of a query that is not a
    pair."""
    if within:
        return f"each item of query must be a pair (name, value), not {type(query).__name__}"
    return f"query must be str, a mapping or pairs, not {type(query).__name__}"


def wrong_name(name: object) -> str:
    """Return the message for an argument that is not the name of a field."""
    return f"query names must be str, not {type(name).__name__}"


def wrong_value(name: str, value: object) -> str:
    """Return the message for a value that a field cannot have. It does not quote the value, which may be secret."""
    said = f"query[{_quoted(name)}] must be str, int or float, not {type(value).__name__}"
    return f"{said}: write 'true' or '1'" if isinstance(value, bool) else said


def refusal(asked: _Asked, task: str) -> str:
    """Return the message for components that no URL can have, with the first reason that is known. asked: all
    components, from the caller or else from the URL; the path is always percent-encoded. task: what was tried, for
    example "build this URL" or "replace host"."""
    texts = {
        name: value.decode("utf-8", "replace") if isinstance(value, bytes) else value for name, value in asked.items()
    }
    return f"cannot {task}: {_reason(texts) or 'the result would be parsed into different components'}"


def _reason(asked: Mapping[str, str | int | None]) -> str | None:
    """Return the first reason; None if no reason is known."""
    scheme, host, path = str(asked["scheme"]), asked["host"], str(asked["path"])
    if not _SCHEME.fullmatch(scheme):
        return f"the scheme {_quoted(scheme)} must be a letter, then letters, digits, '+', '-' and '.'"
    special = _is_special(scheme)
    if host is None and scheme.lower() == "file":
        return "a file URL needs a host, which may be empty"
    if host is None and not (asked["username"] is asked["password"] is asked["port"] is None):
        return "a username, password or port needs a host"
    if special and not host and scheme.lower() != "file":
        return f"{'an' if scheme[0] in 'hHfF' else 'a'} {scheme} URL needs a host"
    if not host and (asked["username"] or asked["password"] or asked["port"] is not None):
        return "a username, password or port needs a host that is not empty"
    if scheme.lower() == "file" and (asked["username"] or asked["password"] or asked["port"] is not None):
        return "a file URL has no username, password or port"
    if host:
        reason = _of_host(scheme, str(host))
        if reason is not None:
            return reason
    if host is not None and path and not path.startswith("/"):
        return "the path must be empty or start with '/' after a host"
    return _of_path(scheme, host, path)


def _of_host(scheme: str, host: str) -> str | None:
    end = _HOST_END.search(re.sub(r"^\[[^]]*\]?", lambda found: "x" * len(found[0]), host))
    if end is not None:
        if host.count(":") > 1 and can_parse(f"{scheme}://[{host}]/"):
            return "an IPv6 address must be in brackets, as in '[::1]'"
        return f"the host must not contain {end[0]!r} (at position {end.start()})"
    try:
        found = parse(f"{scheme}://{host}/").host
    except ParseError as error:
        at = max(0, error.position - len(f"{scheme}://"))
        return f"{error.message} ({error.code}, at position {at} of {_quoted(host)})"
    return None if found else f"the host {_quoted(host)} would be parsed as an empty host"


def _of_path(scheme: str, host: object, path: str) -> str | None:
    """Return the reason why a URL cannot have this path, given its scheme and its host or None. An opaque path is not
    quoted, because it may contain a password."""
    try:
        read = parse(f"{scheme}:{'' if host is None else '//' + ('h' if host else '')}{path}").path
    except ParseError:
        return None
    if read == path or path[:1] not in ("", "/"):
        return None
    return f"the path {_quoted(path)} would be parsed as {_quoted(read)}"


def _is_special(scheme: str) -> bool:
    """Return whether this scheme is special: only then does an empty path become "/"."""
    return parse(f"{scheme}://h").path == "/"


def _quoted(text: str) -> str:
    """Return text in quotes, shortened and safe for a terminal."""
    return f"'{printable(text[:_WIDTH])}{'…' if len(text) > _WIDTH else ''}'"
