"""Included by plain: whether a path climbs, and where the suspicious escapes of a component are.

All is linear and in C, because the sender of a URL chooses its length. No segment or escape makes a Python object.
"""
import unicodedata
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ
from libc.stdint cimport uint8_t, uint32_t
from urlsm.octets.chars cimport ALPHA, AT, BACKSLASH, BRACKET, CLASS, COLON, HASH, PERCENT, QUESTION, SLASH
from urlsm.octets.once cimport publish, published
from urlsm.octets.text cimport octet_escaped

# white space not of str.isspace: what ECMAScript's trim() also removes, and what was white space in older Unicode
cdef str OTHER_SPACE = "\u180e\u200b\ufeff"
# Default_Ignorable_Code_Point (UAX 44), up to TABLE: NFKC_Casefold, IDNA and HFS+ drop them everywhere; and the others
cdef object IGNORED = frozenset(map(chr, [0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810),
                                          *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070),
                                          0x3164, *range(0xFE00, 0xFE10), 0xFEFF, 0xFFA0, *range(0xFFF0, 0xFFF9),
                                          *range(0x1BCA0, 0x1BCA4), *range(0x1D173, 0x1D17B)]))
cdef enum:
    FIRST_IGNORED = 0xE0000
    LAST_IGNORED = 0xE0FFF
# slashes, yen and won, which code pages turn into slashes and backslashes (bestfit1252.txt, 932, 949 at unicode.org)
cdef str BEST_FIT = "\u2044\u2215\u2216\u00a5\u20a9"
# what NFKC makes of characters of the same kind that not every interpreter knows (Unicode 14 and 16, up to TABLE)
cdef dict NEWER = {0xA7F2: "C", 0xA7F3: "F", **dict(zip(range(0x1CCD6, 0x1CCF0), "ABCDEFGHIJKLMNOPQRSTUVWXYZ")),
                   **dict(zip(range(0x1CCF0, 0x1CCFA), "0123456789"))}
cdef enum:
    TWO_DOTS = 1
    TABLE = 0x20000
cdef PyObject* _reads_as = NULL


# --- characters ----------------------------------------------------------------------------------

cdef bytes reads_as():
    """Return, for each code point below TABLE, the ASCII character that NFKC (or a code page, or trimming) makes of it
    and that may decide a path, or 0. One that becomes several characters with a slash counts as a slash."""
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
    """Return the number of octets of a character beyond ASCII, by a decoder that takes overlong UTF-8 of two to six
    octets (CVE-2000-0884); 1 if it is not one. If it means an ASCII character, the following octets may even lack the
    mark of continuation ("%c0%2f")."""
    cdef Py_ssize_t size = 2, k
    cdef bint strict = True
    while size < 7 and p[0] & (0x80 >> size):
        size += 1
    if not p[0] & 0x40 or size == 7 or size > n:
        return 1
    code[0] = p[0] & (0x7F >> size)
    for k in range(1, size):
        strict = strict and p[k] & 0xC0 == 0x80
        code[0] = code[0] << 6 | (c'/' if p[k] == c'\\' else p[k]) & 0x3F  # an escaped "/" is a backslash by now
    return size if strict or code[0] < 0x80 else 1


cdef inline bint is_utf8(const uint8_t* p, Py_ssize_t size, uint32_t code) noexcept nogil:
    """Return whether the octets that wide has read are a character of UTF-8 (RFC 3629), written as short as it
    can be, and not a surrogate."""
    cdef Py_ssize_t k
    for k in range(1, size):
        if p[k] & 0xC0 != 0x80:
            return False
    return (0x80 <= code and size == 2) or (0x800 <= code and size == 3 and not 0xD800 <= code < 0xE000) \
        or (0x10000 <= code < 0x110000 and size == 4)


cdef Py_ssize_t fold(uint8_t* p, Py_ssize_t n, const uint8_t* table, bint dropping, bint* malformed) noexcept nogil:
    """Replace characters beyond ASCII by what they are read as, if that matters, and remove those that are ignored.
    Returns the new length. dropping: as a reader that removes octets which are not UTF-8 (bottle 0.13, and Python's
    errors="ignore"); malformed becomes True where it would do otherwise."""
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
    """Decode each "%41" and "%u0041" once. Returns the new length. An escaped "/" becomes a backslash (see climbs)."""
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


