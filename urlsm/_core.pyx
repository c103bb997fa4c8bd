"""The modules that `import urlsm` needs, in one shared library: to find and map a library takes longer than all that
its module does when it is imported. setup.py links them, and here they are made, each under its own name.
"""

from cpython.object cimport PyObject

# in this order, as they need each other
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
    PyObject* PyImport_GetModuleDict()  # borrowed
    object PyImport_ImportModule(const char*)
    object PyModule_FromDefAndSpec(PyModuleDef*, object)
    int PyModule_ExecDef(object, PyModuleDef*) except -1


cdef object modules = <object>PyImport_GetModuleDict()


cdef int make(str name, PyObject* found) except -1:
    """Do what importlib does with the definition of a module that it finds in a library."""
    cdef PyModuleDef* definition = <PyModuleDef*>found
    spec = type(__spec__)(name, __spec__.loader, origin=__spec__.origin)
    spec.has_location = True
    module = PyModule_FromDefAndSpec(definition, spec)
    module.__spec__ = spec
    PyModule_ExecDef(module, definition)
    modules[name] = module
    return 0


PyImport_ImportModule("urlsm._cython")  # which all need: until it is found, other threads run
make("urlsm.octets.text", PyInit_text())
make("urlsm.machine.driver", PyInit_driver())
make("urlsm.unicode.domains", PyInit_domains())
make("urlsm.url.parser", PyInit_parser())
make("urlsm.url.value", PyInit_value())
