"""Columns as Python objects."""
from urlsm.columns.arrow cimport Column


cdef class Array:
    cdef Column* column
    cdef readonly object schema

cdef Array array_of(Column* column, object schema)
