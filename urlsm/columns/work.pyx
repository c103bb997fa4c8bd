"""Columns as Python objects: they are imported from other Arrow libraries, asked for fields, and exported again.

A call imports the arrays of a column (Source), asks a Question about each (Work), and returns an Array, or several
arrays as Chunked. These export themselves through the PyCapsule interface of Arrow. Polars calls this library by the C
ABI of Polars, without Python; see the last section.
https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html

This is one unit of 1,400 lines, because each use of columns needs all of it, and most of it makes an Array or reads
one.
"""
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING
from cpython.exc cimport PyErr_CheckSignals, PyErr_ExceptionMatches, PyErr_Occurred
from cpython.object cimport PyObject
from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_New
from cpython.ref cimport Py_DECREF, Py_INCREF
from libc.errno cimport EIO, ENOMEM
from libc.stdint cimport INT32_MAX, int32_t, int64_t, uint16_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset, strcmp
from urlsm.columns.arrow cimport (
    ArrowArray, ArrowArrayStream, ArrowSchema, Column, array_export, column_free, column_held, column_import,
    column_new, schema_start,
)
from urlsm.columns.cells cimport (
    Cell, Cells, LARGE_UTF8, NO_TEXT, UTF8, VIEW, bit_at, cell_at, cells_of, index_at, put_word,
)
from urlsm.columns.cuts cimport put_lines
from urlsm.columns.fields cimport is_of_list
from urlsm.columns.jobs cimport AS_IS, Job, Judge, KEYS, MAX_FIELDS, Plan, go_through, read_as, words_of
from urlsm.columns.rows cimport (
    job_finish, job_free, job_gather, job_move, job_start, job_work, names_of, segments_of, with_indices,
)
from urlsm.crawler.canonical cimport rulebook_of
from urlsm.crawler.keys cimport Rulebook
from urlsm.crawler.sites cimport Suffixes, suffixes_or_default
from urlsm.machine.driver cimport dialect_at
from urlsm.octets.buffer cimport Buffer, ascii_data, buffer_copy, buffer_free, buffer_start
from urlsm.octets.once cimport load, publish, published, store
from urlsm.url.slots cimport set_new
from urlsm.url.structs cimport Href
from urlsm.url.value cimport URL
from urlsm.url.write.host cimport write_number
from urlsm.columns.names import ALL_FIELDS, LIST, LISTED, SPANS as _SPANS, Schema, cast_schema, field_schema
from urlsm.octets.text import utf8

# --- importing columns ----------------------------------------------------------------------------
# Data from another library may be malformed. What can be detected without reading outside of the declared buffers is a
# ValueError here. A text that leaves its buffer is a ValueError when it is read.

cdef enum:
    MOST_NESTED = 64         # the deepest nesting of schemas that is read; no library nests so deeply
    MOST_FIELDS = 1 << 20    # a schema may have at most this many fields, nested ones included
cdef int64_t MOST_ROWS = <int64_t>1 << 36  # an array may have at most this many rows: no memory holds more offsets


cdef object no_column(object given):
    """Return the error for an object that is not a column of text."""
    kind = type(given).__name__
    if isinstance(given, (list, tuple)):
        return TypeError(f"expected an Arrow column, not a {kind}; make one of it: pyarrow.array(texts)")
    return TypeError(f"expected an Arrow column (an object with __arrow_c_array__ or __arrow_c_stream__), not {kind}")


cdef object schema_of(const ArrowSchema* given, int nested, int* fields):
    """Return the Schema of a C schema. nested: its depth. fields: the number of fields read before it."""
    cdef int64_t k
    cdef list children = []
    fields[0] += 1
    if given == NULL or given.n_children < 0 or (given.n_children and given.children == NULL) \
            or nested > MOST_NESTED or given.n_children > MOST_FIELDS - fields[0]:
        raise ValueError("the type's schema is malformed")
    if given.release == NULL:
        raise ValueError("the Arrow capsule of the type was already consumed")
    for k in range(given.n_children):
        children.append(schema_of(given.children[k], nested + 1, fields))
    name = "" if given.name == NULL else given.name.decode("utf-8", "replace")
    return Schema("" if given.format == NULL else given.format.decode("utf-8", "replace"), name, tuple(children),
                  None if given.dictionary == NULL else schema_of(given.dictionary, nested + 1, fields))


cdef object schema_in(object capsule):
    cdef int fields = 0
    return schema_of(<const ArrowSchema*>PyCapsule_GetPointer(capsule, "arrow_schema"), 0, &fields)


cdef int move_array(Source source, ArrowArray* given, object owner) except -1:
    """Move an array into the source. owner: the capsule that holds the array; two threads may try to move it at the
    same time."""
    with cython.critical_section(owner):
        if given.release == NULL:
            raise ValueError("the Arrow capsule of the column was already consumed")
        source.column = column_import(given)
    if source.column == NULL:
        raise MemoryError()
    source.array = source.column.array
    return 0


cdef int child_of(object schema, object column) except -1:
    """Return the number of the column with this name. TypeError: the schema is not that of record batches. KeyError:
    there is no such column; the message lists the columns."""
    names = [child.name for child in schema.children]
    if schema.format != "+s":
        raise TypeError(f"column={column!r} needs record batches (struct), not {schema}")
    if column not in names:
        raise KeyError(f"unknown column {column!r}; the columns are {', '.join(names)}")
    return names.index(column)


cdef Source text_source(Source source, object schema, object column):
    """Return the source of a column of text: source itself, or the column of this name in its struct. Raises TypeError
    if a column is named but source is not a struct, or if the type is not text, binary, null or a dictionary of text or
    binary."""
    cdef ArrowArray whole = source.array
    cdef int number
    if column is not None:
        number = child_of(schema, column)
        schema = schema.children[number]
        check_rows(&whole)
        if whole.n_children <= number or whole.children == NULL or whole.children[number] == NULL \
                or (whole.n_buffers and whole.buffers == NULL):
            raise malformed()
        source.array = whole.children[number][0]
        check_rows(&source.array)
        if source.array.length < whole.offset + whole.length:
            raise malformed()
        source.array.offset += whole.offset
        source.array.length = whole.length
    check_type(schema)
    values = schema if schema.dictionary is None else schema.dictionary
    source.format = values.format.encode("ascii")
    source.index = 0 if schema.dictionary is None else ord(schema.format)
    check_rows(&source.array)
    if source.index:
        check_buffers(&source.array, 2, 2)
        if source.array.dictionary == NULL:
            raise malformed()
        check_rows(source.array.dictionary)
    check_text(source.array.dictionary if source.index else &source.array, source.format)
    return source


