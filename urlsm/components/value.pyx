"""Splits a URL into components in a given dialect, joins components into a URL, and resolves references. Nothing is
normalised or decoded.

References are resolved by the URL Standard's parser, RFC 3986 section 5.2, RFC 2396 section 5.2, or section 4 of
draft-abarth-url-00 (the dialect "barth"). In all dialects except the URL Standard's, the machine finds the components
of base and reference, and the result is put together from these components, octet for octet. The file is a little
longer than a thousand lines, because splitting and resolving share the code that puts a text together.
"""
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memcpy, memmove, memset
from urlsm.machine.codes cimport MISSING_SCHEME_NON_RELATIVE_URL, TOO_LONG
from urlsm.machine.dialects cimport Dialect, RFC3986, WHATWG
from urlsm.machine.driver cimport BY_MACHINE, LENIENT, LONG_TEXT, WHOLE, dialect_at, trim
from urlsm.machine.log cimport Log, NO_SCHEME_STATE, SCHEME_START_STATE, free_log
from urlsm.machine.machine cimport (
    ABSENT, AUTHORITY, COMPONENTS, FRAGMENT, HOST, Machine, PASSWORD, PATH, PORT, QUERY, SCHEME, Span, USERINFO,
    USERNAME,
)
from urlsm.machine.reading cimport Reading, is_unclean, read, read_on
from urlsm.machine.special cimport FILE, is_windows_drive_letter
from urlsm.octets.buffer cimport (
    Buffer, MAX_LENGTH, ascii_data, ascii_text, buffer_copy, buffer_free, buffer_put, buffer_reserve, buffer_start,
    is_ascii, utf8_text,
)
from urlsm.octets.chars cimport ALPHA, CLASS, SCHEME_CHAR, lower
from urlsm.octets.dots cimport write_without_dots, write_without_pairs
from urlsm.octets.once cimport stay_all
from urlsm.octets.slice cimport Slice
from urlsm.octets.text cimport Octets, exact, octets_of, place, without
from urlsm.url.normal cimport is_as_serialized
from urlsm.url.parser cimport base_at, error_of, output_encoding, read_octets
from urlsm.url.slots cimport add_member, set_name
from urlsm.url.structs cimport Failure, Href, Offsets
from urlsm.url.value cimport URL, error_of_base, error_on_base, read_url, url_of_base
from urlsm.url.write.path cimport shorten, write_segments
from urlsm.machine.driver import DIALECTS
from urlsm.octets.objects import url_string, url_text
from urlsm.octets.text import positions
from operator import attrgetter

cdef extern from *:
    """
    #include "octets/shortcut.h"
    URLSM_KEYWORD_SHORTCUT(resolve)
    #define URLSM_DIALECT_AT(c) URLSM_OFFSET(c, dialect)
    """
    Py_ssize_t offset_of_dialect "URLSM_DIALECT_AT"(Components c) noexcept
    void shorten_resolve "urlsm_shortcut_resolve"(object function, object (*one)(object, object, object))

cdef object EMPTY_PATH = object()  # stands for "" or b"", whichever type the other components have
cdef tuple NAMES = ("scheme", "authority", "userinfo", "username", "password", "host", "port", "path", "query",
                    "fragment")  # in the order of Machine.spans
cdef tuple FIELDS = URL.__match_args__
cdef object key_of = attrgetter(*FIELDS)
cdef tuple KNOWN = DIALECTS


def dialect_number(name) -> int:
    """Return the number of a dialect. An unknown name raises a ValueError that lists the dialects."""
    return number_of(name)


cdef int number_of(name) except -1:
    cdef int k
    for k in range(len(KNOWN)):
        if KNOWN[k] == name:
            return k
    raise ValueError(f"unknown dialect {name!r}; the dialects are {', '.join(KNOWN)}")


