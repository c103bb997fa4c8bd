"""Processes domain names according to UTS 46 (toascii.h). Only this module contains the table of code points; other
modules call write_domain."""
from urlsm.octets.buffer cimport buffer_free, buffer_reserve, buffer_start
from urlsm.octets.chars cimport ALPHA, CLASS, DIGIT, lower
from urlsm.octets.text cimport exact, write_utf8
from urlsm.octets.utf8 cimport read_point

cdef extern from "unicode/toascii.h" nogil:
    const int VALID "URLSM_IDNA_VALID"
    const int NO_ROOM "URLSM_IDNA_NO_ROOM"
    const char* UNICODE_VERSION "URLSM_TOASCII_UNICODE"
    int process_domain "urlsm_process_domain"(const uint8_t* p, size_t n, uint8_t* out, size_t room, bint in_unicode,
                                              size_t* written, uint32_t* culprit) noexcept
    const uint32_t IGNORED "URLSM_IGNORED"
    const uint32_t MAPPED "URLSM_MAPPED"
    const uint32_t EXPANDED "URLSM_EXPANDED"
    uint32_t urlsm_kind(uint32_t point) noexcept
    uint32_t urlsm_toascii_mapped(uint32_t point) noexcept
    const uint8_t* urlsm_toascii_expanded(uint32_t point, size_t* n) noexcept
    uint32_t urlsm_joining_type(uint32_t point) noexcept
    void urlsm_label_start(Label* label) noexcept
    int urlsm_label_takes(Label* label, uint32_t point, uint32_t kind) noexcept
    int urlsm_label_settle(Label* label) noexcept
    int urlsm_decode_label(Label* label, const uint8_t* p, size_t n) noexcept
    uint8_t* urlsm_write_punycode(const Label* label, uint8_t* out, const uint8_t* end) noexcept


unicode_version = UNICODE_VERSION.decode()  # the version of Unicode that the table is from


cdef int write_domain(Buffer* b, const uint8_t* p, size_t n, bint in_unicode, uint32_t* culprit) except -1 nogil:
    """Append the result of processing the domain p[0:n], which is UTF-8, by UTS 46 (toascii.h), and return 0. If the
    domain breaks a rule, append nothing, return the rule's number, and set culprit to the code point at fault, or 0."""
    cdef size_t room = 4 * n + 16, written = 0
    cdef int rule
    culprit[0] = 0
    while True:
        buffer_reserve(b, room)
        rule = process_domain(p, n, b.p + b.n, b.capacity - b.n, in_unicode, &written, culprit)
        if rule != NO_ROOM:
            break
        room = 2 * (b.capacity - b.n)
    if rule == VALID:
        b.n += written
    return rule


def processed_domain(text: str, in_unicode: bool):
    """Process text according to UTS 46. Return (rule, code point, result). result is "" unless rule is 0;
    urlsm.unicode.idna has a message for each rule. A lone surrogate is read as U+FFFD."""
    cdef Buffer given, b
    cdef uint32_t culprit = 0
    cdef int rule
    buffer_start(&given)
    buffer_start(&b)
    try:
        write_utf8(&given, exact(text))
        rule = write_domain(&b, given.p, given.n, in_unicode, &culprit)
        return rule, culprit, b.p[:b.n].decode("utf-8")
    finally:
        buffer_free(&given)
        buffer_free(&b)


cdef bint is_valid(uint32_t point) noexcept nogil:
    """Return whether UTS 46 keeps a code point as it is; also for deviations, and all of ASCII."""
    return kind_of(point) < IGNORED


cdef uint32_t joining_type(uint32_t point) noexcept nogil:
    """Return the joining type of a code point that UTS 46 keeps: 1 for T, 2 for R, 4 for L, 6 for D; 0 for others."""
    return urlsm_joining_type(point)


# --- the steps of toascii.h, for a program that does them in its own order -----------------------

cdef uint32_t kind_of(uint32_t point) noexcept nogil:
    """Return the class of a code point in the table (label.h)."""
    return urlsm_kind(point)


cdef uint32_t mapped_point(uint32_t point) noexcept nogil:
    """Return what a code point of the class MAPPED is mapped to."""
    return urlsm_toascii_mapped(point)


cdef const uint8_t* expanded_point(uint32_t point, size_t* n) noexcept nogil:
    """Return the UTF-8 to which a code point of the class EXPANDED is mapped, and set n to its length."""
    return urlsm_toascii_expanded(point, n)


cdef void label_start(Label* label) noexcept nogil:
    urlsm_label_start(label)


cdef int label_takes(Label* label, uint32_t point, uint32_t kind) noexcept nogil:
    """Append a code point that is mapped. Return 0, or the rule that it breaks."""
    return urlsm_label_takes(label, point, kind)


cdef int label_settle(Label* label) noexcept nogil:
    """Normalise a label that is complete, and check it. Return 0, or the rule that it breaks."""
    return urlsm_label_settle(label)


cdef int decode_label(Label* label, const uint8_t* p, size_t n) noexcept nogil:
    """Read p[0:n], what stands after "xn--", into a label, and check it. Return 0, or the rule that it breaks."""
    return urlsm_decode_label(label, p, n)


cdef uint8_t* write_punycode(const Label* label, uint8_t* out, const uint8_t* end) noexcept nogil:
    """Write a label with "xn--" before it. Return the end of the text, or NULL if there is no room."""
    return urlsm_write_punycode(label, out, end)


