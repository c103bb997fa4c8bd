# The public names, for type checkers and editors; __init__.py has the module of each. The modules of the clients are
# imported by name: from urlsm.guard import httpx.

from urlsm.guard.policy import Policy as Policy
from urlsm.guard.policy import Refused as Refused
