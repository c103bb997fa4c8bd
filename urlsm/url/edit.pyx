"""The setters of urlsm.whatwg.URL, which start the machine at a state override; `replace` and `build`, which check that
the result parses back; and pickles.

Nothing here is critical for speed. The components are changed in a Record (a URL record of the standard), which
parser.pyx writes. url_if_read_back() accepts the new text only if the parser reads exactly the wanted components from
it.
"""
from cpython.object cimport PyObject
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memchr, memcmp, strncmp
from urlsm.machine.codes cimport TOO_LONG
from urlsm.machine.driver cimport default_port
from urlsm.machine.log cimport (
    FRAGMENT_STATE, HOSTNAME_STATE, HOST_STATE, PATH_START_STATE, PORT_STATE, QUERY_STATE, SCHEME_START_STATE, Step,
)
from urlsm.machine.machine cimport ABSENT, HOST, Machine, PATH, QUERY, SCHEME
from urlsm.machine.reading cimport Reading, read_component
from urlsm.machine.special cimport FILE, NOT_SPECIAL, scheme_kind
from urlsm.octets.buffer cimport Buffer, MAX_LENGTH, ascii_data, ascii_text, buffer_free, buffer_start, is_ascii
from urlsm.octets.chars cimport (
    ALPHA, BACKSLASH, CLASS, ENC_PATH, PERCENT, SCHEME_CHAR, SLASH, TAB_NEWLINE, UPPER,
)
from urlsm.octets.once cimport publish, published
from urlsm.octets.text cimport Octets, exact, octets_of, without
from urlsm.url.parser cimport write_record
from urlsm.url.pieces cimport is_opaque, put, set_octets, set_text, too_long
from urlsm.url.splicing cimport of_today, with_component, with_piece
from urlsm.url.spans cimport end_of_path, end_of_query
from urlsm.url.structs cimport Failure, Offsets, Piece, Record, WRITTEN
from urlsm.url.value cimport URL, new_url
from urlsm.url.write.record cimport offsets_reach, record_of_text, set_absent, set_normal, set_piece, take_host
from urlsm import _parsed
from urlsm.machine.driver import special_kind
from urlsm.url.value import try_parse

cdef PyObject* written_query = NULL  # urlsm.url.params.written_query, imported on first use


cdef object record_to_url(Record* r):
    """Return the URL of a record, or None if its host is refused. Raise ValueError if the URL is too long."""
    cdef Offsets o
    cdef Buffer b
    cdef Failure failure
    buffer_start(&b)
    try:
        if write_record(&b, &o, &failure, r, NULL, 0) != WRITTEN:
            if failure.code == TOO_LONG:
                raise ValueError("the URL would be too long")
            return None
        return new_url(ascii_text(b.p, b.n), &o)
    finally:
        buffer_free(&b)


cdef bint take_set_host(Record* r, const Machine* m) noexcept:
    """Copy the host that a setter has read, and the port after it, into the record. Return False if the URL must not
    change."""
    if m.spans[HOST].start == ABSENT:
        return False
    # "Otherwise, if state override is given, buffer is the empty string, and either url includes
    # credentials or url's port is non-null, then return failure."
    if m.spans[HOST].start == m.spans[HOST].end and (r.username.n or r.password.n or r.port >= 0):
        return False
    take_host(r, m)
    if m.port >= 0:
        r.port = m.port
    return True


cdef bint take_set(Record* r, const Machine* m, Step step) noexcept:
    """Copy the component that a setter has read, starting at the state `step`, into the record. Return False if the URL
    must not change."""
    if step == SCHEME_START_STATE:
        # the four conditions under which the scheme state, with a state override, changes nothing
        if (r.kind != NOT_SPECIAL) != (m.kind != NOT_SPECIAL) \
                or (m.kind == FILE and (r.username.n or r.password.n or r.port >= 0)) \
                or (r.kind == FILE and r.host.n == 0):
            return False
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
    return True


