"""Editing of a query's fields in place: every octet that is not edited stays.

A query goes from the first "?" to the first "#" after it; "&" separates its fields. The name of a field is the text
before its "=", decoded. coding.pxd says how, and how new fields are encoded; fields that are given as a text stay as
they are.
"""
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.math cimport isfinite
from libc.stdint cimport uint8_t, uint32_t
from urlsm.machine.machine cimport ABSENT
from urlsm.machine.special cimport NOT_SPECIAL
from urlsm.octets.buffer cimport (
    Buffer, MAX_LENGTH, ascii_data, ascii_text, buffer_copy, buffer_free, buffer_put, buffer_start, is_ascii,
    utf8_text,
)
from urlsm.octets.chars cimport ALPHA, ENC_QUERY, ENC_SPECIAL_QUERY, SCHEME_CHAR
from urlsm.octets.find cimport find
from urlsm.octets.query cimport QueryField, next_field
from urlsm.octets.text cimport FORM, among, exact, quoting_at
from urlsm.url.coding cimport Coding, set_coding, set_coding_of_scheme, set_space
from urlsm.url.given cimport Given, give, give_text, given_for, given_free, given_start, make_room
from urlsm.url.names cimport Chosen, Names, choose, is_field_named, is_folded_field_named
from urlsm.url.params cimport pairs_in, write_field
from urlsm.url.pieces cimport too_long
from urlsm.url.splicing cimport of_today
from urlsm.url.structs cimport Offsets
from urlsm.url.value cimport URL, new_url, path_end, query_end
from urlsm.octets.objects import url_text
from urlsm.octets.text import utf8
from urlsm.url.params import serialize_form

# --- fields that are given ----------------------------------------------------------------------

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
            raise ValueError(f"a query has no value for {float.__repr__(one)}")
        pairs.append((str.__str__(name), text_of(one)))
    return 0


cdef object text_of(object value):
    """Return a str, int or float as text; a member of an enumeration counts as its value. None stays."""
    if value is None or type(value) is str:
        return value
    if type(value) is int or type(value) is float:
        return str(value)
    if isinstance(value, str):
        return str.__str__(value)
    return int.__repr__(value) if isinstance(value, int) else float.__repr__(value)


def form_pairs(query):
    """Return the names and values of a mapping or an iterable of pairs, as a list of pairs of str; the value of a field
    without "=" is None. Several values of one name may be a list or tuple; of a multi-map every value counts. TypeError
    for any other name or value, and for a mapping that hides values; ValueError for a float that is not finite."""
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
            raise ValueError(f"each item of a query is a pair of a name and a value, not {len(item)} of them")
        name, value = item
        add_pair(pairs, name, value)
    return pairs


cdef bint all_texts(dict mapping) except -1:
    for name, value in mapping.items():
        if type(name) is not str or type(value) is not str:
            return False
    return True


def written_query(url, query, space=None) -> str:
    """Return the text of a query of these names and values (form_pairs) of anything but a str, in a URL, or in URLs of
    a scheme, which is a str. space: "%20" writes spaces so in any scheme."""
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
    """Return whether every name is an exact str, and every value an exact str or int."""
    for name, value in mapping.items():
        if type(name) is not str or not (type(value) is str or type(value) is int):
            return False
    return True


cdef int give_all(Given* g, dict mapping) except -1:
    for name, value in mapping.items():
        if type(value) is int:
            value = str(value)
        # code that runs here (a collector) may change the mapping; the room was made for the old number
        if type(name) is not str or type(value) is not str or g.count == g.most:
            raise RuntimeError("the mapping changed while it was read")
        give(g, name, value)
    return 0


cdef int take(Given* g, object query, dict more, uint32_t encode_set) except -1:
    """Take the names and values of query, and of more, once. query: None; a text, whose octets of the set are encoded;
    or what form_pairs takes. A plain mapping is read directly."""
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

cdef struct Edit:            # a change of a query's fields
    const uint8_t* p         # the query, n octets; NULL if it is absent
    size_t n
    const Names* names       # not NULL: fields are selected by name
    bint plus                # "+" is a space in names
    bint fold                # the case of letters in names does not matter
    bint kept                # the fields with these names stay; otherwise the others do
    Given* given             # otherwise fields are set to these
    bint extended            # or, if true, these are appended


cdef inline void start_choosing(Edit* edit, const Names* names, bint kept, const Coding* coding) noexcept:
    edit.names, edit.kept, edit.given, edit.extended = names, kept, NULL, False
    edit.plus, edit.fold = coding.plus_in_names, coding.fold


cdef inline void start_giving(Edit* edit, Given* given, bint extended) noexcept:
    edit.names, edit.kept, edit.given, edit.extended = NULL, False, given, extended
    edit.plus = edit.fold = False


cdef void find_query(Edit* edit, const uint8_t* p, size_t begin, size_t end) noexcept:
    """Set the query to p[begin + 1:end], after its "?"; it is absent where begin equals end."""
    edit.p = NULL if begin == end else p + begin + 1
    edit.n = 0 if begin == end else end - begin - 1


cdef int put_field(Buffer* b, const uint8_t* p, size_t n, bint* any) except -1 nogil:
    """Append a field, after "&" if it is not the first one."""
    if any[0]:
        buffer_put(b, c'&')
    any[0] = True
    return buffer_copy(b, p, n)


cdef inline bint stays(const Edit* edit, const QueryField* f) except? -1 nogil:
    """Return whether the field stays. (An empty piece between two "&" is not a field: "continue".)"""
    cdef bint named = False
    if f.end > f.name:
        named = is_folded_field_named(edit.names, f.name, f.equals - f.name, edit.plus) if edit.fold \
            else is_field_named(edit.names, f.name, f.equals - f.name, edit.plus)
    return named == edit.kept


