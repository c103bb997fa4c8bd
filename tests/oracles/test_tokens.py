"""p11-kit, where its library is installed, beside the handler of pkcs11."""

from __future__ import annotations

import random
from ctypes import CDLL, POINTER, Structure, c_char_p, c_int, c_ubyte, c_ulong, c_void_p, string_at
from ctypes.util import find_library
from typing import Any

import pytest
from support.seeds import seeded

from oracles.rows import Rows, judged
from oracles.test_libraries import codes, parts

Seen = tuple[Any, ...] | None

TEXTS = {
    **{"token": 32, "manufacturer": 32, "serial": 16, "model": 16, "library-manufacturer": 32},
    **{"library-description": 32, "slot-description": 64, "slot-manufacturer": 32},
}
OTHERS = ("object", "id", "type", "slot-id", "library-version", "x-own", "Token")
OPENING = ("pin-source", "pin-value", "module-name", "module-path")
TYPES = ("data", "cert", "public", "private", "secret-key")  # by their numbers in PKCS #11
VALUES = (
    *2 * ("a", "My%20token", "a%3Bb", "%C3%A4", "%ff", "a=b", "a:b", "[x]", "%41", "", "A+b", "%7E", "0'(1)*"),
    *("a&b", "a/b", "%zz", "a b", "ä"),
)


def token(rng: random.Random) -> str:
    attributes = []
    for name in rng.sample(
        [*TEXTS, "object", "id", "type", "slot-id", "library-version", "x-own", "Token"], rng.randrange(4)
    ):
        value = rng.choice(VALUES)
        if name == "type":
            value = rng.choice((*TYPES, "key", "Private"))
        elif name == "slot-id":
            value = rng.choice(("0", "7", "4294967295", "x", "-1"))
        elif name == "library-version":
            value = rng.choice(("3", "3.20", "3.", ".1", "256.1", "x"))
        attributes.append(f"{name}={value}" if rng.random() < 0.97 else name)
    if attributes and rng.random() < 0.05:
        attributes.append(attributes[0])
    if rng.random() < 0.05:
        attributes.append(rng.choice(("pin-value=1", "", "=a")))
    queries = []
    for name in rng.sample(
        ["pin-source", "pin-value", "module-name", "module-path", "x-own"], rng.choice((0, 0, 1, 2))
    ):
        queries.append(f"{name}={rng.choice(VALUES)}")
    if queries and rng.random() < 0.05:
        queries.append(queries[0])
    query = "?" + "&".join(queries) if queries or rng.random() < 0.05 else ""
    return rng.choice(("pkcs11:", "pkcs11:", "pkcs11:", "PKCS11:")) + ";".join(attributes) + query


def ours_of_token(text: str) -> Seen:
    found = parts(text)
    if found is None:
        return None
    texts = [getattr(found, name.replace("-", "_")) for name in (*TEXTS, "object", *OPENING)]
    version = None
    if found.library_version is not None:
        major, _, minor = found.library_version.partition(".")
        version = int(major), int(minor or 0)
    return (*map(octets, texts), found.id, found.type, found.slot_id, version)


def octets(text: str | None) -> bytes | None:
    return None if text is None else text.encode("utf-8", "surrogateescape")


class Version(Structure):
    _fields_ = (("major", c_ubyte), ("minor", c_ubyte))


class Info(Structure):
    _fields_ = (
        *(("cryptoki", Version), ("manufacturer", c_ubyte * 32), ("flags", c_ulong)),
        *(("description", c_ubyte * 32), ("version", Version)),
    )


class TokenInfo(Structure):
    _fields_ = (
        *(("label", c_ubyte * 32), ("manufacturer", c_ubyte * 32), ("model", c_ubyte * 16), ("serial", c_ubyte * 16)),
    )


class SlotInfo(Structure):
    _fields_ = (("description", c_ubyte * 64), ("manufacturer", c_ubyte * 32))


class Attribute(Structure):
    _fields_ = (("type", c_ulong), ("value", c_void_p), ("length", c_ulong))


