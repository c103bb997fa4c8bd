"""The steps of which the paths that programs match on are made: each changes a text, or refuses or redirects a request.

A pipeline of steps is what a program does with the target of a request (hops.py). No step knows a program. Each takes
linear time, because the sender of a request chooses its length.
"""
from __future__ import annotations

from collections.abc import Callable

cimport cython
from libc.stdint cimport uint8_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memchr, memcmp, memcpy, memmove, memset
from urlsm.octets.buffer cimport Buffer, buffer_copy, buffer_free, buffer_put, buffer_reserve, buffer_start
from urlsm.octets.chars cimport ALPHA, CLASS, HEX
from urlsm.octets.text cimport hex_value
from urlsm.octets.records import NamedTuple

cdef enum Code:              # the numbers of NAMES
    AS_SENT
    AS_SENT_IF_SLASHES
    CALL
    CAPITALS
    CUT
    CUT_UNLESS_QUERY
    DECODE
    DECODE_RUNS
    DECODE_UNNESTED
    DECODE_UTF8
    DOTS
    DOT_PARAMETERS
    ENCODE
    ENCODE_IF_DECODED
    GO_ESCAPED
    MARK
    MERGE
    ONE_SLASH
    PARAMETERS
    QUERY
    REDIRECT_CHANGED
    REDIRECT_DECODED
    REFUSE
    REFUSE_BAD_ESCAPES
    REFUSE_ESCAPED
    REFUSE_LINE
    REPLACE
    STRIP_END
    UTF8_ESCAPED
    UTF8_IGNORED
    UTF8_REFUSED
    UTF8_REPLACED
    WITH_QUERY
    WITH_QUERY_NOT_EMPTY

NAMES = (
    "as sent", "as sent if slashes", "call", "capitals", "cut", "cut unless query", "decode", "decode runs",
    "decode unnested", "decode utf-8", "dots", "dot parameters", "encode", "encode if decoded", "go escaped", "mark",
    "merge", "one slash", "parameters", "query", "redirect changed", "redirect decoded", "refuse", "refuse bad escapes",
    "refuse escaped", "refuse line", "replace", "strip end", "utf-8 escaped", "utf-8 ignored", "utf-8 refused",
    "utf-8 replaced", "with query", "with query not empty",
)
cdef enum:
    ENDED = 3                # an outcome of a step after which no other follows

cdef enum Dots:              # the bits of the one "octet" of the set of DOTS
    STAY = 1                 # ".." at the root is dropped, not refused
    NO_SLASH = 2             # a dot segment at the end leaves no slash
    ESCAPED = 4              # "%2e" is a dot


class Step(NamedTuple):
    """A step of a pipeline.

    code: one of NAMES.
    octets: the octets that it cuts at, refuses, keeps ... ; for "replace", one octet and what replaces it.
    name: what it does, for people.
    function: for "call", a function of the text. It returns the new text, or None if the program refuses it.
    """

    code: str
    octets: bytes = b""
    name: str = ""
    function: Callable[[bytes], bytes | None] | None = None


cdef int begin(State* s, const uint8_t* target, Py_ssize_t n) except -1:
    """Begin with a target, whose memory has to outlive the state."""
    buffer_start(&s.text)
    buffer_start(&s.spare)
    buffer_start(&s.marked)
    s.target, s.n = target, n
    return as_sent(s)


cdef void end(State* s) noexcept nogil:
    buffer_free(&s.text)
    buffer_free(&s.spare)
    buffer_free(&s.marked)


cdef int as_sent(State* s) except -1 nogil:
    s.text.n = 0
    s.query, s.end, s.decoded = -1, s.n, False
    return buffer_copy(&s.text, s.target, s.n)


