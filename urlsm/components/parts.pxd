"""Declares Values, the base of the frozen classes of parts, for Cython modules that make many instances."""

cdef class Values:
    cdef tuple values        # a value for each field of the class
    cdef bint undone         # whether escapes were undone that the text may have had itself; see `exact`

cdef Values made_of(object kind, tuple values)
