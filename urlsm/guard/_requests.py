"""requests with a policy: with requests_session(policy) as session: session.get(url)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import requests
import urllib3

from urlsm.guard import _urllib3 as _below
from urlsm.guard import policy as _policy
from urlsm.guard.cookies import SuffixPolicy, cookies_of_host
from urlsm.guard.exchange import CODINGS, Exchange, origin_of, translating
from urlsm.guard.policy import Policy, checked_policy
from urlsm.guard.sockets import as_current, exchange_of, within
from urlsm.guard.versions import require_tested
from urlsm.url.value import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ssl
    from typing import Any

__all__ = ["BlockedError", "RequestsAdapter", "requests_session"]


class BlockedError(_policy.BlockedError, requests.exceptions.ConnectionError):
    """A BlockedError that is a requests.exceptions.ConnectionError."""


# within urllib3, _below.BlockedError is raised: urllib3 would retry after this module's BlockedError, an OSError
_ours = partial(translating, _below.BlockedError, BlockedError)


class _Response(requests.Response):
    def iter_content(self, *given: Any, **options: Any) -> Iterator[Any]:
        with _ours(self):
            yield from super().iter_content(*given, **options)


class RequestsAdapter(requests.adapters.HTTPAdapter):
    """An adapter for your own requests.Session that connects only to servers that a policy allows.

    The session still follows redirects according to its own rules. Prefer requests_session(), which checks redirects.

    Args:
        policy: the Policy to enforce.
        allow_untested: whether to accept an untested version of requests or urllib3, with a warning.
        context: the TLS context for https, instead of the session's `verify` and `cert`.
        options: options for requests.adapters.HTTPAdapter.

    Raises:
        RuntimeError: this version of requests or urllib3 has not been tested.

    Example:
        >>> import requests
        >>> session = requests.Session()
        >>> session.mount("https://", RequestsAdapter(Policy()))
    """

    __attrs__: Any = (*requests.adapters.HTTPAdapter.__attrs__, "_policy", "_context")  # attributes that copies keep

    def __init__(self, policy: Policy, *, allow_untested: bool = False, context: Any = None, **options: Any) -> None:
        require_tested(allow_untested, requests, urllib3)
        self._policy, self._context = checked_policy(policy), context
        super().__init__(**options)

    def init_poolmanager(self, connections: int, maxsize: int, block: bool = False, **options: Any) -> None:
        options |= {} if self._context is None else {"ssl_context": self._context}
        self.poolmanager = _below._Manager(self._policy, num_pools=connections, maxsize=maxsize, block=block, **options)

    def cert_verify(self, conn: Any, *given: Any, **options: Any) -> None:
        if self._context is None:  # to a context that the program gave, requests would add the authorities of certifi
            super().cert_verify(conn, *given, **options)

    def proxy_manager_for(self, *given: Any, **options: Any) -> Any:
        exchange_of(self._policy, _below.BlockedError).refuse("proxy")

    def build_response(self, req: Any, resp: Any) -> requests.Response:
        response = super().build_response(req, resp)
        response.__class__ = _Response
        return response

    def send(self, request: requests.PreparedRequest, *given: Any, **options: Any) -> requests.Response:
        with _ours(), within(self._policy, _below.BlockedError) as exchange:
            request.url = exchange.judge(request.url or "").href
            if exchange.crossed:  # hooks may have added credentials, as HTTPDigestAuth's does after a 401
                _strip(exchange, request)
            return super().send(request, *given, **options)


def _strip(exchange: Exchange, request: Any) -> None:
    """Remove the credentials from a request whose origin is not the one that the program requested."""
    for name in {*request.headers}.difference(exchange.kept_fields(request.headers)):
        del request.headers[name]
    if (cookies := cookies_of_host([request._cookies], request.url)) is not None:
        request.headers["Cookie"] = cookies


class _Session(requests.Session):
    __attrs__: Any = (*requests.Session.__attrs__, "_policy")

    def __init__(self, policy: Policy, adapter: RequestsAdapter) -> None:
        super().__init__()
        self.trust_env = False  # no proxies of the environment, and no passwords of .netrc
        self.max_redirects: int = policy.max_redirects + 1  # so that the exchange refuses before requests does
        self.headers["Accept-Encoding"] = CODINGS
        self.cookies.set_policy(SuffixPolicy())
        self._policy = policy
        self.adapters: Any = dict.fromkeys(("https://", "http://"), adapter)

    def mount(self, prefix: str, adapter: Any) -> None:
        if hasattr(self, "_policy"):
            raise ValueError("another adapter would open URLs that the policy has not checked")
        super().mount(prefix, adapter)

    def request(self, method: Any, url: Any, *given: Any, **options: Any) -> requests.Response:
        # a new exchange, because a hook may call this within another call
        with _ours(), as_current(Exchange(self._policy, _below.BlockedError)) as exchange:
            return super().request(method, exchange.judge(url).href, *given, **options)

    def send(self, request: requests.PreparedRequest, **options: Any) -> requests.Response:
        with _ours(), within(self._policy, _below.BlockedError, request.url or ""):
            return super().send(request, **options)

    def resolve_redirects(self, resp: Any, req: Any, *given: Any, yield_requests: bool = False, **options: Any) -> Any:
        if yield_requests:  # requests asks for Response.next, whose URL would not be judged: so there is none
            return iter(())
        return self._follow(resp, super().resolve_redirects(resp, req, *given, **options))

    def _follow(self, resp: requests.Response, answers: Iterator[requests.Response]) -> Iterator[requests.Response]:
        """Yield the responses to which redirects lead. They belong to one exchange, even if the program follows each
        redirect itself."""
        exchange = exchange_of(self._policy, _below.BlockedError)
        if exchange.first is None:
            origins = [origin_of(parse(each.url)) for each in (*resp.history, resp)]
            chain = getattr(resp, "_chain", (origins[0], len({*origins}) > 1))
            exchange.first, exchange.crossed = chain
        while True:
            with as_current(exchange):
                answer = next(answers, None)
            if answer is None:
                return
            vars(answer)["_chain"] = exchange.first, exchange.crossed  # for programs that follow redirects themselves
            yield answer

    def get_redirect_target(self, resp: requests.Response) -> str | None:
        if not resp.is_redirect:
            return None
        with _ours(resp), within(self._policy, _below.BlockedError) as exchange:
            return exchange.follow(resp.url, resp.headers["location"]).href

    def rebuild_auth(self, request: Any, response: Any) -> None:
        # only Host is removed here: the adapter removes credentials, and .netrc is not read
        request.headers.pop("Host", None)


def requests_session(
    policy: Policy, *, allow_untested: bool = False, context: ssl.SSLContext | None = None, **options: Any
) -> _Session:
    """Return a requests.Session that requests only URLs that a policy allows.

    Args:
        policy: the Policy to enforce.
        allow_untested: whether to accept an untested version of requests or urllib3, with a warning.
        context: the TLS context for https, instead of `verify` and `cert`.
        options: options for requests.adapters.HTTPAdapter.

    Raises:
        RuntimeError: this version of requests or urllib3 has not been tested.

    Example:
        >>> with requests_session(Policy()) as session:
        ...     try:
        ...         session.get("http://127.0.0.1/")
        ...     except BlockedError as blocked:
        ...         blocked.verdict.codes
        ('loopback-address',)
    """
    return _Session(policy, RequestsAdapter(policy, allow_untested=allow_untested, context=context, **options))


RequestsAdapter.__module__ = requests_session.__module__ = "urlsm.guard"
