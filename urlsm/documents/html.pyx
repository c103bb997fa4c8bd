"""The base URL of a document: RFC 3986 section 5.1, and the <base href> within HTML.

HTML is read as its tokenizer reads it (https://html.spec.whatwg.org/#tokenization), in one pass from "<" to "<":
tags with their attributes, comments, and elements whose content is text. No tree is built.
"""
from libc.stdint cimport uint8_t
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from urlsm.documents.extent cimport class_at, find, octet
from urlsm.machine.special cimport is_listed, same_letters
from urlsm.octets.chars cimport ALPHA
from urlsm.octets.slice cimport Slice
from urlsm.octets.text cimport exact
from urlsm.url.value cimport URL
from urlsm.url.value import parse, try_parse

# Elements whose content has no tags: script data, RAWTEXT and RCDATA. Not noscript: no scripts run here.
cdef const char* RAW = " script style textarea title xmp iframe noembed noframes "
# After one of these start tags, elements are HTML's again: what foreign content may not hold, or has HTML within.
cdef const char* ENDS_FOREIGN = (
    b" b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta"
    b" nobr ol p pre ruby s small span strong strike sub sup table tt u ul var foreignobject desc annotation-xml "
)


cdef inline bint is_space(uint8_t c) noexcept nogil:
    return c == 32 or 9 <= c <= 13 and c != 11


cdef inline bint ends_name(uint8_t c) noexcept nogil:
    return is_space(c) or c == c'/' or c == c'>'


cdef struct Tag:
    size_t name, name_end
    size_t href, href_end    # the value of the first attribute of that name
    bint has_href
    size_t end               # after ">"; 0: the document ends within the tag


cdef size_t comment_end(const Slice* t, size_t start) noexcept nogil:
    """Return the end of the comment whose "<!--" ends at start; the document's end if nothing closes it."""
    cdef size_t i = start, n
    # "<!-->" and "<!--->" are comments
    if octet(t, i) == c'>' or octet(t, i) == c'-' and octet(t, i + 1) == c'>':
        return find(t, i, c'>') + 1
    while True:
        i = find(t, i, c'>') + 1
        if i > t.n:
            return t.n
        n = i - start
        if n > 2 and t.p[i - 2] == c'-' and t.p[i - 3] == c'-' \
                or n > 3 and t.p[i - 2] == c'!' and t.p[i - 3] == c'-' and t.p[i - 4] == c'-':
            return i


cdef size_t raw_end(const Slice* t, size_t i, const uint8_t* name, size_t n) noexcept nogil:
    """Return the start of the first end tag of that name at or after i, or the document's end."""
    if n == 6 and same_name(name, b"script", 6):
        return script_end(t, i)
    while True:
        i = find(t, i, c'<')
        if t.n - i < n + 3:
            return t.n
        if t.p[i + 1] == c'/' and ends_name(t.p[i + 2 + n]) and same_name(t.p + i + 2, name, n):
            return i
        i += 1


cdef size_t script_end(const Slice* t, size_t i) noexcept nogil:
    """Return the same for script data: "</script" does not end it after "<!--" and "<script", which "-->" ends
    (#script-data-double-escaped-state)."""
    cdef bint escaped = False, doubled = False, closing
    while i + 8 < t.n:
        if t.p[i] == c'-' and t.p[i + 1] == c'-' and t.p[i + 2] == c'>':
            escaped = doubled = False
        elif t.p[i] == c'<' and t.p[i + 1] == c'!' and t.p[i + 2] == c'-' and t.p[i + 3] == c'-':
            escaped = True
            i += 1  # its dashes may be those of "-->"
        elif t.p[i] == c'<':
            closing = t.p[i + 1] == c'/'
            if same_name(t.p + i + 1 + closing, b"script", 6) and ends_name(t.p[i + 7 + closing]):
                if closing and not doubled:
                    return i
                doubled = escaped and not closing
        i += 1
    return t.n


cdef inline bint same_name(const uint8_t* p, const uint8_t* q, size_t n) noexcept nogil:
    cdef size_t k
    for k in range(n):
        if p[k] | 0x20 != q[k] | 0x20:  # q has letters only
            return False
    return True


