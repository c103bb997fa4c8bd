"""Resolving references: by the URL Standard's parser, RFC 3986 section 5.2, RFC 2396 section 5.2 or Barth's section 4.

Outside the URL Standard, the machine finds the components of base and reference, and this module puts the result
together from them, octet for octet: nothing is encoded, decoded or normalised.
"""
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memmove
from urlsm.components.barth cimport resolve_barth
from urlsm.components.spans cimport absent, copy, error_of_text, length, octets, same_text
from urlsm.components.value cimport error_in
from urlsm.machine.codes cimport MISSING_SCHEME_NON_RELATIVE_URL, TOO_LONG
from urlsm.machine.dialects cimport Dialect, RFC3986, WHATWG
from urlsm.machine.driver cimport BY_MACHINE, LONG_TEXT, WHOLE, dialect_at, trim
from urlsm.machine.machine cimport AUTHORITY, FRAGMENT, Machine, PATH, QUERY, SCHEME
from urlsm.machine.reading cimport Reading, read
from urlsm.octets.buffer cimport (
    Buffer, MAX_LENGTH, ascii_data, buffer_copy, buffer_free, buffer_put, buffer_reserve, buffer_start,
    is_ascii, utf8_text,
)
from urlsm.octets.chars cimport ALPHA, SCHEME_CHAR
from urlsm.octets.dots cimport write_without_dots, write_without_pairs
from urlsm.octets.once cimport stay_all
from urlsm.octets.slice cimport Slice
from urlsm.octets.text cimport Octets, octets_of
from urlsm.url.normal cimport is_as_serialized
from urlsm.url.parser cimport error_of, output_encoding, read_octets
from urlsm.url.structs cimport Failure, Offsets
from urlsm.url.value cimport URL, read_url
from urlsm.components.value import dialect_number
from urlsm.octets.objects import url_string

cdef enum DotRule:
    KEEP_DOTS        # the path is written as it is
    REMOVE_DOTS      # RFC 3986 section 5.2.4
    REMOVE_PAIRS     # RFC 2396 section 5.2, step 6 c to f: a ".." without a segment to remove stays


cdef struct Taken:
    # where each component comes from: the machine that split its text, or NULL where it is absent
    const Machine* authority
    const Machine* query
    DotRule dots
    bint merge               # the path is the base's up to its last "/", and the reference's


def resolve(base, ref, dialect="whatwg", *, bint strict=True) -> str:
    """Resolve ref against base; return the text of the result.

    Args:
        base, ref: str, bytes (read as UTF-8) or URL. dialect: "whatwg" gives str(parse(ref, base)), without making
            URLs. "rfc3986" (section 5.2), "rfc2396" (section 5.2; an empty reference is the base without its fragment)
            and "barth" (section 4) keep all as written, but remove dot segments. "stdlib" gives the result of
            urllib.parse.urljoin, which alone takes a base without a scheme. "rfc1738" has no relative references. A
            scheme of rfc3986 and rfc2396 is one by section 3.1, unlike split's: "12:30" is a path.
        strict: False takes a reference with the base's own scheme, "http:g", as relative (RFC 3986 section 5.2.2, RFC
            2396 section 5.2 step 3; the other dialects have rules of their own).

    Raises:
        ParseError: base or ref is not a URL in this dialect, or base has no scheme. ValueError: an unknown dialect; a
            relative reference with "rfc1738"; a refusal of urljoin. TypeError: base or ref is not str, bytes or URL.
    """
    cdef Reading b, r
    cdef Slice base_octets, ref_octets
    cdef uint32_t start, end
    cdef Octets base_text = None, ref_text = None
    cdef const Dialect* rules
    cdef Dialect strict_scheme
    cdef bint plain = type(base) is str and type(ref) is str and is_ascii(base) and is_ascii(ref) \
        and len(<str>base) <= MAX_LENGTH and len(<str>ref) <= MAX_LENGTH
    if dialect == "whatwg":
        return resolve_whatwg(base, ref, plain)
    if dialect == "stdlib":
        from urlsm.stdlib import urljoin
        return urljoin(url_string(base), url_string(ref))
    rules = dialect_at(RFC3986 if dialect == "rfc3986" else dialect_number(dialect))
    if dialect == "rfc3986" or dialect == "rfc2396":
        # "scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )", of which appendix B asks nothing
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
    read_or_raise(&b, base_octets, rules, base, dialect)
    if dialect == "barth":
        trim(ref_octets.p, <uint32_t>ref_octets.n, rules, &start, &end)
        return resolve_barth(&b.m, ref_octets.p, start, end)
    read_or_raise(&r, ref_octets, rules, ref, dialect)
    if dialect == "rfc1738":
        # "relative" URLs are RFC 1808's
        if absent(&r.m, SCHEME):
            raise ValueError("RFC 1738 has no relative references")
        return utf8_text(r.m.text.p, r.m.text.end)
    if absent(&b.m, SCHEME):
        raise relative_base(error_of_text(base, MISSING_SCHEME_NON_RELATIVE_URL, dialect))
    return resolve_2396(&b.m, &r.m, strict) if dialect == "rfc2396" else resolve_3986(&b.m, &r.m, strict)


