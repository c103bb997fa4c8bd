"""URL, the immutable value that the URL Standard's parser returns, and the functions parse, try_parse and can_parse,
with their fast paths.

Most texts are read by the plain lane (machine/lane), a fast parser for http and https URLs in normal form, or by the
state machine; parser.pyx handles all other texts. Rarely used functions are in modules that are loaded on first use.
URL() and parse() are in one module because they call each other: across modules, calls would go through pointers, and
imports would take longer.
"""
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.object cimport PyObject, PyObject_RichCompare, Py_EQ, Py_NE, Py_TYPE
from cpython.ref cimport Py_INCREF, Py_XDECREF
from cpython.unicode cimport PyUnicode_GET_LENGTH, PyUnicode_New
from libc.stdint cimport uint32_t, uint64_t, uint8_t
from libc.string cimport memchr, memcmp, memcpy
from urlsm.errors.harmless cimport is_harmless
from urlsm.machine.codes cimport MISSING_SCHEME_NON_RELATIVE_URL, TOO_LONG
from urlsm.machine.driver cimport BY_LANE, BY_MACHINE, IPV4_TOO, LONG_TEXT, ODD_TOO, default_port, lane
from urlsm.machine.log cimport Log, SCHEME_START_STATE
from urlsm.machine.machine cimport ABSENT, Span
from urlsm.machine.reading cimport Reading, read
from urlsm.machine.special cimport FILE, NOT_SPECIAL
from urlsm.octets.buffer cimport (
    Buffer, MAX_LENGTH, ascii_data, ascii_text, buffer_copy, buffer_free, buffer_start, is_ascii, utf8_text,
)
from urlsm.octets.chars cimport ALPHA, CLASS, SCHEME_CHAR
from urlsm.octets.once cimport publish, published, replace as replace_in
from urlsm.octets.text cimport Octets, deciding, octets_of, write_readable, write_utf8
from urlsm.octets.utf8 cimport short_text
from urlsm.octets.words cimport first_bit, is_all_ascii, word_at
from urlsm.url.inherited cimport head_of
from urlsm.url.normal cimport offsets_of_plain, tail_is_normal
from urlsm.url.parser cimport (
    WHATWG, base_at, error_of, is_longer, output_encoding, read_found, read_octets, read_odd, refuse,
    set_error, tell_refusal, validity,
)
from urlsm.url.slots cimport (
    add_member, add_unlisted, rename_in_error, set_attribute, set_name, set_new,
)
from urlsm.url.spans cimport (
    authority_span, fragment_span, has_credentials, host_span, password_span, query_span, username_span,
)
from urlsm.url.splicing cimport with_component, with_segment, without_last_segment
from urlsm.url.structs cimport Failure, Href, Offsets
from urlsm.url.write.path cimport decoded_segments
from urlsm.machine.driver import SCHEMES as _SCHEMES

cdef extern from *:
    """
    #include "octets/shortcut.h"
    URLSM_SHORTCUT(parse)
    URLSM_SHORTCUT(try_parse)
    URLSM_SHORTCUT(can_parse)
    """
    void shorten_parse "urlsm_shortcut_parse"(object function, PyObject* (*one)(object) except? NULL)
    void shorten_try_parse "urlsm_shortcut_try_parse"(object function, object (*one)(object))
    void shorten_can_parse "urlsm_shortcut_can_parse"(object function, object (*one)(object))

cdef enum:
    SHORT_TEXT = 64          # in characters; for longer texts, the interpreter's encoder is faster

cdef object UTF8 = "utf-8"  # the same object as the default argument, so that "is" can compare them
cdef tuple SCHEMES = _SCHEMES
cdef PyObject* registered = NULL
# these three come from modules that need the class URL, so they are imported on first use
cdef PyObject* edit = NULL
cdef PyObject* find = NULL
cdef PyObject* components_of = NULL
# the handlers of special schemes, by SchemeKind, for URLs that were made while no handlers were registered
cdef PyObject* built_in[FILE + 1]


def use_handlers(dict handlers not None):
    """Make this dict the registered handlers of all URLs that are created from now on. The dict must not change any
    more, and no other thread may have access to it yet."""
    replace_in(&registered, <PyObject*>handlers if handlers else NULL)


cdef object editing():
    """Return the module urlsm.url.edit, which is imported on first use."""
    if published(&edit) == NULL:
        from urlsm.url import edit as module
        publish(&edit, module)
    return <object>published(&edit)


cdef object meaning_of(URL url):
    """Return url.meaning. Once other code can access the URL, only this function and `settle` may access the field."""
    with cython.critical_section(url):
        return url.meaning


cdef object settle(URL url, object meaning):
    """Set url.meaning, unless another thread has already set it to (handler, parts). Return its value."""
    with cython.critical_section(url):
        if type(url.meaning) is not tuple:
            url.meaning = meaning
        return url.meaning


cdef object handler_of(URL url):
    """Look up the handler of a URL's scheme."""
    cdef object meaning = meaning_of(url)
    # plug-ins cannot replace the handlers of special schemes
    cdef bint always = meaning is None and NOT_SPECIAL < url.o.kind <= FILE
    # the entry of NOT_SPECIAL is always NULL
    cdef PyObject** kept = &built_in[<int>url.o.kind if always else <int>NOT_SPECIAL]
    if published(kept) != NULL:
        return <object>published(kept)
    if published(&find) == NULL:
        from urlsm.meaning.registry import find as function
        publish(&find, function)
    found = (<object>published(&find))(url.scheme, meaning or {})
    return <object>publish(kept, found) if always else found


cdef bint is_built_in(URL url) except -1:
    """Return whether the handler is certainly the built-in one of a special scheme. Built-in handlers of special
    schemes declare no secrets."""
    if not NOT_SPECIAL < url.o.kind <= FILE:
        return False
    meaning = meaning_of(url)
    handler = (<tuple>meaning)[0] if type(meaning) is tuple else meaning
    return handler is None or <PyObject*>handler == published(&built_in[<int>url.o.kind])


# --- reading -----------------------------------------------------------------------------------

cdef URL empty_url():
    cdef URL url = URL.__new__(URL)
    cdef PyObject* handlers = published(&registered)
    if handlers != NULL:
        url.meaning = <object>handlers
    return url


cdef URL new_url(str text, const Offsets* o):
    cdef URL url = empty_url()
    url.href = text
    url.o = o[0]
    return url


