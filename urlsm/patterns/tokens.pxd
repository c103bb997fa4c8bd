"""Tokens: texts that every URL has that a rule matches. The index (tables.pyx) finds rules by them.

A segment is a text between two delimiters ("/", "?", "&", "#"), such as a whole segment of a path or a whole field of a
query. A gram is four octets in a row, or three if a literal has no more. Case is ignored, so that rules that ignore
case have tokens as well.

The tokens of a rule are found in the compiled words of its checks (opcodes.py), so no syntax takes part. Only what lies
on every way through a program counts: at a SPLIT, reading goes on where the ways meet again.
"""
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from urlsm.octets.buffer cimport Buffer, buffer_copy_lower, buffer_put, buffer_reserve
from urlsm.octets.chars cimport lower
from urlsm.octets.sip cimport sip_end, sip_start, sip_word
from urlsm.octets.words cimport first_bit, first_bits, word_at
from urlsm.patterns.opcodes cimport (
    ANY_OCTET, AT_END, CLASS_OF, DONE, FULL_COUNT, FULL_WORDS, GREEDY, GREEDY_ENDS, GREEDY_PIECES, GREEDY_WORDS, HASH,
    HREF, INSTRUCTION_WORDS, JUMP, LITERAL, PIECE_AT, PIECE_SIZE, PIECE_WORDS, QUERY, SEARCH, SPAN, SPLIT,
    STAR, WHOLE,
)

cdef enum:
    GRAM = 4
    # the kinds of tokens; of two tokens that as many rules have, the one with the lower kind is taken
    SEGMENTS = 1
    GRAMS = 2
    SHORT_GRAMS = 4          # of three octets
    MOST_GRAMS = 256         # at most this many grams of a literal are considered
    MOST_STEPS = 64          # how many instructions begins_with_delimiter follows before it gives up

cdef struct Token:
    uint32_t value           # a segment's hash, or a gram
    uint32_t kind

cdef struct Run:             # the literal octets in a row that were read so far, in lower case
    Buffer* octets
    Buffer* tokens           # receives the Tokens
    const uint64_t* key      # the key of the hashes of segments
    bint behind              # whether a delimiter, or the beginning of the URL, is certainly before the run
    bint ends                # whether a delimiter, or the end of the URL, certainly follows the end of the text


cdef inline bint is_delimiter(uint8_t octet) noexcept nogil:
    return octet == c'/' or octet == c'?' or octet == c'&' or octet == c'#'


cdef inline bint are_delimiters(const uint32_t* octets) noexcept nogil:
    """Return whether all octets of a set are delimiters. They are bits of its second word."""
    cdef uint32_t delimiters = 1 << (c'#' - 32) | 1 << (c'&' - 32) | 1 << (c'/' - 32) | <uint32_t>1 << (c'?' - 32)
    cdef uint32_t others = octets[0] | octets[1] & ~delimiters
    cdef uint32_t k
    for k in range(2, 8):
        others |= octets[k]
    return others == 0


cdef inline int only_octet(const uint32_t* octets) noexcept nogil:
    """Return the octet of a set, in lower case, if it has no other one, except perhaps its other case; -1 if it has."""
    cdef int found = -1, octet
    cdef uint32_t k, word
    for k in range(8):
        word = octets[k]
        while word:
            octet = lower(<uint8_t>(32 * k + first_bit(word)))
            if found >= 0 and found != octet:
                return -1
            found = octet
            word &= word - 1
    return found


cdef inline uint32_t gram_at(const uint8_t* p) noexcept nogil:
    return <uint32_t>p[0] | <uint32_t>p[1] << 8 | <uint32_t>p[2] << 16 | <uint32_t>p[3] << 24


cdef inline uint32_t short_gram_at(const uint8_t* p) noexcept nogil:
    return <uint32_t>p[0] | <uint32_t>p[1] << 8 | <uint32_t>p[2] << 16


