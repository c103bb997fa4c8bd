"""The functions that make a URL of a text: parse, try_parse and can_parse, and their fast ways.

Included, because URL() and parse() call each other: two modules would call through pointers, and take longer to import.
"""
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
    SHORT_TEXT = 64          # characters; a longer one is left to the interpreter, whose encoder is faster


cdef inline Py_ssize_t given_octets(object url, const uint8_t** p) noexcept:
    """Return the number of octets of an exact ASCII str or exact bytes (of any octets), and set p to them. For anything
    else, return more than any URL has."""
    if type(url) is str and is_ascii(url):
        p[0] = ascii_data(url)
        return PyUnicode_GET_LENGTH(url)
    if type(url) is bytes:
        p[0] = <const uint8_t*>PyBytes_AS_STRING(url)
        return PyBytes_GET_SIZE(url)
    return PY_SSIZE_T_MAX


cdef inline str given_text(object url, const uint8_t* p, Py_ssize_t n):
    """Return the text of url, whose octets (given_octets) are p[0:n], all ASCII."""
    return <str>url if type(url) is str else ascii_text(p, n)


cdef URL parsed(object url, object encoding, Failure* failure):
    """Return the URL of a text, without a base; None, with failure filled in, where it does not parse."""
    cdef Reading r
    cdef URL made
    cdef const uint8_t* p = NULL
    cdef Py_ssize_t n = given_octets(url, &p)
    if n <= LONG_TEXT and read(&r, p, n, WHATWG, BY_LANE | IPV4_TOO | ODD_TOO):  # ASCII: all else is encoded
        made = empty_url()
        if r.at.odd:
            made.href = read_odd(p, n, &r.at, <str>url if type(url) is str else None, &made.o)
            return parsed_by_machine(url, encoding, failure) if made.href is None else made
        offsets_of_plain(&r.at, &made.o)
        made.href = with_root(p, n, r.at.host_end) if r.at.root_missing else given_text(url, p, n)
        made.n = <uint32_t>(n + r.at.root_missing)
        return made
    return parsed_by_machine(url, encoding, failure)


cdef URL parsed_by_machine(object url, object encoding, Failure* failure):
    """parsed, for a text that the plain lane does not take or was not given."""
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
        return parsed_beyond_ascii(url, encoding, failure)
    return read_url(octets_of(url, False), None, encoding, failure, NULL)


cdef URL read_url(Octets text, URL base, object encoding, Failure* failure, Log* log):
    """Run the URL parser. Return a URL, or None with failure filled in."""
    cdef Reading r
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
                           None if base is None else base.href, NULL if base is None else &base.o, encoding, &url.o,
                           failure, log)
    return None if url.href is None else url


cdef URL parsed_beyond_ascii(str url, object encoding, Failure* failure):
    """parsed, for a short text that is not ASCII."""
    cdef Buffer octets
    cdef URL made = empty_url()
    buffer_start(&octets)
    try:
        write_utf8(&octets, url)
        made.href = read_octets(octets.p, octets.n, None, None, NULL, encoding, &made.o, failure, NULL)
    finally:
        buffer_free(&octets)
    return None if made.href is None else made


cdef str with_root(const uint8_t* p, Py_ssize_t n, uint32_t path_start):
    """Return the text p[0:n], which is ASCII, with the "/" of an empty path."""
    cdef str rooted = PyUnicode_New(n + 1, 127)
    memcpy(ascii_data(rooted), p, path_start)
    ascii_data(rooted)[path_start] = c'/'
    memcpy(ascii_data(rooted) + path_start + 1, p + path_start, n - path_start)
    return rooted


cdef object url_or_error(object url, object encoding):
    """Return the URL of a text, without a base; or the ParseError, not raised."""
    cdef Failure failure
    cdef URL made = parsed(url, encoding, &failure)
    return error_of(url, &failure) if made is None else made


cdef URL as_url(object base):
    """Return a base given as URL, str or bytes, as URL. ParseError if it does not parse; TypeError for None too."""
    if type(base) is URL:
        return <URL>base
    found = url_or_error(base, None)
    if type(found) is not URL:
        raise found
    return <URL>found


cdef object base_or_error(object base):
    """Return the URL of a base, or a ParseError, not raised. None stays None."""
    return base if base is None or type(base) is URL else url_or_error(base, None)


cdef object parsed_with(object url, object base, object query_encoding, object max_length):
    """parse, but a ParseError of url or base is returned, not raised."""
    cdef Failure failure
    cdef URL made = None
    encoding = None if query_encoding is UTF8 else output_encoding(query_encoding)
    if max_length is None or not is_longer(url, max_length, &failure):
        if base is None:
            return url_or_error(url, encoding)
        base = base_or_error(base)
        if type(base) is not URL:
            return base
        made = read_url(octets_of(url, False), base, encoding, &failure, NULL)
    return error_of(url, &failure) if made is None else made


# --- public functions --------------------------------------------------------------------------

def parse(url, base=None, *, query_encoding="utf-8", max_length=None):
    """Return the URL of a text, by the URL Standard.

    Args:
        url: str, bytes (read as UTF-8), URL, or a URL of yarl, httpx, pydantic, Starlette or urllib. Lone surrogates
            count as U+FFFD.
        base: the URL that a relative reference is resolved against, likewise, or None.
        query_encoding: the encoding of the page that holds the URL (a label of the Encoding Standard), for its query.
        max_length: the longest text to accept, in characters (of bytes: in bytes). None: 2**30 - 1 octets.

    Raises:
        ParseError: url or base does not parse. TypeError: one has another type. LookupError: unknown encoding.

    https://url.spec.whatwg.org/#concept-basic-url-parser
    """
    return parsed_with(url, base, query_encoding, max_length)  # the shortcut raises a ParseError


cdef PyObject* parse_one(object url) except? NULL:
    cdef Failure failure
    cdef URL result = parsed(url, None, &failure)
    if result is None:
        return raised(error_of(url, &failure))
    Py_INCREF(result)
    return <PyObject*>result


shorten_parse(parse, parse_one)


def try_parse(url, base=None, *, query_encoding="utf-8", max_length=None):
    """Like parse, but return None instead of raising ParseError for url or base."""
    found = parsed_with(url, base, query_encoding, max_length)
    return found if type(found) is URL else None


cdef object try_parse_one(object url):
    cdef Failure failure
    return parsed(url, None, &failure)


shorten_try_parse(try_parse, try_parse_one)


cdef object can_parse_one(object url):
    cdef const uint8_t* p = NULL
    cdef Py_ssize_t n = given_octets(url, &p)
    # nothing after the authority is refused, but each octet that is not UTF-8 becomes three
    # (calls the lane directly: to get the host's span from read takes a tenth of the whole time)
    if n <= (MAX_LENGTH if type(url) is str else MAX_LENGTH // 3) and lane.authority(p, n):
        return True
    return is_valid(url)


cdef bint is_valid(object url) except -1:
    """can_parse, for a text that the plain lane does not take."""
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


def can_parse(url, base=None):
    """Return whether parse would accept url. Faster than parse, as no URL is made.

    https://url.spec.whatwg.org/#dom-url-canparse
    """
    cdef Failure failure
    if base is None:
        return can_parse_one(url)
    text = octets_of(url, False)
    found = base_or_error(base)
    return type(found) is URL and read_url(text, found, None, &failure, NULL) is not None


shorten_can_parse(can_parse, can_parse_one)
