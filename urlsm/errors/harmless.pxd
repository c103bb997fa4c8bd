"""Whether anything in a text can be secret. Most texts are harmless; in the others masking.pyx finds the secrets."""
from libc.stdint cimport uint8_t
from libc.string cimport memchr
from urlsm.octets.chars cimport CLASS, SCHEME_CHAR


cdef inline bint begins(const uint8_t* p, size_t n, const char* word, size_t size) noexcept nogil:
    """Return whether p[0:n] begins with a word, regardless of ASCII case. word: in lower case."""
    cdef size_t k
    if n < size:
        return False
    for k in range(size):
        if p[k] | 0x20 != <uint8_t>word[k] | 0x20:
            return False
    return True


cdef extern from "errors/secret_words.h":
    bint begins_secret_word "urlsm_begins_secret_word"(const uint8_t* p, size_t n) noexcept nogil


cdef inline bint holds_secret_name(const uint8_t* p, size_t n) noexcept nogil:
    """Return whether the name p[0:n] may be that of a secret parameter or field, even if no handler says so. Every
    secret name contains one of WORDS (urlsm.errors.secret_names)."""
    cdef size_t k
    for k in range(n - 2 if n > 2 else 0):  # no word has fewer than three octets
        if begins_secret_word(p + k, n - k):
            return True
    return False


cdef inline bint is_named(const uint8_t* start, const uint8_t* equals) noexcept nogil:
    """Return whether the name that ends at `equals` may be that of a secret. The name begins at start or later."""
    cdef const uint8_t* name = equals
    while name > start and (name - 1)[0] != c'&' and (name - 1)[0] != c'?':
        name -= 1
    return holds_secret_name(name, equals - name)


cdef inline bint is_letter(uint8_t high, uint8_t low) noexcept nogil:
    """Return whether the octet with these hexadecimal digits is an ASCII letter."""
    low |= 0x20
    return ((high == c'4' or high == c'6') and low != c'0') or ((high == c'5' or high == c'7') and low < c'b')


cdef inline size_t slash_at(const uint8_t* p) noexcept nogil:
    """Return the length of the "/" at p, literal or escaped; 0 if there is none. The text does not end at p."""
    return 1 if p[0] == c'/' else 3 if p[0] == c'%' and p[1] == c'2' and p[2] | 0x20 == c'f' else 0


cdef inline const uint8_t* behind_host(const uint8_t* start, const uint8_t* p) noexcept nogil:
    """Return where the host of a URL ends. p: the ":" of its scheme, literal or escaped. Return NULL unless "http://"
    or "https://" and a host with a "." precede that end. After a literal ":" the slashes must be literal, too: a reader
    that does not decode them sees the ":" of "scheme:user"."""
    cdef bint escaped = p[0] == c'%'
    cdef const uint8_t* host
    cdef size_t slash
    cdef int _slash
    if not (p - start >= 4 and begins(p - 4, 4, b"http", 4)) \
            and not (p - start >= 5 and begins(p - 5, 5, b"https", 5)):
        return NULL
    p += 3 if escaped else 1
    for _slash in range(2):
        slash = slash_at(p)
        if slash == 0 or (slash > 1 and not escaped):
            return NULL
        p += slash
    host = p
    while CLASS[p[0]] & SCHEME_CHAR:
        p += 1
    return p if memchr(host, c'.', p - host) != NULL and (slash_at(p) or p[0] == c'?' or p[0] == c'#') else NULL