def set_component(URL url not None, str name, value):
    """Return url as changed by the setter with this name in the standard's URL class; None if it would not change.

    The machine reads the value, starting at the setter's state override (https://url.spec.whatwg.org/#api).
    """
    value = exact(value)
    cdef Record r
    cdef Reading found
    cdef Machine* m = &found.m
    cdef bint done
    cdef Octets text
    cdef bytes kept
    cdef Step step
    record_of_text(&r, ascii_data(url.href), len(url.href), &url.o)
    text = octets_of(value, False)
    if text.too_long:
        raise too_long(value)
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
    done = read_component(&found, <const uint8_t*>kept, len(kept), step, r.kind)
    # if the port is refused, the host before it changes nevertheless
    if step == HOST_STATE or step == HOSTNAME_STATE:
        done = take_set_host(&r, m)
    elif done:
        done = take_set(&r, m, step)
    return record_to_url(&r) if done else None


def set_query(URL url not None, query):
    """Return url with a new query, which is None or percent-encoded bytes. The result is not parsed again, because the
    update steps of URLSearchParams cannot fail, even for a URL whose text does not parse back to the same URL."""
    cdef Record r
    cdef bytes value = query
    record_of_text(&r, ascii_data(url.href), len(url.href), &url.o)
    r.query.p = NULL
    if value is not None:
        if len(value) > MAX_LENGTH:
            raise too_long(value)
        set_normal(&r.query, <const uint8_t*>value, 0, len(value))
    return record_to_url(&r)


cdef URL url_if_read_back(Record* r):
    """Return the URL of a record if the parser reads exactly the record's components from the URL's text; else None."""
    cdef URL made
    r.opaque_path = is_opaque(r.kind != NOT_SPECIAL, r.host.p != NULL, r.path.n and r.path.p[0] == c'/')
    if r.host.p == NULL and (r.username.n or r.password.n):
        return None  # the serializer would leave the credentials out
    made = record_to_url(r)
    if made is None:
        return None
    if len(made.href) > MAX_LENGTH:
        raise too_long(made.href)
    again = try_parse(made.href)
    if again is None or (<URL>again).href != made.href or not same_offsets(&(<URL>again).o, &made.o):
        return None
    return made


cdef object refusal_of(Record* r, dict asked, str task):
    """Return the ValueError for components that no URL can have. asked: all components. task: the words after
    "cannot"."""
    from urlsm.url.refusals import refusal
    asked["path"] = "" if r.path.p == NULL else r.path.p[:r.path.n].decode("ascii", "replace")
    return ValueError(refusal(asked, task))


cdef dict components_of(URL url):
    return {name: getattr(url, name) for name in URL.__match_args__}


cdef URL with_path(URL url, bytes path):
    """Return url with a new path, which is already encoded, and without its query and fragment. Raise ValueError if the
    text of the result would not parse back to the result."""
    cdef Record r
    record_of_text(&r, ascii_data(url.href), len(url.href), &url.o)
    set_octets(&r.path, path)
    set_absent(&r.query)
    set_absent(&r.fragment)
    made = url_if_read_back(&r)
    if made is None:
        raise refusal_of(&r, components_of(url), "replace path")
    return made


cdef bint same_offsets(const Offsets* a, const Offsets* b) noexcept nogil:
    return (
        a.scheme_end == b.scheme_end and a.username_end == b.username_end and a.host_start == b.host_start
        and a.host_end == b.host_end and a.path_start == b.path_start and a.query_start == b.query_start
        and a.fragment_start == b.fragment_start and a.port == b.port and a.kind == b.kind
        and a.has_host == b.has_host and a.opaque_path == b.opaque_path
    )


# --- the URL value's methods -------------------------------------------------------------------

