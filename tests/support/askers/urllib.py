from __future__ import annotations

import urllib.request
from http.client import HTTPException
from urllib.error import HTTPError

from support.askers import Answer
from urlsm import guard


class Asker:
    codings = ()  # its answers are as they were sent
    refused, error = guard.BlockedError, (OSError, HTTPException)  # those of http.client are not OSError

    def __init__(self, policy, context=None):
        self.opener = guard.urllib_opener(policy, urllib.request.HTTPCookieProcessor(), context=context)

    def ask(self, url, method="GET", headers=None, body=None, timeout=None):
        plain = method == "GET" and not headers and body is None
        asked = url if plain else urllib.request.Request(url, body, headers or {}, method=method)
        try:
            with self.opener.open(asked, timeout=timeout) as answer:
                return Answer(answer.status, answer.read(), answer.url)
        except HTTPError as error:
            with error:
                return Answer(error.code, error.read(), error.url)

    def close(self):
        self.opener.close()
