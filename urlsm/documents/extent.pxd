"""Steps through running text, which find the end of a URL. Octets should be UTF-8, but any are safe to read.

Each step reads forwards from where the one before it stopped, so that all steps together are one pass.
"""
from libc.stdint cimport uint8_t, uint32_t
from urlsm.octets.chars cimport ALPHA, CLASS, DIGIT, HEX, SCHEME_CHAR
from urlsm.octets.find cimport find as find_octet
from urlsm.octets.slice cimport Slice

cdef extern from "documents/running.h" nogil:
    const uint8_t EFFECT "URLSM_EFFECT"[256]
    const uint8_t ENDS "URLSM_ENDS"
    const uint8_t MULTI "URLSM_MULTI"
    const uint8_t OPENS "URLSM_OPENS"
    const uint8_t CLOSES "URLSM_CLOSES"
    const uint8_t TRAILS "URLSM_TRAILS"
    const uint8_t SERVER "URLSM_SERVER"
    const uint8_t LOOK "URLSM_LOOK"
    const uint8_t NAME "URLSM_NAME"


cdef enum:
    MOST_WIDE = 8  # full-width brackets within each other


cdef inline uint8_t octet(const Slice* t, size_t i) noexcept nogil:
    """Return the octet at i; after the end, a space."""
    return t.p[i] if i < t.n else 32


cdef inline uint32_t class_at(const Slice* t, size_t i) noexcept nogil:
    return CLASS[octet(t, i)]


cdef inline size_t find(const Slice* t, size_t i, uint8_t wanted) noexcept nogil:
    """Return the first place of this octet at or after i, or the end."""
    return find_octet(t.p + i, t.p + t.n, wanted) - t.p


# --- characters that are not ASCII ----------------------------------------------------------------

cdef inline uint32_t character(const Slice* t, size_t i, size_t* size) noexcept nogil:
    """Return the character that begins at i, and set its size; U+FFFD and 1 for an octet that is not UTF-8."""
    cdef uint32_t code = t.p[i]
    cdef size_t k, more = 1 if 0xC2 <= code < 0xE0 else 2 if 0xE0 <= code < 0xF0 else 3 if 0xF0 <= code < 0xF5 else 0
    size[0] = 1
    if more == 0 or t.n - i <= more:
        return 0xFFFD
    code &= 0x3F >> more
    for k in range(1, more + 1):
        if t.p[i + k] & 0xC0 != 0x80:
            return 0xFFFD
        code = code << 6 | (t.p[i + k] & 0x3F)
    size[0] = more + 1
    return code


cdef inline bint is_punctuation(uint32_t code) noexcept nogil:
    """Return whether this character beyond ASCII ends a URL. White space does, and quotation marks, the full-width
    forms and ideographic marks that end a clause where words have no spaces, and invisible marks of direction."""
    if code < 0x2000:
        return code <= 0xA0 or code == 0xAB or code == 0xBB or code == 0x1680 \
            or code == 0x060C or code == 0x061B or code == 0x061F or code == 0x06D4 or 0x0964 <= code <= 0x0965
    if code < 0x3000:  # U+200C and U+200D do not: they join letters
        return code <= 0x200B or 0x200E <= code <= 0x200F or 0x2018 <= code <= 0x201F or code == 0x2026 \
            or 0x2028 <= code <= 0x202F or 0x2039 <= code <= 0x203A or 0x205F <= code <= 0x2069
    if code < 0x3100:  # U+3005 to U+3007 do not: they are read as letters
        return code <= 0x3004 or 0x3008 <= code <= 0x301F or code == 0x3030
    return code == 0xFEFF or 0xFF01 <= code <= 0xFF0F or 0xFF1A <= code <= 0xFF20 or 0xFF3B <= code <= 0xFF40 \
        or 0xFF5B <= code <= 0xFF65


cdef inline uint32_t closing_of(uint32_t code) noexcept nogil:
    """Return what closes this full-width or ideographic bracket; 0: it opens nothing."""
    if 0x3008 <= code < 0x301C:  # U+3012 and U+3013 are no brackets
        return code + 1 if code & 1 == 0 and code != 0x3012 else 0
    if code == 0xFF08 or code == 0xFF5F or code == 0xFF62:
        return code + 1
    return code + 2 if code == 0xFF1C or code == 0xFF3B or code == 0xFF5B else 0


cdef inline size_t over(const Slice* t, size_t i) noexcept nogil:
    """Return the place after the non-ASCII character at i; i if that ends a URL."""
    cdef size_t size = 1
    return i if is_punctuation(character(t, i, &size)) else i + size


# --- the extent of a URL --------------------------------------------------------------------------

cdef inline size_t scheme_start(const Slice* t, size_t floor, size_t colon) noexcept nogil:
    """Return the start of the name that ends at colon: a letter, then only scheme characters; or else colon. A digit
    before the name makes it the middle of a word; "+", "-" and "." do not."""
    cdef size_t i = colon
    while i > floor and CLASS[t.p[i - 1]] & SCHEME_CHAR:
        i -= 1
    while i < colon and not CLASS[t.p[i]] & (ALPHA | DIGIT):
        i += 1
    return i if class_at(t, i) & ALPHA else colon


cdef inline size_t literal_end(const Slice* t, size_t i) noexcept nogil:
    """Return the place after the "]" of the IP literal whose "[" is at i; i if that is not an IP literal."""
    cdef size_t k = i + 1
    while class_at(t, k) & HEX or octet(t, k) == c':' or octet(t, k) == c'.':
        k += 1
    return k + 1 if octet(t, k) == c']' else i


