"""What programs in JavaScript share: text as JavaScript treats it."""
cdef enum:
    UNICODE = 170  # the version of Unicode of Node.js 20.20.2, times ten

cdef str decode_uri_component(str text)
cdef str joined(str text)
