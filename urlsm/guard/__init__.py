"""May I fetch that? One Policy says which URLs and addresses a client may ask."""

from urlsm.octets.later import later as _later

# the module of each public name; all load on first use
_HOMES = {
    "Policy": "urlsm.guard.policy",
    "Refused": "urlsm.guard.policy",
}

__all__ = [*_HOMES]

__getattr__, __dir__ = _later(globals(), _HOMES)
