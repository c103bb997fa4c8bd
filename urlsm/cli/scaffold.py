"""Writes a package for your own scheme: a project file with the entry point, a handler, and a test."""

from __future__ import annotations

import os
import re
from keyword import iskeyword

from urlsm.machine.driver import SPECIAL

__all__ = ["BASES", "write"]

_PROJECT = """\
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "urlsm-{dashed}"
version = "0.1"
description = "The scheme {name} for urlsm"
requires-python = ">=3.10"
dependencies = ["urlsm"]

[project.optional-dependencies]
test = ["pytest"]

[project.entry-points."urlsm.schemes"]
"{name}" = "{module}:{kind}"

[tool.setuptools]
py-modules = ["{module}"]
"""
_SCHEME = """\
\"\"\"The scheme {name}: its syntax and meaning.\"\"\"

from __future__ import annotations

from {package}.schemes import HierarchicalParts, Scheme


class {kind}Parts(HierarchicalParts):
    \"\"\"The parts of a {name} URL: username, password, host, port, path, segments, query. Add your own fields here,
    read them in read_parts, and write them in write_parts (the page "Parts of your scheme" shows how).\"\"\"


class {kind}(Scheme[{kind}Parts]):
    names = ("{name}",)
    title = "What {name} is for"
    reference = "the document that defines {name}"
    example = "{name}://host.example/a/b?c=d"
    default_port = None
    authority = host = "required"
"""
_DATABASE = """\
\"\"\"The scheme {name}: how a client connects to the database.\"\"\"

from __future__ import annotations

from {package}.schemes import Database, Field, Parameters


class {kind}(Database):
    \"\"\"Its parts are username, password, host, port, driver (what follows "+" in the scheme), database and
    query_params. To allow several hosts, use Cluster instead of Database.\"\"\"

    names = ("{name}",)
    title = "{name} connection"
    reference = "the document that defines {name}"
    example = "{name}://user:secret@db.example/shop?timeout=5"
    default_port = None
    host = "required"
    parameters = Parameters(Field("timeout", "number", repeat="forbid"), named=False, plus=True)
"""
_STORE = """\
\"\"\"The scheme {name}: a bucket and the key of an object, which is used exactly as written.\"\"\"

from __future__ import annotations

import re

from {package}.schemes import Bucket


class {kind}(Bucket):
    names = ("{name}",)
    title = "{name} object"
    reference = "the document that defines {name}"
    example = "{name}://my-bucket/path/to/key.txt"
    wrong_in_bucket = re.compile("[^a-z0-9-]")  # a character not allowed in a bucket name

    def is_forbidden_name(self, bucket: str) -> bool:
        return not 3 <= len(bucket) <= 63
"""
_NAME = """\
\"\"\"The scheme {name}: a name that consists of sections.\"\"\"

from __future__ import annotations

import re

from {package}.schemes import PCHAR, Name, Parts, Section


class {kind}Parts(Parts):
    \"\"\"namespace, in lower case, and what it names; decoded, None where absent.\"\"\"

    namespace: str | None = None
    specific: str | None = None


class {kind}(Name[{kind}Parts]):
    names = ("{name}",)
    title = "What {name} names"
    reference = "the document that defines {name}"
    example = "{name}:books:9780140434088"
    sections = (
        Section("namespace", grammar=re.compile("[A-Za-z][A-Za-z0-9]*"), fold=True),
        Section("specific", PCHAR + "/", before=":"),
    )
"""
_TEST = """\
from {module} import {kind}

from {package}.testing import check_handler


def test_the_handler_keeps_its_contract():
    check_handler(
        {kind},
        valid=[{valid}],
        broken=[{broken}],
    )
"""
# for each base: the template of the module with the handler, and the valid and the broken texts for the test
BASES = {
    "scheme": (
        _SCHEME,
        '"{name}://host.example", "{name}://host.example/a%20b?c#d"',
        '("{name}:a", "authority-missing"), ("{name}://", "host-missing"), "{name}://host.example/a b"',
    ),
    "database": (
        _DATABASE,
        '"{name}://db.example", "{name}+driver://u@[::1]:1/a%2Fb?x=y+z"',
        '("{name}:a", "authority-missing"), ("{name}://h/?timeout=x", "parameter-value-invalid")',
    ),
    "store": (
        _STORE,
        '"{name}://abc", "{name}://abc/a//b/../c?d#e"',
        '("{name}:a", "authority-missing"), ("{name}:///a", "bucket-missing"), ("{name}://a/b", "bucket-name-invalid")',
    ),
    "name": (
        _NAME,
        '"{name}:A:b/c", "{name}:a:%20#d"',
        '("{name}:a", "name-section-missing"), ("{name}:1:b", "name-section-invalid"), "{name}:a:b c"',
    ),
}
_IMPORTED = ("Scheme", "Hierarchical", "Database", "Bucket", "Name", "Section", "Field", "Parameters")


def write(name: str, folder: str | None = None, base: str = "scheme") -> list[str]:
    """Write the package and return the paths of its files. base: a key in BASES. Raise ValueError if the name is not a
    valid scheme or is a special scheme. Raise OSError if the package exists or cannot be written."""
    if re.fullmatch("[a-z][a-z0-9+.-]*", name) is None:
        wrong = (
            "it must start with a letter"
            if re.match("[^a-zA-Z]", name)
            else ("use lower-case letters, digits, '+', '-' and '.' only")
        )
        raise ValueError(f"invalid scheme {name!r}: {wrong}")
    if name in SPECIAL:
        raise ValueError(
            f"{name} is special in the URL Standard, so an installed package cannot replace its handler: call "
            "urlsm.register(handler) in your program"
        )
    words = re.split("[+.-]+", name.strip("+.-"))
    kind = "".join([word.capitalize() for word in words])
    names = {
        "name": name,
        "package": "urlsm",
        "dashed": "-".join(words),
        "module": "urlsm_" + "_".join(words),
        "kind": f"{kind}Handler" if iskeyword(kind) or kind in _IMPORTED else kind,
    }
    handler, valid, broken = BASES[base]
    names |= {"valid": valid.format(**names), "broken": broken.format(**names)}
    folder = folder or f"urlsm-{names['dashed']}"
    os.makedirs(folder)
    written = []
    for file, text in (
        ("pyproject.toml", _PROJECT),
        (f"{names['module']}.py", handler),
        (f"test_{names['module']}.py", _TEST),
    ):
        written.append(os.path.join(folder, file))
        with open(written[-1], "x", encoding="utf-8") as stream:
            stream.write(text.format(**names))
    return written
