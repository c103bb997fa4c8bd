"""The query of a key: fields found, dropped, sorted and written.

Raw fields are those of the query as it will be written; form fields are decoded first, and written form-encoded.
"""
from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp
from urlsm.crawler.recoding cimport write_recoded
from urlsm.crawler.rules cimport (
    BLANKS_BARE, BLANKS_DROP, FIELDS_FORM, QUERY_DROP, Rules, SORT_DECODED_NAMES, SORT_NAMES, SORT_NOTHING,
    SORT_PAIRS,
)
from urlsm.crawler.sessions cimport without_query_sessions
from urlsm.octets.buffer cimport Buffer, buffer_copy, buffer_put, buffer_reserve
from urlsm.octets.find cimport find
from urlsm.octets.merge cimport compare_fn, merge_sort
from urlsm.octets.text cimport (
    UNRESERVED_OR_FIELDS, UNRESERVED_OR_PLUS, Quoting, all_kept, octet_escaped, quoting_at, write_quoted,
    write_unquoted,
)
from urlsm.octets.query cimport QueryField, field_end, next_field, value_of
from urlsm.octets.slice cimport Slice
from urlsm.octets.words cimport word_in_order
from urlsm.url.names cimport is_field_named, is_named

cdef enum:
    FIELDS_STACK = 32        # up to this many need no heap
    STACK_ROOM = 48          # with the memory for sorting

cdef struct Field:
    const uint8_t* name
    size_t name_n
    const uint8_t* value     # after "="
    size_t value_n
    bint equals              # whether it has a "="
    bint escaped             # for sorting by the decoded name: that differs from the name
    uint64_t first           # the first octets of its sort key


# --- the order ---------------------------------------------------------------------------------

cdef inline int compare_octets(const uint8_t* a, size_t a_n, const uint8_t* b, size_t b_n) noexcept nogil:
    cdef int order = memcmp(a, b, min(a_n, b_n))
    return order if order else (a_n > b_n) - (a_n < b_n)


cdef inline int compare_first(const Field* a, const Field* b) noexcept nogil:
    """Compare the first octets of the names: where these differ, the names do, and in the same order."""
    return (a.first > b.first) - (a.first < b.first)


cdef inline int compare_pairs(const void* one, const void* other) noexcept nogil:
    """Compare by name, then those without "=", then by value."""
    cdef const Field* a = <const Field*>one
    cdef const Field* b = <const Field*>other
    return compare_first(a, b) or compare_octets(a.name, a.name_n, b.name, b.name_n) or a.equals - b.equals \
        or compare_octets(a.value, a.value_n, b.value, b.value_n)


cdef inline int compare_names(const void* one, const void* other) noexcept nogil:
    cdef const Field* a = <const Field*>one
    cdef const Field* b = <const Field*>other
    return compare_first(a, b) or compare_octets(a.name, a.name_n, b.name, b.name_n)


cdef inline int next_decoded(const uint8_t** p, const uint8_t* end) noexcept nogil:
    """Return the next octet, an escape decoded, or -1 at the end."""
    cdef int octet
    if p[0] == end:
        return -1
    octet = octet_escaped(p[0], end - p[0])
    p[0] += 3 if octet >= 0 else 1
    return octet if octet >= 0 else (p[0] - 1)[0]


cdef inline int compare_decoded_names(const void* one, const void* other) noexcept nogil:
    cdef const Field* a = <const Field*>one
    cdef const Field* b = <const Field*>other
    cdef const uint8_t* p = a.name
    cdef const uint8_t* q = b.name
    cdef int left = compare_first(a, b), right = 0
    if left or not (a.escaped or b.escaped):
        return left or compare_octets(a.name, a.name_n, b.name, b.name_n)
    while left == right and left >= 0:
        left = next_decoded(&p, a.name + a.name_n)
        right = next_decoded(&q, b.name + b.name_n)
    return left - right


