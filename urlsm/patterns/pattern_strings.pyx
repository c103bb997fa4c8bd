"""Reads the pattern strings of URLPattern, without an object for each token."""
cimport cython
from libc.stdint cimport uint8_t, uint32_t
from urlsm.octets.buffer cimport Buffer, ascii_data, buffer_free, buffer_reserve, buffer_start, is_ascii
from urlsm.octets.chars cimport (
    ALPHA, BACKSLASH, CLASS, DIGIT, ENC_C0, ENC_FRAGMENT, ENC_PATH, ENC_SPECIAL_QUERY, ENC_USERINFO, HASH, QUESTION,
    SCHEME_CHAR, UPPER, classes_of,
)
from urlsm.url.write.host cimport is_normal_domain


# --- the tokens of pattern strings ---------------------------------------------------------------------
#
# A token is a span of the text. A str of it is only made when a part or a component needs one.
# https://urlpattern.spec.whatwg.org/#tokens

cdef enum TokenKind:
    OPEN
    CLOSE
    REGEXP
    NAME
    CHAR                     # one character, or several that have no meaning to any parser
    ESCAPED_CHAR
    OTHER_MODIFIER
    ASTERISK
    END
    INVALID

cdef struct Token:
    Py_ssize_t index         # where the token begins in the text
    Py_ssize_t start, end    # the span of its value
    TokenKind kind

# the characters that have a meaning. "/" may be the prefix of a group; "#", "@", "[" and "]" have a meaning only in
# constructor strings
cdef bytes MARKS = bytes([chr(octet) in "*+?{}\\:(/#@[]" for octet in range(128)])
cdef const uint8_t* marks = MARKS


cdef inline Token* tokens_of(Buffer* b) noexcept:
    return <Token*>b.p


cdef int put(Buffer* b, TokenKind kind, Py_ssize_t index, Py_ssize_t start, Py_ssize_t end) except -1:
    cdef Token token
    token.kind, token.index, token.start, token.end = kind, index, start, end
    buffer_reserve(b, sizeof(Token))
    (<Token*>(b.p + b.n))[0] = token
    b.n += sizeof(Token)
    return 0


cdef int put_invalid(Buffer* b, str text, Py_ssize_t k, bint strict) except -1:
    """#process-a-tokenizing-error"""
    if strict:
        raise TypeError(f"the pattern {text!r} is not well formed at {k}")
    return put(b, INVALID, k, k, k + 1)


cdef bint is_name_char(Py_UCS4 c, bint first) except -1:
    """#is-a-valid-name-code-point"""
    if c < 128:
        return c == u"$" or c == u"_" or CLASS[<uint8_t>c] & (ALPHA if first else ALPHA | DIGIT) != 0
    from urlsm.patterns.names import is_name_char as long_way  # this import loads a module of a megabyte

    return long_way(chr(c), first)


cdef Py_ssize_t regexp_end(str text, Py_ssize_t start) except -2:
    """Return the position of the ")" after a regular expression that begins at start; -1 if it is not well formed."""
    cdef Py_ssize_t depth = 1, k = start, n = len(text)
    cdef Py_UCS4 c
    while k < n:
        c = text[k]
        if c >= 128 or (k == start and c == u"?"):
            return -1
        if c == u"\\":
            if k == n - 1 or text[k + 1] >= 128:
                return -1
            k += 2
            continue
        if c == u")":
            depth -= 1
            if depth == 0:
                return k if k > start else -1
        elif c == u"(":
            depth += 1
            if k == n - 1 or text[k + 1] != u"?":
                return -1
        k += 1
    return -1


