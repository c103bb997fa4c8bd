"""The state machine: octets in, spans and seen-class bits out, in any dialect.

One short function per state of the URL Standard (https://url.spec.whatwg.org/#url-parsing) or per
consume step of Barth's draft; the sentence it implements stands above each branch. A step reads at
m.i, leaves m.i where the next one starts and answers which that is. The order of the states is one in
which each is followed only by later ones, so the driver, run(), goes straight down them, once.
Steps look only at *marks* (marks.h): the octets in between mean nothing to any of them.

The steps: references.pxd (scheme to slashes), authority.pxd, files.pxd, tail.pxd (path, query,
fragment); what they share is in steps.pxd.

What differs between dialects is data (dialects.pxd). A Log, where one is given, receives every step
taken and every violation seen; without one a step pays a test for it.
"""
from libc.stdint cimport uint32_t, uint8_t
from libc.string cimport memcpy, memset
from urlsm.authority cimport authority_state, host_state, port_state
from urlsm.chars cimport (
    ALPHA, AT, BACKSLASH, BRACKET, C0_OR_SPACE, CLASS, COLON, DELIMITER, DIGIT, ENC_C0, ENC_COMPONENT, ENC_FORM,
    ENC_FRAGMENT, ENC_PATH, ENC_QUERY, ENC_SPECIAL_QUERY, ENC_USERINFO, END, FORBIDDEN_DOMAIN, FORBIDDEN_HOST,
    HASH, HEX, MARK, NON_ASCII, PERCENT, QUESTION, SCHEME_CHAR, SEMICOLON, SLASH, TAB_NEWLINE, UPPER,
    URL_CODE_POINT,
)
from urlsm.codes cimport NO_ERROR
from urlsm.cursor cimport at, index_text
from urlsm.dialects cimport barth, rfc1738, rfc2396, rfc3986, stdlib, whatwg
from urlsm.files cimport file_host_state, file_slash_state, file_state
from urlsm.log cimport (
    AFTER_SCHEME, AUTHORITY_STATE, DONE, FAILED, FILE_HOST_STATE, FILE_SLASH_STATE, FILE_STATE, FRAGMENT_STATE,
    HOSTNAME_STATE, HOST_STATE, NO_OVERRIDE, NO_SCHEME_STATE, OPAQUE_PATH_STATE, PATH_OR_AUTHORITY_STATE,
    PATH_START_STATE, PATH_STATE, PORT_STATE, QUERY_STATE, RELATIVE_SLASH_STATE, RELATIVE_STATE,
    SCHEME_START_STATE, SCHEME_STATE, SPECIAL_AUTHORITY_IGNORE_SLASHES_STATE, SPECIAL_AUTHORITY_SLASHES_STATE,
    SPECIAL_RELATIVE_OR_AUTHORITY_STATE, Step,
)
from urlsm.marks cimport WINDOW, choose_index, index_fn
from urlsm.references cimport (
    after_scheme, no_scheme_state, path_or_authority_state, relative_slash_state, relative_state,
    scheme_start_state, scheme_state, special_authority_ignore_slashes_state, special_authority_slashes_state,
    special_relative_or_authority_state,
)
from urlsm.special cimport FILE, NOT_SPECIAL, SchemeKind
from urlsm.steps cimport set_kind
from urlsm.tail cimport fragment_state, opaque_path_state, path_start_state, path_state, query_state

# --- dialects and the index -------------------------------------------------------------------

cdef Dialect[6] _dialects
_dialects[0] = whatwg()
_dialects[1] = rfc3986()
_dialects[2] = barth()
_dialects[3] = rfc1738()
_dialects[4] = rfc2396()
_dialects[5] = stdlib()

DIALECTS = tuple([(<bytes>_dialects[k].name).decode() for k in range(6)])


cdef const Dialect* dialect_at(int number) noexcept nogil:
    return &_dialects[number]


# --- special schemes by registration -----------------------------------------------------------

def special_kind(bytes name not None, uint32_t port, active=None) -> int:
    """The kind of a special scheme beside those of the URL Standard: its place in the table, where a (name, default
    port, 0 for none) stays once it is there, so that the URLs that have it keep their meaning. active: does it count
    when a text is parsed? None: as it does.

    Raises ValueError where the table is full or the name is too long for it.
    """
    global special_count, special_active
    cdef int k = 0
    while k < special_count and (special_schemes[k].name != name or special_schemes[k].port != port):
        k += 1
    if k == special_count:
        if k == MAX_SPECIAL:
            raise ValueError(f"more than {MAX_SPECIAL} special schemes")
        if not 0 < len(name) < MAX_SPECIAL_NAME:
            raise ValueError(f"the name of a special scheme has 1 to {MAX_SPECIAL_NAME - 1} characters")
        memcpy(special_schemes[k].name, <const char*>name, len(name) + 1)
        special_schemes[k].n, special_schemes[k].port, special_schemes[k].active = len(name), port, False
        special_count += 1  # last: a parser that runs without the GIL sees it whole
    if active is not None and special_schemes[k].active != active:
        special_schemes[k].active = active
        special_active += 1 if active else -1
    return FILE + 1 + k


