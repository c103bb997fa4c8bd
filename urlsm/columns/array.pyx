"""Columns as Python objects, which export themselves through the PyCapsule interface of Arrow.

https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html
"""
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING
from cpython.exc cimport PyErr_ExceptionMatches, PyErr_Occurred
from cpython.object cimport PyObject
from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_New
from cpython.ref cimport Py_DECREF, Py_INCREF
from libc.errno cimport EIO, ENOMEM
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset
from urlsm.columns.arrow cimport (
    ArrowArray, ArrowArrayStream, ArrowSchema, Column, array_export, column_free, column_held, column_new,
)
from urlsm.columns.cells cimport Cell, Cells, NO_TEXT, bit_at, cell_at, cells_of, index_at
from urlsm.columns.cuts cimport put_lines
from urlsm.columns.told cimport told
from urlsm.url.slots cimport set_new
from urlsm.columns.names import Schema, cast_schema


cdef Array array_of(Column* column, object schema):
    """Return the Python object of a column, which it owns from now on."""
    cdef Array array = Array.__new__(Array)
    array.column = column
    array.schema = schema
    return array


@cython.final
@cython.no_gc
@cython.binding(False)
cdef class Array:
    """A column that urlsm made, for any Arrow library: pyarrow.array(a), polars.Series(a), a DuckDB query.

    Attributes: schema, the type (str(a.schema) is Arrow's name of it); null_count.
    """

    def __cinit__(self):
        self.column = NULL

    def __dealloc__(self):
        column_free(self.column)

    def __len__(self):
        return self.column.array.length

    @property
    def null_count(self):
        return self.column.array.null_count

    def field(self, name):
        """Return a field of a struct, as a column. KeyError for an unknown name."""
        for k, child in enumerate(self.schema.children):
            if child.name == name:
                return array_of(column_held(self.column.children[k]), child)
        raise KeyError(name)

    def __repr__(self):
        return f"<urlsm.columns.Array: {len(self)} rows of {self.schema}>"

    def to_pylist(self):
        """Return the rows as Python objects: str, bytes, int, bool, None; of a struct, dicts."""
        return pylist(self.column, self.schema)

    def __arrow_c_schema__(self):
        return schema_capsule(self.schema)

    def __arrow_c_array__(self, requested_schema=None):
        """Export the array, in the text layouts that the consumer requests, if any."""
        cdef Array array = self
        cdef ArrowArray* out
        if requested_schema is not None:
            array = cast(self, schema_in(requested_schema))
        out = <ArrowArray*>malloc(sizeof(ArrowArray))
        if out == NULL:
            raise MemoryError()
        out.release = NULL
        capsule = PyCapsule_New(out, "arrow_array", free_array_capsule)
        if not array_export(array.column, out):
            raise MemoryError()
        return schema_capsule(array.schema), capsule


cdef PyObject* refuse_new(PyObject* cls, PyObject* args, PyObject* kwargs) except NULL:
    raise TypeError("an Array cannot be made directly; urlsm.columns.parse and its kin make them")


set_new(Array, <void*>refuse_new)  # here, Array.__new__(Array) makes one without a column, past the type's slot


cdef object cast(object array, object wanted):
    from urlsm.columns.work import cast_to
    return cast_to(array, wanted)


