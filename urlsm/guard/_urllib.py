"""urllib.request with a policy: opener(policy).open(url)."""

from __future__ import annotations

import copy
import http.client
import ssl
import urllib.request
from email.message import Message
from urllib.error import URLError

from urlsm.guard import policy as _policy
from urlsm.guard.cookies import cookies_of_host
from urlsm.guard.exchange import REDIRECTS, Exchange, method_changes
from urlsm.guard.policy import Policy, checked_policy, refusal
from urlsm.guard.sockets import Guarded, exchange_of, within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

__all__ = ["BlockedError", "urllib_opener"]

_OURS = {f"http_error_{status}" for status in REDIRECTS}


class BlockedError(_policy.BlockedError, URLError):
    """A BlockedError that is a urllib.error.URLError."""


class _HTTP(Guarded, http.client.HTTPConnection):
    error = BlockedError

    def connect(self) -> None:
        self._create_connection = lambda _, timeout, source: self.guarded_socket(timeout, source)
        super().connect()


class _HTTPS(_HTTP, http.client.HTTPSConnection):
    guarded_scheme = "https"


def _without_credentials(
    exchange: Exchange, req: urllib.request.Request, handlers: Iterable[Any]
) -> urllib.request.Request:
    """Return a copy of a request without credentials, for an origin other than the one that the program requested. The
    request itself must not change: authentication handlers look in it to see whether they have already added
    credentials."""
    sent = copy.copy(req)
    names = {*exchange.kept_fields(dict(req.header_items()))}
    sent.headers, sent.unredirected_hdrs = (
        {name: value for name, value in fields.items() if name in names}
        for fields in (req.headers, req.unredirected_hdrs)
    )
    sent.unredirected_hdrs["Host"] = req.host
    jars = [each.cookiejar for each in handlers if isinstance(each, urllib.request.HTTPCookieProcessor)]
    if (cookies := cookies_of_host(jars, req.full_url)) is not None:
        sent.unredirected_hdrs["Cookie"] = cookies
    return sent


class _Handler(urllib.request.AbstractHTTPHandler):
    parent: Any

    def __init__(self, policy: Policy, context: ssl.SSLContext | None) -> None:
        super().__init__()
        self._http, self._https, self._context = _HTTP.under(policy), _HTTPS.under(policy), context

    def http_open(self, req: urllib.request.Request) -> Any:
        if secure := req.type == "https":  # all requests share a context: to make one reads the certificates, slowly
            self._context = self._context or ssl.create_default_context()
        try:
            kind: Any = self._https if secure else self._http
            exchange = exchange_of(kind.policy, BlockedError)
            if exchange.crossed:  # addheaders or a handler may have added credentials
                req = _without_credentials(exchange, req, self.parent.handlers)
            return self.do_open(kind, req, **({"context": self._context} if secure else {}))
        except URLError as error:
            if isinstance(error.reason, BlockedError):
                raise error.reason from None
            raise

    https_open = http_open
    http_request = https_request = urllib.request.AbstractHTTPHandler.do_request_


class _Redirects(urllib.request.BaseHandler):
    parent: Any

    def http_error_302(self, req: urllib.request.Request, fp: Any, code: int, msg: str, headers: Message) -> Any:
        if (location := headers.get("Location")) is None:
            return None  # the answer becomes an HTTPError
        fp.close()
        with within(self.parent.policy, BlockedError) as exchange:
            new = exchange.follow(req.full_url, location)
            changed = method_changes(req.get_method(), code)
            fields = {name: req.headers[name] for name in exchange.kept_fields(req.headers, content=not changed)}
            data, method = (None, "GET") if changed else (req.data, req.get_method())
            again = urllib.request.Request(new.href, data, fields, req.origin_req_host, True, method)
            return self.parent.open(again, timeout=req.timeout)

    http_error_301 = http_error_303 = http_error_307 = http_error_308 = http_error_302


class _Opener(urllib.request.OpenerDirector):
    def __init__(self, policy: Policy, context: ssl.SSLContext | None, handlers: Iterable[Any]) -> None:
        super().__init__()
        self.policy = checked_policy(policy)
        for kind in (urllib.request.HTTPDefaultErrorHandler, urllib.request.HTTPErrorProcessor, _Redirects):
            super().add_handler(kind())
        super().add_handler(_Handler(policy, context))
        for handler in handlers:
            self.add_handler(handler)

    def add_handler(self, handler: urllib.request.BaseHandler) -> None:
        """Add a handler that does not open URLs itself, such as one for cookies or authentication."""
        if any(name.endswith("_open") or name in _OURS for name in dir(handler)):
            raise ValueError(f"{type(handler).__name__} would open URLs that the policy has not checked")
        super().add_handler(handler)

    def open(self, fullurl: Any, data: Any = None, timeout: Any = None) -> Any:
        """Open a URL or a Request, as OpenerDirector.open does. Raises BlockedError if the policy does not allow it."""
        asked = fullurl if isinstance(fullurl, urllib.request.Request) else None
        with within(self.policy, BlockedError, fullurl if asked is None else asked.full_url) as exchange:
            if asked is not None and (asked.has_proxy() or getattr(asked, "_tunnel_host", None)):
                self.policy._refuse(BlockedError, refusal("proxy"), asked.full_url)
            # http.client would read credentials as part of the host
            href = exchange.judge(fullurl if asked is None else asked.full_url).without_credentials().href
            asked = asked or urllib.request.Request(href, data)
            asked.full_url = href
            return super().open(asked, data, exchange.seconds_left() if timeout is None else timeout)


def urllib_opener(
    policy: Policy, *handlers: urllib.request.BaseHandler, context: ssl.SSLContext | None = None
) -> _Opener:
    """Return a urllib.request.OpenerDirector that opens only http and https URLs that a policy allows.

    Args:
        policy: the Policy to enforce.
        handlers: additional handlers that do not open URLs themselves, such as HTTPCookieProcessor.
        context: the TLS context for https.

    Raises:
        ValueError: a handler opens URLs itself (such as FileHandler, FTPHandler or ProxyHandler) or follows redirects.

    Example:
        >>> opener = urllib_opener(Policy())
        >>> try:
        ...     opener.open("http://127.0.0.1/")
        ... except BlockedError as blocked:
        ...     blocked.verdict.codes
        ('loopback-address',)
    """
    return _Opener(policy, context, handlers)


urllib_opener.__module__ = "urlsm.guard"
