"""Runs programs over octets, in time linear in program times text, and without a limit at which it would give up.

A program of literals, "*" and "$" only takes the leftmost position of each literal in turn: this leaves the most text
for what follows, so no other choice could succeed where this one fails. Any other program is tried in ECMAScript's
order of preference, and no split twice at one position: what failed once fails again. Between two splits instructions
run in a straight line, so a run takes at most instructions times (octets + 1) steps.

Within optional groups the position of a split is not enough: a group around it may or may not have taken something, and
NONEMPTY asks for that. So its key has a third part: the number of groups around it that are still empty. If an inner
group has taken something, so have all around it: this number has at most depth + 1 values, and everything that follows
depends only on (split, position, number).
"""
cimport cython
from libc.stdint cimport uint8_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memchr, memcmp, memcpy, memset
from urlsm.octets.buffer cimport (
    MAX_LENGTH, Buffer, ascii_data, buffer_copy, buffer_free, buffer_reserve, buffer_start, is_ascii,
)
from urlsm.octets.chars cimport (
    ALPHA, BACKSLASH, CLASS, DIGIT, ENC_C0, ENC_FRAGMENT, ENC_PATH, ENC_SPECIAL_QUERY, ENC_USERINFO, HASH, QUESTION,
    SCHEME_CHAR, UPPER, classes_of,
)
from urlsm.patterns.opcodes cimport (
    ANY_OCTET, AT_END, CLASS_OF, DEEPEST, DONE, FULL, FULL_LEVELS, FULL_SAVED, FULL_SPLITS, FULL_WORDS, GREEDY,
    GREEDY_ENDS, GREEDY_PIECES, GREEDY_WORDS, INSTRUCTION_WORDS, JUMP, LITERAL, MARK, NONEMPTY, OF_SPLIT, PIECE_AT,
    PIECE_SIZE, PIECE_TABLE, PIECE_WORDS, SAVE, SET_WORDS, SPAN, SPLIT,
)
from urlsm.url.write.host cimport is_normal_domain
from urlsm.patterns.programs import compiled

cdef extern from *:
    const Py_ssize_t PY_SSIZE_T_MAX


# --- literals, "*" and "$" -----------------------------------------------------------------------

cdef inline uint32_t found_at(const uint8_t* p, uint32_t at, uint32_t n, const uint8_t* piece, uint32_t size,
                              const uint32_t* table, Work* work) noexcept nogil:
    """Return where the piece first begins in p[at:n], or NOWHERE. table: Knuth, Morris and Pratt's, of a long piece."""
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
        if k == pieces - 1 and program[GREEDY_ENDS]:  # the last, which ends the text
            return n - at >= size and memcmp(p + n - size, pool + piece[PIECE_AT], size) == 0
        table = words + piece[PIECE_TABLE] if piece[PIECE_TABLE] else NULL
        at = found_at(p, at, n, pool + piece[PIECE_AT], size, table, work)
        if at == NOWHERE:
            return False
        at += size
    return pieces > 1 or not program[GREEDY_ENDS] or at == n


# --- any other program ---------------------------------------------------------------------------

cdef enum:
    RESTORE = 0x80000000     # an entry of the stack that restores a saved position,
    OF_A_MARK = 0x40000000   # or the beginning of an optional group
    MOST_SAVED = 0x10000     # the numbers of positions fit into what is left


cdef inline int push(Work* work, uint32_t one, uint32_t other) except -1 nogil:
    buffer_reserve(&work.b, 8)
    (<uint32_t*>(work.b.p + work.b.n))[0] = one
    (<uint32_t*>(work.b.p + work.b.n))[1] = other
    work.b.n += 8
    return 0


cdef bint holds_full(const uint32_t* program, const uint8_t* pool, const uint8_t* p, uint32_t n, uint32_t* saved,
                     Work* work) except -1 nogil:
    """Return whether the text p[0:n] matches. saved: room for the saved positions; those never reached are NOWHERE."""
    cdef const uint32_t* code = program + FULL_WORDS
    cdef const uint32_t* now
    cdef const uint32_t* octets
    cdef uint32_t[DEEPEST] marks  # write_full has checked that no number of a group is greater
    cdef uint32_t pc = 0, at = 0, k, op, a, level, levels = program[FULL_LEVELS]
    cdef size_t bits = <size_t>program[FULL_SPLITS] * levels * (<size_t>n + 1), base = (bits + 63) // 64 * 8, bit
    cdef uint8_t* seen
    work.b.n = 0
    buffer_reserve(&work.b, base + 64)
    memset(work.b.p, 0, base)
    work.b.n = base
    if saved != NULL:
        for k in range(program[FULL_SAVED]):
            saved[k] = NOWHERE
    while True:
        now = code + INSTRUCTION_WORDS * pc
        op, a = now[0], now[1]
        work.steps += 1
        if op == LITERAL:
            if n - at >= now[2] and memcmp(p + at, pool + a, now[2]) == 0:
                at += now[2]
                pc += 1
                continue
        elif op == CLASS_OF:
            octets = program + a
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
            octets = now + INSTRUCTION_WORDS  # OF_SPLIT
            level = 0
            for k in range(octets[2]):
                level += marks[k] == at
            bit = (<size_t>octets[1] * levels + level) * (<size_t>n + 1) + at
            seen = work.b.p + (bit >> 3)
            if not seen[0] >> (bit & 7) & 1:
                seen[0] |= 1 << (bit & 7)
                push(work, now[2], at)
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
        elif op == SPAN:  # it comes before all splits, so it is run once
            octets = program + a
            k = at
            while at < n and octets[p[at] >> 5] >> (p[at] & 31) & 1:
                at += 1
            work.steps += at - k
            if at - k >= now[2]:
                pc += 1
                continue
        elif op == AT_END:
            if at == n:
                pc += 1
                continue
        else:  # DONE
            return True
        while True:  # it fails: back to the last choice
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
    """Return whether the text p[0:n] matches. words: all words, of which the program and the tables of its pieces are a
    part. saved: room for the starts and ends of groups, or NULL."""
    if program[0] == GREEDY:
        return holds_greedy(program, words, pool, p, n, work)
    return holds_full(program, pool, p, n, saved, work)


