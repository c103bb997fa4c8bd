"""A profile as C reads it: one field for each choice, and the tables made of them (rulebook.pyx fills it).

The members of each enum stand in the order of the values in urlsm.crawler.record; a test holds the two together.
"""
from libc.stdint cimport uint8_t
from urlsm.machine.codes cimport Code
from urlsm.machine.dialects cimport Dialect
from urlsm.machine.log cimport Step
from urlsm.machine.special cimport SchemeKind
from urlsm.octets.buffer cimport Buffer
from urlsm.octets.percent cimport Quoting
from urlsm.octets.slice cimport Slice
from urlsm.url.names cimport Names

cdef enum Trim:
    TRIM_NOTHING
    TRIM_C0_SPACE
    TRIM_WHITESPACE          # TAB LF VT FF CR and space

cdef enum SchemeSign:        # what shows that a text begins with a scheme
    SIGN_COLON               # ":"
    SIGN_SLASH               # ":/"
    SIGN_LISTED              # "://" after one of the schemes that are read

cdef enum Backslashes:
    BACKSLASHES_KEPT
    BACKSLASHES_SPECIAL      # "/" in the authority and path of a special scheme
    BACKSLASHES_REFUSED

cdef enum Reading:           # of the authority
    AUTHORITY_LAST_AT        # user information goes up to the last "@"
    AUTHORITY_FIRST_AT       # to the first one
    AUTHORITY_WHOLE          # as a text: what follows the last "@" is all host

cdef enum Brackets:
    BRACKETS_ANY
    BRACKETS_PAIRED          # the first "[...]" holds an address
    BRACKETS_WHOLE           # and is the whole host

cdef enum Ports:
    PORTS_ANY                # a port that is not a number is refused
    PORTS_SIXTEEN_BIT        # and what exceeds 65535
    PORTS_AFTER_COLONS       # ":" at the end go first

cdef enum HostRequired:
    HOST_OPTIONAL
    HOST_OR_REST             # a host, or something behind the empty authority
    HOST_REQUIRED

cdef enum SchemeForm:
    SCHEME_LOWER
    SCHEME_KEPT
    SCHEME_HTTP              # https becomes http
    SCHEME_DROPPED

cdef enum Userinfo:
    USERINFO_KEPT
    USERINFO_REQUOTED        # user and password decoded and encoded anew
    USERINFO_DROPPED

cdef enum Unescape:
    UNESCAPE_NOTHING         # "%" is an octet like others
    UNESCAPE_ONCE            # all but those kept
    UNESCAPE_UNRESERVED      # only these; others in upper case
    UNESCAPE_REPEATEDLY      # until nothing is left to decode

cdef enum Idna:
    IDNA_NONE
    IDNA_2003
    IDNA_NFKC_2003           # after lower-casing and NFKC of the whole
    IDNA_2003_IGNORING       # octets that are not UTF-8 go
    IDNA_UTS46

cdef enum Dots:
    DOTS_KEPT
    DOTS_TRAILING            # one at the end goes
    DOTS_PAIRS               # ".." becomes ".", once; those at the ends go
    DOTS_SQUEEZED            # runs become one; those at the ends go

cdef enum Ipv4:
    IPV4_KEPT
    IPV4_INET_ATON           # digits alone modulo 2**32; inet_aton's forms of decimal and octal
    IPV4_FOUR                # digits alone; or four numbers up to 255
    IPV4_ANY                 # one to four decimal, octal or hexadecimal numbers, high bits cut

cdef enum Ipv6:
    IPV6_KEPT
    IPV6_RFC5952
    IPV6_BARE                # what is between the brackets
    IPV6_BARE_WITHOUT_DOTS   # where that holds no "."
    IPV6_BRACKETED           # in brackets where it holds ":", else bare

cdef enum HostCase:
    HOST_KEPT
    HOST_LOWER
    HOST_LOWER_ESCAPES       # and its escapes too
    HOST_LOWER_NAME          # up to "%"

cdef enum HostOthers:        # octets that are not in host_set
    OTHERS_KEPT
    OTHERS_ENCODED
    OTHERS_REFUSED

cdef enum Www:
    WWW_KEPT
    WWW_ONE                  # one "www" with any digits goes
    WWW_ALL

cdef enum PortForm:
    PORT_KEPT
    PORT_DEFAULT_DROPPED
    PORT_HTTP_DROPPED        # only http's 80, https's 443
    PORT_ZERO_DROPPED        # and 0
    PORT_DROPPED

cdef enum NoAuthority:       # what is written in place of an authority
    NOTHING_WRITTEN
    SLASHES_AS_URLLIB        # "//" where urllib.parse has it
    SLASHES_AS_URLLIB_3_11   # where CPython 3.11's has it
    DOT_AS_WHATWG            # "/." before a path that begins with "//"

cdef enum EmptyPath:
    EMPTY_PATH_KEPT
    EMPTY_PATH_SLASH         # becomes "/"
    EMPTY_PATH_SLASH_BEFORE  # where a host precedes it or a query follows
    EMPTY_PATH_SLASH_SPECIAL  # where a query follows, of a special scheme

