"""Every example of the README and of each page in docs/, run."""

import inspect
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from support.pages import blocks, run_examples

import urlsm
from urlsm.cli.app import main

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT / "docs") not in sys.path:
    sys.path.append(str(ROOT / "docs"))

import reference  # noqa: E402
import reference_api  # noqa: E402

MADE = reference.pages()
PAGES = {page.name: page.read_text(encoding="utf-8") for page in [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md"))]}


@pytest.mark.parametrize("name", [name for name, text in PAGES.items() if blocks(text, "python")])
def test_python(name):
    found = blocks(PAGES[name], "python")
    run_examples(name, "\n".join(block for block in found if ">>>" in block))  # a page's examples build on each other
    for block in found:
        if ">>>" not in block:
            try:
                exec(compile(block, name, "exec"), {})
            except ModuleNotFoundError as error:
                if error.name == "urlsm" or str(error.name).startswith("urlsm."):
                    raise
                pytest.skip(f"{error.name} is not installed")


COMMANDS = [
    pytest.param(command, output, id=f"{name}: {command}")
    for name, text in PAGES.items()
    for block in blocks(text, "console")
    for command, output in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, flags=re.MULTILINE)
]


@pytest.mark.parametrize(("command", "output"), COMMANDS)
def test_commands(command, output, capsys):
    program, *arguments = shlex.split(command)
    if program == "urlsm":
        main(arguments)
        said = capsys.readouterr().out
    else:
        assert program == "python", f"no example should run {program}"
        said = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=True).stdout
    expected = re.escape(output).replace(re.escape("...\n"), r"(?s:.*)")
    assert re.fullmatch(expected, said), said


PUBLIC = {*reference_api.MODULES, *(f"{module}.{name}" for module, name in reference_api.public())}
# a group of entry points, a key of a WSGI environment, and what the page about Cython imports
NOT_MODULES = ("urlsm.syntaxes", "urlsm.url", "urlsm.machine")
BENCH = {f"bench/{page.name}": page.read_text(encoding="utf-8") for page in ROOT.glob("bench/*.md")}


def private_names(text: str) -> list[str]:
    """Return the dotted names in a text that begin with urlsm and are not public."""
    dotted = re.findall(r"(?<![\w./-])urlsm(?:\.\w+)+", text)
    dotted += [
        f"{module}.{name.split()[0]}"
        for module, imported in re.findall(r"\bfrom (urlsm(?:\.\w+)*) import ([\w, ]+)", text)
        for name in imported.split(",")
        if name.strip()
    ]
    return [name for name in dotted if not is_public(name)]


def is_public(dotted: str) -> bool:
    """Return whether a name is a public module, or a public name of the innermost one, with or without an attribute."""
    words = dotted.split(".")
    module = max(k for k in range(1, len(words) + 1) if ".".join(words[:k]) in reference_api.MODULES)
    shown = ".".join(words[: module + 1])
    return shown in PUBLIC or shown == "urlsm.engines" or shown in NOT_MODULES or shown.endswith("__all__")


@pytest.mark.parametrize("name", [*PAGES, *MADE, *BENCH])
def test_a_page_names_only_what_is_public(name):
    assert private_names({**PAGES, **MADE, **BENCH}[name]) == []


def test_a_private_name_is_found():
    text = "`urlsm.errors.rules`, urlsm.parse, urlsm.URL.host, urlsm.machine; from urlsm.crawler import links, keys"
    assert private_names(text) == ["urlsm.errors.rules", "urlsm.crawler.keys"]


def test_readme_has_at_most_130_lines():
    assert len(PAGES["README.md"].splitlines()) <= 130


def test_links_lead_somewhere():
    for name, text in PAGES.items():
        folder = ROOT if name == "README.md" else ROOT / "docs"
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
            if target.startswith("reference/"):
                assert target.removeprefix("reference/") in MADE, f"{name}: {target}"
            elif "bench/" not in target or (ROOT / "bench").is_dir():
                assert (folder / target).exists(), f"{name}: {target}"


@pytest.mark.skipif(not Path(urlsm.__file__).with_name("whatwg.pyx").exists(), reason="a wheel's stubs differ")
def test_made_from_the_code():
    made = subprocess.run([sys.executable, ROOT / "docs/made.py", "--check"], capture_output=True, text=True)
    assert made.returncode == 0, made.stdout + made.stderr


DIALECTS = ("whatwg", "rfc3986", "barth")
ROWS = re.findall(r"^\| `(\S+)` \| (.*) \| (.*) \| (.*) \|$", PAGES["dialects.md"], flags=re.MULTILINE)
CELLS = [(text, dialect, cell) for text, *cells in ROWS for dialect, cell in zip(DIALECTS, cells, strict=True)]


@pytest.mark.parametrize(("text", "dialect", "cell"), CELLS)
def test_dialect_table(text, dialect, cell):
    found = urlsm.split(text, dialect=dialect)
    components = dict(re.findall(r"(\w+) `([^`]*)`", cell))
    assert components
    for name in ("host", "query", *components):
        assert getattr(found, name) == components.get(name)


