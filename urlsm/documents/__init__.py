"""Finds URLs in plain text and in HTML, and the base URL of a document."""

from urlsm.octets.later import later as _later

# the module of each public name; a module is loaded when one of its names is first used
_NAMES = {
    "urlsm.components.value": ("same_document",),
    "urlsm.documents.page": ("PageLink", "page_links"),
    "urlsm.documents.scanning": ("UrlMatch", "base_url", "extract_urls", "unwrap"),
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names}

__all__ = [*_HOMES]

__getattr__, __dir__ = _later(globals(), _HOMES)
