"""Operations on one URL, a row each, beside the peers that have them: edits, judgements, refusals, repr.

Each is a statement timed inline in a loop, the rows' peers in turns; where both give a text, the texts are compared
before. can_ada's setters change in place; ours, and all else here, make new objects.
"""

import contextlib
import importlib
import pickle
from dataclasses import dataclass, field
from typing import Any

import urlsm
from urlsm import stdlib, whatwg

LINK = "https://www.example.org/some/path?q=1#x"
OTHER = "https://www.example.org/some/other/page"
SETTERS = {
    "hash": "#frag", "search": "?a=b&c=d", "pathname": "/x/y/z.html", "hostname": "example.com", "port": "8080",
    "protocol": "http", "username": "user",
}  # fmt: skip
HOSTS = {
    "IPv4": "http://192.168.1.1/a/b", "IPv6": "http://[2001:db8::1]/a", "IPv4, hexadecimal": "http://0x7f.1/",
    "path not ASCII": "http://example.org/\u00e9/\u00fc", "query not ASCII": "https://example.org/?q=\u00e9",
    "4 KiB, path not ASCII": "http://example.org/" + "\u00e9" * 4096, "another scheme": "s3://bucket/key",
    "host not ASCII": "http://m\u00fcnchen.example/", "host in Hebrew": "http://\u05d3\u05d5\u05d2\u05de\u05d4.example/a",
    "host in Japanese": "http://\u65e5\u672c\u8a9e.example/a", "capitals": "HTTP://EXAMPLE.org/",
    "host decomposed": "http://cafe\u0301.example/",
    "joiner in the host": "http://\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645.example/",
}  # fmt: skip
TEXTS = {
    "newline within": "https://www.example.org/so\nme/path", "path of 1000 octets": "http://h/" + "a-word/" * 142,
    "query of 1000 octets": "http://h/?" + "a=word&" * 142, "path of 100,000 octets": "http://h/" + "a-word/" * 14_285,
    "no path": "https://www.example.org", "port": "https://www.example.org:8080/a/b", "ftp": "ftp://example.org/a/b",
    "mailto": "mailto:someone@example.org", "user and password": "https://user:pass@example.org/",
    "xn-- host": "https://xn--bcher-kva.example/a", "dot segments": "https://www.example.org/a/../b/./c",
    "leading space": " https://www.example.org/a/b", "file": "file:///usr/share/doc",
    "backslashes": "http:\\\\www.example.org\\a\\b", "space in the fragment": "https://www.example.org/a/b#c d",
}  # fmt: skip
REFUSED = {
    "no scheme": "www.example.org/some/path?q=1", "empty host": "http:///?x", "no text": "",
    "bad port": "http://example.org:99999/", "space in the host": "http://exa mple.org/a/b",
    "unassigned in the host": "http://a\u0378b.example/", "two directions in a label": "http://\u05d0a.example/",
    "xn-- beside non-ASCII": "http://xn--\u00fc.example/",
}  # fmt: skip
REPLACED = {"host": "example.com", "path": "/x/y", "scheme": "http", "fragment": "frag"}


@dataclass
class Row:
    title: str
    ours: str
    peers: dict[str, str]  # peer -> its statement
    compared: bool = True  # the values of the statements are texts, or have one, and must be equal
    names: dict[str, Any] = field(default_factory=dict)


