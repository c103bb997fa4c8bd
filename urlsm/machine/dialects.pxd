"""The dialects as data. The steps of the machine check properties of a dialect; they never ask which dialect it is.

To add a dialect, write a function for it here, add its number to the enum, and give it a row in list_dialects.
"""
from libc.stdint cimport uint32_t
from urlsm.machine.special cimport Registered
from urlsm.octets.chars cimport (
    ALPHA, BACKSLASH, C0_OR_SPACE, HASH, QUESTION, SCHEME_CHAR, SEMICOLON, SLASH, TAB_NEWLINE,
)

cdef enum:                   # the numbers of the dialects, for dialect_at(WHATWG)
    WHATWG
    RFC3986
    RFC3987
    BARTH
    RFC1738
    RFC2396
    STDLIB
    DIALECT_COUNT            # the number of dialects

cdef enum PortRule:
    FIRST_COLON  # the first ":" outside brackets ends the host (URL Standard, host state)
    LAST_COLON   # the last ":" ends the host, unless brackets enclose it (Barth 3.3)
    # the first ":" after the first "[...]" ends the host; if there are no brackets, the first ":" does (urllib.parse)
    COLON_AFTER_BRACKETS

cdef enum:
    ANY_NUMBER = -1

cdef struct Dialect:
    const char* name
    # whether the states of the URL Standard decide what follows the scheme; if not, the step AFTER_SCHEME decides
    bint url_standard
    uint32_t trim            # class bits of octets that are trimmed at the start
    uint32_t trim_end        # class bits of octets that are trimmed at the end
    uint32_t remove          # class bits of octets that the caller has to remove everywhere (octets/text.pxd)
    uint32_t scheme_first    # the scheme's first octet must have one of these class bits; 0: it may be any octet
    # each other octet of the scheme must have one of these class bits; 0: they may be any octets
    uint32_t scheme_char
    uint32_t scheme_stop     # class bits that end the search for ":"
    bint scheme_required     # whether a text without ":" is invalid
    bint one_letter_is_drive  # whether a single letter before ":" is a Windows drive, not a scheme
    bint file_states         # whether a URL with the scheme "file" is read by the URL Standard's file states
    uint32_t slash           # class bits of slash characters (if url_standard, for special schemes)
    int slashes              # the number of slash characters that introduce an authority
    uint32_t authority_stop  # class bits that end the authority (if url_standard, "\" also ends it in special schemes)
    uint32_t path_stop       # class bits that end the path: QUESTION, and HASH if there are fragments
    uint32_t query_stop      # class bits that end the query: HASH if there are fragments
    PortRule port
    bint path_may_lack       # whether the path is absent, not empty, if nothing follows the authority
    const char* opaque       # the schemes whose URLs have neither authority nor query, with " " around each
    bint opaque_by_handler   # whether the schemes in registered->opaque are opaque as well
    uint32_t opaque_stop     # class bits that end the path of an opaque scheme
    const Registered* registered  # the special and opaque schemes that urlsm.register adds and removes
    # the only schemes that have a query, with " " around each ("": every scheme has one); in other URLs "?" is ordinary
    # text
    const char* with_query


cdef inline Dialect whatwg() noexcept nogil:
    """URL Standard, #concept-basic-url-parser."""
    return Dialect(
        name=b"whatwg", url_standard=True, trim=C0_OR_SPACE, trim_end=C0_OR_SPACE, remove=TAB_NEWLINE,
        scheme_first=ALPHA, scheme_char=SCHEME_CHAR, scheme_stop=0, scheme_required=False,
        one_letter_is_drive=False, file_states=True,
        slash=SLASH | BACKSLASH, slashes=ANY_NUMBER, authority_stop=SLASH | QUESTION | HASH,
        path_stop=QUESTION | HASH, query_stop=HASH, port=FIRST_COLON, path_may_lack=False,
        opaque=b"", opaque_by_handler=False, opaque_stop=0, with_query=b"", registered=NULL,
    )


