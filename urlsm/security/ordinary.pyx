"""The judges whose answer to most links is quick, compiled: a call of a Python function would take longer than it."""
from urlsm.security.plain cimport is_plainly_safe, unremarkable

from urlsm.security.comparison import text_of
from urlsm.security.hazards import hazards_in
from urlsm.security.plain import checked_hosts
from urlsm.security.redirects import is_read_alike, named_readers, refusal


def audit(url, *, readers=None, hops=None) -> list:
    """Return the security hazards in a URL, in the order of their positions.

    Each hazard is reported once per component, at its first position. URLs and hosts within the URL are audited as
    well, for example in `view-source:` and `git+https:`, in the fallback of `intent:`, and in the list of hosts of
    `mongodb:`. An empty list does not guarantee that the URL is harmless.

    Args:
        url: str, bytes or URL, read as given.
        readers: the names of programs, as for `compare_readers`. If they disagree on the scheme, host, port or path, a
            hazard "readers-disagree" says which program sees what. None: no such comparison.
        hops: the names of servers, proxies and routers, as for `urlsm.server.path_as`. If those that accept the path do
            not match on the same one, a hazard "hops-disagree" says who sees which. None: no such comparison.

    Returns:
        A list of Hazard; an empty list for an ordinary link. urlsm.security.HAZARDS lists all codes.

    Raises:
        TypeError: `url` is not str, bytes or URL, or `readers` or `hops` is a str.
        ValueError: `readers` or `hops` contains an unknown name, or is empty.

    Example:
        >>> [(hazard.code, hazard.component) for hazard in audit("http://user:pass@127.0.0.1/")]
        [('credentials', 'userinfo'), ('loopback-address', 'host')]
        >>> audit("http://h/a/./b", readers=["curl", "go"])[-1].message
        'curl sees the path /a/b, go sees the path /a/./b'
        >>> audit("http://h//admin", hops=["nginx", "uvicorn"])[-1].message
        'nginx sees the path /admin, uvicorn sees the path //admin'
    """
    text = url if type(url) is str else text_of(url)
    clear = unremarkable(text)
    if readers is None and hops is None and clear == len(<str>text):
        return []
    return hazards_in(text, clear, url, readers, hops)


def is_safe_redirect(target, *, base, allowed_hosts=(), readers=None) -> bool:
    """Return whether redirecting to `target` keeps the user on your site. Use this to prevent open redirects (CWE-601).

    The redirect is safe if all parsers resolve `target` to the same allowed origin. It is not safe if `target` contains
    control characters, credentials or a host that is not in normal form, or if a program may find another host or a
    scheme in its path: "/.//evil.com", "/%2Fevil.com", "./javascript:alert(1)". It never raises an error, whatever text
    `target` contains. The page "Validate untrusted URLs" compares this function with Django's check.

    Args:
        target: the value of the Location header, absolute or relative.
        base: your server's own URL.
        allowed_hosts: other hosts to allow over http and https: "example.com"; ".example.com" to include its
            subdomains; "*.example.com" for its subdomains only; an address or network; "host:8080" or "host:*" for
            other ports. Or a urlsm.patterns.PatternSet: an allow-list that must match the URL as each parser reads it.
        readers: further programs that must see the same origin, as for `compare_readers`: ["chromium", "curl@7.88"].
            None: none. The dialects are always asked, so this never allows more.

    Raises:
        ParseError: `base` is not a URL.
        TypeError: `target` or `base` is not str, bytes or URL, or `allowed_hosts` or `readers` is a str.
        HostEntryError: an allowed host is "*", or can never match.
        ValueError: `allowed_hosts` is a block list, or a reader is unknown.

    Example:
        >>> is_safe_redirect("/orders?page=2", base="https://good.example/")
        True
        >>> is_safe_redirect("//evil.com", base="https://good.example/")
        False

    RFC 3986 section 7.6; https://url.spec.whatwg.org/#security-considerations
    """
    further = None if readers is None else named_readers(readers)
    allowed_hosts = checked_hosts(allowed_hosts)
    plainly = is_plainly_safe(target, base, allowed_hosts)
    cdef bint safe = not refusal(target, base, allowed_hosts) if plainly is None else plainly
    return safe and (further is None or is_read_alike(target, base, further))
