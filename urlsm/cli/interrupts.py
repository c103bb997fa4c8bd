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
    """Start handling Ctrl-C if this process is the urlsm program. Until this call, the system handles it
    (urlsm/__main__)."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, _interrupt)
        sys.unraisablehook = _unraisable


def end() -> None:
    """Let the system handle Ctrl-C again. Otherwise, Ctrl-C during interpreter shutdown would print a traceback."""
    if signal.getsignal(signal.SIGINT) is _interrupt:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        sys.unraisablehook = sys.__unraisablehook__


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt. During an import, end the program at once instead: C code may crash on an exception (as
    in orjson), and callbacks of the import system would print a traceback and continue."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            os._exit(130)
        frame = frame.f_back
    raise KeyboardInterrupt


def _unraisable(given: sys.UnraisableHookArgs) -> None:
    """Handle an exception that no code can catch, such as an exception in a callback. An interrupt ends the program."""
    if given.exc_type is KeyboardInterrupt:
        os._exit(130)
    sys.__unraisablehook__(given)


class held_back:  # not a contextlib.contextmanager: contextlib takes longer to import than this module
    """A context manager that delays Ctrl-C until its block ends. Processes started in the block never receive
    Ctrl-C."""

    def __enter__(self) -> None:
        if _CAN_BLOCK:
            # this raises KeyboardInterrupt if Ctrl-C came before
            self._before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])

    def __exit__(self, *error: object) -> None:
        if _CAN_BLOCK:
            signal.pthread_sigmask(signal.SIG_SETMASK, self._before)
