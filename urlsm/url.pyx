"""The immutable value that parsing under the URL Standard gives, and the functions that make it.

parse() asks the machine itself, for the many texts that need no more; the rest is reader.pyx's. What is
not hot (editing, display) is in edit.pyx and display.py.
"""
cimport cython
from cpython.object cimport PyObject, Py_EQ, Py_GT, Py_LE, Py_LT, Py_NE
from libc.stdint cimport uint32_t, uint8_t
from urlsm.buffer cimport ascii_data, ascii_text, is_ascii
from urlsm.chars cimport TAB_NEWLINE
from urlsm.codes cimport TOO_LONG
from urlsm.host cimport is_normal_domain
from urlsm.log cimport Log, SCHEME_START_STATE
from urlsm.machine cimport ABSENT, HOST, MAX_LENGTH, Machine, Span, default_port, prepare, run, run_authority
from urlsm.normal cimport is_normal, seen_by
from urlsm.percent cimport decode_text
from urlsm.reader cimport Failure, WHATWG, error_of, fail, read_octets, written
from urlsm.record cimport Offsets
from urlsm.special cimport FILE, NOT_SPECIAL
from urlsm.text cimport Octets, contains, octets_of
from urlsm.errors import ParseError
from urlsm.machine import special_kind

cdef size_t MAX_TEXT = 0xFFFFFFFE  # what 32-bit offsets reach
cdef object UTF8 = "utf-8"  # the very object that is the default argument
cdef tuple SCHEMES = (None, "http", "https", "ws", "wss", "ftp", "file")  # by SchemeKind


cdef dict registered = None  # scheme -> handler, as urlsm.register made it: never changed, only replaced; None: empty
cdef object find = None    # urlsm.registry's, and
cdef object split = None   # urlsm.components', and
cdef object resolve_otherwise = None  # urlsm.resolution's, which need URL: when they are first asked for


def use_handlers(dict handlers not None):
    """Have the URLs made from now on look up their handlers in this dict, which nobody changes any more."""
    global registered
    registered = handlers or None


# --- reading -----------------------------------------------------------------------------------

cdef inline URL empty_url():
    cdef URL url = URL.__new__(URL)
    if registered is not None:
        url.meaning = registered
    return url


cdef inline URL new_url(str text, const Offsets* o):
    cdef URL url = empty_url()
    url.href = text
    url.o = o[0]
    return url


cdef URL as_url(object base):
    """A base given as URL, str or bytes; None stays None. ParseError where it is no URL."""
    cdef Failure failure
    if base is None or type(base) is URL:
        return <URL>base
    text = octets_of(base, False)
    url = read_url(text, None, None, &failure, NULL)
    if url is None:
        raise error_of(text.given, &failure)
    return url


cdef URL read_url(Octets text, URL base, object encoding, Failure* failure, Log* log):
    """The URL parser: a URL, or None with the failure told."""
    cdef URL url = empty_url()
    if text.too_long:
        failure.removed_from = -1
        fail(failure, TOO_LONG, SCHEME_START_STATE, MAX_LENGTH)
        return None
    url.href = read_octets(text.p, text.n, <str>text.owner if text.is_text else None, None if base is None else base.href,
                           NULL if base is None else &base.o, encoding, &url.o, failure, log)
    return None if url.href is None else url


cdef object output_encoding(object label):
    """The canonical name of an encoding; None for UTF-8."""
    if label == "utf-8":
        return None
    if not isinstance(label, str):
        raise TypeError(f"an encoding's label is str, not {type(label).__name__}")
    from urlsm.encoding import output_encoding
    name = output_encoding(label)
    return None if name == "UTF-8" else name


cdef object check_length(object url, object limit):
    """A ParseError where url is longer than limit characters, else None."""
    cdef Failure failure
    if limit is None:
        return None
    text = url if isinstance(url, (str, bytes)) else octets_of(url, False).owner
    if len(text) <= limit:
        return None
    failure.removed_from = -1
    fail(&failure, TOO_LONG, SCHEME_START_STATE,
         len((text[:limit] if isinstance(text, str) else text[:limit].decode("utf-8", "replace")).encode("utf-8", "surrogatepass")))
    return error_of(url, &failure)


