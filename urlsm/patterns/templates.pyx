"""Template: URI templates (RFC 6570), both ways."""
cimport cython
from collections.abc import Iterable, Mapping, Sequence
from cpython.bytes cimport PyBytes_AS_STRING
from cpython.dict cimport PyDict_GetItem
from cpython.object cimport PyObject
from cpython.ref cimport Py_XDECREF
from libc.stdint cimport uint8_t
from urlsm.octets.buffer cimport (
    Buffer, ascii_data, ascii_text, buffer_copy, buffer_free, buffer_put, buffer_start, is_ascii,
)
from urlsm.octets.chars cimport CLASS, HEX
from urlsm.octets.find cimport find
from urlsm.octets.once cimport publish, published, stay_all
from urlsm.octets.text cimport Quoting, UNRESERVED, exact, keep_octets, quoting_at, write_quoted
from urlsm.patterns.template_grammar cimport Expression, Signs, Variable, parts_of, row_of, write_literal
from urlsm.patterns.template_matching cimport matched, octets_to_match, plan_of
from urlsm.url.slots cimport set_name
from urlsm.octets.objects import url_string
from urlsm.octets.text import utf8

cdef Quoting KEPT = quoting_at(UNRESERVED)[0]
keep_octets(&KEPT, b":/?#[]@!$&'()*+,;=", 18)  # of a reserved expansion (3.2.3)


# --- expansion -------------------------------------------------------------------------------------

cdef inline int write_value(Buffer* b, str text, bint reserved) except -1:
    """Append a value (3.2.1): "U" or, if reserved is true, "U+R", which keeps escapes as well."""
    cdef bytes octets
    cdef const uint8_t* p
    cdef const uint8_t* end
    cdef const uint8_t* found
    cdef size_t n
    if is_ascii(text):
        p, n = ascii_data(text), len(text)
    else:
        octets = utf8(text)
        p, n = <const uint8_t*>PyBytes_AS_STRING(octets), len(octets)
    if not n:
        return 0
    if not reserved:
        return write_quoted(b, p, n, quoting_at(UNRESERVED))
    end = p + n
    while p < end:
        found = find(p, end, c'%')
        if found > p:
            write_quoted(b, p, found - p, &KEPT)
        p = found
        while p < end and p[0] == c'%':
            if end - p >= 3 and CLASS[p[1]] & CLASS[p[2]] & HEX:
                buffer_copy(b, p, 3)
                p += 3
            else:
                buffer_copy(b, <const uint8_t*>b"%25", 3)
                p += 1
    return 0


cdef inline int write_name(Buffer* b, Variable variable, bint equals) except -1:
    buffer_copy(b, <const uint8_t*>PyBytes_AS_STRING(variable.key), len(variable.key))
    return buffer_put(b, c'=') if equals else 0


cdef str value_text(value, str name):
    """Return a string or a number as text."""
    if type(value) is str:
        return <str>value
    if isinstance(value, str):
        return exact(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    raise TypeError(f"values[{name!r}] must be str, int, float, a sequence or a mapping of these, or None, "
                    f"not {type(value).__name__}")


cdef object defined(value):
    """Return a value as a str or a number, a list, or a list of pairs in a tuple; None if it is undefined (2.3)."""
    if value is None or isinstance(value, (str, int, float)):
        return value
    if type(value) is list and None not in <list>value:
        return value or None
    if isinstance(value, Mapping):
        pairs = [(key, one) for key, one in value.items() if one is not None]
        return (pairs,) if pairs else None
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray, memoryview)):
        found = [one for one in value if one is not None]
        return found if found else None
    return value


cdef object copy_of(value, str name):
    """Return what a value means to `expand`: None, a str, or a tuple or a dict of str."""
    cdef object found = defined(value)
    if type(found) is list:
        return tuple([value_text(one, name) for one in found])
    if type(found) is tuple:
        return {value_text(key, name): value_text(one, name) for key, one in (<tuple>found)[0]}
    return None if found is None else value_text(found, name)


cdef int write_items(Buffer* b, value, Variable variable, const Signs* row) except -1:
    """Append a list, or a tuple that holds a list of pairs (3.2.1)."""
    cdef bint pairs = type(value) is tuple, explode = variable.explode, first = True, named = row.named and explode
    cdef str text
    if row.named and not explode:
        write_name(b, variable, True)
    for one in (<tuple>value)[0] if pairs else value:
        if not first:
            buffer_put(b, row.separator if explode else c',')
        first = False
        text = value_text(one[1] if pairs else one, variable.name)
        if pairs:
            write_value(b, value_text(one[0], variable.name), row.reserved)
            if not named or text or row.equals_if_empty:
                buffer_put(b, c'=' if explode else c',')
        elif named:
            write_name(b, variable, text or row.equals_if_empty)
        write_value(b, text, row.reserved)
    return 0


