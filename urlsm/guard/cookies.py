"""Keeps cookies from hosts that they are not meant for. Some cookies are not sent after a redirect to another origin.
This applies to http.cookiejar's jars, which urllib, requests and httpx use. No host may set a cookie for a public
suffix (RFC 6265 section 5.3 step 5)."""

from __future__ import annotations

from collections.abc import Iterable
from http.cookiejar import Cookie, CookieJar, DefaultCookiePolicy
from urllib.request import Request

from urlsm.crawler.sites import public_suffix

__all__ = ["SuffixPolicy", "cookies_of_host", "is_public_suffix"]


def is_public_suffix(domain: str) -> bool:
    """Return whether a cookie's domain is a public suffix, under which different people register names. If the package
    publicsuffixlist is not installed, only a single label counts as a public suffix."""
    name = domain.strip(".").lower()
    if "." not in name:
        return bool(name)
    try:
        # the second name is for rows like "*.kawasaki.jp": all names below kawasaki.jp are suffixes, and none of them
        # may set a cookie for kawasaki.jp
        return any(public_suffix(each) == each for each in (name, f"x.{name}"))
    except ModuleNotFoundError:
        return False


class SuffixPolicy(DefaultCookiePolicy):
    """A cookie policy for http.cookiejar that rejects every cookie for a public suffix."""

    def set_ok_domain(self, cookie: Cookie, request: Request) -> bool:
        return not _is_of_suffix(cookie) and super().set_ok_domain(cookie, request)


def _is_of_suffix(cookie: Cookie) -> bool:
    return cookie.domain_specified and is_public_suffix(cookie.domain)


def cookies_of_host(jars: Iterable[CookieJar | None], url: str) -> str | None:
    """Return the value of the Cookie field that the jars create for a URL, or None if there are no cookies. Cookies for
    a public suffix are left out. Cookies without a domain (cookies={"a": "b"}) are also left out, because they are
    meant for the origin that the program requested."""
    request = Request(url)
    for jar in jars:
        if jar is not None:
            of_hosts = CookieJar(jar._policy)  # type: ignore[attr-defined]
            for cookie in jar:
                if cookie.domain and not _is_of_suffix(cookie):
                    of_hosts.set_cookie(cookie)
            of_hosts.add_cookie_header(request)
    return request.get_header("Cookie")
