"""Declares Array, a column that urlsm returns, and Source, a column that urlsm reads."""
from urlsm.columns.arrow cimport ArrowArray, Column


cdef class Array:
    cdef Column* column
    cdef readonly object schema

cdef Array array_of(Column* column, object schema)


cdef class Source:
    """An imported array of text. The buffers live as long as the attribute `column`, to which they belong."""
    cdef Column* column
    cdef ArrowArray array    # not owned: the array of `column`, a child of this array, or a slice of either
    cdef bytes format        # Arrow's format of the texts; for a dictionary, of its values
    cdef int index           # Arrow's format of the indices if the array is a dictionary, otherwise 0
    cdef tuple kept          # Arrays: the other columns of the record batch that are kept