cdef object malformed():
    return ValueError("the column's buffers are not what its type says")


cdef int check_rows(const ArrowArray* array) except -1:
    """Raise ValueError if the number of rows is impossible."""
    if not (0 <= array.length <= MOST_ROWS and 0 <= array.offset <= MOST_ROWS):
        raise malformed()
    return 0


cdef int check_buffers(const ArrowArray* array, int64_t least, int64_t most) except -1:
    """Raise ValueError if the number of buffers is wrong, or there are rows but no buffer for them."""
    if array.buffers == NULL or not least <= array.n_buffers <= most \
            or (array.length and array.buffers[1] == NULL):
        raise malformed()
    return 0


cdef int check_text(const ArrowArray* array, bytes format) except -1:
    """Raise ValueError if a necessary buffer is missing or has a negative size."""
    cdef int64_t k, last
    cdef const int64_t* sizes
    if format == b"n":
        return 0
    check_buffers(array, 3, INT32_MAX if format in (b"vu", b"vz") else 3)
    last = array.offset + array.length
    if format in (b"vu", b"vz"):
        sizes = <const int64_t*>array.buffers[array.n_buffers - 1]
        for k in range(array.n_buffers - 3):
            if sizes == NULL or sizes[k] < 0 or (sizes[k] and array.buffers[2 + k] == NULL):
                raise malformed()
    elif array.length:
        if format in (b"u", b"z"):
            last = (<const int32_t*>array.buffers[1])[last]
        else:
            last = (<const int64_t*>array.buffers[1])[last]
        if last < 0 or (last > 0 and array.buffers[2] == NULL):
            raise malformed()
    return 0


cdef tuple INTEGERS = ("c", "C", "s", "S", "i", "I", "l", "L")


cdef int check_type(object schema) except -1:
    """Raise TypeError, which names the type, unless it is text, binary, null or a dictionary of text or binary."""
    values = schema if schema.dictionary is None else schema.dictionary
    if values.format in ("u", "U", "vu", "z", "Z", "vz") and values.dictionary is None \
            and (schema is values or schema.format in INTEGERS):
        return 0
    if values.format == "n" and schema.dictionary is None:
        return 0
    raise TypeError(f"expected a column of utf8, large_utf8, string_view, binary, a dictionary of these, or null; "
                    f"not {schema if schema.dictionary is None else f'dictionary of {values}'}")


cdef Source with_indices_checked(Source source):
    """Return the source. ValueError: an index points outside of the dictionary; the answer would have this index
    too."""
    cdef const ArrowArray* array = &source.array
    cdef int64_t k, at
    cdef bint outside = False
    if source.index:
        with nogil:
            for k in range(array.offset, array.offset + array.length):
                at = index_at(source.index, array.buffers[1], k)
                if at < 0 or at >= array.dictionary.length:
                    outside |= array.buffers[0] == NULL or bit_at(<const uint8_t*>array.buffers[0], k)
        if outside:
            raise malformed()
    return source