cdef int tokenize(Buffer* b, str text, bint strict) except -1:
    """Append the tokens of a pattern string (#tokenize). If a part is not well formed, TypeError is raised if strict is
    True; otherwise the part becomes a token of the kind INVALID."""
    cdef Py_ssize_t k = 0, n = len(text), end
    cdef Py_UCS4 c
    while k < n:
        c = text[k]
        end = k + 1
        if c >= 128 or not marks[c]:
            while end < n and (text[end] >= 128 or not marks[<uint8_t>text[end]]):
                end += 1
            put(b, CHAR, k, k, end)
        elif c == u"*":
            put(b, ASTERISK, k, k, end)
        elif c == u"+" or c == u"?":
            put(b, OTHER_MODIFIER, k, k, end)
        elif c == u"{":
            put(b, OPEN, k, k, end)
        elif c == u"}":
            put(b, CLOSE, k, k, end)
        elif c == u"\\":
            if end == n:
                put_invalid(b, text, k, strict)
            else:
                end += 1
                put(b, ESCAPED_CHAR, k, k + 1, end)
        elif c == u":":
            while end < n and is_name_char(text[end], end == k + 1):
                end += 1
            if end == k + 1:
                put_invalid(b, text, k, strict)
            else:
                put(b, NAME, k, k + 1, end)
        elif c == u"(":
            end = regexp_end(text, k + 1)
            if end < 0:
                put_invalid(b, text, k, strict)
                end = k + 1
            else:
                put(b, REGEXP, k, k + 1, end)
                end += 1
        else:
            put(b, CHAR, k, k, end)
        k = end
    return put(b, END, n, n, n)


# --- pattern strings, and the parts that they consist of -----------------------------------------------
# https://urlpattern.spec.whatwg.org/#pattern-strings

cdef enum PartKind:          # the kinds of parts, in the order that compare_component needs
    FULL_WILDCARD
    SEGMENT_WILDCARD
    REGEXP_PART
    FIXED

cdef enum Canonical:         # the encoding callbacks, in the order of canonical.ENCODERS
    PROTOCOL
    USERNAME
    PASSWORD
    HOSTNAME
    PORT
    PATHNAME
    SEARCH
    FRAGMENT                 # the URL Pattern Standard calls it "hash"
    IPV6
    OPAQUE_PATHNAME

cdef enum:
    LONGEST = 4096           # longer texts are always given to the encoding callback

KINDS = (FULL_WILDCARD, SEGMENT_WILDCARD, REGEXP_PART, FIXED)


cdef bint is_unchanged(str text, Canonical which) noexcept:
    """Return whether the encoding callback `which` certainly returns the text unchanged.

    The callbacks are setters of a special URL. Such setters only change bytes that they have to encode or strip
    (url/splicing.pxd checks the same classes of bytes). A pathname that does not begin with "/" is put after "/-" and
    then parsed, so its first segment cannot be a dot segment. A protocol is parsed with "://dummy.invalid" after it, so
    it has to be a scheme in lower case.
    """
    cdef const uint8_t* p
    cdef uint32_t k, n, seen
    if not is_ascii(text) or len(text) > LONGEST:
        return False
    p, n = ascii_data(text), <uint32_t>len(text)
    if n == 0:
        return True
    seen = classes_of(p, n)
    if which == HOSTNAME:
        return is_normal_domain(p, n, seen)
    if which == PATHNAME:
        if seen & (ENC_PATH | BACKSLASH):
            return False
        for k in range(1, n):
            if p[k - 1] == c'/' and (p[k] == c'.' or p[k] == c'%'):  # a dot segment may begin here
                return False
        return True
    if which == SEARCH:
        return not seen & ENC_SPECIAL_QUERY
    if which == FRAGMENT:
        return not seen & ENC_FRAGMENT
    if which == OPAQUE_PATHNAME:
        return not seen & (ENC_C0 | QUESTION | HASH)
    if which == USERNAME or which == PASSWORD:
        return not seen & ENC_USERINFO
    if which == PROTOCOL:
        for k in range(n):
            if not CLASS[p[k]] & SCHEME_CHAR:
                return False
        return not seen & UPPER and CLASS[p[0]] & ALPHA != 0
    if which == PORT and n < 5 and (p[0] != c'0' or n == 1):
        for k in range(n):
            if not CLASS[p[k]] & DIGIT:
                return False
        return True
    return False


@cython.final
@cython.no_gc
@cython.freelist(16)
@cython.binding(False)
cdef class Part:
    """#part. modifier: "*", "?", "+" or ""."""
    cdef readonly int kind
    cdef readonly str value, modifier, name, prefix, suffix


cdef Part part_of(PartKind kind, str value, str modifier, str name, str prefix, str suffix):
    cdef Part made = Part.__new__(Part)
    made.kind, made.value, made.modifier = kind, value, modifier
    made.name, made.prefix, made.suffix = name, prefix, suffix
    return made


