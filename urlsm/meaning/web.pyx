"""The functions normalize, equivalent and validate. For nearly every http or https link, the code here finds the result
in C; for other texts, the handler of the scheme finds it.

The results are the same as from the built-in handlers of http and https (schemes/web/http.py, schemes/generic.py). The
code here does not handle a text that has user information, an IP address in brackets, an escape in the host, a bad
escape or a character beyond ASCII, or that breaks a rule.
"""
from cpython.object cimport PyObject
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy
from urlsm.machine.driver cimport BY_LANE, LONG_TEXT
from urlsm.machine.reading cimport Reading, read
from urlsm.octets.buffer cimport (
    Buffer, MAX_LENGTH, ascii_data, ascii_text, buffer_copy, buffer_copy_lower, buffer_free, buffer_put,
    buffer_reserve, buffer_start, is_ascii,
)
from urlsm.octets.chars cimport (
    ALPHA, AT, BRACKET, CLASS, COLON, DIGIT, HASH, HEX, PERCENT, QUESTION, SLASH, URL_CODE_POINT,
)
from urlsm.octets.dots cimport write_without_dots
from urlsm.octets.find cimport find
from urlsm.octets.once cimport publish, published, stay_all
from urlsm.octets.text cimport (
    NOTHING, Quoting, bits_outside, escapes_are_normal, hex_value, is_unreserved, keep_octets, quoting_at,
)
from urlsm.url.value cimport URL, registered

cdef extern from "octets/vectors.h" nogil:
    uint32_t ctz "urlsm_ctz"(uint64_t word) noexcept


# the modules that ask the handlers; they are imported on first use, because the import takes 30 ms
cdef PyObject* questions = NULL
cdef PyObject* validation = NULL


cdef object asking():
    if published(&questions) == NULL:
        from urlsm.meaning import questions as loaded
        publish(&questions, loaded)
    return <object>published(&questions)


def normalize(url, *, dialect="rfc3986", generic=None, unicode_form=None):
    """Return the normal form of a URL, according to RFC 3986 and the rules of its scheme.

    Differences that the scheme considers significant are kept, and so are escapes that need not change. Normalising the
    result again does not change it. `parse` returns the form that browsers use, which is different.

    Args:
        url: as for parse, but it need not be valid.
        dialect: "rfc3986" (sections 6.2.2 and 6.2.3), "rfc3987" (the same sections, for IRIs: 5.3.2.1, 5.3.2.3, 5.3.2.4
            and 5.3.3), "rfc2396" (section 6) or "rfc1738".
        generic: what to do for a scheme without a handler. None leaves the case of the host, "." and ".." unchanged;
            "rfc3986" applies all of section 6.2.2.
        unicode_form: "NFC" also normalises the characters ("rfc3987" only; section 5.3.2.2), which may change what the
            IRI identifies. None leaves them unchanged.

    Raises:
        ValueError: the dialect, `generic` or `unicode_form` is unknown, or the dialect does not support it.
        PluginError: the plug-in for this scheme failed to load.
        TypeError: an argument has the wrong type.

    Example:
        >>> urlsm.normalize("HTTP://Ex.com:80/%7Eme/./x")
        'http://ex.com/~me/x'
    """
    cdef str normal = normal_link(url) if dialect == "rfc3986" or dialect == "rfc3987" else None
    check_options(dialect, generic, unicode_form)
    return normal if normal is not None else asking().normalize(url, dialect, generic, unicode_form)


def equivalent(a, b, *, dialect="rfc3986", generic=None, unicode_form=None):
    """Return whether two URLs are equivalent, according to RFC 3986 section 6 and the rules of their scheme.

    All spellings of an IPv6 address are the same host, and an internationalised domain name equals its "xn--" form. Two
    http URLs are not equivalent if programs could find different hosts in them.

    Args:
        a: a URL, as for parse, but it need not be valid.
        b: the URL to compare with.
        dialect: as for normalize.
        generic: as for normalize.
        unicode_form: as for normalize.

    Raises:
        ValueError: the dialect, `generic` or `unicode_form` is unknown, or the dialect does not support it.
        PluginError: the plug-in for their scheme failed to load.
        TypeError: an argument has the wrong type.

    Example:
        >>> urlsm.equivalent("http://ex.com:80/%7Eme", "HTTP://EX.com/~me")
        True
    """
    same = equivalent_links(a, b) if dialect == "rfc3986" or dialect == "rfc3987" else None
    check_options(dialect, generic, unicode_form)
    return same if same is not None else asking().equivalent(a, b, dialect, generic, unicode_form)


