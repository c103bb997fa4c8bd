"""Lists as people have them: a right one has no finding, a wrong one at least one.

The shapes are those of public configurations and of the programs' own pages, with names of this project. The author of
the codes marked them; test_marked_lists.py has those that somebody else marked before any finding was seen.
"""

from __future__ import annotations

import collections
import json
from typing import Any

import pytest
from support.suites import BESIDE, absent

from urlsm.crawler import Robots
from urlsm.patterns import PatternSet
from urlsm.patterns.syntax import NAMES

# lines that are right by themselves and together
RIGHT: dict[str, str] = {
    # the pages of EasyList, of uBlock Origin's syntax, of urlhaus-filter
    "adblock": """
        ||ads.example^                          ||b.example^$third-party              @@||cdn.example^$script
        /banner/*/img^                          page.example##.ad                     c.example
        0.0.0.0 d.example                       127.0.0.1 localhost                   ||e.example^$all
        -ad-sidebar.                            /ads.js?                              &ad_id=
        */popads/*$image                        ||f.example^$doc,popup                /^https?://[a-z]{8}\\.example//
        $script,domain=g.example,denyallow=h.example    ||i.example/x$match-case      .example/c/*?s1=$doc,to=example
        !comment                                [Adblock Plus 2.0]                    j.example#@#.ad
    """,
    # the pages of Chrome Enterprise on the filter format
    "blocklist": """
        a.example         https://b.example/path     .c.example       d.example:8080     e.example/watch?v=V1
        file://*          javascript://*             192.168.1.2      chrome://*         f.example/bad_path
        https://ssl.g.example     h.example?v=1&w=2  ftp://i.example  [2001:db8::1]
    """,
    # CSP Level 3, and the policies of sites that report-uri's and Google's pages show
    "csp": """
        'self'            'none'                https:                    data:
        blob:             https://cdn.example   *.b.example               https://*.c.example     'unsafe-inline'
        'nonce-abc123'    'sha256-abc='         'strict-dynamic'          https://d.example/js/   wss://e.example
        f.example:*       'report-sample'       'unsafe-eval'             https://g.example:8443  mediastream:
        'wasm-unsafe-eval'
    """,
    # Scrapy's allowed_domains, Squid's dstdomain, cookies
    "domains": """
        a.example.com     .b.example      =c.example.com     *.d.example.com     10.0.0.0/8     192.168.1.1
        ::1               localhost       b\xfccher.example.com   xn--bcher-kva.example.org     2001:db8::/32
    """,
    # the pages of Playwright and Crawlee
    "glob": """
        https://a.example/**             https://*.b.example/**       https://a.example.com/docs/*
        http://localhost:3000/**         https://c.example/{blog,news}/**     https://d.example/**/*.pdf
        https://e.example/page/[0-9]     https://f.example/item-[ab]  https://api.example.com/v1/users/*
    """,
    # hosts(5), dnsmasq(8), unbound.conf(5), the lists of Steven Black and of urlhaus-filter
    "hosts": """
        127.0.0.1 localhost                     ::1 localhost ip6-localhost       255.255.255.255 broadcasthost
        fe80::1%lo0 localhost                   ff02::1 ip6-allnodes              0.0.0.0 0.0.0.0
        0.0.0.0 a.example                       127.0.0.1 b.example               address=/c.example/
        address=/d.example/0.0.0.0              local-zone: "e.example" static    f.example
        server=/g.example/                      local-data: "h.example A 0.0.0.0" server:
    """,
    # the manifests of extensions, MDN and Chrome's page on match patterns
    "match-pattern": """
        *://*.a.example/*     https://b.example/*     <all_urls>     http://*/*     https://*/*
        *://c.example/watch*  file:///*               *://*/*        https://www.d.example/     ftp://e.example/*
        http://localhost/*    *://*.f.example/search*    https://mail.g.example/mail/*
    """,
    # the documents of Go, curl, Docker, Kubernetes
    "no-proxy": """
        localhost     127.0.0.1     .example.com     10.0.0.0/8     ::1     a.example:8080     169.254.169.254
        host.docker.internal        kubernetes.default.svc          .svc.cluster.local         192.168.0.0/16
    """,
    # allowedOrigins of servers on GitHub
    "origins": """
        https://app.example.com     http://localhost:3000     http://localhost:5173     http://127.0.0.1:8080
        https://*.b.example         https://c.example:8443    http://192.168.1.100:3000     https://[::1]:3000
        https://staging.d.example   http://10.0.0.5           https://my-app.e.example  https://f.example
    """,
    # RFC 8252, and the consoles of identity providers
    "redirect-uri": """
        https://app.example.com/callback     https://app.example.com/     com.example.app:/oauth2redirect
        http://127.0.0.1/callback            http://[::1]/callback        https://app.example.com/cb?x=1
        https://app.example.com/signin-oidc  com.example.app://callback
    """,
    # 300 files of sites: test_the_files_of_sites
    "robots": """
        Disallow: /admin/     Allow: /admin/public/     Disallow: /*.pdf$     Disallow: /search?q=     Disallow:
        Disallow: /tmp        Allow: /$                 Disallow: *sort=      Disallow: /cgi-bin/      Allow: /feed
    """,
    # the pages of Heritrix and of the Internet Archive
    "surt": """
        http://(com,example,)/     http://(com,example,www,)/a     org,example     org,example,b)/web
        https://(uk,co,example,)/  (net,example
    """,
    # RFC 6570, GitHub's API, the MCP SDKs
    "uri-template": """
        http://www.example.com/foo{?query,number}   https://api.example/repos/{owner}/{repo}/issues{?page}
        file:///docs/{+path}     note://{id}        https://api.example/repos/{owner}/{repo}/issues/{number}
        /users{/id}              /pets/{petId}/toys{?sort}
    """,
    # the URL Pattern Standard, MDN, Deno, Cloudflare
    "urlpattern": """
        https://*.example.org               https://a.example/books/:id             https://b.example/books/:id(\\d+)
        https://c.example/books{/old}?      http{s}?://d.example/*                  https://cdn-*.e.example/*.jpg
        https://f.example/foo\\?bar=*       https://{:subdomain.}?g.example/*       https://h.example:8080/*
        https://i.example/*/:name.html      https://j.example/(foo|bar)             https://k.example/files/:path+
        https://l.example/:lang(en|de)/*    https://m.example/api/v:version/*       https://127.0.0.1:8000/*
        https://n.example                   https://o.example/product/:action*      https://p.example/:id([^\\/]+)
    """,
}
OPTIONS: dict[str, dict[str, Any]] = {"csp": {"self_origin": "https://page.example"}}

