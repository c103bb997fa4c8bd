"""The links of a page in one loop, and checks of a single link."""
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memcmp
from urlsm.crawler.canonical cimport key_of, rulebook_of
from urlsm.crawler.keys cimport scratch_free, scratch_start
from urlsm.crawler.keys cimport Rulebook
from urlsm.crawler.structs cimport KeyFailure, Scratch
from urlsm.crawler.sites cimport NO_SITE, is_name, site_start, suffixes_or_default, write_host_of
from urlsm.crawler.suffix_list cimport Suffixes
from urlsm.octets.buffer cimport Buffer, ascii_data, ascii_text, buffer_free, buffer_start
from urlsm.octets.text cimport decode_text
from urlsm.octets.text cimport octets_of
from urlsm.url.structs cimport Failure
from urlsm.url.value cimport URL, as_url, read_url
from typing import NamedTuple

cdef extern from *:
    """
    static inline PyObject *urlsm_new_tuple(PyObject *kind, PyObject *args) {
        return PyTuple_Type.tp_new((PyTypeObject *)kind, args, NULL);
    }
    """
    object new_tuple "urlsm_new_tuple"(object kind, tuple args)


class Link(NamedTuple):
    """A link of a page.

    url: the URL to request. key: URLs with the same key count as one; do not request it. site: the registrable domain;
    None for a URL that has no such domain, or if sites were not requested.
    """

    url: str
    key: str
    site: str | None


cdef inline object new_link(tuple fields):
    """Return Link(*fields), without a Python call."""
    return new_tuple(Link, (fields,))


cdef object site_of(URL url, Suffixes suffixes):
    cdef const uint8_t* p = ascii_data(url.href) + url.o.host_start
    cdef uint32_t n = url.o.host_end - url.o.host_start, start
    if not url.o.has_host:
        return None
    if n and p[n - 1] == c'.':
        n -= 1
    if not is_name(p, n):
        return None
    start = site_start(p, n, suffixes, True)
    return None if start == NO_SITE else ascii_text(p + start, n - start)


def links(base, refs, profile="w3lib", *, sites=True, suffixes=None, schemes=None):
    """Return the links of a page: each reference resolved (URL Standard), its key and its site, in one loop.

    Args:
        base: the page's base URL: str, bytes or URL; urlsm.base_of finds it. refs: an iterable of references (str or
            bytes), such as href attributes. profile: of the keys; the name of one, or a Profile.
        sites: find each link's registrable domain. suffixes: a list of urlsm.crawler.suffixes for that.
        schemes: an iterable of schemes in lower case (str), without ":"; links of others are None. None: any scheme.

    Returns:
        A list with a Link(url, key, site) for each reference, in order; None where it is not a URL, its scheme is
        not one of schemes, or the profile refuses it.

    Raises:
        ParseError: base is not a URL. ValueError: no such profile. TypeError: not a text. ModuleNotFoundError: sites
        are requested, and publicsuffixlist is not installed.
    """
    cdef URL start = as_url(base)
    cdef Rulebook rulebook = rulebook_of(profile)
    cdef Suffixes rules = suffixes_or_default(suffixes) if sites else None
    cdef URL url
    cdef Failure failure
    cdef Buffer b
    cdef Scratch s
    cdef KeyFailure why
    cdef str key
    cdef list found = []
    cdef frozenset wanted = None if schemes is None else frozenset([schemes] if isinstance(schemes, str) else schemes)
    buffer_start(&b)
    scratch_start(&s)
    try:
        for ref in refs:
            url = read_url(octets_of(ref, False), start, None, &failure, NULL)
            if url is not None and wanted is not None and url.scheme not in wanted:
                url = None
            key = None if url is None else key_of(url.href, rulebook, &b, &s, &why)
            found.append(None if key is None else new_link((url.href, key, site_of(url, rules) if sites else None)))
        return found
    finally:
        buffer_free(&b)
        scratch_free(&s)


def host_matches(url, domains):
    """Return whether the host of a URL is one of these domains, or below one. The port is ignored.

    Args:
        url: str, bytes or URL; a text without ":" and "/" is a host. domains: a host (str), or an iterable of hosts.

    Raises:
        TypeError: not a text.
    """
    cdef Buffer host, domain
    cdef bint unicode
    buffer_start(&host)
    buffer_start(&domain)
    try:
        if not write_host_of(&host, url, &unicode):
            return False
        for name in ([domains] if isinstance(domains, (str, bytes)) else domains):
            domain.n = 0
            if write_host_of(&domain, name, &unicode) and domain.n <= host.n \
                    and memcmp(host.p + host.n - domain.n, domain.p, domain.n) == 0 \
                    and (domain.n == host.n or host.p[host.n - domain.n - 1] == c'.'):
                return True
        return False
    finally:
        buffer_free(&host)
        buffer_free(&domain)


def has_extension(url, extensions):
    """Return whether the last segment of a URL's path, decoded and in lower case, ends in one of these extensions.

    Args:
        url: str, bytes or URL. extensions: a container of str in lower case, with their dot or without: {".pdf"}.

    Raises:
        ParseError: url is not a URL. TypeError: not a text.
    """
    cdef URL parsed = as_url(url)
    segment = parsed.path.rpartition("/")[2]
    text = decode_text(ascii_data(segment), len(segment)).lower()
    name, dot, extension = text.rpartition(".")
    return bool(name and dot) and ("." + extension in extensions or extension in extensions)
