"""docs/signatures.py: the reference shows compiled functions with the signatures of the stubs."""

from __future__ import annotations

import importlib.util
import inspect
import pathlib
import shutil
import sys

import pytest

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
if str(DOCS) not in sys.path:
    sys.path.append(str(DOCS))
_SPEC = importlib.util.spec_from_file_location("signatures", DOCS / "signatures.py")
signatures = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(signatures)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("urlsm.can_parse", ("(url: StrOrURL, *, base: StrOrURL | None=None, max_length: int | None=None)", "bool")),
        ("urlsm.URL.join", ("(ref: StrOrURL)", "URL")),
        ("urlsm.handler", ("(name: str)", "Scheme[Parts]")),
        ("urlsm.split", ("(url: TextURL, *, dialect: Dialect='whatwg')", "Components")),
        ("urlsm.domains.in_domains", ("(url: StrOrURL, domains: Iterable[str])", "bool")),
        (
            "urlsm.URL.with_query",
            (
                "(query: Mapping[str, Values] | str | Items | Iterable[tuple[str, Values]] | None=..., /, *, "
                "space: Literal['%20'] | None=None, **fields: Values)",
                "URL",
            ),
        ),
        ("urlsm.security.HAZARDS", None),
    ],
)
def test_a_signature_has_its_types(name, shown):
    assert signatures.signature(name) == shown


def test_an_attribute_begins_with_its_type():
    lines = ["The serialised host: a domain, *or* so."]
    signatures.process_docstring(None, "property", "urlsm.URL.host", None, None, lines)
    assert lines == [r"str | None: The serialised host: a domain, \*or\* so."]


def test_an_argument_that_the_docstring_leaves_out_is_listed_with_its_type():
    lines = ["x", "", "Args:", "    ref: a", "        reference.", "", "Raises:", "    ParseError: no URL."]
    told = signatures.entries(lines, "urlsm.URL.join")
    assert told == lines
    given = signatures.parameters("urlsm.URL.join")
    assert given == {"ref": "StrOrURL"}
    assert signatures.entries(["x"], "urlsm.URL.join") == ["x", "", "Args:", "    ref (StrOrURL):"]
    assert signatures.entries(["x"], "urlsm.HAZARDS") == ["x"]
    left_out = ["x", "", "Args:", "", "Raises:"]
    assert signatures.entries(left_out, "urlsm.URL.join") == ["x", "", "Args:", "    ref (StrOrURL):", "", "Raises:"]


def test_a_docstring_is_plain_text_with_code_and_examples():
    lines = [r"a*b `c*d_` url_(x) \n http_x", ">>> f(*a)", "'*'", "", "**e ``f_``"]
    shown = [r"a\*b ``c*d_`` url\_(x) \\n http_x", ">>> f(*a)", "'*'", "", r"\*\*e ``f_``"]
    assert signatures.plain(lines) == shown


def test_the_parameters_of_an_entry():
    for line, names in {
        "    url: a": ["url"],
        "    base, ref: a": ["base", "ref"],
        "    url (str): a": ["url"],
        "    **fields: a": ["fields"],
        "        url: a": [],
        "    a text": [],
    }.items():
        assert signatures.documented(line) == names


def test_every_public_function_has_types():
    import reference_api

    for name in reference_api.names("urlsm"):
        if inspect.isroutine(reference_api.found(f"urlsm.{name}")):
            assert signatures.signature(f"urlsm.{name}") and signatures.signature(f"urlsm.{name}")[1], name


def test_stubs_are_found_where_the_pages_are_built_alone(tmp_path):
    """As with nox: the pages are away from the package, whose stubs are installed beside its modules."""
    copied = shutil.copy(DOCS / "signatures.py", tmp_path)
    alone = importlib.util.spec_from_file_location("alone", copied)
    module = importlib.util.module_from_spec(alone)
    alone.loader.exec_module(module)
    assert module.type_of("urlsm.URL.host") == "str | None"
