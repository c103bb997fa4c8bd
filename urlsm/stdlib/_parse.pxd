"""A URL as urllib.parse reads it: octets, their spans found by the machine, and their text."""
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.object cimport PyObject
from cpython.ref cimport Py_INCREF
from libc.stdint cimport uint8_t, uint32_t
from urlsm.machine.machine cimport ABSENT, Machine, Span
from urlsm.machine.reading cimport Reading
from urlsm.octets.buffer cimport ascii_data, ascii_text, is_ascii, utf8_text
from urlsm.octets.slice cimport Slice

cdef extern from *:
    """
    /* A result of one of the interpreter's own classes, without a call to that class: a tuple, and the slots after its
     * items, which are False (_keep_empty: this is not a result of missing_as_none). It will hold only exact str or
     * bytes, so it cannot be in a cycle, and the collector does not track it: with tracking, keeping a hundred thousand
     * results takes three times as long. */
    static inline PyObject *urlsm_result(PyObject *type, Py_ssize_t size, int slots)
    {
        PyTupleObject *result = PyObject_GC_NewVar(PyTupleObject, (PyTypeObject *)type, size);
        if (result == NULL)
            return NULL;
        for (Py_ssize_t k = 0; k < size; k++)
            result->ob_item[k] = NULL;
        for (Py_ssize_t k = size; k < size + slots; k++) {
            Py_INCREF(Py_False);
            result->ob_item[k] = Py_False;
        }
    #if PY_VERSION_HEX >= 0x030E0000
        result->ob_hash = -1;
    #endif
        return (PyObject *)result;
    }

    /* The number of slots after the items of an instance; -1 if the class has another layout than a tuple and slots. */
    static inline int urlsm_slots(PyObject *cls)
    {
        PyTypeObject *type = (PyTypeObject *)cls;
        const unsigned long outside = 7ul << 2; /* a dict, weak references or values that lie before the object */
        if (!PyType_Check(cls) || !PyType_IsSubtype(type, &PyTuple_Type) || (type->tp_flags & outside)
            || type->tp_dictoffset || type->tp_weaklistoffset || type->tp_itemsize != sizeof(PyObject *)
            || PyTuple_Type.tp_basicsize != offsetof(PyTupleObject, ob_item) || type->tp_alloc != PyType_GenericAlloc
            || type->tp_free != PyObject_GC_Del || type->tp_init != PyBaseObject_Type.tp_init)
            return -1;
        if (type->tp_basicsize == PyTuple_Type.tp_basicsize)
            return 0;
        return type->tp_basicsize == PyTuple_Type.tp_basicsize + (Py_ssize_t)sizeof(PyObject *) ? 1 : -1;
    }

    /* The slot after the items of an instance; borrowed, may be NULL. */
    #define urlsm_slot(result) (((PyTupleObject *)(result))->ob_item[Py_SIZE(result)])
    """
    object allocated "urlsm_result"(PyObject* type, Py_ssize_t size, int slots)
    object new_tuple "PyTuple_New"(Py_ssize_t size)
    int slots_of "urlsm_slots"(object cls) noexcept
    PyObject* slot "urlsm_slot"(object result) noexcept
    void PyTuple_SET_ITEM(object, Py_ssize_t, object)
    PyObject* PyTuple_GET_ITEM(object, Py_ssize_t)
    Py_ssize_t PyTuple_GET_SIZE(object)
    Py_ssize_t PyUnicode_GET_LENGTH(object)

cdef enum Kind:              # the kind of the octets
    ASCII                    # a str
    UTF8                     # of a str, with lone surrogates
    OCTETS                   # bytes, all ASCII

cdef struct Argument:        # str or bytes
    const uint8_t* p         # borrowed
    Py_ssize_t n
    Kind kind

cdef struct Shape:           # one of the interpreter's result classes
    PyObject* type           # borrowed from urllib.parse as imported, which these modules keep alive
    Py_ssize_t size          # items
    int slots                # after the items; -1: unknown, so only the class itself may make instances

cdef Shape shape_of(object cls, Py_ssize_t size) except *
cdef object constructed(const Shape* shape, object items)
cdef object general()
cpdef object split(object text, object scheme, bint fragments)
cpdef object parse(object text, object scheme, bint fragments)
cdef object read_argument(object text, Argument* o)
cdef object read_spans(Reading* r, object owner, const Argument* o, bint fragments)
cdef uint32_t params_of(const Machine* m, Slice scheme) except? 0xFFFFFFFE
cdef Py_ssize_t place_of_https(list names) except -1
cdef bint listed(list names, Slice scheme, Py_ssize_t guess) except -1


cdef inline object new_result(const Shape* shape):
    """Return a result to put items into; finished() turns it into one of its class, if it is not yet."""
    if shape.slots < 0:
        return new_tuple(shape.size)
    return allocated(shape.type, shape.size, shape.slots)


cdef inline object finished(const Shape* shape, object result):
    return constructed(shape, result) if shape.slots < 0 else result


cdef inline int put(object result, Py_ssize_t k, object item) except -1:
    """Set an item of a new result."""
    Py_INCREF(item)
    PyTuple_SET_ITEM(result, k, item)
    return 0


cdef inline object as_given(const uint8_t* p, Py_ssize_t n, Kind kind):
    """Return octets as str or bytes, like the argument."""
    if kind == ASCII and n > 1:
        return ascii_text(p, n)
    if kind == OCTETS:
        return PyBytes_FromStringAndSize(<const char*>p, n)
    return utf8_text(p, n)  # shares "" and single characters


cdef inline object component(const Machine* m, int which, Kind kind):
    """Return a component as written; empty if it is absent."""
    cdef Span s = m.spans[which]
    if s.start == s.end:
        return b"" if kind == OCTETS else ""
    return as_given(m.text.p + s.start, s.end - s.start, kind)


cdef inline Slice slice_of_text(object text) noexcept:
    """Return the octets of an exact str or bytes; empty for a str beyond ASCII, which no list of schemes holds."""
    if type(text) is bytes:
        return Slice(<const uint8_t*>PyBytes_AS_STRING(text), PyBytes_GET_SIZE(text))
    if is_ascii(text):
        return Slice(ascii_data(text), PyUnicode_GET_LENGTH(text))
    return Slice(NULL, 0)


cdef inline Slice filled(const Machine* m, int which) noexcept:
    """Return the octets of a component; empty, but not at NULL, if it is absent."""
    cdef Span s = m.spans[which]
    cdef const uint8_t* p = m.text.p
    if s.start != ABSENT:
        p += s.start
    return Slice(p, s.end - s.start)


cdef inline bint is_exact(object url) noexcept:
    return type(url) is str or type(url) is bytes
