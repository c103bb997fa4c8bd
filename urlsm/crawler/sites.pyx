"""Public suffixes, registrable domains and sites of URLs and hosts.

The class PublicSuffixList follows the published algorithm for the Public Suffix List (https://publicsuffix.org/list/).
Every suffix that has a rule, and every shorter suffix that such a suffix ends with, is a node of one open-addressed
table. A look-up hashes the host from its end, label by label, and stops at the first suffix that is not in the table.
"""
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING
from cpython.object cimport PyObject
from libc.stdint cimport uint32_t, uint64_t, uint8_t
from libc.stdlib cimport calloc, free
from libc.string cimport memchr, memcmp, memset
from urlsm.crawler.labels cimport FIRST_HASH, dots_of, has_empty_label, hash_with, label_start
from urlsm.machine cimport BY_LANE, HOST, MAX_LENGTH, Reading, Span, TO_AUTHORITY, read, span_of
from urlsm.machine.special cimport FILE, NOT_SPECIAL
from urlsm.octets.buffer cimport (
    Buffer, ascii_data, ascii_text, buffer_copy, buffer_free, buffer_reserve, buffer_start, is_ascii,
)
from urlsm.octets.chars cimport CLASS, FORBIDDEN_DOMAIN, HEX, UPPER, classes_of, lower
from urlsm.octets.once cimport publish, published, stay_all
from urlsm.octets.text cimport Quoting, bits_outside, exact, keep_octets
from urlsm.url.parser cimport WHATWG, domain_to_ascii
from urlsm.url.slots cimport rename_in_error, set_name, set_new
from urlsm.url.value cimport URL, as_url
from urlsm.url.write.host cimport ends_in_a_number, is_normal_domain
import threading
from importlib.util import find_spec
from os import fspath
from os.path import join
from urlsm.octets.objects import url_text
from urlsm.url.params import scalar_values
from urlsm.url.value import try_parse

# --- the list -------------------------------------------------------------------------------------

cdef object _lock = threading.Lock()
cdef PyObject* _default = NULL  # loaded once, under the lock, and never changed


cdef inline bint is_space(uint8_t octet) noexcept nogil:
    return octet == c' ' or 9 <= octet <= 13


cdef bint is_lower(const uint8_t* p, size_t n) noexcept nogil:
    """Return whether p[0:n] is ASCII and has no upper-case letter."""
    cdef size_t k
    for k in range(n):
        if p[k] > 0x7F or c'A' <= p[k] <= c'Z':
            return False
    return True


cdef bytes ascii_rule(bytes rule):
    """Return a rule with its labels that are not ASCII written in Punycode."""
    if rule.isascii():
        return rule
    labels = rule.decode("utf-8").split(".")
    return b".".join([label.encode() if label.isascii() else b"xn--" + label.encode("punycode") for label in labels])


