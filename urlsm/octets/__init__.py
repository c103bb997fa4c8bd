"""Bytes: their classes, the conversion of text to bytes and back, percent-encoding, query fields, and dot segments."""

from urlsm import _core  # noqa: F401  (makes the module below; waits while another thread imports urlsm)
from urlsm.octets import text  # noqa: F401