cdef int write_expression(Buffer* b, Expression expression, dict values) except -1:
    """Append the expansion of an expression (3.2)."""
    cdef const Signs* row = row_of(expression.sign)
    cdef Variable variable
    cdef PyObject* given
    cdef uint8_t lead = row.first
    cdef str text
    for variable in expression.variables:
        given = PyDict_GetItem(values, variable.name)
        if given == NULL:
            continue
        value = <object>given if type(<object>given) is str else defined(<object>given)
        if value is None:
            continue
        if lead:
            buffer_put(b, lead)
        lead = row.separator
        if type(value) is list or type(value) is tuple:
            if variable.prefix:
                raise ValueError(f"values[{variable.name!r}] must be str, int or float: a prefix of a "
                                 f"{'mapping' if type(value) is tuple else 'sequence'} is not defined")
            write_items(b, value, variable, row)
            continue
        text = value_text(value, variable.name)
        if variable.prefix:
            text = text[:variable.prefix]
        if row.named:
            write_name(b, variable, text or row.equals_if_empty)
        write_value(b, text, row.reserved)
    return 0


cdef dict mapping_of(values):
    if type(values) is dict:
        return <dict>values
    if values is None:
        return {}
    if not isinstance(values, Mapping):
        raise TypeError(f"values must be a mapping, not {type(values).__name__}")
    return dict(values)


# --- the class -------------------------------------------------------------------------------------

