"""Internationalised domain names as the URL Standard reads them: UTS 46, non-transitional.

toascii.h does the processing. This module contains the messages for the domains that it rejects, and the additional
checks of `beStrict`. Import this module only when a host needs it. Quotations without a source are from
https://www.unicode.org/reports/tr46/.

Length. The URL Standard sets no limit (https://github.com/whatwg/url/issues/824), but Punycode and normalisation take
quadratic time. So a label that is not ASCII after mapping is rejected if it has more than 1,000 code points. An `xn--`
label that must be decoded is rejected if it has more than 2,000 characters after the prefix. ICU (ICU-13727) and
Firefox have the same limits; the limit of DNS is 63. The length of labels that map to ASCII, and the number of labels,
are unlimited.

Unicode version. UNICODE_VERSION is the version of all data: mapping, normalisation, general categories, Bidi classes
and joining types. All of it is in the compiled table, so that the results are the same in every version of Python.
"""

import re

from urlsm.unicode.domains import processed_domain
from urlsm.unicode.domains import unicode_version as UNICODE_VERSION

__all__ = ["UNICODE_VERSION", "IDNAError", "a_labels", "domain_to_ascii", "parse_domain", "to_unicode"]
ABOUT = {  # for urlsm.about
    "domain names": {
        "file": "toascii_table.h",
        "rows": 16704 + 524 + 226 + 543 + 422 + 157,  # blocks of classes, mappings, expansions, compositions ...
        "source": "Unicode, UTS 46 mapping table and joining types, by idna 3.20 and unicodedata2",
        "url": "https://www.unicode.org/Public/idna/",
        "version": UNICODE_VERSION,
        "date": "2026-09",
        "licence": "Unicode-3.0",
        "used_by": "parse, to_ascii, to_unicode",
    },
    "IDNA 2008": {
        "file": "idna2008_table.h",
        "rows": 736 + 74 + 18 + 78,
        "source": "Unicode, what IDNA 2008 refuses, by idna 3.20",
        "url": "https://www.iana.org/assignments/idna-tables/",
        "version": UNICODE_VERSION,
        "date": "2026-09",
        "licence": "Unicode-3.0",
        "used_by": "is_ambiguous, compare_readers, formats",
    },
    "scripts and look-alikes": {
        "file": "domains.pyx",
        "rows": 24 + 33,
        "source": "Unicode 13, Scripts.txt; UTS 39, letters that look like Latin ones",
        "url": "https://www.unicode.org/reports/tr39/",
        "version": "13.0.0",
        "date": "2026-11-26",
        "licence": "Unicode-3.0",
        "used_by": "URL.display, audit: misleading-host",
    },
}

_RULES = (  # indexed by enum urlsm_idna_rule in label.h
    "valid",
    "V1 not NFC",
    "V4 xn-- at the start of a decoded label",
    "V6 combining mark at label start",
    "V7 disallowed",
    "V7 mapped or ignored code point in an xn-- label",
    "V8 joiner rule",
    "V9 bidi rule",
    "P4 Punycode",
    "P4 xn-- label with a non-ASCII code point",
    "P4 xn-- label of ASCII only",
    "label longer than 1000 code points",
    "xn-- label longer than 2000 characters",
)
_NOT_STD3 = re.compile("[^-a-z0-9\x80-\U0010ffff]")

# https://url.spec.whatwg.org/#forbidden-domain-code-point: forbidden host code points, C0 controls, "%" and DEL.
_FORBIDDEN = re.compile(r"[\x00-\x20#/:<>?@\[\\\]^|%\x7f]")


class IDNAError(ValueError):
    """Raised for a domain that is not valid under IDNA (UTS 46).

    Attributes:
        reason: the rule that the domain breaks, with its number in IdnaTestV2.txt: V1 to V9 for validity (V8 for
            joiners, V9 for Bidi), P4 for Punycode, U1 for STD 3, A4_1 and A4_2 for DNS lengths.

    Example:
        >>> try:
        ...     to_ascii("xn--é")
        ... except IDNAError as error:
        ...     print(error.reason)
        P4 xn-- label with a non-ASCII code point
    """

    __module__ = "urlsm.domains"

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def parse_domain(domain: str, be_strict: bool = False) -> str:
    """Return `domain` in ASCII, as the *domain parser* does.

    https://url.spec.whatwg.org/#concept-domain-to-ascii

    Unless `be_strict` is true, an ASCII domain is only lowercased, and its `xn--` labels need not be valid Punycode.
    Raise IDNAError if the domain is invalid.
    """
    if be_strict:
        return domain_to_ascii(domain, True)
    result = domain.lower() if domain.isascii() else domain_to_ascii(domain)
    if not result:
        raise IDNAError("empty domain")
    if forbidden := _FORBIDDEN.search(result):
        raise IDNAError(f"forbidden domain code point U+{ord(forbidden[0]):04X}")
    return result


def domain_to_ascii(domain: str, be_strict: bool = False) -> str:
    """Return the result of Unicode ToASCII (UTS 46 section 4.2) for `domain`, with the parameters of the URL Standard.

    CheckBidi and CheckJoiners are true, Transitional_Processing and IgnoreInvalidPunycode false; CheckHyphens,
    UseSTD3ASCIIRules and VerifyDnsLength have the value of `be_strict`. Raise IDNAError if the domain is invalid.
    """
    if be_strict:
        for label in _processed(domain, True).split("."):
            _check_strictly(label)
    result = _processed(domain, False)
    if be_strict:
        # "The length of each label is from 1 to 63." "The empty root label is disallowed."
        if not all(0 < len(label) <= 63 for label in result.split(".")):
            raise IDNAError("A4_2 the length of a label must be from 1 to 63")
        if len(result) > 253:
            raise IDNAError("A4_1 the length of the domain must be from 1 to 253")
    return result


def to_unicode(domain: str) -> str:
    """Return a domain in Unicode, with Punycode decoded, for people to read. An invalid domain is returned unchanged.

    Different domains may look alike: urlsm.security.audit reports misleading hosts.

    Args:
        domain: the domain, in ASCII or Unicode.

    Raises:
        TypeError: `domain` is not str.

    Example:
        >>> to_unicode("xn--bcher-kva.example")
        'bücher.example'

    https://url.spec.whatwg.org/#concept-domain-to-unicode; UTS 46 section 4.3
    """
    try:
        return _processed(domain, True)
    except IDNAError:
        return domain


def a_labels(domain: str) -> str:
    """Return the ToASCII form of a domain if its ToUnicode form is the domain itself. Otherwise return the domain
    unchanged: a character that is mapped to another one may be a disguise."""
    try:
        folded = parse_domain(domain)
    except ValueError:
        folded = domain
    return folded if to_unicode(folded) == domain else domain


def _processed(domain: str, in_unicode: bool) -> str:
    """Return `domain` with its labels mapped, decoded and validated (UTS 46 section 4). The result is in Unicode if
    `in_unicode`, otherwise ASCII."""
    rule, code_point, result = processed_domain(domain, in_unicode)
    if rule:
        raise IDNAError(_RULES[rule] + (f" U+{code_point:04X}" if code_point else ""))
    return result


def _check_strictly(label: str) -> None:
    if label[2:4] == "--":
        raise IDNAError("V2 a label has hyphens in the third and fourth positions")
    if label.startswith("-") or label.endswith("-"):
        raise IDNAError("V3 a label starts or ends with a hyphen")
    if wrong := _NOT_STD3.search(label):
        raise IDNAError(f"U1 U+{ord(wrong[0]):04X} is not allowed by the STD3 rules")
