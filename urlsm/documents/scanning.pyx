"""Finds, unwraps and parses URLs in plain text, and finds the base URL that an HTML page declares.

Every URL has a ":" after its scheme, so the scan of a text goes from colon to colon (and, for guesses, from dot to dot)
and looks at the text around each of them. Each step begins where the previous step stopped, so the whole scan is one
pass. What must follow a scheme is its "form": "//" and an authority (SLASHES), or a regular expression that the
scheme's handler gives (in_text, schemes/contract.py). See RFC 3986 appendix C, and RFC 2396 appendixes E and F.

HTML is read in one pass from "<" to "<", as the standard's tokenizer reads it
(https://html.spec.whatwg.org/#tokenization). The pass reads tags with their attributes, comments, and elements whose
content is text. It builds no tree.

In this file, t is the whole text, and i, start, end and so on are indices of its octets. `floor` is where a search
backwards has to stop.

This is one file of 1,200 lines, because most of it is inlined into the scan, and both halves step through octets in the
same way.
"""
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport uint32_t, uint8_t
from urlsm.machine.special cimport FILE, NOT_SPECIAL, SchemeKind, is_listed, same_letters, scheme_kind
from urlsm.octets.buffer cimport ascii_data, ascii_text, is_ascii
from urlsm.octets.chars cimport ALPHA, C0_OR_SPACE, CLASS, DIGIT, HEX, SCHEME_CHAR
from urlsm.octets.find cimport find as find_octet
from urlsm.octets.once cimport stay_all
from urlsm.octets.slice cimport Slice
from urlsm.octets.text cimport exact, octets_of
from urlsm.url.slots cimport add_member, set_name
from urlsm.url.structs cimport Failure
from urlsm.url.value cimport URL, read_url, url_of_base
from urlsm.octets.objects import url_text
from urlsm.url.value import parse, try_parse

cdef extern from "documents/running.h" nogil:
    const uint8_t EFFECT "URLSM_EFFECT"[256]
    const uint8_t ENDS "URLSM_ENDS"
    const uint8_t MULTI "URLSM_MULTI"
    const uint8_t OPENS "URLSM_OPENS"
    const uint8_t CLOSES "URLSM_CLOSES"
    const uint8_t TRAILS "URLSM_TRAILS"
    const uint8_t SERVER "URLSM_SERVER"
    const uint8_t LOOK "URLSM_LOOK"
    const uint8_t NAME "URLSM_NAME"


cdef enum:
    MOST_WIDE = 8  # how many nested full-width brackets a URL may have


cdef inline uint8_t octet(const Slice* t, size_t i) noexcept nogil:
    """Return the octet at i, or a space if i is not within the text."""
    return t.p[i] if i < t.n else 32


cdef inline uint32_t class_at(const Slice* t, size_t i) noexcept nogil:
    return CLASS[octet(t, i)]


cdef inline size_t find(const Slice* t, size_t i, uint8_t wanted) noexcept nogil:
    """Return the first place at or after i with the octet `wanted`, or the end of the text."""
    return find_octet(t.p + i, t.p + t.n, wanted) - t.p


# --- characters that are not ASCII ----------------------------------------------------------------

cdef inline uint32_t character(const Slice* t, size_t i, size_t* size) noexcept nogil:
    """Return the character that begins at i, and set *size to its number of octets. An octet that is not UTF-8 counts
    as U+FFFD with one octet."""
    cdef uint32_t code = t.p[i]
    cdef size_t k, more = 1 if 0xC2 <= code < 0xE0 else 2 if 0xE0 <= code < 0xF0 else 3 if 0xF0 <= code < 0xF5 else 0
    size[0] = 1
    if more == 0 or t.n - i <= more:
        return 0xFFFD
    code &= 0x3F >> more
    for k in range(1, more + 1):
        if t.p[i + k] & 0xC0 != 0x80:
            return 0xFFFD
        code = code << 6 | (t.p[i + k] & 0x3F)
    size[0] = more + 1
    return code


cdef inline bint is_punctuation(uint32_t code) noexcept nogil:
    """Return whether a character that is not ASCII ends a URL. White space, quotation marks and invisible marks of
    direction end a URL, and so do the full-width and ideographic marks that end a clause in scripts without spaces."""
    if code < 0x2000:
        return code <= 0xA0 or code == 0xAB or code == 0xBB or code == 0x1680 \
            or code == 0x060C or code == 0x061B or code == 0x061F or code == 0x06D4 or 0x0964 <= code <= 0x0965
    if code < 0x3000:  # U+200C and U+200D do not end a URL, since they join letters
        return code <= 0x200B or 0x200E <= code <= 0x200F or 0x2018 <= code <= 0x201F or code == 0x2026 \
            or 0x2028 <= code <= 0x202F or 0x2039 <= code <= 0x203A or 0x205F <= code <= 0x2069
    if code < 0x3100:  # U+3005 to U+3007 do not end a URL, since they are read as letters
        return code <= 0x3004 or 0x3008 <= code <= 0x301F or code == 0x3030
    return code == 0xFEFF or 0xFF01 <= code <= 0xFF0F or 0xFF1A <= code <= 0xFF20 or 0xFF3B <= code <= 0xFF40 \
        or 0xFF5B <= code <= 0xFF65


cdef inline uint32_t closing_of(uint32_t code) noexcept nogil:
    """Return the character that closes a full-width or ideographic bracket; 0 if `code` is not an opening bracket."""
    if 0x3008 <= code < 0x301C:  # U+3012 and U+3013 are not brackets
        return code + 1 if code & 1 == 0 and code != 0x3012 else 0
    if code == 0xFF08 or code == 0xFF5F or code == 0xFF62:
        return code + 1
    return code + 2 if code == 0xFF1C or code == 0xFF3B or code == 0xFF5B else 0


cdef inline size_t over(const Slice* t, size_t i) noexcept nogil:
    """Return the place after the character at i, which is not ASCII; or i itself if the character ends a URL."""
    cdef size_t size = 1
    return i if is_punctuation(character(t, i, &size)) else i + size


# --- the extent of a URL --------------------------------------------------------------------------

