"""URLSearchParams, included by whatwg.pyx, because it and URL change each other.
https://url.spec.whatwg.org/#interface-urlsearchparams
"""


cdef inline Field field_of(URLSearchParams params, str name, str value):
    """Return the first field of its text of this name, and of this value unless that is None."""
    cdef Field found
    found.start = found.equals = found.end = NULL
    if value is not None and params.escaped:
        params.all_pairs()  # this moves all pairs to the list, where they are decoded
    return found if params.text is None else field_from(params.text, ascii_data(params.text), name, value)


@cython.binding(False)
cdef class URLSearchParams:
    """URLSearchParams(init=None)\n--\n\nA mutable list of pairs of name and value; url.search_params is kept
    equal to the URL's query. https://url.spec.whatwg.org/#interface-urlsearchparams

    Iteration gives pairs; it goes by index, so it sees changes made meanwhile. A copy does not belong to a URL
    (copy.copy), or belongs to a copy of the URL (copy.deepcopy, pickle).

    Args:
        init: query text (str; one leading "?" is removed), pairs of str, or an object with items() that gives them:
            a mapping of str to str, another URLSearchParams, urlsm.QueryParams. None: no pairs.

    Raises TypeError: init is of another type, a pair does not have exactly two items, or a name or value is not a str.
    All methods raise it for a name or value that is not a str.
    """

    cdef str text              # a plain query, whose fields come first; or None
    cdef Py_ssize_t fields     # the number of fields of text
    cdef list pairs            # the pairs of str that come after these
    cdef bint escaped          # whether a value in text may be escaped
    cdef URL _owner            # is set at most once: it guards this object, too
    cdef bint belongs          # whether changes go there: not after another __init__
    cdef object __weakref__

    def __cinit__(self):
        self.pairs = []

    cdef object guard(self):
        """Return the object whose critical section guards this one. Until __init__ or __setstate__ returns, an object
        belongs to one thread."""
        return self if self._owner is None else self._owner

    def __init__(self, init=None):
        with cython.critical_section(self.guard()):
            self.pairs, self.text, self.fields, self.belongs = [], None, 0, False
            if isinstance(init, str):
                self.take(str.removeprefix(init, "?"))
            elif init is not None:
                self.pairs = list(map(scalar_pair, pairs_in(init)))
                if isinstance(init, dict) and len(self.pairs) == len(init):
                    # a record: names that become equal as USVString are one name
                    self.pairs = list(dict(self.pairs).items())

    cdef int take(self, str query) except -1:
        """Take the pairs of a query; there must not be any yet."""
        self.fields = read_fields(ascii_data(query), len(query), &self.escaped) if is_ascii(query) else 0
        self.text = query if self.fields else None
        if not self.fields:
            self.pairs[:] = parse_form(query)
        return 0

    cdef int assign(self, str query) except -1:
        """Replace the pairs by those of a query."""
        self.text, self.fields = None, 0
        self.pairs.clear()
        self.take(query)
        return 0

    @property
    def _pairs(self):
        with cython.critical_section(self.guard()):
            return self.all_pairs()

    cdef list all_pairs(self):
        """Return all pairs, in the list."""
        if self.text is not None:
            self.pairs[:0] = parse_form(self.text)
            self.text, self.fields = None, 0
        return self.pairs

    cdef str serialize(self):
        """https://url.spec.whatwg.org/#concept-urlencoded-serializer"""
        cdef str made = None if self.text is None else serialized(self.text)
        if made is None:
            return serialize_form(checked_pairs(self.all_pairs()))
        return f"{made}&{serialize_form(checked_pairs(self.pairs))}" if self.pairs else made

    cdef int update(self) except -1:
        """https://url.spec.whatwg.org/#concept-urlsearchparams-update"""
        cdef URL owner = self._owner if self.belongs else None
        cdef ImmutableURL changed = None
        cdef str query
        if owner is not None:
            query = self.serialize()
            # "If serializedQuery is the empty string, then set serializedQuery to null."
            if len(query) <= MAX_LENGTH:
                changed = with_piece(owner._url, QUERY, ascii_data(query) if query else NULL, len(query), 0)
            if not owner.become(changed):
                owner._url = set_query(owner._url, query.encode("ascii") or None)
        return 0

    @property
    def size(self):
        """The number of pairs. https://url.spec.whatwg.org/#dom-urlsearchparams-size"""
        with cython.critical_section(self.guard()):
            return self.fields + len(self.pairs)

    def append(self, name, value):
        """Add a pair at the end. https://url.spec.whatwg.org/#dom-urlsearchparams-append"""
        with cython.critical_section(self.guard()):
            self.pairs.append((scalars(name), scalars(value)))
            self.update()

    def delete(self, name, value=None):
        """Remove all pairs of this name, or of this name and value.
        https://url.spec.whatwg.org/#dom-urlsearchparams-delete"""
        cdef str wanted, with_value
        cdef list pairs
        with cython.critical_section(self.guard()):
            wanted = scalars(name)
            with_value = None if value is None else scalars(value)
            pairs = self.pairs if field_of(self, wanted, with_value).end == NULL else self.all_pairs()
            if pairs:
                remove_pairs(pairs, wanted, with_value, 0)
            if self._owner is not None:
                self.update()

    def get(self, name):
        """Return the first value of this name. https://url.spec.whatwg.org/#dom-urlsearchparams-get"""
        cdef str wanted
        cdef Field found
        cdef Py_ssize_t k
        with cython.critical_section(self.guard()):
            wanted = scalars(name)
            found = field_of(self, wanted, None)
            if found.end != NULL:
                return value_in(self.text, &found)
            if not self.pairs:
                return None
            k = place_of(self.pairs, wanted, None, 0)
            return value_at(self.pairs, k) if k < len(self.pairs) else None

    def get_all(self, name):
        """Return all values of this name. https://url.spec.whatwg.org/#dom-urlsearchparams-getall"""
        cdef str wanted
        cdef list values
        cdef Field found
        cdef Py_ssize_t k
        with cython.critical_section(self.guard()):
            wanted = scalars(name)
            values = []
            found = field_of(self, wanted, None)
            k = place_of(self.pairs, wanted, None, 0)
            while found.end != NULL:
                values.append(value_in(self.text, &found))
                found = field_from(self.text, found.end + 1, wanted, None)
            while k < len(self.pairs):
                values.append(value_at(self.pairs, k))
                k = place_of(self.pairs, wanted, None, k + 1)
            return values

    def has(self, name, value=None):
        """Return whether there is a pair of this name, or of this name and value.
        https://url.spec.whatwg.org/#dom-urlsearchparams-has"""
        cdef str wanted, with_value
        with cython.critical_section(self.guard()):
            wanted = scalars(name)
            with_value = None if value is None else scalars(value)
            return field_of(self, wanted, with_value).end != NULL \
                or place_of(self.pairs, wanted, with_value, 0) < len(self.pairs)

    def set(self, name, value):
        """Give the first pair of this name the value and remove the others, or append the pair.
        https://url.spec.whatwg.org/#dom-urlsearchparams-set"""
        cdef tuple made
        cdef list pairs
        cdef Py_ssize_t k
        with cython.critical_section(self.guard()):
            made = (scalars(name), scalars(value))
            pairs = self.pairs if field_of(self, made[0], None).end == NULL else self.all_pairs()
            k = place_of(pairs, made[0], None, 0)
            if k < len(pairs):
                pairs[k] = made
                remove_pairs(pairs, made[0], None, k + 1)
            else:
                pairs.append(made)
            self.update()

    def sort(self):
        """Sort by name, in UTF-16 code units; stable. https://url.spec.whatwg.org/#dom-urlsearchparams-sort"""
        with cython.critical_section(self.guard()):
            if self.text is not None and self.fields <= FEW_FIELDS and not self.pairs:
                self.text = with_fields_sorted(self.text)
            else:
                order = order_of(checked_pairs(self.all_pairs()))
                if order == WIDE:
                    self.pairs.sort(key=lambda pair: code_units(pair[0]))
                elif order != SORTED:
                    self.pairs.sort(key=itemgetter(0))  # each code point is one code unit
            self.update()

    def keys(self):
        """Return an iterator of the name of each pair."""
        return pairs_of(self, NAMES)

    def values(self):
        """Return an iterator of the value of each pair."""
        return pairs_of(self, VALUES)

    def items(self):
        """Return an iterator of the pairs."""
        return pairs_of(self, WHOLE)

    def __iter__(self):
        return pairs_of(self, WHOLE)

    def __len__(self):
        with cython.critical_section(self.guard()):
            return self.fields + len(self.pairs)

    def __str__(self):
        """The query text, form-encoded. https://url.spec.whatwg.org/#urlsearchparams-stringification-behavior"""
        with cython.critical_section(self.guard()):
            return self.serialize()

    def __repr__(self):
        with cython.critical_section(self.guard()):
            from urlsm.errors.masking import masked_part
            return f"URLSearchParams({masked_part('', self.all_pairs())!r})"

    def __copy__(self):
        with cython.critical_section(self.guard()):
            pairs = list(checked_pairs(self.all_pairs()))
        return type(self)(pairs)

    def __reduce_ex__(self, protocol):
        return object.__reduce_ex__(self, 2)  # older protocols cannot make an extension type's object

    def __getstate__(self):
        with cython.critical_section(self.guard()):
            return list(checked_pairs(self.all_pairs())), self._owner if self.belongs else None

    def __setstate__(self, state):
        pairs, owner = state
        if type(pairs) is not list:
            raise TypeError(f"expected a list, not {type(pairs).__name__}")
        if self._owner is not None and owner is not None and owner is not self._owner:
            raise TypeError("these parameters belong to another URL")
        if owner is not None and (<URL?>owner)._search_params is self:
            return  # the URL has set them, to the pairs of the moment that it was asked
        URLSearchParams.__init__(self, list(map(scalar_pair, pairs)))
        if owner is not None:
            self._owner, self.belongs = owner, True