cdef tuple ANYTHING = ("times", ("?",), 0, None, True)
# the piece that matches a segment, by the delimiter
cdef dict SEGMENT = {
    delimiter: ("times", (("in", bytes(set(range(256)) - set(delimiter.encode()))),), 1, None, False)
    for delimiter in ("", ".", "/")
}


cdef int put_times(list program, tuple pieces, str modifier) except -1:
    """Append pieces to a program, repeated as the modifier says. Adjacent literals become one."""
    if modifier == "?":
        program.append(("optional", pieces, True))
    elif modifier:
        program.append(("times", pieces, int(modifier == "+"), None, True))
    else:
        for piece in pieces:
            if type(piece) is not bytes:
                program.append(piece)
            elif piece and program and type(program[len(program) - 1]) is bytes:
                program[len(program) - 1] += piece
            elif piece:
                program.append(piece)
    return 0


@cython.binding(False)
cdef class PatternString:
    """A pattern string and its parts (#parse-a-pattern-string).

    Attributes:
        parts: the part list. names: the names of the groups. encode: the encoding callback. delimiter, prefix,
            ignore_case: the options of the standard ("" stands for no code point). segment_wildcard: the regular
            expression that matches a segment. has_regexp_groups: whether a part is a regular expression.
    """
    cdef readonly tuple parts, names
    cdef readonly object encode
    cdef readonly str delimiter, prefix, segment_wildcard
    cdef readonly bint ignore_case, has_regexp_groups
    cdef Canonical which

    def __cinit__(self, str text not None, Canonical which, encode, bint ignore_case=False):
        cdef Parser parser
        self.which, self.encode = which, encode
        # https://urlpattern.spec.whatwg.org/#hostname-options #pathname-options #default-options
        self.delimiter, self.prefix, self.segment_wildcard = "", "", "[^]+?"
        if which == HOSTNAME or which == IPV6:
            self.delimiter, self.segment_wildcard = ".", "[^\\.]+?"
        elif which == PATHNAME:
            self.delimiter = self.prefix = "/"
            self.segment_wildcard = "[^\\/]+?"
        self.ignore_case = ignore_case and PATHNAME <= which != IPV6
        parser = Parser(text)
        parser.string = self
        parser.run()
        self.parts = tuple(parser.parts)
        self.names = () if parser.names is None else tuple(parser.names)

    @property
    def fixed_text(self):
        """The only text that the component matches (or the only one apart from case, with ignore_case); None if it can
        match several."""
        cdef Part part
        cdef str text = ""
        for part in self.parts:
            if part.kind != FIXED or part.modifier:
                return None
            text += part.value
        return text

    @property
    def is_any(self):
        """Whether the pattern string in normal form is "*"."""
        cdef Part part
        if len(self.parts) != 1:
            return False
        part = self.parts[0]
        return part.kind == FULL_WILDCARD and not part.modifier and not part.prefix and not part.suffix \
            and part.name[0].isdigit()

    def plain_program(self):
        """Return the program (rule.py) that components.program_of would return, or one that matches the same strings
        without groups, if there are only literals and stars. Return None if a part is a regular expression, or if case
        is ignored."""
        cdef Part part
        cdef list made = []
        cdef object prefix, suffix, one, again
        cdef bint plain = True
        cdef Py_ssize_t number = 0
        if self.has_regexp_groups or self.ignore_case:
            return None
        for part in self.parts:
            plain = plain and not part.modifier and (part.kind == FIXED or part.kind == FULL_WILDCARD)
        for part in self.parts:
            if part.kind == FIXED:
                put_times(made, (part.value.encode(),), part.modifier)
                continue
            prefix, suffix = part.prefix.encode(), part.suffix.encode()
            one = ANYTHING if part.kind == FULL_WILDCARD else SEGMENT[self.delimiter]
            if plain:
                put_times(made, (prefix, "*", suffix), "")
            elif not part.modifier or part.modifier == "?":
                put_times(made, (prefix, ("group", number, (one,)), suffix), part.modifier)
            elif not part.prefix and not part.suffix:
                made.append(("group", number, (("times", (one,), int(part.modifier == "+"), None, True),)))
            else:
                again = ("times", (suffix, prefix, one), 0, None, True)
                put_times(made, (prefix, ("group", number, (one, again)), suffix), "?" if part.modifier == "*" else "")
            number += 1
        made.append("$")
        return tuple(made)

    cdef str encoded(self, str text):
        return text if is_unchanged(text, self.which) else self.encode(text)