cdef inline Dialect rfc3986() noexcept nogil:
    """RFC 3986 appendix B: ^(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\\?([^#]*))?(#(.*))?"""
    return Dialect(
        name=b"rfc3986", url_standard=False, trim=0, trim_end=0, remove=0,
        scheme_first=0, scheme_char=0, scheme_stop=SLASH | QUESTION | HASH, scheme_required=False,
        one_letter_is_drive=False, file_states=False,
        slash=SLASH, slashes=2, authority_stop=SLASH | QUESTION | HASH,
        path_stop=QUESTION | HASH, query_stop=HASH, port=LAST_COLON, path_may_lack=False,
        opaque=b"", opaque_by_handler=False, opaque_stop=0, with_query=b"", registered=NULL,
    )


cdef inline Dialect rfc3987() noexcept nogil:
    """RFC 3987 section 2.2, whose delimiters are RFC 3986's. References are resolved as there (section 6.5)."""
    cdef Dialect d = rfc3986()
    d.name = b"rfc3987"
    return d


cdef inline Dialect rfc2396() noexcept nogil:
    """RFC 2396 appendix B, whose regular expression is the same as RFC 3986's."""
    cdef Dialect d = rfc3986()
    d.name = b"rfc2396"
    return d


cdef inline Dialect rfc1738() noexcept nogil:
    """RFC 1738 section 5: only http and wais have a query, and for mailto and news all that follows is the path.
    Fragments, which are "not part of the URL", are still cut off (2.2). A text without scheme is read as by rfc3986."""
    cdef Dialect d = rfc3986()
    d.name = b"rfc1738"
    d.opaque, d.opaque_stop, d.with_query = b" mailto news ", HASH, b" http wais "
    return d


cdef inline Dialect barth() noexcept nogil:
    """draft-abarth-url-00, 3.1 to 3.4. Where the draft says TODO, one-letter schemes are Windows drives, file: is read
    as in the URL Standard, and schemes are opaque if their handlers say so (opaque.py; urlsm.register)."""
    return Dialect(
        name=b"barth", url_standard=False, trim=C0_OR_SPACE, trim_end=C0_OR_SPACE, remove=0,
        scheme_first=0, scheme_char=0, scheme_stop=0, scheme_required=True,
        one_letter_is_drive=True, file_states=True,
        slash=SLASH | BACKSLASH, slashes=ANY_NUMBER,
        authority_stop=SLASH | BACKSLASH | QUESTION | HASH | SEMICOLON,
        path_stop=QUESTION | HASH, query_stop=HASH, port=LAST_COLON, path_may_lack=True,
        opaque=b"", opaque_by_handler=True, opaque_stop=0, with_query=b"", registered=NULL,
    )


cdef inline Dialect stdlib() noexcept nogil:
    """urllib.parse of CPython 3.14: urlsplit, and the attributes hostname and port of its result. What urlsplit refuses
    is not refused here (security/comparison.pyx)."""
    return Dialect(
        name=b"stdlib", url_standard=False, trim=C0_OR_SPACE, trim_end=0, remove=TAB_NEWLINE,
        scheme_first=ALPHA, scheme_char=SCHEME_CHAR, scheme_stop=0, scheme_required=False,
        one_letter_is_drive=False, file_states=False,
        slash=SLASH, slashes=2, authority_stop=SLASH | QUESTION | HASH,
        path_stop=QUESTION | HASH, query_stop=HASH, port=COLON_AFTER_BRACKETS, path_may_lack=False,
        opaque=b"", opaque_by_handler=False, opaque_stop=0, with_query=b"", registered=NULL,
    )


cdef inline void list_dialects(Dialect* table, const Registered* registered) noexcept nogil:
    """Fill the table of all dialects. A dialect's number is the index of its row."""
    cdef int k
    table[WHATWG] = whatwg()
    table[RFC3986] = rfc3986()
    table[RFC3987] = rfc3987()
    table[BARTH] = barth()
    table[RFC1738] = rfc1738()
    table[RFC2396] = rfc2396()
    table[STDLIB] = stdlib()
    for k in range(DIALECT_COUNT):
        table[k].registered = registered
