"""The tables of rules that a matcher reads. matcher.pyx describes them."""
cimport cython
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, qsort
from libc.string cimport memcmp, memcpy, memset
from os import urandom
from urlsm.crawler.labels cimport dots_of, has_empty_label
from urlsm.octets.buffer cimport Buffer, ascii_data, buffer_copy, buffer_free, buffer_reserve, buffer_start, is_ascii
from urlsm.octets.chars cimport CLASS, DIGIT
from urlsm.patterns.hosts cimport MOST_PLAIN, plain_name
from urlsm.patterns.opcodes cimport CASED_TARGET, PATH, QUERY, SEARCH, TARGET, WHOLE
from urlsm.patterns.programs cimport NOWHERE, Block
from urlsm.patterns.tokens cimport GRAM, Token, put_grams, put_tokens
from urlsm.machine.driver import SCHEMES
from urlsm.patterns.opcodes import TEXTS
from urlsm.patterns import rule as rule_py
from urlsm.patterns.rule import is_literal, prefix_of

cdef int EXACT = rule_py.EXACT, BELOW = rule_py.BELOW, BOTH = rule_py.BOTH
cdef dict NUMBERS = {name: number for number, name in enumerate(TEXTS)}


# --- rows of the tries, and how they are sorted ------------------------------------------------------------

cdef inline uint64_t head_of(const uint8_t* p, uint32_t n) noexcept nogil:
    cdef uint64_t head = 0
    cdef uint32_t k
    for k in range(min(n, 8)):
        head |= <uint64_t>p[k] << (56 - 8 * k)
    return head


cdef inline bint goes_before(const Row* a, const Row* b, const uint8_t* pool) noexcept nogil:
    """Return whether row a comes before row b. Rows are ordered by group, then by bytes, then by rank with the highest
    first."""
    cdef int order
    if a.group != b.group:
        return a.group < b.group
    if a.head != b.head:  # compare the first eight octets; missing ones count as 0
        return a.head < b.head
    if a.at != b.at or a.n != b.n:
        order = memcmp(pool + a.at, pool + b.at, min(a.n, b.n))
        if order != 0:
            return order < 0
        if a.n != b.n:
            return a.n < b.n
    return a.rule > b.rule


cdef void sort_rows(Row* rows, Row* spare, uint32_t n, const uint8_t* pool) noexcept nogil:
    """Sort the rows by merging runs of 1, 2, 4 rows and so on. Two runs that are already in order are copied without
    merging, so a sorted list takes fewer than n comparisons, but still one copy per pass."""
    cdef Row* a = rows
    cdef Row* b = spare
    cdef size_t width = 1, low, middle, high, i, j, k
    for k in range(n):
        a[k].head = head_of(pool + a[k].at, a[k].n)
    while width < n:
        low = 0
        while low < n:
            middle, high = min(low + width, <size_t>n), min(low + 2 * width, <size_t>n)
            i, j = low, middle
            if middle == high or not goes_before(&a[middle], &a[middle - 1], pool):
                memcpy(b + low, a + low, sizeof(Row) * (high - low))
                low = high
                continue
            for k in range(low, high):
                if i < middle and (j >= high or not goes_before(&a[j], &a[i], pool)):
                    b[k] = a[i]
                    i += 1
                else:
                    b[k] = a[j]
                    j += 1
            low = high
        a, b = b, a
        width *= 2
    if a != rows:
        memcpy(rows, a, sizeof(Row) * <size_t>n)


# --- tokens: texts by which the rules of a branch are found (tokens.pxd) ---------------------------------------

cdef enum:
    COMMON = 1 << 24         # a gram that many URLs have counts as if this many rules had it

cdef bytes IN_MANY_URLS = (
    b"https://www. http://www. .com/ .net/ .org/ .html .htm? .php? .js? .json .jpg .png .gif .css /index /static "
    b"/assets /images /public /content")
cdef uint64_t NO_TOKEN = ~<uint64_t>0  # the head of a row that has no token

cdef struct Count:           # how many rules have a token
    uint32_t value, kind, count
    uint32_t last            # the number of the last of these rules, plus 1


