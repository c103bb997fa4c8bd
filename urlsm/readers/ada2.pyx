"""Domains as Ada writes them in ASCII: 2.9.2, which is in Node.js 20, and labels of 4.0. It processes each label by UTS
46 in an order of its own, and lacks rules of it; its tables of marks and directions are those of Unicode 13. The
functions that docstrings name are Ada's."""
from libc.stdint cimport uint8_t, uint32_t
from unicodedata import bidirectional, combining, normalize
from urlsm.octets.buffer cimport Buffer, buffer_free, buffer_start, utf8_text
from urlsm.octets.chars cimport FORBIDDEN_DOMAIN, classes_of
from urlsm.readers.ages cimport is_newer, is_newer_point, is_newly_allowed
from urlsm.readers.forms cimport decoded, uts46, with_full_stops
from urlsm.url.write.host cimport HostInput, ends_in_a_number
from urlsm.url.write.ipv4 cimport ipv4_parser

cdef extern from "unicode/label.h" nogil:
    const int CODED_TWICE "URLSM_IDNA_V4"
    const int NOT_CODED "URLSM_IDNA_P4"
    const int CODED_ASCII "URLSM_IDNA_P4_ASCII"
    const int MARK "URLSM_IDNA_V6"
    const int JOINERS "URLSM_IDNA_V8"
    const int DIRECTIONS "URLSM_IDNA_V9"

cdef enum:
    VIRAMA = 9
    UNICODE = 150  # the version of UTS 46 that Ada 2.9.2 has, times ten

cdef frozenset LEFT_TO_RIGHT = frozenset(("L", "EN", "ES", "CS", "ET", "ON", "BN", "NSM"))
cdef frozenset RIGHT_TO_LEFT = frozenset(("R", "AL", "AN", "EN", "ES", "CS", "ET", "ON", "BN", "NSM"))


cdef str ada_domain(str domain):
    """ada::idna::to_ascii: return a domain in ASCII; None if it is refused. Each label is checked by itself, and one
    that begins with "xn--" must decode."""
    cdef str lowered, label
    cdef list labels
    cdef Py_ssize_t k
    if domain.isascii():
        lowered = domain.lower()
        if "xn--" not in lowered:
            return lowered
    else:
        if is_newly_allowed(domain, UNICODE):
            return None
        lowered = with_full_stops(domain).replace("\u1e9e", "ss")
    labels = lowered.split(".")
    for k in range(len(labels)):
        label = labels[k]
        if label.isascii() and label[:4].lower() != "xn--":
            labels[k] = label.lower()
        else:
            labels[k] = ada_label(label, UNICODE)
            if labels[k] is None:
                return None
    return ".".join(labels)


cdef str ada_label(str label, uint32_t version):
    """Return a label in ASCII; None: it is refused. Where it breaks a rule of UTS 46 that Ada lacks or has in its own
    way, Ada's rule decides.
    version: that of UTS 46, times ten."""
    cdef object shown = uts46(label, True), rule = shown, other
    if isinstance(shown, str):
        if is_newly_allowed(shown, version) or (is_newer(shown, KNOWN) and not is_ada_label(shown)):
            return None
        return uts46(label, False)
    if rule == MARK:
        return after_letter(label, version)
    if rule == NOT_CODED:
        other = coded_after_delimiter(label)
        return None if other is None or ada_label("xn--" + other, version) is None else "xn---" + other
    if rule not in (JOINERS, DIRECTIONS, CODED_ASCII, CODED_TWICE):
        return None
    if not label.isascii():
        label = normalize("NFC", "".join([mapped(char) for char in label]))
        if not label.isascii():
            return "xn--" + label.encode("punycode").decode("ascii") if is_ada_label(label) else None
    label = label.lower()
    if rule == CODED_ASCII:
        return label if len(label) > len("xn---") else None
    shown = label[4:].encode("ascii").decode("punycode")
    if rule == CODED_TWICE:
        other = "y" + shown[1:]
        rule = uts46(other, True)
        if rule not in (other, JOINERS, DIRECTIONS):
            return None
    return label if is_ada_label(shown) and not is_newly_allowed(shown, version) else None


