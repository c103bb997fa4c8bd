"""A URL as urllib.parse reads it: octets, what the machine found in them, and text made of that."""
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.object cimport PyObject
from cpython.ref cimport Py_INCREF
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memchr, memcmp
from urlsm.buffer cimport ascii_data, ascii_text, is_ascii
from urlsm.machine cimport ABSENT, MAX_LENGTH, Machine, PATH, SCHEME, Span

cdef extern from *:
    """
    /* A result of one of the interpreter's own classes, without a call to that class: a tuple with nothing besides.
     * It will hold nothing but exact str or bytes, so it is in no cycle, and is not told to the collector, which would
     * look at it again and again: to keep a hundred thousand results costs three times as much with tracking. */
    static inline PyObject *urlsm_result(PyObject *type, Py_ssize_t size)
    {
        PyTupleObject *result = PyObject_GC_NewVar(PyTupleObject, (PyTypeObject *)type, size);
        if (result == NULL)
            return NULL;
        for (Py_ssize_t k = 0; k < size; k++)
            result->ob_item[k] = NULL;
    #if PY_VERSION_HEX >= 0x030E0000
        result->ob_hash = -1;
    #endif
        return (PyObject *)result;
    }
    """
    object new_result "urlsm_result"(object type, Py_ssize_t size)
    void PyTuple_SET_ITEM(object, Py_ssize_t, object)
    PyObject* PyTuple_GET_ITEM(object, Py_ssize_t)
    Py_ssize_t PyTuple_GET_SIZE(object)
    Py_ssize_t PyUnicode_GET_LENGTH(object)

cdef enum Kind:              # what the octets are
    ASCII                    # a str
    UTF8                     # a str's, lone surrogates too
    OCTETS                   # bytes, all ASCII

cdef struct Octets:
    const uint8_t* p         # borrowed
    Py_ssize_t n
    Kind kind

cdef struct Piece:
    const uint8_t* p         # borrowed
    Py_ssize_t n

cdef object general()
cpdef object split(object text, object scheme, bint fragments)
cpdef object parse(object text, object scheme, bint fragments)
cdef object octets_of(object text, Octets* o)
cdef object read(Machine* m, object owner, const Octets* o, bint fragments)
cdef uint32_t params_of(const Machine* m, Piece scheme) except? 0xFFFFFFFE
cdef bint listed(list names, Piece scheme, Py_ssize_t guess) except -1


cdef inline int put(object result, Py_ssize_t k, object item) except -1:
    """Set an item of a result just made."""
    Py_INCREF(item)
    PyTuple_SET_ITEM(result, k, item)
    return 0


cdef inline object text_of(const uint8_t* p, Py_ssize_t n, Kind kind):
    if kind == ASCII and n > 1:
        return ascii_text(p, n)
    if kind == OCTETS:
        return PyBytes_FromStringAndSize(<const char*>p, n)
    return PyUnicode_DecodeUTF8(<const char*>p, n, "surrogatepass")  # shares "" and single characters


cdef inline object component(const Machine* m, int which, Kind kind):
    """A component as it stands; empty where it is absent."""
    cdef Span s = m.spans[which]
    if s.start == s.end:
        return b"" if kind == OCTETS else ""
    return text_of(m.text.p + s.start, s.end - s.start, kind)


cdef inline Piece piece_of(object text) noexcept:
    """The octets of an exact str or bytes; none of a str that is not ASCII (no list of schemes holds it)."""
    if type(text) is bytes:
        return Piece(<const uint8_t*>PyBytes_AS_STRING(text), PyBytes_GET_SIZE(text))
    if is_ascii(text):
        return Piece(ascii_data(text), PyUnicode_GET_LENGTH(text))
    return Piece(NULL, 0)


cdef inline Piece piece(const Machine* m, int which) noexcept:
    """The octets of a component; none where it is absent."""
    cdef Span s = m.spans[which]
    cdef const uint8_t* p = m.text.p
    if s.start != ABSENT:
        p += s.start
    return Piece(p, s.end - s.start)


cdef inline bint is_plain(object url) noexcept:
    return type(url) is str or type(url) is bytes