WRONG: dict[str, tuple[str, ...]] = {
    "adblock": ("ads.js", "||a.example^$nosuch", "address=/a.example/", "$script", "Disallow: /a", "/(?=a)b/", "*"),
    "blocklist": ("https://", "a.example:x", "wrong://app", "||a.example^x y"),
    "csp": ("http:", "http://cdn.example", "a b", "https://[x]", "script-src"),
    "domains": ("com", "co.uk", "https://a.example/", "a.example/x", "||a.example^", "0.0.0.0 a.example", "10.0.0.1/8"),
    "hosts": ("||a.example^", "*.a.example", "https://a.example/", "93.184.216.34 a.example", "a.example b.example"),
    "match-pattern": ("https://*.com/*", "https://a.example", "a.example/*", "https://a*b.example/*", "*"),
    "no-proxy": ("http://a.example", "10.0.0.0/255.0.0.0", "a.example:", "0.0.0.0 a.example"),
    "origins": ("http://app.example.com", "https://*.com", "https://a.example/x", "https://*", "a.example"),
    "redirect-uri": ("http://localhost/cb", "https://a.example/cb/*", "/cb", "https://a.example/cb#x"),
    "robots": ("Disalow: /", "Disallow: admin", "<!DOCTYPE html>", "Noindex: /x", "/admin"),
    "surt": ("https://a.example.com*", "http://(com,example"[:5],),
    "uri-template": ("/{x", "/{x:3}", "/{x}{y}", "/a b", "/{x}/{x}"),
    "urlpattern": ("https://example.com*", "https://*example.com/*", "https://(www.example.com)/", "https://*/cb",
                   "https://a.example/:id([^/]+)", "https://a.example/x?y=1{"),
}  # fmt: skip
WRONG["glob"] = ("https://a.example/{", "https://example.com*/a", "https://*example.com/*")


def lines_of(text: str) -> list[str]:
    return [line for row in text.strip().splitlines() for line in map(str.strip, row.split("  ")) if line]


def test_each_syntax_stands_here():
    assert set(RIGHT) == set(WRONG) == set(NAMES)


@pytest.mark.parametrize("syntax", NAMES)
def test_a_right_list_has_no_finding(syntax):
    lines = lines_of(RIGHT[syntax])
    assert len(lines) >= 6
    options = OPTIONS.get(syntax, {})
    text = ", ".join(lines) if syntax == "no-proxy" else "\n".join(lines)
    assert PatternSet(text, syntax, **options).lint() == ()
    for line in lines:
        assert PatternSet(line, syntax, **options).lint() == (), line


@pytest.mark.parametrize("syntax", NAMES)
def test_a_wrong_list_has_a_finding(syntax):
    for line in WRONG[syntax]:
        assert PatternSet([line], syntax, strict=False).lint() != (), line


# what is wrong with the files of sites that have findings, by hand: what the site wants is not what its lines say
OF_SITES = {"unreadable": 16, "no-slash": 8, "no-agent": 2, "unknown-key": 2}


def test_the_files_of_sites():
    folder = BESIDE / "patterns" / "robots-files"
    if not folder.is_dir():
        absent("data of pattern matchers", f"robots-files in {folder.parent}")
    files = sorted(folder.iterdir())
    found = [{lint.code for lint in Robots(path.read_bytes()).lint()} for path in files]
    assert collections.Counter(code for codes in found for code in codes) == OF_SITES
    assert len(files) == 300 and found.count(set()) == 272


def test_the_lists_of_suites():
    """Patterns that suites take as right have a finding only if it names what they test: odd ones."""
    folder = BESIDE / "patterns"
    if not (folder / "match-patterns.json").is_file():
        absent("data of pattern matchers", f"match-patterns.json in {folder}")
    said = collections.Counter()
    for row in json.loads((folder / "match-patterns.json").read_text(encoding="utf-8")):
        if (row.get("parse") == "ok" or row.get("matches")) and not row.get("chrome_only"):
            said.update({lint.code for lint in PatternSet([row["pattern"]], "match-pattern", strict=False).lint()})
    assert said.keys() <= {"public-suffix", "no-such-scheme"}, said  # *.foo, about:*
