"""Compares the readers with the recorded answers of the live programs.

python -m oracles.replay [NAME ...]     equal / all for each program and release, then some texts that differ
    --answers FILE    the recorded answers (default: tests/data/programs.json.xz, over texts that are this project's)
    -n COUNT          how many texts that differ (default: 10)
    --record DATE     write urlsm/readers/proofs.py: how many answers are equal; the date where that has changed
    --add COLUMN PROGRAM FILE    add to the default what a program answers: a JSON object a line, as the programs that
                      ask readers print them; its member PROGRAM is stored as a column such as "curl-8.23"
    --texts FILE      write the texts of the default, a JSON string a line, for the programs that ask readers
    --publish FILE    write docs/readers.json: every 40th text with the answers of the live programs
    --store FILE      write the rows of FILE, without real links and without the texts of --without, as the default
    --without FILE    texts of others: JSON, a list of str
"""

from __future__ import annotations

import argparse
import json
import lzma
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from urlsm.readers.programs import HOMES, Program, number, program
from urlsm.readers.proofs import PROOFS, Proof
from urlsm.readers.wget import shown

ANSWERS = Path(__file__).resolve().parents[1] / "data/programs.json.xz"
TABLE = Path(__file__).resolve().parents[2] / "urlsm/readers/proofs.py"
# what the live program could not be asked, or, for Apache's 500, could not answer in a field of its header
UNASKED = {"NUL", "unsendable", "timeout", "fields", "socket", "500"}
REFUSED = "refused"
FIELDS = ("scheme", "userinfo", "host", "port", "path", "query", "fragment")
# columns of the recorded answers that are not called NAME or NAME-RELEASE, up to the minor release
COLUMNS = {
    "addressable-heuristic@2.8.1": "addressable-heuristic-3.1",  # under Ruby 3.1
    "addressable-heuristic@2.9.0": "addressable-heuristic-3.3",
    "addressable@2.8.1": "addressable-3.1",
    "addressable@2.9.0": "addressable-3.3",
    "erlang@29": "erlang-sid",  # of Debian sid
    "glib-relaxed@2.90.1": "glib-relaxed-sid",
    "glib@2.90.1": "glib-sid",
    "haproxy@3.2.26": "haproxy-sid",
    "java.net.URI@17.0.15": "java-uri-17",
    "java.net.URI@26.0.2": "java-uri-26",
    "java.net.URL@17.0.15": "java-url-17",
    "java.net.URL@26.0.2": "java-url-26",
    "libwget@1.99.1": "wget2",
    "libwget@2.2.0": "wget2-sid",
    "network-uri@2.6.4.2": "haskell",
    "nginx@1.30.6": "nginx-sid",
    "perl@5.40": "perl-sid",
    "ruby-rfc2396@3.1.2": "ruby-rfc2396-3.1",
    "ruby-rfc2396@3.3.8": "ruby-rfc2396-3.3",
    "ruby-rfc3986@3.1.2": "ruby-rfc3986-3.1",
    "ruby-rfc3986@3.3.8": "ruby-rfc3986-3.3",
    "ruby@3.1.2": "ruby-3.1",
    "ruby@3.3.8": "ruby-3.3",
    "soup@2.90.1": "soup-sid",
}


def columns(name: str, release: str, known: list[str]) -> tuple[str | None, str | None]:
    """Return the columns of the recorded answers: what the program reads, and where it connects."""
    if f"{name}@{release}" in COLUMNS:
        return COLUMNS[f"{name}@{release}"], None
    short = release.rpartition(".")[0] if release.count(".") > 1 else release
    for version in (release, short, release.partition(".")[0]):
        found = [f"{name}-{version}", f"{name}-{version}>"]
        if any(column in known for column in found):
            break
    else:
        if release != program(name).releases[0]:  # a column without a version is of the oldest release
            return None, None
        found = [name, f"{name}>"]
    read, connects = (column if column in known else None for column in found)
    return read, connects


def load(path: Path) -> dict[str, Any]:
    """Return a file of recorded answers; its key "how" says what the rows are."""
    octets = path.read_bytes()
    found: dict[str, Any] = json.loads(lzma.decompress(octets) if path.suffix == ".xz" else octets)
    return found


