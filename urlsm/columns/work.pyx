"""Columns as Python objects: classes that import columns from other Arrow libraries, make fields of them, and export
the results.

A call imports the arrays of a column (each is a Source), asks for fields of each (a Question, which a Work answers),
and returns an Array, or a ChunkedArray with several arrays. Both export themselves through Arrow's PyCapsule interface.
Polars calls this library by the C ABI of Polars, without Python; see the last section.
https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html

This is one file of 1,600 lines, because each use of columns needs all of it, and most of it makes or reads an Array.
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
    column_new, metadata_size, schema_start,
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
from urlsm.crawler.sites cimport PublicSuffixList, suffixes_or_default
from urlsm.machine.driver cimport dialect_at
from urlsm.octets.buffer cimport Buffer, ascii_data, buffer_copy, buffer_free, buffer_start
from urlsm.octets.once cimport load, publish, published, store
from urlsm.url.slots cimport set_name, set_new
from urlsm.url.structs cimport Href
from urlsm.url.value cimport URL
from urlsm.columns.names import ALL_FIELDS, LIST, LISTED, SPANS as _SPANS, Schema, cast_schema, field_schema
from urlsm.octets.text import utf8

# --- importing columns ----------------------------------------------------------------------------
# Data from another library may be malformed. The functions here raise ValueError for errors that they can detect
# without reading the texts. A text that is not within its buffer raises ValueError later, when it is read.

cdef enum:
    MOST_NESTED = 64         # a schema with more levels than this is refused; no library nests so deeply
    MOST_FIELDS = 1 << 20    # a schema with more fields than this, nested ones included, is refused
cdef int64_t MOST_ROWS = <int64_t>1 << 36  # an array with more rows than this is refused: no memory could hold it


cdef object no_column(object given):
    """Return the TypeError to raise for an object that is not a column of text."""
    kind = type(given).__name__
    if isinstance(given, (list, tuple)):
        return TypeError(f"column must be an Arrow array, not {kind}: pass pyarrow.array(urls)")
    return TypeError(f"column must be an Arrow array (with __arrow_c_array__ or __arrow_c_stream__), not {kind}")


cdef object schema_of(const ArrowSchema* given, int nested, int* fields):
    """Return a C schema as a Schema. nested: how deep it is nested in others. *fields: how many schemas have been read
    so far."""
    cdef int64_t k
    cdef list children = []
    fields[0] += 1
    if given == NULL or given.n_children < 0 or (given.n_children and given.children == NULL) \
            or nested > MOST_NESTED or given.n_children > MOST_FIELDS - fields[0]:
        raise ValueError("the type's schema is malformed")
    if given.release == NULL:
        raise ValueError("the Arrow capsule of the type is already consumed")
    for k in range(given.n_children):
        children.append(schema_of(given.children[k], nested + 1, fields))
    name = "" if given.name == NULL else given.name.decode("utf-8", "replace")
    return Schema("" if given.format == NULL else given.format.decode("utf-8", "replace"), name, tuple(children),
                  None if given.dictionary == NULL else schema_of(given.dictionary, nested + 1, fields), given.flags,
                  given.metadata[:metadata_size(given.metadata)] if given.metadata != NULL else b"")


cdef object schema_in(object capsule):
    cdef int fields = 0
    return schema_of(<const ArrowSchema*>PyCapsule_GetPointer(capsule, "arrow_schema"), 0, &fields)


cdef int move_array(Source source, ArrowArray* given, object owner) except -1:
    """Move an array into the source. owner: the object that holds the array. The owner is locked meanwhile, because two
    threads may try to move the array at the same time."""
    with cython.critical_section(owner):
        if given.release == NULL:
            raise ValueError("the Arrow capsule of the column is already consumed")
        source.column = column_import(given)
    if source.column == NULL:
        raise MemoryError()
    source.array = source.column.array
    return 0


cdef int child_of(object schema, object column) except -1:
    """Return the index of the column with this name in the schema of record batches. Raises TypeError if the schema is
    not a struct, and KeyError if it has no such column; the message then lists the columns."""
    names = [child.name for child in schema.children]
    if schema.format != "+s":
        raise TypeError(f"column={column!r} needs a stream of record batches (struct), not of {schema}")
    if column not in names:
        raise KeyError(f"unknown column {column!r}: the columns are {', '.join(names)}")
    return names.index(column)


cdef Source text_source(Source source, object schema, object column):
    """Make `source` read a column of text, and return it. The text is the imported array itself or, unless `column` is
    None, the column of this name in the array, which is a struct. Raises TypeError if the array should be a struct and
    is not, or if the type is not text, binary, null or a dictionary of text or binary."""
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
    return ValueError("the column is malformed: its buffers do not match its type")


cdef int check_rows(const ArrowArray* array) except -1:
    """Raise ValueError if the array's length or offset is impossible."""
    if not (0 <= array.length <= MOST_ROWS and 0 <= array.offset <= MOST_ROWS):
        raise malformed()
    return 0


