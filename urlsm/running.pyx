"""URLs in running text: found, taken out of what they are wrapped in, and parsed.

Every URL has a ":" after its scheme, so the scan goes from colon to colon (and, for guesses, from dot to dot) and
looks around each. How far a URL reaches is running.pxd's; what must follow a scheme, content.pxd's.
RFC 3986 appendix C, RFC 2396 appendixes E and F.
"""
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport uint8_t
from urlsm.buffer cimport ascii_data, ascii_text, is_ascii
from urlsm.chars cimport ALPHA, C0_OR_SPACE, CLASS, DIGIT
from urlsm.content cimport (
    ABSOLUTE, ANYTHING, CALL, Content, DIGITS, DOTTED, MAILBOX, MEDIA, NAMESPACE, NESTED, PAGE, PARAMETERS, POSITION,
    SLASHES, has_content,
)
from urlsm.reader cimport Failure
from urlsm.running cimport (
    CLOSES, EFFECT, ENDS, MULTI, NAME, OPENS, TRAILS, Text, authority_end, body_end, bracket_end, character, class_at,
    find, is_emphasis, is_punctuation, octet, scheme_start, trimmed,
)
from urlsm.special cimport FILE, NOT_SPECIAL, SchemeKind, is_listed, same_letters, scheme_kind
from urlsm.text cimport exact, octets_of
from urlsm.url cimport URL, as_url, read_url

# Schemes that need no "//", and what they need. Those that somebody registered need ANYTHING, all others "//".
cdef dict CONTENTS = {
    "file": ABSOLUTE, "mailto": MAILBOX, "tel": DIGITS, "sms": DIGITS, "urn": NAMESPACE, "geo": POSITION, "data": MEDIA,
    "magnet": PARAMETERS, "about": PAGE, "javascript": CALL,
    **dict.fromkeys(["news", "snews", "sip", "sips", "xmpp", "hdl", "dns", "stun", "stuns", "turn", "turns"], DOTTED),
    **dict.fromkeys(["blob", "view-source", "jdbc"], NESTED),
}
cdef const char* LIKELY = " com org net edu gov info biz "  # last labels of a host that is taken for one by itself


cdef str text_of(object given):
    """A str as an exact one; bytes as the UTF-8 that they are. TypeError for anything else."""
    return (<bytes>given).decode("utf-8", "replace") if isinstance(given, bytes) else exact(given)


# --- what is found -----------------------------------------------------------------------------

@cython.final
@cython.freelist(64)
@cython.no_gc  # nothing that it holds can hold it
cdef class Match:
    """A URL that extract found.

    Attributes:
        url: what it is, a urlsm.URL; of a guess, what it was completed to.
        text: as written, but without white space in it (only angle brackets let it have some).
        start, end: where it stands, without delimiters and "URL:", in characters of the text given (bytes of bytes).
        guess: is it an abbreviated reference ("www.example.org/x"), whose scheme is a guess?

    Immutable; equal by all of these. str() is text.
    """
    cdef readonly URL url
    cdef readonly str text
    cdef readonly Py_ssize_t start
    cdef readonly Py_ssize_t end
    cdef readonly bint guess

    def __init__(self):
        raise TypeError("only extract makes a Match")

    cdef tuple values(self):
        return self.url, self.text, self.start, self.end, self.guess

    def __eq__(self, other):
        return self.values() == (<Match>other).values() if type(other) is Match else NotImplemented

    def __hash__(self):
        return hash(self.values())

    def __str__(self):
        return self.text

    def __repr__(self):
        return f"<Match {self.start}:{self.end} {self.url!r}{' (a guess)' if self.guess else ''}>"

    def __reduce__(self):
        return _match, self.values()


def _match(URL url not None, str text not None, Py_ssize_t start, Py_ssize_t end, bint guess):
    """A pickled Match."""
    cdef Match match = Match.__new__(Match)
    match.url, match.text, match.start, match.end, match.guess = url, text, start, end, guess
    return match


# --- the scan ----------------------------------------------------------------------------------

