"""Whether a text is in a grammar: URIs, IRIs, hosts, addresses and pointers. The machine finds the components of a URI;
sets of octets say what each of them may contain."""
from cpython.bytes cimport PyBytes_AS_STRING
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy
from urlsm.machine.dialects cimport RFC3987
from urlsm.machine.driver cimport LONG_TEXT, WHOLE, dialect_at
from urlsm.machine.machine cimport (
    ABSENT, FRAGMENT as FRAGMENT_OF, HOST as HOST_OF, PATH as PATH_OF, PORT as PORT_OF, QUERY as QUERY_OF,
    SCHEME as SCHEME_OF, Span, USERINFO as USERINFO_OF,
)
from urlsm.machine.reading cimport Reading, read, span_of
from urlsm.octets.buffer cimport Buffer, MAX_LENGTH, ascii_data, buffer_free, buffer_start, is_ascii
from urlsm.octets.chars cimport ALPHA, CLASS, DIGIT, HEX, SCHEME_CHAR
from urlsm.octets.find cimport find
from urlsm.octets.once cimport stay_all
from urlsm.octets.text cimport (
    NOTHING, Quoting, all_kept, bits_outside, exact, keep_octets, place, quoting_at, write_utf8,
)
from urlsm.octets.utf8 cimport read_point
from urlsm.octets.words cimport first_bit
from urlsm.patterns.template_grammar cimport template_fault
from urlsm.unicode.idna2008 cimport is_coded_label, is_domain2008
from urlsm.url.write.ipv6 cimport read_pieces
from urlsm.schemes import characters

cdef enum Kind:              # the formats, in the order of FORMATS
    URI
    URI_REFERENCE
    IRI
    IRI_REFERENCE
    URI_TEMPLATE
    HOSTNAME
    IDN_HOSTNAME
    IPV4
    IPV6
    JSON_POINTER
    RELATIVE_JSON_POINTER

FORMATS = (
    "uri", "uri-reference", "iri", "iri-reference", "uri-template", "hostname", "idn-hostname", "ipv4", "ipv6",
    "json-pointer", "relative-json-pointer",
)

cdef enum Rule:              # what a text breaks, in the order of RULES
    NO_RULE
    TOO_LONG
    SCHEME_MISSING
    CHARACTER
    ESCAPE
    HOST_CHARACTER
    IP_LITERAL
    PORT_CHARACTER
    FORMATTING
    OF_FORMAT                # a format whose whole grammar is one rule

RULES = (
    None, "too-long", "missing-scheme-non-relative-URL", "character-not-allowed", "bad-percent-escape", "host-invalid",
    "ip-literal-invalid", "port-invalid", "bidi-formatting-character", "of-format",
)

cdef enum:
    HOST_MAX = 253           # octets of a host name, without the length octets of DNS (RFC 1035 section 2.3.4)
    LABEL_MAX = 63
    IPV6_MAX = 45            # six pieces of four digits, and an IPv4 address
    FEW = 16                 # octets that are looked at one by one, before 64 are looked at together

cdef struct Fault:
    Rule rule
    size_t at                # an index of the octets
    int component            # SCHEME_OF to FRAGMENT_OF; -1: of none of them


# --- characters ----------------------------------------------------------------------------------

cdef Quoting HOST = quoting_at(NOTHING)[0], USERINFO = HOST, PATH = HOST, QUERY = HOST, FRAGMENT = HOST


cdef int keep(Quoting* quoting, str allowed) except -1:
    keep_octets(quoting, ascii_data(allowed), len(allowed))
    return 0


keep(&HOST, characters.HOST.allowed)
keep(&USERINFO, characters.USERINFO.allowed)
keep(&PATH, characters.GENERIC_PATH.allowed)
keep(&QUERY, characters.QUERY.allowed)
keep(&FRAGMENT, characters.FRAGMENT.allowed)


cdef inline bint is_formatting(uint32_t point) noexcept nogil:
    """"IRIs MUST NOT contain bidirectional formatting characters (LRM, RLM, LRE, RLE, LRO, RLO, and PDF)" (RFC 3987
    section 4.1)"""
    return point == 0x200E or point == 0x200F or 0x202A <= point <= 0x202E


cdef inline bint is_of_iri(uint32_t point, bint private_too) noexcept nogil:
    """Return whether a code point is ucschar or, with private_too, iprivate (RFC 3987 section 2.2)."""
    if point < 0x10000:
        return 0xA0 <= point <= 0xD7FF or 0xF900 <= point <= 0xFDCF or 0xFDF0 <= point <= 0xFFEF \
            or (private_too and 0xE000 <= point <= 0xF8FF)
    if point & 0xFFFF > 0xFFFD or point > 0x10FFFF:
        return False
    return point <= 0xDFFFD or 0xE1000 <= point <= 0xEFFFD or (private_too and point >= 0xF0000)


