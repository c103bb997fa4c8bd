"""The fields of a query, one after the other: name, "=", value, with "&" between them."""
from libc.stdint cimport uint8_t
from urlsm.octets.find cimport find

cdef struct QueryField:
    const uint8_t* name
    const uint8_t* equals    # where the name ends: at the first "=", or at the end of the field
    const uint8_t* end
    const uint8_t* next      # where the next field begins; NULL if there are no more


cdef inline const uint8_t* field_end(const uint8_t* p, const uint8_t* end, uint8_t separator,
                                     uint8_t second) noexcept nogil:
    """Return where the field at p ends: at a separator, or at the end. second: another separator, or 0."""
    cdef const uint8_t* found = find(p, end, separator)
    return find(p, found, second) if second else found


cdef inline bint next_field(QueryField* field, const uint8_t* end, uint8_t separator=c'&', uint8_t second=0,
                            uint8_t equals=c'=') noexcept nogil:
    """Move on to the field that begins at field.next; return False if there are no more. An empty text has one empty
    field, and there is one between two separators."""
    if field.next == NULL:
        return False
    field.name = field.next
    field.end = field_end(field.name, end, separator, second)
    field.equals = find(field.name, field.end, equals)
    field.next = NULL if field.end == end else field.end + 1
    return True


cdef inline const uint8_t* value_of(const QueryField* field) noexcept nogil:
    """Return where the value begins: the end of the field if it has no "="."""
    return field.equals + (field.equals < field.end)
