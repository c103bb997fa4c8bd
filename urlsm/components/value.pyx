"""Raw components: a text split by a dialect. Nothing is normalised or decoded."""
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memcpy, memset
from urlsm.components.joining cimport written
from urlsm.machine.codes cimport TOO_LONG
from urlsm.machine.dialects cimport Dialect
from urlsm.machine.driver cimport BY_MACHINE, LENIENT, dialect_at
from urlsm.machine.log cimport Log, SCHEME_START_STATE, free_log
from urlsm.machine.machine cimport (
    ABSENT, COMPONENTS, Span, AUTHORITY, FRAGMENT, HOST, PASSWORD, PATH, PORT, QUERY, SCHEME, USERINFO, USERNAME,
)
from urlsm.machine.reading cimport Reading, is_unclean, read, read_on
from urlsm.octets.buffer cimport MAX_LENGTH, ascii_data, ascii_text, is_ascii
from urlsm.octets.once cimport stay_all
from urlsm.octets.text cimport Octets, exact, octets_of, place, without
from urlsm.url.parser cimport error_of
from urlsm.url.structs cimport Failure
from urlsm.url.value cimport as_url, read_url
from urlsm.machine.driver import DIALECTS
from urlsm.octets.objects import url_text
from urlsm.octets.text import positions
from urlsm.url.value import URL
from operator import attrgetter

cdef object EMPTY_PATH = object()  # "" or b"", like the other components
cdef tuple NAMES = ("scheme", "authority", "userinfo", "username", "password", "host", "port", "path", "query",
                    "fragment")  # by index of Machine.spans
cdef tuple FIELDS = URL.__match_args__
cdef object key_of = attrgetter(*FIELDS)
cdef tuple KNOWN = DIALECTS


def dialect_number(name) -> int:
    """Return the number of a dialect. ValueError, which lists the dialects, for an unknown name."""
    return number_of(name)


cdef int number_of(name) except -1:
    cdef int k
    for k in range(len(KNOWN)):
        if KNOWN[k] == name:
            return k
    raise ValueError(f"unknown dialect {name!r}; the dialects are {', '.join(KNOWN)}")


