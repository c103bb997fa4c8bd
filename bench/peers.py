"""Every peer's way to do each job, and the check, before any timing, that its answer is ours.

An adapter is an expression of the text `u`: check() evaluates it once for every text and compares, loop() puts it
inline into a `for` statement, so that no call of ours stands between the clock and the peer.
"""

import importlib.util
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import unquote

import urlsm
from bench.corpora import BASE, Corpus

ROOT = Path(__file__).resolve().parents[1]
Loop = Callable[[list[str]], None]
Excuse = Callable[[str, Any, Any], bool]  # (text, our answer, theirs): may they differ?


@dataclass(frozen=True)
class Job:
    title: str
    inputs: str  # which list of the corpus
    aims: tuple[tuple[str, float], ...] = ()  # (peer, how many times as fast)
    refusal: bool = False  # every text must be refused; the time includes catching the exception
    also_check: str = ""  # another list, checked but not timed
    like: str = ""  # the job whose adapters do it


JOBS = {
    "parse": Job("parse", "urls", (("can_ada", 4.5),)),
    "read": Job("parse, then read host, path, query", "urls", (("can_ada", 3.5),)),
    "can_parse": Job("can_parse", "urls", (("can_ada", 5),), also_check="refused"),
    "normal": Job("canonical text, already normal", "normal", (("can_ada", 6),)),
    "changed": Job("canonical text, changed", "changed", (("can_ada", 2),)),
    "resolve": Job("resolve a reference, text to text", "refs", (("url-py", 5),)),
    "join": Job("resolve against a base parsed once", "refs", (("url-py", 4),)),
    "refused": Job("a refused text: try, parse, except", "refused", refusal=True),
    "long path": Job("parse, path of 4 KiB", "long_paths", (("can_ada", 4),), like="parse"),
    "long query": Job("parse, query of 4 KiB", "long_queries", (("can_ada", 20),), like="parse"),
    "idn": Job("parse, host not ASCII", "idn", (("url-py", 2),), like="parse"),
    "idn can_parse": Job("can_parse, host not ASCII", "idn", (("can_ada", 1),), like="can_parse"),
}


@dataclass(frozen=True)
class Adapter:
    call: str  # an expression of u and the names
    names: dict[str, Any]
    reads: tuple[str, ...] = ()  # attributes read from its value
    answer: Callable[[Any], Any] = str  # the part of its value that must equal ours
    excuses: tuple[tuple[str, Excuse], ...] = ()  # accepted reasons for a difference

    def arguments(self) -> str:
        return "".join(f", {name}={name}" for name in self.names)


class Disagreement(AssertionError):
    """A peer's answer differs from ours for a reason that is not listed."""


def unescaped(answer: Any) -> Any:
    """The answer without its escapes; "+", which may stand for a space, counts as one."""
    return [unescaped(part) for part in answer] if isinstance(answer, tuple) else unquote(answer).replace("+", " ")


def in_normal_form(text: str) -> bool:
    """Does the text, a reference perhaps, stand in its URL as it is?"""
    return str(urlsm.parse(text, BASE)).endswith(text.lstrip("./"))


ESCAPES = ("escapes other characters", lambda text, ours, theirs: unescaped(ours) == unescaped(theirs))
AS_WRITTEN = ("keeps what parsing would change", lambda text, ours, theirs: not in_normal_form(text))
EMPTY_DROPPED = ("drops an empty query or fragment", lambda text, ours, theirs: "?#" in text or text[-1] in "?#")


# --- the peers ---------------------------------------------------------------------------------


