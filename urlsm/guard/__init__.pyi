# The public names, for type checkers and editors; __init__.py says where they live.

from urlsm.guard.policy import Policy as Policy
from urlsm.guard.policy import Refused as Refused