cdef inline uint32_t segment_hash(const uint8_t* p, uint32_t n, const uint8_t* end, const uint64_t* key) noexcept nogil:
    """Return the keyed hash of a segment p[0:n]. All octets before `end` may be read."""
    cdef uint64_t[4] hash
    cdef uint64_t word = 0
    cdef uint32_t left = n, k
    sip_start(hash, key)
    while left >= 8:
        sip_word(hash, word_at(p))
        p += 8
        left -= 8
    if end - p >= 8:
        word = word_at(p) & first_bits(8 * left)
    else:
        for k in range(left):
            word |= <uint64_t>p[k] << 8 * k
    sip_word(hash, word | <uint64_t>n << 56)
    return <uint32_t>(sip_end(hash) >> 32)


cdef inline uint32_t segment_end(const uint8_t* p, uint32_t start, uint32_t n) noexcept nogil:
    """Return where a segment of p[0:n] ends."""
    while start < n and not is_delimiter(p[start]):
        start += 1
    return start


# --- the tokens of a check ---------------------------------------------------------------------------

cdef inline int put_token(Buffer* tokens, uint32_t value, uint32_t kind) except -1 nogil:
    buffer_reserve(tokens, sizeof(Token))
    (<Token*>(tokens.p + tokens.n))[0].value = value
    (<Token*>(tokens.p + tokens.n))[0].kind = kind
    tokens.n += sizeof(Token)
    return 0


cdef inline int put_grams(Buffer* tokens, const uint8_t* p, uint32_t n) except -1 nogil:
    """Append the grams of a literal, or those at both ends of a long one."""
    cdef uint32_t k
    if n == GRAM - 1:
        put_token(tokens, short_gram_at(p), SHORT_GRAMS)
    for k in range(n - (GRAM - 1) if n >= GRAM else 0):
        if k < MOST_GRAMS // 2 or k + MOST_GRAMS // 2 > n - GRAM:
            put_token(tokens, gram_at(p + k), GRAMS)
    return 0


cdef inline int end_run(Run* r, bint before) except -1 nogil:
    """Append the tokens of a run of literal octets, and begin another one. before: whether a delimiter, or the end of
    the URL, certainly follows the run."""
    cdef const uint8_t* p = r.octets.p
    cdef uint32_t n = <uint32_t>r.octets.n, k, start = 0
    cdef bint behind = r.behind
    for k in range(n):
        if is_delimiter(p[k]):
            if behind and k > start:
                put_token(r.tokens, segment_hash(p + start, k - start, p + n, r.key), SEGMENTS)
            behind, start = True, k + 1
    if behind and before and n > start:
        put_token(r.tokens, segment_hash(p + start, n - start, p + n, r.key), SEGMENTS)
    put_grams(r.tokens, p, n)
    r.octets.n = 0
    r.behind = False
    return 0


cdef inline bint is_behind_delimiter(const Run* r) noexcept nogil:
    """Return whether a delimiter is certainly before what follows the run."""
    return is_delimiter(r.octets.p[r.octets.n - 1]) if r.octets.n else r.behind


cdef inline uint32_t op_of(const uint32_t* instruction) noexcept nogil:
    return instruction[0] & 15


cdef inline uint32_t b_of(const uint32_t* instruction) noexcept nogil:
    return instruction[0] >> 4


cdef inline bint begins_with_delimiter(const uint32_t* code, const uint32_t* words, const uint8_t* pool, uint32_t pc,
                                       bint ends, uint32_t* left) noexcept nogil:
    """Return whether every way on from an instruction begins with a delimiter, or ends the text where a delimiter
    follows it. left: how many more instructions to follow; after the last one, the result is False."""
    cdef const uint32_t* now
    while left[0]:
        left[0] -= 1
        now = code + INSTRUCTION_WORDS * pc
        if op_of(now) == LITERAL:
            return is_delimiter(pool[now[1]])
        if op_of(now) == CLASS_OF:
            return are_delimiters(words + now[1])
        if op_of(now) == AT_END:
            return ends
        if op_of(now) == SPLIT:
            return begins_with_delimiter(code, words, pool, now[1], ends, left) \
                and begins_with_delimiter(code, words, pool, b_of(now), ends, left)
        if op_of(now) == ANY_OCTET or op_of(now) == SPAN or op_of(now) == STAR or op_of(now) == DONE:
            return False
        pc = now[1] if op_of(now) == JUMP else pc + 1
    return False