def ours() -> dict[str, Adapter]:
    text = {"parse": urlsm.parse, "str": str}
    parse = {"parse": urlsm.parse}
    return {
        "parse": Adapter("parse(u)", parse),
        "read": Adapter("parse(u)", parse, ("host", "path", "query"), lambda x: (x.host or "", x.path, x.query or "")),
        "can_parse": Adapter("can_parse(u)", {"can_parse": getattr(urlsm, "can_parse", None)}, answer=bool),
        "normal": Adapter("str(parse(u))", text),
        "changed": Adapter("str(parse(u))", text),
        "resolve": Adapter("resolve(base, u)", {"resolve": getattr(urlsm, "resolve", None), "base": BASE}),
        "join": Adapter("base.join(u)", {"base": urlsm.parse(BASE)}),
        "refused": Adapter("parse(u)", {**parse, "Refusal": ValueError}),
    }


def can_ada() -> dict[str, Adapter]:
    import can_ada

    parse = {"parse": can_ada.parse}
    text = {**parse, "str": str}
    return {
        "parse": Adapter("parse(u)", parse),
        "read": Adapter("parse(u)", parse, ("hostname", "pathname", "search"),
                        lambda x: (x.hostname, x.pathname, x.search[1:])),
        "can_parse": Adapter("can_parse(u)", {"can_parse": can_ada.can_parse}, answer=bool),
        "normal": Adapter("str(parse(u))", text),
        "changed": Adapter("str(parse(u))", text),
        "resolve": Adapter("str(parse(base) + u)", {**text, "base": BASE}),
        "join": Adapter("base + u", {"base": can_ada.parse(BASE)}),
        "refused": Adapter("parse(u)", {**parse, "Refusal": ValueError}),
    }  # fmt: skip


def url_py() -> dict[str, Adapter]:
    from url import URL, URLError

    parse = {"parse": URL.parse}
    text = {**parse, "str": str}
    return {
        "parse": Adapter("parse(u)", parse),
        "read": Adapter("parse(u)", parse, ("host_str", "path", "query"),
                        lambda x: (x.host_str or "", x.path, x.query or "")),
        "normal": Adapter("str(parse(u))", text),
        "changed": Adapter("str(parse(u))", text),
        "resolve": Adapter("str(parse(base).join(u))", {**text, "base": BASE}),
        "join": Adapter("base.join(u)", {"base": URL.parse(BASE)}),
        "refused": Adapter("parse(u)", {**parse, "Refusal": URLError}),
    }  # fmt: skip


def ada_url() -> dict[str, Adapter]:
    from ada_url import URL, join_url, normalize_url

    parse = {"URL": URL}
    return {
        "parse": Adapter("URL(u)", parse, answer=lambda x: x.href),
        "read": Adapter("URL(u)", parse, ("hostname", "pathname", "search"),
                        lambda x: (x.hostname, x.pathname, x.search[1:])),
        "can_parse": Adapter("can_parse(u)", {"can_parse": URL.can_parse}, answer=bool),
        "normal": Adapter("normalize(u)", {"normalize": normalize_url}),
        "changed": Adapter("normalize(u)", {"normalize": normalize_url}),
        "resolve": Adapter("join(base, u)", {"join": join_url, "base": BASE}),
        "refused": Adapter("URL(u)", {**parse, "Refusal": ValueError}),
    }  # fmt: skip


def pydantic_core() -> dict[str, Adapter]:
    from pydantic_core import Url

    parse = {"Url": Url}
    return {
        "parse": Adapter("Url(u)", parse),
        "read": Adapter("Url(u)", parse, ("host", "path", "query"),
                        lambda x: (x.host or "", x.path or "", x.query or "")),
        "normal": Adapter("str(Url(u))", {**parse, "str": str}),
        "changed": Adapter("str(Url(u))", {**parse, "str": str}),
        "refused": Adapter("Url(u)", {**parse, "Refusal": ValueError}),
    }  # fmt: skip


