"""From rows of text to columns of fields, without the interpreter's lock: a job is set up, run in parts and
finished."""
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from urlsm.columns.arrow cimport ArrowArray, Column
from urlsm.columns.cells cimport BATCH, Cell, Cells, Cuts, Found, Layout, Out, UTF8, VIEW
from urlsm.columns.fields cimport F_AMBIGUOUS, field_format, is_of_host, is_of_refused
from urlsm.crawler.rules cimport Rules
from urlsm.crawler.structs cimport Scratch
from urlsm.crawler.suffix_list cimport Suffixes
from urlsm.machine.dialects cimport Dialect
from urlsm.machine.machine cimport COMPONENTS, Span
from urlsm.octets.buffer cimport Buffer
from urlsm.url.structs cimport Href, Offsets

cdef enum:
    MAX_FIELDS = 32

cdef enum Reading:
    URLS                     # by the URL parser
    HOSTS                    # likewise, but nothing after the authority is needed
    AS_IS                    # not at all
    KEYS                     # by the canonicaliser
    AMBIGUITY                # by urlsm.is_ambiguous; with the lock
    SPANS                    # split by a dialect; fields are indices of Machine.spans

cdef enum State:             # of a row
    READ
    REFUSED_ROW
    NULL_ROW

cdef struct Plan:
    Reading reading
    const Dialect* dialect   # of SPANS
    const Href* base         # NULL if there is none
    const Rules* rules       # of KEYS
    bint bare_hosts          # a text without ":" and "/" is a host
    const uint8_t* name      # of F_PARAM
    size_t name_length
    Layout layout            # of the texts of the answer
    bint single              # one field, not a struct
    bint tells_why           # a refused row is not null: error, error_at or valid reports it
    int count
    int[MAX_FIELDS] fields

cdef struct Part:            # a range of rows, and the results of one thread
    int64_t row
    int64_t stop
    Buffer written           # texts that differ from the column's
    Buffer key
    Scratch scratch          # of the canonicaliser
    Buffer base              # the base of the row before
    Offsets base_offsets
    State base_state
    Cell base_given
    Out[MAX_FIELDS] out
    int64_t nulls            # of the struct
    bint any_written         # in this batch
    int64_t octets           # read so far
    Cell[BATCH] texts
    Cell[BATCH] others
    Cuts cuts                # of the current field, if found has none
    Found found              # the rows of this batch that the plain lane took
    uint64_t[2] left         # and those that it did not, as bits
    int64_t plain            # rows that the lane took so far
    uint8_t[BATCH] state
    int8_t[BATCH] code
    bint[BATCH] asked    # the text is the site, from Python
    int32_t[BATCH] at
    Offsets[BATCH] o    # of rows that the plain lane did not take
    Span spans[BATCH][COMPONENTS]

cdef struct Job:
    const Plan* plan
    Cells cells
    Cells bases              # a base for each row, if has_bases
    bint has_bases
    Column* codes            # of refusals: the dictionary of the field error; borrowed
    Column* source           # borrowed; the cells point into it, and so do views
    const ArrowArray* array  # the source's: itself, or its dictionary
    int64_t rows
    uint32_t written_from    # number of the first buffer that is not the source's
    uint64_t* validity       # of the struct
    void* main[MAX_FIELDS]
    uint64_t* validities[MAX_FIELDS]
    int parts
    Part** part


cdef inline bint is_text(const Plan* plan, int f) noexcept nogil:
    return plan.reading == SPANS or field_format(plan.fields[f]) == NULL


cdef inline size_t width_of(const Plan* plan, int f) noexcept nogil:
    """Return the octets of a row in a field's main buffer; 0: a bit."""
    cdef char format
    if is_text(plan, f):
        return 16 if plan.layout == VIEW else 4 if plan.layout == UTF8 else 8
    format = field_format(plan.fields[f])[0]
    return 1 if format == c'c' else 2 if format == c'S' else 4 if format == c'i' else 0


cdef inline size_t words_of(int64_t rows) noexcept nogil:
    return <size_t>(rows + 63) // 64 + 1


cdef inline int out_of_memory() except -1 nogil:
    with gil:
        raise MemoryError()


cdef inline int too_much() except -1 nogil:
    with gil:
        raise OverflowError("a column of more than 2 GiB of text does not fit utf8; ask for text='large_string'")


cdef inline void go_through(Cells* cells, const ArrowArray* array, int index) noexcept nogil:
    """Turn the cells of a dictionary's values into its rows. index: the format of the array's indices."""
    cells.index = index
    cells.indices = array.buffers[1]
    cells.index_validity = <const uint8_t*>array.buffers[0]
    cells.index_offset = array.offset


cdef inline void read_as(Plan* plan, const Dialect* dialect) noexcept nogil:
    """Choose how to read rows, for the fields of a plan. dialect: that of a split, or NULL."""
    cdef int f, field
    plan.dialect = dialect
    plan.reading = HOSTS if dialect == NULL else SPANS
    plan.tells_why = False
    if dialect != NULL:
        return
    for f in range(plan.count):
        field = plan.fields[f]
        plan.tells_why |= is_of_refused(field)
        if not is_of_host(field):
            plan.reading = AMBIGUITY if field == F_AMBIGUOUS else URLS


cdef void* memory_new(size_t octets) except NULL nogil
cdef int cells_of(Cells* cells, const ArrowArray* array, const char* format) except -1 nogil
cdef int job_start(Job* job, const Plan* plan, const ArrowArray* array, int parts) except -1 nogil
cdef int job_work(Job* job, int number, Suffixes suffixes) except -1 nogil
cdef Column* job_finish(Job* job) except NULL nogil
cdef int job_gather(Job* job) except -1 nogil
cdef void job_move(Job* job, int share) noexcept nogil
cdef Column* with_indices(Column* values, const ArrowArray* array, Column* source, int format, const Plan* plan,
                          const uint64_t* key) except NULL nogil
cdef void job_free(Job* job) noexcept nogil

# for reading.pxd; the compiler must not inline them into its loop
cdef int read_bare_host(const Job* job, Part* part, uint32_t k) except -1 nogil
cdef int ask_site(const Job* job, Part* part, uint32_t k, size_t start) except -1 nogil
cdef int read_key(const Job* job, Part* part, uint32_t k) except -1 nogil
cdef int set_base(Job* job, Part* part, int64_t row) except -1 nogil
cdef int write_row(const Job* job, Part* part, uint32_t k, const Href* base) except -1 nogil
cdef int replace_invalid(Buffer* b, const Cell* text) except -1 nogil
