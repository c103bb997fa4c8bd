"""Abbreviated references in running text: which names are hosts ("www.example.org"), and e-mail addresses."""
from libc.stdint cimport uint8_t, uint32_t
from urlsm.documents.extent cimport (
    CLOSES, EFFECT, ENDS, MULTI, NAME, OPENS, TRAILS, character, class_at, is_emphasis, is_punctuation, octet,
)
from urlsm.machine.special cimport is_listed, same_letters
from urlsm.octets.chars cimport ALPHA, CLASS, DIGIT
from urlsm.octets.slice cimport Slice


cdef inline bint is_host(const Slice* t, size_t floor, size_t start, size_t end) noexcept nogil:
    """Return whether the name in [start, end) most likely is a host, not part of something else. Text before floor is
    ignored."""
    cdef size_t i, label = start, labels = 1, size = 1
    cdef bint www = end - start > 4 and same_letters(t.p + start, b"www.", 4), alone = True
    cdef uint8_t before = octet(t, start - 1) if start > floor else 32, after = octet(t, end)
    if before == c'\\' or not (EFFECT[before] & (ENDS | MULTI | OPENS | TRAILS) or before == c'='
                               or is_emphasis(before) and not (start - 1 > floor
                                                               and EFFECT[t.p[start - 2]] & NAME)):
        return False
    if EFFECT[after] & OPENS or not (EFFECT[after] & (ENDS | MULTI | CLOSES | TRAILS) or after == c'/'
                                     or after == c'#'
                                     or is_emphasis(after) and not EFFECT[octet(t, end + 1)] & NAME):
        return False
    if EFFECT[after] & MULTI:
        alone = is_punctuation(character(t, end, &size))
    if after == c':' and not (class_at(t, end + 1) & DIGIT
                              or EFFECT[octet(t, end + 1)] & (ENDS | CLOSES | TRAILS)):
        return False  # the colon ends a scheme
    if EFFECT[before] & MULTI:
        i = start - 1
        while i > floor and t.p[i] & 0xC0 == 0x80:
            i -= 1
        alone = alone and is_punctuation(character(t, i, &size))
    if not alone and not www:  # next to a letter that is not ASCII: perhaps the end of a longer name
        return False
    for i in range(start, end):
        if t.p[i] == c'.':
            if i == label:
                return False
            label = i + 1
            labels += 1
    for i in range(label, end):
        if not CLASS[t.p[i]] & ALPHA:
            return False
    if www:
        return labels > 2 and end - label > 1
    # well-known endings; two letters are a country, or a file's extension
    return is_listed(b" com org net edu gov info biz ", t.p + label, end - label) and labels > 1 \
        or end - label == 2 and (labels > 2 or labels == 2 and after == c'/')


# --- e-mail addresses ---------------------------------------------------------------------------

cdef enum:
    MOST_LOCAL = 64    # octets: RFC 5321 section 4.5.3.1
    MOST_DOMAIN = 255


cdef inline bint is_local(uint8_t c) noexcept nogil:
    """Return whether a mailbox may have this octet: of RFC 5322's atext those that people use; the others delimit."""
    return CLASS[c] & (ALPHA | DIGIT) or c == c'.' or c == c'_' or c == c'+' or c == c'-' or c == c'%' or c == c"'" \
        or c == c'~'


cdef inline bint parts_words(const Slice* t, size_t i) noexcept nogil:
    """Return whether the non-ASCII character at i may stand beside an address: punctuation, a picture, or a letter of a
    script that has no spaces. Another letter may be a part of it."""
    cdef size_t size = 1
    cdef uint32_t code = character(t, i, &size)
    return is_punctuation(code) or 0x2E80 <= code < 0xD800 or 0xF900 <= code < 0xFB00 or code >= 0x1F000


cdef inline size_t address_start(const Slice* t, size_t floor, size_t at) noexcept nogil:
    """Return where the address begins whose "@" is at; at itself if there is none."""
    cdef size_t i = at
    while i > floor and at - i <= 2 * MOST_LOCAL and is_local(t.p[i - 1]) and not (t.p[i - 1] == c'.' == t.p[i]):
        i -= 1
    if i > floor and (t.p[i - 1] == c'/' or t.p[i - 1] == c'@'):
        return at
    if i > floor and t.p[i - 1] & 0x80:
        floor, i = i, i - 1
        while i > 0 and t.p[i] & 0xC0 == 0x80:
            i -= 1
        if not parts_words(t, i):
            return at
        i = floor
    while i < at and not (CLASS[t.p[i]] & (ALPHA | DIGIT) or t.p[i] == c'_'):
        i += 1
    return at if at - i > MOST_LOCAL or t.p[at - 1] == c'.' else i


cdef inline size_t address_end(const Slice* t, size_t at) noexcept nogil:
    """Return the end of the address whose "@" is at: after its domain of two labels or more; at without one."""
    cdef size_t end = at + 1, i, label = at + 1, labels = 1
    cdef uint8_t after
    while EFFECT[octet(t, end)] & NAME:
        end += 1
        if end - at > MOST_DOMAIN:
            return at
    while end > label and not CLASS[t.p[end - 1]] & (ALPHA | DIGIT):
        end -= 1
    after = octet(t, end)
    if after == c'@' or after == c'_' or after == c'/' \
            or after == c':' and (octet(t, end + 1) == c'/' or class_at(t, end + 1) & (ALPHA | DIGIT)):
        return at  # git@github.com:owner/name
    if after & 0x80 and not parts_words(t, end):
        return at
    for i in range(label, end + 1):
        if i == end or t.p[i] == c'.':
            if i == label or i - label > 63 or t.p[label] == c'-' or t.p[i - 1] == c'-':
                return at
            if i < end:
                label = i + 1
                labels += 1
    if labels < 2 or end - label < 2 \
            or is_listed(b" png jpg jpeg gif svg webp avif ico bmp ", t.p + label, end - label):
        return at  # logo@2x.png
    if end - label > 4 and same_letters(t.p + label, b"xn--", 4):
        return end
    for i in range(label, end):
        if not CLASS[t.p[i]] & ALPHA:
            return at
    return end
