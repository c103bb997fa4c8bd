# The block of the matcher's tables is written here, once for a set.

cdef class Tables:
    """What a Matcher is made of. It is thrown away then."""
    cdef readonly HostTable hosts
    cdef object pool
    cdef uint32_t rules_at, roots_at, edges_at, edge_mask, any_target, any_href
    cdef Buffer b
    cdef dict places         # what was written -> where it is
    cdef list labels         # (node, octet, child) of each edge

    def __cinit__(self, list rules, list ranks):
        cdef uint32_t number, place, k
        cdef tuple checks
        buffer_start(&self.b)
        self.pool, self.places, self.labels = Pool(), {}, []
        self.word(0)  # nothing is at 0
        groups = {}
        keys = {}
        written = []
        for number in range(<uint32_t>len(rules)):
            rule = rules[number]
            checks = rule.checks
            kind, prefix = TARGET, b""
            if checks:
                name, program = checks[0]
                at = NUMBERS[name]
                if at <= PATH or (at == HREF or at == WHOLE) and rule.host is None:
                    kind, prefix = TARGET if at <= PATH else WHOLE, prefix_of(program)
                    if at != PATH and len(program) <= 1 and program == (prefix,):
                        checks = checks[1:]  # the trie has said all
            if rule.host is None:
                group = (kind,)
            else:
                how, key = rule.host
                group = (keys.setdefault(key, len(keys)), how)
            listed = groups.get(group)
            if listed is None:
                listed = groups[group] = []
            listed.append((prefix, -<object>ranks[number], number))
            written.append((ranks[number], self.schemes(rule.schemes), self.ports(rule.ports), checks))
        self.hosts = HostTable(list(keys))
        # programs, whose tables come first: those of long pieces are numbers of words in the block
        programs = [[(NUMBERS[name], self.program(program)) for name, program in row[3]] for row in written]
        tables_at = self.here()
        for k in self.pool.tables:
            self.word(k)
        listed_checks = [self.checks(row, tables_at) for row in programs]
        self.rules_at = self.here()
        for number in range(<uint32_t>len(written)):
            row = written[number]
            self.word(row[0])
            self.word(row[1])
            self.word(row[2])
            self.word(listed_checks[number])
        self.roots_at = self.here()
        for k in range(3 * <uint32_t>len(keys)):
            self.word(0)
        for group, listed in groups.items():
            listed.sort()
            place = self.trie(listed)
            if len(group) == 2:
                (<uint32_t*>self.b.p)[self.roots_at + 3 * <uint32_t>group[0] + <uint32_t>group[1]] = place
            elif group[0] == TARGET:
                self.any_target = place
            else:
                self.any_href = place
        self.write_edges()

    def __dealloc__(self):
        buffer_free(&self.b)

    cdef uint32_t here(self) except 0:
        if self.b.n > 0x3FFFFFFF0:
            raise MemoryError()
        return <uint32_t>(self.b.n // 4)

    cdef int word(self, uint32_t value) except -1:
        buffer_reserve(&self.b, 4)
        (<uint32_t*>(self.b.p + self.b.n))[0] = value
        self.b.n += 4
        return 0

    cdef uint32_t schemes(self, object names) except? 0:
        """[bits of special schemes, how many others, for each: from, length]"""
        cdef uint32_t bits = 0
        if names is None:
            return 0
        key = ("schemes", tuple(names))
        place = self.places.get(key)
        if place is not None:
            return place
        others = []
        for name in sorted(names):
            if name and name in SPECIAL:
                bits |= <uint32_t>1 << <int>SPECIAL.index(name)
            else:
                others.append(name.encode())
        place = self.places[key] = self.here()
        self.word(bits)
        self.word(len(others))
        for name in others:
            self.word(self.pool.place(name))
            self.word(len(name))
        return place

    cdef uint32_t ports(self, object ranges) except? 0:
        """[how many, for each: the lowest, the highest]"""
        if ranges is None:
            return 0
        key = ("ports", ranges)
        place = self.places.get(key)
        if place is None:
            place = self.places[key] = self.here()
            self.word(len(ranges))
            for lowest, highest in ranges:
                self.word(<uint32_t><int>lowest)
                self.word(<uint32_t><int>highest)
        return place

    cdef object program(self, object program):
        """A program's words, made once; the tables of its pieces count from the first table."""
        made = self.places.get(program)
        if made is None:
            made = self.places[program] = [compiled(program, self.pool), 0]
        return made

    cdef uint32_t checks(self, list row, uint32_t tables_at) except? 0:
        """[how many, for each: the kind of text, where its program is]"""
        cdef uint32_t place, k
        cdef list words
        if not row:
            return 0
        key = ("checks", tuple([(kind, id(made)) for kind, made in row]))
        known = self.places.get(key)
        if known is not None:
            return known
        for kind, made in row:
            if not made[1]:
                made[1] = self.here()
                words = made[0]
                for k in range(<uint32_t>len(words)):
                    # the table of a piece: the third word of each, of a greedy program
                    is_table = words[0] == 0 and k > 3 and k % 3 == 2 and words[k]
                    self.word(words[k] + tables_at if is_table else words[k])
        place = self.places[key] = self.here()
        self.word(len(row))
        for kind, made in row:
            self.word(kind)
            self.word(made[1])
        return place

    cdef uint32_t trie(self, list rows) except 0:
        """Write the trie of rows (prefix, ..., number), which are sorted, and tell where its root is."""
        cdef Py_ssize_t low, high, depth, end, k, longest
        cdef bytes first, last
        cdef uint32_t node, root = 0
        todo = [(0, len(rows), 0, 0)]  # rows from, to; octets above; the node above
        while todo:
            low, high, depth, parent = todo.pop()
            first, last = rows[low][0], rows[high - 1][0]
            # rows are sorted: what the first and the last have in common, all have
            longest = common(first, last, depth)
            node = self.here()
            if parent:
                self.labels.append((parent, first[depth], node))
            else:
                root = node
            self.word(self.pool.place(first) + depth)
            self.word(longest - depth)
            self.word(0)
            self.word(0)
            k = low
            while k < high and len(<bytes>rows[k][0]) == longest:
                k += 1
            if k > low:
                (<uint32_t*>self.b.p)[node + 2] = self.here()
                self.word(<uint32_t>(k - low))
                for end in range(low, k):
                    self.word(rows[end][2])
            if k < high:
                (<uint32_t*>self.b.p)[node + 3] = 1
            while k < high:
                octet = (<bytes>rows[k][0])[longest]
                end = k + 1
                while end < high and (<bytes>rows[end][0])[longest] == octet:
                    end += 1
                todo.append((k, end, longest, node))
                k = end
        return root

    cdef int write_edges(self) except -1:
        cdef uint32_t size = 8, slot, node, octet, child
        cdef uint32_t* edges
        while size < 2 * len(self.labels):
            size *= 2
        self.edge_mask = size - 1
        self.edges_at = self.here()
        buffer_reserve(&self.b, 4 * EDGE_WORDS * <size_t>size)
        edges = <uint32_t*>(self.b.p + self.b.n)
        memset(edges, 0, 4 * EDGE_WORDS * <size_t>size)
        self.b.n += 4 * EDGE_WORDS * <size_t>size
        for node, octet, child in self.labels:
            slot = (node * 0x9E3779B1u + octet * 0x85EBCA6Bu) >> 8 & self.edge_mask
            while edges[EDGE_WORDS * slot + 2]:
                slot = (slot + 1) & self.edge_mask
            edges[EDGE_WORDS * slot] = node
            edges[EDGE_WORDS * slot + 1] = octet
            edges[EDGE_WORDS * slot + 2] = child
        return 0


cdef Py_ssize_t common(bytes a, bytes b, Py_ssize_t start) noexcept:
    """How many octets two texts have in common, which have these many for certain."""
    cdef const uint8_t* p = a
    cdef const uint8_t* q = b
    cdef Py_ssize_t n = min(len(a), len(b))
    while start < n and p[start] == q[start]:
        start += 1
    return start
