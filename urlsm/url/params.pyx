"""Queries: form coding over octets, sets of names of fields, the immutable multi-map, and editing of fields in place.

https://url.spec.whatwg.org/#application/x-www-form-urlencoded

The author of a URL chooses the names in its query, and may choose thousands. So names are looked up by binary search,
or by a hash with a secret key, which no choice of names can make slow.

The file has more than a thousand lines because its parts call each other. If they were separate extension modules, the
first update_query would have to load each of them.
"""
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.object cimport PyObject
from cpython.unicode cimport PyUnicode_AsUTF8, PyUnicode_DecodeUTF8
from libc.math cimport isfinite
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memchr, memcmp, memcpy, memset
from urlsm.machine.machine cimport ABSENT, Span
from urlsm.machine.special cimport NOT_SPECIAL, scheme_kind
from urlsm.octets.buffer cimport (
    Buffer, MAX_LENGTH, ascii_data, ascii_text, buffer_copy, buffer_free, buffer_put, buffer_start, is_ascii,
    utf8_text,
)
from urlsm.octets.chars cimport ALPHA, CLASS, ENC_QUERY, ENC_SPECIAL_QUERY, SCHEME_CHAR
from urlsm.octets.find cimport find
from urlsm.octets.merge cimport merge_sort
from urlsm.octets.once cimport publish, published, stay_all
from urlsm.octets.query cimport QueryField, next_field
from urlsm.octets.sip cimport sip_end, sip_start, sip_word
from urlsm.octets.text cimport (
    FORM, Quoting, exact, quoting_at, scalar_values as scalar_octets, write_encoded, write_quoted,
    write_unquoted,
)
from urlsm.octets.words cimport word_at
from urlsm.url.coding cimport Coding, is_form, is_spaced, set_coding, set_coding_of_scheme, set_space
from urlsm.url.pieces cimport too_long
from urlsm.url.slots cimport add_unlisted, set_attribute, set_name
from urlsm.url.spans cimport query_span
from urlsm.url.splicing cimport of_today
from urlsm.url.structs cimport Offsets
from urlsm.url.value cimport URL, new_url, path_end, query_end
from _collections_abc import Mapping
from os import urandom
from urlsm.octets.text import utf8
from urlsm.url.value import Later

cdef enum:
    HALF = 8                 # up to 2 * HALF names can be sorted without heap memory
    FEW_PAIRS = 8            # up to this many pairs need no heap memory, and are searched one by one
    # up to this many pairs are searched one by one in QueryParams, which is faster than making an index
    FEW_SEARCHED = 8

# --- form coding -------------------------------------------------------------------------------

cdef struct Form:
    const uint8_t* end       # the end of the text
    const uint8_t* percent   # the next "%", or `end`
    const uint8_t* plus      # the next "+", or `end`
    bint ascii               # whether the text is all ASCII
    const char* errors       # the name of the error handler for the UTF-8 decoder
    Buffer b                 # scratch memory


cdef inline str form_decoded(Form* f, const uint8_t* p, const uint8_t* end, bint plus):
    """Return the name or value from p to end, decoded. plus: whether "+" is a space."""
    if f.percent >= end and (f.plus >= end or not plus):
        if f.ascii and end - p > 1:
            return ascii_text(p, end - p)
        # this function returns shared objects for "" and single characters
        return PyUnicode_DecodeUTF8(<const char*>p, end - p, f.errors)
    f.b.n = 0
    cdef bint high = write_unquoted(&f.b, p, end - p, plus)
    if f.percent < end:
        f.percent = find(end, f.end, c'%')
    if f.plus < end:
        f.plus = find(end, f.end, c'+')
    if f.ascii and not high and f.b.n > 1:
        return ascii_text(f.b.p, f.b.n)
    return PyUnicode_DecodeUTF8(<const char*>f.b.p, f.b.n, f.errors)


cdef object read_form(const uint8_t* p, Py_ssize_t n, bint ascii, uint8_t separator, bint keep_blank,
                      const char* errors, dict lists, const Coding* coding):
    """Return the pairs of p[0:n] (#concept-urlencoded-parser). keep_blank: whether to keep pairs with an empty value.
    lists: None, or a dict that receives the values (in a list for each name), so that no pairs are returned. coding:
    NULL for the coding of forms."""
    cdef Form f
    cdef QueryField field
    cdef list pairs = []
    field.next = p
    f.end = p + n
    f.percent = find(p, f.end, c'%')
    f.plus = find(p, f.end, c'+')
    f.ascii = ascii
    f.errors = errors
    buffer_start(&f.b)
    try:
        while next_field(&field, f.end, separator):
            # "If bytes is the empty byte sequence, then continue."
            if field.end > field.name and (keep_blank or field.end - field.equals > 1):
                # "If bytes contains a 0x3D (=), then let name be the bytes from the start of bytes up to but
                # excluding its first 0x3D (=), and let value be the bytes, if any, after [it]"
                name = form_decoded(&f, field.name, field.equals, coding == NULL or coding.plus_in_names)
                value = "" if field.equals == field.end else form_decoded(
                    &f, field.equals + 1, field.end,
                    coding == NULL or coding.plus_in_values or is_spaced(coding, name))
                if lists is None:
                    pairs.append((name, value))
                else:
                    values = lists.get(name)
                    if values is None:
                        lists[name] = [value]
                    else:
                        (<list>values).append(value)
        return pairs
    finally:
        buffer_free(&f.b)


def scalar_values(text):
    """Return text with U+FFFD in place of each lone surrogate, as Web IDL's USVString. TypeError if text is not a str.

    https://infra.spec.whatwg.org/#javascript-string-convert
    """
    if type(text) is not str:
        if not isinstance(text, str):
            raise TypeError(f"value must be str, not {type(text).__name__}")
        text = str.__str__(text)
    if is_ascii(text):
        return text
    try:
        (<str>text).encode("utf-8")
        return text
    except UnicodeEncodeError:
        pass
    return scalar_octets(text).decode("utf-8")


def scalar_pair(item):
    """Return a name and its value, both as scalar values, from an iterable of the two (Web IDL's
    sequence<USVString>)."""
    if isinstance(item, str):
        raise TypeError("each item must be a pair (name, value), not str")
    pair = tuple(map(scalar_values, item))
    if len(pair) != 2:
        raise TypeError(f"each item must be a pair (name, value), not {len(pair)} items")
    return pair


def parse_form(text, errors="replace"):
    """Return the pairs of names and values of a query, decoded: list[tuple[str, str]].

    Pieces between "&" are split at their first "="; "+" is a space. errors (str) names the codecs handler for octets
    that are not UTF-8: "replace" replaces them, and each lone surrogate of text, by U+FFFD; "surrogateescape" replaces
    them by U+DC80 to U+DCFF, which serialize_form turns back into octets. TypeError if text or errors is not a str.
    https://url.spec.whatwg.org/#concept-urlencoded-string-parser
    """
    return form_of(text, errors)


