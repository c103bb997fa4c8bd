"""Frozen values at a tuple's cost (Parts), and what every handler reads a component with."""
cimport cython
from cpython.object cimport Py_TYPE
from urlsm.buffer cimport ascii_data, is_ascii
from urlsm.components cimport Components, component
from urlsm.machine cimport ABSENT, HOST, PASSWORD, PORT, USERINFO, USERNAME
from urlsm.percent cimport decode_text
from urlsm.percent import utf8


@cython.final
cdef class Field:
    """The descriptor of one field of a Parts class."""
    cdef Py_ssize_t index
    cdef readonly str name

    def __cinit__(self, Py_ssize_t index, str name not None):
        self.index = index
        self.name = name

    def __get__(self, owner, kind):
        return self if not isinstance(owner, Values) else (<Values>owner).values[self.index]

    def __set__(self, owner, value):
        raise AttributeError(f"{type(owner).__name__} is frozen: {self.name} cannot be set")

    def __delete__(self, owner):
        raise AttributeError(f"{type(owner).__name__} is frozen: {self.name} cannot be deleted")


cdef class Values:
    """What an instance is: the tuple of its arguments."""
    cdef tuple values
    _fields = ()

    def __cinit__(self, *args, **kwargs):
        fields = (<object>Py_TYPE(self))._fields
        if kwargs or len(args) != len(<tuple>fields):
            args = arranged(type(self), fields, args, kwargs)
        self.values = args

    def keys(self):
        """The names of the fields: dict(parts), and handler.build(**parts)."""
        return type(self)._fields

    def __getitem__(self, str name not None):
        try:
            return self.values[type(self)._fields.index(name)]
        except ValueError:
            raise KeyError(name) from None

    def __replace__(self, **changes):
        return type(self)(**{**dict(self), **changes})

    def __eq__(self, other):
        return self.values == (<Values>other).values if type(other) is type(self) else NotImplemented

    def __hash__(self):
        return hash((type(self), self.values))

    def __repr__(self):
        shown = [f"{name}={masked(name, value)!r}" for name, value in zip(self.keys(), self.values)]
        return f"{type(self).__qualname__}({', '.join(shown)})"

    def __reduce__(self):
        return type(self), self.values

    def __copy__(self):
        return self


def masked(str name, value):
    """A part as it is fit to be seen: "***" for a password, also of a URL or a pair within."""
    if isinstance(value, str):
        if name.lower() == "password":
            return "***"
        if "//" in value or "password=" in value.lower():
            from urlsm.excerpt import without_passwords
            return without_passwords(value)[0]
    elif isinstance(value, tuple):
        if len(value) == 2 and isinstance(value[0], str) and value[0].lower() == "password" and value[1] is not None:
            return (value[0], "***")
        return tuple([masked("", item) for item in value])
    return value


cdef tuple arranged(kind, tuple fields, tuple args, dict kwargs):
    """The fields' values in order: by position, by name, by default."""
    if len(args) > len(fields):
        raise TypeError(f"{kind.__name__} has {len(fields)} fields, and {len(args)} values were given")
    given = dict(zip(fields, args))
    for name, value in kwargs.items():
        if name not in fields or name in given:
            raise TypeError(f"{kind.__name__}: {'two values for' if name in given else 'no field'} {name!r}")
        given[name] = value
    missing = [name for name in fields if name not in given and name not in kind._defaults]
    if missing:
        raise TypeError(f"{kind.__name__}: no value for {', '.join(missing)}")
    return tuple([given[name] if name in given else kind._defaults[name] for name in fields])


class PartsType(type):
    """Makes a slotted class of an annotated one: its annotations are the fields, after its base's."""

    def __new__(mcls, name, bases, namespace, **kwargs):
        cls = super().__new__(mcls, name, bases, {"__slots__": (), **namespace}, **kwargs)
        own = [field for field in cls.__annotations__ if not field.startswith("_")]
        inherited = getattr(cls, "_fields", ())
        cls._fields = cls.__match_args__ = inherited + tuple([field for field in own if field not in inherited])
        cls._defaults = {**getattr(cls, "_defaults", {}), **{field: namespace[field] for field in own if field in namespace}}
        for index, field in enumerate(cls._fields):
            if field in own:
                setattr(cls, field, Field(index, field))
        return cls


class Parts(Values, metaclass=PartsType):
    """The base of the parts that a handler makes of a URL: frozen, slotted, equal by value, picklable.

    The annotations of a subclass are its fields, in order, after those of its base; a value in the class is
    a default. dict(parts) names them; repr masks a field called password.
    """


def decode(str text not None) -> str:
    """text percent-decoded, as UTF-8; octets that are not UTF-8 become lone surrogates ("surrogateescape"), which stay;
    other lone surrogates become U+FFFD."""
    return decoded(text)


cdef str decoded(str text):
    cdef bytes octets
    if is_ascii(text):
        return decode_text(ascii_data(text), len(text)) if "%" in text else text
    octets = utf8(text)
    return decode_text(octets, len(octets))


def decode_octets(text: str) -> bytes:
    """The octets that text stands for: UTF-8, percent-decoded."""
    return utf8(decoded(text))


def segments(str path not None) -> tuple:
    """The decoded segments of a path, less its leading "/": none of "", one empty of "/"."""
    cdef list found
    if not path:
        return ()
    if path[0] == "/":
        path = path[1:]
    found = path.split("/")
    return tuple([decoded(segment) for segment in found]) if "%" in path or not is_ascii(path) else tuple(found)


def lower(str text not None) -> str:
    """text with ASCII letters in lower case: scheme and host names, which no other letter may turn into."""
    return lowered(text)


cdef str lowered(str text):
    return text.lower() if is_ascii(text) else text.translate(_LOWER)


_LOWER = {k: k + 32 for k in range(ord("A"), ord("Z") + 1)}


def server(Components c not None) -> tuple:
    """(username, password, host, port) of components: decoded; host in lower case, without brackets, an empty one
    as none; port an int, an empty one as none. SchemeError where the port is no number, or has over five digits."""
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
    """A host for people: decoded, in lower case, without brackets."""
    return host_for_people(host)


cdef str host_for_people(str host):
    host = decoded(host)
    if host.startswith("/"):
        return host  # a socket's path: case counts
    host = lowered(host)
    return host[1:len(host) - 1] if host.startswith("[") and host.endswith("]") else host


cdef object read_port(c, str port):
    if is_ascii(port) and port.isdigit() and (len(port) <= 5 or len(port.lstrip("0")) <= 5):
        return int(port.lstrip("0") or "0") if len(port) > 5 else int(port)
    from urlsm.errors import scheme_error
    raise scheme_error(c.text, "port-out-of-range" if is_ascii(port) and port.isdigit() else "port-invalid", "port",
                       c.span("port")[0])
