"""Paths in disguise: whether some program that decodes, folds or strips a path would leave a directory by it, and where
a component has suspicious escapes.

These functions take linear time, in C and without Python objects for segments or escapes, because the sender of a URL
chooses its length.
"""
import unicodedata
from cpython.object cimport PyObject
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ
from libc.stdint cimport uint8_t, uint32_t
from urlsm.octets.chars cimport (
    ALPHA, AT, BACKSLASH, BRACKET, CLASS, COLON, HASH, PERCENT, QUESTION, SLASH,
)
from urlsm.octets.once cimport publish, published
from urlsm.octets.text cimport octet_escaped
from urlsm.security.plain cimport decoded_at, hexes

# white space that str.isspace does not know: ECMAScript's trim() removes it, or older versions of Unicode call it white
# space
cdef str OTHER_SPACE = "\u180e\u200b\ufeff"
# Default_Ignorable_Code_Point (UAX 44): NFKC_Casefold, IDNA and HFS+ drop these. FIRST_IGNORED to LAST_IGNORED is the
# range of those that are beyond TABLE
cdef object IGNORED = frozenset(map(chr, [0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810),
                                          *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070),
                                          0x3164, *range(0xFE00, 0xFE10), 0xFEFF, 0xFFA0, *range(0xFFF0, 0xFFF9),
                                          *range(0x1BCA0, 0x1BCA4), *range(0x1D173, 0x1D17B)]))
cdef enum:
    FIRST_IGNORED = 0xE0000
    LAST_IGNORED = 0xE0FFF
# characters that some code pages turn into slashes and backslashes (bestfit1252.txt, 932, 949 at unicode.org)
cdef str BEST_FIT = "\u2044\u2215\u2216\u00a5\u20a9"
# NFKC mappings that Unicode 14 and 16 added for code points below TABLE; the Unicode data of some interpreters is older
cdef dict NEWER = {0xA7F2: "C", 0xA7F3: "F", **dict(zip(range(0x1CCD6, 0x1CCF0), "ABCDEFGHIJKLMNOPQRSTUVWXYZ")),
                   **dict(zip(range(0x1CCF0, 0x1CCFA), "0123456789"))}
cdef enum:
    TWO_DOTS = 1
    TABLE = 0x20000
cdef PyObject* _reads_as = NULL


cdef bytes reads_as():
    """Return a table of what some readers take each code point below TABLE for: an ASCII character with a meaning in
    paths, TWO_DOTS, or 0 for the code point itself. NFKC or a code page may turn a code point into such a character. A
    backslash in the table also stands for a slash, and for several characters one of which is a slash or a backslash;
    a space stands for white space, and a tab for an ignorable character."""
    cdef bytearray table
    cdef str char
    if published(&_reads_as) == NULL:
        table = bytearray(TABLE)
        for first, end in ((0x80, 0x3400), (0xFE00, 0x10000), (0x1BCA0, 0x1BCA4), (0x1D173, 0x1D17B), (0x1D400, TABLE)):
            for code in range(first, end):
                char = unicodedata.normalize("NFKC", chr(code))
                if "/" in char or "\\" in char or chr(code) in BEST_FIT:
                    table[code] = b"\\"[0]
                elif char == "..":
                    table[code] = TWO_DOTS
                elif chr(code) in IGNORED:
                    table[code] = b"\t"[0]
                elif chr(code).isspace() or chr(code) in OTHER_SPACE:
                    table[code] = b" "[0]
                elif len(char) == 1 and (char in ".%;?#:|" or (char.isascii() and char.isalnum())):
                    table[code] = ord(char)
        for code, char in NEWER.items():
            table[code] = ord(char)
        publish(&_reads_as, bytes(table))
    return <bytes>published(&_reads_as)


cdef Py_ssize_t wide(const uint8_t* p, Py_ssize_t n, uint32_t* code) noexcept nogil:
    """Return the number of octets that a careless decoder takes for one character. It accepts overlong UTF-8 of two to
    six octets (CVE-2000-0884); if that encodes an ASCII character, it accepts any octets after the first ("%c0%2f").
    code: receives the character. Return 1 if the octets do not encode a character."""
    cdef Py_ssize_t size = 2, k
    cdef bint strict = True
    while size < 7 and p[0] & (0x80 >> size):
        size += 1
    if not p[0] & 0x40 or size == 7 or size > n:
        return 1
    code[0] = p[0] & (0x7F >> size)
    for k in range(1, size):
        strict = strict and p[k] & 0xC0 == 0x80
        # at this point an escaped "/" has become a backslash
        code[0] = code[0] << 6 | (c'/' if p[k] == c'\\' else p[k]) & 0x3F
    return size if strict or code[0] < 0x80 else 1


cdef inline bint is_utf8(const uint8_t* p, Py_ssize_t size, uint32_t code) noexcept nogil:
    """Return whether the octets of a character that `wide` has found are valid UTF-8 (RFC 3629): in the shortest form,
    and not a surrogate."""
    cdef Py_ssize_t k
    for k in range(1, size):
        if p[k] & 0xC0 != 0x80:
            return False
    return (0x80 <= code and size == 2) or (0x800 <= code and size == 3 and not 0xD800 <= code < 0xE000) \
        or (0x10000 <= code < 0x110000 and size == 4)