cdef inline int check_options(dialect, generic, unicode_form) except -1:
    if generic is not None and generic != "rfc3986":
        raise ValueError(f"generic must be None or 'rfc3986', not {generic!r}")
    if unicode_form is not None and unicode_form != "NFC":
        raise ValueError(f"unicode_form must be None or 'NFC', not {unicode_form!r}")
    if unicode_form is not None and dialect != "rfc3987":
        raise ValueError(f"unicode_form needs the dialect 'rfc3987', not {dialect!r}")
    return 0


def validate(url, *, dialect="rfc3986", base=None):
    """Return every rule that a URL breaks, according to RFC 3986 and its scheme, or to another dialect.

    Args:
        url: as for parse, read as written.
        dialect: "rfc3986" (with the scheme's current specification), "rfc3987" (the same for IRIs), "rfc1738",
            "rfc2396" (these RFCs) or "whatwg" (the URL Standard).
        base: the URL to resolve a relative URL against ("whatwg" only).

    Returns:
        A list of violations in the order of their positions; [] if the URL is valid. Their severity is "fatal" (at most
        one), "error" or "warning".

    Raises:
        ValueError: the dialect is unknown, has no rules, or does not support `base`.
        ParseError: `base` is not a URL.
        PluginError: the plug-in for this scheme failed to load.
        TypeError: an argument has the wrong type.

    Example:
        >>> [v.message for v in urlsm.validate("https://ex.com/a b")]
        ['this character must be percent-encoded here']
        >>> urlsm.validate("https://ex.com/a%20b")
        []

    https://url.spec.whatwg.org/#writing
    """
    if base is None and is_valid_link(url, dialect):
        return []
    if published(&validation) == NULL:
        from urlsm.meaning import validation as loaded
        publish(&validation, loaded)
    return (<object>published(&validation)).validate(url, dialect, base)


# --- the results for http and https links, without their handlers --------------------------------

cpdef str normal_link(url):
    """Return normalize(url) by "rfc3986", which is the text itself if it is in normal form; None if only the handler
    can find the result."""
    cdef str text = ascii_link(url)
    return None if text is None else normal_of(text)


cpdef object equivalent_links(a, b):
    """Return equivalent(a, b) by "rfc3986"; None if only the handlers can find the result.

    The handlers compare the components of the normal forms, also the fragment, and http always differs from https. A
    normal form splits into the components that it was made from, because each component ends at a delimiter that it
    cannot hold. So the components are equal if and only if the normal forms are equal, which are compared here.
    """
    cdef str first = ascii_link(a), second = ascii_link(b)
    first = None if first is None or second is None else normal_of(first)
    second = None if first is None else normal_of(second)
    return None if second is None else first == second


cpdef bint is_valid_link(url, dialect) except -1:
    """Return True if validate certainly finds no violation in a text, by "rfc3986", "rfc3987" or
    "whatwg".

    For "whatwg", the text must be plain (machine/lane/plain.h). In such a text, the URL Standard's parser reports only
    a domain that is not strictly valid and, after the domain, characters that are neither URL code points nor escapes,
    which RFC 3986 forbids there as well.
    """
    cdef str text = ascii_link(url)
    cdef const uint8_t* p
    cdef uint32_t n
    cdef Reading r
    cdef bint valid
    if text is None:
        return False
    p, n = ascii_data(text), len(text)
    if dialect == "whatwg":
        if not read(&r, p, n, NULL, BY_LANE) \
                or not is_strictly_valid(p + r.at.host_start, r.at.host_end - r.at.host_start):
            return False
    elif dialect != "rfc3986" and dialect != "rfc3987":  # an IRI in ASCII is a URI
        return False
    if n <= LONG_TEXT:
        return breaks_no_rule(p, n)
    with nogil:
        valid = breaks_no_rule(p, n)
    return valid


cdef str ascii_link(url):
    """Return the text of a str, bytes or URL (not of a subclass). Return None for any other object, for a text that is
    not ASCII or too long, or if a handler is registered for http or https."""
    cdef str text
    if type(url) is str:
        text = <str>url
    elif type(url) is URL:
        text = (<URL>url).href
    elif type(url) is bytes and (<bytes>url).isascii():
        text = (<bytes>url).decode("ascii")
    else:
        return None
    if not is_ascii(text) or len(text) > MAX_LENGTH:
        return None
    cdef PyObject* handlers = published(&registered)
    return text if handlers == NULL or not ("http" in <dict>handlers or "https" in <dict>handlers) else None


