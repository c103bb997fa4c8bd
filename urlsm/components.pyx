"""Raw components: what a dialect's split sees, as written. Nothing is normalised, nothing decoded.

Also logged(): the machine run with a log, for explain and validate.
"""
cimport cython
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memset
from urlsm.codes cimport NO_ERROR, TOO_LONG
from urlsm.log cimport Log, SCHEME_START_STATE, free_log
from urlsm.machine cimport (
    ABSENT, COMPONENTS, Machine, dialect_at, prepare, run, AUTHORITY, FRAGMENT, HOST, PASSWORD, PATH, PORT, QUERY,
    SCHEME, USERINFO, USERNAME,
)
from urlsm.machine import DIALECTS
from urlsm.text cimport Octets, contains, exact, octets_of, without
from urlsm.text import positions
from urlsm.reader cimport Failure, error_of
from urlsm.url cimport as_url, read_url

cdef object EMPTY_PATH = object()  # "" or b"", by the other components
cdef tuple NAMES = ("scheme", "authority", "userinfo", "username", "password", "host", "port", "path", "query",
                    "fragment")  # by index of Machine.spans


def dialect_number(name) -> int:
    """ValueError, with the list, for a name that is no dialect."""
    try:
        return DIALECTS.index(name)
    except ValueError:
        raise ValueError(f"no dialect {name!r}; there are: {', '.join(DIALECTS)}") from None


@cython.final
cdef class Components:
    """The components of a text, as written: each str, or bytes where the text was bytes, or None where
    it is absent. Immutable; made by split, or by keyword. Equality is that of the components.

    username and password are the userinfo split at its first ":"; give either those or userinfo.
    """

    cdef readonly object scheme
    cdef readonly object userinfo
    cdef readonly object username
    cdef readonly object password
    cdef readonly object host
    cdef readonly object port
    cdef readonly object path
    cdef readonly object query
    cdef readonly object fragment
    cdef readonly str dialect
    cdef object _text        # as given; None: made by keyword
    cdef object _rest
    cdef tuple _spans        # octets of what was read, by index of NAMES
    cdef long _removed_from

    def __cinit__(self, *, scheme=None, userinfo=None, username=None, password=None, host=None, port=None, path=EMPTY_PATH,
                  query=None, fragment=None, dialect="whatwg"):
        dialect_number(dialect)
        given = (scheme, userinfo, username, password, host, port, query, fragment)
        kinds = {type(part) for part in given if part is not None}
        if path is not EMPTY_PATH and path is not None:
            kinds.add(type(path))
        if not (kinds <= {str} or kinds <= {bytes}):
            raise TypeError("components are all str, or all bytes, or None")
        empty, colon = (b"", b":") if bytes in kinds else ("", ":")
        if path is EMPTY_PATH:
            path = empty
        if userinfo is None and (username is not None or password is not None):
            userinfo = (username or empty) if password is None else (username or empty) + colon + password
        if userinfo is not None:
            first, found, rest = userinfo.partition(colon)
            second = rest if found else None
            if (username is not None and username != first) or (password is not None and password != second):
                raise ValueError("username and password are not what the userinfo splits into")
            username, password = first, second
        if host is None and (userinfo is not None or port is not None):
            raise ValueError("userinfo or port without host")
        self.scheme, self.userinfo, self.username, self.password = scheme, userinfo, username, password
        self.host, self.port, self.path, self.query, self.fragment = host, port, path, query, fragment
        self.dialect = dialect

    @property
    def authority(self):
        """userinfo, host and port with their delimiters; None where there is no authority."""
        if self.host is None:
            return None
        whole = self.host
        at, colon = ("@", ":") if isinstance(whole, str) else (b"@", b":")
        if self.userinfo is not None:
            whole = self.userinfo + at + whole
        return whole if self.port is None else whole + colon + self.port

    @property
    def rest(self):
        """All after "scheme:" of what was read (whatwg: trimmed, without tabs and newlines), as written;
        the whole where there is no scheme."""
        if self._text is not None:
            return self._rest
        return unsplit(self)[0 if self.scheme is None else len(self.scheme) + 1:]

    @property
    def text(self):
        """The text that was split, as given; of components made by keyword, unsplit's."""
        return unsplit(self) if self._text is None else self._text

    def span(self, name):
        """Where the component lies in text: (start, end), in characters (bytes of bytes), or None where it
        is absent. Tabs and newlines that the dialect removes are counted."""
        if name not in NAMES:
            raise ValueError(f"no component {name!r}; there are: {', '.join(NAMES)}")
        if self._spans is None:
            return split(self.text, self.dialect).span(name)
        if self._spans[NAMES.index(name)] is None:
            return None
        start, end = self._spans[NAMES.index(name)]
        if self._removed_from < 0 and self._text.isascii():
            return start, end
        where = positions_raw(self._text, self._removed_from, self.dialect)
        return where[start], (where[end - 1] + 1 if end > start else where[start])

    @classmethod
    def __class_getitem__(cls, kind):
        return cls  # Components[str], Components[bytes]

    def _key(self):
        return (self.scheme, self.userinfo, self.host, self.port, self.path, self.query, self.fragment)

    def __eq__(self, other):
        return self._key() == other._key() if isinstance(other, Components) else NotImplemented

    def __hash__(self):
        return hash(self._key())

    def __repr__(self):
        shown = [f"{name}={getattr(self, name)!r}" for name in ("scheme", "username", "host", "port", "path", "query",
                                                              "fragment") if getattr(self, name) is not None]
        if self.password is not None:
            shown.insert(2 if self.scheme is not None else 1, "password='***'")
        return f"Components({', '.join(shown)}, dialect={self.dialect!r})"

    def __reduce__(self):
        if self._text is not None:
            return split, (self._text, self.dialect)
        return _rebuilt, (self._key(), self.dialect)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


