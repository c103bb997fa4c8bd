"""application/x-www-form-urlencoded over octets, and the immutable multi-map of a query.

https://url.spec.whatwg.org/#application/x-www-form-urlencoded
"""
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.unicode cimport PyUnicode_AsUTF8, PyUnicode_DecodeUTF8
from libc.stdint cimport uint8_t
from urlsm.machine.machine cimport ABSENT, Span
from urlsm.octets.buffer cimport (
    Buffer, ascii_data, ascii_text, buffer_free, buffer_put, buffer_start, is_ascii,
)
from urlsm.octets.find cimport find
from urlsm.octets.once cimport stay_all
from urlsm.octets.text cimport FORM, Quoting, quoting_at, write_quoted, write_unquoted
from urlsm.octets.query cimport QueryField, next_field
from urlsm.octets.text cimport scalar_values as scalar_octets
from urlsm.url.coding cimport Coding, is_spaced, set_coding
from urlsm.url.slots cimport set_attribute
from urlsm.url.spans cimport query_span
from urlsm.url.value cimport URL
from _collections_abc import Mapping
from urlsm.octets.text import utf8
from urlsm.url.value import Later


# --- parsing -----------------------------------------------------------------------------------

cdef struct Form:
    const uint8_t* end       # of the text
    const uint8_t* percent   # the next "%", or end
    const uint8_t* plus      # the next "+"
    bint ascii               # all of the text is ASCII
    const char* errors       # the decoder's error handler
    Buffer b                 # scratch


cdef inline str form_decoded(Form* f, const uint8_t* p, const uint8_t* end, bint plus):
    """Return a name or value p[0:end], decoded. plus: "+" is a space."""
    if f.percent >= end and (f.plus >= end or not plus):
        if f.ascii and end - p > 1:
            return ascii_text(p, end - p)
        return PyUnicode_DecodeUTF8(<const char*>p, end - p, f.errors)  # shares "" and single characters
    f.b.n = 0
    cdef bint high = write_unquoted(&f.b, p, end - p, plus)
    if f.percent < end:
        f.percent = find(end, f.end, c'%')
    if f.plus < end:
        f.plus = find(end, f.end, c'+')
    if f.ascii and not high and f.b.n > 1:
        return ascii_text(f.b.p, f.b.n)
    return PyUnicode_DecodeUTF8(<const char*>f.b.p, f.b.n, f.errors)


cdef object read_form(const uint8_t* p, Py_ssize_t n, bint ascii, uint8_t separator, bint keep_blank,
                      const char* errors, dict lists, const Coding* coding):
    """Return the pairs of p[0:n] (#concept-urlencoded-parser). keep_blank: also those with an empty value. lists:
    receives the values instead, in a list for each name. coding: NULL is that of forms."""
    cdef Form f
    cdef QueryField field
    cdef list pairs = []
    field.next = p
    f.end = p + n
    f.percent = find(p, f.end, c'%')
    f.plus = find(p, f.end, c'+')
    f.ascii = ascii
    f.errors = errors
    buffer_start(&f.b)
    try:
        while next_field(&field, f.end, separator):
            # "If bytes is the empty byte sequence, then continue."
            if field.end > field.name and (keep_blank or field.end - field.equals > 1):
                # "If bytes contains a 0x3D (=), then let name be the bytes from the start of bytes up to but
                # excluding its first 0x3D (=), and let value be the bytes, if any, after [it]"
                name = form_decoded(&f, field.name, field.equals, coding == NULL or coding.plus_in_names)
                value = "" if field.equals == field.end else form_decoded(
                    &f, field.equals + 1, field.end,
                    coding == NULL or coding.plus_in_values or is_spaced(coding, name))
                if lists is None:
                    pairs.append((name, value))
                else:
                    values = lists.get(name)
                    if values is None:
                        lists[name] = [value]
                    else:
                        (<list>values).append(value)
        return pairs
    finally:
        buffer_free(&f.b)


def scalar_values(text):
    """Return text with each lone surrogate as U+FFFD: Web IDL's USVString. TypeError if it is not a str.

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
        pass
    return scalar_octets(text).decode("utf-8")


def scalar_pair(item):
    """Return a pair of name and value as str: Web IDL's sequence<USVString>, of two items."""
    if isinstance(item, str):
        raise TypeError("expected a pair of name and value, not str")
    pair = tuple(map(scalar_values, item))
    if len(pair) != 2:
        raise TypeError(f"expected a pair of name and value, not {len(pair)} items")
    return pair


