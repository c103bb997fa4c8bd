"""Frozen values, for modules that make many."""

cdef class Values:
    cdef tuple values        # one for each field of the class

cdef Values made_of(object kind, tuple values)
