"""Functions for SURTs, the keys of web archives. They choose the profile that writes SURTs, and read SURTs."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from urlsm.crawler.canonical import canonicalize
from urlsm.crawler.profiles import profile as named_profile
from urlsm.crawler.record import Profile
from urlsm.errors.masking import without_secrets
from urlsm.octets.objects import url_text

if TYPE_CHECKING:
    from urlsm.url.value import StrOrURL

__all__ = ["SurtParts", "profile_of", "split_surt", "surt_range", "unsurt"]

# scheme://(labels:port,)rest; only the labels and the ")" are always there
_SURT = re.compile(r"(?:([A-Za-z][A-Za-z0-9+.-]*)://\()?([^()/?#]*)\)(.*)", re.DOTALL)


@lru_cache(16)
def _written(profile: Profile, with_scheme: bool, trailing_comma: bool) -> Profile:
    """Return a copy of a profile that writes SURTs with or without the scheme and the trailing comma."""
    scheme: Literal["keep", "drop"] = "keep" if with_scheme else "drop"
    return profile.replace(key_form="surt", scheme=scheme, trailing_comma=trailing_comma)


def profile_of(profile: str | Profile, with_scheme: bool, trailing_comma: bool) -> Profile:
    """Return the Profile that surt() uses for these arguments. Raises ValueError if no profile has the name, and
    TypeError if `profile` is neither a name nor a Profile."""
    how = named_profile(profile) if isinstance(profile, str) else profile
    if not isinstance(how, Profile):
        raise TypeError(f"profile must be a name or a Profile, not {type(how).__name__}")
    if with_scheme or trailing_comma or how.fields()["key_form"] != "surt":
        how = _written(how, with_scheme, trailing_comma)
    return how


class SurtParts(NamedTuple):
    """The parts of a SURT, as `split_surt` returns them.

    Attributes:
        scheme: the scheme; None if the key has none.
        labels: the host's labels, from the last to the first: ("org", "archive").
        port: the port without ":", or None.
        path: the path, including the first "/".
        query: the query without "?", or None.

    Example:
        >>> split_surt("org,archive)/about?x").host
        'archive.org'
    """

    scheme: str | None
    labels: tuple[str, ...]
    port: str | None
    path: str
    query: str | None

    @property
    def host(self) -> str:
        """The host with its labels in the usual order: "archive.org"."""
        return ".".join(reversed(self.labels))


SurtParts.__module__ = "urlsm.crawler"


def split_surt(key: str) -> SurtParts:
    """Split a SURT into its scheme, labels, port, path and query.

    Args:
        key: a SURT with a host, for example one returned by `surt`.

    Raises:
        ValueError: the key does not begin with the labels of a host and ")".

    Example:
        >>> split_surt("org,archive)/about").labels
        ('org', 'archive')
    """
    match = _SURT.fullmatch(key)
    if match is None:
        raise ValueError(f"not a SURT with a host: {without_secrets(key, refused=True)[:80]!r}")
    scheme, labels, rest = match.groups()
    path, question, query = rest.partition("?")
    labels, port = _port(labels)
    return SurtParts(scheme, tuple(labels.split(",")), port, path, query if question else None)


def _port(labels: str) -> tuple[str, str | None]:
    """Split labels that may end with a port: return the labels without a comma at the end, and the port or None."""
    labels, port = labels.removesuffix(","), None
    # labels with several ":" and no "," are an IPv6 address without a port
    if "," in labels or labels.count(":") == 1:
        labels, colon, number = labels.partition(":")
        port = number if colon else None
    return labels.removesuffix(","), port


def surt_range(
    url: StrOrURL,
    *,
    match: Literal["exact", "prefix", "host", "domain"] = "exact",
    profile: str | Profile = "surt",
) -> tuple[str, str]:
    """Return (start, end) for a sorted index of SURTs, such as CDX. A line matches the URL if start <= line < end.

    "exact" matches the URL's key. "prefix" matches all keys that begin with this key. "host" matches all keys with the
    URL's host and port. "domain" matches all keys with the URL's host or a subdomain of it.

    Args:
        url: str, bytes or URL.
        match: "exact", "prefix", "host" or "domain".
        profile: the profile that wrote the keys of the index: a name or a Profile.

    Raises:
        ParseError: the profile rejects the URL.
        ValueError: `match` is not one of these values, or the profile does not exist.
        TypeError: `url` is not str, bytes or URL.

    Example:
        >>> surt_range("http://archive.org/", match="domain")
        ('org,archive)/', 'org,archive-')

    https://github.com/webrecorder/pywb/blob/main/pywb/utils/canonicalize.py
    """
    if match not in ("exact", "prefix", "host", "domain"):
        raise ValueError(f"match must be exact, prefix, host or domain, not {match!r}")
    key = canonicalize(url, profile_of(profile, False, False))
    if match == "exact":
        return key, key + "!"  # "!" is the next character after the space
    if match == "prefix":
        text = url if isinstance(url, (str, bytes)) else url_text(url)
        last = text[-1:].decode("latin-1") if isinstance(text, bytes) else text[-1:]
        if last in ("/", "?") and not key.endswith(last):
            key += last
        stem = key.rstrip("\U0010ffff")  # U+10FFFF has no successor
        return key, stem[:-1] + chr(ord(stem[-1]) + 1) if stem else ""
    host = key.split(")/")[0]
    if match == "host":
        return host + ")/", host + "*"  # "*" is the next character after ")"
    return host + ("," if "," not in host else ")/"), host + "-"  # "-" is the next character after ","


def unsurt(key: str) -> str:
    """Return the host and path of a SURT in the usual order. Parts that are not in the key, such as "www.", are not
    restored.

    Args:
        key: a SURT, for example one returned by `surt`. A key without ")" is returned unchanged.

    Example:
        >>> unsurt("org,archive)/about")
        'archive.org/about'
    """
    match = _SURT.fullmatch(key)
    if match is None:
        return key
    scheme, labels, rest = match.groups()
    labels, number = _port(labels)
    port = "" if number is None else ":" + number
    host = ".".join(reversed(labels.split(",")))
    return f"{scheme}://{host}{port}{rest}" if scheme else f"{host}{port}{rest}"