cdef inline void set_first(Field* f, bint decoded) noexcept nogil:
    """Set the number for compare_first, from the name or the decoded name; 0 for each missing octet."""
    cdef const uint8_t* p = f.name
    cdef const uint8_t* end = p + f.name_n
    cdef uint64_t first = 0
    cdef int k = 8
    f.escaped = decoded and find(p, end, c'%') != end
    if not f.escaped and f.name_n >= 8:
        first = word_in_order(p)
    else:
        while k and p < end:
            k -= 1
            first |= <uint64_t>next_decoded(&p, end if f.escaped else p + 1) << 8 * k
    f.first = first


cdef inline compare_fn comparison(const Rules* r) noexcept nogil:
    if r.sort == SORT_PAIRS:
        return compare_pairs
    return compare_names if r.sort == SORT_NAMES else compare_decoded_names


cdef inline bint sort(Field* fields, size_t count, const Rules* r) noexcept nogil:
    """Sort the fields; return whether they were not in order. There is room for half as many after them."""
    cdef size_t k
    cdef compare_fn compare = comparison(r)
    for k in range(count):
        set_first(&fields[k], r.sort == SORT_DECODED_NAMES)
    k = 1
    while k < count and compare(&fields[k - 1], &fields[k]) <= 0:
        k += 1
    if k >= count:
        return False
    merge_sort(fields, fields + count, count, sizeof(Field), compare)
    return True


# --- the fields --------------------------------------------------------------------------------

cdef inline size_t count_fields(const uint8_t* p, size_t n, const Rules* r) noexcept nogil:
    """Return the number of fields of p[0:n], with those that will be dropped."""
    cdef const uint8_t* end = p + n
    cdef size_t count = 1
    while True:
        p = field_end(p, end, r.separators[0], r.separators[1])
        if p == end:
            return count
        p += 1
        count += 1


cdef inline bint is_dropped(const Field* f, bint decoded, const Rules* r) except? -1 nogil:
    if not f.name_n and not f.equals:
        return not r.empty_fields
    if not f.name_n and not r.nameless:
        return True
    if r.blanks == BLANKS_DROP and not f.value_n:
        return True
    if r.remove == NULL:
        return False
    return is_named(r.remove, f.name, f.name_n) if decoded else is_field_named(r.remove, f.name, f.name_n, True)


cdef inline int set_decoded(const uint8_t** p, size_t* n, Buffer* piece) except -1 nogil:
    """Set p[0:n] to its form-decoded octets, in the piece, which has room for all of the query."""
    cdef size_t start = piece.n
    write_unquoted(piece, p[0], n[0], True)
    p[0] = piece.p + start
    n[0] = piece.n - start
    return 0


cdef inline size_t read_fields(Field* fields, const uint8_t* p, size_t n, bint decode, const Rules* r, Buffer* piece,
                               bint* changed) except? 0xFFFFFFFF nogil:
    """Read the fields of p[0:n] that stay; changed: whether they differ from the given ones."""
    cdef QueryField given
    cdef Field* f
    cdef size_t count = 0
    if decode:
        buffer_reserve(piece, n + 16)
    given.next = p
    while next_field(&given, p + n, r.separators[0], r.separators[1]):
        f = &fields[count]
        f.name = given.name
        f.name_n = given.equals - given.name
        f.equals = given.equals < given.end
        f.value = value_of(&given)
        f.value_n = given.end - f.value
        if decode:
            set_decoded(&f.name, &f.name_n, piece)
            set_decoded(&f.value, &f.value_n, piece)
        if is_dropped(f, decode or r.fields == FIELDS_FORM, r):
            changed[0] = True
        else:
            if r.blanks == BLANKS_BARE and f.equals and not f.value_n:
                f.equals = False
                changed[0] = True
            count += 1
        if given.next != NULL and given.end[0] != r.separators[0]:
            changed[0] = True
    return count