ANY = 0xFFFF  # P11_KIT_URI_FOR_ANY
CLASS, LABEL, ID = 0x0, 0x3, 0x102  # CKA_...
NO_SLOT = c_ulong(-1).value


class P11Kit:
    def __init__(self, path: str) -> None:
        library = CDLL(path)
        self.parse, self.new, self.free = library.p11_kit_uri_parse, library.p11_kit_uri_new, library.p11_kit_uri_free
        self.parse.argtypes, self.new.restype = (c_char_p, c_int, c_void_p), c_void_p
        self.free.argtypes = (c_void_p,)
        kinds: dict[str, Any] = {
            **{"module_info": POINTER(Info), "token_info": POINTER(TokenInfo), "slot_info": POINTER(SlotInfo)},
            **{"slot_id": c_ulong},
            **dict.fromkeys(("pin_source", "pin_value", "module_name", "module_path"), c_char_p),
        }
        self.get: dict[str, Any] = {}
        for name, kind in kinds.items():
            self.get[name] = getattr(library, f"p11_kit_uri_get_{name}")
            self.get[name].restype, self.get[name].argtypes = kind, (c_void_p,)
        self.attribute = library.p11_kit_uri_get_attribute
        self.attribute.restype, self.attribute.argtypes = POINTER(Attribute), (c_void_p, c_ulong)

    def __call__(self, text: str) -> Seen:
        uri = self.new()
        try:
            if self.parse(text.encode(), ANY, uri):
                return None
            token = self.get["token_info"](uri)[0]
            slot, module = self.get["slot_info"](uri)[0], self.get["module_info"](uri)[0]
            texts = [token.label, token.manufacturer, token.serial, token.model, module.manufacturer]
            texts += [module.description, slot.description, slot.manufacturer]
            kind, number = self.of_object(uri, CLASS), self.get["slot_id"](uri)
            version = module.version.major, module.version.minor
            return (
                *map(padded, texts),
                self.of_object(uri, LABEL),
                *[self.get[name](uri) for name in ("pin_source", "pin_value", "module_name", "module_path")],
                self.of_object(uri, ID),
                None if kind is None else TYPES[int.from_bytes(kind, "little")],
                None if number == NO_SLOT else number,
                None if version == (255, 255) else version,
            )
        finally:
            self.free(uri)

    def of_object(self, uri: int, kind: int) -> bytes | None:
        found = self.attribute(uri, kind)
        return string_at(found[0].value, found[0].length) if found else None


def padded(field: Any) -> bytes | None:
    """A field of a struct is filled up with blanks; one of NULs is absent."""
    held = bytes(field)
    return held.rstrip(b" ") if held.strip(b"\0") else None


GRAMMAR = {
    *("character-not-allowed", "bad-percent-escape", "parameter-name-missing", "parameter-value-missing"),
    *("parameter-duplicate", "pkcs11-type-unknown", "pkcs11-pin-in-path", "pkcs11-pin-twice"),
}
TOKEN_ROWS: Rows = {
    "grammar": (
        "p11-kit reads attributes twice, both PINs, unknown types and any character (RFC 7512 sections 2.3 and 2.4)",
        lambda text, ours, theirs: ours is None and codes(text) and codes(text) <= GRAMMAR,
    ),
    "version": (
        "PKCS #11 has an octet for each number of a version, the grammar of RFC 7512 any number",
        lambda text, ours, theirs: theirs is None and ours[-1] and max(ours[-1]) > 255,
    ),
}


@pytest.mark.once
def test_p11_kit_sees_the_same_object(cases):
    path = find_library("p11-kit")
    if path is None:
        pytest.skip("p11-kit is not installed")
    theirs, rng = P11Kit(path), seeded("p11-kit")
    texts = [token(rng) for _ in range(cases)]
    seen = judged([(text, ours_of_token(text), theirs(text)) for text in texts], TOKEN_ROWS)
    assert seen["agree"] > 0.5 * cases, seen
