"""From spans to a URL, by the URL Standard."""

from urlsm import _core  # noqa: F401  (which makes the next; this waits where another thread imports urlsm)
from urlsm.url import parser, value  # noqa: F401