cdef inline size_t scheme_start(const Slice* t, size_t floor, size_t colon) noexcept nogil:
    """Return the start of the scheme that ends at `colon`; `colon` if no scheme ends there. A scheme is a letter and
    scheme characters after it. It may begin after "+", "-" or ".", but not after a digit, where it would be in the
    middle of a word."""
    cdef size_t i = colon
    while i > floor and CLASS[t.p[i - 1]] & SCHEME_CHAR:
        i -= 1
    while i < colon and not CLASS[t.p[i]] & (ALPHA | DIGIT):
        i += 1
    return i if class_at(t, i) & ALPHA else colon


cdef inline size_t literal_end(const Slice* t, size_t i) noexcept nogil:
    """Return the place after the "]" of the IP literal whose "[" is at i; or i itself if no IP literal is there."""
    cdef size_t k = i + 1
    while class_at(t, k) & HEX or octet(t, k) == c':' or octet(t, k) == c'.':
        k += 1
    return k + 1 if octet(t, k) == c']' else i


cdef inline bint may_follow_port(const Slice* t, size_t i) noexcept nogil:
    """Return whether the text from i on may be the port after a colon. The port may be empty before "/", "?" or
    "#"."""
    return class_at(t, i) & DIGIT or octet(t, i) == c'/' or octet(t, i) == c'?' or octet(t, i) == c'#'


cdef inline size_t authority_end(const Slice* t, size_t i, bint special, bint* cut) noexcept nogil:
    """Return the end of the authority that begins at i. Sets *cut to whether the authority, and so the URL, ends at a
    character that a host cannot hold. Such a character counts only after the last "@", since user information may hold
    it. A list of hosts, with commas, is read only if the scheme is not special."""
    cdef size_t host = i, stop = t.n, after
    cut[0] = False
    while i < t.n:
        c = t.p[i]
        if EFFECT[c] & ENDS or c == c'/' or c == c'?' or c == c'#':
            break
        if EFFECT[c] & MULTI:
            after = over(t, i)
            if after == i:
                break
            i = after
            continue
        if c == c'@':
            host, cut[0] = i + 1, False
        elif c == c'[' and i == host and literal_end(t, i) > i:
            i = literal_end(t, i)
            continue
        elif not cut[0] and not (EFFECT[c] & SERVER and (c != c':' or may_follow_port(t, i + 1))) \
                and not (c == c',' and not special and class_at(t, i + 1) & (ALPHA | DIGIT)):
            stop, cut[0] = i, True
        i += 1
    return stop if cut[0] else i


cdef inline size_t list_item_end(const Slice* t, size_t start, size_t colon) noexcept nogil:
    """If `colon` belongs to the next URL in a list ("http://a/,http://b/"), return the end of the URL before it;
    otherwise 0. start: where the search for the next URL's scheme has to stop."""
    cdef size_t i
    if octet(t, colon + 1) != c'/' or octet(t, colon + 2) != c'/':
        return 0
    i = scheme_start(t, start, colon)
    if i == colon or i == start or (t.p[i - 1] != c',' and t.p[i - 1] != c';' and t.p[i - 1] != c'|'):
        return 0
    return i - 1


cdef inline size_t body_end(const Slice* t, size_t i, uint8_t quote) noexcept nogil:
    """Return the end of a URL whose path, query, fragment or opaque part begins at i. quote: a further octet that ends
    the URL, or 0. An opening full-width bracket ends the URL, unless its closing bracket follows within the URL. At
    most MOST_WIDE of these brackets may be open, so that many URLs after brackets that are never closed take linear
    time."""
    cdef size_t start = i, size = 1, after, outermost = 0
    cdef uint32_t[4] depth   # the number of open brackets of each kind; octet >> 5 is the index of a kind
    cdef uint32_t[MOST_WIDE] closing
    cdef uint32_t code, wide = 0
    cdef uint8_t c
    depth[1] = depth[2] = depth[3] = 0
    while True:
        while i < t.n and not EFFECT[t.p[i]] & LOOK:
            i += 1
        if i == t.n:
            break
        c = t.p[i]
        if EFFECT[c] & ENDS or c == quote:
            break
        if EFFECT[c] & MULTI:
            code = character(t, i, &size)
            if is_punctuation(code):
                if wide and code == closing[wide - 1]:
                    wide -= 1
                elif i > start and wide < MOST_WIDE and closing_of(code):  # a bracket right after the host ends the URL
                    if wide == 0:
                        outermost = i
                    closing[wide] = closing_of(code)
                    wide += 1
                else:
                    break
            i += size
            continue
        if EFFECT[c] & OPENS:
            if c == c'[' and octet(t, i + 1) == c'/':  # the URL is in [url]...[/url]
                break
            depth[c >> 5] += 1
        elif EFFECT[c] & CLOSES:
            if depth[c >> 5] == 0:
                break
            depth[c >> 5] -= 1
        elif c == c':':
            after = list_item_end(t, start, i)
            if after:
                i = after
                break
        i += 1
    return outermost if wide else i


cdef inline size_t entity_start(const Slice* t, size_t floor, size_t semicolon) noexcept nogil:
    """Return the start of the named character reference, such as "&gt;", that ends with the semicolon at `semicolon`;
    return `semicolon` if none ends there."""
    cdef size_t i = semicolon
    while i > floor and CLASS[t.p[i - 1]] & (ALPHA | DIGIT):
        i -= 1
    return i - 1 if floor < i < semicolon and t.p[i - 1] == c'&' else semicolon


cdef inline bint is_emphasis(uint8_t c) noexcept nogil:
    return c == c'*' or c == c'_' or c == c'~'


cdef inline size_t trimmed_end(const Slice* t, size_t floor, size_t end, uint8_t emphasis) noexcept nogil:
    """Return the end of a URL without the punctuation at its end, which belongs to the sentence. floor: nothing before
    this place is removed. emphasis: the character before the URL; if it marks emphasis, as in **http://h/**, it is also
    removed from the end of the URL."""
    cdef uint8_t c
    while end > floor:
        c = t.p[end - 1]
        if c == c';':
            end = entity_start(t, floor, end - 1)
        elif EFFECT[c] & TRAILS or (c == emphasis and is_emphasis(c)):
            end -= 1
        else:
            break
    return end


