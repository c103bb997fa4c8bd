"""application/x-www-form-urlencoded over octets, and the immutable multi-map of a query.

https://url.spec.whatwg.org/#application/x-www-form-urlencoded
"""
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.unicode cimport PyUnicode_AsUTF8, PyUnicode_DecodeUTF8
from libc.stdint cimport uint8_t
from libc.string cimport memchr
from urlsm.buffer cimport (
    Buffer, ascii_data, ascii_text, buffer_free, buffer_put, buffer_reserve, buffer_start, is_ascii,
)
from urlsm.chars cimport ENC_FORM
from urlsm.percent cimport write_encoded, write_unquoted
from _collections_abc import Mapping
from urlsm.percent import utf8


# --- parsing -----------------------------------------------------------------------------------

cdef inline const uint8_t* find(const uint8_t* p, const uint8_t* end, uint8_t octet) noexcept nogil:
    """Where p[0:end] first has the octet; end where it has not."""
    cdef const uint8_t* found = NULL
    if p < end:
        found = <const uint8_t*>memchr(p, octet, end - p)
    return end if found == NULL else found


cdef struct Form:
    const uint8_t* end       # of the text
    const uint8_t* percent   # the next "%" not before where we read; or end
    const uint8_t* plus      # the next "+"
    bint ascii               # all of the text is
    const char* errors       # the decoder's error handler
    Buffer b                 # scratch


cdef inline str form_decoded(Form* f, const uint8_t* p, const uint8_t* end):
    """A name or value p[0:end], decoded."""
    if f.percent >= end and f.plus >= end:
        if f.ascii and end - p > 1:
            return ascii_text(p, end - p)
        return PyUnicode_DecodeUTF8(<const char*>p, end - p, f.errors)  # shares "" and single characters
    f.b.n = 0
    cdef bint high = write_unquoted(&f.b, p, end - p, True)
    if f.percent < end:
        f.percent = find(end, f.end, c'%')
    if f.plus < end:
        f.plus = find(end, f.end, c'+')
    if f.ascii and not high and f.b.n > 1:
        return ascii_text(f.b.p, f.b.n)
    return PyUnicode_DecodeUTF8(<const char*>f.b.p, f.b.n, f.errors)


cdef object read_form(const uint8_t* p, Py_ssize_t n, bint ascii, uint8_t separator, bint keep_blank,
                      const char* errors, dict lists):
    """The pairs of p[0:n] (#concept-urlencoded-parser); keep_blank: those with an empty value too. lists: gets the
    values instead, a list for each name."""
    cdef Form f
    cdef const uint8_t* end
    cdef const uint8_t* equals
    cdef list pairs = []
    f.end = p + n
    f.percent = find(p, f.end, c'%')
    f.plus = find(p, f.end, c'+')
    f.ascii = ascii
    f.errors = errors
    buffer_start(&f.b)
    try:
        while p < f.end:
            end = find(p, f.end, separator)
            # "If bytes is the empty byte sequence, then continue."
            if end > p:
                # "If bytes contains a 0x3D (=), then let name be the bytes from the start of bytes up to but
                # excluding its first 0x3D (=), and let value be the bytes, if any, after [it]"
                equals = find(p, end, c'=')
                if keep_blank or end - equals > 1:
                    name = form_decoded(&f, p, equals)
                    value = form_decoded(&f, equals + 1, end) if equals < end else ""
                    if lists is None:
                        pairs.append((name, value))
                    else:
                        values = lists.get(name)
                        if values is None:
                            lists[name] = [value]
                        else:
                            (<list>values).append(value)
            p = end + 1
        return pairs
    finally:
        buffer_free(&f.b)


def scalar_values(text):
    """text with each lone surrogate as U+FFFD: Web IDL's USVString. TypeError where it is no str.

    https://infra.spec.whatwg.org/#javascript-string-convert
    """
    if type(text) is not str:
        if not isinstance(text, str):
            raise TypeError(f"expected str, not {type(text).__name__}")
        text = str.__str__(text)
    if is_ascii(text):
        return text
    try:
        (<str>text).encode("utf-8")
        return text
    except UnicodeEncodeError:
        return "".join(["\ufffd" if "\ud800" <= c <= "\udfff" else c for c in <str>text])


def parse_form(text, errors="replace"):
    """The pairs of names and values of a query, decoded: list[tuple[str, str]].

    Pieces between "&" split at their first "="; "+" is a space. errors (str) names the codecs handler for octets
    that are not UTF-8: "replace" makes them U+FFFD, and each lone surrogate of text too; "surrogateescape" makes
    them U+DC80 to U+DCFF, which serialize_form takes back. TypeError where text or errors is no str.
    https://url.spec.whatwg.org/#concept-urlencoded-string-parser
    """
    cdef const char* handler = PyUnicode_AsUTF8(errors)
    cdef bytes octets
    if type(text) is str and is_ascii(text):
        return read_form(ascii_data(text), len(<str>text), True, c'&', True, handler, None)
    if errors == "surrogateescape" and isinstance(text, str):
        octets = utf8(str.__str__(text))
    else:
        octets = (<str>scalar_values(text)).encode("utf-8")
    return read_form(<const uint8_t*>PyBytes_AS_STRING(octets), PyBytes_GET_SIZE(octets), False, c'&', True, handler,
                     None)


# --- serialising -------------------------------------------------------------------------------

