"""The generated parts of the pages: the table of traits in scheme-traits.md, the tables of who-sees-what.md and of
paths.md, url.svg, the diagrams of states, the counts of schemes; and the types of the built-in handlers, in a stub.

    python docs/made.py            writes them
    python docs/made.py --check    exits with 1 if one of them is out of date
"""

from __future__ import annotations

import inspect
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import paths_page
from diagrams import diagram
from readers_page import changes, listed, probes

import urlsm
from urlsm import meaning
from urlsm.crawler.profiles import PROFILES
from urlsm.errors.rules import COMPONENTS, SEVERITIES
from urlsm.machine.driver import DIALECTS
from urlsm.meaning.registry import handler
from urlsm.patterns.syntax import NAMES
from urlsm.pictures import svg
from urlsm.schemes import known
from urlsm.schemes.built_in import BUILT_IN
from urlsm.schemes.contract import Contract
from urlsm.schemes.generic import Scheme
from urlsm.security.hazards import HAZARDS

DOCS = Path(__file__).resolve().parent
TRAIT = re.compile(r"^    (\w+): ClassVar\[(.+)\] = (.+?)(?:  # (.*))?$", re.MULTILINE)
MADE = re.compile(r"(<!-- traits -->\n).*?(<!-- end -->)", re.DOTALL)

REGISTRY = Path(meaning.__file__).with_name("registry.pyi")  # of the installed package: in place, or a copy
WORDS = Path(urlsm.__file__).with_name("_words.pyi")
QUESTIONS = REGISTRY.with_name("questions.pyi")
HANDLER = "def handler(name: Literal[SCHEMES]) -> KIND: ..."
PARTS = "def parts(url: StrOrURL, scheme: Literal[SCHEMES], *, dialect: _Grammar = ...) -> KIND: ..."
TYPES = re.compile(r"(?<=# <schemes>\n).*?(?=# </schemes>)", re.DOTALL)

EXAMPLE = "https://user@example.com:8443/docs/intro.html?lang=en&page=2#top"


def traits() -> str:
    """Return scheme-traits.md, with today's traits."""
    rows = [
        f"| `{name}` | `{kind}` | `{default}` | {comment} |\n".replace(" | None`", r" \| None`")
        for name, kind, default, comment in TRAIT.findall(inspect.getsource(Contract))
    ]
    table = "| trait | type | default | meaning |\n|---|---|---|---|\n" + "".join(rows)
    return MADE.sub(lambda found: found[1] + table + found[2], (DOCS / "scheme-traits.md").read_text(encoding="utf-8"))


def filled(page: str, **parts: str) -> str:
    """Return a page, with these parts between their marks."""
    text = (DOCS / page).read_text(encoding="utf-8")
    for name, made in parts.items():
        start, end = f"<!-- {name} -->\n", f"<!-- end {name} -->"
        text = text[: text.index(start) + len(start)] + "\n" + made.strip() + "\n\n" + text[text.index(end) :]
    return text


def who_sees_what() -> str:
    """Return who-sees-what.md, with what the readers see today."""
    changed = "\n".join(changes())
    return filled("who-sees-what.md", readers="\n".join(listed()), probes=probes(), changes=changed)


def paths() -> str:
    """Return paths.md, with what the hops see today."""
    return filled("paths.md", hops="\n".join(paths_page.listed()), paths=paths_page.probes())


def has_methods_of_its_own(kind: type[Scheme[Any]]) -> bool:
    """Return whether a class of a handler has methods for users that Scheme lacks, such as from_path of file's."""
    own = [getattr(kind, name) for name in dir(kind) if not name.startswith("_") and not hasattr(Scheme, name)]
    methods = [method for method in own if inspect.isroutine(method) and not method.__name__.endswith("_violations")]
    return any("components" not in inspect.signature(method).parameters for method in methods)


def overloads(function: str, kinds: dict[str, list[str]]) -> str:
    """Return an overload of a function for each type of its result. function: a signature with SCHEMES and KIND."""
    made = [function.replace("SCHEMES", ", ".join(kinds[kind])).replace("KIND", kind) for kind in kinds]
    return "".join([f"@overload\n{line}\n" for line in made])


