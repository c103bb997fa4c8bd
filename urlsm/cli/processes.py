"""Runs the files of urlsm columns in several processes. A process that dies fails its file only, and none outlives the
command."""

from __future__ import annotations

import os
import time
from collections import deque
from contextlib import suppress

from urlsm.cli.interrupts import held_back, stops_on_sigterm

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from multiprocessing.connection import Connection
    from typing import Any

__all__ = ["Died", "run_each"]

PATIENCE = 1.2  # seconds that the processes have to end


class Died(Exception):
    """The result of a job whose process has died."""


class _Worker:
    """A process. job: the number of the job that it works on, or None."""

    def __init__(self, context: Any, work: Callable[..., Any]) -> None:
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=_work, args=(theirs, work), daemon=True)
        with held_back():  # so that the process does not get Ctrl-C
            self.process.start()
        theirs.close()
        self.job: int | None = None


def run_each(
    work: Callable[..., Any],
    jobs: Sequence[tuple[Any, ...]],
    count: int,
    tell: Callable[..., None],
    left: Callable[[int, int], None],
) -> Iterator[tuple[int, Any]]:
    """Call work(*job, tell) for each job, in `count` processes. Yield the number of each job with its result as soon as
    it is ready: what work() has returned, or an exception.

    Args:
        tell: called here with the arguments of each call of tell() in a process.
        left: called with the number of a job and the process ID, if this process has ended within the job.
    """
    from multiprocessing import get_context
    from multiprocessing.connection import wait

    context = get_context("spawn")
    waiting = deque(range(len(jobs)))
    workers = [_Worker(context, work) for _ in range(min(count, len(jobs)))]
    try:
        while True:
            for worker in workers:
                if worker.job is None and waiting:
                    worker.job = waiting.popleft()
                    with suppress(OSError):  # (if it is dead, the pipe says so below)
                        worker.connection.send(jobs[worker.job])
            busy = {worker.connection: worker for worker in workers if worker.job is not None}
            if not busy:
                return
            for connection in wait([*busy]):
                worker = busy[connection]
                job = worker.job
                assert job is not None
                try:
                    is_result, value = worker.connection.recv()
                except (EOFError, OSError):
                    worker.process.join()
                    left(job, worker.process.pid or 0)
                    workers.remove(worker)
                    if waiting:
                        workers.append(_Worker(context, work))
                    yield job, Died(f"its process has ended (exit code {worker.process.exitcode})")
                    continue
                if not is_result:
                    tell(*value)
                else:
                    worker.job = None
                    yield job, value
    finally:
        with held_back():
            _end(workers, left)


def _end(workers: list[_Worker], left: Callable[[int, int], None]) -> None:
    until = time.monotonic() + PATIENCE
    for worker in workers:
        worker.process.terminate()
    for worker in workers:
        worker.process.join(max(until - time.monotonic(), 0))
        if worker.process.is_alive():
            worker.process.kill()
            worker.process.join()
        worker.connection.close()
        if worker.job is not None:
            left(worker.job, worker.process.pid or 0)


def _work(connection: Connection, work: Callable[..., Any]) -> None:
    """Work on the jobs that arrive, until there is none, in a process of its own."""
    import threading

    def send(is_result: bool, value: Any) -> None:
        try:
            connection.send((is_result, value))
        except OSError:  # the command was killed
            raise SystemExit(143) from None

    with stops_on_sigterm():
        threading.Thread(target=_end_with_parent, daemon=True).start()
        while True:
            try:
                job = connection.recv()
            except (EOFError, OSError):
                return
            result: Any
            try:
                result = work(*job, lambda *value: send(False, value))
            except Exception as error:
                result = error
            send(True, result)


def _end_with_parent() -> None:
    """End this process if the command is killed, which cannot end it then."""
    import signal
    from multiprocessing import parent_process
    from multiprocessing.connection import wait

    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os.kill(os.getpid(), signal.SIGTERM)
