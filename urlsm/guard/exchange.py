"""The limits on one call of a client: the number of redirects, the time, and the size of the response."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from time import monotonic

from urlsm.errors import ParseError
from urlsm.guard.lookups import look_up
from urlsm.guard.policy import PORTS, BlockedError, Policy, refusal
from urlsm.url.value import URL, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from http.cookiejar import CookieJar
    from typing import Any, NoReturn

    from urlsm.security.verdict import Verdict
    from urlsm.url.value import StrOrURL

__all__ = [
    "CODINGS",
    "REDIRECTS",
    "Decoder",
    "Exchange",
    "method_changes",
    "origin_of",
    "stay_inside",
    "translating",
]

REDIRECTS = frozenset((301, 302, 303, 307, 308))
CODINGS = "gzip, deflate"  # the content codings that Decoder decodes within the limits
_STEPS = 3  # one answer may have at most this many codings, applied one after another
_PIECE = 4096  # at most this many octets are decoded at once
_UNBOUNDED = frozenset(("br", "zstd", "compress", "x-compress"))
_CONTENT = frozenset(
    ("content-encoding", "content-language", "content-length", "content-location", "content-type", "expect",
     "transfer-encoding")
)  # fmt: skip
# the only fields that a request to another origin keeps, because any other may hold credentials
_KEPT = frozenset(
    ("accept", "accept-encoding", "accept-language", "cache-control", "connection", "content-encoding",
    "content-language",
     "content-length", "content-type", "expect", "pragma", "range", "transfer-encoding", "user-agent")
)  # fmt: skip


def origin_of(url: URL) -> tuple[str, str | None, int]:
    """Return the origin of a URL: scheme, host and port."""
    return url.scheme, url.host, PORTS.get(url.scheme, 0) if url.port is None else url.port


def method_changes(method: str, status: int) -> bool:
    """Return whether a redirect is followed with GET, without the content of the request (RFC 9110 section 15.4)."""
    return (status == 303 and method not in ("GET", "HEAD")) or (status in (301, 302) and method == "POST")


def stay_inside(options: Mapping[str, Any], past: Iterable[str]) -> None:
    """Raise TypeError if an option that would bypass the policy is set. past: the names of such options."""
    for name in past:
        if options.get(name):
            raise TypeError(f"{name} would bypass the policy")


@contextmanager
def translating(old: type[BlockedError], new: type[BlockedError], *answers: Any) -> Iterator[None]:
    """A context manager that replaces an exception of class `old` with one of class `new`. If such an exception occurs,
    the responses are closed."""
    try:
        yield
    except old as error:
        for answer in answers:
            answer.close()
        refused = new(*error.args)
        refused.verdict = error.verdict
        raise refused from None


class Exchange:
    """One call of a client: a request, and the requests that its redirects lead to.

    Args:
        policy: the Policy to enforce. error: the client's subclass of BlockedError.
    """

    __slots__ = ("_first", "_origin", "_start", "crossed", "error", "first", "hops", "jar", "policy", "sent", "url")

    policy: Policy
    error: type[BlockedError]
    hops: int
    crossed: bool

    def __init__(self, policy: Policy, error: type[BlockedError]) -> None:
        self.policy, self.error = policy, error
        self.hops = 0
        self.crossed = False  # whether a redirect has left the first origin; stays True even if another one leads back
        self.url: StrOrURL = ""
        self.first: tuple[str, str | None, int] | None = None  # the origin that the program requested
        self.jar: CookieJar | None = None  # the jar of the client, with cookies for other origins
        self._origin: tuple[str, str | None, int] | None = None  # the origin of the last URL
        self.sent: int | None = None  # octets that arrived after the header, chunk framing included; None: not counted
        self._start = monotonic()
        self._first: float | None = None  # the time by which the header of the answer must have arrived

    def refuse(self, code: str) -> NoReturn:
        self.policy._refuse(self.error, refusal(code), self.url)

    def judge(self, url: StrOrURL) -> URL:
        """Return a URL in normal form, if the policy allows requests to it; otherwise raise BlockedError."""
        self.url = url
        verdict = self.policy.check(url)
        if not verdict.allowed:
            self.policy._refuse(self.error, verdict, url)
        read = parse(url)
        self._origin = origin_of(read)
        self.first = self.first or self._origin
        return read

    def authority(self) -> str:
        """Return the authority of the most recently checked URL, in normal form."""
        _, host, port = self._origin or ("", "", 0)
        return f"{host}:{port}"

    def port(self, port: int) -> int:
        """Return the port to connect to: the given port, or the proxy's port if there is a proxy."""
        return port if self.policy.proxy is None else self.policy.proxy.port

    def judge_origin(self, scheme: str, host: str, port: int) -> str:
        """Check the origin of a connection, unless the most recently checked URL has the same origin. Return its host,
        in normal form and without brackets."""
        bare = host.strip("[]")
        host = f"[{bare}]" if ":" in bare else bare
        if self._origin != (scheme, host, port):
            bare = (self.judge(f"{scheme}://{host}:{port}/").host or "").strip("[]")
        return bare

    def follow(self, url: StrOrURL, location: str | bytes) -> URL:
        """Return the URL that a redirect leads to, without any credentials.

        location: the value of the Location field, as URL.join_location accepts it. It must be bytes if the client
        decodes fields as UTF-8, not byte by byte."""
        self.hops += 1
        if self.hops > self.policy.max_redirects:
            self.refuse("too-many-redirects")
        old = parse(url)
        try:
            target = old.join_location(location)
        except ParseError:
            self.url = ""
            self.refuse("not-a-url")
        self.note_redirect(old, target)
        return self.judge(target.without_credentials().href)

    def note_redirect(self, old: URL, new: URL) -> None:
        """Record that a redirect leads from one URL to another."""
        self.crossed = self.crossed or origin_of(new) != (self.first or origin_of(old))

    def kept_fields(self, names: Iterable[str], *, content: bool = True) -> list[str]:
        """Return the names of the fields that a request keeps after a redirect. If the request loses its content, it
        also loses the fields that describe the content. If the redirect leads to another origin, the request loses all
        fields that may contain credentials, even fields that a hook has added. A client with a cookie jar also leaves
        out "cookie", and gets the cookies from the jar."""
        found = []
        for name in names:
            low = name.lower()
            if (low in _KEPT if self.crossed else low != "host") and (content or low not in _CONTENT):
                found.append(name)
        return found

    # --- time ----------------------------------------------------------------------------------------

    def start_request(self) -> None:
        """Record that a request is about to be sent."""
        self.sent = None
        self._first = None if self.policy.header_timeout is None else monotonic() + self.policy.header_timeout

    def note_header(self) -> None:
        """Record that the header of the response has arrived."""
        self._first = None

    def seconds_left(self, seconds: float | None = None) -> float | None:
        """Return the number of seconds that one step may take, or None if there is no limit. seconds: the client's own
        limit. Raises BlockedError if no time is left."""
        ends = [
            end
            for end in (self._first, self.policy.total_timeout and self._start + self.policy.total_timeout)
            if end is not None
        ]
        if not ends:
            return seconds
        left = min(ends) - monotonic()
        if left <= 0:
            self.refuse("too-slow")
        return left if seconds is None else min(left, seconds)

    @contextmanager
    def step(self, seconds: float | None, *timeouts: type[Exception]) -> Iterator[float | None]:
        """A context manager for one step of the call. It yields the number of seconds that the step may take. If one of
        the exceptions in `timeouts` is raised when no time is left, it becomes a BlockedError."""
        try:
            yield self.seconds_left(seconds)
        except timeouts:
            self.seconds_left()
            raise

    # --- addresses -----------------------------------------------------------------------------------

    def addresses(self, host: str, seconds: float | None = None) -> tuple[str, ...]:
        """Return the addresses to connect to: the addresses of the host (given without brackets), or of the proxy if
        there is one. Raises BlockedError if there are none.

        Raises:
            TimeoutError: the resolver takes longer than the client allows. OSError: the resolver finds no address
            (socket.gaierror).
        """
        with self.step(seconds, TimeoutError) as left:
            asked = host if self.policy.proxy is None else self.policy.proxy.host
            return self._addresses_of(look_up(partial(self.policy._reached, host), asked, left))

    async def aaddresses(self, host: str, seconds: float | None = None) -> tuple[str, ...]:
        """The async version of addresses(), for the running asyncio event loop."""
        import asyncio

        with self.step(seconds, TimeoutError, asyncio.TimeoutError) as left:  # both are one class since Python 3.11
            return self._addresses_of(await asyncio.wait_for(self.policy._areached(host), left))

    def _addresses_of(self, verdict: Verdict) -> tuple[str, ...]:
        if not verdict:
            self.policy._refuse(self.error, verdict, self.url)
        return verdict.addresses

    # --- size ----------------------------------------------------------------------------------------

    def check_length(self, length: str | int | None) -> None:
        """Reject a response that has content if its Content-Length is too large."""
        digits = str(length).strip()
        if digits.isdecimal() and digits.isascii():
            self.check_size(int(digits[:20]))

    def check_size(self, octets: int) -> None:
        """Reject a response if its content, as sent, has too many bytes. Chunk sizes and chunk extensions are
        included."""
        if self.policy.max_bytes is not None and octets > self.policy.max_bytes:
            self.refuse("too-large")

    def count(self, octets: int) -> None:
        """Count the bytes that a connection has received: the content, and chunk extensions, which no client
        reports."""
        if self.sent is not None:
            self.sent += octets
            self.check_size(self.sent)

    def decoder(self, coding: str | None) -> Decoder | None:
        """Return the decoder for the content, or None if the content is not encoded or uses only unknown codings."""
        names = [name.strip().lower() for name in (coding or "").split(",")]
        steps = [name for name in names if name in ("gzip", "x-gzip", "deflate") or name in _UNBOUNDED]
        if len(steps) > _STEPS:
            self.refuse("coding")
        return Decoder(self, steps) if steps else None


