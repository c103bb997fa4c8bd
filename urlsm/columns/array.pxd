"""Columns as Python sees them."""
from urlsm.columns.arrow cimport Column


cdef class Array:
    cdef Column* column
    cdef readonly object schema

cdef Array array_of(Column* column, object schema)