@cython.final
@cython.internal
@cython.no_gc
@cython.binding(False)
cdef class Parser:
    """#pattern-parser"""
    cdef str text
    cdef PatternString string
    cdef list parts
    cdef dict names          # the keys are the names of groups, in order; None if there is no group yet
    cdef Buffer tokens
    cdef Py_ssize_t at, numeric
    cdef list pending        # the pending fixed value consists of these texts (if not None), then of a span of the text
    cdef Py_ssize_t pending_start, pending_end

    def __cinit__(self, str text not None):
        buffer_start(&self.tokens)
        self.text, self.parts = text, []
        tokenize(&self.tokens, text, True)

    def __dealloc__(self):
        buffer_free(&self.tokens)

    cdef Token* take(self, TokenKind kind) noexcept:
        """#try-to-consume-a-token"""
        cdef Token* token = tokens_of(&self.tokens) + self.at
        if token.kind != kind:
            return NULL
        self.at += 1
        return token

    cdef Token* take_regexp(self, Token* name) noexcept:
        """#try-to-consume-a-regexp-or-wildcard-token"""
        cdef Token* token = self.take(REGEXP)
        return self.take(ASTERISK) if token == NULL and name == NULL else token

    cdef str take_modifier(self):
        """#try-to-consume-a-modifier-token"""
        cdef Token* token = self.take(OTHER_MODIFIER)
        if token == NULL:
            token = self.take(ASTERISK)
        return "" if token == NULL else self.value(token)

    cdef str take_text(self):
        """#consume-text"""
        cdef list made = None
        cdef Token* token
        while True:
            token = self.take(CHAR)
            if token == NULL:
                token = self.take(ESCAPED_CHAR)
            if token == NULL:
                return "" if made is None else "".join(made)
            if made is None:
                made = []
            made.append(self.value(token))

    cdef int require(self, TokenKind kind) except -1:
        """#consume-a-required-token"""
        if self.take(kind) == NULL:
            raise TypeError(f"the pattern {self.text!r} is not well formed at {tokens_of(&self.tokens)[self.at].index}")
        return 0

    cdef str value(self, Token* token):
        return self.text[token.start:token.end]

    cdef int run(self) except -1:
        """#parse-a-pattern-string"""
        cdef Token* char
        cdef Token* name
        cdef Token* regexp
        cdef str prefix, suffix
        while <size_t>self.at * sizeof(Token) < self.tokens.n:
            char, name = self.take(CHAR), self.take(NAME)
            regexp = self.take_regexp(name)
            if name != NULL or regexp != NULL:
                prefix = ""
                if char != NULL:
                    if self.string.prefix and char.end == char.start + 1 and self.text[char.start] == u"/":
                        prefix = self.string.prefix
                    else:
                        self.append(char)
                self.flush()
                self.add(prefix, name, regexp, "", self.take_modifier())
                continue
            if char == NULL:
                char = self.take(ESCAPED_CHAR)
            if char != NULL:
                self.append(char)
            elif self.take(OPEN) != NULL:
                prefix, name = self.take_text(), self.take(NAME)
                regexp = self.take_regexp(name)
                suffix = self.take_text()
                self.require(CLOSE)
                self.add(prefix, name, regexp, suffix, self.take_modifier())
            else:
                self.flush()
                self.require(END)
        return 0

    cdef int append(self, Token* token) except -1:
        """Append a token to the pending fixed value."""
        if token.start != self.pending_end and self.pending_end > self.pending_start:
            self.wait(self.text[self.pending_start:self.pending_end])
        if token.start != self.pending_end or self.pending_end == self.pending_start:
            self.pending_start = token.start
        self.pending_end = token.end
        return 0

    cdef int wait(self, str text) except -1:
        if self.pending is None:
            self.pending = []
        self.pending.append(text)
        return 0

    cdef int flush(self) except -1:
        """#maybe-add-a-part-from-the-pending-fixed-value"""
        cdef str text = self.text[self.pending_start:self.pending_end]
        if self.pending is not None:
            self.pending.append(text)
            text, self.pending = "".join(self.pending), None
        self.pending_start = self.pending_end
        if text:
            self.parts.append(part_of(FIXED, self.string.encoded(text), "", "", "", ""))
        return 0

    cdef int add(self, str prefix, Token* name, Token* regexp, str suffix, str modifier) except -1:
        """#add-a-part"""
        cdef PartKind kind = SEGMENT_WILDCARD
        cdef str value = "", called
        if name == NULL and regexp == NULL:
            if not modifier:
                if prefix:
                    if self.pending_end > self.pending_start:
                        self.wait(self.text[self.pending_start:self.pending_end])
                        self.pending_start = self.pending_end
                    self.wait(prefix)
                return 0
            self.flush()
            if prefix:
                self.parts.append(part_of(FIXED, self.string.encoded(prefix), modifier, "", "", ""))
            return 0
        self.flush()
        if regexp != NULL:
            value = self.value(regexp)
            if regexp.kind == ASTERISK or value == ".*":
                kind, value = FULL_WILDCARD, ""
            elif value == self.string.segment_wildcard:
                value = ""
            else:
                kind = REGEXP_PART
                self.string.has_regexp_groups = True
        if name != NULL:
            called = self.value(name)
        else:
            called = str(self.numeric)
            self.numeric += 1
        if self.names is None:
            self.names = {}
        elif called in self.names:
            raise TypeError(f"the pattern {self.text!r} has two groups of the name {called!r}")
        self.names[called] = None
        self.parts.append(part_of(kind, value, modifier, called, self.string.encoded(prefix),
                                  self.string.encoded(suffix)))
        return 0


