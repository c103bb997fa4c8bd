"""Abbreviated references in running text: which names are hosts ("www.example.org")."""
from libc.stdint cimport uint8_t
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
