"""The rules of a profile: a table with their names, defaults, possible values and meanings.

tools/tables.py writes rules.pxd from it: the struct that C sees, and the function that sets it.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Rule(NamedTuple):
    """A field of a profile."""

    name: str
    default: Any  # the value of a profile that does not set the field
    meaning: str = ""
    choices: dict[str, str] | None = None  # the possible values of a field that is a word, and the meaning of each
    c: str = ""  # the type in C of a field that is neither a word nor a flag
    may_be_none: bool = False

    def value(self, given: Any) -> Any:
        """Return a value as C gets it: the number of a word, a flag, or octets. A list of schemes becomes octets with a
        space around each scheme."""
        if self.choices:
            return [*self.choices].index(given)
        if isinstance(given, tuple) and self.c == "const char*":
            given = f" {' '.join(given)} " if given else ""
        return given.encode("ascii") if isinstance(given, str) else given


_UNESCAPE = {
    "nothing": '"%" is treated like any other octet',
    "once": "decodes each escape once, but in a path not those of path_keep",
    "unreserved": "decodes escapes of unreserved octets, writes others in upper case",
    "repeatedly": "decodes until no escape is left",
}

TABLE = (
    # --- the text
    Rule("empty", None, "the key of an empty text; None: it has no special key", c="const char*", may_be_none=True),
    Rule("verbatim", (), 'texts that are their own keys; "x*" means all that begin with x', c="const Names*"),
    Rule(
        "trim",
        "c0-space",
        "what is removed at both ends",
        {"nothing": "", "c0-space": "", "whitespace": "TAB LF VT FF CR and space"},
    ),
    Rule("remove_tabs", True, "TAB, LF and CR are removed everywhere"),
    Rule("fragment_first", False, "the fragment is cut off before anything else"),
    Rule("unescape_first", False, "all escapes are decoded, repeatedly, before the split"),
    Rule(
        "scheme_sign",
        ":",
        "what must follow a name, or it is not read as a scheme",
        {":": '":"', ":/": '":/"', "listed": '"://" after one of the schemes that are read'},
    ),
    Rule("default_scheme", "", "what is put before a text that has no scheme", c="const char*"),
    Rule("schemes", (), "the schemes that are read; others are refused. (): all are read", c="const char*"),
    Rule("repair_schemes", False, 'only the last scheme of "http://https://" is kept'),
    Rule("many_slashes", False, 'only two slashes of "http:////host" are kept'),
    Rule(
        "backslashes",
        "keep",
        "",
        {"keep": "", "special": 'becomes "/" in the authority and path of a special scheme', "refuse": ""},
    ),
    # --- the split
    Rule("dialect", "stdlib", "the dialect whose grammar finds the components", c="Dialect"),
    Rule(
        "authority",
        "last-at",
        "where user information ends",
        {
            "last-at": 'user information ends at the last "@"',
            "first-at": 'it ends at the first "@"',
            "whole": 'it ends at the last "@"; all that follows is the host, without a port',
        },
    ),
    Rule("host_from_path", False, "if an http URL has no host, the first segment of its path is the host"),
    Rule(
        "params",
        (),
        'schemes whose last segment has parameters after ";", encoded by params_set',
        c="const char*",
    ),
    Rule(
        "brackets",
        "any",
        "",
        {"any": "", "paired": 'the first "[...]" must hold an address', "whole": "the host must be such a pair"},
    ),
    Rule(
        "ports",
        "any",
        "",
        {
            "any": "a port that is not a number is refused",
            "16-bit": "a number above 65535 is refused, too",
            "after-colons": 'like 16-bit, but each ":" at the end is removed first',
        },
    ),
    Rule("nfkc_refused", "", "a text is refused if NFKC brings one of these into its authority", c="const char*"),
    Rule(
        "host_required",
        "no",
        "",
        {"no": "", "or-rest": "a host, or something after the empty authority, is required", "yes": ""},
    ),
    # --- the authority
    Rule(
        "scheme",
        "lower",
        "a SURT without a host always has its scheme",
        {"lower": "", "keep": "", "http": "https becomes http", "drop": ""},
    ),
    Rule("userinfo", "keep", "", {"keep": "", "requote": "user and password are decoded, then encoded", "drop": ""}),
    Rule("userinfo_set", "", c="Recoding"),
    Rule("host_unescape", "nothing", "", _UNESCAPE),
    Rule(
        "idna",
        "none",
        "",
        {
            "none": "",
            "2003": "",
            "nfkc-2003": "IDNA 2003 of the lower case and NFKC of the whole host",
            "2003-ignoring": "IDNA 2003 of the host without octets that are not UTF-8",
            "uts46": "",
        },
    ),
    Rule("idna_required", False, "a host that IDNA refuses is refused; False: it is kept"),
    Rule(
        "dots",
        "keep",
        "",
        {
            "keep": "",
            "trailing": "one dot at the end is removed",
            "pairs": 'each ".." becomes "."; dots at the ends are removed',
            "squeeze": "each run becomes one dot; dots at the ends are removed",
        },
    ),
    Rule(
        "ipv4",
        "keep",
        "",
        {
            "keep": "",
            "inet_aton": "reads digits modulo 2**32, or decimal and octal numbers like inet_aton",
            "four": "reads digits, or four numbers up to 255",
            "any": "reads 1 to 4 decimal, octal or hexadecimal numbers, cutting high bits",
        },
    ),
    Rule(
        "ipv6",
        "keep",
        "",
        {
            "keep": "",
            "rfc5952": "",
            "bare": "the host is the text between the brackets",
            "bare-without-dots": 'the same, unless the host has a "."',
            "bracketed": 'brackets are kept if a ":" is within them, else removed',
        },
    ),
    Rule(
        "host_case",
        "lower",
        "",
        {"keep": "", "lower": "", "lower-escapes": "lower, also in escapes", "lower-name": 'lower before "%"'},
    ),
    Rule(
        "host_set",
        None,
        "the ASCII octets that are kept besides the unreserved ones; None: all are kept",
        c="Recoding",
        may_be_none=True,
    ),
    Rule("host_others", "keep", "", {"keep": "", "encode": "", "refuse": ""}),
    Rule("www", "keep", "", {"keep": "", "one": 'one "www" with its digits and "." is removed', "all": ""}),
    Rule("www_needs_dot", False, "www is removed only if the rest of the host has another dot"),
    Rule(
        "port",
        "keep",
        "",
        {
            "keep": "",
            "drop-default": "",
            "drop-http-default": "drops 80 of http and 443 of https",
            "drop-http-default-and-0": "drops these, and 0 of any scheme",
            "drop": "",
        },
    ),
    Rule(
        "no_authority",
        "nothing",
        "what is written in place of an authority",
        {
            "nothing": "",
            "urllib": 'writes "//" where urllib.parse does',
            "urllib-3.11": 'writes "//" where urllib.parse of CPython 3.11 does',
            "whatwg": 'writes "/." before a path that begins with "//"',
        },
    ),
    Rule("netloc_schemes", (), 'the schemes for which "urllib" writes "//" before a path', c="const char*"),
    # --- the path
    Rule("path_unescape", "nothing", "", _UNESCAPE),
    Rule("path_keep", "", "octets whose escapes are kept, in upper case"),
    Rule(
        "path_set",
        "!$&'()*+,;=:@/%",
        "the octets that are kept besides the unreserved ones; None: all are kept",
        c="Recoding",
        may_be_none=True,
    ),
    Rule("params_set", "!$&'()*+,;=:@/%", c="Recoding"),
    Rule(
        "empty_path",
        "keep",
        "",
        {
            "keep": "",
            "slash": 'becomes "/"',
            "slash-after-host-or-before-query": 'becomes "/" after a host, or before a query',
            "slash-before-special-query": 'becomes "/" before a query, if the scheme is special',
        },
    ),
    Rule(
        "resolve",
        "nothing",
        "how dot segments are removed",
        {"nothing": "", "rfc3986": "", "wayback": '".." at the root is kept; a dot segment at the end leaves no slash'},
    ),
    Rule("merge_slashes", False),
    Rule("path_lower", False),
    Rule("path_sessions", False, "folders that are session identifiers are removed"),
    Rule("trailing_slash", "keep", "", {"keep": "", "strip-unless-root": "", "strip": ""}),
    # --- the query
    Rule("query", "keep", "", {"keep": "", "drop": ""}),
    Rule("split_fields", True),
    Rule("fields", "raw", "", {"raw": "", "form": "fields are decoded, then encoded as in forms"}),
    Rule("separators", "&", "the first one is written; the second one also separates fields", c="uint8_t[2]"),
    Rule("empty_fields", True, 'empty fields, as in "&&", are kept'),
    Rule("nameless", True, 'a field without a name, such as "=1", is kept'),
    Rule(
        "blanks", "keep", 'a field without a value, such as "a="', {"keep": "", "drop": "", "bare": '"a=" becomes "a"'}
    ),
    Rule("query_unescape", "nothing", "", _UNESCAPE),
    Rule("query_set", "!$&'()*+,;=:@/?%", c="Recoding"),
    Rule(
        "special_query_set",
        None,
        "the query_set of special schemes; None: the same set",
        c="Recoding",
        may_be_none=True,
    ),
    Rule("query_lower", False),
    Rule("query_sessions", False),
    Rule("empty_query", False, 'a "?" that nothing follows is kept'),
    Rule(
        "sort",
        "nothing",
        "",
        {
            "nothing": "",
            "pairs": 'by name, then by whether "=" follows, then by value',
            "names": "by name; equal names keep their order",
            "decoded-names": "by decoded name; equal names keep their order",
        },
    ),
    Rule("sorted_schemes", (), "the schemes whose queries are read as fields; (): all schemes", c="const char*"),
    Rule("remove", (), 'names of fields that are dropped; "x*" means all that begin with x', c="const Names*"),
    # --- the rest
    Rule("fragment", "drop", "", {"drop": "", "keep": "", "routes": 'kept if it begins with "/" or "!"'}),
    Rule("fragment_set", "!$&'()*+,;=:@/?%", c="Recoding"),
    Rule("form", "url", "", {"url": "", "surt": "", "bare": 'a URL without scheme and "//"'}),
    Rule("trailing_comma", False, 'a SURT has a comma before its ")"'),
    Rule("reverse_addresses", True, "a SURT reverses IPv4 addresses too"),
)
CHOICES: dict[str, tuple[str, ...]] = {rule.name: tuple(rule.choices) for rule in TABLE if rule.choices}
DEFAULTS: dict[str, Any] = {rule.name: rule.default for rule in TABLE}
