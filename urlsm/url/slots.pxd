"""What Cython cannot say of a type: another function in its slot tp_new, the name that users know it by, and attributes
made later."""
from cpython.object cimport PyObject

cdef extern from *:
    """
    #define URLSM_SET_NEW(type, function) \\
        (((PyTypeObject *)(type))->tp_new = (newfunc)(function), ((PyTypeObject *)(type))->tp_vectorcall = NULL, \\
         PyType_Modified((PyTypeObject *)(type)))

    #define URLSM_SET_NAME(type, name) (((PyTypeObject *)(type))->tp_name = (name))

    /* made, as it is; where it is NULL and a TypeError's text begins with one name, the text begins with another. */
    static inline PyObject *urlsm_rename_in_error(PyObject *made, const char *name, const char *other) {
        PyObject *kind, *value, *traceback, *said = NULL;
        const char *text = NULL;
        if (made != NULL || !PyErr_ExceptionMatches(PyExc_TypeError))
            return made;
        PyErr_Fetch(&kind, &value, &traceback);
        if (value != NULL && (said = PyObject_Str(value)) != NULL)
            text = PyUnicode_AsUTF8(said);
        if (text != NULL && strncmp(text, name, strlen(name)) == 0) {
            PyErr_Format(kind, "%s%s", other, text + strlen(name));
            Py_XDECREF(kind);
            Py_XDECREF(value);
            Py_XDECREF(traceback);
        } else {
            PyErr_Restore(kind, value, traceback);
        }
        Py_XDECREF(said);
        return NULL;
    }

    static inline int urlsm_set_attribute(PyObject *type, PyObject *name, PyObject *value) {
        int failed = PyDict_SetItem(((PyTypeObject *)type)->tp_dict, name, value);
        PyType_Modified((PyTypeObject *)type);
        return failed;
    }
    """
    void set_new "URLSM_SET_NEW"(object type, void* function)
    int set_attribute "urlsm_set_attribute"(object type, str name, object value) except -1
    void set_name "URLSM_SET_NAME"(object type, const char* name)
    PyObject* rename_in_error "urlsm_rename_in_error"(PyObject* made, const char* name, const char* other) noexcept
