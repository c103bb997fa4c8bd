/* A faster way to call a Python function or method that nearly always gets one argument.
 *
 * URLSM_SHORTCUT(name) defines urlsm_shortcut_name(function, one): a call with just one argument goes directly to
 * one(argument). All other calls go the usual way, which unpacks keywords and defaults first; for a short text, that
 * takes as long as quoting it. The shortcut uses a documented part of the C API, the vectorcall slot
 * (https://docs.python.org/3/c-api/call.html#the-vectorcall-protocol).
 */
#ifndef URLSM_SHORTCUT_H
#define URLSM_SHORTCUT_H
#include <Python.h>
#include "once.h"

static inline vectorcallfunc *urlsm_vectorcall_slot(PyObject *function)
{
    PyTypeObject *type = Py_TYPE(function);
    if (!PyType_HasFeature(type, Py_TPFLAGS_HAVE_VECTORCALL))
        return NULL;
    return (vectorcallfunc *)((char *)function + type->tp_vectorcall_offset);
}

/* Raises an exception that a function returned instead of raising. The function does not raise it because adding its
 * traceback entry would take longer than everything else. */
static inline PyObject *urlsm_or_raised(PyObject *made)
{
    if (made != NULL && PyExceptionInstance_Check(made)) {
        PyErr_SetObject((PyObject *)Py_TYPE(made), made);
        Py_DECREF(made);
        return NULL;
    }
    return made;
}

/* short_way: statements that are tried before the usual way. They call the fast function by the name `one`. */
#define URLSM_WAYS(name, one_type, short_way)                                                                       \
    static vectorcallfunc urlsm_long_##name;                                                                        \
    static one_type urlsm_one_##name;                                                                               \
    static PyObject *urlsm_short_##name(PyObject *function, PyObject *const *args, size_t count, PyObject *names)   \
    {                                                                                                               \
        one_type one = urlsm_one_##name;                                                                            \
        short_way                                                                                                   \
        return urlsm_or_raised(urlsm_long_##name(function, args, count, names));                                    \
    }                                                                                                               \
    static void urlsm_shortcut_##name(PyObject *function, one_type one)                                             \
    {                                                                                                               \
        vectorcallfunc *slot = urlsm_vectorcall_slot(function);                                                     \
        if (slot != NULL && *slot != NULL) {                                                                        \
            urlsm_long_##name = *slot;                                                                              \
            urlsm_one_##name = one;                                                                                 \
            *slot = urlsm_short_##name;                                                                             \
        }                                                                                                           \
        urlsm_stay(function);                                                                                       \
    }

typedef PyObject *(*urlsm_one_argument)(PyObject *);
#define URLSM_SHORTCUT(name)                                                                                        \
    URLSM_WAYS(name, urlsm_one_argument, if (PyVectorcall_NARGS(count) == 1 && names == NULL) return one(args[0]);)

/* Defines the shortcut of a method that gets one keyword argument. one(self, keyword, value) returns the result, or
 * None to go the usual way. */
typedef PyObject *(*urlsm_one_keyword)(PyObject *, PyObject *, PyObject *);
#define URLSM_KEYWORD_SHORTCUT(name)                                                                                \
    URLSM_WAYS(name, urlsm_one_keyword,                                                                             \
               if (PyVectorcall_NARGS(count) == 1 && names != NULL && PyTuple_GET_SIZE(names) == 1) {               \
                   PyObject *made = one(args[0], PyTuple_GET_ITEM(names, 0), args[1]);                              \
                   if (made != Py_None)                                                                             \
                       return made;                                                                                 \
                   Py_DECREF(made);                                                                                 \
               })
/* Makes a method raise the exception that it returns. This replaces the method's C function, because the interpreter
 * may bypass the descriptor's slot and call that function directly, after checking self. */
typedef PyObject *(*urlsm_method)(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
#define URLSM_RAISING(name)                                                                                         \
    static urlsm_method urlsm_long_##name;                                                                          \
    static PyObject *urlsm_short_##name(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *names)   \
    {                                                                                                               \
        return urlsm_or_raised(urlsm_long_##name(self, args, count, names));                                        \
    }                                                                                                               \
    static int urlsm_shortcut_##name(PyObject *method)                                                              \
    {                                                                                                               \
        PyMethodDef *def = Py_TYPE(method) == &PyMethodDescr_Type ? ((PyMethodDescrObject *)method)->d_method : NULL; \
        if (def == NULL || def->ml_flags != (METH_FASTCALL | METH_KEYWORDS)) {                                      \
            PyErr_SetString(PyExc_SystemError, #name " is not the kind of method that Cython makes");               \
            return -1;                                                                                              \
        }                                                                                                           \
        if (def->ml_meth == (PyCFunction)(void (*)(void))urlsm_short_##name)                                        \
            return 0; /* an earlier import, which failed, has already replaced the function */                      \
        urlsm_long_##name = (urlsm_method)(void (*)(void))def->ml_meth;                                             \
        def->ml_meth = (PyCFunction)(void (*)(void))urlsm_short_##name;                                             \
        return 0;                                                                                                   \
    }
#endif
