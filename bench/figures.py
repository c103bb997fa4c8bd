"""The figures of RESULTS.md, docs/benchmarks.md and README.md, from the record of one run: `python -m bench.figures`
writes them anew.

Figures go between <!-- figures: NAME --> and <!-- end -->. All else on these pages is written by hand.
"""

import json
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
JSON = ROOT / "bench" / "results.json"
PAGES = (ROOT / "bench" / "RESULTS.md", ROOT / "docs" / "benchmarks.md", ROOT / "README.md")
PLACE = re.compile(r"(<!-- figures: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
WHY = re.compile(r"^\| time to parse a link .*$", re.MULTILINE)

README_ROWS = (("parse", "parse"), ("parse", "can_parse"), ("parse", "resolve a reference, text to text"),
               ("stdlib", "urlsplit"), ("stdlib", "urljoin"), ("judges", "is_safe_redirect"), ("judges", "normalize"),
               ("refused", "refused: no scheme"))  # fmt: skip
FIVE_ROWS = (("parse", "parse"), ("parse", "resolve a reference, text to text"), ("judges", "is_safe_redirect"),
             ("crawler", "canonicalize, w3lib"), ("stdlib", "urlsplit"))  # fmt: skip
OTHERS_SHOWN = 3


def write() -> None:
    record = json.loads(JSON.read_text(encoding="utf-8"))
    for page in PAGES:
        page.write_text(made(page.read_text(encoding="utf-8"), record), encoding="utf-8")


def made(text: str, record: dict[str, Any]) -> str:
    """Return the page with this run's figures."""
    told = blocks(record)
    text = PLACE.sub(lambda found: found[1] + told[found[2]] + found[3], text)
    return WHY.sub(lambda found: why(record), text)


def blocks(record: dict[str, Any]) -> dict[str, str]:
    """Return the Markdown of each place, by its name."""
    told = {"run": run(record["machine"])}
    for group, rows in record["rows"].items():
        told[group] = table(rows, {"processes": "µs", "memory": "octets"}.get(group, "ns"))
    told |= {"below": below(record["rows"]), "other_rules": other_rules(record["rows"])}
    if "steep" in record:
        found, of = record["steep"]
        told["steep"] = f"Of {of} shapes, {found or 'none'} took more time than the text's growth explains.\n"
        told["pages"] = pages(record["pages"])
        told["readme"] = few(record, README_ROWS)
        told["five"] = few(record, FIVE_ROWS)
    return told


def run(machine: dict[str, Any]) -> str:
    links, load = machine["links"], machine["load"]
    versions = ", ".join(f"{peer} {version}" for peer, version in machine["versions"].items())
    rare = links["of each class"]
    absent = "; ".join(f"{peer} {why}" for peer, why in machine["not installed"].items())
    pgo = "with" if machine["python built with PGO"] else "without"
    return (
        f"One run of {machine['seconds']} seconds on {machine['date']}: {machine['python']} (built {pgo} PGO), "
        f"{machine['cpu']}, {machine['cores']} cores; load {load[0]} at the start and {load[1]} at the end, of "
        f"which one is the run's own.\n{links['count']} links ({', '.join(links['sources'])}, and "
        f"{rare} of each class below) of {links['octets']} octets on average, {links['not in normal form']} of "
        "them not in normal form.\n"
        f"The peers: {versions}." + (f" Left out: {absent}." if absent else "") + "\n"
    )


def number(value: float) -> str:
    return f"{value:,.1f}" if value < 10 else f"{value:,.0f}"


def ratio(theirs: float, ours: float) -> str:
    value = theirs / max(ours, 0.1)
    return f"{value:.2f}x" if value < 2 else f"{value:.1f}x" if value < 20 else f"{value:,.0f}x"


def ranked(row: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Return the peers by their time: those with our answers, and those that follow other rules."""
    names = sorted((name for name in row["ns"] if name != "urlsm"), key=lambda name: row["ns"][name][0])
    return [name for name in names if name not in row["other"]], [name for name in names if name in row["other"]]


def table(rows: dict[str, Any], unit: str) -> str:
    lines = [f"| {unit}, median (p95) | urlsm | fastest peer | | others |", "|---|---:|---:|---:|---|"]
    for title, row in rows.items():
        equal, other = ranked(row)
        ours = row["ns"]["urlsm"]
        cells = ["-", "-"]
        if equal:
            theirs = row["ns"][equal[0]]
            cells = [f"{equal[0]} {spread(theirs)}", f"**{ratio(theirs[0], ours[0])}**"]
        told = [f"{name} {ratio(row['ns'][name][0], ours[0])}" for name in equal[1 : 1 + OTHERS_SHOWN]]
        if other:
            told.append("by other rules " + ", ".join(f"{name} {ratio(row['ns'][name][0], ours[0])}" for name in other))
        told += [f"{peer} {why}" for peer, why in row["left_out"].items() if why.startswith("refuses")]
        lines.append(f"| {title} | {spread(ours)} | {cells[0]} | {cells[1]} | {'; '.join(told) or '-'} |")
    return "\n".join(lines) + "\n"


def spread(pair: list[float]) -> str:
    return number(pair[0]) if pair[0] == pair[1] else f"{number(pair[0])} ({number(pair[1])})"


def faster(rows: dict[str, dict[str, Any]], other_rules: bool) -> list[str]:
    """Return the peers that are faster than urlsm by other code, each with the title and the ratio of the times."""
    found = []
    for of_group in rows.values():
        for title, row in of_group.items():
            names = ranked(row)[other_rules]
            ahead = [name for name in names if row["ns"][name][0] < row["ns"]["urlsm"][0]]
            ahead = [name for name in ahead if name not in row.get("same_code", ())]
            if ahead:
                told = ", ".join(f"{name} {ratio(row['ns'][name][0], row['ns']['urlsm'][0])}" for name in ahead)
                found.append(f"| {title} | {told} |\n")
    return found


def below(rows: dict[str, dict[str, Any]]) -> str:
    found = faster(rows, False)
    table = "| | peers that are ahead |\n|---|---|\n" + "".join(found) if found else "In this run, none does.\n"
    return table + same_code(rows)


def same_code(rows: dict[str, dict[str, Any]]) -> str:
    """Return a sentence about the rows in which the interpreter runs the same code for urlsm and for a peer."""
    told = [
        f"{title} ({name} {ratio(row['ns'][name][0], row['ns']['urlsm'][0])})"
        for of_group in rows.values()
        for title, row in of_group.items()
        for name in row.get("same_code", ())
    ]
    if not told:
        return ""
    return (
        "\nIn these rows the interpreter runs the same code for both, so a difference is noise, or where objects "
        f"lie: {', '.join(told)}.\n"
    )


def other_rules(rows: dict[str, dict[str, Any]]) -> str:
    found = faster(rows, True)
    return ("| | peers that are ahead, by other rules |\n|---|---|\n" + "".join(found)) if found else "None.\n"


def pages(speeds: dict[str, float]) -> str:
    if not speeds:
        return "Scrapy was not installed.\n"
    first = next(iter(speeds.values()))
    head = "| | pages a second | |\n|---|---:|---:|\n"
    return head + "".join(f"| {name} | {speed} | {speed / first:.1f}x |\n" for name, speed in speeds.items())


def few(record: dict[str, Any], rows: tuple[tuple[str, str], ...]) -> str:
    """Return a short table of these rows (group, title)."""
    lines = ["| | urlsm | |", "|---|---:|---|"]
    for group, title in rows:
        row = record["rows"][group][title]
        equal, other = ranked(row)
        ours = row["ns"]["urlsm"][0]
        told = [f"{ratio(row['ns'][name][0], ours)} {name}" for name in equal[:2]]
        told += [
            f"{ratio(row['ns'][name][0], ours)} {name}, by other rules"
            for name in other
            if name in ("w3lib", "liburlparser")
        ]
        shown = title.replace("refused: no scheme", "reject an invalid URL")
        shown = f"`urlsm.stdlib.{title}`" if group == "stdlib" else shown
        lines.append(f"| {shown} | {number(ours)} ns | {', '.join(told)} |")
    machine = record["machine"]
    load = f"load {machine['load'][0]} to {machine['load'][1]}"
    return "\n".join(lines) + f"\n\nMedians of one run on {machine['date']} ({machine['python']}, {load}).\n"


def why(record: dict[str, Any]) -> str:
    ns = {peer: times[0] for peer, times in record["rows"]["parse"]["parse"]["ns"].items()}
    cells = [
        f"{ns[peer] / ns['urlsm']:.0f}" if peer in ns else "-" for peer in ("urllib.parse", "yarl", "ada-url", "w3lib")
    ]
    return f"| time to parse a link (urlsm = 1) | 1 | {' | '.join(cells)} |"


if __name__ == "__main__":
    write()