cdef list form_of(object text, object errors):
    """See parse_form."""
    cdef const char* handler = PyUnicode_AsUTF8(errors)
    cdef bytes octets
    if type(text) is str and is_ascii(text):
        return read_form(ascii_data(text), len(<str>text), True, c'&', True, handler, None, NULL)
    if errors == "surrogateescape" and isinstance(text, str):
        octets = utf8(str.__str__(text))
    else:
        octets = (<str>scalar_values(text)).encode("utf-8")
    return read_form(<const uint8_t*>PyBytes_AS_STRING(octets), PyBytes_GET_SIZE(octets), False, c'&', True, handler,
                     None, NULL)


# --- serialising -------------------------------------------------------------------------------

cdef tuple pair_of(object item):
    """Return a pair as a tuple of two exact str. TypeError or ValueError if it is not a pair of str."""
    if isinstance(item, str):
        raise TypeError("each item must be a pair (name, value), not str")
    name, value = item
    if type(name) is str and type(value) is str:
        return item if type(item) is tuple else (name, value)
    if not isinstance(name, str) or not isinstance(value, str):
        raise TypeError(f"name and value must be str, not {type(name).__name__} and {type(value).__name__}")
    return str.__str__(name), str.__str__(value)


cdef object pairs_in(object source):
    """Return the pairs of a mapping or of an iterable of pairs, as an iterable."""
    if type(source) is tuple or type(source) is list or not hasattr(source, "items"):
        return source
    if type(source) is dict or type(source) is QueryParams:
        return source.items()
    from urlsm.url.multimaps import all_items
    return all_items(source)


cdef int write_coded(Buffer* b, str text, const Quoting* quoting) except -1:
    """Append text as UTF-8, percent-encoded."""
    cdef bytes octets
    if is_ascii(text):
        return write_quoted(b, ascii_data(text), len(text), quoting)
    octets = utf8(text)
    return write_quoted(b, <const uint8_t*>PyBytes_AS_STRING(octets), PyBytes_GET_SIZE(octets), quoting)


cdef int write_field(Buffer* b, str name, str value, const Coding* coding) except -1:
    """Append a name and, unless value is None, "=" and the value."""
    write_coded(b, name, coding.name)
    if value is None:
        return 0
    buffer_put(b, c'=')
    return write_coded(b, value, coding.spaced if is_spaced(coding, name) else coding.value)


cdef int write_pair(Buffer* b, str name, str value) except -1:
    # "If output is not the empty string, then append U+0026 (&) to output."
    if b.n:
        buffer_put(b, c'&')
    write_coded(b, name, quoting_at(FORM))
    buffer_put(b, c'=')
    return write_coded(b, value, quoting_at(FORM))


def serialize_form(pairs):
    """Return the query text of pairs of names and values (an iterable of them, or a mapping), form-encoded.

    U+DC80 to U+DCFF become the octets that they stand for, and other lone surrogates become U+FFFD. TypeError if a name
    or value is not a str, ValueError if an item is not a pair.
    https://url.spec.whatwg.org/#concept-urlencoded-serializer
    """
    cdef Buffer b
    cdef tuple pair
    buffer_start(&b)
    try:
        if type(pairs) is dict:
            for name, value in (<dict>pairs).items():
                if type(name) is str and type(value) is str:
                    write_pair(&b, <str>name, <str>value)
                else:
                    pair = pair_of((name, value))
                    write_pair(&b, <str>pair[0], <str>pair[1])
        else:
            for item in pairs_in(pairs):
                pair = pair_of(item)
                write_pair(&b, <str>pair[0], <str>pair[1])
        return ascii_text(b.p, b.n)
    finally:
        buffer_free(&b)


# --- sets of names: exact ones, and those that end in "*" -----------------------------------------

cdef void names_start(Names* names, Name* room) noexcept nogil:
    """Start an empty set. room: an array with space for all names."""
    memset(names.first, 0xFF, sizeof(names.first))
    names.any = False
    names.count = 0
    names.names = room


cdef void names_put(Names* names, const uint8_t* p, size_t n, bint starred) noexcept nogil:
    """Add the name p[0:n], whose octets have to outlive the set. starred: whether a "*" at its end makes it a prefix,
    which stands for all names that begin with it."""
    cdef Name* name = &names.names[names.count]
    names.count += 1
    name.begins = starred and n != 0 and p[n - 1] == c'*'
    name.p = p
    name.n = <uint32_t>n - name.begins


cdef inline int compared(const Name* name, const uint8_t* p, size_t n) noexcept nogil:
    cdef int order = memcmp(name.p, p, min(name.n, n))
    return order if order else (name.n > n) - (name.n < n)


cdef inline bint stands_for(const Name* name, const uint8_t* p, size_t n) noexcept nogil:
    return (name.n == n or (name.begins and name.n < n)) and memcmp(name.p, p, name.n) == 0


cdef int in_order(const void* first, const void* second) noexcept nogil:
    """Compare two names by their octets; a name sorts after its prefixes."""
    cdef const Name* a = <const Name*>first
    cdef const Name* b = <const Name*>second
    cdef int order = compared(a, b.p, b.n)
    return order if order else b.begins - a.begins