cdef inline size_t bracket_end(const Slice* t, size_t i) noexcept nogil:
    """Return the place of the next ">" at or after i, which closes the angle brackets around i; 0 if a "<", a double
    quote or the end of the text comes first."""
    while i < t.n and t.p[i] != c'<' and t.p[i] != c'"':
        if t.p[i] == c'>':
            return i
        i += 1
    return 0


# --- what follows "scheme:": the rest of a URL, or prose ("news: today", "data:x") ----------------
# If an authority follows "scheme:", the text is a URL. Otherwise the form that the scheme's handler gives decides.

cdef enum:
    LOOK_AT = 600  # the number of octets in which a form must match; none of our forms needs more


cdef inline bint goes_on(const Slice* t, size_t i) noexcept nogil:
    """Return whether the character at i is a letter, a digit, "%", "_" or not ASCII."""
    return class_at(t, i) & (ALPHA | DIGIT) or EFFECT[octet(t, i)] & MULTI or octet(t, i) == c'%' or octet(t, i) == c'_'


cdef inline bint has_slashes(const Slice* t, size_t i) noexcept nogil:
    return octet(t, i) == c'/' and octet(t, i + 1) == c'/'


cdef inline bint has_authority(const Slice* t, size_t i, bint special) noexcept nogil:
    """Return whether "//" and the beginning of an authority are at i. If the scheme is not special, the authority may
    be empty; the path after it may begin with one or two slashes (sqlite:////a)."""
    if not has_slashes(t, i):
        return False
    i += 2
    if octet(t, i) == c'/' and not special:
        i += 2 if octet(t, i + 1) == c'/' else 1
    return goes_on(t, i) or octet(t, i) == c'[' or octet(t, i) == c'-' or octet(t, i) == c'~' or octet(t, i) == c':'


# --- guesses: which names are hosts ("www.example.org") -------------------------------------------

cdef inline bint is_host(const Slice* t, size_t floor, size_t start, size_t end) noexcept nogil:
    """Return whether the name in [start, end) is most likely a host, and not a part of something else. The text before
    `floor` is ignored."""
    cdef size_t i, label = start, labels = 1, size = 1
    cdef bint www = end - start > 4 and same_letters(t.p + start, b"www.", 4), alone = True
    cdef uint8_t before = octet(t, start - 1) if start > floor else 32, after = octet(t, end)
    if before == c'\\' or not (EFFECT[before] & (ENDS | MULTI | OPENS | TRAILS) or before == c'='
                               or is_emphasis(before) and not (start - 1 > floor
                                                               and EFFECT[t.p[start - 2]] & NAME)):
        return False
    if EFFECT[after] & OPENS or not (EFFECT[after] & (ENDS | MULTI | CLOSES | TRAILS) or after == c'/'
                                     or after == c'#'
                                     or is_emphasis(after) and not EFFECT[octet(t, end + 1)] & NAME):
        return False
    if EFFECT[after] & MULTI:
        alone = is_punctuation(character(t, end, &size))
    if after == c':' and not (class_at(t, end + 1) & DIGIT
                              or EFFECT[octet(t, end + 1)] & (ENDS | CLOSES | TRAILS)):
        return False  # this colon is the end of a scheme
    if EFFECT[before] & MULTI:
        i = start - 1
        while i > floor and t.p[i] & 0xC0 == 0x80:
            i -= 1
        alone = alone and is_punctuation(character(t, i, &size))
    if not alone and not www:  # a name beside a letter beyond ASCII may be a piece of a longer name
        return False
    for i in range(start, end):
        if t.p[i] == c'.':
            if i == label:
                return False
            label = i + 1
            labels += 1
    for i in range(label, end):
        if not CLASS[t.p[i]] & ALPHA:
            return False
    if www:
        return labels > 2 and end - label > 1
    # the last label is a well-known ending, or has two letters: it may be a country, but also the extension of a file
    return is_listed(b" com org net edu gov info biz ", t.p + label, end - label) and labels > 1 \
        or end - label == 2 and (labels > 2 or labels == 2 and after == c'/')


# --- guesses: e-mail addresses --------------------------------------------------------------------

cdef enum:
    MOST_LOCAL = 64    # the maximal length in octets: RFC 5321 section 4.5.3.1
    MOST_DOMAIN = 255


cdef inline bint is_local(uint8_t c) noexcept nogil:
    """Return whether the local part of an address may contain this octet. Of RFC 5322's atext, only the characters that
    people use count."""
    return CLASS[c] & (ALPHA | DIGIT) or c == c'.' or c == c'_' or c == c'+' or c == c'-' or c == c'%' or c == c"'" \
        or c == c'~'


cdef inline bint parts_words(const Slice* t, size_t i) noexcept nogil:
    """Return whether the character at i, which is not ASCII, separates an address from other words: punctuation, a
    picture, or a letter of a script without spaces. Any other letter may be a part of the address."""
    cdef size_t size = 1
    cdef uint32_t code = character(t, i, &size)
    return is_punctuation(code) or 0x2E80 <= code < 0xD800 or 0xF900 <= code < 0xFB00 or code >= 0x1F000


cdef inline size_t address_start(const Slice* t, size_t floor, size_t at) noexcept nogil:
    """Return where the address whose "@" is at `at` begins; `at` itself if this "@" does not belong to an address."""
    cdef size_t i = at
    while i > floor and at - i <= 2 * MOST_LOCAL and is_local(t.p[i - 1]) and not (t.p[i - 1] == c'.' == t.p[i]):
        i -= 1
    if i > floor and (t.p[i - 1] == c'/' or t.p[i - 1] == c'@'):
        return at
    if i > floor and t.p[i - 1] & 0x80:
        floor, i = i, i - 1
        while i > 0 and t.p[i] & 0xC0 == 0x80:
            i -= 1
        if not parts_words(t, i):
            return at
        i = floor
    while i < at and not (CLASS[t.p[i]] & (ALPHA | DIGIT) or t.p[i] == c'_'):
        i += 1
    return at if at - i > MOST_LOCAL or t.p[at - 1] == c'.' else i


