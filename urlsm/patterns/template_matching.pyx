"""Reads the values of a URI template from a text.

The text and the template are cut at their first "?" and "#". Each piece of a template becomes a list of atoms:
literals, and variables that may hold certain octets. From the right, `reach` finds for each atom the positions of the
text from which this atom and all later ones match the rest, and with how many variables. From the left, `choose` then
takes for each variable the longest value that leaves the best such position (the shortest before a variable that may
hold "/"). Nothing is tried twice, so the time is linear in the length of the text times the number of atoms. Fields of
a query are found by their names.
"""
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING
from libc.stdint cimport uint8_t, uint32_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcmp, memset
from urlsm.machine.driver cimport LONG_TEXT
from urlsm.octets.buffer cimport Buffer, ascii_data, ascii_text, buffer_free, buffer_start, is_ascii
from urlsm.octets.chars cimport ALPHA, CLASS, DIGIT, HEX
from urlsm.octets.find cimport find
from urlsm.octets.once cimport stay_all
from urlsm.octets.text cimport write_unquoted
from urlsm.patterns.template_grammar cimport (
    CONTINUATION, Expression, FRAGMENT, PARAMETER, PATH_SEGMENT, QUERY, RESERVED, SIMPLE, Signs, Variable, row_of,
    write_literal, written_literal,
)
from urllib.parse import unquote
from urlsm.patterns.errors import PatternError, UnsafeValue
from urlsm.security.disguise import climbs, leads_outside

cdef enum:
    PASSES = 4               # how often a value is decoded, as in safe_join


# --- sections of a template ------------------------------------------------------------------------

cdef enum AtomKind:
    LITERAL
    VALUE

cdef struct Atom:
    AtomKind kind
    uint32_t start, n        # of a literal, in Section.pool
    int sign             # of a value: which octets it does not hold
    uint8_t opening          # the octet that a value begins with; 0: any
    uint8_t joined           # an octet that does not end the value, although the sign says so; 0: none
    bint open                # whether a value may hold every octet
    bint shortest
    bint may_be_empty
    int variable             # the index of the variable that a value is of, or that the name in a literal is of; or -1
    int skip                 # the atom that follows if this one is left out; -1: it is needed

cdef struct Row:             # what an atom and all later ones match, for each position of the text from `low` to `high`
    uint8_t* score           # 0: not the rest of the text; otherwise 1, and 1 for each variable that can be present
    size_t low, high         # low > high: no position

cdef struct Place:           # where the value of a variable is
    const uint8_t* p         # NULL: the variable is absent
    size_t n


@cython.final
cdef class Section:
    """A piece of a template: its path (all before "?" and "#"), its query or its fragment."""
    cdef bytearray pool
    cdef Atom* atoms
    cdef int count
    cdef bint needed         # whether the text must have this piece, even if it is empty
    cdef bint plain          # whether each value ends at the first octet that it does not hold

    def __cinit__(self):
        self.pool = bytearray()

    def __dealloc__(self):
        free(self.atoms)

    cdef Atom* add(self, AtomKind kind) except NULL:
        """Add an atom, and return it. It stays where it is until the next one is added."""
        cdef Atom* grown = <Atom*>realloc(self.atoms, (self.count + 1) * sizeof(Atom))
        if grown == NULL:
            raise MemoryError()
        self.atoms = grown
        self.count += 1
        grown += self.count - 1
        memset(grown, 0, sizeof(Atom))
        grown.kind, grown.variable, grown.skip = kind, -1, -1
        return grown

    cdef int begin_literal(self, bytes text) except -1:
        """Add a literal."""
        cdef Atom* a = self.add(LITERAL)
        a.start, a.n = len(self.pool), len(text)
        self.pool += text
        return 0

    cdef int add_literal(self, bytes text) except -1:
        """Add a literal, or lengthen the one before it."""
        cdef Atom* a = &self.atoms[self.count - 1] if self.count else NULL
        if a == NULL or a.kind != LITERAL or a.skip >= 0 or a.variable >= 0:
            return self.begin_literal(text)
        self.pool += text
        a.n += len(text)
        return 0


cdef inline bint may_be_empty(const Atom* a, bint empty) noexcept nogil:
    return not a.opening and (a.may_be_empty or empty)


