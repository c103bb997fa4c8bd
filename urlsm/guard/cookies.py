"""Cookies that reach more than one host: after a redirect to another origin, in the jars of http.cookiejar, which
urllib, requests and httpx use; and for public suffixes, for which no host may set one (RFC 6265 section 5.3 step 5)."""

from __future__ import annotations

from collections.abc import Iterable
from http.cookiejar import Cookie, CookieJar, DefaultCookiePolicy
from urllib.request import Request

from urlsm.crawler.sites import public_suffix

__all__ = ["SuffixPolicy", "cookies_of_host", "is_public_suffix"]


def is_public_suffix(domain: str) -> bool:
    """Return whether different people have the names below a domain of a cookie. Without the list of publicsuffixlist,
    only a single label certainly is one."""
    name = domain.strip(".").lower()
    if "." not in name:
        return bool(name)
    try:
        # "*.kawasaki.jp" of the list: all names below kawasaki.jp are suffixes, and none may set a cookie for it
        return any(public_suffix(each) == each for each in (name, f"x.{name}"))
    except ModuleNotFoundError:
        return False


class SuffixPolicy(DefaultCookiePolicy):
    """A policy of http.cookiejar that takes no cookie for a public suffix."""

    def set_ok_domain(self, cookie: Cookie, request: Request) -> bool:
        return not _is_of_suffix(cookie) and super().set_ok_domain(cookie, request)


def _is_of_suffix(cookie: Cookie) -> bool:
    return cookie.domain_specified and is_public_suffix(cookie.domain)


def cookies_of_host(jars: Iterable[CookieJar | None], url: str) -> str | None:
    """Return the field Cookie that jars make for a URL, or None. Cookies without a domain, which programs set
    (cookies={"a": "b"}), are left out, because they are for the origin that the program asked."""
    request = Request(url)
    for jar in jars:
        if jar is not None:
            of_hosts = CookieJar(jar._policy)  # type: ignore[attr-defined]
            for cookie in jar:
                if cookie.domain and not _is_of_suffix(cookie):
                    of_hosts.set_cookie(cookie)
            of_hosts.add_cookie_header(request)
    return request.get_header("Cookie")
