"""The scheme pages, one for each family: the names, parts, an example and the rules of every built-in scheme."""

from __future__ import annotations

import importlib
import inspect
import re
from typing import Any

import reference_examples as examples
from reference_text import code, prose, sentence, table

import urlsm
from urlsm.schemes import HierarchicalParts, known

COMMON = {  # what a field means where the docstring of its class does not say more
    **{"username": "the user name, decoded", "password": "the password, decoded", "port": "the port, if there is one"},
    **{"host": "the host, decoded, in lower case", "path": "the path as written", "query": "the query as written"},
    **{"segments": "the segments of the path, decoded", "hosts": "all hosts with their ports, in order"},
    "query_params": "the parameters of the query, decoded, in order",
}
TITLES = {  # of the families, by the folders of urlsm.schemes
    "apps": "App links and one-time passwords",
    "databases": "Database connection strings (DSN)",
    "files": "Files, FTP, SSH and archives",
    "mail": "Mail and news",
    "messaging": "Chat, queues and brokers",
    "money": "Payments",
    "names": "Names and identifiers",
    "network": "Directories, terminals and network services",
    "stores": "Object stores: S3 keys, buckets, containers",
    "supply": "Packages, repositories and container images",
    "telephony": "Calls and short messages",
    "web": "Web: http, data URIs, browsers",
}
_TABLES = {"rows": "Other registered schemes"}  # of families without a folder


def family(handler: Any) -> str:
    """Return the family of a handler: the folder of its class."""
    kind = type(handler)
    home = urlsm.schemes._HOMES[kind.__name__] if kind.__module__ == "urlsm.schemes" else kind.__module__
    return home.removeprefix("urlsm.schemes.").partition(".")[0]


def title(name: str) -> str:
    return TITLES.get(name) or _TABLES.get(name) or f"{name.capitalize()} schemes"


def groups() -> dict[str, dict[type, dict[tuple[str, str], list[str]]]]:
    """Return the schemes by family, by the class of their parts, and by what describes them."""
    made: dict[str, dict[type, dict[tuple[str, str], list[str]]]] = {}
    for name in known():
        handler = urlsm.handler(name)
        of_parts = made.setdefault(family(handler), {}).setdefault(handler.parts_type, {})
        of_parts.setdefault((handler.title, handler.example), []).append(name)
    return dict(sorted(made.items(), key=lambda found: (found[0] in _TABLES, title(found[0]))))


def fields(kind: type) -> dict[str, tuple[str, str]]:
    """Return the fields of a class of parts, each with its type and its description in the docstring."""
    return {name: (_type(kind, name), _meaning(kind, name)) for name in kind._fields}


def _type(kind: type, name: str) -> str:
    for base in kind.__mro__:
        said = inspect.get_annotations(base).get(name)
        if said is not None:
            return re.sub(r"\bQueryParams\b", "tuple[tuple[str, str | None], ...]", str(said))
    return ""


def _meaning(kind: type, name: str) -> str:
    """Return the sentences about a field: under "Attributes:", or those from the first that names it in backquotes to
    the next that begins with another."""
    for base in kind.__mro__:
        text = base.__dict__.get("__doc__") or ""
        entry = re.search(
            rf"^    \s*{name}(?: \([^)]*\))?: (.*?)(?=^    \s*\w+(?: \([^)]*\))?: |^\s*$|\Z)", text, re.M | re.S
        )
        if entry and "Attributes:" in text:
            return " ".join(entry[1].split())
        every = re.split(r"(?<=[.])\s+(?=[A-Z`])", " ".join(text.split()))
        told = [said for said in every if f"`{name}`" in said]
        if not told and name in inspect.get_annotations(base):
            told = [said for said in every if said.startswith("The others ")]
        if told:
            return " ".join(told)
    return COMMON.get(name, "")


def tier(name: str) -> str:
    """Return what holds a scheme: "frozen, 33 vectors", "living: pika 1.4.4, 5000 texts on 2026-11-27", or "table"."""
    found = urlsm.handler(name).tier
    if found is None:
        return ""
    said = f"{found.name}, {found.vectors} vectors" if found.vectors else found.name
    if found.oracle:
        said += (
            f"{', also' if found.vectors else ':'} {found.oracle} {found.version}, {found.texts} texts on {found.date}"
        )
    return said


