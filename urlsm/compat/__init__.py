"""For users of other libraries: the functions of these libraries under their own names, and URL as they expect it."""

from urlsm.octets.later import later as _later

_HOMES = {"install": "urlsm.compat.installing", "uninstall": "urlsm.compat.installing"}
_MODULES = ("django", "protego", "pydantic", "starlette", "surt", "w3lib", "werkzeug")

__all__ = [*_HOMES]

__getattr__, __dir__ = _later(globals(), _HOMES, _MODULES)
