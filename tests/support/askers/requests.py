from __future__ import annotations

import requests

from support.askers import Answer
from urlsm import guard


class Asker:
    refused, error = guard.BlockedError, requests.RequestException

    def __init__(self, policy, context=None):
        self.session = guard.requests_session(policy, context=context)

    def ask(self, url, method="GET", headers=None, body=None, timeout=None):
        answer = self.session.request(method, url, headers=headers, data=body, timeout=timeout)
        return Answer(answer.status_code, answer.content, answer.url)

    def close(self):
        self.session.close()
