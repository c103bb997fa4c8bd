# The rows of the matcher's tables, and how they are sorted.

cdef struct Row:             # of a trie, or of the table of grams
    uint32_t group           # ANY_TARGET, ANY_WHOLE, or that of an entry: OF_HOST and more, OF_SOURCE and more; OF_GRAM
    uint32_t at, n           # the octets with which a text has to begin, among the literals; of OF_GRAM: those that it
    #                          has to have, and at last four of them as a number, and 0
    uint32_t rule            # the number of the rule
    uint32_t whose
    uint32_t demand
    uint64_t head            # while rows are sorted: the first eight octets, as a number; zeros behind the last


cdef inline uint64_t head_of(const uint8_t* p, uint32_t n) noexcept nogil:
    cdef uint64_t head = 0
    cdef uint32_t k
    for k in range(min(n, 8)):
        head |= <uint64_t>p[k] << (56 - 8 * k)
    return head


cdef inline bint goes_before(const Row* a, const Row* b, const uint8_t* pool) noexcept nogil:
    """Return whether row a comes before b: by group, by octets, then the rule with the higher rank first."""
    cdef int order
    if a.group != b.group:
        return a.group < b.group
    if a.group == OF_GRAM and a.at != b.at:
        return a.at < b.at
    if a.head != b.head:  # then the octets differ in the same order, or a zero stands for those that one does not have
        return a.head < b.head
    if a.group != OF_GRAM and (a.at != b.at or a.n != b.n):
        order = memcmp(pool + a.at, pool + b.at, min(a.n, b.n))
        if order != 0:
            return order < 0
        if a.n != b.n:
            return a.n < b.n
    return a.rule > b.rule


cdef void sort_rows(Row* rows, Row* spare, uint32_t n, const uint8_t* pool) noexcept nogil:
    """Sort the rows by merging runs of 1, 2, 4 rows and so on. Two runs that are already in order are copied, so a list
    that was sorted takes linear time."""
    cdef Row* a = rows
    cdef Row* b = spare
    cdef Row* other
    cdef size_t width = 1, low, middle, high, i, j, k
    for k in range(n):
        a[k].head = 0 if a[k].group == OF_GRAM else head_of(pool + a[k].at, a[k].n)
    while width < n:
        low = 0
        while low < n:
            middle, high = min(low + width, <size_t>n), min(low + 2 * width, <size_t>n)
            i, j = low, middle
            if middle == high or not goes_before(&a[middle], &a[middle - 1], pool):
                memcpy(b + low, a + low, sizeof(Row) * (high - low))
                low = high
                continue
            for k in range(low, high):
                if i < middle and (j >= high or not goes_before(&a[j], &a[i], pool)):
                    b[k] = a[i]
                    i += 1
                else:
                    b[k] = a[j]
                    j += 1
            low = high
        other, a, b = a, b, a
        width *= 2
    if a != rows:
        memcpy(rows, a, sizeof(Row) * <size_t>n)
