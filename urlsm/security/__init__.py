"""Checks for untrusted URLs: safe redirects and joins, URLs that parsers read differently, hazards, and addresses."""

from urlsm.octets.later import later as _later

# the module of each public name; a module is loaded when one of its names is first used
_NAMES = {
    "urlsm.security.addresses": ("AddressKind",),
    "urlsm.security.ordinary": ("audit", "is_safe_redirect"),
    "urlsm.security.comparison": ("ReaderComparison", "Reading", "compare_readers", "is_ambiguous"),
    "urlsm.security.git_urls": ("check_git_url",),
    "urlsm.security.hazards": ("HAZARDS", "Hazard"),
    "urlsm.security.host_lists": ("HostEntryError",),
    "urlsm.security.plain": ("address_kind",),
    "urlsm.security.public": ("has_public_host",),
    "urlsm.security.reader_list": ("ReaderInfo", "readers"),
    "urlsm.security.redirects": ("check_redirect", "safe_join"),
    "urlsm.security.verdict": ("Verdict",),
    "urlsm.security.wire": ("SentRequest", "sent"),
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names}

__all__ = [*_HOMES]

__getattr__, __dir__ = _later(globals(), _HOMES)
