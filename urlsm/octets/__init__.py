"""Octets: their classes, text as octets and back, percent-coding, fields of a query, dot segments."""

import urlsm._core as _core  # noqa: F401  (it makes the next; this waits where another thread imports it)
from urlsm.octets import text  # noqa: F401