cdef inline uint8_t score_at(const Row* row, size_t k) noexcept nogil:
    return row.score[k] if row.low <= k <= row.high else 0


cdef inline void raise_score(Row* row, size_t k, uint8_t score) noexcept nogil:
    """Set the score of a position unless it is as high."""
    if row.score[k] >= score:
        return
    row.score[k] = score
    if row.low > row.high:
        row.low = row.high = k
    elif k < row.low:
        row.low = k
    elif k > row.high:
        row.high = k


cdef inline uint8_t one_more(uint8_t score) noexcept nogil:
    return score + (0 < score < 0xFF)


cdef inline size_t unit_at(const uint8_t* p, size_t n, size_t k) noexcept nogil:
    """Return the length of the character or escape at p[k]."""
    return 3 if p[k] == c'%' and n - k >= 3 and CLASS[p[k + 1]] & CLASS[p[k + 2]] & HEX else 1


cdef inline bint is_within_escape(const uint8_t* p, size_t n, size_t k) noexcept nogil:
    return (k >= 1 and unit_at(p, n, k - 1) == 3) or (k >= 2 and unit_at(p, n, k - 2) == 3)


cdef inline bint may_hold(const Atom* a, uint8_t octet) noexcept nogil:
    return a.open or octet == a.joined or not row_of(a.sign).stops[octet]


cdef void reach_value(const Atom* a, const Row* after, Row* row, const uint8_t* p, size_t n, bint empty) noexcept nogil:
    """Find the positions from which a value can begin, so that it ends at a position of `after`. empty: whether it may
    be empty."""
    cdef size_t k, unit
    cdef uint8_t[4] goes_on = [0, 0, 0, 0]  # the scores if the value goes on at the positions k to k + 3
    if after.low > after.high:
        return
    k = after.high
    if empty:
        raise_score(row, k, one_more(score_at(after, k)))
    while k:
        k -= 1
        goes_on[3], goes_on[2], goes_on[1], goes_on[0] = goes_on[2], goes_on[1], goes_on[0], 0
        if k + 3 < after.low and not (goes_on[1] or goes_on[2] or goes_on[3]):
            return
        if is_within_escape(p, n, k):
            continue
        unit = unit_at(p, n, k)
        if may_hold(a, p[k]):
            goes_on[0] = max(score_at(after, k + unit), goes_on[unit])
        if goes_on[0] and (not a.opening or p[k] == a.opening):
            raise_score(row, k, one_more(goes_on[0]))
        if empty and score_at(after, k):
            raise_score(row, k, one_more(score_at(after, k)))


cdef void reach_literal(const Atom* a, const uint8_t* text, const Row* after, Row* row, const uint8_t* p,
                        bint at_start) noexcept nogil:
    """Find the positions at which a literal stands, so that it ends at a position of `after`. at_start: whether only
    the first position is of interest."""
    cdef size_t k = a.n if at_start else max(after.low, a.n)
    cdef uint8_t score
    while k <= after.high and not (at_start and k > a.n):
        score = score_at(after, k)
        if score and memcmp(p + k - a.n, text, a.n) == 0:
            raise_score(row, k - a.n, one_more(score) if a.variable >= 0 else score)
        k += 1


cdef void reach(const Atom* atoms, int count, const uint8_t* pool, Row* rows, const uint8_t* p, size_t n,
                bint empty) noexcept nogil:
    """Fill the rows, from the last to the first."""
    cdef const Atom* a
    cdef size_t k
    cdef int j
    raise_score(&rows[count], n, 1)
    for j in range(count - 1, -1, -1):
        a = &atoms[j]
        if a.kind == LITERAL:
            reach_literal(a, pool + a.start, &rows[j + 1], &rows[j], p, j == 0 and a.skip < 0)
        else:
            reach_value(a, &rows[j + 1], &rows[j], p, n, may_be_empty(a, empty))
        if a.skip >= 0:
            k = rows[a.skip].low
            while k <= rows[a.skip].high:
                raise_score(&rows[j], k, score_at(&rows[a.skip], k))
                k += 1


