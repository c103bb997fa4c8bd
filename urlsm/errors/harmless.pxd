"""Tells whether anything in a text can be secret. Most texts are harmless; in the others masking.pyx finds secrets."""
from libc.stdint cimport uint8_t
from libc.string cimport memchr, memcmp
from urlsm.octets.chars cimport ALPHA, BRACKET, CLASS, DIGIT, HEX, PERCENT, SCHEME_CHAR, TAB_NEWLINE, classes_of
from urlsm.octets.text cimport hex_value


cdef inline bint begins(const uint8_t* p, size_t n, const char* word, size_t size) noexcept nogil:
    """Return whether p[0:n] begins with a word, regardless of ASCII case. word: in lower case."""
    cdef size_t k
    if n < size:
        return False
    for k in range(size):
        if p[k] | 0x20 != <uint8_t>word[k] | 0x20:
            return False
    return True


cdef extern from "errors/secret_names.h" nogil:
    enum:
        SECRET "URLSM_SECRET"
        NEVER "URLSM_NEVER"
        BESIDE "URLSM_BESIDE"
        NEIGHBOUR "URLSM_NEIGHBOUR"
    ctypedef struct Name "urlsm_name":
        int kind
        size_t size
        const char* name
    const Name* names_ending "urlsm_names_ending"(uint8_t last)


cdef inline const uint8_t* without_removed(const uint8_t* start, const uint8_t* p) noexcept nogil:
    """Return where the tabs and line breaks before p begin. The URL Standard removes them."""
    while p > start and CLASS[(p - 1)[0]] & TAB_NEWLINE:
        p -= 1
    return p


cdef inline const uint8_t* before(const uint8_t* start, const uint8_t* p, uint8_t* octet) noexcept nogil:
    """Return where the character that ends at p begins, and set octet to it. It may be written as an octet, as an
    escape, or as an escape whose "%" is escaped. If there is none, octet is 0."""
    p = without_removed(start, p)
    if p == start:
        octet[0] = 0
        return p
    octet[0] = (p - 1)[0]
    if p - start < 3 or not CLASS[(p - 1)[0]] & HEX or not CLASS[(p - 2)[0]] & HEX:
        return p - 1
    if (p - 3)[0] == c'%':
        octet[0] = hex_value((p - 2)[0]) << 4 | hex_value((p - 1)[0])
        return p - 3
    if p - start >= 5 and (p - 3)[0] == c'5' and (p - 4)[0] == c'2' and (p - 5)[0] == c'%':
        octet[0] = hex_value((p - 2)[0]) << 4 | hex_value((p - 1)[0])
        return p - 5
    return p - 1


cdef inline bint is_separator(uint8_t octet) noexcept nogil:
    return octet == c'_' or octet == c'-' or octet == c'.'


cdef inline const uint8_t* start_of(const Name* row, const uint8_t* start, const uint8_t* end) noexcept nogil:
    """Return where the name of a row begins if it may end at `end`; otherwise NULL. row: a row of the table in
    secret_names.py, which says what the signs in a name mean. If the masker might read an escape, or an octet beyond
    ASCII, in two ways, the name matches."""
    cdef const uint8_t* p = end
    cdef const uint8_t* q
    cdef uint8_t octet = 0
    cdef const char* name = row.name
    cdef size_t k = row.size
    while k:
        k -= 1
        if name[k] == c'*':
            if k == 0:
                return p
        elif name[k] == c'_':
            q = before(start, p, &octet)
            if is_separator(octet):
                p = q
            elif name[k + 1] == c'*' or (k and name[k - 1] == c'*'):
                return NULL
        elif name[k] == c'#':
            while p > start:
                q = before(start, p, &octet)
                if not CLASS[octet] & DIGIT:
                    break
                p = q
        elif p > start and (p - 1)[0] | 0x20 == <uint8_t>name[k]:  # (is_harmless refuses texts with escaped letters)
            p -= 1
        elif p > start and CLASS[(p - 1)[0]] & TAB_NEWLINE:
            p = without_removed(start, p)
            k += 1
        elif name[k] == c'k' and p - start >= 3 and memcmp(p - 3, b"\xE2\x84\xAA", 3) == 0:
            p -= 3  # "\u212A".lower() is "k"
        else:
            return NULL
    if p > start and not CLASS[(p - 1)[0]] & TAB_NEWLINE:
        before(start, p, &octet)
        if CLASS[octet] & (ALPHA | DIGIT) or is_separator(octet) or octet == c'$':  # p is within a longer name
            return NULL
    return p


cdef inline bint is_plain(const uint8_t* start, const uint8_t* p, const uint8_t* end) noexcept nogil:
    """Return whether the name from p to end is the same for all readers: it holds no escape, no part of one, and
    nothing that the URL Standard removes."""
    p = p - 2 if p - start > 2 else start
    return not classes_of(p, end - p) & (PERCENT | TAB_NEWLINE)


