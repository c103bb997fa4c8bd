"""The state machine: it reads octets and finds spans, in any dialect, without the interpreter's lock."""

from urlsm import _core  # noqa: F401  (makes the module below; waits while another thread imports urlsm)
from urlsm.machine import driver  # noqa: F401