def resolve_many(base, refs, dialect="whatwg", *, bint strict=True, encoding="utf-8") -> list:
    """Resolve many references, such as a page's links, against one base.

    Args:
        base: str, bytes or URL. refs: an iterable of str, bytes or URL. dialect, strict: as for resolve. encoding: the
            page's, a label of the Encoding Standard or Python's name of one of its encodings: it decodes bytes, and
            encodes the queries of http and https ("whatwg" only).

    Returns:
        A list of str, with None in the place of each reference that does not parse.

    Raises:
        ParseError: base does not parse. ValueError: urljoin refuses it ("stdlib"); an unknown dialect, or "rfc1738",
        which has no references; another dialect than "whatwg" with an encoding. LookupError: no such encoding.
        TypeError: base or a reference is not str, bytes or URL.
    """
    cdef URL whatwg_base
    cdef Offsets o
    cdef Failure failure
    cdef list found = []
    queries = output_encoding(encoding)
    if encoding != "utf-8":
        from urlsm.unicode.encoding import encoding_of, texts_in
        if dialect != "whatwg" and encoding_of(encoding) != "UTF-8":
            raise ValueError(f"only the dialect 'whatwg' encodes queries, not {dialect!r}")
        refs = texts_in(refs, encoding)
    if dialect != "whatwg":
        resolve(base, base, dialect, strict=strict)  # so that later refusals are of the reference
        for ref in refs:
            try:
                found.append(resolve(base, ref, dialect, strict=strict))
            except ValueError:  # urljoin's is not always a ParseError
                found.append(None)
        return found
    whatwg_base = url_of_base(base)
    for ref in refs:
        if type(ref) is str and is_ascii(ref) and len(<str>ref) <= MAX_LENGTH:
            found.append(read_octets(ascii_data(ref), len(<str>ref), <str>ref, whatwg_base.href, &whatwg_base.o,
                                     queries, &o, &failure, NULL))
        else:
            url = read_url(octets_of(ref, False), whatwg_base, queries, &failure, NULL)
            found.append(None if url is None else (<URL>url).href)
    return found


def same_document(base, ref, dialect="rfc3986") -> bool:
    """Return whether a reference names the document that holds it, so that nothing need be retrieved.

    rfc2396: it is empty or only a fragment (section 4.2). rfc3986: it resolves to the base, without fragments (section
    4.4). whatwg: the same, with parsed URLs.

    Args:
        base, ref: str, bytes or URL. dialect: "rfc3986", "rfc2396", "barth" or "whatwg".

    Raises:
        ParseError: base or ref is not a URL in this dialect. ValueError: an unknown dialect, or "rfc1738", which has no
            references. TypeError: an argument is not str, bytes or URL.
    """
    from urlsm.components.value import split
    if dialect == "rfc1738":
        raise ValueError("RFC 1738 has no relative references")
    if dialect == "rfc2396":
        c = split(ref, dialect)
        return c.scheme is None and c.authority is None and not c.path and c.query is None
    return resolve(base, ref, dialect).partition("#")[0] == resolve(base, "", dialect).partition("#")[0]


cdef str resolve_whatwg(base, ref, bint plain):
    """Return str(parse(ref, base)), without a URL object if both are plain text and the base is in normal form."""
    cdef Reading r
    cdef Offsets base_offsets, o
    cdef Failure failure
    cdef str href
    if plain:
        if read_link(&r, ascii_data(base), len(<str>base)) and is_as_serialized(&r, len(<str>base), &base_offsets):
            href = read_octets(ascii_data(ref), len(<str>ref), <str>ref, <str>base, &base_offsets, None, &o, &failure,
                               NULL)
            if href is None:
                raise error_of(ref, &failure)
            return href
    return (<URL>url_of_base(base)).join(ref).href


cdef object relative_base(object error):
    """Return the error of a base without a scheme, which says what takes one."""
    said = "the base" if url_string(error.url).strip() else "the base, which is empty"
    error.hint = f'. Here it is {said}; only resolve(base, ref, "stdlib") takes a relative one, as urljoin does'
    return error


def url_of_base(base) -> URL:
    """Return a base as a URL. ParseError: it is none, and says that it is the base."""
    cdef Failure failure
    if type(base) is URL:
        return base
    found = read_url(octets_of(base, False), None, None, &failure, NULL)
    if found is None:
        error = error_of(base, &failure)
        raise relative_base(error) if failure.code == MISSING_SCHEME_NON_RELATIVE_URL else error
    return found


cdef inline bint read_link(Reading* r, const uint8_t* p, uint32_t n) noexcept:
    """Read by the URL Standard. For a long text, other threads run meanwhile."""
    cdef bint done
    if n <= LONG_TEXT:
        return read(r, p, n, dialect_at(WHATWG), WHOLE)
    with nogil:
        done = read(r, p, n, dialect_at(WHATWG), WHOLE)
    return done


cdef inline int read_or_raise(Reading* r, Slice text, const Dialect* rules, given, dialect) except -1:
    """Read by the machine. ParseError if the dialect refuses the text."""
    cdef Failure failure
    if not read(r, text.p, <uint32_t>text.n, rules, BY_MACHINE):
        failure.removed_from = -1
        failure.code, failure.step, failure.at = r.m.error, r.m.error_step, r.m.error_at
        raise error_in(given, &failure, dialect)
    return 0


cdef inline bint is_absolute(const Machine* b, const Machine* r, bint strict) noexcept nogil:
    """Return whether the reference has a scheme of its own. Unless strict, the base's scheme does not count.

    "if (not strict and (R.scheme == Base.scheme)) then undefine(R.scheme)"
    """
    if absent(r, SCHEME):
        return False
    return strict or length(b, SCHEME) != length(r, SCHEME) \
        or not same_text(octets(b, SCHEME), octets(r, SCHEME), length(b, SCHEME))


cdef str resolve_3986(const Machine* b, const Machine* r, bint strict):
    """RFC 3986 section 5.2.2."""
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
    """RFC 2396 section 5.2."""
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
    """RFC 3986 section 5.3, RFC 2396 section 5.2 step 7."""
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
            # a gap in both RFCs: it would be read as an authority. "/." precedes it, as in the URL serializer
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
    """RFC 3986 section 5.2.3."""
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


stay_all(globals())
