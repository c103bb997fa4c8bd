"""Frozen values, for Cython modules that make many of them."""

cdef class Values:
    cdef tuple values        # one for each field of the class
    cdef bint undone         # escapes were undone, and some may come from the text rather than from the parser

cdef Values made_of(object kind, tuple values)
