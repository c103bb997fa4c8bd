"""urlsm reads any URL the way each standard reads it, at the speed of C.

parse() makes a URL under the URL Standard; split() shows what any dialect sees, as written; validate()
names the rules a text breaks; explain() shows each step. urlsm.whatwg is the browser's API.
"""

from urlsm._version import __version__
from urlsm.errors import ParseError
from urlsm.url import URL, can_parse, parse, resolve, try_parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from urlsm import stdlib as stdlib
    from urlsm import whatwg as whatwg
    from urlsm.components import Components, split, unsplit
    from urlsm.query import QueryParams
    from urlsm.trace import Trace, explain
    from urlsm.validation import validate
    from urlsm.violations import Violation

__all__ = [
    "URL",
    "Components",
    "ParseError",
    "QueryParams",
    "Trace",
    "Violation",
    "__version__",
    "can_parse",
    "explain",
    "parse",
    "resolve",
    "split",
    "try_parse",
    "unsplit",
    "validate",
]

# what is not needed to parse loads when it is first asked for
_LATER = {
    "Components": "urlsm.components",
    "QueryParams": "urlsm.query",
    "Trace": "urlsm.trace",
    "Violation": "urlsm.violations",
    "explain": "urlsm.trace",
    "split": "urlsm.components",
    "unsplit": "urlsm.components",
    "validate": "urlsm.validation",
}


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name in ("stdlib", "whatwg"):
        return import_module(f"urlsm.{name}")
    if name not in _LATER:
        raise AttributeError(f"module 'urlsm' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_LATER[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER, "stdlib", "whatwg"})


del TYPE_CHECKING