# --- public functions --------------------------------------------------------------------------

def parse(url, base=None, *, query_encoding="utf-8", max_length=None):
    """The URL that a text is under the URL Standard.

    Args:
        url: str, bytes (read as UTF-8) or URL. Lone surrogates count as U+FFFD.
        base: what a relative reference is relative to: URL, str, bytes or None.
        query_encoding: a label of the Encoding Standard: the encoding of the page that the URL stands
            on; the query of a special URL is percent-encoded after encoding to it.
        max_length: the longest text to accept, in characters (bytes of bytes). None: 2**30 - 1 octets.

    Raises:
        ParseError: url, or base, is no URL. TypeError: not a text. LookupError: no such encoding.

    https://url.spec.whatwg.org/#concept-basic-url-parser
    """
    cdef Machine m
    cdef Failure failure
    cdef Py_ssize_t n
    cdef URL made
    encoding = None if query_encoding is UTF8 else output_encoding(query_encoding)
    if type(url) is str and base is None and max_length is None and is_ascii(url):
        n = len(<str>url)
        if n <= MAX_LENGTH:
            prepare(&m, ascii_data(url), n, WHATWG)
            if run(&m):
                made = empty_url()
                if is_normal(&m, n, &made.o):
                    made.href = url
                    return made
                if not seen_by(&m) & TAB_NEWLINE:
                    failure.removed_from = -1
                    made.href = written(&m, url, None, NULL, encoding, &made.o, &failure)
                    if made.href is None:
                        raise error_of(url, &failure)
                    return made
    error = check_length(url, max_length)
    if error is not None:
        raise error
    text = octets_of(url, False)
    result = read_url(text, as_url(base), encoding, &failure, NULL)
    if result is None:
        raise error_of(url, &failure)
    return result


def try_parse(url, base=None, *, query_encoding="utf-8", max_length=None):
    """As parse, but None instead of a ParseError, of url or of base."""
    cdef Failure failure
    encoding = output_encoding(query_encoding)
    try:
        if check_length(url, max_length) is not None:
            return None
        return read_url(octets_of(url, False), as_url(base), encoding, &failure, NULL)
    except ParseError:
        return None


def can_parse(url, base=None):
    """Would parse accept it? Makes no URL.

    https://url.spec.whatwg.org/#dom-url-canparse
    """
    cdef Machine m
    cdef Failure failure
    cdef Py_ssize_t n
    cdef Span host
    if type(url) is str and base is None and is_ascii(url):
        n = len(<str>url)
        if n <= MAX_LENGTH and run_authority(&m, ascii_data(url), n, WHATWG):
            host = m.spans[HOST]
            # most domains; and an empty host that was let pass, or none, if no tab or newline hides one
            if m.kind != NOT_SPECIAL and not m.seen & TAB_NEWLINE \
                    and is_normal_domain(m.text.p + host.start, host.end - host.start, m.host_seen):
                return True
            if host.start == host.end and not contains(m.text.p, m.text.start, m.text.end, TAB_NEWLINE):
                return True
    try:
        return read_url(octets_of(url, False), as_url(base), None, &failure, NULL) is not None
    except ParseError:
        return False



