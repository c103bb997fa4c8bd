from __future__ import annotations

import asyncio
import importlib.util

import aiohttp

from support.askers import Answer, Loop
from urlsm import guard


class Asker:
    refused, error = guard.BlockedError, (aiohttp.ClientError, asyncio.TimeoutError)
    codings = ("gzip", "deflate", "members", "br")  # aiohttp decodes one coding, and leaves two to the program
    unknown = () if importlib.util.find_spec("brotli") else ("br",)  # of which aiohttp itself says that it cannot

    def __init__(self, policy, context=None):
        self.loop = Loop()
        self.session = self.loop.run(self._made(policy, True if context is None else context))

    async def _made(self, policy, context):
        return guard.aiohttp_session(policy, connector=guard.AiohttpConnector(policy, limit=200, ssl=context))

    def ask(self, url, method="GET", headers=None, body=None, timeout=None):
        return self.loop.run(self._ask(method, url, headers, body, timeout))

    async def _ask(self, method, url, headers, body, timeout):
        options = {} if timeout is None else {"timeout": aiohttp.ClientTimeout(timeout)}
        async with self.session.request(method, url, headers=headers, data=body, **options) as answer:
            return Answer(answer.status, await answer.read(), str(answer.url))

    def close(self):
        self.loop.run(self.session.close())
        self.loop.close()
