"""Special schemes (the URL Standard's and registered ones), opaque schemes, and Windows drive letters
(#url-miscellaneous)."""
from libc.stdint cimport uint8_t, uint32_t
from urlsm.octets.chars cimport ALPHA, CLASS
from urlsm.octets.once cimport load, load_text

cdef enum SchemeKind:        # the special schemes, #special-scheme
    NOT_SPECIAL
    HTTP
    HTTPS
    WS
    WSS
    FTP
    FILE                     # greater numbers are kinds of registered schemes, see SpecialScheme


cdef inline bint same_letters(const uint8_t* p, const char* lower, uint32_t n) noexcept nogil:
    """Return whether p[0:n] equals lower[0:n], which is in lower case, regardless of ASCII case."""
    cdef uint32_t k
    for k in range(n):
        if (p[k] | 0x20 if c'A' <= p[k] <= c'Z' else p[k]) != <uint8_t>lower[k]:
            return False
    return True


cdef inline SchemeKind scheme_kind(const uint8_t* p, uint32_t n) noexcept nogil:
    """Return the special scheme of the URL Standard that the n octets name, in upper or lower case; NOT_SPECIAL if
    there is none (#special-scheme)."""
    if n == 5 and same_letters(p, b"https", 5):
        return HTTPS
    if n == 4 and same_letters(p, b"http", 4):
        return HTTP
    if n == 2 and same_letters(p, b"ws", 2):
        return WS
    if n == 3 and same_letters(p, b"wss", 3):
        return WSS
    if n == 3 and same_letters(p, b"ftp", 3):
        return FTP
    if n == 4 and same_letters(p, b"file", 4):
        return FILE
    return NOT_SPECIAL


cdef inline uint32_t listed_port(SchemeKind kind) noexcept nogil:
    """Return the default port of a kind (#default-port), or 0 if it is null."""
    if kind == HTTP or kind == WS:
        return 80
    if kind == HTTPS or kind == WSS:
        return 443
    return 21 if kind == FTP else 0


cdef inline bint is_listed(const char* names, const uint8_t* p, uint32_t n) noexcept nogil:
    """Return whether the scheme p[0:n], in upper or lower case, is among the names. Each name has a space on both
    sides."""
    cdef const char* name = names
    cdef uint32_t length
    while n and name[0]:
        name += 1  # skip the space before the name
        length = 0
        while name[length] and name[length] != 32:
            length += 1
        if length == n and same_letters(p, name, n):
            return True
        name += length
    return False


cdef inline bint is_windows_drive_letter(const uint8_t* p, uint32_t n) noexcept nogil:
    """Return whether p[0:n] is a Windows drive letter: "two code points, of which the first is an ASCII alpha and the
    second is either : or |\""""
    return n == 2 and CLASS[p[0]] & ALPHA and (p[1] == c':' or p[1] == c'|')


# --- what urlsm.register changes: see special_kind and set_opaque_schemes in driver.pyx

cdef enum:
    MAX_SPECIAL = 256
    MAX_SPECIAL_NAME = 64

cdef struct SpecialScheme:
    char name[MAX_SPECIAL_NAME]  # the scheme in lower case
    uint32_t n
    uint32_t port                # the default port; 0: null
    int active                   # whether it is still registered

cdef struct Registered:
    SpecialScheme rows[MAX_SPECIAL]
    int count                    # the number of complete rows; in these, only `active` still changes
    int active                   # the number of active rows
    # the names of schemes that are opaque in Barth's dialect, each after an octet with its length; NULL: not known yet
    const char* opaque


cdef inline SchemeKind kind_among(const Registered* registered, const uint8_t* p, uint32_t n) noexcept nogil:
    """Return the special scheme that the n octets name, in upper or lower case; NOT_SPECIAL if there is none."""
    cdef SchemeKind kind = scheme_kind(p, n)
    cdef const SpecialScheme* row
    cdef int k
    if kind == NOT_SPECIAL and load(&registered.active):
        for k in range(load(&registered.count)):
            row = &registered.rows[k]
            if load(&row.active) and row.n == n and same_letters(p, row.name, n):
                return <SchemeKind>(FILE + 1 + k)
    return kind


cdef inline bint is_opaque_among(const Registered* registered, const uint8_t* p, uint32_t n) noexcept nogil:
    """Return whether the n octets, in upper or lower case, name a scheme whose handler says that it is opaque."""
    cdef const uint8_t* name = <const uint8_t*>load_text(<const char**>&registered.opaque)
    while name != NULL and name[0]:
        if name[0] == n and same_letters(p, <const char*>name + 1, n):
            return True
        name += 1 + name[0]
    return False
