# Pattern strings, and the parts that they are read into. https://urlpattern.spec.whatwg.org/#pattern-strings

cdef enum PartKind:          # in the order of compare_component
    FULL_WILDCARD
    SEGMENT_WILDCARD
    REGEXP_PART
    FIXED

cdef enum Canonical:         # in the order of canonical.ENCODERS
    PROTOCOL
    USERNAME
    PASSWORD
    HOSTNAME
    PORT
    PATHNAME
    SEARCH
    FRAGMENT                 # which the standard calls hash here
    IPV6
    OPAQUE_PATHNAME

cdef enum:
    LONGEST = 4096           # octets of a text that is proved to stay as given

KINDS = (FULL_WILDCARD, SEGMENT_WILDCARD, REGEXP_PART, FIXED)


cdef bint stays(str text, Canonical which) noexcept:
    """Return whether the encoding callback `which` certainly returns the text as given.

    Setters of a special URL return what they would not encode or strip, by the classes of url/splicing. A pathname that
    does not begin with "/" is read behind "/-": its first segment cannot be a dot segment, and the others begin behind
    its own slashes. A protocol is read before "://dummy.invalid", so it has to be a scheme in lower case.
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
            if p[k - 1] == c'/' and (p[k] == c'.' or p[k] == c'%'):  # a dot segment, perhaps
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


@cython.binding(False)
cdef class PatternString:
    """A pattern string and its parts (#parse-a-pattern-string).

    Attributes:
        parts: the part list. names: of its groups. encode: the encoding callback. delimiter, prefix: the code points of
            these names, or ""; ignore_case: the rest of the options. segment_wildcard: the regular expression that is
            written for a segment. has_regexp_groups: whether a part is a regular expression.
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
        """The only text that the component matches; None if it matches others too."""
        cdef Part part
        cdef str text = ""
        for part in self.parts:
            if part.kind != FIXED or part.modifier:
                return None
            text += part.value
        return text

    cdef str encoded(self, str text):
        return text if stays(text, self.which) else self.encode(text)


@cython.final
@cython.internal
@cython.no_gc
@cython.binding(False)
cdef class Parser:
    """#pattern-parser"""
    cdef str text
    cdef PatternString string
    cdef list parts
    cdef dict names          # in order, without values; None: there is no group yet
    cdef Buffer tokens
    cdef Py_ssize_t at, numeric
    cdef Py_ssize_t pending_start, pending_end  # the pending fixed value, where it is one span of the text,
    cdef list pending        # behind these texts; None: none

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
        """Append to the pending fixed value."""
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
