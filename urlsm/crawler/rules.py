"""The rules of a profile: the table of their names, defaults, values and meaning.

From it tools/tables.py writes rules.pxd: the struct as C sees it, and the function that sets it.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Rule(NamedTuple):
    """A field of a profile."""

    name: str
    default: Any  # the default value
    meaning: str = ""
    choices: dict[str, str] | None = None  # the words that it may be, if it is a word, and what each means
    c: str = ""  # the type of its member in C, if it is neither a word nor a flag
    may_be_none: bool = False

    def value(self, given: Any) -> Any:
        """Return a value for C: the number of a word, a flag, octets. A list of schemes has a space around each."""
        if self.choices:
            return [*self.choices].index(given)
        if isinstance(given, tuple) and self.c == "const char*":
            given = f" {' '.join(given)} " if given else ""
        return given.encode("ascii") if isinstance(given, str) else given


_UNESCAPE = {
    "nothing": '"%" is an octet like others',
    "once": "all but those kept",
    "unreserved": "only these; others in upper case",
    "repeatedly": "until nothing is left to decode",
}

TABLE = (
    # --- the text
    Rule("empty", None, "the key of an empty text; None: it is read like others", c="const char*", may_be_none=True),
    Rule("verbatim", (), 'texts that are their own keys; a "*" at the end: all that begin so', c="const Names*"),
    Rule(
        "trim",
        "c0-space",
        "what goes at the ends",
        {"nothing": "", "c0-space": "", "whitespace": "TAB LF VT FF CR and space"},
    ),
    Rule("remove_tabs", True, "TAB, LF and CR go everywhere"),
    Rule("fragment_first", False, "the fragment is cut off before anything else"),
    Rule("unescape_first", False, "all escapes are decoded, repeatedly, before the split"),
    Rule(
        "scheme_sign",
        ":",
        "what must follow a scheme for it to be one",
        {":": '":"', ":/": '":/"', "listed": '"://" after one of the schemes that are read'},
    ),
    Rule("default_scheme", "", "the scheme of a text without one", c="const char*"),
    Rule("schemes", (), "the schemes that are read; (): all", c="const char*"),
    Rule("repair_schemes", False, 'of "http://https://" the last counts'),
    Rule("many_slashes", False, 'of "http:////host" two slashes stay'),
    Rule(
        "backslashes",
        "keep",
        "",
        {"keep": "", "special": '"/" in the authority and path of a special scheme', "refuse": ""},
    ),
    # --- the split
    Rule("dialect", "stdlib", "whose grammar finds the components", c="Dialect"),
    Rule(
        "authority",
        "last-at",
        'where user information ends; "whole": what follows it is all host',
        {
            "last-at": 'user information goes up to the last "@"',
            "first-at": "to the first one",
            "whole": 'as a text: what follows the last "@" is all host',
        },
    ),
    Rule("host_from_path", False, "http without a host takes the first segment of the path"),
    Rule(
        "params",
        (),
        'the schemes in which ";" and what follows in the path\'s last segment stays as it is',
        c="const char*",
    ),
    Rule(
        "brackets",
        "any",
        "",
        {"any": "", "paired": 'the first "[...]" holds an address', "whole": "and is the whole host"},
    ),
    Rule(
        "ports",
        "any",
        "",
        {
            "any": "a port that is not a number is refused",
            "16-bit": "and what exceeds 65535",
            "after-colons": '":" at the end go first',
        },
    ),
    Rule("nfkc_refused", "", "what NFKC of the authority must not bring in", c="const char*"),
    Rule(
        "host_required", "no", "", {"no": "", "or-rest": "a host, or something behind the empty authority", "yes": ""}
    ),
    # --- the authority
    Rule(
        "scheme",
        "lower",
        "dropped from a SURT without a host it stays as it is",
        {"lower": "", "keep": "", "http": "https becomes http", "drop": ""},
    ),
    Rule("userinfo", "keep", "", {"keep": "", "requote": "user and password decoded and encoded anew", "drop": ""}),
    Rule("userinfo_set", "", c="Recoding"),
    Rule("host_unescape", "nothing", "", _UNESCAPE),
    Rule(
        "idna",
        "none",
        "",
        {
            "none": "",
            "2003": "",
            "nfkc-2003": "after lower-casing and NFKC of the whole",
            "2003-ignoring": "octets that are not UTF-8 go",
            "uts46": "",
        },
    ),
    Rule("idna_required", False, "a host that IDNA refuses is refused; else it stays"),
    Rule(
        "dots",
        "keep",
        "",
        {
            "keep": "",
            "trailing": "one at the end goes",
            "pairs": '".." becomes ".", once; those at the ends go',
            "squeeze": "runs become one; those at the ends go",
        },
    ),
    Rule(
        "ipv4",
        "keep",
        "",
        {
            "keep": "",
            "inet_aton": "digits alone modulo 2**32; inet_aton's forms of decimal and octal",
            "four": "digits alone; or four numbers up to 255",
            "any": "one to four decimal, octal or hexadecimal numbers, high bits cut",
        },
    ),
    Rule(
        "ipv6",
        "keep",
        "",
        {
            "keep": "",
            "rfc5952": "",
            "bare": "what is between the brackets",
            "bare-without-dots": 'where that holds no "."',
            "bracketed": 'in brackets where it holds ":", else bare',
        },
    ),
    Rule(
        "host_case",
        "lower",
        "",
        {"keep": "", "lower": "", "lower-escapes": "and its escapes too", "lower-name": 'up to "%"'},
    ),
    Rule(
        "host_set",
        None,
        "ASCII octets kept beside the unreserved ones; None: all octets",
        c="Recoding",
        may_be_none=True,
    ),
    Rule("host_others", "keep", "", {"keep": "", "encode": "", "refuse": ""}),
    Rule("www", "keep", "", {"keep": "", "one": 'one "www" with any digits goes', "all": ""}),
    Rule("www_needs_dot", False, "only where another dot follows"),
    Rule(
        "port",
        "keep",
        "",
        {
            "keep": "",
            "drop-default": "",
            "drop-http-default": "only http's 80, https's 443",
            "drop-http-default-and-0": "and 0",
            "drop": "",
        },
    ),
    Rule(
        "no_authority",
        "nothing",
        "what is written in place of an authority",
        {
            "nothing": "",
            "urllib": '"//" where urllib.parse has it',
            "urllib-3.11": "where CPython 3.11's has it",
            "whatwg": '"/." before a path that begins with "//"',
        },
    ),
    Rule("netloc_schemes", (), 'for urllib: the schemes before whose paths it writes "//"', c="const char*"),
    # --- the path
    Rule("path_unescape", "nothing", "", _UNESCAPE),
    Rule("path_keep", "", "octets whose escapes stay, in upper case"),
    Rule(
        "path_set",
        "!$&'()*+,;=:@/%",
        "octets kept beside the unreserved ones, others are encoded; None: all octets",
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
            "slash-after-host-or-before-query": "where a host precedes it or a query follows",
            "slash-before-special-query": "where a query follows, of a special scheme",
        },
    ),
    Rule(
        "resolve",
        "nothing",
        "dot segments",
        {"nothing": "", "rfc3986": "", "wayback": '".." at the root stays, a "." or ".." at the end leaves no slash'},
    ),
    Rule("merge_slashes", False),
    Rule("path_lower", False),
    Rule("path_sessions", False, "folders with session identifiers go"),
    Rule("trailing_slash", "keep", "", {"keep": "", "strip-unless-root": "", "strip": ""}),
    # --- the query
    Rule("query", "keep", "", {"keep": "", "drop": ""}),
    Rule("split_fields", True),
    Rule("fields", "raw", "", {"raw": "", "form": "decoded and written as forms are"}),
    Rule("separators", "&", "the first is written; a second one may separate too", c="uint8_t[2]"),
    Rule("empty_fields", True, '"&&"; False: they go'),
    Rule("nameless", True, '"=1"; False: they go'),
    Rule("blanks", "keep", '"a="; "bare": becomes "a"', {"keep": "", "drop": "", "bare": '"a=" becomes "a"'}),
    Rule("query_unescape", "nothing", "", _UNESCAPE),
    Rule("query_set", "!$&'()*+,;=:@/?%", c="Recoding"),
    Rule(
        "special_query_set",
        None,
        "of the URL Standard's special schemes; None: the same",
        c="Recoding",
        may_be_none=True,
    ),
    Rule("query_lower", False),
    Rule("query_sessions", False),
    Rule("empty_query", False, '"?" alone stays'),
    Rule(
        "sort",
        "nothing",
        "",
        {
            "nothing": "",
            "pairs": 'by name, "=", value',
            "names": "by name, stable",
            "decoded-names": "by decoded name, stable",
        },
    ),
    Rule("sorted_schemes", (), "the schemes whose queries have fields; (): all", c="const char*"),
    Rule("remove", (), 'names of fields that go; a "*" at the end: all that begin so', c="const Names*"),
    # --- the rest
    Rule("fragment", "drop", "", {"drop": "", "keep": "", "routes": 'kept where it begins with "/" or "!"'}),
    Rule("fragment_set", "!$&'()*+,;=:@/?%", c="Recoding"),
    Rule("form", "url", "", {"url": "", "surt": "", "bare": 'without "//" before the host'}),
    Rule("trailing_comma", False, "of a SURT"),
    Rule("reverse_addresses", True, "IPv4 addresses too, in a SURT"),
)
CHOICES: dict[str, tuple[str, ...]] = {rule.name: tuple(rule.choices) for rule in TABLE if rule.choices}
DEFAULTS: dict[str, Any] = {rule.name: rule.default for rule in TABLE}
