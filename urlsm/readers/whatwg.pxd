"""What the programs of the URL Standard share, for Cython: the Standard's parser with rules of a program, and where the
components of a text lie."""
cimport cython

# --- the rules of a program ---
cdef enum:
    DECODES_ACE = 1          # each "xn--" label must decode, even if the host is ASCII
    KEEPS_CARET = 2          # "^" of a path is not escaped
    KEEPS_SPACE = 4          # a space at the end of an opaque path is not escaped
    NULLS = 8                # the API gives None for what is absent, and no delimiters, unlike that of a browser
    NULL_PATH = 16           # the API gives None for an empty path
    DEFAULT_PORT = 32        # the API gives the scheme's port if there is none
    RUST = 64                # Rust's crate url: see rust_text
    ADA = 128                # ada: only labels with right-to-left characters have to keep the rules of RFC 5893
    ADA_2 = 256              # ada 2: see ada_2_path; its domains are in ada2.pyx
    UNICODE = 512            # times the version of Unicode that the program has, times ten

# octets that the Standard removes from both ends of a text
cdef bytes C0_AND_SPACE
cdef bytes LETTERS


@cython.final
cdef class Text:
    cdef bytes octets
    cdef bytes scheme        # in lower case; None if there is none
    cdef bint special
    cdef bint opaque
    cdef Py_ssize_t authority, host, host_end, path, path_end

    cdef str with_part(self, Py_ssize_t start, Py_ssize_t end, bytes new)


cdef Text text_of_url(str text)
cdef object standard(str text, int rules)
cdef int dots_in(bytes segment) except -1
cdef bint is_drive(bytes name) except -1