cdef Py_ssize_t fold(uint8_t* p, Py_ssize_t n, const uint8_t* table, bint dropping, bint* malformed) noexcept nogil:
    """Replace each character beyond ASCII by the character that readers take it for, if that has a meaning in paths,
    and remove the characters that readers ignore. Return the new length. dropping: whether octets that are not UTF-8
    are removed as well, as by bottle 0.13 and Python's errors="ignore". malformed: set to True if there are such
    octets."""
    cdef Py_ssize_t k = 0, end = 0, size
    cdef uint32_t code
    cdef uint8_t meant
    while k < n:
        if p[k] >= 0x80:
            code = 0
            size = wide(p + k, n - k, &code)
            if size == 1 or not is_utf8(p + k, size, code):
                malformed[0] = True
                if dropping:
                    k += 1
                    continue
            if size > 1 and FIRST_IGNORED <= code <= LAST_IGNORED:
                k += size
                continue
            if size > 1 and (code < 0x80 or (code < TABLE and table[code])):
                meant = code if code < 0x80 else table[code]
                k += size
                if meant == c'\t' and code >= 0x80:
                    continue
                if meant == TWO_DOTS and code >= 0x80:
                    p[end] = meant = c'.'
                    end += 1
                p[end] = c'\\' if meant == c'/' else meant
                end += 1
                continue
        p[end] = p[k]
        k += 1
        end += 1
    return end


cdef Py_ssize_t unescape(uint8_t* p, Py_ssize_t n) noexcept nogil:
    """Decode each escape like "%41" and "%u0041" once, and return the new length. An escaped "/" becomes a backslash,
    because only some readers take it for a slash (see climbs)."""
    cdef Py_ssize_t k = 0, end = 0
    cdef int octet
    while k < n:
        octet = octet_escaped(p + k, n - k) if p[k] == c'%' else -1
        if octet >= 0:
            k += 3
        elif p[k] == c'%' and n - k >= 6 and p[k + 1] | 0x20 == c'u' and \
                hexes(p[k + 2], p[k + 3]) >= 0 and hexes(p[k + 4], p[k + 5]) >= 0:
            octet = hexes(p[k + 2], p[k + 3]) << 8 | hexes(p[k + 4], p[k + 5])
            k += 6
            if octet >= 0x800:
                p[end] = 0xE0 | octet >> 12
                p[end + 1] = 0x80 | octet >> 6 & 0x3F
                end += 2
            elif octet >= 0x80:
                p[end] = 0xC0 | octet >> 6
                end += 1
            if octet >= 0x80:
                octet = 0x80 | octet & 0x3F
        else:
            octet = p[k]
            k += 1
            p[end] = octet
            end += 1
            continue
        p[end] = c'\\' if octet == c'/' else octet
        end += 1
    return end


def climbs(str path not None, int passes) -> bool:
    """Return whether any program that follows a path from a directory may leave that directory, even if it comes back.

    A segment counts as ".." if any of these steps makes it so: decoding (up to passes times, with overlong UTF-8, "%u"
    and NFKC); removal of tabs, line breaks, ignorable characters and octets that are not UTF-8; removal of white space
    at its end. A ";", ":", "?" or "#" ends a segment. Steps up are counted as by the reader that sees the most, steps
    down as by the reader that sees the fewest: every reader sees a literal "/", but only some readers take a backslash,
    or an escape of either, for a slash. A NUL counts as climbing, because it ends a path in C, and so do escapes left
    after all passes.
    """
    return may_leave(path, passes, False)


def leads_outside(str path not None, int passes) -> bool:
    """Return whether a path climbs (see climbs), or whether some reader finds a slash, a backslash or a drive at its
    beginning after the segments that lead nowhere ("." and "x/..") are removed. Such a reader takes what is left for an
    absolute path: os.path.join and ntpath.join put it in place of the directory (CWE-36)."""
    return may_leave(path, passes, True)


cdef bint may_leave(str path, int passes, bint absolute) except -1:
    cdef bint malformed = False
    return is_seen_to_leave(path, passes, absolute, False, &malformed) \
        or (malformed and is_seen_to_leave(path, passes, absolute, True, &malformed))


cdef bint is_seen_to_leave(str path, int passes, bint absolute, bint dropping, bint* malformed) except -1:
    cdef bytearray octets = bytearray(path.encode("utf-8", "surrogatepass"))
    cdef uint8_t* p = octets
    cdef Py_ssize_t n = len(octets), before
    cdef bytes table = bytes() if path.isascii() and "%" not in path else reads_as()
    cdef const uint8_t* meanings = table
    if table:
        n = fold(p, n, meanings, dropping, malformed)
    while not rises(p, n, absolute):
        before = n
        n = unescape(p, n)
        if n == before:
            return False
        if passes == 0:
            return True
        passes -= 1
        n = fold(p, n, meanings, dropping, malformed)
    return True