@cython.final
@cython.no_gc  # because the object refers only to texts
@cython.binding(False)
cdef class Components:
    """Components(*, scheme=None, userinfo=None, username=None, password=None, host=None, port=None, path="", \
query=None, fragment=None, dialect="whatwg")
--

    The components of a URL as written, in one dialect. Immutable; created by `split` or with keyword arguments.

    Each component is a str (bytes, if the URL is bytes), or None if it is absent. Splitting `text` again gives equal
    components, except in the dialect "stdlib". If a component given by keyword would be read as another one, `text`
    contains a guard from RFC 3986: "./" or "/." before a path, or brackets around an IPv6 address.

    Args:
        scheme: the scheme without ":".
        userinfo: the user name and password, instead of `username` and `password`.
        username: the part of userinfo before its first ":".
        password: the part of userinfo after its first ":".
        host: the host; an IPv6 address is in brackets.
        port: the digits of the port, as a str.
        path: the path; "" by default.
        query: the query without "?".
        fragment: the fragment without "#".
        dialect: "whatwg", "rfc3986", "rfc3987", "rfc2396", "rfc1738", "barth" or "stdlib".

    Raises:
        ValueError: no URL can have these components in this dialect.
        TypeError: a component is neither str nor bytes, or they are mixed.

    Example:
        >>> urlsm.Components(scheme="http", host="ex.com", path="/a", dialect="rfc3986").text
        'http://ex.com/a'
    """

    def __init__(self, *, dialect="whatwg", **given):
        cdef dict parts = {name: given.pop(name, None) for name in FIELDS if name != "path"}
        userinfo, path = given.pop("userinfo", None), given.pop("path", EMPTY_PATH)
        for name in given:
            raise TypeError(f"Components() got an unexpected keyword argument {name!r}")
        if self.read is not None:
            raise TypeError("Components are immutable")
        dialect_number(dialect)
        kinds = {type(part) for part in (userinfo, *parts.values()) if part is not None}
        if path is not EMPTY_PATH and path is not None:
            kinds.add(type(path))
        if not (kinds <= {str} or kinds <= {bytes}):
            for name, part in (("userinfo", userinfo), ("path", None if path is EMPTY_PATH else path), *parts.items()):
                if part is not None and type(part) is not str and type(part) is not bytes:
                    raise TypeError(f"{name} must be str, bytes or None, not {type(part).__name__}")
            raise TypeError("components must be all str or all bytes (or None)")
        colon = b":" if bytes in kinds else ":"
        parts["path"] = colon[:0] if path is EMPTY_PATH else path
        take_userinfo(parts, userinfo, colon)
        if parts["host"] is None and (parts["username"] is not None or parts["port"] is not None):
            raise ValueError("a username, password or port needs a host")
        self.dialect = dialect
        self.as_text = bytes not in kinds
        self.by_keyword = True
        self.removed_from = -1
        if not join(self, parts):
            from urlsm.components.guards import guarded, impossible
            parts["host"], parts["path"] = guarded(parts["scheme"], parts["host"], parts["path"])
            if not join(self, parts):
                raise ValueError(impossible(dialect, parts["host"], parts["path"]))

    @property
    def scheme(self):
        """The scheme without ":", as written.

        Example:
            >>> urlsm.split("HTTP://ex.com/").scheme
            'HTTP'
        """
        return component(self, SCHEME)

    @property
    def userinfo(self):
        """The user name and password, as written before "@".

        Example:
            >>> urlsm.split("http://me:pw@ex.com/").userinfo
            'me:pw'
        """
        return component(self, USERINFO)

    @property
    def username(self):
        """The user name: `userinfo` up to its first ":".

        Example:
            >>> urlsm.split("http://me:pw@ex.com/").username
            'me'
        """
        return component(self, USERNAME)

    @property
    def password(self):
        """The password: `userinfo` after its first ":".

        Example:
            >>> urlsm.split("http://me:pw@ex.com/").password
            'pw'
        """
        return component(self, PASSWORD)

    @property
    def host(self):
        """The host as written; an IPv6 address is in brackets.

        Example:
            >>> urlsm.split("http://Ex.com/").host
            'Ex.com'
        """
        return component(self, HOST)

    @property
    def port(self):
        """The port as written, as a str; "" if nothing follows ":".

        Example:
            >>> urlsm.split("http://ex.com:080/").port
            '080'
        """
        return component(self, PORT)

    @property
    def path(self):
        """The path as written.

        Example:
            >>> urlsm.split("http://ex.com/a/../b").path
            '/a/../b'
        """
        return component(self, PATH)

    @property
    def query(self):
        """The query without "?", as written.

        Example:
            >>> urlsm.split("http://ex.com/?a=b c").query
            'a=b c'
        """
        return component(self, QUERY)

    @property
    def fragment(self):
        """The fragment without "#", as written.

        Example:
            >>> urlsm.split("http://ex.com/#top").fragment
            'top'
        """
        return component(self, FRAGMENT)

    @property
    def authority(self):
        """The user name, password, host and port with their delimiters; None if there is no authority.

        Example:
            >>> urlsm.split("http://me@ex.com:80/").authority
            'me@ex.com:80'
        """
        return component(self, AUTHORITY)

    @property
    def rest(self):
        """Everything after "scheme:", as written; the whole URL if there is no scheme.

        Characters that the dialect trims or removes are left out.

        Example:
            >>> urlsm.split("mailto:a@ex.com?subject=x").rest
            'a@ex.com?subject=x'
        """
        scheme = self.spans[SCHEME]
        return cut(self, self.whole.start if scheme.start == ABSENT else scheme.end + 1, self.whole.end)

    @property
    def text(self):
        """The URL that was split, unchanged; for components created with keyword arguments, the joined URL.

        Example:
            >>> urlsm.split(" HTTP://Ex.com").text
            ' HTTP://Ex.com'
        """
        return self.given

    @property
    def segments(self):
        """The segments of the path as written, without the leading "/", each as a tuple.

        In the dialect "rfc2396", a tuple contains the segment and its parameters, which ";" separates (section 3.3).

        Example:
            >>> urlsm.split("http://ex.com/a;x=1/b", dialect="rfc2396").segments
            (('a', 'x=1'), ('b',))
        """
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
        """The part between "scheme:" and "#" of a URL that is not hierarchical (RFC 2396 section 3); None in other
        dialects.

        Example:
            >>> urlsm.split("mailto:a@ex.com?x", dialect="rfc2396").opaque_part
            'a@ex.com?x'
        """
        if self.dialect != "rfc2396" or self.scheme is None or self.host is not None:
            return None
        mark = b"?" if isinstance(self.path, bytes) else "?"
        whole = self.path if self.query is None else self.path + mark + self.query
        return whole if whole and not whole.startswith(b"/" if isinstance(whole, bytes) else "/") else None

    @property
    def registry(self):
        """The authority if it does not name a server (RFC 2396 section 3.2.1); None in other dialects.

        Example:
            >>> urlsm.split("x://a_b/", dialect="rfc2396").registry
            'a_b'
        """
        if self.dialect != "rfc2396" or self.host is None:
            return None
        from urlsm.components.server import is_server
        authority = self.authority
        text = authority if isinstance(authority, str) else authority.decode("latin-1")
        return None if is_server(text) else authority

    @property
    def zone(self):
        """The zone of an IPv6 address, as written after "%25" or "%"; None if there is none.

        No valid URL has a zone (RFC 9844).

        Example:
            >>> urlsm.split("http://[fe80::1%25eth0]/").zone
            'eth0'
        """
        host = self.host
        bracket, percent, escaped, end = (b"[", b"%", b"25", b"]") if isinstance(host, bytes) else ("[", "%", "25", "]")
        if not host or not host.startswith(bracket) or not host.endswith(end) or percent not in host:
            return None
        zone = host[host.index(percent) + 1:len(host) - 1]
        return zone[2:] if zone.startswith(escaped) else zone

    def span(self, name):
        """Return the position of a component in `text` as (start, end); None if it is absent.

        Positions count characters, or bytes if the URL is bytes. Tabs and newlines that the dialect removes are
        counted.

        Args:
            name: "scheme", "authority", "userinfo", "username", "password", "host", "port", "path", "query" or
                "fragment".

        Raises:
            ValueError: there is no such component.

        Example:
            >>> urlsm.split("http://ex.com/a").span("host")
            (7, 13)
        """
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
        if type(self.given) is str:  # faster than positions_raw: audit often calls span() with long texts
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
        """Return a copy with some components replaced.

        Removing the username also removes the password; removing the host removes the whole authority.

        Args:
            changes: components by name, as for Components; None removes a component.

        Raises:
            ValueError: no URL can have these components in this dialect.
            TypeError: there is no such component, or a value has the wrong type.

        Example:
            >>> urlsm.split("http://ex.com/a?b", dialect="rfc3986").replace(port="8080", query=None).text
            'http://ex.com:8080/a'
        """
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
        return cls  # so that Components[str] and Components[bytes] can be written

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
            return _split, (self.given, self.dialect)
        return _rebuilt, (self._key(), self.dialect)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


