"""A URL library that parses exactly as browsers do, at C speed, and protects against hostile URLs.

`parse` parses a URL as browsers do, `split` splits it according to any URL standard, `validate` lists the rules that it
breaks, and `explain` shows each parsing step. Modules such as urlsm.security, urlsm.guard and urlsm.crawler cover other
tasks.
"""

try:
    import urlsm._core as _core  # noqa: F401  (it makes urlsm.url.value, and what that needs)
    from urlsm.url.value import URL, can_parse, parse, try_parse  # noqa: F401  (in __all__ by way of _NAMES)
except ModuleNotFoundError as error:
    if error.name != "urlsm._core":
        raise
    raise ModuleNotFoundError(
        f"{__path__[0]} holds urlsm's sources, not built: run pip install -e . in the folder above it, "
        "or start Python in another folder to import an installed urlsm",
        name=error.name,
    ) from None

__version__ = "0.9.0"

# the public names of each module; names that are not imported above are loaded on first use
_NAMES = {
    "urlsm.errors": ("ParseError", "PluginError", "SchemeError"),
    "urlsm.errors.rules": ("Violation",),
    "urlsm.url.value": ("URL", "can_parse", "parse", "try_parse"),
    "urlsm.url.params": ("QueryParams",),
    "urlsm.components.value": ("Components", "resolve", "resolve_many", "split", "unsplit"),
    "urlsm.components.trace": ("Trace", "explain"),
    "urlsm.meaning.registry": ("handler", "register", "unregister"),
    "urlsm.meaning.iris": ("iri_to_uri", "uri_to_iri"),
    "urlsm.meaning.questions": ("parts",),
    "urlsm.meaning.web": ("equivalent", "normalize", "validate"),
    "urlsm.patterns.errors": ("UnsafeValue",),
    "urlsm.patterns.templates": ("Template",),
}
_MODULES = (
    *(
        "about",
        "columns",
        "compat",
        "crawler",
        "documents",
        "domains",
        "engines",
        "formats",
        "guard",
        "logging",
        "patterns",
    ),
    *("pictures", "schemes", "security", "server", "stdlib", "testing", "whatwg"),
)
# packages of which _core has made modules, but which are not loaded themselves
_ROOMS = ("errors", "machine", "octets", "unicode", "url")

__all__ = ["__version__", "get_include", *[name for names in _NAMES.values() for name in names]]


def get_include() -> str:
    """Return the folder of C headers (`include_dirs`) that a module needs to cimport urlsm.machine.

    Example:
        >>> urlsm.get_include().endswith("urlsm")
        True
    """
    return __path__[0]


def _parsed(href: str) -> URL:
    """Return the URL stored in a pickle. Pickles refer to this function because pickle is fastest with functions of a
    module whose name has no dot."""
    return parse(href)


def __getattr__(name: str) -> object:
    """Load a name on first use, as the subpackages do. The code for this is in a module that programs which only parse
    do not need."""
    from urlsm.octets.later import later

    homes = {name: module for module, names in _NAMES.items() for name in names}
    found, _ = later(globals(), homes, _MODULES + _ROOMS)
    globals()["__getattr__"] = found
    return found(name)


def __dir__() -> list[str]:
    return sorted({*(name for name in globals() if name[0] == "_"), *__all__, *_MODULES})