@cython.final
@cython.no_gc
@cython.auto_pickle(False)
cdef class Matches:
    """The iterator that extract gives."""
    cdef object given        # exact str, or bytes
    cdef object owner        # of the octets: given itself, or its UTF-8
    cdef Text t
    cdef bint octets_count   # do positions count octets? else characters, and then:
    cdef size_t at           # an octet before which characters have been counted
    cdef size_t characters   # how many
    cdef size_t floor        # the end of the last match: none begins before it
    cdef size_t next         # where to look for one
    cdef size_t colon        # the first at or after next; or less, if it has to be looked for
    cdef size_t dot
    cdef bint guess
    cdef URL base
    cdef dict contents       # by scheme; None until a scheme is looked up that is not one of the special ones

    def __iter__(self):
        return self

    def __next__(self):
        cdef Match match
        while True:
            if self.colon < self.next:
                self.colon = find(&self.t, self.next, c':')
            if self.guess and self.dot < self.next:
                self.dot = find(&self.t, self.next, c'.')
            if self.guess and self.dot < self.colon:
                match = self.around_dot()
            elif self.colon < self.t.n:
                match = self.around_colon()
            else:
                raise StopIteration
            if match is not None:
                return match

    cdef Match around_colon(self):
        """The match whose scheme ends at self.colon, or None; self.next is where to go on."""
        cdef const Text* t = &self.t
        cdef Text seen
        cdef size_t colon = self.colon, content = colon + 1, start, end
        cdef Match match = None
        cdef bint cut = False, special, wrapped
        cdef uint8_t before, mark
        cdef Content kind
        self.next = content
        start = scheme_start(t, self.floor, colon)
        if start == colon:
            return None
        wrapped = self.is_in_brackets(start)
        if wrapped and colon - start == 3 and same_letters(t.p + start, b"url", 3):
            return self.labelled(content)
        special = NOT_SPECIAL < scheme_kind(t.p + start, colon - start) < FILE
        kind = self.content_of(start, colon)
        if wrapped and has_content(t, content, kind if kind else SLASHES, special):
            end = bracket_end(t, content)
            if end:
                match = self.made(start, end, False, None)
                if match is not None:
                    self.next = end
                    return match
        if kind == 0:
            # "Look here.http://h/", "here-http://h/"
            mark = c'.'
            kind = self.content_of(self.after_last(mark, start, colon), colon)
            if kind == 0:
                mark = c'-'
                kind = self.content_of(self.after_last(mark, start, colon), colon)
                if kind == 0:
                    return None
            start = self.after_last(mark, start, colon)
            special = NOT_SPECIAL < scheme_kind(t.p + start, colon - start) < FILE
        if not has_content(t, content, kind, special):
            return None
        before = t.p[start - 1] if start > self.floor else 0
        if octet(t, content) == c'/' and octet(t, content + 1) == c'/':
            content += 2
            end = authority_end(t, content, special, &cut)
        else:
            end = content
        if not cut:
            end = body_end(t, end, c"'" if before == c"'" else 0)
        self.next = end
        seen.p, seen.n = t.p, trimmed(t, content, end, before)
        # again: what it needs may have been the sentence's
        if seen.n == content or not has_content(&seen, colon + 1, kind, special):
            return None
        return self.made(start, seen.n, False, None)

    cdef Match labelled(self, size_t start):
        """The match in <URL:...>, whose content begins at start: any reference that is a URL, or one with base."""
        cdef size_t end = bracket_end(&self.t, start)
        cdef Match match = None
        while start < end and CLASS[self.t.p[start]] & C0_OR_SPACE:
            start += 1
        if start < end:
            match = self.made(start, end, False, self.base)
            if match is not None:
                self.next = end
        return match

    cdef Match around_dot(self):
        """The guess around self.dot, or None; self.next is where to go on."""
        cdef const Text* t = &self.t
        cdef size_t start = self.dot, end = start, floor = self.next
        cdef uint8_t before
        while start > floor and EFFECT[t.p[start - 1]] & NAME:
            start -= 1
        while EFFECT[octet(t, end)] & NAME:
            end += 1
        self.next = end
        while end > start and not CLASS[t.p[end - 1]] & (ALPHA | DIGIT):
            end -= 1
        if start == end or not self.is_host(start, end):
            return None
        if octet(t, end) == c':' and class_at(t, end + 1) & DIGIT:
            end += 1
            while class_at(t, end) & DIGIT:
                end += 1
        before = t.p[start - 1] if start > self.floor else 0
        if octet(t, end) == c'/' or octet(t, end) == c'?' or octet(t, end) == c'#':
            end = body_end(t, end, c"'" if before == c"'" else 0)
        self.next = max(self.next, end)
        return self.made(start, trimmed(t, start, end, before), True, None)

    cdef bint is_in_brackets(self, size_t start) noexcept:
        """Does only white space stand between "<" and start?"""
        while start > self.floor and CLASS[self.t.p[start - 1]] & C0_OR_SPACE:
            start -= 1
        return start > self.floor and self.t.p[start - 1] == c'<'

    cdef size_t after_last(self, uint8_t mark, size_t start, size_t colon) noexcept:
        """What follows the last such mark in [start, colon): another name's beginning; colon if there is none."""
        cdef size_t i = colon
        while i > start and self.t.p[i - 1] != mark:
            i -= 1
        return i if i > start else colon

    cdef Content content_of(self, size_t start, size_t colon) except <Content>-1:
        """What must follow the scheme in [start, colon); 0 where it is not known. "a+b" is, where a or b is."""
        cdef SchemeKind kind
        cdef str name
        if start == colon or not class_at(&self.t, start) & ALPHA:
            return <Content>0
        kind = scheme_kind(self.t.p + start, colon - start)
        if NOT_SPECIAL < kind < FILE:
            return SLASHES
        if EFFECT[octet(&self.t, colon + 1)] & ENDS:
            return <Content>0
        if self.contents is None:
            self.contents = contents_of_schemes()
        name = ascii_text(self.t.p + start, colon - start).lower()
        found = self.contents.get(name)
        if found is None and "+" in name and (name.rpartition("+")[2] in self.contents
                                              or name.partition("+")[0] in self.contents):
            return SLASHES
        return <Content>0 if found is None else <Content><int>found

    cdef bint is_host(self, size_t start, size_t end) noexcept:
        """Is the name in [start, end) most likely a host, and not part of something else?"""
        cdef const Text* t = &self.t
        cdef size_t i, label = start, labels = 1, size = 1
        cdef bint www = end - start > 4 and same_letters(t.p + start, b"www.", 4), alone = True
        cdef uint8_t before = octet(t, start - 1) if start > self.floor else 32, after = octet(t, end)
        if before == c'\\' or not (EFFECT[before] & (ENDS | MULTI | OPENS | TRAILS) or before == c'='
                                   or is_emphasis(before) and not (start - 1 > self.floor
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
            return False  # it is a scheme's colon
        if EFFECT[before] & MULTI:
            i = start - 1
            while i > self.floor and t.p[i] & 0xC0 == 0x80:
                i -= 1
            alone = alone and is_punctuation(character(t, i, &size))
        if not alone and not www:  # beside a letter that is not ASCII: perhaps the end of a longer name
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
        # two letters are a country, or the ending of a file
        return is_listed(LIKELY, t.p + label, end - label) and labels > 1 \
            or end - label == 2 and (labels > 2 or labels == 2 and after == c'/')

    cdef Py_ssize_t position(self, size_t i) noexcept:
        """How many characters stand before the octet i; i never decreases."""
        if self.octets_count:
            return i
        while self.at < i:
            self.characters += self.t.p[self.at] & 0xC0 != 0x80
            self.at += 1
        return self.characters

    cdef Match made(self, size_t start, size_t end, bint guess, URL base):
        """The match of what stands in [start, end), or None where that is no URL."""
        cdef Failure failure
        cdef Match match
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
        url = read_url(octets_of("http://" + text if guess else text, False), base, None, &failure, NULL)
        if url is None:
            return None
        while last > start and CLASS[self.t.p[last - 1]] & C0_OR_SPACE:
            last -= 1
        match = Match.__new__(Match)
        match.url = url
        match.text = text
        match.start = self.position(start)
        match.end = self.position(last)
        match.guess = guess
        self.floor = end
        return match


cdef dict contents_of_schemes():
    """What must follow each scheme that has a handler. Imports no plug-in."""
    from urlsm.registry import known
    return {name: CONTENTS.get(name) or (SLASHES if origin == "built in" else ANYTHING)
            for name, origin in known().items()}


# --- public functions --------------------------------------------------------------------------

cdef str without_white_space(str text):
    return "".join(text.split())


def extract(text, base=None, *, guess=False):
    """The URLs in running text, in order: an iterator of Match.

    A URL begins with a scheme that has a handler (built in, registered or a plug-in's; also "a+b" of one), in any
    case and not in the middle of a word, and ends at white space, <, >, a double quote, a backtick, a backslash,
    or punctuation that is not ASCII. Punctuation at its end is the sentence's, and so is a closing bracket whose
    opening one is not in the URL. Where "//" does not follow the scheme, something that the scheme needs must
    ("mailto:a@b", but not "data: x"). A comma, semicolon or "|" before the next "scheme://" ends a URL, and so does
    an apostrophe where one stands before it; "*", "_" and "~" there are taken off its end.

    <...> delimits exactly, punctuation and all; white space in it is dropped. There any scheme with "//" will do,
    and in <URL:...> any URL.

    Args:
        text: str, or bytes, read as UTF-8: then positions count bytes.
        base: URL, str or bytes: what relative references in <URL:...> are resolved against. Without it they are
            none; elsewhere no relative reference is ever found.
        guess: find abbreviated references too, "www.example.org/x" and hosts of well-known endings, ASCII only,
            as if "http://" stood before them; Match.guess tells.

    Raises:
        TypeError: text is neither. ParseError: base is no URL.

    Character references of HTML ("&amp;") are not resolved. The time is linear, whatever the text.
    RFC 3986 appendix C; RFC 2396 appendixes E and F.
    """
    cdef Matches found = Matches.__new__(Matches)
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
    found.guess = guess
    found.dot = find(&found.t, 0, c'.') if guess else 0
    found.base = as_url(base)
    return found


def unwrap(text):
    """The URL in what it was wrapped in: <...>, "..." or '...', the prefix "URL:" in any case, and white space, also
    within it. A hyphen at the end of a line stays.

    text is str, or bytes, read as UTF-8; the answer, a str, need not be a URL. TypeError where text is neither.
    RFC 3986 appendix C, RFC 2396 appendix E.
    """
    cdef str bare = without_white_space(text_of(text))
    cdef Py_ssize_t start = 0, end = len(bare)
    while True:
        if end - start > 1 and bare[start] + bare[end - 1] in ("<>", '""', "''"):
            start += 1
            end -= 1
        elif end - start > 3 and bare[start:start + 4].lower() == "url:":
            start += 4
        else:
            return bare[start:end]
