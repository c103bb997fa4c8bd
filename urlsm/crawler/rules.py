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
    choices: dict[str, str] | None = None  # for a field that is a word: the possible words, and the meaning of each
    c: str = ""  # for a field that is neither a word nor a flag: its type in C
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
    "nothing": '"%" is an octet like others',
    "once": "all but those of path_keep",
    "unreserved": "only unreserved octets; the other escapes in upper case",
    "repeatedly": "until nothing is left to decode",
}

TABLE = (
    # --- the text
    Rule("empty", None, "the key of an empty text; None: like other texts", c="const char*", may_be_none=True),
    Rule("verbatim", (), 'texts that are their own keys; "x*": all that begin with x', c="const Names*"),
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
        "what must follow a scheme for it to be one",
        {":": '":"', ":/": '":/"', "listed": '"://" after one of the schemes that are read'},
    ),
    Rule("default_scheme", "", "the scheme of a text without one", c="const char*"),
    Rule("schemes", (), "the schemes that are read; (): all", c="const char*"),
    Rule("repair_schemes", False, 'of "http://https://" only the last is kept'),
    Rule("many_slashes", False, 'of "http:////host" only two slashes are kept'),
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
        "where user information ends",
        {
            "last-at": 'user information goes up to the last "@"',
            "first-at": "to the first one",
            "whole": 'after the last "@" all is host, without a port',
        },
    ),
    Rule("host_from_path", False, "for http without a host, the first segment of the path is the host"),
    Rule(
        "params",
        (),
        'schemes whose last segment has parameters after ";", which have a set of their own',
        c="const char*",
    ),
    Rule(
        "brackets",
        "any",
        "",
        {"any": "", "paired": 'the first "[...]" holds an address', "whole": "that, and the host holds nothing else"},
    ),
    Rule(
        "ports",
        "any",
        "",
        {
            "any": "a port that is not a number is refused",
            "16-bit": "so is a number above 65535",
            "after-colons": 'after ":" at its end were removed',
        },
    ),
    Rule("nfkc_refused", "", "characters that NFKC must not bring into the authority", c="const char*"),
    Rule("host_required", "no", "", {"no": "", "or-rest": "a host, or something after the empty authority", "yes": ""}),
    # --- the authority
    Rule(
        "scheme",
        "lower",
        "a SURT without a host always has it",
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
            "nfkc-2003": "after lower case and NFKC of the whole host",
            "2003-ignoring": "without the octets that are not UTF-8",
            "uts46": "",
        },
    ),
    Rule("idna_required", False, "a host that IDNA refuses is refused; False: it stays"),
    Rule(
        "dots",
        "keep",
        "",
        {
            "keep": "",
            "trailing": "without one at the end",
            "pairs": '".." becomes ".", once; none at the ends',
            "squeeze": "a run becomes one; none at the ends",
        },
    ),
    Rule(
        "ipv4",
        "keep",
        "",
        {
            "keep": "",
            "inet_aton": "digits alone, modulo 2**32; or decimal and octal as for inet_aton",
            "four": "digits alone, or four numbers up to 255",
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
            "bare-without-dots": 'the same, if no "." is between them',
            "bracketed": 'in brackets if it holds ":", else bare',
        },
    ),
    Rule(
        "host_case",
        "lower",
        "",
        {"keep": "", "lower": "", "lower-escapes": "its escapes too", "lower-name": 'but not from "%" on'},
    ),
    Rule(
        "host_set",
        None,
        "ASCII octets kept beside the unreserved ones; None: all octets",
        c="Recoding",
        may_be_none=True,
    ),
    Rule("host_others", "keep", "", {"keep": "", "encode": "", "refuse": ""}),
    Rule("www", "keep", "", {"keep": "", "one": 'without one "www" and its digits', "all": ""}),
    Rule("www_needs_dot", False, "only if another dot follows"),
    Rule(
        "port",
        "keep",
        "",
        {
            "keep": "",
            "drop-default": "",
            "drop-http-default": "80 of http, 443 of https",
            "drop-http-default-and-0": "these, and 0 of any scheme",
            "drop": "",
        },
    ),
    Rule(
        "no_authority",
        "nothing",
        "what is written in place of an authority",
        {
            "nothing": "",
            "urllib": '"//" where urllib.parse writes it',
            "urllib-3.11": "where that of CPython 3.11 writes it",
            "whatwg": '"/." before a path that begins with "//"',
        },
    ),
    Rule("netloc_schemes", (), 'for "urllib": schemes that get "//" before their paths', c="const char*"),
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
            "slash-after-host-or-before-query": "if a host precedes it, or a query follows",
            "slash-before-special-query": "if the scheme is special, and a query follows",
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
    Rule("path_sessions", False, "without folders of session identifiers"),
    Rule("trailing_slash", "keep", "", {"keep": "", "strip-unless-root": "", "strip": ""}),
    # --- the query
    Rule("query", "keep", "", {"keep": "", "drop": ""}),
    Rule("split_fields", True),
    Rule("fields", "raw", "", {"raw": "", "form": "decoded, and encoded as in forms"}),
    Rule("separators", "&", "the first is written; the second separates too", c="uint8_t[2]"),
    Rule("empty_fields", True, 'those of "&&" are kept'),
    Rule("nameless", True, '"=1" is kept'),
    Rule("blanks", "keep", 'fields without a value: "a="', {"keep": "", "drop": "", "bare": '"a=" becomes "a"'}),
    Rule("query_unescape", "nothing", "", _UNESCAPE),
    Rule("query_set", "!$&'()*+,;=:@/?%", c="Recoding"),
    Rule(
        "special_query_set",
        None,
        "for special schemes; None: query_set",
        c="Recoding",
        may_be_none=True,
    ),
    Rule("query_lower", False),
    Rule("query_sessions", False),
    Rule("empty_query", False, '"?" alone is kept'),
    Rule(
        "sort",
        "nothing",
        "",
        {
            "nothing": "",
            "pairs": 'by name, "=", value',
            "names": "by name; equal names keep their order",
            "decoded-names": "by decoded name; equal names keep their order",
        },
    ),
    Rule("sorted_schemes", (), "the schemes whose queries have fields; (): all schemes", c="const char*"),
    Rule("remove", (), 'names of fields that are dropped; "x*": all that begin with x', c="const Names*"),
    # --- the rest
    Rule("fragment", "drop", "", {"drop": "", "keep": "", "routes": 'kept if it begins with "/" or "!"'}),
    Rule("fragment_set", "!$&'()*+,;=:@/?%", c="Recoding"),
    Rule("form", "url", "", {"url": "", "surt": "", "bare": 'without "//" before the host'}),
    Rule("trailing_comma", False, 'a SURT has one before its ")"'),
    Rule("reverse_addresses", True, "a SURT reverses IPv4 addresses too"),
)
CHOICES: dict[str, tuple[str, ...]] = {rule.name: tuple(rule.choices) for rule in TABLE if rule.choices}
DEFAULTS: dict[str, Any] = {rule.name: rule.default for rule in TABLE}
