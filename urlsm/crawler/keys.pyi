# for Cython only: see keys.pxd
