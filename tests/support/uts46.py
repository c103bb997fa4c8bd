"""UTS 46 once more, in plain Python, for the tests: the mapping, the Bidi rule and the joiner rules of the `idna`
package, with normalisation and Punycode by other modules.

It is right where `unicodedata` is of the version of the `idna` package (both are Unicode 18 where `unicodedata2` is
installed), and for code points that `unicodedata` knows (see `knows`).
"""

import re
from bisect import bisect

import idna as _idna
from idna import core
from idna.core import check_bidi, valid_contextj
from idna.idnadata import __version__ as MAPPING_VERSION

from urlsm.unicode.idna import IDNAError

try:
    import unicodedata2 as unicodedata
except ImportError:
    import unicodedata

core.unicodedata = unicodedata

_MAX_LABEL = 1000  # code points of a label that is not ASCII; ICU: ENCODE_MAX_CODE_UNITS
_MAX_PUNYCODE = 2000  # characters after "xn--"; ICU: DECODE_MAX_CHARS
_PUNYCODE_DIGITS = "abcdefghijklmnopqrstuvwxyz0123456789"

# UTS 46 maps and normalises before it breaks the string into labels at U+002E. Only these map to U+002E, and
# normalisation never reaches across it: we break first, so that each label's cost is bounded beforehand.
_FULL_STOP = re.compile("[.\u3002\uff0e\uff61]")
_JOINER = re.compile("[\u200c\u200d]")
_NOT_STD3 = re.compile("[^-a-z0-9\x80-\U0010ffff]")
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})

# https://url.spec.whatwg.org/#forbidden-domain-code-point: forbidden host code points, C0 controls, %, DEL.
_FORBIDDEN = re.compile(r"[\x00-\x20#/:<>?@\[\\\]^|%\x7f]")


# what changed since Unicode 13, of what was there then: directions
_CHANGED = frozenset("\u1b3a\u1b3c\u1b42\U0001171e\U0001d6c1\U0001d6fb\U0001d735\U0001d76f\U0001d7a9")


def knows(text: str) -> bool:
    """Return whether unicodedata agrees with Unicode 18 on each character, also on those in Punycode."""
    if unicodedata.unidata_version == "18.0.0" == MAPPING_VERSION:
        return True
    for label in _FULL_STOP.split(text):
        if label[:4].lower() == "xn--" and label.isascii():
            try:
                text += label[4:].encode().decode("punycode")
            except ValueError:
                continue  # nothing is encoded there
    return all(unicodedata.category(char) != "Cn" and char not in _CHANGED for char in text)


