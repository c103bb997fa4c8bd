# The public names, for type checkers and editors; __init__.py has the module of each.

from urlsm.security.addresses import AddressKind as AddressKind
from urlsm.security.plain import address_kind as address_kind
from urlsm.security.public import has_public_host as has_public_host

__all__ = ["AddressKind", "address_kind", "has_public_host"]
