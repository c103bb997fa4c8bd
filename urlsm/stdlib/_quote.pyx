"""quote, quote_plus, quote_from_bytes, unquote, unquote_plus and unquote_to_bytes of urllib.parse, over percent.

Arguments: as in _parse.pyx. Exact str and bytes are handled here, all others by _general.py.
"""
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.unicode cimport PyUnicode_AsUTF8, PyUnicode_DecodeUTF8, PyUnicode_FindChar
from libc.stdint cimport uint8_t
from libc.string cimport memchr
from urlsm.octets.buffer cimport Buffer, ascii_data, ascii_text, buffer_free, buffer_start, is_ascii
from urlsm.octets.once cimport stay, stay_all
from urlsm.octets.text cimport (
    Quoting, UNRESERVED, UNRESERVED_OR_PLUS, UNRESERVED_OR_SLASH, all_kept, keep_octets, quoting_at,
    write_quoted, write_space_as_plus, write_unquoted,
)
from urlsm.octets.text cimport write_utf8
from urlsm.octets.utf8 cimport SHORT, short_text
from urlsm.stdlib._parse cimport general, is_exact

cdef extern from *:
    """
    #include "octets/shortcut.h"
    URLSM_SHORTCUT(quote)
    URLSM_SHORTCUT(quote_plus)
    URLSM_SHORTCUT(unquote)
    URLSM_SHORTCUT(unquote_plus)
    """
    void shorten_quote "urlsm_shortcut_quote"(object function, object (*one)(object))
    void shorten_quote_plus "urlsm_shortcut_quote_plus"(object function, object (*one)(object))
    void shorten_unquote "urlsm_shortcut_unquote"(object function, object (*one)(object))
    void shorten_unquote_plus "urlsm_shortcut_unquote_plus"(object function, object (*one)(object))

cdef object UTF8 = "utf-8"      # the objects that are the default arguments
cdef object REPLACE = "replace"
cdef object SLASH = "/"
cdef object EMPTY = ""
stay(UTF8)                      # not interned, as the others are


# --- quoting -----------------------------------------------------------------------------------

cdef const Quoting* quoting_for(object safe, bint plus, Quoting* scratch) except NULL:
    """Return the quoting that keeps the unreserved characters and the ASCII ones of safe (exact str or bytes).
    scratch: room to make one. plus: a space becomes "+"."""
    cdef bytes octets
    if safe is SLASH and not plus:
        return quoting_at(UNRESERVED_OR_SLASH)
    if safe is EMPTY:
        return quoting_at(UNRESERVED_OR_PLUS if plus else UNRESERVED)
    octets = safe if type(safe) is bytes else (<str>safe).encode("ascii", "ignore")
    scratch[0] = quoting_at(UNRESERVED)[0]
    keep_octets(scratch, <const uint8_t*>PyBytes_AS_STRING(octets), PyBytes_GET_SIZE(octets))
    if plus:
        write_space_as_plus(scratch)
    return scratch


cdef str quoted(const uint8_t* p, Py_ssize_t n, const Quoting* quoting):
    cdef Buffer b
    buffer_start(&b)
    try:
        write_quoted(&b, p, n, quoting)
        return ascii_text(b.p, b.n)
    finally:
        buffer_free(&b)


cdef inline object quoted_text(object text, const Quoting* quoting):
    """Return an exact str quoted; the same object if nothing changes."""
    cdef bytes octets
    cdef Buffer b
    if is_ascii(text):
        if all_kept(ascii_data(text), len(<str>text), quoting):
            return text
        return quoted(ascii_data(text), len(<str>text), quoting)
    if len(<str>text) <= SHORT:
        buffer_start(&b)
        try:
            if not write_utf8(&b, text):
                return quoted(b.p, b.n, quoting)
        finally:
            buffer_free(&b)
    octets = (<str>text).encode("utf-8", "strict")
    return quoted(<const uint8_t*>PyBytes_AS_STRING(octets), PyBytes_GET_SIZE(octets), quoting)