@cython.final
@cython.binding(False)
cdef class Template:
    """Template(text)
--

    A URI template (RFC 6570), which writes URLs from values and reads values from URLs. Immutable, hashable, picklable.

    All four levels of the RFC are supported. `expand` works with every template. `match` raises PatternError for the
    few templates that do not tell which values they were made from, and UnsafeValue for a value that could lead to
    another directory.

    Args:
        text: the template.

    Raises:
        urlsm.patterns.PatternError: `text` is not a URI template.
        TypeError: `text` is not str.

    Example:
        >>> users = urlsm.Template("https://api.example/users/{id}{?fields*}")
        >>> users.expand({"id": "a b", "fields": ["name", "age"]})
        'https://api.example/users/a%20b?fields=name&fields=age'
        >>> users.match("https://api.example/users/7?fields=name")
        {'id': '7', 'fields': ['name']}
    """
    cdef str source
    cdef list parts
    cdef dict bound          # the values of variables that `partial` has set, but could not write yet
    cdef PyObject* plan      # how it is matched; NULL: match was not called yet

    def __cinit__(self, text):  # not __init__, so that no second call can change the object
        cdef str template = exact(text)
        self.parts = parts_of(template)
        self.source, self.bound = template, {}

    def __dealloc__(self):
        Py_XDECREF(self.plan)

    @property
    def text(self):
        """The template as a string.

        Example:
            >>> urlsm.Template("/users{/id}").text
            '/users{/id}'
        """
        return self.source

    @property
    def names(self):
        """The names of the variables, in order, each once.

        Example:
            >>> urlsm.Template("/{id}/{+path}{?id}").names
            ('id', 'path')
        """
        return tuple(dict.fromkeys([
            (<Variable>variable).name for part in self.parts if type(part) is Expression
            for variable in (<Expression>part).variables if (<Variable>variable).name not in self.bound
        ]))

    def expand(self, values=None):
        """Return the URL that the template makes of values.

        A value is a str or a number, a sequence of these, or a mapping to these. None, an empty sequence and an empty
        mapping are undefined, as a name that is missing is: their variables are left out. Order is kept.

        Args:
            values: a mapping of the names to values.

        Raises:
            ValueError: a prefix ("{x:3}") is asked of a sequence or a mapping.
            TypeError: a value has another type (a bool, for example), or `values` is not a mapping.

        Example:
            >>> urlsm.Template("/search{?q,page}{&more*}").expand({"q": "a&b", "more": {"lang": "en"}})
            '/search?q=a%26b&lang=en'

        RFC 6570 section 3
        """
        cdef Buffer b
        cdef dict given = mapping_of(values)
        cdef bytes literal
        if self.bound:
            given = {**given, **self.bound}
        buffer_start(&b)
        try:
            for part in self.parts:
                if type(part) is bytes:
                    literal = part
                    write_literal(&b, <const uint8_t*>PyBytes_AS_STRING(literal), len(literal))
                else:
                    write_expression(&b, part, given)
            return ascii_text(b.p, b.n)
        finally:
            buffer_free(&b)

    def partial(self, values):
        """Return a template in which some variables have their values.

        The text of the new template shows the values of each expression whose variables all have one. Copies of the
        other values are kept until `expand` writes them; until then, such a template cannot be matched.

        Args:
            values: a mapping of names to values, as for `expand`. None stands for an undefined value.

        Raises:
            ValueError: a prefix ("{x:3}") is asked of a sequence or a mapping.
            TypeError: a value has another type, or `values` is not a mapping.

        Example:
            >>> urlsm.Template("https://{host}/users/{id}").partial({"host": "api.example"})
            Template('https://api.example/users/{id}')
        """
        cdef Buffer b
        cdef dict given = {**mapping_of(values), **self.bound}, kept = {}
        cdef list texts = []
        cdef Template made
        for part in self.parts:
            if type(part) is bytes:
                texts.append((<bytes>part).decode("utf-8", "surrogatepass"))
                continue
            buffer_start(&b)
            try:
                write_expression(&b, part, given)  # also where it is not used: it raises what `expand` would
                written = ascii_text(b.p, b.n)
            finally:
                buffer_free(&b)
            names = [(<Variable>variable).name for variable in (<Expression>part).variables]
            if all([name in given for name in names]):
                texts.append(written)
            else:
                texts.append((<Expression>part).text)
                kept.update({name: copy_of(given[name], name) for name in names if name in given})
        made = Template("".join(texts))
        made.bound = kept
        return made

    def match(self, text, *, bint extra=False, bint empty=False, raw=(), types=None):
        """Return the values from which the template makes a URL, decoded; None if it makes no such URL.

        The text is cut at its first "?" and "#", and each piece is matched by that piece of the template. Values are
        str, and lists for exploded variables ("{x*}"). A variable that is absent is not in the result: any field of
        "{?a,b}", which may come in any order, and the last ones of other expressions. Where a literal could be in two
        places, the value before it is the longest; before a variable that may hold "/", it is the shortest. The time is
        linear.

        Args:
            text: the URL, as for parse, read as written.
            extra: whether the query may have fields that the template does not name.
            empty: whether variables may be present without a single character.
            raw: names of variables that may hold anything, such as "/" or "..".
            types: {name: dict} for exploded variables that are mappings.

        Raises:
            urlsm.UnsafeValue: a value could lead to another directory: one without "/" in the template that decodes to
                a slash, backslash, NUL, "." or "..", or one with "/" that leaves the directory before it.
            urlsm.patterns.PatternError: this template cannot be matched: it has a prefix ("{x:3}"), a variable twice,
                two variables with nothing between them, or two that may hold "/" or several values.
            ValueError: the template has values that `partial` has set.
            ValueError: `types` has another type than dict, or a name that is not one of an exploded variable.
            TypeError: an argument has the wrong type.

        Example:
            >>> files = urlsm.Template("file:///docs/{+path}{?rev}")
            >>> files.match("file:///docs/a/b.txt?rev=7")
            {'path': 'a/b.txt', 'rev': '7'}
            >>> files.match("file:///docs/a/../../etc/passwd")
            Traceback (most recent call last):
            urlsm.UnsafeValue: the value of 'path' is unsafe (climbs)
        """
        cdef object plan = self.planned()
        cdef str given = text if type(text) is str else url_string(text)
        cdef Buffer b
        cdef const uint8_t* p
        cdef size_t n
        if isinstance(raw, (str, bytes)) or not isinstance(raw, Iterable):
            raise TypeError(f"raw must be an iterable of names, not {type(raw).__name__}")
        raw = frozenset(raw)
        types = {} if types is None else self.checked_types(types)
        buffer_start(&b)
        try:
            p = octets_to_match(given, &b, &n)
            return matched(plan, p, n, extra, empty, raw, types)
        finally:
            buffer_free(&b)

    cdef dict checked_types(self, types):
        """Return the argument `types` of `match` as a dict."""
        if not isinstance(types, Mapping):
            raise TypeError(f"types must be a mapping, not {type(types).__name__}")
        cdef set exploded = self.exploded()
        for name, kind in types.items():
            if kind is not dict:
                raise ValueError(f"types[{name!r}] must be dict, not {kind!r}")
            if name not in exploded:
                raise ValueError(f"types[{name!r}] needs the exploded variable {{{name}*}}, which the template has not")
        return dict(types)

    cdef set exploded(self):
        """Return the names of the variables that are exploded."""
        return {
            (<Variable>variable).name for part in self.parts if type(part) is Expression
            for variable in (<Expression>part).variables if (<Variable>variable).explode
        }

    cdef object planned(self):
        """Return how the template is matched. PatternError: it cannot be."""
        if published(&self.plan) == NULL:
            if self.bound:
                raise ValueError(f"the template has a value for {next(iter(self.bound))!r}, so it cannot be matched")
            publish(&self.plan, plan_of(self.source, self.parts))
        return <object>published(&self.plan)

    def lint(self):
        """Return where the template makes one URL from different values.

        Returns:
            A tuple of urlsm.patterns.LintFinding. The witness is a URL, and the message has two readings of it.

        Raises:
            urlsm.patterns.PatternError: this template cannot be matched.

        Example:
            >>> print(urlsm.Template("/{name}-{version}").lint()[0].message)
            '/a-b-c' may be made from {'name': 'a-b', 'version': 'c'} or {'name': 'a', 'version': 'b-c'}
        """
        from urlsm.patterns.errors import LintFinding
        self.planned()
        cdef list found = []
        cdef str first, second
        for first, second in self.neighbours():
            readings = self.two_readings(first, second)
            if readings is not None:
                witness, one, other = readings
                message = f"{witness!r} may be made from {one} or {other}"
                found.append(LintFinding("ambiguous-template", 1, max(0, self.source.find(first)), self.source, message,
                                         witness))
        return tuple(found)

    cdef list neighbours(self):
        """Return the pairs of variables of which one may have what the other has: those that follow each other, and
        those with only named variables between them, which may all be absent."""
        cdef tuple names = self.names
        cdef dict pairs = dict.fromkeys(zip(names, names[1:]))
        cdef str last = None  # the last variable without a name in the URL, unless a literal follows it
        cdef list variables
        for part in self.parts:
            if type(part) is bytes:
                last = None
            elif not row_of((<Expression>part).sign).named:
                variables = (<Expression>part).variables
                if last is not None:
                    pairs[last, (<Variable>variables[0]).name] = None
                last = (<Variable>variables[len(variables) - 1]).name
        return list(pairs)

    cdef tuple two_readings(self, str first, str second):
        """Return a URL and two mappings of two variables to the values that it may be made from; None if there are
        none."""
        cdef tuple names = self.names
        cdef str between = self.expand({first: "AAA", second: "BBB"}).partition("AAA")[2].partition("BBB")[0]
        cdef str joined = f"a{between}b"
        cdef dict full = dict.fromkeys(names, "x")
        cdef dict before = dict.fromkeys(names[:names.index(first)], "x")  # what follows is absent
        cdef list ways = [
            (full, (joined, "c"), ("a", f"b{between}c")),
            (before, (joined, None), ("a", "b")),
            (before, ("a", "b"), (None, joined)),
            (before, ("a", None), (None, "a")),
        ]
        if "?" in between or "#" in between:  # no value goes on where the URL is cut
            ways = ways[3:]
        if self.are_in_one_expression(first, second):  # only the last ones of one expression may be absent
            ways = ways[:2]
        cdef set exploded = self.exploded()
        for others, *values in ways:
            one, other = [{name: [text] if name in exploded else text
                           for name, text in zip((first, second), pair) if text is not None} for pair in values]
            witness = self.expand({**others, first: None, second: None, **one})
            if witness == self.expand({**others, first: None, second: None, **other}):
                return witness, one, other
        return None

    cdef bint are_in_one_expression(self, str first, str second) except -1:
        """Return whether two variables are in one expression."""
        for part in self.parts:
            if type(part) is Expression:
                names = [(<Variable>variable).name for variable in (<Expression>part).variables]
                if first in names:
                    return second in names
        return False

    def __str__(self):
        return self.source

    def __repr__(self):
        return f"Template({self.source!r})"

    def __eq__(self, other):
        if type(other) is not Template:
            return NotImplemented
        return self.source == (<Template>other).source and self.bound == (<Template>other).bound

    def __hash__(self):
        return hash((Template, self.source))

    def __reduce__(self):
        return _template, (self.source, self.bound)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


def _template(text, bound):
    cdef Template made = Template(text)
    made.bound = bound
    return made


set_name(Template, "urlsm.Template")
stay_all(globals())
