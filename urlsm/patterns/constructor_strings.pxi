# Constructor strings: a whole pattern in one text, cut into its components.
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
    """Return the components of a constructor string. is_special: #compute-protocol-matches-a-special-scheme-flag of a
    protocol's pattern string. TypeError: its protocol cannot be read.

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
            if token.kind == CHAR and token.end > token.start + 1:  # it is not any of the characters that one asks for
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
        """Return whether a "?" that is not a modifier is here (#is-a-search-prefix)."""
        cdef Token* token = tokens_of(&self.tokens) + self.at
        if self.is_char(self.at, c'?'):
            return True
        if token.kind != OTHER_MODIFIER or self.text[token.start] != u"?":
            return False
        if self.at == 0:
            return True
        token -= 1
        return not (token.kind == NAME or token.kind == REGEXP or token.kind == CLOSE or token.kind == ASTERISK)