def replace(URL url not None, dict given):
    """See URL.replace."""
    url = of_today(url)
    cdef Record r
    cdef list kept = []
    if "auth" in given:
        from urlsm.url.handover import with_credentials
        given = with_credentials(given)
    if not isinstance(given.get("query"), (str, type(None))) or "space" in given:
        given = dict(given)
        space = given.pop("space", None)
        if not isinstance(given.get("query"), (str, type(None))):
            given["query"] = text_of_query(given.get("scheme", url), given["query"], space)
    record_of_text(&r, ascii_data(url.href), len(url.href), &url.o)
    for name in ("scheme", "host"):
        if name in given:
            kept.append(put(&r, name, given[name]))
    for name, value in given.items():
        if name != "scheme" and name != "host":
            kept.append(put(&r, name, value))
    if not given:
        return url
    made = url_if_read_back(&r)
    if made is None:
        raise refusal_of(&r, components_of(url) | given, f"replace {', '.join(given)}")
    return made


def build(*, scheme, username=None, password=None, auth=None, host=None, port=None, path="", query=None,
          fragment=None, space=None, **others):
    """Build a URL from components.

    Components are percent-encoded strings: "%" is kept, and characters that are not allowed in a component are encoded.

    Args:
        scheme: the scheme, for example "https".
        username: the user name, or None.
        password: the password, or None.
        auth: a decoded pair (user, password), instead of `username` and `password`.
        host: a domain name (ASCII or Unicode), an IPv4 address, or an IPv6 address in brackets. With None, the URL has
            no "//", as in "mailto:a@ex.com".
        port: an int, or None. The default port of the scheme is left out of the URL.
        path: the path. If there is a host, it must be empty or start with "/".
        query: a string without "?", or a mapping or pairs of names and values as for update_query.
        fragment: a string without "#", or None.
        space: "%20" writes every space in a mapping as "%20". None writes spaces the way the scheme does.
        others: no other names are allowed; any other name raises TypeError.

    Raises:
        ValueError: no URL can have these components.
        TypeError: there is no such component, or a value has the wrong type.

    Example:
        >>> urlsm.URL.build(scheme="https", host="bücher.example", path="/a b", query={"q": "x&y"})
        URL('https://xn--bcher-kva.example/a%20b?q=x%26y')
        >>> urlsm.URL.build(scheme="mailto", path="a@ex.com").href
        'mailto:a@ex.com'

    https://url.spec.whatwg.org/#concept-url-serializer
    """
    cdef Offsets nothing = Offsets(0, 0, 0, 0, 0, <uint32_t>ABSENT, <uint32_t>ABSENT, -1, NOT_SPECIAL, False, True)
    cdef Record r
    cdef list kept = []
    for name in others:
        from urlsm.url.refusals import unknown_component
        raise TypeError(unknown_component(name))
    if not isinstance(scheme, str):
        raise TypeError(f"scheme must be str, not {type(scheme).__name__}")
    if query is not None and not isinstance(query, str):
        query = text_of_query(scheme, query, space)
    if auth is not None:
        if username is not None or password is not None:
            raise TypeError("pass either auth or username and password")
        from urlsm.url.handover import with_credentials
        given = with_credentials({"auth": auth})
        username, password = given["username"], given["password"]
    plain = plainly_built(scheme, host, port, path, query, fragment, username, password)
    if plain is not None:
        return plain
    record_of_text(&r, NULL, 0, &nothing)
    kept.append(put(&r, "scheme", scheme))
    if host is None and r.kind == FILE:
        host = ""  # "Set url's host to the empty string." (file state)
    for name, value in (("host", host), ("username", username), ("password", password), ("port", port), ("path", path),
                        ("query", query), ("fragment", fragment)):
        if value is not None or name == "path":
            kept.append(put(&r, name, value))
    made = url_if_read_back(&r)
    if made is None:
        asked = {"scheme": scheme, "path": path, "username": username, "password": password, "host": host,
                 "port": port, "query": query, "fragment": fragment}
        raise refusal_of(&r, asked, "build this URL")
    return made


build = staticmethod(build)

