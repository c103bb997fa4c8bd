# Its functions are for Cython alone.