@cython.final
@cython.binding(False)
cdef class PublicSuffixList:
    """PublicSuffixList(path=None)
    --

    A public suffix list: the domains under which anyone can register a name.

    Args:
        path: a file in the format of public_suffix_list.dat. None: the list from pip install 'urlsm[suffixes]', which
            is loaded once.

    Attributes:
        path: the path of the file.
        version: the list's "VERSION" line, or "".
        rules: the number of rules.

    Raises:
        OSError: the file cannot be read.
        ValueError: the file is not a public suffix list.
        ModuleNotFoundError: `path` is None, and publicsuffixlist is not installed.

    Example:
        >>> PublicSuffixList().registrable_domain("www.example.co.uk")
        'example.co.uk'

    https://publicsuffix.org/list/
    """

    def __cinit__(self, path):
        self.path = fspath(path)
        self.version = ""
        self.mask = 0x7FFF
        buffer_start(&self.pool)
        self.nodes = <Node*>calloc(self.mask + 1, sizeof(Node))
        if self.nodes == NULL:
            raise MemoryError()
        with open(path, "rb") as file:
            self.read_list(file.read())
        if not self.rules:
            raise ValueError(f"{self.path!r} holds no rules of a public suffix list")

    cdef int read_list(self, bytes data) except -1:
        """Add the rules in the lines of the file."""
        cdef const uint8_t* p = <const uint8_t*>PyBytes_AS_STRING(data)
        cdef const uint8_t* end = p + len(data)
        cdef const uint8_t* stop
        cdef bint private = False
        buffer_reserve(&self.pool, len(data) // 2)
        while p < end:
            stop = <const uint8_t*>memchr(p, c'\n', end - p)
            if stop == NULL:
                stop = end
            if stop - p >= 2 and p[0] == c'/' and p[1] == c'/':
                if stop - p > 19 and memcmp(p, b"// ===BEGIN PRIVATE", 19) == 0:
                    private = True
                elif stop - p > 11 and memcmp(p, b"// VERSION:", 11) == 0:
                    self.version = p[11:stop - p].strip().decode("ascii", "replace")
            else:
                self.read_rule(p, stop, private)
            p = stop + 1
        return 0

    cdef int read_rule(self, const uint8_t* p, const uint8_t* stop, bint private) except -1:
        """Add the rule of a line, if the line has one: "Each line is only read up to the first whitespace"."""
        cdef const uint8_t* start
        cdef bytes rule = None
        while p < stop and is_space(p[0]):
            p += 1
        start = p
        while p < stop and not is_space(p[0]):
            p += 1
        if p == start:
            return 0
        self.rules += 1
        if is_lower(start, p - start):
            return self.add(start, p - start, private)
        if p - start < 64 and start[0] != c'*' and start[0] != c'!':
            rule = domain_to_ascii(start[:p - start])
        if not rule:
            rule = ascii_rule(start[:p - start]).lower()
        return self.add(<const uint8_t*>PyBytes_AS_STRING(rule), len(rule), private)

    def __dealloc__(self):
        free(self.nodes)
        buffer_free(&self.pool)

    cdef int grow(self) except -1:
        """Double the size of the table."""
        cdef Node* old = self.nodes
        cdef const uint8_t* p
        cdef uint32_t k, j, n, start, places = self.mask + 1
        cdef uint64_t hash, dots
        self.nodes = <Node*>calloc(2 * <size_t>places, sizeof(Node))
        if self.nodes == NULL:
            self.nodes = old
            raise MemoryError()
        self.mask = 2 * places - 1
        for k in range(places):
            if old[k].n:
                hash = FIRST_HASH
                p = self.pool.p + old[k].at
                n = j = old[k].n
                dots = dots_of(p, n)
                while True:
                    start = label_start(p, j, dots)
                    hash = hash_with(hash, p, start, j, n)
                    if not start:
                        break
                    j = start - 1
                j = <uint32_t>hash & self.mask
                while self.nodes[j].n:
                    j = (j + 1) & self.mask
                self.nodes[j] = old[k]
        free(old)
        return 0

    cdef Node* place(self, const uint8_t* p, uint32_t n, uint64_t hash) except NULL:
        """Return the node of the suffix p[0:n]. A new suffix is added to the table."""
        cdef Node* node
        if 2 * self.used > self.mask:
            self.grow()
        node = find_node(self, p, n, hash)
        if not node.n:
            node.check, node.at, node.n = hash >> 48, <uint32_t>self.pool.n, n
            buffer_copy(&self.pool, p, n)
            filter_word(self, hash)[0] |= <uint64_t>1 << (hash & 63)
            self.used += 1
        return node

    cdef int add(self, const uint8_t* p, uint32_t n, bint private) except -1:
        cdef uint64_t hash = FIRST_HASH, dots
        cdef uint32_t start, end
        cdef int kind = ICANN_RULE
        if p[0] == c'!':
            kind = ICANN_EXCEPTION
            p += 1
            n -= 1
        elif n > 1 and p[0] == c'*' and p[1] == c'.':
            kind = ICANN_WILDCARD
            p += 2
            n -= 2
        if not 0 < n <= 255 or p[0] == c'.' or p[n - 1] == c'.' or memchr(p, c'*', n) != NULL:
            raise ValueError(f"not a rule of a public suffix list: {p[:n]!r}")
        dots = dots_of(p, n)
        end = n
        while True:
            start = label_start(p, end, dots)
            hash = hash_with(hash, p, start, end, n)
            if not start:
                break
            self.place(p + start, n - start, hash).rules |= PARENT
            end = start - 1
        self.place(p, n, hash).rules |= kind << 1 if private else kind
        return 0

    def public_suffix(self, url_or_host, *, only_icann=False, accept_unknown=True):
        """Return the public suffix of a URL or host according to this list, like urlsm.domains.public_suffix.

        Args:
            url_or_host: str, bytes or URL. Text without ":" and "/" is read as a host.
            only_icann: whether to ignore the list's private section, with suffixes that companies own, such as
            "github.io".
            accept_unknown: whether a top-level domain that is not on the list counts as a suffix.

        Raises:
            TypeError: `url_or_host` is not str, bytes or URL.

        Example:
            >>> PublicSuffixList().public_suffix("www.example.co.uk")
            'co.uk'
        """
        return end_of_host(url_or_host, self, only_icann, accept_unknown, False)

    def registrable_domain(self, url_or_host, *, only_icann=False, accept_unknown=True):
        """Return the registrable domain of a URL or host according to this list, like urlsm.domains.registrable_domain.

        Args:
            url_or_host: str, bytes or URL. Text without ":" and "/" is read as a host.
            only_icann: whether to ignore the list's private section, with suffixes that companies own, such as
            "github.io".
            accept_unknown: whether a top-level domain that is not on the list counts as a suffix.

        Raises:
            TypeError: `url_or_host` is not str, bytes or URL.

        Example:
            >>> PublicSuffixList().registrable_domain("me.github.io", only_icann=True)
            'github.io'
        """
        return end_of_host(url_or_host, self, only_icann, accept_unknown, True)

    def split(self, url_or_host, *, only_icann=False):
        """Split a host into subdomain, domain and public suffix, as tldextract does.

        Args:
            url_or_host: str, bytes or URL. Text without ":" and "/" is read as a host.
            only_icann: whether to ignore the list's private section, with suffixes that companies own, such as
            "github.io".

        Returns:
            (subdomain, domain, suffix, is_private), with "" for absent parts. None for an IP address, or if there is no
            host. `is_private`: whether the suffix is in the list's private section.

        Raises:
            TypeError: `url_or_host` is not str, bytes or URL.

        Example:
            >>> PublicSuffixList().split("www.example.co.uk")
            ('www', 'example', 'co.uk', False)
        """
        return split_host(url_or_host, self, not only_icann)

    def __reduce__(self):
        return PublicSuffixList, (self.path,)

    def __repr__(self):
        return f"<PublicSuffixList {self.version or self.path}: {self.rules} rules>"


cdef PublicSuffixList default_suffixes():
    """Return the list of the installed package publicsuffixlist. Raises ModuleNotFoundError if it is not installed."""
    if published(&_default) == NULL:
        with _lock:
            if published(&_default) == NULL:
                spec = find_spec("publicsuffixlist")
                if spec is None or not spec.submodule_search_locations:
                    raise ModuleNotFoundError(
                        "public suffixes need the package publicsuffixlist: pip install 'urlsm[suffixes]',"
                        " or pass suffix_list=PublicSuffixList(path) with a list of your own", name="publicsuffixlist")
                publish(&_default, read_list_at(join(spec.submodule_search_locations[0], "public_suffix_list.dat")))
    return <PublicSuffixList>published(&_default)


cdef PublicSuffixList read_list_at(object path):
    # in this module, Cython's __new__ does not use the slot that is set below
    return PublicSuffixList.__new__(PublicSuffixList, path)


def list_of(path=None):
    """Return PublicSuffixList(path)."""
    return default_suffixes() if path is None else read_list_at(path)


cdef extern from *:
    PyObject* call "PyObject_Call"(object function, PyObject* args, PyObject* kwargs) noexcept


cdef PyObject* new_list(PyObject* cls, PyObject* args, PyObject* kwargs) noexcept:
    return rename_in_error(call(list_of, args, kwargs), "list_of()", "PublicSuffixList()")


# --- the host of a text ------------------------------------------------------------------------

cdef inline bint is_name_with(const uint8_t* p, uint32_t n, uint64_t dots) noexcept nogil:
    """Do the same as is_name(). dots: the result of dots_of."""
    if has_empty_label(p, n, dots) or p[0] == c'[':
        return False
    return not (CLASS[p[n - 1]] & HEX or p[n - 1] == c'x') or not ends_in_a_number(p, n)


cdef bint is_name(const uint8_t* p, uint32_t n) noexcept nogil:
    """Return whether a host in lower-case ASCII, without a trailing dot, is a name: it has no empty labels, and is
    not an IP address."""
    return is_name_with(p, n, dots_of(p, n))


cdef struct Host:            # the host of a text, in lower-case ASCII, without a dot at its end
    const uint8_t* p         # points into the text that was read, or into b
    uint32_t n
    uint64_t dots            # the result of dots_of
    bint unicode             # whether the host was not ASCII in the text
    Buffer b


cdef Quoting nothing_to_fold  # the octets that may be in a host and that normalisation does not change


cdef void list_octets() noexcept:
    cdef uint8_t octet
    memset(&nothing_to_fold, 0, sizeof(Quoting))
    for octet in range(128):
        if not CLASS[octet] & (UPPER | FORBIDDEN_DOMAIN):
            keep_octets(&nothing_to_fold, &octet, 1)


list_octets()


cdef bint take_url_host(Host* host, const uint8_t* p, size_t n) noexcept:
    """Set host to the host of a URL. The host may end in a dot. Returns False for the few URLs that must be parsed
    to find the host."""
    cdef Reading r
    cdef Span span
    if n > MAX_LENGTH or not read(&r, p, n, WHATWG, TO_AUTHORITY):
        return False
    if not r.by_lane and (r.m.kind == NOT_SPECIAL or r.m.kind == FILE):
        return False
    span = span_of(&r, HOST)
    host.p, host.n = p + span.start, span.end - span.start
    return r.by_lane or is_normal_domain(host.p, host.n, r.m.host_seen)


cdef bint take_bare_host(Host* host, const uint8_t* p, size_t n) noexcept:
    """Set host to a string that is a bare host. Returns False if the text is not in normal form."""
    if n > MAX_LENGTH:
        return False
    host.p, host.n = p, n
    return not classes_of(p, n) & (UPPER | FORBIDDEN_DOMAIN)


cdef inline bint has(str text, uint8_t octet) noexcept:
    """Return whether an ASCII text has the byte."""
    return memchr(ascii_data(text), octet, len(text)) != NULL


cdef bint write_bare_host(Buffer* b, str host, bint* unicode) except -1:
    """Append a bare host, normalised as in the URL parser, and set *unicode to whether it was not ASCII. Returns False
    if the text is not a host."""
    cdef const uint8_t* p
    cdef uint32_t k, n
    cdef uint32_t seen = 0
    unicode[0] = not is_ascii(host)
    if unicode[0] or has(host, c'%'):
        from urlsm.unicode.idna import IDNAError, parse_domain
        folded = None
        try:
            folded = parse_domain(host)
        except IDNAError:
            pass
        if folded is None:
            return False
        host = folded
    if len(host) > MAX_LENGTH:
        return False
    p = ascii_data(host)
    n = len(host)
    buffer_reserve(b, n)
    for k in range(n):
        seen |= CLASS[p[k]]
        b.p[b.n + k] = lower(p[k])
    b.n += n
    return not seen & FORBIDDEN_DOMAIN


cdef bint take_host(Host* host, object url_or_host) except -1:
    """Set `host` to the host of a URL, or to a bare host. A text with ":" or "/" is read as a URL. The text must live
    as long as `host` is used, and host.b must be started. Returns False if the host is not a name. Raises TypeError if
    url_or_host is not a text."""
    cdef object text = url_or_host
    cdef bint ascii, is_url, found
    cdef Reading r
    cdef const uint8_t* p
    cdef size_t n
    host.unicode = False
    if type(text) is str and is_ascii(text):
        p, n = ascii_data(text), len(<str>text)
        # the host of a plain text (machine/lane/plain.h) is in lower case, and is not an IP address
        if n <= MAX_LENGTH and read(&r, p, n, WHATWG, TO_AUTHORITY | BY_LANE):
            host.p, host.n = p + r.at.host_start, r.at.host_end - r.at.host_start
            host.dots = dots_of(host.p, host.n)
            return not has_empty_label(host.p, host.n, host.dots)
        if 0 < n < 64 and not bits_outside(p, n, &nothing_to_fold):
            host.p, host.n = p, n - (p[n - 1] == c'.')
            host.dots = dots_of(host.p, host.n)
            return is_name_with(host.p, host.n, host.dots)
    if not isinstance(text, (str, bytes)):
        text = getattr(text, "href", None)
        if type(text) is not str:
            text = url_text(url_or_host)
    if isinstance(text, bytes):
        text = (<bytes>text).decode("utf-8", "replace")
    text = exact(text)
    ascii = is_ascii(text)
    is_url = has(text, c':') or has(text, c'/') if ascii else ":" in text or "/" in text
    found = ascii and (take_url_host(host, ascii_data(text), len(<str>text)) if is_url
                       else take_bare_host(host, ascii_data(text), len(<str>text)))
    if found and text is not url_or_host:
        buffer_copy(&host.b, host.p, host.n)
        host.p = host.b.p
    if not found:
        if is_url:
            url = try_parse(text)
            if url is None or not url.host:
                return False
            text = url.host
        if not write_bare_host(&host.b, text, &host.unicode):
            return False
        host.p, host.n = host.b.p, <uint32_t>host.b.n
    if host.n and host.p[host.n - 1] == c'.':
        host.n -= 1
    host.dots = dots_of(host.p, host.n)
    return is_name_with(host.p, host.n, host.dots)


cdef bint write_host_of(Buffer* b, object url_or_host, bint* unicode) except -1:
    """Append the host that take_host finds, and set `unicode` to whether it was not ASCII. Returns False if the host is
    not a name."""
    cdef Host host
    cdef bint found
    buffer_start(&host.b)
    try:
        found = take_host(&host, url_or_host)
        unicode[0] = host.unicode
        if found:
            buffer_copy(b, host.p, host.n)
    finally:
        buffer_free(&host.b)
    return found


# --- public suffixes ---------------------------------------------------------------------------

cdef PublicSuffixList suffixes_or_default(object suffixes):
    """Return `suffixes`, or the default list if `suffixes` is None. Raises TypeError for any other object that is not a
    PublicSuffixList."""
    if suffixes is None:
        return default_suffixes()
    if not isinstance(suffixes, PublicSuffixList):
        raise TypeError(f"suffix_list must be a PublicSuffixList or None, not {type(suffixes).__name__}")
    return <PublicSuffixList>suffixes


cdef inline uint32_t site_start_with(const uint8_t* p, uint32_t n, uint64_t dots, PublicSuffixList suffixes,
                                     bint private) noexcept nogil:
    """Do the same as site_start(). dots: the result of dots_of."""
    cdef Section section
    cdef uint32_t suffix = suffix_start(suffixes, p, n, dots, private, &section)
    return label_start(p, suffix - 1, dots) if suffix else NO_SITE


cdef inline uint32_t end_start_with(const uint8_t* p, uint32_t n, uint64_t dots, PublicSuffixList suffixes,
                                    const Ending* ending) noexcept nogil:
    """Do the same as end_start(). dots: the result of dots_of."""
    cdef Section section
    cdef uint32_t suffix = suffix_start(suffixes, p, n, dots, ending.private, &section)
    if section == UNLISTED and ending.only_listed:
        return NO_SITE
    if not ending.with_label:
        return suffix
    return label_start(p, suffix - 1, dots) if suffix else NO_SITE


cdef uint32_t end_start(const uint8_t* p, uint32_t n, PublicSuffixList suffixes, const Ending* ending) noexcept nogil:
    """Return where the wanted end of the host p[0:n] begins; NO_SITE if the host has no such end. `ending` says which
    end is wanted. The host must be a name."""
    return end_start_with(p, n, dots_of(p, n), suffixes, ending)


cdef uint32_t site_start(const uint8_t* p, uint32_t n, PublicSuffixList suffixes, bint private) noexcept nogil:
    """Return where the registrable domain of the host p[0:n] begins; NO_SITE if the host has none."""
    return site_start_with(p, n, dots_of(p, n), suffixes, private)


cdef str answer(const Host* host, uint32_t start, object given):
    if start == 0 and type(given) is str and host.p == ascii_data(given) and host.n == <size_t>len(<str>given):
        return given
    text = ascii_text(host.p + start, host.n - start)
    if host.unicode:
        from urlsm.unicode.idna import to_unicode
        return to_unicode(text)
    return text


cdef object end_of_host(object url_or_host, object suffixes, bint only_icann, bint accept_unknown, bint with_label):
    """Return the public suffix of a host, or its registrable domain if with_label is true; None if the host has
    none."""
    cdef Host host
    cdef Ending ending
    cdef uint32_t start
    cdef PublicSuffixList rules = suffixes_or_default(suffixes)
    ending.with_label, ending.private, ending.only_listed = with_label, not only_icann, not accept_unknown
    buffer_start(&host.b)
    try:
        if not take_host(&host, url_or_host):
            return None
        start = end_start_with(host.p, host.n, host.dots, rules, &ending)
        return None if start == NO_SITE else answer(&host, start, url_or_host)
    finally:
        buffer_free(&host.b)


def registrable_domain(url_or_host, *, only_icann=False, accept_unknown=True, suffix_list=None):
    """Return the registrable domain (eTLD+1) of a URL or host: the public suffix and one more label.

    Args:
        url_or_host: str, bytes or URL. Text without ":" and "/" is read as a host.
        only_icann: whether to ignore the list's private section, with suffixes that companies own, such as "github.io".
        accept_unknown: whether a top-level domain that is not on the list counts as a suffix.
        suffix_list: a PublicSuffixList. None: the list from pip install 'urlsm[suffixes]'.

    Returns:
        The domain in lower-case ASCII (in Unicode if the host was not ASCII). None for a public suffix, an IP address,
        or a string that is neither a URL nor a host.

    Raises:
        TypeError: `url_or_host` is not str, bytes or URL.
        ModuleNotFoundError: `suffix_list` is None, and publicsuffixlist is not installed.

    Example:
        >>> registrable_domain("https://www.example.co.uk/x"), registrable_domain("me.github.io", only_icann=True)
        ('example.co.uk', 'github.io')

    https://publicsuffix.org/list/
    """
    return end_of_host(url_or_host, suffix_list, only_icann, accept_unknown, True)


def public_suffix(url_or_host, *, only_icann=False, accept_unknown=True, suffix_list=None):
    """Return the public suffix (eTLD) of a URL or host, under which anyone can register a name: "co.uk".

    A host that is a public suffix is its own suffix.

    Args:
        url_or_host: str, bytes or URL. Text without ":" and "/" is read as a host.
        only_icann: whether to ignore the list's private section, with suffixes that companies own, such as "github.io".
        accept_unknown: whether a top-level domain that is not on the list counts as a suffix.
        suffix_list: a PublicSuffixList. None: the list from pip install 'urlsm[suffixes]'.

    Returns:
        The suffix in lower-case ASCII (in Unicode if the host was not ASCII). None for an IP address, or a string that
        is neither a URL nor a host.

    Raises:
        TypeError: `url_or_host` is not str, bytes or URL.
        ModuleNotFoundError: `suffix_list` is None, and publicsuffixlist is not installed.

    Example:
        >>> public_suffix("https://www.example.co.uk/x"), public_suffix("x.notatld", accept_unknown=False)
        ('co.uk', None)

    https://publicsuffix.org/list/
    """
    return end_of_host(url_or_host, suffix_list, only_icann, accept_unknown, False)


def split_host(url_or_host, PublicSuffixList suffixes not None, bint private):
    """Return (subdomain, domain, suffix, is_private), or None; see PublicSuffixList.split."""
    cdef Buffer b
    cdef bint unicode
    cdef Section section
    cdef uint32_t suffix, site
    buffer_start(&b)
    try:
        if not write_host_of(&b, url_or_host, &unicode):
            return None
        suffix = suffix_start(suffixes, b.p, b.n, dots_of(b.p, b.n), private, &section)
        site = site_start(b.p, b.n, suffixes, private)
        parts = ["", "", ascii_text(b.p + suffix, b.n - suffix)]
        if site != NO_SITE:
            parts[:2] = ascii_text(b.p, site - 1 if site else 0), ascii_text(b.p + site, suffix - 1 - site)
    finally:
        buffer_free(&b)
    if unicode:
        from urlsm.unicode.idna import to_unicode
        parts = [to_unicode(part) for part in parts]
    return (*parts, section == PRIVATE)


cdef bint of_one_site(str left, str right, PublicSuffixList rules) except -1:
    """Return whether two URLs have the same registrable domain."""
    cdef Host one, other
    cdef uint32_t k = NO_SITE, j = NO_SITE
    buffer_start(&one.b)
    buffer_start(&other.b)
    try:
        if take_host(&one, left) and take_host(&other, right):
            k = site_start_with(one.p, one.n, one.dots, rules, True)
            j = site_start_with(other.p, other.n, other.dots, rules, True)
        return k != NO_SITE and j != NO_SITE and one.n - k == other.n - j \
            and memcmp(one.p + k, other.p + j, one.n - k) == 0
    finally:
        buffer_free(&one.b)
        buffer_free(&other.b)


cdef bint of_one_host_or_site(URL left, URL right, object suffixes) except -1:
    cdef uint32_t n = left.o.host_end - left.o.host_start
    if n == right.o.host_end - right.o.host_start and memcmp(
            ascii_data(left.href) + left.o.host_start, ascii_data(right.href) + right.o.host_start, n) == 0:
        return True
    return of_one_site(left.href, right.href, suffixes_or_default(suffixes))


cdef URL with_site(link):
    """Return the URL that determines the site of a link: the URL of its origin if it is a blob: URL, otherwise its own
    URL."""
    cdef URL url = as_url(link)
    if url.o.kind == NOT_SPECIAL and url.scheme == "blob" and url.origin != "null":
        return as_url(url.origin)
    return url


def same_site(a, b, *, schemeful=True, suffix_list=None):
    """Return whether two URLs are same-site, as browsers define it for cookies: same registrable domain and same
    scheme.

    A host without a registrable domain is a site of its own. A URL with an opaque origin ("data:") is not same-site
    with any URL. A blob: URL has the same site as its origin.

    Args:
        a: a URL: str, bytes or URL.
        b: the other URL.
        schemeful: whether the schemes must also be the same. False: ignore them ("schemelessly same site").
        suffix_list: a PublicSuffixList. None: the list from pip install 'urlsm[suffixes]', if the hosts differ.

    Raises:
        ParseError: `a` or `b` is not a URL.
        TypeError: `a` or `b` is not str, bytes or URL.
        ModuleNotFoundError: `suffix_list` is None, and publicsuffixlist is not installed.

    Example:
        >>> same_site("https://a.example.org/", "https://b.example.org/")
        True

    https://html.spec.whatwg.org/multipage/browsers.html#same-site
    """
    cdef URL left = with_site(a), right = with_site(b)
    # URLs of the kinds between NOT_SPECIAL and FILE (http, https, ws, wss and ftp) have a host and an origin, and each
    # kind stands for one scheme
    if NOT_SPECIAL < left.o.kind < FILE and NOT_SPECIAL < right.o.kind < FILE:
        return (not schemeful or left.o.kind == right.o.kind) and of_one_host_or_site(left, right, suffix_list)
    if left.origin == "null" or right.origin == "null" or schemeful and left.scheme != right.scheme:
        return False
    if left.host == right.host:
        return True
    site = registrable_domain(left, suffix_list=suffix_list)
    return site is not None and site == registrable_domain(right, suffix_list=suffix_list)


# --- domains in ASCII --------------------------------------------------------------------------

cdef PyObject* parse_domain = NULL  # urlsm.unicode.idna.parse_domain, imported on first use


def to_ascii(domain, *, strict=False):
    """Return a domain as it appears in a URL: in lower-case ASCII, with Punycode for labels that are not ASCII (IDNA).

    IPv4 and IPv6 addresses are not read.

    Args:
        domain: the domain, in Unicode or ASCII, not percent-encoded.
        strict: whether to reject labels that are too long, and characters that DNS or STD 3 does not allow.

    Raises:
        IDNAError: the domain is not valid; `reason` names the rule that it violates.
        TypeError: `domain` is not str.

    Example:
        >>> to_ascii("Bücher.example")
        'xn--bcher-kva.example'

    https://url.spec.whatwg.org/#concept-domain-to-ascii; UTS 46
    """
    cdef uint32_t seen
    if type(domain) is str and is_ascii(domain) and strict is False:
        # parse_domain would only put such a domain into lower case, if it has no forbidden domain code point
        seen = classes_of(ascii_data(domain), len(<str>domain))
        if seen and not seen & FORBIDDEN_DOMAIN:
            return (<str>domain).lower() if seen & UPPER else domain
    if published(&parse_domain) == NULL:
        from urlsm.unicode.idna import parse_domain as function
        publish(&parse_domain, function)
    return (<object>published(&parse_domain))(scalar_values(domain), strict)


set_name(PublicSuffixList, "urlsm.domains.PublicSuffixList")
# PublicSuffixList() returns the installed list, which is loaded once
set_new(PublicSuffixList, <void*>new_list)
stay_all(globals())
