from __future__ import annotations

import httpx

from support.askers import Answer, Loop
from urlsm import guard


class Asker:
    refused, error = guard.BlockedError, httpx.HTTPError

    def __init__(self, policy, context=None):
        self.loop = Loop()
        options = {} if context is None else {"verify": context}
        limits = httpx.Limits(max_connections=200)
        self.client = guard.httpx_async_client(policy, follow_redirects=True, timeout=30, limits=limits, **options)

    def ask(self, url, method="GET", headers=None, body=None, timeout=None):
        options = {} if timeout is None else {"timeout": timeout}
        answer = self.loop.run(self.client.request(method, url, headers=headers, content=body, **options))
        return Answer(answer.status_code, answer.content, str(answer.url))

    def close(self):
        self.loop.run(self.client.aclose())
        self.loop.close()
