"""The state machine: octets in, spans and seen-class bits out, in any dialect.

There is one short function per state of the URL Standard (https://url.spec.whatwg.org/#url-parsing) or per
consume step of Barth's draft, with the sentence that it implements above each branch. A step reads at
m.i, leaves m.i where the next one starts, and returns the next step. The states are ordered so that
only later ones follow each, so the driver, run(), goes straight down them, once.
Steps look only at *marks* (marks.h): the octets in between have no meaning to them.

The steps: scheme_states.pxd (scheme to slashes), authority_states.pxd, file_states.pxd, path_states.pxd (path, query,
fragment); notes.pxd has their shared functions.

The differences between dialects are data (dialects.pxd). A Log, if given, receives every step taken and every
violation seen; without one, a step only tests for it.
"""
cimport cython
from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from libc.stdint cimport uint32_t, uint8_t
from libc.string cimport memcpy, memset
from urlsm.machine.authority_states cimport authority_state, host_state, port_state
from urlsm.machine.bounds cimport Bounds, Lane, PLAIN_NAME
from urlsm.machine.codes cimport NO_ERROR
from urlsm.machine.cursor cimport LOOKS, choose_looks, index_text, next_mark
from urlsm.machine.dialects cimport DIALECT_COUNT, Dialect, list_dialects
from urlsm.machine.file_states cimport file_host_state, file_slash_state, file_state
from urlsm.machine.log cimport (
    AFTER_SCHEME, AUTHORITY_STATE, DONE, FAILED, FILE_HOST_STATE, FILE_SLASH_STATE, FILE_STATE, FRAGMENT_STATE,
    HOSTNAME_STATE, HOST_STATE, NO_OVERRIDE, NO_SCHEME_STATE, OPAQUE_PATH_STATE, PATH_OR_AUTHORITY_STATE,
    PATH_START_STATE, PATH_STATE, PORT_STATE, QUERY_STATE, RELATIVE_SLASH_STATE, RELATIVE_STATE,
    SCHEME_START_STATE, SCHEME_STATE, SPECIAL_AUTHORITY_IGNORE_SLASHES_STATE, SPECIAL_AUTHORITY_SLASHES_STATE,
    SPECIAL_RELATIVE_OR_AUTHORITY_STATE, Step,
)
from urlsm.machine.lanes cimport LANES, NO_LANE
from urlsm.machine.machine cimport Machine, NOTHING
from urlsm.machine.marks cimport Cursor, WINDOW
from urlsm.machine.notes cimport set_kind
from urlsm.machine.path_states cimport fragment_state, opaque_path_state, path_start_state, path_state, query_state
from urlsm.machine.scheme_states cimport (
    after_scheme, no_scheme_state, path_or_authority_state, relative_slash_state, relative_state,
    scheme_start_state, scheme_state, special_authority_ignore_slashes_state, special_authority_slashes_state,
    special_relative_or_authority_state,
)
from urlsm.machine.special cimport (
    FILE, MAX_SPECIAL, MAX_SPECIAL_NAME, NOT_SPECIAL, SchemeKind, SpecialScheme, listed_port,
)
from urlsm.octets.once cimport store
from urlsm.octets.chars cimport (
    ALPHA, AT, BACKSLASH, BRACKET, C0_OR_SPACE, CLASS, COLON, DELIMITER, DIGIT, ENC_C0, ENC_COMPONENT, ENC_FORM,
    ENC_FRAGMENT, ENC_PATH, ENC_QUERY, ENC_SPECIAL_QUERY, ENC_USERINFO, END, FORBIDDEN_DOMAIN, FORBIDDEN_HOST,
    HASH, HEX, MARK, NON_ASCII, PERCENT, QUESTION, SCHEME_CHAR, SEMICOLON, SLASH, TAB_NEWLINE, UPPER,
    URL_CODE_POINT,
)

# --- dialects, special schemes and the index ---------------------------------------------------

cdef Dialect[DIALECT_COUNT] dialects
list_dialects(dialects, &registered)
DIALECTS = tuple([(<bytes>dialects[k].name).decode() for k in range(DIALECT_COUNT)])


cdef const Dialect* dialect_at(int number) noexcept nogil:
    return &dialects[number]


# by SchemeKind
SCHEMES = (None, "http", "https", "ws", "wss", "ftp", "file")
# the URL Standard's special schemes and their default ports, None for null (#special-scheme)
SPECIAL = {name: listed_port(<SchemeKind>kind) or None for kind, name in enumerate(SCHEMES) if name}


def special_kind(bytes name not None, uint32_t port, active=None) -> int:
    """Return the kind of a special scheme besides those of the URL Standard: its place in the table.

    A row (name, default port, 0 for none) is never removed, so URLs that have the scheme keep their meaning. active:
    whether parsing treats it as special; None leaves that unchanged.

    Raises ValueError where the table is full, or the name too long for it.
    """
    cdef int k = 0
    cdef SpecialScheme* row = registered.rows
    with cython.critical_section(SPECIAL):
        while k < registered.count and (row.name != name or row.port != port):
            k += 1
            row += 1
        if k == registered.count:
            if k == MAX_SPECIAL:
                raise ValueError(f"cannot register more than {MAX_SPECIAL} special schemes")
            if not 0 < len(name) < MAX_SPECIAL_NAME:
                raise ValueError(f"a special scheme has 1 to {MAX_SPECIAL_NAME - 1} characters")
            memcpy(row.name, <const char*>name, len(name) + 1)
            row.n, row.port, row.active = len(name), port, False
            store(&registered.count, k + 1)  # last, so that a parser without the lock sees a complete row
        if active is not None and row.active != active:
            store(&row.active, 1 if active else 0)
            store(&registered.active, registered.active + (1 if active else -1))
    return FILE + 1 + k


