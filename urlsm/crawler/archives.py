"""SURT, the keys of web archives: the profiles that write it, and the way back."""

from __future__ import annotations

import re
from functools import lru_cache

from urlsm.crawler.profiles import profile as named_profile
from urlsm.crawler.record import Profile

__all__ = ["profile_of", "unsurt"]

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
        raise TypeError(f"a profile is its name or a Profile, not {type(how).__name__}")
    if with_scheme or trailing_comma or how.fields()["form"] != "surt":
        how = _written(how, with_scheme, trailing_comma)
    return how


def unsurt(key: str) -> str:
    """Return the host and path of a SURT: "archive.org/about" for "org,archive)/about"; with the scheme, if the key has
    one. A key without ")" is returned as it is: surt writes such keys for URLs without a host.

    "www.", upper case and the scheme are missing if the key left them out.
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
