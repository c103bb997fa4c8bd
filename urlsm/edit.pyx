"""Editing: setters that re-enter the machine at a state override, and checked rebuilding.

Nothing here is hot. A changed record is serialised by record.pyx; rebuild() lets a new text pass only
if the parser gives exactly the components that were asked for.
"""
from libc.stdint cimport uint8_t, uint32_t
from urlsm.buffer cimport Buffer, ascii_data, ascii_text, buffer_free, buffer_start
from urlsm.chars cimport (
    BACKSLASH, ENC_C0, ENC_FRAGMENT, ENC_PATH, ENC_QUERY, ENC_SPECIAL_QUERY, ENC_USERINFO, HASH, QUESTION, SLASH,
    TAB_NEWLINE,
)
from urlsm.percent cimport write_text
from urlsm.log cimport (
    FRAGMENT_STATE, HOSTNAME_STATE, HOST_STATE, PATH_START_STATE, PORT_STATE, QUERY_STATE, SCHEME_START_STATE,
    Step,
)
from urlsm.machine cimport ABSENT, HOST, MAX_LENGTH, Machine, PATH, SCHEME, dialect_at, enter, kind_of, prepare, run
from urlsm.special cimport FILE, NOT_SPECIAL
from urlsm.record cimport Offsets, Piece, Record, record_of_text, serialize, set_normal, set_piece, take_host
from urlsm.text cimport Octets, exact, octets_of, scalar_values, without
from urlsm.reader cimport Failure
from urlsm.url cimport URL, as_url, new_url, read_url


cdef size_t MAX_TEXT = 0xFFFFFFFE  # what 32-bit offsets reach


cdef object too_long():
    return ValueError("longer than 32-bit offsets reach")


cdef object record_to_url(Record* r):
    """The URL of a record, or None where its host is refused."""
    cdef Offsets o
    cdef Buffer b
    buffer_start(&b)
    try:
        if not serialize(&b, &o, r):
            return None
        if b.n > MAX_TEXT:
            raise too_long()
        return new_url(ascii_text(b.p, b.n), &o)
    finally:
        buffer_free(&b)


def set_component(URL url not None, str name, value):
    """What the URL class's setter of that name makes of url: another URL, or None: it stays as it is.

    The value goes through the machine at the setter's state override (https://url.spec.whatwg.org/#api).
    """
    value = exact(value)
    cdef Record r
    cdef Machine m
    cdef bint done
    cdef Octets text
    cdef bytes kept
    cdef Step step
    record_of_text(&r, ascii_data(url.href), len(url.href), &url.o)
    text = octets_of(value, False)
    if text.too_long:
        raise too_long()
    # "cannot have a username/password/port if its host is null or the empty string, or its scheme is "file""
    if name in ("username", "password", "port") and (r.host.n == 0 or r.kind == FILE):
        return None
    if name == "username":
        set_piece(&r.username, text.p, text.n, 0)
        return record_to_url(&r)
    if name == "password":
        set_piece(&r.password, text.p, text.n, 0)
        return record_to_url(&r)
    # "If this's URL has an opaque path, then return."
    if url.o.opaque_path and name in ("host", "hostname", "pathname"):
        return None
    if not value and name in ("port", "search", "hash"):
        if name == "port":
            r.port = -1
        elif name == "search":
            r.query.p = NULL
        else:
            r.fragment.p = NULL
        return record_to_url(&r)
    step = {"protocol": SCHEME_START_STATE, "host": HOST_STATE, "hostname": HOSTNAME_STATE, "port": PORT_STATE,
            "pathname": PATH_START_STATE, "search": QUERY_STATE, "hash": FRAGMENT_STATE}[name]
    if name == "protocol":
        # "basic URL parse the given value, followed by U+003A (:)"
        text = octets_of(value + ":", False)
    elif name == "search" or name == "hash":
        # "Let input be the given value with a single leading U+003F (?) [U+0023 (#)] removed, if any."
        text = octets_of(value[value[0] == ("?" if name == "search" else "#"):], False)
    kept = without(text.p, 0, text.n, TAB_NEWLINE)
    prepare(&m, <const uint8_t*>kept, len(kept), dialect_at(0))
    enter(&m, len(kept), step, r.kind)
    done = run(&m)
    if step == HOST_STATE or step == HOSTNAME_STATE:
        # a port that fails does not undo the host before it
        if m.spans[HOST].start == ABSENT:
            return None
        # "Otherwise, if state override is given, buffer is the empty string, and either url includes
        # credentials or url's port is non-null, then return failure."
        if m.spans[HOST].start == m.spans[HOST].end and (r.username.n or r.password.n or r.port >= 0):
            return None
        take_host(&r, &m)
        if m.port >= 0:
            r.port = m.port
        return record_to_url(&r)
    if not done:
        return None
    if step == SCHEME_START_STATE:
        # the four conditions of the scheme state under a state override
        if (r.kind != NOT_SPECIAL) != (m.kind != NOT_SPECIAL) \
                or (m.kind == FILE and (r.username.n or r.password.n or r.port >= 0)) \
                or (r.kind == FILE and r.host.n == 0):
            return None
        set_piece(&r.scheme, m.text.p + m.spans[SCHEME].start, m.spans[SCHEME].end - m.spans[SCHEME].start, 0)
        r.kind = m.kind
    elif step == PORT_STATE:
        r.port = m.port
    elif step == PATH_START_STATE:
        set_piece(&r.path, m.text.p + m.spans[PATH].start, m.spans[PATH].end - m.spans[PATH].start, m.path_seen)
        if r.kind == NOT_SPECIAL and r.path.n == 0 and r.host.p == NULL:
            # "if state override is given and url's host is null, append the empty string to url's path"
            set_piece(&r.path, <const uint8_t*>b"/", 1, 0)
    elif step == QUERY_STATE:
        set_piece(&r.query, m.text.p, m.text.end, m.query_seen)
    else:
        set_piece(&r.fragment, m.text.p, m.text.end, m.fragment_seen)
    return record_to_url(&r)


