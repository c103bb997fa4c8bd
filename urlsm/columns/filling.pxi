"""Included by array: rows as lines of text. A form, octets with places between them, is filled in for each row."""
from cpython.bytes cimport PyBytes_AS_STRING
from libc.stdint cimport int64_t, uint16_t, uint32_t, uint8_t
from urlsm.columns.cells cimport Cell, Cells, NO_TEXT, bit_at, cell_at, cells_of
from urlsm.octets.buffer cimport Buffer, buffer_copy, buffer_free, buffer_start
from urlsm.url.write.host cimport write_number

cdef enum:
    MAX_PLACES = 32
    MAX_LITERALS = MAX_PLACES + 1  # before each place, and after the last

cdef struct Form:
    int count
    Cells[MAX_PLACES] cells        # the column of each place; the layout of numbers is NO_TEXT
    const uint8_t* validity[MAX_PLACES]  # of numbers
    const uint16_t* numbers[MAX_PLACES]
    int[MAX_PLACES] hard           # the bits of `octets` that a text at this place may not have
    const uint8_t* literal[MAX_LITERALS]
    size_t[MAX_LITERALS] length
    const uint8_t* quote           # around each text
    size_t quote_length
    const uint8_t* absent          # for a null
    size_t absent_length
    uint8_t[256] octets


cdef bint is_hard(const uint8_t* p, uint32_t n, const uint8_t* octets, int hard) noexcept nogil:
    cdef uint32_t k
    cdef int seen = 0
    for k in range(n):
        seen |= octets[p[k]]
    return seen & hard


cdef bint fill_row(Buffer* b, const Form* form, int64_t row) except -1 nogil:
    """Append a row. Returns False, and appends nothing, if Python has to write it because of a text in it."""
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


def filled(Array given not None, Array struct not None, tuple names, tuple literals, bytes decoded, bytes quote,
           bytes absent, bytes hard):
    """Return each row of a struct as literals[0], its field names[0], literals[1], ..., and the rows left out.

    Args:
        given: the texts of the struct, from column_of_lines; the field "input". names: at most 32
            of texts and ports. literals: ASCII, one more than names. decoded: 1 for each name whose text may not
            contain "%". quote: put around each text. absent: put for each null. hard: no text may contain these.

    Left out, for the caller to write: rows that are null, or whose text is empty or begins with a space, and those
    with a text that holds `hard` octets or other than printable ASCII. They are pairs: the row's number, and its place
    in the text.
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
        raise ValueError("a form has at most 32 places, and each its literal")
    if given.schema.format != "vz" or struct.schema.format != "+s":
        raise TypeError(f"expected binary_view and a struct of it, not {given.schema} and {struct.schema}")
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
            raise ValueError(f"a form holds texts and ports, not {column.schema}")
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