def resolve(base, ref, dialect="whatwg", *, strict=True):
    """The text of the URL that ref is, relative to base.

    Args:
        base, ref: str, bytes (read as UTF-8) or URL. dialect: "whatwg": str(parse(ref, base)), without making URLs.
            "rfc3986" (section 5.2), "rfc2396" (section 5.2; an empty reference is the base without its fragment),
            "barth" (section 4): as written, nothing normalised but the dots of paths. "stdlib": what
            urllib.parse.urljoin gives. "rfc1738" has no relative references. strict: False takes a reference with the
            base's own scheme, "http:g", as relative (RFC 3986 section 5.2.2, RFC 2396 section 5.2 step 3; the other
            dialects have a rule of their own).

    Raises:
        ParseError: one of them is no URL, or the base has no scheme. ValueError: no such dialect; with "rfc1738", a
            relative reference; what urljoin raises. TypeError: not a text.
    """
    cdef Machine m
    cdef Offsets base_offsets, o
    cdef Failure failure
    cdef str base_text, href
    global resolve_otherwise
    if dialect != "whatwg":
        if resolve_otherwise is None:
            from urlsm.resolution import resolve as resolve_otherwise
        return resolve_otherwise(base, ref, dialect, strict)
    if type(base) is str and type(ref) is str and is_ascii(base) and is_ascii(ref) \
            and len(<str>base) <= MAX_LENGTH and len(<str>ref) <= MAX_LENGTH:
        base_text = base
        prepare(&m, ascii_data(base_text), len(base_text), WHATWG)
        if run(&m) and is_normal(&m, len(base_text), &base_offsets):
            href = read_octets(ascii_data(ref), len(<str>ref), <str>ref, base_text, &base_offsets, None, &o, &failure,
                               NULL)
            if href is None:
                raise error_of(ref, &failure)
            return href
    if base is None:
        raise TypeError("a base is str, bytes or urlsm.URL, not NoneType")
    return as_url(base).join(ref).href


# --- the value ---------------------------------------------------------------------------------

cdef inline str part(URL url, uint32_t start, uint32_t end):
    if end - start < 2:
        return url.href[start:end]  # the interpreter keeps these
    return ascii_text(ascii_data(url.href) + start, end - start)


cdef inline uint32_t query_end(URL url) noexcept:
    return len(url.href) if url.o.fragment_start == ABSENT else url.o.fragment_start


cdef inline uint32_t path_end(URL url) noexcept:
    return query_end(url) if url.o.query_start == ABSENT else url.o.query_start