cdef inline Py_ssize_t given_octets(object url, const uint8_t** p) noexcept:
    """Set p to the octets of an exact ASCII str, or of exact bytes with any octets, and return their number. For
    anything else, return a number that is larger than any length."""
    if type(url) is str and is_ascii(url):
        p[0] = ascii_data(url)
        return PyUnicode_GET_LENGTH(url)
    if type(url) is bytes:
        p[0] = <const uint8_t*>PyBytes_AS_STRING(url)
        return PyBytes_GET_SIZE(url)
    return PY_SSIZE_T_MAX


cdef inline str given_text(object url, const uint8_t* p, Py_ssize_t n):
    """Return url as a str. p[0:n]: its octets, as given_octets returns them, all ASCII."""
    return <str>url if type(url) is str else ascii_text(p, n)


cdef URL parse_alone(object url, object encoding, Failure* failure):
    """Parse a text without a base. Return the URL, or set failure and return None."""
    cdef Reading r
    cdef URL made
    cdef const uint8_t* p = NULL
    cdef Py_ssize_t n = given_octets(url, &p)
    # the plain lane accepts only ASCII, because the parser would encode anything else
    if n <= LONG_TEXT and read(&r, p, n, WHATWG, BY_LANE | IPV4_TOO | ODD_TOO):
        made = empty_url()
        if r.at.odd:
            made.href = read_odd(p, n, &r.at, <str>url if type(url) is str else None, &made.o)
            return parse_by_machine(url, encoding, failure) if made.href is None else made
        offsets_of_plain(&r.at, &made.o)
        made.href = with_root(p, n, r.at.host_end) if r.at.root_missing else given_text(url, p, n)
        made.n = <uint32_t>(n + r.at.root_missing)
        return made
    return parse_by_machine(url, encoding, failure)


cdef URL parse_by_machine(object url, object encoding, Failure* failure):
    """Do the same as parse_alone, for a text that the plain lane does not accept."""
    cdef Reading r
    cdef URL made
    cdef bint done
    cdef const uint8_t* head = NULL
    cdef const uint8_t* p = NULL
    cdef Py_ssize_t n = given_octets(url, &p)
    if n <= LONG_TEXT and (type(url) is str or is_all_ascii(p, n)):
        done = read(&r, p, n, WHATWG, BY_MACHINE)
        if not done and tell_refusal(&r.m, failure):
            return None
        made = empty_url()
        if done:
            head = head_of(&r.m, NULL, &made.o)
            if head != NULL and tail_is_normal(&r.m, n, &made.o):
                made.href = given_text(url, p, n)
                return made
        made.href = read_found(&r.m, head, <str>url if type(url) is str else None, encoding, &made.o, failure)
        return None if made.href is None else made
    if type(url) is str and PyUnicode_GET_LENGTH(url) <= SHORT_TEXT:
        return parse_beyond_ascii(url, encoding, failure)
    return read_url(octets_of(url, False), None, encoding, failure, NULL)


cdef URL read_url(Octets text, URL base, object encoding, Failure* failure, Log* log):
    """Run the URL parser. Return the URL, or set failure and return None."""
    cdef Reading r
    cdef Href href
    cdef URL url = empty_url()
    if text.too_long:
        failure.removed_from = -1
        refuse(failure, TOO_LONG, SCHEME_START_STATE, MAX_LENGTH)
        return None
    if base is None and log == NULL and text.n <= LONG_TEXT \
            and read(&r, text.p, text.n, WHATWG, BY_LANE | IPV4_TOO) and not r.at.root_missing:
        offsets_of_plain(&r.at, &url.o)
        url.href = <str>text.owner if text.is_text else ascii_text(text.p, text.n)
        return url
    url.href = read_octets(text.p, text.n, <str>text.owner if text.is_text else None,
                           NULL if base is None else base_at(&href, base.href, &base.o), encoding, &url.o, failure, log)
    return None if url.href is None else url


cdef URL parse_beyond_ascii(str url, object encoding, Failure* failure):
    """Do the same as parse_alone, for a short text that is not ASCII."""
    cdef Buffer octets
    cdef URL made = empty_url()
    buffer_start(&octets)
    try:
        write_utf8(&octets, url)
        made.href = read_octets(octets.p, octets.n, None, NULL, encoding, &made.o, failure, NULL)
    finally:
        buffer_free(&octets)
    return None if made.href is None else made


cdef str with_root(const uint8_t* p, Py_ssize_t n, uint32_t path_start):
    """Return p[0:n], which is ASCII, with "/" inserted at path_start."""
    cdef str rooted = PyUnicode_New(n + 1, 127)
    memcpy(ascii_data(rooted), p, path_start)
    ascii_data(rooted)[path_start] = c'/'
    memcpy(ascii_data(rooted) + path_start + 1, p + path_start, n - path_start)
    return rooted


cdef object url_or_error(object url, object encoding):
    """Parse a text without a base. Return the URL, or return the ParseError without raising it."""
    cdef Failure failure
    cdef URL made = parse_alone(url, encoding, &failure)
    return error_of(url, &failure) if made is None else made


cdef URL as_url(object url):
    """Return the given URL itself, or parse a str, bytes, or another library's URL. Raise ParseError if it does not
    parse, and TypeError for anything else, even None."""
    if type(url) is URL:
        return <URL>url
    found = url_or_error(url, None)
    if type(found) is not URL:
        raise found
    return <URL>found


cdef object error_of_base(object error, str role="base"):
    """Return `error`, which a base has caused. If the base has no scheme, the message says so in the words of its role
    (see base_or_error)."""
    if error.args[0] == MISSING_SCHEME_NON_RELATIVE_URL:
        error._role = "document" if role == "document" else "base"
        if role == "base of resolve":
            from urlsm.errors.excerpt import meant
            if not meant(error.url):  # the base does not look like a host
                error.hint = '; only resolve(..., dialect="stdlib") takes a relative base, as urljoin does'
    return error


cdef object error_on_base(object given, const Failure* failure):
    """Return the ParseError for a text that was resolved against a base."""
    error = error_of(given, failure)
    if failure.code == MISSING_SCHEME_NON_RELATIVE_URL:
        error._role = "relative"
    return error


