"""What programs in JavaScript share: text as JavaScript treats it."""
cdef str decode_uri_component(str text)
cdef str joined(str text)
