"""RFC 3986's grammar with the rules of a program, for Cython."""

cdef enum:                   # classes of octets: the characters of components (RFC 3986 appendix A), and of numbers
    REG_NAME = 1
    USERINFO = 2
    QUERY = 4
    DIGIT = 8
    HEX = 16

# --- what a program adds to the grammar, takes from it, or gives in its own way ---
cdef enum:
    EMPTY_IS_NONE = 1        # empty userinfo, port, query and fragment are given as absent
    BARE_ADDRESS = 2         # the host is given without the brackets of an IP literal
    EMPTY_PORT_IS_NONE = 4
    NUMBERED_PORT = 8        # the port is a number: no leading zeros
    ZONE = 16                # an IPv6 address may have a zone after "%25" (RFC 6874)
    FIVE_DIGITS = 32         # the port has at most five digits
    SHORT_NAME = 64          # a registered name has at most 255 characters and escapes
    LONG_PORT = 128          # the port has at most 20 digits, and fits into 63 bits
    BOOST = 256              # brackets in the query; "#" in the fragment; a path after an authority without "/" first
    ERLANG = 512             # "%" is a character; hexadecimal digits may follow an IPv6 address
    LOWER_V = 1024           # IPvFuture begins with "v", not "V"
    RUBY = 2048              # "::" and six numbers is no IPv6 address; any query
    HASKELL_LITERAL = 4096   # one digit and no ":" in IPvFuture; the octets of an IPv4 address have up to three digits

cdef object parts_of(str text, int rules)
cdef bint consists(bytes text, int component, int rules) noexcept
cdef bint is_literal(bytes text, int rules) except -1
