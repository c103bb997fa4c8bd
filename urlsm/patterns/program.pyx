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
from urlsm.url.write.host cimport is_normal_domain
from urlsm.patterns.rule import full_words

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
    cdef uint32_t pieces = program[1], k, at = program[4], size
    cdef const uint32_t* piece = program + 3
    work.steps += 1
    if n < at or memcmp(p, pool + piece[0], at) != 0:
        return False
    for k in range(1, pieces):
        piece += 3
        size = piece[1]
        if k == pieces - 1 and program[2]:  # the last, which ends the text
            return n - at >= size and memcmp(p + n - size, pool + piece[0], size) == 0
        at = found_at(p, at, n, pool + piece[0], size, words + piece[2] if piece[2] else NULL, work)
        if at == NOWHERE:
            return False
        at += size
    return pieces > 1 or not program[2] or at == n


# --- any other program ---------------------------------------------------------------------------

cdef enum:
    RESTORE = 0x80000000     # an entry of the stack that restores a saved position,
    OF_A_MARK = 0x40000000   # or the beginning of an optional group


cdef inline int push(Work* work, uint32_t one, uint32_t other) except -1 nogil:
    buffer_reserve(&work.b, 8)
    (<uint32_t*>(work.b.p + work.b.n))[0] = one
    (<uint32_t*>(work.b.p + work.b.n))[1] = other
    work.b.n += 8
    return 0


cdef bint holds_full(const uint32_t* program, const uint8_t* pool, const uint8_t* p, uint32_t n, uint32_t* saved,
                     Work* work) except -1 nogil:
    """Return whether the text p[0:n] matches. saved: room for the saved positions; those never reached are NOWHERE."""
    cdef const uint32_t* code = program + 5
    cdef const uint32_t* now
    cdef const uint32_t* octets
    cdef uint32_t[32] marks
    cdef uint32_t pc = 0, at = 0, k, level, slot
    cdef size_t bits = <size_t>program[2] * program[3] * (<size_t>n + 1), base = (bits + 63) // 64 * 8, bit
    cdef uint8_t* seen
    work.b.n = 0
    buffer_reserve(&work.b, base + 64)
    memset(work.b.p, 0, base)
    work.b.n = base
    if saved != NULL:
        for k in range(program[4]):
            saved[k] = NOWHERE
    while True:
        now = code + 3 * pc
        work.steps += 1
        if now[0] == LITERAL:
            if n - at >= now[2] and memcmp(p + at, pool + now[1], now[2]) == 0:
                at += now[2]
                pc += 1
                continue
        elif now[0] == CLASS_OF:
            octets = program + now[1]
            if at < n and octets[p[at] >> 5] >> (p[at] & 31) & 1:
                at += 1
                pc += 1
                continue
        elif now[0] == ANY_OCTET:
            if at < n:
                at += 1
                pc += 1
                continue
        elif now[0] == SPLIT:  # two instructions long: the second has its number and depth
            level = 0
            for k in range(now[4]):
                level += marks[k] == at
            bit = (<size_t>now[3] * program[3] + level) * (<size_t>n + 1) + at
            seen = work.b.p + (bit >> 3)
            if not seen[0] >> (bit & 7) & 1:
                seen[0] |= 1 << (bit & 7)
                push(work, now[2], at)
                pc = now[1]
                continue
        elif now[0] == JUMP:
            pc = now[1]
            continue
        elif now[0] == SAVE or now[0] == MARK:
            slot = now[1]
            if now[0] == MARK:
                push(work, RESTORE | OF_A_MARK | slot, marks[slot])
                marks[slot] = at
            elif saved != NULL:
                push(work, RESTORE | slot, saved[slot])
                saved[slot] = at
            pc += 1
            continue
        elif now[0] == NONEMPTY:
            if marks[now[1]] != at:
                pc += 1
                continue
        elif now[0] == SPAN:  # it comes before all splits, so it is run once
            octets = program + now[1]
            k = at
            while at < n and octets[p[at] >> 5] >> (p[at] & 31) & 1:
                at += 1
            work.steps += at - k
            if at - k >= now[2]:
                pc += 1
                continue
        elif now[0] == AT_END:
            if at == n:
                pc += 1
                continue
        else:
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

    cpdef object place(self, bytes literal):
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
        cdef list pieces
        known = self.places.get(program)
        if known is not None:
            return known
        pieces = greedy_pieces(program)
        if pieces is None:
            words, used, error = full_words(program, self.place, self.left)
            self.left -= used
            if error is not None:
                raise error
        else:
            words = [GREEDY, len(pieces), len(program) > 0 and program[len(program) - 1] == "$"]
            for piece in pieces:
                words.append(self.place(piece))
                words.append(len(piece))
                words.append(self.table(piece) if len(words) > 5 else 0)
        at = self.here()
        for word in words:
            self.word(word)
        self.places[program] = at
        return at


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
