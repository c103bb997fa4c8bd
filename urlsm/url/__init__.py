"""The class URL, and the parser that writes a URL from the spans that the machine found (URL Standard)."""

from urlsm import _core  # noqa: F401  (makes the modules below; waits while another thread imports urlsm)
from urlsm.url import parser, value  # noqa: F401