def parse_form(text, errors="replace"):
    """Return the pairs of names and values of a query, decoded: list[tuple[str, str]].

    Pieces between "&" split at their first "="; "+" is a space. errors (str) names the codecs handler for octets
    that are not UTF-8: "replace" makes them U+FFFD, and each lone surrogate of text too; "surrogateescape" makes
    them U+DC80 to U+DCFF, which serialize_form turns back. TypeError if text or errors is not a str.
    https://url.spec.whatwg.org/#concept-urlencoded-string-parser
    """
    return form_of(text, errors)


cdef list form_of(object text, object errors):
    """Return the answer of parse_form."""
    cdef const char* handler = PyUnicode_AsUTF8(errors)
    cdef bytes octets
    if type(text) is str and is_ascii(text):
        return read_form(ascii_data(text), len(<str>text), True, c'&', True, handler, None, NULL)
    if errors == "surrogateescape" and isinstance(text, str):
        octets = utf8(str.__str__(text))
    else:
        octets = (<str>scalar_values(text)).encode("utf-8")
    return read_form(<const uint8_t*>PyBytes_AS_STRING(octets), PyBytes_GET_SIZE(octets), False, c'&', True, handler,
                     None, NULL)


# --- serialising -------------------------------------------------------------------------------

cdef tuple pair_of(object item):
    """Return a name and its value, both exact str."""
    if isinstance(item, str):
        raise TypeError("expected a pair of name and value, not str")
    name, value = item
    if type(name) is str and type(value) is str:
        return item if type(item) is tuple else (name, value)
    if not isinstance(name, str) or not isinstance(value, str):
        raise TypeError(f"name and value must be str, not {type(name).__name__} and {type(value).__name__}")
    return str.__str__(name), str.__str__(value)


cdef object pairs_in(object source):
    """Return an iterable of the pairs of a mapping, or of an iterable of pairs."""
    if type(source) is tuple or type(source) is list or not hasattr(source, "items"):
        return source
    if type(source) is dict or type(source) is QueryParams:
        return source.items()
    from urlsm.url.multimaps import all_items
    return all_items(source)


cdef int write_coded(Buffer* b, str text, const Quoting* quoting) except -1:
    """Append text as UTF-8, percent-encoded."""
    cdef bytes octets
    if is_ascii(text):
        return write_quoted(b, ascii_data(text), len(text), quoting)
    octets = utf8(text)
    return write_quoted(b, <const uint8_t*>PyBytes_AS_STRING(octets), PyBytes_GET_SIZE(octets), quoting)


cdef int write_field(Buffer* b, str name, str value, const Coding* coding) except -1:
    """Append a name, and "=" and its value unless that is None."""
    write_coded(b, name, coding.name)
    if value is None:
        return 0
    buffer_put(b, c'=')
    return write_coded(b, value, coding.spaced if is_spaced(coding, name) else coding.value)


cdef int write_pair(Buffer* b, str name, str value) except -1:
    # "If output is not the empty string, then append U+0026 (&) to output."
    if b.n:
        buffer_put(b, c'&')
    write_coded(b, name, quoting_at(FORM))
    buffer_put(b, c'=')
    return write_coded(b, value, quoting_at(FORM))


def serialize_form(pairs):
    """Return the query text of pairs of names and values (an iterable of them, or a mapping), form-encoded.

    U+DC80 to U+DCFF become the octets that they stand for, any other lone surrogate U+FFFD. TypeError if a name or
    value is not a str, ValueError if an item is not a pair.
    https://url.spec.whatwg.org/#concept-urlencoded-serializer
    """
    cdef Buffer b
    cdef tuple pair
    buffer_start(&b)
    try:
        if type(pairs) is dict:
            for name, value in (<dict>pairs).items():
                if type(name) is str and type(value) is str:
                    write_pair(&b, <str>name, <str>value)
                else:
                    pair = pair_of((name, value))
                    write_pair(&b, <str>pair[0], <str>pair[1])
        else:
            for item in pairs_in(pairs):
                pair = pair_of(item)
                write_pair(&b, <str>pair[0], <str>pair[1])
        return ascii_text(b.p, b.n)
    finally:
        buffer_free(&b)