def _parts_table(kind: type, example: str) -> str:
    found = urlsm.parts(example)
    rows = [
        (code(name), code(said), prose(meaning), code(repr(getattr(found, name))))
        for name, (said, meaning) in fields(kind).items()
    ]
    return table(("field", "type", "meaning", f"in {code(example)}"), rows)


def _scheme(names: list[str], level: str) -> str:
    handler = urlsm.handler(names[0])
    text = f"\n{level} {', '.join(names)}\n\n{prose(handler.title)}. Reference: {prose(handler.reference)}."
    text += f" [Tier](../schemes.md): {prose(tier(names[0]))}."
    ports = {name: handler.default_port_of(name) for name in names}
    if len(set(ports.values())) == 1:
        text += f" Default port: {ports[names[0]]}.\n" if ports[names[0]] else "\n"
    else:
        text += f" Default ports: {', '.join(f'{name} {port}' for name, port in ports.items() if port)}.\n"
    text += f"\nExample: {code(handler.example)}\n"
    if handler.rules:
        rows = [(code(rule), prose(said), _provoked(rule)) for rule, said in handler.rules.items()]
        text += "\n" + table(("code", "what is wrong", "for example"), rows)
    return text


def _provoked(rule: str) -> str:
    found = examples.VIOLATIONS.get(rule)
    return code(found[0]) if found else ""


def page(name: str, of_parts: dict[type, dict[tuple[str, str], list[str]]]) -> str:
    """Return the page for a family."""
    said = importlib.import_module(f"urlsm.schemes.{name}").__doc__ if name not in _TABLES else ""
    text = f"# {title(name)}\n\n{prose(sentence(said))}\n"
    for kind, schemes in of_parts.items():
        handler = urlsm.handler(next(iter(schemes.values()))[0])
        if kind is not HierarchicalParts:
            text += f"\n## {kind.__name__}\n\n{_parts_table(kind, handler.example)}"
            text += "".join(_scheme(names, "###") for names in schemes.values())
    generic = of_parts.get(HierarchicalParts, {})
    with_rules = [names for names in generic.values() if urlsm.handler(names[0]).rules]
    text += "".join(_scheme(names, "##") for names in with_rules)
    rows = []
    for names in generic.values():
        handler = urlsm.handler(names[0])
        if names not in with_rules:
            port = handler.default_port_of(names[0])
            named = ", ".join(map(code, names))
            said = (
                prose(handler.title),
                str(port or ""),
                prose(handler.reference),
                tier(names[0]),
                code(handler.example),
            )
            rows.append((named, *said))
    if rows:
        head = ("scheme", "what it is for", "port", "reference", "tier", "example")
        text += "\n## Schemes with generic parts\n\nTheir parts are [HierarchicalParts](../schemes.md).\n\n"
        text += table(head, rows)
    return text


def pages() -> dict[str, str]:
    """Return the pages for all families, by file."""
    every = groups()
    made = {f"schemes/{name}.md": page(name, of_parts) for name, of_parts in every.items()}
    rows = []
    for name, of_parts in every.items():
        names = sorted(scheme for schemes in of_parts.values() for found in schemes.values() for scheme in found)
        rows.append((f"[{title(name)}](schemes/{name}.md)", ", ".join(map(code, names))))
    entries = "".join(f"schemes/{name}\n" for name in every)
    example = "http://me@example.com:8080/a/b%20c?d=e"
    made["schemes.md"] = (
        f"# Schemes by family\n\nThe {len(known())} built-in schemes, with the fields of their parts, an example of "
        "each, and the codes of their rules. `urlsm schemes NAME` shows the same information in the shell.\n\n"
        f"{table(('family', 'schemes'), rows)}\n## HierarchicalParts\n\nThese are the parts of a scheme that has no "
        f"class of its own.\n\n{_parts_table(HierarchicalParts, example)}\n"
        f"```{{toctree}}\n:hidden:\n:maxdepth: 1\n\n{entries}```\n"
    )
    return made


def undocumented() -> list[str]:
    """Return the fields of parts that have no description."""
    kinds = {urlsm.handler(name).parts_type for name in known()}
    return sorted(f"{kind.__name__}.{name}" for kind in kinds for name, (_, said) in fields(kind).items() if not said)