cdef void choose(const Atom* atoms, int count, const uint8_t* pool, const Row* rows, const uint8_t* p, size_t n,
                 bint empty, Place* places) noexcept nogil:
    """Set the places of the variables in a text that matches: as many as can be present, then the longest values from
    the left."""
    cdef const Atom* a
    cdef size_t i = 0, k, best
    cdef uint8_t score
    cdef int j = 0
    while j < count:
        a = &atoms[j]
        best = n + 1
        score = score_at(&rows[j], i)  # what is to be reached
        if a.kind == LITERAL:
            if n - i >= a.n and memcmp(p + i, pool + a.start, a.n) == 0 \
                    and score == (one_more(score_at(&rows[j + 1], i + a.n)) if a.variable >= 0
                                  else score_at(&rows[j + 1], i + a.n)):
                best = i + a.n
                if a.variable >= 0:  # ";name", which stands for an empty value unless "=" follows
                    places[a.variable] = Place(p + best, 0)
        else:
            k = i
            if may_be_empty(a, empty) and score == one_more(score_at(&rows[j + 1], i)):
                best = i
            while k < n and (k > i or not a.opening or p[k] == a.opening) and may_hold(a, p[k]) \
                    and not (a.shortest and best <= n):
                k += unit_at(p, n, k)
                if score == one_more(score_at(&rows[j + 1], k)):
                    best = k
            if best <= n:
                places[a.variable] = Place(p + i, best - i)
        if best <= n:
            i = best
            j += 1
        else:
            j = a.skip


cdef bint is_plain(Section s) noexcept:
    """Return whether each value of a section ends at the first octet that it does not hold: where the section ends, or
    where a literal begins with such an octet."""
    cdef const Atom* a
    cdef int j
    for j in range(s.count):
        a = &s.atoms[j]
        if a.kind == LITERAL:
            if a.skip >= 0 or a.variable >= 0:
                return False
        elif a.sign != SIMPLE or a.joined or a.skip != j + 1:
            return False
        elif j + 1 < s.count and ((a + 1).kind != LITERAL
                                  or not row_of(a.sign).stops[<uint8_t>s.pool[(a + 1).start]]):
            return False
    return True


cdef bint find_plain_places(Section s, const uint8_t* pool, const uint8_t* p, size_t n, bint empty,
                            Place* places) noexcept:
    """Return what find_places returns, for a plain section."""
    cdef const Atom* a
    cdef const bint* stops = row_of(SIMPLE).stops
    cdef size_t i = 0, k
    cdef int j
    for j in range(s.count):
        a = &s.atoms[j]
        if a.kind == LITERAL:
            if n - i < a.n or memcmp(p + i, pool + a.start, a.n) != 0:
                return False
            i += a.n
        else:
            k = i
            while k < n and not stops[p[k]]:
                k += 1
            if k > i or empty:
                places[a.variable] = Place(p + i, k - i)
            i = k
    return i == n


cdef bint find_places(Section s, const uint8_t* p, size_t n, bint empty, Place* places) except -1:
    """Return whether a section matches p[0:n], and set the places of its variables."""
    cdef Row* rows = NULL
    cdef uint8_t* scores = NULL
    cdef const uint8_t* pool = <const uint8_t*><char*>s.pool
    cdef const Atom* atoms = s.atoms
    cdef int j, count = s.count
    cdef bint found
    if s.plain:
        return find_plain_places(s, pool, p, n, empty, places)
    try:
        rows, scores = <Row*>calloc(count + 1, sizeof(Row)), <uint8_t*>calloc(count + 1, n + 1)
        if rows == NULL or scores == NULL:
            raise MemoryError()
        for j in range(count + 1):
            rows[j] = Row(scores + j * (n + 1), 1, 0)
        if n <= LONG_TEXT:
            reach(atoms, count, pool, rows, p, n, empty)
        else:
            with nogil:
                reach(atoms, count, pool, rows, p, n, empty)
        found = score_at(&rows[0], 0) > 0
        if found:
            choose(atoms, count, pool, rows, p, n, empty, places)
        return found
    finally:
        free(rows)
        free(scores)


# --- the plan: a template as sections --------------------------------------------------------------

cdef enum Judged:            # how a value is judged
    ONE_SEGMENT
    SEGMENTS                 # it may lead to another directory, but not out of the one before it
    NO_PATH                  # a field of a query, or a fragment

cdef inline bint is_listed_with_sign(int sign) noexcept:
    """Return whether the sign's own character is before each value of an exploded list, also before the first."""
    return sign != SIMPLE and sign != RESERVED and sign != FRAGMENT


