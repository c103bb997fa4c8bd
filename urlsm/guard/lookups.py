"""Look-ups of names, each in a thread of its own, because getaddrinfo has no time limit and cannot be stopped: slow
look-ups would fill an executor that the program shares."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["alook_up", "look_up"]


def look_up(call: Callable[[], Any], name: str, seconds: float | None) -> Any:
    """Return the result of call(), which looks up a name. Raises TimeoutError if that takes longer than `seconds`. The
    look-up then continues in its thread, and its result is discarded."""
    if seconds is None or _is_address(name):
        return call()
    answers: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()
    _start(call, lambda answer, error: answers.put((answer, error)))
    try:
        answer, error = answers.get(timeout=seconds)
    except Empty:
        raise TimeoutError("the resolver did not answer in time") from None
    if error is not None:
        raise error
    return answer


async def alook_up(call: Callable[[], Any], name: str) -> Any:
    """The async version of look_up(), for asyncio. It has no time limit, but the task can be cancelled."""
    from asyncio import get_running_loop

    if _is_address(name):
        return call()
    loop = get_running_loop()
    future = loop.create_future()

    def settle(answer: Any, error: BaseException | None) -> None:
        if future.done():  # the caller was cancelled
            return
        if error is None:
            future.set_result(answer)
        else:
            future.set_exception(error)

    def settle_there(answer: Any, error: BaseException | None) -> None:
        with suppress(RuntimeError):  # the loop may be closed by now
            loop.call_soon_threadsafe(settle, answer, error)

    _start(call, settle_there)
    return await future


def _is_address(name: str) -> bool:  # an address needs no look-up
    return ":" in name or name.rpartition(".")[2].isdigit()


def _start(call: Callable[[], Any], done: Callable[[Any, BaseException | None], None]) -> None:
    def run() -> None:
        try:
            answer = call()
        except BaseException as error:
            done(None, error)
        else:
            done(answer, None)

    Thread(target=run, name="urlsm.guard", daemon=True).start()
