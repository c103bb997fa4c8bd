"""The grammar of URI templates (RFC 6570 section 2), and the table of its operators, which drives both expansion and
matching."""
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memchr
from urlsm.octets.buffer cimport Buffer, buffer_free, buffer_start
from urlsm.octets.chars cimport ALPHA, CLASS, DIGIT, HEX
from urlsm.octets.find cimport find
from urlsm.octets.text cimport NOTHING, Quoting, bits_outside, keep_octets, quoting_at, write_quoted
from urlsm.octets.utf8 cimport read_point
from urlsm.octets.words cimport first_bit
from urlsm.octets.records import NamedTuple
from urlsm.patterns.errors import PatternError


class Operator(NamedTuple):
    """A row of the table in appendix A, and what ends a value when a text is matched.

    first, separator: what is written before the first variable, and between two. named: whether names are written.
    if_empty: what follows the name of an empty value. reserved: whether reserved characters and escapes are kept.
    stops: the characters that a single value does not hold.
    """

    first: str
    separator: str
    named: bool
    if_empty: str
    reserved: bool
    stops: str


OPERATORS = {
    "": Operator("", ",", False, "", False, "/?#&,"),
    "+": Operator("", ",", False, "", True, "?#"),
    "#": Operator("#", ",", False, "", True, ""),
    ".": Operator(".", ".", False, "", False, "./?#"),
    "/": Operator("/", "/", False, "", False, "/?#"),
    ";": Operator(";", ";", True, "", False, ";/?#"),
    "?": Operator("?", "&", True, "=", False, "&#"),
    "&": Operator("&", "&", True, "=", False, "&#"),
}
cdef Signs[OPERATOR_COUNT] ROWS
cdef bytes SIGNS = "".join(OPERATORS).encode()  # of all operators but the first, which has none
cdef enum:
    LONGEST_PREFIX = 4       # digits of max-length (2.4.1)

cdef enum Fault:             # why a text is no template, in the order of FAULTS
    NO_FAULT
    LITERAL_CHARACTER
    LITERAL_ESCAPE
    NOT_OPENED
    NOT_CLOSED
    NAME
    RESERVED_OPERATOR
    PREFIX

FAULTS = (
    ("", ""),
    ("character-not-allowed", "this character must be percent-encoded in a template"),
    ("bad-percent-escape", '"%" is not followed by two hex digits'),
    ("expression-not-opened", '"}" without "{" before it'),
    ("expression-not-closed", '"{" without "}" after it'),
    ("variable-invalid", 'expected the name of a variable: letters, digits, "_", escapes, and "." between these'),
    ("operator-reserved", "this operator is reserved for extensions (RFC 6570 section 2.2)"),
    ("prefix-invalid", "a prefix length must be a number from 1 to 9999"),
)

cdef Quoting LITERALS = quoting_at(NOTHING)[0], ASCII = quoting_at(NOTHING)[0]
# literals (2.1), with erratum 6937, which allows "'"
keep_octets(&LITERALS, b"!#$&'()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]_abcdefghijklmnopqrstuvwxyz~", 84)


cdef int _fill_rows() except -1:
    cdef int k
    cdef Signs* signs
    for k, row in enumerate(OPERATORS.values()):
        signs = &ROWS[k]
        signs.first, signs.separator = ord(row.first or "\0"), ord(row.separator)
        signs.named, signs.equals_if_empty, signs.reserved = row.named, row.if_empty != "", row.reserved
        for stop in row.stops:
            signs.stops[<uint8_t>ord(stop)] = True
    return 0


_fill_rows()


cdef const Signs* row_of(int sign) noexcept nogil:
    """Return the row of an operator in the table."""
    return &ROWS[sign]


cdef int _keep_ascii() except -1:
    cdef uint8_t octet
    for octet in range(0x80):
        keep_octets(&ASCII, &octet, 1)
    return 0


_keep_ascii()


# --- the grammar -----------------------------------------------------------------------------------

@cython.final
cdef class Variable:
    """A variable of an expression."""


@cython.final
cdef class Expression:
    """A part of a template that values replace."""


cdef inline bint is_of_literal(uint32_t point) noexcept nogil:
    """Return whether a code point beyond ASCII is ucschar or iprivate (2.1)."""
    if point < 0x10000:
        return 0xA0 <= point <= 0xD7FF or 0xE000 <= point <= 0xFDCF or 0xFDF0 <= point <= 0xFFEF
    return point <= 0x10FFFF and point & 0xFFFF <= 0xFFFD and not 0xE0000 <= point <= 0xE0FFF


cdef int literal_fault(const uint8_t* p, size_t n, size_t* at) noexcept nogil:
    """Return the fault in the literal p[0:n], and set its position; or NO_FAULT."""
    cdef size_t k = 0, after
    while k < n:
        if not bits_outside(p + k, min(n - k, <size_t>64), &LITERALS):
            k += 64
            continue
        k += first_bit(bits_outside(p + k, min(n - k, <size_t>64), &LITERALS))
        at[0] = k
        if p[k] == c'%':
            if n - k < 3 or not CLASS[p[k + 1]] & CLASS[p[k + 2]] & HEX:
                return LITERAL_ESCAPE
            k += 3
        elif p[k] >= 0x80:
            after = k
            if not is_of_literal(read_point(p, n, &after)):
                return LITERAL_CHARACTER
            k = after
        else:
            return NOT_OPENED if p[k] == c'}' else LITERAL_CHARACTER
    return NO_FAULT