cdef inline bint ends_in_delimiter(const uint32_t* code, const uint32_t* words, const uint8_t* pool, uint32_t start,
                                   uint32_t end) noexcept nogil:
    """Return whether every way through the instructions code[start:end] ends in a delimiter: the last instruction
    matches one, and no other instruction leads past it."""
    cdef const uint32_t* now = code + INSTRUCTION_WORDS * (end - 1)
    cdef uint32_t k
    if end <= start or not (op_of(now) == LITERAL and is_delimiter(pool[now[1] + b_of(now) - 1])
                            or op_of(now) == CLASS_OF and are_delimiters(words + now[1])):
        return False
    for k in range(start, end):
        now = code + INSTRUCTION_WORDS * k
        if op_of(now) == JUMP and now[1] == end or op_of(now) == SPLIT and (now[1] == end or b_of(now) == end):
            return False
    return True


cdef inline int full_tokens(const uint32_t* program, const uint32_t* words, const uint8_t* pool,
                            Run* r) except -1 nogil:
    cdef const uint32_t* code = program + FULL_WORDS
    cdef const uint32_t* now
    cdef const uint32_t* last
    cdef uint32_t pc = 0, after, left
    cdef int octet
    cdef bint behind
    while pc < program[FULL_COUNT]:
        now = code + INSTRUCTION_WORDS * pc
        pc += 1
        if op_of(now) == LITERAL:
            buffer_copy_lower(r.octets, pool + now[1], b_of(now))
        elif op_of(now) == CLASS_OF:
            octet = only_octet(words + now[1])
            if octet >= 0:
                buffer_put(r.octets, <uint8_t>octet)
            else:
                behind = are_delimiters(words + now[1])
                end_run(r, behind)
                r.behind = behind
        elif op_of(now) == ANY_OCTET or op_of(now) == SPAN or op_of(now) == STAR:
            end_run(r, False)
        elif op_of(now) == AT_END or op_of(now) == DONE:
            end_run(r, op_of(now) == AT_END and r.ends)
            return 0
        elif op_of(now) == JUMP:
            pc = now[1]
        elif op_of(now) == SPLIT:
            # the ways meet at the later one of the two, or, if a JUMP before it leads further, where that leads
            after = max(now[1], b_of(now))
            last = code + INSTRUCTION_WORDS * (after - 1)
            behind = is_behind_delimiter(r)
            left = MOST_STEPS
            end_run(r, begins_with_delimiter(code, words, pool, pc - 1, r.ends, &left))
            if op_of(last) == JUMP and last[1] >= after:
                pc = last[1]
            else:  # this may be left out, or is repeated
                r.behind = behind and ends_in_delimiter(code, words, pool, pc + 1, after - 1)
                pc = after
    return 0


cdef inline int put_tokens(Buffer* tokens, uint32_t kind, const uint32_t* program, const uint32_t* words,
                           const uint8_t* pool, const uint64_t* key, Buffer* octets) except -1 nogil:
    """Append the tokens of a check. kind: the kind of its text. octets: scratch memory."""
    cdef Run r
    cdef uint32_t k, pieces
    cdef const uint32_t* piece = program + GREEDY_WORDS
    octets.n = 0
    r.octets, r.tokens, r.key = octets, tokens, key
    # a fragment and a query begin after a delimiter, and the whole URL begins where its first segment begins
    r.behind = kind == HREF or kind == WHOLE or kind == SEARCH or kind == HASH
    r.ends = kind <= WHOLE or kind == SEARCH or kind == HASH or kind == QUERY
    if program[0] != GREEDY:
        return full_tokens(program, words, pool, &r)
    pieces = program[GREEDY_PIECES]
    for k in range(pieces):
        buffer_copy_lower(octets, pool + piece[PIECE_AT], piece[PIECE_SIZE])
        end_run(&r, k == pieces - 1 and program[GREEDY_ENDS] and r.ends)
        piece += PIECE_WORDS
    return 0
