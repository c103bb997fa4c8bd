"""Octets: their classes, text as octets and back, percent-coding, fields of a query, dot segments."""

from urlsm import _core  # noqa: F401  (which makes the next; this waits where another thread imports urlsm)
from urlsm.octets import text  # noqa: F401