def _split(text, dialect):
    return split(text, dialect=dialect)


def _rebuilt(key, dialect):
    return Components(dialect=dialect, **dict(zip(FIELDS, key)))


def positions_raw(text, removed_from, dialect):
    """Return positions() for a text that was split. Bytes are counted as they are, not decoded as UTF-8."""
    if isinstance(text, bytes):
        text = text.decode("latin-1").translate(_LATIN)
    return positions(text, removed_from, dialect_at(dialect_number(dialect)).trim_end != 0)


_LATIN = {k: "?" for k in range(0x80, 0x100)}


def split(url, *, dialect="whatwg"):
    """Split a URL into its components as written, according to the URL Standard or in another dialect.

    "whatwg" removes tabs and newlines, as browsers do. "rfc3986", "rfc3987" (IRIs) and "rfc2396" follow appendix B, and
    split the authority at its last "@" and its last ":" outside brackets. "rfc1738" follows section 5. "barth" follows
    draft-abarth-url-00. "stdlib" splits like urllib.parse in CPython 3.14, but rejects nothing.

    Args:
        url: as for parse; if it is bytes, the components are bytes, too.
        dialect: "whatwg", "rfc3986", "rfc3987", "rfc2396", "rfc1738", "barth" or "stdlib".

    Raises:
        ParseError: "barth" rejects the URL, or it is longer than 2**30 - 1 bytes.
        ValueError: the dialect is unknown.
        TypeError: an argument has the wrong type.

    Example:
        >>> urlsm.split("HTTP://Ex.com:080/a/../b", dialect="rfc3986")
        Components(scheme='HTTP', host='Ex.com', port='080', path='/a/../b', dialect='rfc3986')
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
    """Return the piece of c.read from `start` to `end`: a str, or bytes if the caller passed bytes."""
    if type(c.read) is str:
        return ascii_text(ascii_data(c.read) + start, end - start)
    octets = (<bytes>c.read)[start:end]
    return (<bytes>octets).decode("utf-8", "surrogatepass") if c.as_text else octets


cdef int take_userinfo(dict parts, userinfo, colon) except -1:
    """Set username and password in `parts`: from userinfo unless that is None. If there is a password but no username,
    set the username to ""."""
    username, password = parts["username"], parts["password"]
    if userinfo is not None:
        first, found, rest = userinfo.partition(colon)
        second = rest if found else None
        if (username is not None and username != first) or (password is not None and password != second):
            raise ValueError("username and password differ from userinfo")
        username, password = first, second
    elif password is not None:
        username = username or colon[:0]
    if username is not None and colon in username:
        raise ValueError("username must not contain ':'")
    parts["username"], parts["password"] = username, password
    return 0


cdef bint join(Components c, dict parts) except -1:
    """Fill in the text and spans of Components that are made from `parts`. Return whether the dialect finds the same
    components in this text (for stdlib, always True)."""
    cdef int k
    cdef Span[COMPONENTS] spans
    cdef bint with_user = parts["username"] is not None
    pieces = (  # each component with the delimiters before and after it, by RFC 3986 section 5.3
        (SCHEME, b"", "scheme", b":"), (USERNAME, b"//", "username", b""), (PASSWORD, b":", "password", b""),
        (HOST, b"@" if with_user else b"//", "host", b""), (PORT, b":", "port", b""), (PATH, b"", "path", b""),
        (QUERY, b"?", "query", b""), (FRAGMENT, b"#", "fragment", b""))
    octets = bytearray()
    for k in range(COMPONENTS):
        spans[k].start = ABSENT
    for which, before, name, after in pieces:
        part = parts[name]
        if part is not None:
            octets += before
            spans[which].start = len(octets)
            octets += part.encode("utf-8", "surrogatepass") if c.as_text else part
            spans[which].end = len(octets)
            octets += after
    if len(octets) > MAX_LENGTH:
        raise ValueError(f"the URL would be longer than {MAX_LENGTH} bytes")
    if with_user:
        spans[USERINFO].start = spans[USERNAME].start
        spans[USERINFO].end = spans[USERNAME if parts["password"] is None else PASSWORD].end
    if parts["host"] is not None:
        spans[AUTHORITY].start = spans[USERNAME if with_user else HOST].start
        spans[AUTHORITY].end = spans[HOST if parts["port"] is None else PORT].end
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
    """Return whether the dialect finds exactly these spans in a text. An empty path counts as equal to an absent path;
    spans[PATH] is then set to the path that the dialect finds."""
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
    """Return the ParseError for a failure in a dialect."""
    error = error_of(url, failure)
    error.facts += (dialect,)  # because the name of a step depends on the dialect
    return error


# --- the text of components (RFC 3986 section 5.3) ----------------------------------------------

cdef inline bint has_authority_or_none(const Span* spans) noexcept nogil:
    """Return whether the components can be joined: there is a host, or neither user information nor a port."""
    return spans[HOST].start != ABSENT or spans[USERNAME].start == ABSENT == spans[PASSWORD].start == spans[PORT].start


cdef inline int write_component(Buffer* b, const uint8_t* p, const Span* spans, int which) except -1:
    if spans[which].start == ABSENT:
        return 0
    return buffer_copy(b, p + spans[which].start, spans[which].end - spans[which].start)


cdef inline int write_after(Buffer* b, const uint8_t* p, const Span* spans, int which, uint8_t delimiter) except -1:
    if spans[which].start != ABSENT:
        buffer_put(b, delimiter)
    return write_component(b, p, spans, which)


cdef inline int write_components(Buffer* b, const uint8_t* p, const Span* spans) except -1:
    """Append the components, whose spans refer to p, with their delimiters."""
    write_component(b, p, spans, SCHEME)
    if spans[SCHEME].start != ABSENT:
        buffer_put(b, c':')
    if spans[HOST].start != ABSENT:
        buffer_copy(b, <const uint8_t*>b"//", 2)
        if spans[USERNAME].start != ABSENT or spans[PASSWORD].start != ABSENT:
            write_component(b, p, spans, USERNAME)
            write_after(b, p, spans, PASSWORD, c':')
            buffer_put(b, c'@')
        write_component(b, p, spans, HOST)
        write_after(b, p, spans, PORT, c':')
    write_component(b, p, spans, PATH)
    write_after(b, p, spans, QUERY, c'?')
    return write_after(b, p, spans, FRAGMENT, c'#')


cdef inline object text_together(const uint8_t* p, const Span* spans, bint ascii, bint as_text):
    """Return the components, whose spans refer to p, joined with their delimiters, as str or bytes; None if they cannot
    be joined or are too long. All delimiters are ASCII, so decoding the whole text gives the same result as decoding
    each component."""
    cdef Buffer b
    if not has_authority_or_none(spans):
        return None
    buffer_start(&b)
    try:
        write_components(&b, p, spans)
        if b.n > MAX_LENGTH:
            return None
        if not as_text:
            return b.p[:b.n]
        return ascii_text(b.p, b.n) if ascii else utf8_text(b.p, b.n)
    finally:
        buffer_free(&b)


def unsplit(Components components not None):
    """Join components into a URL (RFC 3986 section 5.3).

    In the dialect "rfc3986", `unsplit(split(url))` equals `url`. In all other dialects except "stdlib", splitting the
    result again gives equal components.

    Args:
        components: the result of split, or Components created with keyword arguments.

    Raises:
        TypeError: the argument is not Components.

    Example:
        >>> urlsm.unsplit(urlsm.split("http://Ex.com/a b"))
        'http://Ex.com/a b'
    """
    cdef Components c = components
    cdef const uint8_t* p
    found = c.given if c.by_keyword else None
    if found is None and c.read is not None:
        p = ascii_data(c.read) if type(c.read) is str else <const uint8_t*>PyBytes_AS_STRING(c.read)
        found = text_together(p, c.spans, type(c.read) is str, c.as_text)
    return joined(c).given if found is None else found


cdef Components joined(Components c):
    """Return the same components, created with keyword arguments, which adds guards if needed. Raises ValueError if no
    guard helps."""
    return Components(dialect=c.dialect, **{name: getattr(c, name) for name in FIELDS})


def logged(url, base, dialect):
    """Run the machine with a log, and return (entries, removed_from, result). An entry is a tuple: the number of the
    step; the index of the violation in errors.rules.TABLE, or -1; whether the violation is fatal; and the start and end
    in octets of the text that the machine read. octets.text.positions maps these, with removed_from, to positions in
    `url`. result is a URL (whatwg), a ParseError or None.
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
        base = url_of_base(base)
    try:
        if standard:
            result = read_url(text, base, None, &failure, &log)
            if result is None:
                result = error_of(url, &failure) if base is None else error_on_base(url, &failure)
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


