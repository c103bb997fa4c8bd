# The public names, for type checkers and editors; __init__.py has the module of each.

from urlsm.about.declared import Table as Table
from urlsm.about.declared import tables as tables

__all__ = ["Table", "tables"]