cdef str after_letter(str label, uint32_t version):
    """Return a label in ASCII that begins with a mark, processed as if a letter came first; None: Ada knows the mark,
    or refuses the label otherwise."""
    cdef object shown = label.replace("\u180f", ""), found  # which UTS 46 ignores
    cdef bint coded = label.isascii()  # after "xn--"
    if coded:
        shown = label[4:].lower().encode("ascii").decode("punycode")
    if not is_newer_point(ord(shown[0]), KNOWN) or is_newly_allowed(shown, version):
        return None
    found = uts46("a" + shown, True)
    if not isinstance(found, str) or (coded and found != "a" + shown):
        return None
    return "xn--" + found[1:].encode("punycode").decode("ascii")


cdef str coded_after_delimiter(str label):
    """ada::idna::punycode_to_utf32: return what follows "xn---" in a label, if it has no "-" after that; else None. Ada
    takes "-" as a delimiter even where nothing is before it, which RFC 3492 does not."""
    cdef str found
    if uts46(label, True) != NOT_CODED:
        return None
    found = "".join([mapped(char) for char in label]).lower()
    return found[5:] if found.startswith("xn---") and "-" not in found[5:] else None


cdef str mapped(str char):
    """Return what UTS 46 maps a character to, of which it is known that it is allowed."""
    cdef object found = uts46(char, True)
    return found if isinstance(found, str) else normalize("NFKC", char)


cdef bint is_ada_label(str label) except -1:
    """ada::idna::is_label_valid: return whether a label meets the rules of joiners, of which only the first is looked
    at, and then those of directions."""
    cdef Py_ssize_t k
    cdef list directions
    for k in range(len(label)):
        if label[k] in "\u200c\u200d":
            if k and combining(label[k - 1]) == VIRAMA:
                return True
            if label[k] == "\u200d":
                return False
            # "\u0628" joins on both sides
            return (any([uts46(f"{char}\u200c\u0628", True) != JOINERS for char in label[:k]])
                    and any([uts46(f"\u0628\u200c{char}", True) != JOINERS for char in label[k + 1:]]))
    directions = ["" if is_newer_point(ord(char), KNOWN) else bidirectional(char) for char in label]
    while directions and directions[len(directions) - 1] == "NSM":
        directions.pop()
    if not directions:
        return False
    if not {"R", "AL", "AN"}.intersection(directions):
        return True
    if directions[0] == "L":  # the last character is not looked at
        return LEFT_TO_RIGHT.issuperset(directions[:len(directions) - 1])
    return (RIGHT_TO_LEFT.issuperset(directions) and not {"EN", "AN"}.issubset(directions)
            and directions[len(directions) - 1] in ("R", "AL", "AN", "EN"))


cdef str ada_host(str host):
    """Return the host of new URL("http://" + host), for a host without brackets and delimiters; None if it is
    refused."""
    cdef bytes text = decoded(host.encode("utf-8", "replace"))
    cdef str domain = ada_domain(text.decode("utf-8", "replace"))
    cdef HostInput h
    cdef Buffer b
    if not domain:
        return None
    text = domain.encode("utf-8")
    if classes_of(<const uint8_t*><const char*>text, len(text)) & FORBIDDEN_DOMAIN:
        return None
    if not ends_in_a_number(<const uint8_t*><const char*>text, len(text)):
        return domain
    h.log = NULL
    h.offset = 0
    buffer_start(&b)
    try:
        if not ipv4_parser(&b, &h, <const uint8_t*><const char*>text, len(text), False):
            return None
        return utf8_text(b.p, b.n)
    finally:
        buffer_free(&b)
