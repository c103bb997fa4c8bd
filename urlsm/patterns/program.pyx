"""Runs programs over octets, in time linear in program times text, and without a limit at which it would give up.

A program of literals, "*" and "$" alone takes the leftmost place of each literal in turn: what follows has then most
text left, so no other choice could succeed where this one fails. Any other program is tried in ECMAScript's order of
preference, and no split twice at one position: what failed once fails again. Between two splits instructions run in a
straight line, so that a run takes at most instructions times (octets + 1) steps.

A split is left out of that where an optional group around it may or may not have taken something (NONEMPTY asks), so
its key has a third part: how many of the groups around it are still empty. Where an inner one has taken something, so
have all around it: that is one number of at most depth + 1 values, and everything that follows depends on
(split, position, number) alone.
"""
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memchr, memcmp, memset
from urlsm.octets.buffer cimport buffer_reserve


# --- literals, "*" and "$" -----------------------------------------------------------------------

cdef inline uint32_t found_at(const uint8_t* p, uint32_t at, uint32_t n, const uint8_t* piece, uint32_t size,
                              const uint32_t* table, Work* work) noexcept nogil:
    """Where the piece begins first in p[at:n]; NOWHERE. table: by Knuth, Morris and Pratt, of a longer piece."""
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


# --- everything else -----------------------------------------------------------------------------

cdef enum:
    RESTORE = 0x80000000     # an entry of the stack that gives a saved position back,
    OF_A_MARK = 0x40000000   # or the beginning of an optional group


cdef inline int push(Work* work, uint32_t one, uint32_t other) except -1 nogil:
    buffer_reserve(&work.b, 8)
    (<uint32_t*>(work.b.p + work.b.n))[0] = one
    (<uint32_t*>(work.b.p + work.b.n))[1] = other
    work.b.n += 8
    return 0


cdef bint holds_full(const uint32_t* program, const uint8_t* pool, const uint8_t* p, uint32_t n, uint32_t* saved,
                     Work* work) except -1 nogil:
    """saved: room for the program's saved positions, of which those that were never reached are NOWHERE."""
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
    """Does the text p[0:n] match? words: of which the program is a part, and the tables of its pieces. saved: where
    groups begin and end goes there, if it is not NULL."""
    if program[0] == GREEDY:
        return holds_greedy(program, words, pool, p, n, work)
    return holds_full(program, pool, p, n, saved, work)
