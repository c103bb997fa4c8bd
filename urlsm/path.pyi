# Nothing here is visible from Python: path.pxd is the interface, for C.
