"""Included by keys: from a record of fields (urlsm.crawler.record) to the rules that C reads."""
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING
from libc.stdint cimport uint8_t
from libc.string cimport memcpy, memset
from urlsm.crawler.rules cimport (
    DOTS_KEEP, DOTS_TRAILING, FORM_URL, HOST_CASE_KEEP, HOST_CASE_LOWER_ESCAPES, Rules, SCHEME_KEEP, SCHEME_LOWER,
    UNESCAPE_NOTHING, UNESCAPE_ONCE, UNESCAPE_REPEATEDLY, UNESCAPE_UNRESERVED, WWW_KEEP,
)
from urlsm.crawler.structs cimport Recoding
from urlsm.machine cimport dialect_at
from urlsm.machine.dialects cimport Dialect
from urlsm.machine.special cimport is_listed
from urlsm.octets.chars cimport ALPHA, CLASS, FORBIDDEN_DOMAIN, HASH, SCHEME_CHAR, UPPER
from urlsm.octets.text cimport Quoting, UNRESERVED, quoting_at
from urlsm.crawler.rules import TABLE as _TABLE
from urlsm.machine.driver import DIALECTS

include "set_rules.pxi"


cdef void fill(Recoding* coding, bytes kept, int unescape=UNESCAPE_NOTHING, bytes escapes_kept=b"", bint lower=False,
               bint lower_escapes=False) noexcept:
    """Make a coding keep the unreserved octets and these (None: all), and encode the others.

    unescape: which escapes are decoded first (enum Unescape). escapes_kept: octets whose escapes stay, in upper case.
    lower: letters in lower case. lower_escapes: and the digits of escapes.
    """
    cdef Quoting* raw = &coding.raw
    cdef uint8_t[256][4] encoded
    cdef int k
    cdef uint8_t octet
    cdef bint decoded
    raw[0] = quoting_at(UNRESERVED)[0]
    for k in range(256):
        encoded[k][0] = c'%'
        encoded[k][1] = (b"0123456789abcdef" if lower_escapes else b"0123456789ABCDEF")[k >> 4]
        encoded[k][2] = (b"0123456789abcdef" if lower_escapes else b"0123456789ABCDEF")[k & 15]
        encoded[k][3] = 3
        if raw.written[k][3] == 3:
            memcpy(raw.written[k], encoded[k], 4)
    for octet in bytes(range(256)) if kept is None else kept:
        raw.written[octet][0] = octet
        raw.written[octet][3] = 1
        if octet < 0x80:
            raw.low[octet & 15] |= 1 << (octet >> 4)
    if lower:
        for k in range(c'A', c'Z' + 1):
            raw.written[k][0] = k | 0x20
            raw.low[k & 15] &= ~(1 << (k >> 4))
    if unescape != UNESCAPE_NOTHING:
        raw.low[c'%' & 15] &= ~(1 << (c'%' >> 4))
    coding.escapes = unescape == UNESCAPE_ONCE or unescape == UNESCAPE_UNRESERVED
    coding.repeatedly = unescape == UNESCAPE_REPEATEDLY
    memset(coding.escaped, 0, sizeof(coding.escaped))
    for k in range(256):
        decoded = k not in escapes_kept if unescape == UNESCAPE_ONCE \
            else quoting_at(UNRESERVED).written[k][3] == 1
        memcpy(coding.escaped[k], &raw.written[k][0] if decoded else &encoded[k][0], 4)


@cython.binding(False)
cdef class Rulebook:
    """The rules of a profile: made once, then only read."""

    def __cinit__(self, dict fields not None):
        memset(&self.rules, 0, sizeof(Rules))
        self.set_dialect(fields["dialect"], fields["fragment_first"])
        self.values = {rule.name: rule.value(fields[rule.name]) for rule in _TABLE}
        if self.values["default_scheme"]:
            self.values["default_scheme"] += b"://"
        set_rules(&self.rules, self.values)
        self.set_names(fields["verbatim"], fields["remove"])
        self.set_separators(fields["separators"])
        self.set_codings(self.values)
        self.set_plain()

    cdef int set_dialect(self, str name, bint fragment_first) except -1:
        cdef Dialect* dialect = &self.rules.dialect
        if name not in DIALECTS:
            raise ValueError(f"dialect is one of {', '.join(DIALECTS)}, not {name!r}")
        dialect[0] = dialect_at(DIALECTS.index(name))[0]
        self.standard = dialect.url_standard
        if not self.standard:
            # the text is trimmed before the machine reads it, and every dialect knows its scheme
            dialect.trim = dialect.trim_end = 0
            dialect.scheme_first, dialect.scheme_char = ALPHA, SCHEME_CHAR
        if fragment_first:
            dialect.authority_stop &= ~HASH
            dialect.path_stop &= ~HASH
            dialect.query_stop &= ~HASH
        return 0

    cdef int set_names(self, tuple verbatim, tuple remove) except -1:
        if verbatim:
            self.verbatim = NameSet(verbatim)
            self.rules.verbatim = &self.verbatim.names
        if remove:
            self.remove = NameSet(remove)
            self.rules.remove = &self.remove.names
        return 0

    cdef int set_separators(self, str separators) except -1:
        cdef int k
        if not 1 <= len(separators) <= 2:
            raise ValueError(f"separators are one or two characters, not {separators!r}")
        for k in range(len(separators)):
            self.rules.separators[k] = ord(separators[k])
        return 0

    cdef int set_codings(self, dict values) except -1:
        cdef Rules* r = &self.rules
        fill(&r.userinfo_set, values["userinfo_set"], UNESCAPE_ONCE)
        fill(&r.host_set, values["host_set"], UNESCAPE_NOTHING, b"", r.host_case != HOST_CASE_KEEP,
             r.host_case == HOST_CASE_LOWER_ESCAPES)
        fill(&r.path_set, values["path_set"], r.path_unescape, values["path_keep"], r.path_lower, r.path_lower)
        fill(&r.params_set, values["params_set"])
        fill(&r.query_set, values["query_set"], r.query_unescape, b"", r.query_lower, r.query_lower)
        r.special_query_set = r.query_set
        if values["special_query_set"] is not None:
            fill(&r.special_query_set, values["special_query_set"], r.query_unescape, b"", r.query_lower, r.query_lower)
        fill(&r.fragment_set, values["fragment_set"])
        return 0

    cdef int set_plain(self) except -1:
        cdef Rules* r = &self.rules
        cdef int octet
        # (of rfc1738's schemes only http has a query)
        r.plain.read = not r.unescape_first and not r.dialect.with_query[0] and (not r.schemes[0] or (
            is_listed(r.schemes, <const uint8_t*>b"http", 4) and is_listed(r.schemes, <const uint8_t*>b"https", 5)))
        r.plain.head_kept = r.form == FORM_URL and r.scheme in (SCHEME_LOWER, SCHEME_KEEP) and r.www == WWW_KEEP \
            and r.dots in (DOTS_KEEP, DOTS_TRAILING) and self.values["host_set"] is None
        r.plain.labels_kept = True
        for octet in range(128):
            if not CLASS[octet] & (UPPER | FORBIDDEN_DOMAIN):
                r.plain.labels_kept &= r.host_set.raw.written[octet][3] == 1 \
                    and r.host_set.raw.written[octet][0] == octet
        return 0
