"""Is a host one of the public Internet, as far as its name or address tells? No DNS is asked."""

from __future__ import annotations

from urlsm.security.hazards import audit
from urlsm.url.value import URL

__all__ = ["has_public_host"]

_LOCAL = frozenset({"link-local-address", "loopback-address", "metadata-address", "private-address"})
# top-level names that the public DNS does not serve: RFC 6761 section 6, RFC 6762, RFC 7686, RFC 9476, ICANN's
# ".internal" (2024), and those that home routers and companies made common (SAC 062, section 5)
_NOT_DELEGATED = frozenset(
    (
        *("alt", "example", "internal", "invalid", "local", "localhost", "onion", "test"),
        *("corp", "home", "intranet", "lan", "localdomain", "mail", "private"),
    )
)
_NOT_PUBLIC = (".home.arpa",)  # RFC 8375; in arpa, but served by nobody


def has_public_host(url: URL) -> bool:
    """May the host of a URL be reached by everybody? No, if it has none, if it is a name that only a local network
    knows (a single label, "x.local", "x.internal") or an address for which audit finds a hazard: of this machine, of
    its link, private, or where clouds keep credentials, in any of its forms and for any reader.

    A public name may still lead to a private address: resolve it, and judge the address that you connect to.

    CWE-918; RFC 6761, RFC 6890
    """
    host = url.host
    if not host or any(hazard.code in _LOCAL for hazard in audit(url)):
        return False
    name = host.removesuffix(".").lower()
    last = name.rpartition(".")[2]
    if host.startswith("[") or last.isdigit():
        return True  # an address that audit lets pass
    return "." in name and last not in _NOT_DELEGATED and not f".{name}".endswith(_NOT_PUBLIC)
