"""Programs (rule.py): compiles them into the words of a block, and runs them over octets."""
cimport cython
from libc.stdint cimport uint8_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memchr, memcmp, memcpy, memset
from urlsm.octets.buffer cimport (
    MAX_LENGTH, ascii_data, ascii_text, buffer_copy, buffer_free, buffer_reserve, buffer_start, is_ascii,
)
from urlsm.patterns.opcodes cimport (
    ANY_OCTET, AT_END, CLASS_OF, DEEPEST, DONE, FULL, FULL_LEVELS, FULL_SAVED, FULL_SPLITS, FULL_WORDS, GREEDY,
    GREEDY_ENDS, GREEDY_PIECES, GREEDY_WORDS, INSTRUCTION_WORDS, JUMP, LITERAL, MARK, MOST, NONEMPTY, OF_SPLIT,
    PIECE_AT, PIECE_SIZE, PIECE_TABLE, PIECE_WORDS, SAVE, SET_WORDS, SPAN, SPLIT, STAR,
)
from urlsm.patterns.tokens cimport b_of, op_of
from urlsm.patterns.errors import PatternError

cdef extern from "Python.h":
    const Py_ssize_t PY_SSIZE_T_MAX
    int Py_EnterRecursiveCall(const char* where) except -1
    void Py_LeaveRecursiveCall()

TOO_LARGE = f"the pattern needs more than {MOST} instructions"
LIST_TOO_LARGE = "the patterns in the list need too many instructions for the length of the list"

# A run takes time that is linear in the product of the lengths of the program and the text. There is no limit at which
# it gives up.
#
# A program of literals, "*" and "$" takes the leftmost position of each literal in turn. This leaves the most text for
# what follows, so no other choice could succeed where this one fails.
#
# Any other program tries its choices in ECMAScript's order, but never the same split twice at the same position: if a
# choice failed there once, it would fail again. Between two splits instructions run in a straight line. So a run takes
# at most instructions times (octets + 1) steps.
#
# Within optional groups it is not enough to remember the position of a split. NONEMPTY also depends on which of the
# groups around it have matched something so far. If an inner group has matched something, so have all groups around it.
# So it is enough to know how many of these groups are still empty, which is at most their depth. The rest of the run
# depends only on (split, position, this number), and these triples are remembered.
#
# Where no groups are asked for, the order of choices does not matter, and a repeated octet or class outside of optional
# groups is one instruction, STAR, which takes the fewest octets first. It remembers each position that it passes.


# --- literals, "*" and "$" -----------------------------------------------------------------------

cdef inline uint32_t find_piece(const uint8_t* p, uint32_t at, uint32_t n, const uint8_t* piece, uint32_t size,
                                const uint32_t* table, Work* work) noexcept nogil:
    """Return where the piece first begins in p[at:n], or NOWHERE. table: the table of Knuth, Morris and Pratt for a
    long piece, or NULL."""
    cdef const uint8_t* next
    cdef uint32_t k, taken = 0
    if size == 0:
        return at
    if table == NULL:
        while n - at >= size:
            next = <const uint8_t*>memchr(p + at, piece[0], n - at - size + 1)
            work.steps += 1
            if next == NULL:
                break
            at = next - p
            if memcmp(p + at, piece, size) == 0:
                return at
            at += 1
        work.steps += n - at
        return NOWHERE
    for k in range(at, n):
        work.steps += 1
        while taken and p[k] != piece[taken]:
            taken = table[taken - 1]
            work.steps += 1
        if p[k] == piece[taken]:
            taken += 1
            if taken == size:
                return k + 1 - size
    return NOWHERE


cdef bint holds_greedy(const uint32_t* program, const uint32_t* words, const uint8_t* pool, const uint8_t* p,
                       uint32_t n, Work* work) noexcept nogil:
    cdef uint32_t pieces = program[GREEDY_PIECES], k, at, size
    cdef const uint32_t* piece = program + GREEDY_WORDS
    cdef const uint32_t* table
    work.steps += 1
    at = piece[PIECE_SIZE]
    if n < at or memcmp(p, pool + piece[PIECE_AT], at) != 0:
        return False
    for k in range(1, pieces):
        piece += PIECE_WORDS
        size = piece[PIECE_SIZE]
        if k == pieces - 1 and program[GREEDY_ENDS]:  # the last piece has to end the text
            return n - at >= size and memcmp(p + n - size, pool + piece[PIECE_AT], size) == 0
        table = words + piece[PIECE_TABLE] if piece[PIECE_TABLE] else NULL
        at = find_piece(p, at, n, pool + piece[PIECE_AT], size, table, work)
        if at == NOWHERE:
            return False
        at += size
    return pieces > 1 or not program[GREEDY_ENDS] or at == n


