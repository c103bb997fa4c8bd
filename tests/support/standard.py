"""The URL Standard, transcribed: one code point at a time, as slow and as literal as can be.

The engine's tests compare with this. It shares no code with the engine, but for ToASCII of domains that
are not ASCII (urlsm.unicode.idna, which has its own tests). The text is that of the review draft of 2026-08:
https://url.spec.whatwg.org/review-drafts/2026-08/
"""

from __future__ import annotations

import string
from dataclasses import dataclass, field, replace

SPECIAL = {"ftp": 21, "file": None, "http": 80, "https": 443, "ws": 80, "wss": 443}

EOF = ""  # the EOF code point: in no set, equal to no code point
ALPHA = frozenset(string.ascii_letters)
DIGIT = frozenset(string.digits)
HEX = frozenset(string.hexdigits)

# https://url.spec.whatwg.org/#percent-encoded-bytes
C0_SET = frozenset(map(chr, range(0x20))) | frozenset(map(chr, range(0x7F, 0x100)))
FRAGMENT_SET = C0_SET | frozenset(' "<>`')
QUERY_SET = C0_SET | frozenset(' "#<>')
SPECIAL_QUERY_SET = QUERY_SET | {"'"}
PATH_SET = QUERY_SET | frozenset("?^`{}")
USERINFO_SET = PATH_SET | frozenset("/:;=@[\\]|")
COMPONENT_SET = USERINFO_SET | frozenset("$%&+,")
FORM_SET = COMPONENT_SET | frozenset("!'()~")
# https://url.spec.whatwg.org/#host-miscellaneous
FORBIDDEN_HOST = frozenset("\0\t\n\r #/:<>?@[\\]^|")
FORBIDDEN_DOMAIN = FORBIDDEN_HOST | frozenset(map(chr, range(0x20))) | {"%", "\x7f"}
# https://url.spec.whatwg.org/#url-code-points, the ASCII ones
URL_CODE_POINTS = ALPHA | DIGIT | frozenset("!$&'()*+,-./:;=?@_~")


def is_url_code_point(c: str) -> bool:
    """https://url.spec.whatwg.org/#url-code-points"""
    if c < "\x80":
        return c in URL_CODE_POINTS
    point = ord(c)
    noncharacter = 0xFDD0 <= point <= 0xFDEF or point & 0xFFFE == 0xFFFE
    return "\xa0" <= c <= "\U0010fffd" and not 0xD800 <= point <= 0xDFFF and not noncharacter


def percent_encode(text: str, encode_set: frozenset[str]) -> str:
    """https://url.spec.whatwg.org/#string-percent-encode-after-encoding, with UTF-8"""
    return "".join(f"%{octet:02X}" if chr(octet) in encode_set else chr(octet) for octet in text.encode())


def percent_decode(octets: bytes) -> bytes:
    """https://url.spec.whatwg.org/#percent-decode"""
    out = bytearray()
    k = 0
    while k < len(octets):
        pair = octets[k + 1 : k + 3].decode("latin-1")
        if octets[k] == 0x25 and len(pair) == 2 and HEX.issuperset(pair):
            out.append(int(pair, 16))
            k += 2
        else:
            out.append(octets[k])
        k += 1
    return bytes(out)


def scalar_values(text: str) -> str:
    return "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text)


