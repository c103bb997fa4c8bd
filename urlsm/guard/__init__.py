"""May I fetch that? A Policy says which URLs, names and addresses a client may ask; a module a client obeys it."""

from urlsm.octets.later import later as _later

# the module of each public name; all load on first use
_HOMES = {
    "Policy": "urlsm.guard.policy",
    "Refused": "urlsm.guard.policy",
}
# a module a client; each imports its client, which urlsm itself does not need
_CLIENTS = ("aiohttp", "httpx", "requests", "urllib", "urllib3")

__all__ = [*_HOMES]

__getattr__, __dir__ = _later(globals(), _HOMES, _CLIENTS)
