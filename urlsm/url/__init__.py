"""From spans to a URL, by the URL Standard."""

import urlsm._core as _core  # noqa: F401  (it makes the next; this waits where another thread imports it)
from urlsm.url import parser, value  # noqa: F401
