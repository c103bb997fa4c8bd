"""A URL as OpenTelemetry's semantic conventions describe it (the url.* attributes, version 1.38)."""

from __future__ import annotations

from urlsm.errors.masking import cut, merged
from urlsm.url.masked import places, spans_in
from urlsm.url.value import URL

__all__ = ["otel_attributes"]

REDACTED = "REDACTED"


def otel_attributes(url: URL) -> dict[str, str | int]:
    """Return a dict of the attributes of OpenTelemetry's semantic conventions: url.full, url.scheme, url.domain,
    url.port, url.path, url.query, url.fragment, url.extension; absent ones are left out. "REDACTED" replaces secrets,
    user name and password. The table of secret names (urlsm.errors.secret_names) has more names than the conventions
    require. https://opentelemetry.io/docs/specs/semconv/registry/attributes/url/"""
    text, where = url.href, places(url)
    # "username and password SHOULD be redacted": https://REDACTED:REDACTED@www.example.com/
    credentials = [where[name] for name in ("username", "password") if name in where]
    spans = merged([*spans_in(text, url), *credentials])
    shown = {name: cut(text, spans, *place, REDACTED) for name, place in where.items()}
    found = {
        "url.full": cut(text, spans, shown=REDACTED),
        "url.scheme": url.scheme,
        "url.domain": shown.get("host") or None,
        "url.port": url.port,
        "url.path": shown["path"] or None,
        "url.query": shown.get("query"),
        "url.fragment": shown.get("fragment"),
        "url.extension": url.suffix[1:] if shown["path"] == url.path else "",  # "without the leading dot"
    }
    return {name: value for name, value in found.items() if value is not None and (value or name != "url.extension")}
