"""Columns that no library should export give an error, not a crash. Made by hand, without an Arrow library."""

from __future__ import annotations

import ctypes
import gc
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

KEPT = []  # all that was made: a column of it may call its release later
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
        self.callbacks = type(self.schema.release)(self.let_go), type(self.array.release)(self.let_go)
        self.schema.release, self.array.release = self.callbacks
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
    with pytest.raises(ValueError, match="is already consumed"):
        uc.host(given)
    assert given.released == 1
    given = Made(b"u", [None, OFFSETS, DATA])
    given.schema.release = type(given.schema.release)()
    with pytest.raises(ValueError, match="is already consumed"):
        uc.host(given)


@pytest.mark.parametrize("format", [None, b"", b"+l", b"+s", b"\xff", b"vu!", b"d:19,10", b"e" * 5000])
def test_formats_that_are_none(format):
    given = Made(format, [None, OFFSETS, DATA])
    with pytest.raises(TypeError, match="column must be of utf8"):
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
    with pytest.raises(ValueError, match="buffers do not match its type"):
        uc.parse(given, layout="view")
    assert given.released == 1
    with pytest.raises(ValueError, match="buffers do not match its type"):
        uc.parse(Made(b"i", [None, OFFSETS], values=Made(format, buffers, length, offset)))


@pytest.mark.parametrize(
    ("buffers", "length", "offset"),
    [([None, None], 2, 0), ([None], 0, 0), ([None, b"\0"], -5, 0), ([None, b"\0"], 1, -1)],
)
def test_indices_that_are_missing(buffers, length, offset):
    given = Made(b"c", buffers, length, offset, values=Made(b"u", [None, OFFSETS, DATA]))
    with pytest.raises(ValueError, match="buffers do not match its type"):
        uc.host(given)
    assert given.released == 1


def test_a_dictionary_that_is_missing():
    with pytest.raises(ValueError, match="buffers do not match its type"):
        uc.host(Made(b"c", [None, b"\0\0"], index=Made(b"u", []).schema))


def test_offsets_that_descend_are_texts_too_long():
    given = Made(b"u", [None, struct.pack("3i", 23, 10, 0), DATA])
    assert [row["error_code"] for row in uc.parse(given, ("error_code",)).to_pylist()] == ["too-long", "too-long"]


def test_no_rows_need_no_buffers_behind_the_pointers():
    for format in (b"u", b"U", b"vu", b"n"):
        assert uc.parse(Made(format, [None, None, None], 0), layout="view").to_pylist() == []


# --- what another library claims ---

TEXTS = [b"http://a/b", b"https://c.d/efghij"]
LONG = b"".join(TEXTS)


def view(text: bytes, buffer: int = 0, offset: int = 0, length: int | None = None) -> bytes:
    return struct.pack("i4sii", len(text) if length is None else length, text[:4], buffer, offset)


def views(*rows: bytes, sizes: tuple[int, ...] | None = (len(LONG),), **more: object) -> Made:
    """Return a column of views into LONG; sizes: of its buffers, by the producer."""
    packed = None if sizes is None else struct.pack(f"{len(sizes)}q", *sizes)
    return Made(b"vu", [None, b"".join(rows), LONG, packed], len(rows), **more)


GOOD = view(TEXTS[1], 0, len(TEXTS[0]))


def refused(made: Made, call=uc.host) -> None:
    """Check that there is a ValueError, and that the taken array is released."""
    with pytest.raises(ValueError, match="buffers do not match its type"):
        call(made)
    assert made.released == 1


def test_views_made_by_hand_are_a_column():
    assert uc.host(views(GOOD)).to_pylist() == ["c.d"]


@pytest.mark.parametrize("sizes", [None, (-1,), (-(1 << 63),), (len(LONG) - 1,), (0,)])
@pytest.mark.parametrize("call", [uc.host, uc.href, uc.can_parse, lambda given: uc.parse(given, layout="string")])
def test_sizes_of_view_buffers(sizes: tuple[int, ...] | None, call):
    refused(views(GOOD, sizes=sizes), call)


