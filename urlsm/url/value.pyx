"""URL, the immutable value that the URL Standard's parser returns, and the functions that make it.

For most texts, parse() needs only the machine; parser.pyx does the rest. Rarely used functions are in modules that are
loaded on first use.
"""
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.object cimport PyObject, PyObject_RichCompare, Py_EQ, Py_NE, Py_TYPE
from cpython.ref cimport Py_INCREF, Py_XDECREF
from cpython.unicode cimport PyUnicode_GET_LENGTH, PyUnicode_New
from libc.stdint cimport uint32_t, uint8_t
from libc.string cimport memcpy
from urlsm.errors.harmless cimport is_harmless
from urlsm.machine.codes cimport TOO_LONG
from urlsm.machine.driver cimport BY_LANE, BY_MACHINE, IPV4_TOO, LONG_TEXT, ODD_TOO, default_port, lane
from urlsm.machine.log cimport Log, SCHEME_START_STATE
from urlsm.machine.machine cimport ABSENT, Span
from urlsm.machine.reading cimport Reading, read
from urlsm.machine.special cimport FILE, NOT_SPECIAL
from urlsm.octets.buffer cimport Buffer, MAX_LENGTH, ascii_data, ascii_text, buffer_free, buffer_start, is_ascii
from urlsm.octets.once cimport publish, published, replace as replace_in
from urlsm.octets.text cimport Octets, deciding, octets_of, write_utf8
from urlsm.octets.words cimport is_all_ascii
from urlsm.url.inherited cimport head_of
from urlsm.url.normal cimport offsets_of_plain, tail_is_normal
from urlsm.url.parser cimport (
    WHATWG, error_of, is_longer, output_encoding, raised, read_found, read_octets, read_odd, refuse, tell_refusal,
    validity,
)
from urlsm.url.relative cimport shortest_reference
from urlsm.url.shown cimport displayed, quoted, told
from urlsm.url.slots cimport add_member, rename_in_error, set_attribute, set_name, set_new
from urlsm.url.spans cimport (
    authority_span, fragment_span, has_credentials, host_span, password_span, query_span, username_span,
)
from urlsm.url.splicing cimport changed, with_segment, without_last_segment
from urlsm.url.structs cimport Failure, Offsets
from urlsm.url.write.path cimport decoded_segments
from urlsm.machine.driver import SCHEMES as _SCHEMES

cdef object UTF8 = "utf-8"  # the same object as the default argument
cdef tuple SCHEMES = _SCHEMES
cdef PyObject* registered = NULL
cdef PyObject* edit = NULL           # of modules that need URL: when they are first asked for
cdef PyObject* find = NULL
cdef PyObject* components_of = NULL
cdef PyObject* built_in[FILE + 1]  # the handlers of special schemes that nothing was registered for, by kind


def use_handlers(dict handlers not None):
    """Let URLs made from now on look up their handlers in this dict, which must not change any more, and which no other
    thread has yet."""
    replace_in(&registered, <PyObject*>handlers if handlers else NULL)


cdef object editing():
    """Return the module edit.pyx, imported on first use."""
    if published(&edit) == NULL:
        from urlsm.url import edit as module
        publish(&edit, module)
    return <object>published(&edit)


cdef object meaning_of(URL url):
    """Return url.meaning, which only this and settle touch once a URL has been given out."""
    with cython.critical_section(url):
        return url.meaning


cdef object settle(URL url, object meaning):
    """Set url.meaning, unless another thread has said as much; return what is there then."""
    with cython.critical_section(url):
        if type(url.meaning) is not tuple:
            url.meaning = meaning
        return url.meaning


cdef object handler_of(URL url):
    """Return the handler of a URL that was not asked for it before."""
    cdef object meaning = meaning_of(url)
    cdef bint always = meaning is None and NOT_SPECIAL < url.o.kind <= FILE  # no plug-in changes it
    cdef PyObject** kept = &built_in[<int>url.o.kind if always else <int>NOT_SPECIAL]  # which nothing is kept for
    if published(kept) != NULL:
        return <object>published(kept)
    if published(&find) == NULL:
        from urlsm.meaning.registry import find as function
        publish(&find, function)
    found = (<object>published(&find))(url.scheme, meaning or {})
    return <object>publish(kept, found) if always else found


