"""A URL as other readers see it: comparison, redirects, hazards, special addresses."""

from urlsm.octets.later import later as _later

# the module of each public name; all load on first use. urlsm itself has the functions that judge a text
_HOMES = {
    "AddressKind": "urlsm.security.addresses",
    "address_kind": "urlsm.security.kinds",
    "has_public_host": "urlsm.security.public",
}

__all__ = [*_HOMES]

__getattr__, __dir__ = _later(globals(), _HOMES)
