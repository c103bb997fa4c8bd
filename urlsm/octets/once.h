/* Data that threads share, and that changes: slots for an object that is made or imported on first use and then stays,
 * numbers, and slots for texts that stay. Under the interpreter's lock, plain memory accesses are enough; in builds
 * without it, they are atomic. */
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

/* Returns the text in the slot, or NULL. */
static inline const char *urlsm_once_text(const char *const *slot)
{
    return (const char *)URLSM_LOAD(slot);
}

static inline void urlsm_once_set_text(const char **slot, const char *text)
{
#ifdef Py_GIL_DISABLED
    _Py_atomic_store_ptr_release(slot, (void *)text);
#else
    *slot = text;
#endif
}

/* Returns the object in the slot, or NULL. The reference is borrowed, but the object lives as long as the slot. */
static inline PyObject *urlsm_once_published(PyObject **slot)
{
    return (PyObject *)URLSM_LOAD(slot);
}

/* Puts an object into the slot, unless another thread has already put one there. Returns the object that is in the
 * slot. */
static inline PyObject *urlsm_once_publish(PyObject **slot, PyObject *made)
{
    Py_INCREF(made);
    if (!URLSM_FIRST(slot, made))
        Py_DECREF(made);
    return urlsm_once_published(slot);
}

/* Makes an object immortal in builds without the interpreter's lock. All threads will use the object, but no other
 * thread may have it yet. References to an immortal object need not be counted: when two threads change one count, that
 * takes longer than parsing. */
static inline void urlsm_stay(PyObject *shared)
{
#ifdef Py_GIL_DISABLED
    Py_SET_REFCNT(shared, (Py_ssize_t)UINT32_MAX + 1); /* a count that does not fit in 32 bits means immortal */
#else
    (void)shared;
#endif
}

/* In builds without the interpreter's lock, makes all objects immortal to which only this dict refers: the functions of
 * a module, at the end of its import. */
static inline void urlsm_stay_all(PyObject *names)
{
#ifdef Py_GIL_DISABLED
    PyObject *value;
    Py_ssize_t place = 0;
    Py_BEGIN_CRITICAL_SECTION(names);
    while (PyDict_Next(names, &place, NULL, &value))
        if (_Py_IsOwnedByCurrentThread(value) && Py_REFCNT(value) == 1)
            urlsm_stay(value);
    Py_END_CRITICAL_SECTION();
#else
    (void)names;
#endif
}

/* Replaces the object in the slot by one that no other thread has yet. Without the lock, a reader may be about to use
 * the old object, so every object that was ever in the slot is immortal. */
static inline void urlsm_once_replace(PyObject **slot, PyObject *made)
{
#ifdef Py_GIL_DISABLED
    if (made != NULL)
        urlsm_stay(made);
    _Py_atomic_store_ptr_release(slot, made);
#else
    PyObject *old = *slot;
    Py_XINCREF(made);
    *slot = made;
    Py_XDECREF(old);
#endif
}
#endif