cdef inline size_t address_end(const Slice* t, size_t at) noexcept nogil:
    """Return where the address whose "@" is at `at` ends, after a domain of two or more labels; `at` itself if no such
    domain follows."""
    cdef size_t end = at + 1, i, label = at + 1, labels = 1
    cdef uint8_t after
    while EFFECT[octet(t, end)] & NAME:
        end += 1
        if end - at > MOST_DOMAIN:
            return at
    while end > label and not CLASS[t.p[end - 1]] & (ALPHA | DIGIT):
        end -= 1
    after = octet(t, end)
    if after == c'@' or after == c'_' or after == c'/' \
            or after == c':' and (octet(t, end + 1) == c'/' or class_at(t, end + 1) & (ALPHA | DIGIT)):
        return at  # this may be git@github.com:owner/name
    if after & 0x80 and not parts_words(t, end):
        return at
    for i in range(label, end + 1):
        if i == end or t.p[i] == c'.':
            if i == label or i - label > 63 or t.p[label] == c'-' or t.p[i - 1] == c'-':
                return at
            if i < end:
                label = i + 1
                labels += 1
    if labels < 2 or end - label < 2 \
            or is_listed(b" png jpg jpeg gif svg webp avif ico bmp ", t.p + label, end - label):
        return at  # this may be logo@2x.png
    if end - label > 4 and same_letters(t.p + label, b"xn--", 4):
        return end
    for i in range(label, end):
        if not CLASS[t.p[i]] & ALPHA:
            return at
    return end


# --- a match --------------------------------------------------------------------------------------

@cython.final
@cython.freelist(64)
@cython.no_gc  # a UrlMatch is never in a reference cycle
@cython.binding(False)
cdef class UrlMatch:
    """A URL that `extract_urls` found. Immutable; str() returns `text`.

    Attributes:
        url: the urlsm.URL. If the scheme is a guess, the URL has the guessed scheme.
        text: the URL as written, but without white space, which is only allowed in angle brackets.
        start: the index at which the URL starts in the text, after delimiters and "URL:", in characters (in bytes, if
            the text is bytes).
        end: the index at which it ends.
        guessed: whether the scheme is a guess ("www.example.org/x", "joe@example.org").

    Example:
        >>> [match] = extract_urls("See <https://example.org/>.")
        >>> match.start, match.end, match.text
        (5, 25, 'https://example.org/')
    """
    cdef URL url
    cdef str text
    cdef readonly Py_ssize_t start
    cdef readonly Py_ssize_t end
    cdef readonly bint guessed

    def __init__(self):
        raise TypeError("a UrlMatch cannot be made directly: extract_urls makes them")

    cdef tuple values(self):
        return self.url, self.text, self.start, self.end, self.guessed

    def __eq__(self, other):
        return self.values() == (<UrlMatch>other).values() if type(other) is UrlMatch else NotImplemented

    def __hash__(self):
        return hash(self.values())

    def __str__(self):
        return self.text

    def __repr__(self):
        return f"<UrlMatch {self.start}:{self.end} {self.url!r}{' (a guess)' if self.guessed else ''}>"

    def __reduce__(self):
        return _match, self.values()


cdef extern from *:
    """
    #define URLSM_MATCH_AT(match, member) URLSM_OFFSET(match, member)
    """
    const int in_url "url", in_text "text"
    Py_ssize_t offset_of "URLSM_MATCH_AT"(UrlMatch match, int member) noexcept


add_member(UrlMatch, "url", offset_of(UrlMatch.__new__(UrlMatch), in_url), "The urlsm.URL; a guess is completed.")
add_member(UrlMatch, "text", offset_of(UrlMatch.__new__(UrlMatch), in_text), "The URL as written.")
set_name(UrlMatch, "urlsm.documents.UrlMatch")


def _match(URL url not None, str text not None, Py_ssize_t start, Py_ssize_t end, bint guessed):
    """Return a UrlMatch with these attributes. Unpickling a UrlMatch calls this function."""
    cdef UrlMatch match = UrlMatch.__new__(UrlMatch)
    match.url, match.text, match.start, match.end, match.guessed = url, text, start, end, guessed
    return match


# --- the scan -------------------------------------------------------------------------------------

cdef enum:
    MAX_NAME = 64  # the maximal length of a scheme with "_", in octets

cdef object SLASHES = object()  # the form of a scheme that requires "//" and an authority


