"""IDNA 2008 (RFC 5891), each label checked by itself, in two ways.

idna2008       As the package `idna` does: normalisation and directions are of the interpreter's Unicode, and what is
               allowed is of one version of Unicode (idna2008_table.h).
is_domain2008  All of it is of that version, so the answer is the same on every interpreter; and no Python code runs.
"""
import re
from cpython.unicode cimport PyUnicode_4BYTE_KIND, PyUnicode_AsUCS4, PyUnicode_FromKindAndData
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memcmp
from unicodedata import bidirectional, category, combining, name, normalize
from urlsm.octets.buffer cimport ascii_text
from urlsm.octets.chars cimport ALPHA, CLASS, DIGIT, lower
from urlsm.octets.utf8 cimport read_point
from urlsm.octets.words cimport is_all_ascii
from urlsm.unicode.domains cimport (
    Label, decode_label, is_valid, joining_type, kind_of, label_start, label_takes, mapped_domain, write_punycode,
)
from urlsm.unicode.edges cimport within

cdef extern from "unicode/idna2008_table.h" nogil:
    const uint32_t DISALLOWED "URLSM_IDNA2008_DISALLOWED"[1]
    const size_t DISALLOWED_EDGES "sizeof(URLSM_IDNA2008_DISALLOWED) / sizeof(uint32_t)"
    const uint32_t GREEK "URLSM_GREEK"[1]
    const size_t GREEK_EDGES "sizeof(URLSM_GREEK) / sizeof(uint32_t)"
    const uint32_t HEBREW "URLSM_HEBREW"[1]
    const size_t HEBREW_EDGES "sizeof(URLSM_HEBREW) / sizeof(uint32_t)"
    const uint32_t JAPANESE "URLSM_JAPANESE"[1]
    const size_t JAPANESE_EDGES "sizeof(URLSM_JAPANESE) / sizeof(uint32_t)"

cdef extern from "unicode/label.h" nogil:
    enum: TO_RIGHT "URLSM_L", TO_LEFT "URLSM_R", EUROPEAN "URLSM_EN", ARABIC "URLSM_AN"  # directions

cdef enum:
    DOMAIN_MAX = 254  # characters, with a final full stop
    LABEL_MAX = 63
    TEXT_MAX = 1024   # characters, before the domain is mapped
    VIRAMA = 9
    TRANSPARENT = 1   # joining types
    RIGHT = 2
    LEFT = 4

cdef enum Direction:  # of a label
    NEITHER  # it may only be in a domain without right-to-left labels
    LEFT_TO_RIGHT
    RIGHT_TO_LEFT

cdef object FULL_STOP = re.compile("[.\u3002\uff0e\uff61]")


cdef str idna2008(str domain, bint mapped=False, bint full_stop_only=False):
    """encode: return a domain in ASCII by RFC 5891, each label checked by itself. mapped: whether it is mapped by
    UTS 46 first. full_stop_only: whether "." alone parts labels, and not also its ideographic and wide forms."""
    cdef list labels, written = []
    cdef str label, coded, root = ""
    if len(domain) > TEXT_MAX:
        return None
    if mapped:
        domain = mapped_domain(domain)
        if domain is None:
            return None
        domain = normalize("NFC", domain)
    if len(domain) > DOMAIN_MAX:
        return None
    labels = domain.split(".") if full_stop_only or domain.isascii() else FULL_STOP.split(domain)
    if not labels[len(labels) - 1]:
        labels.pop()
        root = "."
    for label in labels:
        coded = label_in_ascii(label)
        if coded is None:
            return None
        written.append(coded)
    coded = ".".join(written)
    return coded + root if 0 < len(coded) < DOMAIN_MAX else None


cdef bint is_readable2008(str domain) except -1:
    """decode: return whether each label of a domain in ASCII is valid, whatever its length."""
    cdef list labels = domain.split(".")
    cdef str label
    if not labels[len(labels) - 1]:
        labels.pop()
    if not labels or len(domain) > DOMAIN_MAX:
        return False
    for label in labels:
        if not is_ascii_label(label):
            return False
    return True


cdef str label_in_ascii(str label):
    """alabel: return a label in ASCII; None if it is refused."""
    if label.isascii():
        if not is_ascii_label(label):
            return None
    else:
        return coded_label(label) if is_label(label) else None
    return label if len(label) <= LABEL_MAX else None


cdef str coded_label(str label):
    """Return a label with "xn--" and its Punycode; None if that is longer than a label may be."""
    cdef Label read
    cdef uint8_t[LABEL_MAX] out
    cdef uint8_t* end
    cdef Py_UCS4 char
    label_start(&read)
    for char in label:
        if label_takes(&read, char, kind_of(char)):
            return None
    end = write_punycode(&read, out, out + LABEL_MAX)
    return None if end == NULL else ascii_text(out, end - out)