@pytest.mark.parametrize(
    "wrong",
    [
        view(TEXTS[1], 0, 0, -1),
        view(TEXTS[1], 0, 0, -(1 << 31)),
        view(TEXTS[1], 1, 0),
        view(TEXTS[1], -1, 0),
        view(TEXTS[1], 0, -1),
        view(TEXTS[1], 0, (1 << 31) - 1),
        view(TEXTS[1], 0, 0, 1 << 30),
        view(TEXTS[1], 0, len(TEXTS[0]) + 1),
    ],
)
def test_views_that_leave_their_buffer(wrong: bytes):
    for rows in ([wrong], [GOOD, wrong], [GOOD] * 300 + [wrong]):
        for call in (uc.host, uc.href, uc.is_ambiguous, lambda given: uc.resolve(given, base="http://h/")):
            refused(views(*rows), call)
        if len(rows) == 2:
            refused(views(*rows), lambda given: uc.resolve(Made(b"u", [None, OFFSETS, DATA]), base=given))
    values = views(GOOD, wrong)
    refused(Made(b"c", [None, b"\0\1"], values=values))
    nothing = Made(b"vu", [b"\1", GOOD + wrong, LONG, struct.pack("q", len(LONG))], 2)
    assert uc.host(nothing).to_pylist() == ["c.d", None]  # null rows are not read


@pytest.mark.parametrize(
    "offsets", [(0, 24, 23), (-5, 10, 23), (0, 10, -1), (-(1 << 31), 10, 23), (0, (1 << 31) - 1, 23), (23, 1 << 30, 23)]
)
@pytest.mark.parametrize(("format", "code"), [(b"u", "3i"), (b"z", "3i"), (b"U", "3q"), (b"Z", "3q")])
def test_offsets_that_leave_the_buffer(offsets: tuple[int, ...], format: bytes, code: str):
    refused(Made(format, [None, struct.pack(code, *offsets), DATA]))
    with_nulls = Made(format, [b"\3", struct.pack(code, *offsets), DATA])
    refused(with_nulls)


def test_texts_without_octets():
    refused(Made(b"u", [None, OFFSETS, None]))
    refused(views(GOOD, sizes=(1, len(LONG))))
    assert uc.host(Made(b"u", [None, struct.pack("3i", 0, 0, 0), None])).to_pylist() == [None, None]


@pytest.mark.parametrize("format", [b"u", b"U", b"vu", b"n"])
@pytest.mark.parametrize(("length", "offset"), [(1 << 40, 0), ((1 << 63) - 1, 0), (1, 1 << 40), (1 << 62, 1 << 62)])
def test_more_rows_than_there_can_be(format: bytes, length: int, offset: int):
    refused(Made(format, [None, OFFSETS, DATA, struct.pack("q", 0)], length, offset))
    refused(Made(b"i", [None, OFFSETS], length, offset, values=Made(b"u", [None, OFFSETS, DATA])))


@pytest.mark.parametrize("n_buffers", [-1, 0, 3, 1 << 40])
@pytest.mark.parametrize("format", [b"u", b"vu", b"c"])
def test_buffers_that_are_not_there(n_buffers: int, format: bytes):
    given = Made(format, [None, OFFSETS, DATA], values=Made(b"u", [None, OFFSETS, DATA]) if format == b"c" else None)
    given.array.buffers = None
    given.array.n_buffers = n_buffers
    refused(given)


@pytest.mark.parametrize("code", [*"bBhHiIqQ"])
def test_indices_that_no_value_has(code: str):
    format = dict(zip("bBhHiIqQ", "cCsSiIlL", strict=True))[code].encode()
    for wrong in (2, (1 << 8 * struct.calcsize(code) - 1) - 1, -1):
        if wrong < 0 and code.isupper():
            wrong += 1 << 8 * struct.calcsize(code)
        rows = struct.pack("4" + code, 1, 0, wrong, 1)

        def column(validity: bytes | None = None, length: int = 4, offset: int = 0, rows: bytes = rows) -> Made:
            return Made(format, [validity, rows], length, offset, values=Made(b"u", [None, OFFSETS, DATA]))

        for call in (uc.host, uc.parse, uc.can_parse, uc.segments, lambda given: uc.resolve(given, base="http://h/")):
            refused(column(), call)
            refused(column(b"\x0c", 2, 2), call)
        assert uc.host(column(b"\x0b")).to_pylist() == ["c.d", "a", None, "c.d"]  # it is never read
        assert uc.host(column(length=2)).to_pylist() == ["c.d", "a"]
        assert uc.host(column(length=1, offset=3)).to_pylist() == ["c.d"]
        with pytest.raises(ValueError, match="buffers do not match its type"):
            read(batch(column(), 4))
        hidden = batch(column(), 4)
        hidden.array.buffers[0] = ctypes.addressof(VALID)
        assert read(hidden) == [[{"host": "c.d"}, {"host": "a"}, {"host": None}, {"host": "c.d"}]]


