"""libidn2's idn2_lookup_u8, as curl and wget call it: UTS 46, non-transitional, and transitional if that fails."""
from bisect import bisect_right
from unicodedata import category, normalize
from libc.stdint cimport uint8_t, uint32_t
from urlsm.octets.chars cimport ALPHA, CLASS, DIGIT
from urlsm.octets.utf8 cimport read_point
from urlsm.readers.ages cimport is_newly_allowed_point
from urlsm.unicode.domains cimport (
    Label, decode_label, expanded_point, kind_of, label_settle, label_start, label_takes, mapped_point, write_punycode,
)

cdef extern from "unicode/label.h" nogil:
    const int VALID "URLSM_IDNA_VALID"
    const int JOINER "URLSM_IDNA_V8"
    const int MAPPED_INSIDE "URLSM_IDNA_V7_MAPPED"
    const uint32_t NONSPACING "URLSM_NONSPACING"
    const uint32_t REORDRANT "URLSM_REORDRANT"
    const uint32_t COMPOSING "URLSM_COMPOSING"
    const uint32_t IGNORED "URLSM_IGNORED"
    const uint32_t MAPPED "URLSM_MAPPED"
    const uint32_t EXPANDED "URLSM_EXPANDED"
    const uint32_t DISALLOWED "URLSM_DISALLOWED"
    enum: RIGHT "URLSM_R", LEFT "URLSM_L", EUROPEAN "URLSM_EN", ARABIC "URLSM_AN"

cdef enum:
    MAX_DOMAIN = 255           # IDN2_DOMAIN_MAX_LENGTH
    MAX_LABEL = 63             # IDN2_LABEL_MAX_LENGTH
    MOST_EXPANDED = 18         # code points that one is mapped to
    SHARP_S = 0xDF
    FINAL_SIGMA = 0x3C2

# of code points that are valid in UTS 46, IDNA 2008 allows those of these categories (RFC 5892, LetterDigits)
cdef frozenset LETTER_DIGITS = frozenset(("Ll", "Lu", "Lo", "Lm", "Mn", "Mc", "Nd"))
cdef frozenset ALSO_ALLOWED = frozenset("\u00b7\u0375\u05f3\u05f4\u06fd\u06fe\u0f0b\u3007\u30fb\u200c\u200d")
# without these
cdef str NOT_ALLOWED = (
    "640 7FA 1100-11FF 20D0-20DC 20E1 20E5-20F0 302E-302F 3031-3035 303B A960-A97F D7B0-D7FF 1D165-1D169 1D16D-1D172 "
    "1D17B-1D182 1D185-1D18B 1D1AA-1D1AD 1D242-1D244 "
)
# and in 2.3.3, whose table for this is that of Unicode 12, without these
cdef str UNASSIGNED = (
    "870-887 889-88E 898-89F 8B5 8BE-8D2 B55 C3C C5D CDD D04 D81 170D 1715 171F 1ABF-1ACE 1B4C 1DFA 2C5F 31BB-31BF "
    "4DB6-4DBF 9FF0-9FFF A7C1 A7C8 A7CA A7D1 A7D3 A7D5 A7D7 A7D9 A7F6 A82C AB68 10597-105A1 105A3-105B1 105B3-105B9 "
    "105BB-105BC 10780 10E80-10EA9 10EAB-10EAC 10EB0-10EB1 10F70-10F85 10FB0-10FC4 11070-11075 110C2 11147 "
    "111CE-111CF 11460-11461 11740-11746 11900-11906 11909 1190C-11913 11915-11916 11918-11935 11937-11938 "
    "1193B-11943 11950-11959 11AB0-11ABF 11FB0 12F90-12FF0 16A70-16ABE 16AC0-16AC9 16FE4 16FF0-16FF1 18AF3-18CD5 "
    "18D00-18D08 1AFF0-1AFF3 1AFF5-1AFFB 1AFFD-1AFFE 1B11F-1B122 1CF00-1CF2D 1CF30-1CF46 1DF00-1DF1E 1E290-1E2AE "
    "1E7E0-1E7E6 1E7E8-1E7EB 1E7ED-1E7EE 1E7F0-1E7FE 2A6D7-2A6DF 2B735-2B738 30000-3134A "
)
# the octets that its Punycode decoder takes (basic); what was encoded is decoded again
cdef bytes BASIC = b"abcdefghijklmnopqrstuvwxyz0123456789-_"


