"""The function surt from the library surt 0.3, with the same options and results.

The library's class handyurl is not included. If you pass your own canonicalizer, it receives the library's handyurl, so
the library must be installed. The option public_suffix raises TypeError, as in the library with tldextract 5. A string
that the library rejects raises urlsm.ParseError, a subclass of the ValueError that the library raises.
https://github.com/internetarchive/surt
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import Any, Literal, overload

from urlsm.crawler.canonical import canonicalize
from urlsm.crawler.profiles import profile
from urlsm.crawler.record import Profile

__all__ = ["surt"]

# for each option, the changes to the profile if the option is on, and if it is off; the default of an option changes
# nothing
_OPTIONS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "with_scheme": ({"scheme": "keep"}, {}),
    "trailing_comma": ({"trailing_comma": True}, {}),
    "surt": ({}, {"key_form": "url"}),
    "reverse_ipaddr": ({}, {"reverse_addresses": False}),
    "host_lowercase": ({}, {"host_case": "lower"}),
    "host_massage": ({}, {"www": "keep"}),
    "port_strip_default": ({}, {"port": "keep"}),
    "path_lowercase": ({}, {"path_lower": False}),
    "path_strip_session_id": ({}, {"path_sessions": False}),
    "path_strip_trailing_slash_unless_empty": ({}, {"trailing_slash": "keep"}),
    "query_lowercase": ({}, {"query_lower": False}),
    "query_strip_session_id": ({}, {"query_sessions": False}),
    "query_alpha_reorder": ({}, {"sort_params": "none"}),
}
ABOUT = {  # for urlsm.about
    "options of surt": {
        "tables": "_OPTIONS",
        "source": "surt 0.3, handyurl and IAURLCanonicalizer",
        "version": "0.3",
        "date": "2026-11-26",
        "licence": "AGPL-3.0 (names only)",
        "used_by": "compat.surt",
    },
}

_NO_TABS = str.maketrans("", "", "\t\n\r")
# "strip" also removes the path "/"
_SLASHES: tuple[Literal["strip-unless-root", "strip"], ...] = ("strip-unless-root", "strip")


@lru_cache(64)
def _profile(options: tuple[tuple[str, bool], ...]) -> Profile:
    """Return the profile "surt", adapted to these options of surt()."""
    changes: dict[str, Any] = {}
    for name, on in options:
        changes |= _OPTIONS.get(name, ({}, {}))[not on]
    return profile("surt").replace(**changes)


def _with_empty_parts(url: str | bytes, how: Profile, path: bool, query: bool) -> str:
    """Return the key of a URL, for two options that no profile has. path: whether to remove the path "/". query:
    whether to keep an empty query."""
    key = canonicalize(url, how)
    text = url.decode("utf-8", "surrogateescape") if isinstance(url, bytes) else url
    if not text or text.startswith("filedesc"):
        return key
    without_query = how.replace(query="drop")
    if key != canonicalize(url, without_query):
        return key
    text = text.strip().translate(_NO_TABS)
    if query and text.partition("#")[0].partition("?")[2]:
        return key + "?"  # canonicalize has removed all fields of the query, and with them the "?"
    if path and len({canonicalize(url, without_query.replace(trailing_slash=slash)) for slash in _SLASHES}) == 2:
        key = key[:-1]
    return key + "?" if query and text.endswith("?") else key


def _by_hand(url: str | bytes, canonicalizer: Any, options: dict[str, bool]) -> str | bytes:
    """Create the library's handyurl from a URL, pass it through each canonicalizer in turn, and return the key that the
    resulting handyurl produces."""
    made = import_module("surt").handyurl.parse(url)
    for one in canonicalizer if isinstance(canonicalizer, (list, tuple)) else (canonicalizer,):
        made = (one if callable(one) else one.canonicalize)(made, **options)
    key: bytes = made.geturl_bytes(**options)
    return key if isinstance(url, bytes) else key.decode()


@overload
def surt(url: bytes, canonicalizer: Any = None, **options: bool) -> bytes: ...
@overload
def surt(url: str | None, canonicalizer: Any = None, **options: bool) -> str: ...
def surt(url: str | bytes | None, canonicalizer: Any = None, **options: bool) -> str | bytes:
    """Return the SURT of a URL as a str, or as bytes if the URL is bytes.

    Args:
        url: str or bytes. The result for None and for an empty string is "-".
        canonicalizer: a function that accepts the library's handyurl and the options and returns a handyurl; an object
            whose method `canonicalize` does the same; or a list of such functions and objects.
        options: the library's options, such as with_scheme=True.

    Raises:
        ParseError: `url` is not a URL.
        TypeError: the option public_suffix is true.
        ModuleNotFoundError: a canonicalizer is given, and the library surt is not installed.

    Example:
        >>> surt("http://www.example.org/a?b=1")
        'org,example)/a?b=1'
        >>> surt("http://www.example.org/a?b=1", with_scheme=True)
        'http://(org,example)/a?b=1'
    """
    if url is None:
        return "-"
    if canonicalizer is not None and url and url[:8] not in ("filedesc", b"filedesc"):
        return _by_hand(url, canonicalizer, {"surt": True, "with_scheme": False, **options})
    if options.get("public_suffix"):
        raise TypeError("the option public_suffix is not supported; see urlsm.domains.registrable_domain")
    how = _profile(tuple(sorted((name, bool(on)) for name, on in options.items()))) if options else "surt"
    path, query = options.get("path_strip_empty", False), not options.get("query_strip_empty", True)
    if isinstance(how, Profile) and (path or query):
        key = _with_empty_parts(url, how, path, query)
    else:
        key = canonicalize(url, how)
    if not options.get("surt", True) and not options.get("with_scheme"):
        if not key.startswith("//"):  # the URL has no host; then surt writes the scheme
            return surt(url, **{**options, "with_scheme": True})
        key = key[2:]
    return key.encode("utf-8", "surrogateescape") if isinstance(url, bytes) else key
