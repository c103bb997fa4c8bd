"""Reads robots.txt files and the pattern strings of URLPattern, in C and without an object for each line or token.

The code for both formats is in one unit, of little more than 1,000 lines, so that Cython reads the headers of the
package only once.
"""
cimport cython
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memchr, memcmp
from urlsm.machine.driver cimport BY_LANE, IPV4_TOO, LONG_TEXT
from urlsm.machine.reading cimport Reading, read
from urlsm.octets.buffer cimport (
    Buffer, ascii_data, buffer_copy, buffer_free, buffer_put, buffer_reserve, buffer_start, is_ascii,
)
from urlsm.octets.chars cimport (
    ALPHA, BACKSLASH, CLASS, DIGIT, ENC_C0, ENC_FRAGMENT, ENC_PATH, ENC_SPECIAL_QUERY, ENC_USERINFO, HASH, QUESTION,
    SCHEME_CHAR, UPPER, classes_of,
)
from urlsm.octets.text cimport octet_escaped
from urlsm.patterns.matcher cimport Matcher, Search, View, view_octets
from urlsm.patterns.opcodes cimport GREEDY, PIECE_SIZE, PIECE_WORDS, TARGET
from urlsm.patterns.programs cimport Block
from urlsm.patterns.tables cimport ALLOWS, ANY_TARGET, BEHIND, BEHIND_TOO, Tables
from urlsm.url.normal cimport offsets_of_plain
from urlsm.url.spans cimport end_of_query
from urlsm.url.structs cimport Offsets
from urlsm.url.value cimport URL
from urlsm.url.write.host cimport is_normal_domain


# --- the lines of a robots.txt -------------------------------------------------------------------------

cdef extern from *:
    """
    /* the keys of lines */
    enum { URLSM_AGENT, URLSM_ALLOW, URLSM_DISALLOW, URLSM_DELAY, URLSM_RATE, URLSM_SITEMAP, URLSM_HOST_KEY };
    #define URLSM_KEY(text, key, mistyped) {sizeof(text) - 1, key, mistyped, text}
    typedef struct { unsigned char n, key, mistyped; char text[13]; } urlsm_key_row;
    static const urlsm_key_row URLSM_KEYS[] = {
        URLSM_KEY("disallow", URLSM_DISALLOW, 0), URLSM_KEY("allow", URLSM_ALLOW, 0),
        URLSM_KEY("user-agent", URLSM_AGENT, 0), URLSM_KEY("crawl-delay", URLSM_DELAY, 0),
        URLSM_KEY("sitemap", URLSM_SITEMAP, 0), URLSM_KEY("request-rate", URLSM_RATE, 0),
        URLSM_KEY("host", URLSM_HOST_KEY, 0), URLSM_KEY("useragent", URLSM_AGENT, 1),
        URLSM_KEY("user agent", URLSM_AGENT, 1), URLSM_KEY("dissallow", URLSM_DISALLOW, 1),
        URLSM_KEY("dissalow", URLSM_DISALLOW, 1), URLSM_KEY("disalow", URLSM_DISALLOW, 1),
        URLSM_KEY("diasllow", URLSM_DISALLOW, 1), URLSM_KEY("disallaw", URLSM_DISALLOW, 1),
        URLSM_KEY("site-map", URLSM_SITEMAP, 1), URLSM_KEY("crawldelay", URLSM_DELAY, 1),
    };
    enum { URLSM_KEY_COUNT = sizeof(URLSM_KEYS) / sizeof(URLSM_KEYS[0]) };
    """
    ctypedef struct KeyRow "urlsm_key_row":
        uint8_t n, key, mistyped
        const char* text
    const KeyRow* KEYS "URLSM_KEYS"
    enum: KEY_COUNT "URLSM_KEY_COUNT"
    enum: AGENT_KEY "URLSM_AGENT"
    enum: ALLOW_KEY "URLSM_ALLOW"
    enum: DISALLOW_KEY "URLSM_DISALLOW"
    enum: DELAY_KEY "URLSM_DELAY"
    enum: RATE_KEY "URLSM_RATE"
    enum: SITEMAP_KEY "URLSM_SITEMAP"

AGENT, ALLOW, DISALLOW = AGENT_KEY, ALLOW_KEY, DISALLOW_KEY  # names that robots.py and linting.py import
DELAY, RATE, SITEMAP = DELAY_KEY, RATE_KEY, SITEMAP_KEY

cdef enum:
    LONGEST_KEY = 12

cdef struct KeyLine:         # a line with a known key
    int key
    bint mistyped
    size_t at, n             # the span of its value

cdef struct PathLine:        # a line that begins with Allow or Disallow
    size_t at, n             # the span of the path in the file; if n is 0, the line only ends a list of agents
    bint allow


cdef inline bint is_blank(uint8_t octet) noexcept nogil:
    return octet == c' ' or octet == c'\t'


cdef inline bint is_padding(uint8_t octet) noexcept nogil:
    """Return whether a byte is ignored at the ends of a value."""
    return is_blank(octet) or octet == 0 or octet == 0x0B or octet == 0x0C