# --- resolving references ------------------------------------------------------------------------

cdef enum DotRule:
    KEEP_DOTS        # the path is written unchanged
    REMOVE_DOTS      # RFC 3986 section 5.2.4
    REMOVE_PAIRS     # RFC 2396 section 5.2, step 6 c to f: a ".." without a segment to remove stays


cdef struct Taken:           # where the components of a result are taken from, and how its path is made
    # for each of these two components, the machine that has read the text from which the component is taken
    const Machine* authority
    const Machine* query
    DotRule dots
    bint merge               # whether the path is the base's path up to its last "/", followed by the reference's path


def resolve(ref, *, base, dialect="whatwg", bint strict=True) -> str:
    """Resolve a relative URL against a base URL, as browsers do or in another dialect, and return a str.

    "whatwg" gives `str(parse(ref, base=base))`. "rfc3986" (section 5.2), "rfc3987" (section 6.5), "rfc2396" (section
    5.2) and "barth" (section 4) keep everything as written, except that they remove dot segments. "stdlib" gives the
    result of urllib.parse.urljoin, and is the only dialect that accepts a base without a scheme. "rfc1738" does not
    support relative URLs.

    Args:
        ref: the relative or absolute URL, as for parse.
        base: the base URL.
        dialect: "whatwg", "rfc3986", "rfc3987", "rfc2396", "rfc1738", "barth" or "stdlib".
        strict: False reads "http:g" as relative to an http base (RFC 3986 section 5.2.2). It only affects "rfc3986",
            "rfc3987" and "rfc2396".

    Raises:
        ParseError: `ref` or `base` is not a URL in this dialect, or `base` has no scheme.
        ValueError: the dialect is unknown, or urljoin rejects a URL.
        TypeError: an argument has the wrong type.

    Example:
        >>> urlsm.resolve("../img?x", base="https://ex.com/docs/intro")
        'https://ex.com/img?x'
        >>> urlsm.resolve("12:30.html", base="http://ex.com/a/", dialect="rfc3986")
        'http://ex.com/a/12:30.html'
    """
    cdef Reading b, r
    cdef Slice base_octets, ref_octets
    cdef uint32_t start, end
    cdef Octets base_text = None, ref_text = None
    cdef const Dialect* rules
    cdef Dialect strict_scheme
    cdef bint plain
    if dialect == "whatwg":
        return resolve_whatwg(base, ref)
    plain = are_plain(base, ref)
    if not plain:
        url_text(base, "base")
    if dialect == "stdlib":
        from urlsm.stdlib import urljoin
        return urljoin(url_string(base), url_string(ref))
    rules = dialect_at(RFC3986 if dialect == "rfc3986" else dialect_number(dialect))
    if dialect == "rfc3986" or dialect == "rfc3987" or dialect == "rfc2396":
        # "scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )", which appendix B does not demand
        strict_scheme = rules[0]
        strict_scheme.scheme_first, strict_scheme.scheme_char = ALPHA, SCHEME_CHAR
        rules = &strict_scheme
    if plain:
        base_octets = Slice(ascii_data(base), len(<str>base))
        ref_octets = Slice(ascii_data(ref), len(<str>ref))
    else:
        base_text, ref_text = octets_of(base, isinstance(base, str)), octets_of(ref, isinstance(ref, str))
        if base_text.too_long or ref_text.too_long:
            raise error_of_text(base if base_text.too_long else ref, TOO_LONG, dialect)
        base_octets, ref_octets = Slice(base_text.p, base_text.n), Slice(ref_text.p, ref_text.n)
    read_or_raise(&b, base_octets, rules, base, dialect, True)
    if dialect == "barth":
        trim(ref_octets.p, <uint32_t>ref_octets.n, rules, &start, &end)
        return resolve_barth(&b.m, ref_octets.p, start, end)
    read_or_raise(&r, ref_octets, rules, ref, dialect)
    if dialect == "rfc1738":
        # RFC 1738 leaves relative URLs to RFC 1808
        if absent(&r.m, SCHEME):
            raise ValueError("the dialect 'rfc1738' has no relative URLs")
        return utf8_text(r.m.text.p, r.m.text.end)
    if absent(&b.m, SCHEME):
        raise error_of_base(error_of_text(base, MISSING_SCHEME_NON_RELATIVE_URL, dialect), "base of resolve")
    return resolve_2396(&b.m, &r.m, strict) if dialect == "rfc2396" else resolve_3986(&b.m, &r.m, strict)