# --- constructor strings: a whole pattern in one text, which is split into components ------------------
# https://urlpattern.spec.whatwg.org/#constructor-string-parsing

cdef enum State:             # https://urlpattern.spec.whatwg.org/#constructor-string-parser-state
    IN_INIT
    IN_PROTOCOL
    IN_AUTHORITY
    IN_USERNAME
    IN_PASSWORD
    IN_HOSTNAME
    IN_PORT
    IN_PATHNAME
    IN_SEARCH
    IN_HASH
    IN_DONE

cdef tuple STATES = ("init", "protocol", "authority", "username", "password", "hostname", "port", "pathname", "search",
                     "hash", "done")


def parse_constructor_string(str text not None, is_special):
    """Return the components of a constructor string. is_special: a function that returns whether the pattern string of
    a protocol matches a special scheme (#compute-protocol-matches-a-special-scheme-flag). TypeError: the protocol
    cannot be read.

    https://urlpattern.spec.whatwg.org/#constructor-string-parsing
    """
    cdef Constructor parser = Constructor(text, is_special)
    parser.run()
    return parser.result


@cython.final
@cython.internal
@cython.no_gc
@cython.binding(False)
cdef class Constructor:
    """#constructor-string-parser"""
    cdef str text
    cdef object is_special
    cdef dict result
    cdef Buffer tokens
    cdef Py_ssize_t count, at, start, step, depth, brackets
    cdef State state
    cdef bint special

    def __cinit__(self, str text not None, is_special):
        buffer_start(&self.tokens)
        self.text, self.is_special, self.result = text, is_special, {}
        tokenize(&self.tokens, text, False)
        self.count = <Py_ssize_t>(self.tokens.n // sizeof(Token))

    def __dealloc__(self):
        buffer_free(&self.tokens)

    cdef int run(self) except -1:
        """#parse-a-constructor-string"""
        cdef Token* token
        while self.at < self.count:
            self.step = 1
            token = tokens_of(&self.tokens) + self.at
            # the token consists of several characters without a meaning
            if token.kind == CHAR and token.end > token.start + 1:
                pass
            elif token.kind == END:
                if self.state == IN_INIT:
                    self.rewind(IN_INIT)
                    if self.is_char(self.at, c'#'):
                        self.change(IN_HASH, 1)
                    elif self.is_search():
                        self.change(IN_SEARCH, 1)
                    else:
                        self.change(IN_PATHNAME, 0)
                elif self.state == IN_AUTHORITY:
                    self.rewind(IN_HOSTNAME)
                else:
                    self.change(IN_DONE, 0)
                    break
            elif token.kind == OPEN:
                self.depth += 1
            elif self.depth:
                self.depth -= token.kind == CLOSE
            else:
                self.one()
            self.at += self.step
        if "hostname" in self.result and "port" not in self.result:
            self.result["port"] = ""
        return 0

    cdef int one(self) except -1:
        """Handle the current token in the current state."""
        cdef Py_ssize_t at = self.at
        cdef State state = self.state
        if state == IN_INIT:
            if self.is_char(at, c':'):
                self.rewind(IN_PROTOCOL)
        elif state == IN_PROTOCOL:
            if self.is_char(at, c':'):
                self.special = self.is_special(self.component())
                if self.is_char(at + 1, c'/') and self.is_char(at + 2, c'/'):
                    self.change(IN_AUTHORITY, 3)
                else:
                    self.change(IN_AUTHORITY if self.special else IN_PATHNAME, 1)
        elif state == IN_AUTHORITY:
            if self.is_char(at, c'@'):
                self.rewind(IN_USERNAME)
            elif self.is_char(at, c'/') or self.is_search() or self.is_char(at, c'#'):
                self.rewind(IN_HOSTNAME)
        elif state == IN_USERNAME and self.is_char(at, c':'):
            self.change(IN_PASSWORD, 1)
        elif state == IN_USERNAME or state == IN_PASSWORD:
            if self.is_char(at, c'@'):
                self.change(IN_HOSTNAME, 1)
        elif state == IN_HOSTNAME and self.is_char(at, c'['):
            self.brackets += 1
        elif state == IN_HOSTNAME and self.is_char(at, c']'):
            self.brackets -= 1
        elif state == IN_HOSTNAME and self.is_char(at, c':') and self.brackets == 0:
            self.change(IN_PORT, 1)
        elif state <= IN_PORT and self.is_char(at, c'/'):
            self.change(IN_PATHNAME, 0)
        elif state <= IN_PATHNAME and self.is_search():
            self.change(IN_SEARCH, 1)
        elif state <= IN_SEARCH and self.is_char(at, c'#'):
            self.change(IN_HASH, 1)
        return 0

    cdef void rewind(self, State state) noexcept:
        """#rewind-and-set-state"""
        self.at, self.step, self.state = self.start, 0, state

    cdef int change(self, State state, Py_ssize_t skip) except -1:
        """#change-state"""
        cdef State before = self.state
        if before != IN_INIT and before != IN_AUTHORITY and before != IN_DONE:
            self.result[STATES[<int>before]] = self.component()
        if before != IN_INIT and state != IN_DONE:
            if before <= IN_PASSWORD and state >= IN_PORT:
                self.result.setdefault("hostname", "")
            if before <= IN_PORT and state >= IN_SEARCH:
                self.result.setdefault("pathname", "/" if self.special else "")
            if before <= IN_PATHNAME and state == IN_HASH:
                self.result.setdefault("search", "")
        self.state = state
        self.at += skip
        self.start, self.step = self.at, 0
        return 0

    cdef str component(self):
        """#make-a-component-string"""
        cdef Token* tokens = tokens_of(&self.tokens)
        return self.text[tokens[min(self.start, self.count - 1)].index:tokens[self.at].index]

    cdef bint is_char(self, Py_ssize_t at, uint8_t char) noexcept:
        """#is-a-non-special-pattern-char"""
        cdef Token* token = tokens_of(&self.tokens) + min(at, self.count - 1)
        return token.end == token.start + 1 and self.text[token.start] == char \
            and (token.kind == CHAR or token.kind == ESCAPED_CHAR or token.kind == INVALID)

    cdef bint is_search(self) noexcept:
        """Return whether the current token is a "?" that is not a modifier (#is-a-search-prefix)."""
        cdef Token* token = tokens_of(&self.tokens) + self.at
        if self.is_char(self.at, c'?'):
            return True
        if token.kind != OTHER_MODIFIER or self.text[token.start] != u"?":
            return False
        if self.at == 0:
            return True
        token -= 1
        return not (token.kind == NAME or token.kind == REGEXP or token.kind == CLOSE or token.kind == ASTERISK)
