# The lines of a robots.txt, which are read and compiled without an object for each of them.

cdef extern from *:
    """
    /* the keys, in the order of robots.py */
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
    enum: ALLOW_KEY "URLSM_ALLOW"
    enum: DISALLOW_KEY "URLSM_DISALLOW"

cdef enum:
    LONGEST_KEY = 12

cdef struct KeyLine:         # a line that means something
    int key
    bint mistyped
    size_t at, n             # its value

cdef struct PathLine:        # Allow or Disallow
    size_t at, n             # its path, in the file; 0 octets: the line only ends a list of agents
    bint allow


cdef inline bint is_blank(uint8_t octet) noexcept nogil:
    return octet == c' ' or octet == c'\t'


cdef inline bint is_padding(uint8_t octet) noexcept nogil:
    """Return whether an octet around a value does not count."""
    return is_blank(octet) or octet == 0 or octet == 0x0B or octet == 0x0C


cdef bint read_line(const uint8_t* p, size_t start, size_t end, KeyLine* line) noexcept nogil:
    """Read the line p[start:end]; return False if it has no meaning. A "#" begins a comment. Without a colon it has
    two words ("disallow /x"), and its key counts as mistyped."""
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
                return False  # a third word
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
    """Return (the key of a line of robots.txt, its value, whether the key is mistyped); None if it has no meaning."""
    cdef KeyLine found
    if not read_line(line, 0, len(line), &found):
        return None
    return found.key, line[found.at:found.at + found.n], bool(found.mistyped)


cdef list read_lines(bytes text, Buffer* paths):
    """Append a PathLine of each Allow and Disallow to paths; return (key, value, number of those before it) of each
    other line that means something. Lines end at CR, LF or both."""
    cdef const uint8_t* p = text
    cdef size_t k = 0, end, n = len(text), feed = 0
    cdef const uint8_t* found
    cdef KeyLine line
    cdef PathLine* path
    cdef list others = []
    if n >= 3 and memcmp(p, b"\xef\xbb\xbf", 3) == 0:
        k = 3
    while k < n:
        if feed < k or feed == 0:  # the next LF is searched once, however many CRs stand before it
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
    """Add the rules that path_rules yields for a path, and the key of each: the higher key decides. octets and words
    are used and emptied."""
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
        if first or size or k == n:  # two stars are one
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
    if weight == octets.n + ends:  # no stars: the trie decides
        return tables.row(ANY_TARGET, tables.target_demand(allow, ends), place, <uint32_t>octets.n, 0)
    start = block.here()  # the program, then the one check, then the demand
    put_word(&block.b, GREEDY)
    put_word(&block.b, <uint32_t>(words.n // 12))
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
    return tables.row(ANY_TARGET, <uint32_t>start, place, (<uint32_t*>words.p)[1], 0)


cdef inline int put_word(Buffer* b, uint32_t word) except -1:
    return buffer_copy(b, <const uint8_t*>&word, 4)


cdef inline object key_of_rule(size_t weight, uint32_t number):
    """Return a number by which rules are sorted, the weakest first; of two that are as strong the later one first."""
    return <uint64_t>weight << 32 | (0xFFFFFFFFu - number)


cdef Matcher compiled_paths(bytes text, const Buffer* paths, list spans, object path_rules):
    """Return the matcher of the lines in spans: (the first, behind the last)."""
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