def quote(string, safe="/", encoding=None, errors=None):
    """Percent-encode all characters but those that are unreserved (RFC 3986, 2.3) or in safe.

    Args:
        string: str, which is encoded first (encoding and errors: of str.encode, by default UTF-8 and "strict"), or
            bytes. safe: str or bytes, of which only ASCII counts.

    Returns:
        str.

    Raises:
        UnicodeEncodeError: as str.encode. TypeError: bytes with encoding or errors; neither str nor bytes.

    https://docs.python.org/3/library/urllib.parse.html#urllib.parse.quote
    """
    cdef Quoting scratch
    if encoding is None and errors is None and is_exact(safe):
        if type(string) is str:
            return quoted_text(string, quoting_for(safe, False, &scratch))
        if type(string) is bytes:
            return quoted(<const uint8_t*>PyBytes_AS_STRING(string), PyBytes_GET_SIZE(string),
                          quoting_for(safe, False, &scratch))
    return general().quote(string, safe, encoding, errors)


cdef object quote_one(object string):
    if type(string) is str:
        return quoted_text(string, quoting_at(UNRESERVED_OR_SLASH))
    if type(string) is bytes:
        return quoted(<const uint8_t*>PyBytes_AS_STRING(string), PyBytes_GET_SIZE(string),
                      quoting_at(UNRESERVED_OR_SLASH))
    return general().quote(string, SLASH, None, None)


shorten_quote(quote, quote_one)


def quote_plus(string, safe="", encoding=None, errors=None):
    """Like quote, but a space becomes "+", and "/" is in safe only if given.

    https://docs.python.org/3/library/urllib.parse.html#urllib.parse.quote_plus
    """
    cdef Quoting scratch
    if encoding is None and errors is None and is_exact(safe):
        if type(string) is str:
            return quoted_text(string, quoting_for(safe, True, &scratch))
        if type(string) is bytes:
            return quoted(<const uint8_t*>PyBytes_AS_STRING(string), PyBytes_GET_SIZE(string),
                          quoting_for(safe, True, &scratch))
    return general().quote_plus(string, safe, encoding, errors)


cdef object quote_plus_one(object string):
    if type(string) is str:
        return quoted_text(string, quoting_at(UNRESERVED_OR_PLUS))
    if type(string) is bytes:
        return quoted(<const uint8_t*>PyBytes_AS_STRING(string), PyBytes_GET_SIZE(string),
                      quoting_at(UNRESERVED_OR_PLUS))
    return general().quote_plus(string, EMPTY, None, None)


shorten_quote_plus(quote_plus, quote_plus_one)


def quote_from_bytes(bs, safe="/"):
    """Like quote, for bytes or bytearray. TypeError for anything else.

    https://docs.python.org/3/library/urllib.parse.html#urllib.parse.quote_from_bytes
    """
    cdef Quoting scratch
    if type(bs) is bytes and is_exact(safe):
        return quoted(<const uint8_t*>PyBytes_AS_STRING(bs), PyBytes_GET_SIZE(bs), quoting_for(safe, False, &scratch))
    return general().quote_from_bytes(bs, safe)


# --- unquoting ---------------------------------------------------------------------------------

cdef inline bint has(str text, Py_UCS4 c) except? -1:
    if is_ascii(text):
        return memchr(ascii_data(text), c, len(text)) != NULL
    return PyUnicode_FindChar(text, c, 0, len(text), 1) >= 0


cdef str unquoted(const uint8_t* p, Py_ssize_t n, bint ascii, bint plus, const char* errors):
    """Return p[0:n] percent-decoded, as UTF-8. ascii: whether all of it is ASCII."""
    cdef Buffer b
    cdef bint high
    cdef str text
    buffer_start(&b)
    try:
        high = write_unquoted(&b, p, n, plus)
        if ascii and not high and b.n > 1:
            return ascii_text(b.p, b.n)
        text = short_text(b.p, b.n)
        return text if text is not None else PyUnicode_DecodeUTF8(<const char*>b.p, b.n, errors)
    finally:
        buffer_free(&b)


