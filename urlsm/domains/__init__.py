"""Domain names: registrable domains, public suffixes, same-site checks, lists of domains, and IDNA (Punycode)."""

from urlsm.octets.later import later as _later

# the module of each public name; a module is loaded when one of its names is first used
_NAMES = {
    "urlsm.crawler.pages": ("in_domains",),
    "urlsm.crawler.sites": ("PublicSuffixList", "public_suffix", "registrable_domain", "same_site", "to_ascii"),
    "urlsm.unicode.idna": ("IDNAError", "to_unicode"),
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names}

__all__ = [*_HOMES]

__getattr__, __dir__ = _later(globals(), _HOMES)