def resolve_many(refs, *, base, dialect="whatwg", bint strict=True, encoding="utf-8") -> list:
    """Resolve many relative URLs, such as the links of a page, against one base.

    Args:
        refs: an iterable of URLs, each as for parse.
        base: the base URL.
        dialect: as for resolve.
        strict: as for resolve.
        encoding: the encoding of the page, for decoding bytes and for encoding queries as browsers do ("whatwg" only).
            It is a label from the Encoding Standard, or Python's name for one of its encodings.

    Returns:
        A list of str, with None for each URL that is invalid.

    Raises:
        ParseError: `base` is not a URL.
        ValueError: the dialect is unknown, is "rfc1738", or does not support `encoding`.
        LookupError: the encoding is unknown.
        TypeError: an argument has the wrong type, or `refs` is a single str.

    Example:
        >>> urlsm.resolve_many(["a?x", "//[::1/", "#top"], base="https://ex.com/docs/")
        ['https://ex.com/docs/a?x', None, 'https://ex.com/docs/#top']
    """
    cdef URL whatwg_base
    cdef Offsets o
    cdef Failure failure
    cdef Href href
    cdef list found = []
    if isinstance(refs, (str, bytes)) or not hasattr(refs, "__iter__"):
        raise TypeError(f"refs must be an iterable of URLs, not {type(refs).__name__}")
    queries = output_encoding(encoding)
    if encoding != "utf-8":
        from urlsm.unicode.encoding import encoding_of, texts_in
        if dialect != "whatwg" and encoding_of(encoding) != "UTF-8":
            raise ValueError(f"encoding needs the dialect 'whatwg', not {dialect!r}")
        refs = texts_in(refs, encoding)
    if dialect != "whatwg":
        # raises an error for a bad base, so later errors are of references
        resolve(base, base=base, dialect=dialect, strict=strict)
        for ref in refs:
            try:
                found.append(resolve(ref, base=base, dialect=dialect, strict=strict))
            except ValueError:  # not only ParseError, because urljoin may raise a plain ValueError
                found.append(None)
        return found
    whatwg_base = url_of_base(base, "base of resolve")
    base_at(&href, whatwg_base.href, &whatwg_base.o)
    for ref in refs:
        if type(ref) is str and is_ascii(ref) and len(<str>ref) <= MAX_LENGTH:
            found.append(read_octets(ascii_data(ref), len(<str>ref), <str>ref, &href, queries, &o, &failure, NULL))
        else:
            url = read_url(octets_of(ref, False), whatwg_base, queries, &failure, NULL)
            found.append(None if url is None else (<URL>url).href)
    return found