cdef enum Item:
    NAMES
    VALUES
    WHOLE


@cython.final
@cython.binding(False)
cdef class PairIterator:
    """An iterator of the pairs, or of their names or values. It goes by index, within the guard: others never see the
    list, so they cannot make a thread wait for it in the middle of a change."""
    cdef URLSearchParams params
    cdef Py_ssize_t k          # the index of the next one; -1 after the end
    cdef Item item

    def __iter__(self):
        return self

    def __next__(self):
        cdef list pairs
        cdef Py_ssize_t k
        if self.params is None:  # made by hand, of nothing
            raise StopIteration
        with cython.critical_section(self.params.guard()):
            pairs, k = self.params.all_pairs(), self.k
            if not 0 <= k < len(pairs):
                self.k = -1
                raise StopIteration
            self.k += 1
            return pairs[k] if self.item == WHOLE else (<tuple?>pairs[k])[<int>self.item]


cdef PairIterator pairs_of(URLSearchParams params, Item item):
    cdef PairIterator made = PairIterator.__new__(PairIterator)
    made.params, made.item = params, item
    return made


cdef inline uint8_t* put_unit(uint8_t* p, uint32_t unit) noexcept nogil:
    p[0], p[1] = unit >> 8, unit & 0xFF
    return p + 2


cdef bytes code_units(str name):
    """Return the UTF-16 code units of a name, as octets that compare as they do. It has no surrogates. (A codec may run
    Python code, in which the guard does not hold.)"""
    cdef Py_ssize_t n = 0
    cdef Py_UCS4 c
    cdef bytes made
    cdef uint8_t* p
    for c in name:
        n += 4 if c > 0xFFFF else 2
    made = PyBytes_FromStringAndSize(NULL, n)
    p = <uint8_t*>PyBytes_AS_STRING(made)
    for c in name:
        if c > 0xFFFF:
            p = put_unit(p, 0xD7C0 + (<uint32_t>c >> 10))  # 0xD800 + ((c - 0x10000) >> 10)
            p = put_unit(p, 0xDC00 | (<uint32_t>c & 0x3FF))
        else:
            p = put_unit(p, <uint32_t>c)
    return made
