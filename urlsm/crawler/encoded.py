"""Functions that decode and encode references on pages that are not in UTF-8."""

from __future__ import annotations

import re
from codecs import charmap_build, charmap_decode, charmap_encode
from functools import cache
from typing import TYPE_CHECKING

from urlsm.octets.objects import url_string, url_text
from urlsm.unicode.encoding import codec_of, decode_text, encode_or_escape, encoding_of

if TYPE_CHECKING:
    from urlsm.url.value import URL, StrOrURL

__all__ = ["codec_for", "decoded", "has_queries_in_utf8", "octets_in", "text_of_page", "with_query_of_page"]

_SCHEME = re.compile("[\\0- ]*([A-Za-z][A-Za-z0-9+.-]*):")
# the octets that are percent-escaped in a query that is not in UTF-8
_NOT_OF_UTF8 = re.compile(rb"[\x1b\x80-\xff#]")
_ASCII = bytes(range(128))
USER_DEFINED = "x-user-defined"  # Python has no codec for this encoding
# the characters that x-user-defined has for 0x80 to 0xFF (https://encoding.spec.whatwg.org/#x-user-defined)
_ABOVE = "".join(map(chr, range(0xF780, 0xF800)))
_DECODING = _ASCII.decode() + _ABOVE
_ENCODING = charmap_build(_DECODING)


def codec_for(encoding: str) -> str:
    """Return Python's codec name for a label from the Encoding Standard. Any other name is returned unchanged and
    unchecked. Raises TypeError if `encoding` is not a str."""
    try:
        return codec_of(encoding)
    except LookupError:
        return encoding


@cache
def _check(encoding: str) -> None:
    """Raise ValueError if the encoding is not a superset of ASCII, or LookupError if it is unknown."""
    # refuse names that are not printable ASCII here, since CPython 3.15 deprecates some of them
    if isinstance(encoding, str) and not (encoding.isascii() and encoding.isprintable()):
        raise LookupError(f"unknown encoding: {encoding!a}")
    if encoding == "replacement":
        raise ValueError("the encoding must be a superset of ASCII: the Encoding Standard does not decode this one")
    if encoding == USER_DEFINED:
        return
    try:
        holds = _ASCII.decode(encoding) == _ASCII.decode() and _ASCII.decode().encode(encoding) == _ASCII
    except UnicodeError:
        holds = False
    if not holds:
        raise ValueError(f"the encoding must be a superset of ASCII, but {encoding!r} is not")


def _encoded(text: str, encoding: str) -> bytes:
    return text.encode(encoding) if encoding != USER_DEFINED else charmap_encode(text, "strict", _ENCODING)[0]


def _decoded(url: bytes, encoding: str) -> str:
    """Return the bytes `url` as a str; bytes that cannot be decoded become percent-escapes."""
    if encoding == USER_DEFINED:
        return charmap_decode(url, "strict", _DECODING)[0]
    pieces = []
    while True:
        try:
            pieces.append(url.decode(encoding))
            return "".join(pieces)
        except UnicodeDecodeError as error:
            pieces.append(url[: error.start].decode(encoding))
            pieces.append("".join(f"%{octet:02X}" for octet in url[error.start : error.end]))
            url = url[error.end :]


def decoded(url: str | bytes, encoding: str) -> str:
    """Return `url` as a str; bytes that cannot be decoded become percent-escapes. Raises ValueError if the encoding is
    not a superset of ASCII, and LookupError if it is unknown."""
    _check(encoding)
    return url if isinstance(url, str) else _decoded(url, encoding)


def octets_in(url: str | bytes | URL, encoding: str) -> str | bytes:
    """Return the bytes of a URL: the query and fragment in this encoding, and everything before them in UTF-8. Return a
    str if `url` is a URL object or its text is ASCII. Also return a str (decoded from UTF-8 if `url` is bytes) if the
    encoding cannot represent a character in the query or fragment."""
    if not isinstance(url, (str, bytes)):
        _check(encoding)
        return url_text(url)
    text = decoded(url, encoding)
    if text.isascii():
        return text
    path, mark, query = text.partition("?")
    if "#" in path:
        path, mark, query = text.partition("#")
    query, hash_mark, fragment = query.partition("#") if mark == "?" else (query, "", "")
    try:
        # an octet "#" that is a part of a character is not a delimiter
        coded = [_encoded(part, encoding).replace(b"#", b"%23") for part in (query, fragment)]
        return path.encode() + mark.encode() + coded[0] + hash_mark.encode() + coded[1]
    except UnicodeEncodeError:
        return text if isinstance(url, str) else _decoded(url, "utf-8")


def has_queries_in_utf8(encoding: str) -> bool:
    """Return whether the queries of URLs on pages in this encoding are in UTF-8. This is the case for encodings without
    an encoder (https://encoding.spec.whatwg.org/#get-an-output-encoding)."""
    try:
        return encoding_of(encoding) in ("UTF-16LE", "UTF-16BE", "replacement")
    except LookupError:
        return False


def text_of_page(url: str | bytes | URL, encoding: str) -> str | bytes:
    """Return a reference as a str. Bytes are decoded like a page in this encoding. encoding: a label from the Encoding
    Standard."""
    if isinstance(url, bytes):
        return decode_text(url, encoding)
    return url if isinstance(url, str) else url_text(url)


def with_query_of_page(url: str | bytes | URL, base: StrOrURL | None, encoding: str) -> str | bytes:
    """Return a reference as a str. If its scheme is http, https, ftp or file, the query is escaped as the URL Standard
    escapes it on a page in this encoding (https://url.spec.whatwg.org/#query-state). base: the URL that the reference
    is resolved against."""
    codec = codec_for(encoding)
    if not isinstance(url, (str, bytes)):
        _check(codec)
        return url_text(url)
    text = decoded(url, codec)
    before, mark, after = text.partition("?")
    query, hash_mark, fragment = after.partition("#")
    if query.isascii() or "#" in before or _scheme_of(before, base) not in ("http", "https", "ftp", "file"):
        return text
    try:
        octets = encode_or_escape(query, encoding)
    except LookupError:  # the Encoding Standard does not have this encoding, but Python does
        try:
            octets = _encoded(query, codec)
        except UnicodeEncodeError:
            return text
    escaped = _NOT_OF_UTF8.sub(lambda octet: b"%%%02X" % octet[0][0], octets).decode("ascii")
    return before + mark + escaped + hash_mark + fragment


def _scheme_of(text: str, base: StrOrURL | None) -> str:
    found = _SCHEME.match(re.sub("[\t\n\r]", "", text))
    if found is None and base is not None:
        found = _SCHEME.match(url_string(base))
    return found[1].lower() if found is not None else "http"
