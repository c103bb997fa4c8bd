"""A package for your own scheme: project file with the entry point, handler, test."""

from __future__ import annotations

import os
import re
from keyword import iskeyword

from urlsm.machine.driver import SPECIAL

__all__ = ["write"]

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
_HANDLER = """\
\"\"\"The scheme {name}: what may stand where, and what it means.\"\"\"

from __future__ import annotations

from {package}.schemes import HierarchicalParts, Scheme


class {kind}Parts(HierarchicalParts):
    \"\"\"What a {name} URL says: username, password, host, port, path, segments, query. Add your own fields here,
    make them in refine, and write them in compose (the page "Schemes" of urlsm's documentation shows how).\"\"\"


class {kind}(Scheme):
    names = ("{name}",)
    title = "What {name} is for"
    reference = "the document that defines {name}"
    example = "{name}://host.example/a/b?c=d"
    default_port = None
    authority = host = "required"
    parts_type = {kind}Parts
"""
_TEST = """\
from {module} import {kind}

from {package}.testing import check_handler


def test_the_handler_keeps_its_contract():
    check_handler(
        {kind},
        valid=["{name}://host.example", "{name}://host.example/a%20b?c#d"],
        broken=[("{name}:a", "authority-missing"), ("{name}://", "host-missing"), "{name}://host.example/a b"],
    )
"""


def write(name: str, folder: str | None = None) -> list[str]:
    """Write the package; return the paths of its files. ValueError: the name is not valid for a scheme, or special.
    OSError: the package exists already, or cannot be written."""
    if re.fullmatch("[a-z][a-z0-9+.-]*", name) is None:
        raise ValueError(f"a scheme cannot be called {name!r}: use lower-case letters, digits, '+', '-' and '.' only")
    if name in SPECIAL:
        raise ValueError(
            f"{name} is special in the URL Standard, and installed packages never replace its handler: only "
            "urlsm.register(handler) does, in a program of yours"
        )
    words = re.split("[+.-]+", name.strip("+.-"))
    kind = "".join([word.capitalize() for word in words])
    names = {
        "name": name,
        "package": "urlsm",
        "dashed": "-".join(words),
        "module": "urlsm_" + "_".join(words),
        "kind": f"{kind}Handler" if iskeyword(kind) or kind in ("Scheme", "Hierarchical") else kind,
    }
    folder = folder or f"urlsm-{names['dashed']}"
    os.makedirs(folder)
    written = []
    for file, text in (
        ("pyproject.toml", _PROJECT),
        (f"{names['module']}.py", _HANDLER),
        (f"test_{names['module']}.py", _TEST),
    ):
        written.append(os.path.join(folder, file))
        with open(written[-1], "x", encoding="utf-8") as stream:
            stream.write(text.format(**names))
    return written
