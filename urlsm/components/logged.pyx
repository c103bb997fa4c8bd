"""The machine run with a log, for explain and validate."""
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memset
from urlsm.components.value cimport error_in
from urlsm.machine.codes cimport TOO_LONG
from urlsm.machine.dialects cimport Dialect
from urlsm.machine.driver cimport BY_MACHINE, dialect_at
from urlsm.machine.log cimport Log, SCHEME_START_STATE, free_log
from urlsm.machine.reading cimport Reading, is_unclean, read_on
from urlsm.octets.text cimport Octets, octets_of, without
from urlsm.url.parser cimport error_of
from urlsm.url.structs cimport Failure
from urlsm.url.value cimport as_url, read_url
from urlsm.components.value import dialect_number


def logged(url, base, dialect):
    """Run the machine with a log. Return (entries, removed_from, result): entries are tuples of the step's
    number, the violation's row or -1, whether it is fatal, start and end in octets of the text read (see
    text.positions); result is a URL (whatwg), a ParseError or None.
    """
    cdef Reading r
    cdef const Dialect* rules
    cdef const uint8_t* p
    cdef uint32_t n, start, end
    cdef Failure failure
    cdef Log log
    cdef int number = dialect_number(dialect)
    cdef bint standard = dialect == "whatwg"
    cdef Octets text = octets_of(url, not standard)
    cdef list entries = []
    cdef bytes clean
    cdef uint32_t k
    memset(&log, 0, sizeof(Log))
    failure.removed_from = -1
    result = None
    if base is not None:
        if not standard:
            raise ValueError(f"base needs the dialect 'whatwg', not {dialect!r}")
        base = as_url(base)
    try:
        if standard:
            result = read_url(text, base, None, &failure, &log)
            if result is None:
                result = error_of(url, &failure)
        elif text.too_long:
            failure.code, failure.step, failure.at = TOO_LONG, SCHEME_START_STATE, 0
            result = error_of(url, &failure)
        else:
            rules = dialect_at(number)
            p, n = text.p, text.n
            if is_unclean(p, n, rules, &start, &end):
                failure.removed_from = start
                clean = without(p, start, end, rules.remove)
                p, n = clean, <uint32_t>len(clean)
            if not read_on(&r, p, n, rules, BY_MACHINE, NULL, &log):
                failure.code, failure.step, failure.at = r.m.error, r.m.error_step, r.m.error_at
                result = error_in(url, &failure, dialect)
        if log.out_of_memory:
            raise MemoryError()
        for k in range(log.count):
            entry = log.entries[k]
            entries.append((<int>entry.step, <int>entry.code, bool(entry.fatal), entry.start, entry.end))
    finally:
        free_log(&log)
    return entries, failure.removed_from, result
