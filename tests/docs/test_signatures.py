"""docs/signatures.py: the reference shows compiled functions with the signatures of the stubs."""

from __future__ import annotations

import importlib.util
import pathlib
import re
import shutil

import pytest

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
_SPEC = importlib.util.spec_from_file_location("signatures", DOCS / "signatures.py")
signatures = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(signatures)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("urlsm.can_parse", ("(url: StrOrURL, base: StrOrURL | None=None)", "bool")),
        ("urlsm.URL.join", ("(ref: StrOrURL)", "URL")),
        ("urlsm.handler", ("(name: str)", "Scheme")),
        ("urlsm.split", ("(url: TextURL, dialect: Dialect='whatwg')", "Components")),
        ("urlsm.crawler.host_matches", ("(url: StrOrURL, domains: str | Iterable[str])", "bool")),
        (
            "urlsm.URL.with_query",
            (
                "(query: Mapping[str, Values] | str | Items | Iterable[tuple[str, Values]] | None, *, "
                "space: Literal['%20'] | None=None)",
                "URL",
            ),
        ),
        ("urlsm.HAZARDS", None),
    ],
)
def test_a_signature_has_its_types(name, shown):
    assert signatures.signature(name) == shown


def test_an_attribute_begins_with_its_type():
    lines = ["The serialised host: a domain, *or* so."]
    signatures.process_docstring(None, "property", "urlsm.URL.host", None, None, lines)
    assert lines == [r"str | None: The serialised host: a domain, \*or\* so."]


def test_each_argument_and_each_error_has_a_line():
    lines = [
        "x",
        "",
        "Args:",
        "    base, ref: str. See",
        "        RFC: 1. dialect: one.",
        "    strict: b.",
        "",
        "Raises:",
    ]
    lines += ["    ParseError: no", "    URL. ValueError, TypeError: the rest. Note: x.", "", "End: y."]
    signatures.process_docstring(None, "function", "urlsm.resolve", None, None, lines)
    args = ["Args:", "    base, ref: str. See RFC: 1.", "    dialect: one.", "    strict: b."]
    errors = ["Raises:", "    ParseError: no URL.", "    ValueError, TypeError: the rest. Note: x."]
    assert lines == ["x", "", *args, "", *errors, "", "End: y."]


def test_every_function_of_the_first_part_has_types():
    part = (DOCS / "api.md").read_text(encoding="utf-8").partition("## Crawling")[0]
    for name in re.findall(r"^\.\. autofunction:: (\S+)$", part, re.MULTILINE):
        if name != "urlsm.explain":  # in Python, with its annotations
            assert signatures.signature(name) and signatures.signature(name)[1], name


def test_stubs_are_found_where_the_pages_are_built_alone(tmp_path):
    """As with nox: the pages are away from the package, whose stubs are installed beside its modules."""
    copied = shutil.copy(DOCS / "signatures.py", tmp_path)
    alone = importlib.util.spec_from_file_location("alone", copied)
    module = importlib.util.module_from_spec(alone)
    alone.loader.exec_module(module)
    assert module.type_of("urlsm.URL.host") == "str | None"
