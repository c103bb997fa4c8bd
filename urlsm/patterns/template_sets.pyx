"""The syntax "uri-template": which of many URI templates makes a URL, and from which values.

The matcher selects templates whose path may make the path of a URL; where a field of the query selects fewer, they are
taken instead. `matched` then decides, from the highest rank on, because no program says that fields come in any order,
or what a value decodes to. So the set and Template.match always agree.
"""
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING
from libc.stdint cimport uint8_t, uint32_t
from urlsm.octets.buffer cimport Buffer, buffer_free, buffer_start
from urlsm.octets.find cimport find
from urlsm.octets.once cimport stay_all
from urlsm.patterns.matcher cimport Matcher, NO_RULE, REFUSED_URL, Search, View, view_octets
from urlsm.patterns.tables cimport ALLOWS
from urlsm.patterns.template_grammar cimport (
    Expression, Signs, Variable, parts_of, row_of, written_literal,
)
from urlsm.patterns.template_matching cimport are_fields, cut_parts, matched, octets_to_match, plan_of
from urlsm.octets.objects import url_string
from urlsm.patterns.errors import PatternError, UnsafeValue
from urlsm.patterns.rule import Rule, decoded, joined
from urlsm.patterns.syntax import Syntax

cdef dict NO_TYPES = {}

cdef enum:
    FEW = 8                  # rules that are tried without asking the matcher

cdef enum Concreteness:      # of a segment of a path
    ANY_SEGMENTS             # a variable in it may hold "/"
    VARIABLE
    CONCRETE


# --- rules -----------------------------------------------------------------------------------------

cdef object value_piece(const Signs* row, bint many, int fewest):
    """Return a piece of a program that matches what a variable may be expanded to."""
    cdef int octet
    if not row.stops[c'/']:
        return "*" if not fewest else ("times", ("?",), 1, None, True)
    octets = bytes([octet for octet in range(256) if not row.stops[octet] or (many and octet == row.separator)])
    return "times", (("in", octets),), fewest, None, True


cdef list expression_pieces(Expression expression, int fewest):
    """Return the pieces of a program that matches what an expression in a path is expanded to, and perhaps more."""
    cdef const Signs* row = row_of(expression.sign)
    cdef Variable variable
    cdef uint8_t lead = row.first
    cdef list made = []
    cdef bytes name
    for variable in expression.variables:
        value = value_piece(row, variable.explode, fewest)
        if not lead:
            made.append(value)
        elif not row.named or variable.explode:
            made.append(("optional", (bytes([lead]), value), True))
        else:
            name = bytes([lead]) + variable.key
            made.append(("optional", (name, ("optional", (b"=", value), True)), True))
        lead = row.separator
    return made


def selection(str template, *, bint decodes=False, int fewest=0):
    """Return a program that matches every path that a template makes, and the weight of the template, which is greater
    the more concrete the template is.

    decodes: whether escapes of unreserved octets in literals are decoded. fewest: the fewest octets that a variable may
    have, 0 or 1.

    PatternError: the text is not a template, or it cannot be matched.
    """
    cdef list parts = template_parts(template, decodes), path, query, fragment, program = [], segments = []
    cdef Expression expression
    cdef Concreteness kind = CONCRETE
    cdef Py_ssize_t octets = 0, literals = 0, k
    cdef bytes text, piece
    plan_of(template, parts)
    path, query, fragment = cut_parts(parts)
    for part in path:
        if type(part) is bytes:
            text = part
            text = written_literal(<const uint8_t*>PyBytes_AS_STRING(text), len(text))
            program.append(text)
            literals += len(text)
            for k, piece in enumerate(text.split(b"/")):
                if k:
                    segments.append((kind, octets))
                    kind, octets = CONCRETE, 0
                octets += len(piece)
        else:
            expression = part
            program += expression_pieces(expression, fewest)
            kind = min(kind, VARIABLE if holds_one_segment(expression) else ANY_SEGMENTS)
    segments.append((kind, octets))
    for part in (query or ()), (fragment or ()):
        literals += sum([len(one) for one in part if type(one) is bytes])
    return (*joined(program), "$"), (tuple(segments), literals)


cdef list template_parts(str template, bint decodes):
    cdef list parts = parts_of(template)
    return [decoded(part) if type(part) is bytes else part for part in parts] if decodes else parts


cdef bint holds_one_segment(Expression expression) noexcept:
    """Return whether what an expression is expanded to has no "/"."""
    cdef const Signs* row = row_of(expression.sign)
    return row.stops[c'/'] and row.first != c'/'


def rules(pattern, options):
    """Yield the rule that selects a template."""
    program, weight = selection(pattern, decodes=options["_excluding"])
    yield Rule(checks=(("target", program),), weight=weight)


# --- proofs ----------------------------------------------------------------------------------------