cdef str mapped_domain(str text):
    """Return the text with each code point mapped by UTS 46, before normalisation. Return None if one is disallowed."""
    cdef list parts = []
    cdef Py_UCS4 char
    cdef uint32_t kind
    cdef size_t n = 0
    cdef const uint8_t* p
    if text.isascii():
        return text.lower()
    for char in text:
        kind = kind_of(char)
        if char < 0x80:
            parts.append(chr(lower(<uint8_t>char)))
        elif kind < IGNORED:
            parts.append(chr(char))
        elif kind == MAPPED:
            parts.append(chr(mapped_point(char)))
        elif kind == EXPANDED:
            p = expanded_point(char, &n)
            parts.append(p[:n].decode("utf-8"))
        elif kind != IGNORED:
            return None
    return "".join(parts)


# IDNA 2003 maps or drops these characters, and IDNA 2008 keeps them (UTS 46 section 7); except for U+1806, which only
# IDNA 2003 allows
DISPUTED = frozenset("\u00df\u03c2\u200c\u200d\u1806")


# --- which domains people may see ----------------------------------------------------------------

# letters of other scripts that look like ASCII letters: a label that consists only of these may be a disguise
LOOKALIKES = frozenset("асԁеһіјӏорԛѕԝхуъьҽпгѵѡ" + "οανικτυρχγω")

cdef enum:
    LATIN = 1
    TOGETHER = 0x1F          # scripts that may be mixed in one word: Latin, Chinese, Hiragana, Katakana, Korean
    CYRILLIC = 0x20
    GREEK = 0x40
    MOST_LOOKALIKES = 0x530  # no look-alike has this code point or a greater one

cdef struct Script:
    # the first and last code point of a run of letters and marks whose names begin with the name of the script
    uint32_t first, last
    uint32_t bit

# sorted; only characters up to Unicode 13, so that the data of all versions of Python agree
cdef Script[24] SCRIPTS = [
    Script(0xE0, 0xF6, LATIN), Script(0xF8, 0x24F, LATIN), Script(0x3AC, 0x3C1, GREEK), Script(0x3C3, 0x3CE, GREEK),
    Script(0x430, 0x45F, CYRILLIC), Script(0x460, 0x481, CYRILLIC), Script(0x48A, 0x52F, CYRILLIC),
    Script(0x561, 0x587, 0x80), Script(0x5D0, 0x5EA, 0x100), Script(0x620, 0x65F, 0x200), Script(0x671, 0x6D3, 0x200),
    Script(0x904, 0x963, 0x400), Script(0x985, 0x98C, 0x800), Script(0x993, 0x9A8, 0x800), Script(0xE01, 0xE3A, 0x1000),
    Script(0xE40, 0xE4E, 0x1000), Script(0x10D0, 0x10FA, 0x2000), Script(0x1EA0, 0x1EF9, LATIN),
    Script(0x3041, 0x3096, 2), Script(0x30A1, 0x30FA, 4), Script(0x30FC, 0x30FC, 4), Script(0x3400, 0x4DB5, 8),
    Script(0x4E00, 0x9FEF, 8), Script(0xAC00, 0xD7A3, 0x10),
]
cdef bint[MOST_LOOKALIKES] LOOKS_LATIN
for _char in LOOKALIKES:
    LOOKS_LATIN[ord(_char)] = True
del _char


cdef uint32_t script_of(uint32_t point) noexcept nogil:
    """Return the bit of the script of a code point; 0 if the code point is not in SCRIPTS."""
    cdef int k
    for k in range(24):
        if point <= SCRIPTS[k].last:
            return SCRIPTS[k].bit if point >= SCRIPTS[k].first else 0
    return 0


cdef bint is_shown(const uint8_t* p, size_t n) noexcept nogil:
    """Return whether each label of the domain p[0:n], which is UTF-8, may certainly be shown in Unicode. If so,
    is_safe_label of urlsm.url.display is also true for each label. Such a label is ASCII; or its letters and marks are
    of one script, or of scripts that may be mixed in one word, at least one of them is not in LOOKALIKES, and its other
    characters are ASCII digits and "-"."""
    cdef size_t k = 0
    cdef uint32_t point, bit, bits = 0
    cdef bint wide = False, other = False, certain = False
    while True:
        point = read_point(p, n, &k) if k < n else c'.'
        if point == c'.':
            if wide and (other or not certain or (bits & (bits - 1) and bits & ~<uint32_t>TOGETHER)):
                return False
            if k >= n:
                return True
            bits, wide, other, certain = 0, False, False, False
        elif point < 0x80:
            if CLASS[point] & ALPHA:
                bits |= LATIN
                certain = True
            elif not (CLASS[point] & DIGIT or point == c'-'):
                other = True
        else:
            bit = script_of(point)
            if not bit:
                return False
            bits |= bit
            wide = True
            certain = certain or point >= MOST_LOOKALIKES or not LOOKS_LATIN[point]


def certainly_shown(text: str) -> bool:
    """Return what is_shown returns for a domain in Unicode."""
    cdef Buffer b
    buffer_start(&b)
    try:
        write_utf8(&b, exact(text))
        return is_shown(b.p, b.n)
    finally:
        buffer_free(&b)