def same_document(ref, *, base, dialect="rfc3986") -> bool:
    """Return whether a reference refers to the document that contains it, so that nothing has to be fetched.

    In the dialect "rfc2396", this is true if `ref` is empty or only a fragment. In the other dialects, `ref` must
    resolve to `base`, apart from fragments.

    Args:
        ref: the reference: str, bytes or URL.
        base: the URL of the document.
        dialect: "rfc3986", "rfc3987", "rfc2396", "barth" or "whatwg".

    Raises:
        ParseError: `base` or `ref` is not a URL in this dialect.
        ValueError: the dialect is unknown, or is "rfc1738", which has no relative references.
        TypeError: `ref` or `base` is not str, bytes or URL.

    Example:
        >>> same_document("#top", base="https://example.org/a"), same_document("b", base="https://example.org/a")
        (True, False)

    RFC 3986 section 4.4; RFC 2396 section 4.2
    """
    if dialect == "rfc1738":
        raise ValueError("the dialect 'rfc1738' has no relative URLs")
    if dialect == "rfc2396":
        c = split(ref, dialect=dialect)
        return c.scheme is None and c.authority is None and not c.path and c.query is None
    return resolve(ref, base=base, dialect=dialect).partition("#")[0] \
        == resolve("", base=base, dialect=dialect).partition("#")[0]


cdef inline bint are_plain(base, ref) noexcept:
    """Return whether both are short ASCII str."""
    return type(base) is str and type(ref) is str and is_ascii(base) and is_ascii(ref) \
        and len(<str>base) <= MAX_LENGTH and len(<str>ref) <= MAX_LENGTH


cdef object resolve_one(object ref, object name, object base):
    """Return resolve(ref, base=base); None if name is not "base"."""
    return resolve_whatwg(base, ref) if name == "base" else None


shorten_resolve(resolve, resolve_one)


cdef str resolve_whatwg(base, ref):
    """Return str(parse(ref, base=base)). If both are plain, and the base is in normal form, no URL object is made."""
    cdef Reading r
    cdef Offsets base_offsets, o
    cdef Failure failure
    cdef Href href
    cdef str joined
    if are_plain(base, ref):
        if read_link(&r, ascii_data(base), len(<str>base)) and is_as_serialized(&r, len(<str>base), &base_offsets):
            joined = read_octets(ascii_data(ref), len(<str>ref), <str>ref, base_at(&href, <str>base, &base_offsets),
                                 None, &o, &failure, NULL)
            if joined is None:
                raise error_on_base(ref, &failure)
            return joined
    return url_of_base(base, "base of resolve").join(ref).href


cdef inline bint read_link(Reading* r, const uint8_t* p, uint32_t n) noexcept:
    """Read a text according to the URL Standard. While a long text is read, other threads can run."""
    cdef bint done
    if n <= LONG_TEXT:
        return read(r, p, n, dialect_at(WHATWG), WHOLE)
    with nogil:
        done = read(r, p, n, dialect_at(WHATWG), WHOLE)
    return done


cdef inline int read_or_raise(Reading* r, Slice text, const Dialect* rules, given, dialect,
                              bint is_base=False) except -1:
    """Read a text with the machine. Raises ParseError if the dialect rejects the text. is_base: whether the error
    message may say that the text is the base."""
    cdef Failure failure
    if not read(r, text.p, <uint32_t>text.n, rules, BY_MACHINE):
        failure.removed_from = -1
        failure.code, failure.step, failure.at = r.m.error, r.m.error_step, r.m.error_at
        error = error_in(given, &failure, dialect)
        raise error_of_base(error, "base of resolve") if is_base else error
    return 0


cdef inline bint is_absolute(const Machine* b, const Machine* r, bint strict) noexcept nogil:
    """Return whether the reference has a scheme. Unless strict is true, a scheme that equals the base's does not count.

    "if (not strict and (R.scheme == Base.scheme)) then undefine(R.scheme)"
    """
    if absent(r, SCHEME):
        return False
    return strict or length(b, SCHEME) != length(r, SCHEME) \
        or not same_text(octets(b, SCHEME), octets(r, SCHEME), length(b, SCHEME))


