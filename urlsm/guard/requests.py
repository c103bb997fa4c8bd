"""requests behind a policy: with session(policy) as s: s.get(url)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import requests
import urllib3
from requests import adapters

from urlsm.guard import policy as _policy
from urlsm.guard import urllib3 as _below
from urlsm.guard.exchange import CODINGS, kept, origin_of
from urlsm.guard.policy import Policy, refusal
from urlsm.guard.sockets import within
from urlsm.guard.versions import require_tried
from urlsm.url.value import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ssl
    from typing import Any

__all__ = ["Refused", "session"]


class Refused(_policy.Refused, requests.exceptions.ConnectionError):
    """The guard refused; a requests.exceptions.ConnectionError, with .verdict."""


@contextmanager
def _translated(response: requests.Response | None = None) -> Iterator[None]:
    """Within this, a refusal of urllib3's guard, which urllib3 does not take for an error of the network, becomes
    ours."""
    try:
        yield
    except _below.Refused as error:
        if response is not None:
            response.close()
        refused = Refused(*error.args)
        refused.verdict = error.verdict
        raise refused from None


class _Response(requests.Response):
    def iter_content(self, *given: Any, **options: Any) -> Iterator[Any]:
        with _translated(self):
            yield from super().iter_content(*given, **options)


class _Adapter(adapters.HTTPAdapter):
    def __init__(self, policy: Policy, context: ssl.SSLContext | None, **options: Any) -> None:
        self._policy, self._context = policy, context
        super().__init__(**options)

    def init_poolmanager(self, connections: int, maxsize: int, block: bool = False, **options: Any) -> None:
        if self._context is not None:
            options["ssl_context"] = self._context
        self.poolmanager = _below._Manager(self._policy, num_pools=connections, maxsize=maxsize, block=block, **options)

    def cert_verify(self, conn: Any, *given: Any, **options: Any) -> None:
        if self._context is None:  # or else it would get certifi's authorities besides
            super().cert_verify(conn, *given, **options)

    def proxy_manager_for(self, *given: Any, **options: Any) -> Any:
        self._policy.refuse(_below.Refused, refusal("proxy"), "")

    def build_response(self, req: Any, resp: Any) -> requests.Response:
        response = super().build_response(req, resp)
        response.__class__ = _Response
        return response


class _Session(requests.Session):
    def __init__(self, policy: Policy, context: ssl.SSLContext | None, **options: Any) -> None:
        super().__init__()
        self.trust_env = False  # no proxies of the environment, and no passwords of .netrc
        self.max_redirects = policy.redirects + 1  # the policy counts
        self.headers["Accept-Encoding"] = CODINGS
        self._policy = policy
        self.adapters.clear()
        adapter = _Adapter(policy, context, **options)
        for scheme in policy.schemes:
            super().mount(f"{scheme}://", adapter)

    def mount(self, prefix: str, adapter: Any) -> None:
        if getattr(self, "_policy", None) is not None:
            raise ValueError("another adapter would open URLs that the policy did not judge")
        super().mount(prefix, adapter)

    def request(self, method: Any, url: Any, *given: Any, **options: Any) -> requests.Response:
        with _translated(), within(self._policy, _below.Refused) as exchange:
            return super().request(method, exchange.judged(url).href, *given, **options)

    def send(self, request: requests.PreparedRequest, **options: Any) -> requests.Response:
        """Send a request, and follow its redirects. Refused: the policy does not allow it."""
        with _translated(), within(self._policy, _below.Refused) as exchange:
            if any((options.get("proxies") or {}).values()) or any(self.proxies.values()):
                exchange.url = request.url or ""
                exchange.refuse("proxy")
            request.url = exchange.judged(request.url or "").href
            return super().send(request, **options)

    def resolve_redirects(self, resp: Any, req: Any, *given: Any, yield_requests: bool = False, **options: Any) -> Any:
        if yield_requests:  # for Response.next, which nobody judges
            return iter(())
        return super().resolve_redirects(resp, req, *given, **options)

    def get_redirect_target(self, resp: requests.Response) -> str | None:
        target = super().get_redirect_target(resp)
        if target is not None:
            with _translated(resp), within(self._policy, _below.Refused) as exchange:
                target = exchange.redirected(resp.url, resp.headers["location"]).href
        return target

    def rebuild_auth(self, prepared_request: requests.PreparedRequest, response: requests.Response) -> None:
        """Drop the credentials of a redirect to another origin. The jar has set its cookies anew, but also those of no
        host, as cookies={...} makes them."""
        request: Any = prepared_request
        first, new = parse((response.history or [response])[0].url), parse(request.url)
        fields = request.headers
        keep = kept(fields, parse(response.url), new)
        for name in [name for name in fields if name not in keep]:
            del fields[name]
        if origin_of(first) != origin_of(new):
            jar = requests.cookies.RequestsCookieJar()
            for cookie in request._cookies:
                if cookie.domain:
                    jar.set_cookie(cookie)
            fields.pop("Cookie", None)
            request.prepare_cookies(jar)


def session(
    policy: Policy, *, untried: str = "raise", context: ssl.SSLContext | None = None, **options: Any
) -> _Session:
    """Return a Session of requests that asks only what a policy allows.

    Args:
        policy: what is allowed. untried: "warn" takes versions that were not tried, with a warning.
        context: for https, instead of verify= and cert=.
        options: of requests.adapters.HTTPAdapter.

    Raises:
        RuntimeError: this version of requests or urllib3 was not tried.
    """
    require_tried(untried, ("requests", requests.__version__), ("urllib3", urllib3.__version__))
    return _Session(policy, context, **options)
