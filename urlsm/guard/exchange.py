"""What one call of a client may do: its redirects, its time, and the size of its answer."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from time import monotonic

from urlsm.guard.policy import PORTS, Policy, Refused, refusal
from urlsm.url.value import URL, parse, try_parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from urlsm.url.value import StrOrURL

__all__ = ["CODINGS", "REDIRECTS", "Decoder", "Exchange", "kept", "origin_of"]

REDIRECTS = frozenset((301, 302, 303, 307, 308))
CODINGS = "gzip, deflate"  # the content codings that Decoder decodes in bounds
_GZIP = 16 + zlib.MAX_WBITS
_UNBOUNDED = frozenset(("br", "zstd", "compress", "x-compress"))
# the fields of a request that tell another origin nothing but what the client wants: no credentials, in whatever field
_KEPT = frozenset(
    ("accept", "accept-encoding", "accept-language", "cache-control", "connection", "content-encoding", "content-language",
     "content-length", "content-type", "expect", "pragma", "range", "transfer-encoding", "user-agent")
)  # fmt: skip


def origin_of(url: URL) -> tuple[str, str | None, int]:
    """Return scheme, host and port."""
    return url.scheme, url.host, PORTS.get(url.scheme, 0) if url.port is None else url.port


def kept(names: Iterable[str], old: URL, new: URL) -> list[str]:
    """Return the names of the fields of a request that follow a redirect: to another origin, those without credentials."""
    if origin_of(old) == origin_of(new):
        return [name for name in names if name.lower() not in ("cookie", "host")]
    return [name for name in names if name.lower() in _KEPT]


class Exchange:
    """A call of a client: one request, and those of its redirects.

    Args:
        policy: what is allowed. error: the client's class of Refused.
    """

    __slots__ = ("_first", "_start", "error", "hops", "policy", "url")

    def __init__(self, policy: Policy, error: type[Refused]) -> None:
        self.policy, self.error = policy, error
        self.hops = 0
        self.url: StrOrURL = ""
        self._start = monotonic()
        self._first: float | None = None  # when the header of the answer has to be there

    def refuse(self, code: str) -> NoReturn:
        self.policy.refuse(self.error, refusal(code), self.url)

    def judged(self, url: StrOrURL) -> URL:
        """Return a URL that may be asked, in normal form."""
        self.url = url
        verdict = self.policy.check(url)
        if not verdict.allowed:
            self.policy.refuse(self.error, verdict, url)
        return parse(url)

    def redirected(self, url: StrOrURL, location: str) -> URL:
        """Return the URL to which a redirect leads, without the credentials that its text may have."""
        self.hops += 1
        if self.hops > self.policy.redirects:
            self.refuse("too-many-redirects")
        try:
            location = location.encode("latin-1").decode("utf-8")  # as it was sent
        except UnicodeError:
            pass
        target = try_parse(location, base=url)
        if target is None:
            self.url = "not a URL"
            self.refuse("not-a-url")
        return self.judged(target.without_credentials().href)

    # --- time ----------------------------------------------------------------------------------------

    def asked(self) -> None:
        """Note that a request begins to be sent."""
        self._first = None if self.policy.first_byte is None else monotonic() + self.policy.first_byte

    def answered(self) -> None:
        """Note that the header of the answer is there."""
        self._first = None

    def left(self, seconds: float | None = None) -> float | None:
        """Return the seconds that one step may take, of which the client itself allows so many; None: no limit. Refuses if
        there are none left."""
        ends = [end for end in (self._first, self.policy.total and self._start + self.policy.total) if end is not None]
        if not ends:
            return seconds
        left = min(ends) - monotonic()
        if left <= 0:
            self.refuse("too-slow")
        return left if seconds is None else min(left, seconds)

    @contextmanager
    def step(self, seconds: float | None, *timeouts: type[Exception]) -> Iterator[float | None]:
        """Within this, a step takes at most what it yields. One of these exceptions is a refusal if no time is left."""
        try:
            yield self.left(seconds)
        except timeouts:
            self.left()
            raise

    # --- size ----------------------------------------------------------------------------------------

    def declared(self, length: str | None) -> None:
        """Refuse an answer by its Content-Length."""
        limit = self.policy.max_octets
        if limit is not None and length is not None and length.strip().isdecimal() and int(length[:20]) > limit:
            self.refuse("too-large")

    def counted(self, octets: int) -> None:
        """Refuse an answer whose content has so many octets, as sent."""
        if self.policy.max_octets is not None and octets > self.policy.max_octets:
            self.refuse("too-large")

    def decoder(self, coding: str | None) -> Decoder | None:
        """Return what decodes the content, or None if it is as it is."""
        names = [name.strip().lower() for name in (coding or "").split(",")]
        steps = [name for name in names if name in ("gzip", "x-gzip", "deflate") or name in _UNBOUNDED]
        return Decoder(self, steps) if steps else None


class Decoder:
    """Decodes content of gzip and deflate, and refuses it as soon as any step makes more than the policy's max_decoded
    octets, before it makes more. It has the methods of the decoders of httpx and of urllib3."""

    has_unconsumed_tail = False

    def __init__(self, exchange: Exchange, names: list[str]) -> None:
        self._exchange = exchange
        self._names = names[::-1]
        self._inflaters = [zlib.decompressobj(_GZIP) if name != "deflate" else None for name in self._names]
        self._made = [0] * len(names)

    def decode(self, data: bytes) -> bytes:
        for step, name in enumerate(self._names):
            if name in _UNBOUNDED and data:
                self._exchange.refuse("coding")
            data = self._inflated(step, data)
        return data

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        return self.decode(data)

    def flush(self) -> bytes:
        return b""

    def _inflated(self, step: int, data: bytes) -> bytes:
        found = []
        limit = self._exchange.policy.max_decoded
        while data:
            inflater = self._inflaters[step]
            if (
                inflater is None
            ):  # deflate: with zlib's header, whose first octet says 8, or without (as some servers do)
                inflater = zlib.decompressobj(zlib.MAX_WBITS if data[0] & 0x0F == 8 else -zlib.MAX_WBITS)
                self._inflaters[step] = inflater
            if inflater.eof:  # what follows is another member of gzip, or padding
                if self._names[step] == "deflate" or data[:1] != b"\x1f":
                    break
                inflater = self._inflaters[step] = zlib.decompressobj(_GZIP)
            made = inflater.decompress(data, 0 if limit is None else limit - self._made[step] + 1)
            self._made[step] += len(made)
            if limit is not None and self._made[step] > limit:
                self._exchange.refuse("too-large-decoded")
            found.append(made)
            data = inflater.unused_data or inflater.unconsumed_tail
        return b"".join(found)