cdef bint is_built_in(URL url) except -1:
    """Return whether the handler certainly is a built-in one of a special scheme. Those declare no secrets."""
    if not NOT_SPECIAL < url.o.kind <= FILE:
        return False
    meaning = meaning_of(url)
    handler = (<tuple>meaning)[0] if type(meaning) is tuple else meaning
    return handler is None or <PyObject*>handler == published(&built_in[<int>url.o.kind])


# --- reading -----------------------------------------------------------------------------------

cdef URL empty_url():
    cdef URL url = URL.__new__(URL)
    cdef PyObject* handlers = published(&registered)
    if handlers != NULL:
        url.meaning = <object>handlers
    return url


cdef URL new_url(str text, const Offsets* o):
    cdef URL url = empty_url()
    url.href = text
    url.o = o[0]
    return url


include "reading.pxi"


# --- the value ---------------------------------------------------------------------------------

cdef tuple ELSEWHERE = (       # names of other libraries' URLs: accessing one raises an error that suggests our name
    "with_scheme", "with_user", "with_password", "with_host", "with_port", "with_path", "with_fragment", "with_name",
    "with_suffix", "copy_with", "joinpath", "raw_path", "path_qs", "parents", "stem", "args", "user", "netloc",
    "hostname", "protocol", "pathname", "search", "hash", "search_params", "human_repr", "geturl", "getall", "getlist",
    "get_list", "multi_items")
cdef dict LATER = {
    "urlsm.url.edit": ("build",),
    "urlsm.url.params": ("query_params",),
    "urlsm.url.query_edit": ("extend_query", "update_query", "without_query_params"),
    "urlsm.url.elsewhere": ELSEWHERE,
    "urlsm.url.handover": ("append_path", "auth", "join_location", "rfc3986", "socket_host"),
    "urlsm.server.requests": ("from_environ", "from_request_target", "from_scope"),
    "urlsm.compat.pydantic": ("__get_pydantic_core_schema__", "__get_pydantic_json_schema__"),
    "urlsm.pictures.drawing": ("__rich__", "_repr_html_"),
}


ctypedef object (*getter)(object descriptor, PyObject* owner, object kind)


@cython.binding(False)
cdef class Later:
    """An attribute from a module that is loaded on first access."""
    cdef object name, module
    cdef PyObject* found

    def __dealloc__(self):
        Py_XDECREF(self.found)

    def __init__(self, str name not None, str module not None):
        self.name, self.module = name, module

    def __get__(self, owner, kind):
        cdef PyObject* kept = published(&self.found)  # stays: two threads need not count it
        if kept == NULL:
            try:
                kept = publish(&self.found, getattr(__import__(self.module, fromlist=(self.name,)), self.name))
            except ModuleNotFoundError:
                pass
            if kept == NULL:
                raise AttributeError(f"{self.name} needs a module that is not installed (see {self.module})")
        # takes half the time of __get__, which turns None into NULL
        cdef getter get = <getter>Py_TYPE(<object>kept).tp_descr_get
        return <object>kept if get == NULL else get(<object>kept, NULL if owner is None else <PyObject*>owner, kind)


