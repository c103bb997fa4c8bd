"""The generated parts of who-sees-what.md: what each reader sees in a probe, and what changed between releases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from urlsm.readers.programs import HOMES, program
from urlsm.security import compare_readers, readers

# the component that a probe is about, and what it is an example of
PROBES = [
    ("http://good.example:80@evil.example/", "host", "A user name that looks like a host"),
    ("http://good.example\\@evil.example/", "host", "A backslash before the @"),
    ("http://evil.example\\good.example/", "host", "A backslash after the host"),
    ("http://a@good.example@evil.example/", "host", "Two @"),
    ("http://good.example#@evil.example/", "host", "A fragment before the @"),
    ("http:evil.example", "host", "No slashes"),
    ("http:///evil.example/", "host", "Three slashes"),
    ("//evil.example/", "host", "No scheme"),
    (" http://evil.example/", "host", "A space before the scheme"),
    ("http://ev\til.example/", "host", "A tab in the host"),
    ("http://evil%2eexample/", "host", "An escape in the host"),
    ("http://127.1/", "host", "A short IPv4 address"),
    ("http://0177.0.0.1/", "host", "An octal IPv4 address"),
    ("http://2130706433/", "host", "An IPv4 address as one number"),
    ("http://[::ffff:127.0.0.1]/", "host", "An IPv4-mapped address"),
    ("http://[good.example]/", "host", "A name in brackets"),
    ("http://localhost./", "host", "A dot at the end of the host"),
    ("http://evil\u3002example/", "host", "An ideographic full stop"),
    ("http://fa\u00df.example/", "host", "A host that IDNA 2003 and 2008 read differently"),
    ("http://h.example:080/", "port", "A port with a zero"),
    ("http://h.example:65536/", "port", "A port that is too large"),
    ("http://h.example/a/../admin", "path", "A dot segment"),
    ("http://h.example/a/%2e%2e/admin", "path", "A dot segment in escapes"),
    ("http://h.example/a%2f..%2fadmin", "path", "Escaped slashes"),
    ("http://h.example//admin", "path", "A doubled slash"),
    ("http://h.example/a\\..\\admin", "path", "Backslashes in the path"),
    ("http://h.example/%61dmin", "path", "An escape of a letter"),
    ("http://h.example/a|b", "path", "A character that RFC 3986 does not allow"),
]


def shown(value: object) -> str:
    """Return a value as code in a table."""
    if value is None:
        return "none"
    text = "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in str(value)).replace("|", "\\|")
    return f"`{text}`" if text.strip() else "none"


def probes() -> str:
    """Return a table for each probe: what is seen, and by whom."""
    names = [one.name for one in readers() if one.equal == one.texts]
    lines = []
    for text, component, title in PROBES:
        seen: dict[str, list[str]] = {}
        for name, view in compare_readers(text, readers=names).views.items():
            what = "*rejected*" if view.refusal is not None else shown(value_of(view, component))
            seen.setdefault(what, []).append(name)
        lines += [f"### {title}", "", f"{shown(text)}", "", f"| {component} | readers |", "|---|---|"]
        lines += [
            f"| {what} | {', '.join(found)} |" for what, found in sorted(seen.items(), key=lambda row: -len(row[1]))
        ]
        lines.append("")
    return "\n".join(lines)


def value_of(view: Any, component: str) -> object:
    """Return a component of a view. A server takes the host from the Host field where the request has none."""
    value = view[component]
    return "the Host field" if component == "host" and value == "front.example" else value


def changes() -> Iterator[str]:
    """Yield the lines of a table of programs whose releases differ on a probe."""
    yield "| program | URL | component | releases |"
    yield "|---|---|---|---|"
    for name in sorted(HOMES):
        releases = program(name).releases
        if len(releases) == 1:
            continue
        for text, component, _ in PROBES:
            views = [compare_readers(text, readers=[f"{name}@{one}"]).views[f"{name}@{one}"] for one in releases]
            said = ["*rejected*" if view.refusal is not None else shown(value_of(view, component)) for view in views]
            if len(set(said)) > 1:
                runs = [
                    f"{release}: {what}"
                    for place, (release, what) in enumerate(zip(releases, said, strict=True))
                    if place == 0 or what != said[place - 1]
                ]
                yield f"| {name} | {shown(text)} | {component} | {'; from '.join(runs)} |"


def listed() -> Iterator[str]:
    """Yield the lines of the table of all readers."""
    yield "| name | versions | stands for | texts | equal |"
    yield "|---|---|---|---|---|"
    for one in readers():
        call = one.call.replace("|", "\\|")
        yield f"| `{one.name}` | {', '.join(one.versions)} | {call} | {one.texts} | {one.equal} |"
