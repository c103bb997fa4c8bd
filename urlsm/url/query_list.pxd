"""The list of a URLSearchParams: the query's text as long as that is plain, then pairs of str.

A query is plain if all of it is ASCII, no name has an escape ("%", "+") and no field is empty. Then the names stand in
the text as the parser would decode them: the name ends at the first "=" of a field, the value follows, and there is one
field more than "&". https://url.spec.whatwg.org/#concept-urlencoded-parser
"""
from cpython.object cimport PyObject
from cpython.unicode cimport PyUnicode_DecodeUTF8, PyUnicode_New
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memchr, memcmp, memcpy
from urlsm.octets.buffer cimport Buffer, ascii_data, ascii_text, buffer_free, buffer_put, buffer_start, is_ascii
from urlsm.octets.find cimport find
from urlsm.octets.text cimport FORM, quoting_at, write_quoted, write_unquoted
from urlsm.octets.utf8 cimport read_point

cdef extern from *:
    """
    /* Whether it is a tuple of two exact str. */
    #define URLSM_IS_PAIR(pair) (PyTuple_CheckExact(pair) && PyTuple_GET_SIZE(pair) == 2 \\
        && PyUnicode_CheckExact(PyTuple_GET_ITEM(pair, 0)) && PyUnicode_CheckExact(PyTuple_GET_ITEM(pair, 1)))
    """
    bint is_pair "URLSM_IS_PAIR"(PyObject* pair) noexcept
    PyObject* PyList_GET_ITEM(list pairs, Py_ssize_t k) noexcept
    PyObject* PyTuple_GET_ITEM(PyObject* pair, Py_ssize_t k) noexcept
    Py_ssize_t PyUnicode_GET_LENGTH(PyObject* text) noexcept
    uint32_t largest "PyUnicode_MAX_CHAR_VALUE"(PyObject* text) noexcept  # of its kind: 0x7F, 0xFF, 0xFFFF ...

cdef enum:
    FEW_FIELDS = 16          # up to this many are sorted in place

cdef struct Field:
    const uint8_t* start
    const uint8_t* equals    # where its name ends
    const uint8_t* end       # where it ends; NULL if there is no such field


# --- a plain query -----------------------------------------------------------------------------

cdef inline Py_ssize_t read_fields(const uint8_t* p, Py_ssize_t n, bint* escaped) noexcept:
    """Return the number of fields of p[0:n], which is ASCII; 0 if it is not plain. Set escaped if a value is."""
    cdef const uint8_t* last = p + n
    cdef const uint8_t* percent = find(p, last, c'%')  # the next one
    cdef const uint8_t* plus = find(p, last, c'+')
    cdef const uint8_t* end
    cdef Py_ssize_t fields = 0
    escaped[0] = percent < last or plus < last
    while True:
        end = find(p, last, c'&')
        if end == p or (escaped[0] and min(percent, plus) < find(p, end, c'=')):
            return 0
        fields += 1
        if end == last:
            return fields
        p = end + 1
        if percent < p:
            percent = find(p, last, c'%')
        if plus < p:
            plus = find(p, last, c'+')


cdef inline bint is_named(const uint8_t* p, const uint8_t* last, const uint8_t* name, Py_ssize_t n) noexcept:
    """Is the field that begins at p, of a text that ends at last, of the name name[0:n]?"""
    if last - p < n or (n and (p[0] != name[0] or memcmp(p, name, n) != 0)):
        return False
    if p + n < last and p[n] != c'=' and p[n] != c'&':
        return False
    # no field has a name with "=" or "&" in it
    return memchr(name, c'=', n) == NULL and memchr(name, c'&', n) == NULL


cdef inline Field field_from(str query, const uint8_t* p, str name, str value) noexcept:
    """Return the next field of this name, and of this value unless that is None, from p on: the start of a field of a
    plain query, or one octet after the query. With a value, no value of the query is escaped."""
    cdef Field found
    cdef const uint8_t* last = ascii_data(query) + len(query)
    cdef Py_ssize_t n = len(name)
    found.start = found.equals = found.end = NULL
    if not is_ascii(name) or (value is not None and not is_ascii(value)):
        return found
    while p <= last:
        if is_named(p, last, ascii_data(name), n):
            found.start, found.equals, found.end = p, p + n, find(p + n, last, c'&')
            if value is None or (found.end - value_of(&found) == len(value)
                                 and memcmp(value_of(&found), ascii_data(value), len(value)) == 0):
                return found
        p = find(p, last, c'&') + 1
    found.end = NULL
    return found


cdef inline const uint8_t* value_of(const Field* field) noexcept:
    """Return where its value starts."""
    return field.equals + (field.equals < field.end)


cdef inline str value_in(str query, const Field* field):
    """Return its value, decoded."""
    cdef const uint8_t* p = value_of(field)
    cdef Py_ssize_t n = field.end - p
    cdef Buffer b
    if find(p, field.end, c'%') == field.end and find(p, field.end, c'+') == field.end:
        # the interpreter keeps the shortest
        return ascii_text(p, n) if n > 1 else query[p - ascii_data(query):field.end - ascii_data(query)]
    buffer_start(&b)
    try:
        write_unquoted(&b, p, n, True)
        return PyUnicode_DecodeUTF8(<const char*>b.p, b.n, "replace")
    finally:
        buffer_free(&b)


cdef inline bint is_utf8(const uint8_t* p, size_t n) noexcept:
    cdef size_t k = 0
    while k < n:
        if read_point(p, n, &k) > 0x10FFFF:
            return False
    return True


