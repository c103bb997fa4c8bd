"""urlsm reads any URL the way each standard reads it, at the speed of C.

parse() makes a URL under the URL Standard; split() shows what any dialect sees, as written; validate()
names the rules a text breaks; explain() shows each step. urlsm.whatwg is the browser's API.
"""

from urlsm._version import __version__
from urlsm.errors import ParseError, PluginError, SchemeError
from urlsm.url import URL, can_parse, parse, resolve, try_parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from urlsm import schemes as schemes
    from urlsm import whatwg as whatwg
    from urlsm.components import Components, split, unsplit
    from urlsm.embedded import base_of
    from urlsm.meaning import equivalent, normalize, parts
    from urlsm.query import QueryParams
    from urlsm.registry import handler, register, unregister
    from urlsm.running import Match, extract, unwrap
    from urlsm.trace import Trace, explain
    from urlsm.validation import validate
    from urlsm.violations import Violation

__all__ = [
    "URL",
    "Components",
    "Match",
    "ParseError",
    "PluginError",
    "QueryParams",
    "SchemeError",
    "Trace",
    "Violation",
    "__version__",
    "base_of",
    "can_parse",
    "equivalent",
    "explain",
    "extract",
    "handler",
    "normalize",
    "parse",
    "parts",
    "register",
    "resolve",
    "split",
    "try_parse",
    "unregister",
    "unsplit",
    "unwrap",
    "validate",
]

# what is not needed to parse loads when it is first asked for
_LATER = {
    "Components": "urlsm.components",
    "Match": "urlsm.running",
    "QueryParams": "urlsm.query",
    "Trace": "urlsm.trace",
    "Violation": "urlsm.violations",
    "base_of": "urlsm.embedded",
    "equivalent": "urlsm.meaning",
    "explain": "urlsm.trace",
    "extract": "urlsm.running",
    "handler": "urlsm.registry",
    "normalize": "urlsm.meaning",
    "parts": "urlsm.meaning",
    "register": "urlsm.registry",
    "split": "urlsm.components",
    "unregister": "urlsm.registry",
    "unsplit": "urlsm.components",
    "unwrap": "urlsm.running",
    "validate": "urlsm.validation",
}
_MODULES = ("schemes", "whatwg")


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name in _MODULES:
        return import_module(f"urlsm.{name}")
    if name not in _LATER:
        raise AttributeError(f"module 'urlsm' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_LATER[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER, *_MODULES})


del TYPE_CHECKING
