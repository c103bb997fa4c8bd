"""From a record of fields (urlsm.crawler.record) to the rules that C reads."""
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING
from libc.stdint cimport uint8_t
from libc.string cimport memcpy, memset
from urlsm.crawler.rules cimport (
    DOTS_KEPT, DOTS_TRAILING, FORM_URL, Recoding, SCHEME_KEPT, SCHEME_LOWER, WWW_KEPT,
)
from urlsm.machine cimport dialect_at
from urlsm.machine.special cimport is_listed
from urlsm.octets.chars cimport ALPHA, CLASS, FORBIDDEN_DOMAIN, HASH, SCHEME_CHAR, UPPER
from urlsm.octets.percent cimport Quoting, UNRESERVED, quoting_at
from urlsm.machine.driver import DIALECTS


cdef void fill(Recoding* coding, bytes kept, int unescape, bytes escapes_kept, bint lower, bint lower_escapes) noexcept:
    """Have a coding keep the unreserved octets and these, and encode the others.

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
    for octet in kept:
        raw.written[octet][0] = octet
        raw.written[octet][3] = 1
        if octet < 0x80:
            raw.low[octet & 15] |= 1 << (octet >> 4)
    if lower:
        for k in range(c'A', c'Z' + 1):
            raw.written[k][0] = k | 0x20
            raw.low[k & 15] &= ~(1 << (k >> 4))
    if unescape:
        raw.low[c'%' & 15] &= ~(1 << (c'%' >> 4))
    coding.escapes = unescape == 1 or unescape == 2
    coding.repeatedly = unescape == 3
    memset(coding.escaped, 0, sizeof(coding.escaped))
    for k in range(256):
        decoded = k not in escapes_kept if unescape == 1 else quoting_at(UNRESERVED).written[k][3] == 1
        memcpy(coding.escaped[k], &raw.written[k][0] if decoded else &encoded[k][0], 4)


cdef bytes octets_of(text):
    """The octets of a set; None: all of them."""
    return bytes(range(256)) if text is None else text.encode()


@cython.binding(False)
cdef class Rulebook:
    """The rules of a profile: made once, then only read."""

    def __cinit__(self, dict fields not None, choice):
        cdef Rules* r = &self.rules
        memset(r, 0, sizeof(Rules))
        self.owned = []

        def number(name):
            return choice(name, fields[name])

        self.set_text(fields, number)
        self.set_authority(fields, number)
        self.set_rest(fields, number)
        self.host_kept = fields["host_set"] is None
        self.set_plain()

    cdef const char* owned_text(self, text) except NULL:
        cdef bytes octets = text.encode("ascii")
        self.owned.append(octets)
        return PyBytes_AS_STRING(octets)

    cdef const char* listed(self, names) except NULL:
        """The names with a space before and after each."""
        return self.owned_text(f" {' '.join(names)} " if names else "")

    cdef int set_text(self, dict fields, number) except -1:
        cdef Rules* r = &self.rules
        cdef int dialect
        if fields["dialect"] not in DIALECTS:
            raise ValueError(f"dialect is one of {', '.join(DIALECTS)}, not {fields['dialect']!r}")
        dialect = DIALECTS.index(fields["dialect"])
        r.dialect = dialect_at(dialect)[0]
        self.standard = r.dialect.url_standard
        if not self.standard:
            # the text is trimmed before the machine sees it, and its scheme is one that all grammars have
            r.dialect.trim = r.dialect.trim_end = 0
            r.dialect.scheme_first, r.dialect.scheme_char = ALPHA, SCHEME_CHAR
        if fields["fragment_first"]:
            r.dialect.authority_stop &= ~HASH
            r.dialect.path_stop &= ~HASH
            r.dialect.query_stop &= ~HASH
        if fields["empty"] is not None:
            r.empty = self.owned_text(fields["empty"])
        if fields["verbatim"]:
            self.verbatim = NameSet(fields["verbatim"])
            r.verbatim = &self.verbatim.names
        r.trim = number("trim")
        r.tabs = fields["remove_tabs"]
        r.fragment_first = fields["fragment_first"]
        r.unescape_first = fields["unescape_first"]
        r.scheme_sign = number("scheme_sign")
        r.default_scheme = self.owned_text(fields["default_scheme"] and fields["default_scheme"] + "://")
        r.schemes = self.listed(fields["schemes"])
        r.repair_schemes = fields["repair_schemes"]
        r.many_slashes = fields["many_slashes"]
        r.backslashes = number("backslashes")
        return 0

    cdef int set_authority(self, dict fields, number) except -1:
        cdef Rules* r = &self.rules
        r.reading = number("authority")
        r.host_from_path = fields["host_from_path"]
        r.params = self.listed(fields["params"])
        r.brackets = number("brackets")
        r.ports = number("ports")
        r.nfkc_refused = self.owned_text(fields["nfkc_refused"])
        r.host_required = number("host_required")
        r.scheme = number("scheme")
        r.userinfo = number("userinfo")
        fill(&r.user, fields["userinfo_set"].encode(), 1, b"", False, False)
        r.host_unescape = number("host_unescape")
        r.idna = number("idna")
        r.idna_required = fields["idna_required"]
        r.dots = number("dots")
        r.ipv4 = number("ipv4")
        r.ipv6 = number("ipv6")
        r.host_case = number("host_case")
        r.host_others = number("host_others")
        fill(&r.host, octets_of(fields["host_set"]), 0, b"",
             r.host_case != 0, r.host_case == 2)
        r.www = number("www")
        r.www_needs_dot = fields["www_needs_dot"]
        r.port = number("port")
        r.no_authority = number("no_authority")
        r.netloc_schemes = self.listed(fields["netloc_schemes"])
        return 0

    cdef int set_plain(self) except -1:
        cdef Rules* r = &self.rules
        cdef int octet
        # (of rfc1738's schemes only http has a query)
        r.plain_read = not r.unescape_first and not r.dialect.with_query[0] and (not r.schemes[0] or (
            is_listed(r.schemes, <const uint8_t*>b"http", 4) and is_listed(r.schemes, <const uint8_t*>b"https", 5)))
        r.plain_head_kept = r.form == FORM_URL and r.scheme in (SCHEME_LOWER, SCHEME_KEPT) and r.www == WWW_KEPT \
            and r.dots in (DOTS_KEPT, DOTS_TRAILING) and self.host_kept
        r.plain_labels_kept = True
        for octet in range(128):
            if not CLASS[octet] & (UPPER | FORBIDDEN_DOMAIN):
                r.plain_labels_kept &= r.host.raw.written[octet][3] == 1 and r.host.raw.written[octet][0] == octet
        return 0

    cdef int set_rest(self, dict fields, number) except -1:
        cdef Rules* r = &self.rules
        cdef bytes separators = fields["separators"].encode()
        if not 1 <= len(separators) <= 2:
            raise ValueError(f"separators are one or two characters, not {fields['separators']!r}")
        fill(&r.path, octets_of(fields["path_set"]), number("path_unescape"), fields["path_keep"].encode(),
             fields["path_lower"], fields["path_lower"])
        fill(&r.param, fields["params_set"].encode(), 0, b"", False, False)
        r.empty_path = number("empty_path")
        r.resolve = number("resolve")
        r.merge_slashes = fields["merge_slashes"]
        r.path_sessions = fields["path_sessions"]
        r.trailing_slash = number("trailing_slash")
        r.query_dropped = fields["query"] == "drop"
        r.fields_split = fields["split_fields"]
        r.fields = number("fields")
        r.separator = separators[0]
        r.second_separator = separators[1] if len(separators) == 2 else 0
        r.empty_fields = fields["empty_fields"]
        r.nameless = fields["nameless"]
        r.blanks = number("blanks")
        fill(&r.query, fields["query_set"].encode(), number("query_unescape"), b"", fields["query_lower"],
             fields["query_lower"])
        r.special_query = r.query
        if fields["special_query_set"] is not None:
            fill(&r.special_query, fields["special_query_set"].encode(), number("query_unescape"), b"",
                 fields["query_lower"], fields["query_lower"])
        r.query_sessions = fields["query_sessions"]
        r.empty_query = fields["empty_query"]
        r.sort = number("sort")
        if fields["remove"]:
            self.remove = NameSet(fields["remove"])
            r.remove = &self.remove.names
        r.sorted_schemes = self.listed(fields["sorted_schemes"])
        r.fragment = number("fragment")
        fill(&r.fragment_coding, fields["fragment_set"].encode(), 0, b"", False, False)
        r.form = number("form")
        r.trailing_comma = fields["trailing_comma"]
        r.reverse_addresses = fields["reverse_addresses"]
        return 0
