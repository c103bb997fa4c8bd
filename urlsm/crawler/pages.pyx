"""links() resolves all references of a page in one loop; the other functions examine a single URL."""
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
    """A link of a page.

    url: the URL to request. key: URLs with the same key count as the same page; never fetch a key.
    registrable_domain: None if the URL has none, or without domains=True. hash: the key's XXH64, an int.
    """

    __module__ = "urlsm.crawler"
    url: str
    key: str
    registrable_domain: str | None

    @property
    def hash(self):
        """XXH64 of the key as an unsigned int. It is the fingerprint of kind "xxh64"."""
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


cdef frozenset iterable_of_str(object names, str name, str example):
    """Return the names as a frozenset. TypeError: the argument `name` is a str, or holds something else than str."""
    if isinstance(names, (str, bytes)):
        raise TypeError(f"{name} must be an iterable of str, such as {example}, not {type(names).__name__}")
    cdef frozenset found = frozenset(names)
    for each in found:
        if not isinstance(each, str):
            raise TypeError(f"{name} must be an iterable of str, not of {type(each).__name__}")
    return found


def links(
    refs, *, base, profile=DEFAULT_PROFILE, schemes=None, bint domains=False, suffix_list=None, encoding="utf-8"
):
    """Return the links of a page: for each reference, the URL that it resolves to (URL Standard), its key and its
    registrable domain.

    Args:
        refs: an iterable of references (str or bytes), such as href attributes.
        base: the page's base URL (str, bytes or URL), which urlsm.documents.base_url finds.
        profile: the profile that makes the keys, by its name or as a Profile.
        schemes: an iterable of schemes in lower case (str), without ":". For a link with another scheme, the list has
            None. If schemes is None, all schemes are allowed.
        domains: whether to find each link's registrable domain.
        suffix_list: the PublicSuffixList for this; None: the list of the installed package publicsuffixlist.
        encoding: the page's encoding, by a label of the Encoding Standard or by Python's name. Bytes are decoded by it,
            and the queries of http, https, ftp and file URLs are encoded by it.

    Returns:
        A list that holds for each reference, in order, a Link(url, key, registrable_domain); or None if the reference
        is not a URL, its scheme is not one of schemes, or the profile refuses it.

    Raises:
        ParseError: base is not a URL. ValueError: no such profile. LookupError: no such encoding. TypeError: not a
        text.
        ModuleNotFoundError: domains is true, and publicsuffixlist is not installed.
    """
    cdef URL start = url_of_base(base)
    cdef Rulebook rulebook = rulebook_of(profile)
    cdef PublicSuffixList rules = suffixes_or_default(suffix_list) if domains else None
    cdef URL url
    cdef Failure failure
    cdef Buffer b
    cdef Scratch s
    cdef KeyFailure why
    cdef str key
    cdef list found = []
    cdef frozenset wanted = None if schemes is None else iterable_of_str(schemes, "schemes", "['http', 'https']")
    queries = output_encoding(encoding)
    if isinstance(refs, (str, bytes)):
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
    """Return whether the host of a URL is one of these domains, or a name below one of them. An IP address matches only
    the same address, in any spelling, and a network to which it belongs.

    Args:
        url: str, bytes or URL; a text without ":" and "/" is a host. domains: an iterable of hosts (str), in
            PatternSet's syntax "domains". "example.com" matches this name and all names below it, "=example.com" only
            this name, "*.example.com" only names below it. A host may also be an IP address or a network
            ("10.0.0.0/8"). If a host in `domains` has a port, only that port matches.

    Raises:
        TypeError: not a text. ValueError: a domain is "*", a URL, or another text that no host can match.
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
    """Return whether the last segment of a URL's path, decoded and in lower case, is a name that ends in one of these
    extensions. A segment that is only an extension (".pdf") does not count.

    Args:
        url: str, bytes or URL. extensions: a container of str in lower case, each with or without a leading dot:
            {".pdf"}. An extension may hold further dots: {".tar.gz"}.

    Raises:
        ParseError: url is not a URL. TypeError: not a text, or extensions is a str.
    """
    if isinstance(extensions, (str, bytes)):
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
    """Return the reasons why a URL looks like a trap (one of endlessly many URLs that a site makes): a tuple of names,
    empty for most links.

    "segments-repeat": a segment of the path comes three times in a row, or a series of segments comes twice in a row.
    "host-in-path": a segment is the URL's own host, or a domain that begins with "www."; the host of an archived URL in
    an archive's URL does not count. "too-deep": there are more than 20 segments. "too-long": there are more than 2,083
    octets before the fragment. "far-date": the path or a field has a month more than two years after today, or a month
    before 1970 if the URL also has "calendar", "event" or "agenda". A year more than two hundred years ahead counts
    only in a whole date (2999-05-17, but not 9999-12-31), or if the URL also has one of these words. "fields-repeat":
    the same field is in the query twice. "session-id": a field, or a parameter or folder of the path, holds the
    identifier of a session. Segments are compared, and searched for hosts and dates, only up to the 64th; fields are
    compared only up to the 64th.

    Args:
        url: str, bytes or URL. today: datetime.date; None: by the clock.

    Raises:
        ParseError: url is not a URL. TypeError: not a text, or not a date.
    """
    cdef URL parsed = as_url(url)
    cdef uint32_t found, k
    found = traps_of(ascii_data(parsed.href), len(parsed.href), &parsed.o, latest_month(today))
    if not found:
        return ()
    return tuple([name for k, name in enumerate(TRAPS) if found >> k & 1])


def shape(url):
    """Return a URL without its fragment, and with "<n>" in place of each number in its path and query. URLs that a site
    makes from one template therefore have the same shape.

    A date (2026/05/17, 2026-05) becomes "<date>", a UUID becomes "<uuid>", and a run of sixteen or more letters and
    digits, with at least one of each, becomes "<hash>". Percent-escapes stay. A shape with one of these marks is not
    the normal form of a URL, in which only an opaque path, such as that of a data: URL, can hold "<".

    Args:
        url: str, bytes or URL.

    Raises:
        ParseError: url is not a URL. TypeError: not a text.
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
