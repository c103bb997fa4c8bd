"""Declares jobs, which rows.pyx runs. A job is a column, a plan that says what to make of it, and parts: ranges of
rows, one for each thread.

"The plain lane" is a short way, for batches of rows, that takes only plain texts (machine/lane/plain.h).
"""
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport atoi
from urlsm.columns.arrow cimport ArrowArray, Column, Stock, stock_block
from urlsm.columns.cells cimport BATCH, Cell, Cells, Cuts, Found, Layout, Out, UTF8, VIEW, WINDOW_BITS
from urlsm.columns.fields cimport F_IS_AMBIGUOUS, F_HAZARDS, F_TRAPS, field_format, is_of_host
from urlsm.crawler.rules cimport Rules
from urlsm.crawler.structs cimport Scratch
from urlsm.machine.dialects cimport Dialect
from urlsm.machine.machine cimport COMPONENTS, Span
from urlsm.octets.buffer cimport Buffer
from urlsm.url.structs cimport Href, Offsets

cdef enum:
    MAX_FIELDS = 32

cdef enum Reading:           # how a text is read
    URLS                     # by the URL parser
    HOSTS                    # by the URL parser, but only up to the end of the authority, since no field needs the rest
    AS_IS                    # not at all: the answer is the text itself
    KEYS                     # by the canonicaliser, which makes the text's key
    JUDGED                   # by security.is_ambiguous or security.audit, with the lock, unless Plan.judge can answer
    ROW_BY_ROW               # like URLS, but without the plain lane, because a field needs all offsets
    SPANS                    # by a dialect, which splits the text; the fields are indices of Machine.spans

cdef enum State:             # the state of a row
    READ
    REFUSED_ROW
    NULL_ROW

# a quick check for JUDGED: True if urlsm.security.is_ambiguous or urlsm.security.audit certainly has nothing to report
# for a text
ctypedef bint (*Judge)(const uint8_t* p, size_t n) except -1 nogil

cdef struct Plan:
    Reading reading
    const Dialect* dialect   # the dialect for SPANS
    const Href* base         # the base of all rows, or NULL
    const Rules* rules       # the rules of the profile for KEYS
    Judge judge              # the quick check for JUDGED
    int64_t latest           # for F_TRAPS: the latest month that is not "far in the future"
    bint as_text             # for AS_IS: whether octets that are not UTF-8 become U+FFFD
    bint bare_hosts          # whether a text without ":" and "/" is read as a host
    bint only_listed         # whether a top-level domain that is not on the list of suffixes has no public suffix
    void* suffixes           # the list of suffixes, a borrowed reference; NULL: the default list
    const uint8_t* name      # for F_QUERY_PARAM: the name of the parameter
    size_t name_length
    Layout layout            # the layout of the texts in the answer
    bint single              # whether the answer is one field, not a struct
    int count
    int[MAX_FIELDS] fields

cdef struct Part:            # a range of rows, and the results of the thread that works on them
    int64_t row              # the first row that is not done yet
    int64_t stop             # the end of the range
    Buffer written           # the octets of texts that were rewritten
    Buffer key               # the "other" text of a row (rows.pyx), while it is made
    Scratch scratch          # memory for the canonicaliser
    Buffer base              # the normal form of the previous row's base
    Offsets base_offsets
    State base_state
    Cell base_given          # the previous row's base as written
    Out[MAX_FIELDS] out
    bint any_written         # whether some text of this batch was rewritten
    int64_t octets           # the number of octets read so far
    Cell[BATCH] texts
    Cell[BATCH] others       # the "other" text of each row, made for the field that is being written
    Cuts cuts                # the cuts of the field that is being written, unless `found` has them
    Found found              # the rows of this batch that the plain lane took, and their cuts
    uint64_t[2] left         # the rows of this batch that the plain lane did not take, as bits
    int64_t plain            # the number of rows that the plain lane took so far
    uint8_t[BATCH] state
    int8_t[BATCH] code
    uint64_t[BATCH] number   # the values for F_XXH64, F_HAZARDS and F_TRAPS
    # whether the parser refused the row, but a handler read it (read_connection): its state is READ, and `code` and
    # `at` have the parser's error
    bint[BATCH] refused
    bint[BATCH] is_site      # whether the text is the site (or public suffix) itself, which Python has found
    int32_t[BATCH] at
    Offsets[BATCH] o         # the offsets of rows that the plain lane did not take
    Span spans[BATCH][COMPONENTS]

