"""Arrow's names for types, and urlsm's names for fields.

To add a field, add a row to TABLE and run tools/tables.py, which writes fields.h and fields.pxd. Then add a case to
rows.pyx: in cut_row and cut_plain if the field is a part of the text, otherwise in write_batch or write_numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeVar

T = TypeVar("T")


class Field(NamedTuple):
    """A field of a URL that can become a column."""

    name: str
    format: str = ""  # Arrow's format string; "c": an index into a dictionary; "": a text, in the requested layout
    of_host: bool = False  # whether the text after the authority has no effect on the value
    of_parse: bool = True  # whether columns.parse makes the field; False: another function does
    of_list: bool = False  # whether the field needs a list of public suffixes


TABLE = (
    *(Field("scheme"), Field("username"), Field("password"), Field("host", of_host=True), Field("port", "S")),
    *(Field("path"), Field("query"), Field("fragment"), Field("href"), Field("authority"), Field("origin")),
    Field("can_parse", "b", of_host=True),
    *(Field("error_code", "c"), Field("error_position", "i")),
    *(Field(name, of_host=True, of_list=True) for name in ("registrable_domain", "public_suffix")),
    *(Field(name, of_host=True, of_list=True) for name in ("icann_registrable_domain", "icann_public_suffix")),
    *(Field("query_param", of_parse=False), Field("is_ambiguous", "b", of_parse=False)),
    # a value of the next two fields has a bit for each of HAZARDS (security.hazards) or of TRAPS (crawler.pages)
    *(Field("hazards", "L", of_parse=False), Field("traps", "L", of_parse=False)),
    # fingerprints, which are hashes of a key
    *(Field("xxh64", "L", of_parse=False), Field("sha1", "w:20", of_parse=False)),
    Field("blake2b-128", "w:16", of_parse=False),
    # "name" is the host without a dot at its end; "label1" is its last label, "label2" the label before that, and so
    # on; "reversed" (below) has all labels, the last label first
    *(Field(name, of_host=True, of_parse=False) for name in ("name", "label1", "label2", "label3", "label4", "label5")),
    Field("reversed", of_host=True, of_parse=False),
)
ALL_FIELDS = tuple(field.name for field in TABLE)  # the number of a field in C is its index here
FIELDS = tuple(field.name for field in TABLE if field.of_parse)
FORMATS = {field.name: field.format for field in TABLE if field.format}
LISTED = frozenset(field.name for field in TABLE if field.of_list)
FIVE = ("scheme", "host", "path", "query", "fragment")
OF_PARTS = "parts."  # the prefix of further fields, for the parts in URL.parts
SPANS = ("scheme", "authority", "userinfo", "username", "password", "host", "port", "path", "query", "fragment")
SPLIT = ("scheme", "authority", "path", "query", "fragment")
HOSTS = {  # maps the name of a column in Common Crawl's index to our field
    "url_host_name": "name",
    "url_host_tld": "label1",
    "url_host_2nd_last_part": "label2",
    "url_host_3rd_last_part": "label3",
    "url_host_4th_last_part": "label4",
    "url_host_5th_last_part": "label5",
    "url_host_registry_suffix": "icann_public_suffix",
    "url_host_registered_domain": "icann_registrable_domain",
    "url_host_private_suffix": "public_suffix",
    "url_host_private_domain": "registrable_domain",
    "url_host_name_reversed": "reversed",
    "url_protocol": "scheme",
}
# maps the index's name of a column to our field, for components of the URL as written, not normalised
WRITTEN = {"url_port": "port", "url_path": "path", "url_query": "query"}
INDEX = ("url_surtkey", *HOSTS, *WRITTEN)  # the columns of Common Crawl's index for a URL
ABOUT = {  # for urlsm.about
    "Common Crawl's index": {
        "tables": "HOSTS WRITTEN",
        "source": "Common Crawl, columnar index",
        "url": "https://commoncrawl.org/columnar-index",
        "date": "2026-11-26",
        "used_by": "columns of an index",
    },
}

_PRIMITIVES = {
    **{"n": "null", "b": "bool", "c": "int8", "C": "uint8", "s": "int16", "S": "uint16", "i": "int32", "I": "uint32"},
    **{"l": "int64", "L": "uint64", "e": "halffloat", "f": "float", "g": "double", "z": "binary", "Z": "large_binary"},
    **{"vz": "binary_view", "u": "utf8", "U": "large_utf8", "vu": "string_view", "tdD": "date32", "tdm": "date64"},
    **{"+l": "list", "+L": "large_list", "+vl": "list_view", "+vL": "large_list_view", "+m": "map", "+s": "struct"},
    **{"+r": "run_end_encoded"},
}
_FAMILIES = {"w:": "fixed_size_binary", "d:": "decimal", "ts": "timestamp", "tt": "time", "tD": "duration"}
_FAMILIES |= {"ti": "interval", "+w": "fixed_size_list", "+u": "union"}


class Schema(NamedTuple):
    """An Arrow type: its format string, the name of the field with this type, its children and its dictionary, the
    flags of Arrow (2: values may be null), and the metadata, as the C data interface has it."""

    format: str
    name: str = ""
    children: tuple[Schema, ...] = ()
    dictionary: Schema | None = None
    flags: int = 2
    metadata: bytes = b""

    def __str__(self) -> str:
        if self.dictionary is not None:
            return f"dictionary<{type_name(self.format)}, {self.dictionary}>"
        if self.format == "+s":
            return f"struct<{', '.join(f'{child.name}: {child}' for child in self.children)}>"
        if self.format == "+l" and self.children:
            return f"list<{self.children[0]}>"
        return type_name(self.format)


LIST = Schema("+l", "", (Schema("u", "item"),))


def type_name(format: str) -> str:
    """Return Arrow's name for the type with this format string."""
    if format.startswith("w:"):
        return f"fixed_size_binary[{format[2:]}]"
    found = _PRIMITIVES.get(format) or _FAMILIES.get(format[:2])
    return found or f"the Arrow type with the format {format!r}"


