"""Two things that Cython cannot say of a type: another function in its slot tp_new, and attributes made later."""

cdef extern from *:
    """
    #define URLSM_SET_NEW(type, function) \\
        (((PyTypeObject *)(type))->tp_new = (newfunc)(function), ((PyTypeObject *)(type))->tp_vectorcall = NULL, \\
         PyType_Modified((PyTypeObject *)(type)))

    static inline int urlsm_set_attribute(PyObject *type, PyObject *name, PyObject *value) {
        int failed = PyDict_SetItem(((PyTypeObject *)type)->tp_dict, name, value);
        PyType_Modified((PyTypeObject *)type);
        return failed;
    }
    """
    void set_new "URLSM_SET_NEW"(object type, void* function)
    int set_attribute "urlsm_set_attribute"(object type, str name, object value) except -1
