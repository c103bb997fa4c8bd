"""Named violations: one table for code, text and reference; errors, validate() and the docs read it.

The rows stand in the URL Standard's order (https://url.spec.whatwg.org/#validation-error); codes.pxd
numbers them for C. A name that no input provokes is not in the table: the tests provoke each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["TABLE", "Rule", "Violation"]


class Rule(NamedTuple):
    """A row: its code, what it says, and where the rule stands."""

    code: str
    message: str
    reference: str


@dataclass(frozen=True)
class Violation:
    """A rule that a text breaks. Advisory: it never changes a result.

    Attributes:
        code: the URL Standard's name of the rule, or ours.
        component: "scheme", "userinfo", "host", "port", "path", "query", "fragment", "authority", or "url"
            where no single component is at fault.
        position: in characters of the text as given (bytes of bytes).
        severity: "fatal" (this dialect's parser refuses), "error" (the text is invalid) or
            "warning" (valid but unwise).
        reference: the section that says so.
        message: a sentence for people.
    """

    code: str
    component: str
    position: int
    severity: str
    reference: str
    message: str


def _rows(reference: str, *rules: tuple[str, str]) -> list[Rule]:
    return [Rule(code, message, reference) for code, message in rules]


TABLE: tuple[Rule, ...] = (
    *_rows(
        "https://url.spec.whatwg.org/#idna",
        ("domain-to-ASCII", "the domain is not valid under Unicode ToASCII (IDNA), or holds a forbidden code point"),
    ),
    *_rows(
        "https://url.spec.whatwg.org/#host-parsing",
        ("domain-percent-encoded", "the domain holds a percent-encoded byte"),
        ("host-invalid-code-point", "the opaque host holds a forbidden host code point"),
        ("IPv4-empty-part", 'the IPv4 address ends with "."'),
        ("IPv4-too-few-parts", "the IPv4 address has fewer than 4 parts"),
        ("IPv4-too-many-parts", "the host ends in a number, so it is an IPv4 address, and has more than 4 parts"),
        ("IPv4-non-numeric-part", "the host ends in a number, so it is an IPv4 address, and this part is no number"),
        ("IPv4-non-decimal-part", "this part of the IPv4 address is hexadecimal or octal"),
        ("IPv4-out-of-range-part", "this part of the IPv4 address exceeds its range"),
        ("IPv4-non-ASCII-input", "the IPv4 address comes from non-ASCII code points"),
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
        ("invalid-URL-unit", "not a URL code point, nor a percent-encoded byte"),
        ("special-scheme-missing-following-solidus", 'the scheme is not followed by exactly "//"'),
        ("missing-scheme-non-relative-URL", "no scheme, and no base URL that it could be relative to"),
        ("invalid-reverse-solidus", '"\\" instead of "/"'),
        ("invalid-credentials", "the URL includes credentials"),
        ("host-missing", "no host where there must be one"),
        ("port-out-of-range", "the port exceeds 65535"),
        ("port-invalid", "not a digit in the port"),
        ("file-invalid-Windows-drive-letter", "a relative reference that starts with a Windows drive letter"),
        ("file-invalid-Windows-drive-letter-host", "the host is a Windows drive letter"),
    ),
    *_rows(
        "urlsm",
        ("too-long", "longer than the limit"),
    ),
)