cdef enum Resolve:
    RESOLVE_NOTHING
    RESOLVE_RFC3986
    RESOLVE_WAYBACK          # ".." at the root stays, a "." or ".." at the end leaves no slash

cdef enum TrailingSlash:
    TRAILING_KEPT
    TRAILING_STRIPPED_UNLESS_ROOT
    TRAILING_STRIPPED

cdef enum Coding:            # of the query's fields
    FIELDS_RAW
    FIELDS_FORM              # decoded and written as forms are

cdef enum Blanks:            # fields without a value
    BLANKS_KEPT
    BLANKS_DROPPED
    BLANKS_BARE              # "a=" becomes "a"

cdef enum Sort:
    SORT_NOTHING
    SORT_PAIRS               # by name, "=", value
    SORT_NAMES               # by name, stable
    SORT_DECODED_NAMES       # by decoded name, stable

cdef enum Fragments:
    FRAGMENT_DROPPED
    FRAGMENT_KEPT
    FRAGMENT_ROUTES          # kept where it begins with "/" or "!"

cdef enum Form:
    FORM_URL
    FORM_SURT
    FORM_BARE                # without "//" before the host

cdef struct Recoding:        # what becomes of each octet of a component, and of each escape: a table for both
    Quoting raw              # octets as they stand
    uint8_t escaped[256][4]  # escapes, by the octet they are of: as Quoting.written
    bint escapes             # "%" begins an escape; else it is an octet like others
    bint repeatedly          # decode until nothing is left to decode, then raw

cdef struct Rules:
    # the text
    const char* empty        # the answer to an empty text; NULL: none
    const Names* verbatim    # texts that are their own keys; NULL: none
    Trim trim
    bint tabs                # TAB, LF and CR go everywhere
    bint fragment_first
    bint unescape_first
    SchemeSign scheme_sign
    const char* default_scheme  # with "://"; "": none
    const char* schemes      # " " around each; "": all
    bint repair_schemes
    bint many_slashes
    Backslashes backslashes
    bint plain_read          # of a plain text (machine/lane/plain.h) nothing is to be changed before the split
    bint plain_head_kept     # and its scheme and host are written as they are
    bint plain_labels_kept   # its host's labels are written as they are, but for "www"
    # the split
    Dialect dialect
    Reading reading
    bint host_from_path      # http without a host takes the path's first segment
    const char* params       # the schemes in which ";" and what follows in the last segment do not belong to the path
    Brackets brackets
    Ports ports
    const char* nfkc_refused  # what NFKC of the authority must not bring in
    HostRequired host_required
    # the authority
    SchemeForm scheme
    Userinfo userinfo
    Recoding user
    Unescape host_unescape
    Idna idna
    bint idna_required       # a host that IDNA refuses is refused
    Dots dots
    Ipv4 ipv4
    Ipv6 ipv6
    HostCase host_case
    HostOthers host_others
    Recoding host
    Www www
    bint www_needs_dot       # one has to be left
    PortForm port
    NoAuthority no_authority
    const char* netloc_schemes  # before whose paths urllib writes "//"
    # the path
    Recoding path
    Recoding param
    EmptyPath empty_path
    Resolve resolve
    bint merge_slashes
    bint path_sessions
    TrailingSlash trailing_slash
    # the query
    bint query_dropped
    Coding fields
    uint8_t separator
    uint8_t second_separator  # 0: none
    bint fields_split        # the fields are looked at
    bint empty_fields        # kept
    bint nameless            # fields without a name kept
    Blanks blanks
    Recoding query
    Recoding special_query   # of a special scheme
    bint query_sessions
    bint empty_query         # "?" stays alone
    Sort sort
    const Names* remove      # NULL: none
    const char* sorted_schemes  # the schemes whose queries have fields; "": all
    # the rest
    Fragments fragment
    Recoding fragment_coding
    Form form
    bint trailing_comma
    bint reverse_addresses

cdef struct KeyParts:        # the components of a text, as a profile reads them
    Slice scheme
    Slice userinfo
    Slice host
    Slice port
    Slice path
    Slice query
    Slice fragment
    SchemeKind kind
    bint opaque              # a path that is none
    bint plain               # the plain lane found them: the host is a lower-case name, and no number

cdef struct KeyFailure:      # why a profile refuses a text; url/parser's Failure: why the URL Standard does
    Code code
    Step step
    const uint8_t* where     # in the text as it was then

cdef struct Scratch:
    Buffer text[2]           # the text as cleaned: the one in use, and the next
    int turn
    Buffer host
    Buffer piece


cdef inline bint refuse(KeyFailure* why, Code code, Step step, const uint8_t* where) noexcept nogil:
    """Note why a text is refused; False."""
    why.code = code
    why.step = step
    why.where = where
    return False


cdef inline Buffer* fresh(Scratch* s) noexcept nogil:
    """The buffer that the text is not in, empty."""
    s.turn ^= 1
    s.text[s.turn].n = 0
    return &s.text[s.turn]


cdef inline void take(Slice* text, const Buffer* b) noexcept nogil:
    """The text is what the buffer holds."""
    text.p = b.p
    text.n = b.n