cdef Source with_nulls_of_struct(Source source):
    """Return the source of a struct's child, in which each row is null where the struct is null, although "a child may
    have a non-null value there" (https://arrow.apache.org/docs/format/Columnar.html#struct-validity)."""
    cdef const ArrowArray* whole = &source.column.array
    cdef int64_t k, first = source.array.offset, n = source.array.length
    cdef const uint8_t* outer = <const uint8_t*>whole.buffers[0] if whole.n_buffers > 0 else NULL
    cdef const uint8_t* inner
    cdef uint8_t* both
    cdef Column* c
    if outer == NULL or whole.null_count == 0 or source.format == b"n":
        return source
    c = column_new(n, source.array.n_buffers, 0, 1)
    if c == NULL:
        raise MemoryError()
    both = <uint8_t*>calloc((first + n) // 8 + 1, 1)
    if both == NULL:
        column_free(c)
        raise MemoryError()
    inner = <const uint8_t*>source.array.buffers[0]
    for k in range(n):
        if bit_at(outer, whole.offset + k) and (inner == NULL or bit_at(inner, first + k)):
            both[(first + k) >> 3] |= <uint8_t>(1 << ((first + k) & 7))
    for k in range(source.array.n_buffers):
        c.array.buffers[k] = source.array.buffers[k]
    c.owned[0] = both
    c.array.buffers[0] = both
    c.held[0] = source.column  # c owns it from now on
    source.column, source.array.buffers = c, c.array.buffers
    return source


cdef Source slice_of(Source source, int64_t start, int64_t length):
    cdef Source part = Source.__new__(Source)
    part.column = column_held(source.column)
    part.array = source.array
    part.array.offset += start
    part.array.length = length
    part.format, part.index = source.format, source.index
    return part


@cython.final
@cython.no_gc
@cython.binding(False)
cdef class Source:
    def __cinit__(self):
        self.column = NULL

    def __dealloc__(self):
        column_free(self.column)

    def __len__(self):
        return self.array.length

    @property
    def schema(self):
        text = Schema(self.format.decode("ascii"))
        return Schema(chr(self.index), "", (), text) if self.index else text


@cython.final
@cython.binding(False)
cdef class Sources:
    """The arrays of a stream, one at a time. Attribute: schema, the type of each array."""
    cdef ArrowArrayStream* stream
    cdef object capsule
    cdef object column
    cdef readonly object schema

    def __init__(self, object capsule, object column=None):
        cdef ArrowSchema schema
        cdef int fields = 0
        self.capsule, self.column = capsule, column
        self.stream = <ArrowArrayStream*>PyCapsule_GetPointer(capsule, "arrow_array_stream")
        if self.stream.release == NULL:
            raise ValueError("the Arrow capsule of the stream was already consumed")
        if self.stream.get_schema == NULL or self.stream.get_next == NULL:
            raise ValueError("the stream lacks a function")
        memset(&schema, 0, sizeof(ArrowSchema))
        self.check(self.stream.get_schema(self.stream, &schema))
        try:
            self.schema = schema_of(&schema, 0, &fields)
        finally:
            if schema.release != NULL:
                schema.release(&schema)

    cdef int check(self, int outcome) except -1:
        cdef const char* message = NULL
        if outcome == ENOMEM:
            raise MemoryError()
        if outcome:
            if self.stream.get_last_error != NULL:
                message = self.stream.get_last_error(self.stream)
            raise OSError(outcome, "the stream failed" if message == NULL else message.decode("utf-8", "replace"))
        return 0

    def text_schema(self):
        """Return the type of the texts. TypeError if the stream holds other data."""
        schema = self.schema
        return schema if self.column is None else schema.children[child_of(schema, self.column)]

    def slices(self, int64_t rows):
        """Yield slices of each array, of at most `rows` rows."""
        cdef int64_t start
        cdef Source source
        for source in self:
            start = 0
            while start < source.array.length or start == 0:
                yield slice_of(source, start, min(rows, source.array.length - start))
                start += rows

    def __iter__(self):
        return self

    def __next__(self):
        cdef ArrowArray array
        cdef Source source = Source.__new__(Source)
        if self.stream == NULL or self.stream.release == NULL:
            raise StopIteration
        array.release = NULL
        with nogil:
            outcome = self.stream.get_next(self.stream, &array)
        self.check(outcome)
        if array.release == NULL:
            raise StopIteration
        move_array(source, &array, self)
        text_source(source, self.schema, self.column)
        return with_indices_checked(source if self.column is None else with_nulls_of_struct(source))


def source_of(column):
    """Return a Source for an object with __arrow_c_array__, or Sources for one with __arrow_c_stream__. TypeError: the
    object has neither, or is not a column of text."""
    cdef Source source
    if hasattr(column, "__arrow_c_array__"):
        schema, array = column.__arrow_c_array__()
        source = Source.__new__(Source)
        move_array(source, <ArrowArray*>PyCapsule_GetPointer(array, "arrow_array"), array)
        return with_indices_checked(text_source(source, schema_in(schema), None))
    return sources_of(column)


def sources_of(reader, column=None):
    """Return Sources for an object with __arrow_c_stream__. TypeError: the object has no such method."""
    if not hasattr(reader, "__arrow_c_stream__"):
        raise no_column(reader)
    return Sources(reader.__arrow_c_stream__(), column)


def type_of(schema):
    """Return the type, if it is that of a column of text. TypeError, which names the type, if it is any other."""
    check_type(schema)
    return schema


def slices(references, bases):
    """Yield pairs of sources with equal lengths, from two columns that may be in chunks. ValueError: one column is
    longer."""
    cdef Source a = None
    cdef Source b = None
    cdef int64_t rows
    left, right = iter_sources(references), iter_sources(bases)
    while True:
        while a is None or a.array.length == 0:
            a = next(left, None)
            if a is None:
                break
        while b is None or b.array.length == 0:
            b = next(right, None)
            if b is None:
                break
        if a is None and b is None:
            return
        if a is None or b is None:
            raise ValueError("the number of references differs from the number of bases")
        rows = min(a.array.length, b.array.length)
        yield slice_of(a, 0, rows), slice_of(b, 0, rows)
        a, b = slice_of(a, rows, a.array.length - rows), slice_of(b, rows, b.array.length - rows)


cdef object iter_sources(object given):
    return iter([given]) if isinstance(given, Source) else given


# --- exporting columns ----------------------------------------------------------------------------

cdef Array array_of(Column* column, object schema):
    """Return a Python object for a column. It owns the column from now on."""
    cdef Array array = Array.__new__(Array)
    array.column = column
    array.schema = schema
    return array


@cython.final
@cython.no_gc
@cython.binding(False)
cdef class Array:
    """A column that urlsm made, for any Arrow library: pyarrow.array(a), polars.Series(a), a DuckDB query.

    Attributes: schema, the type (str(a.schema) is Arrow's name for it); null_count, the number of null rows.
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
        """Return a field of a struct, as a column. KeyError: there is no such field."""
        for k, child in enumerate(self.schema.children):
            if child.name == name:
                return array_of(column_held(self.column.children[k]), child)
        raise KeyError(name)

    def __repr__(self):
        return f"<urlsm.columns.Array: {len(self)} rows of {self.schema}>"

    def to_pylist(self):
        """Return the rows as Python objects: str, bytes, int, bool or None; for a struct, as dicts."""
        return pylist(self.column, self.schema)

    def __arrow_c_schema__(self):
        return schema_capsule(self.schema)

    def __arrow_c_array__(self, requested_schema=None):
        """Export the array. If the consumer requests text layouts, it is exported in those."""
        cdef Array array = self
        cdef ArrowArray* out
        if requested_schema is not None:
            array = cast_to(self, schema_in(requested_schema))
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


set_new(Array, <void*>refuse_new)  # Cython's own Array.__new__(Array), used above, does not pass through this slot


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
    if format == c'L':  # indices are below 2^63, so index_at can read them
        return (<const uint64_t*>main)[k]
    return index_at(format, main, k)


cdef void free_schema_capsule(object capsule) noexcept:
    cdef ArrowSchema* schema = <ArrowSchema*>PyCapsule_GetPointer(capsule, "arrow_schema")
    if schema.release != NULL:
        schema.release(schema)
    free(schema)


cdef void free_array_capsule(object capsule) noexcept:
    cdef ArrowArray* array = <ArrowArray*>PyCapsule_GetPointer(capsule, "arrow_array")
    if array.release != NULL:
        array.release(array)
    free(array)


cdef int write_schema(ArrowSchema* out, object schema) except -1:
    cdef int64_t k
    if not schema_start(out, schema.format.encode("ascii"), schema.name.encode("utf-8"), len(schema.children),
                        schema.dictionary is not None):
        raise MemoryError()
    for k in range(len(schema.children)):
        write_schema(out.children[k], schema.children[k])
    if schema.dictionary is not None:
        write_schema(out.dictionary, schema.dictionary)
    return 0


cdef object schema_capsule(object schema):
    cdef ArrowSchema* out = <ArrowSchema*>malloc(sizeof(ArrowSchema))
    if out == NULL:
        raise MemoryError()
    memset(out, 0, sizeof(ArrowSchema))
    capsule = PyCapsule_New(out, "arrow_schema", free_schema_capsule)
    write_schema(out, schema)
    return capsule


# --- exporting streams ----------------------------------------------------------------------------

cdef extern from *:
    """
    /* Returns the current exception as bytes, "OSError: its text", and clears it. Returns None if there is no
     * exception, or if memory ran out. */
    static PyObject *urlsm_exception_text(void)
    {
        PyObject *kind, *error, *trace, *line = NULL, *text = NULL;
        PyErr_Fetch(&kind, &error, &trace);
        PyErr_NormalizeException(&kind, &error, &trace);
        if (error != NULL)
            line = PyUnicode_FromFormat("%s: %S", Py_TYPE(error)->tp_name, error);
        if (error != NULL && line == NULL) {
            PyErr_Clear();  /* the exception's __str__ raised an error */
            line = PyUnicode_FromString(Py_TYPE(error)->tp_name);
        }
        if (line != NULL)
            text = PyUnicode_AsEncodedString(line, "utf-8", "replace");
        PyErr_Clear();
        Py_XDECREF(line);
        Py_XDECREF(kind);
        Py_XDECREF(error);
        Py_XDECREF(trace);
        return text != NULL ? text : Py_NewRef(Py_None);
    }
    """
    object exception_text "urlsm_exception_text"()


@cython.final
@cython.binding(False)
cdef class Chunked:
    """Columns of one type, one after the other: the answer for a chunked column. Iteration yields its chunks.

    Attributes: chunks, a list of Array; schema, their type.
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
        """Return a field of a struct, as a chunked column. KeyError: there is no such field."""
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
        """Return the capsule of a stream of these arrays. The arrays are taken from the iterable on demand."""
        return stream_capsule(arrays, schema, requested_schema)


@cython.final
@cython.binding(False)
cdef class Pending:
    """The arrays of an exported stream that were not fetched yet, and the stream's last error."""
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
    pending.arrays = iter(arrays) if wanted is None else (cast_to(array, wanted) for array in arrays)
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


# the type of give_schema and give_next; outcome_of handles their errors
ctypedef int (*Give)(ArrowArrayStream*, void*) noexcept


cdef int outcome_of(Pending pending, int outcome) noexcept:
    """Return 0, or the errno for the current exception, whose text is kept. There is no `try` here, because its code
    may need memory; if the error got lost, the stream would end too early."""
    if outcome == 0:
        return 0
    outcome = ENOMEM if PyErr_Occurred() == NULL or PyErr_ExceptionMatches(MemoryError) else EIO
    pending.error = exception_text()
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


# --- lines of text --------------------------------------------------------------------------------

def column_of_lines(octets: bytes):
    """Return a column of binary_view with the lines of a text, without the LF or CR LF that ends each line. The text
    after the last LF is a line, unless it is empty."""
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


# --- rows written as lines of text ----------------------------------------------------------------
# A form is a sequence of octets with places in it, which are filled in for each row.

cdef enum:
    MAX_PLACES = 32
    MAX_LITERALS = MAX_PLACES + 1  # one before each place, and one after the last place

cdef struct Form:
    int count
    Cells[MAX_PLACES] cells        # the column of each place; its layout is NO_TEXT if it holds numbers
    const uint8_t* validity[MAX_PLACES]  # the validity of a column of numbers
    const uint16_t* numbers[MAX_PLACES]
    int[MAX_PLACES] hard           # the bits in `octets` that no octet of a text at this place may have
    const uint8_t* literal[MAX_LITERALS]
    size_t[MAX_LITERALS] length
    const uint8_t* quote           # written before and after each text
    size_t quote_length
    const uint8_t* absent          # written for a null
    size_t absent_length
    uint8_t[256] octets


cdef bint is_hard(const uint8_t* p, uint32_t n, const uint8_t* octets, int hard) noexcept nogil:
    cdef uint32_t k
    cdef int seen = 0
    for k in range(n):
        seen |= octets[p[k]]
    return seen & hard


cdef bint fill_row(Buffer* b, const Form* form, int64_t row) except -1 nogil:
    """Append a row. If Python has to write one of its texts, append nothing and return False."""
    cdef int k
    cdef Cell text
    cdef size_t start = b.n
    for k in range(form.count):
        buffer_copy(b, form.literal[k], form.length[k])
        if form.cells[k].layout == NO_TEXT:
            if form.validity[k] == NULL or bit_at(form.validity[k], row):
                write_number(b, form.numbers[k][row], 10)
            else:
                buffer_copy(b, form.absent, form.absent_length)
        elif not cell_at(&form.cells[k], row, &text):
            buffer_copy(b, form.absent, form.absent_length)
        elif is_hard(text.p, text.n, form.octets, form.hard[k]):
            b.n = start
            return False
        else:
            buffer_copy(b, form.quote, form.quote_length)
            buffer_copy(b, text.p, text.n)
            buffer_copy(b, form.quote, form.quote_length)
    buffer_copy(b, form.literal[form.count], form.length[form.count])
    return True


cdef Array field_of(Array given, Array struct, str name):
    return given if name == "input" else struct.field(name)


def fill_rows(Array given not None, Array struct not None, tuple names, tuple literals, bytes decoded, bytes quote,
              bytes absent, bytes hard):
    """Return the text of all rows, and the rows that were left out. Each row is literals[0], its field names[0],
    literals[1], its field names[1], and so on.

    Args:
        given: the texts whose fields are in the struct, from column_of_lines. They are the field "input".
        names: at most 32 fields that are texts or ports. literals: ASCII, one more than names.
        decoded: 1 for each name whose text must not contain "%". quote: written before and after each text.
        absent: written for a null. hard: octets that no text may contain.

    The caller has to write the rows that were left out. These are rows that are null, whose text is empty or begins
    with a space, or that have a text with `hard` octets or with other octets than printable ASCII. Each is a pair: the
    row's number, and the position in the text where it belongs.
    """
    cdef Form form
    cdef Buffer b
    cdef Array column
    cdef Cells lines
    cdef Cell text
    cdef int k
    cdef int64_t row, rows = len(given)
    cdef bint there
    cdef const uint8_t* valid = <const uint8_t*>struct.column.array.buffers[0]
    cdef list left = []
    if len(names) > MAX_PLACES or len(literals) != len(names) + 1 or len(decoded) != len(names) or len(struct) != rows:
        raise ValueError("a form must have at most 32 places, and one literal more than places")
    if given.schema.format != "vz" or struct.schema.format != "+s":
        raise TypeError(f"expected a column of binary_view and its struct, not {given.schema} and {struct.schema}")
    for k in range(256):
        form.octets[k] = (k < 0x20 or k > 0x7E or k in hard) | (k == c'%') << 1
    form.count = len(names)
    columns = [field_of(given, struct, name) for name in names]
    for k in range(form.count):
        column = columns[k]
        octets = (<str>column.schema.format).encode("ascii")
        cells_of(&form.cells[k], &column.column.array, octets)
        form.validity[k] = <const uint8_t*>column.column.array.buffers[0]
        form.numbers[k] = <const uint16_t*>column.column.array.buffers[1]
        if form.cells[k].layout == NO_TEXT and octets != b"S":
            raise ValueError(f"a form must hold texts and ports, not {column.schema}")
        form.hard[k] = 3 if decoded[k] else 1
    for k in range(form.count + 1):
        form.literal[k] = <const uint8_t*>PyBytes_AS_STRING(<bytes?>literals[k])
        form.length[k] = len(<bytes>literals[k])
    form.quote, form.quote_length = <const uint8_t*>PyBytes_AS_STRING(quote), len(quote)
    form.absent, form.absent_length = <const uint8_t*>PyBytes_AS_STRING(absent), len(absent)
    cells_of(&lines, &given.column.array, b"vz")
    buffer_start(&b)
    try:
        with nogil:
            for row in range(rows):
                there = valid == NULL or bit_at(valid, row)
                if not (there and cell_at(&lines, row, &text) and text.n and 0x20 < text.p[0] < 0x7F
                        and fill_row(&b, &form, row)):
                    with gil:
                        left.append((row, b.n))
        return b.p[:b.n].decode("ascii"), left
    finally:
        buffer_free(&b)


# --- a question, and its answer for one array -----------------------------------------------------

cdef enum:
    ROWS_A_THREAD = 1 << 16  # threads=None starts no further thread for fewer rows than this

cdef dict LAYOUTS = {"view": "vu", "string": "u", "large_string": "U"}
cdef dict PLAIN_TEXT = {"z": "u", "Z": "U", "vz": "vu", "n": "u"}


def text_format(str given not None, text, bint raw=False):
    """Return the format of the texts in the answer, for a column with texts in this format: the same layout, or the
    requested one. raw: bytes stay bytes. ValueError: an unknown layout."""
    if text is not None and text not in LAYOUTS:
        raise ValueError(f"unknown text layout {text!r}; the layouts are {', '.join(LAYOUTS)}")
    if raw and given in ("z", "Z", "vz"):
        return given if text is None else LAYOUTS[text].replace("u", "z").replace("U", "Z")
    return PLAIN_TEXT.get(given, given) if text is None else LAYOUTS[text]


@cython.final
@cython.binding(False)
cdef class Question:
    """The requested fields, and how rows are read. It can be asked about any number of arrays, on any thread.

    The methods whose names begin with with_ complete a question before it is asked, and return it.
    """
    cdef Plan plan
    cdef Href href
    cdef URL base
    cdef readonly tuple fields
    cdef readonly object text
    cdef bint split
    cdef Suffixes suffixes
    cdef Rulebook rulebook
    cdef bytes name

    def __cinit__(self, fields, *, bint single=False, bint raw=False, int dialect=-1, URL base=None, text=None,
                  profile=None, suffixes=None):
        known = _SPANS if dialect >= 0 else ALL_FIELDS
        self.fields = tuple(fields)
        if len(self.fields) > MAX_FIELDS:
            raise ValueError(f"at most {MAX_FIELDS} fields, not {len(self.fields)}")
        self.text = text
        self.split = dialect >= 0
        self.base = base
        memset(&self.plan, 0, sizeof(Plan))
        self.plan.count = len(self.fields)
        for k, name in enumerate(self.fields):
            self.plan.fields[k] = known.index(name)
        self.plan.single = single
        read_as(&self.plan, dialect_at(dialect) if dialect >= 0 else NULL)
        if not LISTED.isdisjoint(self.fields):
            self.suffixes = suffixes_or_default(suffixes)
            self.plan.suffixes = <void*>self.suffixes
        if profile is not None:
            self.rulebook = rulebook_of(profile)
            self.plan.reading, self.plan.rules = KEYS, &self.rulebook.rules
        if raw:
            self.plan.reading = AS_IS
        if base is not None:
            self.href.p, self.href.n, self.href.o = ascii_data(base.href), len(base.href), &base.o
            self.plan.base = &self.href

    def with_hosts(self, *, bint only_listed, bint bare=False):
        """Say how hosts are read. bare: a text without ":" and "/" is a host. only_listed: a top-level domain that is
        not on the list of suffixes does not count as a suffix."""
        self.plan.only_listed, self.plan.bare_hosts = only_listed, bare
        return self

    def with_judge(self, judge):
        """Set the quick answer for the fields "ambiguous" and "hazards". judge: a capsule of security/plain."""
        self.plan.judge = <Judge>PyCapsule_GetPointer(judge, NULL)
        return self

    def with_latest(self, int64_t month):
        """Set the last month that does not count as far, for the field "traps"."""
        self.plan.latest = month
        return self

    def with_param(self, str name not None):
        """Set the name of the parameter, for the field "param"."""
        self.name = name.encode("utf-8", "replace")
        self.plan.name, self.plan.name_length = <const uint8_t*>PyBytes_AS_STRING(self.name), len(self.name)
        return self

    def schema(self, given):
        """Return the type of the answer for a column of this type."""
        values = given if given.dictionary is None else given.dictionary
        text = text_format(values.format, self.text, self.split)
        made = []
        for name in self.fields:
            field = Schema(text, name) if self.split else field_schema(name, text)
            if given.dictionary is not None and field.format == text:
                field = Schema(given.format, name, (), Schema(text))
            made.append(field)
        return made[0]._replace(name="") if self.plan.single else Schema("+s", "", tuple(made))


@cython.final
@cython.binding(False)
cdef class Work:
    """A question that is asked about one array."""
    cdef Plan plan
    cdef Job job
    cdef Question question
    cdef Source source
    cdef Source bases
    cdef int stop
    cdef bint gathered       # all parts are done and are now being merged
    cdef set left            # the parts that no thread has begun yet
    cdef readonly int64_t octets
    cdef readonly int64_t plain  # the number of rows that the plain lane took

    def __cinit__(self, Question question not None, Source source not None, Source bases=None):
        memset(&self.job, 0, sizeof(Job))
        self.question, self.source, self.bases = question, source, bases
        self.plan = question.plan
        self.stop = self.gathered = False
        self.left = set()

    def __dealloc__(self):
        job_free(&self.job)

    cdef int start(self, int parts) except -1:
        cdef const ArrowArray* array = self.source.array.dictionary if self.source.index else &self.source.array
        cdef bytes text = text_format(self.source.format.decode("ascii"), self.question.text,
                                      self.question.split).encode("ascii")
        set_layout(&self.plan, text)
        self.job.rows = array.length if self.bases is None else self.source.array.length
        set_cells(&self.job.cells, self.source, self.bases is not None)
        if self.bases is not None:
            set_cells(&self.job.bases, self.bases, True)
            self.job.has_bases = True
        self.job.source = self.source.column
        return job_start(&self.job, &self.plan, array, parts)

    cdef int go(self, int number) except -1:
        cdef int more = 1
        cdef Suffixes suffixes = self.question.suffixes
        while more and not load(&self.stop):
            with nogil:
                more = job_work(&self.job, number, suffixes)
            PyErr_CheckSignals()
        return 0

    def part(self, int number):
        """Do a part, in one of the threads of `run`. KeyError: the part was begun before."""
        self.left.remove(number)
        if self.gathered:
            with nogil:
                job_move(&self.job, number)
        else:
            self.go(number)

    def leave_off(self):
        """Make the working threads stop, after an error or a signal."""
        store(&self.stop, 1)

    def run(self, threads=1):
        """Return the answer, computed by this many threads; None: as many as make sense for the processors and rows.
        ValueError: this work has run before."""
        cdef Column* made
        cdef Column* values
        cdef int k, parts = self.parts(threads)
        if self.job.part != NULL:
            raise ValueError("this Work has already run")
        self.start(parts)
        if parts == 1:
            self.go(0)
        else:
            self.with_threads(parts)
        for k in range(parts):
            self.octets += self.job.part[k].octets
            self.plain += self.job.part[k].plain
        with nogil:
            made = job_finish(&self.job)
        if self.source.index and self.bases is None:
            values = made
            try:
                made = with_indices(values, &self.source.array, self.source.column, self.source.index, &self.plan)
            finally:
                column_free(values)
        return array_of(made, self.question.schema(self.schema_in()))

    cdef object schema_in(self):
        text = Schema(self.source.format.decode("ascii"))
        if self.source.index and self.bases is None:
            return Schema(chr(self.source.index), "", (), text)
        return text

    cdef int parts(self, threads) except -1:
        if threads is None:
            from os import cpu_count
            threads = min(cpu_count() or 1, self.source.array.length // ROWS_A_THREAD)
        return max(1, min(threads, self.source.array.length // 256 + 1, 1024))

    cdef int with_threads(self, int parts) except -1:
        from urlsm.columns.pool import each
        self.left = set(range(parts))
        each(self.part, parts, self.leave_off)
        with nogil:
            job_gather(&self.job)
        self.gathered = True
        self.left = set(range(parts))
        each(self.part, parts, self.leave_off)
        return 0


cdef int set_layout(Plan* plan, const char* format) noexcept:
    plan.layout = VIEW if format[0] == c'v' else LARGE_UTF8 if format[0] in (c'U', c'Z') else UTF8
    return 0


cdef int set_cells(Cells* cells, Source source, bint through_index) except -1:
    """Set the cells to those of a source. The cells of a dictionary are its rows if through_index, otherwise its
    values."""
    cells_of(cells, source.array.dictionary if source.index else &source.array, source.format)
    if source.index and through_index:
        go_through(cells, &source.array, source.index)
    return 0


# --- layouts that a consumer requests -------------------------------------------------------------

def cast_to(Array array not None, wanted):
    """Return the array with the text layouts of the requested type. Columns that are not text stay as they are; a
    consumer rejects what it cannot take."""
    schema = cast_schema(array.schema, wanted)
    return array if schema == array.schema else cast_column(array, schema)


cdef Array cast_column(Array array, object schema):
    cdef Source source
    cdef int64_t k, n = len(schema.children)
    if schema == array.schema:
        return array
    if not n:
        source = Source.__new__(Source)
        source.column = column_held(array.column)
        source.array = array.column.array
        values = array.schema if array.schema.dictionary is None else array.schema.dictionary
        source.format = values.format.encode("ascii")
        if array.schema.dictionary is not None:
            return decode_dictionary(array, schema)
        layout = {"u": "string", "z": "string", "U": "large_string", "Z": "large_string"}.get(schema.format, "view")
        made = Work(Question(("href",), single=True, raw=True, text=layout), source).run()
        (<Array>made).schema = schema
        return made
    children = []
    for k in range(n):
        children.append(cast_column(array_of(column_held(array.column.children[k]), array.schema.children[k]),
                                    schema.children[k]))
    return as_struct(array, children, schema)


cdef Array as_struct(Array array, list children, object schema):
    """Return a struct of these columns. A row is null where `array`, a struct with as many rows, is null."""
    cdef Array child
    cdef Py_ssize_t k, n = len(children)
    cdef Column* c = column_new(array.column.array.length, 1, n, 1)
    if c == NULL:
        raise MemoryError()
    made = array_of(c, schema)
    c.held[0] = column_held(array.column)
    c.array.null_count = array.column.array.null_count
    c.array.buffers[0] = array.column.array.buffers[0]
    for k in range(n):
        child = children[k]
        if child.column.array.length != c.array.length:
            raise ValueError("the columns of a struct must have the same length")
        c.children[k] = column_held(child.column)
    return made


cdef Array decode_dictionary(Array array, object schema):
    """Return a dictionary that we made as a plain column with the text of each row."""
    cdef Source source = source_of_ours(array)
    layout = {"u": "string", "z": "string", "U": "large_string", "Z": "large_string"}.get(schema.format, "view")
    made = Work(Question(("href",), single=True, raw=True, text=layout), source, source).run()
    (<Array>made).schema = schema
    return made


cdef Source source_of_ours(Array array):
    """Return a source from which a column of text that we made can be read again."""
    cdef Source source = Source.__new__(Source)
    values = array.schema if array.schema.dictionary is None else array.schema.dictionary
    source.column = column_held(array.column)
    source.array = array.column.array
    source.format, source.index = values.format.encode("ascii"), 0
    if array.schema.dictionary is not None:
        source.array.dictionary = &array.column.dictionary.array
        source.index = ord(array.schema.format)
    return source


# --- columns made from columns --------------------------------------------------------------------

def with_texts(Array struct not None, tuple names not None, dict texts not None):
    """Return a struct with the fields in `names`. A field comes from another struct, or from a list in `texts` (a str
    or None for each row); its layout is then that of the field href."""
    cdef list children = []
    href = next(child for child in struct.schema.children if child.name == "href")
    layout = (href if href.dictionary is None else href.dictionary).format
    for name in names:
        made = struct.field(name) if name not in texts else cast_to(column_of_texts(texts[name], name), Schema(layout))
        children.append(made)
    return as_struct(struct, children, Schema("+s", struct.schema.name, tuple([child.schema for child in children])))


cdef Array column_of_texts(list texts, str name):
    """Return a column of large_utf8. Octets that were not UTF-8 become U+FFFD."""
    cdef Column* c = column_new(len(texts), 3, 0, 0)
    cdef Array made
    cdef int64_t k, n = 0
    cdef bytes octets
    if c == NULL:
        raise MemoryError()
    made = array_of(c, Schema("U", name))
    pieces = []
    c.owned[0], c.owned[1] = malloc(8 * words_of(len(texts))), malloc(8 * <size_t>len(texts) + 8)
    if c.owned[0] == NULL or c.owned[1] == NULL:
        raise MemoryError()
    memset(c.owned[0], 0, 8 * words_of(len(texts)))
    (<int64_t*>c.owned[1])[0] = 0
    for k in range(len(texts)):
        if texts[k] is None:
            c.array.null_count += 1
        else:
            (<uint8_t*>c.owned[0])[k >> 3] |= 1 << (k & 7)
            octets = utf8(texts[k]).decode("utf-8", "replace").encode()
            pieces.append(octets)
            n += len(octets)
        (<int64_t*>c.owned[1])[k + 1] = n
    octets = b"".join(pieces)
    c.owned[2] = malloc(<size_t>n + 1)
    if c.owned[2] == NULL:
        raise MemoryError()
    memcpy(c.owned[2], PyBytes_AS_STRING(octets), n)
    c.array.buffers[0], c.array.buffers[1], c.array.buffers[2] = c.owned[0], c.owned[1], c.owned[2]
    return made


def segments_of_paths(Array paths not None):
    """Return the percent-decoded segments of a column of paths."""
    cdef Cells cells
    cdef Column* made
    cdef Source source = source_of_ours(paths)
    set_cells(&cells, source, True)
    if cells.layout == NO_TEXT:
        raise TypeError(f"expected a column of text, not {paths.schema}")
    with nogil:
        made = segments_of(&cells, paths.column.array.length)
    return array_of(made, LIST)


def bit_names(Array words not None, names):
    """Return the names of the bits that are set in each row. words: a column of uint64 that we made. names: at most 64
    texts."""
    cdef int32_t[65] ends
    cdef bytes octets = "".join(names).encode("ascii")
    cdef const uint8_t* p = <const uint8_t*>PyBytes_AS_STRING(octets)
    cdef Column* made
    if words.schema.format != "L" or len(names) > 64:
        raise ValueError(f"expected uint64 and at most 64 names, not {words.schema} and {len(names)}")
    ends[0] = 0
    for k, name in enumerate(names):
        ends[k + 1] = ends[k] + <int32_t>len(name)
    with nogil:
        made = names_of(words.column, p, ends)
    return array_of(made, LIST)


def as_text(Source source not None):
    """Return the source as a column that has a text for each row, and is neither a dictionary nor binary."""
    if not source.index and source.format in (b"u", b"U", b"vu"):
        return source
    question = Question(("href",), single=True, raw=True)
    (<Question>question).plan.as_text = True
    return source_of_ours(Work(question, source, source if source.index else None).run())


def ports_of(Array ports not None):
    """Return a column of int32 with the ports that a column holds as text; null for a null, or for a text that is not a
    port."""
    cdef Cells cells
    cdef Cell text
    cdef int64_t k, j, port, rows = ports.column.array.length
    cdef uint64_t word = 0
    cdef Column* c = column_new(rows, 2, 0, 0)
    if c == NULL:
        raise MemoryError()
    made = array_of(c, Schema("i"))
    set_cells(&cells, source_of_ours(ports), True)
    c.owned[0], c.owned[1] = malloc(8 * words_of(rows)), malloc(4 * <size_t>(rows + 1))
    if c.owned[0] == NULL or c.owned[1] == NULL or cells.layout == NO_TEXT:
        raise MemoryError()
    c.array.buffers[0], c.array.buffers[1] = c.owned[0], c.owned[1]
    with nogil:
        for k in range(rows):
            port = -1
            if cell_at(&cells, k, &text) and text.n:
                port = 0
                for j in range(text.n):
                    port = 10 * port + text.p[j] - c'0' if c'0' <= text.p[j] <= c'9' and 0 <= port <= 0xFFFF else -1
            if 0 <= port <= 0xFFFF:
                word |= <uint64_t>1 << (k & 63)
            else:
                c.array.null_count += 1
                port = 0
            (<int32_t*>c.owned[1])[k] = <int32_t>port
            if k & 63 == 63 or k + 1 == rows:
                put_word(<uint64_t*>c.owned[0], k >> 6, word)
                word = 0
    return made


def struct_of(Array struct not None, children, names):
    """Return a struct of columns that we made. A row is null where `struct`, which has as many rows, is null."""
    fields = [child.schema._replace(name=name) for child, name in zip(children, names, strict=True)]
    return as_struct(struct, list(children), Schema("+s", "", tuple(fields)))


# --- a plug-in for Polars, by the C ABI of Polars (plugin.h) --------------------------------------

cdef extern from "columns/plugin.h" nogil:
    ctypedef struct Request "urlsm_request":
        const char* p
        size_t n
    ctypedef int (*Answer)(Request request, const ArrowSchema* type, ArrowArray* chunk, ArrowArray* out) noexcept nogil
    Answer answer_polars "urlsm_answer"
    int next_field "urlsm_next_field"(Request* request, char* name) noexcept
    int failed "urlsm_failed"(const char* message, const char* detail) noexcept
    bint read_kwargs "urlsm_read_kwargs"(Request* request, const uint8_t* p, size_t n) noexcept

# The types of job_start, job_work and job_finish, without an exception value: their errors are handled here. On a
# thread that is not one of Python's, the exception is gone when they return.
ctypedef int (*Start)(Job*, const Plan*, const ArrowArray*, int) noexcept nogil
ctypedef int (*Go)(Job*, int, void*) noexcept nogil
ctypedef Column* (*Finish)(Job*) noexcept nogil

cdef PyObject* polars_suffixes = NULL


cdef int report() noexcept:
    """Pass the text of the current exception to Polars. If there is none, memory ran out."""
    text = exception_text()
    if text is None:
        return failed("MemoryError: %s", "urlsm")
    return failed("%s", PyBytes_AS_STRING(text))


cdef int take_suffixes() except 0:
    publish(&polars_suffixes, suffixes_or_default(None))
    return 1


cdef int load_suffixes() noexcept with gil:
    """Load the public suffix list, and keep it. Returns 0 for a failure."""
    return 1 if (<int (*)() noexcept>take_suffixes)() else report()


cdef void plan_of(Plan* plan, Request request) noexcept nogil:
    """Set the plan for a request. The layout of its answer is views."""
    cdef int field
    cdef char kind = request.p[0], dialect = request.p[1]
    memset(plan, 0, sizeof(Plan))
    plan.layout = VIEW
    plan.single, plan.bare_hosts = kind != c'+', kind == c'?'
    request.p += 2
    request.n -= 2
    # if there is a single field, the name of a parameter may follow
    while plan.count < (1 if plan.single else MAX_FIELDS):
        field = next_field(&request, NULL)
        if field < 0:
            break
        plan.fields[plan.count] = field
        plan.count += 1
    plan.name, plan.name_length = <const uint8_t*>request.p, request.n
    if dialect == c'-':
        read_as(plan, NULL)
    else:
        read_as(plan, dialect_at(dialect - c'0'))


cdef Column* column_of(const Plan* plan, Column* source, const ArrowSchema* type) noexcept nogil:
    """Return the answer for all rows, or NULL for a failure."""
    cdef Job job
    cdef Column* made = NULL
    cdef const ArrowArray* values = &source.array
    cdef const char* format = type.format if type.dictionary == NULL else type.dictionary.format
    cdef int more = 1
    memset(&job, 0, sizeof(Job))
    job.rows, job.source = values.length, source
    if type.dictionary != NULL:
        values = values.dictionary
    cells_of(&job.cells, values, format)
    if type.dictionary != NULL:
        go_through(&job.cells, &source.array, type.format[0])
    if (<Start>job_start)(&job, plan, values, 1) == 0:
        while more > 0:
            more = (<Go>job_work)(&job, 0, published(&polars_suffixes))
        if more == 0:
            made = (<Finish>job_finish)(&job)
    job_free(&job)
    return made


cdef Column* column_or_report(const Plan* plan, Column* source, const ArrowSchema* type) noexcept with gil:
    """Call column_of once more, after a failure whose exception is gone. Now this thread has the interpreter's lock, so
    it keeps the exception, which is then reported."""
    cdef Column* made = NULL
    if PyErr_Occurred() == NULL:
        with nogil:
            made = column_of(plan, source, type)
    if made == NULL:
        report()
    return made


cdef int answer_chunk(Request request, const ArrowSchema* type, ArrowArray* chunk, ArrowArray* out) noexcept nogil:
    """Answer for a chunk of a column, without the interpreter's lock. Returns 0 for a failure."""
    cdef Plan plan
    cdef Column* source
    cdef Column* made
    cdef const char* format = type.format if type.dictionary == NULL else type.dictionary.format
    cdef int f
    cdef bint whole, needs_suffixes = False
    plan_of(&plan, request)
    for f in range(plan.count):
        needs_suffixes |= plan.dialect == NULL and is_of_list(plan.fields[f])
    if strcmp(format, "vu") != 0 and (plan.dialect != NULL or strcmp(format, "vz") != 0) and strcmp(format, "n") != 0:
        return failed("urlsm: expected a column of String, not one of the Arrow format %s", format)
    if needs_suffixes and published(&polars_suffixes) == NULL and not load_suffixes():
        return 0
    source = column_import(chunk)
    if source == NULL:
        return failed("MemoryError: %s", "urlsm")
    made = column_of(&plan, source, type)
    if made == NULL:
        made = column_or_report(&plan, source, type)
    whole = made != NULL
    if whole and not array_export(made, out):
        whole = failed("MemoryError: %s", "urlsm")
    column_free(made)
    column_free(source)
    return whole


answer_polars = answer_chunk


def text_in_kwargs(bytes pickled not None):
    """For tests: return the text that kwargs.h finds in a pickle, or None if it finds none."""
    cdef Request request
    if not read_kwargs(&request, <const uint8_t*>PyBytes_AS_STRING(pickled), len(pickled)):
        return None
    return request.p[:request.n].decode("utf-8", "surrogatepass")