cdef inline int kind_of_word(const uint8_t* start, const uint8_t* end) noexcept nogil:
    """Return which kinds of names may end at `end`."""
    cdef const uint8_t* p = end
    cdef const uint8_t* q = end
    cdef const Name* row
    cdef uint8_t octet = 0
    cdef int kind = 0
    while q > start:
        p = q
        q = before(start, p, &octet)
        if not CLASS[octet] & DIGIT:
            break
    p = without_removed(start, p)
    if p == start:
        return 0
    row = names_ending((p - 1)[0] | 0x20)
    while row.name != NULL:
        p = start_of(row, start, end)
        if p != NULL and (row.kind != NEVER or is_plain(start, p, end)):
            kind |= row.kind
        row += 1
    return kind & ~SECRET if kind & NEVER else kind


cdef inline int kind_of(const uint8_t* start, const uint8_t* end) noexcept nogil:
    """Return the kinds (SECRET, NEVER, BESIDE, NEIGHBOUR) of all names in the built-in table that may end at `end`. The
    names that handlers declare are not considered. The name begins at start or after it."""
    cdef const uint8_t* p = end
    cdef const uint8_t* q
    cdef const Name* row
    cdef uint8_t octet = 0
    cdef int kind, size
    while p > start:
        q = before(start, p, &octet)
        if octet > 0x20 and octet < 0x7F and octet != c'+':  # all other octets may be blanks after the name
            break
        p = q
    kind = kind_of_word(start, p)
    q = p
    while q > start:
        q -= 1
        octet = q[0]
        if not CLASS[octet] & (BRACKET | PERCENT) and not is_separator(octet):
            continue
        size = 1
        if octet == c'%' and p - q >= 3:  # an escape, or an escape whose "%" is escaped
            size = 5 if q[1] == c'2' and q[2] == c'5' and p - q >= 5 else 3
            octet = hex_value(q[size - 2]) << 4 | hex_value(q[size - 1])
        if octet == c'[' or octet == c']':  # "user[password][0]"
            kind |= kind_of_word(start, q)
        elif is_separator(octet):
            row = names_ending(c'*')
            while row.name != NULL:
                if start_of(row, start, q + size) != NULL:
                    kind |= row.kind
                row += 1
    return kind


cdef inline const uint8_t* name_before(const uint8_t* start, const uint8_t* equals) noexcept nogil:
    """Return the first place, not before start, at which the name that ends at `equals` may begin."""
    cdef const uint8_t* name = equals
    while name > start and (name - 1)[0] != c'&' and (name - 1)[0] != c'?':
        name -= 1
    return name


cdef inline bint is_secret(int kind) noexcept nogil:
    """Return whether one of the names of these kinds is secret."""
    return kind & SECRET or (kind & BESIDE and kind & NEIGHBOUR)


cdef inline bint is_letter(uint8_t high, uint8_t low) noexcept nogil:
    """Return whether the octet with these hexadecimal digits is an ASCII letter."""
    low |= 0x20
    return ((high == c'4' or high == c'6') and low != c'0') or ((high == c'5' or high == c'7') and low < c'b')


cdef inline size_t slash_at(const uint8_t* p) noexcept nogil:
    """Return the length of the "/" at p, literal or escaped; 0 if there is none. The text does not end at p."""
    return 1 if p[0] == c'/' else 3 if p[0] == c'%' and p[1] == c'2' and p[2] | 0x20 == c'f' else 0


cdef inline const uint8_t* behind_host(const uint8_t* start, const uint8_t* p) noexcept nogil:
    """Return where the host of a URL ends. p: the ":" of its scheme, literal or escaped. Return NULL unless "http://"
    or "https://" and a host with a "." precede that end, and a slash, "?" or "#" follows it. After a literal ":" the
    slashes must also be literal: a reader that does not decode escapes would take this ":" for the one of
    "scheme:user"."""
    cdef bint escaped = p[0] == c'%'
    cdef const uint8_t* host
    cdef size_t slash
    cdef int _slash
    if not (p - start >= 4 and begins(p - 4, 4, b"http", 4)) \
            and not (p - start >= 5 and begins(p - 5, 5, b"https", 5)):
        return NULL
    p += 3 if escaped else 1
    for _slash in range(2):
        slash = slash_at(p)
        if slash == 0 or (slash > 1 and not escaped):
            return NULL
        p += slash
    host = p
    while CLASS[p[0]] & SCHEME_CHAR:
        p += 1
    return p if memchr(host, c'.', p - host) != NULL and (slash_at(p) or p[0] == c'?' or p[0] == c'#') else NULL


