"""May I fetch that? A Policy says which URLs, names and addresses a client may ask."""

from urlsm.octets.later import later as _later

# the module of each public name; all load on first use
_HOMES = {
    "Policy": "urlsm.guard.policy",
}

__all__ = [*_HOMES]

__getattr__, __dir__ = _later(globals(), _HOMES)
