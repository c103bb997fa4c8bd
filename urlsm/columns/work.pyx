"""A call for one array: a plan, a job of one or more parts, and the resulting column."""
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING
from cpython.exc cimport PyErr_CheckSignals
from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.stdint cimport int32_t, int64_t, uint64_t, uint8_t
from libc.stdlib cimport malloc
from libc.string cimport memcpy, memset
from urlsm.columns.array cimport Array, array_of
from urlsm.columns.arrow cimport ArrowArray, Column, column_free, column_held, column_new
from urlsm.columns.cells cimport Cell, Cells, LARGE_UTF8, NO_TEXT, UTF8, VIEW, cell_at, cells_of, put_word
from urlsm.columns.dictionaries cimport HASH_WORDS
from urlsm.columns.array cimport Source
from urlsm.columns.jobs cimport AS_IS, Job, Judge, KEYS, MAX_FIELDS, Plan, go_through, read_as, words_of
from urlsm.columns.rows cimport (
    job_finish, job_free, job_gather, job_move, job_start, job_work, with_indices,
)
from urlsm.columns.segments cimport names_of, segments_of
from urlsm.crawler.canonical cimport rulebook_of
from urlsm.crawler.keys cimport Rulebook
from urlsm.crawler.sites cimport Suffixes, suffixes_or_default
from urlsm.machine.driver cimport dialect_at
from urlsm.octets.buffer cimport ascii_data
from urlsm.octets.once cimport load, store
from urlsm.url.structs cimport Href
from urlsm.url.value cimport URL
from os import urandom
from urlsm.octets.text import utf8
from urlsm.columns.names import ALL_FIELDS, LIST, LISTED, SPANS as _SPANS, Schema, cast_schema, field_schema

cdef enum:
    ROWS_A_THREAD = 1 << 16  # threads=None starts no thread for fewer

cdef uint64_t[HASH_WORDS] KEY  # of the hash of a dictionary's texts: random in each process
cdef bytes chance = urandom(sizeof(KEY))
memcpy(KEY, PyBytes_AS_STRING(chance), sizeof(KEY))

cdef dict LAYOUTS = {"view": "vu", "string": "u", "large_string": "U"}
cdef dict PLAIN_TEXT = {"z": "u", "Z": "U", "vz": "vu", "n": "u"}


def text_format(str given not None, text, bint raw=False):
    """Return the format of the answer's texts, for this given format: the same layout, or the requested one. raw: bytes
    stay bytes. ValueError for an unknown layout."""
    if text is not None and text not in LAYOUTS:
        raise ValueError(f"unknown text layout {text!r}; the layouts are {', '.join(LAYOUTS)}")
    if raw and given in ("z", "Z", "vz"):
        return given if text is None else LAYOUTS[text].replace("u", "z").replace("U", "Z")
    return PLAIN_TEXT.get(given, given) if text is None else LAYOUTS[text]