class Failure(Exception):
    """A validation error that ends the parser: its name."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass
class Record:
    scheme: str = ""
    username: str = ""
    password: str = ""
    host: str | None = None
    port: int | None = None
    path: str | list[str] = field(default_factory=list)
    query: str | None = None
    fragment: str | None = None

    @property
    def special(self) -> bool:
        return self.scheme in SPECIAL

    @property
    def opaque(self) -> bool:
        return isinstance(self.path, str)

    @property
    def pathname(self) -> str:
        """https://url.spec.whatwg.org/#url-path-serializer"""
        return self.path if isinstance(self.path, str) else "".join("/" + segment for segment in self.path)

    @property
    def authority(self) -> str | None:
        if self.host is None:
            return None
        userinfo = ""
        if self.username or self.password:
            userinfo = self.username + (":" + self.password if self.password else "") + "@"
        return userinfo + self.host + ("" if self.port is None else f":{self.port}")

    @property
    def href(self) -> str:
        """https://url.spec.whatwg.org/#concept-url-serializer"""
        output = self.scheme + ":"
        if self.host is not None:
            output += "//" + (self.authority or "")
        elif not self.opaque and len(self.path) > 1 and self.path[0] == "":
            output += "/."
        output += self.pathname
        if self.query is not None:
            output += "?" + self.query
        if self.fragment is not None:
            output += "#" + self.fragment
        return output

    def shorten(self) -> None:
        """https://url.spec.whatwg.org/#shorten-a-urls-path"""
        assert isinstance(self.path, list)
        if self.scheme == "file" and len(self.path) == 1 and is_normalized_drive_letter(self.path[0]):
            return
        if self.path:
            self.path.pop()


# --- URL miscellaneous ---


def is_drive_letter(text: str) -> bool:
    return len(text) == 2 and text[0] in ALPHA and text[1] in ":|"


def is_normalized_drive_letter(text: str) -> bool:
    return is_drive_letter(text) and text[1] == ":"


def starts_with_drive_letter(text: str) -> bool:
    return is_drive_letter(text[:2]) and (len(text) == 2 or text[2] in "/\\?#")


def is_single_dot(text: str) -> bool:
    return text.lower() in (".", "%2e")


def is_double_dot(text: str) -> bool:
    return text.lower() in ("..", ".%2e", "%2e.", "%2e%2e")


# --- hosts ---


def parse_host(text: str, opaque: bool, errors: list[str]) -> str:
    """https://url.spec.whatwg.org/#concept-host-parser, serialised"""
    if text.startswith("["):
        if not text.endswith("]"):
            raise Failure("IPv6-unclosed")
        return f"[{serialize_ipv6(parse_ipv6(text[1:-1], errors))}]"
    if opaque:
        return parse_opaque_host(text, errors)
    assert text
    octets = text.encode()
    decoded = percent_decode(octets)
    if decoded != octets or any(
        text[k] == "%" and len(text[k + 1 : k + 3]) == 2 and HEX.issuperset(text[k + 1 : k + 3])
        for k in range(len(text))
    ):
        errors.append("domain-percent-encoded")
    domain = decoded.decode("utf-8", "replace")
    ascii_domain = parse_domain(domain, errors)
    if ends_in_a_number(ascii_domain):
        if not domain.isascii():
            errors.append("IPv4-non-ASCII-input")
        return serialize_ipv4(parse_ipv4(ascii_domain, errors))
    return ascii_domain


def parse_domain(domain: str, errors: list[str]) -> str:
    """https://url.spec.whatwg.org/#concept-domain-to-ascii, beStrict false"""
    from urlsm.unicode.idna import IDNAError
    from urlsm.unicode.idna import parse_domain as to_ascii

    try:
        to_ascii(domain, True)
    except IDNAError:
        errors.append("domain-to-ASCII")
    if domain.isascii():
        result = domain.lower()
    else:
        try:
            result = to_ascii(domain)
        except IDNAError:
            raise Failure("domain-to-ASCII") from None
    if not result or FORBIDDEN_DOMAIN.intersection(result):
        raise Failure("domain-to-ASCII")
    return result


def ends_in_a_number(text: str) -> bool:
    parts = text.split(".")
    if parts[-1] == "":
        parts.pop()
    if not parts:
        return False
    last = parts[-1]
    if last and DIGIT.issuperset(last):
        return True
    return parse_ipv4_number(last) is not None


