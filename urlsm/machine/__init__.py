"""The state machine: it reads bytes and finds the spans of components, in any dialect, without the GIL."""

from urlsm import _core  # noqa: F401  (makes the module below; waits while another thread imports urlsm)
from urlsm.machine import driver  # noqa: F401