cdef inline int hexes(uint8_t high, uint8_t low) noexcept nogil:
    """Return the octet of two hex digits, or -1."""
    cdef uint8_t[3] escape
    escape[0], escape[1], escape[2] = c'%', high, low
    return octet_escaped(escape, 3)


# --- paths ---------------------------------------------------------------------------------------

def climbs(str path not None, int passes) -> bool:
    """Return whether some reader of path, a path relative to a directory, may leave that directory, even if it comes
    back.

    A segment counts as ".." if it is read so after any of these: decoding (up to passes times; overlong UTF-8, "%u" and
    NFKC included), removal of tabs, line ends, ignorable characters and octets that are not UTF-8, removal of white
    space at its end. A ";", ":", "?" or "#" ends it. Steps up are counted as by the reader that sees the most, steps
    down as by the one that sees the fewest: all readers see a written "/", but only some a backslash or what decodes to
    either. A NUL (which ends a path passed on to C), and escapes that are left after all passes, count as climbing.
    """
    return may_leave(path, passes, False)


def leads_outside(str path not None, int passes) -> bool:
    """Return whether path climbs, or some of the same readers take it for an absolute path once the segments are gone
    that lead nowhere: it begins with a slash, a backslash or a drive, and os.path.join and ntpath.join put it in the
    place of the directory (CWE-36)."""
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
    cdef const uint8_t* read = table
    if table:
        n = fold(p, n, read, dropping, malformed)
    while not rises(p, n, absolute):
        before = n
        n = unescape(p, n)
        if n == before:
            return False
        if passes == 0:
            return True
        passes -= 1
        n = fold(p, n, read, dropping, malformed)
    return True


cdef bint rises(const uint8_t* p, Py_ssize_t n, bint absolute) noexcept nogil:
    """Return whether there is a NUL, or the path leaves the directory; absolute: or begins anew while it is there.
    Segments end at "/", and for some readers at a backslash: of the segments that only they see, one counts as a step
    down."""
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
    """Return whether a segment is nothing before a slash, or begins with a drive: a letter, then ":" or "|". To ntpath
    any character before a ":" is one."""
    cdef Py_ssize_t k = 0
    cdef bint is_letter
    while k < n and (p[k] == c' ' or 9 <= p[k] <= 13 or 0x1C <= p[k] <= 0x1F):
        k += 1
    if k == n or (p[k] == c';' and followed):
        return followed
    is_letter = CLASS[p[k]] & ALPHA != 0
    k += 1
    while k < n and (p[k] & 0xC0 == 0x80 or p[k] == c'\t' or p[k] == c'\n' or p[k] == c'\r'):
        k += 1
    return k < n and (p[k] == c':' or (p[k] == c'|' and is_letter))


cdef int dots_of(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    """Return the number of dots that a segment consists of: 0, 1, 2, or -1 if it is a name."""
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


# --- components ----------------------------------------------------------------------------------

def first_suspects(str text not None, Py_ssize_t start, Py_ssize_t end) -> tuple:
    """Return the position in text[start:end] of the first, or -1, of each: a backslash, a control character, an escape
    of one, an escaped slash or backslash, another escaped delimiter, a segment of dots with escapes. "%" and any number
    of "25" becomes "%" for a reader that decodes repeatedly."""
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


cdef int decoded_at(int kind, const void* data, Py_ssize_t* at, Py_ssize_t end) noexcept nogil:
    """Return the octet to which the escape at `at`, a "%", decodes in the end, and move `at` behind it. A "%" without
    digits stays."""
    cdef Py_ssize_t k = at[0] + 1
    cdef Py_UCS4 high, low
    cdef int octet
    while k + 1 < end:
        high, low = char_at(kind, data, k), char_at(kind, data, k + 1)
        octet = hexes(high, low) if high <= 0x7F and low <= 0x7F else -1
        if octet < 0:
            break
        k += 2
        if octet != c'%':
            at[0] = k
            return octet
    at[0] = k
    return c'%'
