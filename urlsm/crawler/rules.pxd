"""The rules of a profile as C reads them: TABLE of crawler/rules.py as a struct, and words as enums.

Written by tools/tables.py. Rulebook in keys.pyx calls set_rules, and sets the other rules itself.
"""
from cpython.bytes cimport PyBytes_AS_STRING
from libc.stdint cimport uint8_t
from urlsm.crawler.structs cimport Plainness, Recoding
from urlsm.machine.dialects cimport Dialect
from urlsm.url.params cimport Names

cdef enum Trim:
    TRIM_NONE
    TRIM_C0_SPACE
    TRIM_WHITESPACE          # TAB LF VT FF CR and space

cdef enum SchemeSign:
    SCHEME_SIGN_COLON        # ":"
    SCHEME_SIGN_COLON_SLASH  # ":/"
    SCHEME_SIGN_LISTED       # "://" after a scheme that the rule "schemes" lists

cdef enum Backslashes:
    BACKSLASHES_KEEP
    BACKSLASHES_SPECIAL      # with a special scheme, "\" before "?" or "#" becomes "/"
    BACKSLASHES_REFUSE

cdef enum Authority:
    AUTHORITY_LAST_AT        # user information ends at the last "@"
    AUTHORITY_FIRST_AT       # user information ends at the first "@"
    AUTHORITY_WHOLE          # user information ends at the last "@"; all that follows is the host, and there is no port

cdef enum Brackets:
    BRACKETS_ANY
    BRACKETS_PAIRED          # the first "[...]" must hold an address
    BRACKETS_WHOLE           # a host with brackets must be "[...]" with an address

cdef enum Ports:
    PORTS_ANY                # a port that is not a number is rejected
    PORTS_16_BIT             # a port that is not a number up to 65535 is rejected
    PORTS_AFTER_COLONS       # like 16-bit, but each ":" at the end is removed first

cdef enum HostRequired:
    HOST_REQUIRED_NO
    HOST_REQUIRED_OR_REST    # an empty host is rejected if nothing but a fragment follows it
    HOST_REQUIRED_YES

cdef enum Scheme:
    SCHEME_LOWER
    SCHEME_KEEP
    SCHEME_HTTP              # https becomes http
    SCHEME_DROP

cdef enum Userinfo:
    USERINFO_KEEP
    USERINFO_REQUOTE         # user and password are decoded, then encoded
    USERINFO_DROP

cdef enum Decode:
    DECODE_NONE              # "%" is treated like any other byte
    DECODE_ONCE              # each escape is decoded once; in a path, the escapes of path_keep are kept
    DECODE_UNRESERVED        # escapes of unreserved bytes are decoded, other escapes are put in upper case
    DECODE_REPEATEDLY        # escapes are decoded until no escape is left

cdef enum Idna:
    IDNA_NONE
    IDNA_2003
    IDNA_NFKC_2003           # lower case, then NFKC, then IDNA 2003
    IDNA_2003_IGNORING       # bytes that are not UTF-8 are removed, then IDNA 2003
    IDNA_UTS46

cdef enum Dots:
    DOTS_KEEP
    DOTS_TRAILING            # one dot at the end is removed
    DOTS_PAIRS               # each ".." becomes "."; dots at the ends are removed
    DOTS_SQUEEZE             # each run of dots becomes one dot; dots at the ends are removed

cdef enum Ipv4:
    IPV4_KEEP
    IPV4_INET_ATON           # a decimal number modulo 2**32, or up to 4 decimal or octal numbers, is an address
    IPV4_FOUR                # a decimal number modulo 2**32, or four numbers up to 255, is an address
    IPV4_ANY                 # 1 to 4 decimal, octal or hexadecimal numbers, without their high bits, are an address

cdef enum Ipv6:
    IPV6_KEEP
    IPV6_RFC5952
    IPV6_BARE                # the host is the text between the brackets
    IPV6_BARE_WITHOUT_DOTS   # like bare, unless the host has a "."
    IPV6_BRACKETED           # brackets are kept if a ":" is within them, otherwise removed

cdef enum HostCase:
    HOST_CASE_KEEP
    HOST_CASE_LOWER
    HOST_CASE_LOWER_ESCAPES  # lower case, also for the digits of escapes
    HOST_CASE_LOWER_NAME     # lower case up to the first "%"

cdef enum HostOthers:
    HOST_OTHERS_KEEP
    HOST_OTHERS_ENCODE
    HOST_OTHERS_REFUSE

cdef enum Www:
    WWW_KEEP
    WWW_ONE                  # a first label "www", "www1" and so on is removed
    WWW_ALL

cdef enum Port:
    PORT_KEEP
    PORT_DROP_DEFAULT
    PORT_DROP_HTTP_DEFAULT   # port 80 of http and port 443 of https are dropped
    PORT_DROP_HTTP_DEFAULT_AND_0  # port 80 of http, 443 of https, and 0 of any scheme are dropped
    PORT_DROP