cdef bint is_ascii_label(str label) except -1:
    """ulabel: return whether a label in ASCII is valid; one with "xn--" if it is that of a valid label in Unicode."""
    cdef Label read
    cdef uint8_t[DOMAIN_MAX + 1] out
    cdef uint8_t* end
    cdef bytes octets
    label = label.lower()
    if label[:4] != "xn--":
        return is_label(label)
    if not label.isascii() or len(label) > DOMAIN_MAX:
        return False
    octets = label.encode("ascii")
    if decode_label(&read, <const uint8_t*><const char*>octets + 4, len(octets) - 4):
        return False
    end = write_punycode(&read, out, out + DOMAIN_MAX + 1)
    return end != NULL and out[:end - out] == octets \
        and is_label(PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, read.points, read.n))


cdef bint is_label(str label) except -1:
    """check_label: return whether a label in Unicode is valid."""
    cdef uint32_t[DOMAIN_MAX] points
    cdef size_t n = len(label), at
    if not 0 < n <= DOMAIN_MAX:
        return False
    PyUnicode_AsUCS4(label, <Py_UCS4*>points, n, False)
    if has_hyphens(points, n):
        return False
    for at in range(n):
        if not is_allowed(points, n, at) or (points[at] | 1 == 0x200D and not is_joiner_allowed(label, at)):
            return False
    if label.isascii():
        return True
    return normalize("NFC", label) == label and category(label[0])[0] != "M" and meets_bidi_rule(label)


cdef inline bint has_hyphens(const uint32_t* points, size_t n) noexcept nogil:
    """Return whether a label begins or ends with "-", or has "--" in third and fourth position (RFC 5891, 4.2.3.1)."""
    return points[0] == c"-" or points[n - 1] == c"-" or (n >= 4 and points[2] == c"-" and points[3] == c"-")


cdef bint is_allowed(const uint32_t* points, size_t n, size_t at) noexcept nogil:
    """Return whether a code point of a label is PVALID, or allowed where it stands (RFC 5892 appendix A); or is a
    joiner, which is not judged here."""
    cdef uint32_t char = points[at]
    cdef size_t k
    if char < 0x80:
        return c"a" <= char <= c"z" or c"0" <= char <= c"9" or char == c"-"
    if not is_valid(char) or within(DISALLOWED, DISALLOWED_EDGES, char):
        return False
    if char == 0xB7:
        return 0 < at < n - 1 and points[at - 1] == c"l" and points[at + 1] == c"l"
    if char == 0x375:
        return at < n - 1 and within(GREEK, GREEK_EDGES, points[at + 1])
    if char == 0x5F3 or char == 0x5F4:
        return at > 0 and within(HEBREW, HEBREW_EDGES, points[at - 1])
    if char == 0x30FB:
        for k in range(n):
            if points[k] != 0x30FB and within(JAPANESE, JAPANESE_EDGES, points[k]):
                return True
        return False
    if 0x660 <= char <= 0x669 or 0x6F0 <= char <= 0x6F9:  # not both kinds of digits
        for k in range(n):
            if (0x6F0 <= points[k] <= 0x6F9) if char <= 0x669 else (0x660 <= points[k] <= 0x669):
                return False
    return True


cdef bint is_joiner_allowed(str label, Py_ssize_t at) except -1:
    """valid_contextj: return whether the joiner label[at] is allowed where it stands (RFC 5892 appendix A.1, A.2)."""
    if at == 0:
        return False
    virama = combining(label[at - 1])
    if virama == VIRAMA:
        return True
    if not virama and not name(label[at - 1], ""):
        return False
    return label[at] == "\u200c" and joins(label, at - 1, -1, LEFT) and joins(label, at + 1, 1, RIGHT)


cdef bint joins(str label, Py_ssize_t at, int step, uint32_t side) noexcept:
    """Return whether the nearest code point that is not transparent joins on a side."""
    cdef uint32_t joining
    while 0 <= at < len(label):
        joining = joining_type(label[at])
        if joining != TRANSPARENT:
            return joining & side != 0
        at += step
    return False


cdef bint meets_bidi_rule(str label) except -1:
    """check_bidi: return whether a label is all from left to right, or meets RFC 5893 section 2."""
    cdef list directions = [bidirectional(char) for char in label]
    cdef set seen = set(directions)
    if "" in seen:  # of a newer Unicode than the interpreter's
        return False
    if not seen & {"R", "AL", "AN"}:
        return True
    ending = next((direction for direction in reversed(directions) if direction != "NSM"), "")
    if directions[0] in ("R", "AL"):
        return (seen <= {"R", "AL", "AN", "EN", "ES", "CS", "ET", "ON", "BN", "NSM"}
                and ending in ("R", "AL", "EN", "AN") and not {"EN", "AN"} <= seen)
    return (directions[0] == "L" and seen <= {"L", "EN", "ES", "CS", "ET", "ON", "BN", "NSM"}
            and ending in ("L", "EN"))


# --- by one version of Unicode --------------------------------------------------------------------