cdef inline uint32_t authority_start(const uint8_t* p, uint32_t n) noexcept nogil:
    """Return where the authority of an http or https link begins; 0 for other texts. The scheme may have upper case."""
    cdef uint32_t colon = 4
    if n < 8 or (p[0] | 0x20) != c'h' or (p[1] | 0x20) != c't' or (p[2] | 0x20) != c't' or (p[3] | 0x20) != c'p':
        return 0
    if (p[4] | 0x20) == c's':
        colon = 5
    return colon + 3 if p[colon] == c':' and p[colon + 1] == c'/' and p[colon + 2] == c'/' else 0


# --- normal form ---------------------------------------------------------------------------------

cdef enum Form:
    UNKNOWN  # only the handler can find the normal form
    SAME     # the text is in normal form
    WRITTEN  # the normal form is another text, which was written


cdef str normal_of(str text):
    """Return the normal form of an ASCII text, or None if only the handler can find it."""
    cdef const uint8_t* p = ascii_data(text)
    cdef uint32_t n = len(text)
    cdef Form form
    cdef Buffer b
    buffer_start(&b)
    try:
        if n <= LONG_TEXT:
            form = write_form(&b, p, n)
        else:
            with nogil:
                form = write_form(&b, p, n)
        if form == WRITTEN:
            return ascii_text(b.p, b.n)
        return text if form == SAME else None
    finally:
        buffer_free(&b)


cdef Form write_form(Buffer* b, const uint8_t* p, uint32_t n) except? WRITTEN nogil:
    """Return SAME if a text is in normal form. Otherwise append its normal form and return WRITTEN, or return UNKNOWN
    if only the handler can find it; b may then hold a part of the normal form.

    A plain link (machine/lane/plain.h) is in normal form if its escapes are. The plain lane proves that scheme and host
    are in lower case, that the host has no escape, that there is neither user information nor a port, and that there is
    a path without segments that are "." or "..", literal or escaped.
    """
    cdef Reading r
    if read(&r, p, n, NULL, BY_LANE) and not r.at.root_missing \
            and escapes_are_normal(p + r.at.host_end, n - r.at.host_end):
        return SAME
    if not write_normal(b, p, n):
        return UNKNOWN
    return SAME if b.n == n and memcmp(b.p, p, n) == 0 else WRITTEN


cdef bint write_normal(Buffer* b, const uint8_t* p, uint32_t n) except -1 nogil:
    """Append the normal form of an http or https link, as Scheme.normal_form makes it by the traits of http. Return
    False if only the handler can make it."""
    cdef uint32_t start = authority_start(p, n), host_end, end, path_end
    cdef bint done
    cdef Buffer path
    if not start:
        return False
    end = start
    host_end = 0
    while end < n and not CLASS[p[end]] & (SLASH | QUESTION | HASH):
        if CLASS[p[end]] & (AT | BRACKET | PERCENT):
            return False
        if p[end] == c':':
            if host_end:
                return False  # the first of two ":" does not begin a port
            host_end = end
        end += 1
    if not host_end:
        host_end = end
    if host_end == start:
        return False
    buffer_reserve(b, n + 1)
    buffer_copy_lower(b, p, host_end)
    if host_end < end and not write_port(b, p + host_end + 1, end - host_end - 1, start == 8):
        return False
    path_end = end
    while path_end < n and not CLASS[p[path_end]] & (QUESTION | HASH):
        path_end += 1
    if path_end == end:
        buffer_put(b, c'/')
    buffer_start(&path)
    try:  # dot segments are removed last, because decoding may have made one
        done = write_normal_escapes(&path, p + end, path_end - end)
        if done:
            write_without_dots(b, path.p, path.n)
    finally:
        buffer_free(&path)
    return done and write_normal_escapes(b, p + path_end, n - path_end)


