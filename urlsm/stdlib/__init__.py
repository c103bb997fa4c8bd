"""All of urllib.parse, several times faster. Names, results, exceptions and warnings are the same as in the running
interpreter. The classes, uses_* lists and deprecated functions are the interpreter's own.

    from urlsm.stdlib import urlsplit, urljoin, quote    # instead of: from urllib.parse import ...
    urlsm.compat.install("urllib.parse")                 # or: for the whole process
    python -m urlsm.stdlib SCRIPT                        # or: for one program, unchanged

This module has no caches, because caches hide the cost of a call and keep the URLs of requests in memory. cache_info()
of urlsplit shows an empty cache, and cache_clear() does nothing. https://docs.python.org/3/library/urllib.parse.html
"""
# ruff: noqa: F401  (the names are imported for others; __init__.pyi lists them)

import urllib.parse as _theirs
from functools import lru_cache as _lru_cache
from functools import partial as _partial
from urllib.parse import (
    DefragResult,
    DefragResultBytes,
    ParseResult,
    ParseResultBytes,
    SplitResult,
    SplitResultBytes,
    uses_fragment,
    uses_netloc,
    uses_params,
    uses_query,
    uses_relative,
)

from urlsm.stdlib._install import ORIGINALS as _ORIGINALS

__all__ = list(_theirs.__all__)

# our functions, which _parse defines; on first use, each is compared with the interpreter's function
_OURS = (
    *("urlparse", "urlsplit", "urldefrag", "urljoin", "urlunparse", "urlunsplit"),
    *("quote", "quote_from_bytes", "quote_plus", "unquote", "unquote_plus", "unquote_to_bytes"),
    *("parse_qs", "parse_qsl", "urlencode"),
)


def clear_cache() -> None:
    """Do nothing, because urlsplit has no cache."""


def _loaded(name, _):  # type: ignore[no-untyped-def]
    """Return urlsm's function with this name, or the interpreter's function if it behaves in a way that urlsm does not
    expect."""
    from urlsm.stdlib import _parse

    function = getattr(_parse, name)
    if name in _ORIGINALS:
        from urlsm.stdlib._trial import agrees

        function = _finished(name, function) if agrees(name, function) else _ORIGINALS[name]
    globals()[name] = function
    return function


def _finished(name, function):  # type: ignore[no-untyped-def]
    """Return urlsm's function with the attributes of the function with the same name in urllib.parse."""
    function.__module__ = "urllib.parse"
    function.__reduce_ex__ = lambda protocol: (_named, (name,))
    if name == "urlsplit" and hasattr(_ORIGINALS[name], "cache_info"):
        from urlsm.stdlib._general import uncached_urlsplit

        # the attributes that lru_cache would add, taken from a cache that stays empty
        nothing = _lru_cache(maxsize=_ORIGINALS[name].cache_parameters()["maxsize"], typed=True)(function)
        for attribute in ("cache_info", "cache_clear", "cache_parameters"):
            setattr(function, attribute, getattr(nothing, attribute))
        function.__wrapped__ = uncached_urlsplit
    return function


def _named(name):  # type: ignore[no-untyped-def]
    """Return urlsm's function with this name. Unpickling one of urlsm's functions calls this."""
    return getattr(_names, name)


def _functions(_):  # type: ignore[no-untyped-def]
    """Return FUNCTIONS: the functions that urlsm.compat.install puts into urllib.parse, by name."""
    found = {name: globals().get(name) or getattr(_names, name) for name in (*_OURS, "clear_cache")}
    found = {name: ours for name, ours in found.items() if _ORIGINALS.get(name, ours) is not ours}
    return globals().setdefault("FUNCTIONS", found)


class _Names(type(_theirs)):  # type: ignore[misc]
    """The type of an object whose attributes are loaded on first use: urlsm's functions, and everything else in
    urllib.parse."""


for _name in _OURS:
    setattr(_Names, _name, property(_partial(_loaded, _name)))
_Names.FUNCTIONS = property(_functions)  # type: ignore[attr-defined]
_names = _Names("urllib.parse")
# Every other name is the interpreter's own: its classes, tables and modules, and the functions that it deprecates.
# Their warnings name the caller's line, because no frame of ours is in between.
_names.__getattr__ = _partial(getattr, _theirs)  # type: ignore[method-assign]
__getattr__ = _partial(getattr, _names)


def __dir__() -> list[str]:
    return sorted({*globals(), *_OURS, "FUNCTIONS"})
