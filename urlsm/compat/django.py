"""Creates Django's QueryDict from a query, in C, and checks redirects with both Django's function and urlsm's. Nothing
in Django is replaced."""

from __future__ import annotations

from collections.abc import Iterable

from django.conf import settings
from django.http import QueryDict
from django.utils import http as _http

from urlsm.security.host_lists import read_host_entry
from urlsm.security.ordinary import is_safe_redirect
from urlsm.security.plain import is_plainly_safe
from urlsm.stdlib._parse import fill

__all__ = ["query_dict", "url_has_allowed_host_and_scheme"]

_HOME = "https://home.invalid/"  # the base against which a relative target is resolved
# the dict with the settings that were read before; Django empties it when settings change
_SETTINGS = vars(settings)
_LONGEST = getattr(_http, "MAX_URL_LENGTH", 2048)


def query_dict(query: str | bytes | None, encoding: str | None = None) -> QueryDict:
    """Return an immutable QueryDict, created in C, that equals `django.http.QueryDict(query, encoding=encoding)`.

    For an encoding other than UTF-8, and for more fields than DATA_UPLOAD_MAX_NUMBER_FIELDS, Django itself creates the
    object or raises TooManyFieldsSent.

    Args:
        query: the query as str or bytes, or None.
        encoding: the encoding of the query. None: DEFAULT_CHARSET.

    Raises:
        TooManyFieldsSent: the query has too many fields.

    Example:
        >>> from django.conf import settings
        >>> if not settings.configured:
        ...     settings.configure()  # a project has its own
        >>> query_dict("a=1&a=2").getlist("a")
        ['1', '2']
    """
    try:
        encoding = encoding or _SETTINGS["DEFAULT_CHARSET"]
        most = _SETTINGS["DATA_UPLOAD_MAX_NUMBER_FIELDS"]
    except KeyError:
        encoding, most = encoding or settings.DEFAULT_CHARSET, settings.DATA_UPLOAD_MAX_NUMBER_FIELDS
    if encoding != "utf-8" or not query or not isinstance(query, (str, bytes)):
        return QueryDict(query, encoding=encoding)
    if isinstance(query, bytes):
        octets = query
        try:
            query = octets.decode()
        except UnicodeDecodeError:
            query = octets.decode("latin-1")
    if most is not None and query.count("&") >= most:
        return QueryDict(query, encoding=encoding)
    made = QueryDict.__new__(QueryDict)
    fill(made, query)
    made._encoding, made._mutable = encoding, False
    return made


def url_has_allowed_host_and_scheme(
    url: str | None, allowed_hosts: str | Iterable[str] | None, require_https: bool = False
) -> bool:
    """Return whether both urlsm and Django's function with this name allow a redirect to a URL.

    A relative URL stays on the server, whatever the server's host is.

    Args:
        url: the target of the redirect.
        allowed_hosts: the hosts to allow: a str, an iterable of str, or None.
        require_https: whether only https is allowed.

    Example:
        >>> url_has_allowed_host_and_scheme("/next", None), url_has_allowed_host_and_scheme("//evil.example", None)
        (True, False)
    """
    # this is a short way: in a text with a single "/" at its start, Django's function finds neither a scheme nor a
    # host, and is_plainly_safe accepts only visible ASCII
    if type(url) is str and url[:1] == "/" != url[1:2] and len(url) <= _LONGEST and is_plainly_safe(url, _HOME, ()):
        return True
    if allowed_hosts is not None and not isinstance(allowed_hosts, str):
        allowed_hosts = [*allowed_hosts]
    if not url or not _http.url_has_allowed_host_and_scheme(url, allowed_hosts, require_https):
        return False
    hosts = [allowed_hosts] if isinstance(allowed_hosts, str) else allowed_hosts or ()
    return is_safe_redirect(url, base=_HOME, allowed_hosts=list(filter(_is_host, hosts)))


def _is_host(entry: str) -> bool:
    """Return whether is_safe_redirect can read an entry in Django's list of hosts. Django itself accepts any string."""
    try:
        read_host_entry(entry)
    except ValueError:
        return False
    return True
