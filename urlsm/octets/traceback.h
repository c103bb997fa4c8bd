/* An error in a function that runs without the interpreter's lock. Cython's __Pyx_AddTraceback takes the lock anew for
 * each such function that it leaves. On a thread that is not Python's (one of Polars) the exception is gone by then.
 * Since CPython 3.12 PyTraceBack_Here crashes where there is none. compiler.h includes this, behind Python.h, so all
 * modules have it that run anything without the lock: all but _core and _cython. */
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