cdef bint read_line(const uint8_t* p, size_t start, size_t end, KeyLine* line) noexcept nogil:
    """Read the line p[start:end]. Return False if the line has no meaning. A "#" begins a comment. A line of two words
    may have a blank in place of the colon ("disallow /x"); its key then counts as mistyped."""
    cdef size_t k = start, stop, name, name_end, m
    cdef uint8_t[LONGEST_KEY] lower
    while k < end and (is_blank(p[k]) or p[k] == 0):
        k += 1
    name = stop = k
    while stop < end and p[stop] != c':' and p[stop] != c'#':
        stop += 1
    name_end, line.mistyped = stop, False
    if stop < end and p[stop] == c':':
        while name_end > name and is_blank(p[name_end - 1]):
            name_end -= 1
        k = stop + 1
        while k < end and is_blank(p[k]):
            k += 1
        stop = k
        while stop < end and p[stop] != c'#':
            stop += 1
    else:
        line.mistyped = True
        name = start
        while name < stop and is_blank(p[name]):
            name += 1
        name_end = name
        while name_end < stop and not is_blank(p[name_end]):
            name_end += 1
        k = name_end
        while k < stop and is_blank(p[k]):
            k += 1
        while stop > k and is_blank(p[stop - 1]):
            stop -= 1
        for m in range(k, stop):
            if p[m] == c' ' or c'\t' <= p[m] <= c'\r':
                return False  # there is a third word
        if k == stop:
            return False
    if not 0 < name_end - name <= LONGEST_KEY:
        return False
    for m in range(name_end - name):
        lower[m] = p[name + m] | 0x20 if c'A' <= p[name + m] <= c'Z' else p[name + m]
    for m in range(<size_t>KEY_COUNT):
        if KEYS[m].n == name_end - name and memcmp(KEYS[m].text, lower, KEYS[m].n) == 0:
            line.key, line.mistyped = KEYS[m].key, line.mistyped or KEYS[m].mistyped
            break
    else:
        return False
    while k < stop and is_padding(p[k]):
        k += 1
    while stop > k and is_padding(p[stop - 1]):
        stop -= 1
    line.at, line.n = k, stop - k
    return True


def key_of(bytes line not None):
    """Return the key of a line of robots.txt, its value, and whether the key is mistyped. Return None if the line has
    no meaning."""
    cdef KeyLine found
    if not read_line(line, 0, len(line), &found):
        return None
    return found.key, line[found.at:found.at + found.n], bool(found.mistyped)