# --- any other program ---------------------------------------------------------------------------

cdef enum:
    RESTORE = 0x80000000     # this entry of the stack restores a saved position
    OF_A_MARK = 0x40000000   # set besides RESTORE: the entry restores the beginning of an optional group
    MOST_SAVED = 0x10000     # the lower 16 bits of the entry are the number of the position


cdef inline int push(Work* work, uint32_t one, uint32_t other) except -1 nogil:
    buffer_reserve(&work.b, 8)
    (<uint32_t*>(work.b.p + work.b.n))[0] = one
    (<uint32_t*>(work.b.p + work.b.n))[1] = other
    work.b.n += 8
    return 0


cdef bint holds_full(const uint32_t* program, const uint32_t* words, const uint8_t* pool, const uint8_t* p, uint32_t n,
                     uint32_t* saved, Work* work) except -1 nogil:
    """Return whether the text p[0:n] matches. saved: receives the saved positions; a position that was not saved is
    NOWHERE."""
    cdef const uint32_t* code = program + FULL_WORDS
    cdef const uint32_t* now
    cdef const uint32_t* octets
    cdef uint32_t[DEEPEST] marks  # full_words has checked that each index is smaller than DEEPEST
    cdef uint32_t pc = 0, at = 0, k, op, a, b, level, levels = program[FULL_LEVELS]
    cdef size_t bits = <size_t>program[FULL_SPLITS] * levels * (<size_t>n + 1), base = (bits + 63) // 64 * 8, bit
    cdef uint8_t* seen
    cdef bint further, found = False
    work.b.n = 0
    buffer_reserve(&work.b, base + 64)
    memset(work.b.p, 0, base)
    work.b.n = base
    if saved != NULL:
        for k in range(program[FULL_SAVED]):
            saved[k] = NOWHERE
    while True:
        now = code + INSTRUCTION_WORDS * pc
        op, a, b = op_of(now), now[1], b_of(now)
        work.steps += 1
        if op == LITERAL:
            if n - at >= b and memcmp(p + at, pool + a, b) == 0:
                at += b
                pc += 1
                continue
        elif op == CLASS_OF:
            octets = words + a
            if at < n and octets[p[at] >> 5] >> (p[at] & 31) & 1:
                at += 1
                pc += 1
                continue
        elif op == ANY_OCTET:
            if at < n:
                at += 1
                pc += 1
                continue
        elif op == SPLIT:
            octets = now + INSTRUCTION_WORDS  # the instruction OF_SPLIT after the split
            level = 0
            for k in range(b_of(octets)):
                level += marks[k] == at
            bit = (<size_t>octets[1] * levels + level) * (<size_t>n + 1) + at
            seen = work.b.p + (bit >> 3)
            if not seen[0] >> (bit & 7) & 1:
                seen[0] |= 1 << (bit & 7)
                push(work, b, at)
                pc = a
                continue
        elif op == JUMP:
            pc = a
            continue
        elif op == SAVE or op == MARK:
            if op == MARK:
                push(work, RESTORE | OF_A_MARK | a, marks[a])
                marks[a] = at
            elif saved != NULL:
                push(work, RESTORE | a, saved[a])
                saved[a] = at
            pc += 1
            continue
        elif op == NONEMPTY:
            if marks[a] != at:
                pc += 1
                continue
        elif op == SPAN:  # a SPAN comes before all splits, so it runs once
            octets = words + a
            k = at
            while at < n and octets[p[at] >> 5] >> (p[at] & 31) & 1:
                at += 1
            work.steps += at - k
            if at - k >= b:
                pc += 1
                continue
        elif op == AT_END:
            if at == n:
                pc += 1
                continue
        elif op == STAR:
            # at each position that was not tried before, go on if the next instruction, perhaps a literal, may match
            octets = words + a
            bit = <size_t>b * levels * (<size_t>n + 1) + at
            while not work.b.p[bit >> 3] >> (bit & 7) & 1:
                work.b.p[bit >> 3] |= 1 << (bit & 7)
                work.steps += 1
                further = at < n and (a == 0 or octets[p[at] >> 5] >> (p[at] & 31) & 1)
                if op_of(now + INSTRUCTION_WORDS) != LITERAL or (at < n and p[at] == pool[now[INSTRUCTION_WORDS + 1]]):
                    if further:
                        push(work, pc, at + 1)
                    found = True
                    break
                if not further:
                    break
                at += 1
                bit += 1
            if found:
                found = False
                pc += 1
                continue
        else:  # op is DONE
            return True
        while True:  # this choice has failed, so go back to the last one that was not tried completely
            if work.b.n == base:
                return False
            work.b.n -= 8
            pc, at = (<uint32_t*>(work.b.p + work.b.n))[0], (<uint32_t*>(work.b.p + work.b.n))[1]
            if not pc & RESTORE:
                break
            work.steps += 1
            if pc & OF_A_MARK:
                marks[pc & 0xFFFF] = at
            else:
                saved[pc & 0xFFFF] = at