cdef list edges_of(str ranges):
    """Return the first code point of each range and the one after its last, in order."""
    return sorted(edge for text in ranges.split() for edge in (
        int(text.partition("-")[0], 16), int(text.rpartition("-")[2], 16) + 1
    ))


cdef list NOT_ALLOWED_EDGES = edges_of(NOT_ALLOWED), OLDER_NOT_ALLOWED_EDGES = edges_of(NOT_ALLOWED + UNASSIGNED)


cdef bint is_unknown(uint32_t point, int flags) noexcept:
    """Return whether a code point that is allowed today was not in the release's version of Unicode, 15.1 or 14."""
    return is_newly_allowed_point(point, 151 if flags & LIBIDN2_2_3_8 else 140)


cdef bint is_deviation(uint32_t point) noexcept:
    """Return whether transitional processing maps a code point, and non-transitional does not (UTS 46 section 2.3)."""
    return point == SHARP_S or point == FINAL_SIGMA or (point | 1) == 0x200D


cdef bint is_std3(const uint8_t* text, uint32_t point, size_t count) noexcept:
    """Return whether ASCII that a code point is mapped to is only letters, digits, "-" and ".". text: `count` octets
    that it is mapped to; NULL: it is mapped to one point."""
    cdef size_t k
    if text == NULL:
        return point >= 0x80 or CLASS[point] & (ALPHA | DIGIT) or point == c'-' or point == c'.'
    for k in range(count):
        if not (text[k] >= 0x80 or CLASS[text[k]] & (ALPHA | DIGIT) or text[k] == c'-' or text[k] == c'.'):
            return False
    return True


cdef Py_ssize_t mapped_points(bytes host, uint32_t* points, bint transitional, int flags) except -2:
    """_tr46: write what the code points of a host are mapped to; return their number, or -1 if the host is refused."""
    cdef const uint8_t* p = <const uint8_t*><const char*>host
    cdef const uint8_t* text
    cdef size_t k = 0, n = len(host), j, count
    cdef uint32_t point, kind
    cdef Py_ssize_t out = 0
    while k < n:
        point = read_point(p, n, &k)
        if point > 0x10FFFF:
            return -1
        kind = kind_of(point)
        if kind == DISALLOWED or (point >= 0x80 and is_unknown(point, flags)):
            return -1
        if c'A' <= point <= c'Z':
            point |= 0x20
        elif kind == MAPPED:
            point = mapped_point(point)
        text, count = NULL, 1
        if point == SHARP_S and kind == MAPPED and not flags & LIBIDN2_2_3_8:  # the capital
            text, count = b"ss", 2
        elif transitional and is_deviation(point) and kind != MAPPED:
            text, count = b"ss", 2 if point == SHARP_S else 0
            if point == FINAL_SIGMA:
                text, count, point = NULL, 1, FINAL_SIGMA + 1
        elif kind == IGNORED:
            count = 0
        elif kind == EXPANDED:
            text = expanded_point(point, &count)
        if flags & USE_STD3_ASCII_RULES and not is_std3(text, point, count):
            count = 0
        if out + <Py_ssize_t>count >= MAX_DOMAIN + MOST_EXPANDED:
            return -1
        j = 0
        while j < count:
            if text == NULL:
                j += 1
            else:
                point = read_point(text, count, &j)
            points[out] = point
            out += 1
        if out >= MAX_DOMAIN:
            return -1
    return out


cdef bint has_hyphens(const Label* label) noexcept:
    """TEST_2HYPHEN, TEST_HYPHEN_STARTEND: return whether a label has hyphens where it must not."""
    cdef const uint32_t* points = label.points
    cdef uint32_t n = label.n
    return n and (points[0] == c'-' or points[n - 1] == c'-' or (n >= 4 and points[2] == c'-' and points[3] == c'-'))


