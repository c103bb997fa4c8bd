"""Creates the modules that `import urlsm` needs, each under its own name. setup.py links them into one shared library,
because finding and mapping a library takes longer than everything that its module does at import.
"""

from cpython.object cimport PyObject

# the modules are made in this order, because later ones need earlier ones
cdef extern from *:
    """
    PyMODINIT_FUNC PyInit_text(void);
    PyMODINIT_FUNC PyInit_driver(void);
    PyMODINIT_FUNC PyInit_domains(void);
    PyMODINIT_FUNC PyInit_parser(void);
    PyMODINIT_FUNC PyInit_value(void);
    """
    PyObject* PyInit_text() except NULL
    PyObject* PyInit_driver() except NULL
    PyObject* PyInit_domains() except NULL
    PyObject* PyInit_parser() except NULL
    PyObject* PyInit_value() except NULL
    ctypedef struct PyModuleDef
    PyObject* PyImport_GetModuleDict()  # returns a borrowed reference
    object PyImport_ImportModule(const char*)
    object PyModule_FromDefAndSpec(PyModuleDef*, object)
    int PyModule_ExecDef(object, PyModuleDef*) except -1


cdef object modules = <object>PyImport_GetModuleDict()


cdef int make(str name, PyObject* found) except -1:
    """Create a module from its definition, as importlib does for a library that contains one module."""
    cdef PyModuleDef* definition = <PyModuleDef*>found
    spec = type(__spec__)(name, __spec__.loader, origin=__spec__.origin)
    spec.has_location = True
    module = PyModule_FromDefAndSpec(definition, spec)
    module.__spec__ = spec
    PyModule_ExecDef(module, definition)
    modules[name] = module
    return 0


# all modules need _cython. It is imported before any of them is made: while the importer searches for it, other threads
# may run, and these must not find a module in sys.modules that is only half made
PyImport_ImportModule("urlsm._cython")
make("urlsm.octets.text", PyInit_text())
make("urlsm.machine.driver", PyInit_driver())
make("urlsm.unicode.domains", PyInit_domains())
make("urlsm.url.parser", PyInit_parser())
make("urlsm.url.value", PyInit_value())