def set_query(URL url not None, query):
    """url with another query, percent-encoded already (bytes), or None. Not parsed again: the steps of
    URLSearchParams' update cannot fail, even for a URL whose text does not parse back to it."""
    cdef Record r
    cdef bytes value = query
    record_of_text(&r, ascii_data(url.href), len(url.href), &url.o)
    r.query.p = NULL
    if value is not None:
        if len(value) > MAX_LENGTH:
            raise too_long()
        set_normal(&r.query, <const uint8_t*>value, 0, len(value))
    return record_to_url(&r)


def rebuild(URL url not None, dict changes not None):
    """url with some components changed; ValueError where the result would not parse back to them.

    changes: component name -> its new text, encoded already (bytes), or None: absent. The host is
    given as text for the host parser, the port as int.
    """
    cdef Record r
    cdef Failure failure
    cdef Octets text
    cdef URL made, again
    cdef bytes value
    cdef Piece p
    record_of_text(&r, ascii_data(url.href), len(url.href), &url.o)
    for name, given in changes.items():
        if name == "port":
            r.port = -1 if given is None else given
            continue
        p = Piece(p=NULL, n=0, seen=0, normal=True)
        if given is not None:
            value = given
            if len(value) > MAX_LENGTH:
                raise too_long()
            p = Piece(p=<const uint8_t*>value, n=len(value), seen=0xFFFFFFFF, normal=name != "host" and name != "scheme")
        if name == "scheme":
            r.scheme = p
            r.kind = kind_of(p.p, p.n)
        elif name == "username":
            r.username = p
        elif name == "password":
            r.password = p
        elif name == "host":
            r.host = p
            r.host_step = HOST_STATE
        elif name == "path":
            r.path = p
        elif name == "query":
            r.query = p
        else:
            r.fragment = p
    # credentials need a host; the serializer would leave them out
    made = None if r.host.p == NULL and (r.username.n or r.password.n) else record_to_url(&r)
    if made is not None:
        text = octets_of(made.href, False)
        again = read_url(text, None, None, &failure, NULL)
        if again is not None and again.href == made.href and same_offsets(&again.o, &made.o):
            return made
    raise ValueError(f"no URL has these components: {', '.join(changes)}")


cdef bint same_offsets(const Offsets* a, const Offsets* b) noexcept nogil:
    return (
        a.scheme_end == b.scheme_end and a.username_end == b.username_end and a.host_start == b.host_start
        and a.host_end == b.host_end and a.path_start == b.path_start and a.query_start == b.query_start
        and a.fragment_start == b.fragment_start and a.port == b.port and a.kind == b.kind
        and a.has_host == b.has_host and a.opaque_path == b.opaque_path
    )


# --- the URL value's methods -------------------------------------------------------------------

cdef bytes encoded(object text, uint32_t encode_set):
    """text as a component that cannot hold the octets of the set; valid escapes stay."""
    cdef Buffer b
    buffer_start(&b)
    try:
        write_text(&b, exact(text), encode_set, True)
        return b.p[:b.n]
    finally:
        buffer_free(&b)