def parse_ipv4_number(text: str) -> tuple[int, bool] | None:
    if text == "":
        return None
    error = False
    radix = 10
    if text[:2] in ("0X", "0x"):
        error, text, radix = True, text[2:], 16
    elif len(text) >= 2 and text[0] == "0":
        error, text, radix = True, text[1:], 8
    if text == "":
        return 0, True
    digits = {8: frozenset("01234567"), 10: DIGIT, 16: HEX}[radix]
    if not digits.issuperset(text):
        return None
    value = 0
    for digit in text:
        value = value * radix + int(digit, 16)
    return value, error


def parse_ipv4(text: str, errors: list[str]) -> int:
    parts = text.split(".")
    if parts[-1] == "":
        errors.append("IPv4-empty-part")
        if len(parts) > 1:
            parts.pop()
    if len(parts) < 4:
        errors.append("IPv4-too-few-parts")
    if len(parts) > 4:
        raise Failure("IPv4-too-many-parts")
    numbers = []
    for part in parts:
        result = parse_ipv4_number(part)
        if result is None:
            raise Failure("IPv4-non-numeric-part")
        if result[1]:
            errors.append("IPv4-non-decimal-part")
        numbers.append(result[0])
    if max(numbers) > 255:
        errors.append("IPv4-out-of-range-part")
    if any(number > 255 for number in numbers[:-1]) or numbers[-1] >= 256 ** (5 - len(numbers)):
        raise Failure("IPv4-out-of-range-part")
    ipv4 = numbers.pop()
    for counter, number in enumerate(numbers):
        ipv4 += number * 256 ** (3 - counter)
    return ipv4


def serialize_ipv4(address: int) -> str:
    return ".".join(str(address >> shift & 0xFF) for shift in (24, 16, 8, 0))


def parse_ipv6(text: str, errors: list[str]) -> list[int]:
    address = [0] * 8
    piece = 0
    compress = None
    pointer = 0

    def at(k: int) -> str:
        return text[k] if k < len(text) else EOF

    if at(0) == ":":
        if at(1) != ":":
            raise Failure("IPv6-invalid-compression")
        pointer += 2
        piece += 1
        compress = piece
    while at(pointer) != EOF:
        if piece == 8:
            raise Failure("IPv6-too-many-pieces")
        if at(pointer) == ":":
            if compress is not None:
                raise Failure("IPv6-multiple-compression")
            pointer += 1
            piece += 1
            compress = piece
            continue
        value = length = 0
        while length < 4 and at(pointer) in HEX:
            value = value * 0x10 + int(at(pointer), 16)
            pointer += 1
            length += 1
        if at(pointer) == ".":
            if length == 0:
                raise Failure("IPv4-in-IPv6-invalid-code-point")
            pointer -= length
            if piece > 6:
                raise Failure("IPv4-in-IPv6-too-many-pieces")
            seen = 0
            while at(pointer) != EOF:
                ipv4_piece = None
                if seen > 0:
                    if at(pointer) == "." and seen < 4:
                        pointer += 1
                    else:
                        raise Failure("IPv4-in-IPv6-invalid-code-point")
                if at(pointer) not in DIGIT:
                    raise Failure("IPv4-in-IPv6-invalid-code-point")
                while at(pointer) in DIGIT:
                    number = int(at(pointer))
                    if ipv4_piece is None:
                        ipv4_piece = number
                    elif ipv4_piece == 0:
                        raise Failure("IPv4-in-IPv6-invalid-code-point")
                    else:
                        ipv4_piece = ipv4_piece * 10 + number
                    if ipv4_piece > 255:
                        raise Failure("IPv4-in-IPv6-out-of-range-part")
                    pointer += 1
                assert ipv4_piece is not None
                address[piece] = address[piece] * 0x100 + ipv4_piece
                seen += 1
                if seen in (2, 4):
                    piece += 1
            if seen != 4:
                raise Failure("IPv4-in-IPv6-too-few-parts")
            break
        if at(pointer) == ":":
            pointer += 1
            if at(pointer) == EOF:
                raise Failure("IPv6-invalid-code-point")
        elif at(pointer) != EOF:
            raise Failure("IPv6-invalid-code-point")
        if length > 1 and value < 0x10 ** (length - 1):
            errors.append("IPv6-piece-leading-zero")
        address[piece] = value
        piece += 1
    if compress is not None:
        swaps = piece - compress
        piece = 7
        while piece != 0 and swaps > 0:
            other = compress + swaps - 1
            address[piece], address[other] = address[other], address[piece]
            piece -= 1
            swaps -= 1
    elif piece != 8:
        raise Failure("IPv6-too-few-pieces")
    return address