cdef inline size_t over_space(const Slice* t, size_t i) noexcept nogil:
    while i < t.n and is_space(t.p[i]):
        i += 1
    return i


cdef size_t attribute(const Slice* t, size_t name, Tag* tag) noexcept nogil:
    """Return the end of the attribute whose name begins there. A value without a closing quote is endless."""
    cdef size_t name_end = name + 1, value, end, after  # a "=" at the beginning belongs to the name
    while name_end < t.n and not ends_name(t.p[name_end]) and t.p[name_end] != c'=':
        name_end += 1
    value = end = after = name_end
    if octet(t, over_space(t, name_end)) == c'=':
        value = over_space(t, over_space(t, name_end) + 1)
        if octet(t, value) == c'"' or octet(t, value) == c"'":
            value += 1
            end = find(t, value, t.p[value - 1])
            after = end + 1
        else:
            end = value
            while end < t.n and not is_space(t.p[end]) and t.p[end] != c'>':
                end += 1
            after = end
    # "If there is already an attribute on the token with the exact same name, then [...] the new attribute must be
    # removed from the token."
    if not tag.has_href and name_end - name == 4 and same_letters(t.p + name, b"href", 4):
        tag.has_href, tag.href, tag.href_end = True, value, end
    return after


cdef void read_tag(const Slice* t, size_t i, Tag* tag) noexcept nogil:
    """Read the tag whose name begins at i."""
    tag.name = i
    while i < t.n and not ends_name(t.p[i]):
        i += 1
    tag.name_end = i
    tag.has_href = False
    tag.href = tag.href_end = tag.end = 0
    while i < t.n:
        if t.p[i] == c'>':
            tag.end = i + 1
            return
        i = i + 1 if is_space(t.p[i]) or t.p[i] == c'/' else attribute(t, i, tag)


cdef inline bint is_named(const Slice* t, const Tag* tag, const char* names) noexcept nogil:
    return tag.name_end - tag.name < 16 and is_listed(names, t.p + tag.name, <unsigned int>(tag.name_end - tag.name))


cdef bint may_have_base(const Slice* t) noexcept nogil:
    """Return whether "<base" stands anywhere: each tag that find_base takes begins so. Most documents have none, and
    this is five times as fast."""
    cdef size_t i = 0
    while True:
        i = find(t, i, c'<') + 1
        if i + 4 > t.n:
            return False
        if same_letters(t.p + i, b"base", 4):
            return True


cdef bint find_base(const Slice* t, Tag* tag) noexcept nogil:
    """Find the first base element with a href that is not in a template, nor of SVG or MathML."""
    cdef size_t i = 0, templates = 0, foreign = 0
    cdef bint closing
    while True:
        i = find(t, i, c'<') + 1
        if i >= t.n:
            return False
        closing = t.p[i] == c'/'
        if class_at(t, i + closing) & ALPHA:
            read_tag(t, i + closing, tag)
            if tag.end == 0:
                return False
            i = tag.end
            if is_named(t, tag, " template "):
                templates += 1 if not closing else -1 if templates else 0
            elif is_named(t, tag, " svg math "):
                if not closing:
                    foreign += t.p[i - 2] != c'/'
                elif foreign:
                    foreign -= 1
            elif closing:
                continue
            elif foreign and is_named(t, tag, ENDS_FOREIGN):
                foreign = 0
            elif is_named(t, tag, RAW):
                i = raw_end(t, i, t.p + tag.name, tag.name_end - tag.name)
            elif is_named(t, tag, " plaintext "):
                return False
            elif not templates and not foreign and tag.has_href and is_named(t, tag, " base "):
                return True
        elif t.p[i] == c'!' and octet(t, i + 1) == c'-' and octet(t, i + 2) == c'-':
            i = comment_end(t, i + 3)
        elif closing or t.p[i] == c'!' or t.p[i] == c'?':  # doctype, or "bogus comment"
            i = find(t, i + closing, c'>')


