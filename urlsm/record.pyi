# Nothing here is visible from Python: record.pxd is the interface, for C.
