"""urllib.parse, all of it, several times faster: the same names, results, exceptions and warnings as those of the
interpreter it runs under, whose own classes and uses_* lists it shares.

    from urlsm.stdlib import urlsplit, urljoin, quote    # instead of: from urllib.parse import ...
    urlsm.stdlib.install()                               # or: for the whole process
    python -m urlsm.stdlib SCRIPT                        # or: for one program, unchanged

There are no caches: they hide what a call costs, and keep the URLs of requests alive. cache_info() of urlsplit says
so, and cache_clear() has nothing to do. https://docs.python.org/3/library/urllib.parse.html
"""
# ruff: noqa: F401  (names are imported to be had from here; __init__.pyi says which)

import functools as _functools
import urllib.parse as _theirs
import warnings as _warnings
from typing import Any as _Any
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

from urlsm.stdlib._deprecated import (
    _splitattr,
    _splithost,
    _splitnport,
    _splitpasswd,
    _splitport,
    _splitquery,
    _splittag,
    _splittype,
    _splituser,
    _splitvalue,
    _to_bytes,
    splitattr,
    splithost,
    splitnport,
    splitpasswd,
    splitport,
    splitquery,
    splittag,
    splittype,
    splituser,
    splitvalue,
    to_bytes,
    unwrap,
)
from urlsm.stdlib._general import uncached_urlsplit as _uncached_urlsplit
from urlsm.stdlib._install import install, uninstall
from urlsm.stdlib._join import urljoin
from urlsm.stdlib._parse import urlparse, urlsplit
from urlsm.stdlib._probe import DIFFERENCES as _DIFFERENCES
from urlsm.stdlib._query import parse_qs, parse_qsl, urlencode
from urlsm.stdlib._quote import quote, quote_from_bytes, quote_plus, unquote, unquote_plus, unquote_to_bytes
from urlsm.stdlib._unparse import urldefrag, urlunparse, urlunsplit

__all__ = list(_theirs.__all__)


def clear_cache() -> None:
    """There is none: nothing happens."""


# --- as those of urllib.parse ------------------------------------------------------------------

FUNCTIONS = {  # what install() puts into urllib.parse
    name: value
    for name, value in list(globals().items())
    if name in vars(_theirs) and callable(value) and not isinstance(value, type)
}


def _named(name: str) -> _Any:
    """What a pickled function becomes again."""
    return FUNCTIONS[name]


def _finish() -> None:
    for name, function in FUNCTIONS.items():
        function.__module__ = "urllib.parse"
        function.__reduce_ex__ = lambda protocol, name=name: (_named, (name,))
    if hasattr(_theirs.urlsplit, "cache_info"):
        # lru_cache's, of a cache that never holds anything
        nothing = _functools.lru_cache(maxsize=_theirs.urlsplit.cache_parameters()["maxsize"], typed=True)(urlsplit)
        for attribute in ("cache_info", "cache_clear", "cache_parameters"):
            setattr(urlsplit, attribute, getattr(nothing, attribute))
        urlsplit.__wrapped__ = _uncached_urlsplit


_finish()


def __getattr__(name: str) -> _Any:
    """Everything else that urllib.parse has (its classes, tables and modules) is the interpreter's own."""
    if name == "Quoter" and _DIFFERENCES["quoter_is_deprecated"]:
        _warnings.warn(
            "Deprecated in 3.11. urllib.parse.Quoter will be removed in Python 3.14. It was not intended to be a "
            "public API.",
            DeprecationWarning,
            stacklevel=2,
        )
        return vars(_theirs)["_Quoter"]
    if name in vars(_theirs) and not name.startswith("__"):
        return vars(_theirs)[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
