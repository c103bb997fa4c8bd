"""The URL parser: octets to text and offsets."""
from libc.stdint cimport int32_t, uint8_t, uint32_t
from urlsm.codes cimport Code
from urlsm.dialects cimport Dialect
from urlsm.log cimport Log, Step
from urlsm.machine cimport Machine
from urlsm.record cimport Offsets

cdef struct Failure:
    Code code
    Step step
    uint32_t at              # in octets of what was read
    int32_t removed_from     # -1, or: tabs and newlines were removed from this octet of the text on

cdef const Dialect* WHATWG
cdef object error_of(object given, const Failure* failure)
cdef void fail(Failure* failure, Code code, Step step, uint32_t at) noexcept
cdef str read_octets(const uint8_t* p, uint32_t n, str owner, str base, const Offsets* base_offsets, object encoding,
                     Offsets* o, Failure* failure, Log* log)
cdef str written(Machine* m, str owner, str base, const Offsets* base_offsets, object encoding, Offsets* o,
                 Failure* failure)