def serialize_ipv6(address: list[int]) -> str:
    """https://url.spec.whatwg.org/#concept-ipv6-serializer"""
    runs = []
    for start in range(8):
        end = start
        while end < 8 and address[end] == 0:
            end += 1
        runs.append(end - start)
    longest = max(runs)
    compress = runs.index(longest) if longest > 1 else None
    output = ""
    ignore_zero = False
    for index in range(8):
        if ignore_zero and address[index] == 0:
            continue
        ignore_zero = False
        if compress == index:
            output += "::" if index == 0 else ":"
            ignore_zero = True
            continue
        output += f"{address[index]:x}"
        if index != 7:
            output += ":"
    return output


def parse_opaque_host(text: str, errors: list[str]) -> str:
    if FORBIDDEN_HOST.intersection(text):
        raise Failure("host-invalid-code-point")
    for k in range(len(text)):
        check_unit(text, k, errors)
    return percent_encode(text, C0_SET)


def check_unit(text: str, k: int, errors: list[str]) -> None:
    pair = text[k + 1 : k + 3]
    if text[k] == "%":
        if len(pair) < 2 or not HEX.issuperset(pair):
            errors.append("invalid-URL-unit")
    elif not is_url_code_point(text[k]):
        errors.append("invalid-URL-unit")


# --- the basic URL parser, without a state override ---