def params_of(URL url not None):
    """The query as an immutable multi-map of decoded names and values. "+" is a space, as in forms, unless the scheme's
    handler reads it as itself (mailto:, otpauth:, bitcoin: ...)."""
    cdef QueryParams params = QueryParams.__new__(QueryParams)
    cdef Coding coding
    cdef Span lies = query_span(&url.o, len(url.href))
    if lies.start != ABSENT:
        _owner = set_coding(&coding, url)
        params.pairs = tuple(read_form(ascii_data(url.href) + lies.start, lies.end - lies.start, True,
                                       c'&', True, b"surrogateescape", None, &coding))
    return params


# --- the multi-map -----------------------------------------------------------------------------

cdef enum:
    FEW = 8                  # up to this many pairs, a search takes no longer than making an index and looking there

cdef object MISSING = object()


@cython.final
@cython.freelist(8)
@cython.binding(False)
cdef class QueryParams:
    """QueryParams(pairs=())
--

    The decoded names and values of a query: an immutable multi-map that keeps order and duplicates.

    pairs is an iterable of pairs of str, or a mapping of str to str; of another library's multi-map every value counts.
    The multi-map is a Mapping for look-up (params[name] is the first value), but iteration, len(), keys(), values() and
    items() go over all pairs in order, so a name may come twice; dict(params) keeps each first value. Equal and hashed
    by its pairs. TypeError if a name or value is not a str, ValueError if an item is not a pair.
    https://url.spec.whatwg.org/#concept-urlencoded
    """
    cdef tuple pairs
    cdef dict index          # name -> list of its values; None: not yet looked up

    def __cinit__(self, pairs=()):
        if type(pairs) is tuple and not pairs:
            self.pairs = pairs
            return
        found = []
        for item in pairs_in(pairs):
            found.append(pair_of(item))
        self.pairs = tuple(found)

    @staticmethod
    def parse(query):
        """Return the parameters of a query (str, without its "?"). Octets that are not UTF-8 become lone surrogates
        ("surrogateescape"), which str() turns back. TypeError if query is not a str.

        https://url.spec.whatwg.org/#concept-urlencoded-string-parser
        """
        cdef QueryParams params = QueryParams.__new__(QueryParams)
        params.pairs = tuple(form_of(query, "surrogateescape"))
        return params

    cdef list values_of(self, object name):
        """Return all values of a name, or None. The index makes many look-ups linear."""
        cdef dict index
        with cython.critical_section(self):
            index = self.index
            if index is None:
                index = {}
                for key, value in self.pairs:
                    index.setdefault(key, []).append(value)
                self.index = index
        return index.get(name)

    cdef object first_of(self, object name, object default):
        """Return the first value of a name, or default. Few pairs need no index."""
        cdef tuple pair
        if type(name) is not str or len(self.pairs) > FEW:
            found = self.values_of(name)
            return default if found is None else found[0]
        for pair in self.pairs:
            if <str>pair[0] == <str>name:
                return pair[1]
        return default

    def __getitem__(self, name):
        """Return the first value of a name. KeyError if there is no such name."""
        found = self.first_of(name, MISSING)
        if found is MISSING:
            raise KeyError(name)
        return found

    def get(self, name, default=None):
        """The first value of a name, or default."""
        return self.first_of(name, default)

    def get_all(self, name):
        """All values of a name, in order, as a tuple."""
        cdef tuple pair
        cdef list found = None
        if type(name) is not str or len(self.pairs) > FEW:
            return tuple(self.values_of(name) or ())
        for pair in self.pairs:
            if <str>pair[0] == <str>name:
                if found is None:
                    found = []
                found.append(pair[1])
        return () if found is None else tuple(found)

    def __contains__(self, name):
        return self.first_of(name, MISSING) is not MISSING

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
        from urlsm.errors.masking import masked_part, names_beside
        names = names_beside(self.pairs)
        shown = []  # not repr(list): after memory has run out in it once, it shows "..." for ever
        for pair in self.pairs:
            shown.append(repr(masked_part("", pair, names)))
        return f"QueryParams([{', '.join(shown)}])"

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __dir__(self):
        return [name for name in object.__dir__(self) if name not in ELSEWHERE]

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


# names of other libraries' multi-maps: accessing one raises an error that suggests our name
cdef tuple ELSEWHERE = ("getall", "getlist", "get_list", "multi_items")
for _name in ELSEWHERE:
    set_attribute(QueryParams, _name, Later(_name, "urlsm.url.elsewhere"))
del _name

query_params = property(params_of)


stay_all(globals())
