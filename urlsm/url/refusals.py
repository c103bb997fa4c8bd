"""The messages of URL.replace, with_query and build when no URL can have the components that were asked for.

Only hosts, schemes and paths are quoted: the other components may hold secrets.
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
    """Return the message for an argument that does not name a component."""
    said = f"a URL has no component {name!r}"
    if name in COMPONENTS:
        return f"{said}. Did you mean {COMPONENTS[str(name)]}?"
    meant = get_close_matches(str(name), URL.__match_args__, 1)
    return f"{said}. Did you mean {meant[0]}?" if meant else f"{said}: it has {', '.join(URL.__match_args__)}"


def wrong_type(name: str, value: object) -> str:
    """Return the message for a component that is not a text."""
    said = f"{name} must be str or None, not {type(value).__name__}"
    return f"{said}; with_query takes mappings and pairs" if name == "query" else said


def wrong_query(query: object, within: bool = False) -> str:
    """Return the message for an argument that is not a query or, if `within`, for an item of a query that is not a
    pair."""
    said = f"not {type(query).__name__}"
    if within:
        return (
            f"each item of a query must be a pair of a name and a value, {said}: a mapping and a text are queries, too"
        )
    return f"a query must be a str, a mapping or pairs, {said}"


def wrong_name(name: object) -> str:
    """Return the message for an argument that is not the name of a field."""
    return f"the name of a query's field must be a str, not {type(name).__name__}"


def wrong_value(name: str, value: object) -> str:
    """Return the message for a value that a field cannot have. It does not quote the value, which may be secret."""
    said = f"the value of the query's field {_quoted(name)} must be a str, an int, a float, None (then it has no '=')"
    said += f" or a list of these, not {type(value).__name__}"
    return f"{said}: write 'true', '1' or what its reader takes" if isinstance(value, bool) else said


def refusal(asked: _Asked, changed: list[str]) -> str:
    """Return the message for components that no URL can have, with the first reason that is known. asked: all
    components, as the caller gave them or as the URL has them; the path is always percent-encoded."""
    said = f"no URL can have these components: {', '.join(changed)}"
    texts = {
        name: value.decode("utf-8", "replace") if isinstance(value, bytes) else value for name, value in asked.items()
    }
    reason = _reason(texts)
    return f"{said}. {reason}" if reason else said


def _reason(asked: Mapping[str, str | int | None]) -> str | None:
    """Return the first reason, as a sentence; None if no reason is known."""
    scheme, host, path = str(asked["scheme"]), asked["host"], str(asked["path"])
    if not _SCHEME.fullmatch(scheme):
        return f"The scheme {_quoted(scheme)} is not a letter and then letters, digits, '+', '-' and '.'"
    special = _is_special(scheme)
    if host is None and scheme.lower() == "file":
        return "A URL of the scheme 'file' has a host, which may be empty"
    if host is None and not (asked["username"] is asked["password"] is asked["port"] is None):
        return "A username, a password and a port need a host"
    if special and not host and scheme.lower() != "file":
        return f"A URL of the scheme {scheme!r} needs a host"
    if not host and (asked["username"] or asked["password"] or asked["port"] is not None):
        return "A username, a password and a port need a host that is not empty"
    if scheme.lower() == "file" and (asked["username"] or asked["password"] or asked["port"] is not None):
        return "A URL of the scheme 'file' has no username, password or port"
    if host:
        reason = _of_host(scheme, str(host))
        if reason is not None:
            return reason
    if host is not None and path and not path.startswith("/"):
        return "After a host, the path is empty or begins with '/'"
    return _of_path(scheme, host, path)


def _of_host(scheme: str, host: str) -> str | None:
    end = _HOST_END.search(re.sub(r"^\[[^]]*\]?", lambda found: "x" * len(found[0]), host))
    if end is not None:
        if host.count(":") > 1 and can_parse(f"{scheme}://[{host}]/"):
            return "An IPv6 address stands in brackets, as in '[::1]'"
        return f"A host cannot hold {end[0]!r}, which stands at position {end.start()} of it"
    try:
        found = parse(f"{scheme}://{host}/").host
    except ParseError as error:
        at = max(0, error.position - len(f"{scheme}://"))
        return f"The host {_quoted(host)} is refused at position {at}: {error.rule.message} ({error.code})"
    return None if found else f"The host {_quoted(host)} would be read as an empty one"


def _of_path(scheme: str, host: object, path: str) -> str | None:
    """Return the reason why a URL cannot have this path, given its scheme and its host or None. An opaque path is not
    quoted, as it may hold a password."""
    try:
        read = parse(f"{scheme}:{'' if host is None else '//' + ('h' if host else '')}{path}").path
    except ParseError:
        return None
    if read == path or path[:1] not in ("", "/"):
        return None
    return f"The path {_quoted(path)} would be read as {_quoted(read)}"


def _is_special(scheme: str) -> bool:
    """Return whether this scheme is special: only then an empty path becomes "/"."""
    return parse(f"{scheme}://h").path == "/"


def _quoted(text: str) -> str:
    """Return a text in quotes, shortened and safe for a terminal."""
    return f"'{printable(text[:_WIDTH])}{'…' if len(text) > _WIDTH else ''}'"
