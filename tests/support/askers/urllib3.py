from __future__ import annotations

import urllib3

from support.askers import Answer
from urlsm import guard


class Asker:
    refused, error = guard.BlockedError, urllib3.exceptions.HTTPError

    def __init__(self, policy, context=None):
        options = {} if context is None else {"ssl_context": context}
        self.manager = guard.urllib3_pool(policy, **options)

    def ask(self, url, method="GET", headers=None, body=None, timeout=None):
        options = {} if timeout is None else {"timeout": timeout}
        answer = self.manager.request(method, url, headers=headers, body=body, **options)
        return Answer(answer.status, answer.data, answer.geturl())

    def close(self):
        self.manager.clear()
