"""Attributes of a URL that follow from its others."""

from __future__ import annotations

from urlsm.url.value import URL

__all__ = ["effective_port", "name", "request_target", "suffix"]


@property  # type: ignore[misc]
def name(url: URL) -> str:
    """The last segment of the path, decoded; "" if the path ends with "/" or has no segments. As yarl's."""
    segments = url.segments
    return segments[-1] if segments else ""


@property  # type: ignore[misc]
def suffix(url: URL) -> str:
    """The end of the name from its last "." on; "" if there is none, or if nothing else stands before or after it.
    As pathlib's and yarl's."""
    before, dot, after = url.name.rpartition(".")
    return dot + after if before and after else ""


@property  # type: ignore[misc]
def effective_port(url: URL) -> int | None:
    """The port; where there is none, the default of the scheme, as its handler says; else None. Raises PluginError."""
    return url.handler.default_port_of(url.scheme) if url.port is None else url.port


@property  # type: ignore[misc]
def request_target(url: URL) -> str:
    """The path and the query as a request line has them, with "/" for an empty path (RFC 9112 section 3.2.1)."""
    return (url.path or "/") + ("" if url.query is None else f"?{url.query}")
