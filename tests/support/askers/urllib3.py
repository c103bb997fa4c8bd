from __future__ import annotations

import urllib3

from support.askers import Answer
from urlsm.guard import urllib3 as guarded


class Asker:
    refused, error = guarded.Refused, urllib3.exceptions.HTTPError

    def __init__(self, policy, context=None):
        options = {} if context is None else {"ssl_context": context}
        self.manager = guarded.pool_manager(policy, **options)

    def ask(self, url, method="GET", headers=None, body=None, timeout=None):
        options = {} if timeout is None else {"timeout": timeout}
        answer = self.manager.request(method, url, headers=headers, body=body, **options)
        return Answer(answer.status, answer.data, answer.geturl())

    def close(self):
        self.manager.clear()
