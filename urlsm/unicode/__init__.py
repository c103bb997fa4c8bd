"""Domains by UTS 46, and the encodings of documents that are not UTF-8."""

import urlsm._core as _core  # noqa: F401  (it makes the next; this waits where another thread imports it)
from urlsm.unicode import domains  # noqa: F401
