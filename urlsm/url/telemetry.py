"""A URL as OpenTelemetry's semantic conventions describe it (the url.* attributes, version 1.38)."""

from __future__ import annotations

import re

from urlsm.url.value import URL

__all__ = ["telemetry"]

REDACTED = "REDACTED"
# "Query string values for the following keys SHOULD be redacted by default"
_SIGNATURES = re.compile(r"(?<![^&])(AWSAccessKeyId|Signature|sig|X-Goog-Signature)=[^&]*")


def telemetry(url: URL) -> dict[str, str | int]:
    """The attributes of OpenTelemetry's semantic conventions, by name: url.full (without credentials and
    signatures), url.scheme, url.domain, url.port, url.path, url.query, url.fragment, url.extension; those that are
    absent are left out. https://opentelemetry.io/docs/specs/semconv/registry/attributes/url/"""
    found = {
        "url.full": _full(url),
        "url.scheme": url.scheme,
        "url.domain": url.host or None,
        "url.port": url.port,
        "url.path": url.path or None,
        "url.query": None if url.query is None else _query(url.query),
        "url.fragment": url.fragment,
        "url.extension": url.suffix[1:] or None,  # "without the leading dot"
    }
    return {name: value for name, value in found.items() if value is not None}


def _full(url: URL) -> str:
    """ "username and password SHOULD be redacted": https://REDACTED:REDACTED@www.example.com/."""
    bare = url.without_credentials()
    if url.query is not None:
        bare = bare.replace(query=_query(url.query))
    text = bare.masked()
    credentials = ":".join([REDACTED for part in (url.username, url.password) if part is not None])
    return f"{url.scheme}://{credentials}@{text[len(url.scheme) + 3 :]}" if credentials else text


def _query(query: str) -> str:
    return _SIGNATURES.sub(rf"\1={REDACTED}", query)