cdef inline int write_raw(Buffer* b, const Field* fields, size_t count, const Rules* r) except -1 nogil:
    cdef size_t k
    for k in range(count):
        if k:
            buffer_put(b, r.separators[0])
        buffer_copy(b, fields[k].name, fields[k].name_n)
        if fields[k].equals:
            buffer_put(b, c'=')
            buffer_copy(b, fields[k].value, fields[k].value_n)
    return 0


cdef inline int write_form(Buffer* b, const Field* fields, size_t count, const Rules* r) except -1 nogil:
    cdef const Quoting* quoting = quoting_at(UNRESERVED_OR_PLUS)
    cdef size_t k
    for k in range(count):
        if k:
            buffer_put(b, r.separators[0])
        write_quoted(b, fields[k].name, fields[k].name_n, quoting)
        buffer_put(b, c'=')
        write_quoted(b, fields[k].value, fields[k].value_n, quoting)
    return 0


cdef inline bint is_form(const Field* fields, size_t count) noexcept nogil:
    """Return whether each of these fields, which need no coding, is written as in forms: with one "="."""
    cdef size_t k
    for k in range(count):
        if not fields[k].equals or find(fields[k].value, fields[k].value + fields[k].value_n, c'=') \
                != fields[k].value + fields[k].value_n:
            return False
    return True


cdef inline int write_fields(Buffer* b, Slice query, Field* fields, const Rules* r, Buffer* piece) except -1 nogil:
    """Append the query's fields, where they differ from the given ones; else the query.

    Raw fields are at the end of b, and are replaced there."""
    cdef bint form = r.fields == FIELDS_FORM, changed = False
    cdef bint plain = all_kept(query.p, query.n, quoting_at(UNRESERVED_OR_FIELDS)) if form else False
    cdef bint decode = form and not (plain and r.separators[0] == c'&')
    cdef size_t start = b.n if form else b.n - query.n
    cdef size_t count
    piece.n = 0
    count = read_fields(fields, query.p, query.n, decode, r, piece, &changed)
    if r.sort != SORT_NOTHING and sort(fields, count, r):
        changed = True
    if form:
        if changed or decode or not is_form(fields, count):
            return write_form(b, fields, count, r)
        return buffer_copy(b, query.p, query.n)
    if changed:
        write_raw(piece, fields, count, r)
        b.n = start
        buffer_copy(b, piece.p, piece.n)
    return 0


cdef inline int write_split(Buffer* b, Slice query, const Rules* r, Buffer* piece) except -1 nogil:
    cdef Field[STACK_ROOM] stack
    cdef Field* fields = stack
    cdef size_t most = count_fields(query.p, query.n, r)
    if most > FIELDS_STACK:
        fields = <Field*>malloc((most + most // 2) * sizeof(Field))
        if fields == NULL:
            with gil:
                raise MemoryError()
    try:
        write_fields(b, query, fields, r, piece)
    finally:
        if fields != stack:
            free(fields)
    return 0


cdef inline int write_query(Buffer* b, Slice query, bint split, bint special, const Rules* r,
                            Buffer* piece) except -1 nogil:
    """Append "?" and the query, or nothing. split: its fields matter. special: of a special scheme."""
    cdef size_t start = b.n
    cdef bint form = split and r.fields == FIELDS_FORM
    cdef Slice written
    if query.p == NULL or r.query == QUERY_DROP:
        return 0
    buffer_put(b, c'?')
    if query.n and not form:
        write_recoded(b, query.p, query.n, &r.special_query_set if special else &r.query_set)
        if r.query_sessions:
            b.n = start + 1 + without_query_sessions(b.p + start + 1, b.n - start - 1)
    if query.n and split:
        written.p, written.n = b.p + start + 1, b.n - start - 1
        if form or written.n:
            write_split(b, query if form else written, r, piece)
    if b.n == start + 1 and not (r.empty_query and query.n == 0):
        b.n = start
    return 0
