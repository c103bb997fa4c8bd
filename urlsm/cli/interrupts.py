"""Ctrl-C (SIGINT) ends the program with exit code 130 and without a traceback."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from types import FrameType
else:
    import _signal as signal  # the module signal would make enums of these constants, which takes 0.5 ms

__all__ = ["begin", "end", "held_back"]

_CAN_BLOCK = hasattr(signal, "pthread_sigmask")  # false on Windows


def begin() -> None:
    """Handle Ctrl-C from now on, if this is the program urlsm. Until now the system has handled it (urlsm/__main__)."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, _interrupt)
        sys.unraisablehook = _unraisable


def end() -> None:
    """Leave Ctrl-C to the system again, because code that the interpreter calls at its end would print a traceback."""
    if signal.getsignal(signal.SIGINT) is _interrupt:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        sys.unraisablehook = sys.__unraisablehook__


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt, but end the program at once during an import: there C code may crash on an exception
    (orjson's does), and callbacks of the import system would print a traceback and go on."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            os._exit(130)
        frame = frame.f_back
    raise KeyboardInterrupt


def _unraisable(given: sys.UnraisableHookArgs) -> None:
    """Handle an exception that nobody can catch, such as one in a callback: an interrupt ends the program."""
    if given.exc_type is KeyboardInterrupt:
        os._exit(130)
    sys.__unraisablehook__(given)


class held_back:  # not a contextlib.contextmanager: contextlib takes longer to import than this module
    """A context that delays Ctrl-C until its end. A process that is started within it never gets Ctrl-C."""

    def __enter__(self) -> None:
        if _CAN_BLOCK:
            # this raises KeyboardInterrupt if Ctrl-C came before
            self._before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])

    def __exit__(self, *error: object) -> None:
        if _CAN_BLOCK:
            signal.pthread_sigmask(signal.SIG_SETMASK, self._before)
