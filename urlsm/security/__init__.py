"""A URL as other readers read it: comparison of readers, safe redirects, hazards, special addresses."""

from urlsm.octets.later import later as _later

# the module that defines each public name. It is loaded when the name is first used. The functions that judge a URL,
# such as audit, are public names of urlsm itself
_HOMES = {
    "AddressKind": "urlsm.security.addresses",
    "address_kind": "urlsm.security.plain",
    "has_public_host": "urlsm.security.public",
}

__all__ = [*_HOMES]

__getattr__, __dir__ = _later(globals(), _HOMES)
