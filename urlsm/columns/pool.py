"""The threads that help with columns. They live as long as the process; a child process makes new ones after fork."""

from __future__ import annotations

import os
from collections.abc import Callable
from queue import SimpleQueue
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

_threads: ThreadPoolExecutor | None = None


def _forget() -> None:
    global _threads
    _threads = None  # fork does not copy the threads


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def _call(help: Callable[[], None], count: int) -> None:
    """Ask `count` threads to help. Threads that are busy help later, or never."""
    global _threads
    try:
        if _threads is None:
            from concurrent.futures import ThreadPoolExecutor  # this import fails while the interpreter shuts down

            _threads = ThreadPoolExecutor(os.cpu_count() or 1, "urlsm.columns")
        for _ in range(count):
            _threads.submit(help)
    except RuntimeError:
        pass  # nobody helps: the interpreter is shutting down, or the system has no thread left


def each(function: Callable[[int], object], count: int, stop: Callable[[], object]) -> None:
    """Call the function with each number from 0 to count - 1, in this thread and in helping threads. There is no
    waiting for a helping thread that has not begun, so simultaneous calls of each() never wait for each other.

    Args:
        stop: called in the thread where an error occurred. It must make the other calls of the function end soon.

    Raises: the first error of the function, after all calls that have begun have ended. KeyboardInterrupt is raised at
    once.
    """
    # threads pop their numbers, since an iterator could give one number to two threads
    numbers = [*range(count - 1, -1, -1)]
    ended: SimpleQueue[BaseException | None] = SimpleQueue()
    # these lists are emptied at the end, so that a late thread does not keep the columns alive
    given, stops = [function], [stop]

    def outcome(number: int) -> BaseException | None:
        try:
            given[0](number)
        except BaseException as error:
            for end in stops:  # empty if the caller has left: it has stopped all calls itself
                end()
            return error
        return None

    def help() -> None:
        while True:
            try:
                number = numbers.pop()
            except IndexError:
                return
            ended.put(outcome(number))

    try:
        _call(help, count - 1)
        help()
        errors = [error for error in (ended.get() for _ in range(count)) if error is not None]
    except BaseException:
        stop()
        raise
    finally:
        given.clear()
        stops.clear()
    if errors:
        raise errors[0]
