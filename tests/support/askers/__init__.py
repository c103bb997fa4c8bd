"""One class a client behind a policy, in a module of the client's name: the tests of tests/guard ask all of them
alike."""

from __future__ import annotations

import asyncio
import importlib
import pathlib
import threading
from collections.abc import Coroutine
from typing import Any, NamedTuple

import pytest

NAMES = sorted(path.stem for path in pathlib.Path(__file__).parent.glob("[a-z]*.py"))


class Answer(NamedTuple):
    status: int
    content: bytes
    url: str  # after redirects


def asker_of(name: str) -> type[Any]:
    """Return the class Asker of a client, or skip the test if the client is not installed.

    An Asker is made of a policy and, for https, of an ssl.SSLContext: Asker(policy, context=None). It has refused and
    error, the guard's exception and the client's own (of which all failures are); ask(url, method="GET", headers=None,
    body=None, timeout=None), which returns an Answer after all of the content was read; and close(). It is used by many
    threads.
    """
    pytest.importorskip(name.removesuffix("_async"))
    module = importlib.import_module(f"support.askers.{name}")
    return module.Asker


class Loop:
    """An event loop that runs in a thread, for a client of asyncio that many threads use."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def run(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()

    def close(self) -> None:
        self.run(self._loop.shutdown_asyncgens())  # answers that were not read to their end
        self.run(self._others())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _others(self) -> None:
        while len(tasks := asyncio.all_tasks()) > 1:
            await asyncio.wait(tasks - {asyncio.current_task()}, timeout=5)
