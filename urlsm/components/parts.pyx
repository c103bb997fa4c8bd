"""The class Parts, whose instances are immutable and as cheap as a tuple, and the functions that handlers use to read
components."""
cimport cython
from cpython.dict cimport PyDict_GetItemWithError
from cpython.object cimport PyObject, PyTypeObject, newfunc
from cpython.ref cimport Py_INCREF
from cpython.unicode cimport PyUnicode_DecodeLatin1
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memchr
from urlsm.components.value cimport Components, component
from urlsm.errors.harmless cimport NEIGHBOUR, is_harmless, is_secret, kind_of
from urlsm.machine.machine cimport (
    ABSENT, AUTHORITY, FRAGMENT, HOST, PASSWORD, PATH, PORT, QUERY, SCHEME, Span, USERINFO, USERNAME,
)
from urlsm.machine.special cimport FILE, NOT_SPECIAL
from urlsm.octets.buffer cimport ascii_data, ascii_text, is_ascii
from urlsm.octets.chars cimport BRACKET, PERCENT, SLASH, UPPER, classes_of
from urlsm.octets.find cimport find
from urlsm.octets.once cimport publish, published
from urlsm.octets.text cimport decode_text
from urlsm.url.slots cimport set_new
from urlsm.url.spans cimport (
    authority_span, fragment_span, host_span, password_span, path_span, port_span, query_span, userinfo_span,
    username_span,
)
from urlsm.url.value cimport URL
from urlsm.components.value import split
from urlsm.octets.text import utf8


cdef extern from *:
    """
    /* whether a call of `kind` only calls `function`, because this is the tp_new of `kind` */
    #define URLSM_IS_MADE_BY(kind, function) (PyType_Check(kind) \
        && ((PyTypeObject *)(kind))->tp_new == (newfunc)(function) \
        && ((PyTypeObject *)(kind))->tp_init == PyBaseObject_Type.tp_init)
    """
    bint is_made_by "URLSM_IS_MADE_BY"(object kind, void* function) noexcept


@cython.final
@cython.binding(False)
cdef class Field:
    """The descriptor of one field of a Parts class."""
    cdef Py_ssize_t index
    cdef readonly str name

    def __cinit__(self, Py_ssize_t index, str name not None):
        self.index = index
        self.name = name

    @cython.boundscheck(True)  # because a class may inherit the field from a second base, and have fewer values
    def __get__(self, owner, kind):
        return self if not isinstance(owner, Values) else (<Values>owner).values[self.index]

    def __set__(self, owner, value):
        raise AttributeError(f"{type(owner).__name__} is frozen: {self.name} cannot be set")

    def __delete__(self, owner):
        raise AttributeError(f"{type(owner).__name__} is frozen: {self.name} cannot be deleted")


@cython.binding(False)
cdef class Values:
    """The base of Parts. It holds the values of the fields as a tuple."""
    _fields = ()
    # What the handler declares, for masking.pyx. _secrets: the names in its trait `secrets`, in lower case. _joined:
    # for each template of its trait `joined`, pairs of a text and the name of the field that follows this text.
    # _in_userinfo: the names in its trait `in_userinfo`.
    _secrets = frozenset()
    _joined = ()
    _in_userinfo = ()

    @property
    def exact(self):
        """False if these parts were read from a URL, and escapes were undone that the text may have had itself (the
        parser writes the same escapes). Escapes are undone only in keys of stores."""
        return not self.undone

    def keys(self):
        """Return the names of the fields, for dict(parts) and handler.build(**parts).

        Example:
            >>> urlsm.parts("mailto:a@b.example").keys()
            ('recipients', 'headers')
        """
        return type(self)._fields

    def __getitem__(self, str name not None):
        try:
            return self.values[type(self)._fields.index(name)]
        except ValueError:
            raise KeyError(name) from None

    def __replace__(self, **changes):
        made = type(self)(**{**dict(self), **changes})
        return inexact(made) if self.undone else made

    def __eq__(self, other):
        if type(other) is not type(self):
            return NotImplemented
        return self.values == (<Values>other).values and self.undone == (<Values>other).undone

    def __hash__(self):
        return hash((type(self), self.values))

    def __repr__(self):
        names = type(self)._fields
        values = self.values if is_shown(type(self), self.values) else masked_of(self)
        shown = []
        for name, value in zip(names, values):
            shown.append(f"{name}={value!r}")
        if self.undone:
            shown.append("exact=False")
        return f"{type(self).__qualname__}({', '.join(shown)})"

    def __reduce__(self):
        if self.undone:
            return inexact, (made_of(type(self), self.values),)
        return type(self), self.values

    def __copy__(self):
        return self


