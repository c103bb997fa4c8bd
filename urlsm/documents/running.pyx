"""URLs in running text: found, unwrapped and parsed.

Every URL has a ":" after its scheme, so the scan goes from colon to colon (and, for guesses, from dot to dot) and
looks around each. extent.pxd finds the end of a URL; what must follow a scheme, its handler says (in_text).
RFC 3986 appendix C, RFC 2396 appendixes E and F.
"""
import re
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport uint8_t
from urlsm.documents.content cimport LOOK_AT, has_authority, has_slashes
from urlsm.documents.extent cimport (
    EFFECT, ENDS, NAME, authority_end, body_end, bracket_end, class_at, find, octet, scheme_start, trimmed,
)
from urlsm.documents.guess cimport address_end, address_start, is_host
from urlsm.machine.special cimport FILE, NOT_SPECIAL, SchemeKind, same_letters, scheme_kind
from urlsm.octets.buffer cimport ascii_data, ascii_text, is_ascii
from urlsm.octets.chars cimport ALPHA, C0_OR_SPACE, CLASS, DIGIT, SCHEME_CHAR
from urlsm.octets.once cimport stay_all
from urlsm.octets.slice cimport Slice
from urlsm.octets.text cimport exact, octets_of
from urlsm.url.slots cimport add_member
from urlsm.url.structs cimport Failure
from urlsm.url.value cimport URL, as_url, read_url

cdef enum:
    MAX_NAME = 64  # octets of a scheme with "_"

cdef object SLASHES = object()  # what must follow a scheme that requires an authority


# --- a match ---------------------------------------------------------------------------------

@cython.final
@cython.freelist(64)
@cython.no_gc  # never in a cycle
@cython.binding(False)
cdef class Match:
    """A URL that extract found.

    Attributes:
        url: the urlsm.URL; for a guess, the completed one; of a database's text with "_" in its scheme, which no URL
            has, the one with "-" for it.
        text: the URL as written, without white space (which only angle brackets allow).
        start, end: its place, without delimiters and "URL:", in characters of the given text (of bytes: in bytes).
        guess: whether it is an abbreviated reference ("www.example.org/x", "joe@example.org"), whose scheme is a guess.

    Immutable; equal if all of these are. str() is text.
    """
    cdef URL url
    cdef str text
    cdef readonly Py_ssize_t start
    cdef readonly Py_ssize_t end
    cdef readonly bint guess

    def __init__(self):
        raise TypeError("a Match cannot be made directly; extract makes them")

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


cdef extern from *:
    """
    #define URLSM_MATCH_AT(match, member) URLSM_OFFSET(match, member)
    """
    const int in_url "url", in_text "text"
    Py_ssize_t offset_of "URLSM_MATCH_AT"(Match match, int member) noexcept


add_member(Match, "url", offset_of(Match.__new__(Match), in_url), "The urlsm.URL; for a guess, the completed one.")
add_member(Match, "text", offset_of(Match.__new__(Match), in_text), "The URL as written.")


def _match(URL url not None, str text not None, Py_ssize_t start, Py_ssize_t end, bint guess):
    """Return a pickled Match."""
    cdef Match match = Match.__new__(Match)
    match.url, match.text, match.start, match.end, match.guess = url, text, start, end, guess
    return match


# --- the scan ----------------------------------------------------------------------------------