@cython.final
@cython.no_gc
@cython.binding(False)
cdef class Matches:
    """The iterator that extract_urls returns."""
    cdef object given        # the text: exact str, or bytes
    cdef object owner        # the object that holds the octets of t: `given` itself, or `given` in UTF-8
    cdef Slice t
    cdef bint octets_count   # whether positions count octets; otherwise they count characters
    cdef size_t at           # the octet up to which characters were counted
    cdef size_t characters   # the number of characters before `at`
    cdef size_t floor        # the end of the last match; no match begins before it
    cdef size_t next         # where the search continues
    cdef size_t colon        # the first ":" at or after `next`; if it is before `next`, it is out of date
    cdef size_t dot          # like `colon`, but for "."; only used if `guess` is true
    cdef size_t sign         # like `colon`, but for "@"; only used if `emails` is true
    cdef bint guess
    cdef bint emails
    cdef URL base
    cdef dict forms          # the form of each scheme; None until the first scheme that is not special
    cdef bint nested
    cdef object refanged     # for a defanged text: the Refanged whose attribute text is `given`
    cdef list inner          # the URLs within the last match that were not returned yet, in reverse order

    def __iter__(self):
        return self

    @cython.critical_section
    def __next__(self):
        cdef UrlMatch match
        if self.inner:
            return self.as_written(self.inner.pop(), False)
        while True:
            if self.colon < self.next:
                self.colon = find(&self.t, self.next, c':')
            if self.guess and self.dot < self.next:
                self.dot = find(&self.t, self.next, c'.')
            if self.emails and self.sign < self.next:
                self.sign = find(&self.t, self.next, c'@')
            if self.emails and self.sign < self.colon and not (self.guess and self.dot < self.sign):
                match = self.around_sign()
            elif self.guess and self.dot < self.colon:
                match = self.around_dot()
            elif self.colon < self.t.n:
                match = self.around_colon()
            else:
                raise StopIteration
            if match is not None:
                if self.nested:
                    self.inner = matches_within(match, isinstance(self.given, bytes))
                return self.as_written(match, True)

    cdef UrlMatch as_written(self, UrlMatch match, bint outer):
        """Return the match. If the scan is of a defanged text, the result has the text and the place in that text."""
        if self.refanged is None:
            return match
        start, end, text, guess = self.refanged.written(match.start, match.end, outer)
        return _match(match.url, text, start, end, match.guessed or guess)

    cdef UrlMatch around_colon(self):
        """Return the match whose scheme ends at self.colon, or None. Sets self.next to where the search continues."""
        cdef const Slice* t = &self.t
        cdef size_t colon = self.colon, content = colon + 1, start, end, driven
        cdef UrlMatch match = None
        cdef bint cut = False, special, wrapped
        cdef uint8_t before, mark
        cdef object form
        self.next = content
        start = scheme_start(t, self.floor, colon)
        if start > self.floor and t.p[start - 1] == c'_' and has_slashes(t, content):
            driven = self.start_of_driven(start, colon)
            if driven < colon:
                return self.match_driven(driven, content)
        if start == colon:
            return None
        wrapped = self.is_in_brackets(start)
        if wrapped and colon - start == 3 and same_letters(t.p + start, b"url", 3):
            return self.match_labelled(content)
        special = NOT_SPECIAL < scheme_kind(t.p + start, colon - start) < FILE
        form = self.form_of(start, colon)
        if wrapped and self.follows(content, t.n, SLASHES if form is None else form, special):
            end = bracket_end(t, self.form_end(content, form))
            if end:
                match = self.make_match(start, end, None, None)
                if match is not None:
                    self.next = end
                    return match
        if form is None:
            # the name may be a word, "." or "-", and a scheme: "Look here.http://h/", "here-http://h/"
            mark = c'.'
            form = self.form_of(self.after_last(mark, start, colon), colon)
            if form is None:
                mark = c'-'
                form = self.form_of(self.after_last(mark, start, colon), colon)
                if form is None:
                    return None
            start = self.after_last(mark, start, colon)
            special = NOT_SPECIAL < scheme_kind(t.p + start, colon - start) < FILE
        if not self.follows(content, t.n, form, special):
            return None
        before = t.p[start - 1] if start > self.floor else 0
        if has_slashes(t, content):
            content += 2
            end = authority_end(t, content, special, &cut)
        else:
            end = self.form_end(content, form)
        if not cut:
            end = body_end(t, end, c"'" if before == c"'" else 0)
        self.next = end
        end = trimmed_end(t, content, end, before)
        # check the form again, because all of the content may have been punctuation, which is removed
        if end == content or not self.follows(colon + 1, end, form, special):
            return None
        return self.make_match(start, end, None, None)

    cdef size_t start_of_driven(self, size_t start, size_t colon) except? 0:
        """Return where the name with "_" that ends at `colon` begins, if it consists of a database's dialect and driver
        ("oracle+cx_oracle"); otherwise `colon`."""
        cdef size_t least = max(self.floor, colon - min(colon, <size_t>MAX_NAME))
        cdef Py_ssize_t at
        while start > least and (CLASS[self.t.p[start - 1]] & SCHEME_CHAR or self.t.p[start - 1] == c'_'):
            start -= 1
        while start < colon and not CLASS[self.t.p[start]] & (ALPHA | DIGIT):
            start += 1
        if start == colon:
            return colon
        from urlsm.meaning.connections import driven_start
        at = driven_start(ascii_text(self.t.p + start, colon - start))
        return colon if at < 0 or not class_at(&self.t, start + at) & ALPHA else start + at

    cdef UrlMatch match_driven(self, size_t start, size_t content):
        """Return the match of the connection to a database that begins at `start` and whose scheme has a "_", or None.
        content: where the text after the ":" begins. Sets self.next to where the search continues."""
        cdef const Slice* t = &self.t
        cdef bint cut = False
        cdef uint8_t before = t.p[start - 1] if start > self.floor else 0
        cdef size_t end
        if not has_authority(t, content, False):
            return None
        if self.is_in_brackets(start):
            end = bracket_end(t, content)
            if end:
                self.next = end
                return self.make_match(start, end, None, None)
        end = authority_end(t, content + 2, False, &cut)
        if not cut:
            end = body_end(t, end, c"'" if before == c"'" else 0)
        self.next = end
        return self.make_match(start, trimmed_end(t, content + 2, end, before), None, None)

    cdef UrlMatch match_labelled(self, size_t start):
        """Return the match of the content of <URL:...>, which begins at `start`, or None. The content may be any URL,
        or a reference that is resolved against self.base."""
        cdef size_t end = bracket_end(&self.t, start)
        cdef UrlMatch match = None
        while start < end and CLASS[self.t.p[start]] & C0_OR_SPACE:
            start += 1
        if start < end:
            match = self.make_match(start, end, None, self.base)
            if match is not None:
                self.next = end
        return match

    cdef UrlMatch around_dot(self):
        """Return the match, a guess, whose host is around self.dot, or None. Sets self.next to where the search
        continues."""
        cdef const Slice* t = &self.t
        cdef size_t start = self.dot, end = start, floor = self.next
        cdef uint8_t before
        while start > floor and EFFECT[t.p[start - 1]] & NAME:
            start -= 1
        while EFFECT[octet(t, end)] & NAME:
            end += 1
        self.next = end
        while end > start and not CLASS[t.p[end - 1]] & (ALPHA | DIGIT):
            end -= 1
        if start == end or not is_host(t, self.floor, start, end):
            return None
        if octet(t, end) == c':' and class_at(t, end + 1) & DIGIT:
            end += 1
            while class_at(t, end) & DIGIT:
                end += 1
        before = t.p[start - 1] if start > self.floor else 0
        if octet(t, end) == c'/' or octet(t, end) == c'?' or octet(t, end) == c'#':
            end = body_end(t, end, c"'" if before == c"'" else 0)
        self.next = max(self.next, end)
        return self.make_match(start, trimmed_end(t, start, end, before), "http://", None)

    cdef UrlMatch around_sign(self):
        """Return the match of the e-mail address around self.sign, or None. Sets self.next to where the search
        continues."""
        cdef size_t start = address_start(&self.t, self.floor, self.sign), end
        self.next = self.sign + 1
        if start == self.sign:
            return None
        end = address_end(&self.t, self.sign)
        if end == self.sign:
            return None
        self.next = end
        return self.make_match(start, end, "mailto:", None)

    cdef bint is_in_brackets(self, size_t start) noexcept:
        """Return whether "<" stands before `start`, with nothing but white space between them."""
        while start > self.floor and CLASS[self.t.p[start - 1]] & C0_OR_SPACE:
            start -= 1
        return start > self.floor and self.t.p[start - 1] == c'<'

    cdef size_t after_last(self, uint8_t mark, size_t start, size_t colon) noexcept:
        """Return the place after the last `mark` in [start, colon), where a scheme may begin; `colon` if there is no
        `mark`."""
        cdef size_t i = colon
        while i > start and self.t.p[i - 1] != mark:
            i -= 1
        return i if i > start else colon

    cdef bint follows(self, size_t i, size_t end, object form, bint special) except -1:
        """Return whether the text in [i, end), which follows "scheme:", has the form that the scheme needs."""
        cdef Slice seen
        seen.p, seen.n = self.t.p, end
        if form is SLASHES or has_slashes(&seen, i):
            return has_authority(&seen, i, special)
        return form.match(self.owner, i, min(end, i + LOOK_AT)) is not None

    cdef size_t form_end(self, size_t i, object form) except? 0:
        """If the form is a regular expression with a group 1 that matches at i, return the end of this group; otherwise
        i. The group may contain octets at which any other URL would end."""
        if form is None or form is SLASHES or not form.groups:
            return i
        match = form.match(self.owner, i, min(self.t.n, i + LOOK_AT))
        return i if match is None or match.end(1) < 0 else <size_t>match.end(1)

    cdef object form_of(self, size_t start, size_t colon):
        """Return the form for the scheme in [start, colon), or None if the scheme is unknown. A scheme "a+b" is known
        if "a" or "b" is known."""
        cdef SchemeKind kind
        cdef str name
        if start == colon or not class_at(&self.t, start) & ALPHA:
            return None
        kind = scheme_kind(self.t.p + start, colon - start)
        if NOT_SPECIAL < kind < FILE:
            return SLASHES
        if EFFECT[octet(&self.t, colon + 1)] & ENDS:
            return None
        if self.forms is None:
            from urlsm.meaning.registry import known
            self.forms = known()
        name = ascii_text(self.t.p + start, colon - start).lower()
        found = self.forms.get(name)
        if isinstance(found, str):  # a str says where the handler is: load the handler, and replace the str by its form
            found = self.forms[name] = form_by_handler(name, isinstance(self.owner, str))
        if found is None and "+" in name and (name.rpartition("+")[2] in self.forms
                                              or name.partition("+")[0] in self.forms):
            return SLASHES
        return found

    cdef Py_ssize_t position(self, size_t i) noexcept:
        """Return the position of the octet at i, counted in characters or octets. i must not decrease from call to
        call."""
        if self.octets_count:
            return i
        while self.at < i:
            self.characters += self.t.p[self.at] & 0xC0 != 0x80
            self.at += 1
        return self.characters

    cdef UrlMatch make_match(self, size_t start, size_t end, str missing, URL base):
        """Return the match for the text in [start, end), or None if the text is not a URL. missing: the scheme to put
        before a guess, or None. base: the base of a reference, or None."""
        cdef Failure failure
        cdef UrlMatch match
        cdef str text
        cdef URL url
        cdef size_t i, last = end
        cdef bint plain = True
        for i in range(start, end):
            if CLASS[self.t.p[i]] & C0_OR_SPACE or self.t.p[i] & 0x80:
                plain = False
                break
        if plain:
            text = ascii_text(self.t.p + start, end - start)
        else:
            errors = "replace" if isinstance(self.given, bytes) else "surrogatepass"
            text = without_white_space(self.t.p[start:end].decode("utf-8", errors))
        completed = text if missing is None else missing + text
        if missing == "mailto:":
            completed = completed.replace("%", "%25")  # RFC 6068 section 2
        url = read_url(octets_of(completed, False), base, None, &failure, NULL)
        if url is None and missing is None and "_" in text.partition(":")[0]:
            from urlsm.meaning.connections import with_hyphens
            driven = with_hyphens(text)
            if driven is not None:
                url = read_url(octets_of(driven, False), None, None, &failure, NULL)
        if url is None:
            return None
        while last > start and CLASS[self.t.p[last - 1]] & C0_OR_SPACE:
            last -= 1
        match = UrlMatch.__new__(UrlMatch)
        match.url = url
        match.text = text
        match.start = self.position(start)
        match.end = self.position(last)
        match.guessed = missing is not None
        self.floor = end
        return match