cdef bint holds_only(const uint8_t* p, size_t n, const Quoting* kept, bint iri, Fault* fault) noexcept nogil:
    """Return whether p[0:n] holds only octets that are kept and escapes and, if iri is true, characters of IRIs. If
    not, set the rule and the position of the fault."""
    cdef size_t k = 0, after, ordinary
    cdef uint64_t outside
    cdef uint32_t point
    while k < n:
        ordinary = 0
        while k < n and ordinary < FEW:  # many a component is short, and near an escape there are often others
            if kept.written[p[k]][3] == 1:
                k += 1
                ordinary += 1
                continue
            ordinary = 0
            fault.at, fault.rule = k, CHARACTER
            if p[k] == c'%':
                if n - k < 3 or not CLASS[p[k + 1]] & CLASS[p[k + 2]] & HEX:
                    fault.rule = ESCAPE
                    return False
                k += 3
                continue
            if p[k] < 0x80 or not iri:
                return False
            after = k
            point = read_point(p, n, &after)
            if is_formatting(point):
                fault.rule = FORMATTING
                return False
            if not is_of_iri(point, kept == &QUERY):
                return False
            k = after
        while k < n:
            outside = bits_outside(p + k, min(n - k, <size_t>64), kept)
            if outside:
                k += first_bit(outside)
                break
            k += 64
    return True


# --- URIs and IRIs -------------------------------------------------------------------------------

cdef bint is_component(const Reading* r, int which, const Quoting* kept, bint iri, Fault* fault) noexcept nogil:
    """Return whether a component is absent or holds only what it may."""
    cdef Span span = span_of(r, which)
    if span.start == ABSENT or holds_only(r.m.text.p + span.start, span.end - span.start, kept, iri, fault):
        return True
    fault.at += span.start
    fault.component = which
    return False


cdef bint is_ip_literal(const uint8_t* p, size_t n, Fault* fault) noexcept nogil:
    """Return whether p[0:n] is IP-literal = "[" ( IPv6address / IPvFuture ) "]"."""
    cdef uint16_t[8] pieces
    cdef size_t k = 2
    fault.rule, fault.at = IP_LITERAL, 0
    if n < 4 or p[n - 1] != c']':
        return False
    if p[1] | 0x20 != c'v':
        return n <= IPV6_MAX + 2 and read_pieces(p, n - 1, pieces)
    # IPvFuture = "v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" )
    while CLASS[p[k]] & HEX:
        k += 1
    return k > 2 and p[k] == c'.' and k + 2 < n and all_kept(p + k + 1, n - k - 2, &USERINFO)


cdef bint is_uri_text(const uint8_t* p, uint32_t n, bint reference, bint iri, Fault* fault) noexcept nogil:
    """Return whether p[0:n] is a URI or an IRI or, if reference is true, a relative reference."""
    cdef Reading r
    cdef Span span
    cdef uint32_t k
    read(&r, p, n, dialect_at(RFC3987), WHOLE)  # this dialect refuses nothing
    span = span_of(&r, SCHEME_OF)
    if span.start != ABSENT:
        for k in range(span.start, span.end):
            if not CLASS[p[k]] & (SCHEME_CHAR if k > span.start else ALPHA):
                fault.rule, fault.at, fault.component = CHARACTER, k, SCHEME_OF
                return False
    elif not reference:
        fault.rule, fault.at, fault.component = SCHEME_MISSING, 0, SCHEME_OF
        return False
    if not r.by_lane:  # it takes a text only if it has a plain name as host, without user information and port
        if not is_component(&r, USERINFO_OF, &USERINFO, iri, fault):
            return False
        span = span_of(&r, HOST_OF)
        if span.start < span.end and p[span.start] == c'[':
            if not is_ip_literal(p + span.start, span.end - span.start, fault):
                fault.at, fault.component = span.start, HOST_OF
                return False
        elif not is_component(&r, HOST_OF, &HOST, iri, fault):
            if fault.rule == CHARACTER:
                fault.rule = HOST_CHARACTER
            return False
        span = span_of(&r, PORT_OF)
        if span.start != ABSENT:
            for k in range(span.start, span.end):
                if not CLASS[p[k]] & DIGIT:
                    fault.rule, fault.at, fault.component = PORT_CHARACTER, k, PORT_OF
                    return False
        if span_of(&r, SCHEME_OF).start == ABSENT and span_of(&r, HOST_OF).start == ABSENT:
            # path-noscheme: "a colon character in the first path segment" would end a scheme
            span = span_of(&r, PATH_OF)
            k = span.start
            while k < span.end and p[k] != c'/' and p[k] != c':':
                k += 1
            if k < span.end and p[k] == c':':
                fault.rule, fault.at, fault.component = CHARACTER, k, PATH_OF
                return False
    return is_component(&r, PATH_OF, &PATH, iri, fault) and is_component(&r, QUERY_OF, &QUERY, iri, fault) \
        and is_component(&r, FRAGMENT_OF, &FRAGMENT, iri, fault)


