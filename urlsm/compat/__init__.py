"""Other libraries: their functions under their own names, and URL in the forms that they expect."""

from urlsm.octets.later import later as _later

_HOMES = {"install": "urlsm.compat.installing", "uninstall": "urlsm.compat.installing"}
_MODULES = ("django", "protego", "pydantic", "starlette", "surt", "w3lib", "werkzeug")

__all__ = [*_HOMES]

__getattr__, __dir__ = _later(globals(), _HOMES, _MODULES)