def _resolved(str text not None):
    """Return the value of an attribute, with its character references resolved.

    A reference without ";" before "=", a letter or a digit is text.
    https://html.spec.whatwg.org/#named-character-reference-state
    """
    if "&" not in text:
        return text
    from re import sub
    return sub(r"&(#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[A-Za-z][A-Za-z0-9]*(?:;|(?![=A-Za-z0-9])))", _referred, text)


def _referred(found):
    from html import unescape
    from html.entities import html5
    if found[1][0] != "#":
        return html5.get(found[1], found[0])
    return "\ufffd" if len(found[0]) > 12 else unescape(found[0])  # int() refuses very long ones


def base_in(octets, URL fallback, str queries not None):
    """Return the base that an HTML page names, or fallback (#set-the-frozen-base-url). octets: the page in UTF-8, lone
    surrogates too. queries: the name of the encoding of its queries."""
    cdef Slice t
    cdef Tag tag
    t.p = <const uint8_t*>PyBytes_AS_STRING(octets)
    t.n = PyBytes_GET_SIZE(octets)
    if not may_have_base(&t) or not find_base(&t, &tag):
        return fallback
    href = _resolved(octets[tag.href:tag.href_end].decode("utf-8", "surrogatepass"))
    url = try_parse(href, fallback) if queries == "UTF-8" else try_parse(href, fallback, query_encoding=queries)
    # "If any of the following are true: urlRecord is failure; urlRecord's scheme is "data" or "javascript"; [...]
    # then set element's frozen base URL to document's fallback base URL and return."
    return fallback if url is None or url.scheme in ("data", "javascript") else url


cdef URL embedded_base(object document, URL fallback, object encoding):
    """Return the same of a page as it was given."""
    cdef Slice t
    from urlsm.unicode.encoding import in_utf8, output_encoding
    if isinstance(document, bytes) and type(document) is not bytes:
        document = bytes.__getitem__(document, slice(None))  # a subclass's own methods do not count
    if not isinstance(document, bytes):
        return base_in(exact(document).encode("utf-8", "surrogatepass"), fallback,
                       output_encoding("utf-8" if encoding is None else encoding))
    if encoding is None:
        t.p = <const uint8_t*>PyBytes_AS_STRING(document)
        t.n = PyBytes_GET_SIZE(document)
        if not t.n or t.p[0] in (0, 0xFE, 0xFF) or octet(&t, 1) == 0 or may_have_base(&t):  # UTF-16, or "<base"
            from urlsm.documents.prescan import declared_encoding
            encoding = declared_encoding(document) or "utf-8"
        else:
            return fallback
    octets, queries = in_utf8(document, encoding)
    return base_in(octets, fallback, queries)


def base_of(document=None, enclosing=None, retrieved=None, default=None, *, encoding=None):
    """Return the base URL of a document, against which its references are resolved: a URL without fragment, or None.

    It is the first given of these arguments; each may be relative to the next ones.

    Args:
        document: HTML, as str or bytes. Its first <base> with a href counts, if the href is a URL and its scheme is
            neither data nor javascript. A <base> in a comment, script or other raw text, template, SVG or MathML does
            not count.
        enclosing: the base URL of the enclosing entity, such as the Content-Location of a MIME part.
        retrieved: the URL that the document was retrieved from, after redirections.
        default: the application's default.
        encoding: the document's, a label of the Encoding Standard or Python's name of one of its encodings; None: of
            bytes what their first 1,024 name in a <meta> (HTML's prescan), or else UTF-8. A byte order mark outdoes
            both.

    enclosing, retrieved and default are URL, str, bytes or None.

    Raises:
        ParseError: one of those three does not parse. LookupError: no such encoding. TypeError: an argument of a
        wrong type.

    RFC 3986 section 5.1 and RFC 2396 section 5.1; https://html.spec.whatwg.org/#the-base-element
    """
    cdef URL base = None
    for given in (default, retrieved, enclosing):
        if given is not None:
            base = parse(given, base)
    if document is not None:
        base = embedded_base(document, base, encoding)
    return None if base is None else base.without_fragment()
