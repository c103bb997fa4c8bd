"""urllib3 with a policy: pool_manager(policy).request("GET", url)."""

from __future__ import annotations

import socket

import urllib3
from urllib3 import connection, connectionpool, exceptions
from urllib3.util.retry import Retry

from urlsm.guard import policy as _policy
from urlsm.guard.exchange import CODINGS, REDIRECTS, method_changes, translating
from urlsm.guard.policy import Policy, checked_policy, refusal
from urlsm.guard.sockets import Guarded, within
from urlsm.guard.versions import require_tested

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["BlockedError", "urllib3_pool"]

_PROXY = {"proxy", "_proxy", "_proxy_config", "_proxy_headers"}


class BlockedError(_policy.BlockedError, exceptions.HTTPError):
    """A BlockedError that is a urllib3.exceptions.HTTPError."""


class _HTTP(Guarded, connection.HTTPConnection):
    error = BlockedError

    def _new_conn(self) -> socket.socket:  # the one place where urllib3 connects
        try:
            return self.guarded_socket(self.timeout, self.source_address, self.socket_options)
        except socket.gaierror as error:
            raise exceptions.NameResolutionError(self.host, self, error) from error
        except TimeoutError as error:
            raise exceptions.ConnectTimeoutError(self, f"connecting to {self.host} took too long") from error
        except OSError as error:
            raise exceptions.NewConnectionError(self, f"cannot connect: {error}") from error

    def getresponse(self) -> Any:
        options: Any = self._response_options
        if options is not None:  # the content must not be read before the decoder has its limits
            self._response_options = options._replace(preload_content=False)
        metered = self.sock
        answer: Any = super().getresponse()
        with translating(BlockedError, BlockedError, answer):
            answer._decoder = metered.exchange.decoder(answer.headers.get("content-encoding"))
            if options is not None and options.preload_content:
                _ = answer.data
        return answer


class _HTTPS(_HTTP, connection.HTTPSConnection):
    guarded_scheme = "https"


class _Pool(connectionpool.HTTPConnectionPool):
    def urlopen(self, method: str, url: str, *given: Any, **options: Any) -> Any:
        """Send a request without following redirects. The Retry-After header is ignored, because a server could make
        the client wait for a day."""
        options.update(zip(("body", "headers", "retries", "redirect", "assert_same_host"), given, strict=False))
        retries = Retry.from_int(options.get("retries"), default=self.retries)
        options["retries"] = retries.new(respect_retry_after_header=False, redirect=False)
        return super().urlopen(method, url, **{**options, "redirect": False})


class _Manager(urllib3.PoolManager):
    def __init__(self, policy: Policy, **options: Any) -> None:
        if names := _PROXY & options.keys():
            raise TypeError(f"{min(names)} would bypass the policy")
        self.policy = checked_policy(policy)
        super().__init__(**options)
        kinds = ((connectionpool.HTTPConnectionPool, _HTTP), (connectionpool.HTTPSConnectionPool, _HTTPS))
        self.pool_classes_by_scheme = {
            kind.guarded_scheme: type(pool.__name__, (_Pool, pool), {"ConnectionCls": kind.under(policy)})
            for pool, kind in kinds
        }

    def connection_from_context(self, request_context: dict[str, Any]) -> Any:
        if any(request_context.get(name) for name in _PROXY):
            self.policy._refuse(BlockedError, refusal("proxy"), "")
        return super().connection_from_context(request_context)

    def urlopen(self, method: str, url: str, redirect: bool = True, **kw: Any) -> Any:  # type: ignore[override]
        """Send a request, and follow its redirects. Raises BlockedError if the policy does not allow a URL or a
        response."""
        kw.pop("assert_same_host", None)
        fields = urllib3.HTTPHeaderDict(kw.pop("headers", None) or self.headers)
        fields.setdefault("Accept-Encoding", CODINGS)
        with within(self.policy, BlockedError) as exchange:
            target = exchange.judge(url)
            while True:
                pool = self.connection_from_host(target.host, port=target.port, scheme=target.scheme)
                answer: Any = pool.urlopen(method, target.request_target, headers=fields, **kw)
                answer.url = target.without_credentials().href
                location = answer.headers.get("Location")
                if not redirect or location is None or answer.status not in REDIRECTS:
                    return answer
                answer.drain_conn()
                target = exchange.follow(target, location)
                if changed := method_changes(method, answer.status):
                    method, kw["body"], kw["chunked"] = "GET", None, False
                names = exchange.kept_fields(fields, content=not changed)
                fields = urllib3.HTTPHeaderDict([(name, fields[name]) for name in names])


def urllib3_pool(policy: Policy, *, allow_untested: bool = False, **options: Any) -> urllib3.PoolManager:
    """Return a urllib3.PoolManager that requests only URLs that a policy allows.

    Args:
        policy: the Policy to enforce.
        allow_untested: whether to accept an untested version of urllib3, with a warning.
        options: options for urllib3.PoolManager.

    Raises:
        RuntimeError: this version of urllib3 has not been tested.
        TypeError: an option would bypass the policy.

    Example:
        >>> pool = urllib3_pool(Policy())
        >>> try:
        ...     pool.request("GET", "http://127.0.0.1/")
        ... except BlockedError as blocked:
        ...     blocked.verdict.codes
        ('loopback-address',)
    """
    require_tested(allow_untested, urllib3)
    return _Manager(policy, **options)


urllib3_pool.__module__ = "urlsm.guard"
