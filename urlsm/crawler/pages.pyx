"""links() resolves all references on a page in one loop; the other functions examine a single URL."""
from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.string cimport memcmp
from libc.time cimport time
from urlsm.crawler.canonical cimport key_of, rulebook_of
from urlsm.crawler.keys cimport Rulebook, scratch_free, scratch_start
from urlsm.crawler.structs cimport KeyFailure, Scratch
from urlsm.crawler.sites cimport NO_SITE, PublicSuffixList, is_name, site_start, suffixes_or_default, write_host_of
from urlsm.crawler.traps cimport MONTHS_AHEAD, traps_of, write_shape
from urlsm.machine.special cimport NOT_SPECIAL, listed_port
from urlsm.octets.buffer cimport Buffer, ascii_data, ascii_text, buffer_free, buffer_start
from urlsm.octets.once cimport stay_all
from urlsm.octets.text cimport decode_text, octets_of
from urlsm.security.plain cimport host_list, texts_of
from urlsm.url.parser cimport output_encoding
from urlsm.url.structs cimport Failure
from urlsm.url.value cimport URL, as_url, read_url, url_of_base
from typing import NamedTuple
from urlsm.crawler.canonical import digest
from urlsm.crawler.profiles import DEFAULT_PROFILE
from urlsm.crawler.sites import registrable_domain
from urlsm.url.value import try_parse

cdef frozenset ADDRESS = frozenset("0123456789abcdefxABCDEFX.:")  # all characters that an IP address may contain
cdef tuple ENDS_OF_ADDRESSES = tuple("0123456789]")
TRAPS = ("segments-repeat", "host-in-path", "too-deep", "too-long", "far-date", "fields-repeat", "session-id")

cdef extern from *:
    """
    static inline PyObject *urlsm_new_tuple(PyObject *kind, PyObject *args) {
        return PyTuple_Type.tp_new((PyTypeObject *)kind, args, NULL);
    }
    """
    object new_tuple "urlsm_new_tuple"(object kind, tuple args)


class Link(NamedTuple):
    """A link on a page, as an item in the list that `links` returns.

    Attributes:
        url: the URL to fetch.
        key: URLs with the same key count as the same page. Never fetch a key.
        registrable_domain: the registrable domain (eTLD+1); None if there is none, or without domains=True.

    Example:
        >>> [link and link.key for link in links(["?b&a"], base="http://h/")]
        ['http://h/?a&b']
    """

    __module__ = "urlsm.crawler"
    url: str
    key: str
    registrable_domain: str | None

    @property
    def hash(self):
        """The XXH64 hash of the key, as an unsigned int: the fingerprint with kind "xxh64"."""
        return digest(self.key, "xxh64")


cdef inline object new_link(tuple fields):
    """Return Link(*fields), without a Python call."""
    return new_tuple(Link, (fields,))


cdef object site_of(URL url, PublicSuffixList suffixes):
    cdef const uint8_t* p = ascii_data(url.href) + url.o.host_start
    cdef uint32_t n = url.o.host_end - url.o.host_start, start
    if not url.o.has_host:
        return None
    if url.o.kind == NOT_SPECIAL:  # the host of this URL may be in upper case, or escaped
        return registrable_domain(url, suffix_list=suffixes)
    if n and p[n - 1] == c'.':
        n -= 1
    if not is_name(p, n):
        return None
    start = site_start(p, n, suffixes, True)
    return None if start == NO_SITE else ascii_text(p + start, n - start)


cdef object iterable_of_str(object names, str name, str example):
    """Return the names as a frozenset. TypeError: the argument `name` is a str, or contains anything other than str."""
    if isinstance(names, (str, bytes)) or not hasattr(names, "__iter__"):
        raise TypeError(f"{name} must be an iterable of str, such as {example}, not {type(names).__name__}")
    cdef frozenset found = frozenset(names)
    for each in found:
        if not isinstance(each, str):
            raise TypeError(f"{name} must be an iterable of str, not of {type(each).__name__}")
    return found


