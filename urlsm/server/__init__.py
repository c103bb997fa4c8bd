"""For servers: the URL of a request, whether the Host header names one of the server's hosts, and the path of a request
as each program on its way sees it."""

from urlsm.octets.later import later as _later

# the module that defines each public name. It is loaded when the name is first used
_HOMES = {
    "AsgiHosts": "urlsm.server.middleware",
    "AsgiPaths": "urlsm.server.path_middleware",
    "Hop": "urlsm.server.hop_list",
    "HopInfo": "urlsm.server.hop_list",
    "Hosts": "urlsm.server.requests",
    "PathVerdict": "urlsm.server.path_verdict",
    "Paths": "urlsm.server.paths",
    "RequestError": "urlsm.server.errors",
    "WsgiHosts": "urlsm.server.middleware",
    "WsgiPaths": "urlsm.server.path_middleware",
    "forwards": "urlsm.server.hop_list",
    "hops": "urlsm.server.hop_list",
    "path_as": "urlsm.server.hop_list",
}

__all__ = [*_HOMES]

__getattr__, __dir__ = _later(globals(), _HOMES)
