"""The text and the components of a URL with its secrets masked (urlsm.errors.secrets defines what is secret)."""

from urlsm.errors.masking import cut, secret_spans
from urlsm.url.value import URL, try_parse

NONE: frozenset[str] = frozenset()


def declared(url: URL) -> tuple[frozenset[str], bool]:
    """Return the names of secrets, in lower case, that the handlers of the scheme and of URLs within `url` declare; and
    whether the path may contain a password. If the handler cannot be loaded, assume that a path like "a:b@c" contains
    one."""
    path = url.path
    opaque = not path.startswith("/") and ":" in path and "@" in path
    if not (opaque or "=" in url.href):
        return NONE, False
    from urlsm.errors import PluginError

    try:
        handler = url.handler
        names, in_path = handler.parts_type._secrets, opaque and handler.password_in_path
    except PluginError:
        return NONE, opaque
    from urlsm.meaning.within import urls_within

    for inner in urls_within(url.href)[0]:
        names |= inner.secrets
    return names, in_path


def both(names: frozenset[str], declared: frozenset[str]) -> frozenset[str]:
    """Return the union of `names` (a frozenset or its subclass Only) and the names that a handler declares."""
    return (
        names if not declared else declared if not names and type(names) is frozenset else type(names)(names | declared)
    )


def spans_in(text: str, url: "URL | None", names: frozenset[str] = NONE) -> list[tuple[int, int]]:
    """Return the positions of the secrets in the text that this URL was parsed from, or in another form of that text.
    url is None if the text did not parse."""
    if url is None:
        return secret_spans(text, names, refused=True)
    found, in_path = declared(url)
    if not in_path:
        return secret_spans(text, both(names, found))
    start = text.find(":") + 1
    return [
        (start + first, start + last) for first, last in secret_spans(text[start:], both(names, found), refused=True)
    ]


def without_secrets_of(text: str) -> str:
    """Return a string that may be a URL, with "***" in place of its secrets."""
    return cut(text, spans_in(text, try_parse(text)))


def masked(url: URL) -> str:
    """Return a URL as a string, with "***" in place of its secrets: passwords, tokens, and the values of parameters
    with secret names."""
    return cut(url.href, spans_in(url.href, url))


def places(url: URL) -> dict[str, tuple[int, int]]:
    """Return the positions, in the text of a URL, of the components that may contain secrets."""
    found = {}
    end = len(url.href)
    for name in ("fragment", "query", "path"):
        value = getattr(url, name)
        if value is not None:
            start = end - len(value)
            found[name] = start, end
            end = start - (name != "path")
    start = len(url.scheme) + len("://")
    for name in ("username", "password"):
        value = getattr(url, name)
        if value is not None:
            start += name == "password"
            found[name] = start, start + len(value)
            start += len(value)
    if url.host is not None:
        start += "username" in found or "password" in found
        found["host"] = start, start + len(url.host)
    return found


def masked_components(url: URL) -> dict[str, str | int | None]:
    """Return a dict with href and the components of a URL, with secrets masked."""
    text = url.href
    spans = spans_in(text, url)
    found: dict[str, str | int | None] = {"href": cut(text, spans)}
    where = places(url)
    for name in (*URL.__match_args__, "origin"):
        found[name] = cut(text, spans, *where[name]) if name in where else getattr(url, name)
    if found["host"] != url.host and url.origin != "null":
        found["origin"] = f"{url.scheme}://{found['host']}" + ("" if url.port is None else f":{url.port}")
    return found