cdef str resolve_3986(const Machine* b, const Machine* r, bint strict):
    """Resolve a reference according to RFC 3986 section 5.2.2."""
    cdef Taken t
    t.authority, t.query, t.dots, t.merge = b, r, REMOVE_DOTS, False
    # "if defined(R.scheme) then T.scheme = R.scheme; T.authority = R.authority; [...]"
    if is_absolute(b, r, strict):
        t.authority = r
        return written(r, r, r, &t)
    # "if defined(R.authority) then T.authority = R.authority"
    if not absent(r, AUTHORITY):
        t.authority = r
    # "if (R.path == "") then T.path = Base.path; if defined(R.query) then T.query = R.query; else T.query = Base.query"
    elif length(r, PATH) == 0:
        t.query, t.dots = b if absent(r, QUERY) else r, KEEP_DOTS
        return written(b, b, r, &t)
    # "if (R.path starts-with "/") then T.path = remove_dot_segments(R.path); else T.path = merge(Base.path, R.path)"
    else:
        t.merge = octets(r, PATH)[0] != c'/'
    return written(b, r, r, &t, b)


cdef str resolve_2396(const Machine* b, const Machine* r, bint strict):
    """Resolve a reference according to RFC 2396 section 5.2."""
    cdef Taken t
    t.authority, t.query, t.dots, t.merge = b, r, KEEP_DOTS, False
    # "3) If the scheme component is defined, [...] the reference is interpreted as an absolute URI"
    if is_absolute(b, r, strict):
        t.authority = r
        return written(r, r, r, &t)
    # "4) If the authority component is defined, then the reference is a network-path and we skip to step 7."
    if not absent(r, AUTHORITY):
        t.authority = r
        return written(b, r, r, &t)
    # "2) If the path component is empty and the scheme, authority, and query components are undefined, then it is a
    # reference to the current document"
    if length(r, PATH) == 0 and absent(r, QUERY):
        t.query = b
        return written(b, b, r, &t)
    # "5) If the path component begins with a slash character ("/"), then the reference is an absolute-path"
    if length(r, PATH) and octets(r, PATH)[0] == c'/':
        return written(b, r, r, &t)
    t.dots, t.merge = REMOVE_PAIRS, True
    return written(b, r, r, &t, b)


cdef str written(const Machine* scheme, const Machine* path, const Machine* fragment, const Taken* t,
                 const Machine* base=NULL):
    """Return the resolved URL, joined from its components (RFC 3986 section 5.3, RFC 2396 section 5.2 step 7). scheme,
    path, fragment: the machines that have read the texts from which these components are taken."""
    cdef Buffer out
    cdef Buffer merged
    cdef const uint8_t* p
    cdef size_t n, start
    buffer_start(&out)
    buffer_start(&merged)
    try:
        if not absent(scheme, SCHEME):
            copy(&out, scheme, SCHEME)
            buffer_put(&out, c':')
        if not absent(t.authority, AUTHORITY):
            buffer_copy(&out, <const uint8_t*>b"//", 2)
            copy(&out, t.authority, AUTHORITY)
        p, n = octets(path, PATH), length(path, PATH)
        if t.merge:
            merge(&merged, base, path)
            p, n = merged.p, merged.n
        start = out.n
        if t.dots == KEEP_DOTS:
            buffer_copy(&out, p, n)
        elif t.dots == REMOVE_DOTS:
            write_without_dots(&out, p, n)
        else:
            write_without_pairs(&out, p, n)
        if absent(t.authority, AUTHORITY) and out.n - start >= 2 and out.p[start] == c'/' and out.p[start + 1] == c'/':
            # The beginning of this path would be read as an authority, which neither RFC considers. So "/." is put
            # before the path, as in the URL serializer.
            buffer_reserve(&out, 2)
            memmove(out.p + start + 2, out.p + start, out.n - start)
            out.p[start + 1] = c'.'
            out.n += 2
        if not absent(t.query, QUERY):
            buffer_put(&out, c'?')
            copy(&out, t.query, QUERY)
        if not absent(fragment, FRAGMENT):
            buffer_put(&out, c'#')
            copy(&out, fragment, FRAGMENT)
        return utf8_text(out.p, out.n)
    finally:
        buffer_free(&out)
        buffer_free(&merged)


cdef int merge(Buffer* out, const Machine* base, const Machine* r) except -1:
    """Append the path of the reference, merged with the path of the base according to RFC 3986 section 5.2.3."""
    cdef uint32_t n = length(base, PATH)
    # "If the base URI has a defined authority component and an empty path, then return a string consisting of "/"
    # concatenated with the reference's path" (missing in RFC 2396)
    if not absent(base, AUTHORITY) and n == 0:
        buffer_put(out, c'/')
    # "all but the last segment of the base URI's path"
    while n and octets(base, PATH)[n - 1] != c'/':
        n -= 1
    buffer_copy(out, octets(base, PATH), n)
    return copy(out, r, PATH)


# --- references as browsers of 2011 resolved them (draft-abarth-url-00, section 4) ----------------