@cython.final
cdef class Wanted:
    """A variable as a text is matched."""
    cdef str name
    cdef bytes key
    cdef int sign
    cdef bint explode
    cdef Judged judged


@cython.final
cdef class Plan:
    """How a template is matched."""
    cdef Section path, query, fragment  # None: the text must not have it
    cdef dict fields         # bytes -> the index of a variable; None: the query is a section, or absent
    cdef list variables      # each is a Wanted
    cdef set names           # of the variables
    cdef str template


cdef object refusal(Plan plan, str code, str message, str place):
    """Return the error for a template that cannot be matched. place: the part of the template that is at fault."""
    return PatternError(code, message, plan.template, max(0, plan.template.find(place)))


cdef Wanted want(Plan plan, Expression expression, Variable variable, Judged judged):
    """Add a variable to a plan."""
    cdef Wanted wanted
    if variable.prefix:
        raise refusal(plan, "prefix", "a prefix does not tell the whole value, and so cannot be matched",
                      expression.text)
    if variable.name in plan.names:
        raise refusal(plan, "repeated-variable", "a variable that is repeated cannot be matched", expression.text)
    plan.names.add(variable.name)
    wanted = Wanted.__new__(Wanted)
    wanted.name, wanted.key, wanted.explode = variable.name, variable.key, variable.explode
    wanted.sign, wanted.judged = expression.sign, judged
    plan.variables.append(wanted)
    return wanted


cdef int add_expression(Plan plan, Section section, Expression expression, Judged judged, bint cut) except -1:
    """Add the atoms of an expression. cut: whether the "?" or "#" that it writes first is not in the section."""
    cdef Variable variable
    cdef const Signs* row = row_of(expression.sign)
    cdef uint8_t lead
    cdef bytes text, sign
    cdef int first, k, number
    cdef bint is_reserved = expression.sign == RESERVED or expression.sign == FRAGMENT, many
    cdef list begins = []
    for k, variable in enumerate(expression.variables):
        many = variable.explode or is_reserved
        number = len(plan.variables)
        want(plan, expression, variable, SEGMENTS if judged == ONE_SEGMENT and many else judged)
        lead = row.separator if k else 0 if cut else row.first
        sign = bytes([lead]) if lead else b""
        first = section.count
        if variable.explode and expression.sign == QUERY:
            raise refusal(plan, "exploded-field", "only fields may follow a field that is exploded", expression.text)
        if variable.explode and is_listed_with_sign(expression.sign):
            add_value(plan, section, expression, number, True, lead)
        elif row.named:
            text = sign + variable.key
            section.begin_literal(text if expression.sign == PARAMETER else text + b"=")
            if expression.sign == PARAMETER:  # ";name" is an empty value
                section.atoms[first].variable = number
                section.begin_literal(b"=")
                section.atoms[first + 1].skip = first + 3
            add_value(plan, section, expression, number, False, 0)
            section.atoms[section.count - 1].may_be_empty = expression.sign != PARAMETER
        else:
            if lead:
                section.begin_literal(sign)
            add_value(plan, section, expression, number, many, 0)
        # each variable with a name may be absent, and the last ones of the others
        if row.named and expression.sign != QUERY:
            section.atoms[first].skip = section.count
        elif not row.named and not (cut and k == 0):
            begins.append(first)
    for first in begins:
        section.atoms[first].skip = section.count
    return 0


cdef void be_shortest(Section section) noexcept:
    """Let all values of a section be as short as they can be."""
    cdef int k
    for k in range(section.count):
        section.atoms[k].shortest = True


cdef int add_value(Plan plan, Section section, Expression expression, int number, bint many, uint8_t opening) except -1:
    """Add a value. opening: the octet that begins it, and is part of it; 0: none."""
    cdef Atom* a
    if section.count and section.atoms[section.count - 1].kind == VALUE and not opening:
        raise refusal(plan, "adjacent", "nothing is between this variable and the one before it", expression.text)
    if many:
        if holds_many(section):
            raise refusal(plan, "two-of-many", 'only one variable may hold "/" or several values', expression.text)
        be_shortest(section)
    a = section.add(VALUE)
    a.sign, a.variable, a.opening = expression.sign, number, opening
    if many:
        a.open = expression.sign == FRAGMENT
        a.joined = row_of(expression.sign).separator
    return 0