# --- hosts ---------------------------------------------------------------------------------------

cdef bint is_host_name(const uint8_t* p, size_t n, Fault* fault) noexcept nogil:
    """Return whether p[0:n] is a host name by RFC 1123 section 2.1, without a dot at its end. A label that begins with
    "xn--" has to be an A-label (RFC 5890 section 2.3.2.1)."""
    cdef size_t k, begin = 0
    fault.rule, fault.at, fault.component = OF_FORMAT, HOST_MAX, HOST_OF
    if n > HOST_MAX:
        return False
    for k in range(n + 1):
        fault.at = k
        if k < n and p[k] != c'.':
            if not CLASS[p[k]] & (ALPHA | DIGIT) and (p[k] != c'-' or k == begin):
                return False
            continue
        if k == begin:
            return False
        if k - begin > LABEL_MAX:
            fault.at = begin + LABEL_MAX
            return False
        if p[k - 1] == c'-':
            fault.at = k - 1
            return False
        if k - begin >= 4 and p[begin] | 0x20 == c'x' and p[begin + 1] | 0x20 == c'n' and p[begin + 2] == c'-' \
                and p[begin + 3] == c'-' and not is_coded_label(p + begin, k - begin):
            fault.at = begin
            return False
        begin = k + 1
    return True


cdef bint is_ipv4_address(const uint8_t* p, size_t n, Fault* fault) noexcept nogil:
    """Return whether p[0:n] is IPv4address = dec-octet "." dec-octet "." dec-octet "." dec-octet (RFC 3986)."""
    cdef size_t k = 0, begin
    cdef uint32_t value, part
    fault.rule, fault.component = OF_FORMAT, HOST_OF
    for part in range(4):
        begin = fault.at = k
        value = 0
        while k < n and k - begin < 3 and CLASS[p[k]] & DIGIT:
            value = 10 * value + p[k] - c'0'
            k += 1
        if k == begin or value > 255 or (k - begin > 1 and p[begin] == c'0'):
            return False
        fault.at = k
        if part < 3:
            if k == n or p[k] != c'.':
                return False
            k += 1
    return k == n


cdef bint is_ipv6_address(const uint8_t* p, size_t n, Fault* fault) noexcept nogil:
    """Return whether p[0:n] is IPv6address (RFC 3986)."""
    cdef uint8_t[IPV6_MAX + 2] bracketed
    cdef uint16_t[8] pieces
    fault.rule, fault.at, fault.component = OF_FORMAT, 0, HOST_OF
    if not 2 <= n <= IPV6_MAX:
        return False
    bracketed[0], bracketed[n + 1] = c'[', c']'
    memcpy(bracketed + 1, p, n)
    return read_pieces(bracketed, n + 1, pieces)


# --- JSON pointers -------------------------------------------------------------------------------

cdef bint is_pointer(const uint8_t* p, size_t n, Fault* fault) noexcept nogil:
    """Return whether p[0:n] is json-pointer = *( "/" *( unescaped / "~" ( "0" / "1" ) ) ) (RFC 6901 section 3)."""
    cdef const uint8_t* end = p + n
    cdef const uint8_t* found = p
    fault.rule, fault.at, fault.component = OF_FORMAT, 0, -1
    if n and p[0] != c'/':
        return False
    while True:
        found = find(found, end, c'~')
        while found < end and found[0] == c'~':
            fault.at = found - p
            if end - found < 2 or (found[1] != c'0' and found[1] != c'1'):
                return False
            found += 2
        if found == end:
            return True


cdef inline size_t integer_end(const uint8_t* p, size_t n, size_t k) noexcept nogil:
    """Return where the non-negative-integer ("0", or digits without a leading "0") at p[k] ends; k if there is none."""
    if k < n and p[k] == c'0':
        return k + 1
    while k < n and CLASS[p[k]] & DIGIT:
        k += 1
    return k