cdef inline str resolve_barth(const Machine* b, const uint8_t* p, uint32_t begin, uint32_t end):
    """Resolve a reference according to draft-abarth-url-00, section 4. The draft says "TODO" about paths, so they are
    resolved as in the URL Standard. If the base is not hierarchical, only fragments can be resolved, as in the URL
    Standard."""
    # p[begin:end] is the reference without "leading and trailing control characters"
    cdef uint32_t colon, k
    cdef Buffer out
    cdef bint known = True
    colon = begin
    while colon < end and p[colon] != c':':
        colon += 1
    for k in range(begin, colon):
        known = known and CLASS[p[k]] & SCHEME_CHAR != 0
    # "[relative-url has no scheme, or it] contains a character that is not among the valid scheme characters"; a single
    # letter is a Windows drive
    if colon < end and known and colon - begin != 1 and colon > begin:
        # "base-url's scheme is an ASCII case insensitive match [...] and the shared scheme is hierarchical"
        if b.opaque_path or colon - begin != length(b, SCHEME) \
                or not same_text(p + begin, octets(b, SCHEME), colon - begin):
            return utf8_text(p + begin, end - begin)
        begin = colon + 1
    buffer_start(&out)
    try:
        write_barth(&out, b, p + begin, end - begin)
        return utf8_text(out.p, out.n)
    finally:
        buffer_free(&out)


cdef inline int write_barth(Buffer* out, const Machine* b, const uint8_t* p, uint32_t n) except -1:
    """Append the reference p[0:n], which has no scheme of its own, resolved against the base b (draft-abarth-url-00,
    section 4: "Given a string relative-url and a ParsedURL base-url ...")."""
    cdef uint32_t k = 0, start
    cdef uint8_t first = p[0] if n else 0
    if b.opaque_path:
        if first != c'#':
            error = error_of_text(utf8_text(p, n), MISSING_SCHEME_NON_RELATIVE_URL, "barth")
            error._role = "relative"
            raise error
        copy(out, b, SCHEME)
        buffer_put(out, c':')
        k = 0
        while k < length(b, PATH) and octets(b, PATH)[k] != c'#':
            k += 1
        buffer_copy(out, octets(b, PATH), k)
        return buffer_copy(out, p, n)
    copy(out, b, SCHEME)
    buffer_put(out, c':')
    # a scheme-relative reference: "the first [and] the second character is also a slash character"
    if n > 1 and is_slash(p[0]) and is_slash(p[1]):
        return buffer_copy(out, p, n)
    buffer_copy(out, <const uint8_t*>b"//", 2)
    if not absent(b, AUTHORITY):
        copy(out, b, AUTHORITY)
    # an authority-relative reference
    if n and is_slash(first):
        return buffer_copy(out, p, n)
    # an empty reference ("identical to base-url, with the fragment, if any, removed"), or a query-relative or
    # fragment-relative reference
    if n == 0 or first == c'?' or first == c'#':
        if not absent(b, PATH):
            copy(out, b, PATH)
        if first != c'?' and not absent(b, QUERY):
            buffer_put(out, c'?')
            copy(out, b, QUERY)
        return buffer_copy(out, p, n)
    # a path-relative reference, which is "TODO" in the draft: do the same as the URL Standard's path state
    start = out.n
    while k < n and p[k] != c'?' and p[k] != c'#':
        k += 1
    if not absent(b, PATH) and not (b.kind == FILE and starts_with_drive(p, n)):
        write_segments(out, start, octets(b, PATH), length(b, PATH), True, b.kind == FILE, 0)
        shorten(out, start, b.kind == FILE)
    write_segments(out, start, p, k, True, b.kind == FILE, 0)
    return buffer_copy(out, p + k, n - k)


cdef inline bint is_slash(uint8_t octet) noexcept nogil:
    return octet == c'/' or octet == c'\\'


cdef inline bint starts_with_drive(const uint8_t* p, uint32_t n) noexcept nogil:
    return n >= 2 and is_windows_drive_letter(p, 2) \
        and (n == 2 or is_slash(p[2]) or p[2] == c'?' or p[2] == c'#')


# --- the octets of components --------------------------------------------------------------------

cdef inline bint absent(const Machine* m, int which) noexcept nogil:
    return m.spans[which].start == ABSENT


cdef inline uint32_t length(const Machine* m, int which) noexcept nogil:
    return m.spans[which].end - m.spans[which].start


cdef inline const uint8_t* octets(const Machine* m, int which) noexcept nogil:
    return m.text.p + m.spans[which].start


cdef inline int copy(Buffer* out, const Machine* m, int which) except -1:
    return buffer_copy(out, octets(m, which), length(m, which))


cdef inline bint same_text(const uint8_t* a, const uint8_t* b, uint32_t n) noexcept nogil:
    """Return whether the n octets at a and at b are equal, ignoring ASCII case."""
    cdef uint32_t k
    for k in range(n):
        if a[k] != b[k] and lower(a[k]) != lower(b[k]):
            return False
    return True


cdef inline object error_of_text(given, code, dialect):
    """Return the ParseError for a text that is rejected as a whole."""
    cdef Failure failure
    failure.removed_from, failure.code, failure.at = -1, code, 0
    failure.step = SCHEME_START_STATE if code == TOO_LONG else NO_SCHEME_STATE
    return error_in(given, &failure, dialect)


set_name(Components, "urlsm.Components")
add_member(Components, "dialect", offset_of_dialect(Components.__new__(Components)), """The name of the dialect.

Example:
    >>> urlsm.split("http://ex.com/").dialect
    'whatwg'
""")
stay_all(globals())
