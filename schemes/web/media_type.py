"""Media types as browsers read and write them, according to the MIME Sniffing Standard."""

from __future__ import annotations

import re

__all__ = ["normal_media_type"]

_WHITE_SPACE = " \t\r\n"  # HTTP whitespace
_TOKEN = "[0-9A-Za-z!#$%&'*+.^_`|~-]+"
_ESSENCE = re.compile(rf"({_TOKEN}/{_TOKEN})[{_WHITE_SPACE}]*(?:;|\Z)")
_QUOTED = r'"((?:[^"\\]|\\.)*\\?)"?[^;]*'  # the closing quotation mark may be missing; text after it is ignored
_PARAMETER = re.compile(rf"[{_WHITE_SPACE}]*([^;=]*)(?:=(?:{_QUOTED}|([^;]*)))?(?:;|\Z)", re.DOTALL)
_NAME = re.compile(_TOKEN)
_VALUE = re.compile("[\t -~\x80-\xff]*")  # HTTP quoted-string token code points


def normal_media_type(text: str) -> str | None:
    """Return a media type as browsers write it, such as "text/html;charset=utf-8" for " Text/HTML ; Charset=utf-8".
    Return None if the text has no valid type and subtype. Parameters that are malformed or have no value are left out.
    If several parameters have the same name, only the first is kept.

    https://mimesniff.spec.whatwg.org/#parsing-a-mime-type, #serializing-a-mime-type
    """
    text = text.strip(_WHITE_SPACE)
    essence = _ESSENCE.match(text)
    if essence is None:
        return None
    parameters: dict[str, str] = {}
    position = essence.end()
    while position < len(text) and (found := _PARAMETER.match(text, position)):
        position = found.end()
        name, quoted, plain = found.groups()
        value = re.sub(r"(?s)\\(.)", r"\1", quoted) if quoted is not None else (plain or "").rstrip(_WHITE_SPACE)
        if (value or quoted is not None) and _NAME.fullmatch(name) and _VALUE.fullmatch(value):
            parameters.setdefault(name.lower(), value)
    return "".join([essence[1].lower(), *(f";{name}={_written(value)}" for name, value in parameters.items())])


def _written(value: str) -> str:
    return value if _NAME.fullmatch(value) else '"' + re.sub(r'(["\\])', r"\\\1", value) + '"'
