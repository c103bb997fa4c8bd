"""Setting the components of a record from the arguments of URL.replace and build. Such an argument is the text of a
component: only characters that the component cannot hold are percent-encoded, and "%" stays. In a value (an item of
`auth`, or a segment to append), "%" is encoded as well.
"""
from libc.stdint cimport uint8_t, uint32_t
from urlsm.machine.driver cimport kind_of
from urlsm.machine.codes cimport TOO_LONG
from urlsm.machine.log cimport HOST_STATE, SCHEME_START_STATE
from urlsm.machine.special cimport NOT_SPECIAL
from urlsm.octets.buffer cimport Buffer, MAX_LENGTH, ascii_data, buffer_free, buffer_start, is_ascii
from urlsm.octets.chars cimport (
    BACKSLASH, ENC_C0, ENC_FRAGMENT, ENC_PATH, ENC_QUERY, ENC_SPECIAL_QUERY, ENC_USERINFO, HASH, QUESTION,
    classes_of,
)
from urlsm.octets.text cimport write_text
from urlsm.octets.text cimport exact, scalar_values
from urlsm.url.parser cimport error_of, refuse
from urlsm.url.structs cimport Failure, Piece, Record
from urlsm.url.write.record cimport set_absent, set_normal, set_piece


cdef inline object too_long(object text):
    """Return the ParseError for a text of more than MAX_LENGTH octets."""
    cdef Failure failure
    failure.removed_from = -1
    refuse(&failure, TOO_LONG, SCHEME_START_STATE, MAX_LENGTH)
    return error_of(text, &failure)


cdef inline bint is_opaque(bint special, bint has_host, bint begins_with_slash) noexcept nogil:
    """Return whether a URL with these properties has an opaque path."""
    return not (special or has_host or begins_with_slash)


cdef inline int set_octets(Piece* piece, bytes octets) except -1:
    if len(octets) > MAX_LENGTH:
        raise too_long(octets)
    set_normal(piece, <const uint8_t*>octets, 0, len(octets))
    return 0


cdef inline object set_text(Piece* piece, object given, uint32_t encode_set):
    """Make a piece from a text, with the octets of encode_set percent-encoded. Return the owner of its octets."""
    cdef str text = exact(given)
    cdef Buffer b
    cdef bytes octets
    if is_ascii(text) and len(text) <= MAX_LENGTH \
            and not classes_of(ascii_data(text), len(text)) & encode_set:
        set_normal(piece, ascii_data(text), 0, len(text))
        return text
    buffer_start(&b)
    try:
        write_text(&b, text, encode_set)
        octets = b.p[:b.n]
    finally:
        buffer_free(&b)
    set_octets(piece, octets)
    return octets


cdef inline object set_raw(Piece* piece, object given):
    """Make a piece from a text without encoding it; the host parser or the check of schemes reads it later. Return the
    owner of its octets."""
    cdef str text = exact(given)
    cdef bytes octets
    if is_ascii(text) and len(text) <= MAX_LENGTH:
        set_piece(piece, ascii_data(text), len(text), classes_of(ascii_data(text), len(text)))
        return text
    octets = scalar_values(text)
    if len(octets) > MAX_LENGTH:
        raise too_long(text)
    set_piece(piece, <const uint8_t*>octets, len(octets), 0xFFFFFFFF)
    return octets


cdef inline object set_path(Record* r, object path):
    """Set the path of a record, whose scheme and host are known. Return the owner of its octets."""
    cdef bint special = r.kind != NOT_SPECIAL
    if is_opaque(special, r.host.p != NULL, path.startswith("/")):
        # "opaque path: U+0020 SPACE" stays, except at the end, where the parser would trim or rewrite it
        path = path.rstrip(" ") + "%20" * (len(path) - len(path.rstrip(" ")))
        return set_text(&r.path, path, ENC_C0 | QUESTION | HASH)
    if not path and special:
        path = "/"
    return set_text(&r.path, path, ENC_PATH | (BACKSLASH if special else 0))


cdef inline object put(Record* r, object name, object value):
    """Set a component of a record, and return the owner of its octets. Scheme and host have to be set first, as the
    encoding of path and query depends on them."""
    cdef Piece* piece
    if name == "port":
        if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
            raise TypeError(f"port must be int or None, not {type(value).__name__}")
        if value is not None and not 0 <= value <= 0xFFFF:
            raise ValueError(f"port must be from 0 to 65535, not {value}")
        r.port = -1 if value is None else value
        return None
    if name == "scheme":
        piece = &r.scheme
    elif name == "username":
        piece = &r.username
    elif name == "password":
        piece = &r.password
    elif name == "host":
        piece = &r.host
    elif name == "path":
        piece = &r.path
    elif name == "query":
        piece = &r.query
    elif name == "fragment":
        piece = &r.fragment
    else:
        from urlsm.url.refusals import unknown_component
        raise TypeError(unknown_component(name))
    if value is not None and not isinstance(value, str):
        from urlsm.url.refusals import wrong_type
        raise TypeError(wrong_type(name, value))
    if piece == &r.path:
        return set_path(r, value or "")
    if value is None:
        if piece == &r.scheme:
            raise ValueError("cannot remove the scheme of a URL")
        set_absent(piece)
        return None
    if piece == &r.scheme or piece == &r.host:
        value = set_raw(piece, value)
        if piece == &r.scheme:
            r.kind = kind_of(piece.p, piece.n)
        r.host_step = HOST_STATE
        return value
    return set_text(piece, value, ENC_USERINFO if piece == &r.username or piece == &r.password
                    else ENC_FRAGMENT if piece == &r.fragment
                    else ENC_SPECIAL_QUERY if r.kind != NOT_SPECIAL else ENC_QUERY)
