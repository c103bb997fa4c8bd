"""In every syntax, no spelling of a URL is more allowed than the plain one: what exclude takes out is out."""

from __future__ import annotations

import re

import pytest
from support.seeds import seeded

from urlsm.patterns import PatternSet
from urlsm.patterns.syntax import NAMES, find

HOST, PATH = "evil.example", "/admin/año"
# for each syntax: everything; what is taken out, as (list, whether the path counts)
LISTS: dict[str, tuple[str, str, bool]] = {
    "adblock": ("||example^", "||evil.example^", False),
    "blocklist": ("*", "evil.example/admin", True),
    "csp": ("https:", "https://evil.example/admin/", True),
    "domains": ("example", "evil.example", False),
    "glob": ("https://**/**", "https://evil.example/admin/**", True),
    "match-pattern": ("https://*/*", "https://evil.example/admin/*", True),
    "no-proxy": ("*", "evil.example", False),
    "origins": ("https://*.example", "https://evil.example", False),
    "redirect-uri": ("https://evil.example/admin/a%C3%B1o", "https://evil.example/admin/a%C3%B1o", True),
    "robots": ("Allow: /", "Allow: /admin/", True),
    "surt": ("https://(example,", "https://(example,evil,)/admin/", True),
    "uri-template": ("https://{host}/{+all}{?a,b}", "https://evil.example/admin/{+all}", True),
    "urlpattern": ("https://*/*", "https://evil.example/admin/*", True),
}
# how one character of a path may be written
OF_A_CHARACTER = {
    "escape": lambda c: "".join(f"%{octet:02X}" for octet in c.encode()),
    "lower": lambda c: "".join(f"%{octet:02x}" for octet in c.encode()),
    "twice": lambda c: "".join(f"%25{octet:02x}" for octet in c.encode()),
    "thrice": lambda c: "".join(f"%2525{octet:02x}" for octet in c.encode()),
    "u": lambda c: f"%u{ord(c):04x}",
    "u twice": lambda c: f"%25u{ord(c):04X}",
    "overlong": lambda c: f"%{0xC0 | ord(c) >> 6:02x}%{0x80 | ord(c) & 0x3F:02x}" if c < "\x80" else c,
    "overlong of three": lambda c: f"%e0%{0x80 | ord(c) >> 6:02x}%{0x80 | ord(c) & 0x3F:02x}" if c < "\x80" else c,
    "full-width": lambda c: chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c,
    "escaped full-width": lambda c: (
        "".join(f"%{o:02x}" for o in chr(ord(c) + 0xFEE0).encode()) if "!" <= c < "~" else c
    ),
    "bold": lambda c: chr(ord(c) - 0x61 + 0x1D41A) if "a" <= c <= "z" else c,
    "%ff": lambda c: f"%ff{c}",
    "%e0": lambda c: f"{c}%e0",
    "%c0 behind": lambda c: f"{c}%80",
    "soft hyphen": lambda c: f"%c2%ad{c}",
    "zero width": lambda c: f"\u200b{c}",
    "variation selector": lambda c: f"{c}\ufe0f",
    "tag": lambda c: f"%f3%a0%80%81{c}",
    "hangul filler": lambda c: f"{c}%e3%85%a4",
    "tab": lambda c: f"%09{c}",
    "line end": lambda c: f"{c}%0a",
}
OF_A_PATH = {
    "plain": lambda path: path,
    "two slashes": lambda path: f"/{path}",
    "slashes": lambda path: path.replace("/", "//"),
    "%2f": lambda path: "/" + path[1:].replace("/", "%2f"),
    "%5C": lambda path: "/" + path[1:].replace("/", "%5C"),
    "backslash": lambda path: "/" + path[1:].replace("/", "\\"),
    "full-width slash": lambda path: "/" + path[1:].replace("/", "\uff0f"),
    "division slash": lambda path: "/" + path[1:].replace("/", "%e2%88%95"),
    "dot": lambda path: f"/.{path}",
    "%2e": lambda path: f"/%2e{path}",
    "%252e": lambda path: f"/%252e{path}",
    "up": lambda path: f"/x/..{path}",
    "%2e%2e": lambda path: f"/x/%2e%2e{path}",
    "up twice": lambda path: f"/x/%252e%252e{path}",
    "up by slash": lambda path: f"/x%2f..{path}",
    "space": lambda path: path.replace("admin", "admin%20"),
    "query": lambda path: f"{path}?x=1&y",
    "empty query": lambda path: f"{path}?",
    "fragment": lambda path: f"{path}#x",
    "NUL": lambda path: f"{path}%00",
}
OF_A_HOST = {
    "plain": lambda host: host,
    "dot": lambda host: f"{host}.",
    "case": lambda host: host.upper(),
    "port": lambda host: f"{host}:443",
    "user": lambda host: f"u@{host}",
    "password": lambda host: f"u:p@{host}",
    "escape": lambda host: host.replace("e", "%65", 1),
    "full-width": lambda host: host.replace("e", "\uff45", 1),
    "ideographic dot": lambda host: host.replace(".", "\u3002"),
    "soft hyphen": lambda host: host.replace("v", "v\u00ad"),
    "tab": lambda host: host.replace("v", "\tv"),
    "backslashes": lambda host: f"\\\\{host}"[2:] + "\\.."[:0],
}