cdef bint write_port(Buffer* b, const uint8_t* p, size_t n, bint https) except -1 nogil:
    """Append ":" and a port without its leading zeros, or nothing if the port is empty or the default. Return False if
    the port is not a number."""
    cdef size_t k = 0
    if not n:
        return True
    for k in range(n):
        if not CLASS[p[k]] & DIGIT:
            return False
    k = 0
    while k < n - 1 and p[k] == c'0':
        k += 1
    p += k
    n -= k
    if n == (3 if https else 2) and memcmp(p, b"443" if https else b"80", n) == 0:
        return True
    buffer_put(b, c':')
    buffer_copy(b, p, n)
    return True


cdef bint write_normal_escapes(Buffer* b, const uint8_t* p, size_t n) except -1 nogil:
    """Append p[0:n] with the escapes of unreserved characters decoded, and all other escapes in upper case. Return
    False if an escape is bad."""
    cdef const uint8_t* end = p + n
    cdef const uint8_t* found
    cdef uint8_t* out
    cdef uint8_t octet
    buffer_reserve(b, n)
    out = b.p + b.n
    while p < end:
        found = find(p, end, c'%')
        memcpy(out, p, found - p)
        out += found - p
        p = found
        while p < end and p[0] == c'%':
            if end - p < 3 or not CLASS[p[1]] & CLASS[p[2]] & HEX:
                return False
            octet = hex_value(p[1]) << 4 | hex_value(p[2])
            if is_unreserved(octet):
                out[0] = octet
                out += 1
            else:
                out[0] = c'%'
                out[1] = p[1] & ~0x20 if p[1] >= c'a' else p[1]
                out[2] = p[2] & ~0x20 if p[2] >= c'a' else p[2]
                out += 3
            p += 3
    b.n = out - b.p
    return True


# --- texts without violations --------------------------------------------------------------------

cdef Quoting code_points = quoting_at(NOTHING)[0]  # keeps pchar / "/" / "?", which are the ASCII URL code points


cdef void _keep_code_points() noexcept:
    cdef uint8_t octet
    for octet in range(0x80):
        if CLASS[octet] & URL_CODE_POINT:
            keep_octets(&code_points, &octet, 1)


_keep_code_points()


cdef bint breaks_no_rule(const uint8_t* p, size_t n) noexcept nogil:
    """Return True if Scheme.violations certainly finds no violation in a text.

    A valid http URL has an authority without user information, whose host is a reg-name of at least one character and
    whose port is at most 65535. The path consists of pchar / "/", the query and the fragment of pchar / "/" / "?". http
    has no other rules: no trait of its handler forbids an escape, a query, a fragment or a hyphen.
    """
    cdef size_t start = authority_start(p, n), k, at
    cdef uint32_t port = 0
    cdef uint64_t others
    cdef bint in_fragment = False
    if not start:
        return False
    k = start
    while k < n and CLASS[p[k]] & URL_CODE_POINT and not CLASS[p[k]] & (COLON | AT | SLASH | QUESTION):
        k += 1
    if k == start:
        return False
    if k < n and p[k] == c':':
        k += 1
        while k < n and CLASS[p[k]] & DIGIT:
            port = 10 * port + p[k] - c'0'
            if port > 0xFFFF:
                return False
            k += 1
    if k < n and not CLASS[p[k]] & (SLASH | QUESTION | HASH):
        return False
    while k < n:
        others = bits_outside(p + k, min(n - k, <size_t>64), &code_points)
        while others:
            at = k + ctz(others)
            others &= others - 1
            if p[at] == c'#' and not in_fragment:
                in_fragment = True
            elif p[at] != c'%' or n - at < 3 or not CLASS[p[at + 1]] & CLASS[p[at + 2]] & HEX:
                return False
        k += 64
    return True


cdef bint is_strictly_valid(const uint8_t* p, size_t n) noexcept nogil:
    """Return whether a plain host is a domain that ToASCII accepts with beStrict (#valid-domain): it has at most 253
    octets, and each label has 1 to 63 letters, digits and hyphens, but no hyphen at its ends, and not two hyphens in
    third and fourth position (as "xn--" has)."""
    cdef size_t k, begin = 0
    for k in range(n + 1):
        if k < n and p[k] != c'.':
            if not CLASS[p[k]] & (ALPHA | DIGIT) and p[k] != c'-':
                return False
            continue
        if not 0 < k - begin <= 63 or p[begin] == c'-' or p[k - 1] == c'-':
            return False
        if k - begin > 3 and p[begin + 2] == c'-' and p[begin + 3] == c'-':
            return False
        begin = k + 1
    return n <= 253


stay_all(globals())