@cython.final
@cython.no_gc  # holds texts only
@cython.binding(False)
cdef class Components:
    """Components(*, scheme=None, userinfo=None, username=None, password=None, host=None, port=None, path="", \
query=None, fragment=None, dialect="whatwg")
--

    The components of a text, as written: each is str (for bytes: bytes), or None if absent. Immutable; made by split
    or by keyword; equal if the components are.

    username and password are the userinfo split at its first ":"; give either those or userinfo.

    Made by keyword, they are those of a text: split(c.text, c.dialect) == c (stdlib: of urlunsplit's, which may be read
    as others). Where another component would swallow one, RFC 3986's guard is added to it: "./" to a path that would
    begin with a scheme, "/." to one that would begin with an authority, brackets to an IPv6 address. Raises ValueError
    where none helps, as for a path without "/" after a host.
    """

    def __init__(self, *, scheme=None, userinfo=None, username=None, password=None, host=None, port=None,
                 path=EMPTY_PATH, query=None, fragment=None, dialect="whatwg"):
        if self.read is not None:
            raise TypeError("Components are immutable")
        dialect_number(dialect)
        given = (scheme, userinfo, username, password, host, port, query, fragment)
        kinds = {type(part) for part in given if part is not None}
        if path is not EMPTY_PATH and path is not None:
            kinds.add(type(path))
        if not (kinds <= {str} or kinds <= {bytes}):
            raise TypeError("components must be all str or all bytes, or None")
        if path is EMPTY_PATH:
            path = b"" if bytes in kinds else ""
        colon = b":" if bytes in kinds else ":"
        if userinfo is not None:
            first, found, rest = userinfo.partition(colon)
            second = rest if found else None
            if (username is not None and username != first) or (password is not None and password != second):
                raise ValueError("username and password differ from those in userinfo")
            username, password = first, second
        elif password is not None:
            username = username or colon[:0]
        if username is not None and colon in username:
            raise ValueError("a username cannot hold ':', which ends it")
        if host is None and (username is not None or port is not None):
            raise ValueError("userinfo or port needs a host")
        self.dialect = dialect
        self.as_text = bytes not in kinds
        self.by_keyword = True
        self.removed_from = -1
        if not join(self, scheme, username, password, host, port, path, query, fragment):
            from urlsm.components.guards import guarded, impossible
            host, path = guarded(scheme, host, path)
            if not join(self, scheme, username, password, host, port, path, query, fragment):
                raise ValueError(impossible(dialect, host, path))

    @property
    def scheme(self):
        return component(self, SCHEME)

    @property
    def userinfo(self):
        return component(self, USERINFO)

    @property
    def username(self):
        return component(self, USERNAME)

    @property
    def password(self):
        return component(self, PASSWORD)

    @property
    def host(self):
        return component(self, HOST)

    @property
    def port(self):
        return component(self, PORT)

    @property
    def path(self):
        return component(self, PATH)

    @property
    def query(self):
        return component(self, QUERY)

    @property
    def fragment(self):
        return component(self, FRAGMENT)

    @property
    def authority(self):
        """userinfo, host and port with their delimiters; None without an authority."""
        return component(self, AUTHORITY)

    @property
    def rest(self):
        """The text after "scheme:", as written, or all of it without a scheme (whatwg: trimmed, without tabs and
        newlines)."""
        scheme = self.spans[SCHEME]
        return cut(self, self.whole.start if scheme.start == ABSENT else scheme.end + 1, self.whole.end)

    @property
    def text(self):
        """The text that was split, as given; for components made by keyword, the result of unsplit."""
        return self.given

    @property
    def segments(self):
        """The path's segments as written, without the leading "/": a tuple for each, of the segment and its parameters.
        Only RFC 2396 (section 3.3) cuts parameters off, at ";"."""
        path = self.path
        if not path:
            return ()
        slash, semicolon = ("/", ";") if isinstance(path, str) else (b"/", b";")
        found = path[path.startswith(slash):].split(slash)
        segments = []
        for part in found:
            segments.append(tuple(part.split(semicolon)) if self.dialect == "rfc2396" else (part,))
        return tuple(segments)

    @property
    def opaque_part(self):
        """RFC 2396 section 3: the text from "scheme:" to "#", if it does not begin with "/". None in other dialects."""
        if self.dialect != "rfc2396" or self.scheme is None or self.host is not None:
            return None
        mark = b"?" if isinstance(self.path, bytes) else "?"
        whole = self.path if self.query is None else self.path + mark + self.query
        return whole if whole and not whole.startswith(b"/" if isinstance(whole, bytes) else "/") else None

    @property
    def registry(self):
        """RFC 2396 section 3.2.1: the authority, if it is not a server and so may be a registry's name. None in other
        dialects."""
        if self.dialect != "rfc2396" or self.host is None:
            return None
        from urlsm.components.server import is_server
        authority = self.authority
        text = authority if isinstance(authority, str) else authority.decode("latin-1")
        return None if is_server(text) else authority

    @property
    def zone(self):
        """The zone identifier of an IPv6 literal, as written: the text from "%25" (RFC 6874), or a bare "%", to "]". A
        valid host never has one (RFC 9844)."""
        host = self.host
        bracket, percent, escaped, end = (b"[", b"%", b"25", b"]") if isinstance(host, bytes) else ("[", "%", "25", "]")
        if not host or not host.startswith(bracket) or not host.endswith(end) or percent not in host:
            return None
        zone = host[host.index(percent) + 1:len(host) - 1]
        return zone[2:] if zone.startswith(escaped) else zone

    def span(self, name):
        """Return the place of a component in text: (start, end), in characters (or bytes), or None if it is absent.
        Tabs and newlines that the dialect removes are counted."""
        cdef Span span
        cdef bytes octets
        cdef const uint8_t* p
        cdef Py_ssize_t n, first
        cdef bint trimmed
        if name not in NAMES:
            raise ValueError(f"unknown component {name!r}; the components are {', '.join(NAMES)}")
        span = self.spans[NAMES.index(name)]
        if span.start == ABSENT:
            return None
        if type(self.read) is str:
            return span.start, span.end
        if type(self.given) is str:  # audit calls this often, for texts of any length
            trimmed = dialect_at(dialect_number(self.dialect)).trim_end != 0
            octets = self.read if self.removed_from < 0 else self.given.encode("utf-8", "surrogatepass")
            p, n = octets, len(octets)
            first = place(p, n, span.start, self.removed_from, trimmed)
            if span.end == span.start:
                return first, first
            return first, place(p, n, span.end - 1, self.removed_from, trimmed) + 1
        where = positions_raw(self.given, self.removed_from, self.dialect)
        return where[span.start], (where[span.end - 1] + 1 if span.end > span.start else where[span.start])

    def replace(self, **changes):
        """Return a copy with some components replaced; None removes one. The arguments are those of Components.
        Removing the username removes the password, and removing the host all of the authority."""
        fields = {name: getattr(self, name) for name in FIELDS}
        if "host" in changes and changes["host"] is None:
            fields["username"] = fields["password"] = fields["port"] = None
        if "userinfo" in changes:
            del fields["username"], fields["password"]
        if "username" in changes and changes["username"] is None:
            fields["password"] = None
        return Components(dialect=self.dialect, **{**fields, **changes})

    @classmethod
    def __class_getitem__(cls, kind):
        return cls  # Components[str], Components[bytes]

    def _key(self):
        return key_of(self)

    def __eq__(self, other):
        return self._key() == other._key() if isinstance(other, Components) else NotImplemented

    def __hash__(self):
        return hash(self._key())

    def __repr__(self):
        from urlsm.errors.masking import SHOWN, cut, secret_spans
        text = self.text if self.as_text else self.text.decode("latin-1")
        spans = secret_spans(text)
        shown = []
        for name in FIELDS:
            value = getattr(self, name)
            if value is None:
                continue
            if name == "password":
                value = SHOWN
            elif spans:
                masked = cut(text, spans, *self.span(name))
                if masked != cut(text, [], *self.span(name)):
                    value = masked if self.as_text else masked.encode("latin-1")
            shown.append(f"{name}={value!r}")
        return f"Components({', '.join(shown)}, dialect={self.dialect!r})"

    def __reduce__(self):
        if not self.by_keyword:
            return split, (self.given, self.dialect)
        return _rebuilt, (self._key(), self.dialect)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