VALID = ctypes.create_string_buffer(b"\x0b", 1)


def test_a_struct_without_its_buffers():
    for null_count in (-1, 1, 0):
        given = batch(Made(b"u", [None, OFFSETS, DATA]))
        given.array.buffers, given.array.null_count = None, null_count
        with pytest.raises(ValueError, match="buffers do not match its type"):
            read(given)


def test_nulls_of_a_struct_that_starts_in_the_middle():
    given = batch(Made(b"u", [b"\xff", struct.pack("4i", 0, 0, 10, 23), DATA], 2, 1), 1, 1)
    given.array.buffers[0] = ctypes.addressof(VALID)
    assert read(given) == [[{"host": "c.d"}]]
    given = batch(Made(b"u", [None, struct.pack("5i", 0, 0, 0, 10, 23), DATA], 3, 1), 1, 2)
    given.array.buffers[0] = ctypes.addressof(VALID)
    assert read(given) == [[{"host": None}]]


OUTCOME = ctypes.c_ssize_t  # an int as s390x returns it: extended to 64 bits, which ctypes leaves out


class Stream(ctypes.Structure):
    _fields_ = [
        ("get_schema", ctypes.CFUNCTYPE(OUTCOME, ctypes.c_void_p, ctypes.POINTER(Schema))),
        ("get_next", ctypes.CFUNCTYPE(OUTCOME, ctypes.c_void_p, ctypes.POINTER(Array))),
        ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_void_p)),
        ("release", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
        ("private_data", ctypes.c_void_p),
    ]


class Reader:
    """A stream of one array."""

    def __init__(self, made: Made | None, outcome: int = 0):
        KEPT.append(self)
        types = dict(Stream._fields_)

        def schema(_, out):
            if made is not None:
                ctypes.memmove(out, ctypes.byref(made.schema), ctypes.sizeof(Schema))
            return outcome

        def array(_, out):
            ctypes.memmove(out, ctypes.byref(made.array), ctypes.sizeof(Array))
            made.array.release = type(made.array.release)()
            return 0

        self.stream = Stream(types["get_schema"](schema), types["get_next"](array))
        self.stream.release = types["release"](lambda _: None)

    def __arrow_c_stream__(self, requested_schema=None):
        return capsule(ctypes.addressof(self.stream), b"arrow_array_stream", None)


def batch(child: Made, length: int = 2, offset: int = 0, children: int = 1, pointers: bool = True) -> Made:
    """Record batches of one column "a"."""
    made = Made(b"+s", [None], length, offset)
    child.schema.name = b"a"
    made.child = child
    made.schemas = (ctypes.c_void_p * 1)(ctypes.addressof(child.schema))
    made.arrays = (ctypes.c_void_p * 1)(ctypes.addressof(child.array) if pointers else None)
    made.schema.n_children, made.schema.children = 1, ctypes.addressof(made.schemas)
    made.array.n_children, made.array.children = children, ctypes.addressof(made.arrays)
    return made


def read(made: Made) -> list:
    return [answer.to_pylist() for answer in uc.parse_stream(Reader(made), column="a", fields=("host",))]


def test_a_stream_made_by_hand_is_read():
    assert read(batch(Made(b"u", [None, OFFSETS, DATA]))) == [[{"host": "a"}, {"host": "c.d"}]]
    assert read(batch(Made(b"u", [None, OFFSETS, DATA]), 1, 1)) == [[{"host": "c.d"}]]


@pytest.mark.parametrize(
    ("length", "offset", "children", "pointers"),
    [(3, 0, 1, True), (2, 1, 1, True), (2, 0, 0, True), (2, 0, 1, False), (-1, 0, 1, True), (1, -1, 1, True),
     (1 << 40, 0, 1, True), ((1 << 63) - 1, 1 << 62, 1, True)],
)  # fmt: skip
def test_batches_that_hold_less_than_they_say(length: int, offset: int, children: int, pointers: bool):
    with pytest.raises(ValueError, match="buffers do not match its type"):
        read(batch(Made(b"u", [None, OFFSETS, DATA]), length, offset, children, pointers))
    given = batch(Made(b"u", [None, OFFSETS, DATA]))
    given.array.children = None
    with pytest.raises(ValueError, match="buffers do not match its type"):
        read(given)