@cython.final
@cython.binding(False)
cdef class TemplateProver:
    """Decides which of the templates that a matcher selects makes a URL. included: how many of the patterns are not
    those of `exclude`."""
    cdef Matcher matcher
    cdef list plans          # for each pattern, how it is matched; None: it is invalid, and so has no rule
    cdef dict by_field       # name of a field of {?...} -> rules of the templates that have it, the highest rank first
    cdef list of_queries     # the rules of templates with another query
    cdef frozenset raw
    cdef bint extra, empty

    def __cinit__(self, Matcher matcher not None, patterns, Py_ssize_t included, dict options not None):
        cdef Py_ssize_t number
        cdef list queries = [], parts
        self.matcher, self.raw = matcher, options["raw"]
        self.extra, self.empty = options["extra"], options["empty"]
        self.plans = []
        for number, pattern in enumerate(patterns):
            plan = query = None
            try:
                parts = template_parts(pattern, number >= included)
                plan, query = plan_of(pattern, parts), cut_parts(parts)[1]
            except PatternError:
                pass
            self.plans.append(plan)
            queries.append(query)
        self.find_fields(queries)

    cdef int find_fields(self, list queries) except -1:
        """Fill by_field and of_queries. queries: for each pattern, the query that cut_parts returns."""
        cdef Py_ssize_t rule
        cdef list query
        cdef Expression expression
        cdef Variable variable
        self.by_field, self.of_queries = {}, []
        for rule in range(<Py_ssize_t>self.matcher.count - 1, -1, -1):
            query = queries[self.matcher.whose(rule)]
            if query is None:
                continue
            if not are_fields(query):
                self.of_queries.append(rule)
                continue
            for expression in query[1:]:
                for variable in expression.variables:
                    self.by_field.setdefault(variable.key, []).append(rule)
        return 0

    cdef list few_rules(self, const uint8_t* query, const uint8_t* end):
        """Return the only rules whose templates may make a query, from the highest rank on: those that have a field
        that few have. None: each field is one that many have. So the number of templates that differ in their fields
        does not matter."""
        cdef const uint8_t* stop
        cdef list rules
        while not self.extra:
            stop = find(query, end, c'&')
            rules = self.by_field.get(query[:find(query, stop, c'=') - query], [])
            if len(rules) + len(self.of_queries) <= FEW:
                return sorted(rules + self.of_queries, reverse=True) if self.of_queries else rules
            if stop == end:
                break
            query = stop + 1
        return None

    cdef object values(self, uint32_t rule, const uint8_t* p, size_t n):
        """Return the values from which the template of a rule makes p[0:n], or None. UnsafeValue: a value is unsafe."""
        return matched(self.plans[self.matcher.whose(rule)], p, n, self.extra, self.empty, self.raw, NO_TYPES)

    cdef list proved(self, const uint8_t* p, size_t n, bint all):
        """Return (rule, values) for the first rule that matches p[0:n], from the highest rank on, or for all rules."""
        cdef View v
        cdef Search s
        cdef Py_ssize_t first
        cdef uint32_t rule
        cdef list found = [], rules = None
        cdef const uint8_t* mark = find(p, p + n, c'#')
        cdef const uint8_t* question = find(p, mark, c'?')
        if question < mark:
            rules = self.few_rules(question + 1, mark)
        if rules is None:
            view_octets(&v, p, question - p)
            s.request = NULL
            first = self.matcher.deciding_rule(&v, &s)
            if first < 0:
                return found
            values = self.values(<uint32_t>first, p, n)
            if values is not None:
                found.append((first, values))
                if not all:
                    return found
            rules = [rule for rule in reversed(self.matcher.matching_rules(&v, NULL)) if rule != <uint32_t>first]
        for rule in rules:
            values = self.values(rule, p, n)
            if values is not None:
                found.append((rule, values))
                if not all:
                    break
        return found

    cdef list read(self, url, bint all):
        cdef Buffer b
        cdef const uint8_t* p
        cdef size_t n
        cdef str text = url if type(url) is str else url_string(url)
        buffer_start(&b)
        try:
            p = octets_to_match(text, &b, &n)
            return self.proved(p, n, all)
        finally:
            buffer_free(&b)

    def find(self, url):
        """Return the number of the template that decides on a URL and its values; None if there is none, or it is one
        of `exclude`. UnsafeValue: a value is unsafe."""
        cdef list found = self.read(url, False)
        return self.allowed(found[0]) if found else None

    def find_all(self, url):
        """Return what `find` returns for each template that matches, in the order of the list."""
        cdef list found = [self.allowed(one) for one in self.read(url, True)]
        return sorted([one for one in found if one is not None])

    cdef tuple allowed(self, tuple found):
        cdef uint32_t rule = found[0]
        return (self.matcher.whose(rule), found[1]) if self.matcher.traits(rule) & ALLOWS else None

    def decides(self, url):
        """Return the number of the rule that decides on a URL, or the numbers that Lookup has in place of one."""
        cdef list found = []
        cdef Py_ssize_t other = NO_RULE
        try:
            found = self.read(url, False)
        except UnsafeValue:
            other = REFUSED_URL
        return found[0][0] if found else other


SYNTAX = Syntax("uri-template", rules=rules, precedence="specific", prover=TemplateProver,
                options={"empty": False, "extra": False, "raw": frozenset(), "_excluding": False})
stay_all(globals())