def yarl() -> dict[str, Adapter]:
    from yarl import URL, _parse, _path, _query, _url

    for module in (_parse, _path, _query, _url):
        take_caches_off(module)
    parse = {"URL": URL}
    text = {**parse, "str": str}
    excuses = (ESCAPES, AS_WRITTEN, EMPTY_DROPPED)
    return {
        "parse": Adapter("URL(u)", parse, excuses=excuses),
        "read": Adapter("URL(u)", parse, ("raw_host", "raw_path", "raw_query_string"),
                        lambda x: (x.raw_host or "", x.raw_path, x.raw_query_string), excuses),
        "normal": Adapter("str(URL(u))", text, excuses=excuses),
        "changed": Adapter("str(URL(u))", text, excuses=excuses),
        "resolve": Adapter("str(URL(base).join(URL(u)))", {**text, "base": BASE}, excuses=excuses),
        "join": Adapter("base.join(URL(u))", {**parse, "base": URL(BASE)}, excuses=excuses),
    }  # fmt: skip


def urllib_parse() -> dict[str, Adapter]:
    module = second_copy("urllib.parse")
    take_caches_off(module)
    parse = {"urlsplit": module.urlsplit}
    excuses = (AS_WRITTEN, EMPTY_DROPPED)
    return {
        "parse": Adapter("urlsplit(u)", parse, answer=lambda x: x.geturl(), excuses=excuses),
        "read": Adapter("urlsplit(u)", parse, ("hostname", "path", "query"),
                        lambda x: (x.hostname, x.path, x.query), excuses),
        "normal": Adapter("urlunsplit(urlsplit(u))", {**parse, "urlunsplit": module.urlunsplit}, excuses=excuses),
        "changed": Adapter("urlunsplit(urlsplit(u))", {**parse, "urlunsplit": module.urlunsplit}, excuses=excuses),
        "resolve": Adapter("urljoin(base, u)", {"urljoin": module.urljoin, "base": BASE}, excuses=excuses),
    }  # fmt: skip


PEERS = {"urlsm": ours, "can_ada": can_ada, "url-py": url_py, "ada-url": ada_url, "pydantic_core": pydantic_core,
         "yarl": yarl, "urllib.parse": urllib_parse}  # fmt: skip
PAGE = os.sysconf("SC_PAGESIZE") if hasattr(os, "sysconf") else 0
MAKERS = {"urlsm": "from urlsm import parse as make", "can_ada": "from can_ada import parse as make",
          "url-py": "from url import URL; make = URL.parse", "pydantic_core": "from pydantic_core import Url as make",
          "yarl": "from yarl import URL as make", "urllib.parse": "from urllib.parse import urlsplit as make",
          "str alone": "make = str"}  # fmt: skip
IMPORTS = {"urlsm": "urlsm", "can_ada": "can_ada", "url-py": "url", "ada-url": "ada_url",
           "pydantic_core": "pydantic_core", "yarl": "yarl", "urllib.parse": "urllib.parse"}  # fmt: skip


@cache
def adapters() -> tuple[dict[str, dict[str, Adapter]], dict[tuple[str, str], str]]:
    """Job to peer to adapter, ours first; and why the others are missing, by (job, peer)."""
    found: dict[str, dict[str, Adapter]] = {job: {} for job in JOBS}
    missing: dict[tuple[str, str], str] = {}
    for peer, make in PEERS.items():
        try:
            made = make()
        except ImportError as error:
            missing |= {(job, peer): f"{peer} is not installed ({error})" for job in JOBS}
            continue
        for job in JOBS:
            adapter = made.get(JOBS[job].like or job)
            if adapter is None:
                missing[job, peer] = f"{peer} does not do this"
            elif absent := [name for name, value in adapter.names.items() if value is None]:
                missing[job, peer] = f"{peer} has no {absent[0]} yet"
            else:
                found[job][peer] = adapter
    return found, missing


def parsers() -> dict[str, Callable[[str], Any]]:
    return {peer: evaluator(adapter) for peer, adapter in adapters()[0]["parse"].items()}