cdef bint is_relative_pointer(const uint8_t* p, size_t n, Fault* fault) noexcept nogil:
    """Return whether p[0:n] is relative-json-pointer = non-negative-integer [ index-manipulation ] json-pointer, or
    non-negative-integer "#"; index-manipulation = ( "+" / "-" ) non-negative-integer
    (draft-bhutton-relative-json-pointer-00, section 3)."""
    cdef size_t k = integer_end(p, n, 0), begin
    cdef bint valid
    fault.rule, fault.at, fault.component = OF_FORMAT, 0, -1
    if k == 0:
        return False
    if k + 1 == n and p[k] == c'#':
        return True
    if k < n and (p[k] == c'+' or p[k] == c'-'):
        begin = k + 1
        k = integer_end(p, n, begin)
        fault.at = begin
        if k == begin:
            return False
    valid = is_pointer(p + k, n - k, fault)
    fault.at += k
    return valid


# --- all formats ---------------------------------------------------------------------------------

cdef bint judge(str text, Kind kind, Fault* fault) except -1:
    """Return whether a text is in a format. If not, set the fault, whose position is an index of the text's octets."""
    cdef Buffer b
    if is_ascii(text):
        return judge_octets(ascii_data(text), len(text), kind, fault)
    if kind == IDN_HOSTNAME and len(text) > 4 * HOST_MAX + 4:  # is_domain2008 refuses as many octets
        fault.rule, fault.at, fault.component = OF_FORMAT, 0, HOST_OF
        return False
    buffer_start(&b)
    try:
        write_utf8(&b, text)  # U+FFFD is in the formats that a lone surrogate is in
        return judge_octets(b.p, b.n, kind, fault)
    finally:
        buffer_free(&b)


cdef bint judge_octets(const uint8_t* p, size_t n, Kind kind, Fault* fault) except -1:
    """Return what judge returns."""
    cdef bint valid
    if n > MAX_LENGTH:
        fault.rule, fault.at, fault.component = TOO_LONG, 0, -1
        return False
    if kind <= IRI_REFERENCE:
        if n <= LONG_TEXT:
            return is_uri_text(p, <uint32_t>n, kind == URI_REFERENCE or kind == IRI_REFERENCE, kind >= IRI, fault)
        with nogil:
            valid = is_uri_text(p, <uint32_t>n, kind == URI_REFERENCE or kind == IRI_REFERENCE, kind >= IRI, fault)
        return valid
    if kind == URI_TEMPLATE:
        fault.rule, fault.component = OF_FORMAT, -1
        return template_fault(p, n, &fault.at) == 0
    if kind == HOSTNAME:
        return is_host_name(p, n, fault)
    if kind == IDN_HOSTNAME:
        fault.rule, fault.component = OF_FORMAT, HOST_OF
        return is_domain2008(p, n, &fault.at)
    if kind == IPV4:
        return is_ipv4_address(p, n, fault)
    if kind == IPV6:
        return is_ipv6_address(p, n, fault)
    return is_pointer(p, n, fault) if kind == JSON_POINTER else is_relative_pointer(p, n, fault)


def fault_of(text, int kind):
    """Return what a text breaks in a format: (the rule's name, the position in characters, the machine's number of the
    component or -1). None: the text is in the format. kind: the index of the format in FORMATS."""
    cdef Fault fault
    cdef str exactly = exact(text)
    cdef bytes octets
    if judge(exactly, <Kind>kind, &fault):
        return None
    if not is_ascii(exactly) and fault.at:
        octets = exactly.encode("utf-8", "surrogatepass")
        fault.at = place(<const uint8_t*>PyBytes_AS_STRING(octets), len(octets), fault.at, -1, False)
    return RULES[<int>fault.rule], fault.at, fault.component


cdef inline bint fits(object text, Kind kind) except -1:
    cdef Fault fault
    return judge(exact(text), kind, &fault)


def is_uri(text) -> bool:
    """Return whether a string is a URI. A relative reference is none.

    Only the generic grammar is checked; `urlsm.validate` also checks the rules of the scheme.

    Args:
        text: the string.

    Raises:
        TypeError: `text` is not a str.

    Example:
        >>> is_uri("https://example.com/a%20b"), is_uri("/a"), is_uri("https://example.com/a b")
        (True, False, False)

    RFC 3986 appendix A; the format "uri" of JSON Schema
    """
    return fits(text, URI)


def is_uri_reference(text) -> bool:
    """Return whether a string is a URI or a relative reference.

    Args:
        text: the string.

    Raises:
        TypeError: `text` is not a str.

    Example:
        >>> is_uri_reference("../a?b#c"), is_uri_reference("a b")
        (True, False)

    RFC 3986 section 4.1; the format "uri-reference" of JSON Schema
    """
    return fits(text, URI_REFERENCE)


