"""Named violations: one table for code, text and reference; errors, validate() and the docs read it.

The first rows stand in the URL Standard's order (https://url.spec.whatwg.org/#validation-error); codes.pxd
numbers them for C. The handlers' rows follow: theirs say what is wrong, the handler says which reference forbids it.
A name that no input provokes is not in the table: the tests provoke each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["RULES", "TABLE", "Rule", "Violation"]


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
    # --- of the RFCs' grammars and the schemes' handlers: no number in C, see Scheme.violation ---
    *_rows(
        "RFC 3986 section 3",
        ("authority-missing", 'no "//" and authority, which this scheme requires'),
        ("authority-not-allowed", 'this scheme has no "//" and authority'),
        ("userinfo-not-allowed", "this scheme has no user information"),
        ("password-not-allowed", "this scheme has no password"),
        ("username-missing", "no user name where there must be one"),
        ("host-invalid", "a character that no host holds here"),
        ("ip-literal-invalid", "not an IPv6 address, nor of a future version, between the brackets"),
        ("port-empty", 'no port after ":"'),
        ("port-not-allowed", "this scheme has no port here"),
        ("path-missing", "no path where there must be one"),
        ("path-not-allowed", "this scheme has no such path"),
        ("path-not-absolute", 'the path does not begin with "/"'),
        ("path-double-slash", 'the path begins with "//"'),
        ("query-missing", "no query where there must be one"),
        ("query-not-allowed", "this scheme has no query"),
        ("fragment-not-allowed", "this scheme has no fragment"),
        ("bad-percent-escape", '"%" without two hexadecimal digits'),
        ("character-not-allowed", "a character that may not stand here unescaped"),
        ("nul-encoded", "an escaped NUL"),
        ("line-break-encoded", "an escaped line break, which would end a line of the protocol"),
        ("parameter-name-missing", "a parameter without a name"),
        ("parameter-value-missing", "a parameter without a value"),
        ("parameter-unknown", "a parameter that this scheme does not know"),
        ("parameter-duplicate", "a parameter that stands here for the second time"),
        ("parameter-order", "a parameter that must stand before others"),
        ("password-deprecated", "a password that everybody who sees the URL can read"),
        ("userinfo-deprecated", "user information, which may pass for a host"),
        ("fragment-ignored", "a fragment, which means nothing in this scheme"),
        ("host-leading-hyphen", "a host that a shell command may take for an option"),
    ),
    *_rows(
        "RFC 1738 section 3.2.2",
        ("ftp-type-unknown", "the type is not a, i or d"),
        ("sftp-type-unknown", "the type is not a, i or d"),
    ),
    *_rows(
        "RFC 4266 section 2",
        ("gopher-type-missing", "a tab where the item type should stand"),
        ("gopher-selector-forbidden-octet", "a selector holds no CR, LF or NUL"),
    ),
    *_rows(
        "RFC 6068",
        ("mailto-address-missing", "no address"),
        ("mailto-address-invalid", "not a mail address"),
        ("mailto-header-injection", "a line break that would begin another header field"),
        ("mailto-body-line-break", "a line break in the body is %0D%0A"),
        ("mailto-header-unsafe", "a header field that a mail client must not take from a link"),
    ),
    *_rows(
        "RFC 5538",
        ("news-group-missing", "no newsgroup"),
        ("news-group-invalid", "not the name of a newsgroup, nor a pattern of names"),
        ("news-message-id-invalid", "not a message identifier"),
        ("nntp-group-missing", "no newsgroup"),
        ("nntp-group-invalid", "not the name of a newsgroup"),
        ("nntp-article-number-invalid", "not an article number"),
    ),
    *_rows("RFC 4156", ("wais-document-incomplete", "a document type without the document's path")),
    *_rows(
        "RFC 3650",
        ("hdl-prefix-missing", "no naming authority"),
        ("hdl-prefix-invalid", "the naming authority has an empty label"),
        ("hdl-suffix-missing", 'no "/" and local name after the naming authority'),
    ),
    *_rows(
        "RFC 5092 section 11",
        ("imap-auth-missing", 'no authentication mechanism after ";AUTH="'),
        ("imap-mailbox-missing", "no mailbox where there must be one"),
        ("imap-search-missing", "no search program"),
        ("imap-number-invalid", "not a number in the range that IMAP has here"),
        ("imap-urlauth-invalid", "not an expiry, access, mechanism or token of URLAUTH"),
    ),
    *_rows(
        "RFC 3261 section 19.1",
        ("sip-ttl-invalid", "ttl is a number from 0 to 255"),
        ("sip-transport-unreliable", "sips needs a reliable transport, and udp is none"),
    ),
    *_rows(
        "RFC 2397",
        ("data-comma-missing", 'no "," between media type and data'),
        ("data-media-type-invalid", "not a media type"),
        ("data-base64-invalid", "not base64"),
    ),
    *_rows(
        "RFC 8141",
        ("urn-nid-invalid", "the namespace is not 2 to 32 letters, digits and inner hyphens"),
        ("urn-nss-missing", "nothing after the namespace"),
        ("urn-component-invalid", 'a "?" that begins neither "?+" nor "?="'),
        ("urn-component-missing", "an r- or q-component without content"),
    ),
    *_rows(
        "RFC 3966",
        ("tel-number-missing", "no digits"),
        ("tel-context-missing", "a local number needs a phone-context"),
        ("tel-context-invalid", "the phone-context is no domain and no global number's digits"),
        ("tel-ext-isub-conflict", "ext and isub exclude each other"),
        ("tel-mandatory-parameter-unknown", 'an unknown "m-" parameter makes the number unusable'),
    ),
    *_rows("RFC 5724", ("sms-recipient-missing", "an empty recipient")),
    *_rows(
        "RFC 4516",
        ("ldap-dn-invalid", "not a distinguished name"),
        ("ldap-attribute-invalid", "not an attribute description"),
        ("ldap-scope-unknown", "the scope is not base, one or sub"),
        ("ldap-filter-invalid", "not a search filter"),
        ("ldap-extension-invalid", "not an extension"),
    ),
    *_rows(
        "BEP 9",
        ("magnet-topic-missing", "no exact topic (xt)"),
        ("magnet-topic-invalid", "the exact topic is no URN, or its hash is malformed"),
        ("magnet-length-invalid", "the length is not a number"),
    ),
    *_rows(
        "RFC 5870",
        ("geo-coordinates-invalid", "not 2 or 3 decimal numbers"),
        ("geo-latitude-out-of-range", "a latitude is from -90 to 90"),
        ("geo-longitude-out-of-range", "a longitude is from -180 to 180"),
        ("geo-uncertainty-invalid", "the uncertainty is not a non-negative decimal number"),
    ),
    *_rows(
        "https://www.w3.org/TR/FileAPI/#url",
        ("blob-origin-invalid", "not the serialisation of an origin"),
        ("blob-uuid-invalid", "not a UUID"),
    ),
    *_rows("IANA, view-source", ("view-source-target-invalid", "the target is not an absolute URI")),
    *_rows(
        "the bucket naming rules",
        ("bucket-missing", "no bucket"),
        ("bucket-name-invalid", "not the name of a bucket"),
    ),
    *_rows("IANA, redis", ("redis-database-invalid", "not a database number without leading zeros")),
    *_rows(
        "the MongoDB connection string specification",
        ("mongodb-database-invalid", 'a database name holds no "/", "\\", space, quotation mark or "$"'),
        ("mongodb-srv-multiple-hosts", "mongodb+srv has one host"),
    ),
    *_rows("the RabbitMQ URI specification", ("amqp-vhost-multiple-segments", "a virtual host is one segment")),
    *_rows(
        "the JDBC guide",
        ("jdbc-subprotocol-missing", "no subprotocol"),
        ("jdbc-subname-missing", "no subname"),
    ),
)
RULES: dict[str, Rule] = {rule.code: rule for rule in TABLE}
