"""Compare the tables of the world (urlsm.about) with the newest holders of the same facts: those that are installed,
and registries, where they can be fetched. It changes nothing, and fails on nothing: a person reads the report.

    python tools/age.py [TABLE ...]      compare these tables, or all; print a report
        --report FILE                    write the report, in Markdown
        --record DATE                    write urlsm/about/compared.py: what was compared, and how many rows differ
        -n TEXTS                         how many texts each live program is asked (default: 2000)

NODE_PATH names the folder of the packages of Node. To compare by other means, write a function with @compares(table).
"""

from __future__ import annotations

import argparse
import csv
import datetime
import importlib
import importlib.metadata
import io
import ipaddress
import json
import os
import re
import subprocess
import sys
import textwrap
import traceback
import urllib.request
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from urlsm import about
from urlsm.about.compared import COMPARED, Compared
from urlsm.about.declared import STALE

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "urlsm/about/compared.py"
IANA = "https://www.iana.org/assignments"
SHOWN = 20  # differences of a table that the report lists
SECONDS = 20  # for a page to be fetched
texts = 2000  # of each live program


class Found(NamedTuple):
    """A comparison. against: what was compared, with its release. over: the number of rows or texts."""

    against: str
    over: int
    differences: list[str]


class Absent(Exception):
    """What a comparison needs is neither installed nor can be fetched."""


COMPARERS: dict[str, Callable[[], Found]] = {}


def compares(*tables: str) -> Callable[[Callable[[], Found]], Callable[[], Found]]:
    """Register a function that compares these tables."""

    def put(function: Callable[[], Found]) -> Callable[[], Found]:
        COMPARERS.update(dict.fromkeys(tables, function))
        return function

    return put


# --- what is there ---


def fetched(url: str) -> str:
    try:
        with urllib.request.urlopen(url, timeout=SECONDS) as answer:
            return str(answer.read().decode("utf-8"))
    except OSError as error:
        raise Absent(f"{url}: {error}") from error


def installed(package: str, module: str) -> tuple[str, Any]:
    """Return "package version" and the module; raise Absent if it is not installed."""
    try:
        return f"{package} {importlib.metadata.version(package)}", importlib.import_module(module)
    except ImportError as error:
        raise Absent(f"{package} is not installed") from error


def of_node(package: str) -> tuple[str, Path]:
    """Return "package version" and the folder of a package of Node."""
    for folder in os.environ.get("NODE_PATH", "").split(os.pathsep):
        path = Path(folder, package)
        if folder and (path / "package.json").is_file():
            return f"{package} {json.loads((path / 'package.json').read_text('utf-8'))['version']}", path
    raise Absent(f"{package} of Node is not installed")


def between(theirs: Iterable[object], ours: Iterable[object], *, only_new: bool = False) -> list[str]:
    """Return what they have and we lack, and the other way round."""
    theirs, ours = {str(one) for one in theirs}, {str(one) for one in ours}
    gone = set() if only_new else ours - theirs
    return [f"{one}: new" for one in sorted(theirs - ours)] + [f"{one}: not there" for one in sorted(gone)]


def tool(name: str) -> Any:
    sys.path[:0] = [str(ROOT / "tools")]
    return importlib.import_module(name)


def oracle(name: str) -> Any:
    sys.path[:0] = [str(ROOT / "tests")]
    try:
        return importlib.import_module(f"oracles.{name}")
    except ImportError as error:
        raise Absent(f"tests/oracles needs {error.name}") from error


# --- addresses, schemes, ports ---


@compares("special addresses")
def addresses() -> Found:
    from urlsm.security.addresses import IPV4, IPV6

    rows = (*IPV4, *IPV6)
    try:
        files = [
            fetched(f"{IANA}/iana-{ip}-special-registry/iana-{ip}-special-registry-1.csv") for ip in ("ipv4", "ipv6")
        ]
        return Found(
            "IANA's registries", len(rows), list(tool("addresses").differences([f.splitlines() for f in files]))
        )
    except Absent:
        if sys.version_info < (3, 13):  # whose ipaddress has an old copy of them
            raise
        found = []
        for row in rows:
            first = ipaddress.ip_network(row.network)[-1 if row.network == "0.0.0.0/8" else 0]
            if row.ipv4_at is None and first.is_global is not row.public and first.is_private is row.public:
                found.append(f"{row.network}: public here: {row.public}; {first} there: {first.is_global}")
        return Found(f"ipaddress of CPython {sys.version.split()[0]}", len(rows), found)