def is_iri(text) -> bool:
    """Return whether a string is an IRI: a URI that may contain characters beyond ASCII.

    Only the generic grammar is checked; `urlsm.validate` in the dialect "rfc3987" also checks the rules of the scheme.

    Args:
        text: the string.

    Raises:
        TypeError: `text` is not a str.

    Example:
        >>> is_iri("https://bücher.example/straße"), is_iri("/straße")
        (True, False)

    RFC 3987 section 2.2, and section 4.1, which forbids bidirectional formatting characters; the format "iri" of JSON
    Schema
    """
    return fits(text, IRI)


def is_iri_reference(text) -> bool:
    """Return whether a string is an IRI or a relative reference.

    Args:
        text: the string.

    Raises:
        TypeError: `text` is not a str.

    Example:
        >>> is_iri_reference("/straße"), is_iri_reference("/straße\\u202e")
        (True, False)

    RFC 3987 sections 2.2 and 4.1; the format "iri-reference" of JSON Schema
    """
    return fits(text, IRI_REFERENCE)


def is_uri_template(text) -> bool:
    """Return whether a string is a URI template, as urlsm.Template accepts.

    Args:
        text: the string.

    Raises:
        TypeError: `text` is not a str.

    Example:
        >>> is_uri_template("/users{/id}{?page,size}"), is_uri_template("/users/{id")
        (True, False)

    RFC 6570 section 2, with erratum 6937 ("'" in literals); the format "uri-template" of JSON Schema
    """
    return fits(text, URI_TEMPLATE)


def is_hostname(text) -> bool:
    """Return whether a string is a host name: labels of letters, digits and hyphens, without a dot at the end.

    A label that begins with "xn--" must be valid Punycode of a label that IDNA 2008 allows.

    Args:
        text: the string.

    Raises:
        TypeError: `text` is not a str.

    Example:
        >>> is_hostname("www.example.com"), is_hostname("a_b"), is_hostname("xn--X")
        (True, False, False)

    RFC 1123 section 2.1, RFC 5890 section 2.3.2.1; the format "hostname" of JSON Schema
    """
    return fits(text, HOSTNAME)


def is_idn_hostname(text) -> bool:
    """Return whether a string is an internationalised host name by IDNA 2008.

    This is stricter than urlsm.domains.to_ascii, which maps characters first, as browsers do.

    Args:
        text: the string.

    Raises:
        TypeError: `text` is not a str.

    Example:
        >>> is_idn_hostname("bücher.example"), is_idn_hostname("☃.example")
        (True, False)

    RFC 5891 section 5; the format "idn-hostname" of JSON Schema
    """
    return fits(text, IDN_HOSTNAME)


def is_ipv4(text) -> bool:
    """Return whether a string is an IPv4 address: four decimal numbers up to 255, without leading zeros.

    Args:
        text: the string.

    Raises:
        TypeError: `text` is not a str.

    Example:
        >>> is_ipv4("192.0.2.1"), is_ipv4("127.1"), is_ipv4("087.10.0.1")
        (True, False, False)

    RFC 3986 section 3.2.2; the format "ipv4" of JSON Schema
    """
    return fits(text, IPV4)


def is_ipv6(text) -> bool:
    """Return whether a string is an IPv6 address, without brackets and without a zone.

    Args:
        text: the string.

    Raises:
        TypeError: `text` is not a str.

    Example:
        >>> is_ipv6("::ffff:192.0.2.1"), is_ipv6("fe80::1%eth0"), is_ipv6("[::1]")
        (True, False, False)

    RFC 4291 section 2.2; the format "ipv6" of JSON Schema
    """
    return fits(text, IPV6)


def is_json_pointer(text) -> bool:
    """Return whether a string is a JSON pointer.

    Args:
        text: the string.

    Raises:
        TypeError: `text` is not a str.

    Example:
        >>> is_json_pointer("/a~1b/0"), is_json_pointer("a"), is_json_pointer("/~2")
        (True, False, False)

    RFC 6901 section 3; the format "json-pointer" of JSON Schema
    """
    return fits(text, JSON_POINTER)


def is_relative_json_pointer(text) -> bool:
    """Return whether a string is a relative JSON pointer.

    Args:
        text: the string.

    Raises:
        TypeError: `text` is not a str.

    Example:
        >>> is_relative_json_pointer("2/a"), is_relative_json_pointer("0#"), is_relative_json_pointer("/a")
        (True, True, False)

    draft-bhutton-relative-json-pointer-00 section 3; the format "relative-json-pointer" of JSON Schema
    """
    return fits(text, RELATIVE_JSON_POINTER)


stay_all(globals())
