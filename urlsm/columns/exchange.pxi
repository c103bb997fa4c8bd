"""Included by array: capsules of arrays, schemas and streams taken from other libraries, and handed out to them.

https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html
"""
cimport cython
from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_New
from libc.errno cimport ENOMEM
from libc.stdint cimport INT32_MAX, int32_t, int64_t, uint8_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset
from urlsm.columns.arrow cimport (
    ArrowArray, ArrowArrayStream, ArrowSchema, Column, column_free, column_held, column_import, column_new,
    schema_start,
)
from urlsm.columns.cells cimport bit_at, index_at
from urlsm.columns.names import Schema

cdef enum:
    MOST_NESTED = 64         # the deepest nesting of schemas, more than any library makes
    MOST_FIELDS = 1 << 20    # of a schema, with all nested ones
cdef int64_t MOST_ROWS = <int64_t>1 << 36  # of an array: no memory holds so many offsets

# --- in ----------------------------------------------------------------------------------------
#
# Data from another library may be wrong. Errors that show without reading outside the declared buffers are a
# ValueError here; a text that leaves its buffer is one where it is read.

cdef object no_column(object given):
    """Return the error for an object that is not a column of text."""
    kind = type(given).__name__
    if isinstance(given, (list, tuple)):
        return TypeError(f"expected an Arrow column, not a {kind}; make one of it: pyarrow.array(texts)")
    return TypeError(f"expected an Arrow column (an object with __arrow_c_array__ or __arrow_c_stream__), not {kind}")


cdef object schema_of(const ArrowSchema* given, int nested, int* fields):
    """Return the Schema of a C schema. nested: its depth; fields: the number of fields before it."""
    cdef int64_t k
    cdef list children = []
    fields[0] += 1
    if given == NULL or given.n_children < 0 or (given.n_children and given.children == NULL) \
            or nested > MOST_NESTED or given.n_children > MOST_FIELDS - fields[0]:
        raise ValueError("the type's schema is malformed")
    if given.release == NULL:
        raise ValueError("the type was released before: its capsule can be read once")
    for k in range(given.n_children):
        children.append(schema_of(given.children[k], nested + 1, fields))
    name = "" if given.name == NULL else given.name.decode("utf-8", "replace")
    return Schema("" if given.format == NULL else given.format.decode("utf-8", "replace"), name, tuple(children),
                  None if given.dictionary == NULL else schema_of(given.dictionary, nested + 1, fields))


cdef object schema_in(object capsule):
    cdef int fields = 0
    return schema_of(<const ArrowSchema*>PyCapsule_GetPointer(capsule, "arrow_schema"), 0, &fields)


cdef int move_array(Source source, ArrowArray* given, object owner) except -1:
    """Take an array over. owner: the capsule that holds it, which two threads may be taking it from."""
    with cython.critical_section(owner):
        if given.release == NULL:
            raise ValueError("the column was taken before: its capsule can be read once")
        source.column = column_import(given)
    if source.column == NULL:
        raise MemoryError()
    source.array = source.column.array
    return 0


cdef int child_of(object schema, object column) except -1:
    """Return the number of the column of this name. TypeError: no record batches; KeyError, which lists the columns."""
    names = [child.name for child in schema.children]
    if schema.format != "+s":
        raise TypeError(f"column={column!r} needs record batches (struct), not {schema}")
    if column not in names:
        raise KeyError(f"unknown column {column!r}; the columns are {', '.join(names)}")
    return names.index(column)


cdef Source text_source(Source source, object schema, object column):
    """Return the source of a column of text: source itself, or the child of the struct that column names. TypeError."""
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
    described(schema)
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
    """Raise ValueError for an impossible number of rows."""
    if not (0 <= array.length <= MOST_ROWS and 0 <= array.offset <= MOST_ROWS):
        raise malformed()
    return 0


cdef int check_buffers(const ArrowArray* array, int64_t least, int64_t most) except -1:
    """Raise ValueError for a wrong number of buffers, or if that of the rows is missing although there are rows."""
    if array.buffers == NULL or not least <= array.n_buffers <= most \
            or (array.length and array.buffers[1] == NULL):
        raise malformed()
    return 0


cdef int check_text(const ArrowArray* array, bytes format) except -1:
    """Raise ValueError if a needed buffer is missing, or has a negative size."""
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


cdef int described(object schema) except -1:
    """Raise TypeError, which names the type, for all but text, binary, null or a dictionary of text or binary."""
    values = schema if schema.dictionary is None else schema.dictionary
    if values.format in ("u", "U", "vu", "z", "Z", "vz") and values.dictionary is None \
            and (schema is values or schema.format in INTEGERS):
        return 0
    if values.format == "n" and schema.dictionary is None:
        return 0
    raise TypeError(f"expected a column of utf8, large_utf8, string_view, binary, a dictionary of these, or null; "
                    f"not {schema if schema.dictionary is None else f'dictionary of {values}'}")


cdef Source with_indices_checked(Source source):
    """Return the source. ValueError for an index outside the dictionary: the answer would hold it, too."""
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
    """Return the source of a struct's child, whose rows are null where the struct is: "a child may have a non-null
    value there" (https://arrow.apache.org/docs/format/Columnar.html#struct-validity)."""
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
    """The arrays of a stream, one at a time. Attribute: schema, that of each array."""
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
            raise ValueError("the stream was read before")
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
        """Yield each array, in slices of at most `rows` rows."""
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
    """Return a Source for an object with __arrow_c_array__, else Sources for one with __arrow_c_stream__. TypeError."""
    cdef Source source
    if hasattr(column, "__arrow_c_array__"):
        schema, array = column.__arrow_c_array__()
        source = Source.__new__(Source)
        move_array(source, <ArrowArray*>PyCapsule_GetPointer(array, "arrow_array"), array)
        return with_indices_checked(text_source(source, schema_in(schema), None))
    return sources_of(column)


def sources_of(reader, column=None):
    """Return Sources for an object with __arrow_c_stream__. TypeError."""
    if not hasattr(reader, "__arrow_c_stream__"):
        raise no_column(reader)
    return Sources(reader.__arrow_c_stream__(), column)


def type_of(schema):
    """Return the type of a column of text. TypeError, which names the type, for any other."""
    described(schema)
    return schema


def slices(references, bases):
    """Yield pairs of sources of the same length, of two columns that may be in chunks. ValueError: one is longer."""
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


# --- out ---------------------------------------------------------------------------------------

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
