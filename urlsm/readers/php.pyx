"""PHP: parse_url (ext/standard/url.c, php_url_parse_ex2)."""
from libc.stdint cimport uint8_t
from urlsm.octets.chars cimport CLASS, DIGIT, SCHEME_CHAR
from urlsm.readers.forms cimport first_of, octets, text_of
from urlsm.readers.programs import Program

cdef enum Next:  # what is read next
    PORT  # that of "host:80", at its first colon
    HOST
    PATH

cdef enum:
    MOST_DIGITS = 5

# php_replace_controlchars
cdef bytes SHOWN = b"_" * 32 + bytes(range(32, 127)) + b"_" + bytes(range(128, 256))


cdef Py_ssize_t digits_end(bytes url, Py_ssize_t at) noexcept:
    """Return where digits end that begin at a place."""
    cdef const uint8_t* p = <const uint8_t*><const char*>url  # a zero octet ends it
    while CLASS[p[at]] & DIGIT:
        at += 1
    return at


cdef int number(bytes url, Py_ssize_t begin, Py_ssize_t end) noexcept:
    """Return what strtol reads as a port in url[begin:end], at most five octets; -1: none, or none from 0 to 65535."""
    cdef const uint8_t* p = <const uint8_t*><const char*>url
    cdef int value = -1
    cdef bint negative
    while begin < end and (p[begin] == c' ' or 9 <= p[begin] <= 13):
        begin += 1
    negative = begin < end and p[begin] == c'-'
    if negative or (begin < end and p[begin] == c'+'):
        begin += 1
    while begin < end and CLASS[p[begin]] & DIGIT:
        value = (value if value > 0 else 0) * 10 + p[begin] - c'0'
        begin += 1
    return -1 if value > 0xFFFF or (negative and value > 0) else value


cdef bint is_scheme(bytes url, Py_ssize_t end) noexcept:
    """Return whether url[:end] has only characters of a scheme, of which any may come first."""
    cdef const uint8_t* p = <const uint8_t*><const char*>url
    cdef Py_ssize_t k
    for k in range(end):
        if not CLASS[p[k]] & SCHEME_CHAR:
            return False
    return True


def read(str text, int release):
    """php_url_parse_ex2: return the components, with "_" for each control character, or what is refused."""
    cdef bytes url = octets(text), shown = url.translate(SHOWN)
    cdef Py_ssize_t n = len(url), begin = 0, end, at, colon = url.find(b":")
    cdef bint slashes = url.startswith(b"//")
    cdef Next state = HOST if slashes else PATH
    cdef int port = -1
    cdef str scheme = None, userinfo = None, host = None, path = None, query = None, fragment = None
    if colon >= 0:
        if colon == 0:
            state = PORT
        elif not is_scheme(url, colon):
            if colon + 1 < n and colon < first_of(url, 0, n, b"?#"):
                state = PORT
        else:
            scheme = text_of(shown[:colon])
            begin = colon + 1
            state = PATH
            if begin == n:  # "only scheme is available"
                return scheme, None, None, None, None, None, None
            if url[begin:begin + 1] != b"/":
                # "check if the data we get is a port": digits up to the end or a slash
                at = digits_end(url, begin)
                if (at == n or url[at:at + 1] == b"/") and at - colon < MOST_DIGITS + 2:
                    scheme, begin, state = None, 0, PORT
            elif url[begin + 1:begin + 2] == b"/":
                begin += 2
                state = HOST
                if scheme.lower() == "file" and url[begin:begin + 1] == b"/":
                    state = PATH
                    if url[begin + 2:begin + 3] == b":":  # "support windows drive letters"
                        begin += 1
    if state == PORT:
        at = digits_end(url, colon + 1)
        if colon + 1 < at <= colon + 1 + MOST_DIGITS and (at == n or url[at:at + 1] == b"/"):
            port = number(url, colon + 1, at)
            if port < 0:
                return "port"
            state = HOST
        elif colon + 1 == n:
            return "port"
        else:
            state = HOST if slashes else PATH
    if state == HOST:
        # parse_host:
        if begin == 0 and slashes:
            begin = 2
        end = first_of(url, begin, n, b"/?#")
        at = url.rfind(b"@", begin, end)
        if at >= 0:
            userinfo = text_of(shown[begin:at])
            begin = at + 1
        at = -1
        if not (url[begin:begin + 1] == b"[" and url[end - 1:end] == b"]"):
            at = url.rfind(b":", begin, end)
        if at >= 0 and port <= 0:
            if end - at - 1 > MOST_DIGITS:
                return "port"
            if end - at - 1 > 0:
                port = number(url, at + 1, end)
                if port < 0:
                    return "port"
        if at < 0:
            at = end
        if at == begin:
            return "host"
        host = text_of(shown[begin:at])
        begin = end
    if host is None or begin < n:
        # just_path:
        end = url.find(b"#", begin)
        if end >= 0:
            fragment = text_of(shown[end + 1:])
        else:
            end = n
        at = url.find(b"?", begin, end)
        if at >= 0:
            query = text_of(shown[at + 1:end])
            end = at
        if begin < end or begin == n:
            path = text_of(shown[begin:end])
    return scheme, userinfo, host, None if port < 0 else str(port), path, query, fragment


PROGRAMS = (Program("php", "PHP, parse_url", ("8.2.36", "8.4.27", "8.5.10"), read),)