cdef struct Job:
    const Plan* plan
    Cells cells
    Cells bases              # a column with a base for each row, if has_bases
    bint has_bases
    Column* codes            # the dictionary of the field "error_code": the codes of refusals; a borrowed reference
    Column* source           # the column into which the cells and the views point; a borrowed reference
    const ArrowArray* array  # the source's array, or the array of its dictionary
    int64_t rows
    uint32_t written_from    # the number, in views, of the first buffer after the buffers of the source
    void* main[MAX_FIELDS]
    uint64_t* validities[MAX_FIELDS]
    int parts
    Part** part


cdef inline bint is_text(const Plan* plan, int f) noexcept nogil:
    return plan.reading == SPANS or field_format(plan.fields[f]) == NULL


cdef inline size_t width_of(const Plan* plan, int f) noexcept nogil:
    """Return how many octets each row takes in the main buffer of a field; 0 means one bit."""
    cdef char format
    if is_text(plan, f):
        return 16 if plan.layout == VIEW else 4 if plan.layout == UTF8 else 8
    format = field_format(plan.fields[f])[0]
    if format == c'w':  # fixed-size binary: "w:20"
        return atoi(field_format(plan.fields[f]) + 2)
    return 1 if format == c'c' else 2 if format == c'S' else 4 if format == c'i' else 8 if format == c'L' else 0


cdef inline size_t words_of(int64_t rows) noexcept nogil:
    return <size_t>(rows + 63) // 64 + 1


cdef inline int out_of_memory() except -1 nogil:
    with gil:
        raise MemoryError()


cdef inline void* memory_new(Stock* stock, size_t octets) except NULL nogil:
    """Return a new block for a column. The caller frees it with block_free."""
    cdef void* block = stock_block(stock, octets)
    if block == NULL:
        out_of_memory()
    return block


cdef inline int too_much() except -1 nogil:
    with gil:
        raise OverflowError("a column of more than 2 GiB of text does not fit utf8; ask for text='large_string'")


cdef inline void go_through(Cells* cells, const ArrowArray* array, int index) noexcept nogil:
    """Make `cells`, which reads the values of a dictionary, read the rows of the array that has this dictionary. index:
    the format of the array's indices."""
    cells.index = index
    cells.indices = array.buffers[1]
    cells.index_validity = <const uint8_t*>array.buffers[0]
    cells.index_offset = array.offset


cdef inline void read_as(Plan* plan, const Dialect* dialect) noexcept nogil:
    """Set plan.reading to the way of reading rows that the plan's fields need. dialect: a dialect to split with, or
    NULL for the URL parser."""
    cdef int f, field
    plan.dialect = dialect
    plan.reading = HOSTS if dialect == NULL else SPANS
    if dialect != NULL:
        return
    for f in range(plan.count):
        field = plan.fields[f]
        if not is_of_host(field):
            plan.reading = JUDGED if field == F_IS_AMBIGUOUS or field == F_HAZARDS else \
                ROW_BY_ROW if field == F_TRAPS else URLS


cdef inline void refuse_row(Part* part, uint32_t k, int code, int64_t at) noexcept nogil:
    part.state[k] = REFUSED_ROW
    part.code[k] = code
    part.at[k] = at


cdef inline void set_written(const Job* job, Part* part, Cell* text, size_t start, size_t n) noexcept nogil:
    text.p = NULL
    text.n = n
    text.buffer = job.written_from + <uint32_t>(start >> WINDOW_BITS)
    text.offset = start & ((<size_t>1 << WINDOW_BITS) - 1)
    text.room = 0
    part.any_written = True
