"""IDNA 2008 (RFC 5891), each label checked by itself, as the package `idna` does. Normalisation and directions are of
the interpreter's Unicode, as there; what is allowed is of one version of Unicode (idna2008_table.h)."""
import re
from cpython.unicode cimport PyUnicode_4BYTE_KIND, PyUnicode_FromKindAndData
from libc.stdint cimport uint8_t, uint32_t
from unicodedata import bidirectional, category, combining, name, normalize
from urlsm.octets.buffer cimport ascii_text
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

cdef enum:
    DOMAIN_MAX = 254  # characters, with a final full stop
    LABEL_MAX = 63
    TEXT_MAX = 1024   # characters, before the domain is mapped
    VIRAMA = 9
    TRANSPARENT = 1   # joining types
    RIGHT = 2
    LEFT = 4

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
    cdef Py_ssize_t at
    if not 0 < len(label) <= DOMAIN_MAX or label[2:4] == "--" or label[0] == "-" or label[len(label) - 1] == "-":
        return False
    for at in range(len(label)):
        if not is_allowed(label, at):
            return False
    if label.isascii():
        return True
    return normalize("NFC", label) == label and category(label[0])[0] != "M" and meets_bidi_rule(label)


cdef bint is_allowed(str label, Py_ssize_t at) except -1:
    """Return whether the code point label[at] is PVALID, or allowed where it stands (RFC 5892 appendix A)."""
    cdef Py_UCS4 char = label[at], other
    cdef Py_ssize_t last = len(label) - 1
    if char < 0x80:
        return c"a" <= char <= c"z" or c"0" <= char <= c"9" or char == c"-"
    if not is_valid(char) or within(DISALLOWED, DISALLOWED_EDGES, char):
        return False
    if char == 0x200C or char == 0x200D:
        if at == 0:
            return False
        virama = combining(label[at - 1])
        if virama == VIRAMA:
            return True
        if not virama and not name(label[at - 1], ""):
            return False
        return char == 0x200C and joins(label, at - 1, -1, LEFT) and joins(label, at + 1, 1, RIGHT)
    if char == 0xB7:
        return 0 < at < last and label[at - 1] == "l" and label[at + 1] == "l"
    if char == 0x375:
        return at < last and within(GREEK, GREEK_EDGES, label[at + 1])
    if char == 0x5F3 or char == 0x5F4:
        return at > 0 and within(HEBREW, HEBREW_EDGES, label[at - 1])
    if char == 0x30FB:
        for other in label:
            if within(JAPANESE, JAPANESE_EDGES, other) and other != 0x30FB:
                return True
        return False
    if 0x660 <= char <= 0x669 or 0x6F0 <= char <= 0x6F9:  # not both kinds of digits
        for other in label:
            if (0x6F0 <= other <= 0x6F9) if char <= 0x669 else (0x660 <= other <= 0x669):
                return False
    return True


cdef bint joins(str label, Py_ssize_t at, int step, uint32_t side) noexcept:
    """valid_contextj: return whether the nearest code point that is not transparent joins on a side."""
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
