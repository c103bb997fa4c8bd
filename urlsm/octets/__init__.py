"""Octets: their classes, the conversion of text to octets and back, percent-coding, fields of a query, and dot
segments."""

from urlsm import _core  # noqa: F401  (makes the module below; waits while another thread imports urlsm)
from urlsm.octets import text  # noqa: F401
