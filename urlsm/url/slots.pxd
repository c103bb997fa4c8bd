"""Changes to a type that Cython cannot express: another function in its slot tp_new, another public name, attributes
that are added after the type was made, read-only members, and attributes that dir() does not show."""
from cpython.object cimport PyObject

cdef extern from *:
    """
    #if PY_VERSION_HEX < 0x030C0000
    #include <structmember.h>
    #define Py_T_OBJECT_EX T_OBJECT_EX
    #define Py_READONLY READONLY
    #endif

    #define URLSM_SET_NEW(type, function) \\
        (((PyTypeObject *)(type))->tp_new = (newfunc)(function), ((PyTypeObject *)(type))->tp_vectorcall = NULL, \\
         PyType_Modified((PyTypeObject *)(type)))

    #define URLSM_SET_NAME(type, name) (((PyTypeObject *)(type))->tp_name = (name))

    /* Returns `made`. If it is NULL, and the error is a TypeError whose text begins with `name`, replaces that
     * beginning with `other`. */
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

    /* Sets an attribute of an object. The error for a read-only member is worded as for any read-only attribute. */
    static inline int urlsm_set_or_refuse(PyObject *self, PyObject *name, PyObject *value) {
        PyObject *descriptor, *kind, *error, *traceback;
        int failed = PyObject_GenericSetAttr(self, name, value);
        if (failed && PyErr_ExceptionMatches(PyExc_AttributeError) && PyUnicode_Check(name)) {
            PyErr_Fetch(&kind, &error, &traceback);  /* _PyType_Lookup may fail while an error is set */
            descriptor = _PyType_Lookup(Py_TYPE(self), name);  /* borrowed */
            PyErr_Restore(kind, error, traceback);
            if (descriptor != NULL && Py_IS_TYPE(descriptor, &PyMemberDescr_Type))
                PyErr_Format(PyExc_AttributeError, "attribute '%U' of '%.100s' objects is not writable", name,
                             Py_TYPE(self)->tp_name);
        }
        return failed;
    }

    /* Adds urlsm_set_or_refuse as type.__setattr__ or __delattr__, as PyType_Ready would have done. */
    static inline int urlsm_add_setter(PyTypeObject *type, const char *name) {
        PyObject *theirs = PyObject_GetAttrString((PyObject *)&PyBaseObject_Type, name), *ours;
        int failed;
        if (theirs == NULL)
            return -1;
        ours = PyDescr_NewWrapper(type, ((PyWrapperDescrObject *)theirs)->d_base, (void *)urlsm_set_or_refuse);
        failed = ours == NULL || PyDict_SetItemString(type->tp_dict, name, ours) < 0;
        Py_XDECREF(ours);
        Py_DECREF(theirs);
        return -failed;
    }

    /* Adds a read-only attribute that holds an object. Since 3.11 CPython reads such a member without calling its
     * descriptor (LOAD_ATTR_SLOT), six times as fast as Cython's readonly. The member is never NULL, as Cython
     * initialises it with None. Like the type, the definition is never freed. */
    static inline int urlsm_add_member(PyObject *cls, const char *name, Py_ssize_t offset, const char *doc) {
        PyMemberDef *member = (PyMemberDef *)PyMem_Calloc(1, sizeof *member);
        PyTypeObject *type = (PyTypeObject *)cls;
        PyObject *descriptor;
        int failed;
        if (member == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        member->name = name, member->type = Py_T_OBJECT_EX, member->offset = offset, member->flags = Py_READONLY;
        member->doc = doc;
        descriptor = PyDescr_NewMember(type, member);
        if (descriptor == NULL) {
            PyMem_Free(member);
            return -1;
        }
        failed = PyDict_SetItemString(type->tp_dict, name, descriptor) < 0 || urlsm_add_setter(type, "__setattr__") < 0
            || urlsm_add_setter(type, "__delattr__") < 0;
        type->tp_setattro = urlsm_set_or_refuse;
        PyType_Modified(type);
        Py_DECREF(descriptor);
        return -failed;
    }

    /* Puts a class behind the type in its method resolution order, but not among its bases: look-up finds the class's
     * attributes after the type's own, while dir(), help() and completion, which follow the bases, do not show them.
     * __getattr__ would take more time for each attribute that is found: the interpreter has its fast ways
     * (LOAD_ATTR_SLOT ...) only for types without it. */
    static inline int urlsm_add_unlisted(PyObject *cls, PyObject *unlisted) {
        PyTypeObject *type = (PyTypeObject *)cls;
        PyObject *old = type->tp_mro, *order = PyTuple_Pack(3, cls, unlisted, (PyObject *)&PyBaseObject_Type);
        if (order == NULL)
            return -1;
        type->tp_mro = order;
        Py_XDECREF(old);
        PyType_Modified(type);
        return 0;
    }

    #define URLSM_OFFSET(object, member) ((char *)&(object)->member - (char *)(object))
    """
    int add_member "urlsm_add_member"(object type, const char* name, Py_ssize_t offset, const char* doc) except -1
    int add_unlisted "urlsm_add_unlisted"(object type, object unlisted) except -1
    void set_new "URLSM_SET_NEW"(object type, void* function)
    int set_attribute "urlsm_set_attribute"(object type, str name, object value) except -1
    void set_name "URLSM_SET_NAME"(object type, const char* name)
    PyObject* rename_in_error "urlsm_rename_in_error"(PyObject* made, const char* name, const char* other) noexcept
