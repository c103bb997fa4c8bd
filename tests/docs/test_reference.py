"""The reference, which docs/reference*.py make from the code: it leaves nothing out, and its examples are true."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import inspect
import pathlib
import re
import shlex
import sys

import pytest
from support.pages import blocks, run_examples
from support.public import callables

import urlsm
from urlsm.cli.app import HOMES, main
from urlsm.columns.names import TABLE as COLUMNS
from urlsm.crawler.rules import TABLE as RULES
from urlsm.errors.rules import TABLE
from urlsm.patterns.linting import HINTS, SHOWS
from urlsm.server.errors import TABLE as FAULTS

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
if str(DOCS) not in sys.path:
    sys.path.append(str(DOCS))

import reference  # noqa: E402
import reference_api  # noqa: E402
import reference_codes  # noqa: E402
import reference_examples as examples  # noqa: E402
import reference_fields  # noqa: E402
import reference_schemes  # noqa: E402
import signatures  # noqa: E402

MADE = reference.pages()
MIRRORS = ("urlsm.stdlib.", "urlsm.whatwg.")  # of the interpreter and of browsers, which describe them
# methods that the engines' tables have from urlsm.columns, that only handlers call, or that a client calls
INSIDE = re.compile(
    r"urlsm\.(engines\.\w+\.Url\w+|schemes\.\w+|guard\.(\w+Backend|RequestsAdapter)|compat\.scrapy\.DupeFilter)\.\w+$"
)
# what users do not make; or whose keywords are one entry, and a table on a page of its own
AS_ONE = {
    *(
        "urlsm.SchemeError",
        "urlsm.UnsafeValue",
        "urlsm.domains.IDNAError",
        "urlsm.documents.UrlMatch",
        "urlsm.columns.Stream",
    ),
    *("urlsm.engines.pandas.Urls", "urlsm.engines.polars.UrlExpressions", "urlsm.engines.polars.UrlSeries"),
    "urlsm.compat.pydantic.URLConstraints",
    *("urlsm.server.RequestError", "urlsm.URL.replace", "urlsm.crawler.Profile", "urlsm.crawler.Profile.replace"),
}
NOT_PAGES = {"errors", "engines"}  # private, or only the folder of public modules


def rows(page: str, heading: str = "") -> dict[str, list[str]]:
    """Return the rows of the tables of a page, or of the section with a heading, by the code in the first cell."""
    text = MADE[page].partition(f"\n## {heading}\n")[2].partition("\n## ")[0] if heading else MADE[page]
    cells = [re.split(r"(?<!\\)\|", line)[1:-1] for line in text.split("\n") if line.startswith("| ")]
    return {row[0].split("`")[1]: [cell.strip() for cell in row] for row in cells if "`" in row[0]}


def test_each_public_module_has_a_page():
    assert {name.partition(".")[2] for name in reference_api.MODULES} >= {"", *urlsm._MODULES} - NOT_PAGES
    assert len(set(reference_api.MODULES)) == len(reference_api.MODULES)
    for module in reference_api.modules():
        assert f"api/{module}.md" in MADE and f"(api/{module}.md)" in MADE["api.md"]


@pytest.mark.parametrize("module", reference_api.modules())
def test_a_module_s_page_has_every_public_name(module):
    page = MADE[f"api/{module}.md"]
    headings = re.findall(r"^## (\S+)$", page, re.MULTILINE)
    assert headings == reference_api.names(module) and len(set(headings)) == len(headings)
    for name in headings:
        assert re.search(rf"^\.\. (?:auto|py:)\w+:: {re.escape(module)}\.{name}(?:\(.*)?$", page, re.MULTILINE), name


def described() -> list[tuple[str, str]]:
    """Return the public functions and classes, and the methods of these classes, each with its docstring."""
    return [
        (name, (thing.__doc__ if isinstance(thing, type) else inspect.getdoc(thing)) or "")  # not what a class inherits
        for name, thing in callables()
    ]


def test_everything_public_has_a_docstring():
    assert len(described()) > 300
    assert [name for name, text in described() if not text.strip() and not name.startswith(MIRRORS)] == []


def parameters_of(name: str) -> list[str]:
    """Return the parameters of a function that no stub has, because it is made of a table or inherited."""
    module = next(
        each for each in sorted(reference_api.modules(), key=len, reverse=True) if name.startswith(f"{each}.")
    )
    thing = functools.reduce(getattr, name.removeprefix(f"{module}.").split("."), importlib.import_module(module))
    try:
        made = isinstance(thing, type) and not issubclass(thing, tuple)  # a record tells its fields as attributes
        taken = inspect.signature(thing).parameters if made or inspect.isroutine(thing) else {}
    except ValueError:  # a type of C, which tells no signature
        return []
    return [each for each in taken if each != "self"]


def test_each_parameter_has_an_entry_and_there_is_no_other():
    """As type checkers see them, in the stubs."""
    wrong = {}
    for name, text in described():
        if name.startswith(MIRRORS) or INSIDE.match(name) or name in AS_ONE:
            continue
        lines = text.expandtabs().split("\n")
        begin = next((k for k, line in enumerate(lines) if line.strip() == "Args:"), len(lines))
        indent = len(lines[begin]) - len(lines[begin].lstrip()) if begin < len(lines) else 0
        told: list[str] = []
        for line in lines[begin + 1 :]:
            if line.strip() and len(line) - len(line.lstrip()) <= indent:
                break
            told += signatures.documented(line[indent:])
        taken = [*signatures.parameters(name)] or parameters_of(name)
        if sorted({*told} - {"others"}) != sorted(taken):  # others: the parts that a scheme adds to URL.build
            wrong[name] = (told, taken)
    print(f"{len(wrong)} of {len(described())} docstrings:", *sorted(wrong), sep="\n  ")
    assert wrong == {}


def test_everything_public_has_an_example():
    without = [
        name
        for name, text in described()
        if ">>> " not in text and not name.startswith(MIRRORS) and not INSIDE.match(name)
    ]
    print(f"{len(without)} of {len(described())} docstrings have no example:", *without, sep="\n  ")
    assert without == []


@pytest.mark.parametrize("module", reference_api.modules())
def test_the_examples_of_docstrings_run(module):
    """They may use the names of their module, and those of the root."""
    known = {name: getattr(urlsm, name) for name in urlsm.__all__} | {"urlsm": urlsm}
    known |= {name: reference_api.found(f"{module}.{name}") for name in reference_api.names(module)}
    for name, text in described():
        inside = name.startswith(f"{module}.") and name.removeprefix(f"{module}.").partition(".")[0] in known
        if ">>> " in text and inside and not lacking(text):
            run_examples(name, inspect.cleandoc(text), known)


def lacking(text: str) -> list[str]:
    """Return the packages that an example imports, and that are not installed here."""
    imports = re.findall(r"^\s*(?:>>>|\.\.\.) (?:import|from) (.+?)(?: import .*)?$", text, re.MULTILINE)
    packages = {name.strip().partition(" ")[0].partition(".")[0] for names in imports for name in names.split(",")}
    return [name for name in packages if importlib.util.find_spec(name) is None]


@pytest.mark.parametrize("name", MADE)
def test_a_page_s_examples_and_links(name):
    for block in blocks(MADE[name], "python"):
        run_examples(name, block)
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", MADE[name]):
        path = (pathlib.PurePosixPath(name).parent / target).as_posix()
        assert path.removeprefix("schemes/../").removeprefix("api/../") in MADE, target


# --- schemes ---


def test_each_scheme_has_a_page_with_its_fields_its_example_and_its_rules():
    pages = {name: text for name, text in MADE.items() if name.startswith("schemes/")}
    for scheme in urlsm.schemes.known():
        handler = urlsm.handler(scheme)
        text = pages[f"schemes/{reference_schemes.family(handler)}.md"]
        assert re.search(rf"(?:^##+ .*|^\| .*)(?<![\w+]){re.escape(scheme)}(?![\w+]).*$", text, re.MULTILINE), scheme
        assert handler.example.replace("|", r"\|") in text, scheme
        for rule in handler.rules:
            assert f"| `{rule}` |" in text, rule
        if f"## {handler.parts_type.__name__}\n" in text:
            section = text.partition(f"## {handler.parts_type.__name__}\n")[2].partition("\n## ")[0]
            assert [*re.findall(r"^\| `(\w+)` \| `", section, re.MULTILINE)][: len(handler.parts_type._fields)] == [
                *handler.parts_type._fields
            ]


def test_fields_of_parts_have_a_type_and_nearly_all_a_meaning():
    kinds = {urlsm.handler(name).parts_type for name in urlsm.schemes.known()}
    assert all(said for kind in kinds for said, _ in reference_schemes.fields(kind).values())
    assert len(reference_schemes.undocumented()) <= 45, reference_schemes.undocumented()  # lower it, never raise it


# --- codes ---


@pytest.mark.parametrize("code", [*(rule.code for rule in TABLE), *reference_codes.rules()])
def test_the_example_of_a_code_provokes_it(code):
    assert rows("codes.md")[code][2].startswith("`")
    if code in reference_codes.ELSEWHERE:
        assert examples.called(reference_codes.ELSEWHERE[code]) == (code,)
    else:
        assert code in examples.violations(code)


def test_there_are_no_other_codes():
    shown = {rule.code for rule in TABLE} | set(reference_codes.rules())
    assert set(rows("codes.md")) == shown == set(examples.VIOLATIONS) | set(reference_codes.ELSEWHERE)


def public(*names: str):
    """Return the public object that has one of these names."""
    return next(
        reference_api.found(f"{module}.{name}")
        for name in names
        for module, found in reference_api.public()
        if found == name
    )


@pytest.mark.parametrize("code", reference_codes.HAZARDS)
def test_the_example_of_a_hazard(code):
    assert code in rows("hazards.md", "Hazards")
    readers = ["curl", "go"] if code == "readers-disagree" else None
    hops = ["nginx", "haproxy"] if code == "hops-disagree" else None
    assert code in [hazard.code for hazard in public("audit")(examples.HAZARDS[code], readers=readers, hops=hops)]


REDIRECTS = [code for code in reference_codes.messages("urlsm.security.redirects", "surrogate") if code]


@pytest.mark.parametrize("code", REDIRECTS)
def test_the_example_of_a_redirect(code):
    check = public("check_redirect")
    assert code in rows("hazards.md", "Redirects")
    assert check(examples.REDIRECTS[code], base=examples.BASE, allowed_hosts=examples.ALLOWED).codes == (code,)


REPOSITORIES = [code for code in reference_codes.messages("urlsm.security.git_urls", "surrogate") if code]


@pytest.mark.parametrize("code", REPOSITORIES)
def test_the_example_of_a_repository(code):
    check = public("check_git_url")
    assert code in rows("hazards.md", "Repositories")
    assert check(examples.GIT[code], base=examples.PARENT, allowed_hosts=examples.GIT_ALLOWED).codes == (code,)


def test_the_examples_of_the_guard():
    """Codes without an example are those of a client at work, which tests/guard provokes."""
    every = reference_codes.messages("urlsm.guard.policy", "not-a-url")
    assert set(rows("hazards.md", "Guard")) == set(every) > set(examples.GUARD)
    for code, call in examples.GUARD.items():
        assert code in examples.called(call), code


@pytest.mark.parametrize("code", [fault.code for fault in FAULTS if fault.code])
def test_the_example_of_a_request(code):
    assert code in rows("requests.md", "Requests")
    assert examples.called(examples.REQUESTS[code]) == (code,)


def test_the_examples_of_traps():
    traps = public("traps")
    for code, url in examples.TRAPS.items():
        assert code in traps(url) and code in rows("hazards.md", "Crawler traps")


def test_the_examples_of_patterns_and_of_lint():
    for code in examples.PATTERNS:
        assert examples.pattern(code)[0] == code and code in rows("requests.md", "Pattern errors")
    for code in examples.LINT:
        assert code in examples.lint(code) and code in rows("requests.md", "Lint")
    assert set(examples.LINT) | {"url-for-host"} >= set(SHOWS) | HINTS


# --- fields and commands ---


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_field_of_a_profile_changes_a_key(rule):
    before, after = examples.keys(rule.name)
    assert before != after and before.rpartition(" ")[2] in rows("profile-fields.md")[rule.name][4]
    assert examples.PROFILE[rule.name][2] in (rule.choices or [examples.PROFILE[rule.name][2]])


def test_there_are_no_other_fields():
    assert [rule.name for rule in RULES] == [*rows("profile-fields.md")]
    assert set(examples.PROFILE) == {rule.name for rule in RULES}


def test_the_fields_of_columns():
    pytest.importorskip("pyarrow")
    shown = rows("column-fields.md")
    assert {field.name for field in COLUMNS if field.of_parse} <= set(shown)
    assert shown["host"][1:] == [
        "text",
        reference_fields.prose(reference_fields.described("host")),
        "`'shop.example.co.uk'`",
    ]


ENDLESS = ("serve",)


@pytest.mark.parametrize("command", HOMES)
def test_the_example_of_a_command(command, capsys, tmp_path, monkeypatch):
    section = MADE["commands.md"].partition(f"\n## urlsm {command}\n")[2].partition("\n## ")[0]
    assert f"usage: urlsm {command} " in section
    assert re.search(rf"^(?:\$ )?{re.escape(examples.COMMANDS[command])}$", section, re.MULTILINE)
    if command in ENDLESS:
        return
    if command == "columns":
        pytest.importorskip("pyarrow")
    if command in ("registrable-domain", "psl"):
        pytest.importorskip("publicsuffixlist")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "urls.txt").write_text("http://example.com/a\nhttp://example.org/b\n", encoding="utf-8")
    program, *arguments = shlex.split(examples.COMMANDS[command])
    assert program == "urlsm" and main(arguments) in (0, 1)
    said = capsys.readouterr()
    assert (said.out or (tmp_path / "page.html").exists()) and "error" not in said.err


def test_the_modules_of_the_code_are_there():
    for module in ("urlsm.security.redirects", "urlsm.guard.policy", "urlsm.security.hazards"):
        importlib.import_module(module)
