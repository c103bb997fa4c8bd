"""Functions that find and remove session identifiers. They find what the Wayback Machine's regular expressions find,
but in linear time.

Each of these expressions begins with a greedy "(.*)", so the last match in the text counts. Case does not matter.
"""
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memchr, memmove
from urlsm.machine.special cimport same_letters
from urlsm.octets.chars cimport ALPHA, CLASS, DIGIT


cdef inline bint begins(const uint8_t* p, const uint8_t* end, const char* lower, size_t n) noexcept nogil:
    return <size_t>(end - p) >= n and same_letters(p, lower, n)


cdef inline const uint8_t* past(const uint8_t* p, const uint8_t* end, size_t most, uint32_t bits) noexcept nogil:
    """Return p + most if each of the `most` octets at p has one of the class bits `bits`. Otherwise, or if the text
    ends before p + most, return NULL."""
    cdef size_t k
    if <size_t>(end - p) < most:
        return NULL
    for k in range(most):
        if not CLASS[p[k]] & bits:
            return NULL
    return p + most


# --- paths: /(a(24)b(24))/x.aspx and /(24)/x.aspx, where 24 stands for 24 letters or digits -----

cdef inline const uint8_t* folder_end(const uint8_t* p, const uint8_t* end, bint lettered) noexcept nogil:
    """Return the end, after the "/", of the folder of session identifiers whose "(" is at p; NULL if there is none.
    lettered: True for a folder of the form (a(24)b(24)), False for (24)."""
    cdef const uint8_t* q = p + 1
    cdef size_t count = 0
    if not lettered:
        q = past(q, end, 24, ALPHA | DIGIT)
    else:
        while q != NULL and q + 1 < end and CLASS[q[0]] & ALPHA and q[1] == c'(':
            q = past(q + 2, end, 24, ALPHA | DIGIT)
            if q != NULL:
                q = q + 1 if q < end and q[0] == c')' else NULL
            count += 1
        if count == 0:
            return NULL
    if q == NULL or end - q < 2 or q[0] != c')' or q[1] != c'/':
        return NULL
    return q + 2


cdef inline size_t without_folder(uint8_t* p, size_t n, bint lettered) noexcept nogil:
    """Remove the last folder of session identifiers before an .aspx page from p[0:n]. Returns the new length."""
    cdef const uint8_t* end = p + n
    cdef const uint8_t* rest
    cdef const uint8_t* page = NULL   # the next ".aspx" after p[k], with no "?" between; `later`: the ".aspx" after it
    cdef const uint8_t* later = NULL
    cdef size_t k = n
    while k:
        k -= 1
        if p[k] == c'?':
            page = later = NULL
        elif p[k] == c'.' and begins(p + k, end, b".aspx", 5):
            later = page
            page = p + k
        elif p[k] == c'/' and k + 1 < n and p[k + 1] == c'(' and page != NULL:
            rest = folder_end(p + k + 1, end, lettered)
            if rest != NULL and (page > rest or (page == rest and later != NULL)):
                memmove(p + k + 1, rest, end - rest)
                return n - (rest - (p + k + 1))
    return n


cdef inline size_t without_path_sessions(uint8_t* p, size_t n) noexcept nogil:
    """Remove ASP.NET's session folders from p[0:n], in place. Returns the new length."""
    if n == 0 or memchr(p, c'(', n) == NULL:
        return n
    return without_folder(p, without_folder(p, n, True), False)


# --- queries -----------------------------------------------------------------------------------

cdef inline const uint8_t* identifier_end(const uint8_t* p, const uint8_t* end, const char* name,
                                          size_t n) noexcept nogil:
    """Return the end of the session identifier at p: name[0:n], which ends in "=", and 32 letters or digits. Return
    NULL if there is none."""
    return past(p + n, end, 32, ALPHA | DIGIT) if begins(p, end, name, n) else NULL


cdef inline const uint8_t* session_end(const uint8_t* p, const uint8_t* amp, const uint8_t* next_amp,
                                       const uint8_t* end, int which) noexcept nogil:
    """Return the end of the session identifier of kind `which` that begins at p; NULL if there is none. amp, next_amp:
    the first two "&" after p, or the end."""
    cdef const uint8_t* q = NULL
    if which == 0:
        return identifier_end(p, end, b"jsessionid=", 11)
    if which == 1:
        return identifier_end(p, end, b"phpsessid=", 10)
    if which == 2:
        return identifier_end(p, end, b"sid=", 4)
    if which == 3:
        if begins(p, end, b"aspsessionid", 12):
            q = past(p + 12, end, 8, ALPHA)
        return past(q + 1, end, 24, ALPHA) if q != NULL and q < end and q[0] == c'=' else NULL
    # the last kind is cfid=[^&]+&cftoken=[^&]+
    if begins(p, amp, b"cfid=", 5) and amp - p > 5 and amp < end \
            and begins(amp + 1, next_amp, b"cftoken=", 8) and next_amp - amp > 9:
        return next_amp
    return NULL


cdef inline bint may_hold_session(const uint8_t* p, size_t n) noexcept nogil:
    """Return whether p[0:n] may hold a session identifier. Every session identifier contains one of these: "sid=" or
    "nid=" before 32 letters or digits; "id", eight octets and "=" before 24 letters; or "fid="."""
    cdef const uint8_t* q
    cdef const uint8_t* end = p + n
    cdef size_t k = 0        # where to look for the next "="
    while k < n:
        q = <const uint8_t*>memchr(p + k, c'=', n - k)
        if q == NULL:
            return False
        k = q - p
        if k >= 3 and p[k - 1] | 0x20 == c'd' and p[k - 2] | 0x20 == c'i':
            if p[k - 3] | 0x20 == c'f':
                return True
            if p[k - 3] | 0x20 in (c's', c'n') and past(q + 1, end, 32, ALPHA | DIGIT) != NULL:
                return True
        if k >= 10 and p[k - 9] | 0x20 == c'd' and p[k - 10] | 0x20 == c'i' and past(q + 1, end, 24, ALPHA) != NULL:
            return True
        k += 1
    return False


cdef inline size_t without_query_sessions(uint8_t* p, size_t n) noexcept nogil:
    """Remove session identifiers from p[0:n], in place. Returns the new length.

    An identifier need not follow a delimiter. The texts before and after a removed identifier are joined.
    """
    cdef const uint8_t* end
    cdef const uint8_t* rest
    cdef const uint8_t* amp
    cdef const uint8_t* next_amp
    cdef size_t k
    cdef int which
    if not may_hold_session(p, n):
        return n
    for which in range(5):
        amp = next_amp = end = p + n
        k = n
        while k:
            k -= 1
            if p[k] == c'&':
                next_amp = amp
                amp = p + k
            rest = session_end(p + k, amp, next_amp, end, which)
            if rest != NULL and (rest == end or rest[0] == c'&'):
                if rest < end:
                    rest += 1
                memmove(p + k, rest, end - rest)
                n -= rest - (p + k)
                break
    return n