cdef bint rises(const uint8_t* p, Py_ssize_t n, bint absolute) noexcept nogil:
    """Return whether the path has a NUL or leaves the directory. absolute: whether to return True as well if the path
    becomes absolute while it is at the directory itself. Segments end at "/", and for some readers at a backslash. Of
    the segments between two "/", only one counts as a step down."""
    cdef Py_ssize_t k = 0, start, depth = 0
    cdef bint counted = False
    cdef int dots
    while k <= n:
        start = k
        while k < n and not CLASS[p[k]] & (SLASH | BACKSLASH):
            if p[k] == 0:
                return True
            k += 1
        if absolute and depth == 0 and begins_anew(p + start, k - start, k < n):
            return True
        dots = dots_of(p + start, k - start)
        if dots == 2:
            depth -= 1
            if depth < 0:
                return True
        elif dots < 0 and not counted:
            depth += 1
            counted = True
        if k < n and p[k] == c'/':
            counted = False
        k += 1
    return False


cdef bint begins_anew(const uint8_t* p, Py_ssize_t n, bint followed) noexcept nogil:
    """Return whether a segment makes a path absolute: it begins with a drive; or it is empty, apart from white space
    and a parameter (";..."), and a slash or a backslash follows it (`followed`). A drive is a letter and ":" or "|"; to
    ntpath, it is any character and ":"."""
    cdef Py_ssize_t k = 0
    cdef bint is_letter
    while k < n and (p[k] == c' ' or 9 <= p[k] <= 13 or 0x1C <= p[k] <= 0x1F):
        k += 1
    if k == n or (p[k] == c';' and followed):
        return followed
    if k > 0 and p[k] == c':':  # the character before is the drive
        return True
    is_letter = CLASS[p[k]] & ALPHA != 0
    k += 1
    while k < n and (p[k] & 0xC0 == 0x80 or p[k] == c'\t' or p[k] == c'\n' or p[k] == c'\r'):
        k += 1
    return k < n and (p[k] == c':' or (p[k] == c'|' and is_letter))


cdef int dots_of(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    """Return the number of dots in a segment that is just 0, 1 or 2 dots. Return -1 for any other segment. Tabs and
    line breaks between the dots do not count, nor does white space after them, nor what a ";", ":", "?" or "#"
    begins."""
    cdef Py_ssize_t k = 0
    cdef int dots = 0
    while k < n and (p[k] == c'.' or p[k] == c'\t' or p[k] == c'\n' or p[k] == c'\r'):
        dots += p[k] == c'.'
        k += 1
        if dots > 2:
            return -1
    while k < n and (p[k] == c' ' or 9 <= p[k] <= 13 or 0x1C <= p[k] <= 0x1F):
        k += 1
    return dots if k == n or p[k] == c';' or p[k] == c':' or p[k] == c'?' or p[k] == c'#' else -1


def first_suspects(str text not None, Py_ssize_t start, Py_ssize_t end) -> tuple:
    """Return six positions in text[start:end]: those of the first backslash, control character, escaped control
    character, escaped slash or backslash, other escape that stands for a delimiter or whose "%" is escaped, and segment
    of dots with escapes. A position is -1 if there is none. Escapes of "%" are decoded repeatedly: "%252541" is "A"."""
    cdef Py_ssize_t backslash = -1, control = -1, encoded = -1, slash = -1, delimiter = -1, dotted = -1
    cdef Py_ssize_t k, after, dots_start = start
    cdef int dots = 0, octet, kind = PyUnicode_KIND(text)
    cdef bint escaped = False
    cdef void* data = PyUnicode_DATA(text)
    if not 0 <= start <= end <= len(text):
        raise ValueError("the text has no such part")
    k = start
    while k <= end:
        after = k + 1
        octet = -1 if k == end else min(PyUnicode_READ(kind, data, k), 0xFF)
        if octet == c'%':
            after = k
            octet = decoded_at(kind, data, &after, end)
            if octet < 0x20 or octet == 0x7F:
                if encoded < 0:
                    encoded = k
            elif octet == c'/' or octet == c'\\':
                if slash < 0:
                    slash = k
            elif delimiter < 0 and (after > k + 3 or (after > k + 1 and is_delimiter(octet))):
                delimiter = k
            if octet == c'.':
                escaped = True
        elif octet == c'\\' and backslash < 0:
            backslash = k
        elif 0 <= octet < 0x20 or octet == 0x7F:
            if control < 0:
                control = k
        if octet == c'.':
            dots += 1
        elif octet < 0 or octet == c'/' or octet == c'\\' or octet == c';':
            if escaped and 1 <= dots <= 2 and dotted < 0:
                dotted = dots_start
            dots, dots_start, escaped = 3 if octet == c';' else 0, after, False
        else:
            dots = 3
        if dots > 3:
            dots = 3
        k = after
    return backslash, control, encoded, slash, delimiter, dotted


cdef inline bint is_delimiter(uint8_t octet) noexcept nogil:
    return CLASS[octet] & (QUESTION | HASH | COLON | AT | BRACKET | PERCENT) != 0 or octet == c'.'
