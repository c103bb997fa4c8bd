"""Data that threads share, and that changes (ARCHITECTURE.md), such as objects that are made on first use and then
stay."""
from cpython.object cimport PyObject

cdef extern from "octets/once.h" nogil:
    PyObject* published "urlsm_once_published"(PyObject** slot) noexcept
    int load "URLSM_INT"(const int* number) noexcept
    void store "URLSM_SET_INT"(int* number, int value) noexcept
    const char* load_text "urlsm_once_text"(const char** slot) noexcept
    void store_text "urlsm_once_set_text"(const char** slot, const char* text) noexcept

cdef extern from "octets/once.h":
    PyObject* publish "urlsm_once_publish"(PyObject** slot, object made) noexcept
    void stay "urlsm_stay"(object shared) noexcept
    void stay_all "urlsm_stay_all"(dict names) noexcept
    void replace "urlsm_once_replace"(PyObject** slot, PyObject* made) noexcept