cdef bint is_shown(kind, tuple values) except -1:
    """Return whether none of these values can be secret, so that repr may show all of them without further checks."""
    cdef str name
    for name, value in zip(kind._fields, values):
        if value is not None and (name == "username" or may_name(name)):  # a user name may be an access token
            return False
        if not is_plain_value(value):
            return False
    return not (kind._secrets or kind._joined or kind._in_userinfo)


cdef bint is_plain_value(value) except -1:
    if type(value) is str:
        if not is_ascii(value) or not is_harmless(ascii_data(value), len(<str>value), False, False):
            return False
        if "\t" in <str>value or "\n" in <str>value or "\r" in <str>value:  # these may interrupt the name of a secret
            return False
        return "@" not in <str>value or (<str>value)[0] == "/"  # other texts with "@" may hold user:password@
    if type(value) is tuple:
        for item in <tuple>value:
            if not is_plain_value(item) or (type(item) is str and "@" in <str>item):
                return False
        return not value or type((<tuple>value)[0]) is not str or not may_name((<tuple>value)[0])
    return value is None or type(value) is int or isinstance(value, Values)


cdef bint may_name(str name) except -1:
    if not is_ascii(name) or "%" in name:
        return True
    return is_secret(kind_of(ascii_data(name), ascii_data(name) + len(name)) | NEIGHBOUR)


cdef list masked_of(Values parts):
    from urlsm.errors.masking import masked_parts
    return masked_parts(zip(type(parts)._fields, parts.values), type(parts))


cdef PyObject* construct(PyObject* kind, PyObject* args, PyObject* kwargs) except NULL:
    """Make an instance of Values. This function is put into the slot tp_new, because Cython's own function would make a
    dict for keywords even if there are none."""
    cdef tuple values = <tuple>args, fields = (<object>kind)._fields
    if kwargs != NULL or len(values) != len(fields):
        values = arranged(<object>kind, fields, values, {} if kwargs == NULL else <object>kwargs)
    made = made_of(<object>kind, values)
    Py_INCREF(made)
    return <PyObject*>made


cdef Values made_of(object kind, tuple values):
    """Return an instance of a class whose tp_new is construct(). values: a value for each field."""
    cdef Values made = empty(kind, <PyObject*>NOTHING, NULL)
    made.values = values
    return made


cdef tuple NOTHING = ()
cdef newfunc empty = (<PyTypeObject*>Values).tp_new  # Cython's own tp_new
set_new(Values, <void*>construct)


cdef tuple arranged(kind, tuple fields, tuple args, dict kwargs):
    """Return the values of the fields, in order. A value comes from args (by position) or from kwargs (by name), or is
    the default."""
    if len(args) > len(fields):
        raise TypeError(f"{kind.__name__} has {len(fields)} fields, but got {len(args)} values")
    given = dict(zip(fields, args))
    for name, value in kwargs.items():
        if name not in fields or name in given:
            raise TypeError(f"{kind.__name__} {'got two values for' if name in given else 'has no field'} {name!r}")
        given[name] = value
    missing = [name for name in fields if name not in given and name not in kind._defaults]
    if missing:
        raise TypeError(f"{kind.__name__} needs a value for {', '.join(missing)}")
    values = []
    for name in fields:
        values.append(given[name] if name in given else kind._defaults[name])
    return tuple(values)


def inexact(Values parts not None) -> Values:
    """Return a copy of these parts with exact=False."""
    cdef Values made = made_of(type(parts), parts.values)
    made.undone = True
    return made