cdef tuple cut(bytes text, bint at_question, bint at_hash):
    """Return what is before the first mark, the mark and what is after it. Marks are "?" and "#", if they count."""
    cdef Py_ssize_t k
    for k in range(len(text)):
        if (at_question and text[k] == c'?') or (at_hash and text[k] == c'#'):
            return text[:k], text[k:k + 1], text[k + 1:]
    return text, b"", b""


cdef tuple cut_parts(list parts):
    """Return the parts of the path, the query and the fragment of a template. The query and the fragment are None if
    the template has none; otherwise their first item says whether a literal began them."""
    cdef list path = [], query = None, fragment = None, now = path
    cdef bytes text, before, mark
    cdef int sign
    for part in parts:
        if type(part) is bytes:
            text = part
            while True:
                before, mark, text = cut(text, query is None and fragment is None, fragment is None)
                if before:
                    now.append(before)
                if mark == b"?":
                    query = now = [True]
                elif mark == b"#":
                    fragment = now = [True]
                else:
                    break
            continue
        sign = (<Expression>part).sign
        if sign == QUERY and query is None and fragment is None:
            query = now = [False]
        elif sign == FRAGMENT and fragment is None:
            fragment = now = [False]
        now.append(part)
    return path, query, fragment


cdef bint are_fields(list query) except -1:
    """Return whether the query of a template is only {?...} and then {&...}."""
    cdef int k, sign
    if query[0] or len(query) < 2:
        return False
    for k in range(1, len(query)):
        if type(query[k]) is bytes:
            return False
        sign = (<Expression>query[k]).sign
        if sign != (QUERY if k == 1 else CONTINUATION):
            return False
    return True


cdef Section section_of(Plan plan, list parts, bint marked, Judged judged):
    """Return the section of the parts of a template. marked: whether the first item says if a literal began it."""
    cdef Section made = Section.__new__(Section)
    cdef int k
    made.needed = not marked or parts[0]
    for k in range(marked, len(parts)):
        if type(parts[k]) is bytes:
            text = <bytes>parts[k]
            made.add_literal(written_literal(<const uint8_t*>PyBytes_AS_STRING(text), len(text)))
        else:
            add_expression(plan, made, parts[k], judged, marked and k == 1 and not parts[0])
    made.plain = is_plain(made)
    return made


cdef object plan_of(str template, list parts):
    """Return how a template is matched. PatternError: it cannot be."""
    cdef Plan plan = Plan.__new__(Plan)
    cdef Expression expression
    cdef Variable variable
    cdef list path, query, fragment
    plan.template, plan.variables, plan.names = template, [], set()
    path, query, fragment = cut_parts(parts)
    plan.path = section_of(plan, path, False, ONE_SEGMENT)
    if query is not None and are_fields(query):
        plan.fields = {}
        for expression in query[1:]:
            for variable in expression.variables:
                plan.fields[variable.key] = len(plan.variables)
                want(plan, expression, variable, NO_PATH)
    elif query is not None:
        if len([part for part in query[1:] if type(part) is Expression and (<Expression>part).sign == QUERY]) > 1:
            raise refusal(plan, "two-queries", "a template has at most one {?...}", "{?")
        plan.query = section_of(plan, query, True, NO_PATH)
    if fragment is not None:
        plan.fragment = section_of(plan, fragment, True, NO_PATH)
        if holds_many(plan.path) and holds_many(plan.fragment):
            raise refusal(plan, "two-of-many", 'only one variable may hold "/" or several values', "#")
    if (plan.query is not None and holds_many(plan.query)) or (plan.fragment is not None and holds_many(plan.fragment)):
        be_shortest(plan.path)
        if plan.query is not None and not holds_many(plan.query):
            be_shortest(plan.query)
    return plan


cdef bint holds_many(Section section) noexcept:
    cdef int k
    for k in range(section.count):
        if section.atoms[k].kind == VALUE and (section.atoms[k].open or section.atoms[k].joined):
            return True
    return False


# --- values ----------------------------------------------------------------------------------------

cdef object decoded_value(const uint8_t* p, size_t n):
    """Return a value without escapes; None if its octets are not UTF-8."""
    cdef Buffer b
    cdef object value = None
    if find(p, p + n, c'%') == p + n:
        return ascii_text(p, n)
    buffer_start(&b)
    try:
        write_unquoted(&b, p, n, False)
        value = b.p[:b.n].decode("utf-8")
    except UnicodeDecodeError:
        value = None
    finally:
        buffer_free(&b)
    return value


