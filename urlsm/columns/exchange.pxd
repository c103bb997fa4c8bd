"""Imported columns (Source), and exported capsules."""
from urlsm.columns.arrow cimport ArrowArray, ArrowSchema, Column


cdef class Source:
    """An imported array of text. Its buffers live as long as the column that it holds."""
    cdef Column* column
    cdef ArrowArray array    # borrowed from the column: the array, a child, or a slice
    cdef bytes format        # of the text: of the dictionary's values, for a dictionary
    cdef int index           # 0, or the format of a dictionary's indices

cdef object schema_in(object capsule)
cdef int write_schema(ArrowSchema* out, object schema) except -1
cdef object schema_capsule(object schema)
cdef void free_array_capsule(object capsule) noexcept
