"""Columns that urlsm made (Array), and columns that are read (Source)."""
from urlsm.columns.arrow cimport ArrowArray, Column


cdef class Array:
    cdef Column* column
    cdef readonly object schema

cdef Array array_of(Column* column, object schema)


cdef class Source:
    """An imported array of text. Its buffers live as long as the column that it holds."""
    cdef Column* column
    cdef ArrowArray array    # borrowed from the column: its array, a child of that, or a slice
    cdef bytes format        # the format of the texts, or of the dictionary's values
    cdef int index           # 0, or the format of the indices if the array is a dictionary
