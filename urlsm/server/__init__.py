"""For servers: the URL that a request asks for, and whether its Host is one of the server's."""

from urlsm.octets.later import later as _later

# the module of each public name; all load on first use
_HOMES = {
    "AsgiHosts": "urlsm.server.middleware",
    "Hosts": "urlsm.server.requests",
    "RequestError": "urlsm.server.errors",
    "WsgiHosts": "urlsm.server.middleware",
}

__all__ = [*_HOMES]

__getattr__, __dir__ = _later(globals(), _HOMES)