cdef dict COMPILED = {}  # maps a form's pattern, and whether it is for str or for bytes, to the compiled pattern


cdef object form_by_handler(str name, bint as_text):
    """Return the form that the handler of a scheme defines. If the handler's plug-in cannot be loaded, the form matches
    anything. as_text: whether the form is for str, not for bytes."""
    import re
    from urlsm.errors import PluginError
    from urlsm.meaning.registry import handler
    from urlsm.schemes.contract import IN_TEXT
    cdef object found = None
    try:
        found = handler(name)
    except PluginError:
        pass
    if found is not None and found.authority == "required":
        return SLASHES
    word = "anything" if found is None else found.in_text
    pattern = IN_TEXT.get(word, word)
    if (pattern, as_text) not in COMPILED:
        COMPILED[pattern, as_text] = re.compile(pattern if as_text else pattern.encode("latin-1"))
    return COMPILED[pattern, as_text]


cdef list matches_within(UrlMatch match, bint in_octets):
    """Return the matches for the URLs within a match, the outermost last. If the exact position of an inner URL is
    unknown, it gets the position of the whole match."""
    from urlsm.meaning.within import urls_within
    from urlsm.url.value import try_parse
    cdef list found = []
    cdef str text = match.text
    cdef Py_ssize_t size = len(text.encode("utf-8", "surrogatepass")) if in_octets else len(text)
    for inner in urls_within(text)[0]:
        url = try_parse(inner.text)
        if url is None:
            continue
        start, end = match.start, match.end
        if match.end - match.start == size:
            first, last = [min(inner.at(place), len(text)) for place in (0, len(inner.text))]
            if in_octets:
                first, last = [len(text[:place].encode("utf-8", "surrogatepass")) for place in (first, last)]
            start, end = match.start + first, match.start + last
        found.append(_match(url, inner.text, start, end, match.guessed))
    found.reverse()
    return found


