"""Reads robots.txt files, and looks paths up, without an object for each line."""
cimport cython
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memchr, memcmp
from urlsm.machine.driver cimport BY_LANE, IPV4_TOO, LONG_TEXT
from urlsm.machine.reading cimport Reading, read
from urlsm.octets.buffer cimport (
    Buffer, ascii_data, buffer_copy, buffer_free, buffer_put, buffer_reserve, buffer_start, is_ascii,
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