cdef int names_done(Names* names) except -1:
    """Sort the names, and drop those that a prefix covers. In sorted order, a name can only be covered by the last one
    that was kept."""
    cdef Name[HALF] few
    cdef Name* room = few
    cdef Name* name = NULL   # the last name that was kept
    cdef Name* first = NULL  # the first of the kept names that begin with the same octet as `name`
    cdef int k, octet
    if names.count > 2 * HALF:
        room = <Name*>calloc(names.count // 2, sizeof(Name))
        if room == NULL:
            raise MemoryError()
    merge_sort(names.names, room, names.count, sizeof(Name), in_order)
    if room != few:
        free(room)
    for k in range(names.count):
        if name != NULL and stands_for(name, names.names[k].p, names.names[k].n):
            continue
        name = names.names if name == NULL else name + 1
        name[0] = names.names[k]
        octet = name.p[0] if name.n else 0
        if names.first[octet] < 0:
            names.first[octet] = <int>(name - names.names)
            first = name
        first.alike = <int>(name - first) + 1
    names.any = names.count != 0 and names.names[0].begins and names.names[0].n == 0
    return 0


cdef bint is_named(const Names* names, const uint8_t* p, size_t n) noexcept nogil:
    """Return whether the decoded name p[0:n] is in the set."""
    cdef const Name* name
    cdef int k, count, half
    if names.any:
        return True
    k = names.first[p[0] if n else 0]
    if k < 0:
        return False
    name = &names.names[k]
    count = name.alike
    while count > 1:  # the last name that does not sort after p[0:n] is one of the `count` names from `name` on
        half = count >> 1
        if compared(name + half, p, n) <= 0:
            name += half
            count -= half
        else:
            count = half
    return stands_for(name, p, n)


cdef bint is_field_named(const Names* names, const uint8_t* p, size_t n, bint plus) except? -1 nogil:
    """Decode the name p[0:n] and return whether it is in the set. plus: whether "+" is a space."""
    cdef Buffer b
    cdef bint found
    if n and names.first[p[0]] < 0 and not names.any and p[0] != c'%' and p[0] != c'+':
        return False
    if n == 0 or (memchr(p, c'%', n) == NULL and memchr(p, c'+', n) == NULL):
        return is_named(names, p, n)
    buffer_start(&b)
    try:
        write_unquoted(&b, p, n, plus)
        found = is_named(names, b.p, b.n)
    finally:
        buffer_free(&b)
    return found


cdef void lower_octets(uint8_t* p, size_t n) noexcept nogil:
    cdef size_t k
    for k in range(n):
        if c'A' <= p[k] <= c'Z':
            p[k] |= 0x20


cdef bint is_folded_field_named(const Names* names, const uint8_t* p, size_t n, bint plus) except? -1 nogil:
    """Do what is_field_named does, but ignore ASCII case. The names of the set are in lower case."""
    cdef Buffer b
    buffer_start(&b)
    try:
        write_unquoted(&b, p, n, plus)
        lower_octets(b.p, b.n)
        return is_named(names, b.p, b.n)
    finally:
        buffer_free(&b)


@cython.binding(False)
cdef class NameSet:
    """A set of names (str). A name that ends in "*" stands for all names with that prefix."""

    def __cinit__(self, texts):
        cdef Name* room
        self.texts = tuple([utf8(text) for text in texts])
        room = <Name*>calloc(len(self.texts) or 1, sizeof(Name))
        if room == NULL:
            raise MemoryError()
        names_start(&self.names, room)
        for octets in self.texts:
            names_put(&self.names, <const uint8_t*>PyBytes_AS_STRING(octets), PyBytes_GET_SIZE(octets), True)
        names_done(&self.names)

    def __dealloc__(self):
        free(self.names.names)

    def __contains__(self, text):
        octets = utf8(text)
        return is_named(&self.names, <const uint8_t*>PyBytes_AS_STRING(octets), PyBytes_GET_SIZE(octets))


# --- names that a caller gives -------------------------------------------------------------------

cdef PyObject* known = NULL  # the NameSet that know() has prepared


def know(names):
    """Prepare a set of names. names: an immutable mapping or tuple of str. Later calls of other functions that get the
    same object use the prepared set. Only the first call of know() has an effect."""
    cdef NameSet made = NameSet(names_of(names))
    made.given = names
    publish(&known, made)


cdef tuple names_of(object names):
    """Return a tuple of the names, which are a str or an iterable of str. TypeError for anything else."""
    cdef tuple texts = (names,) if isinstance(names, str) else tuple(names)
    for name in texts:
        if not isinstance(name, str):
            raise TypeError(f"names of query parameters must be str, not {type(name).__name__}")
    return texts


cdef str in_lower_case(name):
    """Return the name with ASCII letters in lower case. (bytes.lower() changes only these.)"""
    return utf8(name).lower().decode("utf-8", "surrogateescape")


cdef object choose(Chosen* chosen, object names, bint fold):
    """Prepare names for look-ups. Return the object that owns their octets. fold: match regardless of ASCII case."""
    cdef tuple texts
    cdef NameSet made = None if published(&known) == NULL else <NameSet>published(&known)
    cdef bint few
    if made is None or names is not made.given or fold:
        texts = names_of(names)
        if fold:
            texts = tuple([in_lower_case(name) for name in texts])
        few = len(texts) <= FEW_NAMES
        for name in texts:
            few = few and type(name) is str and is_ascii(name)
        if few:
            names_start(&chosen.own, chosen.room)
            for name in texts:
                names_put(&chosen.own, ascii_data(name), len(<str>name), True)
            names_done(&chosen.own)
            chosen.names = &chosen.own
            return texts
        made = NameSet(texts)
    chosen.names = &made.names
    return made


# --- a hash of names -----------------------------------------------------------------------------

cdef uint64_t[2] KEY         # random in each process, even if PYTHONHASHSEED is set
cdef bytes chance = urandom(sizeof(KEY))
memcpy(KEY, PyBytes_AS_STRING(chance), sizeof(KEY))


cdef uint64_t name_hash(const uint8_t* p, size_t n) noexcept nogil:
    """Return the SipHash of a name (octets/sip)."""
    cdef uint64_t[4] v
    cdef uint64_t word
    cdef size_t left = n, k
    sip_start(v, KEY)
    while left >= 8:
        sip_word(v, word_at(p))
        p += 8
        left -= 8
    word = <uint64_t>n << 56
    if n >= 8 and left:
        word |= word_at(p + left - 8) >> (64 - 8 * left)
    else:
        for k in range(left):
            word |= <uint64_t>p[k] << 8 * k
    sip_word(v, word)
    return sip_end(v)


# --- the multi-map -----------------------------------------------------------------------------

def params_of(URL url not None):
    """The query as decoded names and values.

    "+" is a space, unless the scheme uses it literally (mailto:, otpauth:, bitcoin: ...). Look-ups ignore case if the
    scheme does (mailto:, sms:, mongodb: ...).

    Example:
        >>> urlsm.parse("https://ex.com/?q=a+b&tag=x&tag=y").query_params.get_all("tag")
        ('x', 'y')
    """
    cdef QueryParams params = QueryParams.__new__(QueryParams)
    cdef Coding coding
    cdef Span lies = query_span(&url.o, len(url.href))
    if lies.start != ABSENT:
        _owner = set_coding(&coding, url)
        params.pairs = tuple(read_form(ascii_data(url.href) + lies.start, lies.end - lies.start, True,
                                       c'&', True, b"surrogateescape", None, &coding))
        params.fold = coding.fold
    return params


def folding_params(tuple pairs not None):
    """Return QueryParams whose look-ups ignore ASCII case; pickle calls this."""
    cdef QueryParams params = QueryParams(pairs)
    params.fold = True
    return params


cdef object MISSING = object()


@cython.final
@cython.freelist(8)
@cython.binding(False)
cdef class QueryParams:
    """QueryParams(pairs=())
--

    The decoded names and values of a query: immutable, in order, with duplicates.

    `params[name]` is the first value for a name. Iteration, `len()`, `keys()`, `values()` and `items()` cover all
    pairs, so a name may occur more than once. Two objects are equal if their pairs are equal. `str()` returns the
    query, and `repr` masks secrets.

    Args:
        pairs: pairs of str, or a mapping of str to str. All values of another library's multi-map are used.

    Raises:
        TypeError: a name or value is not a str.
        ValueError: an item is not a pair.

    Example:
        >>> params = urlsm.parse("https://ex.com/?lang=en&page=2").query_params
        >>> params["lang"], params.get("sort"), len(params)
        ('en', None, 2)

    https://url.spec.whatwg.org/#concept-urlencoded
    """
    cdef tuple pairs
    cdef dict index          # name (in lower case if `fold`) -> list of its values; None before the first look-up
    cdef bint fold           # whether look-up ignores ASCII case

    def __cinit__(self, pairs=()):
        if type(pairs) is tuple and not pairs:
            self.pairs = pairs
            return
        found = []
        for item in pairs_in(pairs):
            found.append(pair_of(item))
        self.pairs = tuple(found)

    @staticmethod
    def parse(query):
        """Return the names and values of a query.

        Args:
            query: the query without "?". Bytes that are not UTF-8 become lone surrogates, which `str()` converts back.

        Raises:
            TypeError: the query is not a str.

        Example:
            >>> urlsm.QueryParams.parse("q=a+b&page=2").items()
            (('q', 'a b'), ('page', '2'))

        https://url.spec.whatwg.org/#concept-urlencoded-string-parser
        """
        cdef QueryParams params = QueryParams.__new__(QueryParams)
        params.pairs = tuple(form_of(query, "surrogateescape"))
        return params

    cdef list values_of(self, object name):
        """Return all values of a name, or None. They are found in an index, so that many look-ups take linear time."""
        cdef dict index
        with cython.critical_section(self):
            index = self.index
            if index is None:
                index = {}
                for key, value in self.pairs:
                    index.setdefault(in_lower_case(key) if self.fold else key, []).append(value)
                self.index = index
        return index.get(in_lower_case(name) if self.fold and isinstance(name, str) else name)

    cdef object first_of(self, object name, object default):
        """Return the first value for a name, or default. If there are few pairs, no index is made."""
        cdef tuple pair
        if type(name) is not str or len(self.pairs) > FEW_SEARCHED or self.fold:
            found = self.values_of(name)
            return default if found is None else found[0]
        for pair in self.pairs:
            if <str>pair[0] == <str>name:
                return pair[1]
        return default

    def __getitem__(self, name):
        """Return the first value for a name.

        Args:
            name: the decoded name.

        Raises:
            KeyError: no pair has this name.

        Example:
            >>> urlsm.QueryParams.parse("a=1&a=2")["a"]
            '1'
        """
        found = self.first_of(name, MISSING)
        if found is MISSING:
            raise KeyError(name)
        return found

    def get(self, name, default=None):
        """Return the first value for a name, or a default.

        Args:
            name: the decoded name.
            default: the value to return if no pair has this name.

        Example:
            >>> urlsm.QueryParams.parse("a=1").get("b", "0")
            '0'
        """
        return self.first_of(name, default)

    def get_all(self, name):
        """Return all values for a name, in order.

        Args:
            name: the decoded name.

        Example:
            >>> urlsm.QueryParams.parse("a=1&b=2&a=3").get_all("a")
            ('1', '3')
        """
        cdef tuple pair
        cdef list found = None
        if type(name) is not str or len(self.pairs) > FEW_SEARCHED or self.fold:
            return tuple(self.values_of(name) or ())
        for pair in self.pairs:
            if <str>pair[0] == <str>name:
                if found is None:
                    found = []
                found.append(pair[1])
        return () if found is None else tuple(found)

    def __contains__(self, name):
        return self.first_of(name, MISSING) is not MISSING

    def __iter__(self):
        return iter(self.keys())

    def __len__(self):
        return len(self.pairs)

    def keys(self):
        """Return the name of each pair, in order.

        Example:
            >>> urlsm.QueryParams.parse("a=1&b=2&a=3").keys()
            ('a', 'b', 'a')
        """
        return tuple([name for name, _ in self.pairs])

    def values(self):
        """Return the value of each pair, in order.

        Example:
            >>> urlsm.QueryParams.parse("a=1&b=2").values()
            ('1', '2')
        """
        return tuple([value for _, value in self.pairs])

    def items(self):
        """Return the pairs of name and value, in order.

        Example:
            >>> urlsm.QueryParams.parse("a=1&b=2").items()
            (('a', '1'), ('b', '2'))
        """
        return self.pairs

    def __eq__(self, other):
        if type(other) is not QueryParams:
            return NotImplemented
        return self.pairs == (<QueryParams>other).pairs

    def __hash__(self):
        return hash(self.pairs)

    def __str__(self):
        """The form-encoded query (serialize_form)."""
        return serialize_form(self.pairs)

    def __repr__(self):
        from urlsm.errors.masking import masked_part, names_beside
        names = names_beside(self.pairs)
        # not repr(list(...)): if it runs out of memory once, CPython shows that list as "[...]" from then on
        shown = []
        for pair in self.pairs:
            shown.append(repr(masked_part("", pair, names)))
        return f"QueryParams([{', '.join(shown)}])"

    def _repr_html_(self):
        """Return a table for notebooks, in which secrets are masked."""
        from urlsm.errors.masking import masked_part, names_beside
        from urlsm.errors.notebooks import table
        names = names_beside(self.pairs)
        return table(("name", "value"), [masked_part("", pair, names) for pair in self.pairs])

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        return folding_params if self.fold else QueryParams, (self.pairs,)


cdef extern from *:
    """
    #define URLSM_SET_MAPPING(type) (((PyTypeObject *)(type))->tp_flags |= Py_TPFLAGS_MAPPING)
    """
    void set_mapping "URLSM_SET_MAPPING"(object type)


# register() is for isinstance; the match statement needs the flag, which register() cannot set on an extension type
Mapping.register(QueryParams)
set_mapping(QueryParams)


cdef class NamesElsewhere:
    """A class with the names that other libraries use for the methods of QueryParams."""


# accessing one raises an error that suggests our name; dir() does not show them
for _name in ("getall", "getlist", "get_list", "multi_items"):
    set_attribute(NamesElsewhere, _name, Later(_name, "urlsm.url.elsewhere"))
del _name
add_unlisted(QueryParams, NamesElsewhere)
set_name(QueryParams, "urlsm.QueryParams")

query_params = property(params_of)


# --- names and values to put into a query, encoded, found by name ---------------------------------

cdef struct Pair:
    uint64_t hash            # the hash of its name; only set if there are `places`
    size_t name              # where its decoded name begins in `text`; its encoded field follows directly
    size_t name_end
    size_t field             # where its encoded field begins in `text`
    size_t field_end
    int next                 # the index of the next pair of the same name, or -1
    int last                 # in the first pair of a name: the index of the last pair of that name
    bint first               # whether it is the first pair of its name; False for an empty field, which has no name
    bint written

cdef struct Given:
    Buffer text              # decoded names and encoded fields
    int count
    Py_ssize_t most          # the capacity of `pairs`
    Pair* pairs
    # an open-addressed hash table: the index of the first pair of a name, or -1 for a free place; NULL if there are few
    # pairs
    int* places
    size_t mask              # the number of places, minus one
    Coding coding            # how the query is read and written
    Pair[FEW_PAIRS] few_pairs


cdef inline void given_start(Given* g) noexcept:
    buffer_start(&g.text)
    g.count = 0
    g.most = 0
    g.pairs = g.few_pairs
    g.places = NULL


cdef inline void given_free(Given* g) noexcept:
    buffer_free(&g.text)
    if g.pairs != g.few_pairs:
        free(g.pairs)
    free(g.places)


cdef inline bint is_pair_named(const Given* g, const Pair* pair, const uint8_t* p, size_t n) noexcept nogil:
    return pair.name_end - pair.name == n and memcmp(g.text.p + pair.name, p, n) == 0


cdef inline int few_named(const Given* g, const uint8_t* p, size_t n) noexcept nogil:
    """Return the index of the first pair of the decoded name p[0:n]; -1 if there is none. This is for few pairs,
    because they are searched one by one."""
    cdef int k
    for k in range(g.count):
        if g.pairs[k].first and is_pair_named(g, &g.pairs[k], p, n):
            return k
    return -1


cdef inline int* place_of(Given* g, const uint8_t* p, size_t n, uint64_t hash) noexcept nogil:
    """Return the place of the decoded name p[0:n] in the hash table: the place that holds its first pair, or a free
    place."""
    cdef size_t k = hash & g.mask
    cdef const Pair* pair
    while g.places[k] >= 0:
        pair = &g.pairs[g.places[k]]
        if pair.hash == hash and is_pair_named(g, pair, p, n):
            break
        k = (k + 1) & g.mask
    return &g.places[k]


cdef inline int make_room(Given* g, Py_ssize_t most) except -1:
    """Make room for `most` pairs. This must be called only once."""
    g.most = most
    if most <= FEW_PAIRS:
        return 0
    if most > 0x0FFFFFFF:
        raise ValueError("the URL would be too long")
    g.mask = 4 * FEW_PAIRS - 1
    while g.mask < 2 * <size_t>most:
        g.mask = 2 * g.mask + 1
    g.places = <int*>malloc((g.mask + 1) * sizeof(int))
    if g.places == NULL:
        raise MemoryError()
    memset(g.places, 0xFF, (g.mask + 1) * sizeof(int))
    g.pairs = <Pair*>malloc(most * sizeof(Pair))
    if g.pairs == NULL:
        raise MemoryError()
    return 0


cdef inline void fold_from(Given* g, size_t start) noexcept nogil:
    """Change the name that begins at `start` to lower case, if case does not matter."""
    if g.coding.fold:
        lower_octets(g.text.p + start, g.text.n - start)


cdef inline int give(Given* g, object name, object value) except -1:
    """Add a name (str) and its value (str, or None for a field without "="). make_room must have been called."""
    cdef Pair* pair = &g.pairs[g.count]
    cdef bytes octets
    pair.name = g.text.n
    if is_ascii(name):
        buffer_copy(&g.text, ascii_data(name), len(<str>name))
    else:
        from urlsm.octets.text import utf8
        octets = utf8(name)
        buffer_copy(&g.text, <const uint8_t*>PyBytes_AS_STRING(octets), PyBytes_GET_SIZE(octets))
    fold_from(g, pair.name)
    pair.name_end = pair.field = g.text.n
    write_field(&g.text, name, value, &g.coding)
    pair.field_end = g.text.n
    return add(g)


cdef inline int give_text(Given* g, const uint8_t* p, size_t n, uint32_t encode_set, Py_ssize_t more) except -1:
    """Make room for the fields of a query p[0:n] and for `more` pairs. Add these fields with the octets of encode_set
    escaped and all others as they are."""
    cdef QueryField f
    cdef Pair* pair
    cdef Py_ssize_t count = 0
    f.next = p
    while next_field(&f, p + n):
        count += 1
    make_room(g, count + more)
    f.next = p
    while next_field(&f, p + n):
        pair = &g.pairs[g.count]
        pair.name = g.text.n
        write_unquoted(&g.text, f.name, f.equals - f.name, g.coding.plus_in_names)
        fold_from(g, pair.name)
        pair.name_end = pair.field = g.text.n
        write_encoded(&g.text, f.name, f.end - f.name, encode_set)
        pair.field_end = g.text.n
        if f.end > f.name:
            add(g)
        else:
            pair.first, pair.written, pair.next = False, True, -1
            g.count += 1
    return 0


cdef inline int add(Given* g) except -1:
    """Add the pair whose name and field have just been written."""
    cdef int k = g.count, found
    cdef Pair* pair = &g.pairs[k]
    cdef int* place = NULL
    if g.places == NULL:
        found = few_named(g, g.text.p + pair.name, pair.name_end - pair.name)
    else:
        pair.hash = name_hash(g.text.p + pair.name, pair.name_end - pair.name)
        place = place_of(g, g.text.p + pair.name, pair.name_end - pair.name, pair.hash)
        found = place[0]
    pair.next = -1
    pair.last = k
    pair.written = False
    pair.first = found < 0
    if found >= 0:
        g.pairs[g.pairs[found].last].next = k
        g.pairs[found].last = k
    elif place != NULL:
        place[0] = k
    g.count += 1
    return 0


cdef inline int given_for(Given* g, const uint8_t* p, size_t n) except? -1 nogil:
    """Return the index of the first given pair whose name is p[0:n], which is encoded as in the query; -1 if there is
    none."""
    cdef size_t start = g.text.n
    if n and (g.coding.fold or memchr(p, c'%', n) != NULL or memchr(p, c'+', n) != NULL):
        write_unquoted(&g.text, p, n, g.coding.plus_in_names)
        fold_from(g, start)
        n = g.text.n - start
        g.text.n = start
        p = g.text.p + start
    return few_named(g, p, n) if g.places == NULL else place_of(g, p, n, name_hash(p, n))[0]


# --- editing ------------------------------------------------------------------------------------
# Every octet that is not edited stays. A query goes from the first "?" to the first "#" after it; "&" separates its
# fields. The name of a field is the text before its "=", decoded. coding.pxd defines how names are decoded and how new
# fields are encoded. Fields that are given as a text keep their octets, except those that a query cannot hold.

cdef int add_pair(list pairs, object name, object value) except -1:
    if type(name) is str and (type(value) is str or value is None):
        pairs.append((name, value))
        return 0
    if not isinstance(name, str):
        from urlsm.url.refusals import wrong_name
        raise TypeError(wrong_name(name))
    for one in value if isinstance(value, (list, tuple)) else (value,):
        if one is not None and (isinstance(one, bool) or not isinstance(one, (str, int, float))):
            from urlsm.url.refusals import wrong_value
            raise TypeError(wrong_value(name, one))
        if isinstance(one, float) and not isfinite(one):
            raise ValueError(f"a number in a query must be finite, not {float.__repr__(one)}")
        pairs.append((str.__str__(name), text_of(one)))
    return 0


cdef object text_of(object value):
    """Return a str, int or float as a str, and a member of an enumeration as the str of its value. Return None for
    None."""
    if value is None or type(value) is str:
        return value
    if type(value) is int or type(value) is float:
        return str(value)
    if isinstance(value, str):
        return str.__str__(value)
    return int.__repr__(value) if isinstance(value, int) else float.__repr__(value)


def form_pairs(query):
    """Return the names and values of a mapping, or of an iterable of pairs, as a list of pairs of str. The value None
    (a field without "=") is kept. A value that is a list or tuple gives a pair for each of its items, and a multi-map
    gives a pair for each value.

    TypeError: a name is not str; a value is not str, int, float or None; or a multi-map has no known method that
    returns all values of a name. ValueError: a float is not finite, or an item is not a pair.
    """
    cdef list pairs = []
    if type(query) is dict:
        for name, value in (<dict>query).items():
            add_pair(pairs, name, value)
        return pairs
    if isinstance(query, (bytes, bytearray, memoryview)) or not (hasattr(query, "items") or hasattr(query, "__iter__")):
        from urlsm.url.refusals import wrong_query
        raise TypeError(wrong_query(query))
    for item in pairs_in(query):
        if isinstance(item, (str, bytes)) or not hasattr(item, "__iter__"):
            from urlsm.url.refusals import wrong_query
            raise TypeError(wrong_query(item, True))
        if hasattr(item, "__len__") and len(item) != 2:
            raise ValueError(f"each item of query must be a pair (name, value), not {len(item)} items")
        name, value = item
        add_pair(pairs, name, value)
    return pairs


cdef bint all_texts(dict mapping) except -1:
    for name, value in mapping.items():
        if type(name) is not str or type(value) is not str:
            return False
    return True


def written_query(url, query, space=None) -> str:
    """Return a query with the names and values in `query`, which may have any form that form_pairs accepts. url: the
    URL, or its scheme as a str. space: "%20" writes spaces this way for every scheme."""
    cdef Coding coding
    cdef Buffer b
    _owner = set_coding(&coding, <URL>url) if isinstance(url, URL) else set_coding_of_scheme(&coding, url)
    if space is not None:
        set_space(&coding, space)
    elif coding.name == quoting_at(FORM) and type(query) is dict and all_texts(query):
        return serialize_form(query)
    cdef list pairs = form_pairs(query)
    cdef bint more = False
    buffer_start(&b)
    try:
        for name, value in pairs:
            if more:
                buffer_put(&b, c'&')
            write_field(&b, name, value, &coding)
            more = True
        return ascii_text(b.p, b.n)
    finally:
        buffer_free(&b)


cdef bint all_plain(dict mapping) except -1:
    """Return whether every name is an exact str, and every value is an exact str or int."""
    for name, value in mapping.items():
        if type(name) is not str or not (type(value) is str or type(value) is int):
            return False
    return True


cdef int give_all(Given* g, dict mapping) except -1:
    for name, value in mapping.items():
        if type(value) is int:
            value = str(value)
        # a garbage collection may run code that adds to the mapping, but room was made for the old number of pairs
        if type(name) is not str or type(value) is not str or g.count == g.most:
            raise RuntimeError("the mapping changed while it was read")
        give(g, name, value)
    return 0


cdef int take(Given* g, object query, dict more, uint32_t encode_set) except -1:
    """Add the names and values of `query` and of `more`. This must be called only once. query: None; a text, in which
    the octets of encode_set are escaped; or what form_pairs takes. A plain dict is read without making a list of
    pairs."""
    cdef list pairs
    cdef bytes octets
    if isinstance(query, str):
        pairs = form_pairs(more) if more else []
        octets = utf8(str.__str__(query))
        if octets:
            give_text(g, <const uint8_t*>PyBytes_AS_STRING(octets), PyBytes_GET_SIZE(octets), encode_set, len(pairs))
        else:
            make_room(g, len(pairs))
    elif (query is None or (type(query) is dict and all_plain(query))) and (more is None or all_plain(more)):
        make_room(g, (len(<dict>query) if query is not None else 0) + (len(more) if more is not None else 0))
        if query is not None:
            give_all(g, query)
        if more is not None:
            give_all(g, more)
        return 0
    else:
        pairs = [] if query is None else form_pairs(query)
        if more:
            pairs = pairs + form_pairs(more)
        make_room(g, len(pairs))
    for name, value in pairs:
        give(g, name, value)
    return 0


# --- the fields --------------------------------------------------------------------------------

cdef struct Edit:            # a change of the fields of a query
    const uint8_t* p         # the query's text, p[0:n]; NULL if the query is absent
    size_t n
    const Names* names       # if not NULL, fields are selected by these names
    bint plus                # whether "+" in a name is a space
    bint fold                # whether names are the same regardless of ASCII case
    bint kept                # True: keep the fields with these names; False: drop them
    Given* given             # if names is NULL: the fields to set or append
    bint extended            # True: append the given fields; False: set them


cdef inline void start_choosing(Edit* edit, const Names* names, bint kept, const Coding* coding) noexcept:
    edit.names, edit.kept, edit.given, edit.extended = names, kept, NULL, False
    edit.plus, edit.fold = coding.plus_in_names, coding.fold


cdef inline void start_giving(Edit* edit, Given* given, bint extended) noexcept:
    edit.names, edit.kept, edit.given, edit.extended = NULL, False, given, extended
    edit.plus = edit.fold = False


cdef void find_query(Edit* edit, const uint8_t* p, size_t begin, size_t end) noexcept:
    """Set the query to p[begin + 1:end], the text after "?". It is absent if begin equals end."""
    edit.p = NULL if begin == end else p + begin + 1
    edit.n = 0 if begin == end else end - begin - 1


cdef int put_field(Buffer* b, const uint8_t* p, size_t n, bint* any) except -1 nogil:
    """Append a field, after "&" if it is not the first one."""
    if any[0]:
        buffer_put(b, c'&')
    any[0] = True
    return buffer_copy(b, p, n)


cdef inline bint stays(const Edit* edit, const QueryField* f) except? -1 nogil:
    """Return whether the field stays. An empty field has no name, as the standard's parser skips it ("continue"), so it
    only stays if the named fields are dropped."""
    cdef bint named = False
    if f.end > f.name:
        named = is_folded_field_named(edit.names, f.name, f.equals - f.name, edit.plus) if edit.fold \
            else is_field_named(edit.names, f.name, f.equals - f.name, edit.plus)
    return named == edit.kept


cdef const uint8_t* first_left_out(const Edit* edit) except? NULL:
    """Return where the first field that will be dropped begins; NULL if all fields stay."""
    cdef QueryField f
    f.next = edit.p
    while next_field(&f, edit.p + edit.n):
        if not stays(edit, &f):
            return f.name
    return NULL


cdef int write_selected(Buffer* b, const Edit* edit, const uint8_t* p, bint* any) except -1:
    """Append the fields that stay. p: where the first field that does not stay begins."""
    cdef QueryField f
    if p > edit.p:
        put_field(b, edit.p, p - 1 - edit.p, any)
    f.next = p
    while next_field(&f, edit.p + edit.n):
        if stays(edit, &f):
            put_field(b, f.name, f.end - f.name, any)
    return 0


cdef int put_given(Buffer* b, Given* g, int k, bint* any) except -1:
    """Append the given fields of one name, unless they have been written already. k: the index of the first of them."""
    if not g.pairs[k].written:
        g.pairs[k].written = True
        while k >= 0:
            put_field(b, g.text.p + g.pairs[k].field, g.pairs[k].field_end - g.pairs[k].field, any)
            k = g.pairs[k].next
    return 0


cdef int write_updated(Buffer* b, const Edit* edit, bint* any) except -1:
    """Append the updated fields. The given fields of a name replace the first field of that name, and its other fields
    are dropped; new names come at the end."""
    cdef QueryField f
    cdef int k
    f.next = edit.p if edit.n else NULL
    while next_field(&f, edit.p + edit.n):
        k = given_for(edit.given, f.name, f.equals - f.name) if f.end > f.name else -1
        if k < 0:
            put_field(b, f.name, f.end - f.name, any)
        else:
            put_given(b, edit.given, k, any)
    for k in range(edit.given.count):
        if edit.given.pairs[k].first:
            put_given(b, edit.given, k, any)
    return 0


cdef int write_extended(Buffer* b, const Edit* edit, bint* any) except -1:
    """Append the query, followed by the new fields."""
    cdef Given* g = edit.given
    cdef int k
    buffer_copy(b, edit.p, edit.n)
    any[0] = edit.n > 0
    for k in range(g.count):
        put_field(b, g.text.p + g.pairs[k].field, g.pairs[k].field_end - g.pairs[k].field, any)
    any[0] = any[0] or edit.p != NULL
    return 0


cdef bint write_edited(Buffer* b, const Edit* edit, const uint8_t* first) except -1:
    """Append "?" and the edited query, or nothing if no query is left; return whether something was appended. first: if
    fields are selected by their names, where the first field to drop begins."""
    cdef size_t start = b.n
    cdef bint any = False
    buffer_put(b, c'?')
    if edit.names != NULL:
        write_selected(b, edit, first, &any)
    elif edit.extended:
        write_extended(b, edit, &any)
    else:
        write_updated(b, edit, &any)
    if not any:
        b.n = start
    return any


# --- URLs --------------------------------------------------------------------------------------

cdef URL edited_url(URL url, Edit* edit):
    cdef const uint8_t* p = ascii_data(url.href)
    cdef uint32_t n = len(url.href), begin = path_end(url), end = query_end(url)
    cdef const uint8_t* first = NULL
    cdef Offsets o
    cdef Buffer b
    find_query(edit, p, begin, end)
    if edit.names != NULL:
        first = first_left_out(edit)
        if first == NULL:
            return url
    o = url.o
    buffer_start(&b)
    try:
        buffer_copy(&b, p, begin)
        o.query_start = begin if write_edited(&b, edit, first) else ABSENT
        if end < n:
            o.fragment_start = <uint32_t>b.n
            buffer_copy(&b, p + end, n - end)
        if b.n > MAX_LENGTH and b.n > n:
            raise too_long(ascii_text(b.p, b.n))
        return new_url(ascii_text(b.p, b.n), &o)
    finally:
        buffer_free(&b)


cdef URL given_url(URL url, object query, object space, dict more, bint extended):
    cdef Given given
    cdef Edit edit
    url = of_today(url)
    given_start(&given)
    try:
        _owner = set_coding(&given.coding, url)
        set_space(&given.coding, space)
        take(&given, query, more, ENC_QUERY if url.o.kind == NOT_SPECIAL else ENC_SPECIAL_QUERY)
        if not given.count:
            return url
        start_giving(&edit, &given, extended)
        return edited_url(url, &edit)
    finally:
        given_free(&given)


def update_query(URL url not None, query=None, /, *, space=None, **more):
    """Return this URL with new values for some of its query parameters.

    The new values for a name replace the first parameter with that name; its other occurrences are removed. New names
    are added at the end. All other parameters are kept unchanged, byte for byte.

    Args:
        query: a mapping of names to str, int, float, None (no "=") or a list of these; pairs of names and values; or a
            percent-encoded query.
        space: "%20" writes every space as "%20", as signatures require. None writes "+" in http, https, ws and wss
            URLs, and "%20" in most other schemes.
        more: further names and values, as keyword arguments.

    Raises:
        TypeError: a name or value has the wrong type.
        ValueError: a float is not finite, an item is not a pair, or `space` is neither "%20" nor None.

    Example:
        >>> urlsm.parse("https://ex.com/?lang=en&page=2").update_query(page=3, q="a b")
        URL('https://ex.com/?lang=en&page=3&q=a+b')
    """
    return given_url(url, query, space, more, False)


def extend_query(URL url not None, query=None, /, *, space=None, **more):
    """Return this URL with more parameters at the end of its query.

    Args:
        query: names and values, or a percent-encoded query, as for update_query.
        space: "%20" writes every space as "%20"; None writes spaces the way the scheme does.
        more: further names and values, as keyword arguments.

    Raises:
        TypeError: a name or value has the wrong type.
        ValueError: a float is not finite, an item is not a pair, or `space` is neither "%20" nor None.

    Example:
        >>> urlsm.parse("https://ex.com/?tag=x").extend_query(tag=["y", "z"])
        URL('https://ex.com/?tag=x&tag=y&tag=z')
    """
    return given_url(url, query, space, more, True)


def without_query_params(URL url not None, *names):
    """Return this URL without the query parameters that have these names.

    All other parameters are kept unchanged, byte for byte.

    Args:
        names: the decoded names. "utm_*" stands for all names that start with "utm_".

    Raises:
        TypeError: a name is not a str.

    Example:
        >>> urlsm.parse("https://ex.com/?id=1&utm_source=x&fbclid=y").without_query_params("utm_*", "fbclid")
        URL('https://ex.com/?id=1')
    """
    cdef Chosen chosen
    cdef Coding coding
    cdef Edit edit
    url = of_today(url)
    _table = set_coding(&coding, url)
    _owner = choose(&chosen, names, coding.fold)
    start_choosing(&edit, chosen.names, False, &coding)
    return edited_url(url, &edit)


# --- texts -------------------------------------------------------------------------------------

cdef str text_of_url(object url):
    if type(url) is URL:
        return (<URL>url).href
    if isinstance(url, bytes):
        url = (<bytes>url).decode("utf-8", "surrogateescape")
    elif not isinstance(url, str):
        from urlsm.octets.objects import url_text
        url = url_text(url)
        url = url if isinstance(url, str) else (<bytes>url).decode("utf-8", "surrogateescape")
    return exact(url)


cdef object set_coding_of_text(Coding* c, str url):
    """Like set_coding_of_scheme, for the scheme of a text. Spaces and control characters at the beginning are
    skipped."""
    cdef str head = url if is_ascii(url) else "".join(url.partition(":")[:2])
    cdef const uint8_t* p = ascii_data(head)
    cdef const uint8_t* end = p + len(head)
    cdef const uint8_t* start
    if not is_ascii(head):
        return set_coding_of_scheme(c, None)
    while p < end and p[0] <= c' ':
        p += 1
    start = p
    if CLASS[p[0]] & ALPHA:
        while CLASS[p[0]] & SCHEME_CHAR:
            p += 1
    if p == start or p[0] != c':' or is_form(scheme_kind(start, <uint32_t>(p - start))):
        return set_coding_of_scheme(c, None)  # making a str of the scheme would take longer than everything else
    return set_coding_of_scheme(c, ascii_text(start, p - start))


cdef str edited_text(str url, Edit* edit):
    cdef const uint8_t* p
    cdef const uint8_t* first = NULL
    cdef size_t n, end, begin
    cdef Buffer b
    cdef bint ascii = is_ascii(url)
    octets = None if ascii else (<str>url).encode("utf-8", "surrogatepass")
    p = ascii_data(url) if ascii else <const uint8_t*>PyBytes_AS_STRING(octets)
    n = len(<str>url) if ascii else PyBytes_GET_SIZE(octets)
    end = find(p, p + n, c'#') - p
    begin = find(p, p + end, c'?') - p
    find_query(edit, p, begin, end)
    if edit.names != NULL:
        first = first_left_out(edit)
        if first == NULL:
            return url
    buffer_start(&b)
    try:
        buffer_copy(&b, p, begin)
        write_edited(&b, edit, first)
        buffer_copy(&b, p + end, n - end)
        return ascii_text(b.p, b.n) if ascii else utf8_text(b.p, b.n)
    finally:
        buffer_free(&b)


cdef str selected_text(object url, object names, bint kept):
    cdef Chosen chosen
    cdef Coding coding
    cdef Edit edit
    cdef str text = text_of_url(url)
    if isinstance(names, (str, bytes)) or not hasattr(names, "__iter__"):
        raise TypeError(f"names must be an iterable of str, such as ['utm_*'], not {type(names).__name__}")
    _table = set_coding_of_text(&coding, text)
    _owner = choose(&chosen, names, coding.fold)
    start_choosing(&edit, chosen.names, kept, &coding)
    return edited_text(text, &edit)


def text_without_params(url, names):
    """Remove query parameters by name, for example tracking parameters. The rest of the URL is not changed.

    Args:
        url: str, bytes or URL; it is not parsed. If nothing is removed, the same str is returned.
        names: an iterable of decoded names (str); "utm_*" stands for all names that begin with "utm_".
            urlsm.crawler.TRACKERS contains the names of tracking parameters.

    Raises:
        TypeError: `url` is not str, bytes or URL, or `names` is a str or contains an item that is not a str.

    Example:
        >>> without_query_params("http://h/?id=1&utm_source=x", TRACKERS)
        'http://h/?id=1'
    """
    return selected_text(url, names, False)


def text_with_only_params(url, names):
    """Keep only the query parameters with these names. The rest of the URL is not changed.

    Args:
        url: str, bytes or URL; it is not parsed.
        names: an iterable of decoded names (str); "x*" stands for all names that begin with "x".

    Raises:
        TypeError: `url` is not str, bytes or URL, or `names` is a str or contains an item that is not a str.

    Example:
        >>> only_query_params("http://h/?id=1&ref=x", ["id"])
        'http://h/?id=1'
    """
    return selected_text(url, names, True)


def text_with_params(url, params, *, space=None):
    """Set query parameters of a URL. The rest of the URL is not changed.

    A new value replaces the first parameter with its name; other parameters with that name are removed. New names are
    added at the end.

    Args:
        url: str, bytes or URL; it is not parsed.
        params: a mapping, pairs of name and value, or a query string.
        space: "%20" writes every space as "%20". None writes spaces the way the scheme does ("+" for http).

    Raises:
        TypeError: `url` is not str, bytes or URL, or `params` does not consist of names and values.
        ValueError: a value is a float that is not finite, or `space` is neither "%20" nor None.

    Example:
        >>> set_query_params("http://h/?page=1&q=x", {"page": 2})
        'http://h/?page=2&q=x'
    """
    cdef Given given
    cdef Edit edit
    cdef str text = text_of_url(url)
    if not (hasattr(params, "__iter__") or hasattr(params, "items")):
        raise TypeError(f"params must be a mapping, pairs of name and value or str, not {type(params).__name__}")
    given_start(&given)
    try:
        _owner = set_coding_of_text(&given.coding, text)
        set_space(&given.coding, space)
        take(&given, params, None, ENC_QUERY if given.coding.name != quoting_at(FORM) else ENC_SPECIAL_QUERY)
        start_giving(&edit, &given, given.count == 0)
        return edited_text(text, &edit)
    finally:
        given_free(&given)


stay_all(globals())