cdef inline Count* count_of(Count* counts, size_t mask, const Token* token) noexcept nogil:
    """Return the place of a token in a hash table that has room for it."""
    cdef size_t slot = token_hash(token.value) & mask
    while counts[slot].kind and (counts[slot].value != token.value or counts[slot].kind != token.kind):
        slot = (slot + 1) & mask
    return &counts[slot]


cdef int by_token(const void* a, const void* b) noexcept nogil:
    """Order rows by their tokens, then by rank with the highest first."""
    cdef const Row* one = <const Row*>a
    cdef const Row* other = <const Row*>b
    if one.head != other.head:
        return -1 if one.head < other.head else 1
    return (one.rule < other.rule) - (one.rule > other.rule)


# --- the tables, written into one block --------------------------------------------------------------

# most URLs begin with this text, so hardly any URL is excluded by a prefix that is the beginning of it
cdef bytes ANY_SCHEME = b"https://"


@cython.final
@cython.binding(False)
cdef class Tables:
    """Rules that are added one by one, to make a Matcher. takes_paths_out, takes_queries_out: whether some rule takes
    URLs out of the list because of their path, or because of their query. single: whether there is only one rule, which
    is then compared without a look-up of the host."""

    def __cinit__(self, *, bint single=False):
        cdef bytes chance = urandom(sizeof(self.key))
        memcpy(self.key, <const uint8_t*>chance, sizeof(self.key))
        self.block, self.keys, self.source_keys, self.known = Block(), {}, {}, {}
        self.unindexed, self.single = [], single
        buffer_start(&self.rows)
        buffer_start(&self.labels)
        buffer_start(&self.tokens)
        self.block.word(0)  # an unused word: 1 is not a place, but means that children are in the table of edges

    def __dealloc__(self):
        buffer_free(&self.rows)
        buffer_free(&self.labels)
        buffer_free(&self.tokens)

    def __len__(self):
        return self.count

    def limit(self, Py_ssize_t instructions):
        """Limit the total number of instructions in all programs. GREEDY programs contain none, so they do not
        count."""
        self.block.left = instructions

    def add(self, rule, uint32_t whose=0):
        """Add a Rule. whose: the number of the rule's pattern. PatternError: one of the rule's programs is too
        large."""
        cdef tuple checks, program
        cdef object prefix = b""
        cdef uint32_t kind, packed = 0, first = 0
        cdef bint begins = False  # whether few URLs begin with the prefix
        cdef uint32_t group = ANY_TARGET
        allow, schemes, host, ports, checks, _, _, _, request = rule
        if allow:
            packed = ALLOWS
        for name, program in checks:
            kind = NUMBERS[name]
            if not allow and (kind == SEARCH or kind == QUERY or (kind <= WHOLE and kind != PATH)):
                if kind > WHOLE or not is_literal(program) or b"?" in prefix_of(program):
                    self.takes_queries_out = True
            if kind > WHOLE:
                continue
            if not is_exact(program):
                packed |= BEHIND
            if not allow:
                self.takes_paths_out = True
        if not self.single:
            host, checks, unrooted = with_host(host, checks)
            packed |= <uint32_t>unrooted
        if host is not None:
            packed |= <uint32_t>(<int>host[0] + 1) << HOW_BIT
            group = OF_HOST
        if checks:
            name, program = checks[0]
            kind = NUMBERS[name]
            if kind <= PATH or (kind <= WHOLE and host is None):
                if kind > PATH:
                    group = ANY_WHOLE
                if program and type(program[0]) is bytes:
                    prefix = program[0]
                if program == () or (len(program) == 1 and prefix) or is_exact(program):
                    first = 1  # the trie checks everything except where the text has to end
                    packed |= (2 * kind + 1 + <uint32_t>is_exact(program)) << END_BIT
                begins = len(<bytes>prefix) > 0 and (kind <= PATH or not ANY_SCHEME.startswith(prefix))
        demand = (packed, self.schemes(schemes), self.ports(ports), self.checks(checks, first), self.request(request))
        # from here on no error can occur, so each host in the table has a rule
        if group == OF_HOST:
            entry = self.keys.get(host[1])
            if entry is None:
                entry = self.keys[host[1]] = len(self.keys)
            group = OF_HOST + <uint32_t>entry
        elif request is not None and len(request[2]) == 1 and not begins and (group == ANY_WHOLE or not checks) \
                and (first or not has_gram(checks)):
            group = OF_SOURCE + self.source(request[2][0])
        self.put(group, demand, prefix, whose)

    def expect_names(self, str start not None, str end not None, rule not None):
        """Let add_name accept lines that consist of `start`, a name and `end`. Such a line means the given rule with
        the name as its host. Whether the name is EXACT, BELOW or BOTH is taken from the rule's own host; if that is
        None, it is BOTH. The rule has no checks."""
        allow, schemes, host, ports, _, _, _, _, request = rule
        how = BOTH if host is None else host[0]
        packed = (ALLOWS if allow else 0) | <uint32_t>(how + 1) << HOW_BIT
        self.name_demand = self.block.run(
            (packed, self.schemes(schemes), self.ports(ports), 0, self.request(request))
        )
        self.name_start, self.name_end = start.encode(), end.encode()

    def add_name(self, str line not None, uint32_t whose):
        """Add the rule of a line, if the line is certainly a name between the texts that expect_names has set. The name
        must have at least two labels of lower-case letters, digits and "-" that the host parser would not change.
        Return whether the rule was added."""
        cdef const uint8_t* p
        cdef Py_ssize_t n, start, end, k
        cdef bint dotted = False
        cdef bytes key
        if self.name_start is None or not is_ascii(line):
            return False
        p, n, start, end = ascii_data(line), len(line), len(self.name_start), len(self.name_end)
        if n <= start + end or memcmp(p, <const uint8_t*>self.name_start, start) != 0 \
                or memcmp(p + n - end, <const uint8_t*>self.name_end, end) != 0:
            return False
        p += start
        n -= start + end
        for k in range(n):
            if p[k] == c'.':
                if k == 0 or k == n - 1 or p[k - 1] == c'.':
                    return False
                dotted = True
            elif not (c'a' <= p[k] <= c'z' or c'0' <= p[k] <= c'9' or p[k] == c'-'):
                return False
        key = plain_name(p, n) if dotted else None
        if key is None:
            return False
        entry = self.keys.get(key)
        if entry is None:
            entry = self.keys[key] = len(self.keys)
        self.row(OF_HOST + <uint32_t>entry, self.name_demand, 0, 0, whose)
        return True

    def add_prefix(self, bint allow, bytes prefix not None, uint32_t whose=0):
        """Add the rule for all targets that begin with prefix: Rule(allow, checks=(("target", (prefix,)),))."""
        self.takes_paths_out |= not allow
        self.row(ANY_TARGET, self.target_demand(allow, False), self.block.place(prefix), <uint32_t>len(prefix), whose)

    cdef int put(self, uint32_t group, tuple demand, bytes prefix, uint32_t whose) except -1:
        place = self.block.place(prefix)
        return self.row(group, self.block.run(demand), place, <uint32_t>len(prefix), whose)

    cdef uint32_t target_demand(self, bint allow, bint ends) except 0:
        """Return the place of the demand of a rule for which the trie checks everything except where the target has to
        end."""
        cdef uint32_t* place = &self.targets[2 * ends + allow]
        if place[0] == 0:
            place[0] = self.block.here()
            self.block.word((ALLOWS if allow else 0) | (0 if ends else BEHIND) | (2 * TARGET + 1 + ends) << END_BIT)
            for _ in range(4):
                self.block.word(0)
        return place[0]

    cdef int row(self, uint32_t group, uint32_t demand, uint32_t at, uint32_t n, uint32_t whose) except -1:
        cdef Row* row
        buffer_reserve(&self.rows, sizeof(Row))
        row = <Row*>(self.rows.p + self.rows.n)
        row.group, row.at, row.n, row.whose, row.demand = group, at, n, whose, demand
        self.rows.n += sizeof(Row)
        self.count += 1
        return 0

    cdef uint32_t schemes(self, object names) except? 0:
        """Return the place of these words: the bits of special schemes, the number of other schemes, and the start and
        length of each of these."""
        cdef uint32_t bits = 0
        cdef list others = []
        if names is None:
            return 0
        known = self.known.get(names) if type(names) is tuple else None
        if known is not None:
            return known
        for name in sorted(names):
            if name in SCHEMES:
                bits |= <uint32_t>1 << <int>SCHEMES.index(name)
            else:
                others.append(self.block.place(name.encode()))
                others.append(len(name))
        return self.remember(names, (bits, len(others) // 2, *others))

    cdef uint32_t ports(self, object ranges) except? 0:
        """Return the place of these words: the number of ranges, and the lowest and highest port of each. -1 represents
        the port of a URL that has none and whose scheme has no default port."""
        if ranges is None:
            return 0
        known = self.known.get(ranges) if type(ranges) is tuple else None
        if known is not None:
            return known
        return self.remember(ranges, (len(ranges), *[<uint32_t><int>port for each in ranges for port in each]))

    cdef uint32_t remember(self, object what, tuple words) except 0:
        """Return the place of these words, and remember it for schemes or ports. () may be either."""
        cdef uint32_t at = self.block.run(words)
        if type(what) is tuple and what:
            self.known[what] = at
        return at

    cdef uint32_t checks(self, tuple checks, uint32_t first) except? 0:
        """Return the place of these words: the number of checks, and for each the kind of its text and the place of its
        program."""
        cdef uint32_t k
        cdef list words = []
        if first == len(checks):
            return 0
        for k in range(first, len(checks)):
            name, program = checks[k]
            words.append(NUMBERS[name])
            words.append(self.block.program(program))
        return self.block.run((len(checks) - first, *words))

    cdef uint32_t source(self, bytes key) except? 0:
        """Return the entry of a source, and add the source if it is new."""
        entry = self.source_keys.get(key)
        if entry is None:
            entry = self.source_keys[key] = len(self.source_keys)
        return entry

    cdef uint32_t request(self, object wanted) except? 0:
        """Return the place of the words that is_asked reads."""
        cdef list words
        if wanted is None:
            return 0
        types, parties, sources, others, hosts, other_hosts = wanted
        words = [types, parties]
        for keys in (*hosts, *other_hosts):
            self.leads = self.leads or keys.endswith(b".*")
        for keys in (sources, others, hosts, other_hosts):
            entries = sorted([self.source(key) for key in keys])
            words.append(len(entries))
            words.extend(entries)
        return self.block.run(tuple(words))

    # --- the tables of a Matcher ------------------------------------------------------------------

    cdef int finish(self, Layout* made, object order) except -1:
        """Number the rules by rank, and write all tables. order: the indices of the rules, the weakest first."""
        cdef uint32_t number, k, root, size = self.count
        cdef Row* rows = <Row*>self.rows.p
        cdef Row* spare = <Row*>malloc(sizeof(Row) * <size_t>size + 1)
        cdef Todo* todo = <Todo*>malloc(sizeof(Todo) * (<size_t>size + 1))
        cdef uint32_t* w
        memcpy(made.key, self.key, sizeof(made.key))
        try:
            if spare == NULL or todo == NULL:
                raise MemoryError()
            made.rules = self.block.here()
            buffer_reserve(&self.block.b, 4 * RULE_WORDS * <size_t>size)
            w = <uint32_t*>(self.block.b.p + self.block.b.n)
            self.block.b.n += 4 * RULE_WORDS * <size_t>size
            number = 0
            for place in order:
                k = place
                if k >= size or number >= size:
                    raise ValueError("the order has each rule once")
                rows[k].rule = number
                w[RULE_WORDS * number], w[RULE_WORDS * number + 1] = rows[k].whose, rows[k].demand
                number += 1
            if number != size:
                raise ValueError("the order has each rule once")
            made.roots = self.block.here()
            for _ in range(OF_HOST + <uint32_t>(len(self.keys) + len(self.source_keys))):
                self.block.word(0)
            sort_rows(rows, spare, size, self.block.literals.p)
            number = 0
            while number < size:
                k = number + 1
                while k < size and rows[k].group == rows[number].group:
                    k += 1
                root = made.roots + rows[number].group
                if rows[number].group >= OF_SOURCE:
                    root += OF_HOST + <uint32_t>len(self.keys) - OF_SOURCE
                self.trie(rows, number, k, root, todo)
                number = k
            self.write_edges(made)
            self.write_filter(made)
        finally:
            free(spare)
            free(todo)
        return 0

    cdef int trie(self, Row* rows, uint32_t start, uint32_t stop, uint32_t root, Todo* todo) except -1:
        """Write the trie of rows[start:stop], which are sorted, and store its place in the word at root. todo has room
        for as many entries as there are rows. That is enough, because no two entries share a row."""
        cdef uint32_t low, high, depth, parent, end, k, longest, node, next_at, things = 1
        cdef bint only
        cdef const uint8_t* pool = self.block.literals.p
        cdef Buffer* b = &self.block.b
        todo[0] = Todo(start, stop, 0, 0, False)
        while things:
            things -= 1
            low, high, depth = todo[things].low, todo[things].high, todo[things].depth
            parent, only = todo[things].parent, todo[things].only
            # the rows are sorted, so all of them share the octets that the first and the last one share
            longest = depth
            while longest < rows[low].n and longest < rows[high - 1].n \
                    and pool[rows[low].at + longest] == pool[rows[high - 1].at + longest]:
                longest += 1
            node = self.block.here()
            if parent == 0:
                (<uint32_t*>b.p)[root] = node
            elif only:
                (<uint32_t*>b.p)[parent + 3] = ALONE | node
            else:
                self.edge(parent, pool[rows[low].at + depth], node)
            self.block.word(rows[low].at + depth)
            self.block.word(longest - depth)
            k = low
            while k < high and rows[k].n == longest:
                k += 1
            self.block.word(0)
            self.block.word(k < high)
            if k > low:
                end = self.rules_of(rows + low, k - low, 0)
                (<uint32_t*>b.p)[node + 2] = end
            only = k < high and pool[rows[k].at + longest] == pool[rows[high - 1].at + longest]
            while k < high:
                next_at = pool[rows[k].at + longest]
                end = k + 1
                while end < high and pool[rows[end].at + longest] == next_at:
                    end += 1
                todo[things] = Todo(k, end, longest, node, only)
                things += 1
                k = end
        return 0

    cdef uint32_t rules_of(self, Row* rows, uint32_t n, uint32_t level) except 0:
        """Return the word for n rules, which are sorted by rank: ALONE | a rule, or the place of a list or of a branch,
        which is written. level: how many branches it lies in."""
        cdef uint32_t place
        if n == 1:
            return ALONE | rows[0].rule
        if n > FEW and level < MOST_LEVELS:
            place = self.branch(rows, n, level)
            if place != NOWHERE:
                return place
        place = self.block.here()
        self.block.word(n)
        self.put_rules(rows, n)
        return place

    cdef int put_rules(self, const Row* rows, uint32_t n) except -1:
        """Add the numbers of rules that are tried one after another."""
        cdef uint32_t k
        for k in range(n):
            self.block.word(rows[k].rule)
            if n > FEW:
                self.unindexed.append(rows[k].whose)
        return 0

    cdef uint32_t branch(self, Row* rows, uint32_t n, uint32_t level) except 0:
        """Write a branch of n rules, each of which is found by a token, and return its place. Return NOWHERE if tokens
        do not tell these rules apart. The rows are sorted anew."""
        cdef uint32_t place, token, bit, k, end, told, highest = rows[0].rule
        if not self.choose_tokens(rows, n, level == 0):
            return NOWHERE
        qsort(rows, n, sizeof(Row), by_token)
        told = n
        while told and rows[told - 1].head == NO_TOKEN:
            told -= 1
        place = self.block.here()
        self.block.word(ALONE | (n - told))
        self.block.word(highest)
        self.block.word(0)
        self.block.word(0)
        self.put_rules(rows + told, n - told)
        k = 0
        while k < told:
            end = k + 1
            while end < told and rows[end].head == rows[k].head:
                end += 1
            token = <uint32_t>rows[k].head  # a branch of these rows sets other heads
            buffer_copy(&self.tokens, <const uint8_t*>&token, 4)
            bit = branch_bit(token)
            (<uint32_t*>self.block.b.p)[place + 2 + (bit >> 5)] |= <uint32_t>1 << (bit & 31)
            self.edge(place, token, self.rules_of(rows + k, end - k, level + 1))
            k = end
        return place

    cdef bint choose_tokens(self, Row* rows, uint32_t n, bint all_too) except -1:
        """Set the head of each row to the token that the fewest of the rules have, or to NO_TOKEN. Return whether some
        row has a token. all_too: whether a token that all rules have is taken if a rule has no other one."""
        cdef Buffer tokens, scratch
        cdef Count* counts = NULL
        cdef Count* found
        cdef const Token* token
        cdef uint32_t* starts = <uint32_t*>malloc(4 * (<size_t>n + 1))
        cdef uint32_t k, i, best_count, best_kind, kinds = 0
        cdef size_t mask = 255
        buffer_start(&tokens)
        buffer_start(&scratch)
        try:
            if starts == NULL:
                raise MemoryError()
            put_grams(&tokens, IN_MANY_URLS, <uint32_t>len(IN_MANY_URLS))
            starts[0] = <uint32_t>(tokens.n // sizeof(Token))
            for k in range(n):
                self.rule_tokens(&rows[k], &tokens, &scratch)
                if tokens.n // sizeof(Token) > 0x7FFFFFFF:
                    raise MemoryError()
                starts[k + 1] = <uint32_t>(tokens.n // sizeof(Token))
            while mask < 2 * (tokens.n // sizeof(Token)):
                mask = 2 * mask + 1
            counts = <Count*>calloc(mask + 1, sizeof(Count))
            if counts == NULL:
                raise MemoryError()
            token = <const Token*>tokens.p
            for i in range(starts[0]):
                found = count_of(counts, mask, &token[i])
                found.value, found.kind, found.count = token[i].value, token[i].kind, COMMON
            for k in range(n):
                for i in range(starts[k], starts[k + 1]):
                    found = count_of(counts, mask, &token[i])
                    found.value, found.kind = token[i].value, token[i].kind
                    if found.last != k + 1:
                        found.last = k + 1
                        found.count += 1
            for k in range(n):
                rows[k].head, best_count, best_kind = NO_TOKEN, NOWHERE if all_too else n, 0
                for i in range(starts[k], starts[k + 1]):
                    found = count_of(counts, mask, &token[i])
                    if found.count < best_count or (found.count == best_count and found.kind < best_kind):
                        rows[k].head, best_count, best_kind = found.value, found.count, found.kind
                kinds |= best_kind
            self.kinds |= kinds
        finally:
            free(starts)
            free(counts)
            buffer_free(&tokens)
            buffer_free(&scratch)
        return kinds != 0

    cdef int rule_tokens(self, const Row* row, Buffer* tokens, Buffer* scratch) except -1:
        """Append the tokens of a rule: those of all its checks."""
        cdef const uint32_t* w = <const uint32_t*>self.block.b.p
        cdef const uint32_t* checks
        cdef uint32_t k
        if w[row.demand + 3]:
            checks = w + w[row.demand + 3]
            for k in range(checks[0]):
                if checks[2 * k + 1] < CASED_TARGET:
                    put_tokens(tokens, checks[2 * k + 1], w + checks[2 * k + 2], w, self.block.literals.p, self.key,
                               scratch)
        return 0

    cdef int edge(self, uint32_t node, uint32_t label, uint32_t to) except -1:
        cdef uint32_t* w
        buffer_reserve(&self.labels, 4 * EDGE_WORDS)
        w = <uint32_t*>(self.labels.p + self.labels.n)
        w[0], w[1], w[2] = node, label, to
        self.labels.n += 4 * EDGE_WORDS
        return 0

    cdef int write_filter(self, Layout* made) except -1:
        """Write a filter with two bits for each token, among at least 16, so that most other tokens of a URL are not
        looked up."""
        cdef size_t count = self.tokens.n // 4, size, k
        cdef const uint32_t* tokens = <const uint32_t*>self.tokens.p
        cdef uint32_t* words
        made.kinds, made.filter, made.filter_shift = self.kinds, self.block.here(), 31
        if count == 0:
            return 0
        while made.filter_shift > 13 and <size_t>1 << (32 - made.filter_shift) < (count + 1) // 2:
            made.filter_shift -= 1
        size = <size_t>4 << (32 - made.filter_shift)
        buffer_reserve(&self.block.b, size)
        words = <uint32_t*>(self.block.b.p + self.block.b.n)
        memset(words, 0, size)
        self.block.b.n += size
        for k in range(count):
            words[filter_word(tokens[k], made.filter_shift)] |= filter_bits(tokens[k], made.filter_shift)
        return 0

    cdef int write_edges(self, Layout* made) except -1:
        cdef uint32_t size = 8, slot, k
        cdef uint32_t* edges
        cdef const uint32_t* label
        cdef size_t count = self.labels.n // 12
        while size < count + count // 2:
            size *= 2
        made.edge_mask = size - 1
        made.edges = self.block.here()
        buffer_reserve(&self.block.b, 4 * EDGE_WORDS * <size_t>size)
        edges = <uint32_t*>(self.block.b.p + self.block.b.n)
        memset(edges, 0, 4 * EDGE_WORDS * <size_t>size)
        self.block.b.n += 4 * EDGE_WORDS * <size_t>size
        for k in range(<uint32_t>count):
            label = <uint32_t*>self.labels.p + 3 * <size_t>k
            slot = slot_of(label[0], label[1], made.key) & made.edge_mask
            while edges[EDGE_WORDS * slot + 2]:
                slot = (slot + 1) & made.edge_mask
            memcpy(edges + EDGE_WORDS * slot, label, 12)
        return 0


cdef bint is_exact(tuple program) except -1:
    """Return whether the program matches only one text."""
    return len(program) == 2 and type(program[0]) is bytes and program[1] == "$"


cdef bint has_gram(tuple checks) except -1:
    """Return whether the first check has a literal, after its beginning, that is long enough for a gram."""
    cdef Py_ssize_t k
    cdef tuple program = checks[0][1] if checks else ()
    for k in range(1, len(program)):
        if type(program[k]) is bytes and len(<bytes>program[k]) >= GRAM:
            return True
    return False


cdef tuple PERHAPS_A_DOT = ("or", ((), (b".",)))


@cython.boundscheck(True)
cdef tuple with_host(object host, tuple checks):
    """Return the host of a rule, its checks, and UNROOTED or 0. If the rule has no host, but a check of "hostname"
    fixes the end of it, that is the rule's host. The check is left out if it says nothing else."""
    cdef Py_ssize_t k, n
    cdef tuple program
    cdef bytes last, name
    cdef int how
    cdef bint alone, dotted
    for k in range(len(checks)):
        if checks[k][0] != "hostname":
            continue
        program = checks[k][1]
        n = len(program) - 1
        if n < 1 or program[n] != "$":
            continue
        dotted = program[n - 1] == PERHAPS_A_DOT
        n -= dotted
        if n < 1 or type(program[n - 1]) is not bytes:
            continue
        last = program[n - 1]
        if n == 1:  # the whole host
            how, name, alone = EXACT, last, True
        elif last.startswith(b"."):
            how, name, alone = BELOW, last[1:], n == 2 and program[0] == "*"
        elif n == 2 and ends_in_dot(program[0]):
            how, name, alone = BOTH, last, False
        else:
            how, name, alone = BELOW, last.partition(b".")[2], False
        if not dotted and name.endswith(b"."):
            name, alone = name[:len(name) - 1], False
        if not is_key(name):
            continue
        if host is None:
            host = how, name
        if alone and host[0] == how and host[1] == name:
            return host, checks[:k] + checks[k + 1:], 0 if dotted else UNROOTED
        break
    return host, checks, 0


@cython.boundscheck(True)
cdef bint ends_in_dot(object piece) except -1:
    """Return whether a piece of a program may be left out, and otherwise ends in a dot."""
    cdef object inner
    if type(piece) is not tuple or not (piece[0] == "optional" or (piece[0] == "times" and piece[2] == 0)):
        return False
    inner = piece[1]
    return len(inner) > 0 and type(inner[len(inner) - 1]) is bytes and (<bytes>inner[len(inner) - 1]).endswith(b".")


cdef bint is_key(bytes name) except -1:
    """Return whether the walk over a host that ends in these labels finds them: they are not empty, and the host is not
    an address."""
    cdef const uint8_t* p = name
    cdef uint32_t n = <uint32_t>len(name)
    if n == 0 or n > MOST_PLAIN or CLASS[p[n - 1]] & DIGIT or p[n - 1] == c']' or p[0] < c' ':
        return False
    return not has_empty_label(p, n, dots_of(p, n))