def parse(text: str, base: Record | None = None, errors: list[str] | None = None) -> Record:
    """The record of a text, or Failure. errors receives the names of the validation errors on the way."""
    errors = [] if errors is None else errors
    url = Record()
    text = scalar_values(text)
    controls = "".join(map(chr, range(0x21)))
    stripped = text.strip(controls)
    if stripped != text:
        errors.append("invalid-URL-unit")
    text = stripped.translate({9: None, 10: None, 13: None})
    if stripped != text:
        errors.append("invalid-URL-unit")

    state = "scheme start"
    buffer = ""
    at_sign_seen = inside_brackets = password_token_seen = False
    pointer = 0
    while True:
        c = text[pointer] if pointer < len(text) else EOF
        remaining = text[pointer + 1 :]

        if state == "scheme start":
            if c in ALPHA:
                buffer += c.lower()
                state = "scheme"
            else:
                state = "no scheme"
                pointer -= 1

        elif state == "scheme":
            if c in ALPHA or c in DIGIT or (c and c in "+-."):
                buffer += c.lower()
            elif c == ":":
                url.scheme = buffer
                buffer = ""
                if url.scheme == "file":
                    if not remaining.startswith("//"):
                        errors.append("special-scheme-missing-following-solidus")
                    state = "file"
                elif url.special and base is not None and base.scheme == url.scheme:
                    state = "special relative or authority"
                elif url.special:
                    state = "special authority slashes"
                elif remaining.startswith("/"):
                    state = "path or authority"
                    pointer += 1
                else:
                    url.path = ""
                    state = "opaque path"
            else:
                buffer = ""
                state = "no scheme"
                pointer = -1

        elif state == "no scheme":
            if base is None or (base.opaque and c != "#"):
                raise Failure("missing-scheme-non-relative-URL")
            if base.opaque and c == "#":
                url = replace(base, fragment="")
                state = "fragment"
            elif base.scheme != "file":
                state = "relative"
                pointer -= 1
            else:
                state = "file"
                pointer -= 1

        elif state == "special relative or authority":
            if c == "/" and remaining.startswith("/"):
                state = "special authority ignore slashes"
                pointer += 1
            else:
                errors.append("special-scheme-missing-following-solidus")
                state = "relative"
                pointer -= 1

        elif state == "path or authority":
            if c == "/":
                state = "authority"
            else:
                state = "path"
                pointer -= 1

        elif state == "relative":
            assert base is not None and base.scheme != "file"
            url.scheme = base.scheme
            if c == "/":
                state = "relative slash"
            elif url.special and c == "\\":
                errors.append("invalid-reverse-solidus")
                state = "relative slash"
            else:
                assert isinstance(base.path, list)
                url = replace(base, path=list(base.path), fragment=None)
                if c == "?":
                    url.query = ""
                    state = "query"
                elif c == "#":
                    url.fragment = ""
                    state = "fragment"
                elif c != EOF:
                    url.query = None
                    url.shorten()
                    state = "path"
                    pointer -= 1

        elif state == "relative slash":
            assert base is not None
            if url.special and c in ("/", "\\"):
                if c == "\\":
                    errors.append("invalid-reverse-solidus")
                state = "special authority ignore slashes"
            elif c == "/":
                state = "authority"
            else:
                url.username, url.password, url.host, url.port = base.username, base.password, base.host, base.port
                state = "path"
                pointer -= 1

        elif state == "special authority slashes":
            state = "special authority ignore slashes"
            if c == "/" and remaining.startswith("/"):
                pointer += 1
            else:
                errors.append("special-scheme-missing-following-solidus")
                pointer -= 1

        elif state == "special authority ignore slashes":
            if c not in ("/", "\\"):
                state = "authority"
                pointer -= 1
            else:
                errors.append("special-scheme-missing-following-solidus")

        elif state == "authority":
            if c == "@":
                errors.append("invalid-credentials")
                if at_sign_seen:
                    buffer = "%40" + buffer
                at_sign_seen = True
                for point in buffer:
                    if point == ":" and not password_token_seen:
                        password_token_seen = True
                    elif password_token_seen:
                        url.password += percent_encode(point, USERINFO_SET)
                    else:
                        url.username += percent_encode(point, USERINFO_SET)
                buffer = ""
            elif c in (EOF, "/", "?", "#") or (url.special and c == "\\"):
                if at_sign_seen and buffer == "":
                    raise Failure("host-missing")
                pointer -= len(buffer) + 1
                buffer = ""
                state = "host"
            else:
                buffer += c

        elif state == "host":
            if c == ":" and not inside_brackets:
                if buffer == "":
                    raise Failure("host-missing")
                url.host = parse_host(buffer, not url.special, errors)
                buffer = ""
                state = "port"
            elif c in (EOF, "/", "?", "#") or (url.special and c == "\\"):
                pointer -= 1
                if url.special and buffer == "":
                    raise Failure("host-missing")
                url.host = parse_host(buffer, not url.special, errors)
                buffer = ""
                state = "path start"
            else:
                if c == "[":
                    inside_brackets = True
                if c == "]":
                    inside_brackets = False
                buffer += c

        elif state == "port":
            if c in DIGIT:
                buffer += c
            elif c in (EOF, "/", "?", "#") or (url.special and c == "\\"):
                if buffer != "":
                    port = int(buffer.lstrip("0")[:6] or "0")
                    if port > 0xFFFF:
                        raise Failure("port-out-of-range")
                    url.port = None if SPECIAL.get(url.scheme) == port else port
                    buffer = ""
                state = "path start"
                pointer -= 1
            else:
                raise Failure("port-invalid")

        elif state == "file":
            url.scheme = "file"
            url.host = ""
            if c in ("/", "\\"):
                if c == "\\":
                    errors.append("invalid-reverse-solidus")
                state = "file slash"
            elif base is not None and base.scheme == "file":
                assert isinstance(base.path, list)
                url.host, url.path, url.query = base.host, list(base.path), base.query
                if c == "?":
                    url.query = ""
                    state = "query"
                elif c == "#":
                    url.fragment = ""
                    state = "fragment"
                elif c != EOF:
                    url.query = None
                    if not starts_with_drive_letter(text[pointer:]):
                        url.shorten()
                    else:
                        errors.append("file-invalid-Windows-drive-letter")
                        url.path = []
                    state = "path"
                    pointer -= 1
            else:
                state = "path"
                pointer -= 1

        elif state == "file slash":
            if c in ("/", "\\"):
                if c == "\\":
                    errors.append("invalid-reverse-solidus")
                state = "file host"
            else:
                if base is not None and base.scheme == "file":
                    url.host = base.host
                    assert isinstance(url.path, list)
                    if (
                        not starts_with_drive_letter(text[pointer:])
                        and base.path
                        and is_normalized_drive_letter(base.path[0])
                    ):
                        url.path.append(base.path[0])
                state = "path"
                pointer -= 1

        elif state == "file host":
            if c in (EOF, "/", "\\", "?", "#"):
                pointer -= 1
                if is_drive_letter(buffer):
                    errors.append("file-invalid-Windows-drive-letter-host")
                    state = "path"
                elif buffer == "":
                    url.host = ""
                    state = "path start"
                else:
                    host = parse_host(buffer, not url.special, errors)
                    url.host = "" if host == "localhost" else host
                    buffer = ""
                    state = "path start"
            else:
                buffer += c

        elif state == "path start":
            if url.special:
                if c == "\\":
                    errors.append("invalid-reverse-solidus")
                state = "path"
                if c not in ("/", "\\"):
                    pointer -= 1
            elif c == "?":
                url.query = ""
                state = "query"
            elif c == "#":
                url.fragment = ""
                state = "fragment"
            elif c != EOF:
                state = "path"
                if c != "/":
                    pointer -= 1

        elif state == "path":
            assert isinstance(url.path, list)
            slash = c == "/" or (url.special and c == "\\")
            if slash or c in (EOF, "?", "#"):
                if url.special and c == "\\":
                    errors.append("invalid-reverse-solidus")
                if is_double_dot(buffer):
                    url.shorten()
                    if not slash:
                        url.path.append("")
                elif is_single_dot(buffer):
                    if not slash:
                        url.path.append("")
                else:
                    if url.scheme == "file" and not url.path and is_drive_letter(buffer):
                        buffer = buffer[0] + ":"
                    url.path.append(buffer)
                buffer = ""
                if c == "?":
                    url.query = ""
                    state = "query"
                if c == "#":
                    url.fragment = ""
                    state = "fragment"
            else:
                check_unit(text, pointer, errors)
                buffer += percent_encode(c, PATH_SET)

        elif state == "opaque path":
            assert isinstance(url.path, str)
            if c == "?":
                url.query = ""
                state = "query"
            elif c == "#":
                url.fragment = ""
                state = "fragment"
            elif c == " ":
                errors.append("invalid-URL-unit")
                url.path += "%20" if remaining.startswith(("?", "#")) else " "
            elif c != EOF:
                check_unit(text, pointer, errors)
                url.path += percent_encode(c, C0_SET)

        elif state == "query":
            assert url.query is not None
            if c in ("#", EOF):
                url.query += percent_encode(buffer, SPECIAL_QUERY_SET if url.special else QUERY_SET)
                buffer = ""
                if c == "#":
                    url.fragment = ""
                    state = "fragment"
            else:
                check_unit(text, pointer, errors)
                buffer += c

        elif state == "fragment":
            assert url.fragment is not None
            if c != EOF:
                check_unit(text, pointer, errors)
                url.fragment += percent_encode(c, FRAGMENT_SET)

        if c == EOF and pointer >= len(text):
            return url
        pointer += 1


def origin(url: Record) -> str:
    """https://url.spec.whatwg.org/#concept-url-origin, serialised"""
    if url.scheme == "blob":
        try:
            inner = parse(url.pathname)
        except Failure:
            return "null"
        return origin(inner) if inner.scheme in ("http", "https") else "null"
    if url.special and url.scheme != "file":
        return f"{url.scheme}://{url.host}" + ("" if url.port is None else f":{url.port}")
    return "null"
