"""SURT, the keys of web archives: the profiles that write them, and how to read them."""

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

# scheme://(labels:port,)rest; a key has at least labels and ")"
_SURT = re.compile(r"(?:([A-Za-z][A-Za-z0-9+.-]*)://\()?([^()/?#]*)\)(.*)", re.DOTALL)


@lru_cache(16)
def _written(profile: Profile, with_scheme: bool, trailing_comma: bool) -> Profile:
    """Return the profile that writes SURTs in this form."""
    scheme = "keep" if with_scheme else "drop"
    return profile.replace(form="surt", scheme=scheme, trailing_comma=trailing_comma)


def profile_of(profile: str | Profile, with_scheme: bool, trailing_comma: bool) -> Profile:
    """Return the profile of surt for these arguments. ValueError: unknown profile. TypeError: another type."""
    how = named_profile(profile) if isinstance(profile, str) else profile
    if not isinstance(how, Profile):
        raise TypeError(f"profile must be a name or a Profile, not {type(how).__name__}")
    if with_scheme or trailing_comma or how.fields()["form"] != "surt":
        how = _written(how, with_scheme, trailing_comma)
    return how


class SurtParts(NamedTuple):
    """The parts of a SURT.

    scheme: of a key that has one, else None. labels: of the host, from the last to the first: ("org", "archive").
    port: without ":", None where there is none. path: from "/" on. query: without "?", None where there is none.
    """

    scheme: str | None
    labels: tuple[str, ...]
    port: str | None
    path: str
    query: str | None

    @property
    def host(self) -> str:
        """The labels in the order of a URL: "archive.org"."""
        return ".".join(reversed(self.labels))


def split_surt(key: str) -> SurtParts:
    """Return the parts of a SURT.

    Raises:
        ValueError: the key has no ")", as that of a URL without a host.
    """
    match = _SURT.fullmatch(key)
    if match is None:
        raise ValueError(f"not a SURT with a host: {without_secrets(key, refused=True)[:80]!r}")
    scheme, labels, rest = match.groups()
    path, question, query = rest.partition("?")
    labels, port = _port(labels)
    return SurtParts(scheme, tuple(labels.split(",")), port, path, query if question else None)


def _port(labels: str) -> tuple[str, str | None]:
    """Return the labels without a comma at their end, and the port."""
    labels, port = labels.removesuffix(","), None
    if "," in labels or labels.count(":") == 1:  # else an IPv6 address
        labels, colon, number = labels.partition(":")
        port = number if colon else None
    return labels.removesuffix(","), port


def surt_range(
    url: StrOrURL,
    match: Literal["exact", "prefix", "host", "domain"] = "exact",
    profile: str | Profile = "surt",
) -> tuple[str, str]:
    """Return (start, end) for a sorted index of SURTs: the lines of a URL are those from start on and before end.

    Args:
        url: str, bytes or URL. profile: that of the index's keys, in the form "surt".
        match: "exact": the key alone, and with a space after it, as in lines of CDX. "prefix": keys that begin as the
            URL's; a "/" or "?" at the URL's end counts. "host": keys of its host and port. "domain", for a URL
            without a port: of its host, without a port, and of those below it; of a top-level domain, only the latter.

    Raises:
        ParseError: the profile refuses the text. ValueError: another match, no such profile. TypeError: not a text.

    https://github.com/webrecorder/pywb/blob/main/pywb/utils/canonicalize.py
    """
    if match not in ("exact", "prefix", "host", "domain"):
        raise ValueError(f"unknown match {match!r}; the matches are exact, prefix, host and domain")
    key = canonicalize(url, profile_of(profile, False, False))
    if match == "exact":
        return key, key + "!"  # the first printable character after the space
    if match == "prefix":
        text = url if isinstance(url, (str, bytes)) else url_text(url)
        last = text[-1:].decode("latin-1") if isinstance(text, bytes) else text[-1:]
        if last in ("/", "?") and not key.endswith(last):
            key += last
        stem = key.rstrip("\U0010ffff")  # U+10FFFF has no successor
        return key, stem[:-1] + chr(ord(stem[-1]) + 1) if stem else ""
    host = key.split(")/")[0]
    if match == "host":
        return host + ")/", host + "*"  # after ")"
    return host + ("," if "," not in host else ")/"), host + "-"  # after ","


def unsurt(key: str) -> str:
    """Return the host and path of a SURT: "archive.org/about" for "org,archive)/about"; with the scheme, if the key has
    one. A key without ")" is returned as it is: surt writes such keys for URLs without a host.

    "www.", upper case and the scheme are missing if the key left them out.
    """
    match = _SURT.fullmatch(key)
    if match is None:
        return key
    scheme, labels, rest = match.groups()
    labels, number = _port(labels)
    port = "" if number is None else ":" + number
    host = ".".join(reversed(labels.split(",")))
    return f"{scheme}://{host}{port}{rest}" if scheme else f"{host}{port}{rest}"