cdef enum EmptyPath:
    EMPTY_PATH_KEEP
    EMPTY_PATH_SLASH         # an empty path becomes "/"
    EMPTY_PATH_SLASH_AFTER_HOST_OR_BEFORE_QUERY  # an empty path becomes "/" after a host or before a query
    EMPTY_PATH_SLASH_BEFORE_SPECIAL_QUERY  # an empty path becomes "/" if the scheme is special and a query follows

cdef enum DotSegments:
    DOT_SEGMENTS_NONE
    DOT_SEGMENTS_RFC3986
    DOT_SEGMENTS_WAYBACK     # ".." at the root is kept; a dot segment at the end leaves no slash

cdef enum TrailingSlash:
    TRAILING_SLASH_KEEP
    TRAILING_SLASH_STRIP_UNLESS_ROOT
    TRAILING_SLASH_STRIP

cdef enum Query:
    QUERY_KEEP
    QUERY_DROP

cdef enum ParamsReading:
    PARAMS_READING_RAW
    PARAMS_READING_FORM      # fields are decoded, then encoded as in forms

cdef enum BlankValues:
    BLANK_VALUES_KEEP
    BLANK_VALUES_DROP
    BLANK_VALUES_BARE        # "a=" becomes "a"

cdef enum SortParams:
    SORT_PARAMS_NONE
    SORT_PARAMS_PAIRS        # by name, then by whether "=" follows, then by value
    SORT_PARAMS_NAMES        # by name; equal names keep their order
    SORT_PARAMS_DECODED_NAMES  # by decoded name; equal names keep their order

cdef enum Fragment:
    FRAGMENT_DROP
    FRAGMENT_KEEP
    FRAGMENT_ROUTES          # kept if it begins with "/" or "!"

cdef enum KeyForm:
    KEY_FORM_URL
    KEY_FORM_SURT
    KEY_FORM_BARE            # a URL without scheme and "//"

cdef enum NoAuthority:
    NO_AUTHORITY_NONE
    NO_AUTHORITY_URLLIB      # "//" where urllib.parse writes it
    NO_AUTHORITY_URLLIB_3_11  # "//" where urllib.parse of CPython 3.11 writes it
    NO_AUTHORITY_WHATWG      # "/." before a path that begins with "//"

cdef struct Rules:
    const char* empty        # the key of an empty text; None: no special key
    const Names* verbatim    # texts that are their own keys; "x*" means all that begin with x
    Trim trim                # the bytes that are removed at both ends of the text
    bint remove_tabs         # TAB, LF and CR are removed everywhere
    bint fragment_first      # the fragment is cut off before anything else
    bint decode_first        # all escapes are decoded, repeatedly, before the split
    SchemeSign scheme_sign   # what must follow a name that is read as a scheme
    const char* default_scheme  # what is put before a text that has no scheme
    const char* schemes      # the schemes of texts that are not rejected; (): all schemes
    bint repair_schemes      # only the last scheme of "http://https://" is kept
    bint collapse_authority_slashes  # only two slashes of "http:////host" are kept
    Backslashes backslashes  # what happens to backslashes
    Dialect dialect          # the dialect whose grammar finds the components
    Authority authority      # where user information ends
    bint host_from_path      # if an http or https URL has no host, the first segment of its path is the host
    const char* path_params_schemes  # the schemes whose last segment has parameters after ";" (see path_params_safe)
    Brackets brackets        # what a host with brackets must be
    Ports ports              # which ports a URL may have
    HostRequired host_required  # whether a URL must have a host
    Scheme scheme            # how the scheme is written; a SURT without a host always has its scheme
    Userinfo userinfo        # what happens to user and password
    Recoding userinfo_safe   # the bytes of user information that are not encoded, besides unreserved bytes
    Decode host_decode       # which escapes in the host are decoded
    Idna idna                # how a host that is not ASCII becomes ASCII
    bint idna_required       # a text whose host IDNA rejects is rejected; False: the host stays, in lower case
    Dots dots                # which dots of the host are removed
    Ipv4 ipv4                # which hosts are IPv4 addresses
    Ipv6 ipv6                # how an IPv6 address is written
    HostCase host_case       # the case of the host
    Recoding host_safe       # the ASCII bytes that are kept besides unreserved bytes; None: all are kept
    HostOthers host_others   # what happens to the bytes of the host that host_safe does not keep
    Www www                  # whether a first label www is removed
    bint www_needs_dot       # www is removed only if the rest of the host has a dot
    Port port                # which ports are dropped
    Decode path_decode       # which escapes in the path are decoded
    Recoding path_safe       # the bytes that are kept besides unreserved bytes; None: all are kept
    Recoding path_params_safe  # the bytes of the parameters of the path that are not encoded
    EmptyPath empty_path     # what an empty path becomes
    DotSegments dot_segments  # how dot segments are removed
    bint merge_slashes       # "//" in the path becomes "/"
    bint path_lower          # the path is put in lower case
    bint path_sessions       # folders that are session identifiers are removed
    TrailingSlash trailing_slash  # whether a "/" at the end of the path is removed
    Query query              # whether the query is kept
    bint split_params        # the query is read as parameters
    ParamsReading params_reading  # how parameters are read
    uint8_t[2] param_separators  # one or two bytes that separate fields; the first is written
    bint keep_empty_params   # empty fields, as in "&&", are kept
    bint keep_nameless_params  # a field without a name, such as "=1", is kept
    BlankValues blank_values  # what happens to a field without a value, such as "a="
    Decode query_decode      # which escapes in the query are decoded
    Recoding query_safe      # the bytes of the query that are not encoded, besides unreserved bytes
    Recoding special_query_safe  # replaces query_safe for special schemes; None: query_safe serves for all
    bint query_lower         # the query is put in lower case
    bint query_sessions      # session identifiers in the query are removed
    bint empty_query         # a "?" that nothing follows is kept
    SortParams sort_params   # how parameters are sorted
    const Names* remove_params  # names of fields that are dropped; "x*" means all that begin with x
    Fragment fragment        # whether the fragment is kept
    Recoding fragment_safe   # the bytes of the fragment that are not encoded, besides unreserved bytes
    KeyForm key_form         # the form of the key
    bint trailing_comma      # a SURT has a comma before its ")"
    bint reverse_addresses   # a SURT reverses IPv4 addresses as it reverses names
    const char* nfkc_refused  # a text is rejected if NFKC makes one of these bytes in its authority
    NoAuthority no_authority  # what is written before the path if there is no authority
    const char* netloc_schemes  # the schemes for which urllib.parse writes "//" before a path
    const char* sorted_schemes  # the schemes whose queries are read as fields; (): all schemes
    Plainness plain


