"""Frozen values, for modules that make many."""

cdef class Values:
    cdef tuple values        # one for each field of the class
    cdef bint undone         # escapes were undone, of which the text may have had some itself

cdef Values made_of(object kind, tuple values)
