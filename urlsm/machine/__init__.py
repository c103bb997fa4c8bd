"""The state machine: from octets to spans, in any dialect, without the interpreter's lock."""

from urlsm import _core  # noqa: F401  (which makes the next; this waits where another thread imports urlsm)
from urlsm.machine import driver  # noqa: F401