cdef inline size_t name_end(const uint8_t* p, size_t n, size_t k) noexcept nogil:
    """Return where varname = varchar *( ["."] varchar ) at p[k] ends; k if there is none."""
    cdef size_t end = k
    while k < n:
        if CLASS[p[k]] & (ALPHA | DIGIT) or p[k] == c'_':
            k += 1
        elif p[k] == c'%' and n - k >= 3 and CLASS[p[k + 1]] & CLASS[p[k + 2]] & HEX:
            k += 3
        elif p[k] == c'.' and k == end and k > 0 and p[k - 1] != c'.' and p[k - 1] != c',':
            k += 1
            continue
        else:
            break
        end = k
    return end


cdef int read_expression(const uint8_t* p, size_t n, size_t* at, Expression found) except -1:
    """Read p[0:n], what is between the braces, into `found` unless that is None. Return the fault, and set its
    position; or NO_FAULT."""
    cdef size_t k = 0, begin, end
    cdef int sign = SIMPLE, prefix
    cdef bint explode
    cdef Variable variable
    at[0] = 0
    if n and memchr(b"=,!@|", p[0], 5) != NULL:
        return RESERVED_OPERATOR
    if n and memchr(<const char*>SIGNS, p[0], OPERATOR_COUNT - 1) != NULL:
        sign = 1 + SIGNS.index(p[0])
        k = 1
    if found is not None:
        found.sign, found.variables = sign, []
    while True:
        begin = at[0] = k
        k = end = begin + name_end(p + begin, n - begin, 0)
        if k == begin:
            return NAME
        explode, prefix = False, 0
        if k < n and p[k] == c'*':
            explode = True
            k += 1
        elif k < n and p[k] == c':':
            at[0] = k
            k += 1
            while k < n and CLASS[p[k]] & DIGIT and k - end <= LONGEST_PREFIX:
                prefix = 10 * prefix + p[k] - c'0'
                k += 1
            if k == end + 1 or p[end + 1] == c'0' or (k < n and CLASS[p[k]] & DIGIT):
                return PREFIX
        if found is not None:
            variable = Variable.__new__(Variable)
            variable.key = p[begin:end]
            variable.name = variable.key.decode("ascii")
            variable.explode, variable.prefix = explode, prefix
            found.variables.append(variable)
        if k == n:
            return NO_FAULT
        at[0] = k
        if p[k] != c',':
            return NAME
        k += 1


cdef int read_template(const uint8_t* p, size_t n, size_t* at, list parts) except -1:
    """Append the literals (as bytes) and expressions of p[0:n] to `parts`, unless that is None. Return the fault, and
    set its position; or NO_FAULT."""
    cdef const uint8_t* end = p + n
    cdef const uint8_t* begin = p
    cdef const uint8_t* brace
    cdef const uint8_t* close
    cdef Expression found = None
    cdef int fault
    while begin < end:
        brace = find(begin, end, c'{')
        fault = literal_fault(begin, brace - begin, at)
        at[0] += begin - p
        if fault:
            return fault
        if parts is not None and brace > begin:
            parts.append(begin[:brace - begin])
        if brace == end:
            break
        close = find(brace, end, c'}')
        if close == end:
            at[0] = brace - p
            return NOT_CLOSED
        if parts is not None:
            found = Expression.__new__(Expression)
            found.text = brace[:close + 1 - brace].decode("utf-8", "surrogatepass")
            parts.append(found)
        fault = read_expression(brace + 1, close - brace - 1, at, found)
        at[0] += brace + 1 - p
        if fault:
            return fault
        begin = close + 1
    return NO_FAULT


cdef list parts_of(str template):
    """Return the literals (as bytes) and expressions of a template. PatternError: the text is not a template."""
    cdef bytes octets = template.encode("utf-8", "surrogatepass")
    cdef size_t at = 0
    cdef list parts = []
    cdef int fault = read_template(<const uint8_t*>PyBytes_AS_STRING(octets), len(octets), &at, parts)
    if fault:
        code, message = FAULTS[fault]
        raise PatternError(code, message, template, len(octets[:at].decode("utf-8", "replace")))
    return parts


cdef int template_fault(const uint8_t* p, size_t n, size_t* at) except -1:
    """Return the number of the fault in the template p[0:n], and set its position; or 0."""
    return read_template(p, n, at, None)


cdef int write_literal(Buffer* b, const uint8_t* p, size_t n) except -1:
    """Append a literal with characters beyond ASCII as escapes of their UTF-8 (3.1)."""
    return write_quoted(b, p, n, &ASCII)


cdef bytes written_literal(const uint8_t* p, size_t n):
    """Return what write_literal appends."""
    cdef Buffer b
    buffer_start(&b)
    try:
        write_literal(&b, p, n)
        return b.p[:b.n]
    finally:
        buffer_free(&b)
