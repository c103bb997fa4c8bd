"""What threads share although it changes (docs/threads.md): objects that are made on first use and then stay."""
from cpython.object cimport PyObject

cdef extern from "octets/once.h" nogil:
    PyObject* found "urlsm_once_found"(PyObject** slot) noexcept
    int load "URLSM_INT"(const int* number) noexcept
    void store "URLSM_SET_INT"(int* number, int value) noexcept

cdef extern from "octets/once.h":
    PyObject* kept "urlsm_once_kept"(PyObject** slot, object made) noexcept
    void replace "urlsm_once_replace"(PyObject** slot, PyObject* made) noexcept