cdef inline bint may_follow_port(const Slice* t, size_t i) noexcept nogil:
    """Return whether a colon before i may begin a port (which may be empty)."""
    return class_at(t, i) & DIGIT or octet(t, i) == c'/' or octet(t, i) == c'?' or octet(t, i) == c'#'


cdef inline size_t authority_end(const Slice* t, size_t i, bint special, bint* cut) noexcept nogil:
    """Return the end of the authority that begins at i. cut: whether a character that a host cannot hold ends it, and
    so the URL. Userinfo may hold that character: the last "@" decides. A list of hosts, with commas, is for schemes
    that are not special."""
    cdef size_t host = i, stop = t.n, after
    cut[0] = False
    while i < t.n:
        c = t.p[i]
        if EFFECT[c] & ENDS or c == c'/' or c == c'?' or c == c'#':
            break
        if EFFECT[c] & MULTI:
            after = over(t, i)
            if after == i:
                break
            i = after
            continue
        if c == c'@':
            host, cut[0] = i + 1, False
        elif c == c'[' and i == host and literal_end(t, i) > i:
            i = literal_end(t, i)
            continue
        elif not cut[0] and not (EFFECT[c] & SERVER and (c != c':' or may_follow_port(t, i + 1))) \
                and not (c == c',' and not special and class_at(t, i + 1) & (ALPHA | DIGIT)):
            stop, cut[0] = i, True
        i += 1
    return stop if cut[0] else i


cdef inline size_t list_item_end(const Slice* t, size_t start, size_t colon) noexcept nogil:
    """Return the end of the URL from start on, if the next one in a list ("http://a/,http://b/") has this colon; else
    0."""
    cdef size_t i
    if octet(t, colon + 1) != c'/' or octet(t, colon + 2) != c'/':
        return 0
    i = scheme_start(t, start, colon)
    if i == colon or i == start or (t.p[i - 1] != c',' and t.p[i - 1] != c';' and t.p[i - 1] != c'|'):
        return 0
    return i - 1


cdef inline size_t body_end(const Slice* t, size_t i, uint8_t quote) noexcept nogil:
    """Return the end of a URL whose path, query, fragment or opaque part begins at i. quote: ends it too, unless 0.
    A full-width bracket ends it, unless its pair is before that end; no more than MOST_WIDE may be open, so that URLs
    within open brackets take linear time."""
    cdef size_t start = i, size = 1, after, outermost = 0
    cdef uint32_t[4] depth   # by kind of bracket: the octet's upper bits
    cdef uint32_t[MOST_WIDE] closing
    cdef uint32_t code, wide = 0
    cdef uint8_t c
    depth[1] = depth[2] = depth[3] = 0
    while True:
        while i < t.n and not EFFECT[t.p[i]] & LOOK:
            i += 1
        if i == t.n:
            break
        c = t.p[i]
        if EFFECT[c] & ENDS or c == quote:
            break
        if EFFECT[c] & MULTI:
            code = character(t, i, &size)
            if is_punctuation(code):
                if wide and code == closing[wide - 1]:
                    wide -= 1
                elif i > start and wide < MOST_WIDE and closing_of(code):  # i == start: it is behind a host
                    if wide == 0:
                        outermost = i
                    closing[wide] = closing_of(code)
                    wide += 1
                else:
                    break
            i += size
            continue
        if EFFECT[c] & OPENS:
            if c == c'[' and octet(t, i + 1) == c'/':  # [url]http://h/x[/url]
                break
            depth[c >> 5] += 1
        elif EFFECT[c] & CLOSES:
            if depth[c >> 5] == 0:
                break
            depth[c >> 5] -= 1
        elif c == c':':
            after = list_item_end(t, start, i)
            if after:
                i = after
                break
        i += 1
    return outermost if wide else i


cdef inline size_t entity_start(const Slice* t, size_t floor, size_t semicolon) noexcept nogil:
    """Return the start of the character reference that this semicolon ends ("&gt;"), or the semicolon."""
    cdef size_t i = semicolon
    while i > floor and CLASS[t.p[i - 1]] & (ALPHA | DIGIT):
        i -= 1
    return i - 1 if floor < i < semicolon and t.p[i - 1] == c'&' else semicolon


cdef inline bint is_emphasis(uint8_t c) noexcept nogil:
    return c == c'*' or c == c'_' or c == c'~'


cdef inline size_t trimmed(const Slice* t, size_t floor, size_t end, uint8_t emphasis) noexcept nogil:
    """Return the end of the URL from start to end without the sentence's punctuation. emphasis: the character before
    the URL, as in **http://h/**, which is removed from its end too."""
    cdef uint8_t c
    while end > floor:
        c = t.p[end - 1]
        if c == c';':
            end = entity_start(t, floor, end - 1)
        elif EFFECT[c] & TRAILS or (c == emphasis and is_emphasis(c)):
            end -= 1
        else:
            break
    return end


cdef inline size_t bracket_end(const Slice* t, size_t i) noexcept nogil:
    """Return the ">" that closes the angle bracket around i; 0 if "<", a double quote or the end comes first."""
    while i < t.n and t.p[i] != c'<' and t.p[i] != c'"':
        if t.p[i] == c'>':
            return i
        i += 1
    return 0