@cython.final
@cython.no_gc
@cython.binding(False)
cdef class Matches:
    """The iterator that extract returns."""
    cdef object given        # exact str, or bytes
    cdef object owner        # of the octets: given itself, or its UTF-8
    cdef Slice t
    cdef bint octets_count   # positions count octets; otherwise characters, and then:
    cdef size_t at           # characters have been counted up to this octet
    cdef size_t characters   # their number
    cdef size_t floor        # the end of the last match: no match begins before it
    cdef size_t next         # where the search goes on
    cdef size_t colon        # the first at or after next; if less, not searched yet
    cdef size_t dot
    cdef size_t sign         # the "@"
    cdef bint guess
    cdef bint emails
    cdef URL base
    cdef dict forms          # by scheme; None until a scheme that is not special is looked up
    cdef bint within
    cdef object refanged     # of a defanged text: what given was made of
    cdef list inner          # the matches within the last one that are still to come, the next one last

    def __iter__(self):
        return self

    @cython.critical_section
    def __next__(self):
        cdef Match match
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
                if self.within:
                    self.inner = matches_within(match, isinstance(self.given, bytes))
                return self.as_written(match, True)

    cdef Match as_written(self, Match match, bint outer):
        """Return a match of a defanged text with what was given of it."""
        if self.refanged is None:
            return match
        start, end, text, guess = self.refanged.written(match.start, match.end, outer)
        return _match(match.url, text, start, end, match.guess or guess)

    cdef Match around_colon(self):
        """Return the match whose scheme ends at self.colon, or None. Sets self.next, where the search goes on."""
        cdef const Slice* t = &self.t
        cdef size_t colon = self.colon, content = colon + 1, start, end, driven
        cdef Match match = None
        cdef bint cut = False, special, wrapped
        cdef uint8_t before, mark
        cdef object form
        self.next = content
        start = scheme_start(t, self.floor, colon)
        if start > self.floor and t.p[start - 1] == c'_' and has_slashes(t, content):
            driven = self.start_of_driven(start, colon)
            if driven < colon:
                return self.made_of_driven(driven, content)
        if start == colon:
            return None
        wrapped = self.is_in_brackets(start)
        if wrapped and colon - start == 3 and same_letters(t.p + start, b"url", 3):
            return self.labelled(content)
        special = NOT_SPECIAL < scheme_kind(t.p + start, colon - start) < FILE
        form = self.form_of(start, colon)
        if wrapped and self.follows(content, t.n, SLASHES if form is None else form, special):
            end = bracket_end(t, self.form_end(content, form))
            if end:
                match = self.made(start, end, None, None)
                if match is not None:
                    self.next = end
                    return match
        if form is None:
            # "Look here.http://h/", "here-http://h/"
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
        end = trimmed(t, content, end, before)
        # again: its content may have been the sentence's
        if end == content or not self.follows(colon + 1, end, form, special):
            return None
        return self.made(start, end, None, None)

    cdef size_t start_of_driven(self, size_t start, size_t colon) except? 0:
        """Return where the name of a database's dialect with a "_" begins, which ends at colon; else colon."""
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

    cdef Match made_of_driven(self, size_t start, size_t content):
        """Return the match of a database's connection whose scheme has a "_". Sets self.next."""
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
                return self.made(start, end, None, None)
        end = authority_end(t, content + 2, False, &cut)
        if not cut:
            end = body_end(t, end, c"'" if before == c"'" else 0)
        self.next = end
        return self.made(start, trimmed(t, content + 2, end, before), None, None)

    cdef Match labelled(self, size_t start):
        """Return the match in <URL:...>, whose content begins at start: any reference that is a URL, also by base."""
        cdef size_t end = bracket_end(&self.t, start)
        cdef Match match = None
        while start < end and CLASS[self.t.p[start]] & C0_OR_SPACE:
            start += 1
        if start < end:
            match = self.made(start, end, None, self.base)
            if match is not None:
                self.next = end
        return match

    cdef Match around_dot(self):
        """Return the guess around self.dot, or None. Sets self.next, where the search goes on."""
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
        return self.made(start, trimmed(t, start, end, before), "http://", None)

    cdef Match around_sign(self):
        """Return the e-mail address around self.sign, or None. Sets self.next, where the search goes on."""
        cdef size_t start = address_start(&self.t, self.floor, self.sign), end
        self.next = self.sign + 1
        if start == self.sign:
            return None
        end = address_end(&self.t, self.sign)
        if end == self.sign:
            return None
        self.next = end
        return self.made(start, end, "mailto:", None)

    cdef bint is_in_brackets(self, size_t start) noexcept:
        """Return whether there is only white space between "<" and start."""
        while start > self.floor and CLASS[self.t.p[start - 1]] & C0_OR_SPACE:
            start -= 1
        return start > self.floor and self.t.p[start - 1] == c'<'

    cdef size_t after_last(self, uint8_t mark, size_t start, size_t colon) noexcept:
        """Return the place after the last such mark in [start, colon), where another name begins; colon without one."""
        cdef size_t i = colon
        while i > start and self.t.p[i - 1] != mark:
            i -= 1
        return i if i > start else colon

    cdef bint follows(self, size_t i, size_t end, object form, bint special) except -1:
        """Return whether the text after "scheme:", in [i, end), is meant as the rest of a URL."""
        cdef Slice seen
        seen.p, seen.n = self.t.p, end
        if form is SLASHES or has_slashes(&seen, i):
            return has_authority(&seen, i, special)
        return form.match(self.owner, i, min(end, i + LOOK_AT)) is not None

    cdef size_t form_end(self, size_t i, object form) except? 0:
        """Return the end of the form's group in the text from i on, which may hold what ends other URLs; or else i."""
        if form is None or form is SLASHES or not form.groups:
            return i
        match = form.match(self.owner, i, min(self.t.n, i + LOOK_AT))
        return i if match is None or match.end(1) < 0 else <size_t>match.end(1)

    cdef object form_of(self, size_t start, size_t colon):
        """What must follow the scheme in [start, colon); None if it is unknown. "a+b" is known if a or b is."""
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
        if isinstance(found, str):  # where the handler is from: it is asked once
            found = self.forms[name] = form_by_handler(name, isinstance(self.owner, str))
        if found is None and "+" in name and (name.rpartition("+")[2] in self.forms
                                              or name.partition("+")[0] in self.forms):
            return SLASHES
        return found

    cdef Py_ssize_t position(self, size_t i) noexcept:
        """Return the number of characters before the octet i; i never decreases."""
        if self.octets_count:
            return i
        while self.at < i:
            self.characters += self.t.p[self.at] & 0xC0 != 0x80
            self.at += 1
        return self.characters

    cdef Match made(self, size_t start, size_t end, str missing, URL base):
        """Return the match of the text in [start, end), or None if that is not a URL. missing: a guess's scheme."""
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
        match = Match.__new__(Match)
        match.url = url
        match.text = text
        match.start = self.position(start)
        match.end = self.position(last)
        match.guess = missing is not None
        self.floor = end
        return match


