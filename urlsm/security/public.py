"""Tells whether a host is on the public Internet, as far as its name or address shows. No DNS look-up is made."""

from __future__ import annotations

from urlsm.security.plain import address_kind, canonical_host
from urlsm.url.value import URL, try_parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from urlsm.url.value import StrOrURL

__all__ = ["has_public_host"]


def has_public_host(url: StrOrURL) -> bool:
    """Return whether the host of a URL is public, as far as its name or address shows. No name is resolved.

    The result is False for URLs without a host, for local network names (a single label, "x.local", "x.internal"), and
    for private, loopback, link-local, multicast and cloud metadata addresses in any form. A public name may still
    resolve to a private address, so resolve it and check the address that you connect to, as urlsm.guard does (SSRF).

    Args:
        url: str, bytes or URL, parsed as browsers parse it. If it is not a valid URL, the result is False.

    Raises:
        TypeError: `url` is not str, bytes or URL.

    Example:
        >>> has_public_host("https://example.com/"), has_public_host("http://0x7f.1/"), has_public_host("http://db/")
        (True, False, False)

    CWE-918; RFC 6761, RFC 6890
    """
    read = url if isinstance(url, URL) else try_parse(url)
    host = read.host if read is not None else None
    if not host:
        return False
    kind = address_kind(host)
    if kind is not None:
        return kind.public
    name = canonical_host(host)  # None if no http URL can have this host
    return name is not None and (name.startswith("[") or (".." not in f".{name}" and "." in name.rstrip(".")))