cdef bytes encoded_path(URL url, object path):
    if url.o.opaque_path:
        # "opaque path: U+0020 SPACE" stays, but at an end the parser would trim it or write it anew
        path = path.rstrip(" ") + "%20" * (len(path) - len(path.rstrip(" ")))
        return encoded(path, ENC_C0 | QUESTION | HASH)
    if not path and url.o.kind != NOT_SPECIAL:
        return b"/"
    return encoded(path, ENC_PATH | (BACKSLASH if url.o.kind != NOT_SPECIAL else 0))


cdef URL of_today(URL url):
    """A URL that is made from another is made now: where its scheme has become special, or is no more (urlsm.register),
    it is parsed again first."""
    if kind_of(ascii_data(url.href), url.o.scheme_end) == url.o.kind:
        return url
    return as_url(url.href)


def replace(URL url not None, dict given):
    """See URL.replace."""
    url = of_today(url)
    cdef dict changes = {}
    cdef uint32_t query_set = ENC_QUERY if url.o.kind == NOT_SPECIAL else ENC_SPECIAL_QUERY
    for name, value in given.items():
        if name == "port":
            if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
                raise TypeError(f"port is int or None, not {type(value).__name__}")
            if value is not None and not 0 <= value <= 0xFFFF:
                raise ValueError(f"port {value} is not in 0 to 65535")
            changes[name] = value
            continue
        if name not in ("scheme", "username", "password", "host", "path", "query", "fragment"):
            raise TypeError(f"no component {name!r}")
        if value is not None and not isinstance(value, str):
            raise TypeError(f"{name} is str or None, not {type(value).__name__}")
        if name == "scheme":
            if value is None:
                raise ValueError("a URL has a scheme")
            if not value.isascii():
                raise ValueError(f"no scheme: {value!r}")
            changes[name] = value.encode("ascii")
        elif name == "path":
            changes[name] = encoded_path(url, value or "")
        elif value is None:
            changes[name] = None
        elif name == "host":
            changes[name] = scalar_values(exact(value))
        else:
            changes[name] = encoded(value, ENC_FRAGMENT if name == "fragment" else
                                    query_set if name == "query" else ENC_USERINFO)
    return rebuild(url, changes) if changes else url


def add_segment(URL url not None, segment):
    """See URL.__truediv__."""
    url = of_today(url)
    if segment.lower().replace("%2e", ".") in (".", ".."):
        raise ValueError(f"{segment!r} is a dot segment")
    if url.o.opaque_path:
        raise ValueError("an opaque path has no segments")
    path = url.path.encode()
    path += b"" if path.endswith(b"/") else b"/"
    return rebuild(url, {"path": path + encoded(segment, ENC_PATH | SLASH | BACKSLASH), "query": None,
                         "fragment": None})


def with_query(URL url not None, query):
    """See URL.with_query."""
    url = of_today(url)
    if query is None or isinstance(query, str):
        return replace(url, {"query": query})
    from urlsm.query import serialize_form
    pairs = []
    for name, value in query.items() if hasattr(query, "items") else query:
        for one in value if isinstance(value, (list, tuple)) else (value,):
            if isinstance(one, bool) or not isinstance(one, (str, int, float)) or not isinstance(name, str):
                raise TypeError("query names are str, and values str, int or float")
            pairs.append((name, str(one)))
    return rebuild(url, {"query": serialize_form(pairs).encode()})


def relative_to(URL url not None, URL base not None):
    """See URL.relative_to."""
    tail = url.href[len(url.href.partition("?")[0].partition("#")[0]):]
    fragment = "" if url.fragment is None else "#" + url.fragment
    ours, theirs = url.path.split("/"), base.path.split("/")
    same = 0
    while same < min(len(ours), len(theirs)) - 1 and ours[same] == theirs[same]:
        same += 1
    climb = "../" * (len(theirs) - 1 - same) + "/".join(ours[same:]) + tail
    candidates = [fragment, tail, climb, "./" + climb, url.path + tail, "/." + url.path + tail,
                  f"//{url.authority}{url.path}{tail}"]
    if climb.endswith("/") or not climb:
        candidates.append(climb.removesuffix("/") or ".")  # "..", "."
    for reference in sorted(candidates, key=len):
        try:
            if base.join(reference) == url:
                return reference
        except ValueError:
            pass
    return url.href
