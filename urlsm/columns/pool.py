"""The threads that help with columns: they live as long as the process, and are made anew in the child after fork."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

_threads: ThreadPoolExecutor | None = None


def _forget() -> None:
    global _threads
    _threads = None  # fork copies none of them


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def _call(help: Callable[[], None], count: int) -> None:
    """Have so many threads help, or fewer: where all are busy, they come when they can."""
    global _threads
    try:
        if _threads is None:
            from concurrent.futures import ThreadPoolExecutor  # an error, too, at the interpreter's end

            _threads = ThreadPoolExecutor(os.cpu_count() or 1, "urlsm.columns")
        for _ in range(count):
            _threads.submit(help)
    except RuntimeError:
        pass  # the interpreter ends, or the system has no thread left: nobody helps


def each(function: Callable[[int], object], count: int, stop: Callable[[], object]) -> None:
    """Call the function with 0 to count - 1, in this thread and in those that help. It does not wait for a thread that
    has not begun: so none waits for another, whoever calls this at the same time, and from wherever.

    Args:
        stop: called after an error, in the thread that has it; what the function does then ends soon.

    Raises: the first error of the function, when all that was begun has ended. KeyboardInterrupt, at once.
    """
    numbers: Iterator[int] = iter(range(count))
    ended: SimpleQueue[BaseException | None] = SimpleQueue()
    given = [function]  # emptied at the end: who comes late holds no column

    def outcome(number: int) -> BaseException | None:
        try:
            given[0](number)
        except BaseException as error:
            stop()
            return error
        return None

    def help() -> None:
        for number in numbers:
            ended.put(outcome(number))

    _call(help, count - 1)
    try:
        help()
        errors = [error for error in (ended.get() for _ in range(count)) if error is not None]
    except BaseException:
        stop()
        raise
    finally:
        given.clear()
    if errors:
        raise errors[0]
