# The public names, for type checkers and editors; __init__.py has the module of each.

from urlsm.server.errors import RequestError as RequestError
from urlsm.server.hop_list import Hop as Hop
from urlsm.server.hop_list import HopInfo as HopInfo
from urlsm.server.hop_list import forwards as forwards
from urlsm.server.hop_list import hops as hops
from urlsm.server.hop_list import path_as as path_as
from urlsm.server.middleware import AsgiHosts as AsgiHosts
from urlsm.server.middleware import WsgiHosts as WsgiHosts
from urlsm.server.path_middleware import AsgiPaths as AsgiPaths
from urlsm.server.path_middleware import WsgiPaths as WsgiPaths
from urlsm.server.path_verdict import PathVerdict as PathVerdict
from urlsm.server.paths import Paths as Paths
from urlsm.server.requests import Hosts as Hosts
