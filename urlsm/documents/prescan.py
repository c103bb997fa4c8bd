"""Finds the encoding that an HTML page declares, by HTML's prescan of the first bytes of the page.

https://html.spec.whatwg.org/#prescan-a-byte-stream-to-determine-its-encoding
"""

from __future__ import annotations

import re

from urlsm.unicode.encoding import encoding_by_label

__all__ = ["declared_encoding"]

_LOOK = 1024  # "the user agent may [...] prescan [...] the first 1024 bytes"
_SPACE = b"\t\n\f\r "
_TAG = re.compile(rb"</?[A-Za-z][^\t\n\f\r >]*")
_META = re.compile(rb"<meta(?=[\t\n\f\r /])", re.IGNORECASE)
_NAME = re.compile(rb"[\t\n\f\r /]*(?:>|([^\t\n\f\r />][^\t\n\f\r />=]*)[\t\n\f\r ]*)")
_BARE = re.compile(rb"[^\t\n\f\r >]*")
_CHARSET = re.compile(
    r"charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:\"([^\"]*)\"|'([^']*)'|([\"'])|([^\t\n\f\r ;]*))", re.IGNORECASE | re.ASCII
)
_XML = re.compile(rb"<\?xml[^>]*?encoding[\0- ]*=[\0- ]*(?:\"([^\"\0- >]*)\"|'([^'\0- >]*)')[^>]*>")


def declared_encoding(octets: bytes) -> str | None:
    """Return the encoding that a page declares in <meta charset>, <meta http-equiv=content-type> or an XML declaration,
    by its name in the Encoding Standard. Return None if the first 1,024 bytes contain no such declaration. The function
    ignores a byte order mark, which takes precedence over a declaration."""
    head = octets[:_LOOK]
    if head.startswith(b"<\0?\0x\0"):
        return "UTF-16LE"
    if head.startswith(b"\0<\0?\0x"):
        return "UTF-16BE"
    try:
        found = _of_meta(head)
    except IndexError:  # the octets end within a tag
        found = None
    if found is None and (xml := _XML.match(head)):
        found = _written_in_ascii(encoding_by_label((xml[1] or xml[2] or b"").decode("latin-1")))
    return found


def _written_in_ascii(name: str | None) -> str | None:
    """Return the encoding that a declared name stands for, in a page whose declaration could be read as ASCII."""
    if name in ("UTF-16BE", "UTF-16LE"):
        return "UTF-8"
    return "windows-1252" if name == "x-user-defined" else name


def _of_meta(head: bytes) -> str | None:
    at = head.find(b"<")
    while at >= 0:
        if head.startswith(b"<!--", at):
            at = head.find(b"-->", at + 2) + 2  # "The two 0x2D bytes can be the same as those in the '<!--' sequence."
            if at < 2:
                return None
        elif found := _META.match(head, at):
            attributes, at = _attributes(head, found.end())
            name = _of_attributes(attributes)
            if name is not None:
                return name
        elif found := _TAG.match(head, at):
            at = _attributes(head, found.end())[1]
        elif head[at + 1 : at + 2] in (b"!", b"/", b"?"):
            at = head.find(b">", at)
            if at < 0:
                return None
        at = head.find(b"<", at + 1)
    return None


def _attributes(head: bytes, at: int) -> tuple[dict[bytes, str], int]:
    """Return the attributes of a tag, and the place of the tag's ">". Names and values are in lower case; of attributes
    with the same name, only the first is returned. Raises IndexError if the tag has no ">".
    https://html.spec.whatwg.org/#concept-get-attributes-when-sniffing"""
    found: dict[bytes, str] = {}
    while True:
        match = _NAME.match(head, at)
        if match is None:
            raise IndexError
        if match[1] is None:
            return found, match.end() - 1
        name, at, value = match[1].lower(), match.end(), b""
        if head[at] == 0x3D:  # "="
            at += 1
            while head[at] in _SPACE:
                at += 1
            if head[at] in b"\"'":
                end = head.find(head[at : at + 1], at + 1)
                if end < 0:
                    raise IndexError
                value, at = head[at + 1 : end], end + 1
            elif bare := _BARE.match(head, at):
                value, at = bare[0], bare.end()
        found.setdefault(name, value.lower().decode("latin-1"))


def _of_attributes(attributes: dict[bytes, str]) -> str | None:
    if b"charset" in attributes:
        return _written_in_ascii(encoding_by_label(attributes[b"charset"]))
    if attributes.get(b"http-equiv") != "content-type":
        return None
    found = _CHARSET.search(attributes.get(b"content", ""))
    if found is None or found[3]:  # the quotation mark is not closed
        return None
    return _written_in_ascii(encoding_by_label(found[1] or found[2] or found[4] or ""))