cdef list pylist(Column* c, schema):
    cdef Cells cells
    cdef Cell text
    cdef int64_t k
    cdef const uint8_t* validity = <const uint8_t*>c.array.buffers[0]
    cdef const void* main = c.array.buffers[1] if c.array.n_buffers > 1 else NULL
    cdef list made = [None] * c.array.length
    format = schema.format
    if format == "+l":
        values = pylist(c.children[0], schema.children[0])
        for k in range(c.array.length):
            if validity == NULL or bit_at(validity, k):
                made[k] = values[(<const int32_t*>main)[k]:(<const int32_t*>main)[k + 1]]
        return made
    if schema.children:
        columns = [pylist(c.children[k], child) for k, child in enumerate(schema.children)]
        names = [child.name for child in schema.children]
        for k in range(c.array.length):
            if validity == NULL or bit_at(validity, k):
                made[k] = {name: column[k] for name, column in zip(names, columns)}
        return made
    if format.startswith("w:"):
        width = int(format[2:])
        for k in range(c.array.length):
            if validity == NULL or bit_at(validity, k):
                made[k] = (<const uint8_t*>main)[k * <int64_t>width:(k + 1) * <int64_t>width]
        return made
    octets = format.encode("ascii")
    cells_of(&cells, &c.array, octets)
    if cells.layout != NO_TEXT:
        for k in range(c.array.length):
            if cell_at(&cells, k, &text):
                value = text.p[:text.n]
                made[k] = value if "z" in format or "Z" in format else (<bytes>value).decode("utf-8", "surrogateescape")
        return made
    values = None if schema.dictionary is None else pylist(c.dictionary, schema.dictionary)
    for k in range(c.array.length):
        if validity == NULL or bit_at(validity, k):
            number = number_at(main, ord(format), k)
            made[k] = number if values is None else values[number]
    return made


cdef object number_at(const void* main, int format, int64_t k):
    if format == c'b':
        return bit_at(<const uint8_t*>main, k) != 0
    if format == c'L':  # (indices are below 2^63)
        return (<const uint64_t*>main)[k]
    return index_at(format, main, k)


@cython.final
@cython.binding(False)
cdef class Chunked:
    """Columns of one type, one after the other: the answer for a chunked column. Iterates over its chunks.

    Attributes: chunks, a list of Array; schema.
    """
    cdef readonly list chunks
    cdef readonly object schema

    def __init__(self, chunks, schema):
        self.chunks = list(chunks)
        self.schema = schema

    def __len__(self):
        return sum(map(len, self.chunks))

    def __iter__(self):
        return iter(self.chunks)

    @property
    def null_count(self):
        return sum(chunk.null_count for chunk in self.chunks)

    def field(self, name):
        """Return a field of a struct, as a chunked column. KeyError for an unknown name."""
        for child in self.schema.children:
            if child.name == name:
                return Chunked([chunk.field(name) for chunk in self.chunks], child)
        raise KeyError(name)

    def to_pylist(self):
        """Return the rows as Python objects."""
        return [value for chunk in self.chunks for value in chunk.to_pylist()]

    def __repr__(self):
        return f"<urlsm.columns.Chunked: {len(self)} rows of {self.schema} in {len(self.chunks)} chunks>"

    def __arrow_c_schema__(self):
        return schema_capsule(self.schema)

    def __arrow_c_stream__(self, requested_schema=None):
        return stream_capsule(self.chunks, self.schema, requested_schema)

    @staticmethod
    def stream_of(arrays, schema, requested_schema=None):
        """Return the capsule of a stream of these arrays, which are made on demand."""
        return stream_capsule(arrays, schema, requested_schema)


# --- our stream, over any iterable of Array ----------------------------------------------------

@cython.final
@cython.binding(False)
cdef class Pending:
    """The rest of an exported stream, and its last error."""
    cdef object arrays
    cdef object schema
    cdef bytes error


cdef void free_stream_capsule(object capsule) noexcept:
    cdef ArrowArrayStream* stream = <ArrowArrayStream*>PyCapsule_GetPointer(capsule, "arrow_array_stream")
    if stream.release != NULL:
        stream.release(stream)
    free(stream)


