"""Domains by UTS 46, and the encodings of documents that are not UTF-8."""

from urlsm import _core  # noqa: F401  (which makes the next; this waits where another thread imports urlsm)
from urlsm.unicode import domains  # noqa: F401