def octet_classes():
    """Return the classes of octets/chars.h for Python: name -> the octets in it."""
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


cdef uint32_t looks = choose_looks(64)


def use_vectors(int width):
    """For tests: limit the vector width to 64, 32, 16 or 1 octets. Returns the width in effect on this CPU."""
    global looks
    looks = choose_looks(width)
    use_plain(plain_lane)
    return LOOKS[looks].octets


cdef bint plain_lane = True
cdef const Lane* lane = &LANES[looks]


def use_plain(bint wanted):
    """For tests: turn the plain lane (lane/plain.h) on or off. Returns the previous setting."""
    global lane, plain_lane
    before, plain_lane = plain_lane, wanted
    lane = &LANES[looks] if wanted else &NO_LANE
    return before


@cython.binding(False)
cdef class Refusal(ValueError):
    """The facts of a refusal, as fields: the base of ParseError. args holds the code: a row of the table of rules.

    url: the text as given, str, bytes or URL. facts: the step, the octet of the text read, where the removal of tabs
    and newlines began or -1, and the dialect if it is not whatwg.
    """

    def __cinit__(self):
        self.given = ""
        self.removed_from = -1

    @property
    @cython.critical_section
    def url(self):
        return self.given

    @url.setter
    @cython.critical_section
    def url(self, given):
        self.given = given

    @property
    @cython.critical_section
    def facts(self):
        facts = (self.step, self.at, self.removed_from)
        return facts if self.dialect is None else (*facts, self.dialect)

    @facts.setter
    @cython.critical_section
    def facts(self, tuple facts not None):
        self.step, self.at, self.removed_from = facts[:3]
        self.dialect = facts[3] if len(facts) > 3 else None


# --- the driver -------------------------------------------------------------------------------

cdef inline void point(Machine* m, const uint8_t* p, uint32_t n, const Dialect* dialect, uint32_t most) noexcept nogil:
    """Point the machine at p[0:n], less what the dialect trims, and index it."""
    m.text.p = p
    trim(p, n, dialect, &m.text.start, &m.text.end)
    m.i = m.text.start
    index_text(&m.text, most, looks)


cdef inline void clear(Machine* m, const Dialect* dialect) noexcept nogil:
    m.dialect = dialect
    m.override = NO_OVERRIDE
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


cdef void prepare(Machine* m, const uint8_t* p, uint32_t n, const Dialect* dialect) noexcept nogil:
    """Point the machine at p[0:n], n <= MAX_LENGTH, and trim both ends."""
    point(m, p, n, dialect, WINDOW)
    clear(m, dialect)
    m.base = NULL
    m.log = NULL
    m.lenient = m.authority_only = False


cdef bint read_by_machine(Machine* m, const uint8_t* p, uint32_t n, const Dialect* dialect, int how) noexcept nogil:
    """Prepare the machine, whose base and log are set, and run it. Returns False if it failed."""
    if how & TO_AUTHORITY:
        point(m, p, n, dialect, 64)
    else:
        point(m, p, n, dialect, WINDOW)
    clear(m, dialect)
    m.lenient = dialect.url_standard & how  # LENIENT is 1, as True is
    m.authority_only = how & TO_AUTHORITY
    return run(m)


def plain_offsets(octets):
    """For tests: return the bounds that the plain lane finds in a buffer: the ends of scheme and path, and the starts
    of host, path, query and fragment; -1 where absent. None where it declines, or the host is an address."""
    cdef Bounds at
    cdef Py_buffer view
    cdef bint taken
    PyObject_GetBuffer(octets, &view, PyBUF_SIMPLE)
    taken = lane.text(<const uint8_t*>view.buf, view.len, &at) == PLAIN_NAME and not at.root_missing
    PyBuffer_Release(&view)
    if not taken:
        return None
    return at.scheme_end, at.host_start, at.host_end, <int>at.query_start, <int>at.fragment_start, at.path_end


cdef void enter(Machine* m, uint32_t n, Step override, SchemeKind kind) noexcept nogil:
    """Prepare the machine with p[0:n], to start at a state override, for a URL of this kind. Nothing is trimmed "if url
    is given"."""
    m.text.start = m.i = 0
    m.text.end = n
    m.override = override
    set_kind(m, kind)
    index_text(&m.text, WINDOW, looks)


cdef bint holds(const Cursor* t, uint32_t bits) noexcept nogil:
    """Return whether a mark of these classes stands anywhere in the text."""
    cdef uint32_t i = next_mark(t, t.start)
    while i < t.end:
        if CLASS[t.p[i]] & bits:
            return True
        i = next_mark(t, i + 1)
    return False


cdef bint run(Machine* m) noexcept nogil:
    """Take steps from the scheme start state, or the state override. Returns False if it failed (m.error).

    The step that a step returns is always further down, so one pass suffices.
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
