"""Cookies of http.cookiejar, which urllib, requests and httpx have, after a redirect to another origin."""

from __future__ import annotations

from collections.abc import Iterable
from http.cookiejar import CookieJar
from urllib.request import Request

__all__ = ["cookies_of_host"]


def cookies_of_host(jars: Iterable[CookieJar | None], url: str) -> str | None:
    """Return the field Cookie that jars make for a URL, or None. Cookies of no domain, as programs set them
    (cookies={"a": "b"}), are left out: they are for the origin that the program asked."""
    request = Request(url)
    for jar in jars:
        if jar is not None:
            of_hosts = CookieJar(jar._policy)  # type: ignore[attr-defined]
            for cookie in jar:
                if cookie.domain:
                    of_hosts.set_cookie(cookie)
            of_hosts.add_cookie_header(request)
    return request.get_header("Cookie")
