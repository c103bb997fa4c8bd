"""Tells whether a host is on the public Internet, as far as its name or address shows it. The DNS is not asked."""

from __future__ import annotations

from urlsm.security.plain import address_kind, canonical_host
from urlsm.url.value import URL, try_parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from urlsm.url.value import StrOrURL

__all__ = ["has_public_host"]


def has_public_host(url: StrOrURL) -> bool:
    """Return whether everybody can reach the host of a URL, as far as its name or address shows it. Return False if the
    URL has no host, if the host is a name that only a local network knows (a single label, "x.local", "x.internal"), or
    if the host is an address, in any form, that address_kind says is not public: an address of this machine or its
    link, a private or multicast address, or one where clouds keep credentials.

    A public name may still lead to a private address: resolve it, and check the address that you connect to (with
    address_kind).

    Args:
        url: str, bytes or URL. A text is read as by parse; is_ambiguous says whether others read it differently.

    Returns:
        a bool, which is also False for a text that parse refuses.

    Raises:
        TypeError: url is not str, bytes or URL.

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
