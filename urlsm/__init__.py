"""urlsm reads any URL the way each standard reads it, at the speed of C.

parse() makes a URL under the URL Standard; split() shows what any dialect sees, as written; validate()
names the rules a text breaks; explain() shows each step. urlsm.whatwg is the browser's API.
"""

from urlsm.errors import ParseError, PluginError, SchemeError
from urlsm.url import URL, can_parse, parse, resolve, try_parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from urlsm import schemes as schemes
    from urlsm import stdlib as stdlib
    from urlsm import whatwg as whatwg
    from urlsm.comparison import Comparison, compare, is_ambiguous
    from urlsm.components import Components, split, unsplit
    from urlsm.embedded import base_of
    from urlsm.hazards import Hazard, audit
    from urlsm.meaning import equivalent, normalize, parts
    from urlsm.query import QueryParams
    from urlsm.registry import handler, register, unregister
    from urlsm.resolution import resolve_many, same_document
    from urlsm.running import Match, extract, unwrap
    from urlsm.safety import is_safe_redirect, join_within
    from urlsm.trace import Trace, explain
    from urlsm.validation import validate
    from urlsm.violations import Violation

__version__ = "0.1.0"
__all__ = [
    "URL",
    "Comparison",
    "Components",
    "Hazard",
    "Match",
    "ParseError",
    "PluginError",
    "QueryParams",
    "SchemeError",
    "Trace",
    "Violation",
    "__version__",
    "audit",
    "base_of",
    "can_parse",
    "compare",
    "equivalent",
    "explain",
    "extract",
    "handler",
    "is_ambiguous",
    "is_safe_redirect",
    "join_within",
    "normalize",
    "parse",
    "parts",
    "register",
    "resolve",
    "resolve_many",
    "same_document",
    "split",
    "try_parse",
    "unregister",
    "unsplit",
    "unwrap",
    "validate",
]

# what is not needed to parse loads when it is first asked for
_LATER = {
    "Comparison": "urlsm.comparison",
    "Components": "urlsm.components",
    "Hazard": "urlsm.hazards",
    "Match": "urlsm.running",
    "QueryParams": "urlsm.query",
    "Trace": "urlsm.trace",
    "Violation": "urlsm.violations",
    "audit": "urlsm.hazards",
    "base_of": "urlsm.embedded",
    "compare": "urlsm.comparison",
    "equivalent": "urlsm.meaning",
    "explain": "urlsm.trace",
    "extract": "urlsm.running",
    "handler": "urlsm.registry",
    "is_ambiguous": "urlsm.comparison",
    "is_safe_redirect": "urlsm.safety",
    "join_within": "urlsm.safety",
    "normalize": "urlsm.meaning",
    "parts": "urlsm.meaning",
    "register": "urlsm.registry",
    "resolve_many": "urlsm.resolution",
    "same_document": "urlsm.resolution",
    "split": "urlsm.components",
    "unregister": "urlsm.registry",
    "unsplit": "urlsm.components",
    "unwrap": "urlsm.running",
    "validate": "urlsm.validation",
}
_MODULES = ("schemes", "stdlib", "whatwg")


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
