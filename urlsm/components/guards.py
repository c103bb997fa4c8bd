"""Adds RFC 3986's guards to components, and writes the error message for components that no guard can protect. A guard,
such as "./" before a path, keeps a component from being read as another component."""

from __future__ import annotations

import re

from urlsm.url.value import can_parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["guarded", "impossible"]

_IPV6 = re.compile("[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*")


def guarded(scheme: Any, host: Any, path: Any) -> tuple[Any, Any]:
    """Return the host and the path (str, bytes or None), with the guards that they need.

    A path: "A path segment that contains a colon character [...] cannot be used as the first segment of a relative-path
    reference [...] unless that segment is preceded by a dot-segment" (section 4.2): "./" is inserted before such a
    path. "If a URI does not contain an authority component, then the path cannot begin with two slash characters"
    (section 3.3): "/." is inserted before such a path, as in the URL Standard. A host: an IPv6 address is "enclosed
    within square brackets" (section 3.2.2).
    """
    if isinstance(host, bytes) or isinstance(path, bytes):
        texts = [one if one is None else one.decode("latin-1") for one in (scheme, host, path)]
        host, path = [one if one is None else one.encode("latin-1") for one in guarded(*texts)]
    elif host is not None:
        if _IPV6.fullmatch(host) and can_parse(f"http://[{host}]/"):
            host = f"[{host}]"
    elif path is not None and path.startswith("//"):
        path = f"/.{path}"
    elif path is not None and scheme is None and ":" in path.partition("/")[0]:
        path = f"./{path}"
    return host, path


def impossible(dialect: str, host: str | bytes | None, path: str | bytes | None) -> str:
    """Return the error message for components that cannot be written as one URL. The message quotes none of the
    components, because each may contain a secret."""
    said = "no URL can have these components"
    if host is not None and path and path[:1] not in ("/", b"/"):
        return f"{said}: the path must be empty or start with '/' after a host"
    return f"{said}: the dialect {dialect!r} would split the joined URL into different components, or reject it"
