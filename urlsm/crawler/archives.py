"""SURT, the keys of web archives: profiles that write it, and back."""

from __future__ import annotations

import re
from functools import lru_cache

from urlsm.crawler.profiles import profile as named_profile
from urlsm.crawler.record import Profile

__all__ = ["profile_of", "unsurt"]

# scheme://(labels:port,)rest, of which the key has at least labels and ")"
_SURT = re.compile(r"(?:([A-Za-z][A-Za-z0-9+.-]*)://\()?([^()/?#]*)\)(.*)", re.DOTALL)


@lru_cache(16)
def _written(profile: Profile, with_scheme: bool, trailing_comma: bool) -> Profile:
    """The profile that writes SURTs so."""
    scheme = "keep" if with_scheme else "drop"
    return profile.replace(form="surt", scheme=scheme, trailing_comma=trailing_comma)


def profile_of(profile: str | Profile, with_scheme: bool, trailing_comma: bool) -> Profile:
    """The profile that surt takes for these arguments. ValueError: no such profile. TypeError: neither."""
    how = named_profile(profile) if isinstance(profile, str) else profile
    if not isinstance(how, Profile):
        raise TypeError(f"a profile is its name or a Profile, not {type(how).__name__}")
    if with_scheme or trailing_comma or how.fields()["form"] != "surt":
        how = _written(how, with_scheme, trailing_comma)
    return how


def unsurt(key: str) -> str:
    """The host and path of a SURT: "archive.org/about" of "org,archive)/about"; with the scheme, where the key has one.
    A key without ")" comes back as it is: surt writes such a key for a URL without a host.

    What the key lost stays lost: "www.", upper case, the scheme.
    """
    match = _SURT.fullmatch(key)
    if match is None:
        return key
    scheme, labels, rest = match.groups()
    labels = labels.removesuffix(",")
    port = ""
    if "," in labels or labels.count(":") == 1:  # else an IPv6 address
        labels, colon, number = labels.partition(":")
        port = colon + number
    host = ".".join(reversed(labels.removesuffix(",").split(",")))
    return f"{scheme}://{host}{port}{rest}" if scheme else f"{host}{port}{rest}"
