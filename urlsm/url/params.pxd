"""Form coding of octets (URL Standard, #application/x-www-form-urlencoded); sets of names and prefixes of names; and a
hash for names that an attacker may choose."""
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from urlsm.octets.buffer cimport Buffer
from urlsm.octets.text cimport Quoting
from urlsm.url.coding cimport Coding

cdef object read_form(const uint8_t* p, Py_ssize_t n, bint ascii, uint8_t separator, bint keep_blank,
                      const char* errors, dict lists, const Coding* coding)
cdef object pairs_in(object source)
cdef int write_coded(Buffer* b, str text, const Quoting* quoting) except -1
cdef int write_field(Buffer* b, str name, str value, const Coding* coding) except -1


# --- names ---------------------------------------------------------------------------------------

cdef struct Name:
    const uint8_t* p
    uint32_t n
    bint begins              # whether this stands for every name that begins with p[0:n]
    int alike                # how many names in a row begin with the same octet; only set in the first of them

cdef struct Names:           # a set of names and prefixes, sorted; no prefix covers another member
    int first[256]           # for each octet: the index of the first name that begins with it, or -1
    bint any                 # the set has the name "*", which stands for every name
    int count
    Name* names

cdef void names_start(Names* names, Name* room) noexcept nogil
cdef void names_put(Names* names, const uint8_t* p, size_t n, bint starred) noexcept nogil
cdef int names_done(Names* names) except -1
cdef bint is_named(const Names* names, const uint8_t* p, size_t n) noexcept nogil
cdef bint is_field_named(const Names* names, const uint8_t* p, size_t n, bint plus) except? -1 nogil
cdef bint is_folded_field_named(const Names* names, const uint8_t* p, size_t n, bint plus) except? -1 nogil
cdef void lower_octets(uint8_t* p, size_t n) noexcept nogil
cdef uint64_t name_hash(const uint8_t* p, size_t n) noexcept nogil

cdef class NameSet:
    cdef Names names
    cdef tuple texts         # the objects that own the octets of the names
    cdef object given        # the object that was passed to know()

cdef enum:
    FEW_NAMES = 8            # up to this many names need no heap memory

cdef struct Chosen:          # the names that a caller gave, ready for look-ups
    const Names* names
    Names own
    Name[8] room

cdef object choose(Chosen* chosen, object names, bint fold)