cdef object listed(bytes text, Wanted wanted, bint as_mapping):
    """Return the values of an exploded variable as a list or a mapping; None: no match."""
    cdef bytes item, name, mark, value
    cdef list found = []
    cdef dict pairs = {}
    cdef bytes separator = bytes([row_of(wanted.sign).separator])
    cdef bint named = row_of(wanted.sign).named
    if is_listed_with_sign(wanted.sign):
        text = text[1:]
    for item in text.split(separator):
        name, mark, value = item.partition(b"=")
        if as_mapping:
            if not mark and not (named and wanted.sign == PARAMETER):
                return None
            key = decoded_value(<const uint8_t*>PyBytes_AS_STRING(name), len(name))
            if key is None or key in pairs:
                return None
        elif named:
            if name != wanted.key or (not mark and wanted.sign != PARAMETER):
                return None
        else:
            value = item
        one = decoded_value(<const uint8_t*>PyBytes_AS_STRING(value), len(value))
        if one is None:
            return None
        if as_mapping:
            pairs[key] = one
        else:
            found.append(one)
    return pairs if as_mapping else found


cdef bint is_harmless(str value, bint many) noexcept:
    """Return whether a value certainly leads nowhere else: it holds letters, digits, "-", "_", "~" and, between these,
    single "." and, if many is true, single "/"."""
    cdef const uint8_t* p
    cdef Py_ssize_t k, n = len(value)
    cdef bint after_word = False  # whether the octet before is one of a word
    if not is_ascii(value):
        return False
    p = ascii_data(value)
    for k in range(n):
        if CLASS[p[k]] & (ALPHA | DIGIT) or p[k] == c'-' or p[k] == c'_' or p[k] == c'~':
            after_word = True
        elif after_word and (p[k] == c'.' or (many and p[k] == c'/')):
            after_word = False
        else:
            return False
    return after_word


cdef object reason_of(str value, bint many, str before):
    """Return why a value from a path is unsafe, as a word; None: it is safe. many: whether it may hold "/". before: the
    segment of the text before it, which it goes on with; "" if "/" is before it. Neither the text nor the value alone,
    which a program may join to a directory, may lead to another directory."""
    cdef str text = value, segment, rest, decoded
    if is_harmless(text, many):
        return None
    if "\0" in text:
        return "nul"
    if many and before:
        segment, _, rest = value.partition("/")
        if climbs(value, PASSES) or climbs(before + segment, PASSES) or leads_outside(rest, PASSES):
            return "climbs"
        return None
    if many:
        return "climbs" if leads_outside(value, PASSES) else None
    for _ in range(PASSES + 1):
        if "\0" in text:
            return "nul"
        if "/" in text:
            return "slash"
        if "\\" in text:
            return "backslash"
        if text == "." or text == "..":
            return "dot-segment"
        decoded = unquote(text)
        if decoded == text:
            break
        text = decoded
    return "climbs" if climbs(value, PASSES) else None


# --- matching --------------------------------------------------------------------------------------

cdef const uint8_t* octets_to_match(str text, Buffer* b, size_t* n) except NULL:
    """Return the octets of a text with characters beyond ASCII as escapes, and set n to their number. b: may receive
    them; the caller has initialised it, and frees it after use."""
    cdef bytes octets
    if is_ascii(text):
        n[0] = len(text)
        return ascii_data(text)
    octets = text.encode("utf-8", "surrogatepass")
    write_literal(b, <const uint8_t*>PyBytes_AS_STRING(octets), len(octets))
    n[0] = b.n
    return b.p