def field_schema(name: str, text: str) -> Schema:
    """Return the Arrow type of a field of a URL. text: the format to use for text."""
    found = FORMATS.get(name, text)
    return Schema(found, name, (), Schema("u") if found == "c" else None)


def type_in(types: dict[str, T], name: str) -> T:
    """Return the type that an engine, such as DuckDB, uses for a field. types: maps Arrow's format strings to the
    engine's types; "" stands for text."""
    return types.get(FORMATS.get(name, ""), types[""])


def cast_schema(ours: Schema, wanted: Schema) -> Schema:
    """Return urlsm's type, but with the text layouts of the type `wanted`. All other types stay unchanged."""
    if wanted.format == ours.format == "+s" and len(wanted.children) == len(ours.children) and ours.children:
        children = [_cast_text(a, b) for a, b in zip(ours.children, wanted.children, strict=True)]
        return ours._replace(children=tuple(children))
    return _cast_text(ours, wanted)


def _cast_text(ours: Schema, wanted: Schema) -> Schema:
    text = ours if ours.dictionary is None else ours.dictionary
    return Schema(wanted.format, ours.name) if _is_text(text) and _is_text(wanted) else ours


def _is_text(schema: Schema) -> bool:
    return schema.format in ("u", "U", "vu", "z", "Z", "vz") and schema.dictionary is None


def check_fields(fields: Iterable[str], known: tuple[str, ...], further: str = "") -> tuple[str, ...]:
    """Return the field names as a tuple. further: a prefix for names that are allowed in addition to the known names,
    or "". Raises ValueError if a name is unknown (the message lists the known names) or repeated, and TypeError if a
    name is not a str."""
    if isinstance(fields, (str, bytes)) or not isinstance(fields, Iterable):
        hint = f": write ({fields!r},)" if isinstance(fields, str) else ""
        raise TypeError(f"fields must be a sequence of names, not {type(fields).__name__}{hint}")
    names = tuple(fields)
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"each field must be str, not {type(name).__name__}")
        if name not in known and not (further and name.startswith(further) and name[len(further) :].isidentifier()):
            raise ValueError(f"unknown field {name!r}: the fields are {', '.join(known)}")
    if not names:
        raise ValueError("fields must not be empty")
    for k, name in enumerate(names):
        if name in names[:k]:
            raise ValueError(f"fields must contain {name!r} only once")
    return names


def plugin_arguments(kind: str, fields: Iterable[str]) -> str:
    """Return the request for these fields that Polars passes to urlsm's library; kwargs.h describes it. kind: the first
    two characters of the request."""
    known = ALL_FIELDS if kind[1] == "-" else SPANS
    return kind + "".join(f"{chr(65 + known.index(name))}{name}," for name in fields)