cdef bint is_allowed(const Label* label, int flags) except -1:
    """Return whether IDNA 2008 allows a label: the tests that `label` makes unless it is transitional."""
    cdef list edges = NOT_ALLOWED_EDGES if flags & LIBIDN2_2_3_8 else OLDER_NOT_ALLOWED_EDGES
    cdef uint32_t k, kind
    cdef str char
    for k in range(label.n):
        char = chr(label.points[k])
        if label.points[k] >= 0x80 and char not in ALSO_ALLOWED:
            if char in "\u2260\u226e\u226f" and not flags & LIBIDN2_2_3_8:  # TEST_ALLOW_STD3_DISALLOWED
                continue
            if category(char) not in LETTER_DIGITS or bisect_right(edges, label.points[k]) & 1:
                return False
    # _idn2_bidi
    if not label.n or not label.seen & (RIGHT | ARABIC):
        return True
    if label.first != RIGHT or label.seen & LEFT:
        return False
    kind = kind_of(label.points[label.n - 1])
    return label.last & (RIGHT | EUROPEAN | ARABIC) or kind == NONSPACING or kind == REORDRANT or kind == COMPOSING


cdef bint is_valid_but_std3(bytes coded, int flags) except -1:
    """TEST_ALLOW_STD3_DISALLOWED: return whether Punycode decodes to a label that is valid, but for code points that
    are mapped to ASCII which the rules of STD3 refuse."""
    cdef uint32_t point, kind
    cdef size_t count = 1
    cdef const uint8_t* text
    cdef str char, label
    if flags & USE_STD3_ASCII_RULES or len(coded) > MAX_LABEL:
        return False
    label = coded.decode("punycode", "replace")
    for char in label:
        point = ord(char)
        kind = kind_of(point)
        if kind == DISALLOWED or kind == IGNORED or (point >= 0x80 and is_unknown(point, flags)):
            return False
        text = expanded_point(point, &count) if kind == EXPANDED else NULL
        if (kind == EXPANDED or kind == MAPPED) and is_std3(text, mapped_point(point) if kind == MAPPED else 0, count):
            return False
    return normalize("NFC", label) == label and not category(label[0]).startswith("M") and not (
        label.startswith("-") or label.endswith("-") or label[2:4] == "--"
    )


cdef bytes lookup(bytes host, bint transitional, int flags):
    """idn2_lookup_u8: return a host in ASCII; None: it is refused."""
    cdef uint32_t[MAX_DOMAIN + MOST_EXPANDED + 1] points
    cdef uint8_t[8 * MAX_DOMAIN] out
    cdef uint8_t* at = out
    cdef Label label
    cdef list labels = []
    cdef bytes text
    cdef int rule
    cdef Py_ssize_t k = 0, begin = 0, n = mapped_points(host, points, transitional, flags)
    if n < 0:
        return None
    points[n] = c'.'
    for k in range(n + 1):
        if points[k] != c'.':
            continue
        label_start(&label)
        rule = VALID
        while begin < k and rule == VALID:
            if transitional and is_deviation(points[begin]):
                return None
            rule = label_takes(&label, points[begin], kind_of(points[begin]))
            begin += 1
        if rule == VALID:
            rule = label_settle(&label)
        if rule != VALID:
            return None
        if label.wide:
            at = write_punycode(&label, out, out + sizeof(out))
            if at == NULL:
                return None
            text = out[:at - out]
        else:
            text = bytes([label.points[j] for j in range(label.n)])
        if text.startswith(b"xn--"):
            if text.translate(None, BASIC):
                return None
            if not label.wide:
                rule = decode_label(&label, <const uint8_t*><const char*>text + 4, len(text) - 4)
                if rule == MAPPED_INSIDE and is_valid_but_std3(text[4:], flags):
                    label.n = 0
                elif rule != VALID and not (rule == JOINER and transitional):
                    return None
                for begin in range(label.n):
                    if label.points[begin] >= 0x80 and is_unknown(label.points[begin], flags):
                        return None
            if not transitional and not is_allowed(&label, flags):
                return None
        if has_hyphens(&label) or len(text) > MAX_LABEL:
            return None
        labels.append(text)
        begin = k + 1
    text = b".".join(labels)
    return text if len(text) <= MAX_DOMAIN - 2 + text.endswith(b".") else None


cdef bytes libidn2(bytes host, int flags):
    """Return a host in ASCII; None: it is refused."""
    cdef bytes found = lookup(host, False, flags)
    return lookup(host, True, flags) if found is None else found
