# Writes the block of the matcher's tables, once for a set.

cdef struct Todo:            # the rows from low to high, which have `depth` octets in common with the node above
    uint32_t low, high, depth, parent
    bint only                # whether it is that node's only child

cdef enum:
    ANY_TARGET
    ANY_WHOLE
    OF_HOST
    OF_SOURCE = 0x40000000
    OF_GRAM = 0x7FFFFFFF

cdef bytes ANY_SCHEME = b"https://"  # with which, or with a part of which, most URLs begin


@cython.final
@cython.binding(False)
cdef class Tables:
    """Rules that are added one by one, to make a Matcher. takes_paths_out, takes_queries_out: whether one takes
    out of the list what has some path, or some query."""
    cdef Block block
    cdef dict keys           # of hosts -> entry
    cdef dict source_keys    # of sources -> entry
    cdef Buffer rows         # a Row of each rule, in the order in which they were added
    cdef Buffer labels       # of edges: node, octet, child
    cdef readonly uint32_t count
    cdef readonly bint takes_paths_out, takes_queries_out
    cdef readonly bint leads  # whether one asks for a URL's own host below any public suffix
    cdef bytes name_start, name_end  # of expect_names; None: add_name does not take a line
    cdef uint32_t name_demand
    cdef uint32_t[4] targets  # the places of target_demand; 0: it is not written yet

    def __cinit__(self):
        self.block, self.keys, self.source_keys = Block(), {}, {}
        buffer_start(&self.rows)
        buffer_start(&self.labels)
        self.block.word(0)  # nothing is at 1, which means that the children are in the table of edges

    def __dealloc__(self):
        buffer_free(&self.rows)
        buffer_free(&self.labels)

    def __len__(self):
        return self.count

    def limit(self, Py_ssize_t instructions):
        """Let all programs together have no more instructions than these; those that only find literals have none."""
        self.block.left = instructions

    def add(self, rule, uint32_t whose=0):
        """Add a Rule of the pattern number `whose`. PatternError: one of its programs is too large."""
        cdef tuple checks, program
        cdef object prefix = b"", required = b""
        cdef uint32_t kind, packed = 0, first = 0
        cdef bint begins = False  # whether few URLs begin with the prefix
        cdef uint32_t group = ANY_TARGET
        allow, schemes, host, ports, checks, _, _, _, request = rule
        if allow:
            packed = ALLOWS
        for name, program in checks:
            kind = NUMBERS[name]
            if not allow and (kind == SEARCH or kind == QUERY or (kind <= WHOLE and kind != PATH)):
                if kind > WHOLE or not rule_py.is_literal(program) or b"?" in rule_py.prefix_of(program):
                    self.takes_queries_out = True
            if kind > WHOLE:
                continue
            if not is_exact(program):
                packed |= BEHIND
            if not allow:
                self.takes_paths_out = True
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
                    first = 1  # the trie decides all but where the text has to end
                    packed |= (2 * kind + 1 + <uint32_t>is_exact(program)) << END_BIT
                begins = len(<bytes>prefix) > 0 and (kind <= PATH or not ANY_SCHEME.startswith(prefix))
                if host is None and first == 0 and not begins:
                    for piece in program[1:] if prefix else program:
                        if type(piece) is bytes and len(<bytes>piece) >= GRAM and len(<bytes>piece) > len(required):
                            group, required = OF_GRAM, piece
        if group == OF_GRAM:
            prefix = required
        demand = (packed, self.schemes(schemes), self.ports(ports), self.checks(checks, first), self.request(request))
        # what can be refused is behind us: no host is in the table without a rule
        if group == OF_HOST:
            entry = self.keys.get(host[1])
            if entry is None:
                entry = self.keys[host[1]] = len(self.keys)
            group = OF_HOST + <uint32_t>entry
        elif group < OF_HOST and group != OF_GRAM and request is not None and len(request[2]) == 1 and not begins \
                and (group == ANY_WHOLE or not checks):
            group = OF_SOURCE + self.source(request[2][0])
        self.put(group, demand, prefix, whose)

    def expect_names(self, str start not None, str end not None, rule not None):
        """Let add_name take lines that are a name between start and end: they stand for the rule, which has no checks,
        with that name as its host; how: its own (EXACT, BELOW or BOTH), or BOTH if it has none."""
        allow, schemes, host, ports, _, _, _, _, request = rule
        how = BOTH if host is None else host[0]
        packed = (ALLOWS if allow else 0) | <uint32_t>(how + 1) << HOW_BIT
        self.name_demand = self.demand((packed, self.schemes(schemes), self.ports(ports), 0, self.request(request)))
        self.name_start, self.name_end = start.encode(), end.encode()

    def add_name(self, str line not None, uint32_t whose):
        """Add the rule of a line if it is certainly a name as expected: two labels or more of lower-case letters,
        digits and "-", which the host parser would leave as they are. Return whether it was added."""
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
        """Add the rule that allows or forbids what begins with prefix: Rule(allow, checks=(("target", (prefix,)),))."""
        self.takes_paths_out |= not allow
        self.row(ANY_TARGET, self.target_demand(allow, False), self.block.place(prefix), <uint32_t>len(prefix), whose)

    cdef int put(self, uint32_t group, tuple demand, bytes prefix, uint32_t whose) except -1:
        place = self.block.place(prefix)
        return self.row(group, self.demand(demand), place, <uint32_t>len(prefix), whose)

    cdef uint32_t demand(self, tuple words) except 0:
        """Return the place of a demand."""
        demand = self.block.places.get(words)
        if demand is None:
            demand = self.block.places[words] = self.block.here()
            for word in words:
                self.block.word(word)
        return demand

    cdef uint32_t target_demand(self, bint allow, bint ends) except 0:
        """Return the place of the demand of a rule that the trie decides, but for where the target has to end."""
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
        """Return the place of [bits of special schemes, number of others, for each: start, length]."""
        cdef uint32_t bits = 0, place
        if names is None:
            return 0
        key = ("schemes", names if type(names) is tuple else tuple(names))
        known = self.block.places.get(key)
        if known is not None:
            return known
        others = []
        for name in sorted(names):
            if name and name in SPECIAL:
                bits |= <uint32_t>1 << <int>SPECIAL.index(name)
            else:
                others.append(name.encode())
        placed = [self.block.place(name) for name in others]
        place = self.block.places[key] = self.block.here()
        self.block.word(bits)
        self.block.word(len(others))
        for at, name in zip(placed, others):
            self.block.word(at)
            self.block.word(len(name))
        return place

    cdef uint32_t ports(self, object ranges) except? 0:
        """Return the place of [number of ranges, for each: the lowest, the highest]."""
        cdef uint32_t place
        if ranges is None:
            return 0
        known = self.block.places.get(("ports", ranges))
        if known is not None:
            return known
        place = self.block.places["ports", ranges] = self.block.here()
        self.block.word(len(ranges))
        for lowest, highest in ranges:
            self.block.word(<uint32_t><int>lowest)
            self.block.word(<uint32_t><int>highest)
        return place

    cdef uint32_t checks(self, tuple checks, uint32_t first) except? 0:
        """Return the place of [number of checks, for each: the kind of text, the place of its program]."""
        cdef uint32_t k, place
        cdef list words = []
        if first == len(checks):
            return 0
        for k in range(first, len(checks)):
            name, program = checks[k]
            words.append(NUMBERS[name])
            words.append(self.block.program(program))
        key = ("checks", *words)
        known = self.block.places.get(key)
        if known is not None:
            return known
        place = self.block.places[key] = self.block.here()
        self.block.word(len(checks) - first)
        for word in words:
            self.block.word(word)
        return place

    cdef uint32_t source(self, bytes key) except? 0:
        """Return the entry of a source."""
        entry = self.source_keys.get(key)
        if entry is None:
            entry = self.source_keys[key] = len(self.source_keys)
        return entry

    cdef uint32_t request(self, object wanted) except? 0:
        """Return the place of what is_asked reads."""
        cdef uint32_t place
        if wanted is None:
            return 0
        known = self.block.places.get(("request", wanted))
        if known is not None:
            return known
        types, parties, sources, others, hosts, other_hosts = wanted
        place = self.block.places["request", wanted] = self.block.here()
        self.block.word(types)
        self.block.word(parties)
        for keys in (*hosts, *other_hosts):
            self.leads = self.leads or keys.endswith(b".*")
        for keys in (sources, others, hosts, other_hosts):
            entries = sorted([self.source(key) for key in keys])
            self.block.word(len(entries))
            for entry in entries:
                self.block.word(entry)
        return place

    # --- what a Matcher is made of ----------------------------------------------------------------

    cdef int finish(self, Matcher made, object order) except -1:
        """Number the rules by rank, and write all tables. order: the rules' indices, the weakest first."""
        cdef uint32_t number, k, root, size = self.count
        cdef Row* rows = <Row*>self.rows.p
        cdef Row* spare = <Row*>malloc(sizeof(Row) * <size_t>size + 1)
        cdef Todo* todo = <Todo*>malloc(sizeof(Todo) * (<size_t>size + 1))
        cdef uint32_t* w
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
            for k in range(OF_HOST + <uint32_t>(len(self.keys) + len(self.source_keys))):
                self.block.word(0)
            choose_grams(rows, size, self.block.literals.p)
            sort_rows(rows, spare, size, self.block.literals.p)
            made.grams, number = 0, 0
            while number < size:
                if rows[number].group == OF_GRAM:
                    self.write_grams(made, rows, number)
                    break
                k = number + 1
                while k < size and rows[k].group == rows[number].group:
                    k += 1
                root = made.roots + rows[number].group
                if rows[number].group >= OF_SOURCE:
                    root += OF_HOST + <uint32_t>len(self.keys) - OF_SOURCE
                self.trie(rows, number, k, root, todo)
                number = k
            self.write_edges(made)
        finally:
            free(spare)
            free(todo)
        return 0

    cdef int trie(self, const Row* rows, uint32_t start, uint32_t stop, uint32_t root, Todo* todo) except -1:
        """Write the trie of rows[start:stop], which are sorted, and its place at root. There are never more things to
        do than rows, because each has rows of its own."""
        cdef uint32_t low, high, depth, parent, end, k, longest, node, next_at, things = 1
        cdef bint only
        cdef uint32_t* w
        cdef const uint8_t* pool = self.block.literals.p
        cdef Buffer* b = &self.block.b
        todo[0] = Todo(start, stop, 0, 0, False)
        while things:
            things -= 1
            low, high, depth = todo[things].low, todo[things].high, todo[things].depth
            parent, only = todo[things].parent, todo[things].only
            # rows are sorted: all have what the first and the last have in common
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
                buffer_reserve(&self.labels, 12)
                w = <uint32_t*>(self.labels.p + self.labels.n)
                w[0], w[1], w[2] = parent, pool[rows[low].at + depth], node
                self.labels.n += 12
            self.block.word(rows[low].at + depth)
            self.block.word(longest - depth)
            k = low
            while k < high and rows[k].n == longest:
                k += 1
            self.block.word(0 if k == low else ALONE | rows[low].rule if k == low + 1 else node + NODE_WORDS)
            self.block.word(k < high)
            if k > low + 1:
                self.block.word(k - low)
                for end in range(low, k):
                    self.block.word(rows[end].rule)
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

    cdef int write_grams(self, Matcher made, const Row* rows, uint32_t low) except -1:
        """Write the table of grams, of the last rows, which are sorted by them: bits of hashes; gram and place of a
        list, or, of one rule, ALONE and its number."""
        cdef uint32_t size = 8, slot, k, end, count = self.count
        cdef uint32_t* w
        while size < 2 * (count - low):
            size *= 2
        made.gram_mask, made.gram_bits = size - 1, self.block.here()
        buffer_reserve(&self.block.b, 4 * (GRAM_HASHES // 32 + 2 * <size_t>size))
        memset(self.block.b.p + self.block.b.n, 0, 4 * (GRAM_HASHES // 32 + 2 * <size_t>size))
        self.block.b.n += 4 * (GRAM_HASHES // 32 + 2 * <size_t>size)
        made.grams = made.gram_bits + GRAM_HASHES // 32
        while low < count:
            end = low + 1
            while end < count and rows[end].at == rows[low].at:
                end += 1
            k = self.block.here()
            if end == low + 1:
                k = ALONE | rows[low].rule
            else:
                self.block.word(end - low)
            w = <uint32_t*>self.block.b.p
            slot = gram_hash(rows[low].at)
            w[made.gram_bits + (slot >> 5)] |= <uint32_t>1 << (slot & 31)
            slot = gram_slot(rows[low].at, made.key) & made.gram_mask
            while w[made.grams + 2 * slot + 1]:
                slot = (slot + 1) & made.gram_mask
            w[made.grams + 2 * slot], w[made.grams + 2 * slot + 1] = rows[low].at, k
            while low < end:
                if not k & ALONE:
                    self.block.word(rows[low].rule)
                low += 1
        return 0

    cdef int write_edges(self, Matcher made) except -1:
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
