"""Tries each function on its first use: the results of the calls below are compared with the results of the
interpreter's own function.

If a result differs, the interpreter behaves in a way that urlsm does not expect, and its own function is used instead.
"""

from __future__ import annotations

import warnings
from threading import RLock

from urlsm.stdlib._install import ORIGINALS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_URLS = (
    "", "http://user:pass@www.example.org:8080/a/b;p/../c;q?x=1&y=%C3%A9+z#top", "HTTP://h", "//h?", "x:#", "1a:b",
    " a\t:b", "/a;?#", ";", "a;b/c;d", "http:///p", "////p", "mailto:a@b?c", "//[::1]:80", "//[V1.a]", "//[v1.a]",
    "//[1.2.3.4]", "//[a]", "//a[::1]", "//[", "//é/é", "//\u2100", "http:a;", "é:\ud800",
)  # fmt: skip
_REFERENCES = (
    "g", "./g/.", "../../../g", "/g/../h", "//g", "//", "?", "#", "?y#", ";x", "g;x=1/../y", "g;", "..;", "a//../b/",
    "///g", "http:g", "http:", "x:y", "//[a]", " ?", "é",
)  # fmt: skip
_PIECES = (
    ("", "", "", "", ""), ("http", "h", "p", "q", "f"), ("http", "", "a", "", ""), ("http", "", "", "", "f"),
    ("x", "", "//a", "q", ""), ("", "", "//a", "", ""), ("http", "", "//a", "", ""), ("x", "", "", "", ""),
)  # fmt: skip
_TEXTS = ("", "a-Z_0.~/", "a b+%/é&=;", "%41%c3%A9%ff%4%zz+", "\ud800%20", "\u20ac%80")
_QUERIES = ("", "a=1&b=%41+&&c&=d&a=2", "a;b=é%ff", "=&")
_PAIRS: tuple[Any, ...] = ({"a b": "é&", "c": 5, "d": [1, "x"]}, [("a", b"\xff"), (b"b", "")], 1, "a", [])

_CALLS: dict[str, list[tuple[Any, ...]]] = {
    "urlsplit": [(url,) for url in _URLS] + [(b"//H/a?b",), ("a#b", "x", False), (b"a", b"x")],
    "urlparse": [(url,) for url in _URLS] + [(b"//H/a;c?b",), ("a#b", "x", False), (b"a", b"x")],
    "urldefrag": [(url + "#g",) for url in _URLS] + [("a",), (b"a?#b",)],
    "urlunsplit": [(pieces,) for pieces in _PIECES],
    "urlunparse": [((*pieces[:3], params, *pieces[3:]),) for pieces in _PIECES for params in ("", "x")],
    "urljoin": [(base, url) for base in ("http://a/b//c/./d;p?q#f", "x://h/a/", "a;b?") for url in _REFERENCES]
    + [(b"http://a/b", b"?"), ("http://a", "b#c", False)],
    "quote": [(text,) for text in _TEXTS] + [("/é ", ""), (b"\xff/",)],
    "quote_plus": [(text,) for text in _TEXTS] + [("/ é ", "/")],
    "quote_from_bytes": [(b"",), (b"a \xff/~",), (b"a/", "")],
    "unquote": [(text,) for text in _TEXTS] + [("%ff", "latin-1")],
    "unquote_plus": [(text,) for text in _TEXTS],
    "unquote_to_bytes": [(text,) for text in _TEXTS] + [(b"%41%",)],
    "parse_qs": [(query, keep) for query in _QUERIES for keep in (False, True)],
    "parse_qsl": [(query, keep) for query in _QUERIES for keep in (False, True)]
    + [("a&b=1", False, True), (b"a=%ff",)],
    "urlencode": [(pairs, several) for pairs in _PAIRS for several in (False, True)],
}


# catch_warnings changes the filters of the process and puts them back; if two threads did so at once, the filter
# "ignore" could stay
_LOCK = RLock()


def agrees(name: str, function: Callable[..., Any]) -> bool:
    """Return whether the function gives the same results as the interpreter's function with this name."""
    original = ORIGINALS[name]
    original = getattr(original, "__wrapped__", original)  # the function without its cache
    with _LOCK, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return all(_outcome(function, call) == _outcome(original, call) for call in _CALLS.get(name, ()))


def _outcome(function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the visible outcome of a call: the exception, or the result with the attributes that its class adds to a
    tuple."""
    try:
        result = function(*arguments)
    except Exception as error:
        return type(error), str(error)
    cls = type(result)
    added = [getattr(result, name, None) for kind in cls.__mro__ for name in vars(kind).get("__slots__", ())]
    return cls, result, added, getattr(result, "__dict__", None)