cdef URL ROOT = try_parse("http://h/")  # plainly_built starts from it; no handler can change how http is parsed


cdef URL plainly_built(scheme, host, port, path, query, fragment, username, password):
    """Return what URL.build returns if the parser would leave each component unchanged; otherwise return None. The URL
    is changed one component at a time. The scheme comes first, because the default port depends on it."""
    cdef URL made = with_component(ROOT, "scheme", scheme)
    if made is not None:
        made = with_component(made, "host", host)
    if made is not None and not (type(path) is str and len(<str>path) == 0):
        made = with_component(made, "path", path)
    if made is not None and query is not None:
        made = with_component(made, "query", query)
    if made is not None and fragment is not None:
        made = with_component(made, "fragment", fragment)
    if made is not None and port is not None:
        made = with_component(made, "port", port)
    if made is not None and username is not None:
        made = with_component(made, "username", username)
    if made is not None and password is not None:
        made = with_component(made, "password", password)
    return made


def add_segment(URL url not None, segment):
    """See URL.__truediv__."""
    url = of_today(url)
    if segment == "." or segment == "..":
        raise ValueError(f"cannot append {segment!r}: it is a dot segment")
    if url.o.opaque_path:
        raise ValueError("cannot append a segment: the path of this URL is opaque (mailto:, data: ...)")
    path = url.path.encode()
    path += b"" if path.endswith(b"/") else b"/"
    cdef Piece piece
    _kept = set_text(&piece, segment, ENC_PATH | SLASH | BACKSLASH | PERCENT)
    return with_path(url, path + piece.p[:piece.n])


def without_last_segment(URL url not None):
    """See URL.parent."""
    url = of_today(url)
    path = url.path
    if not url.o.opaque_path and path not in ("", "/"):
        path = path.rpartition("/")[0] or "/"
    elif url.o.query_start == ABSENT and url.o.fragment_start == ABSENT:
        return url
    return with_path(url, path.encode())


cdef str text_of_query(object url, object query, object space):
    if published(&written_query) == NULL:
        from urlsm.url.params import written_query as function
        publish(&written_query, function)
    return (<object>published(&written_query))(url, query, space)


def with_query(URL url not None, query, space, dict fields not None):
    """See URL.with_query."""
    url = of_today(url)
    if fields:
        return with_query(url, query, space, {}).extend_query(fields, space=space)
    if query is None or isinstance(query, str):
        return replace(url, {"query": query})
    cdef str text = text_of_query(url, query, space)
    cdef URL made = None
    if len(text) <= MAX_LENGTH:
        made = with_piece(url, QUERY, ascii_data(text), len(text), 0)
    return made if made is not None else replace(url, {"query": text})


def relative_to(URL url not None, URL base not None):
    """Return what URL.relative_to returns, where shortest_reference gives None: for file, for schemes that are not
    special, and for very long URLs. Candidates are tried from the shortest to the longest; the first one that base.join
    turns into `url` is returned, or url.href if there is none."""
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
        # "../" becomes ".."; "" becomes ".", because an empty reference would mean the base itself
        candidates.append(climb.removesuffix("/") or ".")
    for reference in sorted(candidates, key=len):
        try:
            if base.join(reference) == url:
                return reference
        except ValueError:
            pass
    return url.href


# --- pickles -----------------------------------------------------------------------------------

def pickled(URL url not None):
    """Return the value for URL.__reduce__: the text, which is parsed again. Return the offsets as well if parsing
    returns a different URL, or might do so in a process with other registered schemes."""
    cdef URL again = try_parse(url.href) if NOT_SPECIAL < url.o.kind <= FILE else None
    if again is not None and again.href is url.href and memcmp(&again.o, &url.o, sizeof(Offsets)) == 0:
        return _parsed, (url.href,)
    return unpickled, (url.href, offsets_of(url))