class PartsType(type):
    """The metaclass of Parts. It makes classes with slots; their fields are the fields of the base, and then the names
    that the class annotates."""

    def __new__(mcls, name, bases, namespace, **kwargs):
        cls = super().__new__(mcls, name, bases, {"__slots__": (), **namespace}, **kwargs)
        own = [field for field in cls.__annotations__ if not field.startswith("_")]
        inherited = getattr(cls, "_fields", ())
        cls._fields = cls.__match_args__ = inherited + tuple([field for field in own if field not in inherited])
        defaults = {field: namespace[field] for field in own if field in namespace}
        cls._defaults = {**getattr(cls, "_defaults", {}), **defaults}
        for index, field in enumerate(cls._fields):
            if field in own:
                setattr(cls, field, Field(index, field))
        if cls.__module__.startswith("urlsm.schemes."):
            cls.__module__ = "urlsm.schemes"  # the package that has all of them, for repr and pickle
        return cls


class Parts(Values, metaclass=PartsType):
    """The base class for the parts of a URL: immutable, compared by value, picklable, and usable in match statements.

    The fields of a subclass are the fields of its base class, then the names that it annotates, in order; a value in
    the class body is a default. dict(parts) maps names to values. repr masks secrets, including those that the handler
    declares.

    Example:
        >>> from urlsm.schemes import Parts
        >>> class LampParts(Parts):
        ...     host: str
        ...     level: int = 5
        >>> LampParts("hall")
        LampParts(host='hall', level=5)
    """

    __module__ = "urlsm.schemes"


def decode(str text not None) -> str:
    """Return a percent-decoded string, read as UTF-8.

    Bytes that are not UTF-8 become lone surrogates ("surrogateescape"). Such surrogates in `text` are kept; other lone
    surrogates become U+FFFD.

    Args:
        text: the percent-encoded string.

    Example:
        >>> from urlsm.schemes import decode
        >>> decode("caf%C3%A9+%")
        'café+%'
    """
    return decoded(text)


cdef str decoded(str text):
    cdef bytes octets
    if is_ascii(text):
        return decode_text(ascii_data(text), len(text)) if "%" in text else text
    octets = utf8(text)
    return decode_text(octets, len(octets))


def decode_bytes(text: str) -> bytes:
    """Return a string as UTF-8 bytes, percent-decoded.

    Args:
        text: the percent-encoded string.

    Example:
        >>> from urlsm.schemes import decode_bytes
        >>> decode_bytes("%00a")[1:]
        b'a'
    """
    return utf8(decoded(text))


def read_fields(str text not None, str separator not None, bint fold, plus) -> tuple:
    """Return a tuple with a decoded pair (name, value) for each field in a string, in order. The value of a field
    without "=" is None. separator: the ASCII character between fields. fold: whether to lowercase the names. plus: the
    names of the fields whose values contain "+" for a space; True: all names; False: no names."""
    return fields_of(text, separator, fold, plus)


def known_fields(str text not None, str separator not None, bint fold, plus, dict ranks not None,
                 tuple defaults not None) -> tuple:
    """Return a list with the first value of each known name, and a tuple of the fields with other names. Fields are
    read as in read_fields. ranks: the index of each known name in the list. defaults: the values in the list for absent
    names."""
    cdef list found = list(defaults), others = []
    cdef tuple fields = fields_of(text, separator, fold, plus), field
    cdef Py_ssize_t k
    cdef PyObject* rank
    for k in range(len(fields) - 1, -1, -1):
        field = <tuple>fields[k]
        rank = PyDict_GetItemWithError(ranks, field[0])
        if rank == NULL:
            others.append(field)
        else:
            found[<Py_ssize_t><object>rank] = field[1]
    others.reverse()
    return found, tuple(others)


cdef tuple fields_of(str text, str separator, bint fold, plus):
    cdef list found = []
    cdef const uint8_t* p
    cdef const uint8_t* end
    cdef const uint8_t* stop
    cdef const uint8_t* equals
    cdef uint8_t mark = ord(separator)
    cdef str name, value
    if not is_ascii(text):
        for field in text.split(separator):
            name, sign, value = field.partition("=")
            name = lowered(decoded(name)) if fold else decoded(name)
            found.append((name, value_of(name, value, plus) if sign else None))
        return tuple(found)
    p = ascii_data(text)
    end = p + len(text)
    while True:
        stop = find(p, end, mark)
        equals = find(p, stop, c'=')
        name = piece_of(p, equals)
        if fold:
            name = lowered(name)
        if equals == stop:
            value = None
        elif plus is False:
            value = piece_of(equals + 1, stop)
        else:
            value = value_of(name, text_of(equals + 1, stop - equals - 1), plus)
        found.append((name, value))
        if stop == end:
            return tuple(found)
        p = stop + 1