def links(
    refs, *, base, profile=DEFAULT_PROFILE, schemes=None, domains=False, suffix_list=None, encoding="utf-8"
):
    """Resolve the references on a page: return for each the URL to fetch, its key and its registrable domain.

    Args:
        refs: an iterable of references, such as href attributes: str, bytes or URL.
        base: the base URL of the page. urlsm.documents.base_url finds it.
        profile: the name of a profile, or a Profile, for the keys.
        schemes: the schemes to keep, in lower case without ":". None: all.
        domains: whether to find each link's registrable domain, which needs a public suffix list.
        suffix_list: a urlsm.domains.PublicSuffixList. None: the list from pip install 'urlsm[suffixes]'.
        encoding: the encoding of the page: a label from the Encoding Standard or a Python codec name. It is used to
            decode bytes and to encode queries.

    Returns:
        A list that has a Link or None for each reference. None means that the reference is not a URL, its scheme is not
        in `schemes`, or the profile rejects it.

    Raises:
        ParseError: `base` is not a URL.
        ValueError: there is no such profile.
        LookupError: there is no such encoding.
        TypeError: `refs` or `schemes` is a str, or a reference is not str, bytes or URL.
        ModuleNotFoundError: `domains` is true, and publicsuffixlist is not installed.

    Example:
        >>> links(["a?y&x", "mailto:me@h"], base="http://h/", schemes=["http", "https"])
        [Link(url='http://h/a?y&x', key='http://h/a?x&y', registrable_domain=None), None]
    """
    cdef URL start = url_of_base(base)
    cdef Rulebook rulebook = rulebook_of(profile)
    if not isinstance(domains, bool):
        raise TypeError(f"domains must be a bool, not {type(domains).__name__}: to filter links, use in_domains")
    cdef PublicSuffixList rules = None
    cdef URL url
    cdef Failure failure
    cdef Buffer b
    cdef Scratch s
    cdef KeyFailure why
    cdef str key
    cdef list found = []
    cdef frozenset wanted = None if schemes is None else iterable_of_str(schemes, "schemes", "['http', 'https']")
    queries = output_encoding(encoding)
    if domains or suffix_list is not None:
        rules = suffixes_or_default(suffix_list)
    if isinstance(refs, (str, bytes)) or not hasattr(refs, "__iter__"):
        raise TypeError(f"refs must be an iterable of str or bytes, not {type(refs).__name__}")
    if encoding != "utf-8":
        from urlsm.unicode.encoding import texts_in
        refs = texts_in(refs, encoding)
    buffer_start(&b)
    scratch_start(&s)
    try:
        for ref in refs:
            url = read_url(octets_of(ref, False), start, queries, &failure, NULL)
            if url is not None and wanted is not None and url.scheme not in wanted:
                url = None
            key = None if url is None else key_of(url.href, rulebook, &b, &s, &why)
            found.append(None if key is None else new_link((url.href, key, site_of(url, rules) if domains else None)))
        return found
    finally:
        buffer_free(&b)
        scratch_free(&s)


cdef object port_of(object given):
    """Return the port of a URL, or the default port of its scheme; None if there is neither, or for a host without a
    scheme."""
    cdef URL url = try_parse(given)
    if url is None:
        return None
    return url.o.port if url.o.port >= 0 else listed_port(url.o.kind) or None


cdef str address_of(object given):
    """Return the IP address in `given`, a host or a URL, as the URL Standard writes it; None if there is no address."""
    cdef str text
    url = try_parse(given)
    if url is None and isinstance(given, (str, bytes)):
        text = given if isinstance(given, str) else given.decode("latin-1")
        if text.startswith("[") and text.endswith("]"):
            text = text[1:len(text) - 1]
        if ADDRESS.issuperset(text):
            url = try_parse(f"http://[{text}]/" if ":" in text else f"http://{text}/")
    return url.host if url is not None and url.host and url.host.endswith(ENDS_OF_ADDRESSES) else None


def in_domains(url, domains):
    """Return whether a URL's host is one of these domains or a subdomain of one, like Scrapy's allowed_domains.

    Args:
        url: str, bytes or URL. Text without ":" and "/" is read as a host.
        domains: an iterable of str: "example.com" includes its subdomains, "=example.com" means this name only, and
            "*.example.com" its subdomains only. A domain can also be an address or a network ("10.0.0.0/8"). With a
            port ("h:8080"), only this port matches.

    Raises:
        TypeError: `url` is not str, bytes or URL, or `domains` is a str or contains anything other than str.
        ValueError: a domain is "*", a URL, or another string that no host can match.

    Example:
        >>> in_domains("http://www.example.org:8080/", ["example.org", "example.net"])
        True
    """
    cdef Buffer host
    cdef bint unicode
    cdef bytes name
    cdef uint8_t how
    cdef Py_ssize_t n
    listed = host_list(texts_of(domains, "domains"), True)
    suffixes = listed.suffixes
    buffer_start(&host)
    try:
        if not write_host_of(&host, url, &unicode):
            found = address_of(url)
        elif suffixes is None:
            found = ascii_text(host.p, host.n)
        else:
            for name in <tuple>suffixes:
                how, n = name[0], len(name) - 1
                if <size_t>n <= host.n and memcmp(host.p + host.n - n, <const uint8_t*>name + 1, n) == 0 \
                        and (how != c'*' if <size_t>n == host.n else how != c'=' and host.p[host.n - n - 1] == c'.'):
                    return True
            return False
    finally:
        buffer_free(&host)
    return found is not None and listed.holds(found, port_of(url) if listed.has_ports else None)


