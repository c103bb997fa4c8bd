"""Sets of code points, each given by the edges of its runs: in order, each code point that is in the set while the one
before it is not, or the other way round."""
from libc.stdint cimport uint32_t


cdef inline bint within(const uint32_t* edges, Py_ssize_t n, uint32_t point) noexcept nogil:
    """Return whether a code point is in a set."""
    cdef Py_ssize_t low = 0, high = n, middle
    while low < high:
        middle = (low + high) // 2
        if edges[middle] <= point:
            low = middle + 1
        else:
            high = middle
    return low & 1