cdef inline bint ends_no_user(const uint8_t* p, const uint8_t* at) noexcept nogil:
    """Return whether certainly nothing before `at`, the last "@" or "%40", is secret, as in "https://host/@name",
    "mailto:me@", "https://host/?mail=me%40".

    A password follows a ":" that does not end a scheme, or follows "thin:user/". A token is a user name, which follows
    the ":" of the scheme, or two slashes, or one slash after "http", "https" or ":". Many readers take a "\\" for a
    slash. So none of these may precede the "@", whether literal, escaped or escaped twice. (is_harmless has made sure
    that no letter is escaped.) But a URL of http or https may contain other URLs, if no user information begins after
    their slashes. In a URL of sip, the text before a second ":" may be the user."""
    cdef const uint8_t* start = p
    cdef const uint8_t* end = at
    cdef size_t scheme = 0, slash
    cdef bint of_web, dotted = False
    while p + scheme < end and CLASS[p[scheme]] & SCHEME_CHAR:
        scheme += 1
    if p[scheme] == c':':
        p += scheme + 1
    else:
        scheme = 0
    of_web = (scheme == 4 or (scheme == 5 and start[4] | 0x20 == c's')) and begins(start, 4, b"http", 4)
    if p[0] == c'/' and p[1] == c'/':
        p += 2
        while p[0] != c'/' and p[0] != c'?' and p[0] != c'#':
            if p[0] == c'@' or p[0] == c'\\' or p[0] == c':' or p[0] == c'%':
                return False
            dotted = dotted or p[0] == c'.'
            p += 1
        if not dotted:  # this may be a user name instead of a host
            return False
    elif scheme:  # an access token has at least 20 characters, or one of the characters below
        if end - p >= 20 or memchr(p, c'_', end - p) != NULL or memchr(p, c'-', end - p) != NULL \
                or memchr(p, c'/', end - p) != NULL or memchr(p, c'%', end - p) != NULL:
            return False
    while p < end:
        if p[0] == c'\\' or p[0] < 0x20:
            return False
        if p[0] == c':' or (p[0] == c'%' and p[1] == c'3' and p[2] | 0x20 == c'a'):
            p = behind_host(start, p) if of_web else NULL
            if p == NULL:
                return False
        slash = slash_at(p)
        if slash:
            if slash_at(p + slash) or p[slash] == c'\\' or (p - start >= 4 and (p - 1)[0] == c'p'
                                                            and begins(p - 4, 4, b"http", 4)):
                return False
            if p - start >= 5 and (p - 1)[0] == c's' and begins(p - 5, 5, b"https", 5):
                return False
        elif p[0] == c'%' and ((p[1] == c'2' and p[2] == c'5') or (p[1] == c'5' and p[2] | 0x20 == c'c')):
            return False
        p += slash if slash else 1
    return True


cdef inline bint is_harmless(const uint8_t* p, size_t n, bint any_name) noexcept nogil:
    """Return whether p[0:n] certainly holds no secret: no "@" that may end user information in some dialect, no
    parameter whose name may be that of a secret, and no escape (even an escaped one) that could hide these. any_name:
    whether any name may be declared secret by a handler."""
    cdef const uint8_t* end = p + n
    cdef const uint8_t* seen = p
    cdef const uint8_t* start = p
    cdef const uint8_t* code
    cdef const uint8_t* at = NULL
    while True:
        seen = <const uint8_t*>memchr(seen, c'@', end - seen)
        if seen == NULL:
            break
        at = seen
        seen += 1
    seen = p
    while True:
        seen = <const uint8_t*>memchr(seen, c'=', end - seen)
        if seen == NULL:
            break
        if any_name or is_named(start, seen):
            return False
        seen += 1
        start = seen
    seen = start = p
    while True:
        seen = <const uint8_t*>memchr(seen, c'%', end - seen)
        if seen == NULL or end - seen < 3:
            return at == NULL or ends_no_user(p, at)
        code = seen + 1
        if code[0] == c'2' and code[1] == c'5' and end - seen >= 5:
            code += 2
        if code[0] == c'%' or code[1] == c'%':  # "%%341" decodes to an escape
            return False
        if code[0] == c'2':
            if code[1] == c'5':
                return False
        elif code[0] == c'3':
            if code[1] | 0x20 == c'd':
                if any_name or is_named(start, seen):
                    return False
                start = seen
        elif code[0] == c'4' and code[1] == c'0':
            at = seen if seen > at else at
        elif is_letter(code[0], code[1]):
            return False
        seen += 3
