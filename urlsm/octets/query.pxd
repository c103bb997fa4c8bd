"""Iterating over the fields of a query. A field is a name, "=" and a value; "&" separates the fields."""
from libc.stdint cimport uint8_t
from urlsm.octets.find cimport find

cdef struct QueryField:
    const uint8_t* name
    const uint8_t* equals    # where the name ends: at the first "=" or, if there is none, at the end of the field
    const uint8_t* end
    const uint8_t* next      # where the next field begins; NULL if there are no more


cdef inline const uint8_t* field_end(const uint8_t* p, const uint8_t* end, uint8_t separator,
                                     uint8_t second) noexcept nogil:
    """Return where the field at p ends: at the next separator, or at `end`. second: another separator, or 0."""
    cdef const uint8_t* found = find(p, end, separator)
    return find(p, found, second) if second else found


cdef inline bint next_field(QueryField* field, const uint8_t* end, uint8_t separator=c'&', uint8_t second=0,
                            uint8_t equals=c'=') noexcept nogil:
    """Move on to the field that begins at field.next. Return False if there are no more fields. An empty text has one
    empty field, and there is an empty field between two adjacent separators."""
    if field.next == NULL:
        return False
    field.name = field.next
    field.end = field_end(field.name, end, separator, second)
    field.equals = find(field.name, field.end, equals)
    field.next = NULL if field.end == end else field.end + 1
    return True


cdef inline const uint8_t* value_of(const QueryField* field) noexcept nogil:
    """Return where the value begins: after the "=" or, if there is none, at the end of the field."""
    return field.equals + (field.equals < field.end)
