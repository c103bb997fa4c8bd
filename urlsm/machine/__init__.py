"""The state machine: from octets to spans, in any dialect, without the interpreter's lock."""

import urlsm._core as _core  # noqa: F401  (it makes the next; this waits where another thread imports it)
from urlsm.machine import driver  # noqa: F401