@cython.final
@cython.binding(False)
cdef class Question:
    """The requested fields, and how to read rows. It can be asked of any number of arrays, on any thread."""
    cdef Plan plan
    cdef Href href
    cdef URL base
    cdef readonly tuple fields
    cdef readonly object text
    cdef readonly bint raw
    cdef bint split
    cdef Suffixes suffixes
    cdef Rulebook rulebook
    cdef bytes name

    def __cinit__(self, fields, *, bint single=False, bint raw=False, int dialect=-1, URL base=None, text=None,
                  profile=None, suffixes=None, str param=None, bint bare_hosts=False, bint only_listed=False,
                  judge=None, int64_t latest=0):
        known = _SPANS if dialect >= 0 else ALL_FIELDS
        self.fields = tuple(fields)
        if len(self.fields) > MAX_FIELDS:
            raise ValueError(f"at most {MAX_FIELDS} fields, not {len(self.fields)}")
        self.text = text
        self.raw = self.split = dialect >= 0
        self.base = base
        memset(&self.plan, 0, sizeof(Plan))
        self.plan.count = len(self.fields)
        for k, name in enumerate(self.fields):
            self.plan.fields[k] = known.index(name)
        self.plan.single = single
        read_as(&self.plan, dialect_at(dialect) if dialect >= 0 else NULL)
        self.plan.bare_hosts = bare_hosts
        self.plan.only_listed = only_listed
        if not LISTED.isdisjoint(self.fields):
            self.suffixes = suffixes_or_default(suffixes)
            self.plan.suffixes = <void*>self.suffixes
        if judge is not None:
            self.plan.judge = <Judge>PyCapsule_GetPointer(judge, NULL)
        self.plan.latest = latest
        if param is not None:
            self.name = param.encode("utf-8", "replace")
            self.plan.name, self.plan.name_length = <const uint8_t*>PyBytes_AS_STRING(self.name), len(self.name)
        if profile is not None:
            self.rulebook = rulebook_of(profile)
            self.plan.reading, self.plan.rules = KEYS, &self.rulebook.rules
        if raw:
            self.plan.reading = AS_IS
        if base is not None:
            self.href.p, self.href.n, self.href.o = ascii_data(base.href), len(base.href), &base.o
            self.plan.base = &self.href

    def schema(self, given):
        """Return the type of the answer, for this type of the column."""
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
    """A question about one array."""
    cdef Plan plan
    cdef Job job
    cdef Question question
    cdef Source source
    cdef Source bases
    cdef int stop
    cdef bint gathered       # all parts are done, and are being merged
    cdef set left            # the parts that wait for a thread
    cdef readonly int64_t octets
    cdef readonly int64_t plain  # rows that the plain lane took

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
        """Do a part, in a thread of run. KeyError if the part does not wait for one."""
        self.left.remove(number)
        if self.gathered:
            with nogil:
                job_move(&self.job, number)
        else:
            self.go(number)

    def leave_off(self):
        """Tell the working threads to stop, after an error or a signal."""
        store(&self.stop, 1)

    def run(self, threads=1):
        """Return the answer, computed with this many threads; None: as many as processors and rows allow. ValueError
        for a second call."""
        cdef Column* made
        cdef Column* values
        cdef int k, parts = self.parts(threads)
        if self.job.part != NULL:
            raise ValueError("a piece of work is done once")
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
                made = with_indices(values, &self.source.array, self.source.column, self.source.index, &self.plan, KEY)
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
    """Set the cells of a source: of a dictionary the values, or, through its indices, the rows."""
    cells_of(cells, source.array.dictionary if source.index else &source.array, source.format)
    if source.index and through_index:
        go_through(cells, &source.array, source.index)
    return 0


# --- layouts that a consumer requests ----------------------------------------------------------

def cast_to(Array array not None, wanted):
    """Return the array in the text layouts of the requested type. Anything but text stays as it is: the consumer will
    reject what it cannot take."""
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
            return decoded(array, schema)
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
    """Return a struct of these columns, of as many rows, which is null where another struct is."""
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
            raise ValueError("columns of a struct have the same length")
        c.children[k] = column_held(child.column)
    return made


cdef Array decoded(Array array, object schema):
    """Return our dictionary as the texts of its rows."""
    cdef Source source = source_of_ours(array)
    layout = {"u": "string", "z": "string", "U": "large_string", "Z": "large_string"}.get(schema.format, "view")
    made = Work(Question(("href",), single=True, raw=True, text=layout), source, source).run()
    (<Array>made).schema = schema
    return made


cdef Source source_of_ours(Array array):
    """Return the source of a column of text that we made, to read it again."""
    cdef Source source = Source.__new__(Source)
    values = array.schema if array.schema.dictionary is None else array.schema.dictionary
    source.column = column_held(array.column)
    source.array = array.column.array
    source.format, source.index = values.format.encode("ascii"), 0
    if array.schema.dictionary is not None:
        source.array.dictionary = &array.column.dictionary.array
        source.index = ord(array.schema.format)
    return source


def with_texts(Array struct not None, tuple names not None, dict texts not None):
    """Return a struct of these fields: those of another struct, and columns of texts (lists of str and None, with a
    value for each row) in the layout of its field href."""
    cdef list children = []
    href = next(child for child in struct.schema.children if child.name == "href")
    layout = (href if href.dictionary is None else href.dictionary).format
    for name in names:
        made = struct.field(name) if name not in texts else cast_to(column_of_texts(texts[name], name), Schema(layout))
        children.append(made)
    return as_struct(struct, children, Schema("+s", struct.schema.name, tuple([child.schema for child in children])))


cdef Array column_of_texts(list texts, str name):
    """Return a column of large_utf8. Octets that did not decode become U+FFFD."""
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


def named(Array words not None, names):
    """Return the names of the bits of each row, of a column of uint64 that we made. names: at most 64 texts."""
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
    """Return the source as a column of text, one for each row: not a dictionary, not binary."""
    if not source.index and source.format in (b"u", b"U", b"vu"):
        return source
    question = Question(("href",), single=True, raw=True)
    (<Question>question).plan.as_text = True
    return source_of_ours(Work(question, source, source if source.index else None).run())


def ports_of(Array ports not None):
    """Return a column of ports as written as numbers, int32; null where there are none, or no digits."""
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
    """Return columns that we made, of as many rows, as a struct that is null where the given one is."""
    fields = [child.schema._replace(name=name) for child, name in zip(children, names, strict=True)]
    return as_struct(struct, list(children), Schema("+s", "", tuple(fields)))
