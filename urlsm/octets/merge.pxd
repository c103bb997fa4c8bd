"""Merge sort, which is stable and takes n log n time in the worst case."""
from libc.stdint cimport uint8_t
from libc.string cimport memcpy

ctypedef int (*compare_fn)(const void*, const void*) noexcept nogil


cdef inline void merge_sort(void* given, void* spare, size_t count, size_t size, compare_fn compare) noexcept nogil:
    """Sort `count` items of `size` octets each. spare: room for half of the items."""
    cdef uint8_t* items = <uint8_t*>given
    cdef uint8_t* room = <uint8_t*>spare
    cdef uint8_t* middle = items + count // 2 * size
    cdef uint8_t* end = items + count * size
    cdef uint8_t* left = room
    cdef uint8_t* left_end = room + count // 2 * size
    cdef uint8_t* right = middle
    cdef const uint8_t* next_one
    if count < 2:
        return
    merge_sort(items, room, count // 2, size, compare)
    merge_sort(middle, room, count - count // 2, size, compare)
    if compare(middle - size, middle) <= 0:
        return
    memcpy(room, items, middle - items)
    while left < left_end:
        if right == end or compare(left, right) <= 0:
            next_one = left
            left += size
        else:
            next_one = right
            right += size
        memcpy(items, next_one, size)
        items += size
