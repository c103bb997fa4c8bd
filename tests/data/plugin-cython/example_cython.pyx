# cython: language_level=3
"""A plug-in in Cython: its handler asks the machine itself where the components lie."""
from libc.stdint cimport uint8_t, uint32_t
from urlsm.machine cimport ABSENT, HOST, PATH, RFC3986, Reading, Span, WHOLE, dialect_at, read, span_of
from urlsm.schemes import Parts, Scheme, decode


class DepotParts(Parts):
    """The depot, decoded and in lower case, and the place of a thing there, as written."""
    depot: str
    place: str = ""


class Depot(Scheme):
    names = ("depot",)
    title = "Thing in a depot"
    reference = "the depots' manual"
    example = "depot://north/a/b"
    authority = host = "required"
    userinfo = port = query = fragment = "forbidden"
    hierarchical = False
    empty_path_is_root = True
    parts_type = DepotParts

    def read_parts(self, components):
        host, path = cut(components.text.encode("utf-8", "surrogatepass"))
        return DepotParts(decode(host.decode("utf-8", "surrogatepass")).lower(),
                          path.decode("utf-8", "surrogatepass")[1:])

    def write_parts(self, parts):
        return f"//{self.host_characters.encode(parts.depot or '')}/{parts.place or ''}"


cdef tuple cut(bytes text):
    """The host and the path, as the machine finds them."""
    cdef Reading r
    cdef Span host, path
    cdef const uint8_t* p = text
    cdef uint32_t n = <uint32_t>len(text)
    with nogil:
        read(&r, p, n, dialect_at(RFC3986), WHOLE)
        host = span_of(&r, HOST)
        path = span_of(&r, PATH)
    return (b"" if host.start == ABSENT else text[host.start:host.end],
            b"" if path.start == ABSENT else text[path.start:path.end])
