"""Columns that urlsm made (Array), and those that come in (Source)."""
from urlsm.columns.arrow cimport ArrowArray, Column


cdef class Array:
    cdef Column* column
    cdef readonly object schema

cdef Array array_of(Column* column, object schema)


cdef class Source:
    """An imported array of text. Its buffers live as long as the column that it holds."""
    cdef Column* column
    cdef ArrowArray array    # borrowed from it: the array, or a child, or a slice
    cdef bytes format        # that of the text, or of the dictionary's values
    cdef int index           # 0, or the format of a dictionary's indices
