"""Declares the cells of text columns (cells.h) for Cython, and sets them from Arrow arrays."""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset
from urlsm.columns.arrow cimport ArrowArray, Stock

cdef extern from "columns/cells.h" nogil:
    enum:
        BATCH "URLSM_BATCH"
        ROOM "URLSM_ROOM"                # writing a cut is fast if this many octets are readable from its start
        # views address a large buffer as several buffers that begin 2**WINDOW_BITS octets apart
        WINDOW_BITS "URLSM_WINDOW_BITS"

    const uint32_t NO_BUFFER "URLSM_NULL"
    const uint32_t MALFORMED "URLSM_MALFORMED"

    ctypedef enum Layout "urlsm_layout":
        UTF8 "URLSM_UTF8"
        LARGE_UTF8 "URLSM_LARGE_UTF8"
        VIEW "URLSM_VIEW"
        NO_TEXT "URLSM_NO_TEXT"

    ctypedef struct Cell "urlsm_cell":
        const uint8_t* p
        uint32_t n
        uint32_t buffer
        uint32_t offset
        uint32_t room

    ctypedef struct Cut "urlsm_cut":
        uint32_t start
        uint32_t n

    ctypedef struct Cuts "urlsm_cuts":
        uint64_t there[2]
        Cut* at

    ctypedef struct View "urlsm_view":
        uint32_t n
        uint32_t buffer

    ctypedef struct Cells "urlsm_cells":
        Layout layout
        int64_t length
        int64_t offset
        const uint8_t* validity
        const void* main
        const uint8_t* data
        int64_t octets
        const uint8_t** buffers
        const int64_t* sizes
        int64_t n_buffers
        int index
        const void* indices
        const uint8_t* index_validity
        int64_t index_offset

    bint bit_at "urlsm_bit"(const uint8_t* bits, int64_t k) noexcept
    int64_t index_at "urlsm_index_at"(int format, const void* indices, int64_t k) noexcept
    bint cell_at "urlsm_cell_at"(const Cells* c, int64_t k, Cell* text) noexcept
    int64_t texts_at "urlsm_texts_at"(const Cells* c, int64_t row, uint32_t count, Cell* texts) noexcept
    void no_text "urlsm_no_text"(Cell* text) noexcept
    uint32_t room_of "urlsm_room"(int64_t octets) noexcept
    void prefetch "urlsm_prefetch"(const uint8_t* p) noexcept
    void prefetch_line "urlsm_prefetch_line"(const void* p) noexcept
    bint is_utf8 "urlsm_is_utf8"(const uint8_t* p, size_t n) noexcept
    int widest "urlsm_widest"(int most) noexcept

    ctypedef struct Found "urlsm_found":
        uint64_t plain[2]
        Cuts host
        Cuts path
        Cuts query
        Cuts fragment

    # --- the output: a column that is being written (cuts.pxd)
    ctypedef struct Out "urlsm_out":
        Layout layout
        void* main
        uint64_t* validity
        Stock* stock
        uint8_t* data
        size_t n
        size_t capacity
        int64_t nulls
        int64_t rows

    uint32_t popcount "urlsm_popcount"(uint64_t word) noexcept
    void put_word "urlsm_put_word"(uint64_t* words, int64_t k, uint64_t word) noexcept


cdef inline int64_t source_octets(const Cells* cells) noexcept nogil:
    """Return the last offset of a text column without views: where the text of the last row ends in `data`."""
    cdef int64_t last = cells.offset + cells.length
    if cells.length == 0:
        return 0
    return (<const int32_t*>cells.main)[last] if cells.layout == UTF8 else (<const int64_t*>cells.main)[last]


cdef inline Layout layout_of(const char* format) noexcept nogil:
    if format[0] == c'v':
        return VIEW
    if format[0] == c'u' or format[0] == c'z':
        return UTF8
    return LARGE_UTF8 if format[0] == c'U' or format[0] == c'Z' else NO_TEXT


cdef inline int cells_of(Cells* cells, const ArrowArray* array, const char* format) noexcept nogil:
    """Set `cells` so that it reads the rows of an imported array in this Arrow format: text, binary or null."""
    memset(cells, 0, sizeof(Cells))
    cells.length, cells.offset = array.length, array.offset
    cells.layout = layout_of(format)
    if cells.layout == NO_TEXT:
        return 0
    cells.validity = <const uint8_t*>array.buffers[0]
    cells.main = array.buffers[1]
    if cells.layout == VIEW:
        cells.buffers, cells.n_buffers = <const uint8_t**>array.buffers + 2, array.n_buffers - 3
        cells.sizes = <const int64_t*>array.buffers[array.n_buffers - 1]
    else:
        cells.data = <const uint8_t*>b"" if array.buffers[2] == NULL else <const uint8_t*>array.buffers[2]
        cells.octets = source_octets(cells)
    return 0