class Recorded:
    """The recorded answers: a text, and what each program made of it."""

    def __init__(self, path: Path):
        stored = load(path)
        self.programs: list[str] = stored["readers"]
        self._digits = {digit: place for place, digit in enumerate(stored["digits"])}
        self._rows = stored["rows"]

    def answers(self, column: str) -> Iterator[tuple[str, Any]]:
        """Yield each text with the program's seven components and what else it said, or REFUSED."""
        at = self.programs.index(column)
        for text, _, pool, answers, chosen in self._rows:
            answer = answers[self._digits[chosen[at]]]
            if answer[:1] == [-2]:
                if pool[answer[1]] not in UNASKED:
                    yield text, REFUSED
            else:
                found = [None if place < 0 else pool[place] for place in answer]
                yield text, tuple((found + [None] * 8)[:8])


@cache
def recorded(path: Path) -> Recorded:
    """Return the recorded answers of a file, which is read once."""
    return Recorded(path)


def differences(found: Program, release: str, path: Path = ANSWERS) -> Iterator[tuple[str, str, Any, Any]]:
    """Yield ("read", "connects" or "shown", text, the program's answer, ours) for each text; both may be equal."""
    stored = recorded(path)
    read, connects = columns(found.name, release, stored.programs)
    version = number(release)
    if read is not None:
        for text, expected in stored.answers(read):
            ours = found.read(text, version)
            yield "read", text, _part(expected, 0, 7), REFUSED if isinstance(ours, str) else ours[:7]
    if connects is not None:
        for text, expected in stored.answers(connects):
            ours = found.read(text, version)
            to = ours if isinstance(ours, str) else ours[7]
            without_port = expected != REFUSED and expected[3] is None
            ours = REFUSED if isinstance(to, str) else (to[0], None) if without_port else to
            yield "connects", text, _part(expected, 2, 4), ours
            if found.name == "wget":  # whose only words are the URL that it requests
                yield "shown", text, None if expected == REFUSED else expected[7], shown(text)


def _part(answer: Any, start: int, end: int) -> Any:
    return answer if answer == REFUSED else answer[start:end]


def counts(found: Program, release: str, path: Path = ANSWERS) -> tuple[int, int]:
    """Return how many texts a release was asked, and how many of its answers are ours; a client counts twice."""
    rows = [expected == ours for _, _, expected, ours in differences(found, release, path)]
    return len(rows), sum(rows)


def store(source: Path, without: set[str]) -> None:
    """Write the rows of a file whose texts are ours as tests/data/programs.json.xz."""
    stored = load(source)
    stored["rows"] = [row for row in stored["rows"] if row[1] != "l" and row[0] not in without]
    _write(stored)


def published(path: Path) -> dict[str, Any]:
    """Return what docs/readers.json has: every 40th text, with the components that each live program gave."""
    stored = load(path)
    names = {}  # a column of the answers -> the name of its reader, and the release
    calls = {}
    for name in sorted(HOMES):
        found = program(name)
        for release in found.releases:
            read, _ = columns(name, release, stored["readers"])
            if read is not None:
                names[read] = f"{name}@{release}"
                calls[f"{name}@{release}"] = found.call
    texts: dict[str, dict[Any, list[str]]] = {}
    for column, name in names.items():
        for text, answer in recorded(path).answers(column):
            texts.setdefault(text, {}).setdefault(answer if answer == REFUSED else answer[:7], []).append(name)
    chosen = sorted(texts)[::40]
    rows = [
        {
            "text": text,
            "answers": [
                {
                    "readers": found,
                    **({"rejected": True} if answer == REFUSED else dict(zip(FIELDS, answer, strict=True))),
                }
                for answer, found in texts[text].items()
            ],
        }
        for text in chosen
    ]
    return {
        "$schema": "readers.schema.json",
        "license": "CC0-1.0",
        "date": max(proof.date for proofs in PROOFS.values() for proof in proofs.values()),
        "readers": calls,
        "texts": rows,
    }


def in_lines(table: dict[str, Any]) -> str:
    """Return docs/readers.json as text: each answer is one line."""
    texts = [
        f'  {{"text": {json.dumps(row["text"])}, "answers": [\n   '
        + ",\n   ".join(json.dumps(answer) for answer in row["answers"])
        + "\n  ]}"
        for row in table["texts"]
    ]
    marked = json.dumps({**table, "texts": []}, indent=1)
    return marked.replace('"texts": []', '"texts": [\n' + ",\n".join(texts) + "\n ]") + "\n"