cdef inline str piece_of(const uint8_t* p, const uint8_t* end):
    """Return the ASCII octets from p to `end` as a str, percent-decoded."""
    return text_of(p, end - p) if memchr(p, c'%', end - p) == NULL else decode_text(p, end - p)


cdef inline str text_of(const uint8_t* p, Py_ssize_t n):
    return ascii_text(p, n) if n > 1 else PyUnicode_DecodeLatin1(<const char*>p, n, NULL)


cdef str value_of(str name, str value, plus):
    if plus is not False and "+" in value and (plus is True or name in plus):
        value = value.replace("+", " ")
    return decoded(value)


def driver_of(Components components not None):
    """Return the part of the scheme after its first "+", in lower case; None if it has no "+"."""
    cdef str scheme = component(components, SCHEME)
    if scheme is None or "+" not in scheme:
        return None
    return lowered(scheme.partition("+")[2]) or None


def name_of_path(Components components not None):
    """Return the path without its first "/", decoded; None if the path is empty."""
    cdef str path = component(components, PATH)
    if not path:
        return None
    return decoded(path[1:] if path[0] == "/" else path)


def segments(str path not None) -> tuple:
    """Return the decoded segments of a path, without its leading "/": () for "", ("",) for "/".

    Args:
        path: the path as written.

    Example:
        >>> from urlsm.schemes import segments
        >>> segments("/a/b%2Fc/")
        ('a', 'b/c', '')
    """
    return segments_of(path)


cdef tuple segments_of(str path):
    cdef list found
    cdef Py_ssize_t k
    if not path:
        return ()
    if is_ascii(path) and memchr(ascii_data(path), c'%', len(path)) == NULL:
        return plain_segments(path)
    if path[0] == "/":
        path = path[1:]
    found = path.split("/")
    for k in range(len(found)):
        found[k] = decoded(found[k])
    return tuple(found)


cdef tuple plain_segments(str path):
    """Do the same as segments(), for a path that is not empty and has no escapes."""
    cdef const uint8_t* p = ascii_data(path)
    cdef const uint8_t* end = p + len(path)
    cdef const uint8_t* slash
    cdef list found = []
    p += p[0] == c'/'
    while True:
        slash = find(p, end, c'/')
        if slash - p > 1:
            found.append(ascii_text(p, slash - p))
        else:
            # for "" and single characters, this returns the interpreter's shared objects
            found.append(PyUnicode_DecodeLatin1(<const char*>p, slash - p, NULL))
        if slash == end:
            return tuple(found)
        p = slash + 1


def lower(str text not None) -> str:
    """Return the string with its ASCII letters in lower case. Other letters are left alone, because some of them
    (U+212A, the Kelvin sign) would become ASCII letters, which must not happen in schemes and hosts."""
    return lowered(text)


cdef str lowered(str text):
    return text.lower() if is_ascii(text) else text.translate(_LOWER)


_LOWER = {k: k + 32 for k in range(ord("A"), ord("Z") + 1)}


cdef tuple HIERARCHICAL = ("username", "password", "host", "port", "path", "segments", "query")


cdef PyObject* usual = NULL  # the first parts_type with the fields HIERARCHICAL that was used; most handlers share it


def read_parts(handler, Components components not None) -> Parts:
    """Return an instance of the handler's parts_type. Its fields must be some of HIERARCHICAL, the parts that every
    scheme can have, or parameters of the query."""
    cdef Components c = components
    cdef str path = component(c, PATH) or ""
    cdef tuple values
    kind = handler.parts_type
    username, password, host, port = server_of(c)
    if host is None and c.spans[HOST].start != ABSENT and handler.authority == "optional":
        host = ""
    values = (username, password, host, port, path, segments_of(path), component(c, QUERY))
    if <PyObject*>kind != published(&usual):
        if kind._fields == HIERARCHICAL:
            publish(&usual, kind)
        elif kind._fields == HIERARCHICAL[:len(<tuple>kind._fields)]:  # of ServerParts and PathParts
            values = values[:len(<tuple>kind._fields)]
        else:
            values = chosen(handler, c, kind._fields, dict(zip(HIERARCHICAL, values)))
    return made_of(kind, values) if is_made_by(kind, <void*>construct) else kind(*values)  # made_of is faster


