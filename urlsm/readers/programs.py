"""Programs by name: their releases, the call that is meant, and the functions that read as they do."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from typing import NamedTuple, Protocol, TypeVar

__all__ = [
    "DECODED",
    "DELIMITED",
    "GROUPS",
    "HOMES",
    "HOST_FIELD",
    "OPAQUE",
    "SEEN",
    "SELECTORS",
    "Named",
    "Program",
    "asked",
    "asked_of",
    "number",
    "program",
    "programs",
    "release",
]

_VERSION = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9}){0,3}")
# scheme, userinfo, host, port, path, query, fragment: each as the program's API gives it, None where it gives none
Components = tuple["str | None", "str | None", "str | None", "str | None", "str | None", "str | None", "str | None"]
Connected = tuple[
    "str | None", "str | None", "str | None", "str | None", "str | None", "str | None", "str | None",
    "tuple[str, str] | str",
]  # fmt: skip


class Program(NamedTuple):
    """A program whose reading of a URL is known.

    name: as in "curl@8.23.0".
    call: the call that is meant, as in "libcurl, curl_url_set(CURLUPART_URL)".
    releases: the releases that were compared with the live program, oldest first.
    read: a function of the text and the number of the release. It returns the components, or a str if the program
        refuses the text: what it refuses ("scheme", "userinfo", "host", "port", "path", "query", "characters" ...).
        For a client, an eighth value follows the components: the host and port that are handed to the resolver, or a
        str as above if no connection is tried.
    sent: for a client whose requests are known, a function of the same arguments. It returns the request target and the
        Host field, or a str as above if nothing is sent.
    """

    name: str
    call: str
    releases: tuple[str, ...]
    read: Callable[[str, int], Components | Connected | str]
    sent: Callable[[str, int], tuple[str, str] | str] | None = None


class Named(Protocol):
    """What has a name and releases, oldest first: a Program, or a HopProgram of hops.py, which has the names of this
    module for the same programs."""

    @property
    def name(self) -> str: ...
    @property
    def releases(self) -> tuple[str, ...]: ...


_Named = TypeVar("_Named", bound=Named)

# the modules of this room that have the programs. To add a program: an oracle, its recorded answers, a row of PROGRAMS
# in one of these modules or in a new one, and its name here.
HOMES: dict[str, str] = {
    "ada": "whatwg",
    "addressable": "addressable",
    "addressable-heuristic": "addressable",
    "aiohttp": "yarl",
    "apache": "servers",
    "boost": "generic",
    "chromium": "chromium",
    "curl": "curl",
    "erlang": "generic",
    "fast-uri": "javascript_uris",
    "firefox": "firefox",
    "furl": "pypi",
    "git": "git",
    "glib": "glib",
    "glib-relaxed": "glib",
    "go": "go",
    "haproxy": "servers",
    "httpx": "httpx",
    "hyperlink": "pypi",
    "java.net.URI": "java",
    "java.net.URL": "java",
    "libwget": "wget",
    "mono": "mono",
    "network-uri": "generic",
    "nginx": "servers",
    "node": "whatwg",
    "node-legacy": "javascript",
    "okhttp": "java",
    "perl": "perl",
    "php": "php",
    "php-rfc3986": "generic",
    "php-whatwg": "lexbor",
    "pydantic": "whatwg",
    "qt-strict": "qt",
    "qt-tolerant": "qt",
    "requests": "urllib3",
    "rfc3986": "pypi",
    "ruby": "ruby",
    "ruby-rfc2396": "ruby",
    "ruby-rfc3986": "ruby",
    "soup": "glib",
    "spring": "java",
    "uri-js": "javascript_uris",
    "urijs": "javascript",
    "uriparser": "generic",
    "url-parse": "javascript",
    "url-py": "whatwg",
    "urllib.parse": "stdlib",
    "urllib.request": "stdlib",
    "urllib3": "urllib3",
    "wget": "wget",
    "whatwg-url": "whatwg",
    "yarl": "yarl",
}
# names that stand for several programs
GROUPS = {
    "browsers": ("chromium", "firefox"),
    "python": ("urllib.parse", "urllib.request", "urllib3", "requests", "httpx", "yarl", "aiohttp"),
    "jvm": ("java.net.URI", "java.net.URL", "okhttp", "spring"),
    "proxies": ("nginx", "apache", "haproxy"),
}
# the components that a program's API gives with their escapes decoded
DECODED = {
    **dict.fromkeys(("apache", "nginx"), ("path",)),
    **dict.fromkeys(("furl", "node-legacy", "soup", "urijs", "wget"), ("userinfo",)),
    **dict.fromkeys(("glib", "glib-relaxed"), ("userinfo", "path", "query", "fragment")),
    **dict.fromkeys(("go", "libwget"), ("userinfo", "path", "fragment")),
    "httpx": ("fragment",),
}
# programs whose query begins with "?" and whose fragment begins with "#", if they are not empty
DELIMITED = ("ada", "chromium", "firefox", "mono", "node", "node-legacy", "url-parse", "whatwg-url")
# the components that a program sees, if it does not see all: a server's request has no scheme and no fragment
SEEN = dict.fromkeys(GROUPS["proxies"], ("host", "path", "query"))
HOST_FIELD = "front.example"  # the Host field of the request, where a server takes the host from it
# programs whose path has the query in it; those after the first two, of an opaque URL ("mailto:a?subject=b") only
SELECTORS = ("git", "urllib.request", "java.net.URI", "perl", "ruby", "ruby-rfc2396", "ruby-rfc3986")
OPAQUE = {"go": "opaque:"}  # what stands before a path that is the URL's Opaque, whose escapes are kept


def programs(name: str) -> tuple[Program, ...]:
    """Return the programs of one module."""
    found: tuple[Program, ...] = import_module(f"urlsm.readers.{name}").PROGRAMS
    return found


def program(name: str) -> Program:
    """Return the program of a name. KeyError: there is none."""
    return next(found for found in programs(HOMES[name]) if found.name == name)


def number(release: str) -> int:
    """Return a release as a number that is greater for a later one: "8.21.0" is 82100, "3.14.10" is 31410."""
    major, minor, patch = ([int(part) for part in release.split(".")] + [0, 0])[:3]
    return major * 10_000 + minor * 100 + patch


def _parts(release: str) -> list[int]:
    return [int(part) for part in release.split(".")]


def release(found: Named, wanted: str) -> str:
    """Return the newest release of a program that is not above the wanted one. A short version stands for its last
    patch that is known: "7.88" finds 7.88.1.

    ValueError: `wanted` is no version, or all known releases are above it.
    """
    known = f"the known releases are {', '.join(found.releases)}"
    if not _VERSION.fullmatch(wanted):
        raise ValueError(f"{found.name}@{wanted} has no version after the @; {known}")
    parts = _parts(wanted)
    for one in reversed(found.releases):
        if _parts(one)[: len(parts)] <= parts:
            return one
    raise ValueError(f"{found.name}@{wanted} is older than all that is known; {known}")


def asked_of(find: Callable[[str], _Named], name: str) -> tuple[_Named, str]:
    """Return the program and the release of a name: "curl" is the newest release that is known, "curl@7.88" the newest
    not above it. find: returns the program of a name. ValueError: there is no such release."""
    short, at, wanted = name.partition("@")
    found = find(short)
    return found, release(found, wanted) if at else found.releases[-1]


def asked(name: str) -> tuple[Program, str]:
    """Return the program that reads URLs, and the release, of a name. KeyError: there is no such program. ValueError:
    there is no such release."""
    return asked_of(program, name)