def _rebuilt(key, dialect):
    return Components(dialect=dialect, **dict(zip(("scheme", "userinfo", "host", "port", "path", "query", "fragment"),
                                                  key)))


def positions_raw(text, removed_from, dialect):
    """positions, of bytes that were read as they are."""
    if isinstance(text, bytes):
        text = text.decode("latin-1").translate(_LATIN)
    return positions(text, removed_from, dialect_at(dialect_number(dialect)).trim_end != 0)


_LATIN = {k: "?" for k in range(0x80, 0x100)}


def split(url, dialect="whatwg"):
    """The components that a dialect sees in a text, as written.

    Args:
        url: str, bytes or URL. dialect: "whatwg", "rfc3986", "barth" or "stdlib".

    Raises:
        ParseError: the dialect's split calls it invalid (only "barth" does), or it is longer than
            2**30 - 1 octets. ValueError: no such dialect. TypeError: not a text.

    whatwg: URL Standard, a text without scheme as a reference to a special base; tabs and newlines are
    removed first. rfc3986: appendix B, then the authority at its last "@" and, outside brackets, its
    last ":". barth: draft-abarth-url-00, 3.1 to 3.4. stdlib: urllib.parse, of CPython 3.11.4 and later.
    """
    cdef Machine m
    cdef Failure failure
    cdef int number = dialect_number(dialect), k
    cdef Octets text = octets_of(url, True)
    cdef const uint8_t* p = text.p
    cdef uint32_t n = text.n
    cdef object given = url if isinstance(url, (str, bytes)) else url.href
    cdef object owner = text.owner
    cdef bint ascii = text.is_text
    cdef Components c = Components.__new__(Components)
    cdef list parts = []
    cdef uint32_t start
    failure.removed_from = -1
    if text.too_long:
        failure.code, failure.step, failure.at = TOO_LONG, SCHEME_START_STATE, 0
        raise error_of(url, &failure)
    prepare(&m, p, n, dialect_at(number))
    if m.dialect.remove and contains(p, m.text.start, m.text.end, m.dialect.remove):
        failure.removed_from = m.text.start
        owner = without(p, m.text.start, m.text.end, m.dialect.remove)
        p, n, ascii = owner, len(owner), False
        prepare(&m, p, n, dialect_at(number))
    m.lenient = m.dialect.url_standard
    if not run(&m):
        failure.code, failure.step, failure.at = m.error, m.error_step, m.error_at
        raise refusal(url, &failure, dialect)
    for k in range(COMPONENTS):
        if m.spans[k].start == ABSENT:
            parts.append(None)
        elif ascii:
            parts.append((<str>owner)[m.spans[k].start:m.spans[k].end])
        else:
            parts.append(part(p, m.spans[k].start, m.spans[k].end, isinstance(given, str)))
    start = m.text.start if m.spans[SCHEME].start == ABSENT else m.spans[SCHEME].end + 1
    c._rest = part(p, start, m.text.end, isinstance(given, str))
    c.scheme, c.userinfo, c.username, c.password = parts[SCHEME], parts[USERINFO], parts[USERNAME], parts[PASSWORD]
    c.host, c.port, c.path = parts[HOST], parts[PORT], parts[PATH]
    c.query, c.fragment = parts[QUERY], parts[FRAGMENT]
    c.dialect = dialect
    c._text = exact(given) if isinstance(given, str) else given
    c._spans = tuple([None if parts[k] is None else (m.spans[k].start, m.spans[k].end) for k in range(COMPONENTS)])
    c._removed_from = failure.removed_from
    return c