@cython.final
@cython.freelist(64)
@cython.no_gc  # nothing that it holds can hold it, but a handler that keeps URLs: those stay
cdef class URL:
    """An absolute URL in the URL Standard's normal form: immutable, hashable, ordered by its text.

    URL(url, base=None) is parse(url, base). Attributes are as in href; absent is None, empty is "".
    https://url.spec.whatwg.org/#url-representation
    """

    @property
    def scheme(self):
        """In lower case, without ":"."""
        return SCHEMES[self.o.kind] if NOT_SPECIAL < self.o.kind <= FILE else part(self, 0, self.o.scheme_end)

    @property
    def username(self):
        """Percent-encoded; None where absent or empty."""
        cdef uint32_t start = self.o.scheme_end + 3
        return part(self, start, self.o.username_end) if self.o.username_end > start else None

    @property
    def password(self):
        """Percent-encoded; None where absent or empty."""
        if self.o.host_start <= self.o.username_end + 1:
            return None
        return part(self, self.o.username_end + 1, self.o.host_start - 1)

    @property
    def host(self):
        """The serialised host: a domain (ASCII), IPv4, IPv6 in brackets or opaque host; "" if empty."""
        return part(self, self.o.host_start, self.o.host_end) if self.o.has_host else None

    @property
    def port(self):
        """An int; None where absent or the scheme's default."""
        return self.o.port if self.o.port >= 0 else None

    @property
    def authority(self):
        """User, password, host and port as they stand between "//" and the path; None without host."""
        return part(self, self.o.scheme_end + 3, self.o.path_start) if self.o.has_host else None

    @property
    def path(self):
        """As it stands, percent-encoded."""
        return part(self, self.o.path_start, path_end(self))

    @property
    def query(self):
        """Without "?", percent-encoded."""
        return None if self.o.query_start == ABSENT else part(self, self.o.query_start + 1, query_end(self))

    @property
    def fragment(self):
        """Without "#", percent-encoded."""
        return None if self.o.fragment_start == ABSENT else part(self, self.o.fragment_start + 1, len(self.href))

    @property
    def segments(self):
        """The path's segments, percent-decoded, as a tuple: none for "" and for an opaque path, ("",) for
        "/". Octets that are not UTF-8 become lone surrogates ("surrogateescape"), which "/" takes back."""
        cdef const uint8_t* p = ascii_data(self.href)
        cdef uint32_t begin = self.o.path_start + 1, k, end = path_end(self)
        cdef list found = []
        if self.o.opaque_path or end < begin:
            return ()
        for k in range(begin, end + 1):
            if k == end or p[k] == c'/':
                found.append(decode_text(p + begin, k - begin))
                begin = k + 1
        return tuple(found)

    @property
    def query_params(self):
        """The query as an immutable multi-map of decoded names and values (form coding: "+" is a space)."""
        from urlsm.query import QueryParams
        return QueryParams.parse(self.query or "")

    @property
    def origin(self):
        """The serialised origin; "null" where it is opaque (#concept-url-origin)."""
        if self.o.kind != NOT_SPECIAL and self.o.kind != FILE:
            return f"{self.scheme}://{part(self, self.o.host_start, self.o.path_start)}"
        if self.scheme == "blob":
            inner = try_parse(self.path)
            # "If pathURL's scheme is "http", "https", or "file", then return pathURL's origin."
            if inner is not None and inner.scheme in ("http", "https"):
                return inner.origin
        return "null"

    @property
    def handler(self):
        """What knows the scheme: the handler that was registered for it when this URL was made, else an installed
        plug-in's or a built-in one; the generic handler for a scheme that nobody knows. Raises PluginError."""
        global find
        if self.meaning is None or type(self.meaning) is dict:
            if find is None:
                from urlsm.registry import find
            self.meaning = find(self.scheme, self.meaning or {})
        return self.meaning[0] if type(self.meaning) is tuple else self.meaning

    @property
    def parts(self):
        """What the handler makes of href: typed, decoded, scheme-specific. Made once.

        Raises SchemeError where a part cannot be read at all (what only a grammar forbids is for violations), and
        PluginError.
        """
        global split
        if type(self.meaning) is not tuple:
            if split is None:
                from urlsm.components import split
            handler = self.handler
            self.meaning = (handler, handler.refine(split(self.href, "rfc3986")))
        return self.meaning[1]

    def violations(self):
        """Every rule of the scheme that href breaks, as urlsm.validate(u.href) lists them. Raises PluginError."""
        from urlsm.meaning import violations
        return violations(self.handler, self.href, "rfc3986")

    def join(self, ref):
        """The URL that ref (str, bytes or URL) is, relative to this one. Raises ParseError."""
        cdef Failure failure
        cdef URL result
        cdef Octets text
        if type(ref) is str and is_ascii(ref) and len(<str>ref) <= MAX_LENGTH:
            result = empty_url()
            result.href = read_octets(ascii_data(ref), len(<str>ref), <str>ref, self.href, &self.o, None, &result.o,
                                      &failure, NULL)
            if result.href is not None:
                return result
        else:
            text = octets_of(ref, False)
            result = read_url(text, self, None, &failure, NULL)
            if result is not None:
                return result
        raise error_of(ref, &failure)

    def __truediv__(self, segment):
        """This URL with one more path segment, without query and fragment. Valid escapes stay; "/" and all
        else that a segment cannot hold is encoded. ValueError for ".", ".." and their escapes."""
        if not isinstance(self, URL) or not isinstance(segment, str):
            return NotImplemented
        from urlsm.edit import add_segment
        return add_segment(self, segment)

    def replace(self, **changes):
        """This URL with other components: scheme, username, password, host, port, path, query, fragment.

        A str is encoded where the component cannot hold it as it is; valid escapes stay. None removes. A
        lone surrogate U+DC80 to U+DCFF stands for the octet that segments made it from, others for U+FFFD.
        Raises ValueError for what would not parse back to exactly these components, TypeError for a
        name that is no component or a value of the wrong type. A port that is the default of a new
        scheme is dropped, as the parser would.
        """
        from urlsm.edit import replace
        return replace(self, changes)

    def __replace__(self, **changes):
        return self.replace(**changes)  # copy.replace, since Python 3.13

    def with_query(self, query):
        """This URL with another query: None, a str (as replace does) or a mapping or pairs of names and
        values (str, int, float, or for a mapping a list of them), form-encoded."""
        from urlsm.edit import with_query
        return with_query(self, query)

    def without_credentials(self):
        """This URL without username and password."""
        return self if self.o.host_start <= self.o.scheme_end + 3 else self.replace(username=None, password=None)

    def without_fragment(self):
        """This URL without fragment."""
        return self if self.o.fragment_start == ABSENT else self.replace(fragment=None)

    def relative_to(self, base):
        """The shortest reference that base.join() turns into this URL; the whole URL where there is none."""
        from urlsm.edit import relative_to
        return relative_to(self, as_url(base))

    def display(self):
        """For people: the host in Unicode where that is safe, readable escapes, no password (not a URL to
        parse). https://url.spec.whatwg.org/#url-rendering"""
        from urlsm.display import display
        return display(self)

    def __str__(self):
        return self.href

    def __repr__(self):
        return f"URL({masked(self)!r})"

    def __hash__(self):
        return hash(self.href)

    def __richcmp__(self, other, int op):
        if type(self) is not URL or type(other) is not URL:
            return NotImplemented
        a, b = (<URL>self).href, (<URL>other).href
        if op == Py_EQ:
            return a == b
        if op == Py_NE:
            return a != b
        if op == Py_LT:
            return a < b
        if op == Py_LE:
            return a <= b
        return a > b if op == Py_GT else a >= b

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        o = self.o
        kind = o.kind if o.kind <= FILE else -<int>default_port(o.kind) - 1  # the table is not the same elsewhere
        return _unpickled, (self.href, (o.scheme_end, o.username_end, o.host_start, o.host_end, o.path_start, o.query_start,
                                        o.fragment_start, o.port, kind, o.has_host, o.opaque_path))