# --- extract and unwrap ---------------------------------------------------------------------------

cdef str without_white_space(str text):
    return "".join(text.split())


def extract_urls(text, *, base=None, guess_scheme=False, nested=False, emails=False, defanged=False):
    """Find the URLs in plain text, and return an iterator of UrlMatch.

    A URL begins with a known scheme (one that has a handler), and ends at white space, quotes, angle brackets or a
    backslash. Punctuation at its end belongs to the sentence, and so does a closing bracket that the URL does not open.
    Between "<" and ">", all of the content belongs to the URL. HTML character references ("&amp;") are kept. The search
    takes linear time.

    Args:
        text: str, or bytes in UTF-8.
        base: the base URL for relative references in <URL:...>. If it is None, they are not found.
        guess_scheme: whether to find "www.example.org/x" and hosts with well-known endings as well; only in ASCII.
        nested: whether to find the URLs within a URL as well, as in view-source:, jar: or git+https:. They follow the
            outer URL.
        emails: whether to find e-mail addresses without "mailto:" as well; only in ASCII.
        defanged: whether to find defanged URLs as well: hxxp://, evil[.]example, (dot), [at], [:]//.

    Raises:
        TypeError: `text` is not str or bytes.
        ParseError: `base` is not a URL.

    Example:
        >>> [str(match) for match in extract_urls("See https://example.org/a_(b), or mailto:joe@example.org.")]
        ['https://example.org/a_(b)', 'mailto:joe@example.org']
        >>> [match.url for match in extract_urls("hxxps://evil[.]example/x", defanged=True)]
        [URL('https://evil.example/x')]

    RFC 3986 appendix C; RFC 2396 appendixes E and F
    """
    cdef Matches found = Matches.__new__(Matches)
    if defanged:
        from urlsm.documents.defanged import Refanged
        found.refanged = Refanged(text if isinstance(text, bytes) else exact(text))
        text = found.refanged.text
    if isinstance(text, bytes):
        found.given = found.owner = text
        found.octets_count = True
    else:
        found.given = exact(text)
        found.octets_count = is_ascii(found.given)
        found.owner = found.given if found.octets_count else (<str>found.given).encode("utf-8", "surrogatepass")
    if isinstance(found.owner, bytes):
        found.t.p = <const uint8_t*>PyBytes_AS_STRING(found.owner)
        found.t.n = PyBytes_GET_SIZE(found.owner)
    else:
        found.t.p = ascii_data(found.owner)
        found.t.n = len(<str>found.owner)
    found.colon = find(&found.t, 0, c':')
    found.guess = guess_scheme
    found.nested = nested
    found.dot = find(&found.t, 0, c'.') if guess_scheme else 0
    found.emails = emails
    found.sign = find(&found.t, 0, c'@') if emails else 0
    found.base = None if base is None else url_of_base(base)
    return found


def unwrap(text):
    """Strip what surrounds a URL: angle brackets, quotes, "URL:", line breaks and other white space.

    A hyphen at the end of a line is kept. The result is not checked, and need not be a URL.

    Args:
        text: str, or bytes in UTF-8.

    Raises:
        TypeError: `text` is not str or bytes.

    Example:
        >>> unwrap("<URL:http://example.org/a\\n  b>")
        'http://example.org/ab'

    RFC 3986 appendix C; RFC 2396 appendix E
    """
    cdef str bare = without_white_space(text.decode("utf-8", "replace") if isinstance(text, bytes) else exact(text))
    cdef Py_ssize_t start = 0, end = len(bare)
    while True:
        if end - start > 1 and bare[start] + bare[end - 1] in ("<>", '""', "''"):
            start += 1
            end -= 1
        elif end - start > 3 and bare[start:start + 4].lower() == "url:":
            start += 4
        else:
            return bare[start:end]


# --- the base that an HTML page declares ----------------------------------------------------------

# Elements whose content has no tags: script data, RAWTEXT and RCDATA. noscript is not in this list: since no scripts
# run here, its content has tags.
cdef const char* RAW = " script style textarea title xmp iframe noembed noframes "
# Start tags that end foreign content (SVG and MathML): the element may not be in foreign content, or its own content is
# HTML.
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
    size_t href, href_end    # where the value of the first href attribute begins and ends
    bint has_href
    size_t end               # the place after ">"; 0 if the document ends within the tag


cdef size_t comment_end(const Slice* t, size_t start) noexcept nogil:
    """Return the end of the comment whose "<!--" ends at start, or the end of the document if the comment is not
    closed."""
    cdef size_t i = start, n
    # "<!-->" and "<!--->" are whole comments
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
    """Return the start of the first end tag with this name at or after i, or the end of the document."""
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
    """Do the same as raw_end, for a script. After "<!--" and then "<script", the next "</script" does not end the
    script, unless "-->" comes before it (#script-data-double-escaped-state)."""
    cdef bint escaped = False, doubled = False, closing
    while i + 8 < t.n:
        if t.p[i] == c'-' and t.p[i + 1] == c'-' and t.p[i + 2] == c'>':
            escaped = doubled = False
        elif t.p[i] == c'<' and t.p[i + 1] == c'!' and t.p[i + 2] == c'-' and t.p[i + 3] == c'-':
            escaped = True
            i += 1  # "-->" may share the dashes of "<!--"
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
        if p[k] | 0x20 != q[k] | 0x20:  # q has only letters
            return False
    return True