cdef list read_lines(bytes text, Buffer* paths):
    """Append a PathLine for each Allow and Disallow line to paths. Return (key, value, number of paths so far) for each
    other line that has a meaning. A line ends at CR, LF or CR LF."""
    cdef const uint8_t* p = text
    cdef size_t k = 0, end, n = len(text), feed = 0
    cdef const uint8_t* found
    cdef KeyLine line
    cdef PathLine* path
    cdef list others = []
    if n >= 3 and memcmp(p, b"\xef\xbb\xbf", 3) == 0:
        k = 3
    while k < n:
        if feed < k or feed == 0:  # search for the next LF once, and not again after each CR before it
            found = <const uint8_t*>memchr(p + k, c'\n', n - k)
            feed = n if found == NULL else found - p
        found = <const uint8_t*>memchr(p + k, c'\r', feed - k)
        end = feed if found == NULL else found - p
        if read_line(p, k, end, &line):
            if line.key == ALLOW_KEY or line.key == DISALLOW_KEY:
                buffer_reserve(paths, sizeof(PathLine))
                path = <PathLine*>(paths.p + paths.n)
                path.at, path.n, path.allow = line.at, line.n, line.key == ALLOW_KEY
                paths.n += sizeof(PathLine)
            else:
                others.append((line.key, text[line.at:line.at + line.n], paths.n // sizeof(PathLine)))
        k = end + 1
    return others


cdef int add_path(Tables tables, const uint8_t* path, size_t n, bint allow, Buffer* octets, Buffer* words, list keys,
                  object path_rules) except -1:
    """Add the rules that path_rules yields for a path, and append a key for each to keys. The rule with the highest key
    decides. octets and words are scratch memory."""
    cdef bint ends = path[n - 1] == c'$', first = True
    cdef size_t k, start = 0, from_, size, slash = 0, weight
    cdef uint32_t place
    cdef Block block = tables.block
    octets.n = words.n = 0
    for k in range(n):
        if path[k] == c'/':
            slash = k
    if path[0] == c'*' or n == <size_t>ends \
            or (allow and n - slash >= 10 and memcmp(path + slash, b"/index.htm", 10) == 0):
        for rule in path_rules(allow, path[:n]):
            keys.append(key_of_rule(2 * <size_t>rule.weight + allow, tables.count))
            tables.add(rule)
        return 0
    place = <uint32_t>block.literals.n
    n -= ends
    weight = ends
    for k in range(n + 1):
        if k < n and path[k] != c'*':
            continue
        from_ = octets.n
        write_folded(octets, path + start, k - start)
        size = octets.n - from_
        if first or size or k == n:  # two stars in a row mean the same as one star
            put_word(words, place + <uint32_t>from_)
            put_word(words, <uint32_t>size)
            put_word(words, 0 if first else block.table(octets.p[from_:octets.n]))
        first, start = False, k + 1
        weight += size + (k < n)
    if block.literals.n + octets.n > 0x7FFFFFFF:
        raise MemoryError()
    buffer_copy(&block.literals, octets.p, octets.n)
    tables.takes_paths_out |= not allow
    keys.append(key_of_rule(2 * weight + allow, tables.count))
    if weight == octets.n + ends:  # without a star, the trie can compare the whole path
        return tables.row(ANY_TARGET, tables.target_demand(allow, ends), place, <uint32_t>octets.n, 0)
    start = block.here()  # write the program, then the only check, then the demand
    put_word(&block.b, GREEDY)
    put_word(&block.b, <uint32_t>(words.n // (4 * PIECE_WORDS)))
    put_word(&block.b, ends)
    buffer_copy(&block.b, words.p, words.n)
    k = block.here()
    put_word(&block.b, 1)
    put_word(&block.b, TARGET)
    put_word(&block.b, <uint32_t>start)
    start = block.here()
    put_word(&block.b, BEHIND_TOO if allow else BEHIND)
    put_word(&block.b, 0)
    put_word(&block.b, 0)
    put_word(&block.b, <uint32_t>k)
    put_word(&block.b, 0)
    return tables.row(ANY_TARGET, <uint32_t>start, place, (<uint32_t*>words.p)[PIECE_SIZE], 0)


cdef inline int put_word(Buffer* b, uint32_t word) except -1:
    return buffer_copy(b, <const uint8_t*>&word, 4)


cdef inline object key_of_rule(size_t weight, uint32_t number):
    """Return a number by which rules are sorted, the weakest first. If two rules have the same weight, the later one is
    weaker."""
    return <uint64_t>weight << 32 | (0xFFFFFFFFu - number)


cdef Matcher compiled_paths(bytes text, const Buffer* paths, list spans, object path_rules):
    """Return the matcher of the lines in spans. Each span is (number of the first line, number after the last line)."""
    cdef Tables tables = Tables()
    cdef const PathLine* lines = <const PathLine*>paths.p
    cdef const uint8_t* p = text
    cdef Buffer octets, words
    cdef list keys = []
    cdef size_t k, start, stop
    buffer_start(&octets)
    buffer_start(&words)
    try:
        for start, stop in spans:
            for k in range(start, min(stop, paths.n // sizeof(PathLine))):
                if lines[k].n:
                    add_path(tables, p + lines[k].at, lines[k].n, lines[k].allow, &octets, &words, keys, path_rules)
    finally:
        buffer_free(&octets)
        buffer_free(&words)
    keys.sort()
    return Matcher(tables, [0xFFFFFFFFu - (key & 0xFFFFFFFFu) for key in keys])


# --- the paths of robots.txt, put in normal form and looked up without a URL object --------------------

cdef enum:
    MOST_AGENTS = 64         # the number of agents whose compiled rules are kept

cdef bytes AS_IT_IS = bytes([  # unreserved and reserved octets, except "'", "*" and "$".
    # "'" is missing because the URL Standard escapes it in a query, so a parsed URL has "%27" there
    octet in b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._~:/?#[]@!&()+,;=-"
    for octet in range(256)])
cdef bytes UNRESERVED = bytes([
    octet in b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~" for octet in range(256)])
cdef const uint8_t* as_it_is = AS_IT_IS
cdef const uint8_t* unreserved = UNRESERVED


cdef int write_folded(Buffer* b, const uint8_t* p, size_t n) except -1 nogil:
    """Append bytes in the form in which paths are compared (RFC 9309 section 2.2.2)."""
    cdef size_t k = 0, end
    cdef int octet
    while k < n:
        end = k
        while end < n and as_it_is[p[end]]:
            end += 1
        buffer_copy(b, p + k, end - k)
        k = end
        if k == n:
            break
        octet = octet_escaped(p + k, n - k) if p[k] == c'%' else -1
        if octet >= 0 and unreserved[octet]:
            buffer_put(b, <uint8_t>octet)
        else:
            write_escape(b, p[k] if octet < 0 else <uint8_t>octet)
        k += 3 if octet >= 0 else 1
    return 0


cdef inline int write_escape(Buffer* b, uint8_t octet) except -1 nogil:
    cdef const uint8_t* digits = <const uint8_t*>b"0123456789ABCDEF"
    buffer_put(b, c'%')
    buffer_put(b, digits[octet >> 4])
    return buffer_put(b, digits[octet & 15])


def folded(bytes path not None):
    """Return a path and query in the form in which they are compared (RFC 9309 section 2.2.2). Escapes of unreserved
    bytes are decoded, and others are in upper case. "*", "$", "'" and bytes that a URI cannot have are encoded."""
    cdef Buffer b
    buffer_start(&b)
    try:
        write_folded(&b, path, len(path))
        return b.p[:b.n]
    finally:
        buffer_free(&b)


cdef bint write_target(Buffer* b, object url) except -1:
    """Append the path and query that rules are compared with. Return False if a URL object is needed (then the caller
    calls _target_of).

    A text that begins with a single "/" is parsed with a host before it. If the fast parser for plain URLs
    (machine/lane) accepts the result, the text has no backslash, tab or newline, so it would have the same path as a
    reference.
    """
    cdef Reading r
    cdef Offsets o
    cdef const uint8_t* p
    cdef Py_ssize_t n
    cdef Buffer rooted
    if type(url) is URL:
        p, n, o = ascii_data((<URL>url).href), len((<URL>url).href), (<URL>url).o
        return write_part(b, p, n, &o)
    if type(url) is not str or not is_ascii(url):
        return False
    p, n = ascii_data(url), len(<str>url)
    if n > LONG_TEXT:
        return False
    if n == 0 or p[0] != c'/':
        if not read(&r, p, <uint32_t>n, NULL, BY_LANE | IPV4_TOO) or r.at.root_missing:
            return False
        offsets_of_plain(&r.at, &o)
        return write_part(b, p, n, &o)
    if n > 1 and p[1] == c'/':
        return False
    buffer_start(&rooted)
    try:
        buffer_copy(&rooted, <const uint8_t*>b"https://h", 9)
        buffer_copy(&rooted, p, n)
        if not read(&r, rooted.p, <uint32_t>rooted.n, NULL, BY_LANE):
            return False
        offsets_of_plain(&r.at, &o)
        return write_part(b, rooted.p, rooted.n, &o)
    finally:
        buffer_free(&rooted)


cdef bint write_part(Buffer* b, const uint8_t* p, size_t n, const Offsets* o) except -1 nogil:
    """Append the path and the query of a URL. If the path does not begin with "/", a "/" is put before it."""
    cdef size_t end = end_of_query(o, <uint32_t>n)
    if o.path_start == end or p[o.path_start] != c'/':
        buffer_put(b, c'/')
    write_folded(b, p + o.path_start, end - o.path_start)
    return True


@cython.binding(False)
cdef class Paths:
    """The base of Robots: the compiled rules of agents. Robots adds _target_of, for URLs that must be parsed to
    objects, and _rules_for, which compiles an agent's rules."""
    cdef dict matchers       # agent -> Matcher; the key is (agent, True) for a User-Agent header
    cdef readonly bytes _text
    cdef Buffer lines        # a PathLine for each Allow and Disallow line

    def __cinit__(self):
        self.matchers, self._text = {}, b""
        buffer_start(&self.lines)

    def __dealloc__(self):
        buffer_free(&self.lines)

    def _read(self, bytes text not None):
        """Read the file. Return (key, value, number of paths so far) for each line except Allow and Disallow lines, and
        the number of all paths."""
        self.lines.n, self._text = 0, text
        return read_lines(text, &self.lines), self.lines.n // sizeof(PathLine)

    def _paths(self, size_t start, size_t stop):
        """Return (whether it allows, path) for the Allow and Disallow lines with these numbers, except those with an
        empty path."""
        cdef const PathLine* line = <const PathLine*>self.lines.p
        cdef size_t k
        cdef list found = []
        for k in range(start, min(stop, self.lines.n // sizeof(PathLine))):
            if line[k].n:
                found.append((bool(line[k].allow), self._text[line[k].at:line[k].at + line[k].n]))
        return found

    def _compiled(self, list spans not None, path_rules):
        """Return the matcher of the Allow and Disallow lines in these spans (see compiled_paths)."""
        return compiled_paths(self._text, &self.lines, spans, path_rules)

    def allows(self, url, agent, *, header=False):
        """Return whether an agent may fetch a URL.

        Args:
            url: the URL, or a path with its query, as str, bytes or URL. The result is False for any other text.
            agent: the crawler's product token; a version after it, such as "/1.0", is ignored. If `header` is true,
                the crawler's User-Agent header.
            header: whether `agent` is a User-Agent header. The first word in it that names a group is used.

        Raises:
            TypeError: `url` or `agent` has the wrong type.
            ValueError: `agent` is a URL or a path: the arguments are swapped.

        Example:
            >>> from urlsm.crawler import Robots
            >>> Robots("User-agent: *\\nDisallow: /x").allows("https://ex.com/x/y", "my-crawler")
            False

        RFC 9309 section 2.2.2
        """
        cdef Matcher rules
        cdef View v
        cdef Search s
        cdef Buffer b
        cdef Py_ssize_t rule
        cdef bytes target
        key = (agent, True) if header else agent
        found = self.matchers.get(key)
        if found is None:
            found = self._rules_for(agent, header)
            if found is None:
                raise TypeError("an agent has rules")
            if len(self.matchers) >= MOST_AGENTS:
                # drop all matchers: looking for one to remove could fail while another thread adds one
                self.matchers.clear()
            self.matchers[key] = found
        rules = found
        buffer_start(&b)
        try:
            if not write_target(&b, url):
                target = self._target_of(url)
                if target is None:
                    return False
                b.n = 0
                buffer_copy(&b, target, len(target))
            if b.n == 11 and memcmp(b.p, b"/robots.txt", 11) == 0:
                return True
            view_octets(&v, b.p, b.n)
            s.request = NULL
            rule = rules.deciding_rule(&v, &s)
            return rule < 0 or rules.traits(<uint32_t>rule) & ALLOWS != 0
        finally:
            buffer_free(&b)


# --- the tokens of pattern strings ---------------------------------------------------------------------
#
# A token is a span of the text. A str of it is only made when a part or a component needs one.
# https://urlpattern.spec.whatwg.org/#tokens

cdef enum TokenKind:
    OPEN
    CLOSE
    REGEXP
    NAME
    CHAR                     # one character, or several that have no meaning to any parser
    ESCAPED_CHAR
    OTHER_MODIFIER
    ASTERISK
    END
    INVALID

cdef struct Token:
    Py_ssize_t index         # where the token begins in the text
    Py_ssize_t start, end    # the span of its value
    TokenKind kind

# the characters that have a meaning. "/" may be the prefix of a group; "#", "@", "[" and "]" have a meaning only in
# constructor strings
cdef bytes MARKS = bytes([chr(octet) in "*+?{}\\:(/#@[]" for octet in range(128)])
cdef const uint8_t* marks = MARKS


cdef inline Token* tokens_of(Buffer* b) noexcept:
    return <Token*>b.p


cdef int put(Buffer* b, TokenKind kind, Py_ssize_t index, Py_ssize_t start, Py_ssize_t end) except -1:
    cdef Token token
    token.kind, token.index, token.start, token.end = kind, index, start, end
    buffer_reserve(b, sizeof(Token))
    (<Token*>(b.p + b.n))[0] = token
    b.n += sizeof(Token)
    return 0


cdef int put_invalid(Buffer* b, str text, Py_ssize_t k, bint strict) except -1:
    """#process-a-tokenizing-error"""
    if strict:
        raise TypeError(f"the pattern {text!r} is not well formed at {k}")
    return put(b, INVALID, k, k, k + 1)


cdef bint is_name_char(Py_UCS4 c, bint first) except -1:
    """#is-a-valid-name-code-point"""
    if c < 128:
        return c == u"$" or c == u"_" or CLASS[<uint8_t>c] & (ALPHA if first else ALPHA | DIGIT) != 0
    from urlsm.patterns.names import is_name_char as long_way  # this import loads a module of a megabyte

    return long_way(chr(c), first)


cdef Py_ssize_t regexp_end(str text, Py_ssize_t start) except -2:
    """Return the position of the ")" after a regular expression that begins at start; -1 if it is not well formed."""
    cdef Py_ssize_t depth = 1, k = start, n = len(text)
    cdef Py_UCS4 c
    while k < n:
        c = text[k]
        if c >= 128 or (k == start and c == u"?"):
            return -1
        if c == u"\\":
            if k == n - 1 or text[k + 1] >= 128:
                return -1
            k += 2
            continue
        if c == u")":
            depth -= 1
            if depth == 0:
                return k if k > start else -1
        elif c == u"(":
            depth += 1
            if k == n - 1 or text[k + 1] != u"?":
                return -1
        k += 1
    return -1


cdef int tokenize(Buffer* b, str text, bint strict) except -1:
    """Append the tokens of a pattern string (#tokenize). If a part is not well formed, TypeError is raised if strict is
    True; otherwise the part becomes a token of the kind INVALID."""
    cdef Py_ssize_t k = 0, n = len(text), end
    cdef Py_UCS4 c
    while k < n:
        c = text[k]
        end = k + 1
        if c >= 128 or not marks[c]:
            while end < n and (text[end] >= 128 or not marks[<uint8_t>text[end]]):
                end += 1
            put(b, CHAR, k, k, end)
        elif c == u"*":
            put(b, ASTERISK, k, k, end)
        elif c == u"+" or c == u"?":
            put(b, OTHER_MODIFIER, k, k, end)
        elif c == u"{":
            put(b, OPEN, k, k, end)
        elif c == u"}":
            put(b, CLOSE, k, k, end)
        elif c == u"\\":
            if end == n:
                put_invalid(b, text, k, strict)
            else:
                end += 1
                put(b, ESCAPED_CHAR, k, k + 1, end)
        elif c == u":":
            while end < n and is_name_char(text[end], end == k + 1):
                end += 1
            if end == k + 1:
                put_invalid(b, text, k, strict)
            else:
                put(b, NAME, k, k + 1, end)
        elif c == u"(":
            end = regexp_end(text, k + 1)
            if end < 0:
                put_invalid(b, text, k, strict)
                end = k + 1
            else:
                put(b, REGEXP, k, k + 1, end)
                end += 1
        else:
            put(b, CHAR, k, k, end)
        k = end
    return put(b, END, n, n, n)


# --- pattern strings, and the parts that they consist of -----------------------------------------------
# https://urlpattern.spec.whatwg.org/#pattern-strings

cdef enum PartKind:          # the kinds of parts, in the order that compare_component needs
    FULL_WILDCARD
    SEGMENT_WILDCARD
    REGEXP_PART
    FIXED

cdef enum Canonical:         # the encoding callbacks, in the order of canonical.ENCODERS
    PROTOCOL
    USERNAME
    PASSWORD
    HOSTNAME
    PORT
    PATHNAME
    SEARCH
    FRAGMENT                 # the URL Pattern Standard calls it "hash"
    IPV6
    OPAQUE_PATHNAME

cdef enum:
    LONGEST = 4096           # longer texts are always given to the encoding callback

KINDS = (FULL_WILDCARD, SEGMENT_WILDCARD, REGEXP_PART, FIXED)


cdef bint is_unchanged(str text, Canonical which) noexcept:
    """Return whether the encoding callback `which` certainly returns the text unchanged.

    The callbacks are setters of a special URL. Such setters only change bytes that they have to encode or strip
    (url/splicing.pxd checks the same classes of bytes). A pathname that does not begin with "/" is put after "/-" and
    then parsed, so its first segment cannot be a dot segment. A protocol is parsed with "://dummy.invalid" after it, so
    it has to be a scheme in lower case.
    """
    cdef const uint8_t* p
    cdef uint32_t k, n, seen
    if not is_ascii(text) or len(text) > LONGEST:
        return False
    p, n = ascii_data(text), <uint32_t>len(text)
    if n == 0:
        return True
    seen = classes_of(p, n)
    if which == HOSTNAME:
        return is_normal_domain(p, n, seen)
    if which == PATHNAME:
        if seen & (ENC_PATH | BACKSLASH):
            return False
        for k in range(1, n):
            if p[k - 1] == c'/' and (p[k] == c'.' or p[k] == c'%'):  # a dot segment may begin here
                return False
        return True
    if which == SEARCH:
        return not seen & ENC_SPECIAL_QUERY
    if which == FRAGMENT:
        return not seen & ENC_FRAGMENT
    if which == OPAQUE_PATHNAME:
        return not seen & (ENC_C0 | QUESTION | HASH)
    if which == USERNAME or which == PASSWORD:
        return not seen & ENC_USERINFO
    if which == PROTOCOL:
        for k in range(n):
            if not CLASS[p[k]] & SCHEME_CHAR:
                return False
        return not seen & UPPER and CLASS[p[0]] & ALPHA != 0
    if which == PORT and n < 5 and (p[0] != c'0' or n == 1):
        for k in range(n):
            if not CLASS[p[k]] & DIGIT:
                return False
        return True
    return False


@cython.final
@cython.no_gc
@cython.freelist(16)
@cython.binding(False)
cdef class Part:
    """#part. modifier: "*", "?", "+" or ""."""
    cdef readonly int kind
    cdef readonly str value, modifier, name, prefix, suffix


cdef Part part_of(PartKind kind, str value, str modifier, str name, str prefix, str suffix):
    cdef Part made = Part.__new__(Part)
    made.kind, made.value, made.modifier = kind, value, modifier
    made.name, made.prefix, made.suffix = name, prefix, suffix
    return made


cdef tuple ANYTHING = ("times", ("?",), 0, None, True)
# the piece that matches a segment, by the delimiter
cdef dict SEGMENT = {
    delimiter: ("times", (("in", bytes(set(range(256)) - set(delimiter.encode()))),), 1, None, False)
    for delimiter in ("", ".", "/")
}


cdef int put_times(list program, tuple pieces, str modifier) except -1:
    """Append pieces to a program, repeated as the modifier says. Adjacent literals become one."""
    if modifier == "?":
        program.append(("optional", pieces, True))
    elif modifier:
        program.append(("times", pieces, int(modifier == "+"), None, True))
    else:
        for piece in pieces:
            if type(piece) is not bytes:
                program.append(piece)
            elif piece and program and type(program[len(program) - 1]) is bytes:
                program[len(program) - 1] += piece
            elif piece:
                program.append(piece)
    return 0


@cython.binding(False)
cdef class PatternString:
    """A pattern string and its parts (#parse-a-pattern-string).

    Attributes:
        parts: the part list. names: the names of the groups. encode: the encoding callback. delimiter, prefix,
            ignore_case: the options of the standard ("" stands for no code point). segment_wildcard: the regular
            expression that matches a segment. has_regexp_groups: whether a part is a regular expression.
    """
    cdef readonly tuple parts, names
    cdef readonly object encode
    cdef readonly str delimiter, prefix, segment_wildcard
    cdef readonly bint ignore_case, has_regexp_groups
    cdef Canonical which

    def __cinit__(self, str text not None, Canonical which, encode, bint ignore_case=False):
        cdef Parser parser
        self.which, self.encode = which, encode
        # https://urlpattern.spec.whatwg.org/#hostname-options #pathname-options #default-options
        self.delimiter, self.prefix, self.segment_wildcard = "", "", "[^]+?"
        if which == HOSTNAME or which == IPV6:
            self.delimiter, self.segment_wildcard = ".", "[^\\.]+?"
        elif which == PATHNAME:
            self.delimiter = self.prefix = "/"
            self.segment_wildcard = "[^\\/]+?"
        self.ignore_case = ignore_case and PATHNAME <= which != IPV6
        parser = Parser(text)
        parser.string = self
        parser.run()
        self.parts = tuple(parser.parts)
        self.names = () if parser.names is None else tuple(parser.names)

    @property
    def fixed_text(self):
        """The only text that the component matches (or the only one apart from case, with ignore_case); None if it can
        match several."""
        cdef Part part
        cdef str text = ""
        for part in self.parts:
            if part.kind != FIXED or part.modifier:
                return None
            text += part.value
        return text

    @property
    def is_any(self):
        """Whether the pattern string in normal form is "*"."""
        cdef Part part
        if len(self.parts) != 1:
            return False
        part = self.parts[0]
        return part.kind == FULL_WILDCARD and not part.modifier and not part.prefix and not part.suffix \
            and part.name[0].isdigit()

    def plain_program(self):
        """Return the program (rule.py) that components.program_of would return, or one that matches the same strings
        without groups, if there are only literals and stars. Return None if a part is a regular expression, or if case
        is ignored."""
        cdef Part part
        cdef list made = []
        cdef object prefix, suffix, one, again
        cdef bint plain = True
        cdef Py_ssize_t number = 0
        if self.has_regexp_groups or self.ignore_case:
            return None
        for part in self.parts:
            plain = plain and not part.modifier and (part.kind == FIXED or part.kind == FULL_WILDCARD)
        for part in self.parts:
            if part.kind == FIXED:
                put_times(made, (part.value.encode(),), part.modifier)
                continue
            prefix, suffix = part.prefix.encode(), part.suffix.encode()
            one = ANYTHING if part.kind == FULL_WILDCARD else SEGMENT[self.delimiter]
            if plain:
                put_times(made, (prefix, "*", suffix), "")
            elif not part.modifier or part.modifier == "?":
                put_times(made, (prefix, ("group", number, (one,)), suffix), part.modifier)
            elif not part.prefix and not part.suffix:
                made.append(("group", number, (("times", (one,), int(part.modifier == "+"), None, True),)))
            else:
                again = ("times", (suffix, prefix, one), 0, None, True)
                put_times(made, (prefix, ("group", number, (one, again)), suffix), "?" if part.modifier == "*" else "")
            number += 1
        made.append("$")
        return tuple(made)

    cdef str encoded(self, str text):
        return text if is_unchanged(text, self.which) else self.encode(text)


@cython.final
@cython.internal
@cython.no_gc
@cython.binding(False)
cdef class Parser:
    """#pattern-parser"""
    cdef str text
    cdef PatternString string
    cdef list parts
    cdef dict names          # the keys are the names of groups, in order; None if there is no group yet
    cdef Buffer tokens
    cdef Py_ssize_t at, numeric
    cdef list pending        # the pending fixed value consists of these texts (if not None), then of a span of the text
    cdef Py_ssize_t pending_start, pending_end

    def __cinit__(self, str text not None):
        buffer_start(&self.tokens)
        self.text, self.parts = text, []
        tokenize(&self.tokens, text, True)

    def __dealloc__(self):
        buffer_free(&self.tokens)

    cdef Token* take(self, TokenKind kind) noexcept:
        """#try-to-consume-a-token"""
        cdef Token* token = tokens_of(&self.tokens) + self.at
        if token.kind != kind:
            return NULL
        self.at += 1
        return token

    cdef Token* take_regexp(self, Token* name) noexcept:
        """#try-to-consume-a-regexp-or-wildcard-token"""
        cdef Token* token = self.take(REGEXP)
        return self.take(ASTERISK) if token == NULL and name == NULL else token

    cdef str take_modifier(self):
        """#try-to-consume-a-modifier-token"""
        cdef Token* token = self.take(OTHER_MODIFIER)
        if token == NULL:
            token = self.take(ASTERISK)
        return "" if token == NULL else self.value(token)

    cdef str take_text(self):
        """#consume-text"""
        cdef list made = None
        cdef Token* token
        while True:
            token = self.take(CHAR)
            if token == NULL:
                token = self.take(ESCAPED_CHAR)
            if token == NULL:
                return "" if made is None else "".join(made)
            if made is None:
                made = []
            made.append(self.value(token))

    cdef int require(self, TokenKind kind) except -1:
        """#consume-a-required-token"""
        if self.take(kind) == NULL:
            raise TypeError(f"the pattern {self.text!r} is not well formed at {tokens_of(&self.tokens)[self.at].index}")
        return 0

    cdef str value(self, Token* token):
        return self.text[token.start:token.end]

    cdef int run(self) except -1:
        """#parse-a-pattern-string"""
        cdef Token* char
        cdef Token* name
        cdef Token* regexp
        cdef str prefix, suffix
        while <size_t>self.at * sizeof(Token) < self.tokens.n:
            char, name = self.take(CHAR), self.take(NAME)
            regexp = self.take_regexp(name)
            if name != NULL or regexp != NULL:
                prefix = ""
                if char != NULL:
                    if self.string.prefix and char.end == char.start + 1 and self.text[char.start] == u"/":
                        prefix = self.string.prefix
                    else:
                        self.append(char)
                self.flush()
                self.add(prefix, name, regexp, "", self.take_modifier())
                continue
            if char == NULL:
                char = self.take(ESCAPED_CHAR)
            if char != NULL:
                self.append(char)
            elif self.take(OPEN) != NULL:
                prefix, name = self.take_text(), self.take(NAME)
                regexp = self.take_regexp(name)
                suffix = self.take_text()
                self.require(CLOSE)
                self.add(prefix, name, regexp, suffix, self.take_modifier())
            else:
                self.flush()
                self.require(END)
        return 0

    cdef int append(self, Token* token) except -1:
        """Append a token to the pending fixed value."""
        if token.start != self.pending_end and self.pending_end > self.pending_start:
            self.wait(self.text[self.pending_start:self.pending_end])
        if token.start != self.pending_end or self.pending_end == self.pending_start:
            self.pending_start = token.start
        self.pending_end = token.end
        return 0

    cdef int wait(self, str text) except -1:
        if self.pending is None:
            self.pending = []
        self.pending.append(text)
        return 0

    cdef int flush(self) except -1:
        """#maybe-add-a-part-from-the-pending-fixed-value"""
        cdef str text = self.text[self.pending_start:self.pending_end]
        if self.pending is not None:
            self.pending.append(text)
            text, self.pending = "".join(self.pending), None
        self.pending_start = self.pending_end
        if text:
            self.parts.append(part_of(FIXED, self.string.encoded(text), "", "", "", ""))
        return 0

    cdef int add(self, str prefix, Token* name, Token* regexp, str suffix, str modifier) except -1:
        """#add-a-part"""
        cdef PartKind kind = SEGMENT_WILDCARD
        cdef str value = "", called
        if name == NULL and regexp == NULL:
            if not modifier:
                if prefix:
                    if self.pending_end > self.pending_start:
                        self.wait(self.text[self.pending_start:self.pending_end])
                        self.pending_start = self.pending_end
                    self.wait(prefix)
                return 0
            self.flush()
            if prefix:
                self.parts.append(part_of(FIXED, self.string.encoded(prefix), modifier, "", "", ""))
            return 0
        self.flush()
        if regexp != NULL:
            value = self.value(regexp)
            if regexp.kind == ASTERISK or value == ".*":
                kind, value = FULL_WILDCARD, ""
            elif value == self.string.segment_wildcard:
                value = ""
            else:
                kind = REGEXP_PART
                self.string.has_regexp_groups = True
        if name != NULL:
            called = self.value(name)
        else:
            called = str(self.numeric)
            self.numeric += 1
        if self.names is None:
            self.names = {}
        elif called in self.names:
            raise TypeError(f"the pattern {self.text!r} has two groups of the name {called!r}")
        self.names[called] = None
        self.parts.append(part_of(kind, value, modifier, called, self.string.encoded(prefix),
                                  self.string.encoded(suffix)))
        return 0


# --- constructor strings: a whole pattern in one text, which is split into components ------------------
# https://urlpattern.spec.whatwg.org/#constructor-string-parsing

cdef enum State:             # https://urlpattern.spec.whatwg.org/#constructor-string-parser-state
    IN_INIT
    IN_PROTOCOL
    IN_AUTHORITY
    IN_USERNAME
    IN_PASSWORD
    IN_HOSTNAME
    IN_PORT
    IN_PATHNAME
    IN_SEARCH
    IN_HASH
    IN_DONE

cdef tuple STATES = ("init", "protocol", "authority", "username", "password", "hostname", "port", "pathname", "search",
                     "hash", "done")


def parse_constructor_string(str text not None, is_special):
    """Return the components of a constructor string. is_special: a function that returns whether the pattern string of
    a protocol matches a special scheme (#compute-protocol-matches-a-special-scheme-flag). TypeError: the protocol
    cannot be read.

    https://urlpattern.spec.whatwg.org/#constructor-string-parsing
    """
    cdef Constructor parser = Constructor(text, is_special)
    parser.run()
    return parser.result


@cython.final
@cython.internal
@cython.no_gc
@cython.binding(False)
cdef class Constructor:
    """#constructor-string-parser"""
    cdef str text
    cdef object is_special
    cdef dict result
    cdef Buffer tokens
    cdef Py_ssize_t count, at, start, step, depth, brackets
    cdef State state
    cdef bint special

    def __cinit__(self, str text not None, is_special):
        buffer_start(&self.tokens)
        self.text, self.is_special, self.result = text, is_special, {}
        tokenize(&self.tokens, text, False)
        self.count = <Py_ssize_t>(self.tokens.n // sizeof(Token))

    def __dealloc__(self):
        buffer_free(&self.tokens)

    cdef int run(self) except -1:
        """#parse-a-constructor-string"""
        cdef Token* token
        while self.at < self.count:
            self.step = 1
            token = tokens_of(&self.tokens) + self.at
            # the token consists of several characters without a meaning
            if token.kind == CHAR and token.end > token.start + 1:
                pass
            elif token.kind == END:
                if self.state == IN_INIT:
                    self.rewind(IN_INIT)
                    if self.is_char(self.at, c'#'):
                        self.change(IN_HASH, 1)
                    elif self.is_search():
                        self.change(IN_SEARCH, 1)
                    else:
                        self.change(IN_PATHNAME, 0)
                elif self.state == IN_AUTHORITY:
                    self.rewind(IN_HOSTNAME)
                else:
                    self.change(IN_DONE, 0)
                    break
            elif token.kind == OPEN:
                self.depth += 1
            elif self.depth:
                self.depth -= token.kind == CLOSE
            else:
                self.one()
            self.at += self.step
        if "hostname" in self.result and "port" not in self.result:
            self.result["port"] = ""
        return 0

    cdef int one(self) except -1:
        """Handle the current token in the current state."""
        cdef Py_ssize_t at = self.at
        cdef State state = self.state
        if state == IN_INIT:
            if self.is_char(at, c':'):
                self.rewind(IN_PROTOCOL)
        elif state == IN_PROTOCOL:
            if self.is_char(at, c':'):
                self.special = self.is_special(self.component())
                if self.is_char(at + 1, c'/') and self.is_char(at + 2, c'/'):
                    self.change(IN_AUTHORITY, 3)
                else:
                    self.change(IN_AUTHORITY if self.special else IN_PATHNAME, 1)
        elif state == IN_AUTHORITY:
            if self.is_char(at, c'@'):
                self.rewind(IN_USERNAME)
            elif self.is_char(at, c'/') or self.is_search() or self.is_char(at, c'#'):
                self.rewind(IN_HOSTNAME)
        elif state == IN_USERNAME and self.is_char(at, c':'):
            self.change(IN_PASSWORD, 1)
        elif state == IN_USERNAME or state == IN_PASSWORD:
            if self.is_char(at, c'@'):
                self.change(IN_HOSTNAME, 1)
        elif state == IN_HOSTNAME and self.is_char(at, c'['):
            self.brackets += 1
        elif state == IN_HOSTNAME and self.is_char(at, c']'):
            self.brackets -= 1
        elif state == IN_HOSTNAME and self.is_char(at, c':') and self.brackets == 0:
            self.change(IN_PORT, 1)
        elif state <= IN_PORT and self.is_char(at, c'/'):
            self.change(IN_PATHNAME, 0)
        elif state <= IN_PATHNAME and self.is_search():
            self.change(IN_SEARCH, 1)
        elif state <= IN_SEARCH and self.is_char(at, c'#'):
            self.change(IN_HASH, 1)
        return 0

    cdef void rewind(self, State state) noexcept:
        """#rewind-and-set-state"""
        self.at, self.step, self.state = self.start, 0, state

    cdef int change(self, State state, Py_ssize_t skip) except -1:
        """#change-state"""
        cdef State before = self.state
        if before != IN_INIT and before != IN_AUTHORITY and before != IN_DONE:
            self.result[STATES[<int>before]] = self.component()
        if before != IN_INIT and state != IN_DONE:
            if before <= IN_PASSWORD and state >= IN_PORT:
                self.result.setdefault("hostname", "")
            if before <= IN_PORT and state >= IN_SEARCH:
                self.result.setdefault("pathname", "/" if self.special else "")
            if before <= IN_PATHNAME and state == IN_HASH:
                self.result.setdefault("search", "")
        self.state = state
        self.at += skip
        self.start, self.step = self.at, 0
        return 0

    cdef str component(self):
        """#make-a-component-string"""
        cdef Token* tokens = tokens_of(&self.tokens)
        return self.text[tokens[min(self.start, self.count - 1)].index:tokens[self.at].index]

    cdef bint is_char(self, Py_ssize_t at, uint8_t char) noexcept:
        """#is-a-non-special-pattern-char"""
        cdef Token* token = tokens_of(&self.tokens) + min(at, self.count - 1)
        return token.end == token.start + 1 and self.text[token.start] == char \
            and (token.kind == CHAR or token.kind == ESCAPED_CHAR or token.kind == INVALID)

    cdef bint is_search(self) noexcept:
        """Return whether the current token is a "?" that is not a modifier (#is-a-search-prefix)."""
        cdef Token* token = tokens_of(&self.tokens) + self.at
        if self.is_char(self.at, c'?'):
            return True
        if token.kind != OTHER_MODIFIER or self.text[token.start] != u"?":
            return False
        if self.at == 0:
            return True
        token -= 1
        return not (token.kind == NAME or token.kind == REGEXP or token.kind == CLOSE or token.kind == ASTERISK)
