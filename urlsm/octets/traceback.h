/* Errors in functions that run without the interpreter's lock. When an error leaves such a function, Cython's
 * __Pyx_AddTraceback takes the lock anew for each function that is left. On a thread that Python did not start (one of
 * Polars, for example) the exception is lost by then, and since CPython 3.12 PyTraceBack_Here crashes if there is no
 * exception. compiler.h includes this file after Python.h, so all modules that run anything without the lock have it:
 * all but _core and _cython. */
#if defined(Py_PYTHON_H) && !defined(URLSM_TRACEBACK_H)
#define URLSM_TRACEBACK_H
#if PY_VERSION_HEX >= 0x030C0000
static inline int urlsm_traceback_here(PyFrameObject *frame)
{
    return PyErr_Occurred() ? PyTraceBack_Here(frame) : 0;
}
#define PyTraceBack_Here urlsm_traceback_here
#endif
#endif