cdef inline bint ends_no_user(const uint8_t* p, const uint8_t* at) noexcept nogil:
    """Return whether certainly nothing before `at`, the last "@" or "%40", is secret, as in "https://host/@name",
    "mailto:me@", "https://host/?mail=me%40".

    A password follows a ":" that does not end a scheme, or follows "thin:user/". A token is a user name, which follows
    the ":" of the scheme, or two slashes, or one slash after "http", "https" or ":". Many readers take a "\\" for a
    slash. So none of these may precede the "@", whether literal, escaped or escaped twice. (is_harmless has made sure
    that no letter is escaped.) But a URL of http or https may contain other URLs, if no user information begins after
    their slashes. In a URL of sip, the text before a second ":" may be the user."""
    cdef const uint8_t* start = p
    cdef const uint8_t* end = at
    cdef size_t scheme = 0, slash
    cdef bint of_web, dotted = False
    while p + scheme < end and CLASS[p[scheme]] & SCHEME_CHAR:
        scheme += 1
    if p[scheme] == c':':
        p += scheme + 1
    else:
        scheme = 0
    of_web = (scheme == 4 or (scheme == 5 and start[4] | 0x20 == c's')) and begins(start, 4, b"http", 4)
    if p[0] == c'/' and p[1] == c'/':
        p += 2
        while p[0] != c'/' and p[0] != c'?' and p[0] != c'#':
            if p[0] == c'@' or p[0] == c'\\' or p[0] == c':' or p[0] == c'%':
                return False
            dotted = dotted or p[0] == c'.'
            p += 1
        if not dotted:  # this may be a user name instead of a host
            return False
    elif scheme:  # an access token has at least 20 characters, or one of the characters below
        if end - p >= 20 or memchr(p, c'_', end - p) != NULL or memchr(p, c'-', end - p) != NULL \
                or memchr(p, c'/', end - p) != NULL or memchr(p, c'%', end - p) != NULL:
            return False
    while p < end:
        if p[0] == c'\\' or p[0] < 0x20:
            return False
        if p[0] == c':' or (p[0] == c'%' and p[1] == c'3' and p[2] | 0x20 == c'a'):
            p = behind_host(start, p) if of_web else NULL
            if p == NULL:
                return False
        slash = slash_at(p)
        if slash:
            if slash_at(p + slash) or p[slash] == c'\\' or (p - start >= 4 and (p - 1)[0] == c'p'
                                                            and begins(p - 4, 4, b"http", 4)):
                return False
            if p - start >= 5 and (p - 1)[0] == c's' and begins(p - 5, 5, b"https", 5):
                return False
        elif p[0] == c'%' and ((p[1] == c'2' and p[2] == c'5') or (p[1] == c'5' and p[2] | 0x20 == c'c')):
            return False
        p += slash if slash else 1
    return True


cdef inline bint is_harmless(const uint8_t* p, size_t n, bint any_name, bint whole=True) noexcept nogil:
    """Return whether p[0:n] certainly holds no secret: no "@" that may end user information in some dialect, no
    parameter whose name may be that of a secret, and no escape (even an escaped one) that could hide these. any_name:
    whether any name may be declared secret by a handler. whole: false for a piece of a text, the rest of which may hold
    the neighbour that makes a name secret."""
    cdef const uint8_t* end = p + n
    cdef const uint8_t* seen = p
    cdef const uint8_t* start = p
    cdef const uint8_t* code
    cdef const uint8_t* at = NULL
    cdef int kind = 0 if whole else NEIGHBOUR
    while True:
        seen = <const uint8_t*>memchr(seen, c'@', end - seen)
        if seen == NULL:
            break
        at = seen
        seen += 1
    seen = p
    while True:
        seen = <const uint8_t*>memchr(seen, c'=', end - seen)
        if seen == NULL:
            break
        kind |= kind_of(name_before(start, seen), seen)
        if any_name or is_secret(kind):
            return False
        seen += 1
        start = seen
    seen = start = p
    while True:
        seen = <const uint8_t*>memchr(seen, c'%', end - seen)
        if seen == NULL or end - seen < 3:
            return at == NULL or ends_no_user(p, at)
        code = seen + 1
        if code[0] == c'2' and code[1] == c'5' and end - seen >= 5:
            code += 2
        if code[0] == c'%' or code[1] == c'%':  # "%%341" decodes to an escape
            return False
        if code[0] == c'2':
            if code[1] == c'5':
                return False
        elif code[0] == c'3':
            if code[1] | 0x20 == c'd':
                kind |= kind_of(name_before(start, seen), seen)
                if any_name or is_secret(kind):
                    return False
                start = seen
        elif code[0] == c'4' and code[1] == c'0':
            at = seen if seen > at else at
        elif is_letter(code[0], code[1]):
            return False
        seen += 3