def refuses(syntax: str) -> bool:
    """Return whether exclude is to take out every spelling in this syntax. Where a list blocks, an exclude opens,
    and is exact; browsers compare match patterns with the text as it is."""
    return not find(syntax).blocks and syntax != "match-pattern"


def test_each_syntax_is_here():
    assert sorted(LISTS) == sorted(set(NAMES) & set(LISTS)) and set(NAMES) - set(LISTS) <= {"hosts"}


def spelled(host: str, path: str) -> str:
    return f"https://{host}{path}"


@pytest.mark.parametrize("syntax", [name for name in NAMES if name in LISTS])
def test_no_spelling_is_more_allowed_than_the_plain_one(syntax: str, cases: int):
    everything, out, by_path = LISTS[syntax]
    options = {} if refuses(syntax) or find(syntax).blocks else {"ambiguous": "refuse"}
    patterns = PatternSet([everything], syntax, exclude=[out], **options)
    plain = spelled(HOST, PATH)
    if find(syntax).blocks:  # an exclude opens: no spelling but the plain one has to
        assert plain not in patterns
        assert spelled("other.example", PATH) in patterns
        return
    assert plain not in patterns
    if syntax != "redirect-uri" and (by_path or syntax != "robots"):
        other = spelled("good.example", PATH) if syntax != "robots" else spelled(HOST, "/public/x")
        assert other in patterns
    texts = [spelled(HOST, spell(PATH)) for spell in OF_A_PATH.values()]
    texts += [spelled(spell(HOST), PATH) for spell in OF_A_HOST.values()]
    for spell in OF_A_CHARACTER.values():
        texts += [spelled(HOST, PATH[:k] + spell(PATH[k]) + PATH[k + 1 :]) for k in range(1, len(PATH))]
        texts.append(spelled(HOST, "/" + "".join(spell(c) if c != "/" else c for c in PATH[1:])))
    rng = seeded(f"spellings {syntax}")
    characters, paths, hosts = ([*each.values()] for each in (OF_A_CHARACTER, OF_A_PATH, OF_A_HOST))
    for _ in range(min(cases, 2_000) // 4):
        path = "/" + "".join(rng.choice(characters)(c) if rng.random() < 0.2 and c != "/" else c for c in PATH[1:])
        path = rng.choice(paths)(path)
        texts.append(spelled(rng.choice(hosts)(HOST) if rng.random() < 0.3 else HOST, path))
    assert [text for text in texts if text in patterns] == []
    assert [text for text in texts if text.encode("utf-8", "surrogatepass") in patterns] == []
    assert patterns.filter(texts) == []


def test_match_patterns_are_exact_as_in_the_browsers():
    patterns = PatternSet(["https://*/*"], "match-pattern", exclude=["https://evil.example/admin/*"])
    assert spelled(HOST, "/%61dmin/x") in patterns
    assert spelled(HOST + ".", "/admin/x") not in patterns


@pytest.mark.parametrize(
    ("patterns", "url"),
    [
        (PatternSet(["*"], "blocklist", exclude=["evil.example/admin"]), "https://evil.example/%61dmin"),
        (PatternSet(["||example^"], "adblock", exclude=["||evil.example/admin"]), "https://evil.example/%61dmin"),
        (PatternSet(["Disallow: /"], "robots", exclude=["Disallow: /admin/"]), "https://evil.example//admin/x"),
    ],
)
def test_an_exclude_that_opens_is_exact(patterns: PatternSet, url: str):
    assert (url in patterns) == find(patterns.syntax).blocks


@pytest.mark.parametrize("path", ["/admin%3Fx", "/administrator/", "/x?/admin/", "/b%2Fadmin", "/a%20dmin/",
                                  "/adm%C3%AFn/", "/ADMIN/", "/;x/admin/"])  # fmt: skip
def test_other_paths_are_in(path: str):
    for syntax in ("glob", "csp", "surt", "urlpattern", "robots"):
        everything, out, _ = LISTS[syntax]
        assert spelled(HOST, path) in PatternSet([everything], syntax, exclude=[out]), syntax


@pytest.mark.parametrize("syntax", ["glob", "urlpattern"])
def test_a_query_is_decoded_too(syntax: str):
    out = {"glob": "https://a.example/**\\?*delete*", "urlpattern": "https://a.example/*\\?*delete*"}[syntax]
    patterns = PatternSet(
        ["https://a.example/**" if syntax == "glob" else "https://a.example/*"], syntax, exclude=[out]
    )
    assert "https://a.example/x?y=insert%20a+b" in patterns
    for query in ("delete", "a=d%65lete", "d%2565lete", "del%ffete", "d%u0065lete", "%EF%BD%84elete", "de%c2%adlete"):
        assert f"https://a.example/x?{query}" not in patterns, query
        assert f"https://a.example/%78?{query}" not in patterns, query


@pytest.mark.slow(2)
def test_a_long_path_takes_linear_time():
    patterns = PatternSet(["https://a.example/**"], "glob", exclude=["https://a.example/admin/**"])
    for piece in (
        "%61",
        "%2f",
        "//",
        "%25",
        " x",
        "%20",
        "\u0315\u0300",
        "%cc%95%cc%80",
        "%c0",
        "%e0%80",
        "\u200b",
        "a/./",
    ):
        _ = "https://a.example/x" + piece * (100_000 // len(piece)) in patterns


@pytest.mark.parametrize(
    "written", ["/%61dmin/", "/adm%69n/", "/%7Eme/", "/%7eme/", "/a%2Fb/", "/a%2fb/", "/a%20b/", "/a b/"]
)
@pytest.mark.parametrize("syntax", ["glob", "csp", "surt", "urlpattern", "robots"])
def test_how_exclude_is_written_does_not_matter(syntax: str, written: str):
    everything, out, _ = LISTS[syntax]
    patterns = PatternSet([everything], syntax, exclude=[out.replace("/admin/", written)])
    path = {"/adm%69n/": "/admin/", "/%61dmin/": "/admin/"}.get(
        written, written.replace("%7E", "~").replace("%7e", "~")
    )
    if syntax == "surt" and " " in written:
        return  # a SURT has what a URL has
    cased = (re.sub("%..", lambda found, case=case: case(found[0]), written) for case in (str.upper, str.lower))
    for text in (path, written, *cased):
        assert spelled(HOST, f"{text}x") not in patterns, text


def test_a_dot_at_the_end_of_a_host():
    """One rule: it is ignored, in the line and in the URL, but where a standard compares origins, patterns or texts."""
    lines = {
        **dict.fromkeys(("domains", "no-proxy", "blocklist"), "a.example"),
        **{
            "adblock": "||a.example^",
            "csp": "https://a.example",
            "glob": "https://a.example/**",
            "surt": "(example,a,)/",
        },
        **{
            "match-pattern": "https://a.example/*",
            "origins": "https://a.example",
            "redirect-uri": "https://a.example/",
        },
        "urlpattern": "https://a.example/*",
    }
    compared = {"csp", "origins", "redirect-uri", "urlpattern"}
    for syntax, line in lines.items():
        assert "https://a.example/" in PatternSet([line], syntax), syntax
        assert ("https://a.example./" in PatternSet([line], syntax)) == (syntax not in compared), syntax
        if syntax not in ("surt", "adblock", "redirect-uri"):
            dotted = PatternSet([line.replace("a.example", "a.example.")], syntax)
            assert "https://a.example./" in dotted, syntax
            assert ("https://a.example/" in dotted) == (syntax not in compared), syntax
