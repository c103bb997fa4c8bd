"""Modules for users of other libraries. Most provide the functions of a library under the same names; the others create
the objects that a library expects."""

from urlsm.octets.later import later as _later

_HOMES = {"install": "urlsm.compat.installing", "uninstall": "urlsm.compat.installing"}
_MODULES = ("django", "protego", "pydantic", "scrapy", "starlette", "surt", "w3lib", "werkzeug")

__all__ = [*_HOMES]

__getattr__, __dir__ = _later(globals(), _HOMES, _MODULES)