cdef inline str serialized(str query):
    """A plain query's pairs, serialised; None where a value is not UTF-8. What its octets decode to, percent-encoded
    again, is that of the text that they decode to. https://url.spec.whatwg.org/#concept-urlencoded-serializer"""
    cdef Buffer b, decoded
    cdef const uint8_t* p = ascii_data(query)
    cdef const uint8_t* last = p + len(query)
    cdef const uint8_t* end
    cdef const uint8_t* equals
    buffer_start(&b)
    buffer_start(&decoded)
    try:
        while p <= last:
            end = find(p, last, c'&')
            equals = find(p, end, c'=')
            if b.n:
                buffer_put(&b, c'&')
            write_quoted(&b, p, equals - p, quoting_at(FORM))
            buffer_put(&b, c'=')
            p = equals + (equals < end)
            if find(p, end, c'%') == end and find(p, end, c'+') == end:
                write_quoted(&b, p, end - p, quoting_at(FORM))
            else:
                decoded.n = 0
                if write_unquoted(&decoded, p, end - p, True) and not is_utf8(decoded.p, decoded.n):
                    return None
                write_quoted(&b, decoded.p, decoded.n, quoting_at(FORM))
            p = end + 1
        return ascii_text(b.p, b.n)
    finally:
        buffer_free(&b)
        buffer_free(&decoded)


cdef inline bint is_before(const Field* a, const Field* b) noexcept:
    """Return whether the name is less. Octets compare as UTF-16 code units do: all of them are ASCII."""
    cdef Py_ssize_t of_a = a.equals - a.start, of_b = b.equals - b.start
    cdef int order = memcmp(a.start, b.start, min(of_a, of_b))
    return order < 0 or (order == 0 and of_a < of_b)


cdef inline str with_fields_sorted(str query):
    """Return a plain query of FEW_FIELDS at most, with its fields sorted by name; stable."""
    cdef Field[FEW_FIELDS] fields
    cdef Field field
    cdef const uint8_t* p = ascii_data(query)
    cdef const uint8_t* last = p + len(query)
    cdef Py_ssize_t count = 0, k
    cdef bint changed = False
    cdef str made
    cdef uint8_t* out
    while p <= last:
        field.start, field.end = p, find(p, last, c'&')
        field.equals = find(p, field.end, c'=')
        k = count
        while k > 0 and is_before(&field, &fields[k - 1]):
            fields[k] = fields[k - 1]
            k -= 1
        changed = changed or k < count
        fields[k] = field
        count += 1
        p = field.end + 1
    if not changed:
        return query
    made = PyUnicode_New(len(query), 127)
    out = ascii_data(made)
    for k in range(count):
        if k:
            out[0] = c'&'
            out += 1
        memcpy(out, fields[k].start, fields[k].end - fields[k].start)
        out += fields[k].end - fields[k].start
    return made


# --- a list of pairs ---------------------------------------------------------------------------

cdef enum:                   # how the names of pairs are sorted: by UTF-16 code units;
    SORTED
    NARROW                   # not sorted, but each code point is one code unit
    WIDE                     # there may be code points of two units


cdef inline object changed_from_outside():
    return ValueError("the list of pairs was changed from outside")


cdef inline list checked_pairs(list pairs):
    """Return pairs if all items are pairs of str, which C may read; ValueError if other code has put something else
    there."""
    cdef Py_ssize_t k
    for k in range(len(pairs)):
        if not is_pair(PyList_GET_ITEM(pairs, k)):
            raise changed_from_outside()
    return pairs


cdef inline int order_of(list pairs) except -1:
    cdef Py_ssize_t k
    cdef PyObject* name
    cdef PyObject* before = NULL
    cdef int order = SORTED
    for k in range(len(pairs)):
        name = PyTuple_GET_ITEM(PyList_GET_ITEM(pairs, k), 0)
        if largest(name) > 0xFFFF:
            return WIDE
        if before != NULL and <str>name < <str>before:
            order = NARROW
        before = name
    return order


cdef inline object value_at(list pairs, Py_ssize_t k):
    return <object>PyTuple_GET_ITEM(PyList_GET_ITEM(pairs, k), 1)


cdef inline Py_ssize_t place_of(list pairs, str name, str value, Py_ssize_t k) except -1:
    """Return the index from k on of the next pair of this name, and of this value unless that is None; else their
    number. ValueError as checked_pairs."""
    cdef PyObject* pair
    cdef Py_ssize_t n = len(name)
    for k in range(k, len(pairs)):
        pair = PyList_GET_ITEM(pairs, k)
        if not is_pair(pair):
            raise changed_from_outside()
        if PyUnicode_GET_LENGTH(PyTuple_GET_ITEM(pair, 0)) == n and <str>PyTuple_GET_ITEM(pair, 0) == name \
                and (value is None or <str>PyTuple_GET_ITEM(pair, 1) == value):
            return k
    return len(pairs)


cdef inline int remove_pairs(list pairs, str name, str value, Py_ssize_t start) except -1:
    """Remove the pairs of this name, and of this value unless that is None, from start on."""
    cdef Py_ssize_t k = place_of(pairs, name, value, start), after
    cdef list kept
    if k < len(pairs):
        kept, start = [], k
        while k < len(pairs):
            after = place_of(pairs, name, value, k + 1)
            kept.extend(pairs[k + 1:after])
            k = after
        pairs[start:] = kept
    return 0
