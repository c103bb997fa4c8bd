"""Parse, resolve, split."""

from bench.measure import Row

TEXT = {"can_ada": "parse(u)", "url-py": "parse(u)", "ada-url": "URL(u) -> x.href", "upa-url": "URL(u)",
        "pydantic_core": "Url(u)", "yarl": "URL(u)", "urllib.parse": "urlsplit(u) -> x.geturl()",
            "liburlparser": "Url(u)",
        "crup": "parse(u) -> x.href", "httptools": "u.encode() => parse_url(u) -> whole(x)",
        "w3lib": "safe_url_string(u)"}  # fmt: skip
NORMAL = {"can_ada": "str(parse(u))", "url-py": "str(parse(u))", "ada-url": "normalize_url(u)",
    "upa-url": "URL(u).href",
          "pydantic_core": "str(Url(u))", "yarl": "str(URL(u))", "urllib.parse": "urlunsplit(urlsplit(u))",
          "liburlparser": "normalize(u)", "crup": "parse(u).href"}  # fmt: skip
READ = {
    "can_ada": "x = parse(u); x.hostname; x.pathname; x.search -> (x.hostname, x.pathname, x.search[1:])",
    "url-py": 'x = parse(u); x.host_str; x.path; x.query -> (x.host_str or "", x.path, x.query or "")',
    "ada-url": "x = URL(u); x.hostname; x.pathname; x.search -> (x.hostname, x.pathname, x.search[1:])",
    "upa-url": "x = URL(u); x.hostname; x.pathname; x.search -> (x.hostname, x.pathname, x.search[1:])",
    "pydantic_core": 'x = Url(u); x.host; x.path; x.query -> (x.host or "", x.path or "", x.query or "")',
    "yarl": "x = URL(u); x.raw_host; x.raw_path; x.raw_query_string -> "
    '(x.raw_host or "", x.raw_path, x.raw_query_string)',
    "urllib.parse": 'x = urlsplit(u); x.hostname; x.path; x.query -> (x.hostname or "", x.path, x.query)',
    "liburlparser": "x = Url(u); x.host_text; x.abspath; x.query -> (x.host_text, x.abspath, x.query)",
    "crup": 'x = parse(u); x.hostname; x.path; x.query -> (x.hostname or "", x.path, x.query or "")',
    "httptools": "u.encode() => x = parse_url(u); x.host; x.path; x.query -> "
    '(x.host.decode(), (x.path or b"").decode(), (x.query or b"").decode())',
    "Starlette": 'x = URL(u); x.hostname; x.path; x.query -> (x.hostname or "", x.path, x.query)',
}
OURS = 'x = parse(u); x.host; x.path; x.query -> (x.host or "", x.path, x.query or "")'
CAN = {"can_ada": "can_parse(u)", "ada-url": "check_url(u)", "upa-url": "can_parse(u)"}

ROWS = [
    Row("parse", "links", "parse(u)", TEXT),
    Row("parse, then read host, path, query", "links", OURS, READ),
    Row("can_parse", "links", "can_parse(u)", CAN),
    Row("`str(parse(u))`, already in normal form", "normal", "str(parse(u))", NORMAL),
    Row("`str(parse(u))`, those that change", "changed", "str(parse(u))", NORMAL),
    Row("parse(u).href", "links", "parse(u).href", {"can_ada": "parse(u).href", "ada-url": "URL(u).href"}),
    Row("parse of bytes", "links", "u.encode() => parse(u)", {"can_ada": "parse(u)", "url-py": "parse(u)"}),
    Row("can_parse of bytes", "links", "u.encode() => can_parse(u)", CAN),
    Row("try_parse", "links", "try_parse(u)", {"can_ada": "parse(u)", "upa-url": "URL.parse(u)"}),
    Row("URL(text)", "links", "URL(u)", {"can_ada": "parse(u)", "url-py": "parse(u)"}),
    Row("parse with a base", "refs", "parse(u, base=BASE)",
        {"can_ada": "parse(BASE) + u", "url-py": "parse(BASE).join(u)", "ada-url": "URL(u, BASE) -> x.href",
         "upa-url": "URL(u, BASE)"}),
    Row("can_parse with a base", "refs", "can_parse(u, base=BASE)", {"upa-url": "can_parse(u, BASE)"}),
    Row("resolve a reference, text to text", "refs", "resolve(u, base=BASE)",
        {"can_ada": "str(parse(BASE) + u)", "url-py": "str(parse(BASE).join(u))", "ada-url": "join_url(BASE, u)",
         "upa-url": "URL(u, BASE).href", "yarl": "str(URL(BASE).join(URL(u)))", "urllib.parse": "urljoin(BASE, u)",
         "liburlparser": "resolve(BASE, u)"}),
    Row("resolve against a base parsed once", "refs", "base.join(u)",
        {"can_ada": "base + u", "url-py": "base.join(u)", "upa-url": "URL(u, base)", "yarl": "base.join(URL(u))"}),
    Row("resolve_many, fifty references", "pages", "resolve_many(v, base=u)",
        {"urllib.parse": "[urljoin(u, ref) for ref in v]"}),
    Row("resolve, rfc3986", "refs", "resolve(u, base=BASE, dialect='rfc3986')",
        {"urllib.parse": "urljoin(BASE, u)", "liburlparser": "resolve(BASE, u)"}),
    Row("same_document", "pairs", "same_document(v, base=u)"),
    Row("split, whatwg", "links", "split(u) -> None"),
    *(Row(f"split, {dialect}", "links", f"split(u, dialect='{dialect}') -> None",
          {"urllib.parse": "urlsplit(u) -> None"} if dialect == "stdlib" else {})
      for dialect in ("rfc3986", "rfc2396", "rfc1738", "barth", "stdlib")),
    Row("unsplit", "links", "split(u) => unsplit(u)", {"urllib.parse": "urlsplit(u) => urlunsplit(u)"}),
    Row("explain", "links", "explain(u) -> None"),
]  # fmt: skip