@cython.final
@cython.freelist(64)
@cython.no_gc  # never in a cycle, unless a handler keeps URLs; those are never freed
@cython.binding(False)
cdef class URL:
    """URL(url, base=None, *, query_encoding="utf-8", max_length=None)
--

    An absolute URL in the URL Standard's normal form: immutable, hashable, ordered by its text.

    URL(url, base=None) is parse(url, base). Attributes are as in href; absent is None, empty is "".
    https://url.spec.whatwg.org/#url-representation
    """

    __match_args__ = ("scheme", "username", "password", "host", "port", "path", "query", "fragment")

    @property
    def scheme(self):
        """In lower case, without ":"."""
        return SCHEMES[self.o.kind] if NOT_SPECIAL < self.o.kind <= FILE else part(self, 0, self.o.scheme_end)

    @property
    def username(self):
        """Percent-encoded; None where absent or empty."""
        cdef Span lies = username_span(&self.o)
        return part(self, lies.start, lies.end) if lies.end > lies.start else None

    @property
    def password(self):
        """Percent-encoded; None where absent or empty."""
        return part_at(self, password_span(&self.o))

    @property
    def host(self):
        """The serialised host: a domain (ASCII), IPv4, IPv6 in brackets or opaque host; "" if empty."""
        return part_at(self, host_span(&self.o))

    @property
    def port(self):
        """An int; None where absent or the scheme's default."""
        return self.o.port if self.o.port >= 0 else None

    @property
    def authority(self):
        """User, password, host and port as written between "//" and the path; None without host."""
        return part_at(self, authority_span(&self.o))

    @property
    def path(self):
        """As in href, percent-encoded."""
        return part(self, self.o.path_start, path_end(self))

    @property
    def query(self):
        """Without "?", percent-encoded."""
        return part_at(self, query_span(&self.o, len(self.href)))

    @property
    def fragment(self):
        """Without "#", percent-encoded."""
        return part_at(self, fragment_span(&self.o, len(self.href)))

    @property
    def segments(self):
        """The path's segments, percent-decoded, as a tuple: () for "" and for an opaque path, ("",) for
        "/". Octets that are not UTF-8 become lone surrogates ("surrogateescape"), which "/" takes back."""
        return () if self.o.opaque_path else decoded_segments(ascii_data(self.href), self.o.path_start, path_end(self))

    @property
    def origin(self):
        """The serialised origin; "null" where it is opaque (#concept-url-origin)."""
        if self.o.kind != NOT_SPECIAL and self.o.kind != FILE:
            if has_credentials(&self.o):  # otherwise the text begins with the origin
                return f"{self.scheme}://{part(self, self.o.host_start, self.o.path_start)}"
            return part(self, 0, self.o.path_start)
        if self.scheme == "blob":
            inner = try_parse(self.path)
            # "If pathURL's scheme is "http", "https", or "file", then return pathURL's origin."
            if inner is not None and inner.scheme in ("http", "https"):
                return inner.origin
        return "null"

    @property
    def handler(self):
        """The scheme's handler: the one registered for it when this URL was made, else a plug-in's, else the built-in
        one, else the generic one. Raises PluginError."""
        meaning = meaning_of(self)
        if meaning is None or type(meaning) is dict:
            meaning = settle(self, handler_of(self))
        return meaning[0] if type(meaning) is tuple else meaning

    @property
    def parts(self):
        """The scheme-specific parts of href, typed and decoded, as the handler reads them. Made once.

        Raises SchemeError if a part cannot be read at all (violations lists text that only a grammar forbids), and
        PluginError.
        """
        meaning = meaning_of(self)
        if type(meaning) is not tuple:
            if published(&components_of) == NULL:
                from urlsm.meaning.questions import components_of as function
                publish(&components_of, function)
            handler = self.handler
            parts = handler.refine((<object>published(&components_of))(self))
            if self.o.kind == NOT_SPECIAL and handler.literal:
                from urlsm.meaning.literal import undone
                parts = undone(handler, parts)
            meaning = settle(self, (handler, parts))
        return meaning[1]

    @property
    def name(self):
        """The last segment of the path, decoded; "" if the path ends with "/" or has no segments. Same as in yarl."""
        return name_of(self, name_start(self))

    @property
    def suffix(self):
        """The end of the name from its last "." on; "" if there is none, or if nothing else stands before or after it.
        As pathlib's and yarl's."""
        return suffix_of(self)

    @property
    def effective_port(self):
        """The port, or else the default port of the scheme, as its handler says, or None. Raises
        PluginError."""
        if self.o.port >= 0:
            return self.o.port
        if self.o.kind != FILE and is_built_in(self):
            return default_port(self.o.kind)
        return self.handler.default_port_of(self.scheme)

    @property
    def request_target(self):
        """The path and the query as a request line has them, with "/" for an empty path (RFC 9112 section 3.2.1)."""
        target = part(self, self.o.path_start, query_end(self))
        return target if path_end(self) > self.o.path_start else "/" + target

    @property
    def parent(self):
        """This URL without the last segment of its path, and without query and fragment. As in yarl, the parent of
        "/a/" is "/a", and that of "/" is "/"."""
        cdef URL made = without_last_segment(self)
        return made if made is not None else editing().without_last_segment(self)

    def relative_to(self, base):
        """The shortest reference that base.join() turns into this URL; else the whole URL."""
        cdef URL other = as_url(base)
        cdef str found = shortest_reference(self, other)
        return found if found is not None else editing().relative_to(self, other)

    def join(self, ref):
        """ref (str, bytes or URL) resolved against this URL. Raises ParseError."""
        cdef Failure failure
        cdef URL result
        cdef Octets text
        if type(ref) is str and is_ascii(ref) and len(<str>ref) <= MAX_LENGTH:
            result = empty_url()
            result.href = read_octets(ascii_data(ref), len(<str>ref), <str>ref, self.href, &self.o, None, &result.o,
                                      &failure, NULL)
            if result.href is not None:
                return result
        else:
            text = octets_of(ref, False)
            result = read_url(text, self, None, &failure, NULL)
            if result is not None:
                return result
        return error_of(ref, &failure)  # the shortcut raises it

    def __truediv__(self, segment):
        """This URL with one more path segment, without query and fragment. segment is a value, which name gives back:
        what a segment cannot hold is encoded, "/" and "%" too. ValueError for "." and ".."."""
        cdef URL made = None
        if not isinstance(self, URL) or not isinstance(segment, str):
            return NotImplemented
        if type(segment) is str and is_ascii(segment) and len(<str>segment) <= MAX_LENGTH:
            made = with_segment(self, ascii_data(segment), len(<str>segment))
        return made if made is not None else editing().add_segment(self, segment)

    def replace(self, **changes):
        """This URL with other components: scheme, username, password, host, port, path, query, fragment; or auth.

        A component is given as its text: u.replace(path=u.path) == u. What it cannot hold is percent-encoded, "%"
        stays. None removes it. A lone surrogate U+DC80 to U+DCFF stands for an octet, others for U+FFFD. A port that is
        the default of a new scheme is dropped, as by the parser. auth: a pair of values (user, password).

        Raises ValueError if the result would not parse back to exactly these components, TypeError for an unknown
        component or a value of the wrong type.
        """
        return editing().replace(self, changes)

    def __replace__(self, **changes):
        return self.replace(**changes)  # copy.replace, since Python 3.13

    def with_query(self, query, *, space=None):
        """This URL with another query: None, a str (as replace does), or names and values, as update_query takes and
        writes them."""
        cdef URL made
        if query is None or type(query) is str:
            made = changed(self, "query", query)
            if made is not None:
                return made
        return editing().with_query(self, query, space)

    def without_credentials(self):
        """This URL without username and password."""
        return self.replace(username=None, password=None) if has_credentials(&self.o) else self

    def without_fragment(self):
        """This URL without fragment."""
        return self if self.o.fragment_start == ABSENT else self.replace(fragment=None)

    def __format__(self, spec):
        """href, or with the spec "masked" or "display" the result of that method; the rest is a format spec of str:
        f"{u:masked}", f"{u:>60}", f"{u:display:<40}"."""
        if type(spec) is str and len(<str>spec) == 0:
            return self.href
        for name in ("masked", "display"):
            if spec.startswith(name):
                return format(getattr(self, name)(), spec[len(name):].removeprefix(":"))
        return format(self.href, spec)

    def __conform__(self, protocol):
        """href, for sqlite3 (PEP 246)."""
        return self.href if getattr(protocol, "__module__", None) == "sqlite3" else None

    def __len__(self):
        return len(self.href)  # for pydantic's Field(max_length=...)

    def __dir__(self):
        return [name for name in object.__dir__(self) if name not in ELSEWHERE]

    def violations(self):
        """Every rule of the scheme that href breaks, as urlsm.validate(u.href) lists them. Raises PluginError."""
        from urlsm.meaning.questions import violations
        return violations(self.handler, self.href, "rfc3986")

    def __rich_repr__(self):
        yield self.masked()

    def __str__(self):
        return self.href

    def __repr__(self):
        if is_harmless(ascii_data(self.href), len(self.href), not is_built_in(self)):
            return quoted(self)
        return f"URL({self.masked()!r})"

    def masked(self):
        """The text with "***" for secrets: passwords, tokens, and the values of parameters with secret names."""
        if is_harmless(ascii_data(self.href), len(self.href), not is_built_in(self)):
            return self.href
        from urlsm.url.masked import masked
        return masked(self)

    def display(self):
        """The URL for people: the host in Unicode where that is safe, readable escapes, nothing secret. Not meant to be
        parsed. https://url.spec.whatwg.org/#url-rendering"""
        found = displayed(self, not is_built_in(self))
        if found is not None:
            return found
        from urlsm.url.display import display
        return display(self)

    def telemetry(self):
        """The attributes of OpenTelemetry's semantic conventions, by name: url.full, url.scheme, url.domain, url.port,
        url.path, url.query, url.fragment, url.extension; absent ones are left out. "REDACTED" replaces secrets, user
        name and password, and signatures in the query.
        https://opentelemetry.io/docs/specs/semconv/registry/attributes/url/"""
        found = told(self, not is_built_in(self))
        if found is not None:
            return found
        from urlsm.url.telemetry import telemetry
        return telemetry(self)

    def __hash__(self):
        return hash(self.href)

    def __richcmp__(self, other, int op):
        if type(self) is not URL or type(other) is not URL:
            return NotImplemented
        if op == Py_EQ or op == Py_NE:
            return is_same_text(self, other) == (op == Py_EQ)
        return PyObject_RichCompare((<URL>self).href, (<URL>other).href, op)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        return editing().pickled(self)