cdef object matched(object how, const uint8_t* p, size_t n, bint extra, bint empty, frozenset raw, dict types):
    """Return the values in p[0:n]; None: no match. how: the result of plan_of."""
    cdef Plan plan = how
    cdef size_t count = len(plan.variables), k
    cdef const uint8_t* end = p + n
    cdef const uint8_t* mark = find(p, end, c'#')
    cdef const uint8_t* question = find(p, mark, c'?')
    cdef Place* places = <Place*>calloc(count + 1, sizeof(Place))
    cdef Wanted wanted
    cdef dict fields = {}, found = {}
    cdef bint doubtful = False  # whether a value has to be judged
    try:
        if places == NULL:
            raise MemoryError()
        if not find_places(plan.path, p, question - p, empty, places):
            return None
        if question == mark:
            if plan.query is not None and plan.query.needed:
                return None
        elif plan.query is not None:
            if not find_places(plan.query, question + 1, mark - question - 1, empty, places):
                return None
        elif not read_fields(plan, question + 1, mark - question - 1, extra, types, fields):
            return None
        if mark == end:
            if plan.fragment is not None and plan.fragment.needed:
                return None
        elif plan.fragment is None or not find_places(plan.fragment, mark + 1, end - mark - 1, empty, places):
            return None
        for k in range(count):
            wanted = plan.variables[k]
            if fields and k in fields:
                value = fields[k]
            elif places[k].p == NULL:
                continue
            elif wanted.explode:
                value = listed(places[k].p[:places[k].n], wanted, wanted.name in types)
            else:
                value = decoded_value(places[k].p, places[k].n)
            if value is None:
                return None
            found[wanted.name] = value
            doubtful = doubtful or type(value) is not str or not is_harmless(value, wanted.judged != ONE_SEGMENT)
        for k in range(count if doubtful else 0):
            wanted = plan.variables[k]
            if wanted.name in found and wanted.name not in raw:
                judge(wanted, found[wanted.name], p, places[k].p)
        return found
    finally:
        free(places)


cdef bint read_fields(Plan plan, const uint8_t* p, size_t n, bint extra, dict types, dict fields) except -1:
    """Read the fields of a query. Return whether they are those of the template."""
    cdef const uint8_t* end = p + n
    cdef const uint8_t* stop
    cdef const uint8_t* equals
    cdef Wanted wanted
    cdef object number
    cdef object rest = None  # the index of the variable that takes fields without a variable of their own
    for number, wanted in enumerate(plan.variables):
        if plan.fields is not None and wanted.key in plan.fields and wanted.explode and wanted.name in types:
            rest = number
            break
    while True:
        stop = find(p, end, c'&')
        equals = find(p, stop, c'=')
        number = plan.fields.get(p[:equals - p]) if plan.fields is not None else None
        if number is not None and (<Wanted>plan.variables[number]).name in types:
            number = None
        if number is None and rest is None:
            if not extra:
                return False
        elif equals == stop:
            return False
        else:
            value = decoded_value(equals + 1, stop - equals - 1)
            if value is None:
                return False
            if number is None:
                name = decoded_value(p, equals - p)
                if name is None or name in fields.setdefault(rest, {}):
                    return False
                fields[rest][name] = value
            elif (<Wanted>plan.variables[number]).explode:
                fields.setdefault(number, []).append(value)
            elif number in fields:
                return False
            else:
                fields[number] = value
        if stop == end:
            return True
        p = stop + 1


cdef int judge(Wanted wanted, value, const uint8_t* text, const uint8_t* place) except -1:
    """Raise UnsafeValue for a value that could lead to another directory. text: all that was matched; place: where the
    value begins in it."""
    cdef const uint8_t* begin = place
    cdef str before = ""
    cdef object reason = None
    if wanted.judged == SEGMENTS and type(value) is not str and wanted.sign != PATH_SEGMENT \
            and wanted.sign != RESERVED:
        for one in flat(value):
            reason = reason or reason_of(one, False, "")
    elif wanted.judged == SEGMENTS:
        if wanted.sign == RESERVED:
            while begin > text and (begin - 1)[0] != c'/':
                begin -= 1
            before = decoded_value(begin, place - begin) or ""
        reason = reason_of(value if type(value) is str else "/".join(flat(value)), True, before)
    elif wanted.judged == ONE_SEGMENT:
        reason = reason_of(value, False, "")
    else:
        for one in [value] if type(value) is str else flat(value):
            if not is_harmless(one, True):
                reason = reason or ("nul" if "\0" in one else "climbs" if climbs(one, PASSES) else None)
    if reason is not None:
        raise UnsafeValue(wanted.name, reason)
    return 0


cdef list flat(value):
    """Return the strings of a list or of a mapping."""
    return [text for pair in value.items() for text in pair] if type(value) is dict else value


stay_all(globals())
