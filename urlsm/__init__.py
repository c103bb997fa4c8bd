"""urlsm reads any URL the way each standard reads it, at the speed of C.

parse() makes a URL by the URL Standard; split() shows the components that any dialect sees, as written; validate()
names the rules that a text breaks; explain() shows each step. urlsm.whatwg is the browser's API.
"""

from urlsm.errors import ParseError, PluginError, SchemeError  # noqa: F401  (in __all__ by way of _NAMES)
from urlsm.url.value import URL, can_parse, parse, try_parse  # noqa: F401

__version__ = "0.1.0"

# the module of each public name. The names imported above are needed to parse; the others load on first use
_NAMES = {
    "urlsm.errors": ("ParseError", "PluginError", "SchemeError"),
    "urlsm.errors.rules": ("Violation",),
    "urlsm.url.value": ("URL", "can_parse", "parse", "try_parse"),
    "urlsm.url.params": ("QueryParams",),
    "urlsm.components.value": ("Components", "split", "unsplit"),
    "urlsm.components.resolution": ("resolve", "resolve_many", "same_document"),
    "urlsm.components.trace": ("Trace", "explain"),
    "urlsm.meaning.registry": ("handler", "register", "unregister"),
    "urlsm.meaning.questions": ("equivalent", "normalize", "parts"),
    "urlsm.meaning.validation": ("validate",),
    "urlsm.security.comparison": ("Comparison", "compare", "is_ambiguous"),
    "urlsm.security.redirects": ("is_safe_redirect", "join_within"),
    "urlsm.security.hazards": ("HAZARDS", "Hazard", "audit"),
    "urlsm.documents.running": ("Match", "extract", "unwrap"),
    "urlsm.documents.html": ("base_of",),
    "urlsm.crawler.canonical": ("canonicalize",),
    "urlsm.crawler.sites": ("registrable_domain", "same_site"),
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names}
_MODULES = ("compat", "crawler", "logging", "pictures", "schemes", "stdlib", "testing", "whatwg")

__all__ = ["__version__", "get_include", *_HOMES]


def get_include() -> str:
    """The folder of headers for the C compiler (include_dirs), needed by a module that cimports urlsm.machine."""
    return __path__[0]


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name in _MODULES:
        return import_module(f"urlsm.{name}")
    if name not in _HOMES:
        raise _unknown(name)
    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value


def _unknown(name: str) -> AttributeError:
    """The error for a name that urlsm does not have, with the one that was meant.

    The interpreter, which suggests one if it is told name and obj, prefers Trace to parse for "prase".
    """
    import sys
    from difflib import get_close_matches

    said = f"module 'urlsm' has no attribute {name!r}"
    meant = [] if name.startswith("_") else get_close_matches(name, [*_HOMES, *_MODULES], 1, 0.75)
    if meant:
        return AttributeError(f"{said}. Did you mean: {meant[0]!r}?", name=name)
    return AttributeError(said, name=name, obj=sys.modules[__name__])


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES, *_MODULES})
