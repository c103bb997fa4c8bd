"""The generated parts of paths.md: the known hops, and the path that each sees in a probe."""

from __future__ import annotations

from collections.abc import Iterator

from readers_page import shown

from urlsm.server import hops
from urlsm.server.hop_list import answer

# a target, and what it is an example of
PROBES = [
    ("/x/../admin", "A dot segment"),
    ("/x/%2e%2e/admin", "A dot segment in escapes"),
    ("/x/..%2fadmin", "A dot segment before an escaped slash"),
    ("/x/..;/admin", "A dot segment with a parameter"),
    ("/admin;x", "A parameter"),
    ("//admin", "Two slashes"),
    ("/%61dmin", "An escaped letter"),
    ("/%2561dmin", "An escaped letter, escaped twice"),
    ("/a%2Fb", "An escaped slash"),
    ("/x\\..\\admin", "Backslashes"),
    ("/x/..%5cadmin", "An escaped backslash"),
    ("/admin#y", "A fragment"),
    ("/admin%00", "An escaped NUL"),
    ("/admin%0A", "An escaped line feed at the end"),
    ("/ad%FFmin", "An escape that is not UTF-8"),
    ("/ADMIN", "Capitals"),
    ("/admin%", "A % without digits"),
    ("/../admin", "Above the root"),
]


def probes() -> str:
    """Return a table for each probe: which path is seen, and by whom."""
    lines = []
    for target, title in PROBES:
        seen: dict[str, list[str]] = {}
        for hop in hops():
            said, path, _ = answer(target.encode(), hop.name)
            what = f"*{said}*" if path is None else shown(path.decode("utf-8", "backslashreplace"))
            seen.setdefault(what, []).append(hop.name)
        lines += [f"### {title}", "", shown(target), "", "| path | programs |", "|---|---|"]
        lines += [
            f"| {what} | {', '.join(found)} |" for what, found in sorted(seen.items(), key=lambda row: -len(row[1]))
        ]
        lines.append("")
    return "\n".join(lines)


def listed() -> Iterator[str]:
    """Yield the lines of the table of all hops."""
    yield "| name | versions | stands for | steps to the path | options | targets | equal |"
    yield "|---|---|---|---|---|---|---|"
    for hop in hops():
        steps = "; ".join(hop.steps).replace("|", "\\|")
        options = ", ".join(f"`{name}`" for name in hop.options) or "none"
        folds = "; case is ignored" if hop.folds else ""
        versions = ", ".join(hop.versions)
        yield f"| `{hop.name}` | {versions} | {hop.call} | {steps}{folds} | {options} | {hop.texts} | {hop.equal} |"