cdef extern from "Python.h":
    const Py_ssize_t PY_SSIZE_T_MAX
    PyObject* call "PyObject_Call"(object function, PyObject* args, PyObject* kwargs) noexcept


cdef PyObject* construct(PyObject* cls, PyObject* args, PyObject* kwargs) noexcept:
    # noexcept: an error is passed on without a traceback entry
    if kwargs == NULL and len(<tuple>args) == 1:
        return (<PyObject* (*)(object) noexcept>parse_one)((<tuple>args)[0])
    return rename_in_error(call(parse, args, kwargs), "parse()", "URL()")


cdef extern from *:
    """
    URLSM_KEYWORD_SHORTCUT(replace)
    URLSM_RAISING(join)
    #define URLSM_HREF_AT(url) URLSM_OFFSET(url, href)
    """
    Py_ssize_t offset_of_href "URLSM_HREF_AT"(URL url) noexcept
    void shorten_replace "urlsm_shortcut_replace"(object method, object (*one)(object, object, object))
    int shorten_join "urlsm_shortcut_join"(object method) except -1


cdef object replace_one(object url, object name, object value):
    return changed(<URL>url, name, value) if type(url) is URL else None


shorten_replace(URL.replace, replace_one)
shorten_join(URL.join)

add_member(URL, "href", offset_of_href(empty_url()), "The text: ASCII, in the URL Standard's normal form.")
set_name(URL, "urlsm.URL")  # for the interpreter's messages, and as its module
# URL(...) parses: every URL has a text. In this module, URL.__new__(URL) makes the empty object, past the slot
set_new(URL, <void*>construct)

# vars(url): what FastAPI encodes of a value in an answer whose type it does not know, and json.dumps(default=vars)
set_attribute(URL, "__dict__", property(str))

for _module, _names in LATER.items():
    for _name in _names:
        set_attribute(URL, _name, Later(_name, _module))
del _module, _names, _name