cdef tuple pair_of(object item):
    """A name and its value, both exact str."""
    if isinstance(item, str):
        raise TypeError("expected a pair of name and value, not str")
    name, value = item
    if type(name) is str and type(value) is str:
        return item if type(item) is tuple else (name, value)
    if not isinstance(name, str) or not isinstance(value, str):
        raise TypeError(f"name and value must be str, not {type(name).__name__} and {type(value).__name__}")
    return str.__str__(name), str.__str__(value)


cdef object pairs_in(object source):
    """What to iterate for the pairs of a mapping, or of an iterable of pairs."""
    return source.items() if hasattr(source, "items") else source


cdef int write_form(Buffer* b, str text) except -1:
    """Append text as UTF-8, percent-encoded with the form set, each space as "+"."""
    cdef bytes octets
    cdef const uint8_t* p
    cdef const uint8_t* end
    cdef const uint8_t* space
    if is_ascii(text):
        p = ascii_data(text)
        end = p + len(text)
    else:
        octets = utf8(text)
        p = <const uint8_t*>PyBytes_AS_STRING(octets)
        end = p + PyBytes_GET_SIZE(octets)
    while True:
        space = find(p, end, c' ')
        write_encoded(b, p, space - p, ENC_FORM)
        if space == end:
            return 0
        buffer_put(b, c'+')
        p = space + 1


def serialize_form(pairs):
    """The query text of pairs of names and values (an iterable of them, or a mapping), form-encoded.

    U+DC80 to U+DCFF become the octets they came from, any other lone surrogate U+FFFD. TypeError where a name or
    value is no str, ValueError where an item is no pair.
    https://url.spec.whatwg.org/#concept-urlencoded-serializer
    """
    cdef Buffer b
    cdef tuple pair
    buffer_start(&b)
    try:
        for item in pairs_in(pairs):
            pair = pair_of(item)
            # "If output is not the empty string, then append U+0026 (&) to output."
            if b.n:
                buffer_put(&b, c'&')
            write_form(&b, <str>pair[0])
            buffer_put(&b, c'=')
            write_form(&b, <str>pair[1])
        return ascii_text(b.p, b.n)
    finally:
        buffer_free(&b)


# --- the multi-map -----------------------------------------------------------------------------

@cython.final
cdef class QueryParams:
    """The decoded names and values of a query: an immutable multi-map that keeps order and duplicates.

    QueryParams(pairs=()) takes an iterable of pairs of str, or a mapping of str to str. It is a Mapping for
    look-up (params[name] is the first value), but iteration, len(), keys(), values() and items() go over all
    pairs in order, so a name may come twice; dict(params) keeps each first value. Equal and hashed by its pairs.
    TypeError where a name or value is no str, ValueError where an item is no pair.
    https://url.spec.whatwg.org/#concept-urlencoded
    """
    cdef tuple pairs
    cdef dict index          # name -> list of its values; None: not yet looked up

    def __cinit__(self, pairs=()):
        self.pairs = tuple([pair_of(item) for item in pairs_in(pairs)])

    @staticmethod
    def parse(query):
        """The parameters of a query (str, without its "?"). Octets that are not UTF-8 become lone surrogates
        ("surrogateescape"), which str() takes back. TypeError where query is no str.

        https://url.spec.whatwg.org/#concept-urlencoded-string-parser
        """
        cdef QueryParams params = QueryParams.__new__(QueryParams)
        params.pairs = tuple(parse_form(query, "surrogateescape"))
        return params

    cdef list values_of(self, object name):
        """All values of a name, or None. The index makes many look-ups linear."""
        cdef dict index = self.index
        if index is None:
            index = {}
            for key, value in self.pairs:
                index.setdefault(key, []).append(value)
            self.index = index
        return index.get(name)

    def __getitem__(self, name):
        """The first value of a name; KeyError where there is none."""
        found = self.values_of(name)
        if found is None:
            raise KeyError(name)
        return found[0]

    def get(self, name, default=None):
        """The first value of a name, or default."""
        found = self.values_of(name)
        return default if found is None else found[0]

    def get_all(self, name):
        """All values of a name, in order, as a tuple."""
        return tuple(self.values_of(name) or ())

    def __contains__(self, name):
        return self.values_of(name) is not None

    def __iter__(self):
        return iter(self.keys())

    def __len__(self):
        return len(self.pairs)

    def keys(self):
        """The name of each pair, in order, as a tuple."""
        return tuple([name for name, _ in self.pairs])

    def values(self):
        """The value of each pair, in order, as a tuple."""
        return tuple([value for _, value in self.pairs])

    def items(self):
        """Each pair, in order, as a tuple of tuples."""
        return self.pairs

    def __eq__(self, other):
        if type(other) is not QueryParams:
            return NotImplemented
        return self.pairs == (<QueryParams>other).pairs

    def __hash__(self):
        return hash(self.pairs)

    def __str__(self):
        """The query text, form-encoded (serialize_form)."""
        return serialize_form(self.pairs)

    def __repr__(self):
        return f"QueryParams({list(self.pairs)!r})"

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        return QueryParams, (self.pairs,)


cdef extern from *:
    """
    #define URLSM_SET_MAPPING(type) (((PyTypeObject *)(type))->tp_flags |= Py_TPFLAGS_MAPPING)
    """
    void set_mapping "URLSM_SET_MAPPING"(object type)


# For isinstance, and for "match" (register cannot give an extension type the flag that "match" asks for).
Mapping.register(QueryParams)
set_mapping(QueryParams)
