"""The rules of a profile: a table with their names, defaults, possible values and meanings. A value that its name
explains has no meaning in the table.

tools/tables.py writes rules.pxd from this table: the struct that C reads, and the function that sets its fields.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Rule(NamedTuple):
    """A field of a profile."""

    name: str
    default: Any  # the field's value in a profile that does not set it
    meaning: str = ""
    choices: dict[str, str] | None = None  # the possible values of a field that is a word, and the meaning of each
    c: str = ""  # the C type of a field that is neither a word (with choices) nor a flag (True or False)
    may_be_none: bool = False

    def value(self, given: Any) -> Any:
        """Return the value `given` in the form that C receives: the index of a word in choices, a flag unchanged, or
        the bytes of a string. A tuple of schemes becomes bytes with a space before and after each scheme."""
        if self.choices:
            return [*self.choices].index(given)
        if isinstance(given, tuple) and self.c == "const char*":
            given = f" {' '.join(given)} " if given else ""
        return given.encode("ascii") if isinstance(given, str) else given


_DECODE = {
    "none": '"%" is treated like any other byte',
    "once": "each escape is decoded once; in a path, the escapes of path_keep are kept",
    "unreserved": "escapes of unreserved bytes are decoded, other escapes are put in upper case",
    "repeatedly": "escapes are decoded until no escape is left",
}

TABLE = (
    # --- the text
    Rule("empty", None, "the key of an empty text; None: no special key", c="const char*", may_be_none=True),
    Rule("verbatim", (), 'texts that are their own keys; "x*" means all that begin with x', c="const Names*"),
    Rule(
        "trim",
        "c0-space",
        "the bytes that are removed at both ends of the text",
        {"none": "", "c0-space": "", "whitespace": "TAB LF VT FF CR and space"},
    ),
    Rule("remove_tabs", True, "TAB, LF and CR are removed everywhere"),
    Rule("fragment_first", False, "the fragment is cut off before anything else"),
    Rule("decode_first", False, "all escapes are decoded, repeatedly, before the split"),
    Rule(
        "scheme_sign",
        ":",
        "what must follow a name that is read as a scheme",
        {":": '":"', ":/": '":/"', "listed": '"://" after a scheme that the rule "schemes" lists'},
    ),
    Rule("default_scheme", "", "what is put before a text that has no scheme", c="const char*"),
    Rule("schemes", (), "the schemes of texts that are not rejected; (): all schemes", c="const char*"),
    Rule("repair_schemes", False, 'only the last scheme of "http://https://" is kept'),
    Rule("collapse_authority_slashes", False, 'only two slashes of "http:////host" are kept'),
    Rule(
        "backslashes",
        "keep",
        "what happens to backslashes",
        {"keep": "", "special": 'with a special scheme, "\\" before "?" or "#" becomes "/"', "refuse": ""},
    ),
    # --- the split
    Rule("dialect", "stdlib", "the dialect whose grammar finds the components", c="Dialect"),
    Rule(
        "authority",
        "last-at",
        "where user information ends",
        {
            "last-at": 'user information ends at the last "@"',
            "first-at": 'user information ends at the first "@"',
            "whole": 'user information ends at the last "@"; all that follows is the host, and there is no port',
        },
    ),
    Rule("host_from_path", False, "if an http or https URL has no host, the first segment of its path is the host"),
    Rule(
        "path_params_schemes",
        (),
        'the schemes whose last segment has parameters after ";" (see path_params_safe)',
        c="const char*",
    ),
    Rule(
        "brackets",
        "any",
        "what a host with brackets must be",
        {
            "any": "",
            "paired": 'the first "[...]" must hold an address',
            "whole": 'a host with brackets must be "[...]" with an address',
        },
    ),
    Rule(
        "ports",
        "any",
        "which ports a URL may have",
        {
            "any": "a port that is not a number is rejected",
            "16-bit": "a port that is not a number up to 65535 is rejected",
            "after-colons": 'like 16-bit, but each ":" at the end is removed first',
        },
    ),
    Rule(
        "host_required",
        "no",
        "whether a URL must have a host",
        {"no": "", "or-rest": "an empty host is rejected if nothing but a fragment follows it", "yes": ""},
    ),
    # --- the authority
    Rule(
        "scheme",
        "lower",
        "how the scheme is written; a SURT without a host always has its scheme",
        {"lower": "", "keep": "", "http": "https becomes http", "drop": ""},
    ),
    Rule(
        "userinfo",
        "keep",
        "what happens to user and password",
        {"keep": "", "requote": "user and password are decoded, then encoded", "drop": ""},
    ),
    Rule(
        "userinfo_safe",
        "",
        "the bytes of user information that are not encoded, besides unreserved bytes",
        c="Recoding",
    ),
    Rule("host_decode", "none", "which escapes in the host are decoded", _DECODE),
    Rule(
        "idna",
        "none",
        "how a host that is not ASCII becomes ASCII",
        {
            "none": "",
            "2003": "",
            "nfkc-2003": "lower case, then NFKC, then IDNA 2003",
            "2003-ignoring": "bytes that are not UTF-8 are removed, then IDNA 2003",
            "uts46": "",
        },
    ),
    Rule("idna_required", False, "a text whose host IDNA rejects is rejected; False: the host stays, in lower case"),
    Rule(
        "dots",
        "keep",
        "which dots of the host are removed",
        {
            "keep": "",
            "trailing": "one dot at the end is removed",
            "pairs": 'each ".." becomes "."; dots at the ends are removed',
            "squeeze": "each run of dots becomes one dot; dots at the ends are removed",
        },
    ),
    Rule(
        "ipv4",
        "keep",
        "which hosts are IPv4 addresses",
        {
            "keep": "",
            "inet_aton": "a decimal number modulo 2**32, or up to 4 decimal or octal numbers, is an address",
            "four": "a decimal number modulo 2**32, or four numbers up to 255, is an address",
            "any": "1 to 4 decimal, octal or hexadecimal numbers, without their high bits, are an address",
        },
    ),
    Rule(
        "ipv6",
        "keep",
        "how an IPv6 address is written",
        {
            "keep": "",
            "rfc5952": "",
            "bare": "the host is the text between the brackets",
            "bare-without-dots": 'like bare, unless the host has a "."',
            "bracketed": 'brackets are kept if a ":" is within them, otherwise removed',
        },
    ),
    Rule(
        "host_case",
        "lower",
        "the case of the host",
        {
            "keep": "",
            "lower": "",
            "lower-escapes": "lower case, also for the digits of escapes",
            "lower-name": 'lower case up to the first "%"',
        },
    ),
    Rule(
        "host_safe",
        None,
        "the ASCII bytes that are kept besides unreserved bytes; None: all are kept",
        c="Recoding",
        may_be_none=True,
    ),
    Rule(
        "host_others",
        "keep",
        "what happens to the bytes of the host that host_safe does not keep",
        {"keep": "", "encode": "", "refuse": ""},
    ),
    Rule(
        "www",
        "keep",
        "whether a first label www is removed",
        {"keep": "", "one": 'a first label "www", "www1" and so on is removed', "all": ""},
    ),
    Rule("www_needs_dot", False, "www is removed only if the rest of the host has a dot"),
    Rule(
        "port",
        "keep",
        "which ports are dropped",
        {
            "keep": "",
            "drop-default": "",
            "drop-http-default": "port 80 of http and port 443 of https are dropped",
            "drop-http-default-and-0": "port 80 of http, 443 of https, and 0 of any scheme are dropped",
            "drop": "",
        },
    ),
    # --- the path
    Rule("path_decode", "none", "which escapes in the path are decoded", _DECODE),
    Rule("path_keep", "", 'the bytes whose escapes are kept if path_decode is "once"'),
    Rule(
        "path_safe",
        "!$&'()*+,;=:@/%",
        "the bytes that are kept besides unreserved bytes; None: all are kept",
        c="Recoding",
        may_be_none=True,
    ),
    Rule(
        "path_params_safe",
        "!$&'()*+,;=:@/%",
        "the bytes of the parameters of the path that are not encoded",
        c="Recoding",
    ),
    Rule(
        "empty_path",
        "keep",
        "what an empty path becomes",
        {
            "keep": "",
            "slash": 'an empty path becomes "/"',
            "slash-after-host-or-before-query": 'an empty path becomes "/" after a host or before a query',
            "slash-before-special-query": 'an empty path becomes "/" if the scheme is special and a query follows',
        },
    ),
    Rule(
        "dot_segments",
        "none",
        "how dot segments are removed",
        {"none": "", "rfc3986": "", "wayback": '".." at the root is kept; a dot segment at the end leaves no slash'},
    ),
    Rule("merge_slashes", False, '"//" in the path becomes "/"'),
    Rule("path_lower", False, "the path is put in lower case"),
    Rule("path_sessions", False, "folders that are session identifiers are removed"),
    Rule(
        "trailing_slash",
        "keep",
        'whether a "/" at the end of the path is removed',
        {"keep": "", "strip-unless-root": "", "strip": ""},
    ),
    # --- the query
    Rule("query", "keep", "whether the query is kept", {"keep": "", "drop": ""}),
    Rule("split_params", True, "the query is read as parameters"),
    Rule(
        "params_reading",
        "raw",
        "how parameters are read",
        {"raw": "", "form": "fields are decoded, then encoded as in forms"},
    ),
    Rule("param_separators", "&", "one or two bytes that separate fields; the first is written", c="uint8_t[2]"),
    Rule("keep_empty_params", True, 'empty fields, as in "&&", are kept'),
    Rule("keep_nameless_params", True, 'a field without a name, such as "=1", is kept'),
    Rule(
        "blank_values",
        "keep",
        'what happens to a field without a value, such as "a="',
        {"keep": "", "drop": "", "bare": '"a=" becomes "a"'},
    ),
    Rule("query_decode", "none", "which escapes in the query are decoded", _DECODE),
    Rule(
        "query_safe",
        "!$&'()*+,;=:@/?%",
        "the bytes of the query that are not encoded, besides unreserved bytes",
        c="Recoding",
    ),
    Rule(
        "special_query_safe",
        None,
        "replaces query_safe for special schemes; None: query_safe serves for all",
        c="Recoding",
        may_be_none=True,
    ),
    Rule("query_lower", False, "the query is put in lower case"),
    Rule("query_sessions", False, "session identifiers in the query are removed"),
    Rule("empty_query", False, 'a "?" that nothing follows is kept'),
    Rule(
        "sort_params",
        "none",
        "how parameters are sorted",
        {
            "none": "",
            "pairs": 'by name, then by whether "=" follows, then by value',
            "names": "by name; equal names keep their order",
            "decoded-names": "by decoded name; equal names keep their order",
        },
    ),
    Rule("remove_params", (), 'names of fields that are dropped; "x*" means all that begin with x', c="const Names*"),
    # --- the rest
    Rule(
        "fragment",
        "drop",
        "whether the fragment is kept",
        {"drop": "", "keep": "", "routes": 'kept if it begins with "/" or "!"'},
    ),
    Rule(
        "fragment_safe",
        "!$&'()*+,;=:@/?%",
        "the bytes of the fragment that are not encoded, besides unreserved bytes",
        c="Recoding",
    ),
    Rule("key_form", "url", "the form of the key", {"url": "", "surt": "", "bare": 'a URL without scheme and "//"'}),
    Rule("trailing_comma", False, 'a SURT has a comma before its ")"'),
    Rule("reverse_addresses", True, "a SURT reverses IPv4 addresses as it reverses names"),
    # --- for the keys of single libraries
    Rule("nfkc_refused", "", "a text is rejected if NFKC makes one of these bytes in its authority", c="const char*"),
    Rule(
        "no_authority",
        "none",
        "what is written before the path if there is no authority",
        {
            "none": "",
            "urllib": '"//" where urllib.parse writes it',
            "urllib-3.11": '"//" where urllib.parse of CPython 3.11 writes it',
            "whatwg": '"/." before a path that begins with "//"',
        },
    ),
    Rule("netloc_schemes", (), 'the schemes for which urllib.parse writes "//" before a path', c="const char*"),
    Rule("sorted_schemes", (), "the schemes whose queries are read as fields; (): all schemes", c="const char*"),
)
CHOICES: dict[str, tuple[str, ...]] = {rule.name: tuple(rule.choices) for rule in TABLE if rule.choices}
DEFAULTS: dict[str, Any] = {rule.name: rule.default for rule in TABLE}
