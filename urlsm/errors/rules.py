"""The named violations: one table of codes, messages and references, for errors, validate() and the docs.

The first rows are in the URL Standard's order (https://url.spec.whatwg.org/#validation-error); machine/codes.pxd
numbers them for C. The rules of the RFCs' grammars follow: the row says what is wrong, and the handler says which
document forbids it. A rule that applies to only one scheme is in its handler (the trait `rules`). The tests trigger
each row, because a name that no input triggers does not belong here.
"""

from __future__ import annotations

from urlsm.octets.records import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from urlsm._words import Component, Severity

__all__ = ["COMPONENTS", "RULES", "SEVERITIES", "TABLE", "Rule", "Violation", "Violations"]

SEVERITIES = ("fatal", "error", "warning")
COMPONENTS = ("scheme", "userinfo", "host", "port", "path", "query", "fragment", "authority", "url")


class Rule(NamedTuple):
    """A row of TABLE: a code, a message for people, and the document that defines the rule."""

    code: str
    message: str
    reference: str


class Violation(NamedTuple):
    """A rule that a URL breaks, as reported by `validate`. It does not affect how the URL is parsed.

    Attributes:
        code: the name of the rule, from the URL Standard if it defines one.
        component: "scheme", "userinfo", "host", "port", "path", "query", "fragment", "authority", or "url" if no single
            component breaks the rule.
        position: the index in the URL as given, in characters (in bytes, if the URL is bytes).
        severity: "fatal" (not a URL in this dialect), "error" (invalid, but it can be parsed) or "warning" (valid but
            unwise).
        reference: the document and section that define the rule.
        message: what is wrong, in one sentence.

    Example:
        >>> [(v.code, v.position, v.severity) for v in urlsm.validate("https://ex.com/a b")]
        [('character-not-allowed', 16, 'error')]
    """

    code: str
    component: Component
    position: int
    severity: Severity
    reference: str
    message: str


Violation.__module__ = "urlsm"


class Violations(list[Violation]):
    """A list that notebooks show as a table."""

    def _repr_html_(self) -> str:
        from urlsm.errors.notebooks import table

        heads = ("severity", "code", "component", "position", "message")
        return table(heads, [tuple(getattr(one, name) for name in heads) for one in self])


def _rows(reference: str, *rules: tuple[str, str]) -> list[Rule]:
    return [Rule(code, message, reference) for code, message in rules]