# --- writing programs ----------------------------------------------------------------------------------

@cython.final
@cython.binding(False)
cdef class Block:
    """Words and the octets of literals, while they are written."""

    def __cinit__(self):
        buffer_start(&self.b)
        buffer_start(&self.literals)
        self.places = {}
        self.left = PY_SSIZE_T_MAX
        self.word(0)

    def __dealloc__(self):
        buffer_free(&self.b)
        buffer_free(&self.literals)

    cdef uint32_t here(self) except 0:
        """Return the place of the next word."""
        if self.b.n > 0x3FFFFFFF0:
            raise MemoryError()
        return <uint32_t>(self.b.n // 4)

    cdef int word(self, uint32_t value) except -1:
        buffer_reserve(&self.b, 4)
        (<uint32_t*>(self.b.p + self.b.n))[0] = value
        self.b.n += 4
        return 0

    cdef object place(self, bytes literal):
        """Return the place of a literal's octets."""
        at = self.places.get(literal)
        if at is None:
            if self.literals.n + len(literal) > 0x7FFFFFFF:
                raise MemoryError()
            at = self.places[literal] = self.literals.n
            buffer_copy(&self.literals, literal, len(literal))
        return at

    cdef uint32_t table(self, bytes literal) except? 0:
        """Return the place of the table of Knuth, Morris and Pratt: for each length that was taken, the longest shorter
        one that may still be right. 0: a short literal does not need one."""
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

    cdef uint32_t* copied(self, const uint8_t** literals) except NULL:
        """Return a copy of the words, with the literals behind them. The caller frees it."""
        cdef uint8_t* made = <uint8_t*>malloc(self.b.n + self.literals.n)
        if made == NULL:
            raise MemoryError()
        memcpy(made, self.b.p, self.b.n)
        memcpy(made + self.b.n, self.literals.p, self.literals.n)
        literals[0] = made + self.b.n
        return <uint32_t*>made

    cdef uint32_t program(self, tuple program) except 0:
        """Return the place of a program. PatternError: it is too large."""
        cdef uint32_t at
        cdef list pieces, words
        known = self.places.get(program)
        if known is not None:
            return known
        pieces = greedy_pieces(program)
        if pieces is None:
            words = self.full_words(compiled(program, self.left))
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

    cdef list full_words(self, instructions):
        """Return the words of Instructions. What runs them trusts each number, so each is checked here."""
        cdef list code, sets, words
        cdef uint32_t splits, depth, saved, count, first_set, op, a, b, k, bit, word, before = AT_END
        code, sets, splits, depth, saved, error = instructions
        count = <uint32_t>len(code)
        first_set = FULL_WORDS + INSTRUCTION_WORDS * count
        words = [FULL, count, splits, depth + 1, saved]
        self.left -= count
        if error is not None:
            raise error
        if depth > DEEPEST:
            raise ValueError(f"a program must have at most {DEEPEST} optional groups within each other")
        for op, operand, b in code:
            if op == LITERAL:
                operand = self.place(operand)
            a = operand
            if (op == CLASS_OF or op == SPAN) and a < len(sets):
                a = first_set + SET_WORDS * a
            elif not (op == LITERAL or op == ANY_OCTET or op == AT_END or op == DONE
                      or (op == SPLIT and a < count and b < count) or (op == JUMP and a < count)
                      or (op == OF_SPLIT and before == SPLIT and a < splits and b <= depth)
                      or (op == SAVE and a < saved <= MOST_SAVED) or ((op == MARK or op == NONEMPTY) and a < depth)) \
                    or (before == SPLIT) != (op == OF_SPLIT):
                raise ValueError("an instruction must not lead out of its program")
            words += (op, a, b)
            before = op
        if before != DONE:
            raise ValueError("a program must end in DONE")
        for octets in sets:
            for k in range(0, 256, 32):
                word = 0
                for bit in range(32):
                    word |= <uint32_t>(k + bit in <bytes>octets) << bit
                words.append(word)
        return words


cdef list greedy_pieces(tuple program):
    """Return the literals between the stars of a program of literals, "*" and, at its end, "$"; None for another
    program."""
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

@cython.final
@cython.binding(False)
cdef class Program:
    """A compiled program (urlsm.patterns.rule). greedy: another one that matches the same texts, perhaps without
    groups; or None."""
    cdef uint32_t* w         # the words, and the literals behind them
    cdef uint32_t at, plain  # the places of the program, and of the one without groups
    cdef const uint8_t* octets
    cdef readonly uint32_t groups

    def __cinit__(self, tuple program not None, tuple greedy=None):
        cdef Block block = Block()
        self.at = block.program(program)
        self.plain = self.at if greedy is None else block.program(greedy)
        self.w = block.copied(&self.octets)
        self.groups = self.w[self.at + 4] // 2 if self.w[self.at] == FULL else 0

    def matches(self, str text not None):
        """Return whether a text matches. A text that is not ASCII does not."""
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

    def spans(self, bytes text not None):
        """Return (the span of each group, or None for one that took no part; the number of steps). Instead of the
        spans, None if the text does not match."""
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


include "tokens.pxi"
include "pattern_strings.pxi"
include "constructor_strings.pxi"
