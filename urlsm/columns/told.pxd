"""Turns the current Python exception into a message for C callers."""

cdef extern from *:
    """
    /* The current exception as bytes, "OSError: its text"; clears it. None if there is none or memory ran out. */
    static PyObject *urlsm_told(void)
    {
        PyObject *kind, *error, *trace, *line = NULL, *told = NULL;
        PyErr_Fetch(&kind, &error, &trace);
        PyErr_NormalizeException(&kind, &error, &trace);
        if (error != NULL)
            line = PyUnicode_FromFormat("%s: %S", Py_TYPE(error)->tp_name, error);
        if (error != NULL && line == NULL) {
            PyErr_Clear();  /* its __str__ raises */
            line = PyUnicode_FromString(Py_TYPE(error)->tp_name);
        }
        if (line != NULL)
            told = PyUnicode_AsEncodedString(line, "utf-8", "replace");
        PyErr_Clear();
        Py_XDECREF(line);
        Py_XDECREF(kind);
        Py_XDECREF(error);
        Py_XDECREF(trace);
        return told != NULL ? told : Py_NewRef(Py_None);
    }
    """
    object told "urlsm_told"()
