"""How the fields of a query are read and written: like the fields of a form, or by the table query_fields of the
scheme's handler.

In a form a space is written "+" in names and values, and "+" is written "%2B". If the handler has a table of fields,
"+" stands for a space only in the values of the fields that the table marks with plus. There a space is written "+",
elsewhere "%20"; "+" is written "%2B", which every program reads in the same way. If a scheme has no such table, a space
is always written "%20", but the query is read like a form: every "+" stands for a space.
"""
from cpython.object cimport PyObject
from libc.stdint cimport uint32_t
from urlsm.machine.special cimport HTTP, HTTPS, WS, WSS, scheme_kind
from urlsm.octets.buffer cimport ascii_data, is_ascii
from urlsm.octets.text cimport FORM, Quoting, UNRESERVED, UNRESERVED_OR_PLUS, exact, quoting_at
from urlsm.url.value cimport URL

cdef struct Coding:
    const Quoting* name      # how names are written
    const Quoting* value     # how values are written
    const Quoting* spaced    # how a value is written if its name is in `among`
    # a frozenset of the names in whose values "+" is a space; NULL if the values of all names are treated alike
    PyObject* among
    bint fold                # whether names are the same regardless of ASCII case
    bint plus_in_names       # whether "+" in a name is a space
    bint plus_in_values


cdef inline bint is_form(int kind) noexcept nogil:
    """Return whether queries of this kind of scheme are coded like forms."""
    return kind == HTTP or kind == HTTPS or kind == WS or kind == WSS


cdef inline void set_form(Coding* c) noexcept nogil:
    c.name = c.value = c.spaced = quoting_at(FORM)
    c.among = NULL
    c.fold, c.plus_in_names, c.plus_in_values = False, True, True


cdef inline int set_table(Coding* c, object table) except -1:
    """Set the coding that a table of fields describes. If table is None, "+" is read as a space everywhere, as in
    forms. The table has to outlive the coding."""
    c.name = c.value = quoting_at(UNRESERVED)
    c.spaced = quoting_at(UNRESERVED_OR_PLUS)
    c.among = NULL
    c.fold, c.plus_in_names, c.plus_in_values = False, table is None, table is None
    if table is None:
        return 0
    c.fold = table.fold
    spaces = table.spaces
    if spaces is True:
        c.value, c.plus_in_values = c.spaced, True
    elif spaces is not False:
        if type(spaces) is not frozenset:
            raise TypeError("the names of fields with plus must be a frozenset")
        c.among = <PyObject*>spaces
    return 0


cdef inline int set_space(Coding* c, object space) except -1:
    """Set the coding to write spaces as "%20", if `space` is "%20". None changes nothing; ValueError for any other
    value."""
    if space is None:
        return 0
    if not (isinstance(space, str) and space == "%20"):
        raise ValueError(f'space must be "%20" or None, not {space!r:.40}. '
                         'Pass a query parameter of this name in a mapping: {"space": ...}')
    c.name = c.value = c.spaced = quoting_at(UNRESERVED)
    return 0


cdef inline bint is_spaced(const Coding* c, object name) except -1:
    """Return whether the name is in c.among, so that "+" is a space in its values."""
    if c.among == NULL:
        return False
    among = <object>c.among
    if name in among:
        return True
    return c.fold and name.isascii() and name.lower() in among


cdef inline object set_coding(Coding* c, URL url):
    """Set the coding of a URL's query. Return the object that owns the table, or None."""
    if is_form(url.o.kind):
        set_form(c)
        return None
    from urlsm.errors import PluginError
    table = None
    try:
        table = (<object>url).handler.query_fields
    except PluginError:  # without the plug-in, it is unknown in which fields "+" is a space
        table = None
    set_table(c, table)
    return table


cdef inline object set_coding_of_scheme(Coding* c, object scheme):
    """Do what set_coding does, for a scheme in upper or lower case. None stands for a relative reference, whose query
    is coded as in a URL of http, because most references belong to such a URL."""
    cdef str name = None if scheme is None else exact(scheme)
    if name is None or (is_ascii(name) and is_form(scheme_kind(ascii_data(name), <uint32_t>len(name)))):
        set_form(c)
        return None
    from urlsm.errors import PluginError
    from urlsm.meaning.registry import handler
    table = None
    try:
        table = handler(name).query_fields
    except PluginError:
        table = None
    set_table(c, table)
    return table
