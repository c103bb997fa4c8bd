"""The worker threads for columns. They live as long as the process. After a fork, the child process starts new
threads."""

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
    _threads = None  # the child has none of the threads, since fork copies only the thread that calls it


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def _call(help: Callable[[], None], count: int) -> None:
    """Ask `count` threads to call help(). A busy thread calls it later, or never."""
    global _threads
    try:
        if _threads is None:
            from concurrent.futures import ThreadPoolExecutor  # this import fails while the interpreter shuts down

            _threads = ThreadPoolExecutor(os.cpu_count() or 1, "urlsm.columns")
        for _ in range(count):
            _threads.submit(help)
    except RuntimeError:
        pass  # no thread helps: the interpreter is shutting down, or the system has no thread left


def each(function: Callable[[int], object], count: int, stop: Callable[[], object]) -> None:
    """Call the function with each number from 0 to count - 1, in this thread and in helper threads. This thread never
    waits for a helper thread that has not started, so simultaneous calls of each() do not wait for each other.

    Args:
        stop: called in the thread where an error occurred. It must make the other calls of the function return soon.

    Raises: the first exception from the function, after all calls that have started have returned. A KeyboardInterrupt
    that arrives while this thread waits for the helper threads is raised at once.
    """
    # the threads pop their numbers from this list, since an iterator could give one number to two threads
    numbers = [*range(count - 1, -1, -1)]
    ended: SimpleQueue[BaseException | None] = SimpleQueue()
    # the functions are in lists that are emptied at the end, so that a late thread does not keep the columns alive
    given, stops = [function], [stop]

    def outcome(number: int) -> BaseException | None:
        try:
            given[0](number)
        except BaseException as error:
            for end in stops:  # `stops` is empty if each() has ended by an exception: then each() has called stop()
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
