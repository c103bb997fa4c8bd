"""May I fetch that? A Policy says which URLs, names and addresses a client may ask. Each client has a module that obeys
it."""

from urlsm.octets.later import later as _later

# the module of each public name; all load on first use
_HOMES = {
    "Policy": "urlsm.guard.policy",
    "Refused": "urlsm.guard.policy",
}
# one module for each client, which it imports
_CLIENTS = ("aiohttp", "httpx", "requests", "urllib", "urllib3")

__all__ = [*_HOMES]

__getattr__, __dir__ = _later(globals(), _HOMES, _CLIENTS)
