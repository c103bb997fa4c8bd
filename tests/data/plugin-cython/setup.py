from Cython.Build import cythonize
from setuptools import Extension, setup

import urlsm

setup(ext_modules=cythonize([Extension("example_cython", ["example_cython.pyx"], include_dirs=[urlsm.get_include()])]))