def offsets_of(URL url not None):
    """Return everything that a URL stores besides its text."""
    o = url.o
    # other processes may number registered schemes differently, so the default port is stored in place of the number
    kind = o.kind if o.kind <= FILE else -<int>default_port(o.kind) - 1
    return (o.scheme_end, o.username_end, o.host_start, o.host_end, o.path_start, o.query_start, o.fragment_start,
            o.port, kind, o.has_host, o.opaque_path)


cdef bint is_head(const uint8_t* p, const Offsets* o) noexcept nogil:
    """Return whether these offsets fit the beginning of a URL's text, which is scheme, user information and host."""
    cdef uint32_t k, start = o.scheme_end + 1
    for k in range(o.scheme_end):
        if not CLASS[p[k]] & SCHEME_CHAR or CLASS[p[k]] & UPPER:
            return False
    if not CLASS[p[0]] & ALPHA or p[o.scheme_end] != c':':
        return False
    if not o.has_host:
        if o.kind != NOT_SPECIAL or o.port >= 0 or not start == o.username_end == o.host_start == o.host_end:
            return False
        # "If url's host is null, [...] append U+002F (/) followed by U+002E (.)"
        if o.path_start == start:
            return strncmp(<const char*>p + start, b"//", 2) != 0
        return o.path_start == start + 2 and strncmp(<const char*>p + start, b"/.//", 4) == 0
    if o.opaque_path or strncmp(<const char*>p + o.scheme_end, b"://", 3) != 0:
        return False
    start += 2
    if o.host_start == start:
        return o.username_end == start
    return start <= o.username_end < o.host_start and p[o.host_start - 1] == c'@' and (
        o.username_end == o.host_start - 1 or p[o.username_end] == c':')


cdef bint is_path(const uint8_t* p, const Offsets* o, uint32_t end) noexcept nogil:
    """Return whether the octets from o.path_start to end may be a path."""
    cdef uint32_t n = end - o.path_start
    if memchr(p + o.path_start, c'?', n) != NULL or memchr(p + o.path_start, c'#', n) != NULL:
        return False
    if o.opaque_path:
        return True
    return p[o.path_start] == c'/' if n else o.kind == NOT_SPECIAL


def unpickled(text, offsets):
    """Return the URL from a pickle. The text is not parsed again, but the offsets must match its delimiters; otherwise
    raise ValueError."""
    cdef Offsets o
    cdef const uint8_t* p
    cdef uint32_t n, query, fragment
    cdef int kind = 0
    cdef bint fits = type(text) is str and is_ascii(text) and offsets_reach(len(<str>text))
    try:
        (o.scheme_end, o.username_end, o.host_start, o.host_end, o.path_start, o.query_start, o.fragment_start,
         o.port, kind, o.has_host, o.opaque_path) = offsets
    except (TypeError, ValueError, OverflowError):
        fits = False
    if not fits:
        raise ValueError("not a pickled URL")
    p, n = ascii_data(text), len(<str>text)
    fragment = end_of_query(&o, n)
    query = end_of_path(&o, n)
    if not (0 < o.scheme_end < o.username_end <= o.host_start <= o.host_end <= o.path_start <= query <= fragment <= n
            and (o.fragment_start == ABSENT or (fragment < n and p[fragment] == c'#'))
            and (o.query_start == ABSENT or (query < fragment and p[query] == c'?'
                                             and memchr(p + query, c'#', fragment - query) == NULL))
            and -0x10000 <= kind <= FILE and -1 <= o.port <= 0xFFFF):
        raise ValueError("not a pickled URL")
    o.kind = scheme_kind(p, o.scheme_end)
    if o.kind != max(kind, 0):
        raise ValueError("not a pickled URL")
    if kind < 0:
        o.kind = special_kind(text[:o.scheme_end].encode("ascii"), -kind - 1)
    port = "" if o.port < 0 else f":{o.port}"
    if not (is_head(p, &o) and is_path(p, &o, query) and (not o.has_host or text[o.host_end:o.path_start] == port)):
        raise ValueError("not a pickled URL")
    return new_url(text, &o)
