"""w3lib's url_query_cleaner, which selects fields by their names as written, and fast paths for w3lib's other
functions.

The fast ways for queries work only for plain texts (machine/lane/plain.h), which the plain lane reads. Before w3lib
splits a text, it may strip, reject or replace something; in a plain text it changes nothing, and then finds the same
components as the lane.
"""
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport uint8_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp
from urlsm.machine.bounds cimport Bounds
from urlsm.machine.driver cimport BY_LANE
from urlsm.machine.machine cimport ABSENT
from urlsm.machine.reading cimport Reading, read
from urlsm.octets.buffer cimport (
    Buffer, MAX_LENGTH, ascii_data, ascii_text, buffer_copy, buffer_free, buffer_put, buffer_start, is_ascii,
)
from urlsm.octets.chars cimport CLASS, URL_CODE_POINT
from urlsm.octets.find cimport find
from urlsm.octets.text cimport UNRESERVED_OR_PLUS, quoting_at, write_quoted, write_unquoted
from urlsm.octets.query cimport QueryField, next_field
from urlsm.octets.text cimport exact
from urlsm.url.params cimport Name, Names, is_named, name_hash, names_done, names_put, names_start

cdef enum:
    FEW = 16                 # up to this many names are stored on the stack

cdef struct Span:            # the name of a field
    const uint8_t* p         # NULL for an empty place of the table
    size_t n

cdef struct Cleaner:
    uint8_t separator
    uint8_t equals
    bint remove
    bint unique
    Names names
    Span* seen               # the names of the fields so far
    size_t count             # the number of names in `seen`
    size_t mask              # if `seen` is an open-addressed table: the number of its places, less one; otherwise 0


cdef bint is_new(Cleaner* c, const uint8_t* p, size_t n) noexcept nogil:
    """Return whether no field before had the name p[0:n], and add the name to c.seen."""
    cdef size_t k = 0 if c.mask == 0 else name_hash(p, n) & c.mask
    while c.seen[k].p != NULL if c.mask else k < c.count:
        if c.seen[k].n == n and memcmp(c.seen[k].p, p, n) == 0:
            return False
        k = k + 1 if c.mask == 0 else (k + 1) & c.mask
    c.seen[k].p, c.seen[k].n = p, n
    c.count += 1
    return True


cdef int write_fields(Buffer* b, Cleaner* c, const uint8_t* p, const uint8_t* end) except -1:
    """Append "?" and the fields from p to `end` that stay, or nothing if none stays."""
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
    """Do the same as write_fields, after allocating c.seen, the memory for the names of all fields."""
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
    """Do the same as write_unique, after setting c.names to `names`."""
    cdef Name[FEW] few
    cdef Name* room = few
    cdef Py_ssize_t count = len(names)
    cdef list kept = []      # holds the texts into which c.names points
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
            if is_ascii(kept[len(kept) - 1]):  # other names cannot be in the URL, which is ASCII
                names_put(&c.names, ascii_data(kept[len(kept) - 1]), len(<str>kept[len(kept) - 1]), False)
        names_done(&c.names)
        write_unique(b, c, p, end)
    finally:
        if room != few:
            free(room)
    return 0


cdef str clean_ascii(str url, const uint8_t* query, Cleaner* c, object names, bint keep_fragments):
    """Return an ASCII URL with only the fields that stay. query: the place of the URL's first "?", or its end."""
    cdef const uint8_t* p = ascii_data(url)
    cdef const uint8_t* last = p + len(url)
    cdef const uint8_t* end = find(p, last, c'#')
    cdef Buffer b
    query = min(query, end)  # (a "?" after "#" does not begin a query)
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


