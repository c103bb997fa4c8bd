"""parse_qsl, parse_qs and urlencode of urllib.parse, over query and percent.

Arguments: as in _parse.pyx. Exact str, and the default way to quote, are handled here; all else by _general.py.
"""
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.unicode cimport PyUnicode_AsUTF8
from libc.stdint cimport uint8_t
from urlsm.octets.buffer cimport (
    Buffer, ascii_data, ascii_text, buffer_free, buffer_put, buffer_start, is_ascii,
)
from urlsm.octets.once cimport stay_all
from urlsm.octets.text cimport Quoting, write_quoted
from urlsm.octets.words cimport is_all_ascii
from urlsm.stdlib._parse cimport general
from urlsm.stdlib._quote cimport quoting_for
from urlsm.url.params cimport read_form

from sys import exc_info
import urllib.parse as theirs
from urlsm.stdlib._probe import DIFFERENCES
from urlsm.stdlib._quote import quote, quote_plus

cdef object their_quote = theirs.quote
cdef object their_quote_plus = theirs.quote_plus
cdef bint CHAINS = DIFFERENCES["urlencode_chains"]


# --- parsing -----------------------------------------------------------------------------------

cdef object read(object qs, object keep_blank, object strict, object encoding, object errors, object most,
                 object separator, dict lists):
    """Return the list of pairs, or lists, which is filled instead. None if these arguments are not plain."""
    cdef bytes octets
    if not (type(qs) is str and type(separator) is str and len(<str>separator) == 1 and (<str>separator)[0] < 128
            and strict is False and most is None and type(errors) is str and encoding == "utf-8"):
        return None
    if is_ascii(qs):
        return read_form(ascii_data(qs), len(<str>qs), True, <uint8_t>(<str>separator)[0], bool(keep_blank),
                         PyUnicode_AsUTF8(errors), lists, NULL)
    if errors != "replace":
        return None
    try:
        octets = (<str>qs).encode("utf-8", "strict")  # the place does not matter: see unquoted_text
    except UnicodeEncodeError:
        octets = None
    if octets is None:
        return None
    return read_form(<const uint8_t*>PyBytes_AS_STRING(octets), PyBytes_GET_SIZE(octets), False,
                     <uint8_t>(<str>separator)[0], bool(keep_blank), "replace", lists, NULL)


def parse_qsl(qs, keep_blank_values=False, strict_parsing=False, encoding="utf-8", errors="replace",
              max_num_fields=None, separator="&", *, _stacklevel=1):
    """Return the pairs of names and values of a query, percent-decoded, "+" as a space.

    Args:
        qs: str or bytes. keep_blank_values: keep pairs with an empty value. strict_parsing: refuse pieces without
            "=". encoding, errors: as for bytes.decode. max_num_fields: refuse more pieces than that. separator: the
            text between the pieces.

    Returns:
        A list of pairs of str; of bytes where qs is bytes.

    Raises:
        ValueError: a piece without "=" (strict_parsing), too many pieces (max_num_fields), or an empty separator.
        UnicodeDecodeError: as bytes.decode.

    https://docs.python.org/3/library/urllib.parse.html#urllib.parse.parse_qsl
    """
    pairs = read(qs, keep_blank_values, strict_parsing, encoding, errors, max_num_fields, separator, None)
    if pairs is not None:
        return pairs
    return general().parse_qsl(qs, keep_blank_values, strict_parsing, encoding, errors, max_num_fields, separator,
                               _stacklevel)


def parse_qs(qs, keep_blank_values=False, strict_parsing=False, encoding="utf-8", errors="replace",
             max_num_fields=None, separator="&"):
    """Like parse_qsl, but return a dict from each name to the list of its values.

    https://docs.python.org/3/library/urllib.parse.html#urllib.parse.parse_qs
    """
    cdef dict found = {}
    read_lists(found, qs, keep_blank_values, strict_parsing, encoding, errors, max_num_fields, separator)
    return found


cdef int read_lists(dict found, object qs, object keep_blank, object strict, object encoding, object errors,
                    object most, object separator) except -1:
    if read(qs, keep_blank, strict, encoding, errors, most, separator, found) is None:
        for name, value in general().parse_qsl(qs, keep_blank, strict, encoding, errors, most, separator, 1):
            found.setdefault(name, []).append(value)
    return 0


# --- for urlsm.compat ---------------------------------------------------------------------------

def fill(made, query, errors="replace"):
    """Add the lists of parse_qs(query, True, errors=errors) to made, a dict or an object of a subclass, by dict's own
    methods. query: str."""
    if not isinstance(made, dict):
        raise TypeError(f"expected dict, not {type(made).__name__}")
    read_lists(<dict>made, query, True, False, "utf-8", errors, None, "&")