def has_extension(url, extensions):
    """Return whether a URL's path ends in one of these file extensions.

    The last segment is decoded and lower-cased first. A segment that is only an extension (".pdf") does not count.

    Args:
        url: str, bytes or URL.
        extensions: a set or list of str in lower case, with or without the leading dot: {".pdf", "tar.gz"}.

    Raises:
        ParseError: `url` is not a URL.
        TypeError: `url` is not str, bytes or URL, or `extensions` is a str.

    Example:
        >>> has_extension("http://example.org/a.PDF?x", {"pdf", "zip"})
        True
    """
    if isinstance(extensions, (str, bytes)) or not hasattr(extensions, "__contains__"):
        raise TypeError(f"extensions must be a set or list of str, such as {{'.pdf'}}, not {type(extensions).__name__}")
    cdef URL parsed = as_url(url)
    cdef Py_ssize_t dot
    segment = parsed.path.rpartition("/")[2]
    text = decode_text(ascii_data(segment), len(segment)).lower()
    dot = len(text)
    for _ in range(8):  # only the last eight dots are tried, because trying all would take quadratic time
        dot = text.rfind(".", 0, dot)
        if dot < 1:
            break
        if text[dot:] in extensions or text[dot + 1:] in extensions:
            return True
    return False


cpdef int64_t latest_month(object today) except? -1:
    """Return the latest month that is not yet "far in the future", as the number of months since the year 0. today: a
    date, or None for the clock's date."""
    if today is None:
        return 1970 * 12 + <int64_t>time(NULL) * 12 // 31556952 + MONTHS_AHEAD
    from datetime import date
    if not isinstance(today, date):
        raise TypeError(f"today must be a datetime.date, not {type(today).__name__}")
    return 12 * <int64_t>today.year + <int64_t>today.month - 1 + MONTHS_AHEAD


def traps(url, *, today=None):
    """Return codes for the reasons why a URL looks like a crawler trap; () for most URLs.

    "segments-repeat": a segment occurs three times in a row, or a series of segments twice. "host-in-path": a segment
    is the URL's own host or begins with "www.". "too-deep": there are more than 20 segments. "too-long": the URL is
    longer than 2,083 bytes. "far-date": a date is far in the future, or before 1970 in a calendar. "fields-repeat": a
    parameter occurs twice. "session-id": the URL has a session identifier. The page "Extract and
    follow links" defines the exact rules.

    Args:
        url: str, bytes or URL.
        today: a datetime.date. None: the current date.

    Raises:
        ParseError: `url` is not a URL.
        TypeError: `url` is not str, bytes or URL, or `today` is not a date.

    Example:
        >>> traps("http://h/a/b/a/b/?x=1&x=1")
        ('segments-repeat', 'fields-repeat')
    """
    cdef URL parsed = as_url(url)
    cdef uint32_t found, k
    found = traps_of(ascii_data(parsed.href), len(parsed.href), &parsed.o, latest_month(today))
    if not found:
        return ()
    return tuple([name for k, name in enumerate(TRAPS) if found >> k & 1])


def shape(url):
    """Return a template that similar URLs share: "<n>", "<date>", "<uuid>" and "<hash>" replace the variable parts.

    The fragment is removed. "<hash>" stands for sixteen or more letters and digits with at least one of each.

    Args:
        url: str, bytes or URL.

    Raises:
        ParseError: `url` is not a URL.
        TypeError: `url` is not str, bytes or URL.

    Example:
        >>> shape("http://h/2026/05/17/item-12?page=3")
        'http://h/<date>/item-<n>?page=<n>'
    """
    cdef URL parsed = as_url(url)
    cdef Buffer b
    buffer_start(&b)
    try:
        write_shape(&b, ascii_data(parsed.href), len(parsed.href), &parsed.o)
        return ascii_text(b.p, b.n)
    finally:
        buffer_free(&b)


stay_all(globals())
