from __future__ import annotations

import asyncio
import threading

import httpx

from support.askers import Answer
from urlsm.guard import httpx as guarded


class Asker:
    refused, error = guarded.Refused, httpx.HTTPError

    def __init__(self, policy, context=None):
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        options = {} if context is None else {"verify": context}
        limits = httpx.Limits(max_connections=200)
        self.client = guarded.async_client(policy, follow_redirects=True, timeout=30, limits=limits, **options)

    def ask(self, url, method="GET", headers=None, body=None, timeout=None):
        options = {} if timeout is None else {"timeout": timeout}
        answer = self._run(self.client.request(method, url, headers=headers, content=body, **options))
        return Answer(answer.status_code, answer.content, str(answer.url))

    def _run(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result()

    def close(self):
        self._run(self.client.aclose())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()