cdef object part(const uint8_t* p, uint32_t start, uint32_t end, bint as_text):
    return p[start:end].decode("utf-8", "surrogatepass") if as_text else p[start:end]


cdef object refusal(url, const Failure* failure, dialect):
    error = error_of(url, failure)
    error.facts += (dialect,)  # its steps go by other names
    return error


def unsplit(Components components not None):
    """The text of components: RFC 3986 section 5.3, which puts each delimiter back.

    Under rfc3986, unsplit(split(text)) is text; elsewhere split(unsplit(c)) == c.
    """
    cdef Components c = components
    kinds = [type(part) for part in (c.scheme, c.host, c.path, c.query, c.fragment) if part is not None]
    colon, slashes, question, hash = (b":", b"//", b"?", b"#") if bytes in kinds else (":", "//", "?", "#")
    parts = []
    if c.scheme is not None:
        parts += (c.scheme, colon)
    if c.host is not None:
        parts += (slashes, c.authority)
    if c.path is not None:
        parts.append(c.path)
    if c.query is not None:
        parts += (question, c.query)
    if c.fragment is not None:
        parts += (hash, c.fragment)
    return colon[:0].join(parts)


def logged(url, base, dialect):
    """Run the machine with a log. (entries, removed_from, result): entries are tuples of the step's
    number, the violation's row or -1, whether it is fatal, start and end in octets of what was read (see
    text.positions); result is a URL (whatwg), a ParseError or None.
    """
    cdef Machine m
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
            raise ValueError(f"the dialect {dialect!r} takes no base here")
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
            prepare(&m, text.p, text.n, dialect_at(number))
            if m.dialect.remove and contains(text.p, m.text.start, m.text.end, m.dialect.remove):
                failure.removed_from = m.text.start
                clean = without(text.p, m.text.start, m.text.end, m.dialect.remove)
                prepare(&m, clean, len(clean), dialect_at(number))
            m.log = &log
            if not run(&m):
                failure.code, failure.step, failure.at = m.error, m.error_step, m.error_at
                result = refusal(url, &failure, dialect)
        if log.out_of_memory:
            raise MemoryError()
        for k in range(log.count):
            entry = log.entries[k]
            entries.append((<int>entry.step, <int>entry.code, bool(entry.fatal), entry.start, entry.end))
    finally:
        free_log(&log)
    return entries, failure.removed_from, result