def masked(URL url not None):
    """The text with "***" for the password."""
    sip = url.scheme in ("sip", "sips")  # sip:user:password@host
    # of the URL within: blob:http://...; in a query: ?password=
    if (url.o.opaque_path and (sip or "://" in url.path)) or "password=" in url.href.lower():
        from urlsm.excerpt import without_passwords
        rest, _ = without_passwords(url.href[url.o.scheme_end + 1:], refused=sip)
        return f"{url.scheme}:{rest}"
    if url.o.host_start <= url.o.username_end + 1:
        return url.href
    return f"{url.href[:url.o.username_end]}:***{url.href[url.o.host_start - 1:]}"


def _unpickled(str text not None, offsets):
    """A pickled URL: not parsed again, but no offset may leave the text."""
    cdef Offsets o
    cdef uint32_t n = len(text), query, fragment
    (o.scheme_end, o.username_end, o.host_start, o.host_end, o.path_start, o.query_start, o.fragment_start,
     o.port, kind, o.has_host, o.opaque_path) = offsets
    fragment = n if o.fragment_start == ABSENT else o.fragment_start
    query = fragment if o.query_start == ABSENT else o.query_start
    if not (is_ascii(text) and <size_t>len(text) <= MAX_TEXT
            and (o.fragment_start == ABSENT or (fragment < n and text[fragment] == "#"))
            and (o.query_start == ABSENT or (query < fragment and text[query] == "?")) and -0x10000 <= kind <= FILE and -1 <= o.port <= 0xFFFF
            and 0 < o.scheme_end < o.username_end <= o.host_start <= o.host_end <= o.path_start <= query
            and query <= fragment <= n and (not o.has_host or o.scheme_end + 3 <= o.username_end)):
        raise ValueError("not a pickled URL")
    o.kind = kind if kind >= 0 else special_kind(text[:o.scheme_end].encode("ascii"), -kind - 1)
    return new_url(text, &o)


cdef object construct(PyObject* cls, PyObject* args, PyObject* kwargs):
    return parse(*<object>args) if kwargs == NULL else parse(*<object>args, **<object>kwargs)


cdef extern from *:
    """
    #define URLSM_SET_NEW(type, function) \\
        (((PyTypeObject *)(type))->tp_new = (newfunc)(function), ((PyTypeObject *)(type))->tp_vectorcall = NULL, \\
         PyType_Modified((PyTypeObject *)(type)))
    """
    void set_new "URLSM_SET_NEW"(object type, void* function)


# URL(...) parses: there is never a URL without a text. In here, URL.__new__(URL) makes the empty object
# directly, past the type's slot.
set_new(URL, <void*>construct)
