"""w3lib's url_query_cleaner: fields chosen by their names as they stand."""
from libc.stdint cimport uint8_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp
from urlsm.octets.buffer cimport (
    Buffer, ascii_data, ascii_text, buffer_copy, buffer_free, buffer_put, buffer_start, is_ascii,
)
from urlsm.octets.find cimport find
from urlsm.octets.query cimport QueryField, next_field
from urlsm.octets.text cimport exact
from urlsm.url.names cimport Name, Names, is_named, name_hash, names_done, names_put, names_start

cdef enum:
    FEW = 16                 # so many names, given or in fields, need no heap

cdef struct Span:            # a field's name
    const uint8_t* p         # NULL: an empty place
    size_t n

cdef struct Cleaner:
    uint8_t separator
    uint8_t equals
    bint remove
    bint unique
    Names names
    Span* seen               # the names that there were
    size_t count             # of them, where there are few; else they are open-addressed:
    size_t mask              # places, less one; or 0


cdef bint is_new(Cleaner* c, const uint8_t* p, size_t n) noexcept nogil:
    """Was there no field of the name p[0:n]? It is noted then."""
    cdef size_t k = 0 if c.mask == 0 else name_hash(p, n) & c.mask
    while c.seen[k].p != NULL if c.mask else k < c.count:
        if c.seen[k].n == n and memcmp(c.seen[k].p, p, n) == 0:
            return False
        k = k + 1 if c.mask == 0 else (k + 1) & c.mask
    c.seen[k].p, c.seen[k].n = p, n
    c.count += 1
    return True


cdef int write_fields(Buffer* b, Cleaner* c, const uint8_t* p, const uint8_t* end) except -1:
    """Append "?" and the fields of p[0:end] that stay."""
    cdef QueryField f
    cdef size_t n
    cdef uint8_t before = c'?'
    f.next = p
    while next_field(&f, end, c.separator, 0, c.equals):
        n = f.equals - f.name
        if f.end > f.name and (not c.unique or is_new(c, f.name, n)) and is_named(&c.names, f.name, n) != c.remove:
            buffer_put(b, before)
            buffer_copy(b, f.name, f.end - f.name)
            before = c.separator
    return 0


cdef int write_unique(Buffer* b, Cleaner* c, const uint8_t* p, const uint8_t* end) except -1:
    """The same with room for the names of all fields."""
    cdef Span[FEW] few
    cdef const uint8_t* q = p
    cdef size_t fields = 1
    while c.unique and q < end:
        q = find(q, end, c.separator) + 1
        fields += 1
    c.seen = few
    c.count = c.mask = 0
    if fields > FEW:
        c.mask = 4 * FEW - 1
        while 2 * fields > c.mask + 1:
            c.mask = 2 * c.mask + 1
        c.seen = <Span*>calloc(c.mask + 1, sizeof(Span))
        if c.seen == NULL:
            raise MemoryError()
    try:
        write_fields(b, c, p, end)
    finally:
        if c.seen != few:
            free(c.seen)
    return 0


cdef int write_named(Buffer* b, Cleaner* c, const uint8_t* p, const uint8_t* end, object names) except -1:
    """The same, with the names that are given."""
    cdef Name[FEW] few
    cdef Name* room = few
    cdef Py_ssize_t count = len(names)
    cdef list kept = []      # their octets are
    if count > FEW:
        room = <Name*>calloc(count, sizeof(Name))
        if room == NULL:
            raise MemoryError()
    names_start(&c.names, room)
    try:
        for name in names:
            if not isinstance(name, str):
                continue
            kept.append(exact(name))
            if is_ascii(kept[len(kept) - 1]):  # another is not in a text that is ASCII
                names_put(&c.names, ascii_data(kept[len(kept) - 1]), len(<str>kept[len(kept) - 1]), False)
        names_done(&c.names)
        write_unique(b, c, p, end)
    finally:
        if room != few:
            free(room)
    return 0


cdef str cleaned(str url, const uint8_t* query, Cleaner* c, object names, bint keep_fragments):
    """url, which is ASCII, with the fields that stay. query: its first "?", or its end."""
    cdef const uint8_t* p = ascii_data(url)
    cdef const uint8_t* last = p + len(url)
    cdef const uint8_t* end = find(p, last, c'#')
    cdef Buffer b
    query = min(query, end)  # (a "?" behind "#" begins no query)
    if query == last:
        return url
    buffer_start(&b)
    try:
        buffer_copy(&b, p, query - p)
        if query < end and (names or c.remove):
            write_named(&b, c, query + 1, end, names)
        if keep_fragments and end + 1 < last:
            buffer_copy(&b, end, last - end)
        return url if b.n == <size_t>(last - p) else ascii_text(b.p, b.n)
    finally:
        buffer_free(&b)


cdef str cleaned_text(str url, object names, str separator, str equals, bint remove, bint unique, bint keep_fragments):
    """The same of any text, with separators of any length."""
    cdef set seen = set()
    cdef list kept = []
    base, _, fragment = url.partition("#")
    base, _, query = base.partition("?")
    if names or remove:
        for field in query.split(separator):
            name = field.partition(equals)[0]
            if field and not (unique and name in seen):
                seen.add(name)
                if (name in names) != remove:
                    kept.append(field)
    result = f"{base}?{separator.join(kept)}" if kept else base
    return f"{result}#{fragment}" if keep_fragments and fragment else result


cdef inline bint is_octet(object text) noexcept:
    return type(text) is str and is_ascii(text) and len(<str>text) == 1


def url_query_cleaner(url, parameterlist=(), sep="&", kvsep="=", remove=False, unique=True, keep_fragments=False):
    """The text of a URL with only the fields of these names, or with remove the others; nothing is decoded.

    Args:
        url: str or UTF-8 bytes. parameterlist: a name (str), or a sequence of names.
        sep, kvsep: what stands between fields, and between name and value (str).
        unique: of the fields of one name only the first stays. keep_fragments: the fragment stays.
    """
    cdef object names = parameterlist
    cdef Cleaner c
    cdef bint simple = type(url) is str and is_ascii(url) and is_octet(sep) and is_octet(kvsep)
    cdef const uint8_t* end = NULL
    cdef const uint8_t* query = NULL
    if simple:
        end = ascii_data(url) + len(<str>url)
        query = find(ascii_data(url), end, c'?')
        if query == end and find(ascii_data(url), end, c'#') == end:
            return url
    if isinstance(names, str):
        names = (names,) if names else ()
    elif type(names) is not list:
        names = tuple(names)
    if simple:
        c.separator, c.equals, c.remove, c.unique = ascii_data(sep)[0], ascii_data(kvsep)[0], remove, unique
        return cleaned(url, query, &c, names, keep_fragments)
    if not isinstance(url, str):
        url = url.decode()
    return cleaned_text(str(url), names, sep, kvsep, remove, unique, keep_fragments)