@cython.final
@cython.binding(False)
cdef class Pipeline:
    """A pipeline of steps.

    ValueError: a step has an unknown code.
    """

    def __cinit__(self, steps):
        cdef Py_ssize_t k
        cdef bytearray table
        self.steps = tuple(steps)
        self.sets = []
        self.count = len(self.steps)
        self.codes = <uint8_t*>malloc(self.count + 1)
        self.marks = <const uint8_t**>malloc((self.count + 1) * sizeof(void*))
        if self.codes == NULL or self.marks == NULL:
            raise MemoryError()
        for k, step in enumerate(self.steps):
            self.codes[k] = NAMES.index(step.code)
            table = bytearray(256)
            if self.codes[k] in (REPLACE, DOTS):
                table[:len(step.octets)] = step.octets
            else:
                for octet in step.octets:
                    table[octet] = 1
            self.sets.append(bytes(table))
            self.marks[k] = <const uint8_t*><const char*>self.sets[k]

    def __dealloc__(self):
        free(self.codes)
        free(self.marks)

    cdef int run(self, State* s) except -1:
        """Run the steps on a text, and return the outcome."""
        cdef Py_ssize_t k
        cdef int outcome
        for k in range(self.count):
            outcome = self.call(s, k) if self.codes[k] == CALL else step(s, <Code>self.codes[k], self.marks[k])
            if outcome != DONE:
                return DONE if outcome == ENDED else outcome
        return DONE

    cdef int call(self, State* s, Py_ssize_t k) except -1:
        text = self.steps[k].function(s.text.p[:s.text.n])
        if text is None:
            return REFUSED
        s.text.n = 0
        buffer_copy(&s.text, <const uint8_t*><const char*>text, len(text))
        return DONE


def ask(bytes target not None, *pipelines):
    """Return what comes of a target: "done", "refused" or "redirected"; and the text after all of the pipelines."""
    cdef State s
    cdef Pipeline pipeline
    cdef int outcome = DONE
    begin(&s, <const uint8_t*><const char*>target, len(target))
    try:
        for pipeline in pipelines:
            outcome = pipeline.run(&s)
            if outcome != DONE:
                return "refused" if outcome == REFUSED else "redirected", None
        return "done", s.text.p[:s.text.n]
    finally:
        end(&s)


# --- the steps -----------------------------------------------------------------------------------

cdef int step(State* s, Code code, const uint8_t* set) except -1 nogil:
    cdef uint8_t* p = s.text.p
    cdef Py_ssize_t n = s.text.n, k
    cdef uint8_t* found
    if code == AS_SENT:
        as_sent(s)
    elif code == AS_SENT_IF_SLASHES:
        if slashes_at(s.target, s.n) == slashes_at(p, n):
            as_sent(s)
            one_slash(s)
            return ENDED
    elif code == CAPITALS:
        for k in range(n):
            if is_escape(p + k, n - k):
                p[k + 1], p[k + 2] = upper(p[k + 1]), upper(p[k + 2])
    elif code == CUT:
        s.text.n = first_in(p, n, set)
    elif code == CUT_UNLESS_QUERY:
        if memchr(p, c"?", n) == NULL:
            s.text.n = first_in(p, n, set)
    elif code == DECODE:
        decode(s, set)
    elif code == DECODE_RUNS:
        decode_uri(s, set)
    elif code == DECODE_UNNESTED:
        decode_unnested(s, set)
    elif code == DECODE_UTF8:
        decode_characters(s, set)
    elif code == DOTS:
        return remove_dots(s, set[0])
    elif code == DOT_PARAMETERS:
        without_parameters(s, True)
    elif code == ENCODE or code == ENCODE_IF_DECODED and s.decoded:
        encode(s, set)
    elif code == GO_ESCAPED:
        go_escaped(s, set)
    elif code == MARK:
        s.marked.n = 0
        buffer_copy(&s.marked, p, n)
    elif code == MERGE:
        merge(s)
    elif code == ONE_SLASH:
        one_slash(s)
    elif code == PARAMETERS:
        without_parameters(s, False)
    elif code == QUERY:
        found = <uint8_t*>memchr(p, c"?", n)
        if found != NULL:  # the text is still the beginning of the target
            s.text.n = s.query = found - p
            s.end = n
    elif code == REDIRECT_CHANGED:
        if <size_t>n != s.marked.n or memcmp(p, s.marked.p, n) != 0:
            return REDIRECTED
    elif code == REDIRECT_DECODED:
        if s.decoded:
            return REDIRECTED
    elif code == REFUSE:
        if first_in(p, n, set) < n:
            return REFUSED
    elif code == REFUSE_BAD_ESCAPES or code == REFUSE_ESCAPED:
        for k in range(n):
            if p[k] == c"%":
                if not is_escape(p + k, n - k):
                    if code == REFUSE_BAD_ESCAPES:
                        return REFUSED
                elif code == REFUSE_ESCAPED and set[value_of(p + k)]:
                    return REFUSED
    elif code == REFUSE_LINE:
        if not is_line_valid(p, n, set):
            return REFUSED
    elif code == REPLACE:
        for k in range(n):
            if p[k] == set[0]:
                p[k] = set[1]
    elif code == STRIP_END:
        while s.text.n and set[p[s.text.n - 1]]:
            s.text.n -= 1
    elif UTF8_ESCAPED <= code <= UTF8_REPLACED:
        return to_utf8(s, code)
    elif code == WITH_QUERY or code == WITH_QUERY_NOT_EMPTY:
        if s.query >= 0 and (code == WITH_QUERY or s.end - s.query > 1):
            buffer_copy(&s.text, s.target + s.query, s.end - s.query)
    return DONE


