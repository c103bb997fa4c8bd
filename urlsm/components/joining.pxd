"""The octets of components, each with its delimiters (RFC 3986 section 5.3)."""
from libc.stdint cimport uint8_t
from urlsm.machine.machine cimport ABSENT, FRAGMENT, HOST, PASSWORD, PATH, PORT, QUERY, SCHEME, Span, USERNAME
from urlsm.octets.buffer cimport (
    Buffer, MAX_LENGTH, ascii_text, buffer_copy, buffer_free, buffer_put, buffer_start, utf8_text,
)


cdef inline bint has_authority_or_none(const Span* spans) noexcept nogil:
    """Return whether there is a host, or nothing that needs one."""
    return spans[HOST].start != ABSENT or spans[USERNAME].start == ABSENT == spans[PASSWORD].start == spans[PORT].start


cdef inline int write_component(Buffer* b, const uint8_t* p, const Span* spans, int which) except -1:
    if spans[which].start == ABSENT:
        return 0
    return buffer_copy(b, p + spans[which].start, spans[which].end - spans[which].start)


cdef inline int write_after(Buffer* b, const uint8_t* p, const Span* spans, int which, uint8_t delimiter) except -1:
    if spans[which].start != ABSENT:
        buffer_put(b, delimiter)
    return write_component(b, p, spans, which)


cdef inline int write_components(Buffer* b, const uint8_t* p, const Span* spans) except -1:
    """Append the components that lie in p."""
    write_component(b, p, spans, SCHEME)
    if spans[SCHEME].start != ABSENT:
        buffer_put(b, c':')
    if spans[HOST].start != ABSENT:
        buffer_copy(b, <const uint8_t*>b"//", 2)
        if spans[USERNAME].start != ABSENT or spans[PASSWORD].start != ABSENT:
            write_component(b, p, spans, USERNAME)
            write_after(b, p, spans, PASSWORD, c':')
            buffer_put(b, c'@')
        write_component(b, p, spans, HOST)
        write_after(b, p, spans, PORT, c':')
    write_component(b, p, spans, PATH)
    write_after(b, p, spans, QUERY, c'?')
    return write_after(b, p, spans, FRAGMENT, c'#')


cdef inline object written(const uint8_t* p, const Span* spans, bint ascii, bint as_text):
    """Return the text of the components that lie in p, as str or bytes; None where they cannot be joined, or are too
    long. Components end at ASCII delimiters, so they are decoded together like each by itself."""
    cdef Buffer b
    if not has_authority_or_none(spans):
        return None
    buffer_start(&b)
    try:
        write_components(&b, p, spans)
        if b.n > MAX_LENGTH:
            return None
        if not as_text:
            return b.p[:b.n]
        return ascii_text(b.p, b.n) if ascii else utf8_text(b.p, b.n)
    finally:
        buffer_free(&b)