cdef object unquoted_text(str text, bint plus, object encoding, object errors):
    """unquote for an exact str; with plus, each "+" becomes a space first."""
    cdef bytes octets
    if not has(text, u'%'):
        return text.replace("+", " ") if plus else text
    errors = REPLACE if errors is None else errors
    if (encoding is UTF8 or encoding is None or encoding == UTF8) and type(errors) is str:
        if is_ascii(text):
            return unquoted(ascii_data(text), len(text), True, plus, PyUnicode_AsUTF8(errors))
        # characters beyond ASCII split the text into pieces, each decoded by itself. That makes no difference if bad
        # octets are replaced: no UTF-8 sequence continues in the next piece
        if errors is REPLACE or errors == REPLACE:
            try:
                octets = text.encode("utf-8", "strict")
            except UnicodeEncodeError:
                pass
            else:
                return unquoted(<const uint8_t*>PyBytes_AS_STRING(octets), PyBytes_GET_SIZE(octets), False, plus,
                                "replace")
    return general().unquote(text.replace("+", " ") if plus else text, encoding, errors)


def unquote(string, encoding="utf-8", errors="replace"):
    """Replace percent-escapes by the characters that they stand for.

    Args:
        string: str or bytes. encoding, errors: as for bytes.decode, which decodes the escaped octets.

    Returns:
        str; string itself if it is a str without "%".

    Raises:
        UnicodeDecodeError, LookupError: as bytes.decode. TypeError: neither str nor bytes.

    https://docs.python.org/3/library/urllib.parse.html#urllib.parse.unquote
    """
    if type(string) is str:
        return unquoted_text(<str>string, False, encoding, errors)
    return general().unquote(string, encoding, errors)


cdef object unquote_one(object string):
    if type(string) is str:
        return unquoted_text(<str>string, False, UTF8, REPLACE)
    return general().unquote(string, UTF8, REPLACE)


shorten_unquote(unquote, unquote_one)


def unquote_plus(string, encoding="utf-8", errors="replace"):
    """Like unquote, with each "+" as a space.

    https://docs.python.org/3/library/urllib.parse.html#urllib.parse.unquote_plus
    """
    if type(string) is str:
        return unquoted_text(<str>string, True, encoding, errors)
    return unquote(string.replace("+", " "), encoding, errors)


cdef object unquote_plus_one(object string):
    if type(string) is str:
        return unquoted_text(<str>string, True, UTF8, REPLACE)
    return unquote(string.replace("+", " "), UTF8, REPLACE)


shorten_unquote_plus(unquote_plus, unquote_plus_one)


def unquote_to_bytes(string):
    """Replace percent-escapes by the octets that they stand for.

    Args:
        string: str, which is encoded as UTF-8 first, or bytes.

    Raises:
        UnicodeEncodeError: lone surrogates. AttributeError: neither str nor bytes.

    https://docs.python.org/3/library/urllib.parse.html#urllib.parse.unquote_to_bytes
    """
    cdef Buffer b
    if type(string) is str:
        string = (<str>string).encode("utf-8", "strict")
    elif type(string) is not bytes:
        return general().unquote_to_bytes(string)
    if memchr(PyBytes_AS_STRING(string), c'%', PyBytes_GET_SIZE(string)) == NULL:
        return string
    buffer_start(&b)
    try:
        write_unquoted(&b, <const uint8_t*>PyBytes_AS_STRING(string), PyBytes_GET_SIZE(string), False)
        return PyBytes_FromStringAndSize(<const char*>b.p, b.n)
    finally:
        buffer_free(&b)


stay_all(globals())