@compares("IANA's permanent schemes")
def schemes() -> Found:
    from urlsm.schemes.rows import PERMANENT

    try:
        text = fetched(f"{IANA}/uri-schemes/uri-schemes-1.csv")
        return Found("IANA's registry", len(PERMANENT), tool("iana_schemes").differences(text))
    except Absent:
        name, folder = of_node("@silverbucket/iana-schemes")
        text = (folder / "script/lib/iana-permanent.js").read_text("utf-8")
        return Found(name, len(PERMANENT), between(re.findall(r"""scheme["']?: ["']([a-z0-9+.-]+)""", text), PERMANENT))


@compares("named hashes")
def hashes() -> Found:
    from urlsm.schemes.names.digest import _SUITES

    rows = csv.DictReader(io.StringIO(fetched(f"{IANA}/named-information/hash-alg.csv")))
    theirs = {f"{row['ID']} {row['Hash Name String']}" for row in rows if row["ID"].isdigit() and row["ID"] != "0"}
    return Found("IANA's registry", len(_SUITES), between(theirs, (f"{key} {name}" for key, name in _SUITES.items())))


@compares("package types")
def package_types() -> Found:
    from urlsm.schemes.supply.purl_types import TYPES

    page = "https://raw.githubusercontent.com/package-url/purl-spec/main/purl-types-index.json"
    return Found("purl-spec", len(TYPES), between(json.loads(fetched(page)), TYPES))


@compares("blocked ports")
def ports() -> Found:
    from urlsm.security.hazards import BAD_PORTS

    name, folder = of_node("undici")
    text = (folder / "lib/web/fetch/constants.js").read_text("utf-8")
    theirs = re.findall(r"'(\d+)'", text.partition("badPorts = ")[2].partition("])")[0])
    return Found(name, len(BAD_PORTS), between(theirs, BAD_PORTS))


