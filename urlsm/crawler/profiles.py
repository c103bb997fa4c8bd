"""The named profiles. A profile is a dict that maps fields to values. Fields that it does not set have their default
values."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from urlsm.crawler.record import Profile, named
from urlsm.errors.masking import without_secrets

__all__ = [
    "DEFAULT_PROFILE",
    "LATEST",
    "PROFILES",
    "SAFE_URL",
    "SCRAPYS_PROFILE",
    "USES_NETLOC",
    "USES_PARAMS",
    "profile",
]

_SUB_DELIMS = "!$&'()*+,;="
_GEN_DELIMS = ":/?#[]@"
_VISIBLE = "".join(map(chr, range(0x21, 0x7F)))
_WAYBACK_SAFE = _VISIBLE.replace("#", "").replace("%", "")

# uses_netloc and uses_params of urllib.parse in CPython up to 3.14
USES_NETLOC = (
    *("ftp", "http", "gopher", "nntp", "telnet", "imap", "wais", "file", "mms", "https", "shttp", "snews", "prospero"),
    *("rtsp", "rtsps", "rtspu", "rsync", "svn", "svn+ssh", "sftp", "nfs", "git", "git+ssh", "ws", "wss"),
    "itms-services",
)
USES_PARAMS = (
    *("ftp", "hdl", "prospero", "http", "imap", "https", "shttp", "rtsp", "rtsps", "rtspu", "sip", "sips", "mms"),
    *("sftp", "tel"),
)

# makes the keys of w3lib.url.canonicalize_url in w3lib 2.5.0
_W3LIB: dict[str, Any] = {
    "backslashes": "special",
    "path_params_schemes": USES_PARAMS,
    "brackets": "whole",
    "ports": "16-bit",
    "nfkc_refused": "/?#@:\\",
    "userinfo": "requote",
    "userinfo_safe": "!$&'()*+,",
    "idna": "nfkc-2003",
    "ipv6": "rfc5952",
    "no_authority": "urllib",
    "netloc_schemes": USES_NETLOC,
    "path_decode": "once",
    "path_keep": "%/;?",
    "path_safe": (_SUB_DELIMS + _GEN_DELIMS + "|%").replace("#", ""),
    "path_params_safe": _SUB_DELIMS + ":/?@%",
    "empty_path": "slash",
    "dot_segments": "rfc3986",
    "params_reading": "form",
    "keep_empty_params": False,
    "sort_params": "pairs",
    "fragment_safe": _SUB_DELIMS + ":/?@%",
}

# makes the keys of the library surt 0.3.1 with its default options
_SURT: dict[str, Any] = {
    "empty": "-",
    "verbatim": ("filedesc*",),
    "trim": "whitespace",
    "default_scheme": "http",
    "repair_schemes": True,
    "host_from_path": True,
    "ports": "after-colons",
    "scheme": "drop",
    "userinfo": "drop",
    "host_decode": "repeatedly",
    "idna": "2003-ignoring",
    "dots": "pairs",
    "ipv4": "inet_aton",
    "ipv6": "bare",
    "host_case": "lower-escapes",
    "host_safe": _WAYBACK_SAFE,
    "host_others": "encode",
    "www": "one",
    "port": "drop-http-default-and-0",
    "path_decode": "repeatedly",
    "path_safe": _WAYBACK_SAFE,
    "empty_path": "slash-after-host-or-before-query",
    "dot_segments": "wayback",
    "merge_slashes": True,
    "path_lower": True,
    "path_sessions": True,
    "trailing_slash": "strip-unless-root",
    "query_decode": "repeatedly",
    "query_safe": _WAYBACK_SAFE,
    "query_lower": True,
    "query_sessions": True,
    "sort_params": "pairs",
    "key_form": "surt",
}

_ROWS: dict[str, dict[str, Any]] = {
    "w3lib-2.5": _W3LIB,
    # makes the keys of w3lib 2.2.1 to 2.4.1, which split a URL as urllib.parse of CPython 3.11.4 and later does
    "w3lib-2.2": {
        **_W3LIB,
        "backslashes": "keep",
        "authority": "whole",
        "brackets": "paired",
        "nfkc_refused": "/?#@:",
        "userinfo": "keep",
        "idna": "none",
        "ipv6": "keep",
        "no_authority": "urllib-3.11",
        "path_keep": "/?",
        "path_params_safe": _SUB_DELIMS + _GEN_DELIMS + "|%",
        "dot_segments": "none",
        "param_separators": "&;",
        "fragment_safe": _SUB_DELIMS + _GEN_DELIMS + "|%",
    },
    "surt": _SURT,
    # makes the keys that WaybackURLKeyMaker of ia-web-commons makes for http and https
    "commoncrawl": {
        **_SURT,
        "verbatim": ("filedesc*", "warcinfo*"),
        "trim": "c0-space",
        "scheme_sign": "listed",
        "schemes": ("http", "https"),
        "repair_schemes": False,
        "collapse_authority_slashes": True,
        "host_from_path": False,
        "authority": "first-at",
        "ports": "any",
        "host_required": "yes",
        "idna": "2003",
        "dots": "squeeze",
        "ipv4": "four",
        "ipv6": "bare-without-dots",
        "host_safe": _WAYBACK_SAFE + "\x7f",
        "www": "all",
        "port": "drop-http-default",
        "path_safe": _WAYBACK_SAFE + "\x7f",
        "query_safe": _WAYBACK_SAFE + "\x7f",
    },
    # https://developers.google.com/safe-browsing/v4/urls-hashing
    "safebrowsing": {
        "trim": "whitespace",
        "fragment_first": True,
        "decode_first": True,
        "default_scheme": "http",
        "host_required": "yes",
        "userinfo": "drop",
        "idna": "2003",
        "dots": "squeeze",
        "ipv4": "any",
        "host_case": "lower",
        "host_safe": _WAYBACK_SAFE,
        "host_others": "encode",
        "port": "drop",
        "path_decode": "repeatedly",
        "path_safe": _WAYBACK_SAFE,
        "empty_path": "slash",
        "dot_segments": "rfc3986",
        "merge_slashes": True,
        "split_params": False,
        "query_decode": "repeatedly",
        "query_safe": _WAYBACK_SAFE,
        "empty_query": True,
    },
    # makes the keys of crawlercommons.filters.basic.BasicURLNormalizer with its default options. That class removes
    # only one of several dots at the end of a host, and decodes "%3A" and "%40" in a host, so the key of a key may
    # differ from the key
    "crawler-commons": {
        "empty": "",
        "verbatim": ("mailto:*",),
        "remove_tabs": False,
        "fragment_first": True,
        "scheme_sign": ":/",
        "default_scheme": "http",
        "schemes": ("http", "https", "ftp", "file"),
        "backslashes": "refuse",
        "host_required": "or-rest",
        "userinfo": "drop",
        "host_decode": "once",
        "idna": "2003",
        "idna_required": True,
        "dots": "trailing",
        "host_safe": _SUB_DELIMS + ":@[]",
        "host_others": "refuse",
        "port": "drop-default",
        "path_decode": "unreserved",
        "path_safe": _SUB_DELIMS + ":@/?",
        "empty_path": "slash",
        "dot_segments": "rfc3986",
        "merge_slashes": True,
        "keep_empty_params": False,
        "keep_nameless_params": False,
        "blank_values": "bare",
        "query_decode": "unreserved",
        "query_safe": _SUB_DELIMS + ":@/?",
        "sort_params": "names",
    },
    # parse by the URL Standard, then normalise escapes and sort the fields of the query
    "urlsm-1": {
        "dialect": "whatwg",
        "userinfo": "drop",
        "host_case": "keep",
        "no_authority": "whatwg",
        "path_decode": "unreserved",
        "path_safe": _VISIBLE.replace("%", ""),
        "keep_empty_params": False,
        "query_decode": "unreserved",
        "query_safe": _VISIBLE.replace("%", ""),
        "sort_params": "decoded-names",
        "sorted_schemes": ("http", "https", "ftp", "ws", "wss"),
        "fragment_safe": _VISIBLE,
    },
}
ABOUT = {  # for urlsm.about
    "profiles of programs": {
        "tables": "_ROWS",
        "source": "w3lib, surt, Common Crawl, Heritrix, Safe Browsing, by release",
        "date": "2026-11-26",
        "used_by": "canonicalize, surt, fingerprint",
    },
    "lists of urllib.parse": {
        "tables": "USES_NETLOC USES_PARAMS",
        "source": "CPython, urllib.parse.uses_netloc and uses_params",
        "url": "https://docs.python.org/3/library/urllib.parse.html",
        "date": "2026-11-22",
        "licence": "PSF-2.0",
        "used_by": "profiles of w3lib",
    },
}

# makes the URLs of w3lib.url.safe_url_string in w3lib 2.5.0; unlike keys, they can be requested
SAFE_URL = Profile(
    **{
        **_W3LIB,
        "path_params_schemes": (),
        "ipv6": "bracketed",
        "host_case": "lower-name",
        "path_decode": "none",
        "path_keep": "",
        "path_safe": _SUB_DELIMS + ":/?@%",
        "empty_path": "slash-before-special-query",
        "dot_segments": "none",
        "split_params": False,
        "params_reading": "raw",
        "query_safe": _SUB_DELIMS + ":/?@%",
        "special_query_safe": (_SUB_DELIMS + ":/?@%").replace("'", ""),
        "fragment": "keep",
    }
)

PROFILES: MappingProxyType[str, Profile] = MappingProxyType({name: named(name, row) for name, row in _ROWS.items()})
LATEST = {"w3lib": "w3lib-2.5", "urlsm": "urlsm-1"}
SCRAPYS_PROFILE = "w3lib-2.5"  # makes the keys that Scrapy hashes
# The default of every function that takes a profile, except the functions for SURTs. The name has a number, so the keys
# of this profile never change.
DEFAULT_PROFILE = "urlsm-1"


def profile(name: str) -> Profile:
    """Return the profile with this name; "w3lib" and "urlsm" mean the newest versions of these profiles.

    Args:
        name: a key of urlsm.crawler.PROFILES, "w3lib" or "urlsm".

    Raises:
        ValueError: the profile does not exist; the message lists the valid names.

    Example:
        >>> profile("urlsm").name
        'urlsm-1'
    """
    found = PROFILES.get(LATEST.get(name, name))
    if found is None:
        shown = without_secrets(name, refused=True)[:80] if isinstance(name, str) else name
        raise ValueError(f"unknown profile {shown!r}; the profiles are {', '.join([*PROFILES, *LATEST])}")
    return found