def rows() -> list[Row]:
    """Every row. A peer that is not installed is left out when it is timed."""
    found = [Row(f"`{name} =`", f"w.{name} = v", {"can_ada": f"a.{name} = v", "ada-url": f"d.{name} = v"}, False,
                 {"v": value}) for name, value in SETTERS.items()]  # fmt: skip
    found += [Row(f"replace {name}", f"u.replace({name}=v)",
                  {"url-py": f"y.with_{name}(v)", "yarl": f"r.with_{name}(v)"}, name in ("host", "fragment"),
                  {"v": value})
              for name, value in REPLACED.items()]  # fmt: skip
    found += [
        Row("with_query, text", "u.with_query('a=1&b=2')", {"url-py": "y.with_query('a=1&b=2')",
                                                           "yarl": "r.with_query('a=1&b=2')"}, False),
        Row("with_query, mapping", "u.with_query(v)",
            {"yarl": "r.with_query(v)", "url-py": "y.without_query().with_pairs(pairs)"}, True,
            {"v": {"a": "1", "b": "2"}, "pairs": [("a", "1"), ("b", "2")]}),
        Row("query_params", "u.query_params", {"can_ada": "AP('q=1')"}, False),
        Row("segments, second time", "u.segments", {"yarl": "r.parts"}, False),
        Row("origin, second time", "u.origin", {"yarl": "r.origin()"}),
        Row("u / 'segment'", "u / 'segment'", {"yarl": "r / 'segment'"}),
        Row("pickle.dumps", "dumps(u)", {"yarl": "dumps(r)"}, False, {"dumps": pickle.dumps}),
        Row("pickle.loads", "loads(dumped)", {"yarl": "loads(dumped)"}, False, {"loads": pickle.loads}),
        Row("hash", "hash(u)", {"url-py": "hash(y)", "yarl": "hash(r)"}, False),
        Row("normalize", "normalize(t)", {"w3lib": "canonicalize(t)"}, False),
        Row("unquote with '%'", "unquote(v)", {"yarl": "unquoter(v)", "falcon": "decode(v, False)"}, True,
            {"v": "caf%C3%A9 and %20 more"}),
        Row("quote, dirty", "quote(v)", {"yarl": "quoter(v)", "falcon": "encode(v)"}, False,
            {"v": "/some/p th/\u00e9"}),
        Row("relative_to", "u.relative_to(o)", {"url-py": "yo.make_relative(y)"}),
        Row("URLSearchParams.get", "p.get('b')", {"can_ada": "ap.get('b')"}),
        Row("repr", "repr(u)", {"url-py": "repr(y)", "can_ada": "repr(a)"}, False),
        Row("equality", "u == o", {"url-py": "y == yo"}),
        Row("whatwg.URL(text)", "W(t)", {"can_ada": "A(t)", "ada-url": "D(t)"}),
        Row("URL(text)", "U(t)", {"can_ada": "A(t)"}),
    ]  # fmt: skip
    with contextlib.suppress(ImportError):
        import pydantic

        field_of = {"valid": pydantic.TypeAdapter(list[urlsm.URL]).validate_python, "v": [LINK] * 10}
        found.append(Row("10 fields of pydantic", "valid(v)[9]", {"pydantic": "anys(v)[9]"}, True, field_of))
    for kind, text in HOSTS.items():
        names = {"v": text}
        found.append(
            Row(f"can_parse, {kind}", "can(v)", {"can_ada": "acan(v)", "ada-url": "D.can_parse(v)"}, True, names)
        )
        found.append(Row(f"parse, {kind}", "parse(v)", {"can_ada": "A(v)", "url-py": "Y(v)"}, True, names))
    for kind, text in TEXTS.items():
        found.append(Row(f"parse, {kind}", "parse(v)", {"can_ada": "A(v)", "url-py": "Y(v)"}, True, {"v": text}))
    for kind, text in REFUSED.items():
        names = {"v": text}
        found.append(Row(f"can_parse, refused: {kind}", "can(v)", {"can_ada": "acan(v)"}, True, names))
        found.append(Row(f"refused: {kind}", "try: parse(v)\n  except Exception: pass",
                         {"url-py": "try: Y(v)\n  except Exception: pass",
                          "can_ada": "try: A(v)\n  except Exception: pass"}, False, names))  # fmt: skip
    return found


def objects() -> dict[str, dict[str, Any]]:
    """The names that the statements of us and of each installed peer use."""
    ours = {"u": urlsm.parse(LINK), "o": urlsm.parse(OTHER), "w": whatwg.URL(LINK), "W": whatwg.URL, "U": urlsm.URL,
            "p": whatwg.URLSearchParams("a=1&b=2&c=3"), "can": urlsm.can_parse, "parse": urlsm.parse,
            "t": LINK, "normalize": urlsm.normalize, "unquote": stdlib.unquote, "quote": stdlib.quote,
            "dumped": pickle.dumps(urlsm.parse(LINK))}  # fmt: skip
    found = {"urlsm": ours}
    makers = {
        "can_ada": lambda m: {"a": m.parse(LINK), "A": m.parse, "acan": m.can_parse,
                              "AP": m.URLSearchParams, "ap": m.URLSearchParams("a=1&b=2&c=3"), "t": LINK},
        "ada_url": lambda m: {"d": m.URL(LINK), "D": m.URL, "t": LINK},
        "url": lambda m: {"y": m.URL.parse(LINK), "yo": m.URL.parse(OTHER), "Y": m.URL.parse},
        "yarl": lambda m: {"r": m.URL(LINK), "unquoter": m._quoting._Unquoter(),
                           "quoter": m._quoting._Quoter(requote=False, safe="/"), "dumped": pickle.dumps(m.URL(LINK))},
        "w3lib.url": lambda m: {"canonicalize": m.canonicalize_url, "t": LINK},
        "pydantic": lambda m: {"anys": m.TypeAdapter(list[m.AnyUrl]).validate_python},
        "falcon.uri": lambda m: {"encode": m.encode, "decode": m.decode},
    }  # fmt: skip
    for module, make in makers.items():
        with contextlib.suppress(ImportError):
            peer = {"ada_url": "ada-url", "url": "url-py"}.get(module, module.partition(".")[0])
            found[peer] = make(importlib.import_module(module))
    return found


def text_of(value: Any) -> str:
    return getattr(value, "href", None) or str(value)


def statements(row: Row) -> dict[str, tuple[str, dict[str, Any]]]:
    """Peer -> its statement and the names in it, ours first. AssertionError where the answers differ."""
    known = objects()
    wanted = {"urlsm": row.ours, **{peer: statement for peer, statement in row.peers.items() if peer in known}}
    found = {peer: (statement, {**known[peer], **row.names}) for peer, statement in wanted.items()}
    if row.compared:
        texts = {peer: text_of(eval(statement, dict(names))) for peer, (statement, names) in found.items()}
        assert len(set(texts.values())) == 1, f"{row.title}: {texts}"
    return found


def looped(statement: str, names: dict[str, Any]) -> Any:
    """A function of how often and a clock: what the statement took, in nanoseconds."""
    bound = "".join(f", {name}={name}" for name in names if name in statement)
    made = dict(names)
    exec(
        f"def loop(times, now{bound}):\n started = now()\n for _ in times:\n  {statement}\n return now() - started",
        made,
    )
    return made["loop"]