cdef dict COMPILED = {}  # of each form, for str and for bytes


cdef object form_by_handler(str name, bint as_text):
    """What must follow a scheme with a handler; anything if its plug-in cannot be loaded."""
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


cdef list matches_within(Match match, bint in_octets):
    """Return the matches of the URLs within a match, the outermost last. One whose place is not known to the character
    has that of the whole match."""
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
        found.append(_match(url, inner.text, start, end, match.guess))
    found.reverse()
    return found


# --- public functions --------------------------------------------------------------------------

cdef str without_white_space(str text):
    return "".join(text.split())


def extract(text, base=None, *, guess=False, within=False, emails=False, defanged=False):
    """Find the URLs in running text, in order: an iterator of Match.

    A URL begins with a scheme that has a handler (built in, registered or a plug-in's; also "a+b" of one), in any
    case and not in the middle of a word ("oracle+cx_oracle" of SQLAlchemy too), and ends at white space, <, >, a double
    quote, a backtick, a backslash, or punctuation that is not ASCII, but for a pair of full-width brackets. Punctuation
    at its end is the sentence's, and so is a closing bracket whose opening one is not in the URL. Unless "//" follows
    the scheme, what its handler asks for must follow it (its trait in_text: "mailto:a@b", "pkg:npm/a", but not
    "data: x" or "info:x"). A comma, semicolon or "|" before the next "scheme://" ends a URL. So does an apostrophe, if
    one stands before the URL; "*", "_" and "~" that stand before it are taken off its end.

    <...> delimits exactly, with all punctuation; white space in it is dropped. It may hold any scheme with "//", and
    <URL:...> any URL.

    Args:
        text: str, or bytes, read as UTF-8: then positions count bytes.
        base: URL, str or bytes: the URL that relative references in <URL:...> are resolved against. Without it they
            are not found; elsewhere a relative reference never is.
        guess: find abbreviated references too: "www.example.org/x" and hosts with well-known endings, in ASCII only,
            as if "http://" preceded them. Match.guess marks them.
        within: find the URLs within a URL too, as its handler tells: that of view-source:, jar: or git+https:, the
            fallback of intent:. They follow it, from the outside to the inside; Match.text is decoded once for each
            URL around it, and start and end are the place within the URL.
        emails: find e-mail addresses without "mailto:" too, in ASCII only; Match.url is the mailto: URL, Match.guess is
            True. The domain has two labels or more, and "git@host:path" is none.
        defanged: find what was made harmless too: hxxp://, evil[.]example, (dot), [at], [:]//. Match.url is what it
            stands for, Match.text as written. A host with such a dot is a guess also without a scheme: evil[.]example.

    Raises:
        TypeError: text is not str or bytes. ParseError: base does not parse.

    Character references of HTML ("&amp;") are not resolved. It takes linear time for every text.
    RFC 3986 appendix C; RFC 2396 appendixes E and F.
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
    found.guess = guess
    found.within = within
    found.dot = find(&found.t, 0, c'.') if guess else 0
    found.emails = emails
    found.sign = find(&found.t, 0, c'@') if emails else 0
    found.base = None if base is None else as_url(base)
    return found


def unwrap(text):
    """Return the URL without its wrapping: <...>, "..." or '...', the prefix "URL:" in any case, and white space, also
    within it. A hyphen at the end of a line stays.

    text is str, or bytes, read as UTF-8; TypeError for anything else. The result, a str, need not be a URL.
    RFC 3986 appendix C, RFC 2396 appendix E.
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


stay_all(globals())
