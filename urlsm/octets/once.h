/* What threads share although it changes: an object that is made or imported on first use and then stays, and numbers
 * that only grow. Under the interpreter's lock plain memory is enough; without it, these are atomic. */
#ifndef URLSM_ONCE_H
#define URLSM_ONCE_H
#include <Python.h>

#ifdef Py_GIL_DISABLED
#define URLSM_LOAD(p) _Py_atomic_load_ptr_acquire(p)
#define URLSM_FIRST(p, value) urlsm_once_first((void **)(p), value)
#define URLSM_INT(p) _Py_atomic_load_int_acquire(p)
#define URLSM_SET_INT(p, value) _Py_atomic_store_int_release(p, value)
static inline int urlsm_once_first(void **p, void *value)
{
    void *nothing = NULL;
    return _Py_atomic_compare_exchange_ptr(p, &nothing, value);
}
#else
#define URLSM_LOAD(p) (*(p))
#define URLSM_FIRST(p, value) (*(p) == NULL ? (*(p) = (value), 1) : 0)
#define URLSM_INT(p) (*(p))
#define URLSM_SET_INT(p, value) (*(p) = (value))
#endif

/* The object in the slot, or NULL: borrowed, but it stays as long as the slot. */
static inline PyObject *urlsm_once_published(PyObject **slot)
{
    return (PyObject *)URLSM_LOAD(slot);
}

/* Keeps an object in the slot, unless a thread has been faster; returns the one that is kept. */
static inline PyObject *urlsm_once_publish(PyObject **slot, PyObject *made)
{
    Py_INCREF(made);
    if (!URLSM_FIRST(slot, made))
        Py_DECREF(made);
    return urlsm_once_published(slot);
}

/* Replaces the object in the slot. Without the lock a reader may be about to use the old one, so all that were ever
 * there live for ever; then no reader counts, either: a count that all threads change would cost more than parsing. */
static inline void urlsm_once_replace(PyObject **slot, PyObject *made)
{
#ifdef Py_GIL_DISABLED
    if (made != NULL)
        Py_SET_REFCNT(made, (Py_ssize_t)UINT32_MAX + 1); /* immortal: it does not fit the count */
    _Py_atomic_store_ptr_release(slot, made);
#else
    PyObject *old = *slot;
    Py_XINCREF(made);
    *slot = made;
    Py_XDECREF(old);
#endif
}
#endif