def octet_classes():
    """The classes of chars.h as Python sees them: name -> the octets in it."""
    named = {
        "enc_c0": ENC_C0, "enc_fragment": ENC_FRAGMENT, "enc_query": ENC_QUERY, "enc_special_query": ENC_SPECIAL_QUERY,
        "enc_path": ENC_PATH, "enc_userinfo": ENC_USERINFO, "enc_component": ENC_COMPONENT, "enc_form": ENC_FORM,
        "forbidden_host": FORBIDDEN_HOST, "forbidden_domain": FORBIDDEN_DOMAIN, "url_code_point": URL_CODE_POINT,
        "alpha": ALPHA, "upper": UPPER, "digit": DIGIT, "hex": HEX, "scheme_char": SCHEME_CHAR,
        "tab_newline": TAB_NEWLINE, "c0_or_space": C0_OR_SPACE, "non_ascii": NON_ASCII, "slash": SLASH,
        "backslash": BACKSLASH, "question": QUESTION, "hash": HASH, "colon": COLON, "at": AT, "bracket": BRACKET,
        "percent": PERCENT, "semicolon": SEMICOLON, "mark": MARK, "delimiter": DELIMITER,
    }
    return {name: frozenset([k for k in range(256) if CLASS[k] & bits]) for name, bits in named.items()}


cdef index_fn index_octets = choose_index(64)


def use_vectors(int width):
    """For tests: index at most so many octets at a time (64, 32, 1), as far as the CPU can. How many is it now?"""
    global index_octets
    index_octets = choose_index(width)
    return 1 if index_octets == choose_index(1) else 32 if index_octets == choose_index(32) else 64


# --- the driver -------------------------------------------------------------------------------

cdef inline void reset(Machine* m, const uint8_t* p, uint32_t n, const Dialect* dialect, uint32_t most) noexcept nogil:
    cdef uint32_t start = 0, end = n
    while start < end and CLASS[p[start]] & dialect.trim:
        start += 1
    while start < end and CLASS[p[end - 1]] & dialect.trim_end:
        end -= 1
    m.text.p = p
    m.text.start = m.i = start
    m.text.end = end
    m.dialect = dialect
    m.base = NULL
    m.log = NULL
    m.override = NO_OVERRIDE
    m.lenient = False
    m.authority_only = False
    memset(m.spans, 0xFF, sizeof(m.spans))  # all ABSENT
    m.host_seen = 0
    m.path_seen = 0
    m.query_seen = 0
    m.fragment_seen = 0
    m.seen = 0
    m.kind = NOT_SPECIAL
    m.path_stop = dialect.path_stop | END
    m.inherit = NOTHING
    m.opaque_path = False
    m.scheme_upper = False
    m.special = False
    m.port = -1
    m.error = NO_ERROR
    m.authority_stop = dialect.authority_stop | END
    index_text(&m.text, most, index_octets)


cdef void prepare(Machine* m, const uint8_t* p, uint32_t n, const Dialect* dialect) noexcept nogil:
    """Point the machine at p[0:n], n <= MAX_LENGTH, and trim both ends."""
    reset(m, p, n, dialect, WINDOW)


cdef bint run_authority(Machine* m, const uint8_t* p, uint32_t n, const Dialect* dialect) noexcept nogil:
    """prepare and run, but only up to the end of the authority. False: it failed."""
    reset(m, p, n, dialect, 64)
    m.authority_only = True
    return run(m)


cdef void enter(Machine* m, uint32_t n, Step override, SchemeKind kind) noexcept nogil:
    """Have a machine prepared with p[0:n] start at a state override, for a URL of this kind. Nothing
    is trimmed "if url is given"."""
    m.text.start = m.i = 0
    m.text.end = n
    m.override = override
    set_kind(m, kind)
    index_text(&m.text, WINDOW, index_octets)


cdef bint run(Machine* m) noexcept nogil:
    """Take steps from the scheme start state, or the state override. False: it failed (m.error).

    A step answers which is next, and that is always one further down: in this order, one pass suffices.
    """
    cdef Step step = SCHEME_START_STATE if m.override == NO_OVERRIDE else m.override
    if step == SCHEME_START_STATE:
        step = scheme_start_state(m)
    if step == SCHEME_STATE:
        step = scheme_state(m)
    if step == NO_SCHEME_STATE:
        step = no_scheme_state(m)
    if step == AFTER_SCHEME:
        step = after_scheme(m)
    if step == SPECIAL_RELATIVE_OR_AUTHORITY_STATE:
        step = special_relative_or_authority_state(m)
    if step == PATH_OR_AUTHORITY_STATE:
        step = path_or_authority_state(m)
    if step == RELATIVE_STATE:
        step = relative_state(m)
    if step == RELATIVE_SLASH_STATE:
        step = relative_slash_state(m)
    if step == SPECIAL_AUTHORITY_SLASHES_STATE:
        step = special_authority_slashes_state(m)
    if step == SPECIAL_AUTHORITY_IGNORE_SLASHES_STATE:
        step = special_authority_ignore_slashes_state(m)
    if step == AUTHORITY_STATE:
        step = authority_state(m)
    if step == HOST_STATE or step == HOSTNAME_STATE:
        step = host_state(m)
    if step == PORT_STATE:
        step = port_state(m)
    if step == FILE_STATE:
        step = file_state(m)
    if step == FILE_SLASH_STATE:
        step = file_slash_state(m)
    if step == FILE_HOST_STATE:
        step = file_host_state(m)
    if m.authority_only:
        return step != FAILED
    if step == PATH_START_STATE:
        step = path_start_state(m)
    if step == PATH_STATE:
        step = path_state(m)
    if step == OPAQUE_PATH_STATE:
        step = opaque_path_state(m)
    if step == QUERY_STATE:
        step = query_state(m)
    if step == FRAGMENT_STATE:
        step = fragment_state(m)
    return step == DONE
