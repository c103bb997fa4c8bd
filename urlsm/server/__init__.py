"""For servers: the URL of a request, and whether the Host header names one of the server's hosts."""

from urlsm.octets.later import later as _later

# the module that defines each public name. It is loaded when the name is first used
_HOMES = {
    "AsgiHosts": "urlsm.server.middleware",
    "Hosts": "urlsm.server.requests",
    "RequestError": "urlsm.server.errors",
    "WsgiHosts": "urlsm.server.middleware",
}

__all__ = [*_HOMES]

__getattr__, __dir__ = _later(globals(), _HOMES)
