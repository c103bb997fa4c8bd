/* A shorter way into a Python function that is nearly always called with one positional argument.
 *
 * URLSM_SHORTCUT(name) defines urlsm_shortcut_name(function, one): calls of the function with just one argument go
 * straight to one(argument), all others take the way they took, which unpacks keywords and defaults first. That costs
 * as much as the work itself where a short text is quoted. It uses what the C API offers to any callable: the
 * vectorcall slot (https://docs.python.org/3/c-api/call.html#the-vectorcall-protocol).
 */
#ifndef URLSM_SHORTCUT_H
#define URLSM_SHORTCUT_H
#include <Python.h>

static inline vectorcallfunc *urlsm_vectorcall_slot(PyObject *function)
{
    PyTypeObject *type = Py_TYPE(function);
    if (!PyType_HasFeature(type, Py_TPFLAGS_HAVE_VECTORCALL))
        return NULL;
    return (vectorcallfunc *)((char *)function + type->tp_vectorcall_offset);
}

#define URLSM_SHORTCUT(name)                                                                                        \
    static vectorcallfunc urlsm_long_##name;                                                                        \
    static PyObject *(*urlsm_one_##name)(PyObject *);                                                               \
    static PyObject *urlsm_short_##name(PyObject *function, PyObject *const *args, size_t count, PyObject *names)   \
    {                                                                                                               \
        if (PyVectorcall_NARGS(count) == 1 && names == NULL)                                                        \
            return urlsm_one_##name(args[0]);                                                                       \
        return urlsm_long_##name(function, args, count, names);                                                     \
    }                                                                                                               \
    static void urlsm_shortcut_##name(PyObject *function, PyObject *(*one)(PyObject *))                             \
    {                                                                                                               \
        vectorcallfunc *slot = urlsm_vectorcall_slot(function);                                                     \
        if (slot != NULL && *slot != NULL) {                                                                        \
            urlsm_long_##name = *slot;                                                                              \
            urlsm_one_##name = one;                                                                                 \
            *slot = urlsm_short_##name;                                                                             \
        }                                                                                                           \
    }
#endif