def stubs() -> tuple[str, str]:
    """Return registry.pyi and questions.pyi, which tell type checkers the handler and the parts of each scheme."""
    imports: dict[str, str] = {}
    handlers: dict[str, list[str]] = {}
    parts: dict[str, list[str]] = {}
    for scheme, place in BUILT_IN.items():
        found = handler(scheme)
        named = f"schemes.{found.parts_type.__name__}"
        module, _, kind = place.partition(":")
        if kind == type(found).__name__ and has_methods_of_its_own(type(found)):
            imports[kind] = f"from urlsm.schemes.{module} import {kind}\n"
        else:
            kind = f"Scheme[{named}]"
        handlers.setdefault(kind, []).append(f'"{scheme}"')
        parts.setdefault(named, []).append(f'"{scheme}"')
    texts = "".join(sorted(imports.values())) + overloads(HANDLER, handlers), overloads(PARTS, parts)
    registry, questions = (
        TYPES.sub(lambda found, text=text: text, stub.read_text(encoding="utf-8"))
        for stub, text in zip((REGISTRY, QUESTIONS), texts, strict=True)
    )
    return registry, questions


def words() -> str:
    """Return _words.pyi: the words that fields and arguments may be, from their tables."""
    tables = {
        "Severity": SEVERITIES,
        "Component": (*COMPONENTS, "forwarded"),  # a header of a RequestError
        "HazardCode": HAZARDS,
        "ProfileName": PROFILES,
        "SyntaxName": NAMES,
    }
    text = "# docs/made.py writes this file. For type checkers only: the words of tables.\n# fmt: off\n"
    text += "# ruff: noqa: E501\n\nfrom typing import Literal, TypeAlias\n\n"
    for name, found in tables.items():
        listed = ", ".join([f'"{word}"' for word in found])
        text += f"{name}: TypeAlias = Literal[{listed}]\n"
    return text


def tiers() -> str:
    """Return schemes.md, with how many schemes are of each tier."""
    meanings = {
        "frozen": "The document does not change: an RFC, a closed edition, an expired draft. Vectors test its rules.",
        "living": "The document changes, so a live program was asked: a driver, a client, a library of its vendor.",
        "table": "The handler is from its document alone. Nobody has compared it with a program.",
    }
    rows = [f"| `{name}` | {HELD[name]} | {meaning} |" for name, meaning in meanings.items()]
    return filled("schemes.md", tiers="\n".join(["| tier | schemes | meaning |", "|---|---:|---|", *rows]))


SCHEMES = len(known())
HELD = Counter(getattr(handler(name).tier, "name", "") for name in BUILT_IN)
# a page, the text before a count in it, and the count
COUNTS = [
    ("../README.md", r"\| typed parts, validation and normal form per scheme \| ", SCHEMES),
    ("../README.md", r"normal form per scheme \| \d+: ", HELD["frozen"]),
    ("../README.md", r"normal form per scheme \| \d+: \d+ frozen, ", HELD["living"]),
    ("../README.md", r"typed parts of (?=\d+ schemes)", SCHEMES),
    ("index.md", r"typed parts of (?=\d+ schemes)", SCHEMES),
    ("tutorial.md", r"All (?=\d+ schemes)", SCHEMES),
    ("schemes.md", r"urlsm knows \[(?=\d+ schemes)", SCHEMES),
    ("../CHANGELOG.md", r"Handlers of (?=\d+ schemes)", SCHEMES),
]


def counted(page: str) -> str:
    """Return a page, with today's counts."""
    text = tiers() if page == "schemes.md" else (DOCS / page).read_text(encoding="utf-8")
    for _, before, count in (row for row in COUNTS if row[0] == page):
        text = re.sub(rf"({before})\d+", rf"\g<1>{count}", text)
    return text


def main(arguments: list[str]) -> int:
    stale = []
    diagrams = [(f"states-{dialect}.svg", diagram(dialect)) for dialect in DIALECTS]
    pages = [(page, counted(page)) for page in dict.fromkeys(page for page, _, _ in COUNTS)]
    registry, questions = stubs()
    tables = (("scheme-traits.md", traits()), ("who-sees-what.md", who_sees_what()), ("paths.md", paths()))
    stubs_made = ((REGISTRY, registry), (QUESTIONS, questions), (WORDS, words()))
    for name, made in (*stubs_made, *tables, ("url.svg", svg(EXAMPLE)), *diagrams, *pages):
        path = DOCS / name
        if not path.exists() or path.read_text(encoding="utf-8") != made:
            stale.append(path.name)
            if "--check" not in arguments:
                path.write_text(made, encoding="utf-8")
    if "--check" in arguments and stale:
        print(f"out of date: {', '.join(stale)}; run python docs/made.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