def parse_domain(domain: str, be_strict: bool = False) -> str:
    """Return `domain` as ASCII text, by the *domain parser*.

    https://url.spec.whatwg.org/#concept-domain-to-ascii

    An ASCII domain is only lowercased unless `be_strict`: its `xn--` labels need not decode.
    Raise IDNAError for failure.
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
    """Return `domain` by Unicode ToASCII (UTS 46 section 4.2), with the parameters of the URL Standard.

    CheckBidi and CheckJoiners are true, Transitional_Processing and IgnoreInvalidPunycode false; `be_strict`
    is CheckHyphens, UseSTD3ASCIIRules and VerifyDnsLength. Raise IDNAError for failure.
    """
    # "Convert each label with non-ASCII characters into Punycode, and prefix by 'xn--'."
    labels = _process(domain, be_strict)
    labels = [label if label.isascii() else "xn--" + _punycode(label) for label in labels]
    result = ".".join(labels)
    if be_strict:
        # "The length of each label is from 1 to 63." "The empty root label is disallowed."
        if not all(0 < len(label) <= 63 for label in labels):
            raise IDNAError("A4_2 the length of a label must be from 1 to 63")
        if len(result) > 253:
            raise IDNAError("A4_1 the length of the domain must be from 1 to 253")
    return result


def _process(domain: str, strict: bool) -> list[str]:
    """Return the Unicode labels of `domain`, mapped, decoded and validated (UTS 46 section 4)."""
    labels = [_process_label(label, strict) for label in _FULL_STOP.split(domain)]
    # V9: "If CheckBidi, and if the domain name is a Bidi domain name, then the label must satisfy all six of
    # the numbered conditions in RFC 5893, Section 2." One label with a right-to-left character suffices.
    wide = "".join(label for label in labels if not label.isascii())
    if any(unicodedata.bidirectional(char) in _RIGHT_TO_LEFT for char in wide):
        for label in filter(None, labels):
            try:
                check_bidi(label, check_ltr=True)
            except _idna.IDNAError as error:
                raise IDNAError("V9 bidi rule") from error
    return labels


def _process_label(label: str, strict: bool) -> str:
    """Map one label, decode it if it begins with "xn--", and check it by itself."""
    label = _map(label)
    if label.startswith("xn--"):
        label = _decode(label)
        # A label that was mapped meets V1 and V7: the table's values are valid, and stay valid in NFC.
        if _map(label) != label:
            if unicodedata.normalize("NFC", label) != label:
                raise IDNAError("V1 not NFC")
            raise IDNAError("V7 mapped or ignored code point in an xn-- label")
    if strict:
        if label[2:4] == "--":
            raise IDNAError("V2 a label has hyphens in the third and fourth positions")
        if label.startswith("-") or label.endswith("-"):
            raise IDNAError("V3 a label starts or ends with a hyphen")
        if wrong := _NOT_STD3.search(label):
            raise IDNAError(f"U1 U+{ord(wrong[0]):04X} is not allowed by the STD3 rules")
    elif label.startswith("xn--"):
        raise IDNAError("V4 xn-- at the start of a decoded label")
    # V5, "must not contain a U+002E", holds: labels are parted at it, and Punycode adds no ASCII.
    if label and unicodedata.category(label[0]).startswith("M"):
        raise IDNAError("V6 combining mark at label start")
    for joiner in _JOINER.finditer(label):
        try:
            valid = valid_contextj(label, joiner.start())
        except ValueError:  # the character before the joiner has no name (a control): it is not a virama
            valid = False
        if not valid:
            raise IDNAError(f"V8 joiner rule U+{ord(joiner[0]):04X}")
    return label


def _map(label: str) -> str:
    """Return `label` mapped by the table and normalised (UTS 46 section 4, steps 1 and 2)."""
    if label.isascii():
        return label.lower()  # the table only lowercases ASCII, of any length
    try:
        if len(label) > _MAX_LABEL:
            _limit("".join(_idna.uts46_remap(char, std3_rules=False) for char in label))  # not composed
        label = _idna.uts46_remap(label, std3_rules=False)
    except _idna.IDNAError as error:
        code_point = getattr(error, "codepoint", None)  # known since idna 3.19
        where = "" if code_point is None else f" U+{code_point:04X}"
        raise IDNAError("V7 disallowed" + where) from error
    _limit(label)  # a mapping can make one character 18
    return label


def _limit(label: str) -> None:
    if len(label) > _MAX_LABEL and not label.isascii():
        raise IDNAError(f"label longer than {_MAX_LABEL} code points")


def _decode(label: str) -> str:
    """Return the Unicode form of a label that begins with "xn--" (UTS 46 section 4, step 4)."""
    if not label.isascii():  # "contains any non-ASCII code point"
        raise IDNAError("P4 xn-- label with a non-ASCII code point")
    if len(label) - 4 > _MAX_PUNYCODE:
        raise IDNAError(f"xn-- label longer than {_MAX_PUNYCODE} characters")
    try:
        decoded = label[4:].encode("ascii").decode("punycode")
    except UnicodeError as error:
        raise IDNAError("P4 Punycode") from error
    if decoded.isascii():  # "empty, or contains only ASCII code points"
        raise IDNAError("P4 xn-- label of ASCII only")
    _limit(decoded)
    # RFC 3492 reads "-" as a delimiter only after at least one basic code point; Python's decoder skips
    # a leading one, so that two labels would have one meaning.
    if _punycode(decoded) != label[4:]:
        raise IDNAError("P4 Punycode not canonical")
    return decoded


def _punycode(label: str) -> str:
    """Encode `label` (RFC 3492 section 6.3).

    The standard library's encoder takes 0.1 s for 1,000 different characters (a domain of 1 MiB half a
    minute), because it reads the whole label for each; here the place of a character is found by bisection.
    """
    placed = [at for at, char in enumerate(label) if char < "\x80"]  # places of the characters handled so far
    output = [label[at] for at in placed]
    if output:
        output.append("-")
    basic = len(placed)
    code, index, bias = 0x80, 0, 72
    for char, at in sorted((char, at) for at, char in enumerate(label) if char >= "\x80"):
        # The decoder counts from (code, index) through every place in the label for each code point.
        place = bisect(placed, at)
        delta = (ord(char) - code) * (len(placed) + 1) + place - index
        placed.insert(place, at)
        code, index = ord(char), place + 1

        # "Represent delta as a generalized variable-length integer": section 3.3.
        rest, weight = delta, 36
        while rest >= (threshold := min(max(weight - bias, 1), 26)):
            rest, digit = divmod(rest - threshold, 36 - threshold)
            output.append(_PUNYCODE_DIGITS[threshold + digit])
            weight += 36
        output.append(_PUNYCODE_DIGITS[rest])

        # "Adapt bias": section 6.1.
        delta //= 700 if len(placed) == basic + 1 else 2
        delta += delta // len(placed)
        bias = 0
        while delta > 455:
            delta //= 35
            bias += 36
        bias += 36 * delta // (delta + 38)
    return "".join(output)
