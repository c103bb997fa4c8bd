# The public names, for type checkers and editors; __init__.py has the module of each.

from urlsm.server.errors import RequestError as RequestError
from urlsm.server.middleware import AsgiHosts as AsgiHosts
from urlsm.server.middleware import WsgiHosts as WsgiHosts
from urlsm.server.requests import Hosts as Hosts