def test_schemas_that_are_malformed():
    def schema(**changes: object) -> Made:
        made = Made(b"+s", [None])
        for name, value in changes.items():
            setattr(made.schema, name, value)
        return made

    nothing = (ctypes.c_void_p * 2)()
    itself = schema(n_children=2)
    both = (ctypes.c_void_p * 2)(*[ctypes.addressof(itself.schema)] * 2)
    itself.schema.children = ctypes.addressof(both)
    values = Made(b"i", [None, OFFSETS])
    values.schema.dictionary = ctypes.pointer(values.schema)
    for made in (
        schema(n_children=1),
        schema(n_children=-1),
        schema(n_children=-1, children=ctypes.addressof(nothing)),
        schema(n_children=2, children=ctypes.addressof(nothing)),
        schema(n_children=1 << 40, children=ctypes.addressof(nothing)),
        itself,
        values,
    ):
        with pytest.raises(ValueError, match="schema is malformed"):
            uc.host(made)
        assert made.released == 1
        with pytest.raises(ValueError, match="schema is malformed"):
            uc.parse_stream(Reader(made), column="a")


def test_streams_that_lack_what_they_need():
    for lacks in ("get_schema", "get_next"):
        reader = Reader(batch(Made(b"u", [None, OFFSETS, DATA])))
        setattr(reader.stream, lacks, dict(Stream._fields_)[lacks]())
        with pytest.raises(ValueError, match="lacks a function"):
            uc.parse_stream(reader, column="a")
    with pytest.raises(OSError, match="the stream failed"):
        uc.parse_stream(Reader(None, 22), column="a")
    with pytest.raises(ValueError, match="is already consumed"):
        uc.parse_stream(Reader(None), column="a")


def with_kept(other: Made) -> Made:
    """Record batches of the column "a", and `other` as the column "b"."""
    made = batch(Made(b"u", [None, OFFSETS, DATA]))
    other.schema.name, made.other = b"b", other
    made.schemas = (ctypes.c_void_p * 2)(ctypes.addressof(made.child.schema), ctypes.addressof(other.schema))
    made.arrays = (ctypes.c_void_p * 2)(ctypes.addressof(made.child.array), ctypes.addressof(other.array))
    made.schema.n_children, made.schema.children = 2, ctypes.addressof(made.schemas)
    made.array.n_children, made.array.children = 2, ctypes.addressof(made.arrays)
    return made


def kept_of(made: Made) -> list:
    stream = uc.parse_stream(Reader(made), column="a", fields=("host",), keep=("b",), batch_size=1)
    return [row["b"] for part in stream for row in part.to_pylist()]


NUMBERS = struct.pack("2i", 7, -8)


def test_a_kept_column_made_by_hand():
    made = with_kept(Made(b"i", [None, NUMBERS]))
    assert kept_of(made) == [7, -8]
    gc.collect()
    assert made.released == 1
    assert kept_of(with_kept(Made(b"u", [None, OFFSETS, DATA]))) == ["http://a/b", "https://c.d/e"]


@pytest.mark.parametrize(
    ("format", "buffers", "length", "offset"),
    [(b"i", [None, NUMBERS], 1, 0), (b"i", [None, NUMBERS], -1, 0), (b"i", [None, NUMBERS], 2, -1),
     (b"i", [None], 2, 0), (b"i", [None, None], 2, 0), (b"u", [None, OFFSETS], 2, 0),
     (b"u", [None, OFFSETS, None], 2, 0), (b"+s", [None], 1, 0), (b"w:4", [None], 2, 0), (b"+l", [None], 2, 0)],
)  # fmt: skip
def test_kept_columns_that_hold_less_than_they_say(format, buffers, length, offset):
    with pytest.raises(ValueError, match="buffers do not match its type"):
        kept_of(with_kept(Made(format, buffers, length, offset)))


def test_a_kept_column_without_its_children_or_its_dictionary():
    other = Made(b"i", [None, NUMBERS])
    other.array.n_children = 1
    with pytest.raises(ValueError, match="buffers do not match its type"):
        kept_of(with_kept(other))
    other = Made(b"i", [None, NUMBERS], values=Made(b"u", [None, OFFSETS, DATA]))
    other.array.dictionary = None
    with pytest.raises(ValueError, match="buffers do not match its type"):
        kept_of(with_kept(other))