cdef bint is_domain2008(const uint8_t* p, size_t n, size_t* at) noexcept nogil:
    """Return whether p[0:n], which is UTF-8, is a domain that IDNA 2008 allows, without a full stop at its end. If not,
    set `at` to where the label begins that is not allowed."""
    cdef size_t k = 0, after = 0, length = 0, size = 0, unfit = n
    cdef uint32_t point
    cdef bint is_bidi = False
    cdef Direction direction = NEITHER
    at[0] = 0
    if n > 4 * DOMAIN_MAX:
        return False
    while True:
        after = k
        point = c"." if k == n else read_point(p, n, &after)
        if point == c"." or point == 0x3002 or point == 0xFF0E or point == 0xFF61:
            if not is_label2008(p + at[0], k - at[0], &size, &direction):
                return False
            length += size + 1
            is_bidi = is_bidi or direction == RIGHT_TO_LEFT
            if direction == NEITHER:
                unfit = min(unfit, at[0])
            if k == n:
                # "a domain name that contains at least one RTL label": each of its labels has to meet the rule
                at[0] = unfit if is_bidi and unfit < n else 0
                return length <= DOMAIN_MAX and not (is_bidi and unfit < n)
            at[0] = after
        k = after


cdef bint is_label2008(const uint8_t* p, size_t n, size_t* size, Direction* direction) noexcept nogil:
    """Return whether p[0:n], which is UTF-8, is a label that IDNA 2008 allows, and set its direction. size: set to its
    length in ASCII."""
    cdef uint8_t[LABEL_MAX] out
    cdef uint8_t* end
    cdef Label label
    cdef size_t k = 0
    cdef uint32_t point
    if is_all_ascii(p, n):
        size[0] = n
        if is_coded(p, n):
            return is_directed_label(p, n, direction)
        direction[0] = LEFT_TO_RIGHT if n and CLASS[p[0]] & ALPHA else NEITHER
        return is_plain_label(p, n)
    label_start(&label)
    while k < n:
        point = read_point(p, n, &k)
        if point > 0x10FFFF or not is_valid(point) or label_takes(&label, point, kind_of(point)):
            return False
    end = write_punycode(&label, out, out + LABEL_MAX)
    if end == NULL:
        return False
    size[0] = end - out
    return is_directed_label(out, size[0], direction)  # decoding also checks normalisation and joiners


cdef inline bint is_coded(const uint8_t* p, size_t n) noexcept nogil:
    return n >= 4 and p[0] | 0x20 == c"x" and p[1] | 0x20 == c"n" and p[2] == c"-" and p[3] == c"-"


cdef inline bint is_plain_label(const uint8_t* p, size_t n) noexcept nogil:
    """Return whether p[0:n] is a label of letters, digits and hyphens that is not reserved (RFC 5890, NR-LDH)."""
    cdef size_t k
    if not 0 < n <= LABEL_MAX or p[0] == c"-" or p[n - 1] == c"-" or (n >= 4 and p[2] == c"-" and p[3] == c"-"):
        return False
    for k in range(n):
        if not CLASS[p[k]] & (ALPHA | DIGIT) and p[k] != c"-":
            return False
    return True


cdef bint is_coded_label(const uint8_t* p, size_t n) noexcept nogil:
    """Return whether p[0:n], which begins with "xn--", is an A-label (RFC 5890 section 2.3.2.1)."""
    cdef Direction direction
    return is_directed_label(p, n, &direction)


cdef bint is_directed_label(const uint8_t* p, size_t n, Direction* direction) noexcept nogil:
    """Return what is_coded_label returns, and set the direction of the label."""
    cdef uint8_t[LABEL_MAX] text, again
    cdef uint8_t* end
    cdef Label label
    cdef size_t k
    if n > LABEL_MAX:
        return False
    for k in range(n):
        text[k] = lower(p[k])
    if decode_label(&label, text + 4, n - 4):
        return False
    end = write_punycode(&label, again, again + LABEL_MAX)
    if end != again + n or memcmp(text, again, n) != 0 or has_hyphens(label.points, label.n):
        return False
    for k in range(label.n):
        if not is_allowed(label.points, label.n, k):
            return False
    direction[0] = direction_of(&label)
    return direction[0] == RIGHT_TO_LEFT or not label.seen & (TO_LEFT | ARABIC)


cdef inline Direction direction_of(const Label* label) noexcept nogil:
    """Return the direction for which a label meets RFC 5893 section 2. It does not end with "-"."""
    if label.first == TO_LEFT and not label.seen & TO_RIGHT and label.last & (TO_LEFT | EUROPEAN | ARABIC) \
            and label.seen & (EUROPEAN | ARABIC) != EUROPEAN | ARABIC:
        return RIGHT_TO_LEFT
    if label.first == TO_RIGHT and not label.seen & (TO_LEFT | ARABIC) and label.last & (TO_RIGHT | EUROPEAN):
        return LEFT_TO_RIGHT
    return NEITHER