cdef inline size_t over_space(const Slice* t, size_t i) noexcept nogil:
    while i < t.n and is_space(t.p[i]):
        i += 1
    return i


cdef size_t attribute(const Slice* t, size_t name, Tag* tag) noexcept nogil:
    """Return the end of the attribute whose name begins at `name`; or a place at or after the end of the document if
    the quotation mark of its value is not closed. If this is the tag's first attribute "href", set tag.href and
    tag.href_end to its value."""
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
    """Fill in `tag` for the tag whose name begins at i."""
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
    """Return whether the document contains "<base". If it does not, find_base finds nothing. Most documents do not
    contain it, and this check takes a fifth of the time of find_base."""
    cdef size_t i = 0
    while True:
        i = find(t, i, c'<') + 1
        if i + 4 > t.n:
            return False
        if same_letters(t.p + i, b"base", 4):
            return True


cdef bint find_base(const Slice* t, Tag* tag) noexcept nogil:
    """Set `tag` to the first base element that has a href and is not in a template, SVG or MathML. Returns False if
    there is no such element."""
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
        elif closing or t.p[i] == c'!' or t.p[i] == c'?':  # this is a doctype or a "bogus comment"
            i = find(t, i + closing, c'>')


def _resolve_references(str text not None):
    """Return the value of an attribute with its character references resolved.

    A reference without ";" is plain text if "=", a letter or a digit follows.
    https://html.spec.whatwg.org/#named-character-reference-state
    """
    if "&" not in text:
        return text
    from re import sub
    return sub(r"&(#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[A-Za-z][A-Za-z0-9]*(?:;|(?![=A-Za-z0-9])))", _resolve_reference, text)


def _resolve_reference(found):
    from html import unescape
    from html.entities import html5
    if found[1][0] != "#":
        return html5.get(found[1], found[0])
    return "\ufffd" if len(found[0]) > 12 else unescape(found[0])  # int() refuses very long numbers


def base_in(octets, URL fallback, str queries not None):
    """Return the base URL that an HTML page declares, or `fallback` if it declares none (#set-the-frozen-base-url).
    octets: the page in UTF-8; lone surrogates may be encoded in it. queries: the name of the encoding for the page's
    queries."""
    cdef Slice t
    cdef Tag tag
    t.p = <const uint8_t*>PyBytes_AS_STRING(octets)
    t.n = PyBytes_GET_SIZE(octets)
    if not may_have_base(&t) or not find_base(&t, &tag):
        return fallback
    href = _resolve_references(octets[tag.href:tag.href_end].decode("utf-8", "surrogatepass"))
    url = try_parse(href, base=fallback) if queries == "UTF-8" \
        else try_parse(href, base=fallback, encoding=queries)
    # "If any of the following are true: urlRecord is failure; urlRecord's scheme is "data" or "javascript"; [...]
    # then set element's frozen base URL to document's fallback base URL and return."
    return fallback if url is None or url.scheme in ("data", "javascript") else url


cdef URL embedded_base(object document, URL fallback, object encoding):
    """Do the same as base_in, for a page that is a str, or bytes in any encoding. encoding: the encoding of the bytes;
    None: the encoding that the page declares."""
    cdef Slice t
    if isinstance(document, bytes) and type(document) is not bytes:
        # make exact bytes, so that methods that a subclass overrides are not called
        document = bytes.__getitem__(document, slice(None))
    if not isinstance(document, bytes):
        queries = "UTF-8"
        if encoding is not None:
            from urlsm.unicode.encoding import output_encoding
            queries = output_encoding(encoding)
        return base_in(exact(document).encode("utf-8", "surrogatepass"), fallback, queries)
    if encoding is None:
        t.p = <const uint8_t*>PyBytes_AS_STRING(document)
        t.n = PyBytes_GET_SIZE(document)
        # only a document that may be in UTF-16, or may have a base element, has to be decoded
        if not t.n or t.p[0] in (0, 0xFE, 0xFF) or octet(&t, 1) == 0 or may_have_base(&t):
            from urlsm.documents.prescan import declared_encoding
            encoding = declared_encoding(document) or "utf-8"
        else:
            return fallback
    from urlsm.unicode.encoding import in_utf8
    octets, queries = in_utf8(document, encoding)
    return base_in(octets, fallback, queries)


def base_url(html=None, *, url=None, enclosing=None, default=None, encoding=None):
    """Return the base URL of a document, which its relative URLs are resolved against, or None.

    The base comes from the first of `html`, `enclosing`, `url` and `default` that defines one. Each may be relative to
    the ones after it. A <base> in a comment, script, template, SVG or MathML is ignored.

    Args:
        html: the document, as str or bytes. Its first <base href> is used unless the scheme is data or javascript.
        url: the URL of the document, after redirects.
        enclosing: the base URL of the enclosing entity, for example the Content-Location of a MIME part.
        default: the application's default base URL.
        encoding: the encoding of `html`: a label from the Encoding Standard or a Python codec name. None: the encoding
            that the document declares, otherwise UTF-8.

    Returns:
        A URL without a fragment; None if no argument defines a base.

    Raises:
        ParseError: `url`, `enclosing` or `default` is not a URL.
        LookupError: the encoding is unknown.
        TypeError: an argument has the wrong type.

    Example:
        >>> base_url('<base href="/docs/">', url="https://example.org/a/b")
        URL('https://example.org/docs/')

    RFC 3986 section 5.1; https://html.spec.whatwg.org/#the-base-element
    """
    cdef URL base = None
    for name, given in (("default", default), ("url", url), ("enclosing", enclosing)):
        if given is not None:
            url_text(given, name)
            base = parse(given, base=base)
    if html is not None:
        base = embedded_base(html, base, encoding)
    return None if base is None else base.without_fragment()


stay_all(globals())
