"""The content that each scheme needs after "scheme:" in running text, to tell a URL from prose ("news: today",
"data:x").

Each step reads at most LIMIT octets. It requires less than the scheme's grammar, just enough to decide.
"""
from urlsm.documents.extent cimport EFFECT, ENDS, MULTI, SERVER, class_at, octet
from urlsm.machine.special cimport same_letters
from urlsm.octets.chars cimport ALPHA, CLASS, DIGIT, SCHEME_CHAR
from urlsm.octets.slice cimport Slice

cdef enum:
    LIMIT = 256

cdef enum Content:           # the kinds of content; running.pyx knows the kind of each scheme
    SLASHES = 1              # "//" and the beginning of an authority; for every scheme that is not listed
    ANYTHING                 # any character that does not end a URL; for registered schemes
    ABSOLUTE                 # as SLASHES, or "/" and a letter: file:/etc
    MAILBOX                  # local part, "@", domain; or "?"
    DOTTED                   # a name with "." or "@" in it: news:comp.lang, sip:a@b, stun:h.example
    DIGITS                   # a telephone number
    NAMESPACE                # urn: identifier, ":", something
    POSITION                 # geo: number, ",", number
    MEDIA                    # data: media type or parameters or nothing, ",", something
    NESTED                   # another scheme and ":": blob:https:, view-source:http:, jdbc:mysql:
    PARAMETERS               # magnet: "?", a name, "="
    PAGE                     # about:blank, about:srcdoc (RFC 6694, HTML)
    CALL                     # javascript: names, "("


cdef inline bint goes_on(const Slice* t, size_t i) noexcept nogil:
    """Return whether a character of content is at i: a letter, a digit, or the like."""
    return class_at(t, i) & (ALPHA | DIGIT) or EFFECT[octet(t, i)] & MULTI or octet(t, i) == c'%' or octet(t, i) == c'_'


cdef inline bint has_authority(const Slice* t, size_t i, bint special) noexcept nogil:
    """"//", and the beginning of an authority; or an empty one and a path, where the scheme is not special."""
    if octet(t, i) != c'/' or octet(t, i + 1) != c'/':
        return False
    i += 2
    if octet(t, i) == c'/' and not special:
        i += 1
    return goes_on(t, i) or octet(t, i) == c'[' or octet(t, i) == c'-' or octet(t, i) == c'~' or octet(t, i) == c':'


cdef inline size_t over_name(const Slice* t, size_t i) noexcept nogil:
    """Return the end of the scheme characters and "_" that begin at i."""
    cdef size_t stop = i + LIMIT
    while i < stop and (class_at(t, i) & SCHEME_CHAR or octet(t, i) == c'_'):
        i += 1
    return i


cdef inline size_t over_digits(const Slice* t, size_t i) noexcept nogil:
    cdef size_t stop = i + LIMIT
    while i < stop and class_at(t, i) & DIGIT:
        i += 1
    return i


cdef inline bint is_mailbox(const Slice* t, size_t i) noexcept nogil:
    cdef size_t stop = i + LIMIT, start = i
    if octet(t, i) == c'?':
        return goes_on(t, i + 1)
    while i < stop and not EFFECT[octet(t, i)] & ENDS and octet(t, i) != c'@' and octet(t, i) != c':':
        i += 1
    return i > start and octet(t, i) == c'@' and (goes_on(t, i + 1) or octet(t, i + 1) == c'[')


cdef inline bint is_dotted(const Slice* t, size_t i) noexcept nogil:
    cdef size_t k, stop = i + LIMIT
    if not goes_on(t, i) and octet(t, i) != c'+':
        return False
    for k in range(i + 1, stop):
        c = octet(t, k)
        if (c == c'.' or c == c'@') and goes_on(t, k + 1):
            return True
        if not EFFECT[c] & (SERVER | MULTI):
            return False
    return False


cdef inline bint is_number(const Slice* t, size_t i) noexcept nogil:
    cdef size_t k, digits = 0
    for k in range(i + (octet(t, i) == c'+'), i + 16):
        c = octet(t, k)
        if CLASS[c] & DIGIT:
            digits += 1
        elif c != c'-' and c != c'.' and c != c'(' and c != c')':  # RFC 3966, visual-separator
            break
    return digits > 1


cdef inline bint is_namespace(const Slice* t, size_t i) noexcept nogil:
    # RFC 8141: 2 to 32 letters, digits and hyphens
    cdef size_t end = over_name(t, i)
    return 1 < end - i < 33 and octet(t, end) == c':' and goes_on(t, end + 1)


cdef inline size_t over_coordinate(const Slice* t, size_t i) noexcept nogil:
    """Return the end of a number with sign and fraction, or i."""
    cdef size_t start = i, end
    i += octet(t, i) == c'-'
    end = over_digits(t, i)
    if end == i:
        return start
    return over_digits(t, end + 1) if octet(t, end) == c'.' else end


cdef inline bint is_position(const Slice* t, size_t i) noexcept nogil:
    cdef size_t end = over_coordinate(t, i)
    return end > i and octet(t, end) == c',' and over_coordinate(t, end + 1) > end + 1


cdef inline bint is_media(const Slice* t, size_t i) noexcept nogil:
    cdef size_t k = over_name(t, i), stop = i + LIMIT
    # RFC 2397: "text/plain" may be left out
    if octet(t, k) == c'/' if k > i else octet(t, k) == c',' or octet(t, k) == c';':
        while k < stop and not EFFECT[octet(t, k)] & ENDS:
            if octet(t, k) == c',':
                return not EFFECT[octet(t, k + 1)] & ENDS
            k += 1
    return False


cdef inline bint is_nested(const Slice* t, size_t i) noexcept nogil:
    cdef size_t end = over_name(t, i)
    return class_at(t, i) & ALPHA and octet(t, end) == c':' and not EFFECT[octet(t, end + 1)] & ENDS


cdef inline bint is_page(const Slice* t, size_t i) noexcept nogil:
    cdef size_t end = over_name(t, i)
    while end > i and t.p[end - 1] == c'.':
        end -= 1
    return end - i == 5 and same_letters(t.p + i, b"blank", 5) or end - i == 6 and same_letters(t.p + i, b"srcdoc", 6)


cdef inline bint is_call(const Slice* t, size_t i) noexcept nogil:
    cdef size_t end = over_name(t, i)
    return octet(t, end) == c'(' and (goes_on(t, i) or end == i)


cdef inline bint has_content(const Slice* t, size_t i, Content content, bint special) noexcept nogil:
    """Return whether the text after "scheme:", from i on, is meant as the rest of a URL."""
    if octet(t, i) == c'/' and octet(t, i + 1) == c'/':
        return has_authority(t, i, special)
    if content == ANYTHING:
        return goes_on(t, i) or octet(t, i) == c'/' or octet(t, i) == c'?' or octet(t, i) == c'+'
    if content == ABSOLUTE:
        return octet(t, i) == c'/' and goes_on(t, i + 1)
    if content == MAILBOX:
        return is_mailbox(t, i)
    if content == DOTTED:
        return is_dotted(t, i)
    if content == DIGITS:
        return is_number(t, i)
    if content == NAMESPACE:
        return is_namespace(t, i)
    if content == POSITION:
        return is_position(t, i)
    if content == MEDIA:
        return is_media(t, i)
    if content == NESTED:
        return is_nested(t, i)
    if content == PARAMETERS:
        return octet(t, i) == c'?' and octet(t, over_name(t, i + 1)) == c'='
    if content == PAGE:
        return is_page(t, i)
    return content == CALL and is_call(t, i)
