# The tokens of pattern strings. A token is a span of the text, so that nothing becomes a str before a part, or a
# component, has it. https://urlpattern.spec.whatwg.org/#tokens

cdef enum TokenKind:
    OPEN
    CLOSE
    REGEXP
    NAME
    CHAR                     # also many of them, if no parser asks for one of these by itself
    ESCAPED_CHAR
    OTHER_MODIFIER
    ASTERISK
    END
    INVALID

cdef struct Token:
    Py_ssize_t index         # where it begins in the text
    Py_ssize_t start, end    # the span of its value
    TokenKind kind

# "/" may be the prefix of a group, and constructor strings ask for the rest
cdef bytes ASKED_FOR = bytes([chr(octet) in "*+?{}\\:(/#@[]" for octet in range(128)])
cdef const uint8_t* asked_for = ASKED_FOR


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
    from urlsm.patterns.names import is_name_char as long_way  # imports a module of a megabyte

    return long_way(chr(c), first)


cdef Py_ssize_t regexp_end(str text, Py_ssize_t start) except -2:
    """Return where the ")" of the regular expression is that begins at start; -1 if it is not one."""
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
    """Append the tokens of a pattern string (#tokenize). If it is not well formed: TypeError if strict, otherwise a
    token of the kind INVALID."""
    cdef Py_ssize_t k = 0, n = len(text), end
    cdef Py_UCS4 c
    while k < n:
        c = text[k]
        end = k + 1
        if c >= 128 or not asked_for[c]:
            while end < n and (text[end] >= 128 or not asked_for[<uint8_t>text[end]]):
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