@compares("git transports")
def transports_of_git() -> Found:
    from urlsm.security.git_urls import _PORTS

    try:
        folder = subprocess.run(["git", "--exec-path"], capture_output=True, text=True, check=True).stdout.strip()
        version = subprocess.run(["git", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    except OSError as error:
        raise Absent("git is not installed") from error
    theirs = {path.name.removeprefix("git-remote-") for path in Path(folder).glob("git-remote-*")}
    return Found(version, len(_PORTS), between({*theirs, "file", "git", "ssh"} - {"ext", "fd"}, _PORTS))


# --- names: trackers, secrets, options ---


@compares("trackers")
def trackers() -> Found:
    from urlsm.crawler.trackers import _BRAVE, TRACKERS

    try:
        page = "https://raw.githubusercontent.com/brave/brave-core/master/components/query_filter/browser/utils.cc"
        text = fetched(page).partition("kSimpleQueryStringTrackers")[2].partition("});")[0]
        ours = [name for name, row in TRACKERS.items() if row.source.startswith(_BRAVE)]
        return Found("Brave's query filter", len(ours), between(set(re.findall('"(\\w+)"', text)) - {"_gl"}, ours))
    except Absent:
        from urlsm.crawler import without_query_params

        name, folder = of_node("tidy-url")
        text = (folder / "data/rules.js").read_text("utf-8").partition("Global")[2].partition("rules: [")[2]
        theirs = sorted(set(re.findall(r"""["']([\w.-]+)["']""", text.partition("]")[0])))
        return Found(
            name,
            len(theirs),
            [f"{one}: new" for one in theirs if without_query_params(f"?{one}=1", TRACKERS)],
        )


@compares("shapes of tokens")
def tokens() -> Found:
    from urlsm.errors.secrets import TOKEN

    name, _ = installed("detect-secrets", "detect_secrets")
    from hypothesis import strategies as st
    from hypothesis.errors import NonInteractiveExampleWarning

    warnings.simplefilter("ignore", NonInteractiveExampleWarning)
    over, found = 0, []
    for module in ("github_token", "gitlab_token", "npm", "pypi_token", "slack", "stripe"):
        for kind in vars(importlib.import_module(f"detect_secrets.plugins.{module}")).values():
            shapes = vars(kind).get("denylist", ()) if isinstance(kind, type) else ()
            if not isinstance(shapes, (list, tuple)):  # that of the abstract class
                continue
            for shape in shapes:
                if "://" in shape.pattern or "npmrc" in shape.pattern or "_authToken" in shape.pattern:
                    continue  # a page, or a line of a file
                over += 1
                token = st.from_regex(shape, fullmatch=True).example()
                if TOKEN.fullmatch(token) is None:
                    found.append(f"{module}: {token!r} of {shape.pattern!r} is no token here")
    return Found(name, over, found)


@compares("secret parameters")
def secrets() -> Found:
    from urlsm.errors.secrets import is_secret_name

    name, module = installed("sentry-sdk", "sentry_sdk.scrubber")
    cookies = ("session", "csrf", "xsrf", "cookie", "sid", "symfony")  # fields of requests, not parameters
    theirs = [one for one in module.DEFAULT_DENYLIST if not any(word in one.lower() for word in cookies)]
    return Found(name, len(theirs), [f"{one}: new" for one in theirs if not is_secret_name(one)])


@compares("adblock options")
def adblock() -> Found:
    from urlsm.patterns import PatternError, PatternSet

    name, folder = of_node("@gorhill/ubo-core")
    text = (folder / "js/static-filtering-parser.js").read_text("utf-8")
    text = text.partition("netOptionTokenDescriptors = new Map([")[2].partition("]);")[0]
    theirs, found = re.findall(r"\[ '([\w-]+)', \{(.*?)\}", text), []
    for option, needs in theirs:
        filters = [f"||a.example^${option}", f"||a.example^${option}=b.example", f"@@||a.example^${option}"]
        filters.append(f"{filters[1]},domain=c.example")
        for line in filters[1:] if "mustAssign: true" in needs else filters:
            try:
                PatternSet([line], "adblock")
                break
            except PatternError:
                continue
        else:
            found.append(f"{option}: not supported here")
    return Found(name, len(theirs), found)


@compares("elements with links")
def links() -> Found:
    from urlsm.documents.page import ATTRIBUTES

    name, module = installed("lxml", "lxml.html.defs")
    theirs = {*module.link_attrs}
    ours = {attribute for attributes in ATTRIBUTES.values() for attribute in attributes}
    return Found(name, len(theirs), between(theirs, ours, only_new=True))


@compares("encodings")
def encodings() -> Found:
    from urlsm.unicode.encoding import encoding_by_label

    name, module = installed("webencodings", "webencodings.labels")
    found = []
    for label, theirs in module.LABELS.items():
        ours = encoding_by_label(label)
        if (ours or "").lower() != theirs:
            found.append(f"{label}: {ours} here, {theirs} there")
    return Found(name, len(module.LABELS), found)


@compares("key words of libpq")
def libpq() -> Found:
    from urlsm.schemes.databases.postgresql import KEYWORDS

    name, module = installed("psycopg", "psycopg.pq")
    theirs = {option.keyword.decode() for option in module.Conninfo.get_defaults()}
    return Found(f"{name}, libpq {module.version()}", len(theirs), between(theirs, KEYWORDS, only_new=True))


@compares("options of MongoDB")
def mongodb() -> Found:
    from urlsm.schemes.databases.mongodb import _OPTIONS

    name, module = installed("pymongo", "pymongo.common")
    # pymongo's own arguments, which are no options of the specification
    own = {"connect", "datetime_conversion", "driver", "fsync", "server_api", "tz_aware", "waitqueuemultiple"}
    own.add("unicode_decode_error_handler")
    theirs = {option.lower() for option in module.URI_OPTIONS_VALIDATOR_MAP} - own
    return Found(name, len(theirs), between(theirs, _OPTIONS, only_new=True))


@compares("dialects of SQLAlchemy")
def sqlalchemy() -> Found:
    from urlsm.errors.secret_names import SQLALCHEMY

    name, module = installed("SQLAlchemy", "sqlalchemy.dialects")
    return Found(name, len(module.__all__), between(module.__all__, SQLALCHEMY, only_new=True))


@compares("transports of repositories")
def transports_of_pip() -> Found:
    from urlsm.schemes.supply.vcs import TRANSPORTS

    name, module = installed("pip", "pip._internal.vcs")
    ours = [f"{system}+{transport}" for system, transports in TRANSPORTS.items() for transport in transports]
    return Found(name, len(ours), between(module.vcs.all_schemes, [*ours, "svn+ssh"]))


@compares("types of repositories")
def repositories() -> Found:
    from urlsm.schemes.stores.hf import _TYPES

    name, module = installed("huggingface_hub", "huggingface_hub.constants")
    return Found(
        name, len(_TYPES), between(filter(None, module.REPO_TYPES_WITH_KERNEL), _TYPES.values(), only_new=True)
    )


@compares("lists of urllib.parse")
def lists() -> Found:
    from urlsm.crawler.profiles import USES_NETLOC, USES_PARAMS

    # in a process of its own, because pip and others add to the lists
    code = "import json, urllib.parse as u; print(json.dumps([u.uses_netloc, u.uses_params]))"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    netloc, params = ([one for one in found if one] for found in json.loads(done.stdout))
    found = between(netloc, USES_NETLOC) + between(params, USES_PARAMS)
    return Found(f"CPython {sys.version.split()[0]}", len(USES_NETLOC) + len(USES_PARAMS), found)


@compares("guarded clients")
def clients() -> Found:
    from urlsm.guard.versions import TESTED, _number

    found, names = [], []
    for client, (_, last) in TESTED.items():
        try:
            version = importlib.metadata.version(client)
        except importlib.metadata.PackageNotFoundError:
            continue
        names.append(f"{client} {version}")
        if _number(version)[:2] > _number(last):
            found.append(f"{client} {version}: tested up to {last}")
    return Found(", ".join(names), len(names), found)


@compares("classes of URLs")
def classes() -> Found:
    import urlsm

    made, names = "https://u:p@h.example/a", []
    found = []
    for package, place in {
        **{"yarl": "yarl:URL", "httpx": "httpx:URL", "starlette": "starlette.datastructures:URL"},
        **{"pydantic": "pydantic:AnyUrl", "SQLAlchemy": "sqlalchemy.engine:make_url", "hyperlink": "hyperlink:parse"},
    }.items():
        module, _, name = place.partition(":")
        try:
            version, home = installed(package, module)
        except Absent:
            continue
        names.append(version)
        try:
            if str(urlsm.parse(getattr(home, name)(made))) != made:
                found.append(f"{version}: another URL")
        except TypeError:
            found.append(f"{version}: its class is not known")
    return Found(", ".join(names), len(names), found)


# --- Unicode ---


@compares("domain names", "IDNA 2008")
def unicode() -> Found:
    from urlsm.unicode.idna import ABOUT, UNICODE_VERSION

    name, module = installed("idna", "idna.idnadata")
    installed("unicodedata2", "unicodedata2")
    found = []
    for script in ("toascii_table", "idna2008_table"):
        if subprocess.run([sys.executable, str(ROOT / f"tools/{script}.py"), "--check"], check=False).returncode:
            found.append(
                f"tools/{script}.py writes another table: Unicode {module.__version__}, here {UNICODE_VERSION}"
            )
    return Found(name, sum(row["rows"] for row in ABOUT.values() if "idna" in row["source"]), found)


# --- live programs ---


@compares("readers")
def readers() -> Found:
    drift = oracle("drift")
    over, found, names = 0, [], []
    for one in drift.run([], "spliced", texts, 9):
        if isinstance(one, drift.Count):
            over += one.texts
            names.append(f"{one.name} {one.live}")
        elif len(found) < 1000:
            found.append(str(one).replace("\n", " "))
    if not names:
        raise Absent("no program is installed")
    return Found(", ".join(dict.fromkeys(names)), over, found)


@compares("hops")
def hops() -> Found:
    command = [sys.executable, "-m", "oracles.hops.compare", "-n", str(texts), "--seed", "9"]
    done = subprocess.run(command, cwd=ROOT / "tests", capture_output=True, text=True, check=False)
    counts = re.findall(r"^(\S+@\S+) (.*): (\d+) targets, (\d+) differences", done.stdout, re.MULTILINE)
    if not counts:
        raise Absent(f"no server is installed: {done.stderr.strip()[-200:]}")
    wrong = [f"{name} {how}: {count} of {asked} targets" for name, how, asked, count in counts if count != "0"]
    named = ", ".join(dict.fromkeys(name for name, *_ in counts))
    return Found(named, sum(int(asked) for _, _, asked, _ in counts), wrong)


def peers(*names: str) -> Found:
    """Compare libraries with the functions that give their answers (tests/oracles/recorded.py)."""
    recorded = oracle("recorded")
    over, found, asked = 0, [], []
    for name in names:
        peer = recorded.PEERS[name]
        try:
            version, _ = installed(peer.package, peer.module)
        except Absent:
            continue
        cases = recorded.cases_of(name)
        over += len(cases)
        asked.append(version)
        for case, theirs in zip(cases, peer.ask(cases), strict=True):
            ours = peer.ours(case)
            if ours != theirs and not any(judge(case, ours, theirs) for _, judge in peer.rows.values()):
                found.append(f"{version}: {case!r}: {ours!r} here, {theirs!r} there")
    if not asked:
        raise Absent(f"none of {', '.join(names)} is installed")
    return Found(", ".join(asked), over, found)


COMPARERS["profiles of programs"] = lambda: peers("w3lib", "surt", "scrapy")
COMPARERS["functions of libraries"] = lambda: peers("w3lib", "surt", "protego")
COMPARERS["directives of Protego"] = lambda: peers("protego")
COMPARERS["options of surt"] = lambda: peers("surt")


# --- the report ---


def report(found: dict[str, Found | str], today: datetime.date) -> str:
    """Return the report. found: of each table a comparison, or why there is none."""
    tables = {table.name: table for table in about.tables(today=today)}
    compared = [one for one in found.values() if isinstance(one, Found)]
    lines = [f"# Tables of the world, compared on {today}", ""]
    differ, stale = sum(bool(one.differences) for one in compared), sum(table.stale for table in tables.values())
    said = f"{len(compared)} of {len(tables)} tables compared, {differ} differ"
    lines += [f"{said}; {stale} are older than {STALE} days.", ""]
    lines += ["| table | date | age | compared with | over | differences |", "|---|---|---:|---|---:|---:|"]
    for name, table in tables.items():
        one = found.get(name, "nothing compares it")
        if isinstance(one, Found):
            said = f"{one.against} | {one.over} | {len(one.differences)}"
        else:
            said = f"not compared: {one} | |"
        mark = " (stale)" if table.stale else ""
        lines.append(f"| {name} | {table.date} | {table.age}{mark} | {said} |")
    for name, one in found.items():
        if isinstance(one, Found) and one.differences:
            lines += ["", f"## {name}", "", *(f"- {line}" for line in one.differences[:SHOWN])]
            if len(one.differences) > SHOWN:
                lines.append(f"- ... and {len(one.differences) - SHOWN} more")
    return "\n".join(lines) + "\n"


def written(found: dict[str, Found | str], day: str) -> str:
    """Return urlsm/about/compared.py with these comparisons; the others stay."""
    made = dict(COMPARED)
    for name, one in found.items():
        if isinstance(one, Found):
            against = textwrap.shorten(one.against, 90, placeholder=" ...")
            made[name] = Compared("tools/age.py", against, day, one.over, len(one.differences))
    text = TARGET.read_text(encoding="utf-8").partition("COMPARED: dict")[0] + "COMPARED: dict[str, Compared] = {\n"
    for name, row in sorted(made.items()):
        values = "".join(f"        {json.dumps(value)},\n" for value in row)
        text += f"    {json.dumps(name)}: Compared(\n{values}    ),\n"
    return text + "}\n"


def main(arguments: list[str]) -> int:
    global texts
    parser = argparse.ArgumentParser(description="Compare the tables of the world with newer ones.")
    parser.add_argument("tables", nargs="*", metavar="TABLE")
    parser.add_argument("--report", type=Path)
    parser.add_argument("--record", metavar="DATE")
    parser.add_argument("-n", type=int, default=texts)
    options = parser.parse_args(arguments)
    texts = options.n
    if unknown := set(options.tables) - COMPARERS.keys():
        parser.error(f"nothing compares {', '.join(sorted(unknown))}")
    found: dict[str, Found | str] = {}
    for name in options.tables or COMPARERS:
        try:
            found[name] = COMPARERS[name]()
        except Absent as error:
            found[name] = str(error)
        except Exception as error:  # a holder of facts that has changed its form
            traceback.print_exc()
            found[name] = f"{type(error).__name__}: {error}".splitlines()[0][:200]
    text = report(found, datetime.date.today())
    if options.report:
        options.report.write_text(text, encoding="utf-8")
    if options.record:
        TARGET.write_text(written(found, options.record), encoding="utf-8")
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