cdef const uint8_t* first_left_out(const Edit* edit) except? NULL:
    """Return the first field that the names leave out; NULL if all stay."""
    cdef QueryField f
    f.next = edit.p
    while next_field(&f, edit.p + edit.n):
        if not stays(edit, &f):
            return f.name
    return NULL


cdef int write_selected(Buffer* b, const Edit* edit, const uint8_t* p, bint* any) except -1:
    """Append the fields that stay. p: the first field that does not."""
    cdef QueryField f
    if p > edit.p:
        put_field(b, edit.p, p - 1 - edit.p, any)
    f.next = p
    while next_field(&f, edit.p + edit.n):
        if stays(edit, &f):
            put_field(b, f.name, f.end - f.name, any)
    return 0


cdef int put_given(Buffer* b, Given* g, int k, bint* any) except -1:
    """Append the new fields of one name, if they are not yet written."""
    if not g.pairs[k].written:
        g.pairs[k].written = True
        while k >= 0:
            put_field(b, g.text.p + g.pairs[k].field, g.pairs[k].field_end - g.pairs[k].field, any)
            k = g.pairs[k].next
    return 0


cdef int write_updated(Buffer* b, const Edit* edit, bint* any) except -1:
    """Append the fields: the new ones of a name in the place of its first, without its others; new names at the
    end."""
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
    """Append the query, and then the new fields."""
    cdef Given* g = edit.given
    cdef int k
    buffer_copy(b, edit.p, edit.n)
    any[0] = edit.n > 0
    for k in range(g.count):
        put_field(b, g.text.p + g.pairs[k].field, g.pairs[k].field_end - g.pairs[k].field, any)
    any[0] = any[0] or edit.p != NULL
    return 0


cdef bint write_edited(Buffer* b, const Edit* edit, const uint8_t* first) except -1:
    """Append "?" and the edited query, if there is one; return whether. first: the first field that is left out."""
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
    """This URL with other values of some names: the first field of a name is replaced, its other fields are removed,
    new names come last. Every octet of the other fields stays.

    query: a mapping of str to str, int, float, None (a field without "=") or lists of them, of which every value
    counts, also a multi-map's; pairs of these; or a text, of which every octet that a query may hold stays. more: names
    as keywords. A space is written "+" in http, https, ws, wss and where the scheme's handler reads it so, else "%20";
    space="%20" writes it so everywhere, and only the unreserved characters without escapes, as signatures ask for.
    TypeError for any other name or value, and for a mapping that hides values; ValueError for a float that is not
    finite, and for another space.
    """
    return given_url(url, query, space, more, False)


def extend_query(URL url not None, query=None, /, *, space=None, **more):
    """This URL with more fields at the end of its query, which stays as it is. Takes the arguments of update_query."""
    return given_url(url, query, space, more, True)


def without_query_params(URL url not None, *names):
    """This URL without the fields of these names (str, decoded; one that ends in "*" stands for all that begin
    so). Every octet of the other fields stays. TypeError where a name is not a str."""
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
    if isinstance(url, bytes):
        url = (<bytes>url).decode("utf-8", "surrogateescape")
    elif not isinstance(url, str):
        url = url_text(url)
        url = url if isinstance(url, str) else (<bytes>url).decode("utf-8", "surrogateescape")
    return exact(url)


cdef object scheme_in(str url):
    """Return the scheme of a text, as it stands there; None if it has none. Blanks and controls before it are none."""
    cdef Py_ssize_t k, start = 0
    cdef Py_UCS4 char
    while start < len(url) and url[start] <= u" ":
        start += 1
    for k in range(start, len(url)):
        char = url[k]
        if char == u":" and k > start:
            return url[start:k]
        if not among(char, SCHEME_CHAR if k > start else ALPHA):
            return None
    return None


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
    _table = set_coding_of_scheme(&coding, scheme_in(text))
    _owner = choose(&chosen, names, coding.fold)
    start_choosing(&edit, chosen.names, kept, &coding)
    return edited_text(text, &edit)


def without_parameters(url, names):
    """Return the text of a URL without the fields of these names. Every other octet stays; if all do, the same str.

    Args:
        url: str, bytes or URL; it is not parsed. names: str, or an iterable of str, decoded; one that ends in "*"
            stands for all with that prefix. urlsm.crawler.TRACKERS are such names.

    Raises:
        TypeError: not a text, or not names.
    """
    return selected_text(url, names, False)


def only_parameters(url, names):
    """Return the text of a URL with only the fields of these names; arguments and errors as in without_parameters."""
    return selected_text(url, names, True)


def set_parameters(url, parameters, *, space=None):
    """Return the text of a URL with these values of these names: the first field of a name is replaced, its other
    fields are removed, new names come last; every other octet stays.

    Args:
        url: str, bytes or URL; it is not parsed. parameters, space: as URL.update_query's; a text without a scheme is
            written as http's.

    Raises:
        TypeError: not a text, or not names and values. ValueError: a float that is not finite, or another space.
    """
    cdef Given given
    cdef Edit edit
    cdef str text = text_of_url(url)
    if parameters is None:
        raise TypeError("the parameters are names and values, or a text, not None")
    given_start(&given)
    try:
        _owner = set_coding_of_scheme(&given.coding, scheme_in(text))
        set_space(&given.coding, space)
        take(&given, parameters, None, ENC_QUERY if given.coding.name != quoting_at(FORM) else ENC_SPECIAL_QUERY)
        start_giving(&edit, &given, given.count == 0)
        return edited_text(text, &edit)
    finally:
        given_free(&given)
