"""A call of a Python function that fails with an exception, always."""

cdef extern from *:
    """
    /* function(argument). Since 3.11 the interpreter loses the exception of a Python function where no memory is left
     * for its frame object; but to return NULL without one is what Cython's code for except and finally dies of. */
    static inline PyObject *urlsm_called(PyObject *function, PyObject *argument)
    {
        PyObject *result = PyObject_CallFunctionObjArgs(function, argument, NULL);
        if (result == NULL && !PyErr_Occurred())
            PyErr_NoMemory();
        return result;
    }
    """
    object called "urlsm_called"(object function, object argument)
