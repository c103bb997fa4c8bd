"""The names of urlsm.unicode.idna, where they stood before."""

from urlsm.octets.later import later as _later

_NAMES = ("UNICODE_VERSION", "IDNAError", "domain_to_ascii", "domain_to_unicode", "parse_domain")

__all__ = [*_NAMES]

__getattr__, __dir__ = _later(globals(), dict.fromkeys(_NAMES, "urlsm.unicode.idna"))