cdef object stream_capsule(object arrays, object schema, object requested):
    cdef ArrowArrayStream* out
    cdef Pending pending = Pending.__new__(Pending)
    wanted = None if requested is None else schema_in(requested)
    pending.schema = schema if wanted is None else cast_schema(schema, wanted)
    pending.arrays = iter(arrays) if wanted is None else (cast(array, wanted) for array in arrays)
    out = <ArrowArrayStream*>malloc(sizeof(ArrowArrayStream))
    if out == NULL:
        raise MemoryError()
    memset(out, 0, sizeof(ArrowArrayStream))
    capsule = PyCapsule_New(out, "arrow_array_stream", free_stream_capsule)
    Py_INCREF(pending)
    out.private_data = <void*>pending
    out.get_schema = stream_schema
    out.get_next = stream_next
    out.get_last_error = stream_error
    out.release = stream_release
    return capsule


ctypedef int (*Give)(ArrowArrayStream*, void*) noexcept  # give_schema, give_next: outcome_of handles an error


cdef int outcome_of(Pending pending, int outcome) noexcept:
    """Return 0, or the number of the current exception, and keep its text. Uses no try, whose code may need memory:
    with a lost error the stream would end early."""
    if outcome == 0:
        return 0
    outcome = ENOMEM if PyErr_Occurred() == NULL or PyErr_ExceptionMatches(MemoryError) else EIO
    pending.error = told()
    return outcome


cdef int give_schema(ArrowArrayStream* stream, void* out) except -1:
    write_schema(<ArrowSchema*>out, (<Pending>stream.private_data).schema)
    return 0


cdef int give_next(ArrowArrayStream* stream, void* out) except -1:
    cdef Array array = next((<Pending>stream.private_data).arrays, None)
    if array is not None and not array_export(array.column, <ArrowArray*>out):
        raise MemoryError()
    return 0


cdef int stream_schema(ArrowArrayStream* stream, ArrowSchema* out) noexcept with gil:
    cdef int outcome
    memset(out, 0, sizeof(ArrowSchema))
    outcome = outcome_of(<Pending>stream.private_data, (<Give>give_schema)(stream, out))
    if outcome and out.release != NULL:
        out.release(out)
    return outcome


cdef int stream_next(ArrowArrayStream* stream, ArrowArray* out) noexcept with gil:
    memset(out, 0, sizeof(ArrowArray))
    return outcome_of(<Pending>stream.private_data, (<Give>give_next)(stream, out))


cdef const char* stream_error(ArrowArrayStream* stream) noexcept with gil:
    cdef Pending pending = <Pending>stream.private_data
    return NULL if pending.error is None else <char*>pending.error


cdef void stream_release(ArrowArrayStream* stream) noexcept with gil:
    Py_DECREF(<Pending>stream.private_data)
    stream.private_data = NULL
    stream.release = NULL


def column_of_lines(octets: bytes):
    """Return the lines of a text, without the LF or CR LF that ends each, as a column of binary_view. The text after
    the last LF is a line unless it is empty."""
    cdef const uint8_t* p = <const uint8_t*>PyBytes_AS_STRING(octets)
    cdef size_t n = len(octets)
    cdef int64_t rows = octets.count(b"\n") + (n > 0 and p[n - 1] != c'\n')
    cdef Column* c
    if n > 0x7FFFFFFF:
        raise OverflowError("at most 2 GiB of text at a time")
    c = column_new(rows, 4, 0, 0)
    if c == NULL:
        raise MemoryError()
    array = array_of(c, Schema("vz"))
    c.owned[0], c.owned[1], c.owned[2] = malloc(16 * rows + 16), malloc(n + 1), malloc(8)
    if c.owned[0] == NULL or c.owned[1] == NULL or c.owned[2] == NULL:
        raise MemoryError()
    with nogil:
        memcpy(c.owned[1], p, n)
        (<int64_t*>c.owned[2])[0] = n
        c.array.buffers[1], c.array.buffers[2], c.array.buffers[3] = c.owned[0], c.owned[1], c.owned[2]
        put_lines(c.owned[0], <const uint8_t*>c.owned[1], n)
    return array


include "exchange.pxi"
include "filling.pxi"