def _rebuilt(key, dialect):
    return Components(dialect=dialect, **dict(zip(FIELDS, key)))


def positions_raw(text, removed_from, dialect):
    """positions, for bytes that were read as they are."""
    if isinstance(text, bytes):
        text = text.decode("latin-1").translate(_LATIN)
    return positions(text, removed_from, dialect_at(dialect_number(dialect)).trim_end != 0)


_LATIN = {k: "?" for k in range(0x80, 0x100)}


def split(url, dialect="whatwg"):
    """Return the components that a dialect finds in a text, as written.

    Args:
        url: str, bytes or URL. dialect: "whatwg", "rfc3986", "rfc2396", "rfc1738", "barth" or "stdlib".

    Raises:
        ParseError: the dialect's split refuses the text (only "barth" does), or it is longer than 2**30 - 1 octets.
        ValueError: an unknown dialect. TypeError: url is not str, bytes or URL.

    whatwg: the URL Standard; a text without scheme is a reference to a special base, tabs and newlines are removed
    first. rfc3986, rfc2396: appendix B, then the authority at its last "@" and, outside brackets, its
    last ":". rfc1738: section 5, where only http and wais have a query, and mailto and news all as path. barth:
    draft-abarth-url-00, 3.1 to 3.4. stdlib: urllib.parse, of CPython 3.11.4 and later.
    """
    cdef Reading r
    cdef Failure failure
    cdef const Dialect* rules = dialect_at(number_of(dialect))
    cdef Octets text = octets_of(url, True)
    cdef object clean = text.owner
    cdef const uint8_t* p
    cdef uint32_t n, start, end
    cdef bint ascii = text.is_text
    cdef Components c
    failure.removed_from = -1
    if text.too_long:
        failure.code, failure.step, failure.at = TOO_LONG, SCHEME_START_STATE, 0
        raise error_of(url, &failure)
    p, n = text.p, text.n
    if is_unclean(p, n, rules, &start, &end):
        failure.removed_from = start
        clean, ascii = without(p, start, end, rules.remove), False
        p, n = <const uint8_t*>PyBytes_AS_STRING(clean), <uint32_t>len(clean)
    if not read(&r, p, n, rules, LENIENT | BY_MACHINE):
        failure.code, failure.step, failure.at = r.m.error, r.m.error_step, r.m.error_at
        raise error_in(url, &failure, dialect)
    c = Components.__new__(Components)
    c.given = url if isinstance(url, (str, bytes)) else url_text(url)
    c.as_text = isinstance(c.given, str)
    c.given = exact(c.given) if c.as_text else bytes(c.given)
    c.read = clean if ascii else bytes(clean)
    memcpy(c.spans, r.m.spans, sizeof(r.m.spans))
    c.whole.start, c.whole.end = r.m.text.start, r.m.text.end
    c.removed_from = failure.removed_from
    c.dialect = dialect
    return c


cdef object component(Components c, int which):
    absent = c.read is None or c.spans[which].start == ABSENT
    return None if absent else cut(c, c.spans[which].start, c.spans[which].end)