DEFAULTS = re.findall(r"^\| `(\w+)` \| `(\w+)` \| ", PAGES["urls.md"], flags=re.MULTILINE)


@pytest.mark.parametrize(("name", "dialect"), DEFAULTS)
def test_the_table_of_defaults(name, dialect):
    function = getattr(urlsm.documents if name in urlsm.documents.__all__ else urlsm, name)
    assert inspect.signature(function).parameters["dialect"].default == dialect


def test_every_function_with_a_dialect_is_in_that_table():
    rooms = (urlsm, urlsm.documents)
    made = {name: getattr(room, name) for room in rooms for name in room.__all__}
    functions = {name: found for name, found in made.items() if inspect.isroutine(found)}
    with_dialect = {name for name, made in functions.items() if "dialect" in inspect.signature(made).parameters}
    assert {name for name, _ in DEFAULTS} == with_dialect


def test_examples_give_dialect_and_base_by_keyword():
    positional = re.compile(r"""\w\([^()=]*, "(whatwg|rfc3986|rfc2396|rfc1738|barth|stdlib)"\)""")
    for name, text in PAGES.items():
        for block in blocks(text, "python"):
            assert not positional.search(block), name


def test_tables_are_found():
    assert len(CELLS) == 9
    assert len(COMMANDS) > 3


SHOWN = {**PAGES, **{f"reference/{name}": text for name, text in MADE.items()}}


def test_a_group_has_at_most_eight_pages_and_each_page_stands_in_one():
    groups = re.findall(r"^:caption: (.+)\n\n((?:\S+\n)+)```$", PAGES["index.md"], flags=re.MULTILINE)
    entries = [entry for _, listed in groups for entry in listed.split()]
    assert len(groups) > 8 and max(len(listed.split()) for _, listed in groups) <= 8
    below = [re.findall(r"^(?:\.\./)?([\w./]+)$", toctree(text), re.MULTILINE) for text in MADE.values()]
    shown = {f"{name.removesuffix('.md')}" for name in SHOWN} - {"README", "index"}
    assert sorted(entries) == sorted(set(entries))
    assert shown == {*entries, *(name if name in shown else f"reference/{name}" for listed in below for name in listed)}


def toctree(text: str) -> str:
    found = re.search(r"^```\{toctree\}\n(?:.*\n)*?```$", text, flags=re.MULTILINE)
    return found[0] if found else ""


@pytest.mark.parametrize("name", PAGES)
def test_code_is_at_most_88_columns_wide(name):
    assert too_wide(PAGES[name]) == []


def test_made_code_is_at_most_88_columns_wide():
    assert {name: wide for name, text in MADE.items() if (wide := too_wide(text))} == {}


def too_wide(text: str) -> list[str]:
    code = re.findall(r"^```(?!text|sh$)\w+\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    return [line for block in code for line in block.split("\n") if len(line) > 88]


# what users search for: each finds a page by its title or a heading
WORDS = {
    "start": "quickstart; type hints",
    "URLs": "query string; percent-encoding; url-encode; base URL; relative URL; absolute URL; join path; pathlib; "
    "trailing slash",
    "security": "open redirect; path traversal; sanitize; homograph; CRLF injection; parser differential; "
    "redact password",
    "SSRF": "SSRF; DNS rebinding; metadata service; private IP; webhook; outbound proxy",
    "patterns": "allowlist; blocklist; CORS; OAuth redirect_uri; CSP; no_proxy; URLPattern; regex",
    "servers": "Host header; reverse proxy; X-Forwarded-Host; login redirect; ASGI",
    "crawling": "deduplicate; canonical URL; tracking parameters; utm_source; robots.txt; crawl-delay; extract links; "
    "Scrapy; spider trap",
    "domains": "punycode; eTLD+1; public suffix; subdomain; TLD",
    "data": "Parquet; DuckDB",
    "schemes": "connection string; DSN; data URI; S3 key",
    "integrations": "pydantic; Jupyter",
    "migration": "urljoin",
}


def simple(text: str) -> str:
    """Return text as a search compares it: without case, code marks, hyphens and plurals."""
    return re.sub(r"s\b", "", re.sub(r"[`\-\\]", "", text.lower().replace("urls", "url")))


def test_what_users_search_for_stands_in_a_title_or_a_heading():
    outside = [re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL) for text in SHOWN.values()]
    headings = simple("\n".join(line for text in outside for line in text.split("\n") if line.startswith("#")))
    words = [word.strip() for listed in WORDS.values() for word in listed.split(";")]
    assert len(words) == len(set(words)) == 60
    missing = [word for word in words if simple(word) not in headings]
    print(f"{len(missing)} of {len(words)} words stand in no title or heading: {', '.join(missing)}")
    assert not missing