cdef inline Py_ssize_t first_in(const uint8_t* p, Py_ssize_t n, const uint8_t* set) noexcept nogil:
    """Return where the first octet of the set is, or n."""
    cdef Py_ssize_t k = 0
    while k < n and not set[p[k]]:
        k += 1
    return k


cdef Py_ssize_t slashes_at(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    """Return how many slashes a text begins with."""
    cdef Py_ssize_t k = 0
    while k < n and p[k] == c"/":
        k += 1
    return k


cdef void one_slash(State* s) noexcept nogil:
    """Leave one of the slashes that a text begins with."""
    cdef Py_ssize_t more = slashes_at(s.text.p, s.text.n) - 1
    if more > 0:
        s.text.n -= more
        memmove(s.text.p, s.text.p + more, s.text.n)


cdef inline bint is_escape(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    return n > 2 and p[0] == c"%" and CLASS[p[1]] & CLASS[p[2]] & HEX != 0


cdef inline uint8_t upper(uint8_t digit) noexcept nogil:
    """Return a hex digit as a capital."""
    return digit & 0xDF if CLASS[digit] & ALPHA else digit


cdef inline uint8_t value_of(const uint8_t* p) noexcept nogil:
    """Return the octet that an escape stands for."""
    return hex_value(p[1]) << 4 | hex_value(p[2])


cdef inline void swap(State* s) noexcept nogil:
    """Make what was written to the spare buffer the text."""
    # a buffer on the stack cannot change places; the text is short then
    if s.spare.p == s.spare.stack:
        memcpy(s.text.p, s.spare.p, s.spare.n)
        s.text.n = s.spare.n
        return
    if s.text.p != s.text.stack:
        free(s.text.p)
    s.text.p, s.text.n, s.text.capacity = s.spare.p, s.spare.n, s.spare.capacity
    buffer_start(&s.spare)


cdef int decode(State* s, const uint8_t* kept) except -1 nogil:
    """Decode each valid escape once, but for those of the octets that are kept."""
    cdef uint8_t* p = s.text.p
    cdef Py_ssize_t n = s.text.n, k = 0, end = 0
    cdef uint8_t* first = <uint8_t*>memchr(p, c"%", n)
    if first == NULL:
        return 0
    k = end = first - p
    while k < n:
        if is_escape(p + k, n - k) and not kept[value_of(p + k)]:
            p[end] = value_of(p + k)
            s.decoded = True
            k += 3
        else:
            p[end] = p[k]
            k += 1
        end += 1
    s.text.n = end
    return 0


cdef inline Py_ssize_t decoded_digit(const uint8_t* p, Py_ssize_t n, const uint8_t* kept) noexcept nogil:
    """Return how many octets a hex digit takes, as it is or as an escape that is decoded; 0: there is none."""
    if is_escape(p, n) and not kept[value_of(p)]:
        return 3 if CLASS[value_of(p)] & HEX else 0
    return 1 if n and CLASS[p[0]] & HEX else 0


cdef int decode_unnested(State* s, const uint8_t* kept) except -1 nogil:
    """Decode each valid escape once, but for those of the octets that are kept. Where a "%" that begins no escape would
    come to begin one thereby, it is escaped (googleurl, CheckForNestedEscapes)."""
    cdef const uint8_t* p = s.text.p
    cdef Py_ssize_t n = s.text.n, k = 0, first
    if memchr(p, c"%", n) == NULL:
        return 0
    s.spare.n = 0
    while k < n:
        if is_escape(p + k, n - k) and not kept[value_of(p + k)]:
            buffer_put(&s.spare, value_of(p + k))
            k += 3
            continue
        buffer_put(&s.spare, p[k])
        if p[k] == c"%" and not is_escape(p + k, n - k):
            first = decoded_digit(p + k + 1, n - k - 1, kept)
            if first and decoded_digit(p + k + 1 + first, n - k - 1 - first, kept):
                buffer_copy(&s.spare, <const uint8_t*>b"25", 2)
        k += 1
    swap(s)
    return 0


cdef int encode(State* s, const uint8_t* kept) except -1 nogil:
    """Escape each octet that is not kept, by capital digits."""
    cdef const char* digits = b"0123456789ABCDEF"
    cdef Py_ssize_t n = s.text.n, k = 0
    cdef const uint8_t* p = s.text.p
    while k < n and kept[p[k]]:
        k += 1
    if k == n:
        return 0
    s.spare.n = 0
    buffer_reserve(&s.spare, 3 * n)
    buffer_copy(&s.spare, p, k)
    for k in range(k, n):
        if kept[p[k]]:
            buffer_put(&s.spare, p[k])
        else:
            buffer_put(&s.spare, c"%")
            buffer_put(&s.spare, digits[p[k] >> 4])
            buffer_put(&s.spare, digits[p[k] & 0xF])
    swap(s)
    return 0


cdef int go_escaped(State* s, const uint8_t* kept) except -1 nogil:
    """net/url, EscapedPath: the path as it is, unless it has an octet that should be escaped; then all of it is decoded
    and escaped anew, whereby "%2F" becomes "/"."""
    cdef size_t k = 0
    cdef uint8_t octet
    cdef uint8_t[256] none
    while k < s.text.n:  # validEncoded
        octet = s.text.p[k]
        if not kept[octet] and not (octet == c"%" or octet == c"!" or octet == c"'" or octet == c"(" or octet == c")"
                                    or octet == c"*" or octet == c"[" or octet == c"]"):
            memset(none, 0, sizeof(none))
            decode(s, none)
            return encode(s, kept)
        k += 1
    return 0


cdef bint decode_runs(State* s, const uint8_t* kept) except -1 nogil:
    """Decode the escapes of each run of them if the run is UTF-8, but for those of the octets that are kept. Return
    whether the text has a "%" that begins no escape."""
    cdef uint8_t* p = s.text.p
    cdef Py_ssize_t n = s.text.n, k = 0, j, end = 0
    cdef bint valid, bad = False
    while k < n:
        if not is_escape(p + k, n - k):
            bad = bad or p[k] == c"%"
            p[end] = p[k]
            k, end = k + 1, end + 1
            continue
        j = k
        buffer_reserve(&s.spare, n)
        s.spare.n = 0
        while is_escape(p + j, n - j):
            if kept[value_of(p + j)]:
                memcpy(s.spare.p + s.spare.n, p + j, 3)
                s.spare.n += 3
            else:
                s.spare.p[s.spare.n] = value_of(p + j)
                s.spare.n += 1
            j += 3
        valid = is_utf8(s.spare.p, s.spare.n)
        if valid:
            memcpy(p + end, s.spare.p, s.spare.n)
            end += s.spare.n
        else:
            memmove(p + end, p + k, j - k)
            end += j - k
        k = j
    s.text.n = end
    return bad


cdef int decode_characters(State* s, const uint8_t* kept) except -1 nogil:
    """Decode the escapes that are characters in UTF-8. Those of the octets that are kept are written with capital
    digits; what is not UTF-8 stays as it is."""
    cdef uint8_t* p = s.text.p
    cdef Py_ssize_t n = s.text.n, k = 0, j, end = 0, size
    cdef bint valid = True
    cdef uint8_t[4] octets
    while k < n:
        if not is_escape(p + k, n - k):
            p[end] = p[k]
            k, end = k + 1, end + 1
            continue
        size = 0
        while size < 4 and is_escape(p + k + 3 * size, n - k - 3 * size):
            octets[size] = value_of(p + k + 3 * size)
            size += 1
        size = unit(octets, size, &valid)
        if valid and not (size == 1 and kept[octets[0]]):
            memcpy(p + end, octets, size)
            end += size
        else:
            for j in range(3 * size):
                p[end + j] = upper(p[k + j]) if valid else p[k + j]
            end += 3 * size
        k += 3 * size
    s.text.n = end
    return 0


cdef int decode_uri(State* s, const uint8_t* kept) except -1 nogil:
    """hono's getPath: decodeURI, of what it can decode. Where a "%" begins no escape, and the result could be decoded
    once more, each such "%" is taken for "%25"."""
    cdef Buffer before
    cdef Py_ssize_t k, n = s.text.n
    cdef bint again
    buffer_start(&before)
    try:
        buffer_copy(&before, s.text.p, n)
        if not decode_runs(s, kept):
            return 0
        s.marked.n = 0
        buffer_copy(&s.marked, s.text.p, s.text.n)
        decode_runs(s, kept)
        again = s.marked.n != s.text.n or memcmp(s.marked.p, s.text.p, s.text.n) != 0
        if not again:
            return 0
        s.text.n = 0
        for k in range(n):
            buffer_put(&s.text, before.p[k])
            if before.p[k] == c"%" and not is_escape(before.p + k, n - k):
                buffer_copy(&s.text, <const uint8_t*>b"25", 2)
        decode_runs(s, kept)
        return 0
    finally:
        buffer_free(&before)


cdef void merge(State* s) noexcept nogil:
    cdef uint8_t* p = s.text.p
    cdef Py_ssize_t n = s.text.n, k, end = 0
    for k in range(n):
        if p[k] != c"/" or end == 0 or p[end - 1] != c"/":
            p[end] = p[k]
            end += 1
    s.text.n = end


cdef void without_parameters(State* s, bint of_dots) noexcept nogil:
    """Remove from each segment what its first ";" begins. of_dots: only in dot segments."""
    cdef uint8_t* p = s.text.p
    cdef Py_ssize_t n = s.text.n, k, end = 0, start = 0  # start: of the segment, where it is written to
    cdef bint within = False
    for k in range(n):
        if p[k] == c"/":
            within, start = False, end + 1
        elif p[k] == c";":
            within = within or not of_dots or dots_in(p + start, end - start, 0) > 0
        if not within:
            p[end] = p[k]
            end += 1
    s.text.n = end


cdef inline int dots_in(const uint8_t* p, Py_ssize_t n, uint8_t how) noexcept nogil:
    """Return 1 for the segment ".", 2 for "..", else 0."""
    cdef int dots = 0
    cdef Py_ssize_t k = 0
    while k < n and dots < 3:
        if p[k] == c".":
            k += 1
        elif how & ESCAPED and n - k > 2 and p[k] == c"%" and p[k + 1] == c"2" and p[k + 2] | 0x20 == c"e":
            k += 3
        else:
            return 0
        dots += 1
    return dots if k == n and dots < 3 else 0


cdef int remove_dots(State* s, uint8_t how) noexcept nogil:
    """Remove the dot segments (RFC 3986 section 5.2.4) of a path that begins with "/". An empty segment is one, too."""
    cdef uint8_t* p = s.text.p
    cdef Py_ssize_t n = s.text.n, k = 1, start, end = 1
    cdef int dots
    while True:
        start = k
        while k < n and p[k] != c"/":
            k += 1
        dots = dots_in(p + start, k - start, how)
        if dots == 0:
            memmove(p + end, p + start, k - start)
            end += k - start
            if k < n:
                p[end] = c"/"
                end += 1
        elif dots == 2:
            if end > 1:
                end -= 1
                while p[end - 1] != c"/":
                    end -= 1
            elif not how & STAY:
                return REFUSED
        if k >= n:
            break
        k += 1
    if dots and how & NO_SLASH and end > 1:
        end -= 1
    s.text.n = end
    return DONE


cdef Py_ssize_t unit(const uint8_t* p, Py_ssize_t n, bint* valid) noexcept nogil:
    """Return the length of the character that UTF-8 begins with, or of what a decoder reports as one error: the longest
    beginning of a character (Unicode 3.9, U+FFFD Substitution of Maximal Subparts)."""
    cdef uint8_t low = 0x80, high = 0xBF
    cdef Py_ssize_t size, k
    valid[0] = True
    if p[0] < 0x80:
        return 1
    size = 2 if 0xC2 <= p[0] < 0xE0 else 3 if 0xE0 <= p[0] < 0xF0 else 4 if 0xF0 <= p[0] < 0xF5 else 0
    if p[0] == 0xE0:
        low = 0xA0
    elif p[0] == 0xED:
        high = 0x9F
    elif p[0] == 0xF0:
        low = 0x90
    elif p[0] == 0xF4:
        high = 0x8F
    for k in range(1, size):
        if k >= n or not low <= p[k] <= high:
            valid[0] = False
            return k
        low, high = 0x80, 0xBF
    valid[0] = size > 0
    return size if size else 1


cdef bint is_utf8(const uint8_t* p, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t k = 0
    cdef bint valid = True
    while k < n and valid:
        k += unit(p + k, n - k, &valid)
    return valid


cdef int to_utf8(State* s, Code how) except -1 nogil:
    """Remove, replace or escape what is not UTF-8, or refuse it."""
    cdef const char* digits = b"0123456789ABCDEF"
    cdef const uint8_t* p = s.text.p
    cdef Py_ssize_t n = s.text.n, k = 0, size, j
    cdef bint valid = True
    if is_utf8(p, n):
        return DONE
    if how == UTF8_REFUSED:
        return REFUSED
    s.spare.n = 0
    k = 0
    while k < n:
        size = unit(p + k, n - k, &valid)
        if valid:
            buffer_copy(&s.spare, p + k, size)
        elif how == UTF8_REPLACED:
            buffer_copy(&s.spare, <const uint8_t*>b"\xef\xbf\xbd", 3)
        elif how == UTF8_ESCAPED:
            for j in range(k, k + size):
                buffer_put(&s.spare, c"%")
                buffer_put(&s.spare, digits[p[j] >> 4])
                buffer_put(&s.spare, digits[p[j] & 0xF])
        k += size
    swap(s)
    return DONE


cdef bint is_line_valid(const uint8_t* target, Py_ssize_t n, const uint8_t* refused) except -1 nogil:
    """HAProxy's h1_headers_to_hdr_list, H1_MSG_RQURI: return whether the octets are allowed. Before release 2.8, the
    fast way over four octets at a time lets a DEL through: it goes on as long as one of the four is below that."""
    cdef Buffer line
    cdef Py_ssize_t k = 0
    cdef uint32_t four
    buffer_start(&line)
    try:
        buffer_copy(&line, target, n)
        buffer_copy(&line, <const uint8_t*>b" HTTP/1.1", 9)
        while k < n:
            while True:
                four = line.p[k] | line.p[k + 1] << 8 | line.p[k + 2] << 16 | <uint32_t>line.p[k + 3] << 24
                four -= <uint32_t>0x24242424
                if four & <uint32_t>0x80808080 or not (four - <uint32_t>0x5B5B5B5B) & <uint32_t>0x80808080:
                    break
                k += 4
            while k < n:
                if refused[line.p[k]]:
                    return False
                k += 1
                if line.p[k - 1] >= 0x80:
                    break
        return True
    finally:
        buffer_free(&line)