cdef object cut(Components c, uint32_t start, uint32_t end):
    """Return a piece of the text that was read, in the type of the given text."""
    if type(c.read) is str:
        return ascii_text(ascii_data(c.read) + start, end - start)
    octets = (<bytes>c.read)[start:end]
    return (<bytes>octets).decode("utf-8", "surrogatepass") if c.as_text else octets


cdef bint join(Components c, scheme, username, password, host, port, path, query, fragment) except -1:
    """Fill in the text and spans of components that were not split from a text. Return whether the dialect reads them
    from that text."""
    cdef int k
    cdef Span[COMPONENTS] spans
    pieces = (  # each component with the texts before and after it, by RFC 3986 section 5.3
        (SCHEME, b"", scheme, b":"), (USERNAME, b"//", username, b""), (PASSWORD, b":", password, b""),
        (HOST, b"//" if username is None else b"@", host, b""), (PORT, b":", port, b""), (PATH, b"", path, b""),
        (QUERY, b"?", query, b""), (FRAGMENT, b"#", fragment, b""))
    octets = bytearray()
    for k in range(COMPONENTS):
        spans[k].start = ABSENT
    for which, before, part, after in pieces:
        if part is not None:
            octets += before
            spans[which].start = len(octets)
            octets += part.encode("utf-8", "surrogatepass") if c.as_text else part
            spans[which].end = len(octets)
            octets += after
    if len(octets) > MAX_LENGTH:
        raise ValueError(f"the URL would be longer than {MAX_LENGTH} octets")
    if username is not None:
        spans[USERINFO].start = spans[USERNAME].start
        spans[USERINFO].end = spans[USERNAME if password is None else PASSWORD].end
    if host is not None:
        spans[AUTHORITY].start = spans[HOST if username is None else USERNAME].start
        spans[AUTHORITY].end = spans[HOST if port is None else PORT].end
    c.whole.start, c.whole.end = 0, len(octets)
    c.given = c.read = bytes(octets)
    if c.as_text:
        c.given = octets.decode("utf-8", "surrogatepass")
        if is_ascii(c.given):
            c.read = c.given
    if c.dialect != "stdlib" and not reads(c.dialect, bytes(octets), spans):
        return False
    memcpy(c.spans, spans, sizeof(spans))
    return True


cdef bint reads(dialect, bytes text, Span* spans) except -1:
    """Return whether the dialect finds exactly these spans in a text. An empty path may be an absent one to it."""
    cdef Reading r
    cdef const Dialect* rules = dialect_at(number_of(dialect))
    cdef const uint8_t* p = text
    cdef uint32_t start, end
    cdef const Span* found
    cdef int k
    if is_unclean(p, <uint32_t>len(text), rules, &start, &end) \
            or not read(&r, p, <uint32_t>len(text), rules, LENIENT | BY_MACHINE):
        return False
    for k in range(COMPONENTS):
        found = &r.m.spans[k]
        if k == PATH and (found.start == ABSENT or spans[k].start == ABSENT):
            if length_of(found) or length_of(&spans[k]):
                return False
            spans[k] = found[0]
        elif found.start != spans[k].start or (found.start != ABSENT and found.end != spans[k].end):
            return False
    return True


cdef inline uint32_t length_of(const Span* span) noexcept nogil:
    return 0 if span.start == ABSENT else span.end - span.start


cdef object error_in(url, const Failure* failure, dialect):
    """Return the ParseError of a failure in this dialect."""
    error = error_of(url, failure)
    error.facts += (dialect,)  # its steps have other names
    return error


def unsplit(Components components not None):
    """Return the text of components: each with its delimiters (RFC 3986 section 5.3).

    Under rfc3986, unsplit(split(text)) is text; elsewhere, but for stdlib, split(unsplit(c), c.dialect) == c.
    """
    cdef Components c = components
    cdef const uint8_t* p
    found = c.given if c.by_keyword else None
    if found is None and c.read is not None:
        p = ascii_data(c.read) if type(c.read) is str else <const uint8_t*>PyBytes_AS_STRING(c.read)
        found = written(p, c.spans, type(c.read) is str, c.as_text)
    return joined(c).given if found is None else found


cdef Components joined(Components c):
    """Return the same components, made by keyword; ValueError if that is impossible."""
    return Components(dialect=c.dialect, **{name: getattr(c, name) for name in FIELDS})


def logged(url, base, dialect):
    """Run the machine with a log. (entries, removed_from, result): entries are tuples of the step's
    number, the violation's row or -1, whether it is fatal, start and end in octets of what was read (see
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


stay_all(globals())
