"""May I fetch that? A Policy says which URLs, host names and addresses a client may request. For each supported HTTP
client, a module makes the client obey the policy."""

from urlsm.octets.later import later as _later

# the module that defines each public name. It is loaded when the name is first used
_HOMES = {
    "Policy": "urlsm.guard.policy",
    "Refused": "urlsm.guard.policy",
}
# the modules for the clients; each imports its client
_CLIENTS = ("aiohttp", "httpx", "requests", "urllib", "urllib3")

__all__ = [*_HOMES]

__getattr__, __dir__ = _later(globals(), _HOMES, _CLIENTS)
