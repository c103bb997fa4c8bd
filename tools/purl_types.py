"""Writes schemes/supply/purl_types.py from the definitions of purl's types.

    python tools/purl_types.py FOLDER DATE

FOLDER is types/ of https://github.com/package-url/purl-spec, which has a file TYPE-definition.json for each type, or
one file that has all definitions by type. DATE is the day of the commit that FOLDER comes from.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

TARGET = Path(__file__).resolve().parents[1] / "schemes" / "supply" / "purl_types.py"
HEAD = '''"""The types of package URLs, as purl-spec defines them. Written by tools/purl_types.py.

TYPES has for each type: whether a namespace is "required", "optional" or "prohibited"; which of namespace, name,
version and subpath have no significant case; the patterns that a name and a version must match, or None; the required
qualifiers; and the default registry, or None.
"""

from __future__ import annotations

__all__ = ["DATE", "TYPES"]

'''


ABOUT = """ABOUT = {  # for urlsm.about
    "package types": {
        "tables": "TYPES",
        "source": "purl-spec, definitions of the types",
        "url": "https://github.com/package-url/purl-spec/tree/main/types",
        "date": DATE,
        "licence": "MIT",
        "used_by": "handler of pkg",
    },
}
"""


def definitions(source: Path) -> dict[str, dict[str, Any]]:
    """Return the definition of each type."""
    if source.is_file():
        return json.loads(source.read_text(encoding="utf-8"))
    found = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(source.glob("*-definition.json"))]
    return {one["type"]: one for one in found}


def entry(one: dict[str, Any]) -> tuple[object, ...]:
    """Return the entry of a type in TYPES."""
    sections = {name: one.get(f"{name}_definition") or {} for name in ("namespace", "name", "version", "subpath")}
    folded = " ".join([name for name, said in sections.items() if said.get("case_sensitive") is False])
    required = one.get("required_qualifiers")
    if required is None:
        qualifiers = one.get("qualifiers_definition", [])
        required = [said["key"] for said in qualifiers if said.get("requirement") == "required"]
    repository = one.get("repository")
    if isinstance(repository, dict):
        repository = repository.get("default_repository_url")
    return (
        sections["namespace"].get("requirement", "optional"),
        folded,
        _grammar(sections["name"]),
        _grammar(sections["version"]),
        " ".join(required),
        repository,
    )


def _grammar(said: dict[str, Any]) -> str | None:
    """Return the pattern of a section if it covers the whole section, otherwise None."""
    grammar = said.get("permitted_characters")
    return grammar if grammar and grammar.startswith("^") and grammar.endswith("$") else None


def written(types: dict[str, dict[str, Any]], date: str) -> str:
    """Return the text of the module."""
    text = HEAD + f'DATE = "{date}"  # the day of the commit in purl-spec\n\n'
    text += "TYPES: dict[str, tuple[str, str, str | None, str | None, str, str | None]] = {\n"
    for name, one in sorted(types.items()):
        text += f"    {json.dumps(name)}: ({', '.join(_literal(value) for value in entry(one))}),\n"
    return text + "}\n" + ABOUT


def _literal(value: object) -> str:
    return "None" if value is None else ("r" if "\\" in str(value) else "") + f'"{value}"'


if __name__ == "__main__":
    TARGET.write_text(written(definitions(Path(sys.argv[1])), sys.argv[2]), encoding="utf-8")
