# The public name, for type checkers and editors; __init__.py says where it lives.

from urlsm.guard.policy import Policy as Policy