cdef bint holds(const uint32_t* program, const uint32_t* words, const uint8_t* pool, const uint8_t* p, uint32_t n,
                uint32_t* saved, Work* work) except -1 nogil:
    """Return whether the text p[0:n] matches a program. words: the whole block, which includes the tables of the
    program's pieces, and its sets. saved: room for the starts and ends of groups, or NULL."""
    if program[0] == GREEDY:
        return holds_greedy(program, words, pool, p, n, work)
    return holds_full(program, words, pool, p, n, saved, work)


# --- writing programs ----------------------------------------------------------------------------------

@cython.final
@cython.binding(False)
cdef class Block:
    """A matcher's block while it is written: its words, and the bytes of literals. grouped: whether programs save where
    groups match. If not, how greedy a piece is does not matter either."""

    def __cinit__(self, bint grouped=False):
        buffer_start(&self.b)
        buffer_start(&self.literals)
        buffer_start(&self.code)
        self.grouped, self.places, self.sets, self.runs = grouped, {}, {}, {}
        self.left = PY_SSIZE_T_MAX
        self.word(0)

    def __dealloc__(self):
        buffer_free(&self.b)
        buffer_free(&self.literals)
        buffer_free(&self.code)

    cdef uint32_t here(self) except 0:
        """Return the index of the next word."""
        if self.b.n > 0x3FFFFFFF0:
            raise MemoryError()
        return <uint32_t>(self.b.n // 4)

    cdef int word(self, uint32_t value) except -1:
        buffer_reserve(&self.b, 4)
        (<uint32_t*>(self.b.p + self.b.n))[0] = value
        self.b.n += 4
        return 0

    cdef uint32_t run(self, tuple words) except 0:
        """Return the place of these words, and add them if they are new."""
        at = self.runs.get(words)
        if at is None:
            at = self.runs[words] = self.here()
            for word in words:
                self.word(word)
        return at

    cdef object place(self, bytes literal):
        """Return the place of a literal's bytes, and add them if they are new."""
        at = self.places.get(literal)
        if at is None:
            if self.literals.n + len(literal) > 0x7FFFFFFF:
                raise MemoryError()
            at = self.places[literal] = self.literals.n
            buffer_copy(&self.literals, literal, len(literal))
        return at

    cdef uint32_t table(self, bytes literal) except? 0:
        """Return the place of a literal's table of Knuth, Morris and Pratt. For each number of bytes that agreed, the
        table has the next smaller number that may still agree. Return 0 for a short literal, which needs no table."""
        cdef const uint8_t* p = literal
        cdef uint32_t n = <uint32_t>len(literal), k, taken = 0, at
        cdef uint32_t* table
        if n <= SHORT_PIECE:
            return 0
        known = self.places.get(("table", literal))
        if known is not None:
            return known
        at = self.here()
        buffer_reserve(&self.b, 4 * <size_t>n)
        table = <uint32_t*>(self.b.p + self.b.n)
        self.b.n += 4 * <size_t>n
        table[0] = 0
        for k in range(1, n):
            while taken and p[k] != p[taken]:
                taken = table[taken - 1]
            taken += p[k] == p[taken]
            table[k] = taken
        self.places["table", literal] = at
        return at

    cdef uint32_t* copy_words(self, const uint8_t** literals) except NULL:
        """Return a copy of the words, followed by the literals. The caller must free it."""
        cdef uint8_t* made = <uint8_t*>malloc(self.b.n + self.literals.n)
        if made == NULL:
            raise MemoryError()
        memcpy(made, self.b.p, self.b.n)
        memcpy(made + self.b.n, self.literals.p, self.literals.n)
        literals[0] = made + self.b.n
        return <uint32_t*>made

    cdef uint32_t program(self, tuple program) except 0:
        """Return the place of a program, and add the program if it is new. PatternError: the program is too large."""
        cdef uint32_t at
        cdef list pieces, words
        known = self.places.get(program)
        if known is not None:
            return known
        pieces = greedy_pieces(program)
        if pieces is None:
            at = self.full_program(program)
        else:
            words = [GREEDY, len(pieces), len(program) > 0 and program[len(program) - 1] == "$"]
            for piece in pieces:
                words.append(self.place(piece))
                words.append(len(piece))
                words.append(self.table(piece) if len(words) > GREEDY_WORDS + PIECE_TABLE else 0)
            at = self.here()
            for word in words:
                self.word(word)
        self.places[program] = at
        return at

    cdef uint32_t full_program(self, tuple program) except 0:
        """Add a FULL program. The instructions of a program that is too large count towards the limit for a list as
        well. Otherwise, a list could contain many such programs, each of which takes a long time to compile."""
        cdef Py_ssize_t n = len(program)
        cdef uint32_t at, count
        self.code.n = self.splits = self.depth = self.deepest = self.saved = 0
        if n >= 2 and program[n - 2] == "*" and program[n - 1] == "$":
            n -= 2  # these change nothing: without them, anything may follow as well
        try:
            self.sequence(program, n)
            self.instruction(DONE, 0, 0)
        finally:
            count = self.instructions()
            self.left -= count
        at = self.here()
        for word in (FULL, count, self.splits, self.deepest + 1, self.saved):
            self.word(word)
        buffer_copy(&self.b, self.code.p, self.code.n)
        return at

    cdef uint32_t instructions(self) noexcept:
        """Return the number of instructions so far."""
        return <uint32_t>(self.code.n // (4 * INSTRUCTION_WORDS))

    cdef int instruction(self, uint32_t op, uint32_t a, uint32_t b) except -1:
        cdef uint32_t* w
        if <Py_ssize_t>self.instructions() >= min(self.left, MOST):
            raise PatternError("too-large", LIST_TOO_LARGE if self.left < MOST else TOO_LARGE)
        buffer_reserve(&self.code, 4 * INSTRUCTION_WORDS)
        if b > MOST_B:
            raise MemoryError()
        w = <uint32_t*>(self.code.p + self.code.n)
        w[0], w[1] = op | b << 4, a
        self.code.n += 4 * INSTRUCTION_WORDS
        return 0

    cdef void lead(self, uint32_t instruction, uint32_t a, uint32_t b) noexcept:
        """Set where an instruction leads."""
        cdef uint32_t* w = <uint32_t*>self.code.p + INSTRUCTION_WORDS * instruction
        w[0], w[1] = op_of(w) | b << 4, a

    cdef uint32_t split(self) except? 0:
        """Add a SPLIT, and return its number. The caller sets where it leads."""
        cdef uint32_t made = self.instructions()
        self.instruction(SPLIT, 0, 0)
        self.instruction(OF_SPLIT, self.splits, self.depth)
        self.splits += 1
        return made

    @cython.boundscheck(True)
    cdef int sequence(self, tuple program, Py_ssize_t n) except -1:
        """Add the instructions for the first n pieces of a program."""
        cdef Py_ssize_t k = 0
        cdef list literals
        cdef bytes literal
        Py_EnterRecursiveCall(b" in a program")
        try:
            while k < n:
                piece = program[k]
                if not self.grouped and type(piece) is tuple and piece[0] == "group":
                    if len(piece[2]) != 1:
                        self.sequence(piece[2], len(piece[2]))
                        k += 1
                        continue
                    piece = piece[2][0]
                if is_octets(piece):
                    literals = []
                    while is_octets(piece):
                        literals.append(piece if type(piece) is bytes else piece[1])
                        k += 1
                        if k == n:
                            break
                        piece = program[k]
                    literal = literals[0] if len(literals) == 1 else b"".join(literals)
                    if literal:
                        self.instruction(LITERAL, self.place(literal), <uint32_t>len(literal))
                    continue
                if self.splits == 0 and k + 1 < len(program) and is_span(piece, program[k + 1], self.grouped):
                    self.instruction(SPAN, self.set_of(piece[1][0][1]), piece[2])
                else:
                    self.piece(piece)
                k += 1
        finally:
            Py_LeaveRecursiveCall()
        return 0

    @cython.boundscheck(True)
    cdef int piece(self, object piece) except -1:
        cdef uint32_t number
        if type(piece) is str:
            if piece == "*":
                self.times(("?",), 0, None, True)
            else:
                self.instruction(ANY_OCTET if piece == "?" else AT_END, 0, 0)
        elif piece[0] == "in":
            self.instruction(CLASS_OF, self.set_of(piece[1]), 0)
        elif piece[0] == "or":
            self.choice(piece[1])
        elif piece[0] == "group" and not self.grouped:
            self.sequence(piece[2], len(piece[2]))
        elif piece[0] == "group":
            if not 0 <= piece[1] < MOST_SAVED // 2:
                raise ValueError(f"the number of a group must be below {MOST_SAVED // 2}")
            number = piece[1]
            self.saved = max(self.saved, 2 * number + 2)
            self.instruction(SAVE, 2 * number, 0)
            self.sequence(piece[2], len(piece[2]))
            self.instruction(SAVE, 2 * number + 1, 0)
        elif piece[0] == "optional":
            self.optional(piece[1], piece[2])
        else:
            _, program, fewest, most, greedy = piece
            self.times(program, fewest, most, greedy)
        return 0

    cdef int choice(self, tuple programs) except -1:
        cdef uint32_t made, end
        cdef Py_ssize_t k
        cdef list ends = []
        if not programs:
            raise ValueError("a choice must have at least one program")
        for k in range(len(programs) - 1):
            made = self.split()
            self.sequence(programs[k], len(programs[k]))
            ends.append(self.instructions())
            self.instruction(JUMP, 0, 0)
            self.lead(made, made + 2, self.instructions())
        self.sequence(programs[len(programs) - 1], len(programs[len(programs) - 1]))
        for end in ends:
            self.lead(end, self.instructions(), 0)
        return 0

    cdef int optional(self, tuple program, bint greedy) except -1:
        cdef uint32_t made = self.split()
        if self.depth == DEEPEST:
            raise PatternError("too-deep", f"optional groups are nested more than {DEEPEST} deep")
        self.instruction(MARK, self.depth, 0)
        self.depth += 1
        self.deepest = max(self.deepest, self.depth)
        self.sequence(program, len(program))
        self.depth -= 1
        self.instruction(NONEMPTY, self.depth, 0)
        if greedy:
            self.lead(made, made + 2, self.instructions())
        else:
            self.lead(made, self.instructions(), made + 2)
        return 0

    @cython.boundscheck(True)
    cdef int times(self, tuple program, Py_ssize_t fewest, object most, bint greedy) except -1:
        cdef uint32_t start = self.instructions(), made
        cdef Py_ssize_t k
        for k in range(fewest):
            self.sequence(program, len(program))
            # the program has no instructions: it matches only the empty text, however often it is repeated
            if k == 0 and self.instructions() == start:
                return 0
        if most is None and not self.grouped and self.depth == 0 and len(program) == 1 \
                and (program[0] == "?" or program[0][0] == "in"):
            self.instruction(STAR, 0 if program[0] == "?" else self.set_of(program[0][1]), self.splits)
            self.splits += 1
            return 0
        if most is None:
            made = self.split()
            self.sequence(program, len(program))
            self.instruction(JUMP, made, 0)
            if greedy:
                self.lead(made, made + 2, self.instructions())
            else:
                self.lead(made, self.instructions(), made + 2)
            return 0
        for _ in range(<Py_ssize_t>most - fewest):
            self.optional(program, greedy)
        return 0

    cdef uint32_t set_of(self, bytes octets) except 0:
        """Return the place of a set of octets, and add the set if it is new."""
        cdef uint32_t[SET_WORDS] bits
        cdef const uint8_t* p = octets
        cdef Py_ssize_t k
        known = self.sets.get(octets)
        if known is None:
            memset(bits, 0, sizeof(bits))
            for k in range(len(octets)):
                bits[p[k] >> 5] |= <uint32_t>1 << (p[k] & 31)
            known = self.sets[octets] = self.run(tuple([bits[k] for k in range(SET_WORDS)]))
        return known


@cython.boundscheck(True)
cdef bint is_octets(object piece) except -1:
    """Return whether a piece of a program matches one text: it is a literal, or a class of one octet."""
    return type(piece) is bytes or (type(piece) is tuple and piece[0] == "in" and len(piece[1]) == 1)


@cython.boundscheck(True)
cdef bint is_span(object piece, object after, bint grouped) except -1:
    """Return whether `piece` is a repeated class, and the next piece, `after`, cannot begin with a byte of that class.
    Then a match can take all bytes of the class at once: if it took fewer, `after` could not match. One instruction,
    SPAN, does that. It is only used before the first split, where it is executed once. After a split it could be
    executed many times, and matching would not take linear time."""
    if not (type(piece) is tuple and piece[0] == "times" and piece[3] is None and piece[2] <= MOST_B
            and (piece[4] or not grouped)):
        return False
    inner = piece[1]
    if not (len(inner) == 1 and type(inner[0]) is tuple and inner[0][0] == "in"):
        return False
    return after == "$" or (type(after) is bytes and len(<bytes>after) > 0 and after[:1] not in inner[0][1])


cdef list greedy_pieces(tuple program):
    """Return the literals between the stars of a program, if it consists of literals, "*" and, at its end, "$". Return
    None for any other program."""
    cdef list pieces = []
    cdef bytes literal = b""
    cdef Py_ssize_t k, n = len(program)
    for k in range(n):
        piece = program[k]
        if type(piece) is bytes:
            literal += <bytes>piece
        elif type(piece) is not str or piece == "?" or (piece == "$" and k < n - 1):
            return None
        elif piece == "*" and (literal or not pieces):
            pieces.append(literal)
            literal = b""
    pieces.append(literal)
    return pieces


# --- one program by itself ---------------------------------------------------------------------------

# the program of the pattern "*"
cdef tuple ANY_GROUP = (("group", 0, (("times", ("?",), 0, None, True),)), "$")


@cython.final
@cython.binding(False)
cdef class Program:
    """A compiled program (urlsm.patterns.rule). greedy: None, or another program that matches the same strings, perhaps
    without groups."""
    def __cinit__(self, tuple program not None, tuple greedy=None):
        cdef Block block = Block(True)
        self.at = block.program(program)
        self.plain = self.at if greedy is None else block.program(greedy)
        self.w = block.copy_words(&self.octets)
        self.groups = self.w[self.at + 4] // 2 if self.w[self.at] == FULL else 0
        self.is_any = program == ANY_GROUP

    def matches(self, str text not None):
        """Return whether a text matches. Only ASCII strings can match."""
        cdef Work work
        if not is_ascii(text) or len(text) > MAX_LENGTH:
            return False
        work.steps = 0
        buffer_start(&work.b)
        try:
            return bool(holds(self.w + self.plain, self.w, self.octets, ascii_data(text), <uint32_t>len(text), NULL,
                              &work))
        finally:
            buffer_free(&work.b)

    cdef dict groups_of(self, const uint8_t* p, uint32_t n, tuple names, Work* work):
        """Return the text of each group of an ASCII text p[0:n], by the names of the first groups. A group that did not
        participate in the match is None. Return None if the text does not match, or if there are too many groups.
        work: the caller has initialised its buffer."""
        cdef uint32_t[2 * FEW_GROUPS] saved
        cdef uint32_t k
        cdef dict groups = {}
        cdef object text
        if self.groups > FEW_GROUPS:
            return None
        if self.is_any:
            return {names[0]: ascii_text(p, n)} if names else groups
        work.steps = 0
        if not holds(self.w + self.at, self.w, self.octets, p, n, saved, work):
            return None
        for k in range(<uint32_t>len(names)):
            text = None
            if k < self.groups and saved[2 * k] != NOWHERE and saved[2 * k + 1] != NOWHERE:
                text = ascii_text(p + saved[2 * k], saved[2 * k + 1] - saved[2 * k])
            groups[names[k]] = text
        return groups

    def spans(self, bytes text not None):
        """Return the span of each group, and the number of steps. The span of a group that did not participate in the
        match is None. If the text does not match, None is returned in place of the spans."""
        cdef Work work
        cdef uint32_t k
        cdef bint found
        cdef uint32_t* saved = <uint32_t*>malloc(8 * <size_t>self.groups + 8)
        cdef list groups = []
        if saved == NULL:
            raise MemoryError()
        work.steps = 0
        buffer_start(&work.b)
        try:
            if len(text) > MAX_LENGTH:
                raise ValueError("the text is too long")
            found = holds(self.w + self.at, self.w, self.octets, text, <uint32_t>len(text), saved, &work)
            if not found:
                return None, work.steps
            for k in range(0, 2 * self.groups, 2):
                groups.append(None if saved[k] == NOWHERE or saved[k + 1] == NOWHERE else (saved[k], saved[k + 1]))
            return groups, work.steps
        finally:
            buffer_free(&work.b)
            free(saved)
