"""Columns that no library should hand over: an error, no crash. Made by hand, so no Arrow library is needed."""

from __future__ import annotations

import ctypes
import struct

import pytest

import urlsm.columns as uc

DATA = b"http://a/bhttps://c.d/e"
OFFSETS = struct.pack("3i", 0, 10, 23)


class Schema(ctypes.Structure):
    pass


class Array(ctypes.Structure):
    pass


Schema._fields_ = [
    *(("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_char_p), ("flags", ctypes.c_int64)),
    *(("n_children", ctypes.c_int64), ("children", ctypes.c_void_p), ("dictionary", ctypes.POINTER(Schema))),
    *(("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(Schema))), ("private_data", ctypes.c_void_p)),
]
Array._fields_ = [
    *((name, ctypes.c_int64) for name in ("length", "null_count", "offset", "n_buffers", "n_children")),
    *(("buffers", ctypes.POINTER(ctypes.c_void_p)), ("children", ctypes.c_void_p)),
    *(("dictionary", ctypes.POINTER(Array)), ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(Array)))),
    ("private_data", ctypes.c_void_p),
]

KEPT = []  # all that was made: a column that was made of it may call its release later
capsule = ctypes.pythonapi.PyCapsule_New
capsule.restype, capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class Made:
    """A column of these buffers; released counts how often its array was."""

    def __init__(self, format, buffers, length=2, offset=0, values=None, index=None):
        KEPT.append(self)
        self.released = 0
        self.blocks = [None if block is None else ctypes.create_string_buffer(block, len(block)) for block in buffers]
        addresses = [None if block is None else ctypes.addressof(block) for block in self.blocks]
        self.buffers = (ctypes.c_void_p * (len(buffers) + 1))(*addresses)
        self.array = Array(length, -1, offset, len(buffers), 0, self.buffers)
        self.schema = Schema(format)
        self.schema.release = type(self.schema.release)(self.let_go)
        self.array.release = type(self.array.release)(self.let_go)
        self.values = values
        if index is not None:
            self.schema.dictionary = ctypes.pointer(index)
        if values is not None:
            self.schema.dictionary, self.array.dictionary = ctypes.pointer(values.schema), ctypes.pointer(values.array)

    def let_go(self, what):
        self.released += isinstance(what.contents, Array)
        what.contents.release = type(what.contents.release)()

    def __arrow_c_array__(self, requested_schema=None):
        return (
            capsule(ctypes.addressof(self.schema), b"arrow_schema", None),
            capsule(ctypes.addressof(self.array), b"arrow_array", None),
        )


def test_what_is_made_by_hand_is_a_column():
    given = Made(b"u", [None, OFFSETS, DATA])
    assert uc.host(given).to_pylist() == ["a", "c.d"]
    assert given.released == 1
    assert uc.host(Made(b"u", [None, OFFSETS, DATA], 1, 1)).to_pylist() == ["c.d"]
    given = Made(b"C", [None, b"\1\0\1"], 3, values=Made(b"u", [None, OFFSETS, DATA]))
    assert uc.host(given).to_pylist() == ["c.d", "a", "c.d"]


def test_a_column_is_taken_once():
    given = Made(b"u", [None, OFFSETS, DATA])
    assert len(uc.host(given)) == 2
    with pytest.raises(ValueError, match="was taken before"):
        uc.host(given)
    assert given.released == 1
    given = Made(b"u", [None, OFFSETS, DATA])
    given.schema.release = type(given.schema.release)()
    with pytest.raises(ValueError, match="was released before"):
        uc.host(given)


@pytest.mark.parametrize("format", [None, b"", b"+l", b"+s", b"\xff", b"vu!", b"d:19,10", b"e" * 5000])
def test_formats_that_are_none(format):
    given = Made(format, [None, OFFSETS, DATA])
    with pytest.raises(TypeError, match="expected a column of utf8"):
        uc.host(given)


@pytest.mark.parametrize("format", [b"g", b"tdD", b"u"])
def test_indices_that_are_not_integers(format):
    given = Made(format, [None, struct.pack("2d", 1, 2)], values=Made(b"u", [None, OFFSETS, DATA]))
    with pytest.raises(TypeError, match="dictionary of utf8"):
        uc.host(given)


@pytest.mark.parametrize(
    ("format", "buffers", "length", "offset"),
    [
        (b"u", [None, OFFSETS], 2, 0),
        (b"vu", [None], 2, 0),
        (b"vu", [], 0, 0),
        (b"U", [None, None, None], 2, 0),
        (b"u", [None, OFFSETS, DATA], -1, 0),
        (b"u", [None, OFFSETS, DATA], 1, -1),
    ],
)
def test_buffers_that_are_missing(format, buffers, length, offset):
    given = Made(format, buffers, length, offset)
    with pytest.raises(ValueError, match="not what its type says"):
        uc.parse(given, text="view")
    assert given.released == 1
    with pytest.raises(ValueError, match="not what its type says"):
        uc.parse(Made(b"i", [None, OFFSETS], values=Made(format, buffers, length, offset)))


@pytest.mark.parametrize(
    ("buffers", "length", "offset"),
    [([None, None], 2, 0), ([None], 0, 0), ([None, b"\0"], -5, 0), ([None, b"\0"], 1, -1)],
)
def test_indices_that_are_missing(buffers, length, offset):
    given = Made(b"c", buffers, length, offset, values=Made(b"u", [None, OFFSETS, DATA]))
    with pytest.raises(ValueError, match="not what its type says"):
        uc.host(given)
    assert given.released == 1


def test_a_dictionary_that_is_missing():
    with pytest.raises(ValueError, match="not what its type says"):
        uc.host(Made(b"c", [None, b"\0\0"], index=Made(b"u", []).schema))


def test_offsets_that_descend_are_texts_too_long():
    given = Made(b"u", [None, struct.pack("3i", 23, 10, 0), DATA])
    assert [row["error"] for row in uc.parse(given, ("error",)).to_pylist()] == ["too-long", "too-long"]


def test_no_rows_need_no_buffers_behind_the_pointers():
    for format in (b"u", b"U", b"vu", b"n"):
        assert uc.parse(Made(format, [None, None, None], 0), text="view").to_pylist() == []