class Decoder:
    """A decoder for gzip and deflate. It raises an error as soon as one coding has produced more bytes than the
    policy's max_decoded_bytes. It has the same methods as the decoders of httpx and urllib3."""

    has_unconsumed_tail = False

    def __init__(self, exchange: Exchange, names: list[str]) -> None:
        self._exchange = exchange
        self._names = names[::-1]
        self._inflaters: list[Any] = [None] * len(names)
        self._made = [0] * len(names)

    def decode(self, data: bytes) -> bytes:
        """Decode the next bytes. Raises zlib.error if `data` is not valid in this coding."""
        for step, name in enumerate(self._names):
            if name in _UNBOUNDED and data:
                self._exchange.refuse("coding")
            # data are decoded in pieces, because zlib copies all octets after a member of gzip, and a hostile server
            # may send many small members
            data = b"".join([self._inflate(step, data[at : at + _PIECE]) for at in range(0, len(data), _PIECE)])
        return data

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        return self.decode(data)

    def flush(self) -> bytes:
        return b""

    def _inflate(self, step: int, data: bytes) -> bytes:
        found = []
        limit = self._exchange.policy.max_decoded_bytes
        while data:
            inflater = self._inflaters[step]
            if inflater is None or inflater.eof:  # another member of gzip may follow, or padding
                if inflater is not None and (self._names[step] == "deflate" or data[:1] != b"\x1f"):
                    break
                self._exchange.seconds_left()
                inflater = self._inflaters[step] = zlib.decompressobj(_window(self._names[step], data[0]))
            made = inflater.decompress(data, 0 if limit is None else limit - self._made[step] + 1)
            self._made[step] += len(made)
            if limit is not None and self._made[step] > limit:
                self._exchange.refuse("too-large-decoded")
            found.append(made)
            data = inflater.unused_data or inflater.unconsumed_tail
        return b"".join(found)


def _window(name: str, first: int) -> int:
    """Return the wbits for zlib. deflate content begins with the header of zlib, whose first byte ends in the
    hexadecimal digit 8; some servers send it without the header."""
    if name != "deflate":
        return 16 + zlib.MAX_WBITS
    return zlib.MAX_WBITS if first & 0x0F == 8 else -zlib.MAX_WBITS
