"""The octet that an escape stands for, for a reader that decodes repeatedly."""
cdef int decoded_at(int kind, const void* data, Py_ssize_t* at, Py_ssize_t end) noexcept