cdef str clean_any(str url, object names, str separator, str equals, bint remove, bint unique, bint keep_fragments):
    """Do the same as clean_ascii, for any text and for separators of any length."""
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
    """Return a URL with only some of its query parameters. Nothing is decoded.

    Args:
        url: str, or UTF-8 bytes.
        parameterlist: a name, or a sequence of names.
        sep: the separator between parameters.
        kvsep: the separator between a name and its value.
        remove: whether to remove the parameters with these names, and keep the others.
        unique: whether to keep only the first parameter with each name.
        keep_fragments: whether to keep the fragment.

    Example:
        >>> url_query_cleaner("http://example.org/?id=7&utm_source=mail", ["id"])
        'http://example.org/?id=7'
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
        return clean_ascii(url, query, &c, names, keep_fragments)
    if not isinstance(url, str):
        url = url.decode()
    return clean_any(str(url), names, sep, kvsep, remove, unique, keep_fragments)


# --- fast ways ---------------------------------------------------------------------------------

cdef bint is_plain(object url, object separator, Reading* r) noexcept:
    return is_octet(separator) and type(url) is str and is_ascii(url) and len(<str>url) <= MAX_LENGTH \
        and read(r, ascii_data(url), len(<str>url), NULL, BY_LANE)


cdef const uint8_t* query_of(str url, const Bounds* at, const uint8_t** end) noexcept:
    """Return where the query starts, and set *end to where it ends. Both are equal if the query is empty or absent."""
    cdef const uint8_t* p = ascii_data(url)
    end[0] = p + (len(url) if at.fragment_start == ABSENT else at.fragment_start)
    return end[0] if at.query_start == ABSENT else p + at.query_start + 1


cdef bint is_escaped(const uint8_t* p, const uint8_t* end) noexcept:
    return find(p, end, c'%') < end or find(p, end, c'+') < end


cdef bint has_name(const uint8_t* p, const uint8_t* end, bytes name, Buffer* b) except -1:
    """Return whether the bytes from p to `end`, decoded, are the given name."""
    if is_escaped(p, end):
        b.n = 0
        write_unquoted(b, p, end - p, True)
        p, end = b.p, b.p + b.n
    return end - p == PyBytes_GET_SIZE(name) and memcmp(p, PyBytes_AS_STRING(name), end - p) == 0


def parameter_of(url, parameter, bint keep_blank_values, separator):
    """Return the result of url_query_parameter for a plain link: the value (str) or None. Return Ellipsis for other
    arguments, for which the caller must use the slow path."""
    cdef Reading r
    cdef Buffer b
    cdef bytes name
    cdef const uint8_t* end = NULL
    cdef const uint8_t* p
    cdef const uint8_t* stop
    cdef const uint8_t* equals
    if type(parameter) is not str or not is_plain(url, separator, &r):
        return ...
    name = (<str>parameter).encode()
    p = query_of(url, &r.at, &end)
    buffer_start(&b)
    try:
        while p < end:
            stop = find(p, end, ascii_data(separator)[0])
            equals = find(p, stop, c'=')
            if stop > p and (keep_blank_values or stop - equals > 1) and has_name(p, equals, name, &b):
                equals += equals < stop
                if not is_escaped(equals, stop):
                    return ascii_text(equals, stop - equals)
                b.n = 0
                write_unquoted(&b, equals, stop - equals, True)
                return PyUnicode_DecodeUTF8(<const char*>b.p, b.n, "replace")
            p = stop + 1
        return None
    finally:
        buffer_free(&b)


cdef int write_piece(Buffer* b, const uint8_t* p, const uint8_t* end, Buffer* decoded) except -1:
    """Append the bytes from p to `end`, decoded and then quoted again."""
    if is_escaped(p, end):
        decoded.n = 0
        write_unquoted(decoded, p, end - p, True)
        p, end = decoded.p, decoded.p + decoded.n
    return write_quoted(b, p, end - p, quoting_at(UNRESERVED_OR_PLUS))


cdef int write_given(Buffer* b, bytes octets) except -1:
    return write_quoted(b, <const uint8_t*>PyBytes_AS_STRING(octets), PyBytes_GET_SIZE(octets),
                        quoting_at(UNRESERVED_OR_PLUS))


cdef int write_replaced(Buffer* b, const uint8_t* p, const uint8_t* end, uint8_t separator, list names, list values,
                        Buffer* scratch) except -1:
    """Append the fields from p to `end`. For each name in `names`, keep only the first field with this name, and give
    it the new value from `values`. Then append each of these names that no field had, with its value."""
    cdef const uint8_t* stop
    cdef const uint8_t* equals
    cdef Py_ssize_t k, start = b.n
    cdef bint[FEW] seen
    for k in range(FEW):
        seen[k] = False
    while p < end:
        stop = find(p, end, separator)
        equals = find(p, stop, c'=')
        k = 0
        while k < len(names) and not has_name(p, equals, names[k], scratch):
            k += 1
        if stop > p and (k == len(names) or not seen[k]):
            buffer_put(b, separator if <Py_ssize_t>b.n > start else c'?')
            write_piece(b, p, equals, scratch)
            buffer_put(b, c'=')
            if k < len(names):
                write_given(b, values[k])
                seen[k] = True
            else:
                write_piece(b, equals + (equals < stop), stop, scratch)
        p = stop + 1
    for k in range(len(names)):
        if not seen[k]:
            buffer_put(b, separator if <Py_ssize_t>b.n > start else c'?')
            write_given(b, names[k])
            buffer_put(b, c'=')
            write_given(b, values[k])
    return 0


def with_parameters(url, new_parameters, separator):
    """Return the result of add_or_replace_parameters for a plain link and at most FEW parameters (str). Return None for
    other arguments, for which the caller must use the slow path."""
    cdef Reading r
    cdef Buffer b, scratch
    cdef const uint8_t* end = NULL
    cdef const uint8_t* p
    cdef list names = [], values = []
    if type(new_parameters) is not dict or len(<dict>new_parameters) > FEW or not is_plain(url, separator, &r):
        return None
    for name, value in (<dict>new_parameters).items():
        if type(name) is not str or type(value) is not str:
            return None
        names.append((<str>name).encode())
        values.append((<str>value).encode())
    p = query_of(url, &r.at, &end)
    buffer_start(&b)
    buffer_start(&scratch)
    try:
        buffer_copy(&b, ascii_data(url), r.at.path_end)
        write_replaced(&b, p, end, ascii_data(separator)[0], names, values, &scratch)
        if ascii_data(url) + len(<str>url) - end > 1:  # the fragment is not empty
            buffer_copy(&b, end, ascii_data(url) + len(<str>url) - end)
        return ascii_text(b.p, b.n)
    finally:
        buffer_free(&b)
        buffer_free(&scratch)


def plain_file_path(uri):
    """Return the path, as written, of a file: URI that has no host and in which w3lib strips, rejects or replaces
    nothing. Return None for other URIs, for which the caller must use the slow path."""
    cdef const uint8_t* p
    cdef Py_ssize_t n, k
    if type(uri) is not str or not is_ascii(uri):
        return None
    p, n = ascii_data(uri), len(<str>uri)
    if n < 9 or memcmp(p, b"file:///", 8) != 0 or p[8] == c'/':
        return None
    for k in range(8, n):
        if p[k] != c'%' and (not CLASS[p[k]] & URL_CODE_POINT or p[k] == c'?'):
            return None
    return uri[7:]


def is_url(text):
    """Return whether a str begins with "http://", "https://" or "file://", or is just "http", "https" or "file".

    Args:
        text: the str.

    Example:
        >>> is_url("https://example.org/"), is_url("ftp://example.org/")
        (True, False)
    """
    cdef const uint8_t* p
    cdef Py_ssize_t n, k = 4
    if type(text) is not str or not is_ascii(text):
        return text.partition("://")[0] in ("file", "http", "https")
    p, n = ascii_data(text), len(<str>text)
    if n < 4 or not (memcmp(p, b"http", 4) == 0 or memcmp(p, b"file", 4) == 0):
        return False
    if n > 4 and p[0] == c'h' and p[4] == c's':
        k = 5
    return n == k or (n - k > 2 and memcmp(p + k, b"://", 3) == 0)
