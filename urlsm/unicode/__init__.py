"""Domain names, processed according to UTS 46, and the legacy encodings of documents that are not UTF-8."""

from urlsm import _core  # noqa: F401  (makes the module below; waits while another thread imports urlsm)
from urlsm.unicode import domains  # noqa: F401