cdef object base_or_error(object base, str role="base"):
    """Return a base as a URL, or return the ParseError without raising it. TypeError: it has the wrong type.

    role: what the caller names the base: "base" for the argument `base`, "base of resolve" for that of resolve(), which
    has a dialect that takes a relative one, and "document" for an argument `url` that cannot have a base."""
    if type(base) is URL:
        return base
    if not isinstance(base, (str, bytes)):
        from urlsm.octets.objects import url_text
        url_text(base, "url" if role == "document" else "base")
    found = url_or_error(base, None)
    return found if type(found) is URL else error_of_base(found, role)


cdef URL url_of_base(object base, str role="base"):
    """Return a base as a URL, or raise the ParseError."""
    found = base_or_error(base, role)
    if type(found) is not URL:
        raise found
    return <URL>found


def base_of(base, role="base"):
    """Return a base as a URL, or raise the ParseError. role: see base_or_error."""
    return url_of_base(base, role)


cdef object url_or_error_of(object url, object base, object encoding, object max_length):
    """Do the same as `parse`, but return the ParseError for url or base instead of raising it."""
    cdef Failure failure
    cdef URL made = None
    encoding = None if encoding is UTF8 else output_encoding(encoding)
    if max_length is None or not is_longer(url, max_length, &failure):
        if base is None:
            return url_or_error(url, encoding)
        base = base_or_error(base)
        if type(base) is not URL:
            return base
        made = read_url(octets_of(url, False), base, encoding, &failure, NULL)
        return error_on_base(url, &failure) if made is None else made
    return error_of(url, &failure)


# --- public functions --------------------------------------------------------------------------

def parse(url, *, base=None, encoding="utf-8", max_length=None):
    """Parse a URL as browsers do (URL Standard).

    The result is normalised: the scheme and host are in lower case, the default port is removed, and "." and ".." in
    the path are resolved. Characters that are not allowed in a URL are percent-encoded. No DNS look-up or request is
    made.

    Args:
        url: str, bytes (read as UTF-8), URL, or a URL of yarl, httpx, pydantic, Starlette, SQLAlchemy, hyperlink or
            urllib.parse. Lone surrogates are read as U+FFFD.
        base: the URL to resolve a relative URL against; None if there is none.
        encoding: the encoding of the page that contains the URL. Browsers use it to encode the query. It is a label
            from the Encoding Standard, or Python's name for one of its encodings.
        max_length: the maximum length to accept, in characters (in bytes, if `url` is bytes). None means 2**30 - 1
            bytes.

    Raises:
        ParseError: `url` or `base` is not a URL.
        TypeError: an argument has the wrong type.
        LookupError: the encoding is unknown.

    Example:
        >>> urlsm.parse("HTTP://Ex.com:80/a/../b?q#f")
        URL('http://ex.com/b?q#f')
        >>> urlsm.parse("../img/é.png", base="https://ex.com/docs/intro")
        URL('https://ex.com/img/%C3%A9.png')

    https://url.spec.whatwg.org/#concept-basic-url-parser
    """
    # parse's shortcut raises the result if it is a ParseError
    return url_or_error_of(url, base, encoding, max_length)


cdef PyObject* parse_one(object url) except? NULL:
    cdef Failure failure
    cdef URL result = parse_alone(url, None, &failure)
    if result is None:
        return set_error(error_of(url, &failure))
    Py_INCREF(result)
    return <PyObject*>result


shorten_parse(parse, parse_one)


def try_parse(url, *, base=None, encoding="utf-8", max_length=None):
    """Parse a URL as `parse` does, but return None if `url` or `base` is not a URL.

    Args:
        url: as for parse.
        base: the URL to resolve a relative URL against; None if there is none.
        encoding: the encoding of the page that contains the URL, for its query.
        max_length: the maximum length to accept; None means 2**30 - 1 bytes.

    Raises:
        TypeError: an argument has the wrong type.
        LookupError: the encoding is unknown.

    Example:
        >>> urlsm.try_parse("http://ex.com/"), urlsm.try_parse("http://")
        (URL('http://ex.com/'), None)
    """
    found = url_or_error_of(url, base, encoding, max_length)
    return found if type(found) is URL else None


cdef object try_parse_one(object url):
    cdef Failure failure
    return parse_alone(url, None, &failure)


shorten_try_parse(try_parse, try_parse_one)