cdef tuple chosen(handler, Components c, tuple fields, dict found):
    """Return the values of the fields of a class of parts. found: the components, by name. Other fields are parameters
    of the query."""
    for name in fields:
        if name not in found:
            found = {**handler.parts_of_query(c), **found}
            break
    for name in fields:
        if name not in found:
            said = f"{handler.parts_type.__name__}.{name} is neither a component nor a parameter of the query"
            raise TypeError(f"{said}: override {type(handler).__name__}.read_parts")
    return tuple([found[name] for name in fields])


def server(Components components not None) -> tuple:
    """Return the decoded username, password, host and port. Each is None if it is absent; the host and port also if
    empty.

    The host is lowercased and has no brackets; the path of a Unix socket keeps its case.

    Args:
        components: the URL, split according to RFC 3986 (or RFC 1738).

    Raises:
        SchemeError: the port is not a number, or has more than five digits.

    Example:
        >>> import urlsm
        >>> urlsm.schemes.server(urlsm.split("x://ann@Host:80/", dialect="rfc3986"))
        ('ann', None, 'host', 80)
    """
    return server_of(components)


cdef tuple server_of(Components c):
    cdef object username = None, password = None, host = None, port = None
    if c.spans[USERINFO].start != ABSENT:
        username, password = component(c, USERNAME), component(c, PASSWORD)
        username = decoded(username)
        if password is not None:
            password = decoded(password)
    if c.spans[HOST].start != ABSENT:
        host = component(c, HOST)
        host = host_for_people(host) if host else None
        if c.spans[PORT].start != ABSENT:
            port = component(c, PORT)
            port = read_port(c, port) if port else None
    return username, password, host, port


def read_host(str host not None) -> str:
    """Return a host as people read it: decoded, in lower case, without brackets. The path of a Unix socket keeps its
    case."""
    return host_for_people(host)


cdef str host_for_people(str host):
    if is_ascii(host) and not classes_of(ascii_data(host), len(host)) & (PERCENT | UPPER | SLASH | BRACKET):
        return host
    host = decoded(host)
    if host.startswith("/"):
        return host  # the host is the path of a socket, which may have upper case
    host = lowered(host)
    return host[1:len(host) - 1] if host.startswith("[") and host.endswith("]") else host


cdef object read_port(c, str port):
    if is_ascii(port) and port.isdigit() and (len(port) <= 5 or len(port.lstrip("0")) <= 5):
        return int(port.lstrip("0") or "0") if len(port) > 5 else int(port)
    from urlsm.errors import scheme_error
    raise scheme_error(c.text, "port-out-of-range" if is_ascii(port) and port.isdigit() else "port-invalid", "port",
                       c.span("port")[0])


# --- the components of a URL, without the machine ------------------------------------------------

def components_of(URL url not None) -> Components:
    """Return split(url.href, dialect="rfc3986"). If the scheme is special or the path is opaque, the components are the
    URL's own, and no text is split."""
    cdef Components c
    cdef uint32_t n = len(url.href)
    cdef Span* spans
    if not (NOT_SPECIAL < url.o.kind <= FILE or url.o.opaque_path):
        return split(url.href, dialect="rfc3986")
    c = Components.__new__(Components)
    c.given = c.read = url.href
    c.as_text = True
    c.removed_from = -1
    c.dialect = "rfc3986"
    c.whole.start, c.whole.end = 0, n
    spans = c.spans
    spans[SCHEME] = Span(0, url.o.scheme_end)
    spans[AUTHORITY] = authority_span(&url.o)
    spans[USERINFO] = userinfo_span(&url.o)
    spans[USERNAME] = username_span(&url.o)
    spans[PASSWORD] = password_span(&url.o)
    spans[HOST] = host_span(&url.o)
    spans[PORT] = port_span(&url.o)
    spans[PATH] = path_span(&url.o, n)
    spans[QUERY] = query_span(&url.o, n)
    spans[FRAGMENT] = fragment_span(&url.o, n)
    return c
