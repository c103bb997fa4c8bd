"""Keys and links for crawlers. The keys are the same as in the libraries that filled existing crawl databases."""

from urlsm.octets.later import later as _later

# the module of each public name; a module is loaded when one of its names is first used
_NAMES = {
    "urlsm.crawler.archives": ("SurtParts", "split_surt", "surt_range", "unsurt"),
    "urlsm.crawler.canonical": (
        *("canonicalize", "canonicalize_many", "fingerprint", "fingerprint_many", "robots_path"),
        *("safebrowsing_expressions", "safebrowsing_hashes", "surt", "try_canonicalize"),
    ),
    "urlsm.crawler.dupes": ("DupeFilter",),
    "urlsm.crawler.pages": ("Link", "has_extension", "links", "shape", "traps"),
    "urlsm.crawler.profiles": ("PROFILES", "profile"),
    "urlsm.crawler.query_params": ("only_query_params", "set_query_params", "without_query_params"),
    "urlsm.crawler.record": ("Profile",),
    "urlsm.crawler.trackers": ("TRACKERS", "Tracker"),
    "urlsm.patterns.robots": ("RequestRate", "Robots"),
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names}

__all__ = [*_HOMES]

__getattr__, __dir__ = _later(globals(), _HOMES)