cdef inline int set_rules(Rules* r, dict values) except -1:
    """Set each rule that is a word, a flag or a text. A rule that is a text points into the octets in `values`."""
    r.empty = NULL if values["empty"] is None else PyBytes_AS_STRING(values["empty"])
    r.trim = values["trim"]
    r.remove_tabs = values["remove_tabs"]
    r.fragment_first = values["fragment_first"]
    r.decode_first = values["decode_first"]
    r.scheme_sign = values["scheme_sign"]
    r.default_scheme = PyBytes_AS_STRING(values["default_scheme"])
    r.schemes = PyBytes_AS_STRING(values["schemes"])
    r.repair_schemes = values["repair_schemes"]
    r.collapse_authority_slashes = values["collapse_authority_slashes"]
    r.backslashes = values["backslashes"]
    r.authority = values["authority"]
    r.host_from_path = values["host_from_path"]
    r.path_params_schemes = PyBytes_AS_STRING(values["path_params_schemes"])
    r.brackets = values["brackets"]
    r.ports = values["ports"]
    r.host_required = values["host_required"]
    r.scheme = values["scheme"]
    r.userinfo = values["userinfo"]
    r.host_decode = values["host_decode"]
    r.idna = values["idna"]
    r.idna_required = values["idna_required"]
    r.dots = values["dots"]
    r.ipv4 = values["ipv4"]
    r.ipv6 = values["ipv6"]
    r.host_case = values["host_case"]
    r.host_others = values["host_others"]
    r.www = values["www"]
    r.www_needs_dot = values["www_needs_dot"]
    r.port = values["port"]
    r.path_decode = values["path_decode"]
    r.empty_path = values["empty_path"]
    r.dot_segments = values["dot_segments"]
    r.merge_slashes = values["merge_slashes"]
    r.path_lower = values["path_lower"]
    r.path_sessions = values["path_sessions"]
    r.trailing_slash = values["trailing_slash"]
    r.query = values["query"]
    r.split_params = values["split_params"]
    r.params_reading = values["params_reading"]
    r.keep_empty_params = values["keep_empty_params"]
    r.keep_nameless_params = values["keep_nameless_params"]
    r.blank_values = values["blank_values"]
    r.query_decode = values["query_decode"]
    r.query_lower = values["query_lower"]
    r.query_sessions = values["query_sessions"]
    r.empty_query = values["empty_query"]
    r.sort_params = values["sort_params"]
    r.fragment = values["fragment"]
    r.key_form = values["key_form"]
    r.trailing_comma = values["trailing_comma"]
    r.reverse_addresses = values["reverse_addresses"]
    r.nfkc_refused = PyBytes_AS_STRING(values["nfkc_refused"])
    r.no_authority = values["no_authority"]
    r.netloc_schemes = PyBytes_AS_STRING(values["netloc_schemes"])
    r.sorted_schemes = PyBytes_AS_STRING(values["sorted_schemes"])
    return 0