def second_copy(name: str) -> ModuleType:
    """A second copy of the module: changes to it do not touch the one that others use."""
    spec = importlib.util.find_spec(name)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def take_caches_off(module: ModuleType) -> None:
    for name, value in list(vars(module).items()):
        if hasattr(value, "cache_clear") and hasattr(value, "__wrapped__"):
            setattr(module, name, value.__wrapped__)
    if hasattr(module, "MAX_CACHE_SIZE"):  # urllib.parse up to CPython 3.10
        vars(module)["MAX_CACHE_SIZE"] = 0


# --- check and time ----------------------------------------------------------------------------


def check(name: str, corpus: Corpus) -> dict[str, Counter[str]]:
    """For each peer, how many of its answers differ from ours, by reason. Raises Disagreement."""
    job, found = JOBS[name], adapters()[0][name]
    texts = getattr(corpus, job.inputs) + (getattr(corpus, job.also_check) if job.also_check else [])
    expected = list(answers(found["urlsm"], texts))
    differences = {}
    for peer, adapter in found.items():
        reasons: Counter[str] = Counter()
        unexplained = []
        for text, ours, theirs in zip(texts, expected, answers(adapter, texts), strict=True):
            if ours != theirs or (job.refusal and theirs != "refused"):
                reason = next((reason for reason, excuse in adapter.excuses if excuse(text, ours, theirs)), None)
                if reason:
                    reasons[reason] += 1
                else:
                    unexplained.append(f"{text!r}: urlsm {ours!r}, {peer} {theirs!r}")
        if unexplained:
            raise Disagreement("\n".join([f"{job.title}: {len(unexplained)} unexplained", *unexplained[:5]]))
        differences[peer] = reasons
    return differences


def evaluator(adapter: Adapter) -> Callable[[str], Any]:
    made: Callable[[str], Any] = eval(f"lambda u{adapter.arguments()}: {adapter.call}", dict(adapter.names))
    return made


def answers(adapter: Adapter, texts: Iterable[str]) -> Iterable[Any]:
    call, refusal = evaluator(adapter), adapter.names.get("Refusal", ())
    for text in texts:
        try:
            yield adapter.answer(call(text))
        except refusal:
            yield "refused"


def loop(adapter: Adapter | None, refusal: bool = False) -> Loop:
    """A function that does the adapter's work for each text of a list; without an adapter, the bare loop."""
    if adapter is None:
        work, arguments, names = "pass", "", {}
    else:
        work, arguments, names = adapter.call, adapter.arguments(), dict(adapter.names)
        if adapter.reads:
            work = "; ".join([f"x = {work}", *(f"x.{name}" for name in adapter.reads)])
        if refusal:
            work = f"try: {work}\n  except Refusal: pass"
    exec(f"def loop(inputs{arguments}):\n for u in inputs:\n  {work}", names)
    made: Loop = names["loop"]
    return made


def memory_of(make: str) -> float:
    """Octets of a URL with its text, in a new process that keeps 100,000 of them; make: what imports and defines it."""
    code = f"""{make}
def resident():
    return int(open("/proc/self/statm").read().split()[1]) * {PAGE}
texts = range(100_000)
before = resident()
kept = [make(f"https://www.example.org/some/path/{{k}}?id={{k}}") for k in texts]
print((resident() - before) / len(kept) - 8)"""
    return float(subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True).stdout)


def import_time(module: str) -> int:
    """Nanoseconds to import a module in a new interpreter, whose own start is not counted.

    The module's bytecode is kept from the first time on, as an installer keeps it.
    """
    # without site, whose .pth files import much; where packages are is said instead
    path = [entry for entry in sys.path if entry.endswith("site-packages")]
    clock = f"import sys; sys.path += {path}; from time import process_time_ns as now; t = now()"
    code = f"{clock}; import {module}; print(now() - t)"
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-S", "-c", code]
    return int(subprocess.run(command, cwd=ROOT, env=kept, check=True, capture_output=True).stdout)
