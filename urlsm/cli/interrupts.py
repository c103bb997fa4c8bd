"""Ctrl-C (SIGINT) ends the program with exit code 130 and without a traceback. So does SIGTERM with 143 where a command
cleans up."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from types import FrameType
else:
    import _signal as signal  # the module signal would make enums of these constants, which takes 0.5 ms

__all__ = ["begin", "end", "held_back", "stops_on_sigterm"]

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
    in orjson), and callbacks of the import system would print a traceback and continue. So it is in `end`, after which
    nothing would catch the exception."""
    while frame is not None:
        if frame.f_code is end.__code__ or frame.f_code.co_filename.startswith("<frozen importlib"):
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


class stops_on_sigterm:
    """A context manager in which SIGTERM raises SystemExit(143), so that its blocks clean up. It does so once: a second
    signal is ignored."""

    def __enter__(self) -> None:
        self._is_ours = False
        try:
            if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
                signal.signal(signal.SIGTERM, _terminate)
                self._is_ours = True
        except ValueError:  # another thread than the main one
            pass

    def __exit__(self, *error: object) -> None:
        if self._is_ours:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _terminate(number: int, frame: FrameType | None) -> None:
    """Raise SystemExit. During an import (see _interrupt), try again soon, because ending at once would clean up
    nothing."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            if not hasattr(signal, "setitimer"):  # Windows
                os._exit(143)
            signal.signal(signal.SIGALRM, _terminate)
            signal.setitimer(signal.ITIMER_REAL, 0.02)
            return
        frame = frame.f_back
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise SystemExit(143)