def add(column: str, name: str, source: Path) -> None:
    """Add a column to tests/data/programs.json.xz: the answers of one program to its texts."""
    stored = load(ANSWERS)
    lines = source.read_text(encoding="utf-8").removesuffix("\n").split("\n")  # a text may have U+2028
    stored["readers"].append(column)
    for row, line in zip(stored["rows"], lines, strict=True):
        pool, answers = row[2:4]
        given = json.loads(line)[name]
        refused = given[:1] == ["!"]
        while given and given[-1] is None:
            given.pop()
        for value in given[1:2] if refused else given:
            if value is not None and value not in pool:
                pool.append(value)
        answer = (
            [-2, pool.index(given[1])] if refused else [-1 if value is None else pool.index(value) for value in given]
        )
        if answer not in answers:
            answers.append(answer)
        row[4] += stored["digits"][answers.index(answer)]
    _write(stored)


def _write(stored: dict[str, Any]) -> None:
    text = json.dumps(stored, ensure_ascii=False, separators=(",", ":"))
    ANSWERS.write_bytes(lzma.compress(text.encode("utf-8", "surrogatepass"), preset=9))


def record(date: str, path: Path) -> None:
    """Write the table of urlsm/readers/proofs.py: the proofs by the recorded answers."""
    asked = {}
    for name in sorted(HOMES):
        found = program(name)
        for release in found.releases:
            if any(columns(name, release, recorded(path).programs)):
                asked[name, release] = counts(found, release, path)
    write_proofs(date, asked)


def write_proofs(date: str, counted: dict[tuple[str, str], tuple[int, int]]) -> None:
    """Write the table of urlsm/readers/proofs.py. counted: of a program and a release, how many texts were asked, and
    how many are read alike. Proofs with other numbers get this date; the others stay as they are."""
    proofs: dict[str, dict[str, Proof]] = {}
    for name in sorted(HOMES):
        for release in program(name).releases:
            proof = PROOFS.get(name, {}).get(release)
            now = counted.get((name, release))
            if now is not None and (proof is None or now != (proof.texts, proof.equal)):
                proof = Proof(date, *now)
            if proof is not None:
                proofs.setdefault(name, {})[release] = proof
    write_table(TABLE, proofs)


def write_table(file: Path, proofs: dict[str, dict[str, Proof]]) -> None:
    """Write the table of a module, in the order given. What stands before and after it stays."""
    head, colon, old = file.read_text(encoding="utf-8").partition(": dict[str, dict[str, Proof]] = {\n")
    lines = []
    for name, releases in proofs.items():
        lines.append(f'    "{name}": {{')
        lines += [f'        "{release}": Proof("{date}", {texts}, {equal}),' for release, (date, texts, equal) in
                  releases.items()]  # fmt: skip
        lines.append("    },")
    file.write_text(head + colon + "\n".join([*lines, "}", ""]) + old.partition("\n}\n")[2], encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--answers", type=Path, default=ANSWERS)
    parser.add_argument("-n", type=int, default=10)
    parser.add_argument("--record", metavar="DATE")
    parser.add_argument("--publish", type=Path)
    parser.add_argument("--store", type=Path)
    parser.add_argument("--without", type=Path)
    parser.add_argument("--add", nargs=3, metavar=("COLUMN", "PROGRAM", "FILE"))
    parser.add_argument("--texts", type=Path)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    if options.texts:
        rows = load(options.answers)["rows"]
        options.texts.write_text("".join(json.dumps(row[0]) + "\n" for row in rows), encoding="utf-8")
    if options.add:
        column, name, source = options.add
        add(column, name, Path(source))
    if options.store:
        store(options.store, set(json.loads(options.without.read_text(encoding="utf-8"))) if options.without else set())
    if options.publish:
        options.publish.write_text(in_lines(published(options.answers)), encoding="utf-8")
    if options.record:
        record(options.record, options.answers)
    for name in options.names or sorted(HOMES):
        found = program(name)
        for release in found.releases:
            rows = list(differences(found, release, options.answers))
            for kind in ("read", "connects", "shown"):
                of_kind = [row for row in rows if row[0] == kind]
                wrong = [row for row in of_kind if row[2] != row[3]]
                if of_kind:
                    print(f"{name}@{release} {kind}: {len(of_kind) - len(wrong)} / {len(of_kind)}")
                for _, text, expected, ours in wrong[: options.n]:
                    print(f"  {text!r}\n    live {expected}\n    ours {ours}")


if __name__ == "__main__":
    main()