def fill_last(dict made not None, query):
    """Return parse_qsl(query, True) of a str, or of the Latin-1 text that octets are; made receives the last value of
    each name."""
    cdef list pairs
    cdef tuple pair
    cdef const uint8_t* p
    if type(query) is bytes and is_all_ascii(<const uint8_t*>PyBytes_AS_STRING(query), PyBytes_GET_SIZE(query)):
        p = <const uint8_t*>PyBytes_AS_STRING(query)
        pairs = read_form(p, PyBytes_GET_SIZE(query), True, c'&', True, "replace", None, NULL)
    else:
        pairs = parse_qsl(query if isinstance(query, str) else str(query, "latin-1"), True)
    for pair in pairs:
        made[pair[0]] = pair[1]
    return pairs


# --- encoding ----------------------------------------------------------------------------------

cdef int write_item(Buffer* b, object item, const Quoting* quoting) except -1:
    """Append a str or bytes, quoted."""
    if type(item) is str and is_ascii(item):
        return write_quoted(b, ascii_data(item), len(<str>item), quoting)
    if not isinstance(item, bytes):
        item = item.encode("utf-8", "strict")
    return write_quoted(b, <const uint8_t*>PyBytes_AS_STRING(item), PyBytes_GET_SIZE(item), quoting)


cdef inline object text_or_octets(object item):
    return item if type(item) is str or isinstance(item, bytes) else str(item)


cdef inline int write_pair(Buffer* b, object name, object value, bint as_it_is, const Quoting* quoting) except -1:
    """Append a pair. str() is called on other values, but only after the name is written, because either may raise."""
    if b.n:
        buffer_put(b, c'&')
    write_item(b, text_or_octets(name), quoting)
    buffer_put(b, c'=')
    return write_item(b, value if as_it_is else text_or_octets(value), quoting)


cdef int write_values(Buffer* b, object name, object value, const Quoting* quoting) except -1:
    """Append one pair for each value of a sequence (doseq)."""
    cdef size_t start = b.n
    cdef bint is_sequence
    if isinstance(value, (str, bytes)):
        return write_pair(b, name, value, True, quoting)
    name = text_or_octets(name)
    write_item(b, name, quoting)  # may raise, even if the sequence is empty
    b.n = start
    is_sequence = True
    try:
        len(value)
    except TypeError:
        is_sequence = False
    if not is_sequence:
        return write_pair(b, name, str(value), True, quoting)
    for element in value:
        write_pair(b, name, element, False, quoting)
    return 0


cdef inline int write_item_of(Buffer* b, object name, object value, bint doseq, const Quoting* quoting) except -1:
    if doseq:
        return write_values(b, name, value, quoting)
    return write_pair(b, name, value, False, quoting)


cdef str encoded(object pairs, bint doseq, const Quoting* quoting):
    """Return the query text of pairs: a dict, or an iterable of pairs."""
    cdef Buffer b
    buffer_start(&b)
    try:
        if type(pairs) is dict:
            for name, value in (<dict>pairs).items():
                write_item_of(&b, name, value, doseq, quoting)
        else:
            for pair in pairs:
                if type(pair) is tuple and len(<tuple>pair) == 2:
                    name, value = <tuple>pair
                else:
                    name, value = general().pair(pair)
                write_item_of(&b, name, value, doseq, quoting)
        return ascii_text(b.p, b.n)
    finally:
        buffer_free(&b)


def urlencode(query, doseq=False, safe="", encoding=None, errors=None, quote_via=quote_plus):
    """Return the query text of pairs of names and values.

    Args:
        query: a mapping, or a sequence of pairs. Names and values are bytes, or become text by str().
        doseq: a value that is a sequence makes a pair for each of its elements. safe, encoding, errors: as for quote.
        quote_via: quotes each name and value.

    Raises:
        TypeError: query is neither. ValueError: an element is not a pair. UnicodeEncodeError: as str.encode.

    https://docs.python.org/3/library/urllib.parse.html#urllib.parse.urlencode
    """
    cdef Quoting scratch
    cdef bint plus = quote_via is quote_plus or quote_via is their_quote_plus
    cdef bint direct = encoding is None and errors is None \
        and (plus or quote_via is quote or quote_via is their_quote) and (type(safe) is str or type(safe) is bytes)
    if direct and type(query) is dict:
        pass
    elif type(query) is not list and hasattr(query, "items"):
        query = query.items()
    else:
        try:
            if len(query) and not isinstance(query[0], tuple):
                raise TypeError
        except TypeError:
            error = exc_info()[1]  # not "as error": Cython binds that to NULL when memory runs out
            raise TypeError("not a valid non-string sequence or mapping object") from (error if CHAINS else None)
    if direct:
        return encoded(query, bool(doseq), quoting_for(safe, plus, &scratch))
    return general().urlencode(query, doseq, safe, encoding, errors, quote_via)


stay_all(globals())