TABLE: tuple[Rule, ...] = (
    *_rows(
        "https://url.spec.whatwg.org/#idna",
        ("domain-to-ASCII", "the host is not a valid domain name (IDNA)"),
    ),
    *_rows(
        "https://url.spec.whatwg.org/#host-parsing",
        ("domain-percent-encoded", "the domain contains a percent-encoded byte"),
        ("host-invalid-code-point", "the host contains a character that is not allowed in a host"),
        ("IPv4-empty-part", 'the IPv4 address ends with "."'),
        ("IPv4-too-few-parts", "the IPv4 address has fewer than 4 parts"),
        (
            "IPv4-too-many-parts",
            "the host ends in a number, so it must be an IPv4 address, but it has more than 4 parts",
        ),
        (
            "IPv4-non-numeric-part",
            "the host ends in a number, so it must be an IPv4 address, but this part is not a number",
        ),
        ("IPv4-non-decimal-part", "this part of the IPv4 address is hexadecimal or octal"),
        ("IPv4-out-of-range-part", "this part of the IPv4 address is too large"),
        ("IPv4-non-ASCII-input", "the IPv4 address is written with non-ASCII characters"),
        ("IPv6-unclosed", 'the IPv6 address lacks its closing "]"'),
        ("IPv6-invalid-compression", 'the IPv6 address begins with a single ":"'),
        ("IPv6-too-many-pieces", "the IPv6 address has more than 8 pieces"),
        ("IPv6-multiple-compression", 'the IPv6 address has more than one "::"'),
        ("IPv6-invalid-code-point", 'expected a hexadecimal digit or ":" in the IPv6 address'),
        ("IPv6-too-few-pieces", 'the IPv6 address has fewer than 8 pieces and no "::"'),
        ("IPv6-piece-leading-zero", "this piece of the IPv6 address has a leading zero"),
        ("IPv4-in-IPv6-too-many-pieces", "too many pieces before the IPv4 address in the IPv6 address"),
        ("IPv4-in-IPv6-invalid-code-point", "a part of the IPv4 address in the IPv6 address is malformed"),
        ("IPv4-in-IPv6-out-of-range-part", "a part of the IPv4 address in the IPv6 address exceeds 255"),
        ("IPv4-in-IPv6-too-few-parts", "the IPv4 address in the IPv6 address has fewer than 4 parts"),
    ),
    *_rows(
        "https://url.spec.whatwg.org/#url-parsing",
        ("invalid-URL-unit", 'this character is not allowed in a URL, or this "%" is not followed by two hex digits'),
        ("special-scheme-missing-following-solidus", 'the scheme is not followed by exactly "//"'),
        ("missing-scheme-non-relative-URL", "the URL has no scheme (such as https:) and no base was given"),
        ("invalid-reverse-solidus", '"\\" is used instead of "/"'),
        ("invalid-credentials", "the URL includes credentials"),
        ("host-missing", "the host is missing"),
        ("port-out-of-range", "the port exceeds 65535"),
        ("port-invalid", "the port contains a character that is not a digit"),
        ("file-invalid-Windows-drive-letter", "the relative reference starts with a Windows drive letter"),
        ("file-invalid-Windows-drive-letter-host", "the host is a Windows drive letter"),
    ),
    *_rows(
        "urlsm",
        ("too-long", "the URL is longer than max_length"),
        ("scheme-not-read", "this profile does not support the scheme"),
    ),
    # --- rules of the RFCs' grammars; C has no numbers for them, see Scheme.violation ---
    *_rows(
        "RFC 3986 section 3",
        ("scheme-not-expected", "the URL does not have the expected scheme"),
        ("authority-missing", 'this scheme requires "//" and an authority'),
        ("authority-not-allowed", 'this scheme does not allow "//" and an authority'),
        ("userinfo-not-allowed", "this scheme does not allow user information"),
        ("password-not-allowed", "this scheme does not allow a password"),
        ("username-missing", "the user name is missing"),
        ("host-invalid", "the host contains a character that is not allowed here"),
        ("ip-literal-invalid", "the brackets do not contain an IPv6 address"),
        ("port-empty", 'the port after ":" is missing'),
        ("port-not-allowed", "this scheme does not allow a port here"),
        ("path-missing", "the path is missing"),
        ("path-not-allowed", "this scheme does not allow this path"),
        ("path-not-absolute", 'the path does not begin with "/"'),
        ("path-double-slash", 'the path begins with "//"'),
        ("query-missing", "the query is missing"),
        ("query-not-allowed", "this scheme does not allow a query"),
        ("fragment-not-allowed", "this scheme does not allow a fragment"),
        ("bad-percent-escape", '"%" is not followed by two hex digits'),
        ("character-not-allowed", "this character must be percent-encoded here"),
        ("nul-encoded", "this is an encoded NUL character"),
        ("line-break-encoded", "an encoded line break would end a line of the protocol"),
        ("parameter-name-missing", "a parameter has no name"),
        ("parameter-value-missing", "a parameter has no value"),
        ("parameter-missing", "a parameter that this scheme requires is missing"),
        ("parameter-value-invalid", "the parameter cannot have this value"),
        ("parameter-unknown", "this scheme does not define this parameter"),
        ("parameter-duplicate", "this parameter is repeated"),
        ("parameter-order", "this parameter must come before others"),
        ("password-deprecated", "anyone who sees the URL can read the password"),
        ("userinfo-deprecated", "a person may mistake the user information for the host"),
        ("fragment-ignored", "this scheme does not use fragments"),
        ("host-leading-hyphen", 'the host starts with "-": a shell command may read it as an option'),
    ),
    *_rows(
        "RFC 3987 section 4",
        ("bidi-formatting-character", "an IRI must not contain this invisible character, which changes the direction"),
        ("bidi-component", "this part mixes directions, so it may be displayed in another order than it is written"),
    ),
)
RULES: dict[str, Rule] = {rule.code: rule for rule in TABLE}

ABOUT = {  # for urlsm.about
    "violations": {
        "tables": "TABLE",
        "source": "URL Standard, validation errors; RFC 3986",
        "url": "https://url.spec.whatwg.org/#writing",
        "date": "2026-07",
        "licence": "CC-BY-4.0",
        "used_by": "ParseError, validate, explain",
    },
}