cdef int check_buffers(const ArrowArray* array, int64_t least, int64_t most) except -1:
    """Raise ValueError if the number of buffers is not from `least` to `most`, or there are rows but no buffer for
    them."""
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
cdef tuple TEXTS = ("u", "U", "vu", "z", "Z", "vz")


cdef int check_type(object schema) except -1:
    """Raise TypeError unless the type is text, binary, null or a dictionary of text or binary."""
    values = schema if schema.dictionary is None else schema.dictionary
    if values.format in TEXTS and values.dictionary is None \
            and (schema is values or schema.format in INTEGERS):
        return 0
    if values.format == "n" and schema.dictionary is None:
        return 0
    raise TypeError(f"column must be of utf8, large_utf8, string_view, binary, a dictionary of these, or null, "
                    f"not {schema if schema.dictionary is None else f'dictionary of {values}'}")


cdef Source with_indices_checked(Source source):
    """Return the source, after a check of its indices. Raises ValueError if an index points outside of the dictionary,
    because the answer may reuse the indices."""
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


cdef uint8_t* valid_in_both(const ArrowArray* whole, const ArrowArray* array) except? NULL:
    """Return the validity of an array that is a child of the struct `whole`, with nulls where the struct is null; the
    caller has to free it. Return NULL if the struct has no nulls. In Arrow, the child may have a value where the struct
    is null (https://arrow.apache.org/docs/format/Columnar.html#struct-validity)."""
    cdef int64_t k, first = array.offset
    cdef const uint8_t* outer = <const uint8_t*>whole.buffers[0] if whole.n_buffers > 0 else NULL
    cdef const uint8_t* inner
    cdef uint8_t* both
    if outer == NULL or whole.null_count == 0:
        return NULL
    both = <uint8_t*>calloc((first + array.length) // 8 + 1, 1)
    if both == NULL:
        raise MemoryError()
    inner = <const uint8_t*>array.buffers[0]
    for k in range(array.length):
        if bit_at(outer, whole.offset + k) and (inner == NULL or bit_at(inner, first + k)):
            both[(first + k) >> 3] |= <uint8_t>(1 << ((first + k) & 7))
    return both


cdef Source with_nulls_of_struct(Source source):
    """Make each row of the source, which is a child of a struct, null where the struct is null, and return the
    source."""
    cdef int64_t k
    cdef uint8_t* both = NULL if source.format == b"n" else valid_in_both(&source.column.array, &source.array)
    cdef Column* c
    if both == NULL:
        return source
    c = column_new(source.array.length, source.array.n_buffers, 0, 1)
    if c == NULL:
        free(both)
        raise MemoryError()
    for k in range(source.array.n_buffers):
        c.array.buffers[k] = source.array.buffers[k]
    c.owned[0] = both
    c.array.buffers[0] = both
    c.held[0] = source.column  # c takes over the source's reference to its column
    source.column, source.array.buffers = c, c.array.buffers
    return source


cdef int check_kept(const ArrowArray* array, object schema) except -1:
    """Raise ValueError if an array does not have the children and buffers of its type, as far as they are known
    here."""
    cdef int64_t k
    check_rows(array)
    if array.n_children != len(schema.children) or (array.n_children and array.children == NULL) \
            or not 0 <= array.n_buffers <= INT32_MAX or (array.n_buffers and array.buffers == NULL) \
            or (array.dictionary == NULL) != (schema.dictionary is None):
        raise malformed()
    for k in range(array.n_children):
        if array.children[k] == NULL:
            raise malformed()
        if schema.format == "+s":
            check_rows(array.children[k])
            if array.children[k].length < array.offset + array.length:
                raise malformed()
    if schema.format in TEXTS:
        check_text(array, schema.format.encode("ascii"))
    elif schema.format in INTEGERS or schema.format in ("b", "+l") or schema.format.startswith("w:"):
        check_buffers(array, 2, 2)
    return 0


cdef Column* kept_column(Column* owner, const ArrowArray* array, object schema) except NULL:
    """Return a column that shares the buffers of an array, which is within the column `owner`. Raises ValueError if the
    array is malformed."""
    cdef int64_t k
    cdef bint done = False
    cdef Column* c
    check_kept(array, schema)
    c = column_new(array.length, array.n_buffers, array.n_children, 1)
    if c == NULL:
        raise MemoryError()
    try:
        c.held[0] = column_held(owner)
        c.array.offset, c.array.null_count = array.offset, array.null_count
        for k in range(array.n_buffers):
            c.array.buffers[k] = array.buffers[k]
        for k in range(array.n_children):
            c.children[k] = kept_column(owner, array.children[k], schema.children[k])
        if array.dictionary != NULL:
            c.dictionary = kept_column(owner, array.dictionary, schema.dictionary)
        done = True
    finally:
        if not done:
            column_free(c)
    return c


cdef Array slice_of_kept(Array array, int64_t start, int64_t length):
    cdef const ArrowArray* given = &array.column.array
    cdef int64_t k
    cdef const uint8_t* validity
    cdef Array part
    cdef Column* c = column_new(length, given.n_buffers, given.n_children, 1)
    if c == NULL:
        raise MemoryError()
    part = array_of(c, array.schema)
    c.held[0] = column_held(array.column)
    c.array.offset = given.offset + start
    for k in range(given.n_buffers):
        c.array.buffers[k] = given.buffers[k]
    for k in range(given.n_children):
        c.children[k] = column_held(array.column.children[k])
    if array.column.dictionary != NULL:
        c.dictionary = column_held(array.column.dictionary)
    validity = <const uint8_t*>given.buffers[0] if has_validity(array) else NULL
    c.array.null_count = length if array.schema.format == "n" else 0
    if validity != NULL:
        for k in range(length):
            c.array.null_count += not bit_at(validity, c.array.offset + k)
    return part


cdef bint has_validity(Array array) except -1:
    """Return whether the first buffer of a column is its validity. Unions, such as "+ud:0,1", have none."""
    return array.column.array.n_buffers > 0 and not array.schema.format.startswith("+u")


cdef Array kept_of(Source source, object schema, int number):
    """Return a column of the record batch that is the column of `source`, null where the batch is null. schema: the
    type of the batch. number: the index of the column."""
    cdef const ArrowArray* whole = &source.column.array
    cdef Array kept
    check_kept(whole, schema)
    kept = array_of(kept_column(source.column, whole.children[number], schema.children[number]),
                    schema.children[number])
    return with_nulls_of(slice_of_kept(kept, whole.offset, whole.length), whole)


cdef Array with_nulls_of(Array array, const ArrowArray* whole):
    """Return a column that is null where `array` or `whole` is null. Both have as many rows."""
    cdef int64_t rows = array.column.array.length
    cdef uint8_t* both = valid_in_both(whole, &array.column.array) if has_validity(array) else NULL
    if both == NULL:
        return array
    array = slice_of_kept(array, 0, rows)
    array.column.owned[0] = both
    array.column.array.buffers[0] = both
    return slice_of_kept(array, 0, rows)  # counts the nulls


def null_where_null(Array array not None, Array other not None):
    """Return a column that is null where `array` or `other` is null. Both have as many rows, and have validities."""
    return with_nulls_of(array, &other.column.array)


cdef Source slice_of(Source source, int64_t start, int64_t length):
    cdef Source part = Source.__new__(Source)
    part.column = column_held(source.column)
    part.array = source.array
    part.array.offset += start
    part.array.length = length
    part.format, part.index = source.format, source.index
    if source.kept is not None:
        part.kept = tuple([slice_of_kept(kept, start, length) for kept in source.kept])
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
    """An iterator over the arrays in a stream. column: the name of the column of text, if they are record batches.
    keep: the names of further columns, which each Source keeps. Attribute: schema, the type of each array."""
    cdef ArrowArrayStream* stream
    cdef object capsule
    cdef object column
    cdef tuple kept          # the indices of the columns that are kept
    cdef readonly object schema

    def __init__(self, object capsule, object column=None, keep=()):
        cdef ArrowSchema schema
        cdef int fields = 0
        self.capsule, self.column = capsule, column
        self.stream = <ArrowArrayStream*>PyCapsule_GetPointer(capsule, "arrow_array_stream")
        if self.stream.release == NULL:
            raise ValueError("the Arrow capsule of the stream is already consumed")
        if self.stream.get_schema == NULL or self.stream.get_next == NULL:
            raise ValueError("the stream lacks a function")
        memset(&schema, 0, sizeof(ArrowSchema))
        self.check(self.stream.get_schema(self.stream, &schema))
        try:
            self.schema = schema_of(&schema, 0, &fields)
        finally:
            if schema.release != NULL:
                schema.release(&schema)
        self.kept = tuple([child_of(self.schema, name) for name in keep])

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
        """Return the type of the column to read. Raise TypeError if a column is named but the stream has no record
        batches, and KeyError if the batches have no column with this name."""
        schema = self.schema
        return schema if self.column is None else schema.children[child_of(schema, self.column)]

    def kept_schemas(self):
        """Return the types of the columns that are kept."""
        return [self.schema.children[number] for number in self.kept]

    def slices(self, int64_t rows):
        """Yield each array in slices of at most `rows` rows."""
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
        if self.kept:
            source.kept = tuple([kept_of(source, self.schema, number) for number in self.kept])
        return with_indices_checked(source if self.column is None else with_nulls_of_struct(source))


def source_of(column):
    """Return a Source for an object with __arrow_c_array__, or Sources for an object with __arrow_c_stream__. Raises
    TypeError if the object has neither method, or its array is not a column of text."""
    cdef Source source
    if hasattr(column, "__arrow_c_array__"):
        schema, array = column.__arrow_c_array__()
        source = Source.__new__(Source)
        move_array(source, <ArrowArray*>PyCapsule_GetPointer(array, "arrow_array"), array)
        return with_indices_checked(text_source(source, schema_in(schema), None))
    return sources_of(column)


def sources_of(reader, column=None, keep=()):
    """Return Sources for an object with __arrow_c_stream__. Raises TypeError if it has no such method, and KeyError if
    the stream lacks a column in `keep`."""
    if not hasattr(reader, "__arrow_c_stream__"):
        raise no_column(reader)
    return Sources(reader.__arrow_c_stream__(), column, keep)


def type_of(schema):
    """Return the type `schema` unchanged. Raises TypeError, which names the type, if it is not the type of a column of
    text."""
    check_type(schema)
    return schema


def slices(references, bases):
    """Yield pairs of sources of equal length, from two columns that may be in chunks. Raises ValueError if one column
    is longer."""
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
            raise ValueError("base must have as many rows as column")
        rows = min(a.array.length, b.array.length)
        yield slice_of(a, 0, rows), slice_of(b, 0, rows)
        a, b = slice_of(a, rows, a.array.length - rows), slice_of(b, rows, b.array.length - rows)


cdef object iter_sources(object given):
    return iter([given]) if isinstance(given, Source) else given


# --- exporting columns ----------------------------------------------------------------------------

cdef Array array_of(Column* column, object schema):
    """Return an Array, which takes over the column."""
    cdef Array array = Array.__new__(Array)
    array.column = column
    array.schema = schema
    return array


@cython.final
@cython.no_gc
@cython.binding(False)
cdef class Array:
    """A column that a function of urlsm.columns returns. Any Arrow library can read it without copying it.

    `schema` is the type of the column: str(a.schema) is Arrow's name for it.

    Example:
        >>> import pyarrow, urlsm.columns
        >>> hosts = urlsm.columns.host(pyarrow.array(["http://Ex.com/", None]))
        >>> hosts, pyarrow.array(hosts).to_pylist()
        (<urlsm.columns.Array: 2 rows of utf8>, ['ex.com', None])
    """

    def __cinit__(self):
        self.column = NULL

    def __dealloc__(self):
        column_free(self.column)

    def __len__(self):
        return self.column.array.length

    @property
    def null_count(self):
        """The number of null rows."""
        return self.column.array.null_count

    def field(self, name):
        """Return a field of a struct column as an Array.

        Args:
            name: the name of the field.

        Raises:
            KeyError: the column has no field with this name.

        Example:
            >>> import pyarrow, urlsm.columns
            >>> urlsm.columns.parse(pyarrow.array(["http://h:81/"]), ("host", "port")).field("port").to_pylist()
            [81]
        """
        for k, child in enumerate(self.schema.children):
            if child.name == name:
                return array_of(column_held(self.column.children[k]), child)
        raise KeyError(name)

    def __repr__(self):
        return f"<urlsm.columns.Array: {len(self)} rows of {self.schema}>"

    def to_pylist(self):
        """Return the rows as a list of str, bytes, int, bool, list or None; for a struct, as a list of dict.

        Example:
            >>> import pyarrow, urlsm.columns
            >>> urlsm.columns.can_parse(pyarrow.array(["http://h/", None, "x"])).to_pylist()
            [True, None, False]
        """
        return pylist(self.column, self.schema)

    def __arrow_c_schema__(self):
        return schema_capsule(self.schema)

    def __arrow_c_array__(self, requested_schema=None):
        """Export the array. If the consumer requests other layouts of the texts, the texts are exported in these
        layouts."""
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
    raise TypeError("Array has no constructor: functions such as urlsm.columns.parse return arrays")


set_new(Array, <void*>refuse_new)  # Cython's own Array.__new__(Array), used above, does not pass through this slot


cdef list pylist(Column* c, schema):
    """Return the rows of a column as Python objects. Raises TypeError for a type that urlsm does not make, which a
    column may have that was kept."""
    cdef Cells cells
    cdef Cell text
    cdef int64_t k, at = c.array.offset
    cdef const uint8_t* validity = <const uint8_t*>c.array.buffers[0] if c.array.n_buffers > 0 else NULL
    cdef const void* main = c.array.buffers[1] if c.array.n_buffers > 1 else NULL
    cdef list made = [None] * c.array.length
    format = schema.format
    if format == "+l":
        values = pylist(c.children[0], schema.children[0])
        for k in range(c.array.length):
            if validity == NULL or bit_at(validity, at + k):
                made[k] = values[(<const int32_t*>main)[at + k]:(<const int32_t*>main)[at + k + 1]]
        return made
    if format == "+s":
        columns = [pylist(c.children[k], child) for k, child in enumerate(schema.children)]
        names = [child.name for child in schema.children]
        for k in range(c.array.length):
            if validity == NULL or bit_at(validity, at + k):
                made[k] = {name: column[at + k] for name, column in zip(names, columns)}
        return made
    if format.startswith("w:"):
        width = int(format[2:])
        for k in range(c.array.length):
            if validity == NULL or bit_at(validity, at + k):
                made[k] = (<const uint8_t*>main)[(at + k) * <int64_t>width:(at + k + 1) * <int64_t>width]
        return made
    if format not in TEXTS and format not in INTEGERS and format != "b" and format != "n":
        raise TypeError(f"to_pylist does not read {schema}, the type of the column {schema.name!r}: use pyarrow")
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
        if main != NULL and (validity == NULL or bit_at(validity, at + k)):
            number = number_at(main, ord(format), at + k)
            made[k] = number if values is None else values[number]
    return made


cdef object number_at(const void* main, int format, int64_t k):
    if format == c'b':
        return bit_at(<const uint8_t*>main, k) != 0
    if format == c'L':  # index_at returns a signed number, which is enough only for indices
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
    cdef bytes metadata = schema.metadata
    if not schema_start(out, schema.format.encode("utf-8"), schema.name.encode("utf-8"),
                        PyBytes_AS_STRING(metadata) if metadata else NULL, len(schema.children),
                        schema.dictionary is not None):
        raise MemoryError()
    out.flags = schema.flags
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
cdef class ChunkedArray:
    """A column in several chunks, returned when the input is in chunks. Iterate over it to get the chunks.

    Args:
        chunks: arrays that all have the same type.
        schema: the type of each chunk.

    Example:
        >>> import pyarrow, urlsm.columns
        >>> made = urlsm.columns.host(pyarrow.chunked_array([["http://a/"], ["http://b/"]]))
        >>> pyarrow.chunked_array(made).to_pylist()
        ['a', 'b']
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
        """The number of null rows."""
        return sum(chunk.null_count for chunk in self.chunks)

    def field(self, name):
        """Return a field of a struct column as a ChunkedArray.

        Args:
            name: the name of the field.

        Raises:
            KeyError: the column has no field with this name.

        Example:
            >>> import pyarrow, urlsm.columns
            >>> urls = pyarrow.chunked_array([["http://a/"], ["http://b/"]])
            >>> urlsm.columns.parse(urls, ("host",)).field("host").to_pylist()
            ['a', 'b']
        """
        for child in self.schema.children:
            if child.name == name:
                return ChunkedArray([chunk.field(name) for chunk in self.chunks], child)
        raise KeyError(name)

    def to_pylist(self):
        """Return the rows of all chunks as one list, like Array.to_pylist.

        Example:
            >>> import pyarrow, urlsm.columns
            >>> urlsm.columns.host(pyarrow.chunked_array([["http://a/"], ["http://b/"]])).to_pylist()
            ['a', 'b']
        """
        return [value for chunk in self.chunks for value in chunk.to_pylist()]

    def __repr__(self):
        return f"<urlsm.columns.ChunkedArray: {len(self)} rows of {self.schema} in {len(self.chunks)} chunks>"

    def __arrow_c_schema__(self):
        return schema_capsule(self.schema)

    def __arrow_c_stream__(self, requested_schema=None):
        return stream_capsule(self.chunks, self.schema, requested_schema)

    @staticmethod
    def _stream_of(arrays, schema, requested_schema=None):
        """Return the capsule of a stream of these arrays. The arrays are taken from the iterable on demand."""
        return stream_capsule(arrays, schema, requested_schema)


@cython.final
@cython.binding(False)
cdef class Pending:
    """The state of an exported stream: the arrays that were not fetched yet, their type, and the last error."""
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


# the type by which give_schema and give_next are called; it has no exception value, since outcome_of handles errors
ctypedef int (*Give)(ArrowArrayStream*, void*) noexcept


cdef int outcome_of(Pending pending, int outcome) noexcept:
    """Return 0 if `outcome` is 0, otherwise the errno for the current exception, whose text is kept in `pending`. This
    is not an `except` clause, because that may need memory; if the error got lost, the stream would seem to end."""
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
    """Return a column of binary_view with the lines of a text, without the LF or CR LF that ends each line. Any text
    after the last LF is also a line."""
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
# A form is a text with places (blanks), which are filled in for each row. A literal is the text before, between or
# after places. "Hard" octets are octets that only Python can write, for example because they must be escaped.

cdef enum:
    MAX_PLACES = 32
    MAX_LITERALS = MAX_PLACES + 1  # one before each place, and one after the last place

cdef dict SIZES = {b"S": 2, b"L": 8, b"w:16": 16, b"w:20": 20}  # the octets of a value, by Arrow's format

cdef struct Form:
    int count
    Cells[MAX_PLACES] cells        # the column of each place; its layout is NO_TEXT if it holds no texts
    const uint8_t* validity[MAX_PLACES]  # for a column without texts: its validity
    const uint8_t* values[MAX_PLACES]    # for a column without texts: its values
    int[MAX_PLACES] size           # for a column without texts: the octets of a value
    int[MAX_PLACES] hard           # for each place: the bits in `octets` that make an octet hard there
    const uint8_t* literal[MAX_LITERALS]
    size_t[MAX_LITERALS] length
    const uint8_t* quote           # written before and after each text
    size_t quote_length
    const uint8_t* absent          # written for a null
    size_t absent_length
    uint8_t[256] octets            # for each octet: bit 0: it is hard at all places; bit 1: it is "%"


cdef bint is_hard(const uint8_t* p, uint32_t n, const uint8_t* octets, int hard) noexcept nogil:
    cdef uint32_t k
    cdef int seen = 0
    for k in range(n):
        seen |= octets[p[k]]
    return seen & hard


cdef int write_value(Buffer* b, const Form* form, int k, int64_t row) except -1 nogil:
    """Append a value that is not a text: a number of 16 or 64 bits in decimal digits, a hash in hexadecimal ones."""
    cdef const uint8_t* p = form.values[k] + row * form.size[k]
    cdef uint8_t[20] digits
    cdef int at = 20
    cdef uint64_t number
    if form.size[k] > 8:
        buffer_copy(b, form.quote, form.quote_length)
        for at in range(form.size[k]):
            digits[0], digits[1] = b"0123456789abcdef"[p[at] >> 4], b"0123456789abcdef"[p[at] & 15]
            buffer_copy(b, digits, 2)
        return buffer_copy(b, form.quote, form.quote_length)
    number = (<const uint16_t*>p)[0] if form.size[k] == 2 else (<const uint64_t*>p)[0]
    while True:
        at -= 1
        digits[at] = <uint8_t>(c'0' + number % 10)
        number //= 10
        if not number:
            return buffer_copy(b, digits + at, 20 - at)


cdef bint fill_row(Buffer* b, const Form* form, int64_t row) except -1 nogil:
    """Append the form, filled in for a row. If a text of the row has hard octets, append nothing and return False."""
    cdef int k
    cdef Cell text
    cdef size_t start = b.n
    for k in range(form.count):
        buffer_copy(b, form.literal[k], form.length[k])
        if form.cells[k].layout == NO_TEXT:
            if form.validity[k] == NULL or bit_at(form.validity[k], row):
                write_value(b, form, k, row)
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


cdef Array field_of(Array given, Array answer, str name):
    if name == "input":
        return given
    return answer.field(name) if answer.schema.format == "+s" else answer


def fill_rows(Array given not None, Array answer not None, tuple names, tuple literals, bytes decoded, bytes quote,
              bytes absent, bytes hard):
    """Return a text with a filled-in form for each row, and a list of the rows that were left out. A row is written as
    literals[0], the value of its field names[0], literals[1], the value of its field names[1], and so on.

    Args:
        given: the texts that were asked about, from column_of_lines. In `names`, they are the field "input".
        answer: a struct with the field can_parse, or the column that all other names mean.
        names: at most 32 fields, whose values are texts, ports, numbers of 64 bits or hashes.
        literals: ASCII, one more than names.
        decoded: an octet for each name: 1 if "%" is a hard octet in its texts, otherwise 0.
        quote: written before and after each text. absent: written for a null.
        hard: octets that are hard in all texts. Octets that are not printable ASCII are also hard.

    The caller has to write the rows that were left out: rows that are no URL, whose given text is empty or does not
    begin with visible ASCII, or that have a text with hard octets. For each of them, the list has a pair: the row's
    number, and the position in the returned text where the row belongs.
    """
    cdef Form form
    cdef Buffer b
    cdef Array column
    cdef Cells lines
    cdef Cell text
    cdef int k
    cdef int64_t row, rows = len(given)
    cdef bint there, of_struct = answer.schema.format == "+s"
    cdef const uint8_t* valid
    cdef list left = []
    if len(names) > MAX_PLACES or len(literals) != len(names) + 1 or len(decoded) != len(names) or len(answer) != rows:
        raise ValueError("a form must have at most 32 places, and one literal more than places")
    if given.schema.format != "vz":
        raise TypeError(f"expected a column of binary_view, not {given.schema}")
    column = answer.field("can_parse") if of_struct else answer
    valid = <const uint8_t*>column.column.array.buffers[1 if of_struct else 0]
    for k in range(256):
        form.octets[k] = (k < 0x20 or k > 0x7E or k in hard) | (k == c'%') << 1
    form.count = len(names)
    columns = [field_of(given, answer, name) for name in names]
    for k in range(form.count):
        column = columns[k]
        octets = (<str>column.schema.format).encode("ascii")
        cells_of(&form.cells[k], &column.column.array, octets)
        form.validity[k] = <const uint8_t*>column.column.array.buffers[0]
        form.values[k] = <const uint8_t*>column.column.array.buffers[1]
        if form.cells[k].layout == NO_TEXT and octets not in SIZES:
            raise ValueError(f"a form must hold texts, numbers and hashes, not {column.schema}")
        form.size[k] = SIZES.get(octets, 0)
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
    ROWS_A_THREAD = 1 << 16  # with threads=None, each thread gets at least this many rows

cdef dict LAYOUTS = {"view": "vu", "string": "u", "large_string": "U"}
cdef dict PLAIN_TEXT = {"z": "u", "Z": "U", "vz": "vu", "n": "u"}


def text_format(str given not None, layout, bint raw=False):
    """Return Arrow's format of the texts in the answer, for a column with texts in the format `given`. layout: the
    requested layout; None: the column's layout. raw: whether binary stays binary. Raises ValueError for an unknown
    layout."""
    if layout is not None and layout not in LAYOUTS:
        raise ValueError(f"unknown layout {layout!r}: the layouts are {', '.join(LAYOUTS)}")
    if raw and given in ("z", "Z", "vz"):
        return given if layout is None else LAYOUTS[layout].replace("u", "z").replace("U", "Z")
    return PLAIN_TEXT.get(given, given) if layout is None else LAYOUTS[layout]


@cython.final
@cython.binding(False)
cdef class Question:
    """The requested fields, and how to read rows to make them. You can use one Question for any number of arrays, on
    any thread.

    The with_... methods set further properties of a new Question, and return the Question.
    """
    cdef Plan plan
    cdef Href href
    cdef URL base
    cdef readonly tuple fields
    cdef readonly object layout
    cdef bint split
    cdef PublicSuffixList suffixes
    cdef Rulebook rulebook
    cdef bytes name

    def __cinit__(self, fields, *, bint single=False, bint raw=False, int dialect=-1, URL base=None, layout=None,
                  profile=None, suffixes=None):
        known = _SPANS if dialect >= 0 else ALL_FIELDS
        self.fields = tuple(fields)
        if len(self.fields) > MAX_FIELDS:
            raise ValueError(f"at most {MAX_FIELDS} fields, not {len(self.fields)}")
        self.layout = layout
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
        """Set how hosts are read. bare: whether a text without ":" and "/" is a host. only_listed: whether a top-level
        domain that is not on the list of suffixes has no public suffix."""
        self.plan.only_listed, self.plan.bare_hosts = only_listed, bare
        return self

    def with_judge(self, judge):
        """Set the quick check for the field "is_ambiguous" or "hazards" (Plan.judge). judge: a capsule from
        security/plain."""
        self.plan.judge = <Judge>PyCapsule_GetPointer(judge, NULL)
        return self

    def with_latest(self, int64_t month):
        """Set the latest month that is not yet "far in the future", for the field "traps"."""
        self.plan.latest = month
        return self

    def with_param(self, str name not None):
        """Set the name of the query parameter, for the field "query_param"."""
        self.name = name.encode("utf-8", "replace")
        self.plan.name, self.plan.name_length = <const uint8_t*>PyBytes_AS_STRING(self.name), len(self.name)
        return self

    def schema(self, given):
        """Return the type of the answer for a column of the type `given`."""
        values = given if given.dictionary is None else given.dictionary
        text = text_format(values.format, self.layout, self.split)
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
    """The answering of a Question for one array, in one or several threads. It can be used once."""
    cdef Plan plan
    cdef Job job
    cdef Question question
    cdef Source source
    cdef Source bases
    cdef int stop
    cdef bint gathered       # whether all parts are done and are now being merged
    cdef set left            # the numbers of the parts that no thread has begun yet
    cdef readonly int64_t octets
    cdef readonly int64_t plain  # the number of rows that the plain lane (rows.pyx) took

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
        cdef bytes text = text_format(self.source.format.decode("ascii"), self.question.layout,
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
        cdef PublicSuffixList suffixes = self.question.suffixes
        while more and not load(&self.stop):
            with nogil:
                more = job_work(&self.job, number, suffixes)
            PyErr_CheckSignals()
        return 0

    def part(self, int number):
        """Do one part of the work, or of the merging, in one of the threads of run(). Raises KeyError if it was begun
        before."""
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
        """Return the result as an Array. threads: the number of threads; None: as many as the processors and rows make
        useful. Raise ValueError if this Work has run before."""
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
    """Make `cells` read the texts of a source. If the source is a dictionary, the cells are the texts of its rows if
    through_index is true, otherwise the dictionary's values."""
    cells_of(cells, source.array.dictionary if source.index else &source.array, source.format)
    if source.index and through_index:
        go_through(cells, &source.array, source.index)
    return 0


# --- layouts that a consumer requests -------------------------------------------------------------

def cast_to(Array array not None, wanted):
    """Return the array with the text layouts of the requested type. Columns that are not text stay unchanged, even if
    another type is requested: the consumer may reject them."""
    schema = cast_schema(array.schema, wanted)
    return array if schema == array.schema or array.column.array.offset else cast_column(array, schema)


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
        made = Work(Question(("href",), single=True, raw=True, layout=layout), source).run()
        (<Array>made).schema = schema
        return made
    children = []
    for k in range(n):
        children.append(cast_column(array_of(column_held(array.column.children[k]), array.schema.children[k]),
                                    schema.children[k]))
    return as_struct(children, schema)


cdef Array as_struct(list children, object schema):
    """Return a struct of the columns in `children`, of which no row is null."""
    cdef Array child = children[0]
    cdef Py_ssize_t k, n = len(children)
    cdef Column* c = column_new(child.column.array.length, 1, n, 0)
    if c == NULL:
        raise MemoryError()
    made = array_of(c, schema)
    for k in range(n):
        child = children[k]
        if child.column.array.length != c.array.length:
            raise ValueError("the columns of a struct must have the same length")
        c.children[k] = column_held(child.column)
    return made


cdef Array decode_dictionary(Array array, object schema):
    """Return a column with the text of each row of `array`, which is a dictionary that urlsm made."""
    cdef Source source = source_of_ours(array)
    layout = {"u": "string", "z": "string", "U": "large_string", "Z": "large_string"}.get(schema.format, "view")
    made = Work(Question(("href",), single=True, raw=True, layout=layout), source, source).run()
    (<Array>made).schema = schema
    return made


cdef Source source_of_ours(Array array):
    """Return a source that reads the column of text `array`, which urlsm made."""
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
    """Return a struct with the fields in `names`. A field comes from `texts` if that has a list for it (with a str or
    None for each row), otherwise from `struct`. Fields from `texts` get the text layout of the field href."""
    cdef list children = []
    href = next(child for child in struct.schema.children if child.name == "href")
    layout = (href if href.dictionary is None else href.dictionary).format
    for name in names:
        made = struct.field(name) if name not in texts else cast_to(column_of_texts(texts[name], name), Schema(layout))
        children.append(made)
    return as_struct(children, Schema("+s", struct.schema.name, tuple([child.schema for child in children])))


def with_kept(Array struct not None, Source source not None):
    """Return a struct with the columns that the source keeps, and the fields of `struct`."""
    cdef list children = [*source.kept, *[struct.field(child.name) for child in struct.schema.children]]
    return as_struct(children, Schema("+s", "", tuple([child.schema for child in children])))


cdef Array column_of_texts(list texts, str name):
    """Return a column of large_utf8 with these texts. Octets that were not UTF-8 become U+FFFD."""
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
    """Return a column with a list for each path: its percent-decoded segments."""
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
    """Return a column with a list for each row of `words`: the names of the bits that are set. words: a column of
    uint64 that urlsm made. names: at most 64 texts."""
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
    """Return a source with the same texts, which is neither a dictionary nor binary."""
    if not source.index and source.format in (b"u", b"U", b"vu"):
        return source
    question = Question(("href",), single=True, raw=True)
    (<Question>question).plan.as_text = True
    return source_of_ours(Work(question, source, source if source.index else None).run())


def ports_of(Array ports not None):
    """Return a column of int32 with the ports that a column holds as text. A row is null where the text is null or not
    a port."""
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


def struct_of(children, names):
    """Return a struct of columns that urlsm made."""
    fields = [child.schema._replace(name=name) for child, name in zip(children, names, strict=True)]
    return as_struct(list(children), Schema("+s", "", tuple(fields)))


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

# The types by which job_start, job_work and job_finish are called here. They have no exception value, since the caller
# looks at the results. On a thread that Python did not start, an exception is gone when these functions return.
ctypedef int (*Start)(Job*, const Plan*, const ArrowArray*, int) noexcept nogil
ctypedef int (*Go)(Job*, int, void*) noexcept nogil
ctypedef Column* (*Finish)(Job*) noexcept nogil

cdef PyObject* polars_suffixes = NULL


cdef int report() noexcept:
    """Pass the text of the current exception to Polars. If there is no exception, memory ran out."""
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
    """Set the plan for a request (kwargs.h). The texts in the answer are views."""
    cdef int field
    cdef char kind = request.p[0], dialect = request.p[1]
    memset(plan, 0, sizeof(Plan))
    plan.layout = VIEW
    plan.single, plan.bare_hosts = kind != c'+', kind == c'?'
    request.p += 2
    request.n -= 2
    # stop after a single field, because the name of a parameter may follow
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
    """Return the answer to a plan for all rows of a column, or NULL for a failure."""
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
    """Call column_of again, after a failure whose exception may be gone, and report the exception to Polars if it fails
    again. This function takes the interpreter's lock; so the exception is not lost."""
    cdef Column* made = NULL
    if PyErr_Occurred() == NULL:
        with nogil:
            made = column_of(plan, source, type)
    if made == NULL:
        report()
    return made


cdef int answer_chunk(Request request, const ArrowSchema* type, ArrowArray* chunk, ArrowArray* out) noexcept nogil:
    """Make the answer to a request for a chunk of a column, without the interpreter's lock. Returns 0 for a failure."""
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
        return failed("urlsm: column must be of String, not of the Arrow format %s", format)
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
    """Return the request that kwargs.h finds in a pickle, or None if it finds none; for tests."""
    cdef Request request
    if not read_kwargs(&request, <const uint8_t*>PyBytes_AS_STRING(pickled), len(pickled)):
        return None
    return request.p[:request.n].decode("utf-8", "surrogatepass")


set_name(Array, "urlsm.columns.Array")
set_name(ChunkedArray, "urlsm.columns.ChunkedArray")