cdef object can_parse_one(object url):
    cdef const uint8_t* p = NULL
    cdef Py_ssize_t n = given_octets(url, &p)
    # Nothing after the authority is refused, except if the URL gets too long: an octet that is not UTF-8 becomes three
    # octets. The lane is called directly: calling it through `read`, which also sets the host's span, would be a tenth
    # slower
    if n <= (MAX_LENGTH if type(url) is str else MAX_LENGTH // 3) and lane.authority(p, n):
        return True
    return is_valid(url)


cdef bint is_valid(object url) except -1:
    """Do the same as can_parse, for a text that the plain lane does not accept."""
    cdef Buffer octets
    cdef Failure failure
    cdef int valid = -1
    cdef const uint8_t* p = NULL
    cdef Py_ssize_t n
    text = url
    if type(url) is str and not is_ascii(url) and len(<str>url) <= MAX_LENGTH // 3:
        text = deciding(url)
    n = given_octets(text, &p)
    if n <= MAX_LENGTH and (type(text) is str or is_all_ascii(p, n)):
        valid = validity(p, n)
    elif type(text) is str and not is_ascii(text) and len(<str>text) <= SHORT_TEXT:
        buffer_start(&octets)
        try:
            write_utf8(&octets, text)
            valid = validity(octets.p, octets.n)
        finally:
            buffer_free(&octets)
    if valid < 0:
        valid = read_url(octets_of(text, False), None, None, &failure, NULL) is not None
    return valid == 1


def can_parse(url, *, base=None, max_length=None):
    """Return whether `parse` would accept a URL.

    It is faster than `parse`, because it does not create a URL object.

    Args:
        url: as for parse.
        base: the URL to resolve a relative URL against; None if there is none.
        max_length: the maximum length to accept; None means 2**30 - 1 bytes.

    Raises:
        TypeError: an argument has the wrong type.

    Example:
        >>> urlsm.can_parse("https://ex.com/"), urlsm.can_parse("ex.com"), urlsm.can_parse("x", base="https://ex.com/")
        (True, False, True)

    https://url.spec.whatwg.org/#dom-url-canparse
    """
    cdef Failure failure
    if max_length is not None and is_longer(url, max_length, &failure):
        return False
    if base is None:
        return can_parse_one(url)
    text = octets_of(url, False)
    found = None if base is None else base_or_error(base)
    return type(found) is URL and read_url(text, found, None, &failure, NULL) is not None


shorten_can_parse(can_parse, can_parse_one)


# --- a URL as it is shown ------------------------------------------------------------------------
# display_or_none and attributes_or_none return None unless the URL certainly holds no secrets: masking.pyx would mask
# nothing in a text for which is_harmless returns true. With any_name, is_harmless treats every parameter as a possible
# secret, so the result is right for every handler. A password at the beginning of a path (as in sip:) comes with an "@"
# after a second ":", and is_harmless returns false for such texts.

cdef inline str plain_repr(URL url):
    """Return repr(url): "URL('...')"."""
    cdef const uint8_t* p = text_of(<PyObject*>url.href)
    cdef Py_ssize_t n = len(url.href)
    cdef object text
    if memchr(p, c"'", n) != NULL or memchr(p, c'\\', n) != NULL:  # repr(str) would escape these
        return f"URL({url.href!r})"
    text = PyUnicode_New(n + 7, 127)
    memcpy(ascii_data(text), b"URL('", 5)
    memcpy(ascii_data(text) + 5, p, n)
    memcpy(ascii_data(text) + 5 + n, b"')", 2)
    return <str>text


cdef inline bint holds_ace(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """Return whether "xn--" occurs in the text from p to end."""
    while end - p >= 4:
        p = <const uint8_t*>memchr(p, c'x', end - p - 3)
        if p == NULL:
            return False
        if memcmp(p, b"xn--", 4) == 0:
            return True
        p += 1
    return False


cdef inline bint may_be_readable(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """Return whether the text from p to end may hold an escape of an octet beyond ASCII. The octet at end has to be
    NUL."""
    while True:
        p = <const uint8_t*>memchr(p, c'%', end - p)
        if p == NULL:
            return False
        p += 1
        if p[0] >= c'8':
            return True


cdef inline str display_or_none(URL url, bint any_name):
    """Return the result of display(), or None if the URL may contain secrets or its host may be shown in Unicode. The
    result is href, unless there are credentials or escapes of visible characters."""
    cdef const uint8_t* p = text_of(<PyObject*>url.href)
    cdef const uint8_t* end = p + len(url.href)
    cdef Buffer b
    cdef str text
    if url.o.has_host and holds_ace(p + url.o.host_start, p + url.o.host_end):
        return None
    if not has_credentials(&url.o) and not may_be_readable(p + url.o.path_start, end):
        return url.href if is_harmless(p, end - p, any_name) else None
    buffer_start(&b)
    try:
        buffer_copy(&b, p, url.o.scheme_end + 1)
        if url.o.has_host:
            buffer_copy(&b, <const uint8_t*>b"//", 2)
        # copies the host with its port; or, if there is no host, the "/." that keeps a path from being read as "//" and
        # a host
        buffer_copy(&b, p + url.o.host_start, url.o.path_start - url.o.host_start)
        write_readable(&b, p + url.o.path_start, end - p - url.o.path_start)
        buffer_copy(&b, <const uint8_t*>b"", 1)  # a NUL after the text, as is_harmless may read one octet past the end
        b.n -= 1
        if not is_harmless(b.p, b.n, any_name):
            return None
        text = short_text(b.p, b.n)
        return text if text is not None else utf8_text(b.p, b.n)
    finally:
        buffer_free(&b)


cdef inline int put_extension(URL url, dict found) except -1:
    """Add the item "url.extension", the suffix of the URL without its "."."""
    cdef const uint8_t* start = text_of(<PyObject*>url.href) + url.o.path_start
    cdef const uint8_t* end = text_of(<PyObject*>url.href) + path_end(url)
    cdef const uint8_t* name = end
    cdef const uint8_t* dot = NULL
    while name > start and (name - 1)[0] != c'/':
        name -= 1
        if name[0] == c'.' and dot == NULL:
            dot = name
    if memchr(name, c'%', end - name) != NULL:  # URL.suffix decodes the name first
        suffix = url.suffix
        if suffix:
            found["url.extension"] = suffix[1:]
    elif dot > name and end - dot > 1:
        found["url.extension"] = part(url, path_end(url) - <uint32_t>(end - dot - 1), path_end(url))
    return 0


cdef inline dict attributes_or_none(URL url, bint any_name):
    """Return the result of otel_attributes(), or None if there are credentials or there may be other secrets. Each
    attribute is a component as in href."""
    cdef const uint8_t* p = text_of(<PyObject*>url.href)
    cdef dict found
    if has_credentials(&url.o):
        return None
    if not is_harmless(p, len(url.href), any_name):
        return None
    found = {"url.full": url.href, "url.scheme": url.scheme}
    if url.o.host_end > url.o.host_start:
        found["url.domain"] = part(url, url.o.host_start, url.o.host_end)
    if url.o.port >= 0:
        found["url.port"] = url.o.port
    if path_end(url) > url.o.path_start:
        found["url.path"] = part(url, url.o.path_start, path_end(url))
    if url.o.query_start != ABSENT:
        found["url.query"] = part_at(url, query_span(&url.o, len(url.href)))
    if url.o.fragment_start != ABSENT:
        found["url.fragment"] = part_at(url, fragment_span(&url.o, len(url.href)))
    if not url.o.opaque_path:
        put_extension(url, found)
    return found


# --- the shortest reference from one URL to another -----------------------------------------------

cdef inline uint32_t common_length(const uint8_t* p, const uint8_t* q, uint32_t k, uint32_t end) noexcept nogil:
    """Return the first index from k on at which p and q differ, or end if they do not differ."""
    cdef uint64_t differing
    while k + 8 <= end:
        differing = word_at(p + k) ^ word_at(q + k)
        if differing:
            return k + first_bit(differing) // 8
        k += 8
    while k < end and p[k] == q[k]:
        k += 1
    return k


cdef inline bint has_scheme(const uint8_t* p, uint32_t k, uint32_t end) noexcept nogil:
    """Return whether the parser would read a scheme at the beginning of p[k:end]."""
    if k < end and not CLASS[p[k]] & ALPHA:
        return False
    while k < end and CLASS[p[k]] & SCHEME_CHAR:
        k += 1
    return k < end and p[k] == c':'


cdef inline str repeat(const char* piece, uint32_t width, uint32_t times, const uint8_t* p, uint32_t n):
    """Return `times` copies of a piece of `width` octets, followed by p[0:n]."""
    cdef object text = PyUnicode_New(<Py_ssize_t>width * times + n, 127)
    cdef uint8_t* out = ascii_data(text)
    cdef uint32_t k
    for k in range(times):
        memcpy(out + width * k, piece, width)
    memcpy(out + width * times, p, n)
    return <str>text


cdef inline str shortest_reference(URL url, URL base):
    """Return the shortest reference that base.join turns into url; None if edit.pyx has to try candidates.

    This is only for special schemes except file, so a path begins with "/" and has no dot segments. The result is the
    shortest of these references, and the first of equally long ones:

    1. "#fragment" or "" if path and query equal those of base; "?query#fragment" if only the path does;
    2. "../" for each directory of base that url's path does not begin with, then the rest of url's path. If there is
       no "../", "./" goes before a rest that is empty, begins with "/" or looks like a scheme;
    3. the path, with "/." before it if it begins with "//";
    4. reference 2 without the "/" at its end ("..", "../.." or "."), if url is the directory that 2 climbs to;
    5. "//" and everything after it if the authority differs; the whole URL if the scheme differs.

    No other reference works: if a part of it were read as a scheme or an authority, the path would be shorter than
    the path of url.
    """
    cdef const uint8_t* p = ascii_data(url.href)
    cdef const uint8_t* q = ascii_data(base.href)
    cdef uint32_t n = len(url.href), start = url.o.path_start, end = path_end(url), base_end = path_end(base)
    cdef uint32_t same, k, climbs = 0, rest, climb, rooted
    cdef bint here, doubled, directory
    if not NOT_SPECIAL < url.o.kind < FILE or n > MAX_LENGTH:  # join refuses references longer than MAX_LENGTH
        return None
    if url.o.kind != base.o.kind:
        return url.href
    if start != base.o.path_start or memcmp(p, q, start) != 0:
        return ascii_text(p + url.o.scheme_end + 1, n - url.o.scheme_end - 1)
    same = common_length(p, q, start, min(end, base_end))
    if same == end == base_end:
        k = query_end(url)
        if k == query_end(base) and memcmp(p + end, q + end, k - end) == 0:
            return ascii_text(p + k, n - k) if k < n else ""
        if url.o.query_start != ABSENT:
            return ascii_text(p + end, n - end)
    while p[same - 1] != c'/':
        same -= 1
    for k in range(same, base_end):
        climbs += q[k] == c'/'
    rest = end - same
    directory = rest == 0 and end == n
    here = not climbs and (rest == 0 or p[same] == c'/' or has_scheme(p, same, end))
    doubled = end - start > 1 and p[start + 1] == c'/'
    climb = rest + 3 * climbs + 2 * here - directory
    rooted = end - start + 2 * doubled
    if rooted < climb or (rooted == climb and directory):
        return repeat("/.", 2, doubled, p + start, n - start)
    if directory:
        return repeat("../", 3, climbs - 1, <const uint8_t*>b"..", 2) if climbs else "."
    return repeat("./" if here else "../", 2 if here else 3, 1 if here else climbs, p + same, n - same)


# --- the value ---------------------------------------------------------------------------------

# names of attributes in other libraries: accessing one raises an error that suggests our name; dir() does not show them
cdef tuple ELSEWHERE = (
    "with_scheme", "with_user", "with_password", "with_host", "with_port", "with_path", "with_fragment", "with_name",
    "with_suffix", "copy_with", "joinpath", "raw_path", "path_qs", "parents", "stem", "args", "user", "netloc",
    "hostname", "protocol", "pathname", "search", "hash", "search_params", "human_repr", "geturl", "getall", "getlist",
    "get_list", "multi_items")
cdef dict LATER = {
    "urlsm.url.edit": ("build",),
    "urlsm.url.params": ("query_params", "extend_query", "update_query", "without_query_params"),
    "urlsm.url.handover": ("append_path", "auth", "join_location", "rfc3986", "socket_host"),
    "urlsm.server.requests": ("from_environ", "from_request_target", "from_scope"),
    "urlsm.compat.pydantic": ("__get_pydantic_core_schema__", "__get_pydantic_json_schema__"),
    "urlsm.pictures.drawing": ("__rich__", "_repr_html_"),
}


ctypedef object (*getter)(object descriptor, PyObject* owner, object kind)


@cython.binding(False)
cdef class Later:
    """A class attribute whose value is loaded from another module on first access."""
    cdef object name, module
    cdef PyObject* found

    def __dealloc__(self):
        Py_XDECREF(self.found)

    def __init__(self, str name not None, str module not None):
        self.name, self.module = name, module

    def __get__(self, owner, kind):
        # the object is never freed, so threads need not count references to it
        cdef PyObject* kept = published(&self.found)
        if kept == NULL:
            try:
                from urlsm.octets.later import import_from
                kept = publish(&self.found, import_from(self.module, self.name))
            except ModuleNotFoundError:
                pass
            if kept == NULL:
                raise AttributeError(f"{self.name} needs a module that is not installed (see {self.module})")
        # the slot is called directly: calling __get__ takes twice as long, and would turn None into NULL
        cdef getter get = <getter>Py_TYPE(<object>kept).tp_descr_get
        return <object>kept if get == NULL else get(<object>kept, NULL if owner is None else <PyObject*>owner, kind)


cdef class NamesElsewhere:
    """A class with the names that other libraries use for a URL's attributes."""


@cython.final
@cython.freelist(64)
@cython.no_gc  # a URL is never in a reference cycle, unless a handler keeps URLs; such cycles are never freed
@cython.binding(False)
cdef class URL:
    """URL(url, *, base=None, encoding="utf-8", max_length=None)
--

    An absolute URL in normal form: immutable, hashable, picklable, and ordered by its string.

    `URL(url)` is the same as `parse(url)`. Components are percent-encoded strings, as in `href`; `port` is an int. An
    absent component is None, and so is an empty username or password; any other empty component is "". Two URLs are
    equal if their strings are equal; `urlsm.equivalent` compares according to RFC 3986. `str(url)` is `href`, and
    `repr` masks passwords and tokens.

    Args:
        url: as for parse.
        base: the URL to resolve a relative URL against; None if there is none.
        encoding: the encoding of the page that contains the URL, for its query.
        max_length: the maximum length to accept; None means 2**30 - 1 bytes.

    Raises:
        ParseError: `url` or `base` is not a URL.
        TypeError: an argument has the wrong type.
        LookupError: the encoding is unknown.

    Example:
        >>> u = urlsm.URL("https://ex.com:8080/docs?lang=en")
        >>> u.host, u.port, u.path, u.query
        ('ex.com', 8080, '/docs', 'lang=en')

    https://url.spec.whatwg.org/#url-representation
    """

    __match_args__ = ("scheme", "username", "password", "host", "port", "path", "query", "fragment")

    @property
    def scheme(self):
        """The scheme in lower case, without ":".

        Example:
            >>> urlsm.parse("HTTPS://ex.com/").scheme
            'https'
        """
        return SCHEMES[self.o.kind] if NOT_SPECIAL < self.o.kind <= FILE else part(self, 0, self.o.scheme_end)

    @property
    def username(self):
        """The user name, percent-encoded; None if it is absent or empty.

        See `auth` for the decoded user name and password.

        Example:
            >>> urlsm.parse("https://a%40b:pw@ex.com/").username
            'a%40b'
        """
        cdef Span lies = username_span(&self.o)
        return part(self, lies.start, lies.end) if lies.end > lies.start else None

    @property
    def password(self):
        """The password, percent-encoded; None if it is absent or empty.

        See `auth` for the decoded user name and password.

        Example:
            >>> urlsm.parse("https://me:p%40ss@ex.com/").password
            'p%40ss'
        """
        return part_at(self, password_span(&self.o))

    @property
    def host(self):
        """The host: an ASCII domain name, an IPv4 address, an IPv6 address in brackets or, in schemes that are not
        special, any string.

        It is None if there is no host, and "" if the host is empty, as in "file:///x". See `socket_host` for the host
        without brackets.

        Example:
            >>> urlsm.parse("https://bücher.example/").host, urlsm.parse("http://[0::1]:80/").host
            ('xn--bcher-kva.example', '[::1]')
        """
        return part_at(self, host_span(&self.o))

    @property
    def port(self):
        """The port as an int; None if it is absent or is the scheme's default.

        `effective_port` includes the default.

        Example:
            >>> urlsm.parse("https://ex.com:8080/").port, urlsm.parse("https://ex.com:443/").port
            (8080, None)
        """
        return self.o.port if self.o.port >= 0 else None

    @property
    def authority(self):
        """The user name, password, host and port, as written between "//" and the path; None if there is no host.

        Example:
            >>> urlsm.parse("https://me@ex.com:8080/x").authority
            'me@ex.com:8080'
        """
        return part_at(self, authority_span(&self.o))

    @property
    def path(self):
        """The path, percent-encoded.

        See `segments` for its decoded segments.

        Example:
            >>> urlsm.parse("https://ex.com/a b/../c d").path, urlsm.parse("mailto:a@ex.com").path
            ('/c%20d', 'a@ex.com')
        """
        return part(self, self.o.path_start, path_end(self))

    @property
    def query(self):
        """The query without "?", percent-encoded; None if it is absent.

        See `query_params` for its decoded names and values.

        Example:
            >>> urlsm.parse("https://ex.com/?q=a b").query, urlsm.parse("https://ex.com/").query
            ('q=a%20b', None)
        """
        return part_at(self, query_span(&self.o, len(self.href)))

    @property
    def fragment(self):
        """The fragment without "#", percent-encoded; None if it is absent.

        Example:
            >>> urlsm.parse("https://ex.com/#top").fragment
            'top'
        """
        return part_at(self, fragment_span(&self.o, len(self.href)))

    @property
    def segments(self):
        """The segments of the path, percent-decoded.

        An empty or opaque path gives (), and "/" gives ("",). Bytes that are not UTF-8 become lone surrogates
        ("surrogateescape"), which the operator "/" converts back into bytes.

        Example:
            >>> urlsm.parse("https://ex.com/a%2Fb/c d").segments
            ('a/b', 'c d')
        """
        return () if self.o.opaque_path else decoded_segments(ascii_data(self.href), self.o.path_start, path_end(self))

    @property
    def origin(self):
        """The origin (scheme, host and port) as a str; "null" if it is opaque.

        Example:
            >>> urlsm.parse("https://me@ex.com:8080/x").origin, urlsm.parse("data:,x").origin
            ('https://ex.com:8080', 'null')

        https://url.spec.whatwg.org/#concept-url-origin
        """
        if self.o.kind != NOT_SPECIAL and self.o.kind != FILE:
            if has_credentials(&self.o):  # if there are no credentials, the text begins with the origin
                return f"{self.scheme}://{part(self, self.o.host_start, self.o.path_start)}"
            return part(self, 0, self.o.path_start)
        if self.scheme == "blob":
            inner = try_parse(self.path)
            # "If pathURL's scheme is "http", "https", or "file", then return pathURL's origin."
            if inner is not None and inner.scheme in ("http", "https"):
                return inner.origin
        return "null"

    @property
    def handler(self):
        """The handler of the scheme, which reads `parts` and knows the rules of the scheme.

        It is the handler that was registered when this URL was created, otherwise the one from a plug-in, otherwise the
        built-in one. Unknown schemes use the generic handler.

        Raises:
            PluginError: the plug-in for this scheme failed to load.

        Example:
            >>> urlsm.parse("https://ex.com/").handler.example
            'https://www.example.org/a/b?c=d#e'
        """
        meaning = meaning_of(self)
        if meaning is None or type(meaning) is dict:
            meaning = settle(self, handler_of(self))
        return meaning[0] if type(meaning) is tuple else meaning

    @property
    def parts(self):
        """The typed, decoded parts of the URL that its scheme defines, such as the bucket and the key of an S3 URL.

        Raises:
            SchemeError: a part cannot be read at all. `violations` lists other errors.
            PluginError: the plug-in for this scheme failed to load.

        Example:
            >>> urlsm.parse("s3://bucket/logs/2026.csv").parts
            BucketParts(bucket='bucket', key='logs/2026.csv')
        """
        meaning = meaning_of(self)
        if type(meaning) is not tuple:
            if published(&components_of) == NULL:
                from urlsm.meaning.questions import components_of as function
                publish(&components_of, function)
            handler = self.handler
            parts = handler.read_parts((<object>published(&components_of))(self))
            if self.o.kind == NOT_SPECIAL and handler.literal:
                from urlsm.meaning.literal import undone
                parts = undone(handler, parts)
            meaning = settle(self, (handler, parts))
        return meaning[1]

    @property
    def name(self):
        """The last segment of the path, decoded; "" if the path ends with "/" or is opaque.

        Example:
            >>> urlsm.parse("https://ex.com/a/report%202026.pdf").name
            'report 2026.pdf'
        """
        return name_of(self, name_start(self))

    @property
    def suffix(self):
        """The file extension: the end of `name` from its last "." on; "" if there is none, as in pathlib.

        Example:
            >>> urlsm.parse("https://ex.com/a/report.tar.gz").suffix
            '.gz'
        """
        return suffix_of(self)

    @property
    def effective_port(self):
        """The port to connect to: `port`, or the default port of the scheme; None if the scheme has no default port.

        Raises:
            PluginError: the plug-in for this scheme failed to load.

        Example:
            >>> urlsm.parse("https://ex.com/").effective_port
            443
        """
        if self.o.port >= 0:
            return self.o.port
        if self.o.kind != FILE and is_built_in(self):
            return default_port(self.o.kind)
        return self.handler.default_port_of(self.scheme)

    @property
    def request_target(self):
        """The path and query, as written in an HTTP request line.

        Example:
            >>> urlsm.parse("https://ex.com/a?b#c").request_target
            '/a?b'

        RFC 9112 section 3.2.1
        """
        target = part(self, self.o.path_start, query_end(self))
        return target if path_end(self) > self.o.path_start else "/" + target

    @property
    def parent(self):
        """This URL without the last segment of its path, and without its query and fragment.

        As in yarl, the parent of "/a/" is "/a", and the parent of "/" is "/".

        Example:
            >>> urlsm.parse("https://ex.com/a/b?c").parent
            URL('https://ex.com/a')
        """
        cdef URL made = without_last_segment(self)
        return made if made is not None else editing().without_last_segment(self)

    def relative_to(self, base):
        """Return the shortest relative URL that `base.join` resolves to this URL.

        If there is none, for example because the schemes differ, it returns the whole URL.

        Args:
            base: the base URL, as for parse.

        Raises:
            ParseError: `base` is not a URL.

        Example:
            >>> urlsm.parse("https://ex.com/a/c?q").relative_to("https://ex.com/a/b/x")
            '../c?q'
        """
        cdef URL other = url_of_base(base)
        cdef str found = shortest_reference(self, other)
        return found if found is not None else editing().relative_to(self, other)

    def join(self, ref):
        """Resolve a relative URL against this URL.

        Args:
            ref: the relative or absolute URL, as for parse.

        Raises:
            ParseError: `ref` is invalid, or this URL has an opaque path and cannot be a base.

        Example:
            >>> urlsm.parse("https://ex.com/docs/intro").join("../img?x")
            URL('https://ex.com/img?x')

        https://url.spec.whatwg.org/#concept-basic-url-parser
        """
        cdef Failure failure
        cdef Href base
        cdef URL result
        cdef Octets text
        if type(ref) is str and is_ascii(ref) and len(<str>ref) <= MAX_LENGTH:
            result = empty_url()
            result.href = read_octets(ascii_data(ref), len(<str>ref), <str>ref, base_at(&base, self.href, &self.o),
                                      None, &result.o, &failure, NULL)
            if result.href is not None:
                return result
        else:
            text = octets_of(ref, False)
            result = read_url(text, self, None, &failure, NULL)
            if result is not None:
                return result
        return error_on_base(ref, &failure)  # join's shortcut raises this error

    def __truediv__(self, segment):
        """Return this URL with one more path segment, and without its query and fragment.

        The segment is not encoded yet: "/", "%" and all other characters that are not allowed in a segment are
        percent-encoded, so the `name` of the result equals the segment. `append_path` appends a path that is already
        encoded.

        Args:
            segment: the decoded segment.

        Raises:
            ValueError: the segment is "." or "..", or the path is opaque.

        Example:
            >>> urlsm.parse("https://ex.com/files") / "50% a/b.txt"
            URL('https://ex.com/files/50%25%20a%2Fb.txt')
        """
        cdef URL made = None
        if not isinstance(self, URL) or not isinstance(segment, str):
            return NotImplemented
        if type(segment) is str and is_ascii(segment) and len(<str>segment) <= MAX_LENGTH:
            made = with_segment(self, ascii_data(segment), len(<str>segment))
        return made if made is not None else editing().add_segment(self, segment)

    def replace(self, **changes):
        """Return this URL with some components replaced.

        Components are percent-encoded strings, so `u.replace(path=u.path) == u`: "%" is kept, and characters that are
        not allowed in a component are encoded. None removes a component. The scheme's default port is left out of the
        URL.

        Args:
            changes: `scheme`, `username`, `password`, `host`, `port`, `path`, `query`, `fragment`, `auth` and `space`,
                as for build.

        Raises:
            ValueError: no URL can have these components.
            TypeError: there is no such component, or a value has the wrong type.

        Example:
            >>> urlsm.parse("http://ex.com/a?b").replace(scheme="https", query={"q": "x&y"})
            URL('https://ex.com/a?q=x%26y')
        """
        return editing().replace(self, changes)

    def __replace__(self, **changes):
        return self.replace(**changes)  # called by copy.replace (Python 3.13 and later)

    def with_query(self, query=..., /, *, space=None, **fields):
        """Return this URL with another query.

        Args:
            query: the new query: a percent-encoded string, names and values as for update_query, or None to remove the
                query.
            space: "%20" writes every space as "%20", as signatures require. None writes it as the scheme does.
            fields: further names and values, as keyword arguments.

        Raises:
            TypeError: a name or value has the wrong type.
            ValueError: a float is not finite, an item is not a pair, or `space` has another value.

        Example:
            >>> u = urlsm.parse("https://ex.com/?old=1#top")
            >>> u.with_query({"q": "x&y", "page": 2}), u.with_query(None)
            (URL('https://ex.com/?q=x%26y&page=2#top'), URL('https://ex.com/#top'))
        """
        cdef URL made
        if (query is None or type(query) is str) and len(<dict>fields) == 0:
            made = with_component(self, "query", query)
            if made is not None:
                return made
        if query is ...:
            if not fields:
                raise TypeError("with_query() needs a query, or fields as keywords")
            query = None
        return editing().with_query(self, query, space, fields)

    def without_credentials(self):
        """Return this URL without its user name and password.

        Example:
            >>> urlsm.parse("https://me:pw@ex.com/").without_credentials()
            URL('https://ex.com/')
        """
        return self.replace(username=None, password=None) if has_credentials(&self.o) else self

    def without_fragment(self):
        """Return this URL without its fragment.

        Example:
            >>> urlsm.parse("https://ex.com/a#top").without_fragment()
            URL('https://ex.com/a')
        """
        return self if self.o.fragment_start == ABSENT else self.replace(fragment=None)

    def __format__(self, spec):
        """Return `href`, `masked()` or `display()`, formatted as a str.

        Args:
            spec: a format spec for str, optionally after "masked" or "display".

        Example:
            >>> f"{urlsm.parse('https://me:pw@ex.com/'):masked}"
            'https://me:***@ex.com/'
        """
        if type(spec) is str and len(<str>spec) == 0:
            return self.href
        for name in ("masked", "display"):
            if spec.startswith(name):
                return format(getattr(self, name)(), spec[len(name):].removeprefix(":"))
        return format(self.href, spec)

    def __conform__(self, protocol):
        """Return the attribute href if sqlite3 adapts the URL (PEP 246), else None."""
        return self.href if getattr(protocol, "__module__", None) == "sqlite3" else None

    def __len__(self):
        return len(self.href)  # used by pydantic's Field(max_length=...)

    def violations(self):
        """Return the rules of the scheme that this URL breaks, as `urlsm.validate(url.href)` does.

        Raises:
            PluginError: the plug-in for this scheme failed to load.

        Example:
            >>> [v.code for v in urlsm.parse("https://ex.com/a|b").violations()]
            ['character-not-allowed']
        """
        from urlsm.meaning.questions import violations
        return violations(self.handler, self.href, "rfc3986")

    def __rich_repr__(self):
        yield self.masked()

    def __str__(self):
        return self.href

    def __repr__(self):
        if is_harmless(ascii_data(self.href), len(self.href), not is_built_in(self)):
            return plain_repr(self)
        return f"URL({self.masked()!r})"

    def masked(self):
        """Return the URL as a str, with "***" in place of secrets: passwords, tokens and the values of secret
        parameters.

        Example:
            >>> urlsm.parse("https://me:pw@ex.com/?api_key=4f2c").masked()
            'https://me:***@ex.com/?api_key=***'
        """
        if is_harmless(ascii_data(self.href), len(self.href), not is_built_in(self)):
            return self.href
        from urlsm.url.masked import masked
        return masked(self)

    def display(self):
        """Return the URL in a form for people to read: in Unicode where that is safe, and with secrets masked.

        Do not parse the result: it may be a different URL.

        Example:
            >>> urlsm.parse("https://me:pw@xn--bcher-kva.example/caf%C3%A9").display()
            'https://bücher.example/café'

        https://url.spec.whatwg.org/#url-rendering
        """
        found = display_or_none(self, not is_built_in(self))
        if found is not None:
            return found
        from urlsm.url.display import display
        return display(self)

    def otel_attributes(self):
        """Return the URL as OpenTelemetry attributes: `url.full`, `url.scheme`, `url.domain`, `url.path` ...

        Absent components are left out. "REDACTED" replaces user name, password and other secrets.

        Example:
            >>> urlsm.parse("https://me:pw@ex.com/a.gz").otel_attributes()["url.full"]
            'https://REDACTED:REDACTED@ex.com/a.gz'

        https://opentelemetry.io/docs/specs/semconv/registry/attributes/url/
        """
        found = attributes_or_none(self, not is_built_in(self))
        if found is not None:
            return found
        from urlsm.url.telemetry import otel_attributes
        return otel_attributes(self)

    def __hash__(self):
        return hash(self.href)

    def __richcmp__(self, other, int op):
        if type(self) is not URL or type(other) is not URL:
            return NotImplemented
        if op == Py_EQ or op == Py_NE:
            return is_same_text(self, other) == (op == Py_EQ)
        return PyObject_RichCompare((<URL>self).href, (<URL>other).href, op)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        return editing().pickled(self)


cdef extern from "Python.h":
    const Py_ssize_t PY_SSIZE_T_MAX
    PyObject* call "PyObject_Call"(object function, PyObject* args, PyObject* kwargs) noexcept


cdef PyObject* construct(PyObject* cls, PyObject* args, PyObject* kwargs) noexcept:
    # noexcept: an error is passed on without adding a traceback entry
    if kwargs == NULL and len(<tuple>args) == 1:
        return (<PyObject* (*)(object) noexcept>parse_one)((<tuple>args)[0])
    return rename_in_error(call(parse, args, kwargs), "parse()", "URL()")


cdef extern from *:
    """
    URLSM_KEYWORD_SHORTCUT(replace)
    URLSM_RAISING(join)
    #define URLSM_HREF_AT(url) URLSM_OFFSET(url, href)
    """
    Py_ssize_t offset_of_href "URLSM_HREF_AT"(URL url) noexcept
    void shorten_replace "urlsm_shortcut_replace"(object method, object (*one)(object, object, object))
    int shorten_join "urlsm_shortcut_join"(object method) except -1


cdef object replace_one(object url, object name, object value):
    return with_component(<URL>url, name, value) if type(url) is URL else None


shorten_replace(URL.replace, replace_one)
shorten_join(URL.join)

add_member(URL, "href", offset_of_href(empty_url()), """The URL as a str: ASCII, in normal form.

Example:
    >>> urlsm.parse("HTTP://Ex.com:80/a/../b").href
    'http://ex.com/b'
""")
set_name(URL, "urlsm.URL")  # sets the name that the interpreter's messages show, and __module__
# URL(...) parses, so that every URL has a text. In this module, Cython's URL.__new__(URL) does not use the slot and
# makes an empty URL
set_new(URL, <void*>construct)

# FastAPI calls vars(value) for a value of an unknown type, and json.dumps(default=vars) does so as well
set_attribute(URL, "__dict__", property(str))

for _module, _names in LATER.items():
    for _name in _names:
        set_attribute(URL, _name, Later(_name, _module))
for _name in ELSEWHERE:
    set_attribute(NamesElsewhere, _name, Later(_name, "urlsm.url.elsewhere"))
add_unlisted(URL, NamesElsewhere)
del _module, _names, _name
